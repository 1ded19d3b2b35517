:- module(qsave, [ qsave_program/1, qsave_program/2 ]).

/*  A program as one executable file.

    As SWI-Prolog's library(qsave). The file is Samite's own executable, behind it the program, and last where that begins: eight bytes, and the word that
    '$state' looks for when Samite starts. The program is a row of terms (fast_write/2); '$state' says what each means.

    *Invariant*: what the program does when it is started is what it would have done from here on, but for what belongs to a process. So it is an image of what is there, not a text that is loaded again: the
    program's tables (builtins/image.rs), the clauses of each predicate in their order, whichever files they are of, and what libraries remember of what they were told, which are their dynamic predicates
    that are not volatile. Goals of initialization/1,2 run again when the file is started, in their order. Global variables, tables, streams and threads do not come back.

    Differs from SWI-Prolog's in: libraries are in the executable, so that the file needs nothing else; words of the command line are all the program's.
*/

:- meta_predicate qsave_program(+), qsave_program(+, :).

:- predicate_options(qsave_program/2, 2, [goal(callable), toplevel(callable), init_file(atom), class(oneof([runtime, development])), emulator(atom), stand_alone(boolean), autoload(boolean), verbose(boolean)]).

%!  qsave_program(+File) is det.
%!  qsave_program(+File, :Options) is det.
%
%   Writes the program to File, which can be run. Options: goal(Goal) runs when it has started, then toplevel(Goal) in place of the toplevel, by default `halt` if there is a goal(_); init_file(File) is loaded
%   before; emulator(File) is the executable to take (this one's). class(_), stand_alone(_), autoload(_) and verbose(_) are taken: the file is always whole.

qsave_program(File) :-
    qsave_program(File, []).

qsave_program(File0, Qualified) :-
    '$strip_modules'(Qualified, Module, Options0),
    must_be(list, Options0),
    options(Options0, Module, Kept0, Emulator),
    ended(Kept0, Kept),
    absolute_file_name(File0, File),
    ( var(Emulator) -> executable(Emulator) ; true ),
    forall('$says'('$prepare', Place-Goal), '$run_init_goal'(Goal, Place)),
    findall(Goal, flag_goal(Goal), Flags),
    current_prolog_flag(iso, Iso),
    current_prolog_flag(stream_type_check, Check),
    setup_call_cleanup(
        ( set_prolog_flag(iso, false), set_prolog_flag(stream_type_check, loose) ),
        write_executable(File, Emulator, Flags, Kept),
        ( set_prolog_flag(iso, Iso), set_prolog_flag(stream_type_check, Check) )).

write_executable(File, Emulator, Flags, Kept) :-
    atom_concat(File, '.new', New),
    catch(
        (   setup_call_cleanup(
                open(New, write, Out, [type(binary)]),
                (   copy_executable(Emulator, Out, Size),
                    write_program(Out, Flags, Kept),
                    write_place(Out, Size)
                ),
                close(Out)),
            chmod(New, +rx),
            rename_file(New, File)
        ),
        Error,
        ( catch(delete_file(New), error(_, _), true), throw(Error) )).

%   ended(+Kept0, -Kept): a program with a goal is over after it, unless the options say what comes next.
ended(Kept0, Kept) :-
    (   memberchk(goal(_), Kept0),
        \+ memberchk(toplevel(_), Kept0)
    ->  Kept = [toplevel(halt)|Kept0]
    ;   Kept = Kept0
    ).

executable(File) :-
    (   current_prolog_flag(executable, File0)
    ->  File = File0
    ;   existence_error(prolog_flag, executable)
    ).

%   options(+Options, +Module, -Kept, -Emulator)
options([], _, [], _).
options([Option|Options], Module, Kept, Emulator) :-
    must_be(nonvar, Option),
    (   option(Option, Module, Emulator, Kept, Kept1)
    ->  true
    ;   domain_error(qsave_option, Option)
    ),
    options(Options, Module, Kept1, Emulator).

option(Name=Value, Module, Emulator, Kept, Kept1) :- !,
    must_be(atom, Name),
    Option =.. [Name, Value],
    option(Option, Module, Emulator, Kept, Kept1).
option(goal(Goal), Module, _, [goal(Qualified)|Kept], Kept) :-
    must_be(callable, Goal),
    qualified(Goal, Module, Qualified).
option(toplevel(Goal), Module, _, [toplevel(Qualified)|Kept], Kept) :-
    must_be(callable, Goal),
    ( memberchk(Goal, [halt, prolog, default]) -> Qualified = Goal ; qualified(Goal, Module, Qualified) ).
option(init_file(none), _, _, Kept, Kept) :- !.
option(init_file(File), _, _, [init_file(File)|Kept], Kept) :-
    must_be(atom, File).
option(emulator(File0), _, File, Kept, Kept) :-
    absolute_file_name(File0, File, [access(read)]).
option(class(Class), _, _, Kept, Kept) :-
    must_be(oneof([runtime, development]), Class).
option(stand_alone(Bool), _, _, Kept, Kept) :- must_be(boolean, Bool).
option(autoload(Bool), _, _, Kept, Kept) :- must_be(boolean, Bool).
option(verbose(Bool), _, _, Kept, Kept) :- must_be(boolean, Bool).
option(op(save), _, _, Kept, Kept).
option(foreign(no_save), _, _, Kept, Kept).
option(undefined(ignore), _, _, Kept, Kept).

qualified(Goal, Module, Qualified) :-
    '$strip_modules'(Module:Goal, M, Plain),
    Qualified = M:Plain.

%   The executable without a program that it has already.
copy_executable(File, Out, Size) :-
    setup_call_cleanup(
        open(File, read, In, [type(binary)]),
        (   '$program_place'(In, Size) -> true
        ;   seek(In, 0, eof, Size)
        ),
        close(In)),
    setup_call_cleanup(
        open(File, read, Again, [type(binary)]),
        copy_stream_data(Again, Out, Size),
        close(Again)).

write_place(Out, Size) :-
    forall(( member(Byte, [7, 6, 5, 4, 3, 2, 1, 0]) ), ( B is (Size >> (8*Byte)) /\ 255, put_byte(Out, B) )),
    '$program_word'(Word),
    forall(member(B, Word), put_byte(Out, B)).

%   --- the program ---

%   What '$state' reads, in an order in which nothing refers to what is not there yet: modules go before libraries, whose names they may have taken, and kinds of predicates before clauses, which are
%   compiled by what they call.
write_program(Out, Flags, Options) :-
    emit(Out, program(2)),
    emit_each(Options, Out),
    '$image'(Rows),
    partition(is_early, Rows, Early, Late),
    % (No module inherits from itself at any time.)
    forall(member(inherits(Module, _), Early), emit(Out, row(inherits(Module, [])))),
    forall(member(Row, Early), emit(Out, row(Row))),
    findall(M:PI, member(predicate(M:PI, _, _, _, _, _, _), Rows), Own),
    findall(state(Of, Kind), state(Of, Kind), States),
    forall(needed_library(Rows, Own, States, Library), emit(Out, library(Library))),
    forall(( member(PI, Own), kind(PI, Goal) ), emit(Out, do(Goal))),
    partition(is_predicate, Late, Predicates, Tables),
    forall(member(Row, Predicates), emit(Out, row(Row))),
    forall(( member(PI, Own), clause_of(PI, Clause, File, Text, Line) ), emit(Out, clause(Clause, File, Text, Line))),
    forall(member(Row, Tables), emit(Out, row(Row))),
    forall(saying(Own, Goal), emit(Out, do(Goal))),
    forall(member(State, States), write_state(State, Out)),
    % (How the program is written, and built again, is not for its flags to say.)
    forall(member(Goal, Flags), emit(Out, do(Goal))),
    emit(Out, end).

emit(Out, Term) :-
    fast_write(Out, Term).

emit_each([], _).
emit_each([Term|Terms], Out) :-
    emit(Out, Term),
    emit_each(Terms, Out).

is_early(Row) :-
    functor(Row, Name, _),
    memberchk(Name, [files, loaded, source_name, context, module, inherits, module_flag, operator]).

is_predicate(predicate(_, _, _, _, _, _, _)).

%   kind(+PI, -Goal) is nondet: Goal makes a predicate of the program what it is.
kind(M:PI, Goal) :-
    '$predicate_properties'(M:PI, Properties),
    \+ memberchk(imported_from(_), Properties),
    member(Property, Properties),
    kind(Property, M:PI, Properties, Goal).

kind(dynamic, PI, Properties, Goal) :-
    \+ memberchk(thread_local, Properties),
    (   memberchk(abstract(0), Properties) -> Goal = dynamic(as(PI, (incremental, abstract(0))))
    ;   memberchk(incremental, Properties) -> Goal = dynamic(as(PI, incremental))
    ;   Goal = dynamic(PI)
    ).
kind(thread_local, PI, _, thread_local(PI)).
kind(tabled, M:PI, Properties, Goal) :-
    findall(How, ( member(tabled(How), Properties), \+ memberchk(How, [variant, moded]) ), Hows),
    ( '$says_last'('$modes', M:PI-Spec) -> true ; Spec = PI ),
    (   conjunction(Hows, Options) -> Goal = table(as(M:Spec, Options))
    ;   Goal = table(M:Spec)
    ).

conjunction([How], Options) :- !,
    Options = How.
conjunction([How|Hows], (How, Options)) :-
    conjunction(Hows, Options).

%   clause_of(+PI, -Clause, -File, -Text, -Line) is nondet: in their order. File is [] if it stands in none. What a library has added comes with the library, and volatile predicates are empty when a
%   program begins, as are those of each thread.
clause_of(M:Name/Arity, M:Clause, File, Text, Line) :-
    functor(Head, Name, Arity),
    '$predicate_properties'(M:Name/Arity, Properties),
    \+ memberchk(volatile, Properties),
    \+ memberchk(imported_from(_), Properties),
    (   memberchk(ssu, Properties)
    ->  rule(M:Head, Clause, Ref)
    ;   memberchk(number_of_clauses(N), Properties),
        N > 0,
        clause(M:Head, Body, Ref),
        ( Body == true -> Clause = Head ; Clause = (Head :- Body) )
    ),
    (   clause_property(Ref, source(File))
    ->  \+ library_file(File, _),
        clause_property(Ref, file(Text)),
        ( clause_property(Ref, line_count(Line)) -> true ; Line = 0 )
    ;   File = [],
        Text = [],
        Line = 0
    ).

library_file(File, Library) :-
    atom(File),
    atom_concat('library(', Rest, File),
    atom_concat(Library, ')', Rest).

%   state(-PI, -Kind) is nondet: a predicate of Samite's own, the clauses of which the program has a part in: what libraries remember of what they were told, and hooks. What concerns a process, its files and
%   threads, is declared volatile. Kind is (dynamic) or static.
state(M:PI, Kind) :-
    '$library_state'(All),
    member(state(M:PI, Kind), All),
    once(( M == system, Kind == (dynamic) ; clause_of(M:PI, _, _, _, _) )).

write_state(state(PI, Kind), Out) :-
    emit(Out, state(PI, Kind)),
    forall(( clause_of(PI, Clause, File, Text, Line), \+ is_said_by_library(Clause) ), emit(Out, clause(Clause, File, Text, Line))).

%   It says so again when it is loaded.
is_said_by_library(system:'$said'(_, _, By, _)) :-
    library_file(By, _).

%   needed_library(+Rows, +Own, +States, -Library) is nondet: the program imports something from it, has told it something, or it has added clauses to what is the program's.
needed_library(Rows, Own, States, Library) :-
    findall(L, library_of(Rows, Own, States, L), Ls0),
    sort(Ls0, Ls),
    member(Library, Ls).

library_of(Rows, _, _, Library) :-
    member(imports(_, import(_, M:_, From, _, _, _), _), Rows),
    ( '$library_module'(M, Library) ; '$library_module'(From, Library) ).
library_of(_, _, States, Library) :-
    member(state(M:_, _), States),
    '$library_module'(M, Library).
library_of(_, Own, _, Library) :-
    member(M:Name/Arity, Own),
    '$source_files_of'(M:Name/Arity, Files),
    member(File, Files),
    library_file(File, Library).

%   saying(+Own, -Goal) is nondet: what else there is that the program has said.
saying(_, Goal) :- record_goal(Goal).
saying(_, format_predicate(Char, M:Head)) :-
    '$format_predicates'(All),
    member(Char-(M:Head), All).
saying(Own, '$quasi_quotation_syntax'(M:PI)) :-
    member(M:PI, Own),
    '$predicate_properties'(M:PI, Properties, quasi_quotation_syntax),
    memberchk(quasi_quotation_syntax, Properties).
saying(Own, '$wrap'(M:Head, Name, Wrapper)) :-
    member(M:F/A, Own),
    functor(Head, F, A),
    '$wrappers'(M:Head, Wrappers),
    member(Name-Wrapper, Wrappers).
saying(_, '$initializes_threads') :-
    '$thread_init_goal'(_).
saying(_, '$set_program_space'(M, Bytes)) :-
    current_module(M),
    '$program_space'(M, Bytes).

flag_goal(create_prolog_flag(Flag, Value, [type(Type), access(Access)])) :-
    current_prolog_flag(Flag, Value),
    \+ '$is_system_flag'(Flag),
    '$flag_kind'(Flag, Type, Access).
%   (`memory_limit` sets the limit of threads, too; it goes before that one.)
flag_goal(set_prolog_flag(Flag, Value)) :-
    findall(Flag-Value, current_prolog_flag(Flag, Value), Flags0),
    sort(Flags0, Flags),
    member(Flag-Value, Flags),
    '$flag_begins'(Flag, First),
    \+ said_as_begins(Flag, Value, First).

said_as_begins(stack_limit, Value, Value) :- !,
    \+ limit_is_said.
said_as_begins(_, Value, Value).

limit_is_said :-
    current_prolog_flag(memory_limit, Limit),
    \+ '$flag_begins'(memory_limit, Limit).

record_goal(recordz(Key, Value)) :-
    current_key(Key),
    recorded(Key, Value).
record_goal(flag(Key, _, Value)) :-
    current_flag(Key),
    flag(Key, Value, Value).
