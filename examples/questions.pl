/*  Questions in English about a small database: a grammar that builds queries.

        samite examples/questions.pl
        samite examples/questions.pl 'which rivers flow through vienna?'

    A question is parsed to a logical form, a Prolog goal, which is shown and
    called.  That noun phrases take the meaning of what they are the subject of,
    and give back a meaning with a quantifier, is from R. Montague; how that is
    said in grammars, from F. Pereira and S. Shieber, "Prolog and Natural-Language
    Analysis" (1987); that one asks about geography, from D. H. D. Warren and
    F. Pereira's CHAT-80 (1982).  Lengths are in kilometres, people in thousands.
*/

:- use_module(library(lists)).
:- use_module(library(apply)).

:- initialization(main, main).

                /*******************************
                *           DATABASE           *
                *******************************/

%   city(Name, Country, Thousands)
city(vienna,     austria,  1930).
city(linz,       austria,  210).
city(budapest,   hungary,  1750).
city(bratislava, slovakia, 440).
city(cologne,    germany,  1080).
city(hamburg,    germany,  1850).
city(dresden,    germany,  560).
city(prague,     czechia,  1310).

%   river(Name, Length, Cities)
river(danube, 2850, [linz, vienna, bratislava, budapest]).
river(rhine,  1230, [cologne]).
river(elbe,   1090, [dresden, hamburg]).
river(vltava, 430,  [prague]).

capital_of(vienna, austria).
capital_of(budapest, hungary).
capital_of(bratislava, slovakia).
capital_of(prague, czechia).

%   What the words mean.
city(X)            :- city(X, _, _).
river(X)           :- river(X, _, _).
country(X)         :- setof(C, N^P^city(N, C, P), Cs), member(X, Cs).
capital(X)         :- capital_of(X, _).
in(X, Country)     :- city(X, Country, _).
flows_through(R, X) :-
    river(R, _, Cities),
    (   member(X, Cities)
    ;   findall(C, ( member(City, Cities), in(City, C) ), Cs),
        sort(Cs, Countries),
        member(X, Countries)
    ).
larger(X, Y)  :- city(X, _, P), city(Y, _, Q), P > Q.
longer(X, Y)  :- river(X, L, _), river(Y, M, _), L > M.

%   Quantifiers: what Scope says of all, none, some, N of what is in Range.
every(_, Range, Scope) :- forall(Range, Scope).
no(_, Range, Scope)    :- \+ ( Range, Scope ).
some(_, Range, Scope)  :- \+ \+ ( Range, Scope ).
at_least(N, X, Range, Scope) :-
    all(X, ( Range, Scope ), Set),
    length(Set, Count),
    Count >= N.

                /*******************************
                *           GRAMMAR            *
                *******************************/

%!  question(-Query)// is nondet.
%
%   Query is which(X, Goal), count(X, Goal) or whether(Goal).

question(which(X, (Range, Goal))) -->
    ( [which] ; [what] ),
    noun(Number, X, Range0), relatives(X, Range0, Range),
    verb_phrase(Number, X, Goal).
question(which(X, Range)) -->
    [what], be(Number), [the],
    noun(Number, X, Range0), relatives(X, Range0, Range).
question(count(X, (Range, Goal))) -->
    [how, many],
    noun(plural, X, Range0), relatives(X, Range0, Range),
    verb_phrase(plural, X, Goal).
question(count(X, Range)) -->
    [how, many],
    noun(plural, X, Range0), relatives(X, Range0, Range),
    [are, there].
question(whether(Query)) -->
    be(Number),
    noun_phrase(Number, X, Goal, Query),
    predicate(X, Goal).
question(whether(Query)) -->
    do(Number),
    noun_phrase(Number, X, Goal, Query),
    verb(plural, X, Y, Verb),
    noun_phrase(_, Y, Verb, Goal).

%!  noun_phrase(?Number, ?X, +Scope, -Query)// is nondet.
%
%   Query says that Scope, a goal about X, is true of what is named.

noun_phrase(singular, Name, Scope, Scope) -->
    name(Name).
noun_phrase(Number, X, Scope, Query) -->
    determiner(Number, X, Range, Scope, Query),
    noun(Number, X, Range0),
    relatives(X, Range0, Range).

determiner(singular, X, R, S, every(X, R, S)) --> [every].
determiner(plural, X, R, S, every(X, R, S))   --> [all].
determiner(_, X, R, S, no(X, R, S))           --> [no].
determiner(_, X, R, S, some(X, R, S))         --> [some].
determiner(singular, X, R, S, some(X, R, S))  --> ( [a] ; [an] ; [any] ).
determiner(plural, X, R, S, at_least(N, X, R, S)) -->
    [Word],
    { nth1(N, [one, two, three, four, five], Word) }.

