:- module(sandbox, [ safe_goal/1, safe_call/1 ]).

:- use_module(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4]).
:- use_module(library(error), [instantiation_error/1, must_be/2]).
:- use_module(library(lists), [append/3, member/2]).

/*  Goals that can do no harm.

    As in SWI-Prolog (manual, section 12.2): before a goal of somebody else's is called, all that it may call is looked at. What programs define is
    walked through, clause by clause, with the arguments it is called with; what Samite defines is safe if it is listed here, as a predicate or as one of a
    library, and if the goals among its arguments are. Hooks allow more:

        sandbox:safe_primitive(Goal), safe_primitive(Module:Goal)   these are safe
        sandbox:safe_meta_predicate(PI)                 safe if the goals are that its meta_predicate declaration says
        sandbox:safe_meta(Goal, Called)                 Goal is safe if the goals of the list Called are
        sandbox:safe_meta(Goal, Module, Called)         ditto, where Goal is called in Module
        sandbox:safe_global_variable(Name)              may be set
        sandbox:safe_prolog_flag(Flag), safe_prolog_flag(Flag, Value)   may be set

    Differs from SWI-Prolog in: what is written on the current output is safe; terms cannot be changed in place, as a goal that was looked at might be; what
    another module exports and depends on the module that it is called in is not called qualified; a goal is walked through with other arguments a number of times only, and then
    with any; the hooks safe_directive/1 and safe_source_directive/1 are not asked, as no file is loaded in a sandbox.
*/

:- meta_predicate safe_goal(:), safe_call(0).

:- multifile safe_primitive/1, safe_meta_predicate/1, safe_meta/2, safe_meta/3, safe_global_variable/1, safe_prolog_flag/1, safe_prolog_flag/2.
:- dynamic safe_primitive/1, safe_meta_predicate/1, safe_meta/2, safe_meta/3, safe_global_variable/1, safe_prolog_flag/1, safe_prolog_flag/2.

%!  safe_call(:Goal) is nondet.
%
%   Calls Goal if safe_goal/1 says that it is safe.

safe_call(Goal) :-
    safe_goal(Goal),
    call(Goal).

%!  safe_goal(:Goal) is det.
%
%   Goal can do no harm. Else an error: permission_error(call, sandboxed, Culprit) if it calls what may do some, instantiation_error if a goal is not
%   known, existence_error(procedure, PI) if there is none. Its context is sandbox(Goal, Callers), Callers being those of the culprit, innermost first.

safe_goal(Goal0) :-
    '$strip_modules'(Goal0, Module, Goal),
    empty_assoc(Seen),
    ( is_own(Module) -> Asked = Goal, In = Module ; Asked = Module:Goal, In = user ),
    catch(safe(Asked, In, [], Seen, _), unsafe(Formal, Callers), true), !,
    (   var(Formal) -> true
    ;   throw(error(Formal, sandbox(Module:Goal, Callers)))
    ).

%   Goals may be called in modules of programs, not in those of libraries.
is_own(Module) :- \+ ( current_module(Module), module_property(Module, class(Class)), ( Class == system ; Class == library ) ).

unsafe(Formal, Callers) :- throw(unsafe(Formal, Callers)).

forbidden(Culprit, Callers) :- unsafe(permission_error(call, sandboxed, Culprit), Callers).

%   safe(+Goal, +Module, +Callers, +Seen0, -Seen): Seen has for each predicate of programs how often it was walked through, and the goals it was walked
%   through with.

safe(Goal, _, Callers, _, _) :-
    var(Goal), !,
    unsafe(instantiation_error, Callers).
safe(Module:Goal, Context, Callers, Seen0, Seen) :- !,
    (   ( var(Module) ; var(Goal) )
    ->  unsafe(instantiation_error, Callers)
    ;   Module == Context
    ->  safe(Goal, Context, Callers, Seen0, Seen)
    ;   atom(Module), callable(Goal), Goal \= _:_
    ->  elsewhere(Goal, Module, Callers, Seen0, Seen)
    ;   forbidden(Module:Goal, Callers)
    ).
safe(Goal, _, Callers, _, _) :-
    \+ callable(Goal), !,
    unsafe(type_error(callable, Goal), Callers).
