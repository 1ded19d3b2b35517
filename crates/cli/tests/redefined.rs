//! Predicates that more than one file defines, declarations without clauses, and kinds and imports that an edited file no longer asks for.
//! As SWI-Prolog 9.0.4 has it, with two differences: what a file declares dynamic is so, whoever defined it before (there it is static once it
//! has been redefined), and what it declares no longer is as in a fresh process (there it stays).

mod common;

use common::edited::runs;
use common::here::prints;

const FILES: &[(&str, &str)] = &[
    ("d1.pl", ":- dynamic d/1.\nd(1).\nd(2).\n"),
    ("d2.pl", ":- dynamic d/1.\nd(3).\n"),
    ("s1.pl", "d(4).\n"),
    ("s2.pl", "d(5).\n"),
    ("m1.pl", ":- multifile d/1.\nd(6).\n"),
    ("declares.pl", ":- dynamic d/1.\n"),
    ("late.pl", "d(7).\n:- dynamic d/1.\nd(8).\n"),
    ("asserts.pl", ":- assertz(d(a)).\n"),
    ("table.pl", ":- table d/1.\nd(9).\n"),
];

fn redefines(by: &str, line: u32, before: &str, its: u32) -> String {
    format!(
        "Warning: {by}.pl:{line}:\nWarning:    Redefined static procedure d/1\nWarning:    Previously defined at {before}.pl:{its}\n"
    )
}

#[test]
fn dynamic_predicates_belong_to_one_file() {
    for (main, out, err) in [
        (
            "load([d1, d2]), show",
            "[3] dynamic\n",
            redefines("d2", 2, "d1", 2),
        ),
        (
            "load([d1]), assertz(d(a)), load([d2]), show",
            "[3] dynamic\n",
            redefines("d2", 2, "d1", 2),
        ),
        (
            "load([d1, s1]), show",
            "[4] static\n",
            redefines("s1", 1, "d1", 2),
        ),
        (
            "load([s1, d1]), show",
            "[1,2] dynamic\n",
            redefines("d1", 2, "s1", 1),
        ),
        (
            "load([declares, s1]), show, load([declares]), show",
            "[4] dynamic\n[4] dynamic\n",
            String::new(),
        ),
        (
            "load([declares, s1, s2]), show",
            "[5] static\n",
            redefines("s2", 1, "s1", 1),
        ),
        (
            "load([d1, late]), show",
            "[7,8] dynamic\n",
            redefines("late", 1, "d1", 2),
        ),
        (
            "load([d1, table]), show",
            "[9] static\n",
            redefines("table", 2, "d1", 2),
        ),
        (
            "load([d1, m1]), show, load([d1]), show",
            "[1,2,6] dynamic\n[1,2,6] dynamic\n",
            String::new(),
        ),
        (
            "load([asserts, d1]), show, load([d1]), show",
            "[a,1,2] dynamic\n[a,1,2] dynamic\n",
            String::new(),
        ),
        (
            "load([d1]), retractall(d(_)), load([d2]), show",
            "[3] dynamic\n",
            String::new(),
        ),
        (
            "dynamic(d/1), load([s1]), show",
            "[4] dynamic\n",
            String::new(),
        ),
        // One after the other, as often as one likes.
        (
            "load([d1, s1, d1, s1]), show, load([s1]), show",
            "[4] static\n[4] static\n",
            redefines("s1", 1, "d1", 2)
                + &redefines("d1", 2, "s1", 1)
                + &redefines("s1", 1, "d1", 2),
        ),
    ] {
        let (run, messages) = runs(FILES, main);
        assert_eq!((run.out.as_str(), messages), (out, err), "{main}");
    }
}

