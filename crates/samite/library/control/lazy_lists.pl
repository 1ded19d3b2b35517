:- module(lazy_lists,
          [ lazy_list/2,
            lazy_list/3,
            lazy_list_materialize/1,
            lazy_list_length/2,
            lazy_findall/3,
            lazy_findall/4,
            lazy_get_codes/4,
            lazy_read_terms/4,
            lazy_read_lines/4,
            lazy_message_queue/4,
            lazy_engine_next/4,
            lazy_list_iterator/4
          ]).

/*  Lists that grow when they are looked at.

    As SWI-Prolog's library(lazy_lists). The end of such a list is a variable with the attribute lazy_list(Next, Known). Who binds it has Next called as
    call(Next, Part, Rest); Known is part(Part) from then on, also after backtracking, with a new variable of this kind at its end in place of Rest. So each part is
    asked for once.

    *Invariant*: what is known is a copy (nb_setarg/3), Next with it: variables of Next are new ones in each part but the first.
*/

:- meta_predicate lazy_list(2, -), lazy_list(3, +, -), lazy_findall(?, 0, -), lazy_findall(+, ?, 0, -).

%!  lazy_list(:Next, -List) is det.
%
%   List is what Next gives, part by part: call(Next, Part, Rest) is asked for a list that ends in the variable Rest, and at the end for one that is
%   closed, with [] as Rest.

lazy_list(Next, List) :-
    grows(List, Next).

%   The attribute is that of this module, whatever that is called: a program may have one of its name.
grows(Rest, Next) :-
    '$library_module'(Module, lazy_lists),
    put_attr(Rest, Module, lazy_list(Next, _)).

attr_unify_hook(State, Value) :-
    State = lazy_list(Next, Known),
    (   var(Known)
    ->  call(Next, Part, Rest),
        ( Rest == [] -> true ; grows(Rest, Next) ),
        nb_setarg(2, State, part(Part)),
        arg(2, State, part(Value))
    ;   Known = part(Value)
    ).

attribute_goals(List) -->
    { '$library_module'(Module, lazy_lists),
      get_attr(List, Module, lazy_list(Next, _))
    },
    [lazy_list(Next, List)].

%!  lazy_list(:Next, +State0, -List) is det.
%
%   List has an element for each call(Next, State0, State, Element), from state to state; it ends where that fails.

lazy_list(Next, State0, List) :-
    lazy_list(lazy_lists:step(Next, state(State0)), List).

step(Next, State, List, Rest) :-
    State = state(State0),
    (   call(Next, State0, State1, Element)
    ->  nb_setarg(1, State, State1),
        List = [Element|Rest]
    ;   List = [],
        Rest = []
    ).

%!  lazy_list_materialize(?List) is det.
%
%   Asks for all of List.

lazy_list_materialize(List) :-
    lazy_list_length(List, _).

%!  lazy_list_length(?List, -Length) is det.
%
%   Length is the number of elements of all of List, which is asked for.

lazy_list_length(List, Length) :-
    '$skip_list'(Length0, List, Tail),
    (   Tail == []
    ->  Length = Length0
    ;   attvar(Tail)
    ->  (   Tail = [_|Rest]
        ->  lazy_list_length(Rest, Length1),
            Length is Length0+1+Length1
        ;   Tail = [],
            Length = Length0
        )
    ;   type_error(list, List)
    ).

%!  lazy_findall(?Template, :Goal, -List) is det.
%!  lazy_findall(+Chunk, ?Template, :Goal, -List) is det.
%
%   List has an instance of Template for each solution of Goal, Chunk of which (1) are looked for when the list is. An engine runs Goal.

lazy_findall(Template, Goal, List) :-
    lazy_findall(1, Template, Goal, List).

lazy_findall(Chunk, Template, Goal, List) :-
    must_be(positive_integer, Chunk),
    engine_create(Template, Goal, Engine),
    lazy_list(lazy_lists:lazy_engine_next(Engine, Chunk), List).

%   --- what gives parts ---

%!  lazy_get_codes(+Stream, +Chunk, -List, -Rest) is det.
%
%   For lazy_list/2: at most Chunk codes of Stream.

