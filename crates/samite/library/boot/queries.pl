%   The toplevel: the loop that reads queries, runs them and acts on answers; interrupts. Loaded into module `system` when a program starts.
%
%   What is printed follows SWI-Prolog. Differs from it in: without a terminal, an answer is followed by another only if the next character of
%   the input is `;`; there is no tracer, and its keys say so.

%!  '$toplevel' is det.
%   Reads queries and shows their answers until the end of the input; then halts, with status 1 (129 where there was a terminal) if that is not where it ended, or if answers were
%   lost.
'$toplevel' :-
    '$answer_options'(_), % What shows answers is there before the first one asks for it.
    % (A terminal that has gone is none any more.)
    ( '$tty' -> Lost = 129, '$tell'(banner, welcome) ; Lost = 1 ),
    system:sig_atomic('$queries_and_end'(Lost)).

'$queries_and_end'(Lost) :-
    repeat,
    '$queries',
    ( catch(nl(user_output), error(_, _), fail) -> true ; nb_setval('$answers_lost', true) ),
    '$tell'(informational, halt),
    '$note_lost_answers',
    ( '$toplevel_lost'(_) -> Status = Lost ; Status = 0 ),
    '$end_toplevel'(Status).

%   Fails if the end is cancelled. An abort that comes before the end has begun does not keep it off.
'$end_toplevel'(Status) :-
    '$catch_all'(system:'$unmasked'(halt(Status)), _, '$end_toplevel'(Status)).

%   '$toplevel_lost'(-What) is nondet: the toplevel has not read all queries, or not shown all answers. The global variables are set for good.
'$toplevel_lost'(input) :- nb_current('$input_lost', true).
'$toplevel_lost'(answers) :- nb_current('$answers_lost', true).

%   To be called between two queries: what one that ends the program has written before is its own affair.
'$note_lost_answers' :-
    (   catch('$output_lost'(user_output), error(_, _), fail) -> nb_setval('$answers_lost', true)
    ;   true
    ).

%!  break is det.
%   Runs a loop of its own within a query, up to the end of the input.
break :-
    '$break_level'(Outer),
    Level is Outer+1,
    setup_call_cleanup(
        nb_setval('$break_level', Level),
        (   '$tell'(informational, break(begin, Level)),
            prolog,
            nl(user_output),
            '$tell'(informational, break(end, Level))
        ),
        nb_setval('$break_level', Outer)).

'$break_level'(Level) :- ( nb_current('$break_level', Level0) -> Level = Level0 ; Level = 0 ).

%!  prolog is det.
%   The loop alone: true at the end of the input. An abort ends what is asked or read, whenever it comes: between two queries, or while one
%   before it is told, it waits for the next.
prolog :- sig_atomic('$queries').

'$queries' :-
    nb_setval('$asks', true),
    repeat,
    '$catch_all'(system:'$unmasked'('$query_step'(End)), E, '$step_raised'(E, End)),
    End == true, !,
    '$answering'(false).

%   (Who insists is heard here, too.)
'$step_raised'(E, false) :-
    ( '$catch_all'('$query_error'(true, E), _, true) -> true ; true ).

%   One query. Everything it made is gone when it fails out of here.
'$query_step'(true) :- nb_current('$answers_unread', true), !.
'$query_step'(End) :-
    '$enter_next_module',
    '$note_lost_answers',
    '$read_query'(Text),
    (   Text == end_of_file -> Query0 = end_of_file, Bindings0 = []
    ;   atom_to_term(Text, Query0, Bindings0)
    ),
    (   Query0 == end_of_file
    ->  End = true
    ;   End = false,
        '$expanded_query'(Query0, Bindings0, Query, Bindings),
        '$query'(Query, Bindings)
    ).

%   A file may have said which module the toplevel's is (module/1).
'$enter_next_module' :- nb_current('$next_module', M), M \== [], !,
    nb_setval('$next_module', []),
    '$set_source_module'(M).
'$enter_next_module'.

%   What the program's hook makes of a query, else the query with the values of earlier ones.
'$expanded_query'(Query0, Bindings0, Query, Bindings) :-
    user:expand_query(Query0, Query1, Bindings0, Bindings1), !,
    Query = Query1, Bindings = Bindings1.
