//! What modules import and reexport follows the files that it comes from, whoever loads these again and in whatever order.

mod common;

use common::{LIMIT, Run, Scratch, finish, samite};

/// Puts files into the directory of the program, as `Name-Text`.
const TEXTS: &str = r"
text(Name, Text) :- atom_concat(Name, '.pl', F), open(F, write, S), write(S, Text), close(S).
texts(L) :- forall(member(N-T, L), text(N, T)).
show(Goals) :- forall(member(G, Goals), ( catch(findall(G, G, L), error(E, _), L = E), print(L), nl )).
exports(M) :- module_property(M, exports(L0)), msort(L0, L), print(L), nl.
";

fn prints(text: &str, expected: &str) {
    runs(text).silent().prints(expected);
}

fn runs(text: &str) -> Run {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", format!("{TEXTS}{text}"));
    let mut command = samite();
    command.current_dir(scratch.path(""));
    command.args(["-g", "run", "-t", "halt", &file]);
    finish(command, b"", LIMIT).status(0)
}

/// A module exports a name because two others do, one of which is edited and does so no more.
#[test]
fn what_two_modules_export_one_of_them_may_keep() {
    prints(
        r"
with(':- reexport(m2).').
without('').
run :-
    texts([m2-':- module(m2, [f2/1]). f2(1).', m4-':- module(m4, []). :- reexport(m3). :- reexport(m2).']),
    forall(member(Before, [with, without]), ( edit(Before), load_files(m4, []), again(without), again(with), again(without) )).
edit(How) :- call(How, T), atom_concat(':- module(m3, [f3/1]). f3(1). ', T, Text), text(m3, Text).
again(How) :- edit(How), load_files(m3, [imports([])]), exports(m4), show([f2(_), m4:f2(_)]).
",
        &"[f2/1,f3/1]\n[f2(1)]\n[m4:f2(1)]\n".repeat(6),
    );
}

/// A module's imports have been taken back, and who has imported from it by name, without its consent, learns of that.
#[test]
fn what_is_not_exported_is_followed_too() {
    prints(
        r"
user:message_hook(import_private(_, _), _, _).
run :-
    texts([m1-':- module(m1, [e/1]). e(0).', m2-':- module(m2, []). :- use_module(m1).', m3-':- module(m3, []). :- use_module(m2, [e/1]).']),
    load_files([m3], []), show([m2:e(_), m3:e(_)]),
    text(m1, ':- module(m1, []). e(1).'), load_files(aside:m1, []), show([m2:e(_), m3:e(_)]),
    text(m1, ':- module(m1, [e/1]). e(2).'), load_files(aside:m1, []), show([m2:e(_), m3:e(_)]).
",
        "[m2:e(0)]\n[m3:e(0)]\nexistence_error(procedure,m2:e/1)\nexistence_error(procedure,m2:e/1)\n[m2:e(2)]\n[m3:e(2)]\n",
    );
}

/// A file is asked for in a load that it has begun itself, so only a part of it is there; nothing else is exported in the end than before.
#[test]
fn what_was_imported_from_half_a_file_is_imported_from_the_whole() {
    prints(
        r"
run :- forall(member(Late, ['', ':- use_module(m2).']), forall(member(How, [by_m2, by_m1]), run(Late, How))).
run(Early, How) :-
    atom_concat(':- module(m1, [p1/1]). p1(1). ', Early, T1),
    texts([m3-':- module(m3, [p3/1]). p3(1).',
           m2-':- module(m2, [p2/1]). :- use_module(m1). :- reexport(m3). p2(1).',
           m1-T1]),
    load_files([m1, m2], [imports([])]),
    sleep(0.02),
    texts([m1-':- module(m1, [p1/1]). p1(2). :- use_module(m2).',
           m2-':- module(m2, [p2/1]). :- load_files(m1, [if(changed)]). :- reexport(m3). p2(2).']),
    call(How), show([m1:p3(_), m1:p2(_)]),
    forall(member(F, [m1, m2, m3]), unload_file(F)).
by_m2 :- load_files(m2, [imports([])]).
by_m1 :- load_files(m1, [imports([])]).
",
        &"[m1:p3(1)]\n[m1:p2(2)]\n[m1:p3(1)]\n[m1:p2(1)]\n".repeat(2),
    );
}

