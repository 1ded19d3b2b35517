% Dates and times: time stamps, broken-down dates, formatting and parsing, as in SWI-Prolog.
%
% A stamp is the number of seconds since 1970-01-01 UTC. A date is date(Y, M, D, H, Mn, S, Offset, Zone, DST), with the offset
% in seconds west of Greenwich, or date(Y, M, D). Days are counted in the proleptic Gregorian calendar.

:- module(date, [
       stamp_date_time/3,
       date_time_stamp/2,
       date_time_value/3,
       format_time/3,
       format_time/4,
       parse_time/2,
       parse_time/3,
       day_of_the_week/2,
       day_of_the_year/2
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
date_days(Y0, M0, D, Days) :-
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
%   What is unbound or out of range in Date is made up from the rest; without an offset the time is local.

date_time_stamp(date(Y, M, D), Stamp) :- !,
    date_time_stamp(date(Y, M, D, 0, 0, 0, 0, -, -), Stamp).
date_time_stamp(date(Y, M, D, H, Mn, S, Offset0, _, _), Stamp) :- !,
    must_be(integer, Y),
    must_be(integer, M),
    must_be(integer, D),
    must_be(integer, H),
    must_be(integer, Mn),
    must_be(number, S),
    date_days(Y, M, D, Days),
    Local is Days * 86400 + H * 3600 + Mn * 60 + S,
    (   integer(Offset0)
    ->  Offset = Offset0
    ;   Guess is floor(Local),
        '$local_zone'(Guess, Offset1, _, _),
        Better is Guess + Offset1,
        '$local_zone'(Better, Offset, _, _)
    ),
    Stamp is float(Local + Offset).
date_time_stamp(Date, _) :-
    must_be(nonvar, Date),
    type_error(date, Date).

%!  date_time_value(?Key, +Date, ?Value) is nondet.
%
%   Date is a date/9.

date_time_value(Key, Date, Value) :-
    Date = date(_, _, _, _, _, _, _, _, _),
    date_value(Key, Date, Value).

date_value(year, Date, V) :- arg(1, Date, V).
date_value(month, Date, V) :- arg(2, Date, V).
date_value(day, Date, V) :- arg(3, Date, V).
date_value(hour, Date, V) :- arg(4, Date, V).
date_value(minute, Date, V) :- arg(5, Date, V).
date_value(second, Date, V) :- arg(6, Date, V).
date_value(utc_offset, Date, V) :- arg(7, Date, V).
date_value(time_zone, Date, V) :- arg(8, Date, V), V \== (-).
date_value(daylight_saving, Date, V) :- arg(9, Date, V), V \== (-).
date_value(date, date(Y, M, D, _, _, _, _, _, _), date(Y, M, D)).
date_value(time, date(_, _, _, H, Mn, S, _, _, _), time(H, Mn, S)).

%!  day_of_the_week(+Date, -Day) is semidet.
%
%   1 for Monday to 7 for Sunday. Date is a date/3; month and day may be out of range.

day_of_the_week(date(Y, M, D), Day) :-
    date_days(Y, M, D, Days),
    days_week_day(Days, Day).

days_week_day(Days, Day) :-
    Day is (Days + 3) mod 7 + 1.

%!  day_of_the_year(+Date, -Day) is semidet.
%
%   1 for the first of January of the year in which Date is. Date is a date/3; month and day may be out of range.

day_of_the_year(date(Y, M, D), Day) :-
    date_days(Y, M, D, Days),
    days_year_day(Days, Day).

days_year_day(Days, Day) :-
    days_date(Days, Y, _, _),
    date_days(Y, 1, 1, First),
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
    Date = date(Y, M, D, 0, 0, 0, 0, -, -),
    date_time_stamp(Date, Stamp).
broken_down(Date, Stamp, Date) :-
    date_time_stamp(Date, Stamp).

time_text([], _, _, Parts, Parts).
time_text([0'%|Codes], Stamp, Date, Parts0, Parts) :-
    time_directive(Codes, Name, Digits, Rest), !,
    (   time_part(Name, Digits, Stamp, Date, Text)
    ->  atom_codes(Text, Own)
    ;   atom_codes(Name, NameCodes),
        Own = [0'%|NameCodes]
    ),
    append(Own, Parts1, Parts0),
    time_text(Rest, Stamp, Date, Parts1, Parts).
time_text([C|Codes], Stamp, Date, [C|Parts0], Parts) :-
    time_text(Codes, Stamp, Date, Parts0, Parts).

%   The modifiers E, O and _ change nothing.
time_directive([C|Codes], Name, Digits, Rest) :-
    memberchk(C, `EO_`),
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
time_part('C', _, _, Date, T) :- arg(1, Date, Y), C is Y // 100, two_digits(C, T).
time_part(d, _, _, Date, T) :- arg(3, Date, D), two_digits(D, T).
time_part('D', _, S, Date, T) :- time_format('%m/%d/%y', S, Date, T).
time_part(e, _, _, Date, T) :- arg(3, Date, D), blank_padded(D, T).
time_part('F', _, S, Date, T) :- time_format('%Y-%m-%d', S, Date, T).
time_part(f, Digits, _, Date, T) :-
    arg(6, Date, S),
    Fraction is truncate((S - truncate(S)) * 10 ** Digits),
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
time_part('Z', _, _, Date, T) :- arg(8, Date, Z), ( Z == (-) -> T = '' ; T = Z ).
time_part(+, _, S, Date, T) :- time_format('%a %b %e %H:%M:%S %Y', S, Date, T).
time_part('%', _, _, _, '%').

time_format(Format, Stamp, Date, Text) :-
    atom_codes(Format, Codes),
    time_text(Codes, Stamp, Date, Parts, []),
    atom_codes(Text, Parts).

two_digits(N, T) :-
    format(atom(T), '~|~`0t~d~2+', [N]).

blank_padded(N, T) :-
    format(atom(T), '~|~t~d~2+', [N]).

%   1 for Monday, and 1 for the first of January, of what is broken down.
iso_week_day(Date, D) :-
    broken_down_days(Date, Days),
    days_week_day(Days, D).

year_day(Date, D) :-
    broken_down_days(Date, Days),
    days_year_day(Days, D).

broken_down_days(date(Y, M, D, _, _, _, _, _, _), Days) :-
    date_days(Y, M, D, Days).

%   0 for Sunday.
week_day(Date, W) :-
    iso_week_day(Date, D),
    W is D mod 7.

week_day_name(Date, Name) :-
    iso_week_day(Date, D),
    arg(D, d('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'), Name).

month_of(Date, Name) :-
    arg(2, Date, M),
    month_name(M, Name).

month_name(M, Name) :-
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
    format(atom(T), '~w~|~`0t~d~2+~w~|~`0t~d~2+', [Sign, H, Separator, M]).

%   The ISO 8601 week: week 1 has the first Thursday of the year, and begins on Monday.
iso_week(Date, Year, Week) :-
    broken_down_days(Date, Days),
    Thursday is Days - (Days + 3) mod 7 + 3,
    days_date(Thursday, Year, _, _),
    date_days(Year, 1, 1, First),
    Week is (Thursday - First) // 7 + 1.

%!  parse_time(+Text, -Stamp) is semidet.
%!  parse_time(+Text, ?Format, -Stamp) is semidet.
%
%   Reads a time in ISO 8601 notation (dates with months, weeks or days of the year; hours, minutes, seconds and a zone), or as
%   in RFC 1123. Format is iso_8601 or rfc_1123. Without a zone the time is UTC.

parse_time(Text, Stamp) :-
    parse_time(Text, _, Stamp).

parse_time(Text, Format, Stamp) :-
    text_to_string(Text, String),
    string_codes(String, Codes),
    parsed_time(Format, Codes, Stamp), !.

parsed_time(iso_8601, Codes, Stamp) :-
    phrase(iso_date(Style, Days), Codes, Rest),
    phrase(iso_time(Style, Seconds), Rest), !,
    Stamp is float(Days * 86400 + Seconds).
parsed_time(rfc_1123, Codes, Stamp) :-
    phrase(rfc_date(Days, Seconds), Codes), !,
    Stamp is float(Days * 86400 + Seconds).

iso_date(extended, Days) -->
    digits_number(4, Y), "-W", digits_number(2, W), "-", digits_number(1, D), !,
    { iso_week_days(Y, W, D, Days) }.
iso_date(basic, Days) -->
    digits_number(4, Y), "W", digits_number(2, W), basic_week_day(D), !,
    { iso_week_days(Y, W, D, Days) }.
iso_date(extended, Days) -->
    digits_number(4, Y), "-", digits_number(2, M), "-", digits_number(2, D), !,
    { valid_month_day(M, D), date_days(Y, M, D, Days) }.
iso_date(basic, Days) -->
    digits_number(4, Y), digits_number(2, M), digits_number(2, D), !,
    { valid_month_day(M, D), date_days(Y, M, D, Days) }.
iso_date(extended, Days) -->
    digits_number(4, Y), "-", digits_number(3, D), !,
    { D >= 1, D =< 366, date_days(Y, 1, D, Days) }.
%   A month alone is the day before its first, as in SWI-Prolog; no time follows.
iso_date(none, Days) -->
    digits_number(4, Y), "-", digits_number(2, M),
    { M >= 1, M =< 12, date_days(Y, M, 0, Days) }.

basic_week_day(D) --> digits_number(1, D), !.
basic_week_day(1) --> [].

iso_week_days(Y, W, D, Days) :-
    W >= 1, W =< 53, D >= 1, D =< 7,
    date_days(Y, 1, 4, Fourth),
    Monday is Fourth - (Fourth + 3) mod 7,
    Days is Monday + (W - 1) * 7 + D - 1.

valid_month_day(M, D) :-
    M >= 1, M =< 12, D >= 1, D =< 31.

iso_time(_, 0) --> [].
iso_time(Style, Seconds) -->
    { Style \== none },
    ( "T" ; " " ), !,
    clock_time(Style, H, M, S),
    time_zone(Offset),
    { H =< 24, M =< 59, S < 61, Seconds is H * 3600 + M * 60 + S + Offset }.

clock_time(extended, H, M, S) --> digits_number(2, H), ":", digits_number(2, M), ":", second_number(S), !.
clock_time(extended, H, M, 0) --> digits_number(2, H), ":", digits_number(2, M), !.
clock_time(basic, H, M, S) --> digits_number(2, H), digits_number(2, M), second_number(S), !.
clock_time(basic, H, M, 0) --> digits_number(2, H), digits_number(2, M), !.
clock_time(_, H, 0, 0) --> digits_number(2, H).

second_number(S) -->
    digits_number(2, W), ( "." ; "," ), some_digits(Ds), !,
    { number_codes(N, Ds), length(Ds, L), S is W + N / 10.0 ** L }.
second_number(S) -->
    digits_number(2, S).

%   Seconds to be added for UTC.
time_zone(0) --> "Z", !.
time_zone(Offset) -->
    zone_sign(Sign), digits_number(2, H), ( ":" ; [] ), digits_number(2, M), !,
    { Offset is Sign * (H * 3600 + M * 60) }.
time_zone(Offset) -->
    zone_sign(Sign), digits_number(2, H), !,
    { Offset is Sign * H * 3600 }.
time_zone(0) --> [].

zone_sign(-1) --> "+".
zone_sign(1) --> "-".

rfc_date(Days, Seconds) -->
    letters_name(_), ",", " ",
    one_or_two_digits(D), " ", letters_name(Month), " ", digits_number(4, Y), " ",
    clock_time(extended, H, M, S), " ",
    rfc_zone(Offset),
    { between(1, 12, N), month_name(N, Name), sub_atom(Name, 0, 3, _, Month), !,
      valid_month_day(N, D),
      date_days(Y, N, D, Days),
      Seconds is H * 3600 + M * 60 + S + Offset }.

rfc_zone(0) --> ( "GMT" ; "UTC" ), !.
rfc_zone(Offset) --> time_zone(Offset).

letters_name(Name) -->
    [A, B, C],
    { code_type(A, alpha), code_type(B, alpha), code_type(C, alpha), atom_codes(Name, [A, B, C]) }.

one_or_two_digits(D) --> digits_number(2, D), !.
one_or_two_digits(D) --> digits_number(1, D).

digits_number(Length, N) -->
    exact_digits(Length, Ds),
    { number_codes(N, Ds) }.

exact_digits(0, []) --> !, [].
exact_digits(N, [D|Ds]) -->
    [D], { code_type(D, digit) },
    { N1 is N - 1 },
    exact_digits(N1, Ds).

some_digits([D|Ds]) -->
    [D], { code_type(D, digit) }, !,
    more_digits(Ds).

more_digits([D|Ds]) -->
    [D], { code_type(D, digit) }, !,
    more_digits(Ds).
more_digits([]) --> [].
