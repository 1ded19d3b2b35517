//! What must not hurt: recursion without end, terms of great depth, wrong arguments to every builtin, streams and threads that are gone.

mod common;

use common::{LIMIT, Run, Scratch, finish, run, run_program, samite, samite_in, samite_within};

/// The depth of deep terms.
const DEEP: usize = if cfg!(debug_assertions) {
    300_000
} else {
    10_000_000
};

fn program(text: &str, words: &[&str]) -> Run {
    let mut command = samite();
    command.args(words);
    run_program(command, text)
}

#[test]
fn recursion_without_end() {
    program(
        r"
p :- p, q.
q.
l(X) :- l([X|X]).
f(X) :- f(s(X)), q.
c(N) :- ( q ; q ), M is N + 1, c(M).
fz(X) :- freeze(V, q), fz(f(X,V)), q(X, V).
q(_, _).
w(X) :- freeze(X, w(_)), X = 1, q(X, X).
d(X) :- dif(X, Y), d(Y), q(X, Y).
g(X) :- dif(X, a), g(f(X)).
wn(X) :- when((nonvar(X);nonvar(Y)), q), wn(Y).
t(G) :-
    catch(G, error(E, _), true),
    write(E), nl,
    garbage_collect,
    numlist(1, 1000, L), sum_list(L, S), write(S), nl.
run :- t(p), t(l(a)), t(f(z)), t(c(0)), t(length(_, 1000000000)), t(fz(a)), t(w(_)), t(d(_)), t(g(_)), t(wn(_)), t(p).
",
        &["--memory-limit=64m"],
    )
    .status(0)
    .prints(&"resource_error(memory)\n500500\n".repeat(11));
}

/// The same in a thread and from the toplevel, which goes on.
#[test]
fn recursion_without_end_elsewhere() {
    program(
        "p :- p, q.\nq.\nrun :- thread_create(p, Id, []), thread_join(Id, S), S = exception(error(E, _)), print(E), nl, thread_create(q, I2, []), thread_join(I2, T), print(T), nl.\n",
        &["--memory-limit=64m"],
    )
    .status(0)
    .prints("resource_error(memory)\ntrue\n");
    run(
        &["--memory-limit=64m"],
        "assertz((p :- p, q)), assertz(q).\np.\nX = 1.\np.\nX = 2.\n",
    )
    .status(0)
    .prints_parts(&["X = 1.", "X = 2."]);
}

/// A deep term through everything that walks over terms.
#[test]
fn deep_terms() {
    let text = r"
:- dynamic(kept/1).
nested(0, T, T) :- !.
nested(N, T0, T) :- N1 is N - 1, nested(N1, f(T0), T).
sum(0, T, T) :- !.
sum(N, T0, T) :- N1 is N - 1, sum(N1, T0+1, T).
right(0, T, T) :- !.
right(N, T0, T) :- N1 is N - 1, right(N1, g(a,T0), T).

run :- depth(N), nested(N, x, T), all(T), sum(N, 1, S), all(S), right(N, x, R), all(R),
    numlist(1, N, L), all(L), length(L, Length), msort(L, M), ( M == L -> true ; throw(sorted) ),
    X is S, ( X =:= N + 1, Length =:= N -> true ; throw(sum(X, Length)) ),
    write(done), nl.

all(T) :-
    copy_term(T, C), same(T, C), T = C, compare(O, T, C), same(O, =),
    ( T =@= C -> true ; throw(variant) ),
    ( unify_with_occurs_check(T, C) -> true ; throw(occurs) ),
    ( \+ T \= C -> true ; throw(different) ),
    ground(T), acyclic_term(T), term_variables(T, Vs), same(Vs, []),
    term_variables(T-_, [_]),
    garbage_collect,
    findall(T, true, [F]), same(T, F),
    assertz(kept(T)), kept(K), same(T, K), retract(kept(K2)), same(T, K2),
    catch(throw(T), B, true), same(T, B),
    nb_setval(key, T), nb_getval(key, V), same(T, V), nb_setval(key, []),
    file(File),
    open(File, write, Out), writeq(Out, T), write(Out, '.'), nl(Out), write_canonical(Out, T), write(Out, '.'), nl(Out), close(Out),
    open(File, read, In), read(In, R1), read(In, R2), close(In),
    same(T, R1), same(T, R2),
    thread_self(Me), thread_send_message(Me, m(T)), thread_get_message(m(G)), same(T, G),
    garbage_collect.

same(A, B) :- A == B, !.
same(_, _) :- throw(not_the_same).
";
    let scratch = Scratch::new();
    let data = scratch.path("term.txt");
    let file = scratch.file(
        "deep.pl",
        format!("{text}\ndepth({DEEP}).\nfile('{data}').\n"),
    );
    let mut command = samite();
    command.args(["--memory-limit=20g", "-g", "run", "-t", "halt", &file]);
    finish(command, b"", 10 * LIMIT).status(0).prints("done\n");
}

