//! The text of Samite's libraries as a whole, and what needs files or a process of its own to be seen.

mod common;

use common::{Scratch, run};

/// Each library has a module of its own: what it calls and does not define is there, in `system` or exported by another library; what it
/// defines and does not export is nobody else's; and what it exports is defined.
#[test]
fn libraries_are_modules() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "modules.pl",
        r"
main :-
    findall(L, library(L), Libraries),
    length(Libraries, N), ( N > 60 -> true ; writeln(libraries(N)) ),
    forall(member(L, Libraries), '$load_library'(L)),
    '$unresolved'(Unresolved),
    forall(member(PI, Unresolved), ( writeq(unresolved(PI)), nl )),
    findall(M, ( member(L, Libraries), '$library_module'(M, L) ), Modules),
    forall(( member(L, Libraries), '$library_module'(M, L), '$library_exports'(L, PIs), member(F/A, PIs) ), exported(M, F, A)),
    forall(( member(M, Modules), current_predicate(M:F/A), private(M, F, A, Modules) ), hidden(F, A)),
    writeln(done).

library(L) :- libraries('crates/samite/library', '', L).
library(L) :- libraries('crates/samite/library/dcg', 'dcg/', L).

libraries(Folder, Prefix, L) :-
    directory_files(Folder, Names),
    member(Name, Names),
    file_name_extension(Base, pl, Name),
    \+ memberchk(Base, [boot, toplevel]),
    atom_concat(Prefix, Base, L).

exported(M, F, A) :-
    functor(H, F, A),
    (   predicate_property(M:H, defined) -> true
    ;   writeq(exported_but_undefined(M:F/A)), nl
    ).

private(M, F, A, Modules) :-
    functor(H, F, A),
    \+ predicate_property(M:H, imported_from(_)),
    \+ ( member(Other, Modules), module_property(Other, exports(PIs)), memberchk(F/A, PIs) ),
    \+ predicate_property(system:H, defined).

hidden(F, A) :-
    functor(H, F, A),
    (   catch(user:H, error(existence_error(procedure, F/A), _), true) -> true
    ;   writeq(seen(F/A)), nl
    ).
",
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints("done\n");
}

/// A library that could not be loaded, there being no memory, is loaded when it is called next.
#[test]
fn a_library_is_whole_or_not_there() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "full.pl",
        r"
fill(L) :-
    catch(length(X, 100), E, true),
    (   nonvar(E) -> catch(list_to_assoc([], _), error(resource_error(_), _), true), length(L, _)
    ;   fill([X|L])
    ).
:- dynamic keeps/1.
keeps(N) :- length(L, N), catch(( list_to_assoc([], _), rb_new(_), gensym(a, _), locale_property(default, decimal_point(_)) ), error(resource_error(_), _), true), L = [_|_].
main :-
    catch(fill([]), error(resource_error(_), _), true),
    garbage_collect,
    forall(( between(0, 300, I), N is 1048100 + I*100 ), catch(keeps(N), error(resource_error(_), _), true)),
    garbage_collect,
    list_to_assoc([a-1], A), print(A), nl,
    rb_new(T), rb_insert(T, a, 1, T1), rb_lookup(a, V, T1), print(V), nl,
    gensym(g, G), print(G), nl,
    findall(P, locale_property(default, decimal_point(P)), Ps), print(Ps), nl,
    max_member(M, [1, 3, 2]), print(M), nl.
",
    );
    for limit in [
        "--memory-limit=10M",
        "--memory-limit=16M",
        "--memory-limit=24M",
    ] {
        run(&[limit, "-g", "main", "-t", "halt", &program], "")
            .status(0)
            .prints("t(a,1,-,t,t)\n1\ng1\n['.']\n3\n");
    }
}

