/*  A crew of workers that search, and a manager who hands out the work: the
    pattern of figures 6.4 and 6.6 in Wielemaker, "Native preemptive threads in
    SWI-Prolog" (ICLP 2003), there for inductive logic programming, here for
    queens that do not attack each other.

        samite examples/worker_crew.pl
        samite examples/worker_crew.pl --workers=4 --queens=60 --jobs=12
        samite examples/worker_crew.pl --kind=light

    A job is a start: the queens are put in an order that its number makes, and
    the worker exchanges two of them again and again, the two that help most,
    until none attacks another or nothing helps.  What it knows about its job
    is in predicates that are local to its thread.

    When a job has brought a solution the manager needs no other: it stops the
    workers in the midst of their jobs with a signal, and they take what the
    manager has for them next, which is to end.
*/

:- use_module(library(main)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(random)).

:- initialization(main, main).

:- thread_local
    queen/2,                 % queen(Row, Column)
    steps/1.                 % exchanges made for the present job

%!  main(+Arguments) is det.

main(Arguments) :-
    argv_options(Arguments, _, Options),
    option(workers(Workers), Options, 2),
    option(queens(Queens), Options, 30),
    option(jobs(Jobs), Options, 16),
    option(kind(Kind), Options, native),
    setup_call_cleanup(
        crew(Workers, Kind, Crew),
        manage(Jobs, Queens, Crew, Result),
        dismiss(Crew)),
    report(Result).

report(found(Job, Steps, Columns)) :-
    length(Columns, N),
    format("job ~d: ~d queens after ~d exchanges~n", [Job, N, Steps]),
    (   safe(Columns)
    ->  format("none attacks another~n")
    ;   throw(error(evaluation_error(undefined), _))
    ).
report(none) :-
    format("no job has brought a solution~n").

                /*******************************
                *            THE CREW          *
                *******************************/

%!  crew(+Workers, +Kind, -Crew) is det.
%
%   Crew is crew(Work, Results, Threads): the queue from which they take their
%   work, the one that they put results into, and who they are.

crew(Workers, Kind, crew(Work, Results, Threads)) :-
    message_queue_create(Work),
    message_queue_create(Results),
    length(Threads, Workers),
    maplist(worker(Kind, Work, Results), Threads).

worker(Kind, Work, Results, Thread) :-
    thread_create(work(Work, Results), Thread, [kind(Kind)]).

%   Whoever is stopped in a job says so, and takes the next one.  Between jobs
%   there is nothing to be stopped: a signal that comes too late is ignored.

work(Work, Results) :-
    thread_get_message(Work, Job),
    (   Job = job(Number, Queens)
    ->  thread_self(Me),
        catch(search(Number, Queens, Result), stop, Result = stopped),
        catch(thread_send_message(Results, Me-Result), stop, true),
        work(Work, Results)
    ;   true
    ).

%!  manage(+Jobs, +Queens, +Crew, -Result) is det.

manage(Jobs, Queens, crew(Work, Results, Threads), Result) :-
    forall(between(1, Jobs, Number),
           thread_send_message(Work, job(Number, Queens))),
    wait(Jobs, Results, Result),
    (   Result = found(_, _, _)
    ->  take_back(Work),
        forall(member(Thread, Threads), stop(Thread))
    ;   true
    ).

wait(0, _, none) :- !.
wait(Jobs, Results, Result) :-
    thread_get_message(Results, _Worker-Answer),
    (   Answer = found(_, _, _)
    ->  Result = Answer
    ;   Left is Jobs-1,
        wait(Left, Results, Result)
    ).

%   Jobs that nobody has taken yet.

take_back(Work) :-
    thread_peek_message(Work, job(_, _)),
    thread_get_message(Work, job(_, _), [timeout(0)]),
    !,
    take_back(Work).
take_back(_).

stop(Thread) :-
    catch(thread_signal(Thread, stop_job), error(existence_error(_, _), _), true).

%   Run by the worker, wherever it is.

stop_job :-
    (   steps(_)
    ->  throw(stop)
    ;   true
    ).

dismiss(crew(Work, Results, Threads)) :-
    forall(member(_, Threads), thread_send_message(Work, go_home)),
    maplist(thread_join, Threads),
    message_queue_destroy(Work),
    message_queue_destroy(Results).

                /*******************************
                *          THE SEARCH          *
                *******************************/

%!  search(+Job, +Queens, -Result) is det.
%
%   Result is found(Job, Steps, Columns), or failed.

search(Job, N, Result) :-
    setup_call_cleanup(
        assertz(steps(0)),
        ( start(Job, N),
          climb(N, Outcome),
          result(Outcome, Job, N, Result)
        ),
        ( retractall(steps(_)),
          retractall(queen(_, _))
        )).

result(solved, Job, N, found(Job, Steps, Columns)) :-
    steps(Steps),
    numlist(1, N, Rows),
    maplist(queen, Rows, Columns).
result(stuck, _, _, failed).

%   An order of the columns that depends on the job alone.

start(Job, N) :-
    numlist(1, N, Columns),
    Seed is Job*7919,
    mixed(Columns, Seed, Order),
    forall(nth1(Row, Order, Column), assertz(queen(Row, Column))).

mixed(Columns, Seed, Order) :-
    foldl(key, Columns, Keyed, Seed, _),
    keysort(Keyed, Sorted),
    pairs_values(Sorted, Order).

key(Column, Key-Column, Seed, Key) :-
    Key is (Seed*1103515245+12345) mod 2147483648.

%   Exchanges the columns of two queens as long as that leaves fewer attacks.

climb(N, Outcome) :-
    attacks(Attacks),
    (   Attacks =:= 0
    ->  Outcome = solved
    ;   better(N, Attacks, Row1, Row2)
    ->  exchange(Row1, Row2),
        retract(steps(S0)),
        S is S0+1,
        assertz(steps(S)),
        climb(N, Outcome)
    ;   Outcome = stuck
    ).

better(N, Attacks, Row1, Row2) :-
    between(1, N, Row1),
    attacked(Row1),
    between(1, N, Row2),
    Row2 =\= Row1,
    exchange(Row1, Row2),
    attacks(New),
    (   New < Attacks
    ->  !,
        exchange(Row1, Row2)
    ;   exchange(Row1, Row2),
        fail
    ).

exchange(Row1, Row2) :-
    retract(queen(Row1, Column1)),
    retract(queen(Row2, Column2)),
    assertz(queen(Row1, Column2)),
    assertz(queen(Row2, Column1)),
    !.

attacked(Row) :-
    queen(Row, Column),
    queen(Other, Column2),
    Other =\= Row,
    abs(Other-Row) =:= abs(Column2-Column),
    !.

%   How many queens more than one there are on the diagonals, in all.

attacks(Attacks) :-
    findall(Up, ( queen(R, C), Up is R+C ), Ups),
    findall(Down, ( queen(R, C), Down is R-C ), Downs),
    length(Ups, N),
    sort(Ups, UpSet),
    sort(Downs, DownSet),
    length(UpSet, U),
    length(DownSet, D),
    Attacks is 2*N-U-D.

safe(Columns) :-
    \+ ( nth1(Row1, Columns, C1),
         nth1(Row2, Columns, C2),
         Row1 < Row2,
         abs(Row1-Row2) =:= abs(C1-C2)
       ).
