:- module(occurs,
          [ contains_term/2,
            contains_var/2,
            free_of_term/2,
            free_of_var/2,
            occurrences_of_term/3,
            occurrences_of_var/3,
            sub_term/2,
            sub_var/2,
            sub_term_shared_variables/3
          ]).

/*  Terms inside terms.

    As SWI-Prolog's library(occurs). A term is a sub-term of itself. Of a cyclic
    term, on which SWI-Prolog runs on, every way down ends before it comes to a
    term that it is in already: f(T, a), T being that, has the sub-terms T and a.
*/

%!  contains_term(?Sub, +Term) is semidet.
%
%   Sub unifies with a sub-term of Term; takes the first.

contains_term(Sub, Term) :-
    sub_term(Sub, Term),
    !.

%!  contains_var(@Sub, @Term) is semidet.
%
%   A sub-term of Term is equal by ==/2 to Sub.

contains_var(Sub, Term) :-
    \+ free_of_var(Sub, Term).

%!  free_of_term(+Sub, +Term) is semidet.
%
%   No sub-term of Term unifies with Sub.

free_of_term(Sub, Term) :-
    (   acyclic_term(Term)
    ->  free_of_acyclic_term(Sub, Term)
    ;   \+ sub_term(Sub, Term)
    ).

free_of_acyclic_term(Sub, Term) :-
    \+ Sub = Term,
    (   compound(Term)
    ->  compound_name_arity(Term, _, Arity),
        args_free_of_term(Arity, Term, Sub)
    ;   true
    ).

args_free_of_term(N, Term, Sub) :-
    (   N =:= 0
    ->  true
    ;   arg(N, Term, Arg),
        free_of_acyclic_term(Sub, Arg),
        N1 is N-1,
        args_free_of_term(N1, Term, Sub)
    ).

%!  free_of_var(@Sub, @Term) is semidet.
%
%   No sub-term of Term is equal by ==/2 to Sub.

free_of_var(Sub, Term) :-
    (   acyclic_term(Term)
    ->  acyclic_free_of_var(Sub, Term)
    ;   \+ sub_var(Sub, Term)
    ).

acyclic_free_of_var(Sub, Term) :-
    Sub \== Term,
    (   compound(Term)
    ->  compound_name_arity(Term, _, Arity),
        args_free_of_var(Arity, Term, Sub)
    ;   true
    ).

args_free_of_var(N, Term, Sub) :-
    (   N =:= 0
    ->  true
    ;   arg(N, Term, Arg),
        acyclic_free_of_var(Sub, Arg),
        N1 is N-1,
        args_free_of_var(N1, Term, Sub)
    ).

%!  occurrences_of_term(@Sub, @Term, -Count) is det.
%
%   Count sub-terms of Term would each unify with Sub.

occurrences_of_term(Sub, Term, Count) :-
    (   acyclic_term(Term)
    ->  count_term(Term, Sub, 0, Count0)
    ;   findall(x, ( sub_term(T, Term), \+ T \= Sub ), Xs),
        length(Xs, Count0)
    ),
    Count = Count0.

count_term(Term, Sub, N0, N) :-
    (   Sub \= Term
    ->  N1 = N0
    ;   N1 is N0+1
    ),
    (   compound(Term)
    ->  compound_name_arity(Term, _, Arity),
        count_term_args(Arity, Term, Sub, N1, N)
    ;   N = N1
    ).

count_term_args(I, Term, Sub, N0, N) :-
    (   I =:= 0
    ->  N = N0
    ;   arg(I, Term, Arg),
        count_term(Arg, Sub, N0, N1),
        I1 is I-1,
        count_term_args(I1, Term, Sub, N1, N)
    ).

%!  occurrences_of_var(@Sub, @Term, -Count) is det.
%
%   Count sub-terms of Term are equal by ==/2 to Sub.

occurrences_of_var(Sub, Term, Count) :-
    (   acyclic_term(Term)
    ->  count_var(Term, Sub, 0, Count0)
    ;   findall(x, sub_var(Sub, Term), Xs),
        length(Xs, Count0)
    ),
    Count = Count0.

count_var(Term, Sub, N0, N) :-
    (   Sub == Term
    ->  N1 is N0+1
    ;   N1 = N0
    ),
    (   compound(Term)
    ->  compound_name_arity(Term, _, Arity),
        count_var_args(Arity, Term, Sub, N1, N)
    ;   N = N1
    ).

