//! What an interruption at any place leaves behind: nothing open, nothing locked, nothing lost; and what exceptions and the end of the
//! process leave.
//!
//! `'$signal_at_safe_point'(N, Goal)` signals the calling thread at the N-th safe point from then on: a goal is run with an
//! exception there for N = 1, 2, 3…, until it ends before that.

mod common;

use common::{LIMIT, Scratch, finish, run, samite, samite_within};
use std::time::Duration;

/// `every(Goal)`: Goal, interrupted at each place in turn; `most` of them.
const EVERY: &str = r"
every(Goal) :- every(Goal, 1, 2000).
every(_, N, Most) :- N > Most, !.
every(Goal, N, Most) :-
    catch(( '$signal_at_safe_point'(N, throw(stop)), ignore(Goal), '$signal_at_safe_point'(0, true), Done = true ), stop, Done = false),
    (   Done == true
    ->  true
    ;   N1 is N + 1,
        every(Goal, N1, Most)
    ).
streams(N) :- findall(S, stream_property(S, mode(_)), L), length(L, N).
";

fn program(text: &str, goal: &str) -> common::Run {
    let scratch = Scratch::new();
    let file = scratch.file("p.pl", format!("{EVERY}{text}"));
    run(&["-q", "-f", &file, "-g", goal, "-t", "halt"], "").status(0)
}

#[test]
fn a_stream_is_closed_wherever_the_signal_comes() {
    program(
        r"
first(F, T) :- setup_call_cleanup(open(F, read, S), read(S, T), close(S)).
lines(F) :- setup_call_cleanup(open(F, read, S), ( repeat, read(S, _) ), close(S)).
cut(F) :- lines(F), !.
both(F) :- setup_call_cleanup(open(F, read, S), first(F, _), close(S)), catch(first(F, _), other, true).
t :-
    source_file(every(_), F),
    streams(Before),
    every(first(F, _)), every(cut(F)), every(both(F)), every(findall(x, cut(F), _)), every(forall(first(F, T), T = end)),
    streams(After),
    ( Before == After -> writeln(none_left) ; writeln(left(Before, After)) ).
",
        "t",
    )
    .prints("none_left\n");
}

#[test]
fn a_limit_of_inferences_is_lifted_wherever_the_signal_comes() {
    program(
        r"
work(0) :- !.
work(N) :- M is N - 1, work(M).
several(1). several(2). several(3).
swept(G, N) :-
    N =< 250, !,
    catch(( '$signal_at_safe_point'(N, throw(stop)), ignore(catch(call_with_inference_limit(G, 60, _), other, true)), '$signal_at_safe_point'(0, true) ), stop, true),
    '$inference_limit'(L),
    ( L =:= -1 -> true ; print(left(G, N, L)), nl, halt ),
    M is N + 1,
    swept(G, M).
swept(_, _).
t :- forall(member(G, [work(10), work(10000), throw(other), fail, several(_), ( several(X), X > 2 )]), swept(G, 1)).
",
        "t",
    )
    .prints("");
}

#[test]
fn output_goes_where_it_went_wherever_the_signal_comes() {
    program(
        r#"
:- dynamic foo/1.
foo(1). foo(2).
portray(portrayed(X)) :- write(X).
written(with_output_to(string(_), forall(foo(X), print(X)))).
written(with_output_to(atom(_), ( foo(X), write(X), X > 1, with_output_to(codes(_), write(b)) ))).
written(with_output_to(string(_), ( foo(_), fail ))).
written(with_output_to(user_error, foo(_))).
written(with_output_to(user_error, catch(with_output_to(chars(_), throw(x)), _, fail))).
written(format(atom(_), "~w ~@~t~20|~p", [a, with_output_to(string(_), foo(_)), portrayed(b)])).
written(with_output_to(string(_), ( current_output(S), close(S) ))).
written(with_output_to(string(_), setup_call_cleanup(true, foo(_), write(cleaned)))).
written(with_output_to(string(_), listing(foo/1))).
written(with_output_to(string(_), listing(t/0))).
t :-
    open_null_stream(N), set_output(N),
    streams(Before),
    forall(written(G), ( every(G), ( current_output(N) -> true ; set_output(N), writeln(user_output, lost(G)) ) )),
    streams(After),
    set_output(user_output),
    ( Before == After -> writeln(none_left) ; writeln(left(Before, After)) ).
"#,
        "t",
    )
    .prints("none_left\n");
}

/// What is redirected goes back to a stream that is still open.
#[test]
fn output_goes_back_to_what_is_open() {
    program(
        r"
:- table path/1.
path(1).
path(X) :- with_output_to(string(_), path(Y)), X is Y + 1, X < 5.
t :-
    open_null_stream(N), set_output(N),
    with_output_to(string(S), ( write(a), close(N), with_output_to(user_error, true), write(b) )),
    writeln(S),
    % The answers come when what was written has been taken.
    catch(path(_), error(E, _), ( print(E), nl )),
    writeln(end).
",
        "t",
    )
    .prints("ab\npermission_error(collect,incomplete_table,user:path/1)\nend\n");
}

