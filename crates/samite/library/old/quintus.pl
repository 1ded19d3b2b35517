% Predicates of Quintus Prolog, as in SWI-Prolog's library(quintus).

:- module(quintus,
          [ unix/1,
            abs/2, sin/2, cos/2, tan/2, log/2, log10/2, pow/3, ceiling/2, floor/2, round/2, acos/2, asin/2, atan/2, atan2/3,
            sign/2, sqrt/2,
            genarg/3,
            mode/1,
            no_style_check/1,
            simple/1,
            prolog_flag/2,
            date/1,
            current_stream/3,
            stream_position/3,
            skip_line/0,
            skip_line/1,
            compile/1,
            atom_char/2,
            midstring/3,
            midstring/4,
            midstring/5,
            midstring/6,
            raise_exception/1,
            on_exception/3
          ]).

:- meta_predicate on_exception(?, 0, 0).

%!  unix(+Action) is semidet.
%
%   Action is system(Command) or shell(Command), which succeed if the command does, shell, exit, cd, cd(Directory), the home
%   directory by default, or argv(-Arguments).

unix(Action) :-
    var(Action), !,
    instantiation_error(Action).
unix(system(Command)) :-
    shell(Command).
unix(shell(Command)) :-
    shell(Command).
unix(shell) :-
    ( getenv('SHELL', Shell) -> true ; Shell = '/bin/sh' ),
    shell(Shell).
unix(exit) :-
    halt.
unix(cd) :-
    getenv('HOME', Directory),
    working_directory(_, Directory).
unix(cd(Directory)) :-
    working_directory(_, Directory).
unix(argv(Arguments)) :-
    current_prolog_flag(argv, Arguments).

%!  abs(+X, -Y) is det.
%   These evaluate: Y is the function of X (and of X and Y, Z is).
abs(X, Y) :- Y is abs(X).
%!  sin(+X, -Y) is det.
sin(X, Y) :- Y is sin(X).
%!  cos(+X, -Y) is det.
cos(X, Y) :- Y is cos(X).
%!  tan(+X, -Y) is det.
tan(X, Y) :- Y is tan(X).
%!  log(+X, -Y) is det.
log(X, Y) :- Y is log(X).
%!  log10(+X, -Y) is det.
log10(X, Y) :- Y is log10(X).
%!  pow(+X, +Y, -Z) is det.
pow(X, Y, Z) :- Z is X ** Y.
%!  ceiling(+X, -Y) is det.
ceiling(X, Y) :- Y is ceiling(X).
%!  floor(+X, -Y) is det.
floor(X, Y) :- Y is floor(X).
%!  round(+X, -Y) is det.
round(X, Y) :- Y is round(X).
%!  acos(+X, -Y) is det.
acos(X, Y) :- Y is acos(X).
%!  asin(+X, -Y) is det.
asin(X, Y) :- Y is asin(X).
%!  atan(+X, -Y) is det.
atan(X, Y) :- Y is atan(X).
%!  atan2(+X, +Y, -Z) is det.
atan2(X, Y, Z) :- Z is atan2(X, Y).
%!  sign(+X, -Y) is det.
sign(X, Y) :- Y is sign(X).
%!  sqrt(+X, -Y) is det.
sqrt(X, Y) :- Y is sqrt(X).

%!  genarg(?N, +Term, ?Arg) is nondet.
genarg(N, Term, Arg) :-
    arg(N, Term, Arg).

%!  mode(+Heads) is det.
%
%   A declaration for Quintus' compiler; it has no effect.

mode(_).

%!  no_style_check(+Style) is det.
%
%   No warnings of the kind Style: single_var, discontiguous or all.

no_style_check(Style) :-
    must_be(atom, Style),
    (   Style == all
    ->  style_check(-singleton),
        style_check(-discontiguous)
    ;   Style == single_var
    ->  style_check(-singleton)
    ;   Style == (discontiguous)
    ->  style_check(-discontiguous)
    ;   domain_error(style_name, Style)
    ).

%!  simple(@Term) is semidet.
%   Not compound.
simple(Term) :-
    \+ compound(Term).

%!  prolog_flag(?Flag, ?Value) is nondet.
%   As current_prolog_flag/2, but that version is an atom that names the system.
prolog_flag(Flag, Value) :-
    current_prolog_flag(Flag, Value0),
    (   Flag == version
    ->  current_prolog_flag(version_data, samite(Major, Minor, Patch, _)),
        format(atom(Value), 'Samite ~w.~w.~w', [Major, Minor, Patch])
    ;   Value = Value0
    ).

%!  date(-Date) is det.
%   Date is date(Year, Month, Day) of today.
date(Date) :-
    get_time(Now),
    stamp_date_time(Now, Time, local),
    date_time_value(date, Time, Date).

%!  current_stream(?Object, ?Mode, ?Stream) is nondet.
%
%   Stream is open for Mode, read or write, on Object: the name of a file, the number of a descriptor, or [].

current_stream(Object, Mode, Stream) :-
    stream_property(Stream, mode(Mode0)),
    ( Mode0 == read -> Mode = read ; Mode = write ),
    (   stream_property(Stream, file_name(Object0))
    ->  true
    ;   stream_property(Stream, file_no(Object0))
    ->  true
    ;   Object0 = []
    ),
    Object = Object0.

%!  stream_position(+Stream, -Old, +New) is det.
%
%   Old is where Stream is; it goes on at New.

stream_position(Stream, Old, New) :-
    stream_property(Stream, position(Old)),
    (   Old == New
    ->  true
    ;   set_stream_position(Stream, New)
    ).

%!  skip_line is det.
%!  skip_line(+Stream) is det.
%
%   Reads up to the end of the line.

skip_line :-
    skip(0'\n).
skip_line(Stream) :-
    skip(Stream, 0'\n).

%!  compile(:Files) is det.
%   As consult/1.
:- meta_predicate(compile(:)).
compile(Files) :-
    consult(Files).

%!  atom_char(+Char, -Code) is det.
%!  atom_char(-Char, +Code) is det.
atom_char(Char, Code) :-
    char_code(Char, Code).

%!  midstring(+Whole, ?Part, ?Rest) is nondet.
%!  midstring(+Whole, ?Part, ?Rest, ?Before) is nondet.
%!  midstring(+Whole, ?Part, ?Rest, ?Before, ?Length) is nondet.
%!  midstring(+Whole, ?Part, ?Rest, ?Before, ?Length, ?After) is nondet.
%
%   Whole is the atom Rest with Part put in: Before characters of Rest come before the Length ones of Part, After ones behind.

midstring(Whole, Part, Rest) :-
    midstring(Whole, Part, Rest, _, _, _).
midstring(Whole, Part, Rest, Before) :-
    midstring(Whole, Part, Rest, Before, _, _).
midstring(Whole, Part, Rest, Before, Length) :-
    midstring(Whole, Part, Rest, Before, Length, _).
midstring(Whole, Part, Rest, Before, Length, After) :-
    sub_atom(Whole, Before, Length, After, Part),
    sub_atom(Whole, 0, Before, _, Left),
    sub_atom(Whole, _, After, 0, Right),
    atom_concat(Left, Right, Rest).

%!  raise_exception(+Ball) is erroneous.
raise_exception(Ball) :-
    throw(Ball).

%!  on_exception(?Ball, :Goal, :Recovery) is nondet.
%   As catch/3, with the arguments in another order.
on_exception(Ball, Goal, Recovery) :-
    catch(Goal, Ball, Recovery).
