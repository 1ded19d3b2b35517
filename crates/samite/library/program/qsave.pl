:- module(qsave, [ qsave_program/1, qsave_program/2 ]).

/*  A program as one executable file.

    As SWI-Prolog's library(qsave). The file is Samite's own executable, behind it the program, and last where that begins: eight bytes, and the word that
    '$state' looks for when Samite starts. The program is a row of terms (fast_write/2); '$state' says what each means.

    What is there of the program when it is saved comes back: clauses, with their files and lines, what is declared of predicates, modules and what they export and import, operators, records, flags that it
    has made. So do goals of initialization/1, which run again when the file is started, in their order. Global variables, tables, streams and threads do not.

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
    atom_concat(File, '.new', New),
    catch(
        (   setup_call_cleanup(
                open(New, write, Out, [type(binary)]),
                (   copy_executable(Emulator, Out, Size),
                    write_program(Out, Kept),
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

write_program(Out, Options) :-
    emit(Out, program(1)),
    emit_each(Options, Out),
    rows(ByFile, Asserted),
    '$loaded_files'(Files),
    forall(member(File, Files), write_file(Out, File, ByFile)),
    forall(member(goal(Goal), Asserted), emit(Out, do(Goal))),
    forall(imported(Goal), emit(Out, do(Goal))),
    forall(operator(Goal), emit(Out, do(Goal))),
    forall(member(clause(Module, Clause), Asserted), emit(Out, assert(Module, Clause))),
    forall(flag_goal(Goal), emit(Out, do(Goal))),
    forall(record_goal(Goal), emit(Out, do(Goal))),
    forall('$said'(Key, What, [], _), emit_said(Out, Key, What)),
    forall('$says'('$init', Place-Goal), emit(Out, init(Place, Goal))),
    forall('$says'('$restore', Place-Goal), emit(Out, init(Place, Goal))),
    emit(Out, end).

emit(Out, Term) :-
    fast_write(Out, Term).

emit_each([], _).
emit_each([Term|Terms], Out) :-
    emit(Out, Term),
    emit_each(Terms, Out).

%   (What modules inherited from at first is found out again.)
emit_said(_, '$imports_at_first', _) :- !.
emit_said(Out, Key, What) :-
    emit(Out, said(Key, What)).

%   write_file(+Out, +File, +ByFile): what a load of the file would find, a term for each clause.
write_file(Out, File, ByFile) :-
    emit(Out, file(File)),
    (   '$file_module'(File, Module)
    ->  exports(Module, Exports),
        emit(Out, term(1, (:- module(Module, Exports))))
    ;   true
    ),
    ( get_assoc(File, ByFile, Rows) -> true ; Rows = [] ),
    forall(member(row(Line, _, Term), Rows), emit(Out, term(Line, Term))),
    forall('$said'(Key, What, File, _), emit_said(Out, Key, What)),
    emit(Out, end_of_file).

exports(Module, Exports) :-
    module_property(Module, exports(PIs)),
    (   module_property(Module, exported_operators(Operators))
    ->  append(PIs, Operators, Exports)
    ;   Exports = PIs
    ).

%   rows(-ByFile, -Asserted): an association of files with their terms, row(Line, Number, Term), in order; and goal(Goal) and clause(Module, Clause), what stands in no file.
rows(ByFile, Asserted) :-
    findall(Item, ( predicate(Kind, Module, Head), item(Kind, Module, Head, Item) ), Items),
    divided(Items, 1, Pairs, Asserted),
    msort(Pairs, Sorted),
    group_pairs_by_key(Sorted, Groups),
    list_to_assoc(Groups, ByFile).

divided([], _, [], []).
divided([Item|Items], N, Pairs, Asserted) :-
    (   Item = term(File, Line, Term)
    ->  Pairs = [File-row(Line, N, Term)|Pairs1],
        Asserted = Asserted1
    ;   Pairs = Pairs1,
        Asserted = [Item|Asserted1]
    ),
    N1 is N+1,
    divided(Items, N1, Pairs1, Asserted1).

%   predicate(-Kind, -Module, -Head): of the program; or a `hook` that it may have clauses of, in a module of the system's.
predicate(Kind, Module, Head) :-
    current_module(Module),
    \+ sub_atom(Module, 0, 1, _, $),
    (   is_program(Module)
    ->  Kind = own,
        predicate_property(Module:Head, defined)
    ;   Kind = hook,
        predicate_property(Module:Head, multifile)
    ),
    \+ predicate_property(Module:Head, imported_from(_)).

is_program(Module) :-
    \+ memberchk(Module, [system, toplevel_variables]),
    (   '$module_file'(Module, _) -> true
    ;   \+ '$library_module'(Module, _)
    ).

%   item(+Kind, +Module, +Head, -Item): a declaration or a clause.
item(Kind, Module, Head, Item) :-
    functor(Head, Name, Arity),
    findall(File-(Line-Term), clause_of(Module, Head, File, Line, Term), Clauses),
    (   member(([])-_, Clauses) -> In = memory ; In = files ),
    (   Kind == own,
        declaration(Module, Head, Name/Arity, Declaration),
        (   home(Module, Clauses, File)
        ->  Item = term(File, 0, (:- Declaration))
        ;   Item = goal(Declaration)
        )
    ;   predicate_property(Module:Head, multifile),
        findall(File, ( member(File-_, Clauses), File \== [] ), Files0),
        sort(Files0, Files),
        member(File, Files),
        Item = term(File, 0, (:- multifile(Module:Name/Arity)))
    ;   \+ predicate_property(Module:Head, volatile),
        member(File-(Line-Term), Clauses),
        (   In == files
        ->  (   of_module(File, Module) -> Item = term(File, Line, Term)
            ;   Item = term(File, Line, Module:Term)
            )
        ;   % In the order in which they are, which files cannot say.
            Kind == own,
            Item = clause(Module, Term)
        )
    ).

of_module(File, Module) :-
    (   '$file_module'(File, Of) -> Of == Module
    ;   Module == user
    ).

home(_, Clauses, File) :-
    member(File0-_, Clauses),
    File0 \== [], !,
    File = File0.
home(Module, _, File) :-
    '$module_file'(Module, File).

%   clause_of(+Module, +Head, -File, -Line, -Term): File is [] if it stands in none.
clause_of(Module, Head, File, Line, Term) :-
    (   predicate_property(Module:Head, ssu)
    ->  rule(Module:Head, Term, Ref)
    ;   predicate_property(Module:Head, number_of_clauses(N)),
        N > 0,
        clause(Module:Head, Body, Ref),
        ( Body == true -> Term = Head ; Term = (Head :- Body) )
    ),
    (   clause_property(Ref, source(File0)),
        '$is_loaded'(File0)
    ->  File = File0,
        ( clause_property(Ref, line_count(Line)) -> true ; Line = 1 )
    ;   File = [],
        Line = 0
    ).

declaration(Module, Head, PI, Declaration) :-
    predicate_property(Module:Head, Property),
    (   Property == (dynamic)
    ->  \+ predicate_property(Module:Head, thread_local),
        (   predicate_property(Module:Head, incremental) -> Declaration = dynamic(as(Module:PI, incremental))
        ;   Declaration = dynamic(Module:PI)
        )
    ;   Property = meta_predicate(Spec)
    ->  Declaration = meta_predicate(Module:Spec)
    ;   memberchk(Property, [(thread_local), det, (public)])
    ->  Declaration =.. [Property, Module:PI]
    ;   Property == (volatile)
    ->  \+ predicate_property(Module:Head, thread_local),
        Declaration = volatile(Module:PI)
    ;   Property == (tabled)
    ->  findall(How, ( predicate_property(Module:Head, tabled(How)), \+ memberchk(How, [variant, moded]) ), Hows),
        ( '$says_last'('$modes', Module:PI-Spec) -> true ; Spec = PI ),
        (   conjunction(Hows, Options) -> Declaration = table(as(Module:Spec, Options))
        ;   Declaration = table(Module:Spec)
        )
    ).

conjunction([How], Options) :- !,
    Options = How.
conjunction([How|Hows], (How, Options)) :-
    conjunction(Hows, Options).

%   What modules import from others of the program; and libraries whose names are not found unless they are asked for.
imported(Goal) :-
    setof(From-Whats, setof(What, imports(Module, From, What), Whats), Froms),
    member(From-Whats, Froms),
    (   is_program(From)
    ->  member(PI, Whats),
        Goal = @(import(From:PI), Module)
    ;   '$library_module'(From, Library),
        '$is_asked_for'(Library)
    ->  library_name(Library, Name),
        Goal = Module:use_module(library(Name))
    ).

imports(Module, From, Name/Arity) :-
    current_module(Module),
    is_program(Module),
    \+ sub_atom(Module, 0, 1, _, $),
    current_predicate(Module:Name/Arity),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, imported_from(From)),
    From \== system.

library_name(Library, Name) :-
    atomic_list_concat([First|Parts], /, Library),
    foldl([Part, Before, Before/Part]>>true, Parts, First, Name).

operator(op(Priority, Type, Module:Name)) :-
    current_module(Module),
    is_program(Module),
    \+ sub_atom(Module, 0, 1, _, $),
    ( Module == user -> Base = system ; Base = user ),
    current_op(Priority, Type, Module:Name),
    \+ current_op(Priority, Type, Base:Name).

flag_goal(create_prolog_flag(Flag, Value, [])) :-
    current_prolog_flag(Flag, Value),
    \+ '$is_system_flag'(Flag).
flag_goal(set_prolog_flag(Flag, Value)) :-
    member(Flag, [double_quotes, back_quotes, prefer_rationals, iso, float_overflow, float_zero_div, float_undefined, float_rounding, unknown, answer_write_options, print_write_options, stream_type_check,
        toplevel_prompt, toplevel_print_anon, toplevel_residue_vars, toplevel_name_variables, optimise]),
    current_prolog_flag(Flag, Value).

record_goal(recordz(Key, Value)) :-
    current_key(Key),
    recorded(Key, Value).
record_goal(flag(Key, _, Value)) :-
    current_flag(Key),
    flag(Key, Value, Value).
