:- module('$import_modules',
     [ default_module/2, import_module/2, add_import_module/3, delete_import_module/2, set_module/1 ]).

/*  Where a module looks for what it neither defines nor imports.  */

:- meta_predicate(set_module(:)).

%!  import_module(+Module, ?Import) is nondet.
%
%   Unless told otherwise modules inherit from `user`, and that from `system`.

import_module(Module, Import) :-
    must_be_module(Module, import_module/2),
    '$import_modules'(Module, Imports),
    '$member'(Import, Imports).

%!  default_module(+Module, ?Default) is nondet.
%
%   Default is Module, or one that it inherits from: those in which a name of Module is looked for, each once, in their order.

default_module(Module, Default) :-
    (   atom(Module) -> true
    ;   var(Module) -> throw(error(instantiation_error, context(system:default_module/2, _)))
    ;   throw(error(type_error(module, Module), context(system:default_module/2, _)))
    ),
    inherited([Module], [], Modules),
    '$member'(Default, Modules).

%   inherited(+Modules, +Seen, -All): depth first.
inherited([], _, []).
inherited([M|Ms], Seen, All) :-
    (   '$memberchk_eq'(M, Seen) -> inherited(Ms, Seen, All)
    ;   All = [M|All1],
        '$import_modules'(M, Imports),
        '$append'(Imports, Ms, Ms1),
        inherited(Ms1, [M|Seen], All1)
    ).

%!  add_import_module(+Module, +Import, +StartOrEnd) is det.
%
%   Makes Import the first or last of the import modules of Module; one that it is already stays where it is.

add_import_module(Module, Import, Where) :-
    PI = add_import_module/3,
    must_be_module(Module, PI),
    must_be_module(Import, PI),
    (   Where == start -> Change = first(Import)
    ;   Where == end -> Change = last(Import)
    ;   var(Where) -> throw(error(instantiation_error, context(system:PI, _)))
    ;   atom(Where) -> throw(error(domain_error(start_or_end, Where), context(system:PI, _)))
    ;   throw(error(type_error(atom, Where), context(system:PI, _)))
    ),
    change_imports(Module, Change, PI).

%!  delete_import_module(+Module, +Import) is semidet.
%
%   Fails if Import is no import module of Module.

delete_import_module(Module, Import) :-
    PI = delete_import_module/2,
    must_be_module(Module, PI),
    must_be_module(Import, PI),
    '$import_modules'(Module, Imports0),
    '$memberchk_eq'(Import, Imports0),
    change_imports(Module, without(Import), PI).

%!  set_module(:Property) is det.
%
%   base(Module) makes Module the only import module; program_space(Bytes) limits what its clauses take (0: not at all); class(Class) is what module_property/2 says from then on. The class `temporary` is for modules that have nothing yet.

set_module(Spec) :-
    '$strip'(Spec, Module, Property),
    (   var(Property) -> throw(error(instantiation_error, context(system:set_module/1, _)))
    ;   Property = base(Import)
    ->  must_be_module(Import, set_module/1),
        change_imports(Module, base(Import), set_module/1)
    ;   Property = class(Class)
    ->  must_be_module(Class, set_module/1),
        (   '$memberchk_eq'(Class, [user, system, library, test, development, temporary])
        ->  (   Class == temporary, \+ is_empty(Module)
            ->  throw(error(permission_error(module_property, class, temporary), context(system:set_module/1, 'module is not empty')))
            ;   true
            ),
            '$export'(Module, []),
            '$say_anew'(Module, class(_), class(Class))
        ;   throw(error(domain_error(module_class, Class), context(system:set_module/1, _)))
        )
    ;   Property = program_space(Space)
    ->  must_be(nonneg, Space),
        '$program_size'(Module, Size),
        (   Space > 0, Size > Space
        ->  throw(error(permission_error(limit, program_space, Module), context(system:set_module/1, 'Used exceeds limit')))
        ;   Bytes is min(Space, 1 << 58),
            '$export'(Module, []),
            '$set_program_space'(Module, Bytes)
        )
    ;   throw(error(domain_error(module_property, Property), context(system:set_module/1, _)))
    ).

is_empty(Module) :-
    \+ '$library_module'(Module, _),
    (   current_module(Module)
    ->  \+ '$module_file'(Module, _),
        \+ ( predicate_property(Module:Head, defined), \+ predicate_property(Module:Head, imported_from(_)) )
    ;   true
    ).

change_imports(Module, Change, PI) :-
    (   '$change_imports'(Module, Change) -> true
    ;   throw(error(permission_error(add_import, module, Module), context(system:PI, 'would create a cycle')))
    ).

must_be_module(Module, PI) :-
    (   atom(Module) -> true
    ;   var(Module) -> throw(error(instantiation_error, context(system:PI, _)))
    ;   throw(error(type_error(atom, Module), context(system:PI, _)))
    ).
