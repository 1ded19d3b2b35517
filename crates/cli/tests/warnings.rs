//! What is printed about a file that is loaded: the texts of SWI-Prolog, each with its place in the file.

mod common;

use common::{Run, Scratch, run};

/// The file that the messages of a test are about.
const NAME: &str = "program.pl";

/// Loads the text; `FILE` in the expected messages stands for its path.
#[track_caller]
fn loads(text: &str, expected: &str) -> Run {
    let scratch = Scratch::new();
    let file = scratch.file(NAME, text);
    let run = run(&["-g", "true", "-t", "halt", &file], "").status(0);
    assert_eq!(run.err, expected.replace("FILE", &file));
    run
}

#[test]
fn variables_alone_in_a_branch() {
    loads(
        "a(X) :- ( b(X, Y) ; c(Y) ).\n\
         d(X) :- ( b(X) -> c(Y), e(Y) ; \\+ e(Y), ( b(Z) ; c(Z) ) ).\n\
         e(X) :- ( X = 1, ( X = Y ; true ) ; true ).\n\
         f(X) :- M = X, M:( b(X, Y) ; c(Y) ).\n",
        "Warning: FILE:1:\n\
         Warning:    Singleton variable in branch: Y\n\
         Warning: FILE:2:\n\
         Warning:    Singleton variable in \\+: Y\n\
         Warning:    Singleton variable in branch: Z\n\
         Warning: FILE:3:\n\
         Warning:    Singleton variables: [Y]\n\
         Warning: FILE:3:\n\
         Warning:    Singleton variable in branch: Y\n\
         Warning: FILE:4:\n\
         Warning:    Singleton variable in branch: Y\n",
    );
}

#[test]
fn variables_alone_in_a_negation() {
    loads(
        "a(X) :- \\+ b(X, Y), c(Y).\n\
         b(X) :- \\+ ( b(X, Y) ; c(Y) ), c(Y).\n\
         c(X) :- \\+ \\+ b(X, Y), ( Y = 1 ; Y = 2 ).\n\
         d(X) :- \\+ b(X, Y) ; b(X, Y).\n\
         e(X) :- b(X, Y) ; \\+ b(X, Y).\n",
        "Warning: FILE:1:\n\
         Warning:    Singleton variable in \\+: Y\n\
         Warning: FILE:2:\n\
         Warning:    Singleton variable in \\+: Y\n\
         Warning: FILE:3:\n\
         Warning:    Singleton variable in \\+: Y\n\
         Warning: FILE:4:\n\
         Warning:    Singleton variable in \\+: Y\n\
         Warning: FILE:5:\n\
         Warning:    Singleton variable in branch: Y\n",
    );
}

/// Used before or after the branch, in a goal that is an argument, or with a name that says so.
#[test]
fn variables_that_are_fine() {
    loads(
        "a(X) :- ( b(X, Y) ; c(Y) ), d(Y).\n\
         b(X) :- c(Y), ( b(X, Y) ; true ), \\+ c(Y).\n\
         c(X) :- ( A = X ; B = X ), ( A = X ; B = X ).\n\
         d(X) :- ( b(_Y) ; c(_Y) ), call(( b(X, Y) ; c(Y) )).\n\
         e(X) :- ( b(X, _a) ; c(_a) ), b(_1, _1).\n\
         :- true ; X = 1, X = 1.\n",
        "",
    );
}

#[test]
fn variables_marked_as_singletons() {
    loads(
        "a(_X, _X, __b, __b, _c, _c).\n\
         b(_X) :- ( c(_X) ; true ).\n\
         c --> d(_Y), ( e(_Y) ; [] ).\n\
         :- dynamic(d/2).\n\
         d(_Z, _Z).\n",
        "Warning: FILE:1:\n\
         Warning:    Singleton-marked variable appears more than once: _X\n\
         Warning:    Singleton-marked variable appears more than once: __b\n\
         Warning: FILE:2:\n\
         Warning:    Singleton-marked variable appears more than once: _X\n\
         Warning: FILE:3:\n\
         Warning:    Singleton-marked variable appears more than once: _Y\n\
         Warning: FILE:5:\n\
         Warning:    Singleton-marked variable appears more than once: _Z\n",
    );
}

#[test]
fn without_the_style() {
    loads(
        ":- style_check(-singleton).\na(_X, _X) :- ( b(Y) ; c(Y) ).\n",
        "",
    );
}

