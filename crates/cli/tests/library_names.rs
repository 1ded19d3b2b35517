//! What is told of names that only libraries export is what a call of them finds.

mod common;

use common::{Scratch, libraries, run};

/// Names of libraries that are loaded only if they are asked for, and of parts of libraries, are nobody else's: they are not said to be there, asking
/// about them loads and imports nothing, and programs define them for themselves.
#[test]
fn names_that_calls_do_not_find_are_not_there() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "names.pl",
        [
            r"
main :-
    findall(H, hidden(H), Hs),
    length(Hs, N),
    ( N > 500 -> true ; writeln(names(N)) ),
    forall(member(H, Hs), look(H)),
    forall(( library(L), '$is_asked_for'(L), '$library_loaded'(L) ), writeln(loaded(L))),
    writeln(done).

hidden(H) :-
    library(L),
    '$library_exports'(L, PIs),
    member(N/A, PIs),
    \+ sub_atom(N, 0, _, _, $),
    \+ '$library_for_calls'(N/A, _),
    functor(H, N, A),
    \+ '$predicate_properties'(system:N/A, [_|_]).

look(H) :-
    functor(H, N, A),
    forall(( member(M, [user, mine]), seen(M:H, N/A, How) ), ( writeq(M:N/A-How), nl )).

seen(H, _, property(P)) :-
    member(P, [visible, defined, built_in, dynamic, imported_from(_), number_of_clauses(_)]),
    predicate_property(H, P).
seen(M:_, PI, current) :- current_predicate(M:PI).
seen(H, _, head) :- current_predicate(_, H).
seen(M:_, N/A, imported) :- \+ '$predicates_of'(M, N, A, []).
seen(H, PI, called) :- \+ catch(H, error(existence_error(procedure, PI0), _), ( PI0 == PI ; PI0 = _:PI )).
",
            &libraries::facts(),
        ]
        .concat(),
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints("done\n");
}

/// What is found when it is called is there for who asks; who asks only whether it is there does not have it loaded.
#[test]
fn names_that_calls_find_are_there() {
    let goals = "\
        forall(member(H, [partition(_, _, _, _), foo:partition(_, _, _, _)]), predicate_property(H, visible)), \
        ( '$library_loaded'(apply) -> writeln(loaded) ; true ), \
        findall(M, ( member(H, [partition(_, _, _, _), foo:last(_, _)]), predicate_property(H, imported_from(M)) ), Ms), print(Ms), nl, \
        forall(( member(A, [false, explicit]), set_prolog_flag(autoload, A) ), ( predicate_property(bar:subtract(_, _, _), visible) -> writeln(A) ; true ))";
    run(&["-g", goals, "-t", "halt"], "")
        .status(0)
        .silent()
        .prints("[apply,lists]\n");
}

/// A program has its own of a name that only a library has which it did not ask for.
#[test]
fn programs_define_what_is_not_there() {
    let text = "
:- if(\\+ predicate_property(contains(_, _), visible)).
contains(L, X) :- memberchk(X, L).
:- endif.
:- if(\\+ current_predicate(kill/1)).
kill(X) :- writeln(killed(X)).
:- endif.
solve((A, B)) :- !, solve(A), solve(B).
solve(A) :- predicate_property(A, built_in), !, call(A).
solve(A) :- predicate_property(A, defined), !, clause(A, B), solve(B).
solve(A) :- writeln(unknown(A)), fail.
rule :- \\+ solve(remove(_, a, b, c)), predicate_property(last(_, _), defined), clause(last(_, _), _).
:- initialization(main).
main :- ( contains([a, b], a) -> writeln(yes) ; true ), kill(x), rule.
";
    let scratch = Scratch::new();
    let program = scratch.file("own.pl", text);
    run(&["-g", "halt", &program], "")
        .status(0)
        .silent()
        .prints_parts(&["yes\nkilled(x)\nunknown(remove(", ",a,b,c))\n"]);
}

/// A check tells of each call that is an error, and nothing of what is found.
#[test]
fn checks_tell_of_what_calls_do_not_find() {
    let scratch = Scratch::new();
    let undefined = [
        "add_element",
        "circuit",
        "contains",
        "directory_exists",
        "kill",
        "set_size",
        "nowhere",
    ];
    let program = scratch.file(
        "calls.pl",
        ":- module(calls, [go/0]).\n\
         go :- contains(a, b), kill(x), circuit([1]), directory_exists(a), set_size(a, 3), nowhere(1), add_element(a, [], _), subtract([], [], _), maplist(kill, []).\n",
    );
    for check in ["list_undefined", "check"] {
        let run = run(&["-g", check, "-t", "halt", &program], "").status(0);
        for name in undefined {
            assert!(
                run.err.contains(&format!("calls:{name}/")),
                "{name}: {run:#?}"
            );
        }
        assert!(!run.err.contains("subtract/3"), "{run:#?}");
    }
}

