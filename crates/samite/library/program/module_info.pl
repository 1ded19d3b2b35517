:- module('$module_info', [module_property/2, context_module/1]).

/*  What is known of modules, and which one a goal belongs to.  */

:- meta_predicate(context_module(:)).

%!  context_module(-Module) is det.
%
%   The module that the goal belongs to.

context_module(Qualified) :-
    (   nonvar(Qualified),
        Qualified = Module0:Context
    ->  true
    ;   Module0 = user,
        Context = Qualified
    ),
    Context = Module0.

%!  module_property(?Module, ?Property) is nondet.
%
%   Property is class(Class), file(File), line_count(Line), exports(Indicators),
%   exported_operators(Operators), program_size(Bytes) (also as size(Bytes)) or, if that is limited, program_space(Bytes) of a module that exists.

module_property(Module, Property) :-
    (   atom(Module) -> true
    ;   var(Module) -> true
    ;   throw(error(type_error(atom, Module), context(system:module_property/2, _)))
    ),
    property(Property),
    (   atom(Module), '$library_module'(Module, _) -> true
    ;   current_module(Module)
    ),
    module_has(Property, Module).

property(class(_)).
property(file(_)).
property(line_count(_)).
property(exports(_)).
property(exported_operators(_)).
property(program_size(_)).
property(size(_)).
property(program_space(_)).

module_has(class(Class), Module) :-
    (   '$says_last'(Module, class(Set)) -> Class = Set
    ;   Module == system -> Class = system
    ;   '$module_source'(Module, _, _) -> Class = user
    ;   '$library_module'(Module, _) -> Class = library
    ;   Class = user
    ).
module_has(file(File), Module) :-
    '$module_file'(Module, File).
module_has(line_count(Line), Module) :-
    '$module_source'(Module, Line, _).
module_has(exports(PIs), Module) :-
    (   '$module_source'(Module, _, _) -> '$module_exports'(Module, PIs)
    ;   '$library_module'(Module, Library) -> '$library_exports'(Library, PIs)
    ;   '$module_exports'(Module, PIs)
    ).
module_has(program_size(Size), Module) :-
    '$program_size'(Module, Size).
module_has(size(Size), Module) :-
    '$program_size'(Module, Size).
module_has(program_space(Space), Module) :-
    '$program_space'(Module, Space).
module_has(exported_operators(Operators), Module) :-
    ( '$module_source'(Module, _, Operators0) -> Operators = Operators0 ; '$library_operators'(Module, Operators0) -> Operators = Operators0 ; Operators = [] ).