/// Deep terms in files that are consulted, as text and in queries.
#[test]
fn deep_text() {
    let scratch = Scratch::new();
    let n = DEEP / 10;
    let nested = format!("{}x{}", "f(".repeat(n), ")".repeat(n));
    let lists = format!("{}{}", "[".repeat(n), "]".repeat(n));
    let braces = format!("{}x{}", "{".repeat(n), "}".repeat(n));
    let rounds = format!("{}x{}", "(".repeat(n), ")".repeat(n));
    let sum = vec!["1"; n].join("+");
    let conjunction = vec!["a"; n].join(",");
    let minus = format!("{}a", "- ".repeat(n));
    let file = scratch.file(
        "text.pl",
        format!("t({nested}).\nt({lists}).\nt({braces}).\nt({rounds}).\nt({sum}).\nt(({conjunction})).\nt({minus}).\n"),
    );
    let goal = "findall(x, t(_), L), length(L, N), write(N), nl";
    run(&["-g", goal, "-t", "halt", &file], "")
        .status(0)
        .prints("7\n")
        .silent();
    // Unbalanced ones are syntax errors.
    let open = scratch.file("open.pl", format!("t({}.\nt(1).\n", "f(".repeat(n)));
    run(&["-g", goal, "-t", "halt", &open], "")
        .status(0)
        .warns(&["yntax error"]);
}

/// A long clause body, many clauses, and a disjunction with many branches.
#[test]
fn long_bodies() {
    let scratch = Scratch::new();
    let body = vec!["q"; 5_000].join(", ");
    let branches = (0..2_000)
        .map(|i| format!("X = {i}"))
        .collect::<Vec<_>>()
        .join(" ; ");
    let file = scratch.file(
        "long.pl",
        format!("q.\np :- {body}.\nd(X) :- ( {branches} ).\n"),
    );
    run(
        &[
            "-g",
            "p, findall(X, d(X), L), length(L, N), write(N), nl",
            "-t",
            "halt",
            &file,
        ],
        "",
    )
    .status(0)
    .prints("2000\n");
}

/// Every system predicate with arguments of every wrong kind: it succeeds, fails, or raises `error(Formal, _)`.
#[test]
fn wrong_arguments() {
    let run = program(GARBAGE, &["--memory-limit=256m"]).status(0);
    let last = run.out.trim_end().lines().last().unwrap_or_default();
    let count = last
        .strip_prefix("checked ")
        .and_then(|rest| rest.strip_suffix(", wrong 0"))
        .and_then(|n| n.parse::<u32>().ok());
    assert!(count.is_some_and(|n| n > 200), "{run:#?}");
}

const GARBAGE: &str = r#"
:- dynamic(bad/2).

