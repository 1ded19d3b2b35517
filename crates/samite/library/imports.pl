:- module('$imports', ['$import_each'/2, '$export_each'/2]).

/*  What import/1 and export/1 do: an indicator, or a list of such, in a module.  */

%   '$import_each'(+Spec, +Into): Spec says of which module each one is.
'$import_each'(Spec, _) :- var(Spec), !, throw(error(instantiation_error, context(system:import/1, _))).
'$import_each'([], _) :- !.
'$import_each'([Spec|Specs], Into) :- !, '$import_each'(Spec, Into), '$import_each'(Specs, Into).
'$import_each'(Into:Spec, _) :- atom(Into), nonvar(Spec), ( Spec = _:_ ; Spec = [_|_] ; Spec == [] ), !, '$import_each'(Spec, Into).
'$import_each'(M:PI0, Into) :- atom(M), '$renaming'(PI0, PI as Name), !,
    '$import_predicate'(M:PI, Into, Name, strong, Result),
    (   Result == already -> true
    ;   Result == imported ->
        ( '$is_exported'(PI, M) -> true ; print_message(warning, import_private(Into, M:PI)) )
    ;   '$import_refused'(Result, Into, M:PI, Error), throw(Error)
    ).
'$import_each'(PI0, Into) :- nonvar(PI0), PI0 \= _:_, '$renaming'(PI0, _), !, '$import_each'(Into:PI0, Into).
'$import_each'(Spec, _) :-
    ( Spec = M:PI, atom(M) -> true ; PI = Spec ),
    throw(error(type_error(predicate_indicator, PI), context(system:import/1, _))).

'$is_exported'(_, system) :- !.
'$is_exported'(PI, M) :- '$module_exports'(M, PIs), '$memberchk_eq'(PI, PIs), !.
'$is_exported'(PI, M) :- '$library_module'(M, Library), '$library_exports'(Library, PIs), '$memberchk_eq'(PI, PIs).

%   '$export_each'(+Spec, +Module)
'$export_each'(Spec, _) :- var(Spec), !, throw(error(instantiation_error, context(system:export/1, _))).
'$export_each'([], _) :- !.
'$export_each'([PI|PIs], M) :- !, '$export_each'(PI, M), '$export_each'(PIs, M).
'$export_each'((A, B), M) :- !, '$export_each'(A, M), '$export_each'(B, M).
'$export_each'(M:PI, _) :- atom(M), !, '$export_each'(PI, M).
'$export_each'(PI0, M) :- '$renaming'(PI0, PI as _), !, '$export'(M, [PI]).
'$export_each'(PI, _) :- throw(error(type_error(predicate_indicator, PI), context(system:export/1, _))).
