:- module('$answers',
          [ '$answer_lines'/4, '$answer_options'/1, '$write_answer'/3, '$is_named'/2, '$is_named'/3, '$is_among'/2, '$shown_bindings'/2, '$delayed_lines'/2,
            '$prompt_text'/2 ]).

/*  Answers: their values, grouped and with names for variables, as the toplevel shows them. A library of its own, as programs that are run
    without a toplevel show none.
*/

%   Groups the bindings by value: a line is line(Names, Value), or line(Names, '$none') if the last name stands for an unbound
%   variable. Names are those of all variables, for write_term/2. Cyclic values become finite ones with equations: a cycle that closes
%   at the value of a group is written as its name, others as `_S1`, ... with where(Lines) behind the first value they occur in.
%   Goals that variables wait for, and other attributes, are lines goal(Goal) behind the others; the first one of those that only variables of Residue wait for, none
%   of the bindings', is pending(Goal). They are finite, too.
'$answer_lines'(Bindings0, Residue, Lines, Names) :-
    answer_goals(Bindings0, Residue, Bindings, Goals0),
    '$group_bindings'(Bindings, Groups0),
    '$group_values'(Groups0, Values0),
    '$append'(Values0, [Goals0], Terms),
    '$factorize_term'(Terms, Finite, Equations0),
    '$append'(Skeletons, [Goals], Finite),
    '$cut_cycles'(Groups0, Skeletons, Groups, Equations0, Equations, CycleNames0),
    '$name_cycles'(Equations, 1, CycleNames),
    '$name_variables'(Groups, Names0),
    '$binding_names'(Bindings, Used),
    '$append'(CycleNames0, CycleNames, Names1),
    '$append'(Names1, Names0, Names2),
    '$group_values'(Groups, Values),
    '$name_others'([Values,Goals|Equations], Names2, Used, Names),
    '$group_lines'(Groups, Equations, Rest, Lines0),
    goals_with_equations(Goals, Rest, Lines1),
    '$append'(Lines0, Lines1, Lines).

%   Those that need equations of cycles which no value has: goal(Goal, Where), pending(Goal, Where).
goals_with_equations([], _, []).
goals_with_equations([Line0|Lines0], Equations, [Line|Lines]) :-
    Line0 =.. [Kind, Goal],
    '$equations_of'(Goal, Equations, Where, Rest),
    ( Where == [] -> Line = Line0 ; Line =.. [Kind, Goal, Where] ),
    goals_with_equations(Lines0, Rest, Lines).

answer_goals(Bindings0, Residue, Bindings, Lines) :-
    term_attvars(Bindings0, Shown),
    hidden(Residue, Shown, Hidden),
    (   Shown == [], Hidden == []
    ->  Bindings = Bindings0,
        Lines = []
    ;   copy_term(Bindings0-Hidden, Bindings-_, Goals),
        '$typein_module'(M),
        goal_lines(Goals, M, Lines0),
        (   Hidden == []
        ->  Lines = Lines0
        ;   % Goals come in the order of their variables.
            copy_term(Bindings0, _, OfBindings),
            mark_pending(OfBindings, Lines0, Lines)
        )
    ).

%   The variables of Residue that are not in Shown; a copy of Shown is bound to find them, as there may be very many of both.
hidden([], _, []) :- !.
hidden(Residue, Shown, Hidden) :-
    copy_term_nat(Shown/Residue, Marks/Marked),
    marks(Marks, shown),
    unmarked(Residue, Marked, Hidden).

marks([], _).
marks([Mark|Marks], Mark) :- marks(Marks, Mark).

unmarked([], [], []).
unmarked([V|Vs], [Mark|Marked], Unmarked) :-
    ( var(Mark) -> Unmarked = [V|Unmarked1] ; Unmarked = Unmarked1 ),
    unmarked(Vs, Marked, Unmarked1).

mark_pending([_|OfBindings], [Line|Lines0], [Line|Lines]) :- !,
    mark_pending(OfBindings, Lines0, Lines).
mark_pending([], [goal(G)|Lines], [pending(G)|Lines]) :- !.
mark_pending(_, Lines, Lines).

goal_lines([], _, []).
goal_lines([G0|Gs], M, [goal(G)|Lines]) :-
    plain_goal(G0, M, G),
    goal_lines(Gs, M, Lines).

