:- module(threadutil, [ join_threads/0, tbacktrace/1, tbacktrace/2, thread_dump/0, threads/0 ]).
:- use_module(library(error), [existence_error/2, must_be/2]).
:- use_module(library(option), [option/3]).

/*  Looking at threads from a terminal; as SWI-Prolog's library(threadutil), as far as no debugger is needed.

    What a thread is doing it says itself, at its next safe point, or where it waits, while all others go on: it is sent a signal, and sends its goals back.  */

%!  threads is det.
%
%   Prints the threads, what they are doing and what they have used.

threads :-
    findall(row(Name, Status, Time, Size), row(Name, Status, Time, Size), Rows),
    print_message(information, threads(Rows)).

row(Name, Status, Time, Size) :-
    thread_property(Id, status(Status)),
    thread_name(Id, Name),
    (   Status == running,
        catch(thread_statistics(Id, cputime, Time), error(_, _), fail)
    ->  ( thread_property(Id, size(Size)) -> true ; Size = 0 )
    ;   Time = (-), Size = (-)
    ).

thread_name(Id, Name) :-
    (   thread_property(Id, class(Class))
    ->  format(atom(Name), '~w (~w)', [Id, Class])
    ;   format(atom(Name), '~w', [Id])
    ).

%!  join_threads is det.
%
%   Joins all threads that have ended and prints how.

join_threads :-
    findall(Name-Status,
            ( thread_property(Id, status(Status0)), Status0 \== running,
              thread_property(Id, detached(false)),
              thread_name(Id, Name),
              catch(thread_join(Id, Status), error(_, _), fail) ),
            Joined),
    (   Joined == []
    ->  true
    ;   print_message(information, joined_threads(Joined))
    ).

%!  tbacktrace(+Thread) is det.
%
%   Prints the goals that a thread is running and those that wait for them, the innermost first.

tbacktrace(Thread) :- tbacktrace(Thread, []).

%!  tbacktrace(+Thread, +Options) is det.
%
%   As tbacktrace/1; depth(N): N goals (default 20), timeout(Seconds): for how long to wait until the thread has come to a safe point (default 2).

tbacktrace(Thread, Options) :-
    must_be(list, Options),
    option(depth(Depth), Options, 20),
    option(timeout(Timeout), Options, 2),
    must_be(nonneg, Depth),
    must_be(nonvar, Thread),
    ( is_thread(Thread) -> true ; existence_error(thread, Thread) ),
    told([Thread], Timeout, Told),
    print_message(information, thread_goals(Thread, Told, Depth)).

%!  thread_dump is det.
%
%   Prints every thread's state, what it waits for and the goals around that, while all go on; on standard error, at most 20 goals each.

thread_dump :-
    findall(Id, thread_property(Id, status(_)), Ids),
    told(Ids, 2, Told),
    forall('$member'(Id, Ids), dump(Id, Told)).

dump(Id, Told) :-
    (   catch(thread_property(Id, status(Status)), error(_, _), fail)
    ->  thread_name(Id, Name),
        findall(Property, told_property(Id, Property), Properties),
        print_message(information, thread_state(Name, Status, Properties)),
        (   Status == running
        ->  print_message(information, thread_goals(Id, Told, 20))
        ;   true
        )
    ;   true
    ).

told_property(Id, messages(N)) :-
    catch(message_queue_property(Id, size(N)), error(_, _), fail),
    N > 0.
told_property(Id, holds(Mutex)) :-
    mutex_property(Mutex, status(locked(Id, _))).
told_property(Id, size(N)) :-
    catch(thread_property(Id, size(N)), error(_, _), fail).

%   told(+Threads, +Seconds, -Told): a list of Thread-Places, of those that have answered in time.
told(Threads, Seconds, Told) :-
    get_time(Now),
    Deadline is Now+Seconds,
    setup_call_cleanup(
        message_queue_create(Queue),
        ( ask(Threads, Queue, Asked),
          length(Asked, Count),
          answers(Count, Queue, Deadline, Told)
        ),
        message_queue_destroy(Queue)).