'$expanded_query'(Query0, Bindings, Query, Bindings) :-
    '$put_variables'(Query0, Bindings, Query).

%   The same of an answer, whose values later queries may mean.
'$expanded_answer'(Bindings0, Bindings) :-
    user:expand_answer(Bindings0, Bindings1), !,
    Bindings = Bindings1.
'$expanded_answer'(Bindings, Bindings) :-
    '$keep_variables'(Bindings).

%   The flag toplevel_prompt, where ~m stands for the module unless that is user, ~l for the level of break/0, ~d for the mode of a debugger
%   and ~! for the number of the query, which have none here.
'$prompt'(Prompt) :-
    current_prolog_flag(toplevel_prompt, Template),
    '$prompt_text'(Template, Prompt).

'$typein_module'(M) :- catch('$source_module'(M0), _, M0 = user), !, M = M0.
'$typein_module'(user).

%!  '$read_query'(-Text) is det.
%   The text of the next query, from the terminal, else from the input and not further; end_of_file at the end.
'$read_query'(Text) :-
    flush_output(user_output),
    (   '$tty'
    ->  catch('$prompt'(Prompt), error(resource_error(_), _), Prompt = '?- '),
        '$query_text'(Prompt, Text)
    ;   % (Answers go elsewhere, but who asks sits at a terminal.)
        catch(
            (   '$asks_elsewhere'
            ->  '$prompt'(Prompt), prompt1(Prompt),
                '$with_prompt'('|    ', '$piped_query'(Text))
            ;   '$piped_query'(Text)
            ), error(Formal, Context), '$not_read'(Formal, error(Formal, Context), Text))
    ).

'$asks_elsewhere' :- stream_property(user_input, tty(true)).

%   '$with_prompt'(+Prompt, :Goal): what Goal reads from a terminal is asked for by this.
'$with_prompt'(Prompt, Goal) :-
    setup_call_cleanup(prompt(Old, Prompt), Goal, prompt(_, Old)).

%   Where nothing has been read since there was no memory before, there never will be.
'$not_read'(io_error(read, _), Error, Text) :- !,
    '$no_input'(Error, Text).
'$not_read'(resource_error(_), Error, Text) :-
    catch(character_count(user_input, At), error(_, _), At = 0),
    ( nb_current('$not_read', At) -> true ; nb_setval('$not_read', At), fail ), !,
    '$no_input'(Error, Text).
'$not_read'(_, Error, _) :-
    throw(Error).

%   The system refuses to read: so it would the next time.
'$no_input'(Error, end_of_file) :-
    nb_setval('$input_lost', true),
    '$tell'(error, Error).

'$query'(Query, _) :-
    var(Query), !,
    print_message(error, error(instantiation_error, _)).
'$query'(Query, Bindings) :-
    nb_setval('$left_load', []),
    '$catch_all'('$solve'(Query, Bindings), E, '$query_error'(Query, E)), !.
'$query'(_, _).

'$query_error'(_, _) :- '$answering'(true), fail.
'$query_error'(_, Abort) :- ( Abort == '$aborted' ; Abort == unwind(abort) ), !,
    '$forget_entered',
    '$tell_abort',
    '$tell'(informational, '$aborted').
'$query_error'(_, unwind(halt(Status))) :- !,
    halt(Status).
%   (assertion/1 has told of it already.)
'$query_error'(_, error(assertion_error(_, _), _)) :- !.
% Who reads the answers of what comes through a pipe has enough: the rest is not asked, as other filters end.
'$query_error'(_, error(io_error(write, user_output), context(_, 'Broken pipe'))) :- \+ '$tty', !,
    nb_setval('$answers_unread', true).
'$query_error'(Query, E) :-
    '$query_message'(Query, E, Message),
    '$tell_in_place'(E, Message).

%   The global variable `$left_load` holds what was raised last and has ended a load, as Raised-Place, or []: it is told with the place of the innermost
%   term that was being loaded, as an error of it is, whoever has passed it on meanwhile.
'$note_place'(E) :- nb_current('$left_load', E0-_), E0 =@= E, !.
'$note_place'(E) :-
    (   source_location(File, Line)
    ->  catch(nb_setval('$left_load', E-(File:Line)), error(resource_error(_), _), true)
    ;   true
    ).

