:- module(prolog_debug,
          [ assertion/1,
            debug/1,
            debug/3,
            debugging/0,
            debugging/1,
            debugging/2,
            list_debug_topics/0,
            list_debug_topics/1,
            nodebug/0,
            nodebug/1,
            nospyall/0,
            notrace/0,
            notrace/1,
            tracing/0,
            '$asserted_in'/1
          ]).

%   Debug messages by topic, and assertions; as SWI-Prolog's library(debug). There is no debugger: what turns one off, or asks whether it is on, says so.

:- meta_predicate(assertion(0)).
%   '$debugging'(Topic, On, Outputs): where messages of a topic go that is on.
:- dynamic('$debugging'/3).
:- multifile(prolog:debug_print_hook/3).
:- dynamic(prolog:debug_print_hook/3).
:- multifile(prolog:assertion_failed/2).
:- dynamic(prolog:assertion_failed/2).
:- meta_predicate(debug(+, +, :)).

%!  nodebug is det.
%!  nospyall is det.
%!  notrace is det.
%   Goals are not traced, and there are no spy points.
nodebug.
nospyall.
notrace.

%!  notrace(:Goal) is semidet.
%
%   As once/1: nothing is traced.

:- meta_predicate(notrace(0)).

notrace(Goal) :-
    once(Goal).

%!  tracing is semidet.
%   False: goals are not traced.
tracing :- fail.

%!  debugging is det.
%   Tells the topics that are on.
debugging :-
    findall(Topic, '$debugging'(Topic, true, _), Topics),
    print_message(information, debugging(Topics)).

%!  debugging(+Topic) is semidet.
%   Messages of a topic that unifies with Topic are printed.
debugging(Topic) :- '$debugging'(Topic, true, _), !.

%!  debugging(?Topic, ?On) is nondet.
%   Topics are those that have been switched on or off, and those of calls of debug/3 in the program.
debugging(Topic, On) :- '$debugging'(Topic, On, _).
debugging(Topic, false) :- called_topics(Topics), '$member'(T, Topics), \+ ( '$debugging'(T1, _, _), T1 =@= T ), T = Topic.

%   Nothing is kept for them when a clause is loaded: who asks looks for the calls.
called_topics(Topics) :-
    findall(Topic, called_topic(Topic), Topics0),
    sort(Topics0, Topics).

called_topic(Topic) :-
    '$predicates'(_, _, _, PIs),
    '$member'(M:Name/Arity, PIs),
    \+ module_property(M, class(library)),
    functor(Head, Name, Arity),
    predicate_property(M:Head, number_of_rules(N)),
    N > 0,
    \+ predicate_property(M:Head, imported_from(_)),
    catch(clause(M:Head, Body), error(_, _), fail),
    Body \== true,
    sub_term(Call, Body),
    subsumes_term(debug(_, _, _), Call),
    arg(1, Call, Topic),
    nonvar(Topic).

%!  debug(+Topic) is det.
%   Messages of all known topics that unify with Topic are printed, of Topic itself if none does. Topic > Output says where, too: a stream, or the name of
%   a file, to which they are added. Without it they go to user_error.
debug(Topic) :- '$set_debugging'(Topic, true).

%!  nodebug(+Topic) is det.
%   With Topic > Output they do not go there any more.
nodebug(Topic) :- '$set_debugging'(Topic, false).

'$set_debugging'(Spec, On) :-
    (   nonvar(Spec), Spec = (Topic > Output)
    ->  ( var(Output) -> throw(error(instantiation_error, context(system:debug/1, _))) ; true ),
        To = to(Output)
    ;   Topic = Spec,
        To = anywhere
    ),
    findall(T, ( known_topic(Topic, T), \+ T \= Topic ), Known),
    (   Known == []
    ->  % (The calls may stand below in the file that is being loaded.)
        ( On == true, \+ source_location(_, _) -> print_message(warning, debug_no_topic(Topic)) ; true ),
        Topics = [Topic]
    ;   Topics = Known
    ),
    '$locked'('$debugging', forall('$member'(T, Topics), switch_topic(T, To, On))).

%   Calls in the program are not looked for if they could only say of Topic what is known.
known_topic(Topic, T) :- ground(Topic), '$debugging'(Topic, _, _), !, '$debugging'(T, _, _).
known_topic(_, T) :- debugging(T, _).

switch_topic(Topic, To, On) :-
    (   '$debugging'(T, _, Outputs0), T =@= Topic -> true
    ;   Outputs0 = []
    ),
    outputs(On, To, Outputs0, Outputs),
    ( Outputs == [] -> Is = false ; Is = true ),
    forall(( clause('$debugging'(T, _, _), true, Ref), T =@= Topic ), erase(Ref)),
    assertz('$debugging'(Topic, Is, Outputs)).