/// Neither hints of messages nor what is asked for by name lead to what is internal.
#[test]
fn names_of_parts_of_libraries_are_not_offered() {
    for (goal, never) in [
        ("contains(a)", "contains/2"),
        ("kil(a)", "kill/1"),
        (
            "use_module(library(lists), [contains/2]), contains(a, b)",
            "clpfd",
        ),
        ("require([contains/2])", "clpfd"),
    ] {
        let run = run(&["-g", goal, "-t", "halt"], "").status(2);
        assert!(
            run.err.matches(never).count() <= goal.matches(never).count() * 2,
            "{run:#?}"
        );
    }
    run(&["-g", "current_functor(contains, 2)", "-t", "halt"], "").status(1);
    // What has been found is known as before.
    for (goal, hint) in [
        ("last([a], _), last(a)", "last/2"),
        ("use_module(library(clpfd)), circuit(a, b)", "circuit/1"),
        ("subtract(a)", "subtract/3"),
    ] {
        run(&["-g", goal, "-t", "halt"], "")
            .status(2)
            .warns(&[hint]);
    }
}

/// What a library has that SWI-Prolog's of that name has not: it is not in conflict with what a program has, whether in modules or by itself, and it is there for who calls
/// it or names it.
#[test]
fn later_names_are_not_in_conflict() {
    let scratch = Scratch::new();
    scratch.file(
        "folds.pl",
        ":- module(folds, [foldr/4, subseq/3, (\\)/2]).\nfoldr(_, _, _, mine).\nsubseq(_, _, mine).\n\\(_, mine).\n",
    );
    let asks = ":- use_module(library(apply)). :- use_module(library(lists)). :- use_module(library(yall)).";
    let shows = "run :- foldr(a, b, c, X), subseq(a, b, Y), call(\\a, Z), print([X, Y, Z]), nl.\n";
    let defines = "foldr(_, _, _, own).\nsubseq(_, _, own).\n";
    let by_name = ":- use_module(library(apply), [foldr/4]).\n:- use_module(library(lists), except([last/2])).\n";
    let calls = "run :- foldr([X,Y,Z]>>(Z = f(X,Y)), [a,b], c, F), subseq([a,b], [a], R), call(\\V^(V = 1), W), print([F, R, W]), nl.\n";
    let library = "[f(a,f(b,c)),[b],1]\n";
    for (text, out) in [
        (
            format!("{asks}\n:- use_module(folds).\n{shows}"),
            "[mine,mine,mine]\n",
        ),
        (
            format!(":- use_module(folds).\n{asks}\n{shows}"),
            "[mine,mine,mine]\n",
        ),
        (
            format!(
                "{asks}\n{defines}run :- foldr(a, b, c, X), subseq(a, b, Y), print([X, Y]), nl.\n"
            ),
            "[own,own]\n",
        ),
        (format!("{asks}\n{calls}"), library),
        (calls.to_owned(), library),
        (format!("{by_name}{calls}"), library),
    ] {
        let file = scratch.file("uses.pl", &text);
        run(&["-g", "run", "-t", "halt", &file], "")
            .status(0)
            .silent()
            .prints(out);
    }
    // The program's own module of a library's name.
    scratch.file("unix.pl", ":- module(unix, [pipe/3]).\npipe(_, _, mine).\n");
    let text = ":- use_module('./unix').\n:- use_module(library(lists), except([subseq/3 as rest])).\nrun :- pipe(a, b, X), rest([a], L, _), print(X-L), nl.\n";
    let file = scratch.file("uses.pl", text);
    run(&["-g", "run", "-t", "halt", &file], "")
        .status(0)
        .silent()
        .prints("mine-[]\n");
    let refused = format!("{by_name}:- use_module(folds).\nrun.\n");
    let file = scratch.file("uses.pl", &refused);
    run(&["-g", "run", "-t", "halt", &file], "")
        .warns(&["No permission to import folds:foldr/4 into user (already imported from apply)"]);
}

/// What needs no library in SWI-Prolog is found whatever the flag says, and what is not a library's there is not kept from who has imported one of Samite's whole.
#[test]
fn builtins_are_found_without_autoloading() {
    let scratch = Scratch::new();
    let text = ":- set_prolog_flag(autoload, false).\n:- use_module(library(tables)).\n:- use_module(library(backcomp)).\n\
         run :- abolish_private_tables, thread_wait(true, []), call_cleanup(true, _, true), \\+ tracing, writeln(ok),\n\
             catch(last([a], _), error(E, _), true), print(E), nl.\n";
    let file = scratch.file("builtins.pl", text);
    run(&["-g", "run", "-t", "halt", &file], "")
        .status(0)
        .silent()
        .prints("ok\nexistence_error(procedure,last/2)\n");
}
