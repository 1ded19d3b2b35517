:- module(prolog_code,
          [ comma_list/2,
            semicolon_list/2,
            mkconj/3,
            mkdisj/3,
            pi_head/2,
            head_name_arity/3,
            most_general_goal/2,
            is_predicate_indicator/1
          ]).

/*  Goals and predicate indicators as terms.

    As the part of SWI-Prolog's library(prolog_code).
*/

%!  comma_list(?Conjunction, ?List) is semidet.
%
%   Conjunction is (A,B,...) of the elements of List, which is not empty.

comma_list(Conjunction, List) :-
    (   nonvar(Conjunction)
    ->  phrase(parts(Conjunction, ','), List0),
        List = List0
    ;   must_be(list, List),
        joined(List, ',', Conjunction)
    ).

%!  semicolon_list(?Disjunction, ?List) is semidet.
%
%   As comma_list/2 with (A;B;...).

semicolon_list(Disjunction, List) :-
    (   nonvar(Disjunction)
    ->  phrase(parts(Disjunction, ;), List0),
        List = List0
    ;   must_be(list, List),
        joined(List, ;, Disjunction)
    ).

parts(T, _) --> { var(T) }, !, [T].
parts(T, F) --> { functor(T, F, 2) }, !,
    { arg(1, T, A), arg(2, T, B) },
    parts(A, F),
    parts(B, F).
parts(T, _) --> [T].

joined([X|Xs], F, T) :-
    joined_more(Xs, X, F, T).

joined_more([], X, _, X).
joined_more([Y|Ys], X, F, T) :-
    T =.. [F, X, T1],
    joined_more(Ys, Y, F, T1).

%!  mkconj(+A, +B, -Conjunction) is det.
%
%   Conjunction is (A,B), without what is `true`.

mkconj(A, B, Conjunction) :-
    (   A == true
    ->  Conjunction = B
    ;   B == true
    ->  Conjunction = A
    ;   Conjunction = (A, B)
    ).

%!  mkdisj(+A, +B, -Disjunction) is det.
%
%   Disjunction is (A;B), without what is `false`.

mkdisj(A, B, Disjunction) :-
    (   A == false
    ->  Disjunction = B
    ;   B == false
    ->  Disjunction = A
    ;   Disjunction = (A ; B)
    ).

%!  pi_head(?Indicator, ?Head) is det.
%
%   Head is a most general goal for Indicator (Name/Arity, Name//Arity,
%   possibly qualified).

pi_head(PI, Head) :-
    (   var(PI),
        var(Head)
    ->  throw(error(instantiation_error, _))
    ;   pi_of(PI, Head)
    ).

pi_of(M:PI, M:Head) :-
    !,
    pi_of(PI, Head).
pi_of(Name/Arity, Head) :-
    !,
    head_name_arity(Head, Name, Arity).
pi_of(Name//DCGArity, Head) :-
    (   nonvar(DCGArity)
    ->  Arity is DCGArity+2,
        head_name_arity(Head, Name, Arity)
    ;   head_name_arity(Head, Name, Arity),
        DCGArity is Arity-2
    ).

%!  head_name_arity(?Head, ?Name, ?Arity) is det.

head_name_arity(Head, Name, Arity) :-
    functor(Head, Name, Arity).

%!  most_general_goal(+Goal, -General) is det.
%
%   General has the functor (and module) of Goal and fresh arguments.

most_general_goal(Goal, General) :-
    (   var(Goal)
    ->  General = Goal
    ;   Goal = M:Goal1
    ->  General = M:General1,
        most_general_goal(Goal1, General1)
    ;   functor(Goal, Name, Arity),
        functor(General, Name, Arity)
    ).

%!  is_predicate_indicator(@Term) is semidet.
%
%   Term is Name/Arity or Name//Arity, possibly qualified.

is_predicate_indicator(Term) :-
    (   var(Term)
    ->  throw(error(instantiation_error, _))
    ;   Term = M:PI
    ->  atom(M),
        indicator(PI)
    ;   indicator(Term)
    ).

indicator(PI) :-
    compound(PI),
    ( PI = Name/Arity ; PI = Name//Arity ),
    !,
    atom(Name),
    integer(Arity),
    Arity >= 0.