%   '$delayed_lines'(+Delays, -Lines): what an answer that is undefined depends on, as a line, after the program that is left; without that just that it is undefined.
'$delayed_lines'(_, [goal(undefined)]) :- current_prolog_flag(toplevel_list_wfs_residual_program, false), !.
'$delayed_lines'(Delays, [goal(Goal)]) :-
    '$typein_module'(M),
    '$conjunction_of_delays'(Delays, M, Goal0),
    plain_undefined(Goal0, Goal),
    '$residual_program'(Delays, M, Program),
    (   Program == []
    ->  true
    ;   format(user_output, '% WFS residual program~n', []),
        indented_clauses(Program)
    ).

indented_clauses([]).
indented_clauses([Clause|Clauses]) :-
    with_output_to(string(Text), portray_clause(Clause)),
    split_string(Text, "\n", "", Lines),
    indented_lines(Lines),
    indented_clauses(Clauses).

indented_lines([""]) :- !.
indented_lines([Line|Lines]) :-
    format(user_output, '    ~s~n', [Line]),
    indented_lines(Lines).

plain_undefined((A, Bs), (G, Gs)) :- !, plain_undefined(A, G), plain_undefined(Bs, Gs).
plain_undefined(system:undefined, undefined) :- !.
plain_undefined(G, G).

%   Without the modules that need not be said: that of the toplevel, in front of it and of what it calls.
plain_goal(G, _, G) :- var(G), !.
plain_goal(M:G, M, G) :- !.
plain_goal(freeze(V, M:G), M, freeze(V, G)) :- !.
plain_goal(when(C, M:G), M, when(C, G)) :- !.
plain_goal(Q:G, M, G) :- atom(Q), callable(G), predicate_property(M:G, imported_from(Q)), !.
plain_goal(G, _, G).

%   Puts the finite values in place; a group whose value is the variable of an equation gets the right-hand side.
'$cut_cycles'([], _, [], Equations, Equations, []).
'$cut_cycles'([group(Ns, V)|Gs], [S|Ss], [group(Ns, Value)|Gs1], Equations0, Equations, Names) :-
    (   var(S), \+ var(V), '$take_equation'(Equations0, S, Value, Equations1)
    ->  '$last_name'(Ns, Name), Names = [Name=S|Names1]
    ;   Value = S, Equations1 = Equations0, Names = Names1
    ),
    '$cut_cycles'(Gs, Ss, Gs1, Equations1, Equations, Names1).

'$take_equation'([V=T|Es], S, Value, Rest) :-
    (   V == S
    ->  Value = T, Rest = Es
    ;   Rest = [V=T|Rest1], '$take_equation'(Es, S, Value, Rest1)
    ).

'$name_cycles'([], _, []).
'$name_cycles'([V=_|Es], I, [Name=V|Names]) :-
    number_codes(I, Codes), atom_codes(Digits, Codes),
    atom_concat('_S', Digits, Name),
    I1 is I+1,
    '$name_cycles'(Es, I1, Names).

'$binding_names'([], []).
'$binding_names'([N=_|Bs], [N|Ns]) :- '$binding_names'(Bs, Ns).

'$group_bindings'([], []).
'$group_bindings'([Name=Value|Bs], [group([Name|Names], Value)|Groups]) :-
    '$same_value'(Bs, Value, Names, Others),
    '$group_bindings'(Others, Groups).

'$same_value'([], _, [], []).
'$same_value'([Name=V|Bs], Value, Names, Others) :-
    (   V == Value
    ->  Names = [Name|Names1], Others = Others1
    ;   Names = Names1, Others = [Name=V|Others1]
    ),
    '$same_value'(Bs, Value, Names1, Others1).

'$group_values'([], []).
'$group_values'([group(_, V)|Gs], [V|Vs]) :- '$group_values'(Gs, Vs).

'$name_variables'([], []).
'$name_variables'([group(Names, V)|Gs], Named) :-
    (   var(V)
    ->  '$last_name'(Names, Name), Named = [Name=V|Named1]
    ;   Named = Named1
    ),
    '$name_variables'(Gs, Named1).

'$last_name'([N], N) :- !.
'$last_name'([_|Ns], N) :- '$last_name'(Ns, N).

'$group_lines'([], Equations, Equations, []).
'$group_lines'([group([_], V)|Gs], Equations, Left, Lines) :- var(V), \+ '$has_equation'(V, Equations), !,
    '$group_lines'(Gs, Equations, Left, Lines).
'$group_lines'([group(Names, V)|Gs], Equations, Left, [line(Names, Value, Where)|Lines]) :-
    (   var(V), \+ '$has_equation'(V, Equations) -> Value = '$none' ; Value = '$value'(V) ),
    '$equations_of'(V, Equations, Where, Rest),
    '$group_lines'(Gs, Rest, Left, Lines).

