//! A stress of threads: fifty at a time create, message, assert, throw and join, and the counts agree at the end.

mod common;

use common::{Scratch, run};

/// Each round makes 50 threads. Thread I sends to its right neighbour in a ring and to a common queue, asserts and retracts, makes a
/// thread of its own now and then, and ends in one of three ways. Nothing may be lost, doubled or left over.
const PROGRAM: &str = r"
:- dynamic(fact/2).
:- dynamic(kept/1).
:- thread_local(own/1).

threads(50).

stress(Rounds) :-
    message_queue_create(_, [alias(common)]),
    mutex_create(_, [alias(guard)]),
    forall(between(1, Rounds, R), round(R)),
    message_queue_destroy(common),
    mutex_destroy(guard),
    findall(x, fact(_, _), Left),
    length(Left, Count),
    ( Count =:= 0 -> true ; throw(left(Count)) ),
    nb_getval(total, Total),
    format('~w rounds, ~w messages~n', [Rounds, Total]).

round(R) :-
    threads(N),
    retractall(kept(_)),
    findall(I-Id, ( between(1, N, I), thread_create(wait_work(R), Id, []) ), Pairs),
    findall(Id, member(_-Id, Pairs), Ids),
    start(Pairs, Ids),
    join_all(Pairs, R),
    drain(0, Messages),
    Expected is N * 20,
    ( Messages =:= Expected -> true ; throw(messages(R, Messages, Expected)) ),
    findall(I, kept(I), Kept),
    msort(Kept, Sorted),
    findall(I, between(1, N, I), Sorted0),
    ( Sorted == Sorted0 -> true ; throw(kept(R, Sorted)) ),
    ( nb_current(total, T0) -> true ; T0 = 0 ),
    T is T0 + Messages,
    nb_setval(total, T).

% Every thread is told its number and its neighbour when all are there.
start(Pairs, Ids) :-
    Ids = [First|_],
    neighbours(Pairs, First).

neighbours([I-Id], First) :- !, thread_send_message(Id, go(I, First)).
neighbours([I-Id, J-Next|Pairs], First) :-
    thread_send_message(Id, go(I, Next)),
    neighbours([J-Next|Pairs], First).

wait_work(R) :-
    thread_get_message(go(I, Next)),
    work(I, R, Next).

work(I, R, Next) :-
    forall(between(1, 10, K),
           ( assertz(fact(I, K)),
             thread_send_message(Next, token(K, I)),
             thread_send_message(common, item(I, K, [R, text(K)])) )),
    tokens(1),
    forall(between(1, 10, K),
           ( thread_send_message(common, item(I, K, more)),
             assertz(own(K)),
             ( retract(fact(I, K)) -> true ; throw(lost(fact(I, K))) ) )),
    findall(K, own(K), Own),
    ( length(Own, 10) -> true ; throw(own(Own)) ),
    ( I mod 5 =:= 0 -> child(I) ; true ),
    with_mutex(guard, assertz(kept(I))),
    finish(I).

% The left neighbour's tokens come in its order.
tokens(K) :- K > 10, !.
tokens(K) :-
    thread_get_message(token(J, _)),
    ( J =:= K -> true ; throw(order(J, K)) ),
    K1 is K + 1,
    tokens(K1).

child(I) :-
    thread_self(Me),
    thread_create(( catch(throw(inner(I)), inner(X), true),
                    thread_send_message(Me, child(X)) ), Id, []),
    thread_get_message(child(Y)),
    thread_join(Id, Status),
    ( Y == I, Status == true -> true ; throw(child(Y, Status)) ).

finish(I) :- I mod 3 =:= 0, !, throw(ball(I)).
finish(I) :- I mod 3 =:= 1, !, fail.
finish(_).

join_all([], _).
join_all([I-Id|Pairs], R) :-
    thread_join(Id, Status),
    M is I mod 3,
    ( expected(M, I, Status) -> true ; throw(status(R, I, Status)) ),
    join_all(Pairs, R).

expected(0, I, exception(ball(I))).
expected(1, _, false).
expected(2, _, true).

drain(N0, N) :-
    (   thread_peek_message(common, item(_, _, _))
    ->  thread_get_message(common, item(_, _, _)),
        N1 is N0 + 1,
        drain(N1, N)
    ;   N = N0
    ).
";

fn stress(rounds: u32, setting: Option<(&str, &str)>) {
    let scratch = Scratch::new();
    let file = scratch.file("stress.pl", PROGRAM);
    let goal = format!("stress({rounds})");
    let mut command = common::samite();
    if let Some((name, value)) = setting {
        command.env(name, value);
    }
    command.args(["-g", &goal, "-t", "halt", &file]);
    common::finish(command, b"", common::LIMIT)
        .status(0)
        .prints(&format!("{rounds} rounds, {} messages\n", rounds * 1000));
}

