% mapsubterms/3 and foldsubterms/4,5 of library(terms): the sub-terms of a list are its elements, as in SWI-Prolog.

st_nil([], y).
st_lists([_|_], l).
st_two([b|_], t).
st_count([], N, M) :- M is N+1.
st_next([], y, N, M) :- M is N+1.

t(map_elements, mapsubterms(st_nil, [a, [], b], T), [T], answers([[[a, y, b]]])).
t(map_no_ends, mapsubterms(st_two, [a, b, c], T), [T], answers([[[a, b, c]]])).
t(map_whole, mapsubterms(st_lists, f([a, b], [c|d], []), T), [T], answers([[f(l, l, [])]])).
t(map_partial, mapsubterms(st_nil, f([a|b], [[]|c]), T), [T], answers([[f([a|b], [y|c])]])).
t(map_given, mapsubterms(st_nil, [a, []], [a, y]), [], answers([[]])).
t(map_var_elements, mapsubterms_var(st_nil, [a, [], []], T), [T], answers([[[a, y, y]]])).
t(fold_elements, foldsubterms(st_count, [a, b], 0, N), [N], answers([[0]])).
t(fold_nested, foldsubterms(st_count, f([], [[]], [[], g([])]), 0, N), [N], answers([[4]])).
t(fold_map_elements, foldsubterms(st_next, [a, [], b], T, 0, N), [T, N], answers([[[a, y, b], 1]])).
t(fold_cyclic_elements, ( X = f([a, [], X], []), foldsubterms(st_next, X, Y, 0, N), Y = f([A, B, Z], C), Z == Y ), [A, B, C, N], answers([[a, y, y, 2]])).
t(fold_list_in_itself, ( X = [[], X, b], foldsubterms(st_next, X, Y, 0, N), Y = [A, Z, B], Z == Y ), [A, B, N], answers([[y, b, 1]])).
