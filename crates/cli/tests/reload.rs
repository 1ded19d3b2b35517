//! Files that are loaded again: by several threads at once, while others call what they define, and after their text has changed, when
//! the state is to be that of a fresh process. `SAMITE_SEED=n` and `SAMITE_HISTORIES=n` choose other random histories.

mod common;

use common::random::{Random, setting};
use common::{LIMIT, Scratch, finish, samite};
use std::fmt::Write;

fn prints(text: &str, expected: &str) {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", format!("{DIRECTORY}{text}"));
    let mut command = samite();
    command.args(["-g", "run", "-t", "halt", &file]);
    finish(command, b"", LIMIT)
        .status(0)
        .silent()
        .prints(expected);
}

const DIRECTORY: &str = r"
:- dynamic(directory/1).
:- prolog_load_context(directory, D), assertz(directory(D)).
here(Name, File) :- directory(D), atomic_list_concat([D, /, Name], File).
together(K, Goal) :-
    findall(T, ( between(1, K, _), thread_create(Goal, T) ), Ts),
    forall(member(T, Ts), ( thread_join(T, S), ( S == true -> true ; print(S), nl ) )).
";

#[test]
fn one_file_by_several_threads() {
    prints(
        r"
run :-
    here('shared.pl', F), open(F, write, S),
    write(S, ':- dynamic(dy/1).\n:- discontiguous([a/1, b/2, dy/1]).\n'),
    forall(between(1, 200, I), format(S, 'a(~d). b(~d, x). dy(~d).~n', [I, I, I])), close(S),
    forall(( between(1, 6, J), K is 2 + J mod 3 ), (
        together(K, load_files(F, [])),
        aggregate_all(count, a(_), A), aggregate_all(count, b(_, _), B), aggregate_all(count, dy(_), C),
        ( [A, B, C] == [200, 200, 200] -> true ; print([A, B, C]), nl ) )),
    writeln(done).
",
        "done\n",
    );
}

