:- module(sicstus4,
          [ nonmember/2, mutable/1, if/3, use_module/3, (block)/1, (mode)/1,
            bb_put/2, bb_get/2, bb_delete/2, bb_update/3, create_mutable/2, get_mutable/2, update_mutable/2, read_line/1, read_line/2, prolog_flag/3, trimcore/0,
            (do)/2,
            op(1150, fx, block), op(1150, fx, mode), op(900, fy, spy), op(900, fy, nospy), op(1100, xfy, do)
          ]).

:- use_module(library(dialect/sicstus)).
:- use_module(library(dialect/loops)).

/*  Programs written for SICStus Prolog 4, as in SWI-Prolog's library(dialect/sicstus4), and its loops (`do`), which that can only read.  */

%!  nonmember(@Element, +List) is semidet.

nonmember(Element, List) :- \+ memberchk(Element, List).

%!  mutable(@Term) is semidet.

mutable(Term) :- is_mutable(Term).
