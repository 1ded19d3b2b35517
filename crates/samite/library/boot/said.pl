%   Boot library: what directives of files say that is neither a clause nor a declaration of a predicate: goals for the end of the program and for
%   its beginning, settings, what modules inherit from and their class, licenses.
%
%   '$said'(Key, What, File, Session): the load Session of File has said What, which is found by Key; or the program has otherwise, by a goal at run
%   time: File is []. As clauses do, it belongs to the version of the file: what a load that comes to its end has not said again is taken back then.
%
%   Equation: with no load of a file in progress '$said'/4 has of that file what its last load has said that came to its end (and what goals of
%   initialization/1 have said after it).

:- dynamic('$said'/4).

%   What was taken back already when a load began, for if it does not come to its end.
:- dynamic('$said_before'/2).
:- volatile('$said_before'/2).

%   '$sayer'(-File, -Session): who speaks.
'$sayer'(File, Session) :- '$load_state'(File, Session, _), !.
'$sayer'([], 0).

'$say'(Key, What) :- '$sayer'(File, Session), assertz('$said'(Key, What, File, Session)).

%   '$say_anew'(+Key, +Pattern, +What): in place of all like Pattern that the same load has said, or the program. What others have said counts again when
%   this does not any more.
'$say_anew'(Key, Pattern, What) :-
    '$sayer'(File, Session),
    findall(Ref, clause('$said'(Key, Pattern, File, Session), true, Ref), Refs),
    assertz('$said'(Key, What, File, Session)),
    '$erase_said'(Refs).

%   (Another thread may have come first.)
'$erase_said'([]).
'$erase_said'([Ref|Refs]) :- catch(erase(Ref), error(existence_error(_, _), _), true), '$erase_said'(Refs).

%   '$say_again'(+Key, +What): as what has been said and is saved was said.
'$say_again'('$imports', Module-Change) :- !,
    ( '$change_imports'(Module, Change) -> true ; true ).
'$say_again'(Key, What) :- '$say'(Key, What).

%   '$says'(?Key, ?What) is nondet: it has been said, and not only by the version before of the file that this thread is loading.
'$says'(Key, What) :-
    '$said'(Key, What, File, Session),
    \+ ( '$load_state'(File, Now, _), Now \== Session ).

%   '$says_last'(+Key, ?What) is semidet: What is what has been said of that last.
'$says_last'(Key, What) :- findall(What, '$says'(Key, What), Whats), '$append'(_, [What], Whats), !.

%   '$begin_said'(+File, +Session): what modules inherit from is not that of the version before any more for the directives that follow.
'$begin_said'(File, Session) :-
    (   '$said'('$imports', _, File, _)
    ->  '$locked'('$said', '$begin_imports_said'(File, Session))
    ;   true
    ).

'$begin_imports_said'(File, Session) :-
    findall(Change, retract('$said'('$imports', Change, File, _)), Changes),
    assertz('$said_before'(Session, Changes)),
    '$recount_imports'(Changes).

%   '$end_said'(+File, +Session, +Whole): a load ends. If it has not come to its end, what the version before has said stays.
'$end_said'(File, Session, Whole) :-
    ( retract('$said_before'(Session, Before)) -> true ; Before = [] ),
    (   Whole == true
    ->  '$take_back'(File, but(Session))
    ;   '$load_history'(File, Count, _), Count > 1
    ->  '$locked'('$said', '$restore_imports'(Before, File)),
        '$take_back'(File, only(Session)),
        '$keep_header'(Session)
    ;   true
    ),
    retractall('$header_before'(Session, _, _)).

'$restore_imports'(Changes, File) :-
    (   '$member'(Module-Change, Changes),
        ( '$said'('$imports_at_first', Module-_, _, _) -> true ; '$import_modules'(Module, First), assertz('$said'('$imports_at_first', Module-First, [], 0)) ),
        assertz('$said'('$imports', Module-Change, File, 0)),
        fail
    ;   '$recount_imports'(Changes)
    ).

%   '$forget_said'(+File): it is unloaded.
'$forget_said'(File) :- '$take_back'(File, all).

%   '$take_back'(+File, +Which): what File has said in `all` loads, only(Session), or all but(Session).
'$take_back'(File, Which) :-
    (   \+ ( '$said'(_, _, File, Session), '$is_taken'(Which, Session) ) -> true
    ;   '$locked'('$said', '$take_back_said'(File, Which))
    ).

