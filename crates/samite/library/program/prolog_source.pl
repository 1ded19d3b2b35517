:- module(prolog_source,
          [ prolog_canonical_source/2,
            prolog_open_source/2,
            prolog_close_source/1,
            prolog_read_source_term/4,
            read_source_term_at_location/3,
            directory_source_files/3,
            file_alias_path/2,
            file_name_on_path/2,
            path_segments_atom/2,
            valid_term_position/2
          ]).

:- use_module(library(error), [instantiation_error/1]).

/*  Programs as text: which files there are, their terms with the syntax that they declare, names of files as programs write them, and places of terms.

    As SWI-Prolog's library(prolog_source), but for load_quasi_quotation_syntax/2. Programs give texts that are in no files by clauses of prolog:xref_open_source/2,
    prolog:xref_close_source/2 and prolog:xref_source_identifier/2.
*/

:- multifile((prolog:xref_open_source/2, prolog:xref_close_source/2, prolog:xref_source_identifier/2)).
:- dynamic((prolog:xref_open_source/2, prolog:xref_close_source/2, prolog:xref_source_identifier/2)).

:- predicate_options(directory_source_files/3, 3, [recursive(boolean), if(oneof([true, loaded])), pass_to(absolute_file_name/3, 3)]).
:- predicate_options(read_source_term_at_location/3, 3, [line(integer), offset(integer), module(atom), operators(list), error(any), pass_to(read_term/3, 3)]).

%!  prolog_canonical_source(+Spec, -Id) is semidet.
%
%   Id names the text that Spec means: the absolute name of a file, `library(Name)` as an atom for a library of Samite's, or Spec itself if it is `user` or unbound.

prolog_canonical_source(Spec, Id) :-
    var(Spec), !,
    Id = Spec.
prolog_canonical_source(user, user) :- !.
prolog_canonical_source(Spec, Id) :-
    prolog:xref_source_identifier(Spec, Id), !.
prolog_canonical_source(library(Library), Id) :-
    ground(Library),
    '$library_name'(Library, Name),
    '$own_library'(Name, _), !,
    '$library_file'(Name, Id).
prolog_canonical_source(Spec, Id) :-
    atom(Spec),
    source_file(Spec), !,
    Id = Spec.
prolog_canonical_source(Spec, Id) :-
    absolute_file_name(Spec, Id, [file_type(prolog), access(read), file_errors(fail)]).

%   The texts that the thread has open: opened(Stream, Id, Module, Module0, Kind), where Module is the one that its terms belong to, as far as it has said, and Module0 was the source module.
:- thread_local opened/5.

%!  prolog_open_source(+Id, -Stream) is det.
%
%   Stream reads the text Id (prolog_canonical_source/2), behind a first line that begins with `#!`. Operators that its terms declare hold until
%   prolog_close_source/1.

prolog_open_source(Id, Stream) :-
    must_be(nonvar, Id),
    open_text(Id, Stream, Kind),
    '$source_module'(Module),
    catch(( '$skip_script_line'(Stream), push_operators(Module:[]) ), E, ( close(Stream), throw(E) )),
    asserta(opened(Stream, Id, Module, Module, Kind)).

open_text(Id, Stream, hook) :-
    prolog:xref_open_source(Id, Stream), !.
open_text(Id, Stream, file) :-
    atom(Id),
    library_named(Id, Name), !,
    '$library_text'(Name, Text),
    open_string(Text, Stream),
    set_stream(Stream, file_name(Id)).
open_text(Id, Stream, file) :-
    open(Id, read, Stream).

library_named(Id, Name) :-
    atom_concat('library(', Name0, Id),
    atom_concat(Name, ')', Name0),
    '$is_library'(Name).

%!  prolog_close_source(+Stream) is det.
%
%   Closes what prolog_open_source/2 has opened. expand_term/2 hears of the end of the file if that has not been read.

prolog_close_source(Stream) :-
    must_be(nonvar, Stream),
    (   retract(opened(Stream, Id, _, Module0, Kind))
    ->  ( catch(at_end_of_stream(Stream), error(_, _), true) -> true ; ignore(catch(expand_term(end_of_file, _), error(_, _), true)) ),
        pop_operators,
        '$set_source_module'(Module0),
        (   Kind == hook, prolog:xref_close_source(Id, Stream) -> true
        ;   close(Stream, [force(true)])
        )
    ;   close(Stream, [force(true)])
    ).

