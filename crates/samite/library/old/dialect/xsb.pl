:- module(xsb,
          [ xsb_import/2,
            compiler_options/1,
            index/1, index/2, index/3,
            mode/1,
            use_variant_tabling/1,
            use_subsumptive_tabling/1,
            document_export/1,
            document_import/1,
            sk_not/1, u_not/1,
            cputime/1, walltime/1, timed_call/2,
            fail_if/1,
            abort/1,
            gc_tables/1,
            add_lib_dir/1, add_lib_dir/2,
            compile/2,
            load_dyn/1, load_dyn/2, load_dync/1, load_dync/2,
            path_sysop/2, path_sysop/3,
            fmt_write/2, fmt_write/3,
            thread_shared/1,
            op(1050, fy, import),
            op(1050, fx, export),
            op(1050, fx, document_export),
            op(1050, fx, document_import),
            op(1050, fx, use_variant_tabling),
            op(1050, fx, use_subsumptive_tabling),
            op(1040, xfx, from),
            op(1100, fy, index),
            op(1100, fx, mode),
            op(1100, fx, thread_shared),
            op(1045, xfx, as),
            op(900, fy, tnot),
            op(900, fy, not)
          ]).
:- use_module(library(apply), [maplist/2]).
:- use_module(library(error), [must_be/2, domain_error/2, existence_error/2]).
:- use_module(library(lists), [member/2, memberchk/2]).
:- use_module(library(dialect/xsb/source)).

/*  Programs written for XSB, as in SWI-Prolog's library(dialect/xsb): its operators, directives, and predicates that have no module.

    What differs from SWI-Prolog's: a module of XSB is looked for where it is (`xsb_modules`), so that none of these libraries exports what another one
    defines; and a header file (NAME.H) is read.  */

:- meta_predicate(sk_not(0)).
:- meta_predicate(u_not(0)).
:- meta_predicate(fail_if(0)).
:- meta_predicate(timed_call(0, :)).
:- meta_predicate(compile(:, +)).
:- meta_predicate(load_dyn(:)).
:- meta_predicate(load_dyn(:, +)).
:- meta_predicate(load_dync(:)).
:- meta_predicate(load_dync(:, +)).
:- meta_predicate(use_variant_tabling(:)).
:- meta_predicate(use_subsumptive_tabling(:)).
:- meta_predicate(thread_shared(:)).

% --- directives ---

expansion((:- Directive), (:- Expanded)) :-
    nonvar(Directive),
    directive(Directive, Expanded),
    current_prolog_flag(emulated_dialect, xsb).

%   What means something else here.
directive(import(Spec), xsb_import(PIs, From)) :- import_clause(Spec, PIs, From).
directive(export(_), true) :- prolog_load_context(module, user).

import_clause(Spec, _, _) :- var(Spec), !, fail.
import_clause(from(PIs, From), PIs, From).
import_clause(as(from(PI, From), Name), as(PI, Name), From).
%   Priorities have it so.
import_clause(as(PI, Spec), PIs, From) :-
    nonvar(Spec),
    Spec = from(Names, From),
    renamed(Names, PI, PIs).

renamed(Names, PI, (PI as Name, Others)) :- nonvar(Names), Names = (Name, Others), !.
renamed(Name, PI, PI as Name).

%!  xsb_import(:PIs, +Module) is det.
%
%   What `:- import PIs from Module` does: PIs are predicate indicators, or PI as Name, joined by commas. Module is one of XSB's, or a file.

xsb_import(PIs, From) :-
    must_be(atom, From),
    prolog_load_context(module, Into),
    findall(PI, indicator(PIs, PI), All),
    import_all(From, All, Into).

indicator(PIs, _) :- var(PIs), !, throw(error(instantiation_error, _)).
indicator((A, B), PI) :- !, ( indicator(A, PI) ; indicator(B, PI) ).
indicator(as(PI, Name), PI as Plain) :- !, ( nonvar(Name), Name = (Plain/_) -> true ; Plain = Name ).
indicator(PI, PI).

%   What has no module is the user's: there it is called, and changed.
import_all(usermod, _, user) :- !.
import_all(usermod, PIs, Into) :- !,
    maplist(import_of_user(Into), PIs).
import_all(From, PIs, Into) :-
    xsb_modules(From, Libraries), !,
    maplist(import_one(From, Libraries, Into), PIs).
