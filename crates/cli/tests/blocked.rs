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
% (The time may be over between the two, where much else runs.)
same(N) :- nb_getval(n, M), ( ( M =:= N ; M =:= N+1 ) -> writeln(all) ; writeln(N-M) ).
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

/// Opening a pipe waits for who opens its other end, or until an event; nothing is left open.
#[test]
fn opening() {
    program(
        r"
open_files(N) :- directory_files('/proc/self/fd', L), length(L, N).
t :-
    fifo(P), open_files(N0),
    forall(member(M, [read, write, append, update]), ( limited(open(P, M, _), E), print(E), nl )),
    open_files(N1), ( N0 == N1 -> true ; writeln(N0-N1) ),
    thread_create(( open(P, read, S), thread_send_message(main, opened), read(S, X), close(S), thread_exit(X) ), R),
    sleep(0.05), thread_self(Me), thread_signal(R, thread_send_message(Me, signalled)), thread_get_message(signalled),
    ( thread_peek_message(opened) -> writeln(early) ; true ),
    open(P, write, W), thread_get_message(opened), writeln(W, 'term.'), close(W), thread_join(R, Status), print(Status), nl,
    silent_writer(P, '', T), open(P, read, B, [bom(true)]), limited(get_char(B, _), E2), print(E2), nl,
    thread_send_message(T, go('\uFEFFtext')), read_string(B, _, Text), print(Text), nl,
    thread_join(T, _), close(B), delete_file(P).
",
    )
    .prints(concat!(
        "time_limit_exceeded\n",
        "time_limit_exceeded\n",
        "time_limit_exceeded\n",
        "time_limit_exceeded\n",
        "exited(term)\n",
        "time_limit_exceeded\n",
        "\"text\"\n",
    ));
}

/// However much one operation has taken: it takes it again. One that writes as much keeps it.
#[test]
fn large_operations() {
    program(
        r"
large(L) :- length(L, 300000), maplist(=(abcdefgh), L).
sized(G, X, N) :- call(G), ( string(X) -> string_length(X, N) ; length(X, N) ).
t :-
    large(L), with_output_to(string(Text), print(L)),
    reads(Text, read_string(S1, _, _), S1, x, sized(read_string(S1, _, X1), X1, N1), N1),
    reads(Text, read_stream_to_codes(S2, _), S2, x, sized(read_stream_to_codes(S2, X2), X2, N2), N2),
    reads(Text, peek_string(S3, 3000000, _), S3, x, sized(( peek_string(S3, 3000000, _), read_string(S3, _, X3) ), X3, N3), N3),
    reads(Text, read(S4, _), S4, '. rest', sized(( read(S4, X4), read_string(S4, _, Y4), sub_atom(Y4, _, 4, 0, rest) ), X4, N4), N4),
    reads(Text, skip(S5, 0'.), S5, '.x', ( skip(S5, 0'.), read_string(S5, _, X5) ), X5),
    tmp_file(copy, C), open(C, write, O, [buffer(false)]),
    reads(Text, copy_stream_data(S6, O), S6, yz, ( copy_stream_data(S6, O), close(O), read_file_to_string(C, Y, []), sub_string(Y, _, 6, 0, R) ), R),
    delete_file(C),
    fifo(P), silent_reader(P, T), open(P, write, W),
    limited(( write(W, Text), writeln(late) ), E1), print(E1), write(' '),
    limited(( write(W, Text), writeln(unexpected) ), E2), print(E2), write(' '),
    limited(tab(W, 3000000), E3), print(E3), write(' '),
    thread_send_message(T, go(_)), close(W), thread_get_message(got(N)), print(N), nl, thread_join(T, _), delete_file(P).
",
    )
    .prints(concat!(
        "time_limit_exceeded 2700002\n",
        "time_limit_exceeded 2700002\n",
        "time_limit_exceeded 2700002\n",
        "time_limit_exceeded 300000\n",
        "time_limit_exceeded \"x\"\n",
        "time_limit_exceeded \"fgh]yz\"\n",
        "time_limit_exceeded time_limit_exceeded time_limit_exceeded 2700001\n",
    ));
}

