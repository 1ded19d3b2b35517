:- module(gensym,
          [ gensym/2,
            reset_gensym/0,
            reset_gensym/1
          ]).
:- use_module(library(error), [must_be/2]).

/*  Unique atoms from a base and a number.

    As SWI-Prolog's library(gensym). The counters are shared by all threads.
*/

:- dynamic counter/2.

%!  gensym(+Base, -Unique) is det.
%
%   Unique is an atom of Base and the next number for it, from 1.

gensym(Base, Unique) :-
    must_be(atomic, Base),
    with_mutex('$gensym', next(Base, N)),
    number_codes(N, Digits),
    atom_codes(Suffix, Digits),
    atom_of(Base, Prefix),
    atom_concat(Prefix, Suffix, Unique0),
    Unique = Unique0.

atom_of(Base, Atom) :-
    (   atom(Base)
    ->  Atom = Base
    ;   number(Base)
    ->  number_codes(Base, Codes),
        atom_codes(Atom, Codes)
    ;   atom_string(Atom, Base)
    ).

next(Base, N) :-
    (   retract(counter(Base, N0))
    ->  N is N0+1
    ;   N = 1
    ),
    assertz(counter(Base, N)).

%!  reset_gensym(+Base) is det.
%
%   Start again from 1 for Base.

reset_gensym(Base) :-
    must_be(atomic, Base),
    with_mutex('$gensym', retractall(counter(Base, _))).

%!  reset_gensym is det.
%
%   Start again from 1 for every base.

reset_gensym :-
    with_mutex('$gensym', retractall(counter(_, _))).
