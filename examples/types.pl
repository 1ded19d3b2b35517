/*  Type inference: Hindley and Milner's system for a small functional language.

        samite examples/types.pl
        samite examples/types.pl 'let id = \x. x in id id'

    Type variables are Prolog's variables, and unification, with the occurs
    check, is Prolog's; what remains is the environment.  A name that `let` binds
    has a scheme, which is copied for each use but for the variables that the
    environment knows (R. Milner, "A Theory of Type Polymorphism in Programming",
    1978).  When there is no type, it says which two types do not agree.

    The language, which a grammar reads:

        e = \x. e | let x = e in e | let rec f = e in e
          | if e then e else e | e op e | e e | x | 42 | true | (e)
        op = + | - | * | < | == | :: (the loosest, to the right)
*/

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(dcg/basics)).

:- initialization(main, main).

main :-
    current_prolog_flag(argv, Arguments),
    (   Arguments == []
    ->  findall(Text, example(Text), Texts)
    ;   Texts = Arguments
    ),
    maplist(show, Texts).

example("42").
example("\\x. x").
example("\\f. \\g. \\x. f (g x)").
example("\\f. \\g. \\x. f x (g x)").
example("\\x. x + 1 < 3").
example("let id = \\x. x in if id true then id 1 else 2").
example("\\id. if id true then id 1 else 2").
example("\\x. x x").
example("let rec map = \\f. \\l. if null l then nil else f (head l) :: map f (tail l) in map").
example("let rec fold = \\f. \\z. \\l. if null l then z else f (head l) (fold f z (tail l)) in fold (\\x. \\y. x + y) 0").
example("\\x. let y = x in pair y (\\z. y)").
example("let k = \\x. \\y. x in pair (k 1 true) (k true nil)").
example("1 :: true :: nil").
example("\\x. foo x").
example("let = 3").

show(Text) :-
    format("~w~n", [Text]),
    atom_codes(Text, Codes),
    catch(( parse(Codes, Expression),
            builtins(Environment),
            type(Expression, Environment, Type),
            numbervars(Type, 0, _),
            phrase(type_text(Type, 0), Text1),
            format("    : ~s~n", [Text1]) ),
          type(Message),
          format("    ~@~n", [explain(Message)])).

explain(syntax)     :- format("is no expression").
explain(unknown(X)) :- format("nobody knows ~w", [X]).
explain(mismatch(A, B)) :-
    numbervars(A-B, 0, _),
    phrase(type_text(A, 0), TextA),
    phrase(type_text(B, 0), TextB),
    format("has no type: ~s and ~s do not go together", [TextA, TextB]).

                /*******************************
                *            TYPES             *
                *******************************/

%!  type(+Expression, +Environment, -Type) is det.
%
%   Types are int, bool, list(T), pair(T, T), T -> T, and variables.  Environment
%   is a list of pairs Name-Scheme; a scheme is forall(Variables, Type).
%
%   @throws type(unknown(Name)) and type(mismatch(Type, Type))

type(number(_), _, int).
type(name(X), Environment, Type) :-
    (   memberchk(X-Scheme, Environment)
    ->  instance(Scheme, Type)
    ;   throw(type(unknown(X)))
    ).
type(lambda(X, E), Environment, (A -> B)) :-
    type(E, [X-forall([], A)|Environment], B).
type(apply(F, E), Environment, B) :-
    type(F, Environment, FType),
    type(E, Environment, A),
    same(FType, (A -> B)).
type(if(C, E1, E2), Environment, Type) :-
    type(C, Environment, CType),
    same(CType, bool),
    type(E1, Environment, Type),
    type(E2, Environment, Type2),
    same(Type, Type2).
type(let(X, E1, E2), Environment, Type) :-
    type(E1, Environment, Type1),
    generalize(Type1, Environment, Scheme),
    type(E2, [X-Scheme|Environment], Type).
type(letrec(X, E1, E2), Environment, Type) :-
    type(E1, [X-forall([], Type1)|Environment], Type0),
    same(Type1, Type0),
    generalize(Type1, Environment, Scheme),
    type(E2, [X-Scheme|Environment], Type).

same(A, B) :-
    (   unify_with_occurs_check(A, B)
    ->  true
    ;   throw(type(mismatch(A, B)))
    ).

%!  generalize(+Type, +Environment, -Scheme) is det.
%
%   For all variables of Type that the environment does not know.  What is bound in
%   its schemes needs no care: Type has copies of that.

generalize(Type, Environment, forall(Variables, Type)) :-
    term_variables(Type, InType),
    term_variables(Environment, InEnvironment),
    exclude(occurs_in(InEnvironment), InType, Variables).