'$take_back_said'(File, Which) :-
    findall(Ref-Key-What, ( clause('$said'(Key, What, File, Session), true, Ref), '$is_taken'(Which, Session) ), Gone),
    '$take_each'(Gone, Changes),
    '$recount_imports'(Changes).

'$is_taken'(all, _).
'$is_taken'(but(Session), Other) :- Other \== Session.
'$is_taken'(only(Session), Session).

'$take_each'([], []).
'$take_each'([Ref-Key-What|Gone], Changes) :-
    '$erase_said'([Ref]),
    ( Key == '$imports' -> Changes = [What|Changes1] ; Changes = Changes1 ),
    '$take_each'(Gone, Changes1).

%   What a module inherits from is what it was before a file changed that (`$imports_at_first`), and then each change in its turn.

%   '$change_imports'(+Module, +Change) is semidet: Change is base(Import), first(Import), last(Import) or without(Import). Fails if the module would
%   inherit from itself.
'$change_imports'(Module, Change) :- '$locked'('$said', '$change_imports_said'(Module, Change)).

'$change_imports_said'(Module, Change) :-
    '$import_modules'(Module, Was),
    '$imports_after'(Change, Was, Is),
    ( Is == Was -> true ; '$set_import_modules'(Module, Is) ),
    '$sayer'(File, Session),
    (   File == [], ( Is == Was -> true ; \+ '$said'('$imports_at_first', Module-_, _, _) ) -> true
    ;   ( '$said'('$imports_at_first', Module-_, _, _) -> true ; assertz('$said'('$imports_at_first', Module-Was, [], 0)) ),
        retractall('$said'('$imports', Module-Change, File, Session)),
        assertz('$said'('$imports', Module-Change, File, Session))
    ).

'$imports_after'(base(M), _, [M]).
'$imports_after'(first(M), Was, Is) :- ( '$memberchk_eq'(M, Was) -> Is = Was ; Is = [M|Was] ).
'$imports_after'(last(M), Was, Is) :- ( '$memberchk_eq'(M, Was) -> Is = Was ; '$append'(Was, [M], Is), ! ).
'$imports_after'(without(M), Was, Is) :- '$imports_without'(Was, M, Is).

'$imports_without'([], _, []).
'$imports_without'([M|Ms], Import, Rest) :-
    ( M == Import -> Rest = Rest1 ; Rest = [M|Rest1] ),
    '$imports_without'(Ms, Import, Rest1).

%   '$recount_imports'(+Changes): changes of these modules have been taken back, or made again.
'$recount_imports'([]).
'$recount_imports'([Module-_|Changes]) :-
    (   '$said'('$imports_at_first', Module-First, _, _)
    ->  findall(Change, '$said'('$imports', Module-Change, _, _), Made),
        '$imports_after_all'(Made, First, Is),
        ( Made == [] -> retractall('$said'('$imports_at_first', Module-_, _, _)) ; true ),
        % (It cannot be if others have come to inherit from it meanwhile.)
        ( '$import_modules'(Module, Is) -> true ; '$set_import_modules'(Module, Is) -> true ; true )
    ;   true
    ),
    '$recount_imports'(Changes).

'$imports_after_all'([], Is, Is).
'$imports_after_all'([Change|Changes], Was, Is) :-
    '$imports_after'(Change, Was, Between),
    '$imports_after_all'(Changes, Between, Is).

% --- goals for the end of the program ---

:- meta_predicate(at_halt(0)).

%!  at_halt(:Goal) is det.
%   Goal runs when the program is left by halt/1: those registered by files that were loaded in their order, before them others, the last one first.
%   What a directive registers itself, or a goal of initialization/1, belongs to the file.
at_halt(Goal) :-
    (   nb_current('$at_halt_of', File-Session) -> nb_setval('$at_halt_of', [])
    ;   File = [], Session = 0
    ),
    (   '$load_state'(_, _, _) -> assertz('$said'('$at_halt', Goal, File, Session))
    ;   asserta('$said'('$at_halt', Goal, File, Session))
    ).

%   '$asks_at_halt'(+Goal) is semidet: a goal of a file is at_halt/1 itself. What it calls inside other goals is state of the program, like what these
%   assert: they may not do it again when the file is loaded again.
'$asks_at_halt'(Goal) :- '$strip'(Goal, _, G), nonvar(G), G = at_halt(_).

'$with_at_halt_of'(By, Goal) :- setup_call_cleanup(nb_setval('$at_halt_of', By), Goal, nb_setval('$at_halt_of', [])).
