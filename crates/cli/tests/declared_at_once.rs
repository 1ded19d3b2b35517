//! Declarations and clauses of files that are edited, loaded by several threads at once, within each other, and left half way: each belongs to its file, from where it
//! stands till a later version of the file has been loaded that does not make it.

mod common;

use common::edited::runs;

/// What a file declares holds for the files that it loads, whose loads end before its own; also for those that are loaded at the same time, in which it was.
#[test]
fn a_declaration_holds_from_where_it_stands() {
    let (run, err) = runs(
        &[
            (
                "main1.pl",
                ":- dynamic d/1.\n:- consult(facts1).\n:- initialization(( assertz(d(2)), retract(d(1)) )).\n",
            ),
            ("facts1.pl", "d(1).\n"),
        ],
        "load([main1]), show, make, show",
    );
    assert_eq!(err, "");
    run.prints("[2] dynamic\n[2] dynamic\n");
}

/// A predicate moves to another file, which is loaded before the one that had it: what that had declared is over.
#[test]
fn a_predicate_moves_without_its_declarations() {
    const SAYS: &str = "said :- findall(P, ( member(P, [dynamic, tabled, multifile, det, meta_predicate(_)]), predicate_property(d(_), P) ), Ps), print(Ps), write(' '), show";
    for old in ["table", "det", "discontiguous", "public"] {
        let (run, _) = runs(
            &[
                ("u1.pl", "u0.\n"),
                ("v1.pl", &format!(":- {old} d/1.\nd(1).\n")),
            ],
            &format!(
                "load([u1, v1]), edit(u1, 'u0.\\n:- dynamic d/1.\\nd(2).\\n'), edit(v1, 'v0.\\n'), load([u1, v1]), said, assertz(d(3)), show, retract(d(2)), show.\n{SAYS}"
            ),
        );
        run.prints("[dynamic] [2] dynamic\n[2,3] dynamic\n[3] dynamic\n");
    }
}

/// Of the files of a multifile predicate one does not declare any more what another has never declared.
#[test]
fn what_one_of_several_files_declares_no_longer_is_so_no_longer() {
    for (old, property) in [
        ("det(d/1)", "det"),
        ("meta_predicate(d(0))", "meta_predicate(_)"),
        ("volatile(d/1)", "volatile"),
        ("dynamic(d/1 as incremental)", "incremental"),
    ] {
        let (run, _) = runs(
            &[
                ("v1.pl", &format!(":- multifile d/1.\n:- {old}.\nd(3).\n")),
                ("v2.pl", ":- multifile d/1.\nd(4).\n"),
            ],
            &format!(
                "load([v1, v2]), has, edit(v1, ':- multifile d/1.\\nd(3).\\n'), load([v1]), has, show.\n\
                 has :- ( predicate_property(d(_), {property}) -> writeln(yes) ; writeln(no) )"
            ),
        );
        run.prints("yes\nno\n[3,4] static\n");
    }
}

/// A predicate moves between files that two threads load at the same time: it is what the file says that has it now, whichever load ends first.
#[test]
fn files_loaded_at_once_lose_no_declarations() {
    for (old, new, properties) in [
        ("", ":- dynamic d/1.\n", "[dynamic]"),
        (":- table d/1.\n", ":- dynamic d/1.\n", "[dynamic]"),
        ("", ":- table d/1.\n", "[tabled]"),
        (
            ":- dynamic d/1.\n",
            ":- discontiguous d/1.\n",
            "[discontiguous]",
        ),
        (
            ":- dynamic d/1.\n",
            ":- discontiguous d/1.\n",
            "[discontiguous]",
        ),
    ] {
        let (run, _) = runs(
            &[("u1.pl", "u0.\n"), ("v1.pl", &format!("{old}d(1).\n"))],
            &format!(
                "load([u1, v1]), forall(between(1, 8, _), round), writeln(done).\n\
                 round :- edit(u1, 'u0.\\n{new}d(2).\\n'), edit(v1, 'v0.\\n'), both, has({properties}, 2), edit(v1, '{old}d(1).\\n'), edit(u1, 'u0.\\n'), both.\n\
                 both :- findall(T, ( member(F, [u1, v1]), thread_create(load([F]), T) ), Ts), forall(member(T, Ts), thread_join(T, _)).\n\
                 has(Ps, X) :- findall(P, ( member(P, [dynamic, tabled, discontiguous]), predicate_property(d(_), P) ), Qs), findall(Y, d(Y), Ys),\n\
                     ( Qs-Ys == Ps-[X] -> true ; print(Qs-Ys), nl )"
            ),
        );
        run.prints("done\n");
    }
}