/// What a file has imported so far changes in the middle of its load, and is not what it exports in the end: that is what it exported before.
#[test]
fn who_imports_from_half_a_file_imports_from_the_whole() {
    prints(
        r"
run :-
    texts([m2-':- module(m2, [p2/1, q2/1]). p2(1). q2(1).', m5-':- module(m5, [p5/1]). p5(1).',
           m4-':- module(m4, []). :- reexport(m2, [p2/1]). :- reexport(m5).']),
    load_files(m4, []), show([p2(_), p5(_)]),
    sleep(0.02),
    texts([m2-':- module(m2, [p2/1]). p2(2).',
           m4-':- module(m4, []). :- reexport(m2). :- load_files(m2, [if(changed), imports([])]). :- reexport(m5).']),
    load_files(aside:m4, []), show([p2(_), p5(_)]).
",
        "[p2(1)]\n[p5(1)]\n[p2(2)]\n[p5(1)]\n",
    );
}

/// A thread that has found a file loaded waits for the end of another one that this file uses. Meanwhile somebody begins to load the first one
/// again: nothing is imported from that half, whatever the threads do first.
#[test]
fn who_has_waited_imports_from_a_whole_file() {
    prints(
        r"
:- dynamic(main/1).
meet(Name) :- main(Main), thread_send_message(Main, Name), thread_get_message(go).
run :-
    thread_self(Main), assertz(main(Main)),
    texts([m3-':- module(m3, [p3/1]). p3(1).',
           m2-':- module(m2, []). :- use_module(m1). :- user:meet(m2).',
           m1-':- module(m1, [p1/1]). :- use_module(m2). :- reexport(m3). p1(1).']),
    thread_create(load_files(x:m2, []), Second), thread_get_message(m2),
    thread_create(load_files(m1, [if(not_loaded)]), Importer), sleep(0.1),
    texts([m1-':- module(m1, [p1/1]). :- user:meet(m1). :- reexport(m3). p1(1).']),
    thread_create(load_files(x:m1, []), First), thread_get_message(m1),
    thread_send_message(Second, go), thread_join(Second), sleep(0.1),
    thread_send_message(First, go), thread_join(First), thread_join(Importer),
    show([p1(_), p3(_)]).
",
        "[p1(1)]\n[p3(1)]\n",
    );
}

/// Three threads load files that use each other in a circle. Who took one half done waits, when that has ended, for the one which that took half done.
#[test]
fn who_waits_for_half_a_file_waits_for_what_that_has_taken_half_done() {
    prints(
        r"
:- dynamic(main/1).
gate(Name) :- main(Main), thread_send_message(Main, at(Name)), thread_get_message(go(Name)).
here(Name) :- main(Main), thread_send_message(Main, here(Name)).
pass(Name, Id) :- thread_get_message(at(Name)), thread_send_message(Id, go(Name)).
running(Id) :- ( thread_property(Id, status(running)) -> true ; writeln(too_early) ).
load(F, G) :- use_module(F), catch(G, error(E, _), G = E), thread_exit(G).
run :-
    thread_self(Main), assertz(main(Main)),
    texts([m3-':- module(m3, [p3/1]). :- user:gate(m3). :- use_module(m1). p3(X) :- p1(X).',
           m1-':- module(m1, [p1/1]). :- user:here(m1). :- use_module(m3). :- user:gate(m1). :- use_module(m4). p1(X) :- p4(X).',
           m4-':- module(m4, [p4/1]). :- user:gate(first). :- use_module(m1). :- user:gate(second). p4(1).']),
    thread_create(load(m3, m3:p3(_)), Third), thread_create(load(m4, m4:p4(_)), Fourth),
    thread_get_message(at(m3)), thread_get_message(at(first)),
    thread_create(load(m1, m1:p1(_)), First), thread_get_message(here(m1)), sleep(0.1),
    thread_send_message(Third, go(m3)), sleep(0.1), thread_send_message(Fourth, go(first)), sleep(0.1),
    pass(m1, First), thread_get_message(at(second)), sleep(0.1),
    running(Third), running(First),
    thread_send_message(Fourth, go(second)),
    forall(member(T, [First, Third, Fourth]), ( thread_join(T, S), print(S), nl )).
",
        "exited(m1:p1(1))\nexited(m3:p3(1))\nexited(m4:p4(1))\n",
    );
}

