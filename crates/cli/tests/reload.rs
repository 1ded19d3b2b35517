//! Files that are loaded again after their text has changed: the state is to be that of a fresh process. `SAMITE_SEED=n` and
//! `SAMITE_HISTORIES=n` choose other random histories. What threads see of it: `reload_threads.rs`.

mod common;

use common::here::{DIRECTORY, prints};
use common::random::{Random, setting};
use common::{LIMIT, Scratch, finish, samite};
use std::fmt::Write;

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

/// The call after a reload tells clauses apart as the first call did, also by what begins their bodies.
#[test]
fn choicepoints_after_a_reload() {
    prints(
        r#"
text(K) :-
    here('chosen.pl', F), open(F, write, S),
    forall(between(1, 300, I), ( J is I+K, format(S, "ch(~w.5, ~w).~n", [I, J]) )),
    format(S, "ch(A, ~w) :- A = 21.5, !.~n", [K]), close(S), load_files(F, [if(true)]).
run :- forall(member(K, [0, 1, 2, 1]), ( text(K), once(( call_cleanup(ch(39.5, X), D = true), ( D == true -> print(X) ; print(left(X)) ), nl )) )).
"#,
        "39
40
41
40
",
    );
}

/// A predicate that is blocked is one of another name, until the file says so no more.
#[test]
fn blocked_predicates() {
    prints(
        r#"
version(Text) :- here('blocked.pl', F), open(F, write, S), write(S, Text), close(S), load_files(F, [if(true)]).
shown :- findall(X, catch(bl(X), error(E, _), ( print(E), nl, fail )), L), print(L), nl.
waits :- ( bl(X), frozen(X, G), G \== true -> writeln(waits) ; writeln(none) ).
run :-
    D = ":- use_module(library(dialect/sicstus/block)).
",
    string_concat(D, "bl(1).
bl(2).
", Plain), string_concat(D, ":- block bl(-).
bl(1).
bl(2).
", Blocked),
    version(Plain), shown, waits, version(Blocked), waits, version(Blocked), waits, version(Plain), shown, waits, version(Blocked), waits, version(""), shown.
"#,
        "[1,2]\nnone\nwaits\nwaits\n[1,2]\nnone\nwaits\nexistence_error(procedure,bl/1)\n[]\n",
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

/// What the loader itself asks the file is of the version that is being read: where files are, how its messages are shown. First a dynamic
/// predicate, then a static one; loaded, loaded again unchanged, and with another path.
#[test]
fn the_loader_asks_the_version_that_is_read() {
    prints(
        r"
text(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
version(Kind, Path, What) :-
    atomic_list_concat([Kind, ' :- multifile user:file_search_path/2, user:message_hook/3. ',
        'user:file_search_path(ll, D) :- path(D). path(\'', Path, '\'). :- use_module(ll(m)). ',
        'user:message_hook(singletons(_, _), warning, _) :- write(', What, '), nl. p(X).'], Text),
    text('reader.pl', Text), here('reader.pl', F), load_files(F, [if(true)]), call(where, W), print(W), nl.
run :-
    forall(member(N, [d1, d2]),
           ( here(N, D), make_directory(D), atom_concat(N, '/m.pl', F), atomic_list_concat([':- module(', N, ', [where/1]). where(', N, ').'], T),
             text(F, T) )),
    here(d1, D1), here(d2, D2),
    version(':- dynamic user:file_search_path/2, user:message_hook/3.', D1, a),
    version(':- dynamic user:file_search_path/2, user:message_hook/3.', D1, a),
    version('', D1, b), version('', D1, b), version('', D2, c).
",
        "a\nd1\na\nd1\nb\nd1\nb\nd1\nc\nd2\n",
    );
}

/// A file that has not changed prints the same each time that it is loaded, beside another one that declares things of its predicates.
#[test]
fn directives_print_the_same_each_time() {
    prints(
        r"
text(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
load(Name) :- here(Name, F), load_files(F, [if(true)]).
pair(':- multifile q1/1.', ':- findall(X, q1(X), L), writeln(L). q1(1).').
pair('', ':- multifile q/1. :- abolish(q/1). :- catch(q(_), error(existence_error(A, B), _), true), writeln(A-B). q0.').
pair('', 'shows(P) :- source_file(P, F) -> file_base_name(F, B), writeln(B) ; writeln(none). :- shows(q0(_)). q0(1). :- shows(q0(_)).').
pair(':- multifile q2/1.', ':- catch(retract(q2(4)), error(E, _), true), writeln(E). q2(1). :- predicate_property(q2(_), dynamic) -> writeln(dynamic) ; writeln(static).').
pair(':- dynamic q3/2.', ':- table q3/2. q3(X, Y) :- q3(X, Z), e(Z, Y). q3(X, Y) :- e(X, Y). e(1, 2). e(2, 1). :- findall(X, q3(1, X), L0), sort(L0, L), writeln(L).').
pair(':- dynamic q4/1.', ':- table q4(max). q4(2). q4(3). :- findall(X, q4(X), L), writeln(L).').
pair(':- table q7/1.', ':- multifile q7/1. q7(4). q7(4). :- findall(X, q7(X), L), writeln(L).').
pair(':- table q8/1.', ':- dynamic q8/1. q8(X) :- q8(Y), Y < 3, X is Y+1. q8(1). :- findall(X, q8(X), L0), sort(L0, L), writeln(L).').
pair('y9(1).', 'q9(1). :- here(\'declares.pl\', F), load_files(F, [if(true)]). q9(2). :- findall(X, q9(X), L), writeln(L).').
pair(':- multifile q5/1. :- discontiguous q6/1.', ':- meta_predicate q5(0), q6(:). :- findall(x, q5(true), L), writeln(L). :- findall(x, q6(true), L), writeln(L).').
run :-
    forall(pair(Declares, Prints),
           ( text('declares.pl', Declares), text('prints.pl', Prints), load('declares.pl'),
             forall(between(1, 3, _), load('prints.pl')),
             forall(member(N, ['prints.pl', 'declares.pl']), ( here(N, F), unload_file(F) )) )).
",
        "[]\n[]\n[]\nprocedure-q/1\nprocedure-q/1\nprocedure-q/1\nnone\nprints.pl\nnone\nprints.pl\nnone\nprints.pl\npermission_error(modify,static_procedure,q2/1)\nstatic\npermission_error(modify,static_procedure,q2/1)\nstatic\n\
         permission_error(modify,static_procedure,q2/1)\nstatic\n[1,2]\n[1,2]\n[1,2]\n[3]\n[3]\n[3]\n[4]\n[4]\n[4]\n[1,2,3]\n[1,2,3]\n[1,2,3]\n[1,2]\n[1,2]\n[1,2]\n[]\n[]\n[]\n[]\n[]\n[]\n",
    );
}

/// A table goes with the last file that declares it, also when another one has clauses.
#[test]
fn tables_go_with_their_declarations() {
    prints(
        r"
text(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
load(Name, Text) :- text(Name, Text), here(Name, F), load_files(F, [if(true)]).
show :- findall(X, p(X), L0), msort(L0, L), ( predicate_property(p(_), tabled) -> T = tabled ; T = not ), writeln(L-T).
run :-
    load('a.pl', ':- multifile p/1. p(2). p(2).'), load('b.pl', ':- multifile p/1. :- table p/1. p(1).'), show,
    load('b.pl', ':- multifile p/1. p(1).'), show,
    load('b.pl', ':- table p/1.'), show, load('b.pl', ''), show,
    load('b.pl', ':- table p/1.'), load('c.pl', ':- table p/1.'), load('b.pl', ''), show,
    here('c.pl', C), unload_file(C), show.
",
        "[1,2]-tabled\n[1,2,2]-not\n[2]-tabled\n[2,2]-not\n[2]-tabled\n[2,2]-not\n",
    );
}

/// A directive of the file sees what is above it.
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

/// A file that has been replaced by an older one has changed, too.
#[test]
fn make_loads_what_is_older() {
    prints(
        r"
put(Name, Text) :- sleep(0.02), here(Name, F), open(F, write, S), write(S, Text), close(S).
show :- findall(X, a(X), L), here('a.pl', F), source_file_property(F, load_count(N)), print(L/N), nl.
run :-
    put('older.pl', 'a(older). '), put('a.pl', 'a(1). '), here('a.pl', A), here('older.pl', Older),
    load_files(A, []), show, rename_file(Older, A), make, show, make, show.
",
        "[1]/1\n[older]/2\n[older]/2\n",
    );
}

/// Texts that are edited, and the kinds of errors that are told of.
const TOLD: &str = r"
:- multifile(user:message_hook/3).
:- dynamic(user:message_hook/3).
user:message_hook(error(E, _), error, _) :- functor(E, F, _), print(told(F)), nl.
put(Name, Text) :- sleep(0.02), here(Name, F), open(F, write, S), write(S, Text), close(S).
";

/// Files that take each other's module names, or pass them on, load whichever make/0 comes to first; not where one keeps its name.
/// What is called alike in both is not redefined.
#[test]
fn make_lets_modules_change_names() {
    let run = r"
all(G) :- ( catch(findall(G, G, L), error(E, _), L = E) -> true ), print(L), nl.
show :- member(G, [p(_), q(_)]), all(user:G), ( predicate_property(user:G, imported_from(M)) -> writeln(M) ; true ), fail.
show.
run :-
    put('a.pl', ':- module(ma, [p/1]). p(1). h(_). '), put('b.pl', ':- module(mb, [q/1]). q(1). h(_). '),
    put('u.pl', ':- use_module(a). :- use_module(b). '), here('u.pl', U), load_files(U, []), show,
    put('a.pl', ':- module(mb, [p/1]). p(2). h(_). '), put('b.pl', ':- module(ma, [q/1]). q(2). h(_). '), make, show,
    put('a.pl', ':- module(mc, [p/1]). p(3). h(_). '), put('b.pl', ':- module(mb, [q/1]). q(3). h(_). '), make, show,
    put('a.pl', ':- module(mb, [p/1]). p(4). h(_). '), put('b.pl', ':- module(mb, [q/1]). q(4). h(_). '), make, show.
";
    prints(
        &format!("{TOLD}{run}"),
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

/// A module's file is renamed, or another one is loaded in its place.
#[test]
fn a_module_moves_to_another_file() {
    prints(
        r"
put(Name, Text) :- sleep(0.02), here(Name, F), open(F, write, S), write(S, Text), close(S).
show :- findall(X, main:t(X), L), findall(X, z:u(X), K), print(L/K), nl.
run :-
    put('m.pl', ':- module(m, [p/1]). p(1). '), put('z.pl', ':- module(z, []). :- use_module(m). u(X) :- p(X). '),
    put('main.pl', ':- module(main, []). :- use_module(m). :- use_module(z). t(X) :- p(X). '),
    here('main.pl', Main), load_files(Main, []), show,
    here('m.pl', M), here('n.pl', N), rename_file(M, N),
    put('z.pl', ':- module(z, []). :- use_module(n). u(X) :- p(X). '), put('main.pl', ':- module(main, []). :- use_module(n). :- use_module(z). t(X) :- p(X). '), make, show,
    put('o.pl', ':- module(m, [p/1]). p(2). '),
    put('z.pl', ':- module(z, []). u(3). '), make, put('main.pl', ':- module(main, []). :- use_module(o). t(X) :- p(X). '), make, show,
    % Its first load was left, and it is no more.
    put('r.pl', ':- module(left, [p/1]). p(5). :- thread_self(T), thread_signal(T, throw(out)), true. '), here('r.pl', R), catch(load_files(R, []), _, true),
    here('s.pl', S), rename_file(R, S), put('s.pl', ':- module(left, [p/1]). p(6). '),
    put('main.pl', ':- module(main, []). :- use_module(s). t(X) :- p(X). '), make, show.
",
        "[1]/[1]\n[1]/[1]\n[2]/[3]\n[6]/[3]\n",
    );
}

/// The same while several files that asked for the old one change, and one that it includes has been edited.
#[test]
fn a_module_moves_while_others_change() {
    prints(
        r"
put(Name, Text) :- sleep(0.02), here(Name, F), open(F, write, S), write(S, Text), close(S).
show :- findall(X, main:t(X), L), print(L), nl.
run :-
    put('m.pl', ':- module(m, [p/1]). p(1). '), put('z.pl', ':- module(z, [u/1]). :- use_module(m). u(X) :- p(X). '),
    put('main.pl', ':- module(main, []). :- use_module(z). t(X) :- u(X). '),
    here('main.pl', Main), load_files(Main, []), show,
    put('n.pl', ':- module(m, [p/1]). p(2). '), put('z.pl', ':- module(z, [u/1]). u(1). '),
    put('main.pl', ':- module(main, []). :- use_module(n). :- use_module(z). t(X) :- p(X). '), make, show,
    put('ma.pl', ':- module(ma, [ap/1]). :- use_module(md). ap(X) :- dr(X). '), put('md.pl', ':- module(md, [dr/1]). :- use_module(sa). dr(X) :- s(X). '),
    put('sa.pl', ':- module(mb, [s/1]). :- include(inc). '), put('inc.pl', 's(1). '),
    put('main.pl', ':- module(main, []). :- use_module(ma). t(X) :- ap(X). '), make, show,
    put('inc.pl', 's(2). '), here('sa.pl', Sa), here('nb.pl', Nb), rename_file(Sa, Nb),
    put('md.pl', ':- module(md, [dr/1]). :- use_module(nb). dr(X) :- s(X). '),
    put('main.pl', ':- module(main, []). :- use_module(ma). t(X) :- ap(X). '), make, show,
    put('inc.pl', 's(3). '), delete_file(Nb), put('md.pl', ':- module(md, [dr/1]). dr(4). '), make, show, put('inc.pl', 's(5). '), make, show.
",
        "[1]\n[2]\n[1]\n[2]\n[4]\n[4]\n",
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
    let run = r"
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
";
    prints(
        &format!("{TOLD}{run}"),
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

/// A file that was away while one that uses it was loaded again (it was renamed, checked out) is used again by make/0 when it is back, edited or not.
#[test]
fn a_file_that_was_away_is_used_again() {
    for asks in [
        "use_module(b)",
        "use_module(b, [b/1])",
        "use_module([b])",
        "reexport(b)",
        "autoload(b, [b/1])",
        "catch(use_module(b), _, true)",
        "if(exists_source(b)).\n:- use_module(b).\n:- endif",
        "( absolute_file_name(b, F, [file_type(prolog), access(read), file_errors(fail)]) -> use_module(F) ; true )",
        "forall(absolute_file_name(b, F, [file_type(prolog), access(read), file_errors(fail), solutions(all)]), use_module(F))",
    ] {
        is_used_again(asks);
    }
}

fn is_used_again(asks: &str) {
    let scratch = Scratch::new();
    let program = scratch.file(
        "program.pl",
        r"
wr(F, S, D) :- open(F, write, O), write(O, S), close(O), get_time(T), T2 is T+D, set_time_file(F, _, [modified(T2)]).
a(N, T) :- format(string(T), ':- module(a, [a/1]).
:- ASKS.
a(~w).
a(X) :- b(X).
', [N]).
b(N, T) :- format(string(T), ':- module(b, [b/1]).
b(~w).
', [N]).
q :- catch(findall(X, a(X), L), error(existence_error(_, L), _), true), print(L), nl.
go :-
    a(1, A1), wr('a.pl', A1, -100), b(2, B2), wr('b.pl', B2, -100), use_module(a), q,
    rename_file('b.pl', 'b.bak'), a(3, A3), wr('a.pl', A3, 20), make, make, q,
    rename_file('b.bak', 'b.pl'), make, q,
    b(4, B4), wr('b.pl', B4, 30), make, q.
"
        .replace("ASKS", asks),
    );
    let mut command = common::samite();
    command
        .args(["-g", "go", "-t", "halt", &program])
        .current_dir(scratch.path(""));
    let said = common::finish(command, b"", common::LIMIT)
        .status(0)
        .prints("[1,2]\na:b/1\n[3,2]\n[3,4]\n");
    // (It is told once, or caught.)
    let told = said.err.matches("`b' does not exist").count();
    assert!(told <= 1, "{asks}: {}", said.err);
}

/// A source file that is a link lies where the link does, and so does what it names. All its names are one file, as long as they lead there.
#[test]
fn links() {
    prints(
        r#"
text(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
old(Name) :- here(Name, F), set_time_file(F, _, [modified(1000000000)]).
link(To, Name) :- here(Name, F), ( catch(delete_file(F), _, true) -> true ; true ), link_file(To, F, symbolic).
show(Goal) :- findall(X, call(Goal, X), L), print(L), nl.
named(F) :- here('', Dir), ( sub_atom(Dir, _, 1, 0, /) -> D = Dir ; atom_concat(Dir, /, D) ), module_property(util, file(File)), atom_concat(D, F, File).
run :-
    here(proj, P), here(shared, S), here(d1, D1), here(d2, D2), forall(member(D, [P, S, D1, D2]), make_directory(D)),
    text('proj/b.pl', ":- module(b, [b/1]).
b(proj).
"), text('shared/b.pl', ":- module(b, [b/1]).
b(shared).
"),
    text('shared/util.pl', ":- module(util, [u/1]).
:- use_module(b).
u(X) :- b(X).
"), link('../shared/util.pl', 'proj/util.pl'),
    here('proj/util.pl', Link), use_module(Link), show(u), show(named),
    here('shared/util.pl', File), use_module(File), here('shared/../proj/util.pl', Around), consult(Around), show(named),
    forall(member(I, [1, 2]), ( format(string(A), ":- module(a, [a/1]).
:- use_module(c).
a(~w). a(X) :- c(X).
", [I]), format(atom(FA), 'd~w/a.pl', [I]), text(FA, A),
        format(string(C), ":- module(c, [c/1]).
c(~w).
", [I]), format(atom(FC), 'd~w/c.pl', [I]), text(FC, C) )),
    forall(member(F, ['d1/a.pl', 'd1/c.pl']), old(F)),
    link(d1, cur), here('cur/a', Cur), use_module(Cur), show(a),
    here('d1/a', First), use_module(First), link(d2, cur), make, show(a), use_module(Cur), show(a),
    text('d2/c.pl', ":- module(c, [c/1]).
c(3).
"), here('d2/c.pl', FC2), get_time(Now), Later is Now+10, set_time_file(FC2, _, [modified(Later)]),
    make, show(a).
"#,
        "[proj]
['proj/util.pl']
['proj/util.pl']
[1,1]
[2,2]
[2,2]
[2,3]
",
    );
}

/// The working directory is called what whoever went there called it: a link is a place of its own.
#[test]
fn the_working_directory_may_be_a_link() {
    prints(
        r#"
text(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
run :-
    here(far, Far), here('far/r', R), here(x, X), forall(member(D, [Far, R, X]), make_directory(D)),
    here('x/l', L), link_file('../far/r', L, symbolic),
    text('far/r/a.pl', ":- module(a, [a/1]).\n:- use_module('../b').\na(X) :- b(X).\n"),
    forall(member(D, [far, x]), ( format(atom(F), '~w/b.pl', [D]), format(string(T), ":- module(b, [b/1]).\nb(~w).\n", [D]), text(F, T) )),
    working_directory(Old, L), use_module(a), a(A), print(A), nl,
    working_directory(W, W), ( sub_atom(W, _, _, 0, 'x/l/') -> true ; print(W) ),
    absolute_file_name('../b.pl', B), ( here('x/b.pl', B) -> true ; print(B) ),
    chdir('..'), exists_file('b.pl'), working_directory(P, P), ( sub_atom(P, _, _, 0, 'x/') -> true ; print(P) ),
    working_directory(_, R), working_directory(Q, Q), ( sub_atom(Q, _, _, 0, 'far/r/') -> true ; print(Q) ),
    catch(working_directory(_, '../none'), error(E, _), true), functor(E, Name, _), print(Name), nl,
    working_directory(_, L), read_file_to_terms('../b.pl', [_, Term], []), print(Term), nl,
    % What it is called with a slash behind, as who asks is told.
    working_directory(Told, X), working_directory(_, Told), read_file_to_terms('../b.pl', [_, Term2], []), print(Term2), nl,
    % Who has removed it goes on from there.
    here(gone, Gone), make_directory(Gone), chdir(Gone), delete_directory(Gone), working_directory(G, G), ( sub_atom(G, _, _, 0, 'gone/') -> true ; print(G) ),
    chdir('..'), exists_directory(x),
    working_directory(_, Old).
"#,
        "x\nexistence_error\nb(x)\nb(x)\n",
    );
}
