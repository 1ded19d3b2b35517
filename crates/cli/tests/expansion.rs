//! Hooks that rewrite what is read: `term_expansion/2` and `goal_expansion/2` of `user`, `system` and the source module. Output as SWI-Prolog's.

mod common;

use common::{Scratch, run};

/// Loads the program beside the module `m` and says what was printed, nothing on standard error.
#[track_caller]
fn prints(module: &str, program: &str, expected: &str) {
    let scratch = Scratch::new();
    scratch.file("m.pl", module);
    let file = scratch.file("program.pl", program);
    run(&["-g", "true", "-t", "halt", &file], "")
        .silent()
        .status(0)
        .prints(expected);
}

/// Bodies, arguments that are goals, directives, initializations, what grammars are made of; not what is asserted or called.
#[test]
fn goals_are_expanded_where_they_are_read() {
    prints(
        "",
        r"
goal_expansion(a(X), b(X)).
goal_expansion(b(X), X = ab).
goal_expansion(same(X), same(X)).
goal_expansion(loop(X), (loop(X), X = looped)).
goal_expansion(around(G), ( write(before), G, writeln(after) )).
goal_expansion(nothing(S, T), S = T).
goal_expansion(twice(X, Y), Y is 2*X).
loop(_).
same(same).
show(X) :- print(X), nl.
fails(G) :- catch(G, error(existence_error(_, PI), _), ( print(PI), nl )).
:- a(X), show(X).
:- initialization(( a(X), show(init(X)) )).
p :- ( a(X) -> show(X) ; true ), \+ \+ ( a(Y), show(Y) ), forall(a(Z), show(Z)), findall(V, ( a(V) ; a(V) ), L), show(L).
q :- loop(X), show(X), same(Y), show(Y), around(( a(Z), show(Z) )), setof(V-W, U^( a(U), a(V), W = U ), L), show(L).
r --> { a(X) }, [X], nothing.
s :- G = a(_), fails(G).
t :- maplist(twice, [1, 2], L), show(L).
:- p, q, phrase(r, L), show(L), s, t, assertz((u :- a(_))), fails(u).
:- expand_goal(( a(X) ; call(b(_)) ), G), \+ \+ ( numbervars(X-G, 0, _), show((h(X) :- G)) ).
:- expand_term(( h(X) :- a(X) ), C), \+ \+ ( numbervars(C, 0, _), show(C) ).
",
        "ab\nab\nab\nab\n[ab,ab]\nlooped\nsame\nbeforeab\nafter\n[ab-ab]\n[ab]\na/1\n[2,4]\na/1\n\
         h(A):-A=ab;call(B=ab)\nh(A):-A=ab\ninit(ab)\n",
    );
}

/// Hooks of `system` and `user` that a second file adds stand beside those of the first, declared or not.
#[test]
fn files_add_to_hooks_of_all() {
    prints(
        r"
:- module(m, []).
system:goal_expansion(a(X), X = 1).
user:goal_expansion(b(X), X = 2).
system:term_expansion(c(X), d(X)).
",
        r"
:- use_module(m).
system:goal_expansion(e(X), X = 3).
user:goal_expansion(f(X), X = 4).
system:term_expansion(g(X), h(X)).
c(5).
g(6).
p([A, B, E, F]) :- a(A), b(B), e(E), f(F).
:- p(L), d(D), h(H), writeln(L-D-H).
:- forall(( member(M, [user, system]), member(N, [term_expansion, goal_expansion]), member(A, [2, 4]), functor(G, N, A) ),
          ( predicate_property(M:G, multifile), predicate_property(M:G, dynamic) )), writeln(all).
",
        "[1,2,3,4]-5-6\nall\n",
    );
}