#[test]
fn a_signal_sees_the_answers_of_a_table_wherever_it_comes() {
    program(
        r"
:- table up/1, down/1, near(_, min), even/1, odd/1.
up(0).
up(X) :- down(Y), Y < 4, X is Y + 1.
down(X) :- up(X).
even(0).
even(X) :- odd(Y), Y < 6, X is Y + 1, catch(atom_length(X, _), _, true).
odd(X) :- even(Y), Y < 6, setup_call_cleanup(true, member(X, [Y]), true), \+ up(7), ignore(fail), X1 is X + 1, X1 > X.
odd(X) :- even(Y), X is Y + 1, X < 6.
near(0, 0).
near(X, N) :- near(Y, M), ( X is Y + 1 ; X is Y + 2 ), X < 5, N is M + 1.

sorted(G, X, L) :- findall(X, G, L0), sort(L0, L).
all(L) :- sorted(( up(X) ; down(X) ), X, A), sorted(even(X), X, B), sorted(odd(X), X, C), sorted(near(X, N), X-N, D), L = [A, B, C, D].

ask(Right) :-
    all(L), nb_setval(asked, yes),
    ( L == Right -> true ; writeln(seen(L)) ).
swept(_, N, _) :- N > 3000, !, writeln(too_long).
swept(How, N, Right) :-
    abolish_all_tables,
    nb_setval(asked, no),
    How = Signal-Right,
    catch(( '$signal_at_safe_point'(N, Signal), all(L), '$signal_at_safe_point'(0, true) ), broken_off, L = Right),
    nb_getval(asked, Asked),
    all(Again),
    ( L == Right, Again == Right -> true ; writeln(outer(N, L, Again)) ),
    (   Asked == no
    ->  ( N > 100 -> true ; writeln(too_short) )
    ;   M is N + 1,
        swept(How, M, Right)
    ).
t :-
    all(Right),
    swept(ask(Right)-Right, 1, Right),
    swept(( ask(Right), throw(broken_off) )-Right, 1, Right),
    swept(( nb_setval(asked, yes), call_with_inference_limit(ask(Right), 60, _) )-Right, 1, Right),
    writeln(end).
",
        "t",
    )
    .prints("end\n");
}

#[test]
fn workers_are_joined_wherever_the_signal_comes() {
    program(
        r"
foo(1). foo(2).
threads(N) :- findall(T, thread_property(T, status(_)), Ts), findall(Q, message_queue_property(Q, size(_)), Qs), length(Ts, M), length(Qs, L), N = M-L.
swept(G, Before) :- every(G), threads(After), ( After == Before -> true ; writeln(left(G, Before, After)) ).
t :-
    threads(Before),
    swept(concurrent(2, [foo(_), foo(_)], []), Before),
    swept(concurrent_maplist([X,Y]>>(Y is X + 1), [1, 2, 3], _), Before),
    swept(concurrent_forall(foo(X), X > 0), Before),
    swept(first_solution(_, [foo(_), foo(_)], []), Before),
    writeln(done).
",
        "t",
    )
    .prints("done\n");
}

/// What comes from elsewhere while a message is printed goes to who prints it, and leaves nothing behind.
#[test]
fn a_message_swallows_no_signal() {
    let ended = program(
        r#"
:- multifile(user:message_hook/3).
:- multifile(user:portray/1).
user:message_hook(hooked(X), _, _) :- print_message(informational, format("~w", [X])), X == y.
user:portray(portrayed(X)) :- write(X).
told(print_message(error, error(type_error(a, f(b)), context(foo/1, _)))).
told(print_message(error, format("~p ~w", [portrayed(x), y]))).
told(print_message(error, format("~a", [f(x)]))).
told(print_message(warning, singletons('f.pl':1, ['X']))).
told(print_message(error, hooked(x))).
told(print_message(silent, hooked(y))).
told(message_to_codes(foo, error, _)).
told(print_message_lines(user_error, kind(error), ['~w'-[x], nl, "a", flush])).
told(catch(assertion(fail), error(assertion_error(_, _), _), true)).
told(assertion(true)).
% All that reach the goal leave it.
swept(Goal, N) :-
    nb_setval(came, false),
    catch(( '$signal_at_safe_point'(N, ( nb_setval(came, true), throw(time_limit_exceeded) )), Goal, '$signal_at_safe_point'(0, true), Over = true ),
          time_limit_exceeded, Over = false),
    nb_getval(came, Came),
    ( '$reporting' -> writeln(still_reporting) ; true ),
    (   Over == false -> M is N + 1, swept(Goal, M)
    ;   Came == true -> writeln(swallowed(N, Goal))
    ;   true
    ).
t :- forall(told(G), ( ignore(G), swept(G, 1), '$signal_at_safe_point'(0, true) )), writeln(done).
"#,
        "t",
    );
    assert!(!ended.err.contains("Recursive"), "{}", ended.err);
    ended.prints("done\n");
}

