% Grammars on files and streams, with the predicates of SWI-Prolog's library(pure_input).

:- module(pure_input,
          [ phrase_from_file/2,
            phrase_from_file/3,
            phrase_from_stream/2,
            stream_to_lazy_list/2,
            lazy_list_location//1,
            lazy_list_character_count//1,
            syntax_error//1
          ]).

/*  A grammar reads a list of codes. What is left of a stream is read as a whole before its grammar is called: there are no lists that grow
    when they are looked at.

    Where a grammar stands is known by the list that it has not read yet: '$pure_input' has, for each list that was made of a stream, newest first,

        input(Stream, Name, Start, At)

    Start and At are place(Tail, Line, Column, Count): a tail of the list, and the place of its first code. Start is the whole list; At is the
    tail that was last asked for, from where those are looked for that come later: asking again and again takes the time of one walk.

    *Invariant*: '$pure_input' and At are set so that backtracking undoes it; a call of phrase_from_stream/2 leaves the lists that there were before.
*/

:- meta_predicate(phrase_from_file(//, +)).
:- meta_predicate(phrase_from_file(//, +, +)).
:- meta_predicate(phrase_from_stream(//, +)).

%!  phrase_from_file(:Grammar, +File) is nondet.
%
%   As phrase_from_file/3, with no options.

phrase_from_file(Grammar, File) :-
    phrase_from_file(Grammar, File, []).

%!  phrase_from_file(:Grammar, +File, +Options) is nondet.
%
%   The codes of the file are a phrase of the grammar. Options are those of open/4. buffer_size(Codes) is taken for SWI-Prolog's sake: it would say
%   how much is read at a time.

phrase_from_file(Grammar, File, Options0) :-
    must_be(list, Options0),
    (   select_option(buffer_size(Size), Options0, Options)
    ->  must_be(positive_integer, Size)
    ;   Options = Options0
    ),
    setup_call_cleanup(
        open(File, read, Stream, Options),
        phrase_from_stream(Grammar, Stream),
        close(Stream)).

%!  phrase_from_stream(:Grammar, +Stream) is nondet.
%
%   What is left of the stream is a phrase of the grammar. The stream is at its end then, and stays open.

phrase_from_stream(Grammar, Stream) :-
    inputs(Before),
    stream_to_lazy_list(Stream, Codes),
    inputs(Within),
    phrase(Grammar, Codes),
    b_setval('$pure_input', Before),
    (   true
    ;   % The grammar is to go on.
        b_setval('$pure_input', Within),
        fail
    ).

%!  stream_to_lazy_list(+Stream, -Codes) is det.
%
%   Codes is what is left of the stream.

stream_to_lazy_list(Stream, Codes) :-
    ( stream_property(Stream, file_name(File)) -> Name = file(File) ; Name = stream ),
    line_count(Stream, Line),
    line_position(Stream, Column),
    character_count(Stream, Count),
    read_stream_to_codes(Stream, Codes0),
    Start = place(Codes0, Line, Column, Count),
    inputs(Inputs),
    b_setval('$pure_input', [input(Stream, Name, Start, at(Start))|Inputs]),
    Codes = Codes0.

inputs(Inputs) :-
    (   nb_current('$pure_input', Inputs0)
    ->  Inputs = Inputs0
    ;   Inputs = []
    ).

%!  lazy_list_location(-Where)// is det.
%
%   Where the grammar stands: file(Name, Line, Column, Count) or stream(Stream, Line, Column, Count), with lines from 1 on, columns and
%   characters before from 0 on; end_of_file-N, with N codes left, in a list that is not of a stream.

lazy_list_location(Where, Tail, Tail) :-
    (   place(Tail, Stream, Name, place(_, Line, Column, Count))
    ->  (   Name = file(File)
        ->  Where = file(File, Line, Column, Count)
        ;   Where = stream(Stream, Line, Column, Count)
        )
    ;   left(Tail, 0, Left),
        Where = end_of_file-Left
    ).

%!  lazy_list_character_count(-Count)// is det.
%
%   How many characters of the stream are before where the grammar stands; end_of_file-N in a list that is not of a stream.

lazy_list_character_count(Count, Tail, Tail) :-
    (   place(Tail, _, _, place(_, _, _, Count0))
    ->  Count = Count0
    ;   left(Tail, 0, Left),
        Count = end_of_file-Left
    ).

%!  syntax_error(+What)// is erroneous.
%
%   Throws error(syntax_error(What), Where), with Where from lazy_list_location//1.

syntax_error(What) -->
    lazy_list_location(Where),
    { throw(error(syntax_error(What), Where)) }.

%   left(+List, +N0, -N): a list may end in a variable.
left(List, N0, N) :-
    nonvar(List),
    List = [_|Rest],
    !,
    N1 is N0+1,
    left(Rest, N1, N).
left(_, N, N).

%   place(+Tail, -Stream, -Name, -Place) is semidet: fails if it is no tail of a stream's list.
place(Tail, Stream, Name, Place) :-
    inputs(Inputs),
    member(Input, Inputs),
    Input = input(Stream, Name, Start, At),
    At = at(Last),
    (   walk(Last, Tail, Place0)
    ;   walk(Start, Tail, Place0)
    ),
    !,
    setarg(1, At, Place0),
    Place = Place0.

%   walk(+Place, +Tail, -PlaceOfTail) is semidet.
walk(Place, Tail, Found) :-
    Place = place(Codes, Line, Column, Count),
    (   same_term(Codes, Tail)
    ->  Found = Place
    ;   Codes = [Code|Codes1],
        Count1 is Count+1,
        next(Code, Line, Column, Line1, Column1),
        walk(place(Codes1, Line1, Column1, Count1), Tail, Found)
    ).

%   As streams count.
next(0'\n, Line0, _, Line, 0) :- !,
    Line is Line0+1.
next(0'\r, Line, _, Line, 0) :- !.
next(0'\b, Line, Column0, Line, Column) :- !,
    Column is max(0, Column0-1).
next(0'\t, Line, Column0, Line, Column) :- !,
    Column is (Column0 \/ 7)+1.
next(_, Line, Column0, Line, Column) :-
    Column is Column0+1.