/// Who waits for a stream that somebody else uses, hears; also who wants to close it.
#[test]
fn streams_in_use() {
    program(
        r"
t :-
    fifo(P), silent_writer(P, '', W), open(P, read, S),
    thread_create(( thread_send_message(main, reads), read(S, X), thread_exit(X) ), R), thread_get_message(reads), sleep(0.05),
    forall(member(G, [ read(S, _), peek_char(S, _), set_stream(S, tty(false)), stream_property(S, position(_)), close(S), line_count(S, _),
                       close(S, [force(true)]) ]),
           ( limited(G, E), print(E), nl )),
    ( is_stream(S) -> writeln(open) ; writeln(closed) ),
    thread_send_message(W, go('first. second.')), thread_join(R, Status), print(Status), nl,
    thread_join(W, _), delete_file(P).
",
    )
    .prints(concat!(
        "time_limit_exceeded\n",
        "time_limit_exceeded\n",
        "time_limit_exceeded\n",
        "time_limit_exceeded\n",
        "time_limit_exceeded\n",
        "time_limit_exceeded\n",
        "time_limit_exceeded\n",
        "closed\n",
        "exited(first)\n",
    ));
}

/// `force(true)` closes in any case: a time limit that ends waiting for room leaves nothing open.
#[test]
fn forced_closing() {
    program(
        r"
open_files(N) :- directory_files('/proc/self/fd', L), length(L, N).
full(P, S, T) :- fifo(P), silent_reader(P, T), open(P, write, S), limited(( repeat, write(S, 'abcdefghij'), fail ), E), print(E), nl.
t :-
    full(P1, S1, T1), open_files(N0),
    limited(close(S1), E1), print(E1), nl,
    limited(close(S1, [force(true)]), E2), print(E2), nl,
    open_files(N1), N is N1 - N0, print(N), nl,
    ( is_stream(S1) -> writeln(open) ; writeln(closed) ),
    thread_send_message(T1, go(_)), thread_get_message(got(_)), thread_join(T1, _), delete_file(P1),
    % Without an event it waits, as ever.
    full(P2, S2, T2), thread_create(( sleep(0.05), thread_send_message(T2, go(_)) ), G), close(S2, [force(true)]),
    thread_get_message(got(M)), ( M mod 10 =:= 0 -> writeln(all) ; writeln(M) ), thread_join(T2, _), thread_join(G, _), delete_file(P2),
    catch(close(S2, [force(maybe)]), error(E3, _), ( print(E3), nl )), catch(close(nothing, [force(true)]), error(E4, _), ( print(E4), nl )).
",
    )
    .prints(concat!(
        "time_limit_exceeded\n",
        "time_limit_exceeded\n",
        "time_limit_exceeded\n",
        "-1\n",
        "closed\n",
        "time_limit_exceeded\n",
        "all\n",
        "type_error(bool,maybe)\n",
        "existence_error(stream,nothing)\n",
    ));
}

/// A program that is started and waited for: signals and time limits are heard, it goes on, and its end is not lost by a signal.
#[test]
fn commands() {
    program(
        r#"
:- dynamic seen/1.
t :-
    limited(shell('exec sleep 20 >/dev/null 2>&1'), E), print(E), nl,
    tmp_file(made, F), atom_concat('sleep 0.3; echo x >> ', F, C),
    thread_create(( shell(C, Status), thread_exit(Status) ), T),
    forall(member(N, [1, 2, 3]), ( sleep(0.02), thread_signal(T, assertz(seen(N))) )), sleep(0.1),
    findall(N, seen(N), L), ( exists_file(F) -> writeln(late) ; print(L), nl ),
    thread_join(T, S), print(S), nl, read_file_to_string(F, Text, []), print(Text), nl, delete_file(F),
    shell('exit 3', S3), print(S3), nl, ( shell(false) -> writeln(true) ; writeln(false) ),
    forall(member(G, [shell("kill -9 $$"), shell('kill -2 $$', _)]), ( catch(G, error(K, _), true), print(K), nl )),
    thread_create(catch(shell('sleep 0.2; kill -9 $$', _), error(K, _), thread_exit(K)), T2),
    sleep(0.05), thread_signal(T2, assertz(seen(4))), thread_join(T2, S2), print(S2), nl.
"#,
    )
    .prints(concat!(
        "time_limit_exceeded\n[1,2,3]\nexited(0)\n\"x\\n\"\n3\nfalse\n",
        "shell(signal(9),'kill -9 $$')\nshell(signal(2),'kill -2 $$')\n",
        "exited(shell(signal(9),'sleep 0.2; kill -9 $$'))\n",
    ));
}

/// The end of the process waits a little for streams in use, together.
#[test]
fn halting() {
    program(
        r"
t :-
    forall(between(1, 20, _),
           ( fifo(P), thread_create(( open(P, write, _), thread_send_message(main, opened), thread_get_message(_) ), _, [detached(true)]),
             thread_create(( open(P, read, S), read(S, _) ), _, [detached(true)]), thread_get_message(opened), delete_file(P) )),
    writeln(halting).
",
    )
    .prints("halting\n");
}