/// A module's own hooks are for its own clauses, those of `user` for all that inherit from it, those of `system` for everyone.
#[test]
fn hooks_belong_to_modules() {
    prints(
        r"
:- module(m, [t/0, takes/1]).
:- meta_predicate(takes(0)).
takes(G) :- call(G).
:- multifile(system:goal_expansion/2).
:- dynamic(system:goal_expansion/2).
user:goal_expansion(of_user(X), X = user).
goal_expansion(of_m(X), X = m).
system:goal_expansion(of_system(X), X = system).
user:goal_expansion(directive, writeln(directive)).
:- directive.
term_expansion(m_fact, fact(m)).
user:term_expansion(user_fact, fact(user)).
:- multifile(system:term_expansion/2).
:- dynamic(system:term_expansion/2).
system:term_expansion(fact(X), fact(system, X)).
m_fact.
user_fact.
t :- of_user(A), of_m(B), of_system(C), takes(of_m(D)), m:of_m(E), user:of_user(F), writeln([A, B, C, D, E, F]), forall(fact(X, Y), writeln(X-Y)).
",
        r"
:- use_module(m).
:- t.
fails(G) :- catch(G, error(existence_error(_, PI), _), ( print(PI), nl )).
m_fact.
user_fact.
p :- of_user(A), of_system(B), m:of_m(C), takes(of_user(D)), writeln([A, B, C, D]), fails(of_m(_)), forall(fact(X, Y), writeln(X-Y)).
:- p, m_fact.
",
        "directive\n[user,m,system,m,m,user]\nsystem-m\nsystem-user\n[user,system,m,user]\nof_m/1\nsystem-user\n",
    );
}

/// Hooks that a module imports are its own, and what it inherits too is applied once.
#[test]
fn imported_hooks_are_applied() {
    prints(
        r"
:- module(m, [term_expansion/2, goal_expansion/2]).
term_expansion(pair(X), [pair(X, a), pair(X, b)]).
goal_expansion(of_m(X), X = m).
goal_expansion(count(L), true) :- length(L, _), nb_getval(counted, N), M is N+1, nb_setval(counted, M), fail.
",
        r"
:- module(program, []).
:- nb_setval(counted, 0).
:- use_module(m).
:- add_import_module(program, m, start).
pair(1).
p :- of_m(X), print(X), nl, forall(pair(Y, Z), ( print(Y-Z), nl )).
q :- count([]).
count(_).
:- p, nb_getval(counted, N), print(N), nl.
",
        "m\n1-a\n1-b\n1\n",
    );
}

/// Under whatever name it was exported, by way of whatever module.
#[test]
fn hooks_imported_under_another_name_are_applied() {
    let hooks = r"
:- module(m, [te/2, ge/2, pt/1, ph/3]).
te(pair(X), [pair(X, a), pair(X, b)]).
ge(of_m(X), X = m).
pt(secret(_)) :- write(hidden).
ph(said(X), _, _) :- write(X), nl.
";
    let program = r"
pair(1).
p :- of_m(X), print(X), nl, forall(pair(Y, Z), ( print(Y-Z), nl )).
:- p.
";
    let imports = "[te/2 as term_expansion, ge/2 as goal_expansion]";
    let of_user = ", pt/1 as portray, ph/3 as message_hook]";
    let printed = "m\n1-a\n1-b\n";
    prints(
        hooks,
        &format!(":- module(program, []).\n:- use_module(m, {imports}).{program}"),
        printed,
    );
    prints(
        hooks,
        &format!(
            ":- module(program, []).\n:- here(F), open(F, write, S), format(S, ':- module(n, []). :- reexport(m, {imports}).', []), close(S), \
             use_module(F).{program}"
        )
        .replace(
            "here(F)",
            "prolog_load_context(directory, D), atom_concat(D, '/n.pl', F)",
        ),
        printed,
    );
    // What is declared there for everybody has clauses of several files.
    prints(
        hooks,
        &format!(
            "user:portray(other(_)) :- write(shown).\n:- use_module(m, {}{of_user}).{program}\
             :- print(secret(1)-other(2)), nl, print_message(error, said(hello)).",
            imports.trim_end_matches(']')
        ),
        &format!("{printed}hidden-shown\nhello\n"),
    );
}

/// By the hooks of the module that they are qualified with, though nothing else in the file is expanded.
#[test]
fn qualified_goals_are_expanded_by_hooks_of_their_module() {
    prints(
        r"
:- module(m, []).
goal_expansion(g(X), X = m).
goal_expansion(m:h(X), X = never).
h(own).
",
        r"
:- use_module(m).
p(X) :- m:g(X).
p(X) :- findall(Y, m:( g(Y), g(Y) ), [X]).
p(X) :- n:( m:g(X) ; fail ).
p(X) :- m:h(X).
q --> m:g, { m:g(X), print(X), nl }.
m:g(_, _) :- write(called), nl.
:- findall(X, p(X), L), print(L), nl, phrase(q, []).
:- m:g(X), print(X), nl.
:- initialization(( m:g(X), print(X), nl )).
:- expand_goal(m:g(1), G), print(G), nl, expand_goal(k:g(1), H), print(H), nl.
",
        "[m,m,m,own]\ncalled\nm\nm\nm:(1=m)\nk:g(1)\nm\n",
    );
}

