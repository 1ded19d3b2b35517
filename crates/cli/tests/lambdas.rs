//! Lambda expressions in clauses of files, which are compiled (`library/program/lambdas.pl`): generated clauses do what the same ones do whose lambda
//! expressions are called, as terms that are bound to variables before. `SAMITE_SEED=n` and `SAMITE_PROGRAMS=n` choose other clauses.

mod common;

use common::here::prints;
use common::random::{Random, setting};
use common::{Scratch, run};
use std::fmt::Write;

const OUTER: &[&str] = &["A", "B", "C", "D"];
const LOCAL: &[&str] = &["X", "Y", "Z", "P"];
const CONSTANTS: &[&str] = &["1", "2", "a", "f(1)", "f(_)", "[]"];

/// Clauses in a file, each twice.
struct Clauses<'a> {
    r: &'a mut Random,
    /// Lambda expressions of the clause that have been given a name in the second version.
    named: usize,
}

impl Clauses<'_> {
    fn variable(&mut self, outer: usize) -> String {
        let of = if self.r.chance(outer) { OUTER } else { LOCAL };
        self.r.one(of).to_string()
    }

    fn term(&mut self, outer: usize) -> String {
        match self.r.below(8) {
            0..=3 => self.variable(outer),
            4 => format!("f({})", self.variable(outer)),
            5 => format!("[{}|{}]", self.variable(outer), self.variable(outer)),
            _ => self.r.one(CONSTANTS).to_string(),
        }
    }

    fn list(&mut self, outer: usize) -> String {
        let elements: Vec<String> = (0..1 + self.r.below(2)).map(|_| self.term(outer)).collect();
        format!("[{}]", elements.join(","))
    }

    fn lambda(&mut self, count: usize, depth: usize) -> String {
        let params: Vec<String> = (0..count)
            .map(|_| match self.r.below(10) {
                0..=6 => self.variable(15),
                _ => self.term(30),
            })
            .collect();
        let free = match self.r.below(12) {
            0..=6 => String::new(),
            7 => "{}/".to_string(),
            8 => format!("{{{}, {}}}/", self.variable(80), self.variable(80)),
            9 => format!("{{{}}}/", self.term(80)),
            _ => format!("{{{}}}/", self.variable(90)),
        };
        let goals: Vec<String> = (0..1 + self.r.below(3)).map(|_| self.body(depth)).collect();
        format!("{free}[{}]>>( {} )", params.join(","), goals.join(", "))
    }

    /// A goal within a lambda expression.
    fn body(&mut self, depth: usize) -> String {
        let (x, y, t) = (self.variable(35), self.variable(35), self.term(40));
        match self.r.below(if depth == 0 { 17 } else { 22 }) {
            0..=2 => format!("{x} = {t}"),
            3 => format!("say({x}-{y}-{t})"),
            4 => format!("member({x}, [1, 2, {t}])"),
            5 => "!".to_string(),
            6 => format!("( {x} == 1 -> {y} = a ; {y} = {t} )"),
            7 => format!("( {x} = 1 ; {y} = {t} )"),
            8 => format!("{x} is {y}+1"),
            9 => format!("\\+ {x} = {t}"),
            10 => format!("freeze({x}, say({y}))"),
            11 => format!("( var({x}) *-> true ; say({y}) )"),
            12 => format!("dif({x}, {t})"),
            13 => format!("findall({x}, member({x}, [{y}, 1]), {})", self.variable(50)),
            14 => format!("user:( {x} = {t}, say({y}) )"),
            15 if self.r.chance(20) => x,
            15 => format!("call({x} = {t})"),
            16 => "true".to_string(),
            _ => self.called(depth - 1, &mut |lambda| (String::new(), lambda)),
        }
    }

    /// A goal that calls a lambda expression; `name` says what goes before it and what it is called there.
    fn called(&mut self, depth: usize, name: &mut dyn FnMut(String) -> (String, String)) -> String {
        let kind = self.r.below(9);
        let count = [1, 2, 1, 2, 3, 1, 1, 1, 3][kind];
        let (before, lambda) = name(self.lambda(count, depth));
        let (k, l, t, v) = (
            self.list(60),
            self.list(60),
            self.term(60),
            self.variable(60),
        );
        let goal = match kind {
            0 => format!("maplist({lambda}, {k})"),
            1 => format!("maplist({lambda}, {k}, {v})"),
            2 => format!("call({lambda}, {t})"),
            3 => format!("call({lambda}, {t}, {v})"),
            4 => format!("foldl({lambda}, {l}, {t}, {v})"),
            5 => format!("include({lambda}, {l}, {v})"),
            6 => format!("forall(member({v}, {l}), call({lambda}, {v}))"),
            7 => format!("findall({v}, ( call({lambda}, {t}) ; true ), {t})"),
            _ => format!("( call({lambda}, {t}, {v}, {k}) -> true ; say({v}) )"),
        };
        format!("{before}{goal}")
    }

    /// A goal outside of lambda expressions.
    fn plain(&mut self) -> String {
        let (v, t) = (self.variable(90), self.term(90));
        match self.r.below(9) {
            0..=2 => format!("{v} = {t}"),
            3 => format!("freeze({v}, say({t}))"),
            4 => format!("freeze({v}, ( {t} = 1 ; true ))"),
            5 => format!("dif({v}, {t})"),
            6 => format!("say({v}-{t})"),
            _ => format!("member({v}, [1, {t}])"),
        }
    }

    /// `tN(A, B, C, D)`, and `cN(A, B, C, D)` that calls.
    fn clause(&mut self, n: usize) -> String {
        let (mut compiled, mut calling) = (Vec::new(), Vec::new());
        for _ in 0..2 + self.r.below(4) {
            if self.r.chance(50) {
                let goal = self.plain();
                compiled.push(goal.clone());
                calling.push(goal);
            } else {
                self.named += 1;
                let named = format!("N{}", self.named);
                let mut text = String::new();
                let goal = self.called(2, &mut |lambda| {
                    text = lambda;
                    (String::new(), named.clone())
                });
                compiled.push(goal.replace(&named, &text));
                calling.push(format!("{named} = ({text}), {goal}"));
            }
        }
        let neck = if self.r.chance(15) { "=>" } else { ":-" };
        let (compiled, calling) = (compiled.join(",\n    "), calling.join(",\n    "));
        format!(
            "t{n}(A, B, C, D) {neck}\n    {compiled}.\nc{n}(A, B, C, D) {neck}\n    {calling}.\n"
        )
    }
}