'$tell_in_place'(E, Message) :-
    nb_current('$left_load', E0-Place), E0 =@= E, !,
    nb_setval('$left_load', []),
    ( nb_current('$reading', Around) -> true ; Around = [] ),
    setup_call_cleanup(nb_setval('$reading', Place), '$tell'(error, Message), nb_setval('$reading', Around)).
'$tell_in_place'(_, Message) :-
    '$tell'(error, Message).

%   '$query_message'(+Query, +Raised, -Message): what a query raised, as it is told.
'$query_message'(Query, E, error(existence_error(procedure, PI), Context)) :-
    '$is_direct_unknown'(Query, E, PI), !,
    ( '$has_other_definitions'(PI) -> true ; Context = context(toplevel, 'DWIM could not correct goal') ).
'$query_message'(_, E, Message) :-
    ( nonvar(E), E = error(_, _) -> Message = E ; Message = unhandled_exception(E) ).

'$solve'(Query, Bindings) :-
    (   expand_goal(Query, Goal) -> true ; Goal = Query ),
    '$typein_module'(M),
    (   '$is_hooked'
    ->  ( nonvar(Goal), Goal = _:_ -> Qualified = Goal ; Qualified = M:Goal ),
        print_message(silent, toplevel_goal(Qualified, Bindings))
    ;   true
    ),
    '$answering'(false),
    ( '$delays'([]) -> true ; '$set_delays'([]) ),
    (   '$flag'(toplevel_residue_vars, true)
    ->  call_cleanup(call_residue_vars(M:Goal, Residue), Det = true)
    ;   Residue = [],
        call_cleanup(M:Goal, Det = true)
    ),
    '$answering'(true),
    '$fresh_line'(user_output),
    '$show_answer'(Bindings, Residue, Det), !.
'$solve'(_, _) :-
    '$answering'(true),
    '$fresh_line'(user_output),
    '$end_answer'('false.').

'$end_answer'(Text) :-
    ( '$flag'(toplevel_extra_white_line, true) -> Format = '~w~n~n' ; Format = '~w~n' ),
    format(user_output, Format, [Text]),
    flush_output(user_output).

%   Shows an answer; fails if the user wants another. Residue are variables that goals wait for, whether the answer has them or not.
'$show_answer'(Bindings0, Residue, Det) :-
    '$expanded_answer'(Bindings0, Bindings1),
    '$shown_bindings'(Bindings1, Bindings),
    '$answer_lines'(Bindings, Residue, Lines0, Names),
    '$delays'(Delays),
    ( Delays == [] -> Lines = Lines0 ; '$delayed_lines'(Delays, Conditions), '$append'(Lines0, Conditions, Lines) ),
    '$answer_options'(Options),
    '$write_answer'(Lines, Names, Options),
    (   Det == true
    ->  '$end_answer'('.')
    ;   '$ask_next'(answer(Lines, Names))
    ).

%   Asks what to do with an answer that is shown; fails if the user wants another.
'$ask_next'(Answer) :-
    put_char(user_output, ' '),
    flush_output(user_output),
    '$what_next'(Next),
    '$act_on'(Next, Answer).

'$act_on'(more, _) :-
    format(user_output, ';~n', []), flush_output(user_output),
    '$answering'(false),
    fail.
'$act_on'(stop, _) :-
    '$end_answer'('.').
'$act_on'(abort, _) :-
    nl(user_output), throw('$aborted').
'$act_on'(break, Answer) :-
    nl(user_output),
    break,
    '$answering'(true),
    '$answer_options'(Options),
    '$show_again'(Answer, Options).
%   What `w` and `p` say holds for further answers, too.
'$act_on'(choicepoint, Answer) :-
    nl(user_output),
    '$choicepoints'(Places),
    ( '$member'(Place, Places), '$choicepoint_text'(Place, Text) -> true ; Text = 'The choicepoint cannot be told'-[] ),
    Text = Format-Arguments,
    '$tell'(information, format(Format, Arguments)),
    '$answering'(true),
    '$answer_options'(Options),
    '$show_again'(Answer, Options).
'$act_on'(write, Answer) :-
    format(user_output, '[write]~n', []),
    '$show_from_now'(Answer, [quoted(true), spacing(next_argument)]).