/// Directives are terms, and so is the end of the file.
#[test]
fn terms_of_all_kinds_are_expanded() {
    prints(
        "",
        r"
term_expansion((:- mine(X)), [of_mine(X), (:- writeln(mine(X)))]).
term_expansion((:- drop), []).
term_expansion((?- drop), []).
term_expansion(several, [a(1), (b --> [x]), (:- writeln(between)), a(2)]).
term_expansion(end_of_file, [last(1), end_of_file]).
term_expansion((h(X) :- B), (h(X) :- B, writeln(h(X)))).
term_expansion((:- table t/1), [(:- writeln(tabling))]).
term_expansion(x(A), _, y(A), _).
:- mine(1).
:- drop.
?- drop.
:- discontiguous(a/1).
several.
h(X) :- X = 1.
x(2).
:- table t/1.
:- initialization(( last(X), writeln(last(X)) )).
:- of_mine(X), findall(Y, a(Y), L), h(Z), y(V), phrase(b, W), writeln([X, L, Z, V, W]).
",
        "mine(1)\nbetween\ntabling\nh(1)\n[1,[1,2],1,2,[x]]\nlast(1)\n",
    );
}

/// Closures whose expansion does not end in the arguments that they are given become predicates; a file that is loaded again has the new ones.
#[test]
fn closures() {
    prints(
        r"
:- module(m, [t/0]).
goal_expansion(swap(X, Y), G) :- version(V), G = ( Y = V-X ).
goal_expansion(plus_one(X, Y, Z), plus(X, Y, Z)).
t :- maplist(swap, [a, b], L), maplist(plus_one(1), [1, 2], M), foldl([X, Y, Z]>>( Z = Y+X ), L, M, N), print(N), nl.
",
        r"
:- dynamic(version/1).
version(1).
:- use_module(m).
:- t.
:- retract(version(1)), assertz(version(2)), load_files(m, []), t.
:- load_files(m, []), t.
",
        "[2,3]+(1-a)+(1-b)\n[2,3]+(2-a)+(2-b)\n[2,3]+(2-a)+(2-b)\n",
    );
}

/// Hooks are asked about the beginning of each file that is loaded, before a term of it is read: what they make of it stands before a module's header.
#[test]
fn hooks_are_asked_about_the_beginning_of_a_file() {
    let scratch = Scratch::new();
    scratch.file("plain.pl", "a(1).\n");
    scratch.file("part.pl", "b(1).\n");
    scratch.file("whole.pl", ":- module(whole, [w/1]).\nw(1).\n");
    scratch.file("late.pl", ":- module(late, [l/1], []).\nl(1).\n");
    scratch.file("none.pl", "a(2).\n");
    let file = scratch.file(
        "program.pl",
        r"
:- multifile user:term_expansion/2.
:- dynamic user:term_expansion/2, begun/1.
user:term_expansion(begin_of_file, Terms) :-
    prolog_load_context(source, Path),
    file_base_name(Path, File),
    write(File), nl,
    prolog_load_context(term_position, '$stream_position'(0, 0, 0, 0)),
    ( File == 'whole.pl' -> Terms = [begin_of_file] ; File == 'none.pl' -> Terms = end_of_file ; Terms = [begin_of_file, begun(File)] ).
:- [plain, none].
:- include(part).
:- use_module(whole).
:- catch(load_files(late, [must_be_module(true)]), error(E, _), ( print(E), nl )).
:- findall(F, begun(F), Fs), print(Fs), nl, w(X), print(X), nl, findall(A, a(A), As), print(As), nl.
",
    );
    let late = "domain_error(module_header,begun('late.pl'))";
    let said = run(&["-g", "true", "-t", "halt", &file], "").status(0);
    said.prints(&format!(
        "plain.pl\nnone.pl\nwhole.pl\nlate.pl\n{late}\n['plain.pl']\n1\n[1]\n"
    ));
}

