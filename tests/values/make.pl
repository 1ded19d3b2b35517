% Makes goals at random from a grammar.
%
%     make.pl -- GRAMMAR SEED COUNT [FAMILY...]
%
% A line for each goal: `(Goal)-[Variable,...]`. The grammar says what it is (see its top).

:- initialization(main, main).
:- use_module(library(readutil)).

% rule(Name, Alternatives, Leaves): terms of alternatives, and of those without parts. An alternative is a list of codes and of parts part(Name).
:- dynamic(rule/3).
:- dynamic(family/2).
:- dynamic(state/1).

main([Grammar, Seed0, Count0|Families]) :-
    atom_number(Seed0, Seed),
    atom_number(Count0, Count),
    X is (Seed * 2654435761 + 12345) mod 4294967296,
    assertz(state(X)),
    setup_call_cleanup(open(Grammar, read, In, [encoding(utf8)]), read_sections(In), close(In)),
    findall(F, family(F, _), All),
    (   Families == []
    ->  Chosen = All
    ;   include([F]>>( member(G, Families), sub_atom(F, _, _, _, G) ), All, Chosen)
    ),
    findall(L, ( member(F, Chosen), family(F, Ls), member(L, Ls) ), Lines),
    Goals =.. [goals|Lines],
    set_stream(user_output, encoding(utf8)),
    forall(between(1, Count, _), goal(Goals)).

% --- the grammar ---

read_sections(In) :-
    read_line_to_codes(In, Line),
    read_sections(Line, In).

read_sections(end_of_file, _) :- !.
read_sections(-1, _) :- !.
read_sections(Line, In) :-
    section(Line, Kind, Name),
    !,
    read_line_to_codes(In, Next),
    alternatives(Next, In, Alternatives, After),
    (   Kind == family
    ->  assertz(family(Name, Alternatives))
    ;   include([A]>>( \+ memberchk(part(_), A) ), Alternatives, Leaves0),
        (   Leaves0 == [] -> Leaves = Alternatives ; Leaves = Leaves0 ),
        T =.. [any|Alternatives],
        L =.. [any|Leaves],
        assertz(rule(Name, T, L))
    ),
    read_sections(After, In).
read_sections(_, In) :- read_sections(In).

section(Line, Kind, Name) :-
    atom_codes(A, Line),
    atomic_list_concat([Word, Name], ' ', A),
    kind(Word, Kind).

kind('==', family).
kind('--', values).

alternatives(Line, _, [], Line) :- integer(Line), !.
alternatives(end_of_file, _, [], end_of_file) :- !.
alternatives(Line, _, [], Line) :- section(Line, _, _), !.
alternatives(Line, In, Alternatives, After) :-
    read_line_to_codes(In, Next),
    (   ( Line == [] ; Line = [0'#, 0' |_] )
    ->  alternatives(Next, In, Alternatives, After)
    ;   phrase(pieces(A), Line),
        Alternatives = [A|Rest],
        alternatives(Next, In, Rest, After)
    ).

pieces([part(Name)|T]) --> "$", letters(Cs), { Cs \== [] }, !, { atom_codes(Name, Cs) }, pieces(T).
pieces([C|T]) --> [C], !, pieces(T).
pieces([]) --> [].

letters([C|T]) --> [C], { code_type(C, lower) ; C == 0'_ ; C >= 0'0, C =< 0'9 }, !, letters(T).
letters([]) --> [].

% --- goals ---

goal(Goals) :-
    one(Goals, Goal),
    arguments(Goal, 0, Codes),
    atom_codes(Text, Codes),
    (   catch(term_to_variables(Text, Names), _, fail)
    ->  atomic_list_concat(Names, ',', List),
        format("(~w)-[~w]~n", [Text, List])
    ;   format("(~w)-[]~n", [Text])
    ).

term_to_variables(Text, Names) :-
    term_string(_, Text, [variable_names(Vs)]),
    % (Others than A to E are for what goes from one goal to the next.)
    findall(N, ( member(N=_, Vs), N @=< 'E' ), Names).

% The arguments of a goal: mostly what it expects, often a variable, seldom anything.
arguments([], _, []).
arguments([part(Name)|T], D, Codes) :-
    !,
    (   Name == var -> chosen(85, 0, W) ; fixed(Name) -> W = own ; chosen(62, 25, W) ),
    (   W == own -> part(Name, D, Codes, Rest)
    ;   W == variable -> part(var, D, Codes, Rest)
    ;   part(any, D, Codes, Rest)
    ),
    arguments(T, D, Rest).
arguments([C|T], D, [C|Codes]) :- arguments(T, D, Codes).

% Parts of goals that are what they are.
fixed(Name) :- sub_atom(Name, _, _, 0, '_0'), !.
fixed(Name) :- family(Name, _).

chosen(Own, Variable, W) :-
    below(100, R),
    (   R < Own -> W = own ; R < Own + Variable -> W = variable ; W = any ).

part(Name, D, Codes, Rest) :-
    (   rule(Name, All, Leaves)
    ->  (   D > 3 -> one(Leaves, A) ; one(All, A) )
    ;   throw(error(existence_error(section, Name), _))
    ),
    D1 is D + 1,
    pieces_of(A, D1, Codes, Rest).

pieces_of([], _, Rest, Rest).
pieces_of([part(Name)|T], D, Codes, Rest) :-
    !,
    part(Name, D, Codes, Codes1),
    pieces_of(T, D, Codes1, Rest).
pieces_of([C|T], D, [C|Codes], Rest) :- pieces_of(T, D, Codes, Rest).

one(T, A) :-
    functor(T, _, N),
    below(N, R),
    I is R + 1,
    arg(I, T, A).

% A xorshift: the same goals from the same seed.
below(N, R) :-
    retract(state(X0)),
    X1 is (X0 xor (X0 << 13)) /\ 0xffffffff,
    X2 is X1 xor (X1 >> 17),
    X3 is (X2 xor (X2 << 5)) /\ 0xffffffff,
    assertz(state(X3)),
    R is X3 mod N.