'$has_equation'(V, [W=_|Es]) :- ( V == W -> true ; '$has_equation'(V, Es) ).

%   The equations that a value needs, and the others.
'$equations_of'(_, [], Where, Rest) :- !, Where = [], Rest = [].
'$equations_of'(T, Equations, Where, Rest) :-
    term_variables(T, Vs),
    '$needed_equations'(Equations, Vs, Where0, Rest0),
    (   Where0 == []
    ->  Where = [], Rest = Rest0
    ;   '$equations_of'(Where0, Rest0, Where1, Rest),
        '$append'(Where0, Where1, Where)
    ).

'$needed_equations'([], _, [], []).
'$needed_equations'([V=T|Es], Vs, Where, Rest) :-
    (   '$is_among'(V, Vs)
    ->  Where = [V=T|Where1], Rest = Rest1
    ;   Where = Where1, Rest = [V=T|Rest1]
    ),
    '$needed_equations'(Es, Vs, Where1, Rest1).

%   Variables that are not of the query: `_` if there is one occurrence, else `_A`, `_B`, ...
%   With the flag toplevel_name_variables off they have none.
'$name_others'(Values, Names, _, Names) :- ( ground(Values) ; current_prolog_flag(toplevel_name_variables, false) ), !.
'$name_others'(Values, Names0, Used, Names) :-
    '$repeated_variables'(Values, Repeated),
    term_variables(Values, Variables),
    '$name_each'(Variables, Repeated, Names0, Used, 0, More),
    '$append'(Names0, More, Names).

%   Both lists are in order of appearance.
'$name_each'([], _, _, _, _, []).
'$name_each'([V|Vs], Repeated, Named, Used, I, Names) :-
    (   Repeated = [W|Rest], V == W
    ->  (   '$is_named'(V, Named)
        ->  Names = Names1, I1 = I
        ;   '$new_name'(I, Used, Name, I1), Names = [Name=V|Names1]
        )
    ;   Rest = Repeated, I1 = I,
        (   '$is_named'(V, Named) -> Names = Names1 ; Names = ['_'=V|Names1] )
    ),
    '$name_each'(Vs, Rest, Named, Used, I1, Names1).

'$is_named'(V, [_=W|Named]) :- ( V == W -> true ; '$is_named'(V, Named) ).
'$is_named'(V, [N=W|Named], Name) :- ( V == W -> Name = N ; '$is_named'(V, Named, Name) ).
'$is_among'(V, [W|Ws]) :- ( V == W -> true ; '$is_among'(V, Ws) ).

'$new_name'(I, Used, Name, Next) :-
    Letter is 0'A + I mod 26,
    char_code(Char, Letter),
    Round is I // 26,
    (   Round =:= 0
    ->  atom_concat('_', Char, Name0)
    ;   atom_concat('_', Char, Name1),
        number_codes(Round, Codes), atom_codes(Digits, Codes),
        atom_concat(Name1, Digits, Name0)
    ),
    I1 is I+1,
    (   '$is_among'(Name0, Used)
    ->  '$new_name'(I1, Used, Name, Next)
    ;   Name = Name0, Next = I1
    ).

%   Options are those of write_term/2.
'$write_answer'([], _, _) :- !, write(user_output, true).
'$write_answer'(Lines, Names, Options) :-
    each_with_variables(Lines, Variables),
    names_apart(Names, Texts, Named),
    copy_term_nat(Named/Variables, Marks/Marked),
    named_marks(Marks, Texts),
    write_lines(Lines, Variables, Marked, Options).

%   Each line is written with the names of its own variables. (With all names it would take as long as all lines are many.)
write_lines([Line|Lines], [Vs|Variables], [Marks|Marked], Options) :-
    own_names(Vs, Marks, Names),
    write_line(Line, Names, Options),
    (   Lines == [] -> true
    ;   format(user_output, ',~n', []),
        write_lines(Lines, Variables, Marked, Options)
    ).

each_with_variables([], []).
each_with_variables([Line|Lines], [Vs|Variables]) :-
    term_variables(Line, Vs),
    each_with_variables(Lines, Variables).

names_apart([], [], []).
names_apart([Name=V|Names], [Name|Texts], [V|Vs]) :- names_apart(Names, Texts, Vs).

