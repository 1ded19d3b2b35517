:- module(thread,
          [ call_in_thread/2,
            call_in_thread/3,
            concurrent/3,
            concurrent_and/2,
            concurrent_and/3,
            concurrent_forall/2,
            concurrent_forall/3,
            concurrent_maplist/2,
            concurrent_maplist/3,
            concurrent_maplist/4,
            first_solution/3
          ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(option), [option/3]).

/*  Running goals on several threads.

    As SWI-Prolog's library(thread).

    A crew is a number of worker threads, a queue of jobs they take and a queue
    of results they give. It exists for one call: whichever way the call ends,
    the workers are stopped and joined and the queues destroyed. A worker that
    is in the middle of a job is told to stop by thread_signal/2.
*/

:- meta_predicate
    call_in_thread(+, 0),
    call_in_thread(+, 0, :),
    concurrent(+, :, +),
    concurrent_and(0, 0),
    concurrent_and(0, 0, +),
    concurrent_forall(0, 0),
    concurrent_forall(0, 0, +),
    concurrent_maplist(1, +),
    concurrent_maplist(2, ?, ?),
    concurrent_maplist(3, ?, ?, ?),
    first_solution(-, :, +),
    with_crew(+, ?, +, 0).

%!  concurrent(+N, :Goals, +Options) is semidet.
%
%   All of the list Goals succeed, run once each on N threads; their bindings
%   are made in the end. The first failure or exception ends the others.

concurrent(N, Goals0, Options) :-
    ( nonvar(Goals0), Goals0 = Module:Goals -> true ; Module = user, Goals = Goals0 ),
    must_be(positive_integer, N),
    must_be(list(callable), Goals),
    must_be(list, Options),
    qualified(Goals, Module, Goals1),
    length(Goals1, Count),
    Workers is min(N, Count),
    (   Workers =< 1
    ->  all_once(Goals1)
    ;   with_crew(Workers, Crew, Options, run_all(Crew, Goals1))
    ).

qualified([], _, []).
qualified([Goal|Goals], Module, [Module:Goal|Goals1]) :-
    qualified(Goals, Module, Goals1).

all_once([]).
all_once([Goal|Goals]) :-
    once(Goal),
    all_once(Goals).

%   run_all(+Crew, +Goals): every goal is posted with its variables, and comes
%   back as done(I, Vars).

run_all(Crew, Goals) :-
    post_goals(Goals, 1, Crew, Bindings),
    length(Goals, Count),
    functor(Results, results, Count),
    collect(Count, Crew, Results),
    bind_all(Bindings, 1, Results).

post_goals([], _, _, []).
post_goals([Goal|Goals], I, Crew, [Vars|Bindings]) :-
    term_variables(Goal, Vars),
    post(Crew, job(I,Goal,Vars)),
    I1 is I+1,
    post_goals(Goals, I1, Crew, Bindings).

collect(Count, Crew, Results) :-
    (   Count =:= 0
    ->  true
    ;   next_result(Crew, I, Vars),
        arg(I, Results, Vars),
        Count1 is Count-1,
        collect(Count1, Crew, Results)
    ).

bind_all([], _, _).
bind_all([Vars|Bindings], I, Results) :-
    arg(I, Results, Vars),
    I1 is I+1,
    bind_all(Bindings, I1, Results).

%!  concurrent_forall(:Generator, :Action) is semidet.
%
%   Action succeeds for all solutions of Generator; runs one thread per core.

concurrent_forall(Generator, Action) :-
    concurrent_forall(Generator, Action, []).

%!  concurrent_forall(:Generator, :Action, +Options) is semidet.
%
%   As concurrent_forall/2; the option threads(N) gives the number of threads.

concurrent_forall(Generator, Action, Options) :-
    must_be(list, Options),
    cores(Cores),
    option(threads(Workers), Options, Cores),
    must_be(positive_integer, Workers),
    (   Workers =:= 1
    ->  forall(Generator, Action)
    ;   term_variables(Generator, GeneratorVars),
        term_variables(Action, ActionVars),
        thread_common(ActionVars, GeneratorVars, Vars),
        with_crew(Workers, Crew, Options,
                  run_forall(Crew, Workers, Vars, Generator, Action))
    ).

%!  concurrent_and(:Generator, :Test) is nondet.
%
%   As (Generator, Test), where Test runs for several solutions of Generator at a time; solutions come in the order in which they are found.

concurrent_and(Generator, Test) :-
    concurrent_and(Generator, Test, []).

%!  concurrent_and(:Generator, :Test, +Options) is nondet.
%
%   As concurrent_and/2; the option threads(N) gives the number of threads that test.

concurrent_and(Generator, Test, Options) :-
    must_be(callable, Generator),
    must_be(callable, Test),
    must_be(list, Options),
    cores(Cores),
    option(threads(Testers), Options, Cores),
    must_be(positive_integer, Testers),
    term_variables(Generator-Test, Vars),
    thread_options(Options, ThreadOptions),
    Workers is Testers + 1,
    Limit is Testers * 4,
    setup_call_cleanup(
        open_crew(Crew),
        ( hire(Workers, Crew, ThreadOptions),
          post(Crew, job(0, thread:generate(Crew, Limit, Vars, Generator, Test), [])),
          solution(Crew, 1, Vars)
        ),
        close_crew(Crew)).

%   generate(+Crew, +Limit, +Vars, :Generator, :Test): a job for each solution of Generator, which says `opened` before it is posted. No
%   more than Limit wait, of jobs and of results.

generate(Crew, Limit, Vars, Generator, Test) :-
    Crew = crew(Jobs, Results, _),
    forall(call(Generator),
           ( room(Jobs, Limit),
             room(Results, Limit),
             thread_send_message(Results, opened),
             post(Crew, job(0, thread:tests(Results, Vars, Test), []))
           )).

room(Queue, Limit) :-
    message_queue_property(Queue, size(Size)),
    (   Size < Limit
    ->  true
    ;   sleep(0.001),
        room(Queue, Limit)
    ).

tests(Results, Vars, Test) :-
    forall(call(Test), thread_send_message(Results, solution(Vars))).

%   solution(+Crew, +Open, ?Vars): while Open jobs have not ended.

solution(Crew, Open, Vars) :-
    Open > 0,
    result(Crew, Result),
    (   Result = solution(Values)
    ->  (   Vars = Values
        ;   solution(Crew, Open, Vars)
        )
    ;   Result == opened
    ->  Open1 is Open + 1,
        solution(Crew, Open1, Vars)
    ;   Result = raised(E)
    ->  throw(E)
    ;   Open1 is Open - 1,
        solution(Crew, Open1, Vars)
    ).

thread_common([], _, []).
thread_common([V|Vs], Others, Common) :-
    (   thread_among(Others, V)
    ->  Common = [V|Common1],
        thread_common(Vs, Others, Common1)
    ;   thread_common(Vs, Others, Common)
    ).

thread_among([X|Xs], V) :-
    (   X == V
    ->  true
    ;   thread_among(Xs, V)
    ).

%   run_forall(+Crew, +Workers, +Vars, :Generator, :Action): keep a few jobs
%   ahead for every worker, so that neither side waits long for the other.

run_forall(Crew, Workers, Vars, Generator, Action) :-
    Limit is Workers*4,
    State = open(0),
    (   call(Generator),
        \+ hand_out(State, Limit, Crew, Vars, Action)
    ->  fail
    ;   arg(1, State, Open),
        await(Open, Crew)
    ).

%   hand_out(!State, +Limit, +Crew, +Vars, +Action): post an instance of Action;
%   fails if an earlier one failed.

hand_out(State, Limit, Crew, Vars, Action) :-
    arg(1, State, Open0),
    (   Open0 < Limit
    ->  Open is Open0+1
    ;   next_result(Crew, _, _),
        Open = Open0
    ),
    nb_setarg(1, State, Open),
    copy_term(Vars-Action, Vars-Goal),
    post(Crew, job(0,Goal,[])).

await(Open, Crew) :-
    (   Open =:= 0
    ->  true
    ;   next_result(Crew, _, _),
        Open1 is Open-1,
        await(Open1, Crew)
    ).

%!  concurrent_maplist(:Goal, +Xs) is semidet.
%
%   As maplist/2 with one thread per core; Goal runs once for each element.

concurrent_maplist(Goal, Xs) :-
    must_be(list, Xs),
    goals(Xs, Goal, Goals),
    in_batches(Goals).

goals([], _, []).
goals([X|Xs], Goal, [call(Goal,X)|Goals]) :-
    goals(Xs, Goal, Goals).

%!  concurrent_maplist(:Goal, ?Xs, ?Ys) is semidet.
%
%   As concurrent_maplist/2 for two lists, one of which must be known.

concurrent_maplist(Goal, Xs, Ys) :-
    lists_of_length([Xs,Ys]),
    goals(Xs, Ys, Goal, Goals),
    in_batches(Goals).

goals([], [], _, []).
goals([X|Xs], [Y|Ys], Goal, [call(Goal,X,Y)|Goals]) :-
    goals(Xs, Ys, Goal, Goals).

%!  concurrent_maplist(:Goal, ?Xs, ?Ys, ?Zs) is semidet.
%
%   As concurrent_maplist/2 for three lists, one of which must be known.

concurrent_maplist(Goal, Xs, Ys, Zs) :-
    lists_of_length([Xs,Ys,Zs]),
    goals(Xs, Ys, Zs, Goal, Goals),
    in_batches(Goals).

goals([], [], [], _, []).
goals([X|Xs], [Y|Ys], [Z|Zs], Goal, [call(Goal,X,Y,Z)|Goals]) :-
    goals(Xs, Ys, Zs, Goal, Goals).

lists_of_length(Lists) :-
    (   known_length(Lists, N)
    ->  same_lengths(Lists, N)
    ;   Lists = [List|_],
        must_be(list, List)
    ).

known_length([List|Lists], N) :-
    (   is_list(List)
    ->  length(List, N)
    ;   known_length(Lists, N)
    ).

same_lengths([], _).
same_lengths([List|Lists], N) :-
    length(List, N),
    same_lengths(Lists, N).

%   in_batches(+Goals): a job is a run of goals, several for each worker to
%   even out their times, and not one goal alone, since every job is copied to
%   its worker and back.

in_batches(Goals) :-
    length(Goals, Count),
    cores(Cores),
    (   Cores > 1,
        Count > 1
    ->  Workers is min(Cores, Count),
        Size is max(1, Count // (Workers*8)),
        batches(Count, Size, Goals, Batches),
        with_crew(Workers, Crew, [], run_all(Crew, Batches))
    ;   all_once(Goals)
    ).

batches(Count, Size, Goals, Batches) :-
    (   Count =:= 0
    ->  Batches = []
    ;   N is min(Count, Size),
        length(Batch, N),
        split(Batch, Goals, Rest),
        Batches = [thread:all_once(Batch)|Batches1],
        Count1 is Count-N,
        batches(Count1, Size, Rest, Batches1)
    ).

split([], Rest, Rest).
split([X|Xs], [X|Ys], Rest) :-
    split(Xs, Ys, Rest).

%!  first_solution(-X, :Goals, +Options) is semidet.
%
%   X is bound by the first of Goals that succeeds, all of which start at the
%   same time; the others are ended. The first failure or exception ends all,
%   unless the options on_fail(continue), on_error(continue) are given.

first_solution(X, Goals0, Options) :-
    ( nonvar(Goals0), Goals0 = Module:Goals -> true ; Module = user, Goals = Goals0 ),
    must_be(list(callable), Goals),
    must_be(list, Options),
    option(on_fail(OnFail), Options, stop),
    option(on_error(OnError), Options, stop),
    qualified(Goals, Module, Goals1),
    length(Goals1, Count),
    Count > 0,
    with_crew(Count, Crew, Options,
              race(Crew, Count, X, Goals1, OnFail, OnError)).

race(Crew, Count, X, Goals, OnFail, OnError) :-
    post_race(Goals, X, Crew),
    winner(Count, Crew, OnFail, OnError, X).

post_race([], _, _).
post_race([Goal|Goals], X, Crew) :-
    post(Crew, job(0,Goal,X)),
    post_race(Goals, X, Crew).

winner(Count, Crew, OnFail, OnError, X) :-
    Count > 0,
    Count1 is Count-1,
    result(Crew, Result),
    (   Result = done(_,X0)
    ->  X = X0
    ;   Result == failed
    ->  OnFail == continue,
        winner(Count1, Crew, OnFail, OnError, X)
    ;   Result = raised(E),
        (   OnError == stop
        ->  throw(E)
        ;   winner(Count1, Crew, OnFail, OnError, X)
        )
    ).

%!  call_in_thread(+Thread, :Goal) is semidet.
%
%   once(Goal), run by Thread at its next safe point, between two goals of its own; its bindings, failure or exception are the caller's.

call_in_thread(Thread, Goal) :- call_in_thread(Thread, Goal, []).

%!  call_in_thread(+Thread, :Goal, :Options) is semidet.
%
%   As call_in_thread/2. timeout(Seconds): if it takes longer, Thread gives Goal up and on_timeout(Goal) runs here, by default throw(time_limit_exceeded).

call_in_thread(Thread, Goal, QOptions) :-
    must_be(callable, Goal),
    must_be(nonvar, Thread),
    strip_module(QOptions, Module, Options),
    must_be(list, Options),
    option(timeout(Timeout), Options, infinite),
    option(on_timeout(Late), Options, throw(time_limit_exceeded)),
    ( Timeout == infinite -> true ; must_be(number, Timeout) ),
    thread_self(Me),
    (   is_thread(Thread),
        thread_property(Me, id(Id)),
        thread_property(Thread, id(Id))
    ->  once(Goal)
    ;   term_variables(Goal, Vars),
        setup_call_cleanup(
            message_queue_create(Queue),
            ask_thread(Thread, Goal, Vars, Queue, Timeout, Module:Late),
            message_queue_destroy(Queue))
    ).

ask_thread(Thread, Goal, Vars, Queue, Timeout, Late) :-
    (   Timeout == infinite
    ->  Deadline = infinite,
        Options = []
    ;   get_time(Now),
        Deadline is Now+Timeout,
        Options = [deadline(Deadline)]
    ),
    thread_signal(Thread, thread:answer(Goal, Vars, Queue, Deadline)),
    (   thread_get_message(Queue, Result, Options),
        Result \== late
    ->  (   Result = done(_, Vars0)
        ->  Vars = Vars0
        ;   Result = raised(E)
        ->  throw(E)
        )
    ;   call(Late)
    ).

%   In the thread that is asked, which may have come to it too late. Nobody waits for the answer any more if there is no queue.
answer(Goal, Vars, Queue, Deadline) :-
    catch(( in_time(Deadline, Queue, Goal) -> Result = done(0, Vars) ; Result = failed ), E,
          ( E == time_limit_exceeded('$late'(Queue)) -> Result = late ; Result = raised(E) )),
    catch(thread_send_message(Queue, Result), error(existence_error(_, _), _), true).

in_time(infinite, _, Goal) :- !, once(Goal).
in_time(Deadline, Queue, Goal) :-
    get_time(Now),
    Left is Deadline-Now,
    call_with_time_limit(Left, Goal, '$late'(Queue)).

%   with_crew(+Workers, -Crew, +Options, :Goal): run Goal once with a crew.

with_crew(Workers, Crew, Options, Goal) :-
    thread_options(Options, ThreadOptions),
    setup_call_cleanup(
        open_crew(Crew),
        ( hire(Workers, Crew, ThreadOptions),
          once(Goal)
        ),
        close_crew(Crew)).

%   A crew is crew(Jobs, Results, Members), where Members holds the threads and
%   is changed in place, so that none is lost if hiring ends early; nor is it
%   interrupted between a thread and its being noted.

open_crew(crew(Jobs,Results,members([]))) :-
    message_queue_create(Jobs),
    message_queue_create(Results).

hire(Workers, Crew, Options) :-
    (   Workers =:= 0
    ->  true
    ;   '$undivided'(hire_one(Crew, Options)),
        Workers1 is Workers-1,
        hire(Workers1, Crew, Options)
    ).

hire_one(crew(Jobs,Results,Members), Options) :-
    thread_create(thread:work(Jobs, Results), Id, Options),
    arg(1, Members, Ids),
    nb_setarg(1, Members, [Id|Ids]).

close_crew(crew(Jobs,Results,Members)) :-
    arg(1, Members, Ids),
    message_queue_destroy(Jobs),
    stop_all(Ids),
    join_all(Ids),
    catch(message_queue_destroy(Results), error(existence_error(_,_),_), true).

%   Who waits for a job finds no queue; the others are stopped in theirs, or find none afterwards if there is not even memory for a signal.

stop_all([]).
stop_all([Id|Ids]) :-
    catch(thread_signal(Id, throw('$stop_work')), error(_,_), true),
    stop_all(Ids).

join_all([]).
join_all([Id|Ids]) :-
    thread_join(Id, _),
    join_all(Ids).

thread_options([], []).
thread_options([Option|Options], Selected) :-
    (   nonvar(Option),
        thread_option(Option)
    ->  Selected = [Option|Selected1],
        thread_options(Options, Selected1)
    ;   thread_options(Options, Selected)
    ).

thread_option(stack_limit(_)).
thread_option(table_space(_)).
thread_option(class(_)).

cores(Cores) :-
    (   current_prolog_flag(cpu_count, N)
    ->  Cores = N
    ;   Cores = 2
    ).

post(crew(Jobs,_,_), Job) :-
    thread_send_message(Jobs, Job).

result(crew(_,Results,_), Result) :-
    catch(thread_get_message(Results, Result0),
          error(existence_error(_,_),_),
          throw(error(resource_error(memory),_))),
    Result = Result0.

%   next_result(+Crew, -I, -Vars): the next job that ended well; fails or throws
%   as the job did otherwise.

next_result(Crew, I, Vars) :-
    result(Crew, Result),
    (   Result = done(I,Vars)
    ->  true
    ;   Result = raised(E)
    ->  throw(E)
    ;   fail
    ).

%   work(+Jobs, +Results): what a worker does until there is no queue of jobs any more. Each job has its result, or the reason why there is none;
%   where there is no memory for that either the queue of results goes, which its reader sees.

work(Jobs, Results) :-
    catch(work_on(Jobs, Results), E, ended(E, Jobs, Results)).

work_on(Jobs, Results) :-
    repeat,
    thread_get_message(Jobs, job(I,Goal,Vars)),
    do(Goal, I, Vars, Result),
    thread_send_message(Results, Result),
    fail.

ended('$stop_work', _, _) :- !.
ended(error(existence_error(_,Queue),_), Jobs, _) :- Queue == Jobs, !.
ended(E, _, Results) :-
    catch(thread_send_message(Results, raised(E)), error(_,_),
          catch(message_queue_destroy(Results), error(_,_), true)).

do(Goal, I, Vars, Result) :-
    catch(( call(Goal)
          ->  Result = done(I,Vars)
          ;   Result = failed
          ),
          E,
          raised(E, Result)).

raised(E, Result) :-
    (   E == '$stop_work'
    ->  throw(E)
    ;   Result = raised(E)
    ).