/// Long disjunctions and conjunctions need no stack.
#[test]
fn large_clauses() {
    let n = 20_000;
    let either: Vec<String> = (0..n).map(|i| format!("b(X, Y, {i})")).collect();
    let both: Vec<String> = (0..n).map(|i| format!("c(X, {i}, _Z)")).collect();
    loads(
        &format!("a(X) :- ( {} ), {}.\n", either.join(" ; "), both.join(", ")),
        "Warning: FILE:1:\n\
         Warning:    Singleton variable in branch: Y\n\
         Warning:    Singleton-marked variable appears more than once: _Z\n",
    );
}

#[test]
fn clauses_not_together() {
    loads(
        "p(1).\nq(1).\np(2).\nq(2).\n:- dynamic(r/1).\nr(1).\np(3).\nr(2).\n\
         :- discontiguous(s/0).\ns.\nt.\ns.\n",
        "Warning: FILE:3:\n\
         Warning:    Clauses of p/1 are not together in the source-file\n\
         Warning:    Earlier definition at FILE:1\n\
         Warning:    Current predicate: q/1\n\
         Warning:    Use :- discontiguous p/1. to suppress this message\n\
         Warning: FILE:4:\n\
         Warning:    Clauses of q/1 are not together in the source-file\n\
         Warning:    Earlier definition at FILE:2\n\
         Warning:    Current predicate: p/1\n\
         Warning:    Use :- discontiguous q/1. to suppress this message\n\
         Warning: FILE:7:\n\
         Warning:    Clauses of p/1 are not together in the source-file\n\
         Warning:    Earlier definition at FILE:1\n\
         Warning:    Current predicate: r/1\n\
         Warning:    Use :- discontiguous p/1. to suppress this message\n\
         Warning: FILE:8:\n\
         Warning:    Clauses of r/1 are not together in the source-file\n\
         Warning:    Earlier definition at FILE:6\n\
         Warning:    Current predicate: p/1\n\
         Warning:    Use :- discontiguous r/1. to suppress this message\n",
    );
}

/// What is said of the predicate comes before what is said of the clause.
#[test]
fn several_problems_of_a_clause() {
    loads(
        "p(1).\nq(1).\np(X) :- ( X = Y ; Y = 1 ), Z = X.\n",
        "Warning: FILE:3:\n\
         Warning:    Singleton variables: [Z]\n\
         Warning: FILE:3:\n\
         Warning:    Clauses of p/1 are not together in the source-file\n\
         Warning:    Earlier definition at FILE:1\n\
         Warning:    Current predicate: q/1\n\
         Warning:    Use :- discontiguous p/1. to suppress this message\n\
         Warning: FILE:3:\n\
         Warning:    Singleton variable in branch: Y\n",
    );
}

#[test]
fn redefined_in_another_file() {
    let scratch = Scratch::new();
    let first = scratch.file("first.pl", "q.\np(1).\np(2).\n");
    let second = scratch.file("second.pl", "r.\nr(1).\np(3).\n");
    let goal = "findall(X, p(X), L), print(L), nl";
    let run = run(&["-g", goal, "-t", "halt", &first, &second], "")
        .status(0)
        .prints("[3]\n");
    assert_eq!(
        run.err,
        format!(
            "Warning: {second}:3:\n\
             Warning:    Redefined static procedure p/1\n\
             Warning:    Previously defined at {first}:2\n"
        )
    );
}

#[test]
fn exports_that_are_not_defined() {
    loads(
        ":- module(m, [p/1, q//2, r/0, op(700, xfx, ===>), s/2, t/1, atom_length/2]).\n\
         :- dynamic(s/2).\nr.\nt(X) :- p(X).\n",
        "ERROR: Exported procedure m:p/1 is not defined\n\
         ERROR: Exported procedure m:q/4 is not defined\n",
    );
    let scratch = Scratch::new();
    scratch.file("inner.pl", ":- module(inner, [a/0, b/0]).\na.\n");
    // What is reexported is defined elsewhere; what `user` defines is not the module's.
    scratch.file(
        "outer.pl",
        ":- module(outer, [a/0, c/0]).\n:- reexport(inner).\n",
    );
    let file = scratch.file("program.pl", "c.\n:- use_module(outer).\n");
    let inner = scratch.path("outer.pl");
    let run = run(&["-g", "a", "-t", "halt", &file], "").status(0);
    assert_eq!(
        run.err,
        format!(
            "ERROR: {inner}:2:\n\
             ERROR:    Exported procedure inner:b/0 is not defined\n\
             ERROR: {file}:2:\n\
             ERROR:    Exported procedure outer:c/0 is not defined\n"
        )
    );
}

