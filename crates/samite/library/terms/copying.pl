:- module('$copying',
          [ copy_term/3,
            copy_term/4,
            copy_term_nat/2,
            copy_term_nat/4,
            term_singletons/2
          ]).

/*  Copies of terms, and what is said of their variables.

    As in SWI-Prolog. No variable has attributes, so there are no goals
    beside a copy, and the copies without attributes are plain ones.
*/

%!  copy_term(+Term, -Copy, -Goals) is det.
%
%   Goals would give the copy its attributes: there are none.

copy_term(Term, Copy, []) :-
    copy_term(Term, Copy).

%!  copy_term(+Vars, +Term, -CopiedVars, -Copy) is det.
%
%   As copy_term/2, with only the variables in Vars renamed.

copy_term(Vars, Term, CopiedVars, Copy) :-
    term_variables(Vars, Renamed),
    term_variables(Term, All),
    copy_term(Renamed/All, Marks/Marked),
    marks(Marks),
    unmarked(All, Marked, Shared),
    copy_term(Shared/Vars/Term, Shared/CopiedVars/Copy).

%   The order of variables may change when they are moved by a collection:
%   sets of them are made by binding variables of a copy.

marks([]).
marks([marked|Marks]) :-
    marks(Marks).

unmarked([], [], []).
unmarked([V|Vs], [Mark|Marked], Unmarked) :-
    (   var(Mark)
    ->  Unmarked = [V|Unmarked1]
    ;   Unmarked = Unmarked1
    ),
    unmarked(Vs, Marked, Unmarked1).

%!  copy_term_nat(+Term, -Copy) is det.

copy_term_nat(Term, Copy) :-
    copy_term(Term, Copy).

%!  copy_term_nat(+Vars, +Term, -CopiedVars, -Copy) is det.

copy_term_nat(Vars, Term, CopiedVars, Copy) :-
    copy_term(Vars, Term, CopiedVars, Copy).

%!  term_singletons(+Term, -Vars) is det.
%
%   Vars are the variables that occur once in Term, in order.

term_singletons(Term, Vars) :-
    term_variables(Term, All),
    copy_term(Term/All, Copy/Copies),
    count([Copy]),
    single(All, Copies, Vars).

%   Binds each variable in a list of terms to '$occurs'(Many), Many being
%   bound when it is met again. The list is a stack: the depth of terms is no
%   matter.

count([]).
count([T|Ts]) :-
    (   var(T)
    ->  T = '$occurs'(_),
        count(Ts)
    ;   ground(T)
    ->  count(Ts)
    ;   T = '$occurs'(many)
    ->  count(Ts)
    ;   compound_name_arguments(T, _, Args),
        append(Args, Ts, Ts1),
        count(Ts1)
    ).

single([], [], []).
single([V|Vs], ['$occurs'(Many)|Copies], Single) :-
    (   var(Many)
    ->  Single = [V|Single1]
    ;   Single = Single1
    ),
    single(Vs, Copies, Single1).
