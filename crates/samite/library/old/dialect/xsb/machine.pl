:- module(machine,
          [ conset/2, conget/2,
            parsort/4,
            term_type/2,
            slash/1,
            gc_heap/0, trimcore/0,
            parse_filename/4, expand_filename_no_prepend/2, xsb_expand_file_name/2,
            close_open_tables/1, abolish_table_info/0,
            xsb_backtrace/1, xwam_state/2
          ]).
:- use_module(library(error), [must_be/2, domain_error/2]).

/*  What XSB's module machine exports.  */

%!  conset(+Name, +Integer) is det.
%   A counter is a flag (flag/3).
conset(Name, N) :- must_be(integer, N), flag(Name, _, N).
%!  conget(+Name, -Integer) is det.
conget(Name, N) :- flag(Name, N, N).

%!  parsort(+List, +Spec, +Duplicates, -Sorted) is det.
%   Spec is `asc`, `desc`, or a list of asc(Argument) and desc(Argument), the most significant first; what they do not tell apart stays in its order. Of
%   elements that are identical the first one alone is kept unless Duplicates is 0: XSB compares all of them (std_pred_xsb_i.h), not what Spec names.
parsort(_, Spec, Dupl, _) :- ( var(Spec) ; var(Dupl) ), !, throw(error(instantiation_error, _)).
parsort(List, asc, Dupl, Sorted) :- !, order(asc, Dupl, Order), sort(0, Order, List, Sorted).
parsort(List, desc, Dupl, Sorted) :- !, order(desc, Dupl, Order), sort(0, Order, List, Sorted).
parsort(List, [], Dupl, Sorted) :- !, parsort(List, asc, Dupl, Sorted).
parsort(List, Spec, Dupl, Sorted) :-
    must_be(list, Spec),
    must_be(list, List),
    ( Dupl == 0 -> List1 = List ; firsts(List, List1) ),
    sorted(Spec, List1, Sorted).

%   The first one of each identical element, in their order: with places, sort/4 takes the first of equal keys.
firsts(List, Firsts) :-
    placed(List, 1, Placed),
    sort(1, @<, Placed, Unique),
    sort(2, @<, Unique, Ordered),
    placed(Firsts, _, Ordered).

placed([], _, []).
placed([X|Xs], N, [X-N|Ps]) :- ( integer(N) -> N1 is N+1 ; true ), placed(Xs, N1, Ps).

order(asc, Dupl, Order) :- ( Dupl == 0 -> Order = (@=<) ; Order = (@<) ).
order(desc, Dupl, Order) :- ( Dupl == 0 -> Order = (@>=) ; Order = (@>) ).

sorted([], L, L).
sorted([S|Ss], L0, L) :- sorted(Ss, L0, L1), by(S, L1, L).

by(S, _, _) :- var(S), !, throw(error(instantiation_error, _)).
by(asc(I), L0, L) :- !, sort(I, @=<, L0, L).
by(desc(I), L0, L) :- !, sort(I, @>=, L0, L).
by(S, _, _) :- domain_error(parsort_spec, S).

%!  term_type(?Term, -Type) is det.
%   As XSB's tags: 0 a variable, 1 a compound term, 2 an integer, 3 a list, 5 an atom, 6 a float, 7 an attributed variable.
term_type(T, Type) :- type(T, Type0), Type = Type0.

type(T, 7) :- attvar(T), !.
type(T, 0) :- var(T), !.
type([_|_], 3) :- !.
type(T, 1) :- compound(T), !.
type(T, 2) :- integer(T), !.
type(T, 6) :- float(T), !.
type(_, 5).

%!  slash(-Slash) is det.
%   What is between the names in a path.
slash(/).

%!  gc_heap is det.
gc_heap :- garbage_collect.
%!  trimcore is det.
trimcore :- trim_stacks.

%!  parse_filename(+File, -Directory, -Base, -Extension) is det.
parse_filename(File, Dir, Base, Extension) :-
    file_directory_name(File, Dir0),
    (   Dir0 == '.', \+ sub_atom(File, 0, _, _, './')
    ->  Dir = ''
    ;   sub_atom(Dir0, _, 1, 0, /)
    ->  Dir = Dir0
    ;   atom_concat(Dir0, /, Dir)
    ),
    file_base_name(File, Name),
    file_name_extension(Base, Extension, Name).

%!  expand_filename_no_prepend(+File, -Expanded) is det.
%   `~` and variables are replaced; the path is as relative as it was.
expand_filename_no_prepend(File, Expanded) :-
    (   expand_file_name(File, [Expanded0])
    ->  Expanded = Expanded0
    ;   Expanded = File
    ).
%!  xsb_expand_file_name(+File, -Path) is det.
xsb_expand_file_name(File, Path) :- absolute_file_name(File, Path, [expand(true)]).

%!  close_open_tables(+Kind) is det.
%   Incomplete tables go with the exception or cut that leaves them.
close_open_tables(_).

%!  abolish_table_info is det.
abolish_table_info :- abolish_all_tables.

%!  xsb_backtrace(-Backtrace) is det.
%   There is none.
xsb_backtrace([]).

%!  xwam_state(+What, -Value) is det.
%   What 2 is whether there is a condition on what has been proved (that is, whether it is undefined): 1, else 0.
xwam_state(What, Value) :-
    must_be(integer, What),
    (   What =:= 2
    ->  '$delays'(Delays),
        ( Delays == [] -> Value = 0 ; Value = 1 )
    ;   domain_error(xwam_state, What)
    ).
