% Time stamps and broken-down dates: what SWI-Prolog has outside of its libraries, so that a program may have a module `date`.
%
% A stamp is the number of seconds since 1970-01-01 UTC. A date is date(Y, M, D, H, Mn, S, Offset, Zone, DST), with the offset
% in seconds west of Greenwich, or date(Y, M, D). Days are counted in the proleptic Gregorian calendar.

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
    must_be(oneof([posix]), Locale),
    broken_down(Time, Stamp, Date),
    text_to_string(Format, Text),
    string_codes(Text, Codes),
    time_text(Codes, Stamp, Date, Parts, []),
    format(Out, '~s', [Parts]).

broken_down(Time, _, _) :-
    var(Time), !,
    throw(error(instantiation_error, _)).
broken_down(Time, Stamp, Date) :-
    number(Time), !,
    Stamp = Time,
    stamp_date_time(Time, Date, local).
broken_down(date(Y, M, D), Stamp, Date) :- !,
    broken_down(date(Y, M, D, 0, 0, 0, _, _, _), Stamp, Date).
broken_down(Date0, Stamp, Date) :-
    date_time_stamp(Date0, Stamp),
    in_range(Date0, Date).

%   The month and the day are those of the date that is meant; hours and what is below are left as they are.
in_range(date(Y0, M0, D0, H, Mn, S, Offset, Zone, Summer), date(Y, M, D, H, Mn, S, Offset, Zone, Summer)) :-
    '$date_days'(Y0, M0, D0, Days),
    days_date(Days, Y, M, D).