'$act_on'(print, Answer) :-
    format(user_output, '[print]~n', []),
    '$show_from_now'(Answer, [quoted(true), portray(true), max_depth(10), spacing(next_argument)]).

'$show_from_now'(Answer, Options) :-
    set_prolog_flag(answer_write_options, Options),
    '$show_again'(Answer, Options).

'$show_again'(answer(Lines, Names), Options) :-
    '$write_answer'(Lines, Names, Options),
    '$ask_next'(answer(Lines, Names)).

'$what_next'(Next) :-
    '$tty', !,
    '$answer_key'(C0),
    (   C0 =:= 27
    ->  '$skip_sequence', Key = unknown('ESC')
    ;   '$lower_key'(C0, C), '$answer_key'(C, Key)
    ),
    '$what_next'(Key, Next).
'$what_next'(Next) :-
    ( '$asks_elsewhere' -> '$with_prompt'('', system:peek_char(user_input, C)) ; peek_char(user_input, C) ),
    (   C == (;)
    ->  get_char(user_input, _), Next = more
    ;   '$layout_char'(C)
    ->  get_char(user_input, _), '$what_next'(Next)
    ;   Next = stop
    ).

'$layout_char'(' ').
'$layout_char'('\t').
'$layout_char'('\r').
'$layout_char'('\n').

'$what_next'(help, Next) :- !,
    '$answer_help',
    '$what_next'(Next).
'$what_next'(missing(What), Next) :- !,
    format(user_output, '~nThere is no ~w (h for help)~nAction? ', [What]),
    flush_output(user_output),
    '$what_next'(Next).
'$what_next'(unknown(C), Next) :- !,
    (   integer(C), C > 32, char_code(Char, C) -> true ; Char = C ),
    format(user_output, '~nUnknown action: ~w (h for help)~nAction? ', [Char]),
    flush_output(user_output),
    '$what_next'(Next).
'$what_next'(Next, Next).

%   Keys as the arrows send an escape sequence: `ESC [`, or `ESC O`, and what is below `@` up to one that is not. None of its characters is a key.
'$skip_sequence' :-
    '$answer_key'(C),
    ( '$memberchk_eq'(C, [0'[, 0'O]) -> '$skip_to_final' ; true ).