/// A file was refused clauses because another one had imported their name, which is edited so that it does not, or unloaded.
#[test]
fn what_an_import_has_kept_away_comes_when_that_goes() {
    for (kind, all) in [
        ("", "[r(a),r(b)]"),
        (":- multifile(r/1).", "[r(a),r(b)]"),
        (":- dynamic(r/1).", "[r(a),r(b)]"),
    ] {
        let refused = runs(&format!(
            r"
:- dynamic(loads/1).
loads(a) :- fail.
run :-
    texts([m-':- module(m, [r/1]). r(m).', b-':- use_module(m, [r/1]).', a-'']),
    load_files([a, b]), show([r(_)]),
    sleep(0.02), texts([a-'{kind} r(a). :- assertz(loads(1)). r(b).', b-'yb.']), make, show([r(_), yb]),
    make, count,
    texts([c-':- use_module(m, [s/1]).', d-'{kind} s(d). :- assertz(loads(1)).', m-':- module(m, [s/1]). s(m).']),
    load_files(m, [imports([])]), load_files([c, d]), show([s(_)]),
    unload_file(c), show([s(_)]), count.
count :- aggregate_all(count, loads(_), N), print(N), nl.
"
        ));
        let told = "No permission to redefine imported_procedure `m:r/1'";
        refused
            .warns(&[told, "No permission to redefine imported_procedure `m:s/1'"])
            .prints(&format!("[r(m)]\n{all}\n[yb]\n2\n[s(m)]\n[s(d)]\n4\n"));
    }
}

/// Who is refused because of what he imports himself by name is not loaded again when he has that unloaded: he would be refused it again.
#[test]
fn who_gives_up_his_own_import_is_loaded_once() {
    runs(
        r"
:- dynamic(loads/1).
run :-
    texts([m-':- module(m, [r/1]). r(m).', a-':- use_module(m, [r/1]). r(a). :- assertz(loads(1)). :- unload_file(m).']),
    load_files(a), aggregate_all(count, loads(_), N), print(N), nl.
",
    )
    .warns(&["No permission to redefine imported_procedure `m:r/1'"])
    .prints("1\n");
}

/// What is asked for says of operators which they are to be, with variables: the rest of it holds all the same.
#[test]
fn lists_with_patterns_of_operators_are_kept() {
    prints(
        r"
run :-
    texts([m1-':- module(m1, [p1/1, op(700, xfx, ===>)]). p1(1).', m2-':- module(m2, []). :- reexport(m1, [p1/1, op(_, _, ===>)]).',
           m3-':- use_module(m1, [p1/1, op(_, xfx, _)]). :- use_module(m2).']),
    load_files(m3, []), show([p1(_), q1(_)]), exports(m2), sleep(0.02),
    texts([m1-':- module(m1, [p1/1, q1/1, op(700, xfx, ===>)]). p1(2). q1(2).']),
    make, show([p1(_), q1(_)]), exports(m2).
",
        "[p1(1)]\nexistence_error(procedure,q1/1)\n[p1/1]\n[p1(2)]\nexistence_error(procedure,q1/1)\n[p1/1]\n",
    );
}

/// What two modules export because of each other alone is nobody's: who defined it, or reexported it from there, does so no more.
#[test]
fn modules_that_reexport_each_other_keep_nothing_alive() {
    let files = r"
begin :-
    texts([a-':- module(a, []). :- reexport(b).', b-':- module(b, []). :- reexport(c). :- reexport(a).', c-':- module(c, [p/1]). p(1).',
           u-':- use_module(a). q(X) :- p(X).']),
    load_files(u, []), look.
look :- show([p(_), q(_)]), exports(a), exports(b).
";
    let there = |n| format!("[p({n})]\n[q({n})]\n[p/1]\n[p/1]\n");
    let gone =
        "existence_error(procedure,p/1)\nexistence_error(procedure,p/1)\n[]\n[]\n".to_string();
    let runs = [
        (
            "text(b, ':- module(b, []). :- reexport(a).'), make",
            ["text(b, ':- module(b, [p/1]). :- reexport(a). p(3).')", "3"],
        ),
        (
            "text(b, ':- module(b, []). :- reexport(a).'), load_files(b, [])",
            [
                "text(b, ':- module(b, []). :- reexport(a). :- reexport(c).')",
                "1",
            ],
        ),
        (
            "text(c, ':- module(c, []). p(2).'), make",
            ["text(c, ':- module(c, [p/1]). p(3).')", "3"],
        ),
    ];
    for (edit, [back, n]) in runs {
        prints(
            &format!("{files}run :- begin, {edit}, look, {back}, make, look."),
            &[there("1"), gone.clone(), there(n)].concat(),
        );
    }
}