%!  prolog_read_source_term(+Stream, -Term, -Expanded, +Options) is det.
%
%   Term is the next one of a text that prolog_open_source/2 has opened, with the syntax that those before it have declared: their module, operators, and what they import from libraries and modules.
%   Expanded is what expand_term/2 makes of it. Options are those of read_term/3.

prolog_read_source_term(Stream, Term, Expanded, Options) :-
    must_be(list, Options),
    (   memberchk(module(_), Options) -> read_term(Stream, Term0, Options)
    ;   '$source_module'(Module),
        read_term(Stream, Term0, [module(Module)|Options])
    ),
    expanded(Term0, Expanded0),
    declares(Expanded0, Stream),
    Term = Term0,
    Expanded = Expanded0.

%   What is read under a condition is not for expansion, which would leave it out.
expanded(Term, Term) :- var(Term), !.
expanded((:- Condition), (:- Condition)) :-
    nonvar(Condition),
    memberchk(Condition, [if(_), elif(_), else, endif]), !.
expanded(Term, Expanded) :-
    catch(expand_term(Term, Expanded0), error(_, _), Expanded0 = Term),
    Expanded = Expanded0.

declares(Term, _) :- var(Term), !.
declares([], _) :- !.
declares([Term|Terms], Stream) :- !,
    declares(Term, Stream),
    declares(Terms, Stream).
declares((:- Directive), Stream) :- !,
    ignore(catch(directive(Directive, Stream), error(_, _), true)).
declares((?- Directive), Stream) :- !,
    declares((:- Directive), Stream).
declares(_, _).

directive(Directive, _) :- var(Directive), !.
directive((A, B), Stream) :- !,
    directive(A, Stream),
    directive(B, Stream).
directive(module(Module, Exports), Stream) :- !,
    atom(Module),
    (   retract(opened(Stream, Id, _, Module0, Kind)) -> asserta(opened(Stream, Id, Module, Module0, Kind)) ; true ),
    '$set_source_module'(Module),
    operators(Exports, Module).
directive(op(P, T, Names), _) :- !,
    '$source_module'(Module),
    push_op(P, T, Module:Names).
directive(use_module(Files), _) :- !, imports(Files, all).
directive(use_module(File, Imports), _) :- !, imports(File, Imports).
directive(reexport(Files), _) :- !, imports(Files, all).
directive(reexport(File, Imports), _) :- !, imports(File, Imports).
directive(autoload(Files), _) :- !, imports(Files, all).
directive(autoload(File, Imports), _) :- !, imports(File, Imports).

operators(Exports, Module) :-
    forall(( is_list(Exports), member(op(P, T, Names), Exports) ), push_op(P, T, Module:Names)).

imports(Files, _) :- var(Files), !.
imports([], _) :- !.
imports([File|Files], Imports) :- !,
    imports(File, Imports),
    imports(Files, Imports).
imports(File, Imports) :-
    (   File = library(Library), ground(Library), '$library_name'(Library, Name), '$own_library'(Name, _) -> '$load_library'(Name) ; true ),
    findall(op(P, T, N), source_exports(File, op(P, T, N)), Operators0),
    (   Imports == all -> Operators = Operators0
    ;   is_list(Imports) -> findall(Op, ( member(Op, Operators0), \+ \+ memberchk(Op, Imports) ), Operators)
    ;   Operators = Operators0
    ),
    '$source_module'(Module),
    operators(Operators, Module).

%!  read_source_term_at_location(+Stream, -Term, +Options) is semidet.
%
%   Term is read from Stream where Options say: line(Line) or offset(Characters), by seeking, or else where it is. Fails if there is none that can be read, but with the option error(Error): then Error is
%   Offset:Message. Other options: module(Module), whose syntax is used, the source module's if it is missing; operators(Operators), more of them; those of read_term/3.

read_source_term_at_location(Stream, Term, Options) :-
    must_be(list, Options),
    go_to_start(Stream, Options),
    '$source_module'(Module0),
    option(module(Module), Options, Module0),
    option(operators(Operators), Options, []),
    exclude(is_own_option, Options, ReadOptions),
    setup_call_cleanup(
        push_operators(Module:Operators),
        catch(( read_term(Stream, Read, [module(Module), syntax_errors(error)|ReadOptions]), Result = read ), error(syntax_error(What), Place), Result = wrong(What, Place)),
        pop_operators),
    (   Result == read
    ->  Term = Read
    ;   Result = wrong(What, Place),
        memberchk(error(Error), Options),
        error_offset(Place, Offset),
        message_text(What, Message),
        Error = Offset:Message
    ).

