//! Atoms are collected while all threads run: what anybody has stays, in whatever hands it is; what nobody has goes, and is no memory that a program lacks.

mod common;

use common::{Scratch, finish, samite};
use std::time::Duration;

/// Each goal of `all` has atoms in another kind of hands while others are made and collected.
const PROGRAM: &str = r"
% Atoms in all hands while others are made and collected.
:- dynamic kept/2.
name(N, A) :- atom_concat(collected_, N, A).
made(N) :- forall(between(1, N, I), ( atom_concat(garbage_, I, A), atom_length(A, _) )).
many :- made(30000), garbage_collect_atoms, made(30000), garbage_collect_atoms.
same(Ns, As) :- maplist([N,A]>>( name(N, B), A == B, atom_concat(collected_, M, A), atom_number(M, N) ), Ns, As).
names(Ns, As) :- numlist(1, 50, Ns), maplist(name, Ns, As).
heap :- names(Ns, As), many, same(Ns, As).
blocked(Kind) :-
    thread_self(Me),
    thread_create(( names(Ns, As), thread_send_message(Me, ready), thread_get_message(go), same(Ns, As) ), T, [kind(Kind)]),
    thread_get_message(ready), many, thread_send_message(T, go), thread_join(T, S), S == true.
sleeping(Kind) :-
    thread_self(Me),
    thread_create(( names(Ns, As), thread_send_message(Me, ready), sleep(0.3), same(Ns, As) ), T, [kind(Kind)]),
    thread_get_message(ready), many, thread_join(T, S), S == true.
crowd(Kind) :-
    numlist(1, 300, L), thread_self(Me),
    maplist([I,T]>>thread_create(( name(I, A), thread_send_message(Me, ready), thread_get_message(x(B)), A == B ), T, [kind(Kind)]), L, Ts),
    forall(member(_, L), thread_get_message(ready)), many,
    maplist([I,T]>>( name(I, A), thread_send_message(T, x(A)) ), L, Ts), many,
    maplist([T]>>( thread_join(T, S), S == true ), Ts).
engine :- engine_create(As, ( names(Ns, As), ( true ; many, same(Ns, As) ) ), E), engine_next(E, A1), many, engine_next(E, A2), A1 == A2, engine_destroy(E).
engine_end :-
    engine_create(_, ( thread_at_exit(many), name(9, A), throw(A) ), E), catch(engine_next(E, _), B, true), same([9], [B]),
    engine_create(X, ( thread_at_exit(many), name(8, X) ), F), engine_next(F, C), same([8], [C]).
messages :-
    message_queue_create(Q), names(Ns, As), forall(member(A, As), thread_send_message(Q, m(A))), many,
    findall(A, ( member(_, Ns), thread_get_message(Q, m(A)) ), Bs), same(Ns, Bs), As == Bs.
facts :- names(Ns, As), maplist([N,A]>>assertz(kept(N, A)), Ns, As), many, findall(A, kept(_, A), Bs), same(Ns, Bs), forall(nth1(N, As, A), kept(N, A)), retractall(kept(_, _)).
passing :-
    message_queue_create(Q, [max_size(5)]), message_queue_create(R),
    thread_create(forall(between(1, 3000, I), ( name(I, A), thread_send_message(Q, A) )), P),
    thread_create(forall(between(1, 3000, I), ( thread_get_message(Q, A), thread_send_message(R, I-A) )), M),
    thread_create(forall(between(1, 10, _), garbage_collect_atoms), G),
    forall(between(1, 3000, I), ( thread_get_message(R, J-A), name(I, B), I-B == J-A )),
    forall(member(T, [P, M, G]), ( thread_join(T, S), S == true )).
ended(Kind, Goal) :-
    thread_self(Me),
    thread_create(sig_atomic(( thread_send_message(Me, ready), thread_get_message(go), name(7, A), call(Goal, A) )), T, [kind(Kind)]),
    thread_get_message(ready), thread_signal(T, many), thread_send_message(T, go), many,
    thread_join(T, S), arg(1, S, A), same([7], [A]).