#[test]
fn what_is_declared_no_longer_is_so_no_longer() {
    for (first, then, between, out) in [
        (":- dynamic d/1. d(1).", "d(2).", "true", "[2] static\n"),
        (":- dynamic d/1.", "d(2).", "true", "[2] static\n"),
        // What is asserted stays, and so does what it needs.
        (
            ":- dynamic d/1. d(1).",
            "d(2).",
            "assertz(d(a))",
            "[2,a] dynamic\n",
        ),
        (
            ":- dynamic d/1. d(1).",
            "d(2).",
            "dynamic(d/1)",
            "[2] dynamic\n",
        ),
        (
            ":- dynamic d/1. d(1).",
            ":- discontiguous d/1.",
            "true",
            "[] static\n",
        ),
        (
            ":- dynamic d/1. d(1).",
            "x.",
            "true",
            "existence_error(procedure,d/1) static\n",
        ),
        (
            ":- table d/1. d(1).",
            ":- table d/1.",
            "true",
            "existence_error(procedure,d/1) static\n",
        ),
        (
            "x.",
            ":- table d/1.",
            "true",
            "existence_error(procedure,d/1) static\n",
        ),
        ("x.", ":- discontiguous d/1.", "true", "[] static\n"),
        // Thread-local ones too.
        (
            ":- thread_local d/1. d(1).",
            "d(2).",
            "true",
            "[2] static\n",
        ),
        (
            ":- thread_local d/1. d(1).",
            "d(2).",
            "assertz(d(a))",
            "[a,2] dynamic\n",
        ),
        (
            ":- thread_local d/1. d(1).",
            ":- dynamic d/1. d(2).",
            "true",
            "[2] dynamic\n",
        ),
        (
            ":- thread_local d/1. d(1).",
            "d(2). :- report.",
            "true",
            "[2] static\n[2] static\n",
        ),
        (
            ":- thread_local d/1. d(1).",
            ":- discontiguous d/1.",
            "true",
            "[] static\n",
        ),
        (
            ":- thread_local d/1. d(1).",
            "x.",
            "true",
            "existence_error(procedure,d/1) static\n",
        ),
        (
            ":- table d/1. :- catch(d(_), _, true).",
            ":- table d/1. :- catch(d(_), _, true). d(1).",
            "true",
            "[1] static\n",
        ),
    ] {
        let main = format!("load([r]), {between}, edit(r, '{then}'), load([r]), show");
        let (run, messages) = runs(&[("r.pl", first)], &main);
        assert_eq!(
            (run.out.as_str(), messages.as_str()),
            (out, ""),
            "{first} {then} {between}"
        );
    }
}

/// What is thread-local no longer, all threads see.
#[test]
fn what_is_thread_local_no_longer_is_everybodys() {
    let main = "load([r]), edit(r, 'd(2).'), load([r]), thread_create(show, T), thread_join(T), \
        edit(r, ':- thread_local d/1. d(3).'), load([r]), thread_create(show, U), thread_join(U), show";
    let (run, messages) = runs(&[("r.pl", ":- thread_local d/1. d(1).")], main);
    assert_eq!(
        (run.out.as_str(), messages.as_str()),
        ("[2] static\n[] dynamic\n[3] dynamic\n", "")
    );
}

/// A multifile predicate is dynamic as long as a file says so.
#[test]
fn a_multifile_predicate_is_what_its_files_say() {
    let dynamic = ":- multifile d/1. :- dynamic d/1. d(1).";
    let files = [("r.pl", dynamic), ("m1.pl", ":- multifile d/1.\nd(6).\n")];
    for (main, out) in [
        (
            "load([r, m1]), edit(r, ':- multifile d/1. d(2).'), load([r]), show",
            "[2,6] static\n",
        ),
        (
            "load([m1, r]), edit(r, 'x.'), load([r]), show",
            "[6] static\n",
        ),
        (
            "load([r, m1]), directory(D), atom_concat(D, 'r.pl', F), unload_file(F), show",
            "[6] static\n",
        ),
        ("load([r, m1]), load([m1]), show", "[1,6] dynamic\n"),
        (
            "load([r, m1]), assertz(d(a)), edit(r, 'x.'), load([r]), show",
            "[6,a] dynamic\n",
        ),
        (
            "load([r, m1]), dynamic(d/1), edit(r, 'x.'), load([r]), show",
            "[6] dynamic\n",
        ),
    ] {
        let (run, messages) = runs(&files, main);
        assert_eq!((run.out.as_str(), messages.as_str()), (out, ""), "{main}");
    }
}