import_all(From, PIs, Into) :-
    catch(load_files(Into:From, [if(not_loaded), must_be_module(true), imports(PIs), dialect(xsb)]),
          error(existence_error(source_sink, From), _),
          existence_error(xsb_module, From)).

import_of_user(Into, PI0) :-
    ( PI0 = (PI as _) -> true ; PI = PI0 ),
    export(user:PI),
    @(import(user:PI0), Into).

import_one(From, Libraries, Into, PI0) :-
    ( PI0 = (PI as _) -> true ; PI = PI0 ),
    must_be(nonvar, PI),
    (   PI = N/A, atom(N), integer(A) -> true ; throw(error(type_error(predicate_indicator, PI), _)) ),
    functor(Head, N, A),
    (   PI0 == PI,
        predicate_property(system:Head, visible)
    ->  true
    ;   member(Library, Libraries),
        '$library_exports'(Library, Exports),
        memberchk(PI, Exports)
    ->  use_module(Into:library(Library), [PI0])
    ;   existence_error(procedure, From:PI)
    ).

%   xsb_modules(?Module, -Libraries): what a module of XSB exports is in `system`, or in one of these libraries.
xsb_modules(basics, [lists, 'dialect/xsb/basics']).
xsb_modules(lists, [lists, 'dialect/xsb/lists']).
xsb_modules(ordsets, [ordsets, 'dialect/xsb/ordsets']).
xsb_modules(standard, ['dialect/xsb/standard']).
xsb_modules(machine, ['dialect/xsb/machine', 'dialect/xsb/string']).
xsb_modules(string, [backcomp, 'dialect/xsb/string']).
xsb_modules(gensym, [gensym, 'dialect/xsb/gensym']).
xsb_modules(setof, ['dialect/xsb/setof']).
xsb_modules(storage, ['dialect/xsb/storage']).
xsb_modules(num_vars, [varnumbers]).
xsb_modules(numbervars, [varnumbers]).
xsb_modules(subsumes, ['dialect/xsb/subsumes']).
xsb_modules(tables, [tables, wfs]).
xsb_modules(increval, [increval]).
xsb_modules(consult, ['dialect/xsb/consult']).
xsb_modules(xsb_writ, ['dialect/xsb/writ']).
xsb_modules(random, [random]).
xsb_modules(pairs, [pairs]).
xsb_modules(ugraphs, [ugraphs]).
xsb_modules(error_handler, ['dialect/xsb/error_handler']).

%!  compiler_options(+Options) is det.
%
%   Of those of XSB's compiler, xpp_on has the text go through gpp (it must be in a directive before the first clause), and
%   singleton_warnings_off is style_check(-singleton). The others say how XSB compiles, and mean nothing here.

compiler_options(Options) :-
    must_be(list, Options),
    maplist(compiler_option, Options).

compiler_option(O) :- var(O), !, throw(error(instantiation_error, _)).
compiler_option(singleton_warnings_off) :- !, style_check(-singleton).
compiler_option(O) :- idle_option(O), !.
compiler_option(O) :- domain_error(xsb_compiler_option, O).

idle_option(xpp_on).
idle_option(optimize).
idle_option(allow_redefinition).
idle_option(spec_off).
idle_option(spec_repr).
idle_option(unfold_off).
idle_option(no_check).
idle_option(sysmod).
idle_option(quit_on_error).
idle_option(character_set(_)).

%!  index(+Spec) is det.
%!  index(+PI, +Arguments) is det.
%!  index(+PI, +Arguments, +Size) is det.
%
%   Indexes are made when they are needed: nothing to do. An index that is a trie, which keeps no order and no duplicates, is a domain_error.

index(Spec) :- index_spec(Spec).
index(PI, How) :- index_spec((PI, How)).
index(PI, How, _) :- index_spec((PI, How)).

index_spec(Spec) :-
    (   nonvar(Spec), Spec = (_, How), How == trie
    ->  domain_error(index, trie)
    ;   true
    ).

%!  mode(+Modes) is det.
%   Says how predicates are meant to be called, to who reads it.
mode(_).

%!  use_variant_tabling(:PIs) is det.
%   As all tables are unless said otherwise.
use_variant_tabling(Spec) :-
    strip_module(Spec, M, PIs),
    table(M:(PIs as variant)).

%!  use_subsumptive_tabling(:PIs) is det.
%   As `:- table PIs as subsumptive`.
use_subsumptive_tabling(Spec) :-
    strip_module(Spec, M, PIs),
    table(M:(PIs as subsumptive)).

