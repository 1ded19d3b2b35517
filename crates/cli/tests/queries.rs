//! Queries that come from a file or a pipe: what is shown of their answers, which flags say how, and the values that later queries use.

mod common;

use common::{LIMIT, finish, run, swipl};

#[test]
fn a_query_shows_bindings() {
    run(&[], "X = 1.\n").status(0).prints_parts(&["X = 1."]);
    run(&[], "X = f(Y), Y = \"s\", Z = 'A b'.\n")
        .status(0)
        .prints_parts(&["X = f(\"s\")", "Y = \"s\"", "Z = 'A b'."]);
    run(&[], "X = - , Y = f(-), Z = [].\n")
        .status(0)
        .prints_parts(&["X = (-)", "Y = f(-)", "Z = []."]);
    run(&[], "X = f(X), Y = g(X), Z = [a|Z].\n")
        .status(0)
        .prints_parts(&["X = f(X),\nY = g(X),\nZ = [a|Z]."]);
    run(&[], "findall(f(Z), Z = g(Z, W), [X]).\n")
        .status(0)
        .prints_parts(&["X = f(_S1), % where\n    _S1 = g(_S1, _)."]);
    run(&[], "A = f(A, A), dif(B, g(A)).\n")
        .status(0)
        .prints_parts(&["A = f(A, A),\ndif(B, g(A))."]);
    run(
        &[],
        "set_prolog_flag(toplevel_print_anon, false).\n_X = f(_X), freeze(C, g(_X)), freeze(D, h(_X, C)).\n",
    )
    .status(0)
    .prints_parts(&["freeze(C, g(_S1)), % where\n    _S1 = f(_S1),\nfreeze(D, h(_S1, C))."]);
    run(&[], "true.\n").status(0).prints_parts(&["true."]);
    run(&[], "fail.\n").status(0).prints_parts(&["false."]);
    run(&[], "X = Y.\n").status(0).prints_parts(&["X = Y."]);
    run(&[], "member(X, [a,b]).\n;\n")
        .status(0)
        .prints_parts(&["X = a ;", "X = b."]);
}

/// The flags of the toplevel, each with queries whose answers it changes.
#[test]
fn flags_of_the_toplevel() {
    let queries = "set_prolog_flag(toplevel_print_anon, false).
_X = 1, Y = 2.
set_prolog_flag(toplevel_print_anon, true).
_X = 1, Y = 2.
set_prolog_flag(toplevel_name_variables, false).
X = f(A,_,A), \\+ \\+ ( numbervars(X, 0, _), print(X), nl ), X = f(b, c, _).
set_prolog_flag(toplevel_extra_white_line, false).
X = 1.
fail.
set_prolog_flag(toplevel_var_size, 2), set_prolog_flag(toplevel_extra_white_line, true).
X = f(a,b,c,d).
catch(print($X), _, true).
set_prolog_flag(answer_write_options, [quoted(false)]).
X = 'A b'.
set_prolog_flag(print_write_options, [quoted(false)]), print('A b'), nl.
";
    let ours = run(&["-q"], queries);
    assert!(
        ours.out.contains("Y = 2.\n\ntrue.\n\n_X = 1,\nY = 2."),
        "{ours:#?}"
    );
    assert!(ours.out.contains("X = 1.\nfalse.\ntrue."), "{ours:#?}");
    assert!(ours.out.contains("X = A b."), "{ours:#?}");
    assert!(ours.out.contains("A b\ntrue."), "{ours:#?}");
    if let Some(mut command) = swipl() {
        command.arg("-q");
        let theirs = finish(command, queries.as_bytes(), LIMIT);
        assert_eq!(ours.out, theirs.out);
    }
}

/// Answers that are undefined, with the program that is left of them.
#[test]
fn undefined_answers() {
    let queries = ":- table p/0, q/0, w/1.
assertz((p :- tnot(q))), assertz((q :- tnot(p))), assertz(w(1)), assertz((w(2) :- p)).
p.
undefined.
X = 1, p, undefined.
set_prolog_flag(toplevel_list_wfs_residual_program, false).
p.
";
    let queries = queries.replacen(":- table", "table", 1);
    let ours = run(&["-q"], &queries);
    let program =
        "% WFS residual program\n    p :-\n        tnot(q).\n    q :-\n        tnot(p).\n";
    for part in [
        format!("{program}p.\n"),
        "undefined.\n".to_owned(),
        format!("{program}X = 1,\n(undefined, p).\n"),
        "true.\n\nundefined.\n".to_owned(),
    ] {
        assert!(ours.out.contains(&part), "{part}: {ours:#?}");
    }
    if let Some(mut command) = swipl() {
        command.arg("-q");
        let theirs = finish(command, queries.as_bytes(), LIMIT);
        assert_eq!(ours.out, theirs.out);
    }
}

#[test]
fn several_queries() {
    run(
        &[],
        "X = 1.\nno_such(1).\nX = 2.\nX is foo + 1.\nX = ).\nX = 3.\nthrow(ball).\natom_length(1, a).\nX = 4.\n",
    )
    .status(0)
    .prints_parts(&["X = 1.", "X = 2.", "X = 3.", "X = 4."])
    .warns(&["no_such/1", "foo/0", "yntax error", "ball", "integer"]);
}

#[test]
fn clauses_from_the_toplevel() {
    run(&[], "assertz(p(1)), assertz(p(2)).\nfindall(X, p(X), L).\n")
        .status(0)
        .prints_parts(&["true.", "L = [1, 2]."]);
    run(
        &[],
        "[user].\np(1).\np(2).\nend_of_file.\nfindall(X, p(X), L).\n",
    )
    .status(0)
    .prints_parts(&["L = [1, 2]."]);
}

/// Comparing each variable with each to find a name for it would take longer than a test may.
#[test]
fn variables_of_an_answer_get_their_names_at_once() {
    run(&["-q"], "length(L, 150000), append(L, L, M).\n")
        .status(0)
        .prints_parts(&["L = [_A, _B, _C,", "M = [_A, _B, _C,"]);
}

/// `$Name` in a query is the value of an earlier answer.
#[test]
fn variables_of_earlier_queries() {
    let queries = "A = 5.\nB is $A+1.\nX = $Nope.\nC = f($A, _).\nX = $C, Y = '$A', Z = $ .\nnumlist(1, 2000, L).\nX = $L.\n";
    run(&["-q"], queries)
        .status(0)
        .prints_parts(&[
            "A = 5.\n",
            "B = 6,\nA = 5.\n",
            "C = f(5, _),\n",
            "X = C, C = f(5, _),\nY = '$A',\nZ = ($).",
        ])
        .warns(&[
            "$Nope was not bound by a previous query",
            "$L was not bound",
        ]);
}
