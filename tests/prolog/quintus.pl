% Libraries of old and foreign names: library(quintus), library(edinburgh), library(dialect), library(statistics).

:- use_module(library(dialect)).
:- use_module(library(edinburgh)).
:- use_module(library(quintus)).
:- use_module(library(statistics)).

t(statistics, ( catch(statistics, _, fail) -> true ), [], answers([[]])).

t(abs_1, abs(-1, X), [X], answers([[1]])).

t(sin_1, sin(0, X), [X], answers([[0.0]])).

t(log10_1, log10(100, X), [X], answers([[2.0]])).

t(floor_1, floor(1.5, X), [X], answers([[1]])).

t(pow_1, pow(2, 3, X), [X], answers([[8]])).
t(pow_2, pow(2, 3.0, X), [X], answers([[8.0]])).

t(atan2_1, atan2(1, 1, X), [X], answers([[0.7853981633974483]])).

t(sign_1, sign(-2, X), [X], answers([[-1]])).

t(sqrt_1, sqrt(2, X), [X], answers([[1.4142135623730951]])).
t(sqrt_2, sqrt(a, X), [X], throws(type_error(evaluable, a/0))).
t(sqrt_3, sqrt(_, X), [X], throws(instantiation_error)).

t(round_1, round(2.5, X), [X], answers([[3]])).

t(ceiling_1, ceiling(2.1, X), [X], answers([[3]])).

t(genarg_1, genarg(N, f(a, b), X), [N, X], answers([[1, a], [2, b]])).

t(findall_1, findall(N-X, genarg(N, f(a, b), X), L), [N, X, L], answers([[_, _, [1-a, 2-b]]])).
t(findall_2, findall(A, midstring(abc, a, A), L), [A, L], answers([[_, [bc]]])).
t(findall_3, findall(A-B, midstring(abc, A, B), L), [A, B, L], answers([[_, _, [''-abc, a-bc, ab-c, abc-'', ''-abc, b-ac, bc-a, ''-abc, c-ab, ''-abc]]])).
t(findall_4, findall(X-Y, midstring(ab, X, Y, 0), L), [X, Y, L], answers([[_, _, [''-ab, a-b, ab-'']]])).

t(on_exception_1, on_exception(E, throw(x), true), [E], answers([[x]])).
t(on_exception_2, on_exception(y, throw(x), true), [], throws_ball(x)).

t(raise_exception_1, raise_exception(foo), [], throws_ball(foo)).

t(otherwise_1, otherwise, [], answers([[]])).

t(simple_1, simple(a), [], answers([[]])).
t(simple_2, simple(f(x)), [], fails).
t(simple_3, simple(_), [], answers([[]])).
t(simple_4, simple("s"), [], answers([[]])).

t(prolog_flag_1, prolog_flag(bounded, X), [X], answers([[false]])).
t(prolog_flag_2, prolog_flag(nope, X), [X], fails).

% Midnight may be in between.
today(D) :- get_time(T), stamp_date_time(T, S, local), date_time_value(date, S, D).
t(date_1, ( today(B), date(X), today(A), memberchk(X, [B, A]) ), [], answers([[]])).

t(midstring_1, midstring(abcde, bc, X), [X], answers([[ade]])).
t(midstring_2, midstring(abcde, X, Y, 1, 2), [X, Y], answers([[bc, ade]])).
t(midstring_3, midstring(abcde, X, Y, 1, 2, Z), [X, Y, Z], answers([[bc, ade, 2]])).
t(midstring_4, midstring(abcde, X, Y, 1), [X, Y], answers([['', abcde], [b, acde], [bc, ade], [bcd, ae], [bcde, a]])).
t(midstring_5, midstring(abcde, bc, ade), [], answers([[]])).

t(atom_char_1, atom_char(X,0'a), [X], answers([[a]])).
t(atom_char_2, atom_char(a, X), [X], answers([[97]])).
t(atom_char_3, atom_char(ab, X), [X], throws(type_error(character, ab))).
t(atom_char_4, atom_char(X, Y), [X, Y], throws(instantiation_error)).
t(atom_char_5, atom_char(X, a), [X], throws(type_error(integer, a))).

t(expects_dialect_1, expects_dialect(1), [], throws(type_error(atom, 1))).

t(unix_1, unix(_), [], throws(instantiation_error)).
t(unix_2, (  unix(argv(L)), is_list(L), L = [] ; true  ), [L], answers([[_]])).
t(unix_3, unix(shell('exit 1')), [], fails).
t(unix_4, unix(system('exit 0')), [], answers([[]])).

t(open_1, (  open('/dev/null',read,Stream), current_stream(F,read,Stream), close(Stream)  ), [F], answers([['/dev/null']])).

t(open_string_1, (  open_string("ab\nc",Stream), skip_line(Stream), get_char(Stream,C), close(Stream)  ), [C], answers([[c]])).