#[test]
fn fifty_threads() {
    stress(if cfg!(debug_assertions) { 20 } else { 100 }, None);
}

#[test]
fn fifty_threads_that_collect() {
    let rounds = if cfg!(debug_assertions) { 5 } else { 20 };
    stress(rounds, Some(("SAMITE_NURSERY", "32768")));
}

#[test]
fn fifty_threads_that_collect_everywhere() {
    let rounds = if cfg!(debug_assertions) { 2 } else { 5 };
    stress(rounds, Some(("SAMITE_GC_STRESS", "1")));
}

/// Threads that call library predicates for the first time at the same moment all see whole definitions: one of them loads the
/// file while the others may neither find half a predicate nor miss an auxiliary one.
#[test]
fn libraries_loaded_at_the_same_time() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "loading.pl",
        r"
goal(( maplist([X, Y]>>(Y is X * X), [1, 2, 3], L), L == [1, 4, 9] )).
goal(( list_to_assoc([a-1, b-2], A), put_assoc(c, A, 3, B), assoc_to_values(B, [1, 2, 3]) )).
goal(( aggregate_all(max(X), member(X, [3, 7, 5]), M), M == 7 )).
goal(( ord_union([a, c], [b], U), ord_subtract(U, [c], [a, b]) )).
goal(( vertices_edges_to_ugraph([a], [b-c], G), top_sort(G, T), length(T, 3) )).
goal(( list_to_heap([3-c, 1-a], H), get_from_heap(H, 1, a, _) )).
goal(( findall(X, limit(2, order_by([desc(X)], member(X, [1, 3, 2]))), [3, 2]) )).
goal(( pairs_keys_values(P, [a, b], [1, 2]), transpose_pairs(P, [1-a, 2-b]) )).
goal(( option(a(1), [b(2), a(1)]), select_option(b(X), [b(2), a(1)], [a(1)]), X == 2 )).
goal(( phrase(integer(X), `42`), X == 42 )).
goal(subsumes_chk(f(_), f(a))).
goal(( list_to_ord_set([b, a, b], [a, b]), foldl([X, S0, S]>>(S is S0 + X), [1, 2], 0, 3) )).

:- use_module(library(dcg/basics)).

main :-
    forall(clause(goal(G), true), together(G)),
    writeln(done).

together(G) :-
    findall(Id, ( between(1, 6, _), thread_create(( thread_get_message(go), call(G) ), Id) ), Ids),
    forall(member(Id, Ids), thread_send_message(Id, go)),
    forall(member(Id, Ids), ( thread_join(Id, S), ( S == true -> true ; print(G-S), nl ) )).
",
    );
    for _ in 0..5 {
        run(&["-g", "main", "-t", "halt", &file], "")
            .status(0)
            .prints("done\n");
    }
}

/// All threads assert to one predicate and read it while others do; every clause is there once.
#[test]
fn one_predicate() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "shared.pl",
        r"
:- dynamic(n/2).
writer(I) :- forall(between(1, 200, K), ( assertz(n(I, K)), ( n(I, K) -> true ; throw(missing(I, K)) ) )).
main :-
    findall(Id, ( between(1, 50, I), thread_create(writer(I), Id, []) ), Ids),
    forall(member(Id, Ids), ( thread_join(Id, S), ( S == true -> true ; throw(S) ) )),
    findall(I-K, n(I, K), L), length(L, Length), sort(L, Sorted), length(Sorted, Distinct),
    writeq(Length/Distinct), nl,
    findall(Id, ( between(1, 50, I), thread_create(forall(retract(n(I, _)), true), Id, []) ), Ids2),
    forall(member(Id, Ids2), thread_join(Id, true)),
    ( n(_, _) -> writeq(left) ; writeq(empty) ), nl.
",
    );
    run(&["-g", "main", "-t", "halt", &file], "")
        .status(0)
        .prints("10000/10000\nempty\n");
}

/// Queues and mutexes that are found by looking for all are there, while a thread drops some all the time.
#[test]
fn what_is_enumerated_can_be_used() {
    let scratch = Scratch::new();
    let program = r"
dropping(N) :-
    forall(between(1, N, _),
           ( findall(Q-M, ( between(1, 2000, _), message_queue_create(Q), mutex_create(M) ), _), garbage_collect )).
using(T) :-
    forall(message_queue_property(Q, size(_)), \+ thread_peek_message(Q, never)),
    forall(mutex_property(M, status(_)), with_mutex(M, true)),
    thread_property(T, status(S)),
    ( S == running -> using(T) ; true ).
main :- thread_create(dropping(60), T), using(T), thread_join(T, true), writeq(used), nl.
";
    let file = scratch.file("enumerated.pl", program);
    run(&["-g", "main", "-t", "halt", &file], "")
        .status(0)
        .prints("used\n");
}