/// What a program sets has no effect on the text of a library.
#[test]
fn libraries_are_read_as_they_were_written() {
    let scratch = Scratch::new();
    for flag in ["codes", "atom", "chars"] {
        let program = scratch.file(
            "flags.pl",
            format!(
                r"
:- set_prolog_flag(double_quotes, {flag}).
:- set_prolog_flag(back_quotes, string).
:- op(0, xfx, is), op(0, xfx, =..), op(0, fy, \+), op(700, xfx, -), op(700, fx, member).
:- use_module(library(codesio)), use_module(library(strings)), use_module(library(assoc)).
:- parse_time('2020-01-02T03:04:05', X), atom(t), assertz(seen(X)).
main :-
    read_from_codes([0'a], X), print(X), nl, string_lines(S, [a, b]), print(S), nl,
    seen(T), print(T), nl, list_to_assoc([a-1], A), print(A), nl,
    aggregate_all(count, member(_, [a, b]), N), print(N), nl,
    meta_options([Y]>>(Y == a), [a(1), b(2)], O), print(O), nl.
"
            ),
        );
        run(&["-g", "main", "-t", "halt", &program], "")
            .status(0)
            .prints("a\n\"a\\nb\\n\"\n1577934245.0\nt(a,1,-,t,t)\n2\n[a(user:1),b(2)]\n");
    }
}

/// Solutions that differ in variables only, in the order of SWI-Prolog. Not in the files that run with a collection at each safe point: variables
/// that nobody has compared have no order to keep.
#[test]
fn solutions_are_ordered_by_their_variables() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "bags.pl",
        r"
bags(Template, Goal) :- forall(bagof(Template, Goal, L), ( print(L), write(' ') )), nl.
main :-
    findall(X-N, member(N, [1, 2, 3]), L), msort(L, M), forall(member(_-N, M), ( print(N), write(' ') )), nl,
    bags(X, member(X-_, [1-f(A), 2-f(B)])),
    bags(Y, member(Y-_, [1-A, 2-B, 3-A, 4-f(A), 5-f(B)])).
",
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints("3 2 1 \n[1] [2] \n[1,3] [2] [4] [5] \n");
}

/// `listing/1` prints the clauses that there are, whatever the file says: expanded ones, included ones, those of a file that was edited. Names of
/// variables are the file's where the clause is.
#[test]
fn listing_prints_the_clauses() {
    let scratch = Scratch::new();
    let included = scratch.file("included.pl", "i(1).\n");
    let other = scratch.file(
        "other.pl",
        ":- multifile mm/1.\nmm(other). mm(Same) :- i(Same), i(Same).\n",
    );
    let edited = scratch.file("edited.pl", "v(1).\nv(Old) :- i(Old).\n");
    let program = scratch.file(
        "listed.pl",
        format!(
            r"
:- multifile mm/1.
:- include('{included}').
:- ['{edited}', '{other}'].
mm(here).
st(if(C, A, B)) --> ex(C), ex(A), ex(B).
term_expansion(expand(X), [made(X), made(X, Y) :- i(Y)]).
expand(2).
:- if(fail).
c(1).
:- else.
c(2).
:- endif.
:- op(700, xfx, ===>).
ope(X) :- X = (a ===> b).
:- op(0, xfx, ===>).
:- set_prolog_flag(double_quotes, codes).
text(X) :- i(X), X = f(0'a).
three(First,
      Second, _Third, Single) :- three(Second, First,
   First, 1).
main :-
    open('{edited}', write, S), write(S, 'v(999).\nw.\nv(New) :- i(New).\n'), close(S),
    forall(member(P, [i/1, v/1, mm/1, st//1, made/_, c/1, ope/1, text/1, three/4]), listing(P)).
"
        ),
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints(
            "i(1).

v(1).
v(A) :-
    i(A).

:- multifile mm/1.

mm(other).
mm(Same) :-
    i(Same),
    i(Same).
mm(here).

st(if(A, B, C), D, E) :-
    ex(A, D, F),
    ex(B, F, G),
    ex(C, G, E).

made(2).

made(2, A) :-
    i(A).

c(2).

ope(A) :-
    A= ===>(a, b).

text(X) :-
    i(X),
    X=f(97).

three(First, Second, _Third, _) :-
    three(Second, First, First, 1).

",
        );
}