outputs(true, anywhere, [], [user_error]) :- !.
outputs(true, anywhere, Outputs, Outputs).
outputs(true, to(Output), Outputs0, Outputs) :-
    (   '$memberchk_eq'(Output, Outputs0) -> Outputs = Outputs0
    ;   '$append'(Outputs0, [Output], Outputs)
    ).
outputs(false, anywhere, _, []).
outputs(false, to(Output), Outputs0, Outputs) :-
    findall(O, ( '$member'(O, Outputs0), O \== Output ), Outputs).

%!  list_debug_topics is det.
%!  list_debug_topics(+Options) is det.
%   Prints the topics, whether they are on, and where their messages go. Options are search(Text): those in whose text Text is, in whatever case; active(Bool): those that are on, or
%   not; output(Output): those that go there. A text means search(Text).
list_debug_topics :- list_debug_topics([]).

list_debug_topics(Options) :-
    ( atom(Options), Options \== [] ; string(Options) ), !,
    list_debug_topics([search(Options)]).
list_debug_topics(Options) :-
    must_be(list, Options),
    option(active(On), Options, _),
    print_message(information, debug_topics(header)),
    forall(( debugging(Topic, On), shown_topic(Topic, Options, Text, Outputs) ),
           print_message(information, debug_topic(Topic, Text, On, Outputs))).

shown_topic(Topic, Options, Text, Outputs) :-
    ( '$debugging'(T, _, Outputs0), T =@= Topic -> Outputs = Outputs0 ; Outputs = [] ),
    ( option(output(Output), Options) -> '$memberchk_eq'(Output, Outputs) ; true ),
    \+ \+ ( numbervars(Topic, 0, _, [singletons(true)]), term_string(Topic, Shown, [quoted(true), numbervars(true)]), nb_setval('$debug_topic', Shown) ),
    nb_getval('$debug_topic', Text),
    ( option(search(Search), Options) -> sub_atom_icasechk(Text, _, Search) ; true ).

%!  debug(+Topic, +Format, :Args) is det.
%   Prints a message if the topic is on, unless the hook prolog:debug_print_hook/3 does something else.
debug(Topic, Format, Args) :-
    (   '$debugging'(Topic, true, Outputs)
    ->  print_debug(Topic, Outputs, Format, Args)
    ;   true
    ).

print_debug(Topic, Outputs, Format, Args0) :-
    (   nonvar(Args0), Args0 = M:Args, atom(M) -> true ; M = user, Args = Args0 ),
    (   prolog:debug_print_hook(Topic, Format, M:Args) -> true
    ;   '$message_to_lines'(debug(Format, M:Args), Lines),
        forall('$member'(Output, Outputs),
               ( output_stream(Output, Stream), print_message_lines(Stream, kind(debug(Topic)), Lines) ))
    ).

%   A file stays open under its name.
output_stream(user, user_error) :- !.
output_stream(Stream, Stream) :- is_stream(Stream), !.
output_stream(File, Stream) :- open(File, append, Stream, [alias(File), buffer(line)]).

%!  assertion(:Goal) is det.
%   Prints a message, with the clauses that wait, and raises assertion_error if Goal fails or raises an exception. What comes from elsewhere, by a signal or because of a
%   limit, is no fault of Goal.
assertion(Goal) :-
    (   \+ \+ catch(Goal, E, '$assertion_raised'(E, Goal))
    ->  true
    ;   '$assertion_failed'(fail, Goal)
    ).

'$assertion_raised'(E, _) :- ( '$is_urgent'(E) ; is_limit(E) ), !, throw(E).
'$assertion_raised'(E, Goal) :- '$assertion_failed'(E, Goal).

%   (As in SWI-Prolog also one of Goal's own.)
is_limit(time_limit_exceeded).
is_limit(time_limit_exceeded(_)).

'$assertion_failed'(Reason, Goal) :-
    ( nonvar(Goal), Goal = _:_ -> G = Goal ; G = user:Goal ),
    (   prolog:assertion_failed(Reason, G) -> true
    ;   print_message(error, assertion_failed(Reason, G)),
        '$asserted_in'(Places),
        tell_places(Places, 10),
        throw(error(assertion_error(Reason, G), _))
    ).

%   '$asserted_in'(-Places): in(PI, File, Line) of the program's clauses that wait, the innermost first. One whose last goal asserts waits no more.
'$asserted_in'(Places) :-
    '$callers'(All),
    program_places(All, Places).

program_places([], []).
program_places([P|Ps], Places) :-
    (   P = in(M:_, File, _), File \== [], M \== system, \+ module_property(M, class(library))
    ->  Places = [P|Places1]
    ;   Places = Places1
    ),
    program_places(Ps, Places1).

tell_places([in(PI0, File, Line)|Places], N) :- N > 0, !,
    ( PI0 = user:PI -> true ; PI = PI0 ),
    format(user_error, '  ~q at ~w:~w~n', [PI, File, Line]),
    N1 is N-1,
    tell_places(Places, N1).
tell_places(_, _).
