% Time stamps and broken-down dates: what SWI-Prolog has outside of its libraries, so that a program may have a module `date`.
%
% A stamp is the number of seconds since 1970-01-01 UTC. A date is date(Y, M, D, H, Mn, S, Offset, Zone, DST), with the offset
% in seconds west of Greenwich, or date(Y, M, D). Days are counted in the proleptic Gregorian calendar. What is here of stamps is for numbers of any size, and for errors:
% that of usual size is done in machine/builtins/dates.rs, and so is the text of a time, of which other numbers are a representation_error(int).

:- module('$dates', [
       stamp_date_time/3,
       date_time_stamp/2,
       format_time/3,
       format_time/4,
       '$date_days'/4,
       '$days_week_day'/2,
       '$days_year_day'/2,
       '$month_name'/2
   ]).

%!  stamp_date_time(+Stamp, -Date, +Zone) is det.
%
%   Zone is local, 'UTC', or an offset in seconds west of Greenwich.

stamp_date_time(Stamp, Date, Zone) :-
    '$stamp_date'(Stamp, Zone, Date0), !,
    Date = Date0.
stamp_date_time(Stamp, Date, Zone) :-
    must_be(number, Stamp),
    stamp_zone(Zone, Stamp, Offset, Name, Summer),
    stamp_parts(Stamp, Offset, Days, H, Mn, S),
    days_date(Days, Y, M, D),
    Date = date(Y, M, D, H, Mn, S, Offset, Name, Summer).

stamp_zone(Zone, Stamp, Offset, Name, Summer) :-
    var(Zone), !,
    Zone = local,
    stamp_zone(local, Stamp, Offset, Name, Summer).
stamp_zone(local, Stamp, Offset, Name, Summer) :- !,
    Seconds is floor(Stamp),
    '$local_zone'(Seconds, Offset, Name, Summer).
stamp_zone('UTC', _, 0, 'UTC', -) :- !.
stamp_zone(Offset, _, Offset, -, -) :-
    must_be(integer, Offset).

stamp_parts(Stamp, Offset, Days, H, Mn, S) :-
    Whole is floor(Stamp),
    Fraction is float(Stamp - Whole),
    Local is Whole - Offset,
    Days is Local div 86400,
    Rest is Local mod 86400,
    H is Rest // 3600,
    Mn is Rest mod 3600 // 60,
    S is Rest mod 60 + Fraction.

%   Days since 1970-01-01 and dates. Years are counted from March here, so that the day of a leap year is the last one; in 400
%   years there are 146097 days.
days_date(Days, Y, M, D) :-
    Z is Days + 719468,
    Era is Z div 146097,
    DayOfEra is Z mod 146097,
    YearOfEra is (DayOfEra - DayOfEra // 1460 + DayOfEra // 36524 - DayOfEra // 146096) // 365,
    DayOfYear is DayOfEra - (365 * YearOfEra + YearOfEra // 4 - YearOfEra // 100),
    March is (5 * DayOfYear + 2) // 153,
    D is DayOfYear - (153 * March + 2) // 5 + 1,
    M is (March + 2) mod 12 + 1,
    Y is YearOfEra + Era * 400 + (12 - M) // 10.

%   The month may be outside of 1..12, the day outside of the month.
'$date_days'(Y0, M0, D, Days) :-
    Y1 is Y0 + (M0 - 1) div 12,
    M is (M0 - 1) mod 12 + 1,
    Y is Y1 - (14 - M) // 12,
    Era is Y div 400,
    YearOfEra is Y mod 400,
    March is (M + 9) mod 12,
    DayOfYear is (153 * March + 2) // 5 + D - 1,
    Days is Era * 146097 + YearOfEra * 365 + YearOfEra // 4 - YearOfEra // 100 + DayOfYear - 719468.

%!  date_time_stamp(+Date, -Stamp) is det.
%
%   What is out of range in Date is made up from the rest. If the offset is unbound the time is local: then offset, zone and daylight
%   saving are found, too; so it is of a date without time.

date_time_stamp(Date, Stamp) :-
    '$date_stamp'(Date, Stamp0), !,
    Stamp = Stamp0.
date_time_stamp(date(Y, M, D), Stamp) :- !,
    date_time_stamp(date(Y, M, D, 0, 0, 0, _, _, _), Stamp).
date_time_stamp(date(Y, M, D, H, Mn, S, Offset, Zone, Summer), Stamp) :- !,
    must_be(integer, Y),
    must_be(integer, M),
    must_be(integer, D),
    must_be(integer, H),
    must_be(integer, Mn),
    ( number(S) -> true ; must_be(float, S) ),
    '$date_days'(Y, M, D, Days),
    Local is Days * 86400 + H * 3600 + Mn * 60 + S,
    (   nonvar(Offset)
    ->  must_be(integer, Offset)
    ;   Guess is floor(Local),
        '$local_zone'(Guess, Offset1, _, _),
        Better is Guess + Offset1,
        '$local_zone'(Better, Offset, Name, IsSummer),
        ( var(Zone) -> Zone = Name ; true ),
        ( var(Summer) -> Summer = IsSummer ; true )
    ),
    Stamp is float(Local + Offset).
date_time_stamp(Date, _) :-
    must_be(nonvar, Date),
    type_error(time, Date).

'$days_week_day'(Days, Day) :-
    Day is (Days + 3) mod 7 + 1.

'$days_year_day'(Days, Day) :-
    days_date(Days, Y, _, _),
    '$date_days'(Y, 1, 1, First),
    Day is Days - First + 1.

%!  format_time(+Out, +Format, +StampOrDate) is det.
%!  format_time(+Out, +Format, +StampOrDate, +Locale) is det.
%
%   Writes a time by the directives of strftime(3) in English, with %f (microseconds; %3f with three digits) and %:z besides.
%   Out is as for format/3. A stamp is shown in local time.

format_time(Out, Format, Time) :-
    format_time(Out, Format, Time, posix).

format_time(Out, Format, Time, Locale) :-
    ( Locale == posix -> true ; must_be(oneof([posix]), Locale) ),
    broken_down(Time, Stamp, Date),
    text_to_string(Format, String),
    '$time_text'(String, Stamp, Date, Text),
    write_time(Out, Text).

%   (A text that a term is to be is there already.)
write_time(Out, Text) :-
    (   nonvar(Out), Out = atom(Atom)
    ->  atom_string(Made, Text),
        Atom = Made
    ;   nonvar(Out), Out = string(String)
    ->  String = Text
    ;   format(Out, '~s', [Text])
    ).

broken_down(Time, _, _) :-
    var(Time), !,
    throw(error(instantiation_error, _)).
broken_down(Time, Stamp, Date) :-
    number(Time), !,
    Stamp = Time,
    stamp_date_time(Time, Date, local).
broken_down(date(Y, M, D), Stamp, Date) :- !,
    broken_down(date(Y, M, D, 0, 0, 0, _, _, _), Stamp, Date).
broken_down(Date, Stamp, Date) :-
    date_time_stamp(Date, Stamp).

'$month_name'(M, Name) :-
    arg(M, m('January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
             'November', 'December'), Name).
