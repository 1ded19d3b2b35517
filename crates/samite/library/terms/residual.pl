:- module('$residual', [ call_residue_vars/2 ]).

/*  What a goal leaves to be done.

    As in SWI-Prolog (manual, section 8.1.3).
*/

%!  call_residue_vars(:Goal, -Variables) is nondet.
%
%   Calls Goal. Variables are the attributed variables that it has left: those to which it gave attributes, or others, and that have some
%   still, newest first.

:- meta_predicate call_residue_vars(0, -).

call_residue_vars(Goal, Variables) :-
    '$note_attributed'(List, Round),
    call(Goal),
    '$noted_attributed'(List, Round, Noted),
    sort(0, @>, Noted, Variables).