const HARNESS: &str = "
:- use_module(library(yall)).
:- style_check(-singleton).
:- style_check(-no_effect).
:- dynamic said/1.
say(T) :- told(T, Told), assertz(said(Told)).
% (Which of two variables a constraint names first says nothing.)
told(T, Copy-Constrained) :- copy_term_nat(T, Copy), term_attvars(T, Vs), length(Vs, Constrained).
outcome(Name, N, Answers-Said) :-
    retractall(said(_)),
    Vs = [A, B, C, D],
    atom_concat(Name, N, Called),
    Goal =.. [Called, A, B, C, D],
    findall(Answer, catch(( limit(20, Goal), told(Vs, Answer) ), E, ( E = error(F, _) -> Answer = raised(F) ; Answer = raised(E) )), Answers),
    findall(S, said(S), Said).
% (Lists may grow for ever. Which part of a cyclic expression is no number, compiled arithmetic says otherwise.)
compare(N) :-
    call_with_inference_limit(outcome(c, N, C), 100000, Calling),
    (   Calling == inference_limit_exceeded -> true
    ;   call_with_inference_limit(outcome(t, N, T), 100000, _),
        ( T =@= C -> true ; cyclic_term(T-C) -> true ; print(N), nl, print(T), nl, print(C), nl, atom_concat(t, N, Name), listing(Name/4), halt(1) )
    ).
run(Last) :-
    forall(between(1, Last, N), compare(N)),
    aggregate_all(count, ( current_predicate(Name/_), sub_atom(Name, 0, _, _, '__aux_yall_') ), Compiled),
    ( Compiled > Last -> writeln(same) ; writeln(few(Compiled)) ).
";

