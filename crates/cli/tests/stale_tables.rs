//! Tables of what calls a name that means something else than before, by whatever it has come to mean that: they are abolished.

mod common;

use common::{LIMIT, Scratch, finish, samite};

/// Puts files into the directory of the program; its files are `c`, where `p/1` is tabled and calls `q/1`, and those that say what that is.
const TEXTS: &str = r"
user:message_hook(_, warning, _).
text(Name, Text) :- atom_concat(Name, '.pl', F), open(F, write, S), write(S, Text), close(S), sleep(0.02).
show :- show(p(_)).
show(G) :- ( catch(findall(G, G, L), error(E, _), L = E), print(L), nl ).
exporter(M) :- atom_concat(M, '.pl', F), open(F, write, S), format(S, ':- module(~a, [q/1]). q(~a).', [M, M]), close(S).
caller(Header) :- atom_concat(Header, ' :- table p/1. p(X) :- q(X).', T), text(c, T).
";

#[track_caller]
fn prints(text: &str, expected: &str) {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", format!("{TEXTS}{text}"));
    let mut command = samite();
    command.current_dir(scratch.path(""));
    command.args(["-g", "run", "-t", "halt", &file]);
    finish(command, b"", LIMIT)
        .status(0)
        .silent()
        .prints(expected);
}

#[test]
fn a_file_without_clauses_imports_from_another_module() {
    prints(
        r"
run :-
    exporter(a), exporter(b), caller(''), text(i, ':- use_module(a).'),
    load_files([i, c], []), show,
    text(i, ':- use_module(b).'), make, show,
    text(i, ''), exporter(a), make, show,
    text(i, ':- use_module(a).'), load_files(i, []), show.
",
        "[p(a)]\n[p(b)]\nexistence_error(procedure,q/1)\n[p(a)]\n",
    );
}

#[test]
fn a_reexporter_without_clauses_exports_what_is_anothers() {
    prints(
        r"
run :-
    exporter(a), exporter(b), text(i, ':- module(i, []). :- reexport(a).'), caller(':- use_module(i).'),
    load_files(c, []), show,
    text(i, ':- module(i, []). :- reexport(b).'), make, show.
",
        "[p(a)]\n[p(b)]\n",
    );
}

#[test]
fn what_is_inherited_is_imported_by_hand() {
    prints(
        r"
run :-
    assertz(user:q(inherited)), caller(':- module(c, [p/1]).'), load_files(c, []), show,
    exporter(a), @(use_module(a), c), show, c:abolish(q/1), show,
    exporter(b), load_files(b, [imports([])]), c:import(b:q/1), show.
",
        "[p(inherited)]\n[p(a)]\n[p(inherited)]\n[p(b)]\n",
    );
}

#[test]
fn a_module_inherits_from_another_one() {
    prints(
        r"
run :-
    caller(':- module(c, [p/1]).'), assertz(y:q(y)), assertz(z:q(z)), load_files(c, []),
    add_import_module(c, y, start), show, add_import_module(c, z, start), show,
    delete_import_module(c, z), show, set_module(c:base(z)), show.
",
        "[p(y)]\n[p(z)]\n[p(y)]\n[p(z)]\n",
    );
}

/// Of what the name meant before, all else goes on.
#[test]
fn another_file_defines_what_was_imported_or_inherited() {
    prints(
        r"
run :-
    text(d, 'q(d).'),
    exporter(a), caller(':- use_module(a).'), load_files(c, []), show, load_files(d, []), show, unload_file(d), show, unload_file(c),
    assertz(user:q(user)), caller(':- module(c, [p/1]).'), load_files(c, []), show, load_files(c:d, []), show, unload_file(d), show,
    load_files(c, []), show, c:dynamic(q/1), show,
    text(e, ':- table pe/1. pe(X) :- subtract([1, 2], [2], X).'), text(f, 'subtract(_, _, f).'),
    load_files(e, []), show(pe(_)), load_files(f, []), show(pe(_)), unload_file(f), show(pe(_)).
",
        "[p(a)]\n[p(d)]\n[p(a)]\n[p(user)]\n[p(d)]\n[p(user)]\n[p(user)]\n[]\n[pe([1])]\n[pe(f)]\n[pe([1])]\n",
    );
}