/// What a hook makes end_of_file of is where the text ends, an included one too; of a list without an end nothing is loaded.
#[test]
fn texts_end_where_hooks_say_so() {
    let scratch = Scratch::new();
    scratch.file("part.pl", "p(part).\nstop.\np(after_part).\n");
    scratch.file(
        "other.pl",
        ":- multifile p/1, o/1.\n:- dynamic p/1, o/1.\no(1).\nlist.\no(2).\n:- if(true).\n",
    );
    let file = scratch.file(
        "program.pl",
        r"
term_expansion(stop, end_of_file).
term_expansion(list, [p(list), o(list), end_of_file, p(behind)]).
term_expansion(open, [p(open)|_]).
term_expansion(partial, [p(partial)|p]).
term_expansion(end_of_file, [p(end), end_of_file]).
term_expansion(p(X), [p(X)]).
:- multifile p/1, o/1.
:- dynamic p/1, o/1.
:- discontiguous p/1, o/1.
:- initialization(( findall(X, p(X), L), print(L), nl, findall(X, o(X), L1), print(L1), nl )).
p(1).
:- include(part).
p(2).
open.
partial.
:- consult(other).
p(3).
list.
p(4).
:- writeln(not_reached).
",
    );
    // (The conditions that the other file opens stand behind its end.)
    let said = run(&["-g", "true", "-t", "halt", &file], "")
        .status(0)
        .prints("[1,part,2,list,3,list]\n[1,list,list]\n");
    assert_eq!(
        said.err.matches("Type error: `list' expected").count(),
        2,
        "{}",
        said.err
    );
    assert!(!said.err.contains("conditional"), "{}", said.err);
}

/// Hooks for queries and answers of the toplevel; what they leave alone has the values of earlier queries.
#[test]
fn queries_and_answers() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        r"
expand_query(Q, _, _, _) :- Q == bad, throw(my_ball).
expand_query(double(G), (G, Y = 2), B, ['Extra'=Y|B]).
expand_query(with(G), Q, B0, B) :- toplevel_variables:expand_query(G, Q, B0, B).
expand_answer(B0, [added=1|B]) :- B0 = ['X'=V|B], V == hide, toplevel_variables:expand_answer(B0, _).
expand_answer(['Bad'=_], _) :- throw(my_other_ball).
",
    );
    let input = "X = 1.\ndouble(X = 3).\nX = hide, Y = 4.\nwith(Z = $X).\nZ = $Y.\nbad.\nBad = 2.\nA = still.\nB = $Nope.\nC = f([$A]).\n";
    run(&["-q", &file], input)
        .status(0)
        .prints(
            "X = 1.\n\nExtra = 2,\nX = 3.\n\nadded = 1,\nY = 4.\n\nZ = X, X = hide.\n\nZ = Y, Y = 4.\n\nA = still.\n\nC = f([still]),\nA = still.\n\n\n",
        )
        .warns(&["my_ball", "my_other_ball", "$Nope was not bound by a previous query"]);
}

/// Bodies of lambda expressions are goals where library(yall) is loaded, whatever they are arguments of.
#[test]
fn lambda_expressions() {
    prints(
        "",
        "
:- use_module(library(yall)).
goal_expansion(twice(X, Y), Y is X*2).
t(1, L) :- maplist([X, Y]>>twice(X, Y), [1, 2], L).
t(2, L) :- foldl([X, S0, S]>>( twice(X, Y), S is S0+Y ), [1, 2], 0, L).
t(3, L) :- maplist({A}/[X]>>( twice(X, Y), A = Y ), [1]), L = A.
t(4, L) :- maplist([X]>>twice(X), [1, 2], L).
t(5, L) :- include([X]>>( \\+ ( twice(X, Y), Y < 3 ) ), [1, 2], L).
t(6, L) :- call([X, Y]>>maplist([A, B]>>twice(A, B), X, Y), [1, 2], L).
t(7, L) :- maplist(\\X^Y^twice(X, Y), [1], L).
t(8, L) :- [X, Y]>>twice(X, Y) = _>>G, functor(G, L, _).
:- forall(t(I, L), ( print(I-L), nl )).
",
        "1-[2,4]\n2-6\n3-2\n4-[2,4]\n5-[2]\n6-[2,4]\n7-[2]\n8-twice\n",
    );
}