#[test]
fn compiled_as_called() {
    let (seed, programs) = (setting("SAMITE_SEED", 1), setting("SAMITE_PROGRAMS", 12));
    for seed in seed..seed + programs {
        let mut r = Random::new(seed);
        let mut text = HARNESS.to_string();
        let last = 40;
        for n in 1..=last {
            let r = &mut r;
            text += &Clauses { r, named: 0 }.clause(n);
        }
        writeln!(text, ":- initialization(run({last})).").unwrap();
        let scratch = Scratch::new();
        let file = scratch.file("lambdas.pl", &text);
        eprintln!("seed {seed}");
        run(&["-g", "true", "-t", "halt", &file], "")
            .status(0)
            .prints("same\n");
    }
}

/// A file that is loaded again has what its text needs, and one that is unloaded nothing.
#[test]
fn reloaded() {
    prints(
        r#"
:- use_module(library(yall)).
clauses(L) :-
    findall(C, ( current_predicate(Name/A), sub_atom(Name, 0, _, _, '__aux_yall_'), functor(H, Name, A), predicate_property(H, number_of_clauses(C)) ), L).
shown :- findall(X, catch(p([1,2], X), _, X = none), L), clauses(C), print(L-C), nl.
version(Text) :- here('edited.pl', F), open(F, write, S), write(S, Text), close(S), load_files(F, [if(true)]), shown.
run :-
    A = "p(L, M) :- maplist([X, Y]>>(Y is X+1), L, M).
", B = "p(L, M) :- maplist([X, Y]>>(Y is X+2), L, M).
",
    atomic_list_concat([A, A], AA), atomic_list_concat([A, B], AB), atomic_list_concat([':- dynamic p/2.
', B, A], BA),
    version(AA), version(AA), version(AB), version(BA), version(B), version("p(L, L)."), version(A),
    here('edited.pl', F), unload_file(F), shown.
"#,
        "[[2,3],[2,3]]-[1]\n[[2,3],[2,3]]-[1]\n[[2,3],[3,4]]-[1,1]\n[[3,4],[2,3]]-[1,1]\n[[3,4]]-[1,1]\n[[1,2]]-[1,1]\n[[2,3]]-[1,1]\n[none]-[]\n",
    );
}

/// What runs while its file is loaded again goes on as it was.
#[test]
fn a_running_call_goes_on() {
    prints(
        r#"
:- use_module(library(yall)).
version(Text) :- here('edited.pl', F), open(F, write, S), write(S, Text), close(S), load_files(F, [if(true)]).
run :-
    thread_self(Me),
    version("q(Me, L) :- maplist([X, Y]>>( thread_send_message(Me, at(X)), thread_get_message(go), Y is X+1 ), [1, 2, 3], L).\n"),
    thread_create(( q(Me, L), thread_exit(L) ), T), thread_get_message(at(1)),
    version("q(_, L) :- maplist([X, Y]>>( true, Y is X+2 ), [1, 2, 3], L).\n"),
    forall(between(1, 3, _), thread_send_message(T, go)), thread_join(T, exited(L1)), q(Me, L2), print(L1-L2), nl.
"#,
        "[2,3,4]-[3,4,5]\n",
    );
}

/// Where lambda expressions stand, and what stays one.
#[test]
fn places() {
    prints(
        r#"
:- use_module(library(yall)).
h(X, m(X)).
g --> call([X, S0, S]>>( S0 = [X|S] ), a), { maplist([_]>>true, [1]) }.
u(L), maplist([X]>>integer(X), L) => print(integers), nl.
u(_) => print(others), nl.
m:w(L) :- maplist([X, Y]>>h(X, Y), [1], L).
few(L) :- maplist([X]>>h(X), [1], L).
open(G) :- maplist([X]>>( member(X, [1, 2]), G, print(X), nl ), [_]).
wrong :- catch(maplist([X]>>( print(X), 1 ), [1]), error(E, _), ( print(E), nl )).
compiled(Head) :- clause(Head, Body), ( sub_term(A, Body), atom(A), sub_atom(A, 0, _, _, '__aux_yall_') -> print(yes) ; print(no) ), nl.
run :-
    phrase(g, L), print(L), nl, u([1]), u([a]), m:w(W), print(W), nl, few(F), print(F), nl,
    ( open(!), fail ; true ), wrong,
    maplist(compiled, [g(_, _), m:w(_), few(_), open(_), wrong]).
"#,
        "[a]\nintegers\nothers\n[m(1)]\n[m(1)]\n1\ntype_error(callable,(print(1),1))\nyes\nyes\nno\nno\nno\n",
    );
}
