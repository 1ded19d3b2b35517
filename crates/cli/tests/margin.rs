//! Results of 10^5 cells and more from whatever builtin makes them, with clauses around that build terms of their own right before and after: the
//! end of the nursery belongs to the clauses. Once as usual, in a small nursery, and with the nursery's end anywhere.

mod common;

use common::{LIMIT, Scratch, finish, run_program, samite};

/// `before/1` and `after/2` bump H without asking; each goal makes much in between and is looked at by goals that make nothing.
const PROGRAM: &str = r#"
:- table answer/2.
answer(N, L) :- numlist(1, N, L).
answer(N, L) :- M is N+1, numlist(2, M, L).

:- dynamic fact/1.

before(t(_,_,_,f(_,[_,_|_],g(_)))).
after(L, u(L,h(L,_,_),[x,y,_|L])).

/* Calls a goal between clauses that build, many times wherever the nursery ends. */
check(G) :- before(T), call(G, L), after(L, U), intact(T, U, L), !.
check(G) :- write(wrong(G)), nl.

intact(t(_,_,_,f(_,[_,_|_],g(_))), u(L1,h(L2,_,_),[x,y,_|L3]), L) :- L1 == L, L2 == L, L3 == L.

n(100000).

made(findall, L) :- n(N), findall(X-y, between(1,N,X), L0), sum(L0, 0, S), S =:= N*(N+1)//2, L = L0.
made(findall_lists, L) :- n(N), findall([X,f(X)], between(1,N,X), L), last(L, [N,f(N)]).
made(length, L) :- n(N), length(L, N), last(L, z).
made(numbervars, L) :- n(N), length(L, N), numbervars(L, 0, N), M is N-1, last(L, '$VAR'(M)).
made(copy, L) :- n(N), length(L0, N), copy_term(L0, L), last(L, z), last(L0, y).
made(term_variables, L) :- n(N), length(L0, N), term_variables(g(L0), L), L == L0.
made(sort, L) :- n(N), findall(X, (between(1,N,I), X is (I*7919) mod 100003), L0), sort(L0, L), sort(0, @>=, L, D), last(D, M), L = [M|_].
made(msort, L) :- n(N), numlist(1, N, L0), reverse(L0, R), msort(R, L), L == L0.
made(keysort, L) :- n(N), findall(K-_, (between(1,N,I), K is N-I), L0), keysort(L0, L), L = [0-_|_], last(L, M-_), M =:= N-1.
made(univ, L) :- n(N), length(L, N), T =.. [f|L], functor(T, f, N), arg(N, T, z), last(L, Z), Z == z.
made(functor, T) :- n(N), functor(T, f, N), arg(N, T, z), arg(1, T, A), var(A).
made(atom_codes, L) :- n(N), numlist(1, N, L0), atomic_list_concat(L0, A), atom_codes(A, L), atom_length(A, K), length(L, K).
made(atom_chars, L) :- n(N), numlist(1, N, L0), atomic_list_concat(L0, ' ', A), atom_chars(A, L), last(L, '0').
made(string_codes, L) :- n(N), length(L0, N), maplist(=(0'x), L0), string_codes(S, L0), string_codes(S, L), L == L0.
made(split, L) :- n(N), numlist(1, N, L0), atomic_list_concat(L0, ',', A), split_string(A, ",", "", L), length(L, N), last(L, Z), number_string(N, Z).
made(concat, L) :- n(N), numlist(1, N, L0), atomic_list_concat(L0, ',', A), atomic_list_concat(L, ',', A), length(L, N).
made(number_codes, L) :- X is 3**200000, number_codes(X, L), number_codes(Y, L), X =:= Y.
made(big, X) :- X is 7**100000 + 1, Y is X-1, 0 =:= Y mod 7.
made(term_to_atom, L) :- n(N), length(L0, N), maplist(=(f(_)), L0), term_to_atom(L0, A), term_to_atom(L, A), length(L, N), last(L, f(V)), var(V).
made(with_output, S) :- n(N), with_output_to(string(S), forall(between(1,N,X), write(X))), string_length(S, 488895).
made(format, L) :- n(N), numlist(1, N, L0), format(codes(L), "~w", [L0]), last(L, 0']).
made(assert, L) :- n(N), numlist(1, N, L0), retractall(fact(_)), assertz(fact(L0)), fact(L), last(L, N), retract(fact(L1)), L1 == L.
made(recorded, L) :- n(N), numlist(1, N, L0), recordz(k, f(L0,_), R), recorded(k, f(L,_)), last(L, N), erase(R).
made(nb, L) :- n(N), numlist(1, N, L0), nb_setval(k, L0), nb_getval(k, L), last(L, N), nb_setval(k, []).
made(b, L) :- n(N), numlist(1, N, L0), b_setval(k, g(L0)), b_getval(k, g(L)), last(L, N).
made(message, L) :- n(N), numlist(1, N, L0), thread_self(Me), thread_send_message(Me, m(L0,_)), thread_get_message(m(L,_)), last(L, N).
made(peek, L) :- n(N), numlist(1, N, L0), thread_self(Me), thread_send_message(Me, m(L0)), thread_peek_message(m(L)), last(L, N), thread_get_message(m(_)).
made(tabled, L) :- n(N), answer(N, L), L = [2|_], last(L, M), M =:= N+1, abolish_all_tables.
made(bagof, L) :- n(N), bagof(X, between(1, N, X), L), last(L, N).
made(setof, L) :- n(N), setof(X-Y, (between(1, N, X), Y is X mod 3), L), last(L, N-_).
made(append, L) :- n(N), numlist(1, N, A), append(A, A, L), last(L, N).
made(caught, L) :- n(N), numlist(1, N, L0), catch(throw(ball(L0,_)), ball(L,_), true), last(L, N).
made(aggregate, L) :- n(N), aggregate_all(bag(X-_), between(1, N, X), L), last(L, N-_).
made(sub_atom, A) :- n(N), length(L, N), maplist(=(x), L), atomic_list_concat(L, A0), once(sub_atom(A0, 1, _, 0, A)), atom_length(A, M), M =:= N-1.
made(pairs, L) :- n(N), numlist(1, N, K), pairs_keys_values(L, K, K), last(L, N-N).
made(setarg, T) :- n(N), functor(T, f, N), numlist(1, N, L), setarg(1, T, L), nb_setarg(2, T, L), arg(2, T, L2), last(L2, N).
made(clause, B) :- n(N), length(L, N), maplist(=(true), L), foldl([G,B0,(G,B0)]>>true, L, true, B1),
    retractall(fact(_)), assertz((fact(x) :- B1)), clause(fact(x), B), B = (true,_), retractall(fact(_)).
made(variables, L) :- n(N), length(L0, N), L1 = [a|L0], term_variables(L1-L0, L), length(L, N), term_to_atom(L1, A), atom_length(A, K), K > N.

sum([], S, S).
sum([X-y|L], S0, S) :- S1 is S0+X, sum(L, S1, S).

run :- forall(clause(made(What, _), _), check(made(What))), write(done), nl.
"#;

#[track_caller]
fn all(settings: &[(&str, &str)]) {
    let mut command = samite();
    command.envs(settings.iter().copied());
    run_program(command, PROGRAM)
        .status(0)
        .silent()
        .prints("done\n");
}

#[test]
fn results_of_any_size() {
    all(&[]);
}

#[test]
fn results_of_any_size_in_a_small_nursery() {
    all(&[("SAMITE_NURSERY", "65536")]);
}

#[test]
fn results_of_any_size_wherever_the_nursery_ends() {
    for seed in ["1", "7919", "104729"] {
        all(&[("SAMITE_NURSERY_STRESS", seed)]);
    }
}

/// A clause whose own words reach far behind results that filled the nursery.
#[test]
fn messages_fill_what_a_pipeline_leaves() {
    let text = r"
stage(In, Out) :-
    thread_get_message(In, m(I, L)), last(L, Z), Z == z, pass(Out, m(I, L)),
    ( I =:= 0 -> true ; stage(In, Out) ).
pass(end, _) :- !.
pass(Out, M) :- thread_send_message(Out, M).
source(_, Out, 0) :- !, thread_send_message(Out, m(0, [z])).
source(L, Out, N) :- thread_send_message(Out, m(N, L)), M is N-1, source(L, Out, M).
run :-
    length(L, 10000), last(L, z),
    message_queue_create(A, [max_size(8)]), message_queue_create(B, [max_size(8)]),
    thread_create(source(L, A, 2000), T1), thread_create(stage(A, B), T2), thread_create(stage(B, end), T3),
    thread_join(T1, R1), thread_join(T2, R2), thread_join(T3, R3),
    print([R1,R2,R3]), nl.
";
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", text);
    for (name, value) in [("SAMITE_NURSERY", "262144"), ("SAMITE_NURSERY_STRESS", "5")] {
        let mut command = samite();
        command.env(name, value);
        command.args(["-g", "run", "-t", "halt"]).arg(&file);
        finish(command, b"", LIMIT)
            .status(0)
            .prints("[true,true,true]\n");
    }
}