/// What a module has called that it inherits, it calls no longer when it does not inherit it any more.
#[test]
fn what_is_inherited_is_what_is_there() {
    let calls = "\\+ \\+ ( catch(q:q(X), error(E, _), X = E) -> print(X), nl ; true )";
    let files = [
        ("m.pl", MODULE),
        ("n.pl", ":- module(n, [d/1]).\nd(other).\n"),
        ("f.pl", "e(f).\n"),
        ("q.pl", ":- module(q, [q/1]).\nq(X) :- d(X).\n"),
        ("s.pl", ":- module(q, [q/1]).\nq(X) :- e(X).\n"),
        ("r.pl", ":- use_module(m).\n"),
    ];
    for (main, out) in [
        (
            "load([q, m]), CALL, edit(m, ':- module(m, []).'), load([m]), CALL",
            "1\nexistence_error(procedure,q:d/1)\n",
        ),
        (
            "load([q, r]), CALL, edit(r, 'x.'), load([r]), CALL",
            "1\nexistence_error(procedure,q:d/1)\n",
        ),
        (
            "load([q, r]), CALL, edit(r, ':- use_module(n).'), load([r]), CALL",
            "1\nother\n",
        ),
        (
            "load([q, r]), CALL, edit(r, ':- use_module(m). d(mine).'), load([r]), CALL",
            "1\nmine\n",
        ),
        (
            "load([s, f]), CALL, edit(f, 'x.'), load([f]), CALL, load([m]), CALL",
            "f\nexistence_error(procedure,q:e/1)\n1\n",
        ),
        (
            "load([s, f]), CALL, directory(D), atom_concat(D, f, F), unload_file(F), CALL",
            "f\nexistence_error(procedure,q:e/1)\n",
        ),
    ] {
        let (run, _) = runs(&files, &main.replace("CALL", calls));
        assert_eq!(run.out, out, "{main}");
    }
}

/// A table that nobody fills is no definition: what is inherited is called, else there is an error.
#[test]
fn tables_without_clauses_define_nothing() {
    let (run, _) = runs(
        &[("t.pl", ":- table d/1.\n:- table m:e/1.\ne(inherited).\n")],
        "load([t]), show, m:e(X), writeln(X), assertz(d(1)), show, abolish(d/1), show",
    );
    run.prints(
        "existence_error(procedure,d/1) static\ninherited\n[1] dynamic\n\
         existence_error(procedure,d/1) static\n",
    );
}

const MODULE: &str = ":- module(m, [d/1, e/1]).\nd(1).\ne(1).\n";

#[test]
fn imports_are_those_of_the_last_load() {
    let tries = "( catch(user:d(X), error(E, _), X = E) -> print(X), nl ; true )";
    for (file, then, edited, out) in [
        // Named in an import, it stays when it is not exported any more.
        (
            ":- use_module(m, [d/1]).",
            "m",
            ":- module(m, [e/1]). d(2). e(2).",
            "2\n",
        ),
        (
            ":- use_module(m).",
            "m",
            ":- module(m, [e/1]). d(2). e(2).",
            "existence_error(procedure,d/1)\n",
        ),
        // A definition goes before an import of a whole module.
        (
            ":- use_module(m, [d/1]).",
            "r",
            ":- use_module(m). d(mine).",
            "mine\n",
        ),
        (
            ":- use_module(m).",
            "r",
            ":- use_module(m, [d/1]). d(mine).",
            "1\n",
        ),
        // Who leaves out what is not exported imports nothing.
        (
            ":- use_module(m, except([zz/1])).",
            "x",
            "x.",
            "existence_error(procedure,d/1)\n",
        ),
    ] {
        let main = format!("load([r]), edit({then}, '{edited}'), load([{then}]), {tries}");
        let (run, _) = runs(&[("m.pl", MODULE), ("r.pl", file)], &main);
        assert_eq!(run.out, out, "{file} {edited}");
    }
}

