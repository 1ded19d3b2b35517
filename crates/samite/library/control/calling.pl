:- module('$calling',
          [ '$at'/2,
            call_with_depth_limit/3,
            call_with_inference_limit/3,
            catch_with_backtrace/3,
            undo/1,
            '$run_undos'/1
          ]).

/*  Goals called in another context, or with limits.  */

:- meta_predicate
       '$at'(0, ?),
       call_with_depth_limit(0, ?, ?),
       call_with_inference_limit(0, ?, ?),
       catch_with_backtrace(0, ?, 0),
       undo(0).

%   '$at'(:Goal, +Module): @(Goal, Module) where the machine does not see at once what is to be called, or there is an error.

'$at'(Goal, Module) :-
    '$strip_modules'(Goal, Lookup, Plain),
    (   ( var(Plain) ; var(Module) )
    ->  throw(error(instantiation_error, context(system:(@)/2, _)))
    ;   \+ atom(Module)
    ->  throw(error(type_error(module, Module), context(system:(@)/2, _)))
    ;   \+ callable(Plain)
    ->  throw(error(type_error(callable, Plain), context(system:(@)/2, _)))
    ;   true
    ),
    in_context(Lookup, Plain, Module).

%   The goals of a control structure are looked up where it is, each in the other context.

in_context(Lookup, Plain, Module) :-
    is_control(Plain), !,
    parts_in_context(Plain, Lookup, Module, Goal),
    call(Goal).

%   What has no arguments is told by where it is called which module it is about, if it is a library's.

in_context(Lookup, Plain, Module) :-
    atom(Plain),
    predicate_property(Lookup:Plain, imported_from(Library)),
    '$library_module'(Library, _),
    predicate_property(Module:Plain, imported_from(Library)),
    !,
    call(Module:Plain).
in_context(Lookup, Plain, Module) :-
    Plain =.. [Name|Arguments0],
    (   argument_specifiers(Lookup, Plain, Specifiers)
    ->  in_context(Plain, Specifiers, Arguments0, Module, Arguments)
    ;   Arguments = Arguments0
    ),
    Call =.. [Name|Arguments],
    system:'$told'(Lookup:Call, Module).

is_control((_, _)).
is_control((_ ; _)).
is_control((_ -> _)).
is_control((_ *-> _)).
is_control(\+ _).

parts_in_context(Part, Lookup, Module, @(Lookup:Part, Module)) :-
    var(Part), !.
parts_in_context(!, _, _, !) :- !.
parts_in_context(Part, Lookup, Module, Goal) :-
    is_control(Part), !,
    Part =.. [Name|Parts],
    all_in_context(Parts, Lookup, Module, Goals),
    Goal =.. [Name|Goals].
parts_in_context(Part, Lookup, Module, @(Lookup:Part, Module)).

all_in_context([], _, _, []).
all_in_context([Part|Parts], Lookup, Module, [Goal|Goals]) :-
    parts_in_context(Part, Lookup, Module, Goal),
    all_in_context(Parts, Lookup, Module, Goals).

argument_specifiers(Module, Goal, Specifiers) :-
    predicate_property(Module:Goal, meta_predicate(Head)),
    Head =.. [_|Specifiers].

%   What import/1 is given says where that is from; Module is where it goes.

in_context(import(_), [:], [Imports], Module, [Module:Imports]) :- !.
in_context(_, Specifiers, Arguments0, Module, Arguments) :-
    in_module(Specifiers, Arguments0, Module, Arguments).

in_module([], [], _, []).
in_module([S|Ss], [A0|As0], Module, [A|As]) :-
    (   ( integer(S) ; S == (:) ; S == (^) ; S == (//) ),
        \+ ( nonvar(A0), A0 = _:_ )
    ->  A = Module:A0
    ;   A = A0
    ),
    in_module(Ss, As0, Module, As).

%!  undo(:Goal) is det.
%
%   Goal is called, as by ignore/1, when backtracking, or an exception, has gone back over this call: cuts do not matter. What is bound now is bound then.

undo(Goal) :- '$undo'(Goal).

%   '$run_undos'(+Goals): all of them; then what the first one threw that threw something.

'$run_undos'(Goals) :-
    run_undos(Goals, Ball),
    ( nonvar(Ball) -> throw(Ball) ; true ).

run_undos([], _).
run_undos([Goal|Goals], Ball) :-
    catch(ignore(Goal), Ball0, true),
    ( nonvar(Ball0), var(Ball) -> Ball = Ball0 ; true ),
    run_undos(Goals, Ball).

%!  catch_with_backtrace(:Goal, ?Catcher, :Recovery) is nondet.
%
%   As catch/3: errors have no backtrace.

catch_with_backtrace(Goal, Catcher, Recovery) :-
    catch(Goal, Catcher, Recovery).

%!  call_with_depth_limit(:Goal, +Limit, -Result) is nondet.
%
%   Calls Goal, in which no call may be more than Limit levels deep: one that is
%   fails. Goal is at level 1, and what a clause calls is one level below what the
%   clause is for, last calls as others. Result is the deepest level reached for a
%   solution; if there is none, or no other, `depth_limit_exceeded` if it took
%   Limit levels to find that out. Fails or throws else as Goal does.

call_with_depth_limit(Goal, Limit, Result) :-
    '$strip_modules'(Goal, _, Plain),
    (   integer(Limit), Limit >= 0, callable(Plain)
    ->  true
    ;   no_limit(Plain, Limit, system:call_with_depth_limit/3)
    ),
    Levels is min(Limit, 1 << 57),
    system:'$within_depth'(Goal, Levels, Result).

%!  call_with_inference_limit(:Goal, +Limit, -Result) is nondet.
%
%   Calls Goal. Result is `!` if it succeeded with no more solutions, `true` if
%   there may be others, `inference_limit_exceeded` if it was stopped because
%   a solution took more than Limit inferences. (About: some inferences of the
%   machinery count.) Fails or throws if Goal does.

call_with_inference_limit(Goal, Limit, Result) :-
    '$strip_modules'(Goal, _, Plain),
    (   integer(Limit), Limit > 0, callable(Plain)
    ->  Steps is min(Limit + 20, 1 << 58)
    ;   no_limit(Plain, Limit, system:call_with_inference_limit/3),
        Steps = 0
    ),
    '$inference_limit'(Outer),
    catch(system:'$within_inferences'(Goal, Steps, Left), Ball, true),
    (   nonvar(Ball)
    ->  !,
        limit_result(Ball, Outer, Result)
    ;   Left == (!)
    ->  !,
        Result = (!)
    ;   (   Result = true
        ;   '$limit_inferences'(Left),
            fail
        )
    ).

%   A limit that is 0, or else an error.

no_limit(Plain, Limit, PI) :-
    (   ( var(Limit) ; var(Plain) )
    ->  throw(error(instantiation_error, context(PI, _)))
    ;   \+ integer(Limit)
    ->  throw(error(type_error(integer, Limit), context(PI, _)))
    ;   Limit < 0
    ->  throw(error(domain_error(not_less_than_zero, Limit), context(PI, _)))
    ;   \+ callable(Plain)
    ->  throw(error(type_error(callable, Plain), _))
    ;   true
    ).

%   What exceeded the limit of a call around this one is not for this one.

limit_result(Ball, Outer, Result) :-
    (   Ball == inference_limit_exceeded,
        \+ ( Outer >= 0, statistics(inferences, Count), Count > Outer )
    ->  Result = inference_limit_exceeded
    ;   throw(Ball)
    ).