/// What belongs to a load ends with it: conditions, what is included, goals to run after it.
#[test]
fn a_load_leaves_nothing_wherever_the_signal_comes() {
    let scratch = Scratch::new();
    scratch.file(
        "part.pl",
        ":- if(fail).\npart(0).\n:- else.\npart(1).\n:- endif.\n",
    );
    let text = ":- initialization(assertz(ran(1))).\n:- if(true).\n:- include(part).\n:- if(fail).\na(0).\n:- elif(true).\na(1).\n:- endif.\n\
                :- else.\na(2).\n:- endif.\n:- initialization(assertz(ran(2))).\n";
    let loaded = scratch.file("loaded.pl", text);
    let program = scratch.file(
        "p.pl",
        format!(
            r"{EVERY}
:- dynamic(ran/1).
reload(F) :- retractall(ran(_)), load_files(F, []).
whole(F) :-
    ( '$init_goal'(_, G) -> writeln(kept(G)) ; true ),
    ( member(V, ['$if', '$texts']), nb_current(V, L), L \== [] -> writeln(left(V, L)) ; true ),
    reload(F),
    findall(X, ran(X), Xs), findall(Y, a(Y), Ys), findall(Z, part(Z), Zs),
    ( Xs-Ys-Zs == [1, 2]-[1]-[1] -> true ; writeln(Xs-Ys-Zs) ).
swept(F, N) :-
    catch(( '$signal_at_safe_point'(N, throw(time_limit_exceeded)), reload(F), '$signal_at_safe_point'(0, true), Over = true ),
          time_limit_exceeded, Over = false),
    whole(F),
    ( Over == true -> true ; M is N + 1, swept(F, M) ).
t :- F = '{loaded}', streams(Before), whole(F), swept(F, 1), streams(After), writeln(done), ( After == Before -> true ; writeln(streams(Before, After)) )."
        ),
    );
    let ended = run(&["-q", "-f", &program, "-g", "t", "-t", "halt"], "").status(0);
    assert!(!ended.err.contains(":- "), "{}", ended.err);
    ended.prints("done\n");
}

#[test]
fn a_mutex_is_unlocked_wherever_the_signal_comes() {
    program(
        r"
t :-
    every(with_mutex(m, member(_, [1, 2]))),
    every(( setup_call_cleanup(mutex_lock(m), member(X, [1, 2]), mutex_unlock(m)), X == 2 )),
    every(with_mutex(m, with_mutex(m, sig_atomic(true)))),
    mutex_property(m, status(S)), writeln(S).
",
        "t",
    )
    .prints("unlocked\n");
}

#[test]
fn a_library_is_loaded_wherever_the_signal_comes() {
    // Each attempt is a process of its own: a library is loaded once.
    for n in [1, 2, 3, 5, 10, 30, 100, 300, 1000, 3000] {
        let goal = format!(
            "catch(('$signal_at_safe_point'({n}, throw(stop)), list_to_assoc([a-1], A), '$signal_at_safe_point'(0, true)), stop, true), \
             list_to_assoc([a-1], A2), get_assoc(a, A2, V), writeln(V)"
        );
        run(&["-q", "-g", &goal, "-t", "halt"], "")
            .status(0)
            .prints("1\n");
    }
}

#[test]
fn signals_run_in_the_order_of_their_arrival() {
    program(
        r"
:- dynamic(got/1).
t :-
    thread_create(( sig_atomic(thread_get_message(go)), forall(member(_, [1, 2]), true) ), T),
    forall(between(1, 8, I), thread_signal(T, ( assertz(got(I)), assertz(got(I)) ))),
    thread_send_message(T, go),
    thread_join(T),
    findall(I, got(I), L),
    writeln(L).
",
        "t",
    )
    .prints("[1,1,2,2,3,3,4,4,5,5,6,6,7,7,8,8]\n");
}

