:- module(time,
          [ alarm/3,
            alarm/4,
            alarm_at/3,
            alarm_at/4,
            call_with_time_limit/2,
            call_with_time_limit/3,
            current_alarm/4,
            install_alarm/1,
            install_alarm/2,
            remove_alarm/1,
            uninstall_alarm/1
          ]).

%   Alarms and time limits; as SWI-Prolog's library(time). An alarm is a timer of the machine that
%   signals the thread which set it, and that thread's alone: others may remove it, but not install it, and all end with the thread.

:- use_module(library(error), [existence_error/2, must_be/2, type_error/2]).
:- use_module(library(option), [option/3]).

:- meta_predicate(call_with_time_limit(?, 0)).
:- meta_predicate(call_with_time_limit(?, 0, ?)).
:- meta_predicate(alarm(?, 0, ?)).
:- meta_predicate(alarm(?, 0, ?, ?)).
:- meta_predicate(alarm_at(?, 0, ?)).
:- meta_predicate(alarm_at(?, 0, ?, ?)).
:- meta_predicate(current_alarm(?, :, ?, ?)).

%   '$alarm'(Timer, Installation, At, Goal, Remove, Status): the alarms of this thread. Status is scheduled, done or uninstalled; one that is
%   scheduled and has no timer was removed by another thread. The Installation tells a signal that is on its way whether it is still meant.
:- thread_local('$alarm'/6).

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
    (   \+ Seconds > 0
    ->  throw(Ball)
    ;   ( nb_current('$limits', Outer) -> true ; Outer = [] ),
        setup_call_cleanup(
            '$arm'(Seconds, Ball, Timer),
            '$limited'(Goal, Timer, Outer),
            '$disarm'(Timer))
    ).

%   An alarm's signal may be on its way when the goal ends: it does nothing any more once '$disarm'/1 has taken the limit away. What arrived
%   while the goal could not be interrupted is handled by the call of '$limited_end'/0, inside of the limit.
%   Meanwhile `$limits` are the timers of the limits that Goal is within, so that who catches what one raises can tell whether it is for him: '$is_urgent'/1.
'$limited'(Goal, Timer, Outer) :-
    b_setval('$limits', [Timer|Outer]),
    once(Goal),
    b_setval('$limits', Outer),
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
%   Options are remove(Bool), to forget the alarm when it has gone off, and install(Bool): false leaves it to install_alarm/1 to let it go off.
alarm(Seconds, Goal, Alarm, Options) :-
    '$time_of'(Seconds, At),
    alarm_at(At, Goal, Alarm, Options).

%!  alarm_at(+Time, :Goal, -Alarm) is det.
%   Runs Goal at this time stamp.
alarm_at(At, Goal, Alarm) :- alarm_at(At, Goal, Alarm, []).

%!  alarm_at(+Time, :Goal, -Alarm, +Options) is det.
%   As alarm/4, at a time stamp.
alarm_at(At, Goal, Alarm, Options) :-
    '$must_be_time'(At),
    ( var(Alarm) -> true ; type_error(unbound, Alarm) ),
    must_be(list, Options),
    option(remove(Remove), Options, false),
    must_be(bool, Remove),
    option(install(Install), Options, true),
    must_be(bool, Install),
    '$new_timer'(Timer),
    (   Install == true
    ->  '$install'(Timer, At, Goal, Remove)
    ;   assertz('$alarm'(Timer, 0, At, Goal, Remove, uninstalled))
    ),
    Alarm = '$alarm'(Timer).

%   There is a time so many seconds from now; the last one, if it is too far away.
'$time_of'(Seconds, At) :-
    '$must_be_time'(Seconds),
    get_time(Now),
    catch(At is Now + Seconds, error(evaluation_error(_), _), At is inf).

'$must_be_time'(Time) :-
    must_be(number, Time),
    ( Time =:= Time -> true ; type_error(number, Time) ).

'$seconds_to'(At, Seconds) :-
    get_time(Now),
    catch(Seconds is max(0, At - Now), error(evaluation_error(_), _), Seconds is inf).