count_var_args(I, Term, Sub, N0, N) :-
    (   I =:= 0
    ->  N = N0
    ;   arg(I, Term, Arg),
        count_var(Arg, Sub, N0, N1),
        I1 is I-1,
        count_var_args(I1, Term, Sub, N1, N)
    ).

%!  sub_term(-Sub, +Term) is nondet.
%
%   Sub is a sub-term of Term, each place of it in turn, outermost first.

sub_term(Sub, Term) :-
    (   acyclic_term(Term)
    ->  acyclic_sub_term(Sub, Term)
    ;   cyclic_sub_term(Sub, Term, [])
    ).

acyclic_sub_term(Sub, Sub).
acyclic_sub_term(Sub, Term) :-
    compound(Term),
    compound_name_arity(Term, _, Arity),
    Arity > 0,
    sub_term_from(1, Arity, Term, Sub).

sub_term_from(I, Arity, Term, Sub) :-
    (   I =:= Arity
    ->  arg(I, Term, Arg),
        acyclic_sub_term(Sub, Arg)
    ;   sub_term_here_or_later(I, Arity, Term, Sub)
    ).

sub_term_here_or_later(I, _, Term, Sub) :-
    arg(I, Term, Arg),
    acyclic_sub_term(Sub, Arg).
sub_term_here_or_later(I, Arity, Term, Sub) :-
    I1 is I+1,
    sub_term_from(I1, Arity, Term, Sub).

%   cyclic_sub_term(-Sub, +Term, +Above): Above are the terms that the way down has come through.

cyclic_sub_term(Sub, Term, Above) :-
    \+ ( member(A, Above), same_term(A, Term) ),
    (   Sub = Term
    ;   compound(Term),
        arg(_, Term, Arg),
        cyclic_sub_term(Sub, Arg, [Term|Above])
    ).

%!  sub_var(@Sub, @Term) is nondet.
%
%   A sub-term of Term is equal by ==/2 to Sub, each place of it in turn.

sub_var(Sub, Term) :-
    sub_term(Sub0, Term),
    Sub0 == Sub.

%!  sub_term_shared_variables(+Sub, +Term, -Vars) is det.
%
%   Vars are the variables of Sub, a sub-term of Term by same_term, that are
%   also in Term outside of it.

sub_term_shared_variables(Sub, Term, Vars) :-
    must_be(acyclic, Term),
    outside(Term, Sub, false, _, Outside, []),
    term_variables(Sub, SubVars),
    term_variables(Outside, Others0),
    sort(Others0, Others),
    numbered(SubVars, 1, Numbered0),
    keysort(Numbered0, Numbered),
    shared(Numbered, Others, Shared0),
    keysort(Shared0, Shared),
    pairs_values(Shared, Vars).

%   outside(@Term, @Sub, +Seen0, -Seen, -Vars, ?Tail): the variables of Term outside of the first place where Sub is; Seen tells whether that
%   place has come.

outside(Term, Sub, Seen0, Seen, Vars, Tail) :-
    (   Seen0 == false,
        same_term(Term, Sub)
    ->  Seen = true,
        Vars = Tail
    ;   var(Term)
    ->  Seen = Seen0,
        Vars = [Term|Tail]
    ;   compound(Term),
        compound_name_arity(Term, _, Arity),
        Arity > 0
    ->  outside_args(1, Arity, Term, Sub, Seen0, Seen, Vars, Tail)
    ;   Seen = Seen0,
        Vars = Tail
    ).

outside_args(I, Arity, Term, Sub, Seen0, Seen, Vars, Tail) :-
    arg(I, Term, Arg),
    (   I =:= Arity
    ->  outside(Arg, Sub, Seen0, Seen, Vars, Tail)
    ;   outside(Arg, Sub, Seen0, Seen1, Vars, Vars1),
        I1 is I+1,
        outside_args(I1, Arity, Term, Sub, Seen1, Seen, Vars1, Tail)
    ).

%   Variables with their places, so that what is found in the standard order comes out in that of Sub.

numbered([], _, []).
numbered([V|Vs], I, [V-I|Ps]) :-
    I1 is I+1,
    numbered(Vs, I1, Ps).

%   shared(+Numbered, +Others, -Shared): both in the standard order of their variables.

shared([], _, []) :- !.
shared(_, [], []) :- !.
shared([V-I|Vs], [X|Xs], Shared) :-
    compare(Order, V, X),
    (   Order = (<)
    ->  shared(Vs, [X|Xs], Shared)
    ;   Order = (>)
    ->  shared([V-I|Vs], Xs, Shared)
    ;   Shared = [I-V|Shared1],
        shared(Vs, Xs, Shared1)
    ).