/// One of them has defined it, and what it has from the others is that same thing of its own; and who asks for it by name has it no more, either.
#[test]
fn what_a_module_has_defined_does_not_come_back_to_it() {
    for (a, around) in [
        ("reexport(b)", ""),
        ("reexport(c)", "c-':- module(c, []). :- reexport(b).', "),
        ("reexport(b, except([]))", ""),
    ] {
        prints(
            &format!(
                r"
user:message_hook(import_private(_, _), _, _).
run :-
    texts([{around}u-':- use_module(a).', a-':- module(a, []). :- {a}.', b-':- module(b, [p/1]). :- reexport(a). p(1).']),
    load_files(u, []), show([p(_)]),
    again(':- module(b, []). :- reexport(a). p(2).'), show([p(_)]), exports(b),
    again(':- module(b, [p/1]). :- reexport(a). p(3).'), show([p(_)]),
    again(':- module(b, []). :- reexport(a).'), exports(b), show([p(_)]).
again(B) :- sleep(0.02), text(b, B), make.
"
            ),
            "[p(1)]\nexistence_error(procedure,p/1)\n[]\n[p(3)]\n[]\nexistence_error(procedure,p/1)\n",
        );
    }
    // By name it is asked for whether it is exported or not.
    for edit in [
        "text(b, ':- module(b, []). :- reexport(a).')",
        "text(c, ':- module(c, []). p(2).')",
    ] {
        let none = "existence_error(procedure,a:p/1)\n".repeat(5);
        prints(
            &format!(
                r"
user:message_hook(import_private(_, _), _, _).
run :-
    texts([u-':- use_module(a, [p/1]).', a-':- module(a, []). :- reexport(b).', b-':- module(b, []). :- reexport(c). :- reexport(a).',
           c-':- module(c, [p/1]). p(1).', v-':- module(v, [p/1]). :- use_module(a, [p/1]).', w-':- module(w, []). :- use_module(v).']),
    load_files([u, v, w], []), show([p(_), w:p(_)]), sleep(0.02), {edit}, make,
    show([p(_), a:p(_), b:p(_), v:p(_), w:p(_)]), exports(a), exports(b).
"
            ),
            &format!("[p(1)]\n[w:p(1)]\n{none}[]\n[]\n"),
        );
    }
}

/// make/0 comes to a file before what it imports from: that is loaded when the file asks for it, or for what uses it.
#[test]
fn what_is_to_be_made_is_loaded_when_it_is_asked_for() {
    let files = r"
:- dynamic(user:message_hook/3).
user:message_hook(T, error, _) :- T \= error(existence_error(_, _), _).
begin :-
    texts([m-':- module(m, []).', r-':- module(r, []). :- reexport(m).', n-':- module(n, [g/1]). g(n).', u-':- use_module(r). :- use_module(m).']),
    load_files(u, []).
again(U) :- texts([u-U, m-':- module(m, [g/1]). g(m).']), make, show([g(_)]), source_file_property(F, load_count(C)), sub_atom(F, _, _, 0, '/m.pl'), print(C), nl.
";
    for uses in [
        "use_module(m, [g/1]). :- use_module(n)",
        "use_module(m, [g/1]). :- use_module(n, [g/1])",
        "use_module(m). :- use_module(n, [g/1])",
        "use_module(r). :- use_module(n)",
        "ensure_loaded(m). :- use_module(n)",
    ] {
        prints(
            &format!("{files}run :- begin, again(':- {uses}.')."),
            "[g(m)]\n2\n",
        );
    }
    // What the version before has asked for is another matter.
    prints(
        &format!("{files}run :- begin, again(':- use_module(m, []). :- use_module(n).')."),
        "[g(n)]\n2\n",
    );
}

/// A predicate moves to a module that imports it, or has, while the old one asks what the name means: that goes round in a circle, and means nothing.
#[test]
fn what_a_name_means_in_a_circle_is_found_out() {
    for (before, after) in [
        (
            "a-':- module(a, [f/1]). f(1).', u-':- use_module(a).'",
            "b-':- module(b, [f/1]). :- use_module(a). f(2).', a-':- module(a, []). :- use_module(b). :- ask.', u-':- use_module(b).'",
        ),
        (
            "b-':- module(b, []). c(X) :- f(X).', a-':- module(a, [f/1]). f(1).', u-':- use_module(b). :- use_module(a).'",
            "b-':- module(b, [f/1]). :- use_module(a). f(2).', a-':- module(a, []). :- use_module(b). :- ask, catch(b:f(_), _, true).', u-':- use_module(b).'",
        ),
    ] {
        let text = r"
user:ask :- catch(forall(@(f(_), a), true), _, true).
run :- texts([BEFORE]), load_files(u, []), show([f(_)]), sleep(0.02), texts([AFTER]), make, show([f(_), a:f(_)]).
";
        prints(
            &text.replace("BEFORE", before).replace("AFTER", after),
            "[f(1)]\n[f(2)]\n[a:f(2)]\n",
        );
    }
}

