:- module('$findnsols',
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
    ;   copy_term(Template-Goal, T-G),
        setup_call_cleanup(
            '$bag_new'(Bag),
            chunk(Bag, N, T, G, List, Tail),
            '$bag_drop'(Bag))
    ).

%   Template and Goal are a copy: what a solution binds is not seen outside. What the goal assigns is undone, as by findall/3, when there
%   are no more solutions: also if it says so with the last one.

chunk(Bag, N, Template, Goal, List, Tail) :-
    call_cleanup(Goal, Det = true),
    '$bag_add'(Bag, Template, Count),
    Det \== true,
    Count =:= N,
    '$bag_take'(Bag, List, Tail).
chunk(Bag, _, _, _, List, Tail) :-
    '$bag_take'(Bag, List, Tail).