/// What a file declares of a static predicate is over when another file defines that.
#[test]
fn another_file_declares_what_it_defines() {
    let has = "( forall(( member(P, [tabled, discontiguous, public, meta_predicate(_)]), predicate_property(d(_), P) ), ( print(P), nl )) )";
    let first =
        ":- table d/1.\n:- discontiguous d/1.\n:- public d/1.\n:- meta_predicate d(?).\nd(1).\n";
    let main = format!("load([first]), {has}, load([s1]), show, {has}, load([first]), show, {has}");
    let files = [("first.pl", first), FILES[2]];
    let all = "tabled\ndiscontiguous\npublic\nmeta_predicate d(?)\n";
    let out = format!("{all}[4] static\n[1] static\n{all}");
    runs(&files, &main).0.prints(&out);
    // Where it defines nothing yet, another one's clauses are what it has declared.
    let files = [("first.pl", ":- table d/1.\n"), FILES[2]];
    let main = format!("load([first, s1]), {has}, load([s1]), {has}");
    runs(&files, &main).0.prints("tabled\ntabled\n");
    // One that makes it dynamic says all anew, too: facts of a meta-predicate are not called as they are written.
    let main = format!("load([first, d2]), show, {has}");
    let first = ":- public d/1.\n:- meta_predicate d(0).\nd(1).\n";
    let files = [("first.pl", first), FILES[1]];
    runs(&files, &main).0.prints("[3] dynamic\n");
}

/// A file that loads another one, and defines what that defines: what either has taken over in one load is its own in the next one.
#[test]
fn files_take_over_in_turn() {
    let within = [
        ("r.pl", ":- load_files(x, [if(true)]).\nd(r).\n"),
        ("x.pl", "d(x).\n"),
    ];
    let gone = "edit(x, ''), edit(r, ':- load_files(x, [if(true)]). e. '), load([r]), show";
    let main = format!("load([r]), show, load([r]), show, {gone}");
    let out = "[r] static\n[r] static\nexistence_error(procedure,d/1) static\n";
    runs(&within, &main).0.prints(out);
    // (And the other way round.)
    let within = [
        ("r.pl", "d(r).\n:- load_files(x, [if(true)]).\n"),
        within[1],
    ];
    let out = "[x] static\n[x] static\nexistence_error(procedure,d/1) static\n";
    runs(&within, &main).0.prints(out);
}

/// What another file had is gone once this one has redefined it, also when a declaration below shares the predicate from then on.
#[test]
fn a_declaration_below_does_not_bring_back_what_was_redefined() {
    let files = [
        ("o.pl", "d(o).\n"),
        ("r.pl", "d(3).\n:- multifile d/1.\n"),
        (
            "rd.pl",
            "d(3).\n:- multifile d/1.\n:- findall(X, d(X), L), writeln(L).\nd(4).\n",
        ),
    ];
    let (run, err) = runs(
        &files,
        "load([o, r]), show, load([o]), show, load([r]), show, load([o]), show, edit(o, 'd(o2).'), load([o]), show, \
         directory(D), atom_concat(D, o, P), unload_file(P), show",
    );
    assert_eq!(
        run.out,
        "[3] static\n[3,o] static\n[3,o] static\n[3,o] static\n[3,o2] static\n[3] static\n"
    );
    assert_eq!(err, redefines("r", 1, "o", 1));
    let (run, _) = runs(
        &files,
        "load([rd]), edit(rd, 'e(1).'), load([rd, o]), edit(rd, 'd(5). :- multifile d/1. :- findall(X, d(X), L), writeln(L). d(6).'), load([rd]), show, load([o]), show",
    );
    assert_eq!(run.out, "[3]\n[5]\n[5,6] static\n[5,6,o] static\n");
}