% Predicates that end the program, wait for ever, or touch what is not theirs.
skipped(halt, _). skipped(prolog, _). skipped(abort, _). skipped(break, _).
skipped(sleep, _). skipped(shell, _). skipped(thread_exit, _).
skipped(thread_get_message, _). skipped(thread_join, 1). skipped(thread_idle, _). skipped(thread_wait, _).
skipped(read, _). skipped(read_term, _). skipped(get_char, _). skipped(get_code, _). skipped(get_byte, _).
skipped(peek_char, _). skipped(peek_code, _). skipped(peek_byte, _). skipped(peek_string, _).
skipped(get0, _). skipped(get, _). skipped(skip, _). skipped(get_single_char, _).
skipped(delete_file, _). skipped(rename_file, _). skipped(delete_directory, _). skipped(make_directory, _).
skipped(working_directory, _). skipped(chdir, _). skipped(tmp_file, _). skipped(tmp_file_stream, _).
skipped(open, _). skipped(tell, _). skipped(append, 1). skipped(see, _). skipped(told, _). skipped(seen, _).
skipped(set_output, _). skipped(set_input, _). skipped(set_stream, _). skipped(set_prolog_IO, _). skipped(close, _).
skipped(set_prolog_flag, _). skipped(create_prolog_flag, _). skipped(repeat, 0). skipped(op, _).
skipped(unload_file, _). skipped(initialization, _).
% There is no terminal to ask: the system's error, as elsewhere.
skipped(tty_size, _).
skipped(toplevel, _). skipped(thread_signal, _). skipped(mutex_lock, _). skipped(prompt1, _).
skipped(copy_stream_data, _). skipped(consult, _). skipped(load_files, _). skipped(trace, _). skipped(time, _). skipped(throw, _). skipped(cancel_halt, _).
skipped(Name, _) :- sub_atom(Name, 0, 1, _, '$').

garbage(_, unbound).
garbage(7, small).
garbage(-123456789012345678901234567890, big_negative).
garbage(1180591620717411303424, big).
garbage(-1, minus_one).
garbage(a, atom).
garbage([], nil).
garbage("text", string).
garbage(1.5, float).
garbage([a|_], partial).
garbage([a,b], list).
garbage([1|x], improper).
garbage(f(_,b), compound).
garbage(no_such_goal(1), goal).
garbage(x:y:z, qualified).
garbage('$stream'(99999), stream).

run :-
    findall(N/A, ( predicate_property(system:H, built_in), functor(H, N, A), \+ skipped(N, A) ), L0),
    sort(L0, L),
    length(L, Count),
    forall(member(N/A, L), try(N, A)),
    findall(x, bad(_, _), Bad), length(Bad, B),
    format('~nchecked ~w, wrong ~w~n', [Count, B]).

try(N, A) :-
    forall(arguments(N, A, Goal), one(Goal)).

% All alike; then each argument in turn with the others unbound, and with the others an atom or a number.
arguments(N, 0, N) :- !.
arguments(N, A, Goal) :-
    garbage(X, _), length(L, A), fill(L, X), Goal =.. [N|L].
arguments(N, A, Goal) :-
    A > 1, A < 5,
    member(Other, [_, a, 3, [a]]), between(1, A, I), garbage(X, _), nth_fill(1, A, I, X, Other, L), Goal =.. [N|L].

fill([], _).
fill([X|L], X0) :- copy_term(X0, X), fill(L, X0).
nth_fill(K, A, _, _, _, []) :- K > A, !.
nth_fill(K, A, I, X, O, [Y|L]) :- ( K =:= I -> Y = X ; copy_term(O, Y) ), K1 is K+1, nth_fill(K1, A, I, X, O, L).

one(Goal) :-
    ( nb_current(trace, true) -> write_term(user_error, Goal, [quoted(true), max_depth(9)]), nl(user_error) ; true ),
    copy_term(Goal, Shown),
    catch(limited(Goal), Ball, true),
    (   var(Ball) -> true
    ;   Ball = error(F, _), nonvar(F), formal(F) -> true
    ;   assertz(bad(Shown, Ball)),
        write_term(Shown, [quoted(true), max_depth(9)]), write(' raises '), write_term(Ball, [quoted(true), max_depth(12)]), nl
    ).

% At most three solutions, in bounded time, with what it prints thrown away.
limited(Goal) :-
    with_output_to(string(_), some(Goal)).
some(Goal) :- State = n(0), ( call(Goal), arg(1, State, N0), N is N0+1, nb_setarg(1, State, N), N >= 3 -> true ; true ).