/// The goal of a signal is not interrupted by another, so a counter loses nothing; only what ends the thread's work overtakes.
#[test]
fn signals_run_one_after_another() {
    program(
        r"
hit :- nb_getval(hits, N), forall(member(_, [a, b, c]), true), N1 is N+1, nb_setval(hits, N1).
work(Q) :-
    nb_setval(hits, 0),
    catch(( thread_send_message(Q, ready), repeat, numlist(1, 50, L), msort(L, [0|_]) ), stop, true),
    nb_getval(hits, H),
    thread_send_message(Q, H).
t :-
    message_queue_create(Q),
    thread_create(work(Q), T),
    thread_get_message(Q, ready),
    forall(between(1, 2000, _), thread_signal(T, hit)),
    thread_signal(T, throw(stop)),
    thread_join(T, S),
    thread_get_message(Q, Hits),
    writeln(S-Hits),
    deaf(Q).
endless :- repeat, fail.
deaf(_) :-
    thread_create(endless, T),
    thread_signal(T, endless),
    thread_signal(T, abort),
    thread_join(T, S),
    print(S), nl,
    fail.
deaf(Q) :-
    thread_create(catch(call_with_time_limit(0.5, ( thread_send_message(Q, limited), endless )), E, ( print(E), nl )), T),
    thread_get_message(Q, limited),
    thread_signal(T, endless),
    thread_join(T, S),
    writeln(S).
",
        "t",
    )
    .prints("true-2000\nexception('$aborted')\ntime_limit_exceeded\ntrue\n");
}

/// Signals wait for an exception on its way, and what they throw is thrown where it has arrived, as in SWI-Prolog. Nobody is deaf on a way that is long: time limits
/// are heard between two catches that it does not end at, after a second. Nothing ends an abort.
#[test]
fn an_exception_on_its_way_is_interrupted() {
    program(
        r"
:- dynamic(got/1).
me(G) :- thread_self(Me), thread_signal(Me, G).
logged(G) :- retractall(got(_)), catch(catch(G, E, assertz(got(E))), E2, assertz(got(then(E2)))), findall(X, got(X), L), writeln(L).
handlers(Inner) :-
    setup_call_cleanup(true, setup_call_cleanup(true, throw(b), me(Inner)), assertz(got(outer))).
slow(0, _, B) :- throw(B).
slow(N, C, B) :- M is N - 1, catch(slow(M, C, B), f(C, other), true).
list(Last, L) :- length(L0, 100000), maplist(=(a), L0), append(L0, [Last], L).
t :-
    logged(handlers(assertz(got(signal)))),
    logged(handlers(throw(signal))),
    logged(catch(handlers(throw(signal)), x, true)),
    thread_create(( thread_self(Me), catch(setup_call_cleanup(true, abort, thread_signal(Me, throw(signal))), x, true) ), Id),
    thread_join(Id, Status), print(Status), nl,
    list(x, L1), list(y, L2),
    logged(call_with_time_limit(0.2, slow(20000, L1, f(L2, b)))).
",
        "t",
    )
    .prints("[outer,signal,b]\n[outer,then(signal)]\n[outer,then(signal)]\nexception('$aborted')\n[time_limit_exceeded]\n");
}

/// A ball arrives whole, and each handler that was set up has run once, wherever the signal comes; unless the signal throws.
#[test]
fn an_exception_arrives_wherever_the_signal_comes() {
    program(
        r"
:- dynamic got/1.
nest(0) :- throw(f(_, [1, 2, 3])).
nest(N) :-
    M is N-1,
    assertz(got(in(N))),
    catch(setup_call_catcher_cleanup(true, nest(M), exception(E), told(E, N)), f(x, no), true).
told(f(N, _), N) :- assertz(got(out(N))).
told(stop, N) :- assertz(got(out(N))).
at(K, Goal, Outcome) :-
    retractall(got(_)),
    catch(( '$signal_at_safe_point'(K, Goal), catch(nest(5), f(V, L), true), '$signal_at_safe_point'(0, true), Outcome = ball(V, L) ),
          stop, Outcome = stopped).
fine(Goal, Outcome) :-
    (   Outcome = ball(V, L) -> var(V), L == [1, 2, 3]
    ;   Goal = throw(stop)
    ),
    findall(N, got(in(N)), In),
    findall(N, got(out(N)), Out),
    reverse(Out, Back),
    ( Back == In -> true ; append(Back, [_], In) ).
t :-
    forall(( member(Goal, [true, throw(stop)]), between(1, 150, K) ),
           ( at(K, Goal, Outcome), ( fine(Goal, Outcome) -> true ; print(K-Goal-Outcome), nl ) )),
    writeln(done).
",
        "t",
    )
    .prints("done\n");
}