%   What narrows a noun: "in austria", "that flow through linz", "of hungary".
relatives(X, Range0, Range) -->
    relative(X, Goal),
    relatives(X, (Range0, Goal), Range).
relatives(_, Range, Range) -->
    [].

relative(X, Query) --> preposition(X, Y, Goal), noun_phrase(_, Y, Goal, Query).
relative(X, Query) --> [that], verb_phrase(_, X, Query).

%!  verb_phrase(?Number, ?X, -Query)// is nondet.

verb_phrase(Number, X, Query) -->
    be(Number), predicate(X, Query).
verb_phrase(Number, X, \+ Query) -->
    be(Number), [not], predicate(X, Query).
verb_phrase(Number, X, Query) -->
    verb(Number, X, Y, Goal), noun_phrase(_, Y, Goal, Query).
verb_phrase(Number, X, \+ Query) -->
    do(Number), [not], verb(plural, X, Y, Goal), noun_phrase(_, Y, Goal, Query).

predicate(X, Query) --> preposition(X, Y, Goal), noun_phrase(_, Y, Goal, Query).
predicate(X, Query) --> comparative(X, Y, Goal), [than], noun_phrase(_, Y, Goal, Query).
predicate(X, Goal)  --> ( [a] ; [] ), noun(_, X, Goal).

                /*******************************
                *           LEXICON            *
                *******************************/

noun(singular, X, Goal) --> [Noun], { noun(Noun, _, X, Goal) }.
noun(plural, X, Goal)   --> [Noun], { noun(_, Noun, X, Goal) }.

noun(city, cities, X, city(X)).
noun(river, rivers, X, river(X)).
noun(country, countries, X, country(X)).
noun(capital, capitals, X, capital(X)).

verb(singular, X, Y, flows_through(X, Y)) --> [flows, through].
verb(plural, X, Y, flows_through(X, Y))   --> [flow, through].

comparative(X, Y, larger(X, Y)) --> [larger].
comparative(X, Y, longer(X, Y)) --> [longer].

preposition(X, Y, in(X, Y))         --> [in].
preposition(X, Y, capital_of(X, Y)) --> [of].

be(singular) --> [is].
be(plural)   --> [are].

do(singular) --> [does].
do(plural)   --> [do].

name(Name) -->
    ( [the] ; [] ),
    [Name],
    { once(( city(Name) ; river(Name) ; country(Name) )) }.

                /*******************************
                *             MAIN             *
                *******************************/

main :-
    current_prolog_flag(argv, Arguments),
    (   Arguments == []
    ->  findall(Text, example(Text), Texts)
    ;   Texts = Arguments
    ),
    maplist(ask, Texts).

example("which cities are in germany?").
example("which rivers flow through austria?").
example("what is the capital of hungary?").
example("which cities are larger than every city in hungary?").
example("which rivers do not flow through a capital?").
example("how many cities are there?").
example("how many cities that are not larger than dresden are there?").
example("does the danube flow through every capital?").
example("does the vltava flow through a capital?").
example("does some river flow through two cities in germany?").
example("is every capital that is in austria larger than prague?").
example("which city in austria is a capital?").
example("how are you?").

%!  ask(+Text) is det.

ask(Text) :-
    format("~w~n", [Text]),
    split_string(Text, " ", "?. ", Strings),
    maplist(word, Strings, Words),
    (   phrase(question(Query), Words)
    ->  show(Query),
        answer(Query)
    ;   format("  I do not understand that.~n")
    ).

word(String, Word) :-
    string_lower(String, Lower),
    atom_string(Word, Lower).

show(Query) :-
    \+ \+ ( numbervars(Query, 0, _),
            format("  ~p~n", [Query]) ).

answer(which(X, Goal)) :-
    all(X, Goal, Set),
    (   Set == []
    ->  format("  None.~n")
    ;   atomic_list_concat(Set, ', ', Answer),
        format("  ~w.~n", [Answer])
    ).
answer(count(X, Goal)) :-
    all(X, Goal, Set),
    length(Set, Count),
    format("  ~d.~n", [Count]).
answer(whether(Goal)) :-
    (   call(Goal)
    ->  format("  Yes.~n")
    ;   format("  No.~n")
    ).

all(X, Goal, Set) :-
    findall(X, Goal, Xs),
    sort(Xs, Set).
