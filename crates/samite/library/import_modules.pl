:- module(import_modules, [import_module/2]).

/*  Where a module looks for what it does not define.  */

%!  import_module(+Module, ?Import) is semidet.
%
%   Modules inherit from `user`, and that from `system`.

import_module(Module, Import) :-
    (   atom(Module) -> true
    ;   var(Module) -> throw(error(instantiation_error, context(system:import_module/2, _)))
    ;   throw(error(type_error(atom, Module), context(system:import_module/2, _)))
    ),
    (   Module == system -> fail
    ;   Module == user -> Import = system
    ;   Import = user
    ).
