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

%   A global variable is copied when it is set. So what is open around many others is put aside: the list then ends with the number of the variable
%   that has it.
push(E) :-
    '$open_ifs'(Es),
    '$skip_list'(Length, Es, Rest),
    (   Length < 32 -> nb_setval('$if', [E|Es])
    ;   ( integer(Rest) -> N is Rest+1 ; nb_current('$ifs_aside', N) -> true ; N = 1 ),
        aside(N, Key),
        nb_setval(Key, Es),
        nb_setval('$if', [E|N]),
        Next is N+1,
        nb_setval('$ifs_aside', Next)
    ).

pop(E) :-
    '$open_ifs'([E|Es0]),
    (   integer(Es0)
    ->  aside(Es0, Key),
        nb_getval(Key, Es),
        nb_setval(Key, []),
        nb_setval('$ifs_aside', Es0)
    ;   Es = Es0
    ),
    nb_setval('$if', Es).

aside(N, Key) :- atom_concat('$if', N, Key).

all_open(Es, []) :- Es == [], !.
all_open(N, Es) :- integer(N), !, aside(N, Key), nb_getval(Key, Es0), all_open(Es0, Es).
all_open([E|Es0], [E|Es]) :- all_open(Es0, Es).

%   '$tell_open_ifs'(+Open, +File)
'$tell_open_ifs'(Es0, File) :-
    all_open(Es0, Es),
    forall('$member'(_-L, Es), condition_error(unterminated, File:L)).