/// A predicate moves from one file to another one, of which the latter is loaded again first: who has asked for it imports it when the name is
/// free, be it one that another file of his has defined, or imported from elsewhere.
#[test]
fn a_name_is_imported_when_it_is_free() {
    let m1 = ("m1.pl", ":- module(m1, [d/1]).\nd(m1).\n");
    let m2 = ("m2.pl", ":- module(m2, [e/1]).\ne(m2).\n");
    let (y, r) = ("y.pl", ":- use_module(m1).\n:- use_module(m2).\n");
    let (owns, has_not) = ("edit(y, 'd(y). ')", "edit(y, 'e. ')");
    let takes = "edit(m2, ':- module(m2, [d/1]). d(m2). ')";
    let gives = "edit(m1, ':- module(m1, [e/1]). e(m1). ')";
    let nothing = "existence_error(procedure,d/1) static\n";
    for (main, out) in [
        // From a file of its own into a module.
        (
            format!("load([y, m1, r]), show, {has_not}, load([y]), show"),
            "[y] static\n[m1] static\n".to_string(),
        ),
        // It has overridden an import.
        (
            format!(
                "{has_not}, load([r]), show, {owns}, load([y]), show, {has_not}, load([y]), show"
            ),
            "[m1] static\n[y] static\n[m1] static\n".to_string(),
        ),
        // From module to module.
        (
            format!("load([r]), show, {takes}, load([m2]), show, {gives}, load([m1]), show"),
            "[m1] static\n[m1] static\n[m2] static\n".to_string(),
        ),
        // It is asked for no longer.
        (
            format!(
                "load([y, r]), edit(r, ':- use_module(m2). '), load([r]), {has_not}, load([y]), show"
            ),
            nothing.to_string(),
        ),
        // It is not exported any longer.
        (
            format!("load([y, r]), {gives}, load([m1]), {has_not}, load([y]), show"),
            nothing.to_string(),
        ),
        // The file that has asked for it is unloaded.
        (
            format!(
                "load([y, r]), directory(D), atom_concat(D, r, F), unload_file(F), {has_not}, load([y]), show"
            ),
            nothing.to_string(),
        ),
    ] {
        let (run, err) = runs(&[m1, m2, (y, "d(y).\n"), ("r.pl", r)], &main);
        assert_eq!(run.out, out, "{main}\n{err}");
    }
}

/// Imports that only the version before has asked for are in nobody's way, also not in that of a file that is loaded within.
#[test]
fn a_file_within_defines_what_is_not_imported_yet() {
    let edited = "consult(p). :- use_module(m, [d/1]).";
    let main = format!("load([r]), edit(r, ':- {edited} '), load([r]), show");
    let files = [
        ("m.pl", MODULE),
        ("r.pl", ":- use_module(m, [d/1])."),
        ("p.pl", "d(mine)."),
    ];
    runs(&files, &main).0.prints("[mine] static\n");
}

/// A module that gives up a name gives up what it imports, and not what that means elsewhere.
#[test]
fn abolishing_an_import_leaves_what_is_imported() {
    for kind in ["", ":- dynamic d/1.\n"] {
        let m = format!(":- module(m, [d/1]).\n{kind}d(1).\n");
        let tries = "forall(catch(user:d(X), error(E, _), X = E), ( print(X), nl ))";
        let main = format!(
            "load([r]), abolish(d/1), {tries}, forall(m:d(Y), ( print(Y), nl )), load([r]), {tries},\n\
             set_prolog_flag(iso, true), catch(( abolish(d/1), E2 = abolished ), error(E2, _), true), print(E2), nl"
        );
        let files = [("m.pl", m.as_str()), ("r.pl", ":- use_module(m, [d/1]).")];
        let (run, _) = runs(&files, &main);
        let refused = match kind {
            "" => "permission_error(modify,static_procedure,m:d/1)",
            _ => "abolished",
        };
        let out = format!("existence_error(procedure,d/1)\n1\n1\n{refused}\n");
        run.prints(&out);
    }
}

/// How a module's text is read is for each load to say.
#[test]
fn flags_of_a_module_end_with_its_version() {
    let module = ":- module(m, []).\nd(\"a\").\n:- set_prolog_flag(double_quotes, codes).\n";
    let shows = "( m:d(X), print(X), nl )";
    let main =
        format!("load([m]), {shows}, edit(m, ':- module(m, []). d(\"a\"). '), load([m]), {shows}");
    runs(&[("m.pl", module)], &main).0.prints("\"a\"\n\"a\"\n");
}