/// It has been called in vain: in the module itself, or in one that inherits it.
#[test]
fn another_file_defines_what_meant_nothing() {
    prints(
        r"
caught(Header, Goal) :- atomic_list_concat([Header, ' :- table p/1. p(X) :- catch(', Goal, ', error(_, _), X = none).'], T), text(c, T).
run :-
    text(z, 'q(z).'), exporter(y), Header = ':- module(c, [p/1]).',
    caught('', 'q(X)'), load_files(c, []), show, load_files(z, []), show, unload_file(z), show, load_files(z, []), show, unload_file(z), unload_file(c),
    caught(Header, 'q(X)'), load_files(c, []), show, load_files(z, []), show, unload_file(z), show, load_files(c:z, []), show, unload_file(z),
    show, use_module(y), show, unload_file(y), unload_file(c),
    caught(Header, 'm:q(X)'), load_files(c, []), show, load_files(m:z, []), show, unload_file(z), unload_file(c),
    caught(':- module(c, [p/1]). :- set_prolog_flag(unknown, fail).', '(q(X) ; X = c)'), load_files(c, []), show, load_files(z, []), show.
",
        "[p(none)]\n[p(z)]\n[p(none)]\n[p(z)]\n\
         [p(none)]\n[p(z)]\n[p(none)]\n[p(z)]\n[p(none)]\n[p(y)]\n\
         [p(none)]\n[p(z)]\n[p(c)]\n[p(z),p(c)]\n",
    );
}

/// By an engine or a thread that works for the evaluation, whoever has made the engine, and through others.
#[test]
fn what_an_engine_or_a_thread_of_an_evaluation_has_called() {
    prints(
        r"
by(How) :-
    atom_concat(':- module(c, [p/1]). :- table p/1. p(X) :- ', How, T), text(c, T), load_files(c, []), show,
    text(z, 'q(z).'), load_files(z, []), show, unload_file(z), unload_file(c).
asks(X) :- catch(q(X), _, X = none).
run :-
    by('engine_create(Y, asks(Y), E), engine_next(E, X).'),
    by('engine_create(Y, ( engine_create(Z, asks(Z), F), engine_next(F, Y) ), E), engine_next(E, X).'),
    engine_create(Y, ( repeat, asks(Y) ), _, [alias(before)]), by('engine_next(before, X).'),
    forall(member(K, [native, light]),
           ( format(atom(T), 'thread_self(S), thread_create(( asks(Y), thread_send_message(S, Y) ), I, [kind(~w)]), thread_join(I), thread_get_message(X).', [K]), by(T) )),
    by('thread_self(S), thread_create(( sleep(0.01), thread_create(( asks(Y), thread_send_message(S, Y) ), I), thread_join(I) ), J), thread_join(J), thread_get_message(X).'),
    by('concurrent_maplist(asks, [X, _]).').
",
        &"[p(none)]\n[p(z)]\n".repeat(7),
    );
}

/// It has been asked about, and not called.
#[test]
fn another_file_defines_what_was_asked_about() {
    prints(
        r"
asks(Goal) :-
    atomic_list_concat([':- table p/1. p(X) :- ( ', Goal, ' -> X = yes ; X = no ).'], T), text(c, T), load_files(c, []), show,
    text(y, 'y.'), load_files(y, []), show, text(z, ':- dynamic(q/1). q(z).'), load_files(z, []), show, unload_file(z), unload_file(y), unload_file(c).
run :-
    asks('clause(q(_), true)'), asks('clause(q(_), true, _)'), asks('current_predicate(q/1)'), asks('current_predicate(q/_)'), asks('current_predicate(q, _)'),
    asks('predicate_property(q(_), defined)'), asks('predicate_property(q(_), dynamic)').
",
        &"[p(no)]\n[p(no)]\n[p(yes)]\n".repeat(7),
    );
}

/// Whatever its name is: who asks which predicates there are has asked about this one.
#[test]
fn another_file_defines_what_was_not_even_named() {
    prints(
        r"
asks(Goal) :-
    atomic_list_concat([':- table p/1. p(X) :- ( ', Goal, ' -> X = yes ; X = no ).'], T), text(c, T), load_files(c, []), show,
    text(z, ':- dynamic(q/1). q(z).'), load_files(z, []), show, unload_file(z), unload_file(c).
run :-
    asks('nth_clause(q(_), 1, _)'), asks('current_predicate(user:N/1), N == q'), asks('current_predicate(N, user:_), N == q'),
    asks('predicate_property(user:H, dynamic), H = q(_)'), asks('source_file(q(_), _)'), asks('source_file(H, _), H = q(_)'),
    asks('source_file(F), sub_atom(F, _, _, 0, \'/z.pl\')').
",
        &"[p(no)]\n[p(yes)]\n".repeat(7),
    );
}