/// However the goal of a thread ends, what signalled it before has run by then, and what does so later learns that it is gone.
#[test]
fn no_accepted_signal_is_lost() {
    program(
        r"
:- dynamic(s/2).
:- dynamic(foo/1).
ending(true). ending(none). ending(( foo ; true )). ending(fail). ending(throw(x)). ending(thread_exit(x)). ending(findall(X, foo(X), _)).
waiting(W) :- W = thread_get_message(go).
waiting(catch(thread_get_message(go), _, true)).
waiting(with_mutex(some_mutex, thread_get_message(go))).
waiting(once(thread_get_message(go))).
foo.
signal(T, N, I) :- thread_signal(T, assertz(s(N, I))).
t(N, Goal) :-
    thread_self(Me),
    ( Goal = ( W, none ) -> Last = W ; Last = Goal ),
    thread_create(( thread_send_message(Me, in), Last ), T),
    thread_get_message(in),
    forall(between(1, 3, I), signal(T, N, I)),
    thread_send_message(T, go),
    thread_join(T, _),
    % One that comes while another runs interrupts that.
    findall(I, s(N, I), L), msort(L, [1,2,3]).
many :- forall(( between(1, 20, K), waiting(W), ending(E) ), t(K-W-E, ( W, E )) ), writeln(all).
many :- findall(N-I, s(N, I), L), writeln(L).
% The thread runs while it is signalled: as many run as were accepted.
accepted(T, N, C) :-
    between(1, 100, I), \+ catch(signal(T, N, I), error(existence_error(thread, _), _), fail), !, C is I - 1.
accepted(_, _, 100).
racing :-
    forall(( between(1, 60, K), member(End, [true, fail, throw(x)]) ),
        (   thread_create(( numlist(1, 2000, L), msort(L, _), End ), T),
            accepted(T, r(K, End), C),
            thread_join(T, _),
            ( aggregate_all(count, s(r(K, End), _), C) -> true ; writeln(lost(K, End)) )
        )),
    writeln(all).
sleeping :-
    thread_create(thread_get_message(go), T),
    forall(between(1, 8000, I), signal(T, n, I)),
    thread_send_message(T, go),
    thread_join(T, _),
    aggregate_all(count, s(n, _), C), writeln(C).
main :- many, racing, sleeping.
",
        "main",
    )
    .prints("all\nall\n8000\n");
}

/// A signal that raises an exception when nothing is left of the goal ends the thread as if the goal had done so; those behind it run.
#[test]
fn the_last_signal_may_throw() {
    program(
        r"
:- dynamic(s/1).
body(In, End) :- numlist(1, 300000, L), thread_send_message(In, in), msort(L, _), End.
t(End) :-
    thread_self(Me),
    retractall(s(_)),
    thread_create(body(Me, End), T, [at_exit(assertz(s(exit)))]),
    thread_get_message(in),
    thread_signal(T, fail),
    thread_signal(T, throw(oops)),
    thread_signal(T, assertz(s(1))),
    thread_join(T, S),
    findall(X, s(X), L),
    writeln(S-L).
% What the goal raised is not overridden.
atomic :-
    thread_self(Me),
    thread_create(sig_atomic(( thread_send_message(Me, in), thread_get_message(go), throw(x) )), T),
    thread_get_message(in),
    thread_signal(T, throw(oops)),
    thread_send_message(T, go),
    thread_join(T, S),
    writeln(S).
late :-
    thread_self(Me),
    thread_create(true, T, [at_exit(( thread_send_message(Me, in), thread_get_message(go) ))]),
    thread_get_message(in),
    catch(thread_signal(T, true), error(E, _), true),
    E = existence_error(thread, T), writeln(gone),
    thread_send_message(T, go),
    thread_join(T, S), writeln(S).
main :- t(true), t(fail), atomic, late.
",
        "main",
    )
    .prints("exception(oops)-[1,exit]\nexception(oops)-[1,exit]\nexception(x)\ngone\ntrue\n");
}

#[test]
fn an_interrupted_call_goes_on_as_it_was() {
    program(
        r"
:- dynamic(f/1).
:- dynamic(m/1).
p :- setup_call_cleanup(true, member(_, [1, 2]), true).
local(X) :- p, !, assertz(m(1)), m(X).
t :-
    local(X), writeln(X),
    thread_self(Me),
    thread_create(( forall(between(1, 20000, I), assertz(f(I))), thread_send_message(Me, done) ), T),
    forall(between(1, 5000, _), catch(thread_signal(T, true), error(existence_error(_, _), _), true)),
    thread_get_message(done),
    thread_join(T),
    aggregate_all(count, f(_), C), writeln(C).
",
        "t",
    )
    .prints("1\n20000\n");
}

#[test]
fn handlers_nest_deep() {
    program(
        r"
:- dynamic(n/1).
n(0).
inc :- retract(n(N)), N1 is N + 1, assertz(n(N1)).
thrower(0) :- throw(x).
thrower(N) :- N1 is N - 1, setup_call_cleanup(true, thrower(N1), inc).
chooser(0).
chooser(N) :- N1 is N - 1, setup_call_cleanup(true, ( chooser(N1) ; true ), inc).
cleaner(0).
cleaner(N) :- N1 is N - 1, setup_call_cleanup(true, member(_, [1, 2]), cleaner(N1)), !, inc.
t :-
    catch(thrower(40000), x, true), n(A), writeln(A),
    once(chooser(40000)), n(B), writeln(B),
    cleaner(40000), n(C), writeln(C).
",
        "t",
    )
    .prints("40000\n80000\n120000\n");
}