%!  document_export(+PIs) is det.
document_export(PIs) :- prolog_load_context(module, M), ( M == user -> true ; @(export(PIs), M) ).

%!  document_import(+Imports) is det.
document_import(Imports) :-
    (   import_clause(Imports, PIs, From)
    ->  xsb_import(PIs, From)
    ;   domain_error(xsb_import, Imports)
    ).

%!  thread_shared(:Specs) is det.
%   As dynamic/1: what is not thread_local/1 is shared.
thread_shared(Spec) :- dynamic(Spec).

% --- predicates ---

%!  sk_not(:Goal) is undefined.
%   That Goal has no solution, under the well-founded semantics; it need not be ground.
sk_not(Goal) :- not_exists(Goal).

%!  u_not(:Goal) is undefined.
%   As tnot/1.
u_not(Goal) :- tnot(Goal).

%!  fail_if(:Goal) is semidet.
fail_if(Goal) :- \+ call(Goal).

%!  cputime(-Seconds) is det.
cputime(Seconds) :- statistics(cputime, Seconds).

%!  walltime(-Seconds) is det.
%   Since Samite was started.
walltime(Seconds) :- statistics(walltime, [Milliseconds, _]), Seconds is Milliseconds/1000.0.

%!  abort(+Message) is det.
%   Tells it, and aborts.
abort(Message) :-
    print_message(error, format("~w", [Message])),
    abort.

%!  gc_tables(-Remaining) is det.
%   Abolished tables go with their last reader: none remain to be collected.
gc_tables(0) :- garbage_collect.

%!  timed_call(:Goal, :Handlers) is nondet.
%   Goal, with handlers max(Milliseconds, Handler): Handler is called in its place when that time is over.
timed_call(Goal, Handlers) :-
    strip_module(Handlers, M, List),
    must_be(list, List),
    (   member(H, List), nonvar(H), H = max(Ms, Handler)
    ->  Seconds is Ms/1000.0,
        catch(call_with_time_limit(Seconds, Goal), time_limit_exceeded, M:Handler)
    ;   domain_error(timed_call_options, List)
    ).

%!  add_lib_dir(+Directories) is det.
%!  add_lib_dir(+Directories, +Where) is det.
%   A directory, or several joined by commas, for libraries; Where is `a` or `z`: before the others, or behind them.
add_lib_dir(Dirs) :- add_lib_dir(Dirs, z).

add_lib_dir(Dirs, _) :- var(Dirs), !, throw(error(instantiation_error, _)).
add_lib_dir((A, B), Where) :- !, add_lib_dir(A, Where), add_lib_dir(B, Where).
add_lib_dir(a(Dir), _) :- !, add_lib_dir(Dir, a).
add_lib_dir(Dir, a) :- !, asserta(user:file_search_path(library, Dir)).
add_lib_dir(Dir, z) :- assertz(user:file_search_path(library, Dir)).

%!  compile(:Files, +Options) is det.
compile(Files, _) :- load_files(Files, [if(changed), dialect(xsb)]).

%!  load_dyn(:File) is det.
%!  load_dyn(:File, +Where) is det.
%!  load_dync(:File) is det.
%!  load_dync(:File, +Where) is det.
%   Adds the clauses of a file to dynamic predicates, at the end, or at the beginning if Where is 0. (Those that are there stay.)
load_dyn(File) :- load_dyn(File, 1).
load_dyn(Spec, Where) :-
    strip_module(Spec, M, File),
    absolute_file_name(File, Path, [extensions(['P', 'D', '']), access(read)]),
    setup_call_cleanup(
        open(Path, read, Stream),
        read_dynamic(Stream, M, Where),
        close(Stream)).

load_dync(File) :- load_dyn(File, 1).
load_dync(File, Where) :- load_dyn(File, Where).

read_dynamic(Stream, M, Where) :-
    read_term(Stream, Term0, [module(M)]),
    with_lists(Term0, Term),
    (   Term == end_of_file
    ->  true
    ;   expand_term(Term, Clauses),
        add_dynamic(Clauses, M, Where),
        read_dynamic(Stream, M, Where)
    ).

%   with_lists(+Term0, -Term): '.'(Head, Tail) is a list in XSB.
with_lists(T, T1) :- \+ '$has_functions'(T), !, T1 = T.
with_lists('.'(H0, T0), [H|T]) :- !, with_lists(H0, H), with_lists(T0, T).
with_lists(T0, T) :-
    T0 =.. [Name|As0],
    all_with_lists(As0, As),
    T =.. [Name|As].

