//! What libraries call means what the libraries see, whatever the program defines. *Equation*: each goal that a library's clause passes to
//! one of its own predicates, which calls it, is in an argument that this one declares ([`meta_predicate`]): so it is told its module. So are goals that
//! programs pass to what a library exports. And what it exports has a mode line.
//!
//! [`meta_predicate`]: ../../samite/library/boot/boot.pl

mod common;

use common::{Scratch, libraries, run};

/// Reads the libraries, finds out which arguments their predicates call, and prints goals that are passed there undeclared, and exports that do not say what
/// they are. (Names with `$` are no program's.)
const CHECK: &str = r#"
main :-
    findall(Path, text(Path), Paths), length(Paths, N), ( N > 90 -> true ; writeln(texts(N)) ),
    forall(member(Path, Paths), file(Path)), writeln(done).

:- dynamic clause_of/3, called/2, declared/2, exported/1, defined/1.

file(Path) :-
    retractall(clause_of(_, _, _)), retractall(called(_, _)), retractall(declared(_, _)), retractall(exported(_)), retractall(defined(_)),
    setup_call_cleanup(open(Path, read, S), terms(S), close(S)),
    file_base_name(Path, File),
    repeat, \+ more, !,
    forall(( clause_of(L, _, B), goal(B, G), violates(G, I, A) ),
           ( functor(G, N, Ar), format("~w:~w: ~q is not declared, and calls argument ~w: ~q~n", [File, L, N/Ar, I, A]) )),
    forall(( exported(PI), called(PI, I), \+ declared(PI, I) ),
           format("~w: ~q is exported and calls argument ~w: `:- meta_predicate` is to say so~n", [File, PI, I])),
    read_file_to_string(Path, Text, []), split_string(Text, "\n", "", Lines),
    forall(( exported(N/Ar), defined(N/Ar), word(N), \+ ( member(Line, Lines), sub_string(Line, 0, _, _, "%!"), sub_string(Line, _, _, _, N) ) ),
           format("~w: ~q is exported and has no mode line, as `%!  ~w(+X, -Y) is det.`~n", [File, N/Ar, N])).

word(N) :- atom_chars(N, [C|_]), char_type(C, lower).

terms(S) :-
    repeat, read_term(S, T, [term_position(P), module(lists)]),
    (   T == end_of_file -> !
    ;   stream_position_data(line_count, P, L), term(T, L), fail
    ).

term((:- meta_predicate(D)), _) :- !, declare(D).
term((:- module(_, Es)), _) :- !, forall(member(E, Es), ( E = N/A -> assertz(exported(N/A)) ; E = N//B -> A is B+2, assertz(exported(N/A)) ; true )).
term((:- _), _) :- !.
term((H --> B), L) :- !, ( catch(dcg_translate_rule((H --> B), C), _, fail) -> term(C, L) ; true ).
term((H :- B), L) :- !, assertz(clause_of(L, H, B)), term(H, L).
term(H, _) :- callable(H), !, functor(H, N, A), ( defined(N/A) -> true ; assertz(defined(N/A)) ).
term(_, _).

declare((A, B)) :- !, declare(A), declare(B).
declare(H) :- functor(H, N, A), forall(( compound(H), arg(I, H, S), meta(S) ), assertz(declared(N/A, I))).
meta(S) :- integer(S), !.
meta(S) :- memberchk(S, [:, ^, //]).

%   goals of a body
goal(V, _) :- var(V), !, fail.
goal((A, B), G) :- !, ( goal(A, G) ; goal(B, G) ).
goal((A ; B), G) :- !, ( goal(A, G) ; goal(B, G) ).
goal((A -> B), G) :- !, ( goal(A, G) ; goal(B, G) ).
goal((A *-> B), G) :- !, ( goal(A, G) ; goal(B, G) ).
goal(\+ A, G) :- !, goal(A, G).
goal(_:_, _) :- !, fail.
goal(G, G).
goal(G, G2) :- calls(G, I), arg(I, G, A), callable(A), A \= (_:_), goal(A, G2).

calls(G, I) :- compound(G), functor(G, N, A), ( known(N/A, G, I) ; called(N/A, I) ; declared(N/A, I) ).
known(call/_, _, 1) :- !.
known(_, G, I) :- \+ own(G), predicate_property(system:G, meta_predicate(M)), arg(I, M, S), meta(S), S \== (:).
own(G) :- functor(G, N, A), functor(H, N, A), clause_of(_, H, _), !.

%   an argument of the head is called
more :-
    clause_of(_, H, B), functor(H, N, A),
    compound(H), called_variable(B, V), arg(I, H, X), X == V,
    \+ called(N/A, I), !,
    assertz(called(N/A, I)).

called_variable(V, V) :- var(V), !.
called_variable((A, B), G) :- !, ( called_variable(A, G) ; called_variable(B, G) ).
called_variable((A ; B), G) :- !, ( called_variable(A, G) ; called_variable(B, G) ).
called_variable((A -> B), G) :- !, ( called_variable(A, G) ; called_variable(B, G) ).
called_variable((A *-> B), G) :- !, ( called_variable(A, G) ; called_variable(B, G) ).
called_variable(\+ A, G) :- !, called_variable(A, G).
called_variable(_:_, _) :- !, fail.
called_variable(G, V) :- calls(G, I), arg(I, G, A), called_variable(A, V).

violates(G, I, A) :-
    compound(G), functor(G, N, Ar), called(N/Ar, I), \+ declared(N/Ar, I),
    arg(I, G, A), callable(A), A \= (_:_),
    \+ ( functor(A, F, _), sub_atom(F, 0, _, _, $) ).
"#;

#[test]
fn goals_are_passed_to_what_declares_them() {
    let scratch = Scratch::new();
    let shelves = libraries::shelves().into_iter();
    let texts = shelves.flat_map(|s| libraries::texts_of(&s).into_values());
    let facts: String = texts.map(|t| format!("text({t:?}).\n")).collect();
    let file = scratch.file("check.pl", format!("{CHECK}{facts}"));
    run(&["-q", "-g", "main", "-t", "halt", &file], "")
        .silent()
        .prints("done\n");
}

/// Each of these names was called in the program's module.
#[test]
fn a_programs_names_are_not_the_libraries() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "names.pl",
        "print_message(_, _) :- fail.\n\
         print_message_lines(_, _, _) :- throw(mine).\n\
         read_string(_, _, _) :- throw(mine).\n\
         read_stream_to_codes(_, _, _) :- throw(mine).\n\
         subtract(_, _, _) :- throw(mine).\n\
         d(1).\n\
         :- undefined.\n\
         main :- listing(d/1), source_file(main, F), read_file_to_string(F, S, []), string(S), read_file_to_codes(F, [0'p|_], []),\n\
             M = lists, G = subtract([1], [], L), M:G, print(L), nl.\n",
    );
    let run = run(&["-q", "-g", "main", &file], "");
    run.prints("d(1).\n\n[1]\n\n");
}