safe(Goal, Module, Callers, Seen, Seen) :-
    ( safe_primitive(Module:Goal) ; definition(Goal, Module, Of), safe_primitive(Of:Goal) ; safe_primitive(Goal), is_not_redefined(Goal, Module) ), !,
    no_other_module(Goal, Module, Callers).
safe(Goal, Module, Callers, Seen0, Seen) :-
    ( safe_meta(Goal, Module, Called) ; safe_meta(Goal, Called) ), !,
    all_safe(Called, Module, [Module:Goal|Callers], Seen0, Seen).
safe(Goal, Module, Callers, Seen0, Seen) :-
    definition(Goal, Module, Of),
    (   module_property(Of, class(Class)), ( Class == system ; Class == library ), is_of_samite(Of, Class)
    ->  built_in(Goal, Of, Module, Callers, Seen0, Seen)
    ;   defined(Goal, Of, Module, Callers, Seen0, Seen)
    ).

all_safe([], _, _, Seen, Seen).
all_safe([Goal|Goals], Module, Callers, Seen0, Seen) :-
    safe(Goal, Module, Callers, Seen0, Seen1),
    all_safe(Goals, Module, Callers, Seen1, Seen).

%   The module that defines a predicate, as it is called in Module.
definition(Goal, Module, Of) :-
    (   predicate_property(Module:Goal, imported_from(Of0)) -> Of = Of0
    ;   Of = Module
    ).

%   What programs load is a library to nobody else.
is_of_samite(_, system) :- !.
is_of_samite(Module, library) :- \+ module_property(Module, file(_)), !.
is_of_samite(Module, library) :- module_property(Module, file(File)), sub_atom(File, 0, _, _, 'samite:').

is_not_redefined(Goal, Module) :-
    definition(Goal, Module, Of),
    ( Of == system -> true ; Of \== Module, module_property(Of, class(library)) ).

%   Qualified with another module: what that exports, and nothing else.
elsewhere(Goal, Module, Callers, Seen0, Seen) :-
    (   \+ current_module(Module)
    ->  forbidden(Module:Goal, Callers)
    ;   \+ predicate_property(Module:Goal, defined)
    ->  undefined(Goal, Module, Callers)
    ;   safe_primitive(Module:Goal)
    ->  Seen = Seen0
    ;   ( predicate_property(Module:Goal, exported) ; predicate_property(Module:Goal, (public)) ),
        \+ depends_on_module(Goal, Module)
    ->  safe(Goal, Module, Callers, Seen0, Seen)
    ;   forbidden(Module:Goal, Callers)
    ).

%   What a predicate does depends on the module that it is called in.
depends_on_module(Goal, Module) :-
    compound(Goal),
    predicate_property(Module:Goal, meta_predicate(Modes)),
    arg(_, Modes, Mode),
    ( is_goal(Mode) ; Mode == (:) ), !.

undefined(Goal, Module, Callers) :-
    functor(Goal, Name, Arity),
    unsafe(existence_error(procedure, Module:Name/Arity), Callers).

%   --- what programs define ---

%   So often a predicate is walked through with other arguments.
most(20).

defined(Goal, Of, Module, Callers, Seen0, Seen) :-
    (   predicate_property(Of:Goal, defined) -> true
    ;   undefined(Goal, Of, Callers)
    ),
    qualified(Goal, Of, Module, Called),
    functor(Called, Name, Arity),
    (   get_assoc(Of:Name/Arity, Seen0, Count-Goals0) -> true
    ;   Count = 0, Goals0 = []
    ),
    most(Most),
    (   Count < Most -> Walked = Called
    ;   functor(Walked, Name, Arity)
    ),
    (   member(Known, Goals0), Known =@= Walked
    ->  Seen = Seen0
    ;   Count1 is Count+1,
        copy_term_nat(Walked, Copy),
        put_assoc(Of:Name/Arity, Seen0, Count1-[Copy|Goals0], Seen1),
        findall(Body-In, body(Walked, Of, Body, In), Bodies),
        bodies(Bodies, [Of:Walked|Callers], Seen1, Seen)
    ).

