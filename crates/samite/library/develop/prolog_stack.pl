:- module(prolog_stack,
          [ get_prolog_backtrace/2,
            get_prolog_backtrace/3,
            prolog_stack_frame_property/2,
            print_prolog_backtrace/2,
            print_prolog_backtrace/3,
            backtrace/1
          ]).

/*  Which goals wait for the one that runs.

    As SWI-Prolog's library(prolog_stack). A frame is frame(Level, Where, Goal): Level counts from the outermost one, Where is pred_line(Indicator, File:Line), with the line where
    the clause that waits begins, or call(Indicator). Goal is a goal of the system that waits, and 0 for a clause: what it was called with is kept no longer than it is needed.

    Goals whose last call runs have no frame any more.
*/

:- predicate_options(get_prolog_backtrace/3, 3, [frame(any), goal_term_depth(nonneg), guard(any), clause_references(boolean)]).
:- predicate_options(print_prolog_backtrace/3, 3, [subgoal_positions(boolean)]).

%!  get_prolog_backtrace(+Depth, -Frames) is det.
%!  get_prolog_backtrace(+Depth, -Frames, +Options) is det.
%
%   Frames are those of the Depth innermost goals that wait, the innermost first. Options: goal_term_depth(N): how deep Goal is shown (0: not at all). clause_references(Bool), guard(PI) and
%   frame(Frame) are for systems where frames are something else.

get_prolog_backtrace(Depth, Frames) :-
    get_prolog_backtrace(Depth, Frames, []).

get_prolog_backtrace(Depth, Frames, Options) :-
    must_be(nonneg, Depth),
    option(goal_term_depth(GoalDepth), Options, 0),
    must_be(nonneg, GoalDepth),
    '$callers'(Places),
    waiting(Places, GoalDepth, All),
    length(All, Outermost),
    levels(All, Outermost),
    (   Outermost > Depth
    ->  length(Frames0, Depth),
        append(Frames0, _, All)
    ;   Frames0 = All
    ),
    Frames = Frames0.

waiting([], _, []).
waiting([Place|Places], Depth, Frames) :-
    (   frame(Place, Depth, Frame)
    ->  Frames = [Frame|Frames1]
    ;   Frames = Frames1
    ),
    waiting(Places, Depth, Frames1).

frame(in(PI, File, Line), _, frame(_, Where, 0)) :-
    \+ '$is_hidden'(PI),
    \+ PI = prolog_stack:_,
    ( File == [] -> Where = call(PI) ; Where = pred_line(PI, File:Line) ).
frame(goal(Goal), Depth, frame(_, call(M:Name/Arity), Shown)) :-
    \+ '$is_hidden'(Goal),
    Goal = M:Plain,
    functor(Plain, Name, Arity),
    ( Depth =:= 0 -> Shown = 0 ; shallow(Depth, Plain, Shown) ).

levels([], _).
levels([frame(Level, _, _)|Frames], Level) :-
    Level1 is Level-1,
    levels(Frames, Level1).

%   shallow(+Depth, +Term, -Shown): a copy, with '...' in place of what lies deeper.
shallow(Depth, Term, Shown) :-
    (   \+ compound(Term)
    ->  copy_term_nat(Term, Shown)
    ;   Depth =:= 0
    ->  Shown = '...'
    ;   compound_name_arguments(Term, Name, Args),
        Depth1 is Depth-1,
        all_shallow(Args, Depth1, ShownArgs),
        compound_name_arguments(Shown, Name, ShownArgs)
    ).

all_shallow([], _, []).
all_shallow([Arg|Args], Depth, [Shown|Rest]) :-
    shallow(Depth, Arg, Shown),
    all_shallow(Args, Depth, Rest).

%!  prolog_stack_frame_property(+Frame, ?Property) is nondet.
%
%   Property is level(Level), predicate(Indicator), location(File:Line) or goal(Goal).

prolog_stack_frame_property(frame(Level, Where, Goal), Property) :-
    frame_property(Property, Level, Where, Goal).

frame_property(level(Level), Level, _, _).
frame_property(predicate(PI), _, Where, _) :- frame_predicate(Where, PI).
frame_property(location(Place), _, pred_line(_, Place), _).
frame_property(goal(Goal), _, _, Goal) :- Goal \== 0.

frame_predicate(call(PI), PI).
frame_predicate(pred_line(PI, _), PI).

%!  print_prolog_backtrace(+Stream, +Frames) is det.
%!  print_prolog_backtrace(+Stream, +Frames, +Options) is det.
%
%   Prints Frames, a line for each. subgoal_positions(Bool) is taken: lines are always those where clauses begin.

print_prolog_backtrace(Stream, Frames) :-
    print_prolog_backtrace(Stream, Frames, []).

print_prolog_backtrace(Stream, Frames, Options) :-
    must_be(list, Options),
    phrase(message(Frames), Lines),
    print_message_lines(Stream, '', Lines).

%   (Programs call it as prolog_stack:message//1, in messages of their own.)
message([]) --> [].
message([Frame|Frames]) -->
    frame_line(Frame),
    ( { Frames == [] } -> [] ; [ nl ], message(Frames) ).

frame_line(frame(Level, Where, Goal)) -->
    [ '~t[~D]~6| '-[Level] ],
    (   { Goal == 0, frame_predicate(Where, PI0) }
    ->  { '$without_module'(PI0, PI) },
        [ '~q'-[PI] ]
    ;   [ '~p'-[Goal] ]
    ),
    (   { Where = pred_line(_, File:Line) }
    ->  [ ' at '-[], url(File:Line) ]
    ;   []
    ).

%!  backtrace(+Depth) is det.
%
%   Prints the Depth innermost goals that wait, on standard error.

backtrace(Depth) :-
    get_prolog_backtrace(Depth, Frames),
    print_prolog_backtrace(user_error, Frames).
