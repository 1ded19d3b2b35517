//! Waits that would never end, in processes of their own: at a queue a wait is one only if nobody else is left. Those of mutexes and joins alone: `tests/prolog/thread_tools.pl`.

mod common;

use common::{run_program, samite};

/// `p(Goal)` prints what a goal raises, or how it ends.
const FRAME: &str = r"
:- set_prolog_flag(detect_deadlocks, true).
p(G) :- catch(( G -> R = true ; R = false ), E, true), ( var(E) -> true ; E = error(F, _) -> kind(F, R) ; R = E ), print(R), nl.
kind(permission_error(A, B, C), permission_error(A, B, D)) :- !, ( atom(C) -> D = C ; D = x ).
kind(F, F).
";

fn run(kind: &str, text: &str, printed: &str) {
    let mut command = samite();
    command.arg(format!("--thread-kind={kind}"));
    let text = format!("{FRAME}\n{text}\n:- initialization(( run, halt )).\n");
    run_program(command, &text)
        .status(0)
        .silent()
        .prints(printed);
}

fn in_both_kinds(text: &str, printed: &str) {
    for kind in ["native", "light"] {
        run(kind, text, printed);
    }
}

#[test]
fn alone_at_a_queue() {
    in_both_kinds(
        r"
run :-
    p(thread_get_message(x)),
    message_queue_create(Q, [max_size(1)]), p(thread_get_message(Q, x)),
    p(thread_send_message(Q, x)), p(thread_send_message(Q, y)), p(thread_get_message(Q, x)),
    message_queue_create(_, [alias(named)]), p(thread_get_message(named, x)),
    % Something of its own ends the wait.
    p(thread_get_message(Q, x, [timeout(0.02)])),
    p(call_with_time_limit(0.02, thread_get_message(x))),
    p(catch_with_backtrace(call_with_time_limit(0.02, thread_send_message(Q, z)), E, throw(E))),
    p(thread_get_message(x)).
",
        "permission_error(wait,message_queue,main)\n\
         permission_error(wait,message_queue,x)\n\
         true\n\
         permission_error(wait,message_queue,x)\n\
         true\n\
         permission_error(wait,message_queue,named)\n\
         false\n\
         time_limit_exceeded\n\
         true\n\
         permission_error(wait,message_queue,main)\n",
    );
}

/// Of three that wait for each other one hears of it, and helps the others: so one in each round.
#[test]
fn one_hears_of_it_and_no_other() {
    in_both_kinds(
        r"
run :-
    findall(N, ( between(1, 60, I), round(I, N) ), Ns), sort(Ns, Set), p(Set == [1]),
    ( Set == [1] -> true ; print(Ns), nl ).
round(I, Lost) :-
    message_queue_create(Q),
    thread_create(waits(Q), A), thread_create(waits(Q), B),
    ( I mod 3 =:= 0 -> sleep(0.001) ; true ),
    thread_send_message(A, other(B)), thread_send_message(B, other(A)),
    ( I mod 2 =:= 0 -> Wait = thread_get_message(done) ; Wait = thread_join(A, _) ),
    catch(Wait, error(permission_error(_, _, _), context(_, 'Deadlock')), ( thread_send_message(Q, lost), tell(A), tell(B) )),
    forall(member(T, [A, B]), catch(thread_join(T, _), error(existence_error(_, _), _), true)),
    repeat, \+ ( thread_peek_message(done), thread_get_message(done) ), !,
    message_queue_property(Q, size(Lost)), message_queue_destroy(Q).
% Whoever hears of it, or is helped, helps the other ones.
waits(Q) :-
    thread_get_message(other(T)),
    catch(thread_get_message(x), error(permission_error(wait, message_queue, _), context(_, 'Deadlock')), thread_send_message(Q, lost)),
    tell(T), thread_send_message(main, done).
tell(T) :- catch(thread_send_message(T, x), error(existence_error(_, _), _), true).
",
        "true\n",
    );
}