/// Tables are each thread's own; what another thread has loaded is in them, too.
#[test]
fn tables_of_all_threads_end_with_a_version() {
    let other = "thread_create(load([r]), T), thread_join(T, S), writeln(S)";
    let main = format!(
        "load([r]), show, edit(r, ':- table d/1. d(X) :- e(X). e(2).'), {other}, show,\n\
         directory(D), atom_concat(D, 'r.pl', F), thread_create(unload_file(F), T2), thread_join(T2), show, \
         edit(r, ':- table d/1. d(3).'), load([r]), show"
    );
    runs(&[("r.pl", ":- table d/1. d(X) :- e(X). e(1).")], &main)
        .0
        .prints(
            "[1] static\ntrue\n[2] static\nexistence_error(procedure,d/1) static\n[3] static\n",
        );
}

/// What is unloaded leaves nothing behind but what goals have asserted.
#[test]
fn an_unloaded_file_declares_and_imports_nothing() {
    let shows = "forall(member(P, [e, f, g, h]), ( G =.. [P, X], ( catch(( findall(X, user:G, L), print(P-L) ), error(E, _), print(E)), \
                 ( predicate_property(user:G, dynamic) -> write(' dynamic') ; true ), nl ) ))";
    let r = ":- use_module(m, [d/1]). :- use_module(n).\n:- dynamic e/1. e(1).\n:- dynamic f/1.\n:- discontiguous g/1.\n";
    let main = format!(
        "load([r]), show, assertz(e(2)), directory(D), atom_concat(D, 'r.pl', F), unload_file(F), show, {shows},\n\
         load([m]), show, atom_concat(D, 'm.pl', M), unload_file(M), show"
    );
    let files = [
        ("r.pl", r),
        ("m.pl", MODULE),
        ("n.pl", ":- module(n, [h/1]). h(1)."),
    ];
    runs(&files, &main).0.prints(
        "[1] static\nexistence_error(procedure,d/1) static\n\
         e-[2] dynamic\nexistence_error(procedure,f/1)\nexistence_error(procedure,g/1)\nexistence_error(procedure,h/1)\n\
         [1] static\nexistence_error(procedure,d/1) static\n",
    );
}

/// An export that is defined nowhere is not what its module inherits.
#[test]
fn exports_are_not_what_a_module_inherits() {
    runs(
        &[
            ("m.pl", MODULE),
            ("n.pl", ":- module(n, [d/1])."),
            ("r.pl", ":- use_module(m). :- use_module(n)."),
        ],
        "load([r]), show, edit(m, ':- module(m, [e/1]). e(1).'), load([m]), show",
    )
    .0
    .prints("[1] static\nexistence_error(procedure,d/1) static\n");
    // And has no properties.
    let has = "forall(( member(M, [user, n]), predicate_property(M:d(_), P) ), ( print(P), nl )), writeln(none)";
    let files = [
        ("n.pl", ":- module(n, [d/1])."),
        ("r.pl", ":- use_module(n)."),
    ];
    runs(&files, &format!("load([r]), {has}"))
        .0
        .prints("none\n");
}

