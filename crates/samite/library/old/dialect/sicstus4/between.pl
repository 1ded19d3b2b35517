:- module(between, [ numlist/2, gen_nat/1, gen_int/1 ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [numlist/3]).

/*  SICStus Prolog's library(between), version 4: what the system and library(lists) do not have.  */

%!  numlist(+N, -List) is semidet.
%
%   The integers from 1 to N.

numlist(N, List) :- numlist(1, N, List).

%!  gen_nat(?N) is nondet.
%!  gen_int(?N) is nondet.
%
%   Natural numbers from 0 on; integers: 0, 1, -1, 2 and so on.

gen_nat(N) :- between(0, inf, N).

gen_int(N) :-
    (   var(N)
    ->  gen_nat(K),
        signed(K, N)
    ;   must_be(integer, N)
    ).

signed(0, N) :- !, N = 0.
signed(K, K).
signed(K, N) :- N is -K.