%   The first name of a variable is its name.
named_marks([], []).
named_marks([Mark|Marks], [Name|Names]) :-
    ( var(Mark) -> Mark = Name ; true ),
    named_marks(Marks, Names).

own_names([], [], []).
own_names([V|Vs], [Mark|Marks], Names) :-
    ( var(Mark) -> Names = Names1 ; Names = [Mark=V|Names1] ),
    own_names(Vs, Marks, Names1).

write_line(line(Ns, Value, Where), Names, Options) :-
    '$write_line'(Ns, Value, Names, Options),
    '$write_where'(Where, Names, Options).
write_line(pending(G), Names, Options) :-
    format(user_output, '% with pending residual goals~n', []),
    write_line(goal(G), Names, Options).
write_line(pending(G, Where), Names, Options) :-
    write_line(pending(G), Names, Options),
    '$write_where'(Where, Names, Options).
write_line(goal(G, Where), Names, Options) :-
    write_line(goal(G), Names, Options),
    '$write_where'(Where, Names, Options).
write_line(goal(G), Names, Options) :-
    write_term(user_output, G, [variable_names(Names), priority(999)|Options]).

%   The equations of cycles. The comment stands behind the comma, as in SWI-Prolog.
'$write_where'([], _, _).
'$write_where'([E|Es], Names, Options) :-
    format(user_output, ', % where', []),
    '$write_equations'([E|Es], Names, Options).

'$write_equations'([V=T|Es], Names, Options) :-
    '$is_named'(V, Names, Name),
    format(user_output, '~n    ~w = ', [Name]),
    '$write_value'(T, Names, Options),
    (   Es == [] -> true
    ;   put_char(user_output, (',')),
        '$write_equations'(Es, Names, Options)
    ).

'$write_line'([Name], '$value'(V), Names, Options) :- !,
    format(user_output, '~w = ', [Name]),
    '$write_value'(V, Names, Options).
'$write_line'([Name,Last], '$none', _, _) :- !,
    format(user_output, '~w = ~w', [Name, Last]).
'$write_line'([Name,Next|Ns], Value, Names, Options) :-
    format(user_output, '~w = ~w, ', [Name, Next]),
    '$write_line'([Next|Ns], Value, Names, Options).

'$write_value'(V, _, _) :-
    atom(V),
    current_op(_, _, V), !,
    format(user_output, '(~q)', [V]).
'$write_value'(V, Names, Options) :-
    write_term(user_output, V, [variable_names(Names), priority(699)|Options]).

'$answer_options'(Options) :-
    (   catch(current_prolog_flag(answer_write_options, Options0), _, fail)
    ->  Options = Options0
    ;   Options = [quoted(true), portray(true), max_depth(10), spacing(next_argument)]
    ).

%   Not those of variables whose names begin with `_`, if the flag toplevel_print_anon is off.
'$shown_bindings'(Bindings0, Bindings) :-
    (   '$flag'(toplevel_print_anon, true) -> Bindings = Bindings0
    ;   findall(Name, ( '$member'(Name=_, Bindings0), \+ sub_atom(Name, 0, 1, _, '_') ), Names),
        bindings_of(Bindings0, Names, Bindings)
    ).

bindings_of([], _, []).
bindings_of([Name=Value|Bs], Names, Shown) :-
    ( '$memberchk_eq'(Name, Names) -> Shown = [Name=Value|Shown1] ; Shown = Shown1 ),
    bindings_of(Bs, Names, Shown1).

%   '$prompt_text'(+Template, -Prompt)
'$prompt_text'(Template, Prompt) :-
    atom_chars(Template, Chars),
    prompt_chars(Chars, Parts),
    atomic_list_concat(Parts, Text),
    without_blanks(Text, Prompt).

prompt_chars([], []).
prompt_chars([~, C|Cs], [Part|Parts]) :-
    prompt_part(C, Part), !,
    prompt_chars(Cs, Parts).
prompt_chars([C|Cs], [C|Parts]) :- prompt_chars(Cs, Parts).

prompt_part(m, Part) :- '$typein_module'(M), ( M == user -> Part = '' ; atom_concat(M, ': ', Part) ).
prompt_part(l, Part) :- '$break_level'(L), ( L =:= 0 -> Part = '' ; format(atom(Part), '[~d] ', [L]) ).
prompt_part(d, '').
prompt_part(!, '').
prompt_part(~, ~).

without_blanks(Text, Prompt) :- atom_concat(' ', Rest, Text), !, without_blanks(Rest, Prompt).
without_blanks(Prompt, Prompt).