formal(instantiation_error). formal(uninstantiation_error(_)). formal(type_error(_, _)). formal(domain_error(_, _)).
formal(existence_error(_, _)). formal(existence_error(_, _, _)). formal(permission_error(_, _, _)). formal(representation_error(_)).
formal(evaluation_error(_)). formal(resource_error(_)). formal(syntax_error(_)). formal(format(_)). formal(format(_, _)).
formal(system_error(_)). formal(io_error(_, _)). formal(shell(_, _)). formal(timeout_error(_, _)). formal(determinism_error(_, _, _, _)).
"#;

#[test]
fn streams_that_are_closed() {
    let scratch = Scratch::new();
    let path = scratch.path("file.txt");
    program(
        &format!(
            r"
t(G) :- catch((G, write(true)), error(E, _), ( functor(E, N, _), write(N) )), nl.
run :-
    open('{path}', write, S), write(S, abc), close(S),
    t(write(S, x)), t(close(S)), t(nl(S)), t(flush_output(S)), t(set_output(S)), t(format(S, x, [])),
    open('{path}', read, R), close(R),
    t(read(R, _)), t(get_char(R, _)), t(peek_char(R, _)), t(set_input(R)), t(stream_property(R, eof_action(_)) -> true ; true),
    open('{path}', read, Q), t(write(Q, x)), close(Q),
    open('{path}', append, A), t(get_char(A, _)), close(A),
    t(open('/no/such/dir/file', write, _)), t(open('/no/such/file', read, _)), t(see('/no/such/file')),
    t(close(user_output)), t(close(user_error)), t(write(user_output, still)).
"
        ),
        &[],
    )
    .status(0)
    .prints_parts(&[
        "existence_error\n",
        "existence_error\n",
        "existence_error\n",
        "permission_error\n",
        "existence_error\n",
        "existence_error\n",
        "stilltrue\n",
    ]);
}

#[test]
fn threads_that_are_gone() {
    program(
        r"
t(G) :- catch((G -> write(true) ; write(false)), error(E, _), ( functor(E, N, _), write(N) )), nl.
run :-
    thread_create(true, A, []), thread_join(A, S), write(S), nl,
    t(thread_join(A, _)), t(thread_send_message(A, x)), t(thread_peek_message(A, _)),
    t(thread_join(no_such_thread, _)), t(thread_send_message(no_such_queue, x)),
    thread_self(Me), t(thread_join(Me, _)),
    message_queue_create(Q), message_queue_destroy(Q),
    t(thread_send_message(Q, x)), t(thread_get_message(Q, _)), t(message_queue_destroy(Q)),
    message_queue_create(W),
    thread_create(thread_get_message(W, _), B, []),
    message_queue_destroy(W),
    thread_join(B, SB), ( SB = exception(error(existence_error(_, _), _)) -> write(woken) ; write(SB) ), nl,
    t(thread_create(_, _, [])), t(thread_create(1, _, [])),
    t(thread_create(true, _, [alias(main)])),
    thread_create(true, C, []), thread_create(thread_join(C, _), D, []),
    thread_join(D, SD), write(SD), nl.
",
        &[],
    )
    .status(0)
    .prints(
        "true\nexistence_error\nexistence_error\nexistence_error\nexistence_error\nexistence_error\npermission_error\n\
         existence_error\nexistence_error\nexistence_error\nwoken\ninstantiation_error\ntype_error\npermission_error\ntrue\n",
    );
}

/// Nothing reads what the program writes, and nothing feeds it: it ends all the same.
#[test]
fn no_reader() {
    let mut command = std::process::Command::new("sh");
    command
        .arg("-c")
        .arg("\"$0\" -g \"forall(between(1, 100000, X), (write(X), nl))\" -t halt 2>/dev/null | head -n 1")
        .arg(env!("CARGO_BIN_EXE_samite"));
    finish(command, b"", LIMIT).status(0).prints("1\n");
}

/// Arithmetic on numbers of any size ends in a value or an error, and can be ended by a time limit: the library it rests on
/// panics in divisions, roots and common divisors of certain numbers, wants memory without asking and looks at nothing meanwhile.
#[test]
fn large_numbers() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "large.pl",
        r"