/// What hooks are told of the variables of a clause.
#[test]
fn properties_of_variables() {
    prints(
        "",
        r"
:- style_check(-singleton).
goal_expansion(at(N, X, Y), true) :- told(N, X, Y).
goal_expansion(twice(G), ( G, G )).
told(N, X, Y) :-
    findall(P, ( member(V, [X, Y]), var_property(V, P) ), Ps),
    format('~w ~w~n', [N, Ps]).
c1(X, Y) :- at(1, X, Z), f(Z), at(2, Z, W), W = Y.
c2 :- ( f(X) ; at(1, X, Y) ), at(2, X, Y).
c3 :- ( f(X) -> at(1, X, Y) ; at(2, X, Y) ), at(3, X, Y).
c4 :- \+ f(X), at(1, X, _Y).
c5 :- f(X), \+ at(1, X, Y), at(2, Y, Y).
c6 :- findall(X, at(1, X, Y), L), at(2, X, L), at(3, Y, _).
c7 :- call(at(1, Z, Z)), twice(f(Y)), at(2, Y, Z).
c8(X), f(Y) => at(1, X, Y).
c9(X) --> { at(1, X, Y) }, f(Y), { at(2, X, Y) }.
:- at(1, X, Y), at(2, X, Y).
",
        "1 [fresh(false),singleton(false),name(X),fresh(true),singleton(false),name(Z)]\n\
         2 [fresh(false),singleton(false),name(Z),fresh(true),singleton(false),name(W)]\n\
         1 [fresh(true),singleton(false),name(X),fresh(true),singleton(false),name(Y)]\n\
         2 [fresh(false),singleton(false),name(X),fresh(true),singleton(false),name(Y)]\n\
         1 [fresh(false),singleton(false),name(X),fresh(true),singleton(false),name(Y)]\n\
         2 [fresh(true),singleton(false),name(X),fresh(true),singleton(false),name(Y)]\n\
         3 [fresh(false),singleton(false),name(X),fresh(true),singleton(false),name(Y)]\n\
         1 [fresh(true),singleton(false),name(X),fresh(true),singleton(true),name(_Y)]\n\
         1 [fresh(false),singleton(false),name(X),fresh(true),singleton(false),name(Y)]\n\
         2 [fresh(true),singleton(false),name(Y),fresh(true),singleton(false),name(Y)]\n\
         1 [fresh(false),singleton(false),name(X),fresh(false),singleton(false),name(Y)]\n\
         2 [fresh(false),singleton(false),name(X),fresh(false),singleton(false),name(L)]\n\
         3 [fresh(false),singleton(false),name(Y),fresh(true),singleton(true)]\n\
         1 [fresh(true),singleton(false),name(Z),fresh(true),singleton(false),name(Z)]\n\
         2 [fresh(false),singleton(false),name(Y),fresh(true),singleton(false),name(Z)]\n\
         1 [fresh(false),singleton(false),name(X),fresh(false),singleton(false),name(Y)]\n\
         1 [fresh(false),singleton(false),name(X),fresh(true),singleton(false),name(Y)]\n\
         2 [fresh(false),singleton(false),name(X),fresh(false),singleton(false),name(Y)]\n\
         1 [fresh(true),singleton(false),name(X),fresh(true),singleton(false),name(Y)]\n\
         2 [fresh(true),singleton(false),name(X),fresh(true),singleton(false),name(Y)]\n",
    );
}

/// A condition that a hook makes of a goal is none of the disjunction that this stands in.
#[test]
fn conditions_that_hooks_make() {
    prints(
        "",
        r"
goal_expansion(first(G), ( G -> true )).
goal_expansion(each(G), ( G *-> true )).
p(X) :- ( first(member(X, [1, 2])) ; X = 3 ).
q(X) :- ( each(member(X, [1, 2])) ; X = 3 ).
r(X) :- ( first(member(X, [1, 2])), true ; X = 3 ).
s(X) :- ( first(member(X, [1, 2])) -> true ; X = 3 ).
:- forall(member(P, [p, q, r, s]), ( findall(X, call(P, X), Xs), print(Xs), nl )).
",
        "[1,3]\n[1,2,3]\n[1,3]\n[1]\n",
    );
}