%   The alarm is there before its timer, which may go off at once.
'$install'(Timer, At, Goal, Remove) :-
    '$seconds_to'(At, Seconds),
    '$new_timer'(Installation),
    assertz('$alarm'(Timer, Installation, At, Goal, Remove, scheduled)),
    catch('$set_timer'(Timer, Seconds, time:'$goes_off'(Timer, Installation)), Error, true),
    (   var(Error)
    ->  true
    ;   retractall('$alarm'(Timer, Installation, _, _, _, _)),
        throw(Error)
    ).

%   Without the memory to say so it goes off all the same.
'$goes_off'(Timer, Installation) :-
    (   '$alarm'(Timer, Installation, At, Goal, Remove, scheduled),
        '$stop_timer'(Timer)
    ->  catch('$has_gone_off'(Timer, Installation, At, Goal, Remove), error(resource_error(_), _), true),
        call(Goal)
    ;   true
    ).

'$has_gone_off'(Timer, Installation, At, Goal, Remove) :-
    retractall('$alarm'(Timer, _, _, _, _, _)),
    ( Remove == true -> true ; assertz('$alarm'(Timer, Installation, At, Goal, Remove, done)) ).

%!  remove_alarm(+Alarm) is det.
%   It does not go off any more, if there still is one.
remove_alarm(Alarm) :-
    '$timer_of'(Alarm, Timer),
    '$disarm'(Timer),
    retractall('$alarm'(Timer, _, _, _, _, _)).

%!  install_alarm(+Alarm) is det.
%   It goes off at the time that it was made for.
install_alarm(Alarm) :-
    '$uninstalled'(Alarm, Timer, At, Goal, Remove),
    '$install'(Timer, At, Goal, Remove),
    retractall('$alarm'(Timer, _, _, _, _, uninstalled)).

%!  install_alarm(+Alarm, +Seconds) is det.
%   It goes off after so many seconds.
install_alarm(Alarm, Seconds) :-
    '$uninstalled'(Alarm, Timer, _, Goal, Remove),
    '$time_of'(Seconds, At),
    '$install'(Timer, At, Goal, Remove),
    retractall('$alarm'(Timer, _, _, _, _, uninstalled)).

'$uninstalled'(Alarm, Timer, At, Goal, Remove) :-
    '$own_alarm'(Alarm, Timer, At, Goal, Remove, Status),
    ( Status == uninstalled -> true ; throw(error(permission_error(install, alarm, Alarm), context(_, 'already installed'))) ).

%!  uninstall_alarm(+Alarm) is det.
%   It does not go off until it is installed again.
uninstall_alarm(Alarm) :-
    '$own_alarm'(Alarm, Timer, At, Goal, Remove, _),
    '$disarm'(Timer),
    retractall('$alarm'(Timer, _, _, _, _, _)),
    assertz('$alarm'(Timer, 0, At, Goal, Remove, uninstalled)).

'$own_alarm'(Alarm, Timer, At, Goal, Remove, Status) :-
    '$timer_of'(Alarm, Timer),
    (   '$alarm'(Timer, _, At0, Goal0, Remove0, Status0),
        '$is_there'(Timer, Status0)
    ->  At = At0, Goal = Goal0, Remove = Remove0, Status = Status0
    ;   existence_error(alarm, Alarm)
    ).

'$is_there'(Timer, Status) :- ( Status == scheduled -> '$timer_is_set'(Timer) ; true ).

'$timer_of'(Alarm, Timer) :-
    (   var(Alarm)
    ->  must_be(nonvar, Alarm)
    ;   Alarm = '$alarm'(Timer0), integer(Timer0)
    ->  Timer = Timer0
    ;   type_error(alarm, Alarm)
    ).

%!  current_alarm(?At, :Goal, ?Alarm, ?Status) is nondet.
%   The alarms of this thread that are `scheduled` or `done`, in the order of their times.
current_alarm(At, Goal0, Alarm, Status) :-
    ( var(Alarm) -> true ; '$timer_of'(Alarm, Timer) ),
    '$strip'(Goal0, Module, Goal),
    findall(alarm(At1, M:G, '$alarm'(Timer), S),
            ( '$alarm'(Timer, _, At1, G0, _, S), S \== uninstalled, '$is_there'(Timer, S), '$strip'(G0, M, G) ),
            Alarms),
    sort(1, @=<, Alarms, Sorted),
    '$member'(alarm(At, Module:Goal, Alarm, Status), Sorted).
