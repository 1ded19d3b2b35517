:- module(backcomp,
          [ concat_atom/2,
            concat_atom/3,
            concat/3,
            'C'/3,
            checklist/2,
            sublist/3,
            write_ln/1,
            flush/0,
            proper_list/1,
            free_variables/2,
            setup_and_call_cleanup/3,
            merge/3,
            merge_set/3
          ]).

/*  Old names of predicates that have newer ones.

    As the part of SWI-Prolog's library(backcomp) that old programs use.
*/

:- meta_predicate
    checklist(1, +),
    sublist(1, +, -),
    setup_and_call_cleanup(0, 0, 0).

%!  concat_atom(+List, -Atom) is det.

concat_atom(List, Atom) :-
    atomic_list_concat(List, Atom).

%!  concat_atom(?List, +Separator, ?Atom) is det.

concat_atom(List, Separator, Atom) :-
    atomic_list_concat(List, Separator, Atom).

%!  concat(+A, +B, -Atom) is det.

concat(A, B, Atom) :-
    atomic_list_concat([A, B], Atom).

%!  'C'(?List, ?Head, ?Tail) is semidet.

'C'([Head|Tail], Head, Tail).

%!  checklist(:Goal, +List) is semidet.

checklist(Goal, List) :-
    maplist(Goal, List).

%!  sublist(:Goal, +List, -Included) is det.

sublist(Goal, List, Included) :-
    include(Goal, List, Included).

%!  write_ln(@Term) is det.

write_ln(Term) :-
    writeln(Term).

%!  flush is det.

flush :-
    flush_output.

%!  proper_list(@Term) is semidet.

proper_list(Term) :-
    is_list(Term).

%!  free_variables(+Term, -Vars) is det.

free_variables(Term, Vars) :-
    term_variables(Term, Vars).

%!  setup_and_call_cleanup(:Setup, :Goal, :Cleanup) is nondet.

setup_and_call_cleanup(Setup, Goal, Cleanup) :-
    setup_call_cleanup(Setup, Goal, Cleanup).

%!  merge(+A, +B, -Merged) is det.
%
%   The sorted lists A and B in one, duplicates kept.

merge(A, B, Merged) :-
    append(A, B, Both),
    msort(Both, Merged).

%!  merge_set(+A, +B, -Merged) is det.

merge_set(A, B, Merged) :-
    ord_union(A, B, Merged).