all_with_lists([], []).
all_with_lists([A0|As0], [A|As]) :- with_lists(A0, A), all_with_lists(As0, As).

add_dynamic([], _, _) :- !.
add_dynamic([C|Cs], M, Where) :- !, add_dynamic(C, M, Where), add_dynamic(Cs, M, Where).
add_dynamic((:- Goal), M, _) :- !, ignore(M:Goal).
add_dynamic(Clause, M, 0) :- !, asserta(M:Clause).
add_dynamic(Clause, M, _) :- assertz(M:Clause).

%!  path_sysop(+Operation, ?Argument) is semidet.
%!  path_sysop(+Operation, +Path, ?Argument) is semidet.
path_sysop(Op, _) :- var(Op), !, throw(error(instantiation_error, _)).
path_sysop(isplain, File) :- !, exists_file(File).
path_sysop(isdir, Dir) :- !, exists_directory(Dir).
path_sysop(rm, File) :- !, delete_file(File).
path_sysop(rmdir, Dir) :- !, delete_directory(Dir).
path_sysop(mkdir, Dir) :- !, make_directory(Dir).
path_sysop(cwd, Dir) :- !, working_directory(Dir, Dir).
path_sysop(chdir, Dir) :- !, working_directory(_, Dir).
path_sysop(exists, File) :- !, ( exists_file(File) -> true ; exists_directory(File) ).
path_sysop(readable, File) :- !, access_file(File, read).
path_sysop(writable, File) :- !, access_file(File, write).
path_sysop(executable, File) :- !, access_file(File, execute).
path_sysop(tmpfilename, File) :- !, tmp_file(xsb, File).
path_sysop(isabsolute, File) :- !, is_absolute_file_name(File).
path_sysop(Op, _) :- domain_error(path_sysop, Op).

path_sysop(Op, _, _) :- var(Op), !, throw(error(instantiation_error, _)).
path_sysop(modtime, File, Time) :- !, time_file(File, Time).
path_sysop(size, File, Size) :- !, size_file(File, Size).
path_sysop(rename, File, To) :- !, rename_file(File, To).
path_sysop(extension, File, Extension) :- !, file_name_extension(_, Extension, File).
path_sysop(basename, File, Base) :- !, file_base_name(File, Base).
path_sysop(dirname, File, Dir) :- !, file_directory_name(File, Dir).
path_sysop(expand, File, Path) :- !, absolute_file_name(File, Path, [expand(true)]).
path_sysop(Op, _, _) :- domain_error(path_sysop, Op).

%!  fmt_write(+Format, +Arguments) is det.
%!  fmt_write(+Stream, +Format, +Arguments) is det.
%   As C's printf: %s writes any term, %S the same quoted, %d, %i and %u integers, %o, %x and %X these to other bases, %c a character, %e, %f, %g, %E and %G
%   numbers; each with flags, width, and precision. Arguments is the one that there is, or a term with several.
fmt_write(Format, Args) :- current_output(Out), fmt_write(Out, Format, Args).

fmt_write(Out, Format, Args0) :-
    text_to_string(Format, Text),
    string_chars(Text, Chars),
    ( compound(Args0) -> Args0 =.. [_|Args] ; Args = [Args0] ),
    formatted(Chars, Args, Out).

formatted([], _, _).
formatted(['%', '%'|Cs], Args, Out) :- !, put_char(Out, '%'), formatted(Cs, Args, Out).
formatted(['%'|Cs0], Args, Out) :- !,
    conversion(Cs0, Spec, C, Cs),
    (   Args = [A|Rest]
    ->  converted(C, Spec, A, Out)
    ;   domain_error(format_arguments, Args)
    ),
    formatted(Cs, Rest, Out).
formatted([C|Cs], Args, Out) :- put_char(Out, C), formatted(Cs, Args, Out).

