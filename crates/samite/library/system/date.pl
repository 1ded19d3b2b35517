% Parts of dates and reading them, as in SWI-Prolog. What makes and prints them is always there (dates.pl).

:- module(date, [
       date_time_value/3,
       parse_time/2,
       parse_time/3,
       day_of_the_week/2,
       day_of_the_year/2
   ]).

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
    '$date_days'(Y, M, D, Days),
    '$days_week_day'(Days, Day).

%!  day_of_the_year(+Date, -Day) is semidet.
%
%   1 for the first of January of the year in which Date is. Date is a date/3; month and day may be out of range.

day_of_the_year(date(Y, M, D), Day) :-
    '$date_days'(Y, M, D, Days),
    '$days_year_day'(Days, Day).

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
    { valid_month_day(M, D), '$date_days'(Y, M, D, Days) }.
iso_date(basic, Days) -->
    digits_number(4, Y), digits_number(2, M), digits_number(2, D), !,
    { valid_month_day(M, D), '$date_days'(Y, M, D, Days) }.
iso_date(extended, Days) -->
    digits_number(4, Y), "-", digits_number(3, D), !,
    { D >= 1, D =< 366, '$date_days'(Y, 1, D, Days) }.
%   A month alone is the day before its first, as in SWI-Prolog; no time follows.
iso_date(none, Days) -->
    digits_number(4, Y), "-", digits_number(2, M),
    { M >= 1, M =< 12, '$date_days'(Y, M, 0, Days) }.

basic_week_day(D) --> digits_number(1, D), !.
basic_week_day(1) --> [].

iso_week_days(Y, W, D, Days) :-
    W >= 1, W =< 53, D >= 1, D =< 7,
    '$date_days'(Y, 1, 4, Fourth),
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
    { between(1, 12, N), '$month_name'(N, Name), sub_atom(Name, 0, 3, _, Month), !,
      valid_month_day(N, D),
      '$date_days'(Y, N, D, Days),
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