'$skip_to_final' :- '$answer_key'(C), ( C >= 0'@ -> true ; C < 0 -> true ; '$skip_to_final' ).

%   Capital letters are the same keys.
'$lower_key'(C0, C) :- ( C0 >= 0'A, C0 =< 0'Z -> C is C0 + 0'a - 0'A ; C = C0 ).

'$answer_key'(C, Key) :- '$answer_key_'(C, Key0), !, Key = Key0.
'$answer_key'(C, unknown(C)).

'$answer_key_'(0';, more).
'$answer_key_'(0'n, more).
'$answer_key_'(0'r, more).
'$answer_key_'(0' , more).
'$answer_key_'(9, more).
'$answer_key_'(10, stop).
'$answer_key_'(13, stop).
'$answer_key_'(0'c, stop).
'$answer_key_'(0'a, stop).
'$answer_key_'(0'y, stop).
'$answer_key_'(0'., stop).
'$answer_key_'(-1, stop).
'$answer_key_'(4, stop).
'$answer_key_'(0'b, break).
'$answer_key_'(0'w, write).
'$answer_key_'(0'p, print).
'$answer_key_'(0't, missing(tracer)).
'$answer_key_'(0'*, choicepoint).
'$answer_key_'(3, abort).
'$answer_key_'(0'h, help).
'$answer_key_'(0'?, help).

'$answer_help' :-
    format(user_output, '~n  Possible actions:~n', []),
    format(user_output, '  ; (n,r,space,TAB): redo              | c (a,.,RET): stop~n', []),
    format(user_output, '  w:                 write             | p:           print~n', []),
    format(user_output, '  b:                 break             | *:           show choicepoint~n', []),
    format(user_output, '  h (?):             help              | Ctrl-C:      abort~n~nAction? ', []),
    flush_output(user_output).

% --- variables of earlier queries ---

:- dynamic('$toplevel_value'/2).
:- volatile('$toplevel_value'/2).

%   What the hooks above, which go before it, may call.
toplevel_variables:expand_query(Query0, Query, Bindings, Bindings) :-
    '$put_variables'(Query0, Bindings, Query).
toplevel_variables:expand_answer(Bindings, Bindings) :-
    '$keep_variables'(Bindings).

%   `$Name` in a query stands for the value that Name had in the last answer that shows one. Fails, having said so, if there is none. Name's own
%   variable, if it does not occur otherwise, gets that value, which so is shown.
'$put_variables'(Query, Bindings, Query) :- ( Bindings == [] ; cyclic_term(Query) ), !.
'$put_variables'(Query0, Bindings, Query) :-
    '$put_values'(Query0, Bindings, Query, Used, []),
    '$show_values'(Used, Query).

'$put_values'(T, _, T, Used, Used) :- \+ compound(T), !.
'$put_values'($(V), Bindings, Value, [V-Value|Used], Used) :-
    var(V),
    '$is_named'(V, Bindings, Name), !,
    (   '$toplevel_value'(Name, Value) -> true
    ;   '$tell'(error, error(existence_error(answer_variable, Name), _)),
        fail
    ).
'$put_values'(T0, Bindings, T, Used0, Used) :-
    compound_name_arguments(T0, Name, Args0),
    '$put_each_value'(Args0, Bindings, Args, Used0, Used),
    (   Used0 == Used -> T = T0
    ;   compound_name_arguments(T, Name, Args)
    ).

'$put_each_value'([], _, [], Used, Used).
'$put_each_value'([A0|As0], Bindings, [A|As], Used0, Used) :-
    '$put_values'(A0, Bindings, A, Used0, Used1),
    '$put_each_value'(As0, Bindings, As, Used1, Used).

'$show_values'([], _).
'$show_values'([V-Value|Used], Query) :-
    term_variables(Query, Vs),
    ( '$is_among'(V, Vs) -> true ; V = Value ),
    '$show_values'(Used, Query).

%   Values for later queries. Large ones are not kept: they would have to be copied for each answer. Nor are those for which there is no
%   memory: the answer is shown all the same.
'$keep_variables'([]).
'$keep_variables'([Name=Value|Bindings]) :-
    ( nonvar(Value) -> retractall('$toplevel_value'(Name, _)) ; true ),
    (   nonvar(Value), acyclic_term(Value), '$flag'(toplevel_var_size, Size), '$is_small'([Value], Size, _)
    ->  catch(assertz('$toplevel_value'(Name, Value)), error(resource_error(_), _), true)
    ;   true
    ),
    '$keep_variables'(Bindings).

%   Terms of at most so many subterms; Left is how many more they might have.
'$is_small'([], Left, Left).
'$is_small'([T|Ts], N, Left) :-
    N > 0,
    N1 is N-1,
    (   compound(T)
    ->  compound_name_arity(T, _, Arity),
        Arity =< N1,
        compound_name_arguments(T, _, Args),
        '$is_small'(Args, N1, N2)
    ;   N2 = N1
    ),
    '$is_small'(Ts, N2, Left).

%!  print_toplevel_variables is det.
%   Prints what `$Name` stands for in queries.
print_toplevel_variables :-
    \+ '$toplevel_value'(_, _), !,
    '$tell'(informational, format("No defined toplevel variables", [])).
print_toplevel_variables :-
    forall('$toplevel_value'(Name, Value), format("$~w =~t~12|~p~n", [Name, Value])).

% --- interrupts ---

:- dynamic('$program_interrupted'/0).
:- volatile('$program_interrupted'/0).

%!  '$interrupt' is det.
%   Runs in the main thread after Ctrl-C, before the next goal: asks on a terminal, else aborts. Before there is a toplevel (a script, goals
%   of `-g`) it ends the program, and who has started that can see that Ctrl-C did: a shell does not go on with the next command.
%   That is a fact, because in the middle of one long operation this goal runs on a machine of its own, which has other global variables.
'$interrupt' :- \+ nb_current('$asks', true), !,
    assertz('$program_interrupted'),
    throw('$aborted').
'$interrupt' :-
    '$tty', !,
    '$interrupted',
    '$answering'(true),
    '$ask_interrupt',
    '$answering'(false).
'$interrupt' :- throw('$aborted').

'$ask_interrupt' :-
    '$fresh_line'(user_output),
    format(user_output, 'Action (h for help) ? ', []),
    flush_output(user_output),
    '$interrupt_key'(C),
    '$interrupt_action'(C).

'$interrupt_action'(0'a) :- !,
    format(user_output, 'abort~n', []), flush_output(user_output),
    throw('$aborted').
'$interrupt_action'(3) :- !, '$interrupt_action'(0'a).
'$interrupt_action'(0'c) :- !,
    format(user_output, 'continue~n', []), flush_output(user_output).
'$interrupt_action'(0'e) :- !,
    format(user_output, 'exit (status 4)~n', []), flush_output(user_output),
    '$answering'(false),
    halt(4).
'$interrupt_action'(0'b) :- !,
    format(user_output, 'break~n', []), flush_output(user_output),
    break,
    '$answering'(true),
    '$ask_interrupt'.
'$interrupt_action'(0'p) :- !,
    current_prolog_flag(pid, Pid),
    format(user_output, 'PID: ~d~n', [Pid]),
    '$ask_interrupt'.
'$interrupt_action'(0't) :- !,
    format(user_output, 'There is no tracer~n', []),
    '$ask_interrupt'.
'$interrupt_action'(0'g) :- !,
    format(user_output, 'goals~n', []),
    '$callers'(Places),
    '$show_callers'(Places),
    '$ask_interrupt'.
'$interrupt_action'(C) :-
    ( C == -1 ; C == 4 ), !,
    format(user_output, 'EOF: exit (status 4)~n', []),
    '$answering'(false),
    halt(4).
'$interrupt_action'(C) :-
    C =\= 0'h, C =\= 0'?, !,
    format(user_output, 'Unknown option (h for help)~n', []),
    '$ask_interrupt'.
'$interrupt_action'(_) :-
    format(user_output, 'Options:~n', []),
    format(user_output, 'a:           abort         b:           break~n', []),
    format(user_output, 'c:           continue      e:           exit~n', []),
    format(user_output, 'g:           goals         p:           Show PID~n', []),
    format(user_output, 'h (?):       help~n', []),
    '$ask_interrupt'.

%   Goals that wait for others, the innermost first; but the toplevel's own. Goals whose last call replaced them have no place.
'$show_callers'([]).
'$show_callers'([Place|Places]) :-
    (   Place = goal(Goal), \+ '$is_hidden'(Goal)
    ->  '$shown_goal'(Goal, Shown),
        format(user_output, '    ~W~n', [Shown, [quoted(true), portray(true), max_depth(10), spacing(next_argument)]])
    ;   Place = in(PI, File, Line), File \== [], \+ '$is_hidden'(PI)
    ->  '$without_module'(PI, Shown),
        format(user_output, '    ~q at ~w:~w~n', [Shown, File, Line])
    ;   true
    ),
    '$show_callers'(Places).

%   As people write it: what a builtin keeps for itself while it waits is no argument of theirs.
'$shown_goal'(Goal0, Goal) :-
    '$without_module'(Goal0, G0),
    (   G0 = sleep('$until'(_)) -> Goal = sleep(_)
    ;   Goal = G0
    ).

'$without_module'(M:T, Shown) :- ( ( M == user ; M == system ) -> Shown = T ; Shown = M:T ).

%   What is Samite's own, in whatever module: names that begin so are for nobody else.
'$is_hidden'(M:T) :-
    ( T = Name/_ -> true ; functor(T, Name, _) ),
    ( sub_atom(M, 0, 1, _, $) -> true ; sub_atom(Name, 0, 1, _, $) ).

'$choicepoint_text'(other_side, 'A disjunction in the query, or in a goal that it calls, left a choicepoint'-[]).
'$choicepoint_text'(in(PI, File, Line), Text) :-
    \+ '$is_hidden'(PI),
    '$without_module'(PI, Shown),
    (   File == []
    ->  Text = '~q left a choicepoint'-[Shown]
    ;   Text = '~q left a choicepoint: it goes on in the clause at ~w:~w'-[Shown, File, Line]
    ).

%!  abort is det.
%   Ends the running query.
abort :- throw('$aborted').