%   conversion(+Chars, -Spec, -Conversion, -Rest): Spec is spec(Flags, Width, Precision), Precision an integer or `none`.
conversion(Cs0, spec(Flags, Width, Precision), C, Rest) :-
    flags(Cs0, Flags, Cs1),
    digits(Cs1, Ws, Cs2),
    ( Ws == [] -> Width = 0 ; number_chars(Width, Ws) ),
    (   Cs2 = ['.'|Cs3]
    ->  digits(Cs3, Ps, Cs4),
        ( Ps == [] -> Precision = 0 ; number_chars(Precision, Ps) )
    ;   Precision = none,
        Cs4 = Cs2
    ),
    (   Cs4 = [C|Rest]
    ->  true
    ;   domain_error(format, '%')
    ),
    (   memberchk(#, Flags),
        \+ memberchk(C, [o, x, 'X'])
    ->  domain_error(format_flag, #)
    ;   true
    ).

flags([C|Cs], Flags, Rest) :- memberchk(C, [-, +, ' ', #, '0']), !, Flags = [C|Flags1], flags(Cs, Flags1, Rest).
flags(Cs, [], Cs).

digits([C|Cs], Ds, Rest) :- char_type(C, digit), !, Ds = [C|Ds1], digits(Cs, Ds1, Rest).
digits(Cs, [], Cs).

converted(s, Spec, A, Out) :- !, format(string(S), "~w", [A]), text(Spec, S, Out).
converted('S', Spec, A, Out) :- !, format(string(S), "~q", [A]), text(Spec, S, Out).
converted(c, spec(Flags, Width, _), A, Out) :- !, ( integer(A) -> char_code(C, A) ; C = A ), atom_string(C, S), text(spec(Flags, Width, none), S, Out).
converted(C, Spec, A, Out) :- base(C, Base, Prefix0), !,
    must_be(integer, A),
    Spec = spec(Flags, Width, Precision),
    N is abs(A),
    ( C == 'X' -> format(string(S0), "~*R", [Base, N]) ; format(string(S0), "~*r", [Base, N]) ),
    ( integer(Precision) -> zeros(Precision, S0, S) ; S = S0 ),
    ( memberchk(#, Flags), N =\= 0 -> Prefix = Prefix0 ; Prefix = "" ),
    sign(A, Flags, Sign),
    string_concat(Sign, Prefix, Before),
    ( integer(Precision) -> Fill = ' ' ; Fill = '0' ),
    number(Flags, Width, Fill, Before, S, Out).
converted(C, spec(Flags, Width, Precision), A, Out) :- memberchk(C, [e, f, g, 'E', 'G']), !,
    X is float(A),
    ( integer(Precision) -> Digits = Precision ; Digits = 6 ),
    Y is abs(X),
    downcase_atom(C, D),
    atomic_list_concat(['~', Digits, D], F),
    format(string(S0), F, [Y]),
    ( C == D -> S = S0 ; string_upper(S0, S) ),
    ( X < 0.0 -> Is = -1 ; X =:= 0.0, copysign(1.0, X) =:= -1.0 -> Is = -1 ; Is = 1 ),
    sign(Is, Flags, Sign),
    number(Flags, Width, '0', Sign, S, Out).
converted(C, _, _, _) :- domain_error(format_conversion, C).

base(d, 10, "").
base(i, 10, "").
base(u, 10, "").
base(o, 8, "0").
base(x, 16, "0x").
base('X', 16, "0X").

sign(N, Flags, Sign) :-
    (   N < 0 -> Sign = "-"
    ;   memberchk(+, Flags) -> Sign = "+"
    ;   memberchk(' ', Flags) -> Sign = " "
    ;   Sign = ""
    ).

zeros(N, S0, S) :- string_length(S0, L), Missing is max(0, N-L), format(string(S), "~*c~w", [Missing, 0'0, S0]).

%   Text, of which precision takes so many characters.
text(spec(Flags, Width, Precision), S0, Out) :-
    (   integer(Precision),
        string_length(S0, L),
        L > Precision
    ->  sub_string(S0, 0, Precision, _, S)
    ;   S = S0
    ),
    number(Flags, Width, ' ', "", S, Out).

%   Before and S in so many columns; the flag 0 fills between them, if it is to fill with that.
number(Flags, Width, Fill, Before, S, Out) :-
    string_length(Before, L1),
    string_length(S, L2),
    Missing is max(0, Width-L1-L2),
    (   memberchk(-, Flags)
    ->  format(Out, "~w~w~*c", [Before, S, Missing, 0' ])
    ;   Fill == '0', memberchk('0', Flags)
    ->  format(Out, "~w~*c~w", [Before, Missing, 0'0, S])
    ;   format(Out, "~*c~w~w", [Missing, 0' , Before, S])
    ).

:- prolog_load_context(module, M), assertz(system:('$library_expansion'(Term, Clauses) :- M:expansion(Term, Clauses))).
