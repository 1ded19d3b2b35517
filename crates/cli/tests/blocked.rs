//! Operations on pipes whose other end is silent: time limits and signals end them, nothing is lost or doubled by that, and afterwards the stream
//! goes on where it was.
#![cfg(unix)]

mod common;

use common::{Run, Scratch, run};

/// `fifo(P)`: a new pipe. `silent_writer` writes Text, and More when it is told to; `silent_reader` reads all when it is told to.
const PEERS: &str = r"
fifo(P) :- tmp_file(pipe, P), atom_concat('mkfifo ', P, C), shell(C).
silent_writer(P, Text, T) :-
    thread_create(( open(P, write, S), write(S, Text), flush_output(S), thread_get_message(go(More)), write(S, More), close(S) ), T).
silent_reader(P, T) :-
    thread_create(( open(P, read, S), thread_get_message(go(_)), read_string(S, _, Text), close(S), string_length(Text, N), thread_send_message(main, got(N)) ), T).
limited(G, E) :- catch(( call_with_time_limit(0.1, G) -> E = true ; E = false ), E, true).
reads(Text, Goal, S, More, After, X) :-
    fifo(P), silent_writer(P, Text, T), open(P, read, S),
    limited(Goal, E), print(E), write(' '),
    thread_send_message(T, go(More)), call(After), print(X), nl,
    thread_join(T, _), close(S), delete_file(P).
writes(Goal, S, After, N) :-
    fifo(P), silent_reader(P, T), open(P, write, S),
    limited(Goal, E), print(E), write(' '),
    thread_send_message(T, go(x)), call(After), thread_get_message(got(N)),
    thread_join(T, _), delete_file(P).
";

fn program(text: &str) -> Run {
    let scratch = Scratch::new();
    let file = scratch.file("p.pl", format!("{PEERS}{text}"));
    run(&["-q", "-g", "t", "-t", "halt", &file], "").status(0)
}

/// What an operation has taken when it is interrupted is read again by the next one.
#[test]
fn reading() {
    program(
        r"
t :-
    reads('foo(', read(S1, _), S1, 'bar). next.', ( read(S1, A1), read(S1, B1) ), A1-B1),
    reads('', get_char(S2, _), S2, xyz, ( get_char(S2, A2), read_string(S2, _, B2) ), A2-B2),
    reads('half a li', read_line_to_string(S3, _), S3, 'ne\nrest', ( read_line_to_string(S3, A3), read_string(S3, _, B3) ), A3-B3),
    reads('abc\nd', read_string(S4, _, _), S4, ef, ( read_string(S4, _, B4), line_count(S4, L4) ), B4-L4),
    reads(a, ( peek_char(S5, _), peek_string(S5, 3, _) ), S5, bcd, ( peek_string(S5, 3, A5), read_string(S5, _, B5) ), A5-B5),
    reads('a(1). a(', load_files(loaded, [stream(S6)]), S6, '2', findall(X, a(X), L6), L6).
",
    )
    .prints(concat!(
        "time_limit_exceeded foo(bar)-next\n",
        "time_limit_exceeded x-\"yz\"\n",
        "time_limit_exceeded \"half a line\"-\"rest\"\n",
        "time_limit_exceeded \"abc\\ndef\"-2\n",
        "time_limit_exceeded \"abc\"-\"abcd\"\n",
        "time_limit_exceeded [1]\n",
    ));
}

/// All that was written arrives, once.
#[test]
fn writing() {
    program(
        r"
count :- nb_getval(n, N0), N is N0 + 1, nb_setval(n, N).
same(N) :- ( nb_getval(n, N) -> writeln(all) ; nb_getval(n, M), writeln(N-M) ).
t :-
    nb_setval(n, 0),
    writes(( repeat, count, put_char(S1, a), fail ), S1, close(S1), N1), same(N1),
    length(L, 100000), maplist(=(a), L),
    writes(( print(S2, L), close(S2) ), S2, close(S2), N2), print(N2), nl,
    writes(( format(S3, '~p~p~n', [L, L]), flush_output(S3), writeln(unexpected) ), S3, close(S3), N3), print(N3), nl.
",
    )
    .prints("time_limit_exceeded all\ntime_limit_exceeded 200001\ntime_limit_exceeded 400003\n");
}

/// A signal that does not throw: the operation goes on after it. One that waits for its turn does not disturb it.
#[test]
fn a_signal_in_between() {
    program(
        r"
:- dynamic seen/1.
t :-
    fifo(P), silent_writer(P, 'foo(', W),
    thread_create(( open(P, read, S), thread_send_message(main, opened), read(S, X), close(S), thread_exit(X) ), R),
    thread_get_message(opened),
    thread_create(( open(P, write, Other), thread_get_message(done), close(Other) ), O),
    forall(member(N, [1, 2, 3]), ( sleep(0.02), thread_signal(R, assertz(seen(N))) )),
    sleep(0.05),
    findall(N, seen(N), L), print(L), nl,
    thread_send_message(W, go('bar). ')), thread_send_message(O, done),
    thread_join(R, Status), print(Status), nl,
    thread_join(W, _), thread_join(O, _), delete_file(P).
",
    )
    .prints("[1,2,3]\nexited(foo(bar))\n");
}