#[test]
fn a_ball_that_does_not_fit_is_a_resource_error_where_it_is_caught() {
    let text = r"
:- dynamic(n/2).
n(opened, 0). n(cleaned, 0).
inc(K) :- retract(n(K, N)), N1 is N + 1, assertz(n(K, N1)).
% The list stays alive while a copy of it is thrown.
held(N, R) :-
    numlist(1, N, L),
    catch(catch(setup_call_cleanup(inc(opened), throw(b(L)), inc(cleaned)), b(_), R = fits), error(resource_error(_), _), R = too_large),
    length(L, N).
t :-
    held(1000, A), writeln(A),
    held(1100000, B), writeln(B),
    n(opened, O), n(cleaned, C), writeln(O-C).
";
    let scratch = Scratch::new();
    let file = scratch.file("p.pl", text);
    let words = [
        "--memory-limit=32M",
        "-q",
        "-f",
        &file,
        "-g",
        "t",
        "-t",
        "halt",
    ];
    run(&words, "").status(0).prints("fits\ntoo_large\n2-2\n");
}

#[test]
fn an_abort_goes_on_after_its_recovery() {
    let goal = "repeat, catch(( write(x), throw('$aborted') ), _, true), fail";
    run(&["-q", "-g", goal, "-t", "halt"], "")
        .status(1)
        .prints("x");
    let thread = "thread_create(( repeat, catch(throw('$aborted'), _, true), fail ), T), thread_join(T, S), print(S)";
    run(&["-q", "-g", thread, "-t", "halt"], "")
        .status(0)
        .prints("exception('$aborted')");
}

#[test]
fn halt_lets_other_threads_clean_up() {
    let goal = "thread_self(Me), thread_create(( thread_at_exit(writeln(exit)), setup_call_cleanup(true, \
        ( thread_send_message(Me, there), repeat, fail ), writeln(cleaned)) )), thread_get_message(there), halt(3)";
    run(&["-q", "-g", goal], "")
        .status(3)
        .prints("cleaned\nexit\n");
}

#[test]
fn goals_at_the_end_of_a_thread_may_halt_or_raise() {
    for (goal, status) in [
        (
            "thread_create(true, T, [at_exit(halt(3))]), thread_join(T), sleep(10)",
            3,
        ),
        (
            "thread_create(thread_at_exit(halt(3)), T), thread_join(T), sleep(10)",
            3,
        ),
        (
            "thread_create(thread_get_message(go), T), thread_signal(T, halt(4)), thread_join(T), sleep(10)",
            4,
        ),
        (
            "thread_create(true, T, [at_exit(throw(oops))]), thread_join(T), halt(5)",
            5,
        ),
    ] {
        let ended = run(&["-q", "-g", goal, "-t", "halt"], "").status(status);
        let told = ended.err.contains("oops");
        assert_eq!(told, goal.contains("oops"), "{}", ended.err);
    }
}

/// A directory needs a file's place, too.
#[test]
fn too_many_files_are_a_resource() {
    let goal = "forall(member(G, [( repeat, open('/dev/null', read, _), fail ), directory_files(/, _)]), \
        ( catch(G, error(E, _), true), assertz(got(E)) )), \
        findall(S, ( stream_property(S, file_name('/dev/null')) ), L), forall(member(S, L), close(S)), \
        forall(got(E), ( writeq(E), nl ))";
    let mut command = samite_within(&["-n 40"]);
    command.args(["-q", "-g", goal, "-t", "halt"]);
    finish(command, b"", LIMIT)
        .status(0)
        .prints("resource_error(max_files)\nresource_error(max_files)\n");
}

/// What a thread may take is what its flag says.
#[test]
fn a_thread_shows_its_own_stack_limit() {
    let goal = "F = stack_limit, current_prolog_flag(F, P), \
        inner(G) = inner(( current_prolog_flag(F, X), writeln(X) )), \
        thread_create(( G, thread_create(G, U), thread_join(U) ), T, [stack_limit(20000000)]), thread_join(T), \
        thread_create(( current_prolog_flag(F, Y), ( Y == P -> writeln(same) ; true ) ), V), thread_join(V)";
    run(&["-q", "-g", goal, "-t", "halt"], "")
        .status(0)
        .prints("20000000\n20000000\nsame\n");
}

