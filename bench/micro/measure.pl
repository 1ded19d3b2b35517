% How the operations of this directory are measured: loaded before one of its other files, each of which is about a topic and says
%
%   operation(Name, Size)             what there is, and the smallest size it is measured at
%   prepare(Name, Size, Data)         makes what the operation works on, outside the clock; without it Data is the size
%   work(Name, Size, Data, Result)    the operation: Result depends on all of the work and is the same in each Prolog
%
% One line is printed for each measurement: the word `micro`, name, size, seconds of CPU time of the process, result.

:- discontiguous operation/2, work/4.
:- dynamic([prepare/3]).
:- discontiguous([prepare/3]).

% measure(+Name, +Sizes): one operation at each of the sizes, in their order; first at a small one that does not count, so that libraries are loaded.
measure(Name, [Size|Sizes]) :-
    Small is max(4, Size//100),
    take(Name, Small, _, _),
    forall(member(S, [Size|Sizes]), measure_one(Name, S)).

measure_one(Name, Size) :-
    take(Name, Size, T, Result),
    format("micro ~w ~w ~6f ~q~n", [Name, Size, T, Result]),
    flush_output.

take(Name, Size, T, Result) :-
    (   prepare(Name, Size, Data0)
    ->  Data = Data0
    ;   Data = Size
    ),
    garbage_collect,
    statistics(process_cputime, T0),
    work(Name, Size, Data, Result),
    !,
    statistics(process_cputime, T1),
    T is T1-T0.

% operations: a line with name and size of each.
operations :-
    forall(operation(Name, Size), format("operation ~w ~w~n", [Name, Size])).

% measure_all(+Divisor): all operations at a small size, for tests.
measure_all(Divisor) :-
    forall(operation(Name, Size),
           ( Small is max(4, Size//Divisor), measure_one(Name, Small) )).

% A sequence that looks random and is the same everywhere.
next_random(X0, X) :-
    X is (X0*1103515245+12345) mod 2147483648.

% random_numbers(+N, +Bound, -Numbers): N of them, below Bound.
random_numbers(N, Bound, Numbers) :-
    random_numbers(N, Bound, 42, Numbers).

random_numbers(0, _, _, []) :- !.
random_numbers(N, Bound, X0, [Y|Ys]) :-
    next_random(X0, X),
    Y is (X>>8) mod Bound,
    N1 is N-1,
    random_numbers(N1, Bound, X, Ys).

% repeated(+N, :Goal): Goal N times, each from the beginning.
:- meta_predicate repeated(+, 0).
repeated(N, Goal) :-
    forall(between(1, N, _), Goal).
