//! Meta-arguments of programs' predicates: whoever calls, by whatever way, and whenever the declaration came.
//!
//! *Equation*: a meta-argument arrives as `Module:Plain`, where Module is the innermost that it names, else that of the call. (What names
//! something that is no module's name arrives as it is.) SWI-Prolog, where it is installed, prints the same.

mod common;

use common::{Scratch, lines, samite, swipl};
use std::fmt::Write;

/// An argument and how it arrives in a call of module `M`.
const ARGUMENTS: &[(&str, &str)] = &[
    ("foo", "M:foo"),
    ("foo(x)", "M:foo(x)"),
    ("a:foo", "a:foo"),
    ("a:b:foo", "b:foo"),
    ("a:b:c:foo", "c:foo"),
    ("7", "M:7"),
    ("1:foo", "1:foo"),
    ("[]", "M:[]"),
];

/// Bodies that call `$p` with the argument `$a`; `V` is a variable with that value.
const WAYS: &[&str] = &[
    "$p($a)",
    "V = $a, $p(V)",
    "call($p, $a)",
    "call($p($a))",
    "V = $a, call($p(V))",
    "G = $p($a), G",
    "findall(x, $p($a), _)",
    "forall($p($a), true)",
    "maplist($p, [$a])",
    "V = $a, catch($p(V), _, true)",
    "( fail ; $p($a) )",
    "( $p($a) -> true )",
    "\\+ \\+ $p($a)",
    "once($p($a))",
    "ignore((true, $p($a)))",
    "outer($p($a))",
    "call(outer, $p($a))",
    "assertz((dy :- $p($a))), dy, retract((dy :- _))",
];

const PREDICATES: &[&str] = &[
    "before",
    "after",
    "dyn",
    "other:before",
    "other:after",
    "imported",
];

/// Clauses that call each predicate with each argument in each way, and what they print.
fn callers(module: &str, text: &mut String, expected: &mut Vec<String>) {
    for p in PREDICATES {
        // A call with a module is a call in that module.
        let module = p.split_once(':').map_or(module, |(called_in, _)| called_in);
        for (argument, arrives) in ARGUMENTS {
            for way in WAYS {
                let argument = format!("({argument})");
                let body = way.replace("$p", p).replace("$a", &argument);
                writeln!(text, "t :- {body}.").unwrap();
                expected.push(arrives.replace('M', module));
            }
        }
    }
}

/// A predicate that prints its argument.
fn printer(name: &str) -> String {
    format!("{name}(X) :- print(X), nl.\n")
}

/// The predicates are declared before their callers are compiled, and after.
#[test]
fn arrive_with_their_module() {
    let scratch = Scratch::new();
    let mut expected = Vec::new();
    for (module, header) in [("user", ""), ("mm", ":- module(mm, []).\n")] {
        let mut text = format!(
            "{header}:- use_module(other).\n:- dynamic t/0, dy/0, dyn/1.\n\
             :- meta_predicate outer(0), before(:).\nouter(G) :- call(G).\n"
        );
        text += &["before", "after", "dyn"].map(printer).concat();
        callers(module, &mut text, &mut expected);
        text += ":- meta_predicate after(:), dyn(:).\n";
        scratch.file(&format!("in_{module}.pl"), text);
    }
    let printers = ["before", "after", "imported"].map(printer).concat();
    scratch.file(
        "other.pl",
        format!(
            ":- module(other, [imported/1]).\n:- meta_predicate before(:), imported(:).\n{printers}:- meta_predicate after(:).\n"
        ),
    );
    let main = scratch.file(
        "main.pl",
        // Each body is called as a term, and then as a clause.
        ":- ensure_loaded([in_user, in_mm]).\nrun :- ( t, fail ; mm:t, fail ; true ).\n\
         :- initialization((forall(clause(t, B), ignore(B)), forall(clause(mm:t, B), ignore(mm:B)))).\n",
    );
    check(&lines(samite(), &main), &expected);
    match swipl() {
        Some(swipl) => check(&lines(swipl, &main), &expected),
        None => println!("swipl is not installed: not compared"),
    }
}

fn check(lines: &[String], expected: &[String]) {
    assert_eq!(lines.len(), 2 * expected.len());
    for (n, line) in lines.iter().enumerate() {
        let n = n % expected.len();
        let (way, rest) = (WAYS[n % WAYS.len()], n / WAYS.len());
        let argument = ARGUMENTS[rest % ARGUMENTS.len()].0;
        let p = PREDICATES[rest / ARGUMENTS.len() % PREDICATES.len()];
        assert_eq!(*line, expected[n], "{way} with {argument} of {p}, line {n}");
    }
}

