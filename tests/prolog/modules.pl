% Importing from module files: all, some, some but others, and under other names.

:- use_module(modules/shapes, [area/2, corners/2 as number_of_corners, name_of//1, op(700, xfx, ===>)]).
:- use_module(modules/all_shapes, except([kinds/1])).
:- use_module(library(lists), [last/2 as final]).
:- use_module(modules/inner).

mod_defined(G) :- catch(G, error(existence_error(procedure, _), _), fail).

t(listed, area(square(3), A), [A], answers([[9]])).
t(renamed, number_of_corners(square(1), N), [N], answers([[4]])).
t(renamed_only, mod_defined(corners(square(1), _)), [], fails).
t(not_listed, mod_defined(perimeter(square(1), _)), [], fails).
t(qualified, shapes:perimeter(square(2), P), [P], answers([[8]])).
t(qualified_private, shapes:private(X), [X], answers([[secret]])).
t(grammar, phrase(name_of(X), [the, cat]), [X], answers([[cat]])).
t(operator, ( X = (a ===> b), functor(X, F, 2) ), [F], answers([[===>]])).
t(reexported_renamed, edges(circle, N), [N], answers([[0]])).
t(reexported_all, red(X), [X], answers([[255]])).
t(reexported_not, mod_defined(blue), [], fails).
t(except, mod_defined(kinds(_)), [], fails).
t(through_reexport, all_shapes:red(X), [X], answers([[255]])).
t(library_renamed, final([1, 2, 3], X), [X], answers([[3]])).
t(into_a_module, mod_inner:inner(X), [X], answers([[pink]])).
t(strip_one, ( strip_module(a:b, M, T) ), [M, T], answers([[a, b]])).
t(strip_two, ( strip_module(a:b:c, M, T) ), [M, T], answers([[b, c]])).
t(strip_none, ( strip_module(c, M, T) ), [M, T], answers([[user, c]])).
t(strip_variable, ( strip_module(_, M, T), var(T) ), [M], answers([[user]])).
t(strip_number, ( strip_module(1:c, M, T) ), [M, T], answers([[user, 1:c]])).
t(module_there, current_module(shapes), [], answers([[]])).
t(module_not_there, current_module(no_such_module), [], fails).
t(strip_in_a_module, mod_inner:own_module(M), [M], answers([[mod_inner]])).