/// The system has only so many mappings: more threads than that are an error, and what runs goes on.
#[test]
fn more_threads_than_the_system_has() {
    let scratch = Scratch::new();
    let program = r"
run :-
    catch(make(20000, [], Ids), made(Ids, E), true),
    ( nonvar(E) -> E = error(Formal, _), print(Formal), nl ; true ),
    length(Ids, N),
    ( N > 100 -> true ; throw(few(N)) ),
    forall(member(Id, Ids), catch(thread_send_message(Id, stop), error(existence_error(_, _), _), true)),
    forall(member(Id, Ids), thread_join(Id, _)),
    thread_create(true, Id),
    thread_join(Id, Status),
    print(Status), nl.

make(0, Ids, Ids) :- !.
make(N, Ids0, Ids) :-
    catch(thread_create(thread_get_message(stop), Id, []), E, throw(made(Ids0, E))),
    M is N-1,
    make(M, [Id|Ids0], Ids).
";
    let file = scratch.file("threads.pl", program);
    let run = run(&["-g", "run", "-t", "halt", &file], "").status(0);
    let text = &run.out;
    assert!(
        text == "resource_error(threads)\ntrue\n" || text == "true\n",
        "{text}"
    );
}

/// The limit of a thread holds however small it is, and a thread within it is not disturbed.
#[test]
fn a_small_stack_limit() {
    let scratch = Scratch::new();
    let program = r"
run :- forall(member(Limit, [0, 100000, 1000000, 3000000]), ( with(Limit, endless(0)), with(Limit, churn(100000)) )).
with(Limit, Goal) :-
    thread_create(Goal, Id, [stack_limit(Limit)]),
    thread_join(Id, Status),
    ( Status = exception(error(Formal, _)) -> print(Formal) ; print(Status) ), nl.
endless(X) :- endless(s(X)).
churn(0) :- !.
churn(N) :- functor(_, f, 100), M is N-1, churn(M).
";
    let file = scratch.file("limit.pl", program);
    run(&["-g", "run", "-t", "halt", &file], "")
        .status(0)
        .prints(&"resource_error(memory)\ntrue\n".repeat(4));
}

/// What a thread calls `user_output` (or `user_input`, `user_error`) is its own, and that of the threads it creates; all other aliases
/// belong to everybody.
#[test]
fn standard_streams_belong_to_threads() {
    let scratch = Scratch::new();
    let program = r"
run :- forall(member(G, [one, created, inherited, input, errors, shared, closed, properties]), ( G -> true ; print(failed(G)), nl )).

in_thread(G) :- thread_create(G, Id), thread_join(Id, Status), ( Status == true -> true ; print(Status), nl ).
written(S, F) :- close(S), read_file_to_string(F, Text, []), print(Text), nl.
new(S, F) :- tmp_file(t, F), open(F, write, S).

one :- new(S, F), in_thread(( set_stream(S, alias(user_output)), write(user_output, in_thread) )), write(user_output, back), nl, written(S, F).
created :-
    new(S, F),
    in_thread(( set_stream(S, alias(user_output)), in_thread(write(user_output, grandchild)) )),
    written(S, F).
inherited :-
    new(S, F), stream_property(Before, alias(user_output)),
    set_stream(S, alias(user_output)),
    in_thread(write(user_output, created)), write(user_output, own), write(current), nl,
    set_stream(Before, alias(user_output)), write(user_output, again), nl, written(S, F).
input :-
    new(S, F), write(S, 'a. b. '), close(S), open(F, read, R),
    in_thread(( set_stream(R, alias(user_input)), read(user_input, X), print(X), nl )),
    read(user_input, Y), print(Y), nl, close(R).
errors :- new(S, F), in_thread(( set_stream(S, alias(user_error)), write(user_error, trouble) )), written(S, F).
shared :- new(S, F), in_thread(( set_stream(S, alias(log)), write(log, a) )), write(log, b), written(S, F).
closed :- new(S, _), in_thread(( set_stream(S, alias(user_output)), close(S), write(user_output, after), nl(user_output) )).
properties :-
    new(S, _),
    in_thread(( set_stream(S, alias(user_output)), forall(stream_property(S, alias(A)), ( print(A), nl )) )),
    ( stream_property(S, alias(_)) -> true ; print(none), nl ), close(S).
";
    let file = scratch.file("standard.pl", program);
    run(&["-g", "run", "-t", "halt", &file], "typed. ")
        .status(0)
        .prints(
            "back\n\"in_thread\"\n\"grandchild\"\ncurrent\nagain\n\"createdown\"\na\ntyped\n\"trouble\"\n\"ab\"\nafter\nuser_output\nnone\n",
        );
}

/// The status that a thread halts with is the process's: nobody hears that the thread has ended before that is settled.
#[test]
fn a_thread_halts_before_it_ends() {
    for _ in 0..10 {
        let goal = "thread_create(halt(3), T), thread_join(T, _)";
        assert_eq!(run(&["-g", goal, "-t", "halt"], "").status, Some(3));
    }
}
