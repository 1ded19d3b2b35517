%   Prints what user:message_hook/3 is given, on a line each: kind, place of the load, term.

:- multifile(user:message_hook/3).
:- dynamic(user:message_hook/3).

user:message_hook(Term, Kind, _) :-
    hooked_as(Kind, Term, Shown),
    (   source_location(File, Line) -> file_base_name(File, Base), Place = Base:Line
    ;   Place = (-)
    ),
    \+ \+ ( numbervars(Shown, 0, _), format("HOOK ~w ~w ~W~n", [Kind, Place, Shown, [quoted(true), numbervars(true)]]) ),
    fail.

hooked_as(silent, Term, Shown) :- !, hooked_silent(Term, Shown).
hooked_as(Kind, Term, Shown) :-
    memberchk(Kind, [error, warning, informational]),
    ( Term = compiler_warnings(_, Problems) -> Shown = compiler_warnings(clause, Problems) ; Shown = Term ).

%   Not of the hook itself; without what a run takes.
hooked_silent(load_file(start(Level, file(Spec, Path))), load_file(start(Level, file(Spec, Path)))) :- program_file(Path).
hooked_silent(load_file(done(Level, file(Spec, Path), Action, Module, Time, Clauses)), load_file(done(Level, file(Spec, Path), Action, Module))) :-
    number(Time), integer(Clauses), program_file(Path).
hooked_silent(toplevel_goal(Goal, Bindings), toplevel_goal(Goal, Bindings)).

program_file(Path) :- \+ sub_atom(Path, _, _, 0, 'hook.pl'), \+ sub_atom(Path, _, _, _, '/lib/').