/// Messages that nobody can be told are no reason to panic.
#[test]
fn standard_error_may_be_full() {
    let program = env!("CARGO_BIN_EXE_samite");
    for (redirections, status) in [
        ("> /dev/full 2>&1", 1),
        ("> /dev/full 2>&-", 1),
        ("> /dev/null 2> /dev/full", 0),
    ] {
        let script = format!("ulimit -c 0; \"$0\" -q -g 'write(x)' -t halt {redirections}");
        let ended = std::process::Command::new("sh")
            .args(["-c", &script, program])
            .status()
            .expect("sh runs");
        assert_eq!(ended.code(), Some(status), "{redirections}");
    }
    let script = "ulimit -n 4; \"$0\" -q -g 'write(hi)' -t halt 2> /dev/full";
    let ended = std::process::Command::new("sh")
        .args(["-c", script, program])
        .status()
        .expect("sh runs");
    assert_ne!(ended.code(), Some(101));
}

/// What is written to a standard stream that was closed when the process began is lost, and told.
#[test]
fn closed_standard_streams() {
    let program = env!("CARGO_BIN_EXE_samite");
    for (goal, redirections, status) in [
        ("write(x)", ">&-", 1),
        ("writeln(x)", ">&-", 2),
        ("write(x), flush_output", ">&-", 2),
        ("read(_)", "<&-", 2),
        ("true", ">&- <&- 2>&-", 0),
        // Another file does not take its place.
        (
            "open('/dev/null', write, S), close(S), writeln(x), flush_output",
            ">&-",
            2,
        ),
    ] {
        let script = format!("\"$0\" -q -g \"{goal}\" -t halt {redirections}");
        let ended = std::process::Command::new("sh")
            .args(["-c", &script, program])
            .output()
            .expect("sh runs");
        assert_eq!(ended.status.code(), Some(status), "{goal} {redirections}");
        let told = String::from_utf8_lossy(&ended.stderr).contains("Bad file descriptor");
        assert_eq!(told, status != 0, "{goal} {redirections}: {ended:?}");
    }
}

#[test]
fn halt_in_a_thread_keeps_what_was_written() {
    // The main thread reads from a pipe that says nothing.
    let mut command = samite();
    command.args([
        "-q",
        "-g",
        "thread_create(( write(hello), halt(3) )), sleep(10)",
    ]);
    finish(command, b"", Duration::from_secs(60))
        .status(3)
        .prints("hello");
}

#[test]
fn output_that_is_lost_is_reported() {
    let mut command = samite();
    command.args(["-q", "-g", "write(x)", "-t", "halt"]);
    let full = "/dev/full";
    if !std::path::Path::new(full).exists() {
        println!("no {full} here: nothing is tested");
        return;
    }
    let words = ["-c", "\"$0\" -q -g 'write(x)' -t halt > /dev/full"];
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args(words).arg(command.get_program());
    let ended = finish(shell, b"", Duration::from_secs(60)).status(1);
    assert!(ended.err.contains("output is lost"), "{}", ended.err);
    // Answers that are lost are seen in the status, too; what a query itself writes to a file is its own affair, and so is what it goes on without.
    let caught = "catch(( write(x), flush_output ), error(io_error(write, _), _), true), halt.\n";
    for (query, status, told) in [
        ("X = 1.\n", 1, true),
        ("fail.\nfail.\nhalt.\n", 1, true),
        ("writeln(a), flush_output.\n", 1, true),
        (caught, 0, false),
        ("X = 1.\nhalt(0).\n", 0, true),
    ] {
        let words = ["-c", "\"$0\" -q -f none > /dev/full"];
        let mut shell = std::process::Command::new("/bin/sh");
        shell.args(words).arg(command.get_program());
        let ended = finish(shell, query.as_bytes(), Duration::from_secs(60)).status(status);
        assert_eq!(
            ended.err.contains("I/O error"),
            told,
            "{query}: {}",
            ended.err
        );
    }
    for query in [
        "open('/dev/full', write, S), write(S, x), close(S).\ntrue.\n",
        "set_stream(user_output, encoding(ascii)), set_stream(user_output, representation_errors(error)), put_char(é).\ntrue.\n",
    ] {
        let ended = run(&["-q", "-f", "none"], query).status(0);
        assert!(ended.err.contains("I/O error"), "{query}: {}", ended.err);
    }
}

/// A stream that is closed without an error has written everything.
#[test]
fn closing_reports_what_was_lost() {
    let full = "/dev/full";
    if !std::path::Path::new(full).exists() {
        println!("no {full} here: nothing is tested");
        return;
    }
    let goal = "forall(member(G, [( tell(F), write(x), told ), ( append(F), write(x), told ), \
                ( open(F, write, S), write(S, x), close(S) ), \
                ( open(F, write, S), write(S, x), catch(flush_output(S), _, true), close(S) ), \
                ( open(F, write, S), write(S, x), close(S, [force(true)]), throw(forced) ) ]), \
                ( F = '/dev/full', catch(G, E, true), ( E = error(io_error(W, _), _) -> true ; W = E ), writeln(W) ))";
    common::run(&["-q", "-g", goal, "-t", "halt"], "")
        .status(0)
        .prints("write\nwrite\nwrite\nwrite\nforced\n");
}

