:- module(sicstus4_clpfd,
          [ op(760, yfx, #<==>), op(750, xfy, #==>), op(750, yfx, #<==), op(740, yfx, #\/), op(730, yfx, #\), op(720, yfx, #/\), op(710,  fy, #\),
            op(700, xfx, #>), op(700, xfx, #<), op(700, xfx, #>=), op(700, xfx, #=<), op(700, xfx, #=), op(700, xfx, #\=), op(700, xfx, in), op(700, xfx, ins),
            op(700, xfx, in_set), op(450, xfx, ..), op(760, yfx, #<=>), op(750, xfy, #=>), op(750, yfx, #<=), (#>)/2, (#<)/2, (#>=)/2, (#=<)/2, (#=)/2,
            (#\=)/2, (#\)/1, (#\)/2, (#/\)/2, (#\/)/2, (#==>)/2, (#<==)/2, (#<==>)/2, (in)/2, (ins)/2, all_different/1, all_distinct/1, sum/3,
            scalar_product/4, indomain/1, label/1, labeling/2, lex_chain/1, tuples_in/2, global_cardinality/2, global_cardinality/3, circuit/1, cumulative/1,
            cumulative/2, disjoint2/1, element/3, automaton/3, automaton/8, zcompare/3, chain/2, fd_var/1, fd_inf/2, fd_sup/2, fd_size/2, fd_dom/2,
            fd_degree/2, transpose/2, serialized/2, (in_set)/2, fd_set/2, is_fdset/1, empty_fdset/1, empty_interval/2, fdset_parts/4, fdset_interval/3,
            fdset_singleton/2, fdset_min/2, fdset_max/2, fdset_size/2, list_to_fdset/2, fdset_to_list/2, range_to_fdset/2, fdset_to_range/2,
            fdset_add_element/3, fdset_del_element/3, fdset_disjoint/2, fdset_intersect/2, fdset_intersection/3, fdset_member/2, fdset_eq/2, fdset_subset/2,
            fdset_subtract/3, fdset_union/2, fdset_union/3, fdset_complement/2, (#<=>)/2, (#=>)/2, (#<=)/2, domain/3, (table)/2, (table)/3
          ]).
:- use_module(library(clpfd)).
:- use_module(library(error), [must_be/2, domain_error/2]).

/*  SICStus Prolog's library(clpfd), version 4: Samite's, and some of its names beside them.  */

%!  domain(+Variables, +Min, +Max) is semidet.
%
%   They are in Min..Max; Min may be `inf`, Max `sup`.

domain(Variables, Min, Max) :-
    ins(Variables, ..(Min, Max)).

%!  table(+Tuples, +Rows) is semidet.
%!  table(+Tuples, +Rows, +Options) is semidet.
%
%   Each of Tuples is one of Rows. There are no options: how that is found is not for programs to say.

table(Tuples, Rows) :-
    tuples_in(Tuples, Rows).

table(Tuples, Rows, Options) :-
    must_be(list, Options),
    ( Options = [Option|_] -> domain_error(table_option, Option) ; true ),
    tuples_in(Tuples, Rows).

%!  #<=>(?P, ?Q) is semidet.
%!  #=>(?P, ?Q) is semidet.
%!  #<=(?P, ?Q) is semidet.
%
%   Truth values of constraints: #<==>, #==> and #<==. So they are inside P and Q.

#<=>(P, Q) :- own_names(#<==>(P, Q), Constraint), clpfd:Constraint.
#=>(P, Q) :- own_names(#==>(P, Q), Constraint), clpfd:Constraint.
#<=(P, Q) :- own_names(#<==(P, Q), Constraint), clpfd:Constraint.

own_names(P, P) :- var(P), !.
own_names(#<=>(P0, Q0), #<==>(P, Q)) :- !, own_names(P0, P), own_names(Q0, Q).
own_names(#=>(P0, Q0), #==>(P, Q)) :- !, own_names(P0, P), own_names(Q0, Q).
own_names(#<=(P0, Q0), #<==(P, Q)) :- !, own_names(P0, P), own_names(Q0, Q).
own_names(#<==>(P0, Q0), #<==>(P, Q)) :- !, own_names(P0, P), own_names(Q0, Q).
own_names(#==>(P0, Q0), #==>(P, Q)) :- !, own_names(P0, P), own_names(Q0, Q).
own_names(#<==(P0, Q0), #<==(P, Q)) :- !, own_names(P0, P), own_names(Q0, Q).
own_names(#/\(P0, Q0), #/\(P, Q)) :- !, own_names(P0, P), own_names(Q0, Q).
own_names(#\/(P0, Q0), #\/(P, Q)) :- !, own_names(P0, P), own_names(Q0, Q).
own_names(#\(P0, Q0), #\(P, Q)) :- !, own_names(P0, P), own_names(Q0, Q).
own_names(#\(P0), #\(P)) :- !, own_names(P0, P).
own_names(P, P).