time_text([], _, _, Parts, Parts).
time_text([0'%|Codes], Stamp, Date, Parts0, Parts) :-
    !,
    (   time_directive(Codes, Name, Digits, Rest),
        time_part(Name, Digits, Stamp, Date, Text)
    ->  atom_codes(Text, Own)
    ;   ( Codes = [C|_] -> Unknown = [0'%, C] ; Unknown = [0'%] ),
        atom_codes(Directive, Unknown),
        existence_error(format, Directive)
    ),
    append(Own, Parts1, Parts0),
    time_text(Rest, Stamp, Date, Parts1, Parts).
time_text([C|Codes], Stamp, Date, [C|Parts0], Parts) :-
    time_text(Codes, Stamp, Date, Parts0, Parts).

%   The modifier _ changes nothing.
time_directive([0'_|Codes], Name, Digits, Rest) :-
    Codes = [_|_], !,
    time_directive(Codes, Name, Digits, Rest).
time_directive([0':, 0'z|Rest], ':z', 6, Rest) :- !.
time_directive([D, 0'f|Rest], f, Digits, Rest) :-
    code_type(D, digit(Digits)), !.
time_directive([C|Rest], Name, 6, Rest) :-
    char_code(Name, C).

time_part(a, _, _, Date, T) :- week_day_name(Date, Name), sub_atom(Name, 0, 3, _, T).
time_part('A', _, _, Date, T) :- week_day_name(Date, T).
time_part(b, _, _, Date, T) :- month_of(Date, Name), sub_atom(Name, 0, 3, _, T).
time_part(h, N, S, Date, T) :- time_part(b, N, S, Date, T).
time_part('B', _, _, Date, T) :- month_of(Date, T).
time_part(c, _, S, Date, T) :- time_format('%a %b %e %H:%M:%S %Y', S, Date, T).
time_part('C', _, _, Date, T) :-
    arg(1, Date, Y),
    ( Y >= 0, Y =< 9999 -> true ; domain_error('%C', Y) ),
    C is Y // 100,
    two_digits(C, T).
time_part(d, _, _, Date, T) :- arg(3, Date, D), two_digits(D, T).
time_part('D', _, S, Date, T) :- time_format('%m/%d/%y', S, Date, T).
time_part(e, _, _, Date, T) :- arg(3, Date, D), blank_padded(D, T).
time_part('F', _, S, Date, T) :- time_format('%Y-%m-%d', S, Date, T).
time_part(f, Digits, _, Date, T) :-
    arg(6, Date, S),
    % Rounded, but what is less than a second does not become one.
    Fraction is min(round((S - truncate(S)) * 10 ** Digits), 10 ** Digits - 1),
    format(atom(T), '~|~`0t~d~*+', [Fraction, Digits]).
time_part(g, _, _, Date, T) :- iso_week(Date, Y, _), YY is Y mod 100, two_digits(YY, T).
time_part('G', _, _, Date, Y) :- iso_week(Date, Y, _).
time_part('V', _, _, Date, T) :- iso_week(Date, _, W), two_digits(W, T).
time_part('H', _, _, Date, T) :- arg(4, Date, H), two_digits(H, T).
time_part('I', _, _, Date, T) :- hour_of_half(Date, H), two_digits(H, T).
time_part(j, _, _, Date, T) :- year_day(Date, D), format(atom(T), '~|~`0t~d~3+', [D]).
time_part(k, _, _, Date, T) :- arg(4, Date, H), blank_padded(H, T).
time_part(l, _, _, Date, T) :- hour_of_half(Date, H), blank_padded(H, T).
time_part(m, _, _, Date, T) :- arg(2, Date, M), two_digits(M, T).
time_part('M', _, _, Date, T) :- arg(5, Date, M), two_digits(M, T).
time_part(n, _, _, _, '\n').
time_part(p, _, _, Date, T) :- arg(4, Date, H), ( H < 12 -> T = 'AM' ; T = 'PM' ).
time_part('P', _, _, Date, T) :- arg(4, Date, H), ( H < 12 -> T = am ; T = pm ).
time_part(r, _, S, Date, T) :- time_format('%I:%M:%S %p', S, Date, T).
time_part('R', _, S, Date, T) :- time_format('%H:%M', S, Date, T).
time_part(s, _, Stamp, _, T) :- T is floor(Stamp).
time_part('S', _, _, Date, T) :- arg(6, Date, S), W is truncate(S), two_digits(W, T).
time_part(t, _, _, _, '\t').
time_part('T', _, S, Date, T) :- time_format('%H:%M:%S', S, Date, T).
time_part(u, _, _, Date, T) :- iso_week_day(Date, T).
time_part('U', _, _, Date, T) :- week_day(Date, W), year_day(Date, D), N is (D - 1 + 7 - W) // 7, two_digits(N, T).
time_part(w, _, _, Date, T) :- week_day(Date, T).
time_part('W', _, _, Date, T) :-
    iso_week_day(Date, W),
    year_day(Date, D),
    N is (D - 1 + 7 - (W - 1)) // 7,
    two_digits(N, T).
time_part(x, _, S, Date, T) :- time_format('%m/%d/%y', S, Date, T).
time_part('X', _, S, Date, T) :- time_format('%H:%M:%S', S, Date, T).
time_part(y, _, _, Date, T) :- arg(1, Date, Y), YY is Y mod 100, two_digits(YY, T).
time_part('Y', _, _, Date, Y) :- arg(1, Date, Y).
time_part(z, _, _, Date, T) :- zone_offset(Date, '', T).
time_part(':z', _, _, Date, T) :- zone_offset(Date, :, T).
time_part('Z', _, _, Date, T) :- arg(8, Date, Z), ( ( var(Z) ; Z == (-) ) -> T = '' ; T = Z ).
time_part(+, _, S, Date, T) :- time_format('%a %b %e %H:%M:%S %Y', S, Date, T).
time_part('%', _, _, _, '%').

time_format(Format, Stamp, Date, Text) :-
    atom_codes(Format, Codes),
    time_text(Codes, Stamp, Date, Parts, []),
    atom_codes(Text, Parts).

%   (The numbers of dates that there are: most of the time was column stops of format/3.)
two_digits(N, T) :-
    integer(N), N >= 0, N =< 99, !,
    Tens is 0'0 + N // 10,
    Ones is 0'0 + N mod 10,
    atom_codes(T, [Tens, Ones]).
two_digits(N, T) :-
    format(atom(T), '~|~`0t~d~2+', [N]).

blank_padded(N, T) :-
    format(atom(T), '~|~t~d~2+', [N]).

%   1 for Monday, and 1 for the first of January, of what is broken down.
iso_week_day(Date, D) :-
    broken_down_days(Date, Days),
    '$days_week_day'(Days, D).

year_day(Date, D) :-
    broken_down_days(Date, Days),
    '$days_year_day'(Days, D).

broken_down_days(date(Y, M, D, _, _, _, _, _, _), Days) :-
    '$date_days'(Y, M, D, Days).

%   0 for Sunday.
week_day(Date, W) :-
    iso_week_day(Date, D),
    W is D mod 7.

week_day_name(Date, Name) :-
    iso_week_day(Date, D),
    arg(D, d('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'), Name).

month_of(Date, Name) :-
    arg(2, Date, M),
    '$month_name'(M, Name).

'$month_name'(M, Name) :-
    arg(M, m('January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
             'November', 'December'), Name).

hour_of_half(Date, H) :-
    arg(4, Date, H0),
    H is (H0 + 11) mod 12 + 1.

zone_offset(Date, Separator, T) :-
    arg(7, Date, Offset0),
    ( integer(Offset0) -> Offset = Offset0 ; Offset = 0 ),
    ( Offset =< 0 -> Sign = (+) ; Sign = (-) ),
    Minutes is abs(Offset) // 60,
    H is Minutes // 60,
    M is Minutes mod 60,
    two_digits(H, HH),
    two_digits(M, MM),
    atomic_list_concat([Sign, HH, Separator, MM], T).

%   The ISO 8601 week: week 1 has the first Thursday of the year, and begins on Monday.
iso_week(Date, Year, Week) :-
    broken_down_days(Date, Days),
    Thursday is Days - (Days + 3) mod 7 + 3,
    days_date(Thursday, Year, _, _),
    '$date_days'(Year, 1, 1, First),
    Week is (Thursday - First) // 7 + 1.