lazy_get_codes(Stream, Chunk, List, Rest) :-
    must_be(positive_integer, Chunk),
    part(Chunk, code(Stream), List, Rest).

%!  lazy_read_terms(+Stream, +Options, -List, -Rest) is det.
%
%   For lazy_list/2: terms that read_term/3 reads. Options are its own, and chunk(N): how many at a time (10).

lazy_read_terms(Stream, Options, List, Rest) :-
    chunk(Options, 10, Chunk, Others),
    part(Chunk, term(Stream, Others), List, Rest).

%!  lazy_read_lines(+Stream, +Options, -List, -Rest) is det.
%
%   For lazy_list/2: lines. Options are chunk(N): how many at a time (10), and as(Type): atom, string (as if nothing is said), codes or chars.

lazy_read_lines(Stream, Options, List, Rest) :-
    chunk(Options, 10, Chunk, Others),
    option(as(Type), Others, string),
    must_be(oneof([atom, string, codes, chars]), Type),
    part(Chunk, line(Type, Stream), List, Rest).

%!  lazy_message_queue(+Queue, +Options, -List, -Rest) is det.
%
%   For lazy_list/2: messages, for which it waits. Options are those of thread_get_message/3 (when no message comes the list ends), and chunk(N): how many at a time (1).

lazy_message_queue(Queue, Options, List, Rest) :-
    chunk(Options, 1, Chunk, Others),
    part(Chunk, message(Queue, Others), List, Rest).

%!  lazy_engine_next(+Engine, +Chunk, -List, -Rest) is det.
%
%   For lazy_list/2: at most Chunk answers of Engine.

lazy_engine_next(Engine, Chunk, List, Rest) :-
    must_be(positive_integer, Chunk),
    part(Chunk, answer(Engine), List, Rest).

chunk(Options, Default, Chunk, Others) :-
    select_option(chunk(Chunk), Options, Others, Default),
    must_be(positive_integer, Chunk).

part(0, _, Rest, Rest) :- !.
part(N, Source, List, Rest) :-
    (   element(Source, Element)
    ->  List = [Element|List1],
        N1 is N-1,
        part(N1, Source, List1, Rest)
    ;   List = [],
        Rest = []
    ).

element(code(Stream), Code) :-
    get_code(Stream, Code),
    Code =\= -1.
element(term(Stream, Options), Term) :-
    read_term(Stream, Term, Options),
    Term \== end_of_file.
element(line(Type, Stream), Line) :-
    read_line_to_string(Stream, String),
    String \== end_of_file,
    as(Type, String, Line).
element(message(Queue, Options), Message) :-
    thread_get_message(Queue, Message, Options).
element(answer(Engine), Answer) :-
    engine_next(Engine, Answer).

as(string, String, String).
as(atom, String, Atom) :- atom_string(Atom, String).
as(codes, String, Codes) :- string_codes(String, Codes).
as(chars, String, Chars) :- string_chars(String, Chars).

%!  lazy_list_iterator(+Iterator, -Element, :Get, :End)
%
%   A directive, which defines a predicate for lazy_list/2: Iterator, with three arguments more, of which the first says how many elements are asked for. Each is Element
%   of a solution of Get; the list ends where that fails, or End holds.

lazy_list_iterator(Iterator, Element, Get, End) :-
    throw(error(context_error(nodirective, lazy_list_iterator(Iterator, Element, Get, End)), _)).

:- assertz(system:('$library_expansion'((:- lazy_list_iterator(Iterator, Element, Get, End)), Clauses) :- lazy_lists:iterator(Iterator, Element, Get, End, Clauses))).

iterator(Iterator, Element, Get, End, [(Head0 :- !), (Head :- Body)]) :-
    must_be(callable, Iterator),
    copy_term(Iterator, Iterator0),
    extend_goal(Iterator0, [0, Rest0, Rest0], Head0),
    extend_goal(Iterator, [N, List, Rest], Head),
    extend_goal(Iterator, [N1, List1, Rest], Again),
    Body = ( Get, \+ End -> List = [Element|List1], N1 is N-1, Again ; List = [], Rest = [] ).
