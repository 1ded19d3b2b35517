:- module('$conditions', ['$condition'/1, '$skipped_condition'/1, '$tell_open_ifs'/2]).

/*  Conditional compilation, in texts that have any. The loader keeps the conditions that are open; see there.  */

%   '$condition'(+Directive): what it does where clauses are loaded.
'$condition'(if(G)) :- '$if_line'(L), condition(G, S), push(S-L).
'$condition'(elif(_)) :- next_branch(elif).
'$condition'(else) :- next_branch(else).
'$condition'(endif) :- ( pop(_) -> true ; no_if(endif) ).

next_branch(Directive) :-
    (   pop(_-L) -> push(done-L)
    ;   no_if(Directive)
    ).

%   '$skipped_condition'(+Directive): what it does where they are passed over.
'$skipped_condition'(if(_)) :- '$if_line'(L), push(skip-L).
'$skipped_condition'(elif(G)) :-
    pop(S-L),
    ( S == false -> condition(G, S1) ; S1 = S ),
    push(S1-L).
'$skipped_condition'(else) :- pop(S-L), ( S == false -> push(true-L) ; push(S-L) ).
'$skipped_condition'(endif) :- pop(_).

%   A condition that raises something is not met.
condition(G, S) :-
    '$commit_load'(all),
    '$source_module'(M),
    (   catch(( expand_goal(G, Expanded), M:Expanded ), E, ( print_message(error, E), '$stop_if_urgent'(E), fail )) -> S = true
    ;   S = false
    ).

no_if(Directive) :- condition_error(no_if, Directive).

condition_error(What, Where) :- print_message(error, error(conditional_compilation_error(What, Where), _)).

push(E) :- '$open_ifs'(Es), nb_setval('$if', [E|Es]).
pop(E) :- '$open_ifs'([E|Es]), nb_setval('$if', Es).

%   '$tell_open_ifs'(+Open, +File)
'$tell_open_ifs'(Es, File) :-
    forall('$member'(_-L, Es), condition_error(unterminated, File:L)).