/// A name that a file imports by name, and defines too, while another file, or a goal, has it already: the import is refused each time that the file is
/// loaded, and its clauses are those of the name; until nobody else has it.
#[test]
fn what_was_refused_is_refused_each_time() {
    let m = ("m.pl", ":- module(m, [t/1, d/1]).\nt(m).\nd(m).\n");
    for (other, kind) in [
        (":- dynamic d/1.\n", "dynamic"),
        (":- discontiguous d/1.\n", "static"),
        (":- thread_local d/1.\n", "dynamic"),
        ("d(e).\n", "static"),
        (":- dynamic d/1.\nd(e).\n", "static"),
        (":- table d/1.\nd(e).\n", "static"),
    ] {
        for import in [
            ":- use_module(m, [d/1]).\n",
            ":- use_module(m, [t/1 as d]).\n",
            ":- use_module(m, []).\n:- import(m:d/1).\n",
        ] {
            let a = format!("{import}d(X) :- X = 1.\nd(2).\n");
            let files = [m, ("e.pl", other), ("a.pl", a.as_str())];
            let again = format!("[1,2] {kind}\n");
            // (A clash is an error each time; what the clauses redefine is told once.)
            let (run, err) = runs(
                &files,
                "load([e, a]), show, load([a]), show, load([a]), show, edit(e, ''), load([e, a]), show",
            );
            assert_eq!(
                run.out,
                format!("{again}{again}{again}[m] static\n"),
                "{other}{import}{err}"
            );
            assert_eq!(err.matches("name clash").count(), 3, "{other}{import}{err}");
            // Loaded again in turn they take it from each other, and the import stays refused.
            let (run, err) = runs(
                &files,
                "load([e, a, e, a]), show, load([m, a]), show, directory(D), atom_concat(D, 'e.pl', E), unload_file(E), load([a]), show",
            );
            assert_eq!(
                run.out,
                format!("{again}{again}[m] static\n"),
                "{other}{import}{err}"
            );
        }
    }
    // What a goal has made dynamic.
    let a = ("a.pl", ":- use_module(m, [d/1]).\nd(2).\n");
    runs(
        &[m, a],
        "assertz(d(1)), load([a]), show, load([a]), show, load([a]), show",
    )
    .0
    .prints("[1,2] dynamic\n[1,2] dynamic\n[1,2] dynamic\n");
    // What only the file itself has had is no hindrance.
    runs(&[m, a], "edit(a, 'd(1).'), load([a]), show, edit(a, ':- use_module(m, [d/1]).'), load([a]), show, load([a]), show")
        .0
        .prints("[1] static\n[m] static\n[m] static\n");
}

/// What another file imports as part of a module, and the file has overridden by a definition: its next version begins with that import, too.
#[test]
fn what_was_overridden_is_imported_first_each_time() {
    let files = [
        ("m.pl", ":- module(m, [d/1]).\nd(m).\n"),
        ("n.pl", ":- module(n, [d/1]).\nd(n).\n"),
        ("o.pl", ":- use_module(m).\n"),
        ("a.pl", ":- use_module(n, [d/1]).\n:- dynamic d/1.\nd(a).\n"),
    ];
    let (run, err) = runs(
        &files,
        "load([o, a]), show, load([a]), show, load([a]), show, edit(o, ''), load([o, a]), show",
    );
    assert_eq!(
        run.out, "[a] dynamic\n[a] dynamic\n[a] dynamic\n[n] static\n",
        "{err}"
    );
}

/// A declaration ends with the last file that makes it, whatever else other files declare of the predicate.
#[test]
fn each_declaration_ends_with_its_files() {
    for (declaration, property) in [
        ("multifile", "multifile"),
        ("discontiguous", "discontiguous"),
        ("public", "public"),
    ] {
        let is = format!("( predicate_property(d(_), {property}) -> writeln(yes) ; writeln(no) )");
        for other in [
            ":- dynamic d/1.\n",
            ":- table d/1.\nd(o).\n",
            ":- meta_predicate d(0).\nd(o).\n",
        ] {
            let says = format!(":- {declaration} d/1.\n");
            let files = [("o.pl", other), ("a.pl", &says), ("b.pl", &says)];
            let main = format!(
                "load([o, a, b]), {is}, edit(a, ''), load([a]), {is}, edit(b, ''), load([b]), {is},\n\
                 edit(a, ':- {declaration} d/1.'), load([a]), {is}, directory(D), atom_concat(D, 'a.pl', A), unload_file(A), {is}"
            );
            let (run, err) = runs(&files, &main);
            assert_eq!(run.out, "yes\nyes\nno\nyes\nno\n", "{other}{says}{err}");
        }
    }
    // As long as several files have clauses of it, they keep them.
    let m = ":- multifile d/1.\nd(1).\n";
    let files = [("a.pl", m), ("b.pl", m), ("c.pl", "d(2).\n")];
    runs(
        &files,
        "load([a, b]), edit(a, 'd(1).'), load([a]), show, edit(b, 'd(3).'), load([b]), show",
    )
    .0
    .prints("[1,1] static\n[1,3] static\n");
}

