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
