:- module(time,
          [ alarm/3,
            alarm/4,
            alarm_at/4,
            call_with_time_limit/2,
            call_with_time_limit/3,
            current_alarm/5,
            remove_alarm/1
          ]).

%   Alarms and time limits; as SWI-Prolog's library(time). An alarm is a timer of the machine that
%   signals the thread which set it.

:- meta_predicate(call_with_time_limit(?, 0)).
:- meta_predicate(call_with_time_limit(?, 0, ?)).
:- meta_predicate(alarm(?, 0, ?)).
:- meta_predicate(alarm(?, 0, ?, ?)).
:- meta_predicate(alarm_at(?, 0, ?, ?)).

:- dynamic('$alarm'/5).

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
            '$arm'(Seconds, Ball, Timer),
            '$limited'(Goal),
            '$disarm'(Timer))
    ).

%   An alarm's signal may be on its way when the goal ends: it does nothing any more once '$disarm'/1 has taken the limit away. What arrived
%   while the goal could not be interrupted is handled by the call of '$limited_end'/0, inside of the limit.
'$limited'(Goal) :-
    once(Goal),
    '$limited_end'.

'$limited_end'.

'$arm'(Seconds, Ball, Timer) :-
    '$new_timer'(Timer),
    '$set_timer'(Timer, Seconds, time:'$time_limit'(Timer, Ball)).

'$disarm'(Timer) :- ( '$stop_timer'(Timer) -> true ; true ).

'$time_limit'(Timer, Ball) :-
    ( '$stop_timer'(Timer) -> throw(Ball) ; true ).

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
    '$new_timer'(Timer),
    Alarm = '$alarm'(Timer),
    assertz('$alarm'(Timer, At, Goal, Me, scheduled)),
    catch('$set_timer'(Timer, Seconds, time:'$goes_off'(Timer, G)), Error, true),
    (   var(Error)
    ->  true
    ;   retractall('$alarm'(Timer, _, _, _, _)),
        throw(Error)
    ).

%   Without the memory to say so it goes off all the same.
'$goes_off'(Timer, Goal) :-
    '$stop_timer'(Timer),
    catch('$has_gone_off'(Timer), error(resource_error(_), _), true),
    call(Goal).

'$has_gone_off'(Timer) :-
    ( retract('$alarm'(Timer, At, Goal, Me, _)) -> assertz('$alarm'(Timer, At, Goal, Me, done)) ; true ).

%!  remove_alarm(+Alarm) is det.
remove_alarm('$alarm'(Timer)) :-
    retractall('$alarm'(Timer, _, _, _, _)),
    '$disarm'(Timer).

%!  current_alarm(?At, ?Goal, ?Alarm, ?Status, ?Thread) is nondet.
current_alarm(At, Goal, '$alarm'(Timer), Status, Thread) :-
    '$alarm'(Timer, At, Goal, Thread, Status).