/// The message comes with the assertion, and again with its error.
#[test]
fn assertions() {
    loads(
        ":- assertion(1 =:= 2).\n:- assertion(true).\n",
        "ERROR: FILE:1:\n\
         ERROR:    Assertion failed: user:(1=:=2)\n\
         ERROR: FILE:1:\n\
         ERROR:    Assertion failed: user:(1=:=2)\n\
         Warning: FILE:1:\n\
         Warning:    Goal (directive) failed: user:assertion(1=:=2)\n",
    );
}

/// A query that fails an assertion is told of it once.
#[test]
fn assertions_of_queries() {
    let run = run(
        &["-q"],
        "assertion(fail).\ncatch(assertion(fail), _, true).\n",
    )
    .status(0);
    assert_eq!(
        run.err.matches("Assertion failed: user:fail").count(),
        2,
        "{run:#?}"
    );
}

/// What is wrong in an included file is told of with its name.
#[test]
fn included_files() {
    let scratch = Scratch::new();
    let included = scratch.file(
        "included.pl",
        "p(X).\n:- fail.\n:- foo.\natom_length(1, 2).\n:- initialization(fail).\nq(1).\nr.\nq(2).\n:- source_location(F, 9), file_base_name(F, N), writeln(N).\n",
    );
    let file = scratch.file(NAME, ":- include(included).\ns(X).\n");
    let run = run(&["-g", "true", "-t", "halt", &file], "").status(0);
    let expected = "Warning: INC:1:\n\
         Warning:    Singleton variables: [X]\n\
         Warning: INC:2:\n\
         Warning:    Goal (directive) failed: user:fail\n\
         ERROR: INC:3:\n\
         ERROR:    catch/3: Unknown procedure: foo/0\n\
         Warning: INC:3:\n\
         Warning:    Goal (directive) failed: user:foo\n\
         ERROR: INC:4:\n\
         ERROR:    No permission to modify static procedure `atom_length/2'\n\
         Warning: INC:8:\n\
         Warning:    Clauses of q/1 are not together in the source-file\n";
    let expected = expected.replace("INC", &included);
    assert!(run.err.starts_with(&expected), "{}", run.err);
    let end = format!(
        "Warning: {file}:2:\nWarning:    Singleton variables: [X]\nWarning: {included}:5: Initialization goal failed\n"
    );
    assert!(run.err.ends_with(&end), "{}", run.err);
    run.prints("included.pl\n");
}

/// Bytes that are no text come out as U+FFFD, and are told of once for each term.
#[test]
fn bytes_that_are_no_text() {
    let scratch = Scratch::new();
    let text = b"p('caf\xe9\xff').\nq(1).\n% \xff\nq('\xc3\xa9').\n:- p(X), atom_codes(X, L), writeln(L).\n% \xc3";
    let file = scratch.file(NAME, text);
    let run = run(&["-g", "true", "-t", "halt", &file], "").status(0);
    let places = [(1, 6), (3, 2), (6, 2)].map(|(line, column)| {
        format!("Warning: {file}:{line}:\nWarning:    {line}:{column}: Bytes that are no text in encoding utf8\n")
    });
    assert_eq!(run.err, places.concat());
    run.prints("[99,97,102,65533,65533]\n");
}

/// A clause that is refused is not between others.
#[test]
fn refused_clauses() {
    let text = "p(1).\nX is X.\np(2).\nq.\np(3).\n";
    loads(
        text,
        "ERROR: FILE:2:\n\
         ERROR:    No permission to modify static procedure `(is)/2'\n\
         Warning: FILE:5:\n\
         Warning:    Clauses of p/1 are not together in the source-file\n\
         Warning:    Earlier definition at FILE:1\n\
         Warning:    Current predicate: q/0\n\
         Warning:    Use :- discontiguous p/1. to suppress this message\n",
    );
}

/// Hooks are not asked about what says nothing, and what only looks like one of the system's messages is printed as it is.
#[test]
fn what_is_no_message() {
    let text = "user:message_hook(count(_), K, _) :- K = warning.\n\
         :- initialization(( print_message(warning, count(1)), print_message(warning, _), print_message(warning, discontiguous(a, b)) )).\n";
    let scratch = Scratch::new();
    let file = scratch.file(NAME, text);
    let run = run(&["-g", "true", "-t", "halt", &file], "").status(0);
    let told: Vec<&str> = run.err.lines().take(2).collect();
    assert!(
        told[0].contains("Unknown message: _")
            && told[1].ends_with("Clauses of a are not together in the source-file"),
        "{}",
        run.err
    );
}