/// Goals that practically never end by themselves, or only with an error, end by a time limit: each in turn. What is not given up hangs, or
/// raises something else.
#[test]
fn what_never_ends_ends_by_a_time_limit() {
    program(
        r"
:- dynamic(kept/1).
:- table(longer/1).
longer([]).
longer([a|T]) :- longer(T).
% 2^N leaves.
dag(0, x) :- !.
dag(N, f(T,T)) :- M is N-1, dag(M, T).
open_dag(0, _) :- !.
open_dag(N, f(T,T)) :- M is N-1, open_dag(M, T).
conjunction(0, true) :- !.
conjunction(N, (T,T)) :- M is N-1, conjunction(M, T).
goal(_, true, ( between(1, inf, X), X < 0 )).
goal(_, true, findall(X, between(1, inf, X), _)).
goal(_, true, findall(X, ( repeat, X = a ), _)).
goal(_, true, aggregate_all(count, repeat, _)).
goal(_, true, forall(repeat, true)).
goal(_, true, \+ ( repeat, fail )).
goal(_, true, ( G = ( repeat, fail ), call(G) )).
goal(_, true, longer(_)).
goal(D, open_null_stream(S), print(S, D)).
goal(D, open_null_stream(S), write_canonical(S, D)).
goal(D, open_null_stream(S), print_message_lines(S, '', ['~p'-[D]])).
goal(D, open_null_stream(S), format(S, '~w ~q ~p', [D,D,D])).
goal(D, open_null_stream(S), portray_clause(S, ( a :- b(D) ))).
goal(D, open_null_stream(S), write_term(S, D, [quoted(true),portray(true)])).
goal(D, true, with_output_to(string(_), write(D))).
goal(D, true, term_to_atom(D, _)).
goal(D, true, sformat(D)).
goal(D, true, write_length(D, _, [])).
goal(_, open_dag(40, D), format(atom(_), '~k', [D])).
goal(_, ( open_dag(40, D), open_null_stream(S) ), write_canonical(S, D)).
goal(D, true, assertz(( kept(_) :- kept(D) ))).
goal(_, conjunction(40, C), assertz(( kept(_) :- C ))).
goal(_, conjunction(40, C), call(C)).
goal(_, true, ( X is 7**100000000, X > 0 )).
sformat(D) :- format(string(_), '~w', [D]).
t :-
    dag(40, D),
    forall(clause(goal(D, Given, Goal), true), ended(Given, Goal)),
    ( kept(_) -> writeln(kept) ; true ).
ended(Given, Goal) :-
    Given,
    catch(( call_with_time_limit(0.1, Goal) -> How = true ; How = false ), E, How = E),
    (   How == time_limit_exceeded
    ->  true
    ;   % A fast machine finds out before.
        How = error(resource_error(clause_size), _)
    ->  true
    ;   Goal =.. [Name|_], print_message_lines(user_error, '', []), print(Name), write(' '), write_term(How, [max_depth(6)]), nl
    ).
",
        "t",
    )
    .prints("");
}

/// A signal that comes during a long operation runs in the thread itself, after it; one that ends it overtakes the others.
#[test]
fn signals_during_a_long_operation() {
    program(
        r"
:- thread_local(own/1).
:- dynamic(seen/1).
work(Me, Goal) :- assertz(own(1)), nb_setval(global, 5), b_setval(other, 6), thread_send_message(Me, ready), call(Goal).
during(Goal, Signals, Outcome) :-
    retractall(seen(_)),
    thread_self(Me),
    thread_create(work(Me, Goal), T),
    thread_get_message(ready),
    sleep(0.05), % Most often it has begun; what is seen does not depend on it.
    forall(member(S, Signals), thread_signal(T, S)),
    thread_join(T, Outcome).
look :- findall(X, own(X), L), nb_getval(global, G), b_getval(other, O), assertz(seen([L, G, O])).
long(X) :- X is 7**12000000 mod 1000003.
t :-
    long(X),
    during(( long(Y), Y == X, true ), [look, look], Outcome1), findall(S, seen(S), L1), print(Outcome1-L1), nl,
    during(endless, [look, user:throw(stop)], Outcome2), print(Outcome2), nl,
    during(endless, [look, abort], Outcome3), print(Outcome3), nl.
endless :- X is 7**100000000, X > 0.
",
        "t",
    )
    .prints("true-[[[1],5,6],[[1],5,6]]\nexception(stop)\nexception('$aborted')\n");
}