%   Goals among the arguments know their module.
qualified(Goal, Of, Module, Called) :-
    Of \== Module,
    predicate_property(Of:Goal, meta_predicate(Modes)), !,
    Goal =.. [Name|Args0],
    Modes =.. [_|Each],
    qualified_arguments(Each, Args0, Module, Args),
    Called =.. [Name|Args].
qualified(Goal, _, _, Goal).

qualified_arguments([], [], _, []).
qualified_arguments([Mode|Modes], [Arg0|Args0], Module, [Arg|Args]) :-
    (   ( integer(Mode) ; memberchk(Mode, [:, ^, //]) ), Arg0 \= _:_ -> Arg = Module:Arg0
    ;   Arg = Arg0
    ),
    qualified_arguments(Modes, Args0, Module, Args).

body(Goal, Of, Body, In) :-
    catch(clause(Of:Goal, Body, Ref), error(_, _), fail),
    ( clause_property(Ref, module(In)) -> true ; In = Of ).

bodies([], _, Seen, Seen).
bodies([Body-In|Bodies], Callers, Seen0, Seen) :-
    safe(Body, In, Callers, Seen0, Seen1),
    bodies(Bodies, Callers, Seen1, Seen).

%   --- what Samite defines ---

built_in(Goal, Of, Module, Callers, Seen0, Seen) :-
    (   special(Goal, Module, Callers, Called)
    ->  all_safe(Called, Module, [Module:Goal|Callers], Seen0, Seen)
    ;   \+ predicate_property(Of:Goal, defined)
    ->  undefined(Goal, Module, Callers)
    ;   functor(Goal, Name, Arity),
        ( harmless_library(Of) -> true ; harmless(Name, Arity) -> true ; safe_meta_predicate(Name/Arity) -> true ; safe_meta_predicate(Of:Name/Arity) )
    ->  no_other_module(Goal, Module, Callers),
        called(Goal, Of, Module, Callers, Called),
        all_safe(Called, Module, [Module:Goal|Callers], Seen0, Seen)
    ;   functor(Goal, Name, Arity),
        functor(Culprit, Name, Arity),
        forbidden(Culprit, Callers)
    ).

%   No argument that depends on the module is of another one.
no_other_module(Goal, Module, Callers) :-
    (   compound(Goal),
        predicate_property(Module:Goal, meta_predicate(Modes)),
        arg(I, Modes, :),
        arg(I, Goal, Arg),
        nonvar(Arg), Arg = Other:_, Other \== Module
    ->  functor(Goal, Name, Arity),
        functor(Culprit, Name, Arity),
        arg(I, Culprit, Arg),
        forbidden(Culprit, Callers)
    ;   true
    ).

%   The goals among the arguments of a goal.
called(Goal, Of, Module, Callers, Called) :-
    (   compound(Goal), predicate_property(Of:Goal, meta_predicate(Modes))
    ->  pairs(1, Modes, Goal, Pairs),
        extended(Pairs, Module, Callers, Called)
    ;   Called = []
    ).

is_goal(Mode) :- integer(Mode), !.
is_goal(^).
is_goal(//).

pairs(I, Modes, Goal, Pairs) :-
    (   arg(I, Modes, Mode)
    ->  arg(I, Goal, Arg),
        ( is_goal(Mode) -> Pairs = [Arg-Mode|Pairs1] ; Pairs = Pairs1 ),
        I1 is I+1,
        pairs(I1, Modes, Goal, Pairs1)
    ;   Pairs = []
    ).

extended([], _, _, []).
extended([Arg-Mode|Pairs], Module, Callers, [Goal|Goals]) :-
    ( var(Arg) -> unsafe(instantiation_error, Callers) ; true ),
    goal_of(Mode, Arg, Callers, Goal),
    extended(Pairs, Module, Callers, Goals).

goal_of(^, Arg, _, Goal) :- !, no_caret(Arg, Goal).
goal_of(//, Arg, Callers, Goal) :- !, dcg_goal(Arg, Callers, Goal).
goal_of(N, Arg, Callers, Goal) :- with_arguments(N, Arg, Callers, Goal).

no_caret(Goal, Goal) :- var(Goal), !.
no_caret(_^Goal0, Goal) :- !, no_caret(Goal0, Goal).
no_caret(Module:Goal0, Module:Goal) :- !, no_caret(Goal0, Goal).
no_caret(Goal, Goal).

dcg_goal(Module:Body, Callers, Module:Goal) :- !, ( var(Body) -> unsafe(instantiation_error, Callers) ; dcg_goal(Body, Callers, Goal) ).
dcg_goal(Body, Callers, Goal) :-
    (   catch(dcg_translate_rule((x --> Body), (_ :- Goal0)), error(Formal, _), unsafe(Formal, Callers)) -> Goal = Goal0
    ;   Goal = true
    ).

%   A closure, called with N arguments more, of which nothing is known.
with_arguments(0, Goal, _, Goal) :- !.
with_arguments(_, Goal, Callers, _) :- var(Goal), !, unsafe(instantiation_error, Callers).
with_arguments(N, Module:Goal0, Callers, Module:Goal) :- !, with_arguments(N, Goal0, Callers, Goal).
with_arguments(N, Lambda0, Callers, Goal) :-
    callable(Lambda0), is_lambda(Lambda0), !,
    copy_term_nat(Lambda0, Lambda),
    lambda_body(Lambda, N, Callers, Goal).
with_arguments(N, Goal0, Callers, Goal) :-
    ( callable(Goal0) -> true ; unsafe(type_error(callable, Goal0), Callers) ),
    length(More, N),
    Goal0 =.. [Name|Args0],
    append(Args0, More, Args),
    Goal =.. [Name|Args].

is_lambda(_>>_).
is_lambda(_/_).
is_lambda(\_).
is_lambda(_^_).

lambda_body(Body, _, Callers, _) :- var(Body), !, unsafe(instantiation_error, Callers).
lambda_body(\Body, N, Callers, Goal) :- !, lambda_body(Body, N, Callers, Goal).
lambda_body(_^Body, N, Callers, Goal) :- !, More is max(0, N-1), lambda_body(Body, More, Callers, Goal).
lambda_body(_/Body, N, Callers, Goal) :- !, lambda_body(Body, N, Callers, Goal).
lambda_body(Parameters0>>Body, N, Callers, Goal) :- !,
    ( nonvar(Parameters0), Parameters0 = _/Parameters -> true ; Parameters = Parameters0 ),
    (   is_list(Parameters) -> length(Parameters, Own)
    ;   unsafe(instantiation_error, Callers)
    ),
    More is max(0, N-Own),
    lambda_body(Body, More, Callers, Goal).
lambda_body(Body, N, Callers, Goal) :- with_arguments(N, Body, Callers, Goal).

%   --- where it depends on the arguments ---

%   special(+Goal, +Module, +Callers, -Called): Goal is safe if the goals Called are. It fails for what is as others.

special(assert(C), M, Cs, Called) :- asserted(C, M, Cs, Called).
special(asserta(C), M, Cs, Called) :- asserted(C, M, Cs, Called).
special(assertz(C), M, Cs, Called) :- asserted(C, M, Cs, Called).
special(assert(C, _), M, Cs, Called) :- asserted(C, M, Cs, Called).
special(asserta(C, _), M, Cs, Called) :- asserted(C, M, Cs, Called).
special(assertz(C, _), M, Cs, Called) :- asserted(C, M, Cs, Called).
special(format(F), _, Cs, Called) :- formatted(F, [], Cs, Called).
special(format(F, Args), _, Cs, Called) :- formatted(F, Args, Cs, Called).
special(format(Sink, F, Args), _, Cs, Called) :- sink(Sink, format(_, _, _), Cs), formatted(F, Args, Cs, Called).
special(with_output_to(Sink, Goal), _, Cs, [Goal]) :- sink(Sink, with_output_to(_, _), Cs).
special(format_time(Sink, _, _), _, Cs, []) :- sink(Sink, format_time(_, _, _), Cs).
special(format_time(Sink, _, _, _), _, Cs, []) :- sink(Sink, format_time(_, _, _, _), Cs).
special(debug(_, F, Args), _, Cs, Called) :- formatted(F, Args, Cs, Called).
special(retract(C), M, Cs, []) :- own_clause(C, M, Cs, retract(C)).
special(retractall(H), M, Cs, []) :- own_clause(H, M, Cs, retractall(H)).
special(dynamic(Specs), _, Cs, []) :- own_names(Specs, Cs).
special(put_attr(_, Of, _), M, Cs, Called) :- attribute(Of, M, Cs, Called).
special('.'(_, Function, _), _, Cs, []) :-
    ( var(Function) -> unsafe(instantiation_error, Cs) ; true ),
    (   ( atomic(Function) ; memberchk(Function, [get(_), get(_, _), put(_), put(_, _)]) ) -> true
    ;   forbidden('.'(_, Function, _), Cs)
    ).
special(Goal, _, Cs, [Called]) :-
    compound(Goal), compound_name_arguments(Goal, Name, Args0), memberchk(Name, [>>, /, \, ^]),
    ( Name == (\) -> Args0 = [Body|Args], Lambda0 = \Body ; Args0 = [Params, Body|Args], Lambda0 =.. [Name, Params, Body] ),
    length(Args, N),
    copy_term_nat(Lambda0, Lambda),
    lambda_body(Lambda, N, Cs, Called).
special(Goal, _, Cs, [Called]) :-
    compound(Goal), compound_name_arguments(Goal, call, [Closure|Args]),
    (   Args == [] -> Called = Closure
    ;   nonvar(Closure), '$strip_modules'(Closure, _, Plain), nonvar(Plain), is_lambda(Plain)
    ->  length(Args, N), with_arguments(N, Closure, Cs, Called)
    ;   var(Closure) -> unsafe(instantiation_error, Cs)
    ;   added(Closure, Args, Cs, Called)
    ).
special(set_prolog_flag(Flag, Value), _, Cs, []) :-
    ( var(Flag) -> unsafe(instantiation_error, Cs) ; true ),
    (   ( safe_prolog_flag(Flag, Value) ; safe_prolog_flag(Flag) ; harmless_flag(Flag) ) -> true
    ;   forbidden(set_prolog_flag(_, _), Cs)
    ).
special(b_setval(Name, _), _, Cs, []) :- own_variable(Name, b_setval(_, _), Cs).
special(nb_setval(Name, _), _, Cs, []) :- own_variable(Name, nb_setval(_, _), Cs).
special(nb_linkval(Name, _), _, Cs, []) :- own_variable(Name, nb_linkval(_, _), Cs).

added(Closure, _, Cs, _) :- var(Closure), !, unsafe(instantiation_error, Cs).
added(Module:Closure, Args, Cs, Module:Goal) :- !, added(Closure, Args, Cs, Goal).
added(Closure, Args, Cs, Goal) :-
    ( callable(Closure) -> true ; unsafe(type_error(callable, Closure), Cs) ),
    Closure =.. [Name|Args0],
    append(Args0, Args, Args1),
    Goal =.. [Name|Args1].

%   A clause is asserted in the own module, and is called some time.
asserted(Clause, _, Cs, _) :- var(Clause), !, unsafe(instantiation_error, Cs).
asserted(M:Clause, Module, Cs, Called) :- !,
    ( M == Module -> asserted(Clause, Module, Cs, Called) ; forbidden(assertz(M:Clause), Cs) ).
asserted((Head :- Body), Module, Cs, [Body]) :- !, own_head(Head, Module, Cs).
asserted((Head => Body), Module, Cs, [Guard, Body]) :- !,
    ( nonvar(Head), Head = (Plain, Guard) -> true ; Plain = Head, Guard = true ),
    own_head(Plain, Module, Cs).
asserted((Head --> Body), Module, Cs, [Goal]) :- !, own_head(Head, Module, Cs), dcg_goal(Body, Cs, Goal).
asserted(Head, Module, Cs, []) :- own_head(Head, Module, Cs).

%   Clauses of the own module, of which at least the predicate is known.
own_clause(C, _, Cs, _) :- var(C), !, unsafe(instantiation_error, Cs).
own_clause(M:C, Module, Cs, Culprit) :- !, ( M == Module -> own_clause(C, Module, Cs, Culprit) ; forbidden(Culprit, Cs) ).
own_clause((Head :- _), Module, Cs, Culprit) :- !, own_clause(Head, Module, Cs, Culprit).
own_clause(_, _, _, _).

own_names(Specs, Cs) :- var(Specs), !, unsafe(instantiation_error, Cs).
own_names((A, B), Cs) :- !, own_names(A, Cs), own_names(B, Cs).
own_names([], _) :- !.
own_names([A|B], Cs) :- !, own_names(A, Cs), own_names(B, Cs).
own_names(Name/Arity, Cs) :- !, ( atom(Name), integer(Arity) -> true ; unsafe(instantiation_error, Cs) ).
own_names(Spec, Cs) :- forbidden(dynamic(Spec), Cs).

%   An attribute: what is called when its variable is bound, and when it is told, is looked at with any value.
attribute(Of, _, Cs, _) :- var(Of), !, unsafe(instantiation_error, Cs).
attribute(Of, Module, Cs, Called) :-
    (   Of == Module
    ->  findall(Hook, ( member(Hook, [attr_unify_hook(_, _), attribute_goals(_, _, _), attr_portray_hook(_, _)]), predicate_property(Module:Hook, defined) ), Called)
    ;   forbidden(put_attr(_, Of, _), Cs)
    ).

own_head(Head, _, Cs) :- var(Head), !, unsafe(instantiation_error, Cs).
own_head(M:Head, Module, Cs) :- !, ( M == Module -> own_head(Head, Module, Cs) ; forbidden(assertz(M:Head), Cs) ).
own_head(Head, Module, Cs) :-
    (   callable(Head), ( predicate_property(Module:Head, multifile) ; hook(Head, Module) )
    ->  forbidden(assertz(Head), Cs)
    ;   true
    ).

%   Predicates of `user` that others ask.
hook(Head, user) :-
    functor(Head, Name, _),
    memberchk(Name, [portray, message_hook, thread_message_hook, message_property, term_expansion, goal_expansion, exception, expand_query, expand_answer,
                     prolog_load_file, file_search_path, library_directory, prolog_file_type]).

own_variable(Name, Goal, Cs) :-
    ( var(Name) -> unsafe(instantiation_error, Cs) ; true ),
    ( safe_global_variable(Name) -> true ; forbidden(Goal, Cs) ).

sink(Sink, _, Cs) :- var(Sink), !, unsafe(instantiation_error, Cs).
sink(Sink, Goal, Cs) :-
    (   memberchk(Sink, [atom(_), string(_), codes(_), codes(_, _), chars(_), chars(_, _), current_output, user_output, user_error]) -> true
    ;   forbidden(Goal, Cs)
    ).

harmless_flag(Flag) :-
    memberchk(Flag, [double_quotes, back_quotes, occurs_check, prefer_rationals, rational_syntax, float_overflow, float_zero_div, float_undefined, float_rounding,
                     var_prefix, character_escapes, answer_write_options, print_write_options, generate_debug_info, optimise, toplevel_print_anon]).

%   The goals that a format calls.
formatted(Format, _, Cs, _) :- var(Format), !, unsafe(instantiation_error, Cs).
formatted(Format, Args0, Cs, Called) :-
    (   catch(text_to_string(Format, Text), error(_, _), fail) -> string_codes(Text, Codes)
    ;   unsafe(type_error(text, Format), Cs)
    ),
    ( nonvar(Args0), Args0 = _:Args1 -> true ; Args1 = Args0 ),
    (   \+ append(_, [0'~|_], Codes) -> Called = []
    ;   is_list(Args1) -> format_goals(Codes, Args1, Called)
    ;   ( var(Args1) ; Args1 = [_|_] ) -> unsafe(instantiation_error, Cs)
    ;   format_goals(Codes, [Args1], Called)
    ).

format_goals([], _, []).
format_goals([0'~|Codes], Args0, Called) :- !,
    column(Codes, Args0, Codes1, Args1),
    (   Codes1 = [Directive|Codes2] -> directive(Directive, Args1, Args, Called, Called1), format_goals(Codes2, Args, Called1)
    ;   Called = []
    ).
format_goals([_|Codes], Args, Called) :- format_goals(Codes, Args, Called).

column([0'*|Codes], [_|Args], Codes, Args) :- !.
column([0'`, _|Codes], Args, Codes, Args) :- !.
column(Codes0, Args, Codes, Args) :- digits(Codes0, Codes).

digits([D|Codes0], Codes) :- code_type(D, digit), !, digits(Codes0, Codes).
digits([0':|Codes], Codes) :- !.
digits(Codes, Codes).

directive(Directive, Args, Args, Called, Called) :- memberchk(Directive, `n~|+t`), !.
directive(0'@, [Goal|Args], Args, [Goal|Called], Called) :- !.
directive(_, [_|Args], Args, Called, Called) :- !.
directive(_, [], [], Called, Called).

%   --- what is harmless ---

%   Libraries that only look at their arguments, and call those that their meta_predicate declarations say.
harmless_library(Module) :-
    memberchk(Module, [lists, apply, pairs, assoc, rbtrees, ugraphs, ordsets, oset, option, heaps, nb_set, hashtable, aggregate, solution_sequences, '$findnsols', yall,
                       terms, occurs, gensym, random, error, varnumbers, dicts, sort, dif, when, '$copying', '$residual', '$numbervars', '$functor', '$numbers',
                       '$size_abstract', '$term_kinds', '$arithmetic_functions', strings, '$atoms', '$string_bytes', base32, base64, utf8, ctypes,
                       dcg_basics, dcg_high_order, uri, url, date, '$dates', wfs, '$wildcards', prolog_code]), !.
harmless_library(Module) :- sub_atom(Module, 0, _, _, '$fd_'), !.
harmless_library(clpfd).
harmless_library('$clpfd').

harmless(Name, Arity) :- harmless_of(Name, Arities), memberchk(Arity, Arities).

%   Control.
harmless_of(!, [0]).
harmless_of(',', [2]).
harmless_of(;, [2]).
harmless_of('|', [2]).
harmless_of(->, [2]).
harmless_of(*->, [2]).
harmless_of(\+, [1]).
harmless_of(not, [1]).
harmless_of(true, [0]).
harmless_of(otherwise, [0]).
harmless_of(fail, [0]).
harmless_of(false, [0]).
harmless_of(undefined, [0]).
harmless_of(repeat, [0]).
harmless_of(once, [1]).
harmless_of(ignore, [1]).
harmless_of(forall, [2]).
harmless_of(findall, [3, 4]).
harmless_of(bagof, [3]).
harmless_of(setof, [3]).
harmless_of(catch, [3]).
harmless_of(catch_with_backtrace, [3]).
harmless_of(throw, [1]).
harmless_of(call_cleanup, [2]).
harmless_of(setup_call_cleanup, [3]).
harmless_of(setup_call_catcher_cleanup, [4]).
harmless_of(call_with_depth_limit, [3]).
harmless_of(call_with_inference_limit, [3]).
harmless_of(call_with_time_limit, [2, 3]).
harmless_of(time, [1]).
harmless_of(phrase, [2, 3]).
harmless_of(call_dcg, [3]).
harmless_of(freeze, [2]).
harmless_of(frozen, [2]).
harmless_of(tnot, [1]).
harmless_of(not_exists, [1]).
harmless_of(reset, [3]).
harmless_of(shift, [1]).
harmless_of(shift_for_copy, [1]).
harmless_of($, [0, 1]).
harmless_of(with_mutex, [2]).
harmless_of(findnsols, [4, 5]).
harmless_of(snapshot, [1]).
harmless_of(assertion, [1]).
harmless_of(must_be, [2]).
%   Comparing and unifying.
harmless_of(Name, [2]) :-
    memberchk(Name, [=, \=, ==, \==, @<, @>, @=<, @>=, =@=, \=@=, ?=, unify_with_occurs_check, subsumes_term, :<, >:<]).
harmless_of(compare, [3]).
harmless_of(unifiable, [3]).
%   Kinds of terms.
harmless_of(Name, [1]) :-
    memberchk(Name, [var, nonvar, atom, number, integer, float, rational, atomic, compound, callable, is_list, string, ground, acyclic_term, cyclic_term, is_dict,
                     is_stream, attvar, is_assoc]).
harmless_of(Name, [2]) :- memberchk(Name, [blob, is_dict]).
%   Arithmetic.
harmless_of(Name, [2]) :- memberchk(Name, [is, <, >, =<, >=, =:=, =\=, succ]).
harmless_of(plus, [3]).
harmless_of(between, [3]).
harmless_of(divmod, [4]).
harmless_of(nth_integer_root_and_remainder, [4]).
harmless_of(rational, [3]).
%   Terms.
harmless_of(functor, [3, 4]).
harmless_of(arg, [3]).
harmless_of(=.., [2]).
harmless_of(compound_name_arity, [3]).
harmless_of(compound_name_arguments, [3]).
harmless_of(copy_term, [2, 3, 4]).
harmless_of(copy_term_nat, [2, 4]).
harmless_of(duplicate_term, [2]).
harmless_of('$copy_nat', [2]).
harmless_of(term_variables, [2, 3]).
harmless_of(term_attvars, [2]).
harmless_of(term_singletons, [2]).
harmless_of(numbervars, [1, 3, 4]).
harmless_of(term_hash, [2, 4]).
harmless_of(variant_sha1, [2]).
harmless_of(variant_hash, [2]).
harmless_of(term_size, [2]).
harmless_of(same_term, [2]).
harmless_of(term_subsumer, [3]).
harmless_of(get_attr, [3]).
harmless_of(del_attr, [2]).
%   Lists.
harmless_of(length, [2]).
harmless_of(memberchk, [2]).
harmless_of(msort, [2]).
harmless_of(sort, [2, 4]).
harmless_of(predsort, [3]).
harmless_of(keysort, [2]).
%   Dicts.
harmless_of(dict_create, [3]).
harmless_of(dict_pairs, [3]).
harmless_of(put_dict, [3, 4]).
harmless_of(get_dict, [3, 5]).
harmless_of(del_dict, [4]).
harmless_of(select_dict, [3]).
harmless_of(b_set_dict, [3]).
harmless_of(nb_set_dict, [3]).
%   Texts.
harmless_of(Name, [2]) :-
    memberchk(Name, [atom_chars, atom_codes, atom_length, atom_number, atom_string, char_code, char_type, code_type, downcase_atom, upcase_atom, name, normalize_space,
                     number_chars, number_codes, number_string, string_chars, string_codes, string_length, string_lower, string_upper, string_to_atom, term_to_atom,
                     term_string, text_to_string, atomic_list_concat, sformat, collation_key]).
harmless_of(Name, [3]) :-
    memberchk(Name, [atom_concat, atomic_list_concat, string_concat, string_code, get_string_code, text_concat, term_string, atom_to_term, read_term_from_atom,
                     sub_atom_icasechk, write_length]).
harmless_of(split_string, [4]).
harmless_of(sub_atom, [5]).
harmless_of(sub_string, [5]).
harmless_of(char_conversion, [2]).
harmless_of(current_char_conversion, [2]).
%   Output.
harmless_of(Name, [1]) :- memberchk(Name, [write, writeq, writeln, print, write_canonical, portray_clause, put_char, tab]).
harmless_of(write_term, [2]).
harmless_of(nl, [0]).
harmless_of(flush_output, [0]).
%   The own database: arguments that say which module are looked at besides.
harmless_of(clause, [2]).
harmless_of(current_predicate, [1, 2]).
harmless_of(predicate_property, [2]).
harmless_of(current_op, [3]).
harmless_of(abolish_all_tables, [0]).
%   Global variables, flags, the system.
harmless_of(b_getval, [2]).
harmless_of(nb_getval, [2]).
harmless_of(nb_current, [2]).
harmless_of(current_prolog_flag, [2]).
harmless_of(statistics, [0, 2]).
harmless_of(get_time, [1]).
harmless_of(sleep, [1]).
harmless_of(thread_self, [1]).
harmless_of(garbage_collect, [0]).
harmless_of(prolog_load_context, [2]).
harmless_of(dcg_translate_rule, [2, 4]).
