//! Files that are loaded again by several threads at once, or while others call what they define: what each of them sees.

mod common;

use common::here::prints;

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

/// Who calls make/0 while another thread's has begun waits for each file that is being loaded: what comes after it may be read otherwise then.
#[test]
fn make_waits_for_what_others_load() {
    prints(
        r#"
put(Name, Text) :- sleep(0.02), here(Name, F), open(F, write, S), write(S, Text), close(S).
expands(N, Before) :- format(atom(Text), ":- module(exp, []).~n~w~n:- multifile user:term_expansion/2.~nuser:term_expansion(a(X), b(X, ~d)).~n", [Before, N]), put('exp.pl', Text).
run :-
    expands(1, ''), put('m.pl', 'a(1).\n'), put('main.pl', ':- use_module(exp).\n:- [m].\n'),
    here('main.pl', Main), load_files(Main, []),
    message_queue_create(_, [alias(loads)]),
    expands(2, ':- thread_send_message(loads, begun), sleep(0.2).'), put('m.pl', 'a(1).\n'),
    thread_create(make, T), thread_get_message(loads, begun), make, thread_join(T),
    findall(X, b(1, X), L), print(L), nl.
"#,
        "[2]\n",
    );
}

/// But not for the load that it is a part of, nor for what the goals of an initialization do, which may go on for ever.
#[test]
fn make_waits_for_no_goals() {
    prints(
        r#"
put(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S), load_files(F, []).
run :-
    put('d.pl', ':- thread_create(make, T), thread_join(T, S), print(directive(S)), nl.\n'),
    put('i.pl', ':- initialization(main).\nmain :- thread_create(make, T), thread_join(T, S), print(main(S)), nl.\n'),
    message_queue_create(_, [alias(serving)]),
    sleep(0.02), here('i.pl', F), open(F, write, Out), write(Out, ':- initialization(main).\nmain :- thread_send_message(serving, begun), thread_get_message(stop).\n'), close(Out),
    thread_create(make, T), thread_get_message(serving, begun), make, print(made), nl,
    thread_send_message(T, stop), thread_join(T, S), print(S), nl.
"#,
        "directive(true)\nmain(true)\nmade\ntrue\n",
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

/// The thread that loads sees the clauses of the new version, others those of the old one until its end, as in SWI-Prolog; what was asserted, before
/// and meanwhile, and taken away, both see.
/// What a file imported and defines itself now is what it was to others, until the load is over, or for good if it is left.
#[test]
fn a_definition_in_place_of_an_import() {
    prints(
        r#"
version(Text) :- here('m.pl', F), open(F, write, S), write(S, Text), close(S), catch(load_files(F), stop, true).
seen(L1-L2) :- findall(X, m:z(X), L1), findall(X, m:q(X), L2).
run :-
    here('k.pl', K), open(K, write, S), write(S, ":- module(k, [z/1]).\nz(1).\n"), close(S),
    message_queue_create(_, [alias(ask)]), message_queue_create(_, [alias(told)]),
    thread_create(( repeat, thread_get_message(ask, M), seen(L), thread_send_message(told, L), M == end, ! ), T),
    version(":- module(m, [q/1]).\n:- use_module(k).\nq(X) :- z(X).\n"), seen(L0), print(L0), nl,
    forall(member(End, [":- throw(stop).\n", ""]), (
        string_concat(":- module(m, [q/1]).\nz(8).\nz(9).\nq(X) :- z(X).\n:- thread_send_message(ask, now), thread_get_message(told, L), seen(L1), print(L-L1), nl.\n", End, Text),
        version(Text), seen(L2), print(L2), nl )),
    thread_send_message(ask, end), thread_get_message(told, L3), print(L3), nl, thread_join(T).
"#,
        "[1]-[1]\n[1]-[1]-([8,9]-[8,9])\n[1]-[1]\n[1]-[1]-([8,9]-[8,9])\n[8,9]-[8,9]\n[8,9]-[8,9]\n",
    );
}

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