ask([], _, []).
ask([Thread|Threads], Queue, Asked) :-
    (   thread_self(Thread)
    ->  tell(Queue, Thread),
        Asked = [Thread|Asked1]
    ;   catch(thread_signal(Thread, threadutil:tell(Queue, Thread)), error(_, _), fail)
    ->  Asked = [Thread|Asked1]
    ;   Asked = Asked1
    ),
    ask(Threads, Queue, Asked1).

answers(Count, Queue, Deadline, Told) :-
    (   Count > 0,
        thread_get_message(Queue, told(Thread, Places), [deadline(Deadline)])
    ->  Told = [Thread-Places|Told1],
        Count1 is Count-1,
        answers(Count1, Queue, Deadline, Told1)
    ;   Told = []
    ).

%   In the thread that is asked.
tell(Queue, Thread) :-
    '$callers'(Places0),
    '$of_interest'(Places0, Places),
    catch(thread_send_message(Queue, told(Thread, Places)), error(existence_error(_, _), _), true).

'$of_interest'([], []).
'$of_interest'([Place|Places], Shown) :-
    (   '$caller'(Place)
    ->  Shown = [Place|Shown1]
    ;   Shown = Shown1
    ),
    '$of_interest'(Places, Shown1).

'$caller'(Place) :-
    (   Place = goal(Goal) -> true
    ;   Place = in(Goal, _, _)
    ),
    \+ '$is_hidden'(Goal),
    \+ Goal = threadutil:_.

:- multifile(prolog:message//1).

prolog:message(threads(Rows)) -->
    [ '~w~t~32|~w~t~50| ~t~w~60| ~t~w~74|'-['Thread', 'Status', 'Time', 'Bytes'], nl ],
    [ '~`-t~74|'-[] ],
    threadutil:rows(Rows).
prolog:message(joined_threads(Joined)) -->
    [ 'Joined the following threads'-[], nl, '~w~t~32|~w'-['Thread', 'Status'], nl, '~`-t~50|'-[] ],
    threadutil:joined(Joined).
prolog:message(thread_goals(Thread, Told, Depth)) -->
    (   { '$member'(Thread-Places, Told) }
    ->  ( { Places == [] } -> [ '    (no goals)'-[] ] ; threadutil:places(Places, Depth) )
    ;   [ '    ~w does not come to a safe point'-[Thread] ]
    ).
prolog:message(thread_state(Name, Status, Properties)) -->
    [ '~w: ~p'-[Name, Status] ],
    threadutil:properties(Properties).

rows([]) --> [].
rows([row(Name, Status, Time, Size)|Rows]) -->
    [ nl, '~w~t~32|~p~t~50| ~t~w~60| ~t~w~74|'-[Name, Status, Seconds, Bytes] ],
    { ( number(Time) -> format(atom(Seconds), '~3f', [Time]), format(atom(Bytes), '~D', [Size]) ; Seconds = Time, Bytes = Size ) },
    rows(Rows).

joined([]) --> [].
joined([Name-Status|Joined]) -->
    [ nl, '~w~t~32|~p'-[Name, Status] ],
    joined(Joined).

places([], _) --> [].
places([Place|Places], Depth) -->
    (   { Depth =:= 0 }
    ->  [ '    ...'-[] ]
    ;   { Place = goal(Goal0) }
    ->  { '$shown_goal'(Goal0, Goal) },
        [ '    ~W'-[Goal, [quoted(true), portray(true), max_depth(10), spacing(next_argument)]] ],
        end_of_place(Places, Depth)
    ;   { Place = in(PI0, File, Line), '$without_module'(PI0, PI) },
        ( { File == [] } -> [ '    ~q'-[PI] ] ; [ '    ~q at ~w:~w'-[PI, File, Line] ] ),
        end_of_place(Places, Depth)
    ).

end_of_place([], _) --> [].
end_of_place([P|Ps], Depth) --> [ nl ], { Depth1 is Depth-1 }, places([P|Ps], Depth1).

properties([]) --> [].
properties([Property|Properties]) --> [ ', ~p'-[Property] ], properties(Properties).
