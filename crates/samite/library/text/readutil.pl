:- module(read_util,
          [ read_line_to_codes/2,
            read_line_to_codes/3,
            read_line_to_string/2,
            read_stream_to_codes/2,
            read_stream_to_codes/3,
            read_file_to_codes/3,
            read_file_to_string/3,
            read_file_to_terms/3
          ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(option), [select_option/4]).

/*  Reading lines, streams and files.

    As SWI-Prolog's library(readutil). Lines and streams are read by the machine.
*/

%!  read_file_to_codes(+File, -Codes, +Options) is det.
%
%   Codes has the contents of File, before the Tail of the option tail(Tail);
%   the other options are those of open/4.

read_file_to_codes(File, Codes, Options) :-
    must_be(list, Options),
    select_option(tail(Tail), Options, Options1, []),
    with_file(File, Options1, Stream, read_stream_to_codes(Stream, Codes0, Tail)),
    Codes = Codes0.

%!  read_file_to_string(+File, -String, +Options) is det.
%
%   String has the contents of File; the options are those of open/4, and extensions(_), file_type(_),
%   relative_to(_) and expand(_) of absolute_file_name/3.

read_file_to_string(File, String, Options) :-
    must_be(list, Options),
    with_file(File, Options, Stream, read_string(Stream, _, String0)),
    String = String0.

%   Calls Goal with Stream open to read the file.
:- meta_predicate(with_file(?, ?, ?, 0)).
with_file(File, Options, Stream, Goal) :-
    open_options(Options, OpenOptions),
    file_path(File, Options, Path),
    setup_call_cleanup(open(Path, read, Stream, OpenOptions), Goal, close(Stream)).

%!  read_file_to_terms(+File, -Terms, +Options) is det.
%
%   Terms are the terms in File, before the Tail of the option tail(Tail); the
%   other options are those of open/4 and read_term/3, and those of
%   absolute_file_name/3 as for read_file_to_string/3.

read_file_to_terms(File, Terms, Options) :-
    must_be(list, Options),
    select_option(tail(Tail), Options, Options1, []),
    without_open_options(Options1, ReadOptions),
    with_file(File, Options1, Stream, terms(Stream, ReadOptions, Terms0, Tail)),
    Terms = Terms0.

terms(Stream, Options, Terms, Tail) :-
    read_term(Stream, Term, Options),
    (   Term == end_of_file
    ->  Terms = Tail
    ;   Terms = [Term|Terms1],
        terms(Stream, Options, Terms1, Tail)
    ).

%   How it is looked for is told among the other options. In a directive it is looked for beside the text that is being loaded first.
file_path(File, Options, Path) :-
    path_options(Options, PathOptions),
    (   ( compound(File) ; PathOptions = [_|_] ; '$source_directory'(_) )
    ->  absolute_file_name(File, Path, [access(read)|PathOptions])
    % (By the name that the working directory has been given. Errors tell of the name that the caller has.)
    ;   absolute_file_name(File, Path0), exists_file(Path0)
    ->  Path = Path0
    ;   Path = File
    ).

path_options([], []).
path_options([Option|Options], Selected) :-
    (   nonvar(Option),
        path_option(Option)
    ->  Selected = [Option|Selected1],
        path_options(Options, Selected1)
    ;   path_options(Options, Selected)
    ).

path_option(extensions(_)).
path_option(file_type(_)).
path_option(relative_to(_)).
path_option(expand(_)).

open_options([], []).
open_options([Option|Options], Selected) :-
    (   open_option(Option)
    ->  Selected = [Option|Selected1],
        open_options(Options, Selected1)
    ;   open_options(Options, Selected)
    ).

without_open_options([], []).
without_open_options([Option|Options], Selected) :-
    (   open_option(Option)
    ->  without_open_options(Options, Selected)
    ;   Selected = [Option|Selected1],
        without_open_options(Options, Selected1)
    ).

open_option(Option) :-
    nonvar(Option),
    open_option_(Option).

open_option_(encoding(_)).
open_option_(type(_)).
open_option_(bom(_)).
open_option_(newline(_)).
open_option_(eof_action(_)).
open_option_(buffer(_)).
open_option_(close_on_abort(_)).
open_option_(lock(_)).
open_option_(wait(_)).
