:- module(findnsols,
          [ findnsols/4,
            findnsols/5
          ]).

/*  findall/3 in chunks.

    As SWI-Prolog's findnsols/4.
*/

:- use_module(library(error), [must_be/2]).

:- meta_predicate
    findnsols(+, ?, 0, ?),
    findnsols(+, ?, 0, ?, ?).

%!  findnsols(+N, @Template, :Goal, -List) is nondet.
%
%   List has the next N instances of Template, as many as there are left the
%   last time. Goal goes on when more are asked for.

findnsols(N, Template, Goal, List) :-
    findnsols(N, Template, Goal, List, []).

%!  findnsols(+N, @Template, :Goal, -List, ?Tail) is nondet.
%
%   As findnsols/4; List ends in Tail.

findnsols(N, Template, Goal, List, Tail) :-
    must_be(integer, N),
    (   N < 0
    ->  throw(error(domain_error(not_less_than_zero, N), _))
    ;   N =:= 0
    ->  List = Tail
    ;   chunks(N, Template, Goal, List, Tail)
    ).

%   State is chunk(Count, Reversed), changed in place so that it outlives
%   backtracking into Goal.

chunks(N, Template, Goal, List, Tail) :-
    State = chunk(0, []),
    (   call_cleanup(Goal, Det = true),
        arg(1, State, Count0),
        arg(2, State, Found0),
        Count is Count0+1,
        nb_setarg(2, State, [Template|Found0]),
        (   Det == true
        ->  !,
            chunk(State, List, Tail)
        ;   Count =:= N
        ->  chunk(State, Chunk, Tail0),
            nb_setarg(1, State, 0),
            nb_setarg(2, State, []),
            List = Chunk,
            Tail = Tail0
        ;   nb_setarg(1, State, Count),
            fail
        )
    ;   chunk(State, List, Tail)
    ).

chunk(State, List, Tail) :-
    arg(2, State, Found),
    onto(Found, Tail, List).

onto([], List, List).
onto([X|Xs], List0, List) :-
    onto(Xs, [X|List0], List).