/// What a file declares and abolishes again it has not declared, at any load.
#[test]
fn what_is_abolished_is_not_declared() {
    let a = ":- discontiguous d/1.\n:- abolish(d/1).\n:- public d/1.\n";
    let unknown = "existence_error(procedure,d/1) static\n";
    runs(
        &[("a.pl", a)],
        "load([a]), show, load([a]), show, load([a]), show",
    )
    .0
    .prints(&[unknown; 3].concat());
}

/// What one file imports weakly and another by name is as weak at each load, and gives way to the clauses of that other one.
#[test]
fn a_weak_import_is_weak_at_each_load() {
    let m = ":- module(m, [d/1]).\nd(m).\n";
    let other = ":- module(n, [d/1]).\nd(n).\n";
    for (b, mark) in [
        (":- use_module(m, [d/1]).\nd(b).\n", ""),
        (":- use_module(n, [d/1]).\nd(b).\n", "another"),
    ] {
        let files = [
            ("m.pl", m),
            ("n.pl", other),
            ("a.pl", ":- use_module(m).\n"),
            ("b.pl", b),
        ];
        for loads in [
            "[a]), load([b]), show, load([b]), show, load([b])",
            "[a, b]), show, load([a, b]), show, load([b])",
        ] {
            let (run, err) = runs(&files, &format!("load({loads}, show"));
            assert_eq!(
                run.out, "[b] static\n[b] static\n[b] static\n",
                "{mark} {loads}: {err}"
            );
        }
    }
}

/// What is imported by name and not defined keeps a name from being defined, too: the file that is refused it is not loaded again for that.
#[test]
fn what_is_exported_and_not_defined_is_refused_once() {
    prints(
        r"
:- multifile(user:message_hook/3).
user:message_hook(error(E, _), error, _) :- print(E), nl.
user:message_hook(undefined_export(_, PI), error, _) :- print(undefined(PI)), nl.
put(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S), sleep(0.02).
load(Name) :- here(Name, F), load_files(F, []).
run :-
    put('m.pl', ':- module(m, [q/1]).'), put('f.pl', ':- use_module(m, [q/1]). :- writeln(loading). q(1).'), load('f.pl'),
    put('m.pl', ':- module(m, [q/1]). q(0).'), make, put('m.pl', ':- module(m, [q/1]).'), make.
",
        "undefined(q/1)\nloading\npermission_error(redefine,imported_procedure,m:q/1)\nundefined(q/1)\n",
    );
}

/// That the version before had a definition of it is no matter, as in a fresh process; and what the module defines later is imported.
#[test]
fn what_the_version_before_defined_is_imported_by_name_from_a_module_that_does_not_define_it() {
    prints(
        r"
:- multifile(user:message_hook/3).
user:message_hook(error(E, _), error, _) :- print(E), nl.
user:message_hook(undefined_export(_, _), error, _).
user:message_hook(_, warning, _).
put(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S), sleep(0.02).
shown :- catch(findall(X, q(X), L), error(E, _), L = E), print(L), nl.
from(Header, Before) :-
    put('m.pl', Header), put('f.pl', Before), here('f.pl', F), load_files(F, []), shown,
    put('f.pl', ':- use_module(m, [q/1]). :- user:shown. q(2).'), make, shown, make,
    atom_concat(Header, ' q(m).', Defined), put('m.pl', Defined), make, shown,
    put('f.pl', 'q(3).'), make, shown, unload_file(F), here('m.pl', M), unload_file(M).
run :-
    put('b.pl', ':- module(b, [q/1]). q(b).'),
    forall(( member(Header, [':- module(m, [q/1]).', ':- module(m, []).']), member(Before, ['q(1).', ':- use_module(b). q(1).']) ),
           from(Header, Before)).
",
        &"[1]\nexistence_error(procedure,m:q/1)\npermission_error(redefine,imported_procedure,m:q/1)\nexistence_error(procedure,m:q/1)\n[m]\n[3]\n"
            .repeat(4),
    );
}