occurs_in(Variables, Variable) :-
    member(V, Variables),
    V == Variable,
    !.

instance(forall(Variables, Type0), Type) :-
    term_variables(Type0, All),
    exclude(occurs_in(Variables), All, Kept),
    copy_term(Kept-Type0, Kept-Type).

builtins([ (+)-forall([], (int -> int -> int)),
           (-)-forall([], (int -> int -> int)),
           (*)-forall([], (int -> int -> int)),
           (<)-forall([], (int -> int -> bool)),
           (==)-forall([A], (A -> A -> bool)),
           true-forall([], bool),
           false-forall([], bool),
           nil-forall([B], list(B)),
           (::)-forall([C], (C -> list(C) -> list(C))),
           null-forall([D], (list(D) -> bool)),
           head-forall([E], (list(E) -> E)),
           tail-forall([F], (list(F) -> list(F))),
           pair-forall([G, H], (G -> H -> pair(G, H)))
         ]).

%!  type_text(+Type, +Level)// is det.
%
%   At level 1 functions are in parentheses, at 2 also what has arguments.

type_text('$VAR'(N), _) -->
    !,
    { Code is 0'a + N },
    [Code].
type_text((A -> B), Level) -->
    !,
    (   { Level > 0 }
    ->  "(", type_text((A -> B), 0), ")"
    ;   type_text(A, 1), " -> ", type_text(B, 0)
    ).
type_text(Type, Level) -->
    { Type =.. [Name|Arguments] },
    (   { Level > 1, Arguments = [_|_] }
    ->  "(", type_text(Type, 0), ")"
    ;   atom(Name), type_texts(Arguments)
    ).

type_texts([])     --> [].
type_texts([T|Ts]) --> " ", type_text(T, 2), type_texts(Ts).

                /*******************************
                *            SYNTAX            *
                *******************************/

%!  parse(+Codes, -Expression) is det.

parse(Codes, Expression) :-
    (   phrase(tokens(Tokens), Codes),
        phrase(expression(Expression), Tokens)
    ->  true
    ;   throw(type(syntax))
    ).

tokens(Tokens) -->
    blanks,
    (   token(Token)
    ->  { Tokens = [Token|Rest] },
        tokens(Rest)
    ;   { Tokens = [] }
    ).

token(number(N)) --> digits([D|Ds]), { number_codes(N, [D|Ds]) }.
token(Token)     --> csyms([C|Cs]), { atom_codes(A, [C|Cs]), word(A, Token) }.
token(::)        --> "::".
token(==)        --> "==".
token(Atom)      --> [C], { memberchk(C, `\\.=()+-*<`), char_code(Atom, C) }.

csyms([C|Cs]) --> [C], { code_type(C, csym) }, !, csyms(Cs).
csyms([])     --> [].

word(Atom, Token) :-
    (   memberchk(Atom, [let, rec, in, if, then, else])
    ->  Token = Atom
    ;   Token = name(Atom)
    ).

expression(lambda(X, E)) --> [\, name(X), '.'], !, expression(E).
expression(letrec(X, E1, E2)) -->
    [let, rec, name(X), =], !, expression(E1), [in], expression(E2).
expression(let(X, E1, E2)) -->
    [let, name(X), =], !, expression(E1), [in], expression(E2).
expression(if(C, E1, E2)) -->
    [if], !, expression(C), [then], expression(E1), [else], expression(E2).
expression(E) -->
    infix(1, A),
    (   [::]
    ->  expression(B),
        { binary(::, A, B, E) }
    ;   { E = A }
    ).

%   Operators of a level bind less than those of the next, and to the left.
operators(1, [<, ==]).
operators(2, [+, -]).
operators(3, [*]).

infix(4, E) --> !, application(E).
infix(Level, E) --> { Next is Level+1 }, infix(Next, A), infix(Level, A, E).

infix(Level, A, E) -->
    [Op], { operators(Level, Ops), memberchk(Op, Ops) }, !,
    { Next is Level+1 },
    infix(Next, B),
    { binary(Op, A, B, E0) },
    infix(Level, E0, E).
infix(_, E, E) --> [].

application(E) --> atomic_expression(F), application(F, E).

application(F, E) --> atomic_expression(A), !, application(apply(F, A), E).
application(E, E) --> [].

atomic_expression(number(N)) --> [number(N)].
atomic_expression(name(X))   --> [name(X)].
atomic_expression(E)         --> ['('], expression(E), [')'].

binary(Op, A, B, apply(apply(name(Op), A), B)).
