:- module(xsb_source, [ '$xsb_terms'/3, '$xsb_preprocessed'/3 ]).
:- use_module(library(lists), [append/3, member/2]).
:- use_module(library(readutil), [read_file_to_string/3]).

/*  Source files of XSB, NAME.P, with their headers NAME.H: when this library is loaded, files with that extension are Prolog files, written in that
    dialect.  */

:- assertz(user:prolog_file_type('P', prolog)).
:- assertz(system:'$dialect_of_extension'('P', xsb)).

%   '$xsb_terms'(+File, +Options, -Terms): a header of a module, if the file exports anything; the dialect; and the text of the header file.

'$xsb_terms'(File, Options, Terms) :-
    directives(File, Options, Own),
    header_file(File, Header, Theirs),
    append(Theirs, Own, Directives),
    (   Own = [module(_, _)|_]
    ->  Terms = []
    ;   findall(PI, ( member(D, Directives), exported(D, PIs), listed(PIs, PI) ), Exports),
        Exports \== []
    ->  file_base_name(File, Base),
        file_name_extension(Name, _, Base),
        Terms = [(:- module(Name, Exports))|Terms1]
    ;   Terms = Terms1
    ),
    (   Header == []
    ->  Include = []
    ;   Include = [(:- include(Header))]
    ),
    Terms1 = [(:- expects_dialect(xsb))|Include].

exported(export(PIs), PIs).
exported(document_export(PIs), PIs).

listed(PIs, _) :- var(PIs), !, fail.
listed((A, B), PI) :- !, ( listed(A, PI) ; listed(B, PI) ).
listed([A|B], PI) :- !, ( listed(A, PI) ; listed(B, PI) ).
listed([], _) :- !, fail.
listed(PI, PI).

header_file(File, Header, Directives) :-
    file_name_extension(Base, 'P', File),
    file_name_extension(Base, 'H', Header),
    exists_file(Header), !,
    directives(Header, [], Directives).
header_file(_, [], []).

%   The directives before the first clause of a file, as far as they can be read.

directives(File, Options, Directives) :-
    atom(File),
    exists_file(File), !,
    '$load_library'('dialect/xsb'),
    ( member(encoding(Encoding), Options) -> OpenOptions = [encoding(Encoding)] ; OpenOptions = [] ),
    setup_call_cleanup(
        open(File, read, Stream, OpenOptions),
        ( '$library_module'(XSB, 'dialect/xsb'), read_directives(Stream, XSB, Directives) ),
        close(Stream)).
directives(_, _, []).

%   By the operators of library(dialect/xsb).
read_directives(Stream, XSB, Directives) :-
    catch(read_term(Stream, Term, [module(XSB), syntax_errors(error)]), error(syntax_error(_), _), Term = (:- true)),
    (   nonvar(Term),
        Term = (:- Directive)
    ->  Directives = [Directive|Rest],
        read_directives(Stream, XSB, Rest)
    ;   Directives = []
    ).

%   '$xsb_preprocessed'(+File, +Options, -Text) is semidet: the file says that it is to go through the preprocessor.

'$xsb_preprocessed'(File, Options, Text) :-
    directives(File, Options, Directives),
    member(compiler_options(Of), Directives),
    is_list(Of),
    member(xpp_on, Of), !,
    '$gpp'(File, Options, Text).