/// Threads that a directive starts see what the file has above it, also those that these start; others see the version before until the load is over,
/// and one that is still there then what the file has now.
#[test]
fn threads_of_a_directive() {
    prints(
        r#"
version(V, Text) :-
    here('started.pl', F), open(F, write, S), write(S, Text), close(S),
    load_files(F, [if(true)]), print(V), nl.
run :-
    version(1, "f(X, Y) :- Y is X*X.\n:- concurrent_maplist(f, [1, 2, 3], L), print(L), nl.\n"),
    message_queue_create(_, [alias(begun)]), message_queue_create(_, [alias(go)]), message_queue_create(_, [alias(out)]),
    thread_create(( thread_get_message(begun, other), f(2, X), thread_send_message(out, other(X)) ), Other),
    version(2, "
        :- discontiguous f/2.
        f(X, Y) :- Y is X*X*X.
        g(X) :- f(X, _).
        :- concurrent_maplist(f, [1, 2, 3], L), print(L), nl.
        :- concurrent_forall(member(X, [1, 2]), g(X)).
        :- thread_create(( thread_create(( f(2, X), g(X), print(X), nl ), T), thread_join(T, S), print(S), nl ), T), thread_join(T).
        :- thread_send_message(begun, other), thread_get_message(out, other(X)), print(other(X)), nl.
        :- thread_create(( f(2, X), thread_send_message(out, early(X)), thread_get_message(go, _), f(2, Y), h(Z), thread_send_message(out, late(Y, Z)) ),
               _, [detached(true)]),
           thread_get_message(out, early(X)), print(early(X)), nl.
        f(_, none).
        h(1).
        "),
    thread_join(Other), thread_send_message(go, now), thread_get_message(out, late(Y, Z)), print(late(Y, Z)), nl,
    version(3, "f(_, none).\n:- concurrent_maplist(f, [1], L), print(L), nl.\n:- thread_create(catch(g(1), error(E, _), ( print(E), nl )), T), thread_join(T).\n").
"#,
        "[1,4,9]\n1\n[1,8,27]\n8\ntrue\nother(4)\nearly(8)\n2\nlate(8,1)\n[none]\nexistence_error(procedure,g/1)\n3\n",
    );
}

/// What a file has read of a predicate so far, each time that it is loaded.
#[test]
fn abolished_between_clauses() {
    prints(
        r#"
version(Text) :- here('abolished.pl', F), open(F, write, S), write(S, Text), close(S), load_files(F, [if(true)]).
shown :- findall(X, catch(ab(X), _, fail), L), print(L), nl.
run :-
    T = "ab(1).\n:- abolish(ab/1).\n:- catch(ab(_), error(E, _), ( print(E), nl )).\nab(2).\n",
    version(T), shown, version(T), shown, version("x.\n"), shown, version(T), shown.
"#,
        "existence_error(procedure,ab/1)\n[2]\nexistence_error(procedure,ab/1)\n[2]\n[]\nexistence_error(procedure,ab/1)\n[2]\n",
    );
}

/// It returns when the module is there.
#[test]
fn one_module_used_by_several_threads() {
    prints(
        r"
run :- forall(between(1, 20, J), use(J)), writeln(done).
use(J) :-
    atomic_list_concat([um_, J, '.pl'], Name), here(Name, F), open(F, write, S),
    format(S, ':- module(um_~d, [n~d/1]).~n', [J, J]),
    forall(between(1, 200, I), format(S, 'a(~d). ', [I])),
    format(S, '~nn~d(N) :- aggregate_all(count, a(_), N).~n', [J]), close(S),
    together(4, one(F, J)).
one(F, J) :- use_module(F), atom_concat(n, J, P), G =.. [P, N], call(user:G), N == 200.
",
        "done\n",
    );
}

/// Each thread loads one and needs the other.
#[test]
fn files_that_use_each_other() {
    prints(
        r"
write_file(J, A, B) :-
    atomic_list_concat([A, J, '.pl'], Name), here(Name, F), open(F, write, S),
    format(S, ':- module(~w~d, [~w~d/1]).~n:- sleep(0.01).~n:- use_module(~w~d).~n~w~d(1).~n', [A, J, A, J, B, J, A, J]), close(S).
use(J, A) :- atomic_list_concat([A, J, '.pl'], Name), here(Name, F), use_module(F).
run :-
    forall(between(1, 10, J), (
        write_file(J, left, right), write_file(J, right, left),
        thread_create(use(J, left), L), thread_create(use(J, right), R),
        thread_join(L, SL), thread_join(R, SR), ( SL-SR == true-true -> true ; print(SL-SR), nl ) )),
    writeln(done).
",
        "done\n",
    );
}

/// Whatever thread loads which of them first: a load that has returned shows whole files, also those that another thread was loading.
#[test]
fn who_loads_files_that_use_each_other_sees_them_whole() {
    prints(
        r"
ring(left, middle). ring(middle, right). ring(right, left).
write_file(J, A) :-
    ring(A, B), atomic_list_concat([A, J, '.pl'], Name), here(Name, F), open(F, write, S),
    format(S, ':- module(~w~d, [~w~d/1]).~n:- use_module(~w~d).~n', [A, J, A, J, B, J]),
    forall(between(1, 300, I), format(S, 'fact(~d). ', [I])),
    format(S, '~n:- sleep(0.002).~n~w~d(N) :- aggregate_all(count, fact(_), N).~nother(N) :- ~w~d(N).~n', [A, J, B, J]), close(S).
use(J, A) :-
    atomic_list_concat([A, J, '.pl'], Name), here(Name, F), use_module(F),
    forall(ring(B, _), (
        atom_concat(B, J, P), G =.. [P, N], catch(( P:G, P:other(N2) ), E, true),
        ( N-N2 == 300-300 -> true ; print(A-B-N-N2-E), nl ) )).
run :-
    forall(between(1, 15, J), (
        forall(ring(A, _), write_file(J, A)),
        findall(T, ( ring(A, _), thread_create(use(J, A), T) ), Ts),
        forall(member(T, Ts), ( thread_join(T, S), ( S == true -> true ; print(S), nl ) )) )),
    writeln(done).
",
        "done\n",
    );
}

/// A file is loaded again, and one that asked for it is being loaded by another thread: what that one imports is what its new version says. (The
/// message stops the first thread between two of those who asked.)
#[test]
fn imports_of_a_file_are_those_of_its_load() {
    prints(
        r"
text(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
load(Name) :- here(Name, F), load_files(F, []).
:- dynamic armed/0.
user:message_hook(import_private(_, _), _, _) :-
    retract(armed),
    thread_create(load('m2.pl'), _, [alias(other)]),
    thread_get_message(begun).
begun :-
    thread_send_message(main, begun),
    % Time for the first thread to go wrong.
    ( thread_self(Me), thread_get_message(Me, never, [timeout(0.3)]) -> true ; true ).
run :-
    directory(D), working_directory(_, D),
    text('m1.pl', ':- module(m1, [a/1, b/1]). a(1). b(1).'),
    text('m0.pl', ':- module(m0, []). :- use_module(m1, [b/1]).'),
    text('m2.pl', ':- module(m2, [c/1]). :- reexport(m1, [b/1]). c(1).'),
    load('m0.pl'), load('m2.pl'), m2:b(X), print(X), nl,
    text('m1.pl', ':- module(m1, [a/1]). a(1). b(1).'),
    text('m2.pl', ':- module(m2, [c/1]). :- user:begun. c(2).'),
    assertz(armed),
    load('m1.pl'),
    thread_join(other, Status), print(Status), nl,
    module_property(m2, exports(Exports)), print(Exports), nl,
    ( predicate_property(m2:b(_), imported_from(M)) -> print(M) ; print(none) ), nl,
    m2:c(Y), print(Y), nl.
",
        "1\ntrue\n[c/1]\nnone\n2\n",
    );
}

/// A file asks for another one in several places: each of them imports what it says, also when that one has been edited.
#[test]
fn all_places_of_a_file_import_again() {
    prints(
        r"
text(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
load(Name) :- here(Name, F), load_files(user:F, [imports([])]).
show :- findall(N-M, ( member(N, [p, q, r, qq]), G =.. [N, _], predicate_property(b:G, imported_from(M)) ), L), print(L), nl.
places([':- use_module(a). :- use_module(a, [q/1 as qq]).',
        ':- use_module(a, [q/1 as qq]). :- use_module(a).',
        ':- use_module(a, [p/1]). :- use_module(a, [q/1]).',
        ':- use_module(a, except([q/1])). :- use_module(a, [q/1 as qq]).',
        ':- reexport(a, [p/1]). :- use_module(a, [q/1 as qq]). :- use_module(a, []).',
        ':- use_module(a). :- use_module(a, []).']).
run :- places(Ps), forall(member(P, Ps), run(P)).
run(Places) :-
    atom_concat(':- module(b, []). ', Places, B),
    text('a.pl', ':- module(a, [p/1, q/1]). p(1). q(1).'), text('b.pl', B),
    load('b.pl'),
    text('a.pl', ':- module(a, [p/1, q/1, r/1]). p(1). q(1). r(1).'),
    load('a.pl'), show,
    load('b.pl'), show,
    here('b.pl', FileB), unload_file(FileB), here('a.pl', FileA), unload_file(FileA).
",
        "[p-a,q-a,r-a,qq-a]\n[p-a,q-a,r-a,qq-a]\n[p-a,q-a,r-a,qq-a]\n[p-a,q-a,r-a,qq-a]\n[p-a,q-a]\n[p-a,q-a]\n\
         [p-a,r-a,qq-a]\n[p-a,r-a,qq-a]\n[p-a,qq-a]\n[p-a,qq-a]\n[p-a,q-a,r-a]\n[p-a,q-a,r-a]\n",
    );
}

/// Who waits for another's load can be told to stop.
#[test]
fn a_wait_for_a_load_can_be_interrupted() {
    prints(
        r"
:- dynamic(started/0).
run :-
    here('slow.pl', F), open(F, write, S), write(S, ':- assertz(started), thread_get_message(go).\nslow(1).\n'), close(S),
    thread_create(load_files(F, []), A), repeat, started, !,
    thread_create(load_files(F, []), B), sleep(0.1), thread_signal(B, throw(stop)), thread_join(B, SB),
    thread_send_message(A, go), thread_join(A, SA), print(SA/SB), nl, slow(X), print(X), nl.
",
        "true/exception(stop)\n1\n",
    );
}

/// Callers see whole definitions: all facts of one version.
#[test]
fn a_reload_is_seen_whole() {
    prints(
        r"
:- dynamic([saw/1, stop/0]).
generate(F, V) :-
    open(F, write, S), format(S, ':- dynamic(rd/2).~n:- discontiguous(rp/2).~n', []),
    forall(between(1, 5, I), format(S, 'rp(~d, ~w). rp(~d, ~w).~nrq(~d, ~w).~nrd(~d, ~w).~n', [I, V, I, V, I, V, I, V])),
    close(S).
look :-
    forall(member(G-N, [rp(_, V)-10, rq(_, V)-5, rd(_, V)-5, clause(rq(_, V), true)-5]),
           ( catch(findall(V, G, L), error(E, _), L = [E]), sort(L, Vs), length(L, M),
             ( M == N, Vs = [_] -> true ; G =.. [What|_], ( clause(saw(What-_), true) -> true ; assertz(saw(What-L)) ) ) )),
    ( stop -> true ; look ).
run :-
    here('a.pl', A), style_check(-discontiguous), generate(A, v0), load_files(A, []),
    thread_create(look, L1), thread_create(look, L2),
    forall(between(1, 60, I), ( generate(A, v(I)), load_files(A, []) )),
    assertz(stop), thread_join(L1, S1), thread_join(L2, S2),
    findall(X, saw(X), Xs), print(S1/S2/Xs), nl.
",
        "true/true/[]\n",
    );
}

/// A directive of the file sees what is above it.
/// A call that comes from what the file had been finds the predicate that it calls as it was, or none: never one that is there and fails.
#[test]
fn what_a_reload_takes_away_is_unknown() {
    prints(
        r"
:- dynamic stop/0.
version(F, V) :-
    setup_call_cleanup(open(F, write, O), format(O, 'calc(X, Y) :- helper~d(X, Y).~nhelper~d(X, X).~n', [V, V]), close(O)).
calls(Failed, Failed) :- stop, !.
calls(F0, F) :-
    catch(( calc(5, _) -> F1 = F0 ; F1 is F0+1 ), error(existence_error(_, _), _), F1 = F0),
    calls(F1, F).
look :- calls(0, N), ( N =:= 0 -> true ; format('~d calls failed~n', [N]) ).
run :-
    here('calc.pl', F),
    version(F, 1), load_files(F, []),
    findall(T, ( between(1, 2, _), thread_create(look, T) ), Ts),
    forall(between(2, 500, V), ( version(F, V), load_files(F, []) )),
    assertz(stop),
    forall(member(T, Ts), thread_join(T, _)),
    writeln(done).
",
        "done\n",
    );
}

#[test]
fn directives_see_what_is_above_them() {
    prints(
        r"
load(Clauses) :-
    here('d.pl', F), open(F, write, S),
    forall(member(C, Clauses), ( write_canonical(S, C), write(S, '.\n') )), close(S), load_files(F, []).
run :-
    Show = (:- findall(X, s(X), L), print(L), nl),
    load([s(1), s(2), Show, s(3)]), load([s(1), s(4), Show, s(5)]), findall(X, s(X), L), print(L), nl,
    load([(user:term_expansion(this, e(1))), this]), load([(user:term_expansion(this, e(2))), this]), findall(X, e(X), Es), print(Es), nl,
    load([( :- dynamic(dd/1) ), dd(1), dd(2)]), assertz(dd(own)), asserta(dd(first)),
    load([( :- dynamic(dd/1) ), dd(3), dd(2), dd(4)]), findall(X, dd(X), Ds), print(Ds), nl,
    load([x(1)]), findall(X, dd(X), Ds2), print(Ds2), nl,
    catch(e(_), error(E, _), ( print(E), nl )).
",
        "[1,2]\n[1,4]\n[1,4,5]\n[2]\n[first,3,2,4,own]\n[first,own]\nexistence_error(procedure,e/1)\n",
    );
}

/// A predicate that the file still declares, without a clause of its own any more, loses those of the version before; what was asserted stays.
#[test]
fn a_declaration_alone_keeps_no_clauses() {
    prints(
        r"
load(Clauses) :-
    here('d.pl', F), open(F, write, S),
    forall(member(C, Clauses), ( write_canonical(S, C), write(S, '.\n') )), close(S), load_files(F, []).
all :- findall(X, p(X), L), print(L), nl.
run :-
    load([p(1), p(2)]), all,
    load([( :- dynamic(p/1) )]), all,
    load([( :- dynamic(p/1) ), p(3)]), assertz(p(own)), all,
    load([( :- dynamic(p/1) )]), all,
    load([( :- multifile(p/1) ), ( :- dynamic(p/1) )]), all.
",
        "[1,2]\n[]\n[3,own]\n[own]\n[own]\n",
    );
}

/// The thread that loads sees the clauses of the new version, others those of the old one until its end, as in SWI-Prolog; what was asserted, before
/// and meanwhile, and taken away, both see.
#[test]
fn a_dynamic_predicate_has_two_versions_meanwhile() {
    prints(
        r"
server :- thread_get_message(q(From, G)), ( G == stop -> true ; answers(G, L), thread_send_message(From, r(L)), server ).
answers(G, L) :- findall(X, ( arg(1, G, X), G ), L).
other(G, L) :- thread_self(Me), thread_send_message(srv, q(Me, G)), thread_get_message(r(L)).
show :- answers(p(_), L), other(p(_), M), print(L/M), nl.
other(G) :- other(G, _).
load(Clauses) :-
    here('d.pl', F), open(F, write, S),
    forall(member(C, Clauses), ( write_canonical(S, C), write(S, '.
') )), close(S), load_files(F, []), show.
run :-
    thread_create(server, T, [alias(srv)]), D = (:- dynamic(p/1)), Show = (:- show),
    load([D, p(1), Show, p(2), p(3)]),
    assertz(p(own)), asserta(p(first)),
    load([D, Show, p(1), p(4), Show, (:- assertz(p(loader))), (:- other(assertz(p(other)))), Show,
          (:- retract(p(4)), other(retract(p(2)))), (:- retract(p(own))), (:- other(retract(p(first)))), Show, p(5)]),
    load([D, p(6), (:- retractall(p(_))), Show, p(7)]),
    load([p(8), Show]),
    load([D, (:- abolish(p/1)), Show, p(9), Show]),
    thread_send_message(srv, q(srv, stop)), thread_join(T, true).
",
        "\
[1]/[1]
[1,2,3]/[1,2,3]
[first,own]/[first,1,2,3,own]
[first,own,1,4]/[first,1,2,3,own]
[first,own,1,4,loader,other]/[first,1,2,3,own,loader,other]
[1,loader,other]/[1,3,loader,other]
[1,loader,other,5]/[1,loader,other,5]
[]/[1,5]
[7]/[7]
[8]/[7]
[8]/[8]
[]/[8]
[9]/[8]
[9]/[9]
",
    );
}

/// Two versions of a file, `m` one that is used by the others. What comes of the second is what a fresh process makes of it.
#[test]
fn the_second_version_is_as_in_a_fresh_process() {
    const GUARDED: &str = "p(1).\n:- ( nb_current(k, _) -> true ; nb_setval(k, 1), load_files('t.pl', []) ).\np(2).\n:- show(user).\nq(1).\n";
    let versions = [
        // It unloads itself.
        (
            "p(1). q(1).",
            "p(2).\n:- unload_file('t.pl').\np(3).\nr(3).\n:- show(user).",
        ),
        (
            ":- dynamic p/1.\np(1). q(1).",
            ":- dynamic p/1.\np(2).\n:- unload_file('t.pl').\n:- show(user).\np(3).\nr(3).",
        ),
        (
            "q(1).",
            ":- show(user).\n:- unload_file('t.pl').\n:- show(user).\n:- dynamic p/1.\nr(3).",
        ),
        // Declared too late.
        (
            "p(1). p(2). q(1).",
            "p(3).\n:- thread_local p/1.\np(4).\n:- show(user).\np(5).",
        ),
        (
            "q(1).",
            "p(3).\n:- show(user).\n:- thread_local p/1.\np(4).",
        ),
        (
            "q(1).",
            "p(3).\n:- dynamic p/1.\np(4).\n:- show(user).\np(5).",
        ),
        // Of another kind.
        (
            "p(1). p(2).",
            ":- show(user).\n:- dynamic p/1.\np(3).\n:- assertz(p(4)).\n:- show(user).\np(5).",
        ),
        (
            "p(1). p(2).",
            ":- thread_local p/1.\np(3).\n:- assertz(p(4)).\n:- show(user).\np(5).",
        ),
        ("p(1). p(2).", ":- dynamic p/1.\n:- show(user)."),
        (
            "p(1). p(2). q(1).",
            ":- assertz(p(3)), retractall(q(_)).\n:- show(user).",
        ),
        (
            ":- dynamic p/1.\np(1). p(2).",
            "p(3).\n:- show(user).\np(4).",
        ),
        (
            ":- thread_local p/1.\np(1). p(2).",
            ":- dynamic p/1.\np(3).\n:- show(user).\np(4).",
        ),
        // A module header that is not the first term, or not there any more; another module.
        (
            "p(1).\nq(1).",
            "p(3).\n:- module(m, [q/1]).\n:- show(m).\nq(4).",
        ),
        (
            ":- module(m, [q/1]).\nq(1). p(2).",
            "p(3).\nq(3).\n:- show(user).",
        ),
        (
            ":- module(m, [q/1]).\nq(1). p(2).",
            ":- module(n, [q/1]).\np(3).\nq(3).\n:- user:show(n).",
        ),
        (
            ":- module(m, [q/1]).\nq(1). p(2).",
            ":- if(true).\n:- module(m, [r/1]).\n:- endif.\nr(3).\n:- user:show(m).",
        ),
        // It inherits what it defined before.
        (
            ":- module(m, [q/1]).\nq(1). r(1).",
            ":- module(m, [q/1]).\nq(1).\nuser:r(2).\n:- user:show(m).",
        ),
        // It loads itself.
        ("p(0).", GUARDED),
        ("", GUARDED),
        (
            "p(0).",
            ":- dynamic p/1.\np(1).\n:- consult('t.pl').\np(2).\n:- show(user).",
        ),
        // Hooks that are new.
        ("p(0).", "user:term_expansion(a, p(1)).\na.\n:- show(user)."),
        (
            "p(0).",
            ":- dynamic user:term_expansion/2.\nuser:term_expansion(a, p(1)).\na.\n:- show(user).",
        ),
        (
            "user:term_expansion(a, p(0)).\na.",
            "user:term_expansion(b, p(1)).\na.\nb.\n:- show(user).",
        ),
        // Announced, so that no goal makes it dynamic; and not any more.
        (
            "p(1).",
            ":- multifile p/1.\n:- catch(assertz(p(3)), _, true).\n:- show(user).\np(4).",
        ),
        (
            ":- multifile p/1.\n:- discontiguous q/1.\np(1).",
            ":- assertz(p(3)), assertz(q(3)).\n:- show(user).",
        ),
        (
            ":- multifile p/1.\n:- discontiguous q/1.\np(1).",
            ":- discontiguous p/1.\n:- catch(retract(p(_)), _, true).\n:- show(user).",
        ),
        // A condition that asks for what is above.
        (
            "p(0).",
            "p(1).\n:- if(p(0)).\nq(0).\n:- elif(p(1)).\nq(1).\n:- endif.",
        ),
    ];
    const SHOW: &str = r"
text(T) :- here('t.pl', F), open(F, write, S), write(S, T), close(S).
shown(G) :- catch(findall(G, G, L), error(E, _), L = [E]), format('~q ', [L]).
show(M) :- forall(member(P, [p, q, r]), ( G =.. [P, _], shown(M:G) )), nl.
load(V) :- text(V), directory(D), working_directory(_, D), here('t.pl', F), load_files(F, []).
run(V) :- writeln('---'), load(V), show(user), show(m), show(n).
";
    for (first, second) in versions {
        let [again, fresh] = [format!("load({first:?}), "), String::new()].map(|before| {
            let scratch = Scratch::new();
            let program = format!("{DIRECTORY}{SHOW}run :- {before}run({second:?}).\n");
            let file = scratch.file("program.pl", program);
            let mut command = samite();
            command.args(["-g", "run", "-t", "halt", &file]);
            let run = finish(command, b"", LIMIT);
            let messages = run.err.replace(file.trim_end_matches("program.pl"), "");
            let out = run.out.rsplit("---").next().unwrap_or("").to_string();
            (run.status, out, messages)
        });
        assert_eq!(again, fresh, "{first}\n--\n{second}");
        assert!(!fresh.1.is_empty(), "{second}");
    }
}

/// What is consulted from the standard input is a file of its own each time.
/// A file makes its predicate static: when the load ends, as seen by others.
#[test]
fn a_file_compiles_its_predicates() {
    prints(
        r"
loaded(Text) :- open_string(Text, S), load_files(compiled, [stream(S)]), close(S).
shows :- ( predicate_property(p(_), dynamic) -> write(dynamic) ; write(static) ), findall(X, p(X), L), print(L), nl.
run :-
    A = ':- dynamic p/1. p(1). p(2). :- compile_predicates([p/1]). p(3). :- p(_).',
    forall(between(1, 3, _), ( loaded(A), shows )),
    loaded(':- dynamic p/1. p(4).'), assertz(p(5)), shows,
    loaded(':- dynamic p/1. p(4). :- compile_predicates([p/1]).'), shows,
    loaded(':- dynamic p/1. p(4). :- compile_predicates([p/1]). :- dynamic p/1.'), assertz(p(6)), shows,
    loaded(':- compile_predicates([p/1]). p(7).'), shows,
    loaded('p(8).'), shows.
",
        "static[1,2,3]\nstatic[1,2,3]\nstatic[1,2,3]\ndynamic[4,5]\nstatic[4,5]\ndynamic[4,5,6]\nstatic[7,5,6]\nstatic[8]\n",
    );
}

/// The table declaration is edited while threads have tables: theirs are those of the declaration that they were made under.
#[test]
fn table_declarations_change_under_evaluations() {
    prints(
        r"
loaded(Text) :- open_string(Text, S), load_files(tables, [stream(S)]), close(S).
call_it(L) :- findall(X, p(1, X), L0), msort(L0, L).
worker(Main) :- call_it(_), repeat, thread_get_message(M), ( M == end -> ! ; call_it(L), thread_send_message(Main, L), fail ).
run :-
    thread_self(Main),
    loaded(':- table p(_, min). p(1, 2). p(1, 3).'),
    thread_create(worker(Main), T),
    forall(member(Text, [':- table p/2. p(1, 2). p(1, 3).', ':- table p(_, max). p(1, 2). p(1, 3).', 'p(1, 2). p(1, 3).',
                         ':- table p(_, min). p(1, 2). p(1, 3).']),
           ( loaded(Text), thread_send_message(T, go), thread_get_message(L), print(L), nl )),
    thread_send_message(T, end), thread_join(T, S), print(S), nl.
",
        "[2,3]\n[3]\n[2,3]\n[2]\ntrue\n",
    );
}

#[test]
fn texts_from_the_user() {
    let input = "[user].\np(1). p(2).\nq(1).\nend_of_file.\n[user].\np(3).\n:- initialization((p(X), writeln(X))).\nend_of_file.\n\
                 writeln(now), forall(p(X), writeln(X)), forall(q(X), writeln(X)), prolog_load_context(source, _).\n";
    let run = finish(samite(), input.as_bytes(), LIMIT).status(0);
    let printed: Vec<&str> = run
        .out
        .lines()
        .filter(|l| l.parse::<u32>().is_ok())
        .collect();
    assert_eq!(printed, ["3", "3", "1"], "{}", run.out);
    run.warns(&["user://2:", "Redefined static procedure p/1", "user://1:2"]);
}

/// `if(When)` and `must_be_module(true)`, as in SWI-Prolog.
#[test]
fn options_say_whether_to_load() {
    prints(
        r"
:- dynamic(loaded/1).
text(Name, T, F) :- here(Name, F), open(F, write, S), write(S, T), close(S).
try(G) :- retractall(loaded(_)), ( catch(G, error(E, _), ( print(E), nl )) -> true ; writeln(no) ), findall(X, loaded(X), L), print(L), nl.
run :-
    text('plain.pl', ':- assertz(loaded(plain)).
plain(1).
', P),
    text('mod.pl', ':- module(mod, [m/1]).
:- assertz(user:loaded(mod)).
m(1).
', M),
    try(use_module(P)), try(use_module(P)), try(plain(_)),
    try(load_files(P, [if(changed)])), try(load_files(P, [if(changed)])), try(load_files(P, [if(not_loaded)])), try(ensure_loaded(P)),
    try(load_files(P, [if(true)])), try(load_files(P, [must_be_module(true)])), try(load_files(P, [if(not_loaded), must_be_module(true)])),
    try(load_files(M, [must_be_module(true)])), try(m(_)), try(load_files([P, M], [if(changed)])),
    sleep(0.05), text('plain.pl', ':- assertz(loaded(new)).
', _),
    try(load_files(P, [if(not_loaded)])), try(load_files([P, M], [if(changed)])), try(load_files([P, M], [if(changed)])),
    try(load_files(P, _)), try(load_files(P, [if(changed)|_])), try(load_files(P, foo)).
",
        "\
domain_error(module_header,(:-assertz(loaded(plain))))
[]
domain_error(module_header,(:-assertz(loaded(plain))))
[]
existence_error(procedure,plain/1)
[]
[plain]
[]
[]
[]
[plain]
domain_error(module_header,(:-assertz(loaded(plain))))
[]
[]
[mod]
[]
[]
[]
[new]
[]
instantiation_error
[]
instantiation_error
[]
type_error(list,foo)
[]
",
    );
}

/// A version of a file: each predicate is there or not, declared in one of several ways, with some clauses.
fn version(draw: &mut Random) -> String {
    let mut text = String::new();
    for p in ["a", "b", "c", "d"] {
        match draw.below(7) {
            0 => continue,
            1 => _ = writeln!(text, ":- dynamic({p}/2)."),
            2 => _ = writeln!(text, ":- multifile({p}/2)."),
            3 => _ = writeln!(text, ":- table({p}/2)."),
            _ => {}
        }
        for _ in 0..1 + draw.below(4) {
            let (x, y) = (draw.below(4), draw.below(4));
            match draw.below(3) {
                0 => _ = writeln!(text, "{p}(X, {y}) :- e(X), X > {x}."),
                _ => _ = writeln!(text, "{p}({x}, {y})."),
            }
        }
    }
    if draw.below(2) > 0 {
        text += ":- findall(X, catch(a(X, _), _, fail), _).\n";
    }
    _ = writeln!(text, "e({}). e(3).", draw.below(3));
    text
}

/// After any history of edits and loads the answers are those of a process that loads the last version only.
#[test]
fn histories() {
    const SHOW: &str = "show :- forall(member(P, [a, b, c, d]), ( G =.. [P, X, Y], ( catch(findall(X/Y, user:G, L0), _, L0 = []) -> true ; true ), msort(L0, L), print(P-L), nl )).\n";
    let first = setting("SAMITE_SEED", 1);
    for seed in first..first + setting("SAMITE_HISTORIES", 25) {
        let mut draw = Random::new(seed);
        let versions: Vec<String> = (0..2 + draw.below(4)).map(|_| version(&mut draw)).collect();
        let scratch = Scratch::new();
        let (mut all, mut last) = (String::from(SHOW), String::from(SHOW));
        let mut goals = Vec::new();
        let file = scratch.file("edited.pl", "");
        for (i, v) in versions.iter().enumerate() {
            let name = scratch.file(&format!("version{i}.txt"), v);
            goals.push(format!(
                "edit('{name}'), load_files('{file}', []), forall(member(P, [a, b, c, d]), ( G =.. [P, _, _], catch(( user:G, fail ; true ), _, true) ))"
            ));
        }
        for text in [&mut all, &mut last] {
            text.push_str("edit(From) :- read_file_to_string(From, Text, []), here('edited.pl', F), open(F, write, S), write(S, Text), close(S).\n");
        }
        _ = writeln!(all, "run :- {}, show.", goals.join(", "));
        _ = writeln!(last, "run :- {}, show.", goals[goals.len() - 1]);
        let outputs: Vec<String> = [("all.pl", all), ("last.pl", last)]
            .map(|(name, text)| {
                let program = scratch.file(name, format!("{DIRECTORY}{text}"));
                let mut command = samite();
                command.args(["-g", "run", "-t", "halt", &program]);
                finish(command, b"", LIMIT).status(0).out
            })
            .into();
        assert_eq!(outputs[0], outputs[1], "seed {seed}: {versions:#?}");
    }
}

/// A time limit ends the load, whose place is free then, and does not end in it.
#[test]
fn a_load_that_is_cut_short_can_be_made_again() {
    prints(
        r"
:- dynamic(cut/1).
version(F, V, Sleep) :- open(F, write, S), format(S, ':- dynamic cut/1.~ncut(~w).~n:- sleep(~w).~ncut(end).~n', [V, Sleep]), close(S).
contents(L) :- findall(X, cut(X), L).
run :-
    here('cut.pl', F), version(F, 1, 0), load_files(F, []),
    forall(between(1, 300, I), ( R is 0.00001 + I * 0.000002, catch(call_with_time_limit(R, ( load_files(F, []), load_files(F, []) )), _, true) )),
    version(F, 2, 0), load_files(F, []), contents(L2), print(L2), nl,
    version(F, 3, 100), catch(( call_with_time_limit(0.1, load_files(F, [])), E = none ), E, true), print(E), nl,
    version(F, 4, 0), load_files(F, []), contents(L4), print(L4), nl.
",
        "[2,end]\ntime_limit_exceeded\n[4,end]\n",
    );
}

/// One thread loads a file; at a directive in the middle another one does something with it.
const MEANWHILE: &str = r"
text(Name, T, F) :- here(Name, F), open(F, write, S), write(S, T), close(S).
pause :- ( thread_peek_message(go, _) -> thread_send_message(at, here), thread_get_message(go, _), thread_get_message(go, _) ; true ).
meanwhile(F, Goal) :-
    thread_send_message(go, x), thread_create(load_files(F, []), T), thread_get_message(at, _),
    Goal, thread_send_message(go, x), thread_join(T, true), show.
show :- catch(findall(X, c(X), L), error(E, _), L = E), print(L), nl.
dynamic_file(F) :- text('dynamic.pl', ':- dynamic c/1.\nc(1).\n:- pause.\nc(2).\n', F).
:- message_queue_create(_, [alias(go)]), message_queue_create(_, [alias(at)]).
";

/// A predicate does not become thread-local while it has clauses, which nobody would see any more, or another thread loads it again.
#[test]
fn clauses_of_a_file_do_not_become_thread_local() {
    let run = r"
local(Goal) :- catch(( Goal, writeln(yes) ), error(E, _), ( print(E), nl )).
run :-
    dynamic_file(F), load_files(F, []), meanwhile(F, ( local(thread_local(c/1)), show )), retractall(c(_)), local(thread_local(c/1)),
    text('empty.pl', ':- dynamic d/1.\n:- pause.\nd(2).\n', G), load_files(G, []), retractall(d(_)),
    meanwhile(G, local(thread_local(d/1))), findall(X, d(X), L), print(L), nl,
    assertz(e(1)), local(thread_local(e/1)), findall(X, e(X), L2), print(L2), nl.
";
    let refused = |p: &str| format!("permission_error(modify,static_procedure,{p}/1)\n");
    let (c, d, e) = (refused("c"), refused("d"), refused("e"));
    prints(
        &format!("{MEANWHILE}{run}"),
        &format!("{c}[1,2]\n[1,2]\nyes\n{d}[]\n[2]\n{e}[1]\n"),
    );
}

/// Where the clauses of the new version come. As in SWI-Prolog: in the place of the old ones, or before all that there was.
#[test]
fn clauses_of_a_file_come_before_what_was_there() {
    prints(
        r"
load(Cs) :-
    here('placed.pl', F), open(F, write, S), write(S, ':- dynamic p/1.
'), forall(member(C, Cs), ( write_canonical(S, C), write(S, '.
') )), close(S), load_files(F, []).
case(Before, Goal, After) :-
    load(Before), call(Goal), load(After), findall(X, p(X), L), print(L), nl,
    retractall(p(_)), here('placed.pl', F), unload_file(F).
% Whatever the file runs, and whether it declared the predicate before.
every(Clauses) :-
    forall(( member(Before, [none, [], [(:- multifile(p/1))]]), member(Run, [[], [(:- true)]]), member(Late, [[], [(:- true)]]) ),
           ( append([Run, [p(0)], Late, [p(1)]], After), ( Before = [(:- multifile(_))] -> append(Before, After, After1) ; After1 = After ),
             begin(Before), call(Clauses), load(After1), findall(X, p(X), L), ( L == [0,1,8,9] -> true ; print(Before-After1-L), nl ),
             retractall(p(_)), here('placed.pl', F), unload_file(F) )).
begin(none) :- !, here('placed.pl', F), open(F, write, S), write(S, 'q. '), close(S), load_files(F, []).
begin(Cs) :- load(Cs).
run :-
    case([p(0)], ( retract(p(0)), assertz(p(9)) ), [p(0)]),
    case([p(0)], ( retract(p(0)), assertz(p(9)), asserta(p(8)) ), [p(0), p(1)]),
    case([], assertz(p(9)), [p(0), p(1)]),
    case([p(0)], ( assertz(p(9)), asserta(p(8)) ), [p(0), p(1)]),
    case([p(0)], assertz(p(9)), [p(0), (:- assertz(p(7))), p(1)]),
    case([p(0)], ( retract(p(0)), assertz(p(9)) ), [p(0), (:- assertz(p(7))), p(1)]),
    case([p(0)], retract(p(0)), [(:- assertz(p(7))), p(0), p(1)]),
    case([], assertz(p(9)), [(:- asserta(p(7))), p(0), p(1)]),
    every(( assertz(p(8)), assertz(p(9)) )), writeln(every).
",
        "[0,9]\n[0,1,8,9]\n[0,1,9]\n[8,0,1,9]\n[0,1,9,7]\n[0,1,9,7]\n[7,0,1]\n[7,0,1,9]\nevery\n",
    );
}

/// make/0 loads what has changed, once, into the modules that asked for it, between its hooks.
#[test]
fn make_loads_what_has_changed() {
    prints(
        r"
:- multifile(prolog:make_hook/2).
prolog:make_hook(When, Files) :- length(Files, N), writeln(When-N).
put(Name, Text) :- sleep(0.02), here(Name, F), open(F, write, S), write(S, Text), close(S).
show :- findall(X, a(X), As), findall(X, other:m(X), Ms), findall(N, ( member(F0, ['a.pl', 'b.pl', 'm.pl']), here(F0, F), source_file_property(F, load_count(N)) ), Ns), print(As/Ms/Ns), nl.
run :-
    put('m.pl', ':- module(m, [m/1]). m(1). '), put('b.pl', 'b(1). '), put('a.pl', ':- ensure_loaded(b). a(1). '),
    here('a.pl', A), here('m.pl', M), load_files(A, []), load_files(other:M, []), show,
    make, show,
    put('m.pl', ':- module(m, [m/1]). m(2). '), put('b.pl', 'b(2). '), put('a.pl', ':- load_files(b, [if(changed)]). a(2) :- b(2). a(3). '),
    make, show,
    delete_file(M), make, show.
",
        "[1]/[1]/[1,1,1]\nbefore-0\nafter-0\n[1]/[1]/[1,1,1]\nbefore-3\nafter-3\n[2,3]/[2]/[2,2,2]\nbefore-0\nafter-0\n[2,3]/[2]/[2,2,2]\n",
    );
}

/// Files that take each other's module names, or pass them on, load whichever make/0 comes to first; not where one keeps its name.
#[test]
fn make_lets_modules_change_names() {
    prints(
        r"
:- dynamic(told/1).
:- multifile(user:message_hook/3).
:- dynamic(user:message_hook/3).
user:message_hook(error(E, _), error, _) :- functor(E, F, _), print(told(F)), nl.
put(Name, Text) :- sleep(0.02), here(Name, F), open(F, write, S), write(S, Text), close(S).
all(G) :- ( catch(findall(G, G, L), error(E, _), L = E) -> true ), print(L), nl.
show :- member(G, [p(_), q(_)]), all(user:G), ( predicate_property(user:G, imported_from(M)) -> writeln(M) ; true ), fail.
show.
run :-
    put('a.pl', ':- module(ma, [p/1]). p(1). '), put('b.pl', ':- module(mb, [q/1]). q(1). '),
    put('u.pl', ':- use_module(a). :- use_module(b). '), here('u.pl', U), load_files(U, []), show,
    put('a.pl', ':- module(mb, [p/1]). p(2). '), put('b.pl', ':- module(ma, [q/1]). q(2). '), make, show,
    put('a.pl', ':- module(mc, [p/1]). p(3). '), put('b.pl', ':- module(mb, [q/1]). q(3). '), make, show,
    put('a.pl', ':- module(mb, [p/1]). p(4). '), put('b.pl', ':- module(mb, [q/1]). q(4). '), make, show.
",
        "[user:p(1)]\nma\n[user:q(1)]\nmb\n[user:p(2)]\nmb\n[user:q(2)]\nma\n[user:p(3)]\nmc\n[user:q(3)]\nmb\n\
         told(permission_error)\n[user:p(3)]\nmc\n[user:q(4)]\nmb\n",
    );
}

/// Tables that a directive has filled lack what stands behind it, also in a file that is loaded for the first time. Others stay.
#[test]
fn tables_of_directives_see_what_follows() {
    prints(
        r"
put(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
all(G) :- findall(G, G, L), print(L), nl.
run :-
    put('t.pl', ':- table p/1, q/1.\np(X) :- e(X).\nq(X) :- p(X).\ne(1).\n:- all(q(_)).\ne(2).\n:- all(q(_)).\n:- all(q(_)).\ne(3).\n:- initialization(all(p(_))).\n'),
    here('t.pl', F), load_files(F, []), all(q(_)), load_files(F, []), all(p(_)),
    put('o.pl', ':- dynamic(o/1).\n:- true.\no(1).\n'), asserta(calls(0)), all(slow(_)), here('o.pl', O), load_files(O, []), all(slow(_)), calls(N), print(N), nl.
:- dynamic(calls/1).
:- table slow/1.
slow(1) :- retract(calls(N)), M is N+1, asserta(calls(M)).
",
        "[q(1)]\n[q(1),q(2)]\n[q(1),q(2)]\n[p(1),p(2),p(3)]\n[q(1),q(2),q(3)]\n\
         [q(1)]\n[q(1),q(2)]\n[q(1),q(2)]\n[p(1),p(2),p(3)]\n[p(1),p(2),p(3)]\n[slow(1)]\n[slow(1)]\n1\n",
    );
}

/// What is reexported is exported once, however often it is loaded again.
#[test]
fn operators_are_reexported_once() {
    prints(
        r"
put(Name, Text) :- sleep(0.02), here(Name, F), open(F, write, S), write(S, Text), close(S).
show :- module_property(n, exported_operators(L)), print(L), nl.
run :-
    put('m.pl', ':- module(m, [p/1, op(700, xfx, ##)]). p(1). '), put('n.pl', ':- module(n, [op(200, xfx, **>)]). :- reexport(m). '),
    here('n.pl', N), load_files(N, []), show,
    put('m.pl', ':- module(m, [p/1, q/1, op(700, xfx, ##)]). p(1). q(1). '), make, show,
    put('m.pl', ':- module(m, [p/1, op(700, xfx, ##), op(700, xfx, ###)]). p(1). '), make, show.
",
        "[op(200,xfx,**>),op(700,xfx,##)]\n[op(200,xfx,**>),op(700,xfx,##)]\n[op(200,xfx,**>),op(700,xfx,##),op(700,xfx,###)]\n",
    );
}

/// Clauses that a file copies are its own, those that are copied at run time stay.
#[test]
fn copies_of_a_file_are_its_clauses() {
    prints(
        r"
put(Text) :- here('t.pl', F), open(F, write, S), write(S, Text), close(S).
load :- here('t.pl', F), load_files(F, []), findall(X, b(X), L), print(L), nl.
run :-
    put('a(1). a(2).\n:- copy_predicate_clauses(a/1, b/1).\nc(7).\n'), load, load,
    copy_predicate_clauses(c/1, b/1), load,
    put('a(3).\n:- copy_predicate_clauses(a/1, b/1).\nc(7).\n'), load,
    put('a(3).\n'), load.
",
        "[1,2]\n[1,2]\n[1,2,7]\n[3,7]\n[7]\n",
    );
}

/// What is wrong with one file is told of, and keeps make/0 from no other: each time.
#[test]
fn make_goes_on_after_an_error() {
    prints(
        r"
:- dynamic(told/1).
:- multifile(user:message_hook/3).
:- dynamic(user:message_hook/3).
user:message_hook(error(E, _), error, _) :- functor(E, F, _), print(told(F)), nl.
put(Name, Text) :- sleep(0.02), here(Name, F), open(F, write, S), write(S, Text), close(S).
show :- findall(X, a(X), As), findall(X, mb:b(X), Bs), findall(X, c(X), Cs), print(As/Bs/Cs), nl.
run :-
    put('a.pl', ':- module(ma, [a/1]). a(1). '), put('b.pl', ':- module(mb, [b/1]). b(1). '), put('c.pl', 'c(1). '),
    forall(member(N, ['a.pl', 'b.pl', 'c.pl']), ( here(N, F), load_files(F, []) )), show,
    put('a.pl', ':- module(mb, [a/1]). a(2). '), put('c.pl', 'c(2). '),
    make, show,
    put('c.pl', 'c(3). '),
    make, show,
    put('a.pl', ':- module(ma, [a/1]). a(4). '), put('b.pl', ':- module(mb, [b/1]). b(4). '),
    make, show.
",
        "[1]/[1]/[1]\ntold(permission_error)\n[1]/[1]/[2]\ntold(permission_error)\n[1]/[1]/[3]\n[4]/[4]/[3]\n",
    );
}

/// A load that is left before the end of the file, by an exception or from outside, leaves the version before; who asks for what has changed loads
/// the file then.
#[test]
fn a_load_that_is_left_changes_nothing() {
    prints(
        r"
text(Text) :- here('cf.pl', F), open(F, write, S), write(S, Text), close(S).
load(Options) :- here('cf.pl', F), load_files(user:F, Options).
all(G, L) :- catch(findall(G, cf:G, L), error(_, _), L = none).
show(What) :-
    all(p(_), P), all(q(_), Q), all(d(_), D), all(n(_), N), all(s(_), S),
    module_property(cf, exports(Es)),
    ( predicate_property(cf:m(_), multifile) -> M = yes ; M = no ),
    print(What:[P, Q, D, N, S, Es, M]), nl.
leave(throw, G) :- catch(G, stop, true).
leave(signal, G) :-
    thread_self(Me),
    thread_create(( thread_get_message(begun), thread_signal(Me, throw(stop)) ), T, [alias(other)]),
    catch(G, stop, true), thread_join(T, _).
directive(throw, 'user:stop_it.').
directive(signal, 'thread_send_message(other, begun), sleep(60).').
stop_it :- throw(stop).
run :- forall(member(How, [throw, signal]), run(How)).
run(How) :-
    text(':- module(cf, [p/1]). :- dynamic d/1. :- multifile m/1. p(1). p(2). p(3). d(1). d(2). q(1). q(2). s(1).'),
    load([]), show(before),
    directive(How, Directive),
    atomic_list_concat([':- module(cf, [q/1]). :- dynamic d/1. n(1). p(4). :- dynamic s/1. s(2).
user:term_expansion(stop, _) :- ', Directive, ' stop. p(5). d(3). q(3).'], Text),
    text(Text),
    leave(How, load([])), show(left),
    text(':- module(cf, [q/1]). :- dynamic d/1. n(1). p(4). p(5). d(3). q(3).'),
    load([if(changed)]), show(changed),
    load([if(changed)]),
    here('cf.pl', F), unload_file(F).
",
        "before:[[p(1),p(2),p(3)],[q(1),q(2)],[d(1),d(2)],none,[s(1)],[p/1],yes]\n\
         left:[[p(1),p(2),p(3)],[q(1),q(2)],[d(1),d(2)],none,[s(1)],[p/1],yes]\n\
         changed:[[p(4),p(5)],[q(3)],[d(3)],[n(1)],none,[q/1],no]\n\
         before:[[p(1),p(2),p(3)],[q(1),q(2)],[d(1),d(2)],none,[s(1)],[p/1],yes]\n\
         left:[[p(1),p(2),p(3)],[q(1),q(2)],[d(1),d(2)],none,[s(1)],[p/1],yes]\n\
         changed:[[p(4),p(5)],[q(3)],[d(3)],[n(1)],none,[q/1],no]\n",
    );
}