/// While a file is read again its old imports are not in force for who reads it: they were hooks, and what they expand is to be what it is in a fresh process.
#[test]
fn what_a_file_imports_no_more_it_does_not_have_while_it_is_read() {
    prints(
        r"
run :-
    texts([x-':- module(x, [term_expansion/2, goal_expansion/2, h/1]). term_expansion(foo(A), bar(A)). goal_expansion(g(A), A = x). h(x).',
           m-':- module(m, []). :- use_module(x). foo(1). p(A) :- g(A). g(m).']),
    load_files(m, []), show([m:foo(_), m:bar(_), m:p(_)]), sleep(0.02),
    text(m, ':- module(m, []). foo(1). p(A) :- g(A). g(m). :- catch(h(_), error(E, _), ( print(E), nl )). :- use_module(x, [h/1]). :- h(X), print(X), nl.'),
    make, show([m:foo(_), m:bar(_), m:p(_), m:h(_)]).
",
        "existence_error(procedure,m:foo/1)\n[m:bar(1)]\n[m:p(x)]\n\
         existence_error(procedure,m:h/1)\nx\n[m:foo(1)]\nexistence_error(procedure,m:bar/1)\n[m:p(m)]\n[m:h(x)]\n",
    );
}

/// Other threads have what the version before has imported until the new one is there, also where the loader finds a library instead.
#[test]
fn what_is_not_imported_yet_others_still_have() {
    prints(
        r"
user:others :- thread_send_message(other, look), thread_join(other).
run :-
    texts([m-':- module(m, [last/2, f/1]). last(_, m). f(m).', u-':- use_module(m).']),
    load_files(u, []), show([last([1, 2], _), f(_)]), sleep(0.02),
    thread_create(( thread_get_message(look), show([last([1, 2], _)]), show([f(_)]) ), _, [alias(other)]),
    text(u, ':- last([1, 2], X), print(X), nl, others. :- catch(f(_), error(E, _), ( print(E), nl )).'),
    make, show([last([1, 2], _), f(_)]).
",
        "[last([1,2],m)]\n[f(m)]\n2\n[last([1,2],m)]\n[f(m)]\nexistence_error(procedure,f/1)\n[last([1,2],2)]\nexistence_error(procedure,f/1)\n",
    );
}

