% library(date): stamps, dates and their text.

dat_date(Stamp, Format, Text) :- stamp_date_time(Stamp, Date, 'UTC'), format_time(string(Text), Format, Date).

t(epoch, stamp_date_time(0, D, 'UTC'), [D], answers([[date(1970, 1, 1, 0, 0, 0.0, 0, 'UTC', -)]])).
t(before_epoch, stamp_date_time(-1.5, D, 'UTC'), [D], answers([[date(1969, 12, 31, 23, 59, 58.5, 0, 'UTC', -)]])).
t(offset, stamp_date_time(0, D, 3600), [D], answers([[date(1969, 12, 31, 23, 0, 0.0, 3600, -, -)]])).
t(leap_day, stamp_date_time(951782400, D, 'UTC'), [D], answers([[date(2000, 2, 29, 0, 0, 0.0, 0, 'UTC', -)]])).
t(century, stamp_date_time(-2203891200, D, 'UTC'), [D], answers([[date(1900, 3, 1, 0, 0, 0.0, 0, 'UTC', -)]])).
t(stamp, date_time_stamp(date(2000, 1, 1, 0, 0, 0, 0, -, -), S), [S], answers([[946684800.0]])).
t(stamp_of_date, date_time_stamp(date(2000, 1, 1), S), [S], answers([[946684800.0]])).
t(stamp_month_13, date_time_stamp(date(2000, 13, 1, 0, 0, 0, 3600, -, -), S), [S], answers([[978310800.0]])).
t(stamp_unbound, date_time_stamp(date(2000, _, _, _, _, _, _, _, _), _), [], throws(instantiation_error)).
t(round_trip, ( forall(( between(-30, 30, I), S is I * 100000007.0 ), ( stamp_date_time(S, D, 'UTC'), date_time_stamp(D, S) )) ), [], answers([[]])).
t(round_trip_local, forall(member(S, [0.0, 86400.0, 1.0e9, 1.5e9]), ( stamp_date_time(S, D, local), date_time_stamp(D, S) )), [], answers([[]])).
t(value, findall(K-V, date_time_value(K, date(2000, 1, 2, 3, 4, 5.0, 0, 'UTC', -), V), L), [L],
  answers([[[year-2000, month-1, day-2, hour-3, minute-4, second-5.0, utc_offset-0, time_zone-'UTC', date-date(2000, 1, 2), time-time(3, 4, 5.0)]]])).
t(format_all, dat_date(86400.5, '%Y-%m-%d %H:%M:%S %j %a %A %b %B %u %w %y %C %e %k %l %I %p %P %D %F %T %R %r %t%% %z %Z %V %G %g %U %W', T), [T],
  answers([["1970-01-02 00:00:00 002 Fri Friday Jan January 5 5 70 19  2  0 12 12 AM am 01/02/70 1970-01-02 00:00:00 00:00 12:00:00 AM \t% +0000 UTC 01 1970 70 00 00"]])).
t(format_fraction, dat_date(1700000000.123, '%f %3f', T), [T], answers([["123000 123"]])).
t(format_fraction_below_a_second, format_time(atom(T), '%S %f %3f', date(2000, 1, 1, 0, 0, 59.9999999, 0, -, -)), [T], answers([['59 999999 999']])).
t(format_more, dat_date(1700000000.25, '%FT%T%:z %f %3f %d %c %x %X %h', T), [T],
  answers([["2023-11-14T22:13:20+00:00 250000 250 14 Tue Nov 14 22:13:20 2023 11/14/23 22:13:20 Nov"]])).
t(format_offset, format_time(atom(A), '%z %:z', date(2000, 1, 1, 0, 0, 0, -5400, -, -)), [A], answers([['+0130 +01:30']])).
t(format_large, findall(E, ( member(D, [date(2000, 1, 1, 70368744177665, 0, 0, 0, -, -), date(2000, 1, 1, 0, 70368744177665, 0, 0, -, -), date(2000, 1, 1, 0, 0, 0, 70368744177665, -, -), date(2000, 1, 1, 0, 0, 0, -100000000000000000000, -, -)]), catch(( format_time(atom(_), '%H %z', D), E = none ), error(E, _), true) ), L), [L],
  answers([[[representation_error(int), representation_error(int), representation_error(int), representation_error(int)]]])).
t(format_text, format_time(codes(C), "%Y", date(2000, 1, 1)), [C], answers([[[0'2, 0'0, 0'0, 0'0]]])).
t(parse_date, parse_time('2000-01-01', S), [S], answers([[946684800.0]])).
t(parse_utc, parse_time('2000-01-01T10:20:30Z', F, S), [F, S], answers([[iso_8601, 946722030.0]])).
t(parse_offset, parse_time("2000-01-01T10:20:30+02:00", S), [S], answers([[946714830.0]])).
t(parse_space, parse_time('2000-01-01 10:20:30', S), [S], answers([[946722030.0]])).
t(parse_basic, parse_time('20000101T102030', S), [S], answers([[946722030.0]])).
t(parse_fraction, parse_time('2000-01-01T10:20:30.5Z', S), [S], answers([[946722030.5]])).
t(parse_day_of_year, parse_time('2000-123', S), [S], answers([[957225600.0]])).
t(parse_rfc, parse_time('Sat, 01 Jan 2000 10:20:30 GMT', F, S), [F, S], answers([[rfc_1123, 946722030.0]])).
t(parse_garbage, parse_time(garbage, _), [], fails).
t(parse_month_13, parse_time('2000-13-01', _), [], fails).
t(week_day, day_of_the_week(date(2024, 2, 29), D), [D], answers([[4]])).
t(value_of_day, date_time_value(year, date(2020, 1, 2), _), [], fails).
t(year_day_month_13, day_of_the_year(date(2020, 13, 1), D), [D], answers([[1]])).
t(year_day_before, day_of_the_year(date(2020, 1, -5), D), [D], answers([[360]])).
t(year_day_zero, day_of_the_year(date(2020, 0, 0), D), [D], answers([[334]])).
t(week_day_of_time, day_of_the_week(date(2020, 1, 1, 0, 0, 0, 0, -, -), _), [], fails).
t(parse_week_alone, parse_time('2020-W09', _), [], fails).
t(parse_week_basic, parse_time('2020W09', S), [S], answers([[1582502400.0]])).
t(parse_month_alone, parse_time('2020-02', S), [S], answers([[1580428800.0]])).
t(parse_month_with_time, parse_time('2020-02T10:00', _), [], fails).