% (Threads end while they are asked.)
joined(Kind) :- thread_create(forall(between(1, 20, _), garbage_collect_atoms), G), joined_one_by_one(Kind), thread_join(G).
joined_one_by_one(Kind) :- forall(between(1, 200, I), ( thread_create(( name(I, A), thread_exit(A) ), T, [kind(Kind)]), thread_join(T, exited(B)), same([I], [B]) )).
:- table reach/2.
reach(X, Y) :- kept(X, Y).
reach(X, Z) :- reach(X, Y), kept(Y, Z).
tables :- names(_, As), As = [F|_], append(As, [F], Cs), forall(append(_, [X,Y|_], Cs), assertz(kept(X, Y))), findall(Y, reach(F, Y), L0), many, findall(Y, reach(F, Y), L1), L0 == L1, sort(L1, S), sort(As, S), abolish_all_tables, retractall(kept(_, _)).
% (What builtins name while they are away in the file system, or wait for a command.)
files :-
    thread_create(( repeat, garbage_collect_atoms, thread_peek_message(stop), ! ), G),
    forall(between(1, 1500, _), ( tmp_file_stream(F, S, [extension(tmp)]), close(S), file_name_extension(_, tmp, F), exists_file(F), delete_file(F) )),
    forall(between(1, 20, I), ( atom_concat('kill -9 $$ #', I, C), catch(shell(C), error(shell(signal(9), D), _), true), D == C )),
    thread_send_message(G, stop), thread_join(G).
few :- garbage_collect, garbage_collect_atoms, statistics(atoms, A), made(200000), garbage_collect, garbage_collect_atoms, statistics(atoms, B), B - A < 1000.
all :- forall(member(G, [heap, blocked(native), blocked(light), sleeping(native), sleeping(light), crowd(light), engine, engine_end, messages, facts, passing, ended(native, thread_exit), ended(light, throw), joined(native), joined(light), tables, files, few]), ( catch(G, E, ( print_message(error, E), fail )) -> write(G), nl ; write(failed(G)), nl )).
eight :- numlist(1, 8, L), maplist([_,T]>>thread_create(made(50000), T), L, Ts), maplist([T]>>thread_join(T), Ts), write(done), nl.
small :- made(300000), write(done), nl.
";

/// What `all` prints.
const ALL: &str = "heap\nblocked(native)\nblocked(light)\nsleeping(native)\nsleeping(light)\ncrowd(light)\nengine\nengine_end\nmessages\nfacts\npassing\n\
    ended(native,thread_exit)\nended(light,throw)\njoined(native)\njoined(light)\ntables\nfiles\nfew\n";

const LIMIT: Duration = Duration::from_secs(120);

/// Runs a goal of the program with these options and variables of the environment.
fn runs(goal: &str, options: &[&str], variables: &[(&str, &str)], prints: &str) {
    let scratch = Scratch::new();
    let file = scratch.file("atoms.pl", PROGRAM);
    let mut command = samite();
    command.envs(variables.iter().copied()).args(options);
    command.args(["-g", goal, "-g", "halt", &file]);
    let run = finish(command, b"", LIMIT);
    run.status(0).silent().prints(prints);
}

#[test]
fn what_somebody_has_stays() {
    runs("all", &[], &[], ALL);
}

/// The same where each few are collected, and none gets the number of another.
#[test]
fn what_somebody_has_stays_under_stress() {
    runs("all", &[], &[("SAMITE_ATOM_STRESS", "2000")], ALL);
}

/// Threads that make more than there is room for, all at once.
#[test]
fn nobody_is_refused_what_is_garbage() {
    runs("eight", &["--memory-limit=16M"], &[], "done\n");
}

/// Three hundred thousand atoms take more than that.
#[test]
fn what_nobody_has_is_no_memory_that_is_missing() {
    runs("small", &["--memory-limit=16M"], &[], "done\n");
}