/// A load that is left before its end leaves what the version before has declared.
#[test]
fn a_load_that_is_left_declares_nothing() {
    for said in [
        "meta_predicate(d(0))",
        "det(d/1)",
        "volatile(d/1)",
        "multifile(d/1)",
        "discontiguous(d/1)",
        "public(d/1)",
    ] {
        let (run, _) = runs(
            &[("u1.pl", "d(1).\nd(2).\n")],
            &format!(
                "load([u1]), edit(u1, ':- {said}.\nd(3).\n:- sleep(10).\n'), catch(call_with_time_limit(0.2, load([u1])), time_limit_exceeded, true), all, edit(u1, 'd(1).\nd(2).\n'), load([u1]), all.\n\
                 all :- findall(P, ( member(P, [det, volatile, multifile, discontiguous, public, meta_predicate(_)]), predicate_property(d(_), P) ), Ps), print(Ps), write(' '), show"
            ),
        );
        run.prints("[] [1,2] static\n[] [1,2] static\n");
    }
}

/// What another file has had a module export it exports when its own file is loaded again.
#[test]
fn exports_by_others_stay() {
    let (run, err) = runs(
        &[("m1.pl", ":- module(m1, []).\nd(1).\n")],
        "load([m1]), m1:export(m1:d/1), user:import(m1:d/1), show, edit(m1, ':- module(m1, []).\nd(2).\n'), load([m1]), show, make, show",
    );
    assert_eq!(err, "");
    run.prints("[1] static\n[2] static\n[2] static\n");
}

/// The same of predicates that other files define, or nobody: what those have declared stays, and a name that was only declared means nothing.
#[test]
fn a_load_that_is_left_takes_nothing_over() {
    for said in [
        "meta_predicate(d(0))",
        "det(d/1)",
        "volatile(d/1)",
        "discontiguous(d/1)",
        "public(d/1)",
    ] {
        const SAYS: &str = "all :- findall(P, ( member(P, [det, volatile, multifile, discontiguous, public, meta_predicate(_)]), predicate_property(d(_), P) ), Ps), print(Ps), write(' '), show.\n\
            left(Text) :- edit(u1, Text), catch(call_with_time_limit(0.2, load([u1])), time_limit_exceeded, true)";
        let declared = format!("u0.\\n:- {said}.\\n:- sleep(10).\\n");
        let defined = "u0.\\nd(5).\\n:- sleep(10).\\n";
        let (run, _) = runs(
            &[("u1.pl", "u0.\n"), ("v1.pl", "d(4).\n")],
            &format!(
                "load([u1]), left('{declared}'), all, load([v1]), left('{declared}'), all, edit(u1, 'u0.\\n'), load([u1]), all.\n{SAYS}"
            ),
        );
        run.prints("[] existence_error(procedure,d/1) static\n[] [4] static\n[] [4] static\n");
        let (run, _) = runs(
            &[
                ("u1.pl", "u0.\n"),
                ("v1.pl", &format!(":- {said}.\nd(4).\n")),
            ],
            &format!(
                "load([u1, v1]), all, left('{defined}'), all, edit(u1, 'u0.\\n'), load([u1]), all, edit(v1, 'd(6).\\n'), load([v1]), all.\n{SAYS}"
            ),
        );
        let lines: Vec<&str> = run.out.lines().collect();
        assert_eq!(lines.len(), 4, "{}", run.out);
        assert!(
            lines[0] != "[] [4] static" && lines[1] == lines[0] && lines[2] == lines[0],
            "{said}: {}",
            run.out
        );
        assert_eq!(lines[3], "[] [6] static", "{said}");
    }
}

/// Clauses of a multifile predicate are in the order in which their files were loaded first, also of a file that had none.
#[test]
fn clauses_of_files_keep_their_order() {
    for dynamic in ["", ":- dynamic d/1.\n"] {
        let with = |clauses: &str| format!(":- multifile d/1.\n{dynamic}{clauses}");
        let edit = |file: &str, clauses: &str| format!("edit({file}, '{}')", with(clauses));
        let (run, err) = runs(
            &[
                ("u1.pl", &with("d(1).\n")),
                ("v1.pl", &with("")),
                ("w1.pl", &with("d(9).\n")),
            ],
            &format!(
                "load([u1, v1, w1]), show, {}, load([v1]), show, {}, {}, load([u1, v1]), show, {}, {}, load([v1]), show, load([u1]), show, {}, load([w1]), show, {}, load([w1]), show",
                edit("v1", "d(5).\nd(6).\n"),
                edit("u1", ""),
                edit("v1", ""),
                edit("u1", "d(2).\n"),
                edit("v1", "d(7).\n"),
                edit("w1", ""),
                edit("w1", "d(8).\n"),
            ),
        );
        assert_eq!(err, "");
        let kind = if dynamic.is_empty() {
            "static"
        } else {
            "dynamic"
        };
        let lines = [
            "[1,9]",
            "[1,5,6,9]",
            "[9]",
            "[7,9]",
            "[2,7,9]",
            "[2,7]",
            "[2,7,8]",
        ];
        run.prints(&lines.map(|l| format!("{l} {kind}\n")).concat());
    }
}