/// A thread that ends without what it was to send: who waits for that hears of it, each time, and only then.
#[test]
fn the_end_of_a_thread_leaves_nobody_who_could_send() {
    in_both_kinds(
        r"
run :-
    findall(R, ( between(1, 40, I), round(I, R) ), Rs), msort(Rs, L), sort(L, Set), p(Set == [lost, sent]),
    findall(x, member(lost, L), Lost), length(Lost, N), p(N =:= 20).
round(I, R) :-
    thread_self(Me),
    ( I mod 2 =:= 0 -> G = thread_send_message(Me, hello) ; G = true ),
    thread_create(( ( I mod 3 =:= 0 -> true ; sleep(0.002) ), G ), _, [detached(true)]),
    catch(( thread_get_message(hello), R = sent ), error(permission_error(wait, message_queue, Me), _), R = lost).
",
        "true\ntrue\n",
    );
}

/// What whoever runs an engine expects ends its wait.
#[test]
fn engines_wait_for_their_runners() {
    in_both_kinds(
        r"
run :-
    engine_create(x, thread_get_message(go), E),
    p(call_with_time_limit(0.05, engine_next(E, _))),
    engine_destroy(E),
    p(thread_get_message(x)).
",
        "time_limit_exceeded\npermission_error(wait,message_queue,main)\n",
    );
}

#[test]
fn a_queue_and_a_mutex() {
    in_both_kinds(
        r"
run :-
    forall(between(1, 20, _), round),
    p(true).
round :-
    thread_self(Me), mutex_create(M),
    thread_create(with_mutex(M, ( thread_send_message(Me, has), thread_get_message(go) )), T),
    thread_get_message(has),
    (   catch(with_mutex(M, true), error(permission_error(lock, mutex, _), _), ( thread_send_message(T, go), thread_join(T, true), Mine = true ))
    ->  true
    ;   true
    ),
    (   Mine == true -> true
    ;   thread_join(T, exception(error(permission_error(wait, message_queue, _), _)))
    ).
",
        "true\n",
    );
}

/// Whoever still has something to do is waited for.
#[test]
fn those_that_go_on_are_not_disturbed() {
    in_both_kinds(
        r"
run :-
    p(( findall(N, ( between(1, 20, _), ring(12, 400), N = 1 ), L), length(L, 20) )),
    p(crew(6, 300)), p(bounded(4, 400)), p(signalled).
ring(N, Hops) :-
    thread_self(Me),
    thread_create(( thread_get_message(next(Nx)), node(Nx, Me) ), First, []),
    M is N-1, chain(M, First, First, Me, Ts),
    thread_send_message(First, Hops), thread_get_message(done),
    forall(member(T, [First|Ts]), thread_send_message(T, stop)), forall(member(T, [First|Ts]), thread_join(T, true)).
chain(0, Last, First, _, []) :- !, thread_send_message(Last, next(First)).
chain(N, Last, First, Me, [T|Ts]) :- thread_create(( thread_get_message(next(Nx)), node(Nx, Me) ), T, []), thread_send_message(Last, next(T)), M is N-1, chain(M, T, First, Me, Ts).
node(Next, Me) :- thread_get_message(H), ( H == stop -> true ; H =:= 0 -> thread_send_message(Me, done), node(Next, Me) ; H1 is H-1, thread_send_message(Next, H1), node(Next, Me) ).
crew(N, Jobs) :-
    message_queue_create(Q), message_queue_create(R),
    findall(T, ( between(1, N, _), thread_create(worker(Q, R), T) ), Ts),
    forall(between(1, Jobs, J), thread_send_message(Q, job(J))),
    findall(X, ( between(1, Jobs, _), thread_get_message(R, X) ), Xs), sort(Xs, S), length(S, Jobs),
    forall(member(_, Ts), thread_send_message(Q, stop)), forall(member(T, Ts), thread_join(T, true)).
worker(Q, R) :- thread_get_message(Q, M), ( M = job(J) -> thread_send_message(R, J), worker(Q, R) ; true ).
bounded(N, Each) :-
    message_queue_create(Q, [max_size(2)]), All is N*Each,
    findall(T, ( between(1, N, _), thread_create(forall(between(1, Each, I), thread_send_message(Q, I)), T) ), Ts),
    forall(between(1, All, _), thread_get_message(Q, _)), forall(member(T, Ts), thread_join(T, true)).
signalled :-
    thread_self(Me), thread_create(( thread_get_message(ready), sleep(0.01), thread_signal(Me, thread_send_message(Me, now)) ), T),
    thread_send_message(T, ready), thread_get_message(now), thread_join(T, true).
",
        "true\ntrue\ntrue\ntrue\n",
    );
}
