% Runs goals, a line each, and prints a line for each: what it wrote, its first solutions, how it ended. Runs in Samite and in SWI-Prolog.
%
%     run.pl -- GOALS FROM RESULTS    from line FROM on (the first is 1)
%
% A line of the result is `r(Output, Solutions, End)`: a solution is the list of the values of the goal's variables, in the order of their
% first occurrence; End is `exit` (the last solution left no choicepoint), `fail`, `more` (there are more than are printed), `error(Formal)`
% (the context is no part of it), `ball(Ball)`, `limit` (time or memory) or `syntax(Error)`. Variables are numbered, streams and other blobs
% lose their address. The line's number is written before the goal runs: of a goal that ends the process nothing else is seen.

:- set_prolog_flag(verbose, silent).
:- style_check(-singleton).
:- use_module(library(lists), [append/3]). % (Goals that add clauses to it are errors whether one has called it or not.)
:- use_module(library(dcg/basics)).
:- use_module(library(dcg/high_order)).
:- use_module(library(yall)).
:- use_module(library(hashtable)).
:- use_module(library(prolog_code)).
:- use_module(library(optparse)).
:- use_module(library(settings)).
:- use_module(library(base32)).
:- use_module(library(charsio)).
:- use_module(library(codesio)).
:- use_module(library(strings)).
:- use_module(library(varnumbers)).
:- use_module(library(terms)).
:- use_module(library(csv)).
:- use_module(library(solution_sequences)).
:- use_module(library(intercept)).
:- initialization(run).

:- dynamic(solution/1).
:- dynamic(fact/1).
:- dynamic(fact/2).

% What goals refer to.
fact(1).
fact(two).
fact("three").
fact(1, a).
fact(2, b).
fact(2, c).
clauses(X) :- fact(X), X \== 1.
clauses(_).
inc(X, Y) :- Y is X + 1.
add(X, Y, Z) :- Z is X + Y.
even(X) :- 0 is X mod 2.
two(1).
two(2).
two(X, X).
two(X, f(X)).
order(O, A, B) :- compare(O, A, B).
greet --> "hello".
greet(X) --> [X], ( [] ; [X] ).

run :-
    current_prolog_flag(argv, Arguments),
    append(_, [File, From, Results], Arguments),
    !,
    atom_number(From, First),
    open(File, read, In, [encoding(utf8)]),
    open(Results, append, Out, [encoding(utf8)]),
    garbage,
    lines(In, 1, First, Out),
    halt.

% Time for what was loaded lately is not the goals'.
garbage :- garbage_collect.

lines(In, N, First, Out) :-
    read_line_to_string(In, Line),
    (   Line == end_of_file
    ->  true
    ;   (   N >= First
        ->  format(Out, '~d\t', [N]),
            flush_output(Out),
            result(Line, Text),
            format(Out, '~s\n', [Text]),
            flush_output(Out)
        ;   true
        ),
        Next is N + 1,
        lines(In, Next, First, Out)
    ).

result(Line, Text) :-
    catch(term_string(Goal-Variables, Line), E, true),
    (   nonvar(E)
    ->  formal(E, End0),
        shown(syntax(End0), Shown),
        format(codes(Text), 'r("",[],~s)', [Shown])
    ;   goal(Goal, Variables, Text)
    ).

goal(Goal, Variables, Text) :-
    retractall(solution(_)),
    catch(with_output_to(string(Output), ended(Goal, Variables, End)), _, ( Output = "", End = lost )),
    findall(S, retract(solution(S)), Solutions),
    atomic_list_concat(Solutions, ',', Joined),
    shown(Output, OutputText),
    catch(shown(End, EndText), _, EndText = "strange"),
    format(codes(Text), 'r(~s,[~w],~s)', [OutputText, Joined, EndText]).

ended(Goal, Variables, End) :-
    catch(call_with_time_limit(2, call_with_inference_limit(solutions(Goal, Variables, End0), 300_000, Result)), E, formal(E, End)),
    (   nonvar(End) -> true
    ;   Result == inference_limit_exceeded -> End = limit
    ;   End = End0
    ).

solutions(Goal, Variables, End) :-
    Count = count(0),
    (   call_cleanup(Goal, Det = true),
        catch(shown(Variables, Codes), _, atom_codes(strange, Codes)),
        atom_codes(Text, Codes),
        assertz(solution(Text)),
        arg(1, Count, N0),
        N is N0 + 1,
        nb_setarg(1, Count, N),
        (   Det == true
        ->  End = exit
        ;   N >= 5
        ->  End = more
        )
    ->  true
    ;   End = fail
    ).

formal(E, limit) :-
    nonvar(E),
    (   E = error(F, _), nonvar(F), F = resource_error(_)
    ;   E == time_limit_exceeded
    ),
    !.
formal(error(F, _), End) :- !, End = error(F).
formal(Ball, ball(Ball)).

% What a term looks like in both systems.
shown(T, Codes) :-
    (   \+ acyclic_term(T)
    ->  atom_codes(cyclic, Codes)
    ;   plain(T, P, 300, Left),
        Left > 0
    ->  \+ \+ ( numbervars(P, 0, _), with_output_to(codes(Cs), write_term(P, [quoted(true), ignore_ops(true), numbervars(true)])), nb_setval(shown, Cs) ),
        nb_getval(shown, Codes)
    ;   atom_codes(large, Codes)
    ).

plain(_, _, N, N) :- N =< 0, !.
plain(T, T, N0, N) :- var(T), !, N is N0 - 1.
plain(T, P, N0, N) :-
    compound(T),
    !,
    compound_name_arguments(T, F, As),
    compound_name_arity(T, _, Arity),
    N1 is N0 - 1,
    plain_arguments(As, Ps, N1, N),
    (   N =< 0
    ->  true
    ;   length(Ps, Arity),
        compound_name_arguments(P, F, Ps)
    ).
plain(T, P, N0, N) :-
    blob(T, Type),
    Type \== text,
    Type \== reserved_symbol,
    Type \== ucs_text,
    !,
    P = '$blob'(Type),
    N is N0 - 1.
plain(T, T, N0, N) :- N is N0 - 1.

plain_arguments(_, _, N, N) :- N =< 0, !.
plain_arguments([], [], N, N).
plain_arguments([A|As], [P|Ps], N0, N) :-
    plain(A, P, N0, N1),
    plain_arguments(As, Ps, N1, N).
