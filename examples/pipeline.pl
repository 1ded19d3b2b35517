/*  Parallel work in three ways: concurrent maps, the first of several, a pipeline.

        samite examples/pipeline.pl
        samite examples/pipeline.pl --workers=4 --size=9

    1. concurrent_maplist/3: the solutions of the queens problem, counted for
       each place of the first queen by another thread.
    2. first_solution/3: two ways to a solution race, and the slower is stopped.
    3. Message queues: a reader, workers, and a writer that puts what comes in any
       order into that of the input.  The queue before the workers holds so many
       messages at most: who is faster waits.

    What is written does not depend on who is faster.
*/

:- use_module(library(main)).
:- use_module(library(option)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(thread)).

:- initialization(main, main).

%!  main(+Arguments) is det.

main(Arguments) :-
    argv_options(Arguments, _, Options),
    option(workers(Workers), Options, 2),
    option(size(Size), Options, 7),
    count(Size),
    race(Size),
    pipeline(Workers, 1, 12).

                /*******************************
                *            QUEENS            *
                *******************************/

%!  count(+Size) is det.

count(Size) :-
    numlist(1, Size, Places),
    concurrent_maplist(solutions(Size), Places, Counts),
    sum_list(Counts, Sum),
    format("~d queens: ~w, together ~d~n", [Size, Counts, Sum]).

%!  solutions(+Size, +First, -Count) is det.
%
%   Count solutions have a queen at First in the first row.

solutions(Size, First, Count) :-
    findall(Queens, queens(Size, [First], Queens), All),
    length(All, Count).

%!  queens(+Size, +Queens0, -Queens) is nondet.
%
%   Queens are the columns of all rows, of which Queens0 are the last ones.

queens(Size, Queens0, Queens) :-
    length(Queens0, Done),
    (   Done =:= Size
    ->  Queens = Queens0
    ;   between(1, Size, Column),
        safe(Queens0, Column, 1),
        queens(Size, [Column|Queens0], Queens)
    ).

safe([], _, _).
safe([Queen|Queens], Column, Distance) :-
    Queen =\= Column,
    abs(Queen-Column) =\= Distance,
    Next is Distance+1,
    safe(Queens, Column, Next).

%   One of the two never ends, and it does not matter.
race(Size) :-
    first_solution(Queens,
                   [ queens(Size, [], Queens),
                     forever ],
                   []),
    format("first: ~w~n", [Queens]).

forever :-
    repeat,
    fail.

                /*******************************
                *           PIPELINE           *
                *******************************/

%!  pipeline(+Workers, +From, +To) is det.

pipeline(Workers, From, To) :-
    setup_call_cleanup(
        ( message_queue_create(Jobs, [max_size(4)]),
          message_queue_create(Results) ),
        pipeline(Workers, From, To, Jobs, Results),
        ( message_queue_destroy(Jobs),
          message_queue_destroy(Results) )).

pipeline(Workers, From, To, Jobs, Results) :-
    thread_create(produce(From, To, Workers, Jobs), Reader),
    length(Threads, Workers),
    maplist(thread_create_worker(Jobs, Results), Threads),
    collect(From, To, Results),
    maplist(thread_join, [Reader|Threads]).

thread_create_worker(Jobs, Results, Thread) :-
    thread_create(work(Jobs, Results), Thread).

%   Numbers, and then for each worker the word that there are no more.
produce(From, To, Workers, Jobs) :-
    forall(between(From, To, N), thread_send_message(Jobs, job(N))),
    forall(between(1, Workers, _), thread_send_message(Jobs, done)).

work(Jobs, Results) :-
    thread_get_message(Jobs, Message),
    (   Message = job(N)
    ->  collatz(N, Steps, Top),
        thread_send_message(Results, result(N, Steps, Top)),
        work(Jobs, Results)
    ;   true
    ).

%!  collatz(+N, -Steps, -Top) is det.
%
%   So many Steps of L. Collatz's function lead from N to 1, over Top.

collatz(N, Steps, Top) :-
    collatz(N, 0, Steps, N, Top).

collatz(1, Steps, Steps, Top, Top) :-
    !.
collatz(N, Steps0, Steps, Top0, Top) :-
    (   N mod 2 =:= 0 -> M is N//2 ; M is 3*N+1 ),
    Top1 is max(Top0, M),
    Steps1 is Steps0+1,
    collatz(M, Steps1, Steps, Top1, Top).

%!  collect(+From, +To, +Results) is det.
%
%   Results are taken in the order of their numbers: a queue is searched for the
%   first message that unifies, and what comes too early stays in it.

collect(From, To, Results) :-
    forall(between(From, To, N),
           ( thread_get_message(Results, result(N, Steps, Top)),
             format("~d: ~d steps, up to ~d~n", [N, Steps, Top]) )).
