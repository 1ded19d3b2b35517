:- module(gensym,
          [ gensym/2,
            reset_gensym/0,
            reset_gensym/1
          ]).
:- use_module(library(error), [must_be/2]).

/*  Unique atoms from a base and a number.

    As SWI-Prolog's library(gensym). The counters are the flags (flag/3) of
    '$gs_' and the base, so they are shared by all threads.
*/

%!  gensym(+Base, -Unique) is det.
%
%   Unique is an atom of Base and the next number for it, from 1.

gensym(Base, Unique) :-
    counter(Base, Key),
    '$count_flag'(Key, N),
    atom_concat(Base, N, Unique0),
    Unique = Unique0.

counter(Base, Key) :-
    must_be(atomic, Base),
    atom_concat('$gs_', Base, Key).

%!  reset_gensym(+Base) is det.
%
%   Start again from 1 for Base.

reset_gensym(Base) :-
    counter(Base, Key),
    set_flag(Key, 0).

%!  reset_gensym is det.
%
%   Start again from 1 for every base.

reset_gensym :-
    forall(( current_flag(Key), atom(Key), sub_atom(Key, 0, _, _, '$gs_') ), set_flag(Key, 0)).