t(G) :- catch(( G -> R = true ; R = false ), error(R0, _), true), ( nonvar(R0) -> R = R0 ; true ), print(R), nl.
limited(G) :- catch(call_with_time_limit(0.2, G), E, true), print(E), nl.
run :-
    t((X1 is (1<<4000000) // ((1<<2000000)+1), 1999999 =:= msb(X1))),
    t((X2 is -(1<<1000000) mod ((1<<500000)+1), X2 =:= (1<<500000))),
    t((X3 is ((1<<1000000)+(1<<500001)+1)**(1r2), X3 =:= (1<<500000)+1)),
    t((nth_integer_root_and_remainder(3, 1<<900001, _, _))),
    t((X5 is 7**300001, nth_integer_root_and_remainder(2, X5, R, Rest), X5 =:= R*R+Rest)),
    t((X6 is gcd(1<<60000, (1<<60000)-(1<<20000)), X6 =:= 1<<20000)),
    t((X7 is 1<<60000, Y7 is X7+(1<<30000)+1, Z7 is X7 rdiv Y7, Z7*Y7 =:= X7, 1 =:= integer(Z7), 0 =:= floor(-Z7)+1, Z7+1-Z7 =:= 1)),
    t((X8 is 10**1000000, atom_length(X8, 1000001), atom_number(A8, X8), atom_number(A8, Y8), X8 =:= Y8)),
    t((X9 is 3**1000000000, X9 > 0)),
    t((X10 is 1r3**1000000000, X10 > 0)),
    t((X11 is 3**(1<<62), X11 > 0)),
    t((X12 is powm(3, 1<<50, (1<<300000)+1), X12 > 0)),
    X is 7**4000000, Y is X+1,
    limited(_ is X**20),
    limited(_ is 7**100000000),
    limited(atom_length(X, _)),
    limited(_ is X**5//(Y**3)),
    Z is 5**4000000,
    limited(_ is gcd(X, Z)).
",
    );
    run(&["-g", "run", "-t", "halt", &file], "")
        .status(0)
        .prints(concat!(
            "true\ntrue\ntrue\ntype_error(integer,1<<900001)\ntrue\ntrue\ntrue\ntrue\n",
            "resource_error(memory)\nresource_error(memory)\nresource_error(memory)\ntrue\n",
            "time_limit_exceeded\ntime_limit_exceeded\ntime_limit_exceeded\ntime_limit_exceeded\ntime_limit_exceeded\n",
        ));
}

/// Making a predicate static hears a time limit while it copies the clauses, and then nothing has changed.
#[test]
fn compiling_predicates_is_interrupted() {
    let program = r"
:- dynamic many/1.
run :-
    forall(between(1, 300000, I), assertz(many(I))),
    catch(call_with_time_limit(0.001, compile_predicates([many/1])), E, true), print(E), nl,
    ( predicate_property(many(_), dynamic) -> true ; print(static), nl ),
    assertz(many(0)), aggregate_all(count, many(_), N), print(N), nl.
";
    run_program(samite(), program)
        .status(0)
        .prints("time_limit_exceeded\n300001\n");
}

/// A fault of the system in the middle of an operation does not pass for missing memory: it is an error with its place, and printed. The
/// same in a thread that it ends.
#[test]
fn faults_are_seen() {
    let goal = r"
        forall(member(Where, [guarded, heavy, refused]),
               ( catch('$panic'(Where), error(E, _), true), E =.. [Kind, What],
                 ( sub_atom(What, _, _, 0, 'on purpose'), sub_atom(What, _, _, _, 'faults.rs:') -> print(Kind) ; print(E) ), nl )),
        thread_create('$panic'(plain), T), thread_join(T, exception(error(system_error(End), _))),
        ( sub_atom(End, _, _, 0, 'on purpose') -> writeln(ended) ; print(End), nl )";
    let run = run(&["-g", goal, "-t", "halt"], "");
    assert_eq!(run.status, Some(0), "{run:#?}");
    assert_eq!(run.err.matches("on purpose\n").count(), 3, "{run:#?}");
    run.prints("system_error\nsystem_error\nresource_error(memory)\nended\n");
}

/// Large numbers under a limit of the address space, with a trace of the stack asked for: an error at once.
#[test]
fn large_numbers_in_little_memory() {
    let mut command = samite_in(Some(120_000));
    command
        .env("RUST_BACKTRACE", "1")
        .args([
            "-g",
            "catch(X is 7**20000000, error(E, _), true), print(E), nl",
        ])
        .args([
            "-g",
            "catch(X is 3**1000000000, error(E, _), true), print(E), nl",
            "-t",
            "halt",
        ]);
    finish(command, b"", LIMIT)
        .status(0)
        .prints("resource_error(memory)\nresource_error(memory)\n");
}

/// Walks over large terms end by a time limit, or with their result; what shares much is no larger than what it is made of.
#[test]
fn walks_over_large_terms() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "walks.pl",
        r"
:- dynamic(kept/1).
dag(0, x) :- !.
dag(N, f(T,T)) :- M is N-1, dag(M, T).
deep(0, T, T) :- !.
deep(N, A, T) :- M is N-1, deep(M, g(A,_), T).
t(Limit, Expected, G) :-
    catch(call_with_time_limit(Limit, ( G -> R = true ; R = false )), E, R = E),
    ( memberchk(R, Expected) -> true ; G =.. [Name|_], print(Name-R), nl ).
same(X, Y) :- X == Y.
different(X, Y) :- X \== Y.
apart(X, Y) :- X \= Y.
all(Limit, Extra, A, B) :-
    Is = [true|Extra], Not = [false|Extra],
    t(Limit, Is, same(A, A)), t(Limit, Not, different(A, A)), t(Limit, Not, apart(A, B)),
    t(Limit, Is, compare(_, A, B)), t(Limit, Is, A =@= B), t(Limit, Is, \+ A \= B),
    t(Limit, Is, copy_term(A, _)), t(Limit, Is, duplicate_term(A, _)), t(Limit, Is, term_variables(A, _)),
    t(Limit, [false|Is], ground(A)), t(Limit, Is, msort([A,B,A], _)), t(Limit, Is, keysort([A-1,B-2], _)),
    t(Limit, Is, acyclic_term(A)), t(Limit, Is, findall(A, true, _)), t(Limit, Is, nb_setval(k, A)),
    t(Limit, Is, subsumes_term(A, A)), nb_setval(k, []).
run :-
    dag(40, A), dag(40, B), all(60, [], A, B), t(60, [true], assertz(kept(A))),
    End = [time_limit_exceeded],
    deep(1000000, z, C), deep(1000000, z, D), all(0.02, End, C, D),
    numlist(1, 1000000, Up), findall(Y, ( member(X, Up), Y is X*7919 mod 1000003 ), L), findall(p(X), member(X, L), Ps),
    t(0.02, [true|End], msort(L, _)), t(0.02, [true|End], sort(0, @>=, Ps, _)),
    L1 = [a|L1], t(0.02, [true|End], copy_term(L1, _)),
    T = m:T, catch(strip_module(T, _, _), error(type_error(Type, _), _), true), write(Type), nl.
",
    );
    run(&["-g", "run", "-t", "halt", &file], "")
        .status(0)
        .prints("acyclic_term\n");
}

/// What the system refuses is an error that says why, not the end of the process.
#[test]
fn refusals_of_the_system() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "refusals.pl",
        r"
files(0) :- !.
files(N) :- open('/dev/null', read, _), M is N-1, files(M).
grow(File) :-
    open(File, write, S),
    catch(forall(between(1, 100000, _), write(S, '0123456789')), error(E, _), true),
    catch(close(S, [force(true)]), _, true),
    E =.. [F,A|_], print(F-A), nl.
t(G) :- catch(G, error(E, _), ( print(E), nl )).
",
    );
    let target = scratch.path("big");
    let mut command = samite_within(&["-n 30", "-f 100"]);
    command
        .args([
            "-g",
            &format!("grow('{target}'), t(files(40))"),
            "-t",
            "halt",
        ])
        .arg(&file);
    finish(command, b"", LIMIT)
        .status(0)
        .prints("io_error-write\nresource_error(max_files)\n");
}
