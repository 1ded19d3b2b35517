:- module(swi_system_utilities, []).

/*  There for programs that import library(system) for what is built in here, as shell/1 and
    getenv/2. SWI-Prolog's own exports make predicates of a program predicates of the system,
    which is not for programs to do: lock_predicate/1, unlock_predicate/1, system_mode/1 and
    system_module/0 are not there.
*/