error_offset(stream(_, _, _, Offset), Offset) :- !.
error_offset(file(_, _, _, Offset), Offset) :- !.
error_offset(_, 0).

message_text(What, Message) :-
    phrase(translate_message(error(syntax_error(What), _)), Lines),
    with_output_to(string(Text), ( current_output(Stream), print_message_lines(Stream, '', Lines) )),
    split_string(Text, "", "\n ", [Message]).

go_to_start(Stream, Options) :-
    (   memberchk(line(Line), Options)
    ->  must_be(positive_integer, Line),
        seek(Stream, 0, bof, _),
        set_stream(Stream, line_position(0)),
        between(1, Line, N),
        ( N =:= Line ; skip(Stream, 0'\n), fail ), !
    ;   memberchk(offset(Offset), Options)
    ->  must_be(nonneg, Offset),
        seek(Stream, Offset, bof, _)
    ;   true
    ).

is_own_option(Option) :-
    nonvar(Option),
    memberchk(Option, [line(_), offset(_), module(_), operators(_), error(_)]).

%!  directory_source_files(+Directory, -Files, +Options) is det.
%
%   Files are the programs in Directory, sorted: those that are loaded, or with the option if(true) all that have an extension of Prolog's. Option: recursive(true), also in the directories in it.

directory_source_files(Directory, Files, Options) :-
    must_be(list, Options),
    absolute_file_name(Directory, Path, [file_type(directory), access(read)]),
    option(recursive(Recursive), Options, false),
    (   option(if(Condition), Options, loaded), Condition \== loaded
    ->  findall(File, ( below(Path, Recursive, File), is_source(File) ), Files0)
    ;   findall(File, ( source_file(File), stands_below(File, Path, Recursive) ), Files0)
    ),
    sort(Files0, Files).

stands_below(File, Path, Recursive) :-
    file_directory_name(File, Directory),
    (   Directory == Path -> true
    ;   Recursive == true,
        atom_concat(Path, /, Start),
        sub_atom(Directory, 0, _, _, Start)
    ).

below(Directory, Recursive, File) :-
    catch(directory_files(Directory, Names), error(_, _), Names = []),
    member(Name, Names),
    \+ memberchk(Name, ['.', '..']),
    directory_file_path(Directory, Name, Path),
    (   exists_directory(Path)
    ->  Recursive == true,
        \+ read_link(Path, _, _),
        below(Path, Recursive, File)
    ;   File = Path
    ).

is_source(File) :-
    file_name_extension(_, Extension, File),
    user:prolog_file_type(Extension, prolog), !.

%!  file_alias_path(?Alias, ?Directory) is nondet.
%
%   Alias stands for Directory, which is there and ends in a slash; long names come first.

file_alias_path(Alias, Directory) :-
    findall(Length-alias(Name, Path), ( an_alias(Alias, Name), alias_directory(Name, Path), atom_length(Path, Length) ), Pairs0),
    sort(Pairs0, Pairs1),
    sort(1, @>=, Pairs1, Pairs),
    member(_-alias(Alias, Directory), Pairs).

an_alias(Alias, Name) :-
    (   nonvar(Alias) -> Name = Alias
    ;   findall(A, ( user:file_search_path(A, _), atom(A) ), Names0),
        sort(Names0, Names),
        member(Name, Names)
    ).

alias_directory(Alias, Directory) :-
    Spec =.. [Alias, '.'],
    catch(absolute_file_name(Spec, Path, [file_type(directory), access(exist), solutions(all), file_errors(fail)]), error(_, _), fail),
    ( sub_atom(Path, _, 1, 0, /) -> Directory = Path ; atom_concat(Path, /, Directory) ).

%!  file_name_on_path(+File, -OnPath) is det.
%
%   OnPath is Alias(Path) if File is in one of the folders of file_search_path/2, the shortest of these; else it is File.

file_name_on_path(File, OnPath) :-
    findall(Length-Found, on_path(File, Length, Found), Pairs),
    keysort(Pairs, Sorted),
    (   Sorted = [_-Found|_]
    ->  OnPath = Found
    ;   OnPath = File
    ).

on_path(File, Length, Found) :-
    is_absolute_file_name(File),
    file_search_path(Alias, _),
    atom(Alias),
    Spec =.. [Alias, '.'],
    absolute_file_name(Spec, Folder0, [file_type(directory), solutions(all), file_errors(fail)]),
    (   sub_atom(Folder0, _, 1, 0, /) -> Folder = Folder0 ; atom_concat(Folder0, /, Folder) ),
    atom_concat(Folder, Local0, File),
    file_name_extension(Local, _, Local0),
    atom_length(Local, Length),
    path_segments_atom(Segments, Local),
    Found =.. [Alias, Segments].

%!  path_segments_atom(?Segments, ?Path) is det.
%
%   Segments is a/b/c, Path 'a/b/c'.

path_segments_atom(Segments, Path) :-
    (   nonvar(Segments)
    ->  phrase(segments(Segments), List),
        atomic_list_concat(List, /, Path)
    ;   nonvar(Path)
    ->  atomic_list_concat(List, /, Path),
        joined(List, Segments)
    ;   instantiation_error(Segments)
    ).

segments(A) --> { var(A), !, instantiation_error(A) }.
segments(A/B) --> !, segments(A), segments(B).
segments(A) --> [A].

joined([A|List], Segments) :- joined(List, A, Segments).

joined([], A, A).
joined([B|List], A, Segments) :- joined(List, A/B, Segments).

%!  valid_term_position(@Term, @Position) is semidet.
%
%   Position may be what read_term/2 with the option subterm_positions has said of Term: it has the parts of Term, each inside of what it is a part of and
%   behind the ones before it.

valid_term_position(Term, Position) :-
    valid_term_position(0, inf, Term, Position).

valid_term_position(Least, Most, Term, Position) :-
    nonvar(Position),
    position_ends(Position, From, To),
    within(Least, From, To, Most),
    placed(Position, Term).

position_ends(parentheses_term_position(From, To, _), From, To).
position_ends(From-To, From, To).
position_ends(string_position(From, To), From, To).
position_ends(brace_term_position(From, To, _), From, To).
position_ends(list_position(From, To, _, _), From, To).
position_ends(term_position(From, To, _, _, _), From, To).
position_ends(dict_position(From, To, _, _, _), From, To).
position_ends(key_value_position(From, To, _, _, _, _, _), From, To).

within(Least, From, To, Most) :-
    integer(From), integer(To),
    Least =< From, From =< To,
    ( Most == inf -> true ; To =< Most ).

placed(_-_, Term) :- ( var(Term) -> true ; atomic(Term) ).
placed(string_position(_, _), Term) :- ( atom(Term) -> true ; string(Term) -> true ; is_list(Term) ).
placed(parentheses_term_position(From, To, Inner), Term) :- valid_term_position(From, To, Term, Inner).
placed(brace_term_position(From, To, Inner), Term) :-
    compound(Term), Term = {Arg},
    valid_term_position(From, To, Arg, Inner).
placed(list_position(From, To, Positions, Tail), Term) :-
    placed_elements(Positions, From, To, Term, Rest, Behind),
    (   Tail == none
    ->  Rest == []
    ;   valid_term_position(Behind, To, Rest, Tail)
    ).
placed(term_position(From, To, NameFrom, NameTo, Positions), Term) :-
    compound(Term),
    within(From, NameFrom, NameTo, To),
    compound_name_arguments(Term, _, Args),
    placed_arguments(Positions, Args, From, To).
placed(dict_position(From, To, TagFrom, TagTo, Pairs), Term) :-
    is_dict(Term),
    within(From, TagFrom, TagTo, To),
    dict_pairs(Term, _, Values),
    length(Values, N),
    length(Pairs, N),
    placed_pairs(Pairs, TagTo, To, Term).

placed_elements([], Behind, _, Rest, Rest, Behind).
placed_elements([P|Ps], Least, To, List, Rest, Behind) :-
    compound(List), List = [X|Xs],
    valid_term_position(Least, To, X, P),
    position_ends(P, _, Next),
    placed_elements(Ps, Next, To, Xs, Rest, Behind).

placed_arguments([], [], _, _).
placed_arguments([P|Ps], [X|Xs], Least, To) :-
    valid_term_position(Least, To, X, P),
    position_ends(P, _, Next),
    placed_arguments(Ps, Xs, Next, To).

placed_pairs([], _, _, _).
placed_pairs([P|Ps], Least, To, Dict) :-
    P = key_value_position(From, End, ColonFrom, ColonTo, Key, KeyPosition, ValuePosition),
    within(Least, From, End, To),
    within(From, ColonFrom, ColonTo, End),
    get_dict(Key, Dict, Value),
    valid_term_position(From, ColonFrom, Key, KeyPosition),
    valid_term_position(ColonTo, End, Value, ValuePosition),
    placed_pairs(Ps, End, To, Dict).
