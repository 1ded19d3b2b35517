:- module(modules, [ in_temporary_module/3, current_temporary_module/1 ]).

/*  Modules that are there for a goal.

    As SWI-Prolog's library(modules). The predicates of such a module are gone when its goal has ended; its name stays known.
*/

:- meta_predicate in_temporary_module(?, 0, 0).

%!  in_temporary_module(?Module, :Setup, :Goal) is nondet.
%
%   Calls Setup once, and then Goal, in a module that has nothing before, and nothing when Goal has ended: as call(@(Setup, Module)), @(Goal, Module). A new name is made up if Module is a
%   variable. What Setup loads into the module is unloaded, whole files.

in_temporary_module(Module, Setup, Goal) :-
    setup_call_cleanup(
        begin(Module),
        ( @(Setup, Module) -> @(Goal, Module) ),
        end(Module)).

begin(Module) :-
    (   var(Module)
    ->  repeat,
        Number is random(1<<62),
        atomic_list_concat([tmp, Number], -, Module),
        \+ current_module(Module), !
    ;   true
    ),
    set_module(Module:class(temporary)),
    b_setval('$temporary_module', Module).

end(Module) :-
    findall(File, ( own(Module, Head), predicate_property(Module:Head, file(File)) ), Files0),
    ( module_property(Module, file(File)) -> Files1 = [File|Files0] ; Files1 = Files0 ),
    sort(Files1, Files),
    forall(member(File, Files), unload_file(File)),
    findall(Name/Arity, ( own(Module, Head), functor(Head, Name, Arity) ), Rest),
    forall(member(PI, Rest), abolish(Module:PI)).

own(Module, Head) :-
    predicate_property(Module:Head, defined),
    \+ predicate_property(Module:Head, imported_from(_)).

%!  current_temporary_module(-Module) is semidet.
%
%   Module is that of the in_temporary_module/3 whose goal runs.

current_temporary_module(Module) :-
    nb_current('$temporary_module', Module).