/// Threads that a file's goals start while it is read again have its imports, not those of the version before; what it imports later they see.
#[test]
fn threads_of_a_file_that_is_read_again_have_its_imports() {
    prints(
        r"
user:told(G) :- catch(( G -> print(G) ; print(no) ), error(E, _), print(E)), nl.
user:apart(G) :- thread_create(told(G), T), thread_join(T).
run :-
    texts([ma-':- module(ma, [p/1]). p(old).', mb-':- module(mb, [p/1]). p(new).', f-':- use_module(ma). q(X) :- p(X).']),
    load_files(f, []), sleep(0.02),
    text(f, ':- apart(p(_)). :- thread_create(apart(p(_)), T), thread_join(T). :- engine_create(x, told(p(_)), E), engine_next(E, _).
        :- thread_create(( thread_get_message(go), told(p(_)), thread_get_message(on), told(p(_)), thread_get_message(over), told(p(_)) ), _, [alias(early)]).
        :- use_module(mb). :- thread_send_message(early, go), apart(p(_)).
        s(1). :- thread_send_message(early, on), apart(p(_)), sleep(0.05). s(2).'),
    make, thread_send_message(early, over), thread_join(early), show([p(_)]).
",
        "existence_error(procedure,p/1)\nexistence_error(procedure,p/1)\nexistence_error(procedure,p/1)\np(new)\np(new)\np(new)\np(new)\np(new)\n[p(new)]\n",
    );
}

/// Messages that are printed while a file is read again ask its hooks as far as they have been read, and these find what was there until it has been.
#[test]
fn hooks_of_messages_in_a_file_that_is_read_again() {
    prints(
        r"
run :-
    text(g, ':- multifile user:message_hook/3. user:message_hook(format(G, []), silent, _) :- other(G, T), print(T), nl. :- dynamic of/1.'),
    text(h, ':- module(h, [other/2]). :- multifile user:message_hook/3. user:message_hook(format(h, []), silent, _) :- seen(T), print(T), nl.
        user:message_hook(say(X), silent, _) :- say(X), nl. seen(h(1)). say(X) :- print(X). other(g, g(1)).'),
    load_files([h, g], []), tell, sleep(0.02),
    text(h, ':- module(h, [other/2]). :- tell. :- multifile user:message_hook/3. user:message_hook(format(h, []), silent, _) :- seen(T), print(T), nl.
        user:message_hook(say(X), silent, _) :- say(X), nl.
        :- tell. seen(h(2)). :- tell. say(X) :- print(new(X)). other(g, g(2)). :- tell. '),
    make, tell.
user:tell :- print_message(silent, format(h, [])), print_message(silent, format(g, [])), print_message(silent, say(it)).
",
        "h(1)\ng(1)\nit\ng(1)\nh(1)\ng(1)\nit\nh(2)\ng(1)\nit\nh(2)\ng(2)\nnew(it)\nh(2)\ng(2)\nnew(it)\n",
    );
}

/// Hooks call a module that is being loaded again: until it is, they find what was there.
#[test]
fn hooks_of_a_module_that_is_loaded_again_answer_as_before() {
    let x = |exports: &str, v: u32| {
        format!(
            ":- module(x, [{exports}]). :- use_module(z). te(A, B) :- fact(A), z(A, B). fact(foo(_)). q({v}). {}",
            match exports {
                "te/2" => "",
                _ => "term_expansion(A, B) :- te(A, B).",
            }
        )
    };
    for (exports, hook) in [
        ("te/2", ":- use_module(x, [te/2 as term_expansion])."),
        (
            "te/2",
            "user:term_expansion(A, B) :- x:te(A, B). :- use_module(x).",
        ),
        ("term_expansion/2", ":- use_module(x, [term_expansion/2])."),
        (
            "term_expansion/2",
            ":- use_module(x, []). user:term_expansion(A, B) :- x:term_expansion(A, B).",
        ),
    ] {
        let (first, second) = (x(exports, 1), x(exports, 2));
        prints(
            &format!(
                r"
run :-
    texts([z-':- module(z, [z/2]). z(foo(A), bar(A)).', x-'{first}', h-'{hook}', u-'foo(1).']),
    load_files(x, [imports([])]), load_files([h, u], []), show([bar(_), x:q(_)]), sleep(0.02),
    texts([x-'{second}', u-'foo(2).']), make, show([bar(_), x:q(_)]), expand_term(foo(3), T), print(T), nl.
"
            ),
            "[bar(1)]\n[x:q(1)]\n[bar(2)]\n[x:q(2)]\nbar(3)\n",
        );
    }
    // The hook is no more: it says nothing, and does not ask the one that asks it.
    prints(
        r"
user:message_hook(import_private(_, _), _, _).
run :-
    texts([x-':- module(x, [term_expansion/2]). term_expansion(foo(A), bar(A)).', u-':- use_module(x, [term_expansion/2]). foo(1).']),
    load_files(u, []), show([bar(_)]), sleep(0.02),
    text(x, ':- module(x, [q/1]). q(2).'), make, show([x:q(_)]), expand_term(foo(3), T), print(T), nl,
    unload_file(x), expand_term(foo(3), T3), print(T3), nl.
",
        "[bar(1)]\n[x:q(2)]\nfoo(3)\nfoo(3)\n",
    );
}

/// Two files make the same thing a hook: each of them for itself.
#[test]
fn a_hook_that_two_files_import_is_lost_with_both() {
    prints(
        r"
run :-
    texts([x-':- module(x, [ge/2]). ge(g(A), A = x).', u-':- use_module(x, [ge/2 as goal_expansion]).', v-':- use_module(x, [ge/2 as goal_expansion]).', w-'']),
    load_files([u, v, w], []), look, sleep(0.02),
    text(u, 'k(1).'), make, look,
    text(w, ':- use_module(x, [ge/2 as goal_expansion]).'), make, unload_file(v), look,
    text(x, ':- module(x, [ge/2, more/0]). ge(g(A), A = y). more.'), sleep(0.02), text(x, ':- module(x, [ge/2]). ge(g(A), A = y).'), make, look,
    unload_file(w), look.
look :- expand_goal(g(1), G), print(G), nl.
",
        "1=x\n1=x\n1=x\n1=y\ng(1)\n",
    );
}
