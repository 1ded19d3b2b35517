:- module(time,
          [ alarm/3,
            alarm/4,
            alarm_at/4,
            call_with_time_limit/2,
            call_with_time_limit/3,
            current_alarm/5,
            remove_alarm/1
          ]).

%   Alarms and time limits; as SWI-Prolog's library(time). An alarm is a thread that sleeps on its message queue and then
%   signals the thread that set it.

:- meta_predicate(call_with_time_limit(?, 0)).
:- meta_predicate(call_with_time_limit(?, 0, ?)).
:- meta_predicate(alarm(?, 0, ?)).
:- meta_predicate(alarm(?, 0, ?, ?)).
:- meta_predicate(alarm_at(?, 0, ?, ?)).
:- meta_predicate('$alarm_thread'(?, ?, ?, 0)).

:- dynamic('$alarm'/5).
:- dynamic('$armed'/1).

%!  call_with_time_limit(+Seconds, :Goal) is semidet.
%   once(Goal); raises time_limit_exceeded if it takes longer.
call_with_time_limit(Seconds, Goal) :-
    '$call_with_time_limit'(Seconds, Goal, time_limit_exceeded).

%!  call_with_time_limit(+Seconds, :Goal, +Context) is semidet.
%   As call_with_time_limit/2, but raises time_limit_exceeded(Context).
call_with_time_limit(Seconds, Goal, Context) :-
    '$call_with_time_limit'(Seconds, Goal, time_limit_exceeded(Context)).

'$call_with_time_limit'(Seconds, Goal, Ball) :-
    must_be(number, Seconds),
    (   Seconds =< 0
    ->  throw(Ball)
    ;   setup_call_cleanup(
            '$arm'(Seconds, Ball, Alarm),
            '$limited'(Goal),
            '$disarm'(Alarm))
    ).

%   An alarm's signal may be on its way when the goal ends: it does nothing any more once '$disarm'/1 has taken the limit away. What arrived
%   while the goal could not be interrupted is handled by the call of '$limited_end'/0, inside of the limit.
'$limited'(Goal) :-
    once(Goal),
    '$limited_end'.

'$limited_end'.

'$arm'(Seconds, Ball, '$alarm'(Queue)) :-
    thread_self(Me),
    message_queue_create(Queue),
    assertz('$armed'(Queue)),
    catch(thread_create('$alarm_thread'(Queue, Seconds, Me, '$time_limit'(Queue, Ball)), _, [detached(true)]), Error, true),
    (   var(Error)
    ->  true
    ;   retractall('$armed'(Queue)),
        message_queue_destroy(Queue),
        throw(Error)
    ).

'$disarm'(Alarm) :-
    Alarm = '$alarm'(Queue),
    retractall('$armed'(Queue)),
    '$stop_alarm'(Alarm).

'$time_limit'(Queue, Ball) :-
    ( retract('$armed'(Queue)) -> throw(Ball) ; true ).

%!  alarm(+Seconds, :Goal, -Alarm) is det.
%   Runs Goal in this thread after so many seconds.
alarm(Seconds, Goal, Alarm) :- alarm(Seconds, Goal, Alarm, []).

%!  alarm(+Seconds, :Goal, -Alarm, +Options) is det.
%   Options are ignored but for remove(true): forget the alarm when it has gone off.
alarm(Seconds, Goal, Alarm, Options) :-
    must_be(number, Seconds),
    must_be(list, Options),
    get_time(Now),
    At is Now + Seconds,
    alarm_at(At, Goal, Alarm, Options).

%!  alarm_at(+Time, :Goal, -Alarm, +Options) is det.
alarm_at(At, Goal, Alarm, Options) :-
    get_time(Now),
    Seconds is max(0, At - Now),
    ( '$memberchk_eq'(remove(true), Options) -> G = ( time:remove_alarm(Alarm), Goal ) ; G = Goal ),
    thread_self(Me),
    Alarm = '$alarm'(Queue),
    message_queue_create(Queue),
    assertz('$alarm'(Queue, At, Goal, Me, scheduled)),
    thread_create('$alarm_thread'(Queue, Seconds, Me, G), _, [detached(true)]).

%!  remove_alarm(+Alarm) is det.
remove_alarm('$alarm'(Queue)) :-
    retractall('$alarm'(Queue, _, _, _, _)),
    '$stop_alarm'('$alarm'(Queue)).

%!  current_alarm(?At, ?Goal, ?Alarm, ?Status, ?Thread) is nondet.
current_alarm(At, Goal, '$alarm'(Queue), Status, Thread) :-
    '$alarm'(Queue, At, Goal, Thread, Status).

%   The thread may be over, and with it its queue.
'$stop_alarm'('$alarm'(Queue)) :-
    catch(thread_send_message(Queue, stop), error(existence_error(_, _), _), true).

'$alarm_thread'(Queue, Seconds, Thread, Goal) :-
    (   thread_get_message(Queue, stop, [timeout(Seconds)])
    ->  message_queue_destroy(Queue)
    ;   message_queue_destroy(Queue),
        ( retract('$alarm'(Queue, At, G, Me, _)) -> assertz('$alarm'(Queue, At, G, Me, done)) ; true ),
        catch(thread_signal(Thread, Goal), error(existence_error(_, _), _), true)
    ).