/// What a call in vain does is another thing, then.
#[test]
fn the_flag_unknown_is_set() {
    prints(
        r"
run :-
    text(c, ':- module(c, [p/1]). :- table p/1. p(X) :- catch(q(X), _, X = none).'), load_files(c, []), show,
    set_prolog_flag(c:unknown, fail), show, set_prolog_flag(c:unknown, error), show.
",
        "[p(none)]\n[]\n[p(none)]\n",
    );
}

/// Also what a goal defines, but for changes of what is there already.
#[test]
fn a_goal_defines_what_was_inherited_or_meant_nothing() {
    prints(
        r"
run :-
    text(c, ':- module(c, [p/1]). :- table p/1. p(X) :- G = q(X), catch(G, error(_, _), X = none).'), load_files(c, []), show,
    assertz(user:q(user)), show, assertz(user:q(later)), show, assertz(c:q(own)), show, assertz(c:q(later)), show,
    text(d, ':- table pd/1. pd(X) :- catch(qd(X), error(_, _), X = none).'), load_files(d, []), show(pd(_)), dynamic(qd/1), show(pd(_)).
",
        "[p(none)]\n[p(user)]\n[p(user)]\n[p(own)]\n[p(own)]\n[pd(none)]\n[]\n",
    );
}

/// Tables stay: nothing that was called means something else.
#[test]
fn another_file_defines_what_nobody_has_called() {
    prints(
        r"
:- dynamic(times/1).
run :-
    text(c, ':- table p/1. p(X) :- assertz(user:times(c)), q(X). r :- s. q(c).'), text(z, 's. t :- u. u.'), load_files(c, []), show,
    catch(r, error(_, _), true), load_files(z, []), show, assertz(v(1)), show, findall(T, times(T), Ts), print(Ts), nl.
",
        "[p(c)]\n[p(c)]\n[p(c)]\n[c]\n",
    );
}

#[test]
fn another_file_adds_clauses() {
    prints(
        r"
run :-
    caller(':- multifile q/1. q(c).'), text(d, ':- multifile q/1. q(d).'),
    load_files(c, []), show, load_files(d, []), show, unload_file(d), show.
",
        "[p(c)]\n[p(c),p(d)]\n[p(c)]\n",
    );
}

#[test]
fn a_definition_is_abolished() {
    prints(
        r"
run :-
    assertz(user:q(user)), caller(':- module(c, [p/1]). q(c).'), load_files(c, []), show, c:abolish(q/1), show.
",
        "[p(c)]\n[p(user)]\n",
    );
}

/// The tables of other threads, too.
#[test]
fn another_thread_imports_it() {
    prints(
        r"
ask(Main) :- repeat, thread_get_message(go), catch(findall(X, p(X), L), error(E, _), L = E), thread_send_message(Main, L), L == [b], !.
shown(T) :- thread_send_message(T, go), thread_get_message(L), print(L), nl.
run :-
    exporter(a), exporter(b), caller(''), text(i, ':- use_module(a).'), load_files([i, c], []),
    thread_self(Main), thread_create(ask(Main), T), shown(T),
    text(i, ':- use_module(b).'), make, shown(T), thread_join(T).
",
        "[a]\n[b]\n",
    );
}

/// A library that is found while a tabled predicate is evaluated changes nothing: it has meant that before.
#[test]
fn what_is_found_when_it_is_called_was_meant_before() {
    prints(
        r"
:- dynamic(times/1).
times(0).
:- table p/2, s/2.
p(X, Y) :- X < 3, retract(times(N)), M is N + 1, assertz(times(M)), Z is X + 1, s(Z, Y).
p(3, 3).
s(X, Y) :- p(X, Z), max_member(Y, [Z, 0]).
run :- show(p(0, _)), show(p(0, _)), use_module(library(lists)), show(p(0, _)), times(N), print(N), nl.
",
        "[p(0,3)]\n[p(0,3)]\n[p(0,3)]\n3\n",
    );
}