/// The declaration belongs to the predicate, whatever else that is or becomes, and to its file as the file is now.
#[test]
fn are_told_it_whatever_the_predicate_becomes() {
    let scratch = Scratch::new();
    scratch.file("p.pl", ":- meta_predicate p(:).\np(X) :- print(X), nl.\n");
    let edited = scratch.path("p.pl");
    let main = scratch.file(
        "main.pl",
        format!(
            r"
:- [p].
:- table tabled/1.
:- meta_predicate tabled(:), undefined(:), shared(?, :), here(:).
tabled(X) :- print(X), nl.
:- thread_local here/1.
q(X) :- p(X).
run :-
    q(foo), tabled(foo),
    catch(undefined(foo), error(E, _), ( print(E), nl )),
    assertz((undefined(X) :- print(X), nl)), undefined(foo), abolish(undefined/1), catch(undefined(foo), error(F, _), ( print(F), nl )),
    assertz((shared(A, B) :- print(A-B), nl)), shared(a, b), thread_create(shared(a, m:n:b), Id), thread_join(Id),
    assertz((here(C) :- print(C), nl)), here(foo),
    forall(predicate_property(shared(_, _), meta_predicate(H)), ( print(H), nl )),
    setup_call_cleanup(open('{edited}', write, Out), format(Out, 'p(X) :- print(X), nl.~n', []), close(Out)),
    load_files('{edited}', []), q(foo), ( predicate_property(p(_), meta_predicate(_)) -> true ; print(none), nl ).
"
        ),
    );
    let expected = [
        "user:foo",
        "user:foo",
        "existence_error(procedure,undefined/1)",
        "user:foo",
        "existence_error(procedure,undefined/1)",
        "a-(user:b)",
        "a-(n:b)",
        "user:foo",
        "shared(?,:)",
        "foo",
        "none",
    ];
    assert_eq!(lines(samite(), &main), expected);
}

/// What the system's own predicates are given belongs to the module of the call: nonterminals, files, flags. `user` has the same names.
#[test]
fn the_modules_of_what_the_system_is_given() {
    let scratch = Scratch::new();
    let [consulted, reconsulted, compiled] = ["consulted", "reconsulted", "compiled"]
        .map(|name| scratch.file(&format!("{name}.pl"), format!("{name}.\n")));
    scratch.file(
        "inner.pl",
        ":- module(inner, []).\n\
         c --> [inner].\n\
         way(X) :- call_dcg(c, [X], []).\n\
         way(X) :- call(call_dcg, c, [X], []).\n\
         way(X) :- call(call_dcg(c), [X], []).\n\
         way(X) :- G = call_dcg(c, [X], []), G.\n\
         way(X) :- B = c, findall(Y, call_dcg((B, []), [Y], []), [X]).\n\
         way(X) :- phrase(c, [X]).\n\
         way(X) :- call_dcg(user:c, [X], []).\n\
         loads(A, B, C) :- consult(A), reconsult(B), compile(C).\n\
         sets :- unknown(_, fail), \\+ none.\n",
    );
    let program = scratch.file(
        "program.pl",
        format!(
            ":- use_module(inner).\n\
             c --> [user].\n\
             run :- forall(inner:way(X), ( write(X), nl )),\n\
                 forall(member(G, [inner:call_dcg(c, [X], []), @(call_dcg(c, [X], []), inner), call_dcg(inner:c, [X], []), call_dcg(c, [X], [])]), ( G, write(X), nl )),\n\
                 inner:loads('{consulted}', '{reconsulted}', '{compiled}'),\n\
                 forall(member(F, [consulted, reconsulted, compiled]), forall(current_predicate(M:F/0), ( write(M:F), nl ))),\n\
                 inner:sets,\n\
                 catch(none, error(E, _), ( print(E), nl )).\n"
        ),
    );
    let expected = "inner inner inner inner inner inner user inner inner inner user \
                    inner:consulted inner:reconsulted inner:compiled existence_error(procedure,none/0)";
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!(lines(samite(), &program), expected);
    if let Some(swipl) = swipl() {
        assert_eq!(lines(swipl, &program), expected);
    }
}
