:- module(persistency,
          [ (persistent)/1,
            current_persistent_predicate/1,
            db_attach/2,
            db_attached/1,
            db_detach/0,
            db_sync/1,
            db_sync_all/1,
            op(1150, fx, persistent)
          ]).

/*  Facts that a file keeps.

    As SWI-Prolog's library(persistency), whose files it reads and writes:

        :- persistent user_role(name:atom, role:oneof([user, administrator])).

    makes user_role/2 dynamic and defines assert_user_role/2, asserta_user_role/2, retract_user_role/2 and retractall_user_role/2. db_attach/2 reads what the file has, and what these
    do is written behind it, a term for each change: created(Stamp) at first, assert(Fact), asserta(Fact), retract(Fact), retractall(Fact, Count).

    *Invariant*: changed and written under one lock, '$persistency', so that the file has the changes in the order in which they were made. A module has one file at most.

    Differs from it in: files are not locked against other processes.
*/

:- meta_predicate db_attach(:, +), db_attached(:), db_sync(:), current_persistent_predicate(:), db_detach, db_detach(:).

%   declared(Module, General, Spec); file(Module, File, Created, Modified, End): what of the file is known; stream(Module, Stream); dirty(Module, Count): how many facts that are in the file are
%   not any more; how(Module, How): the option sync.
:- dynamic declared/3, file/5, stream/2, dirty/2, how/2.
:- volatile file/5, stream/2, dirty/2, how/2.

%!  persistent(+Specs)
%
%   A directive; see above. Specs are terms Name(Field:Type, ...), several joined by commas; a type is one of must_be/2, and looked at when a fact is added.

persistent(Specs) :-
    throw(error(context_error(nodirective, persistent(Specs)), _)).

:- assertz(system:('$library_expansion'((:- persistent(Specs)), Clauses) :- persistency:expansion(Specs, Clauses))).

expansion(Specs, Clauses) :-
    prolog_load_context(module, Module),
    specs(Specs, Module, Clauses, []).

specs(Specs, _, _, _) :-
    var(Specs), !,
    instantiation_error(Specs).
specs((A, B), Module, Cs0, Cs) :- !,
    specs(A, Module, Cs0, Cs1),
    specs(B, Module, Cs1, Cs).
specs(Module:Specs, _, Cs0, Cs) :- !,
    must_be(atom, Module),
    specs(Specs, Module, Cs0, Cs).
specs(Spec, Module, [(:- dynamic(Module:Name/Arity)), (:- initialization(persistency:declare(Module, General, Spec), now))|Cs0], Cs) :-
    must_be(callable, Spec),
    Spec =.. [Name|Fields],
    length(Fields, Arity),
    functor(General, Name, Arity),
    General =.. [_|Args],
    checks(Fields, Args, Checks),
    clause_of(assert, Name, Args, (Checks, persistency:change(Module, assert(General))), Module, Cs0, Cs1),
    clause_of(asserta, Name, Args, (Checks, persistency:change(Module, asserta(General))), Module, Cs1, Cs2),
    clause_of(retract, Name, Args, persistency:change(Module, retract(General)), Module, Cs2, Cs3),
    clause_of(retractall, Name, Args, persistency:change(Module, retractall(General)), Module, Cs3, Cs).

clause_of(What, Name, Args, Body, Module, [(Module:Head :- Body)|Cs], Cs) :-
    atomic_list_concat([What, '_', Name], Predicate),
    Head =.. [Predicate|Args].

checks([], [], true).
checks([Field|Fields], [Arg|Args], Checks) :-
    (   nonvar(Field), Field = _:Type, nonvar(Type), Type \== any
    ->  Checks = (must_be(Type, Arg), Checks1)
    ;   Checks = Checks1
    ),
    checks(Fields, Args, Checks1).

%   declare(+Module, +General, +Spec)
declare(Module, General, Spec) :-
    retractall(declared(Module, General, _)),
    assertz(declared(Module, General, Spec)).

%!  current_persistent_predicate(:Indicator) is nondet.
%
%   Indicator is that of a persistent predicate, or of one that changes it.

current_persistent_predicate(Qualified) :-
    '$strip_modules'(Qualified, Module, Name/Arity),
    declared(Module, General, _),
    functor(General, Fact, Arity),
    (   Name = Fact
    ;   member(Prefix, [assert_, asserta_, retract_, retractall_]),
        atom_concat(Prefix, Fact, Name)
    ).

%!  db_attach(:File, +Options) is det.
%
%   File keeps the module's facts, and those that it has are added. It need not be there. Options are sync(How): the file is closed after each change (close), what is written
%   is passed on to the system (flush, as if nothing is said), or stays in the stream's buffer (none).

db_attach(Qualified, Options) :-
    '$strip_modules'(Qualified, Module, File),
    option(sync(How), Options, flush),
    must_be(oneof([close, flush, none]), How),
    '$locked'('$persistency', attach(Module, File, How)).

attach(Module, File, How) :-
    (   file(Module, Attached, _, _, _)
    ->  (   Attached == File
        ->  retractall(how(Module, _)),
            assertz(how(Module, How)),
            (   stream(Module, Stream)
            ->  written(How, Module, Stream)
            ;   true
            )
        ;   permission_error(attach, db, File)
        )
    ;   retractall(dirty(Module, _)),
        (   exists_file(File)
        ->  load(Module, File)
        ;   assertz(file(Module, File, 0, 0, 0))
        ),
        retractall(how(Module, _)),
        assertz(how(Module, How))
    ).

%!  db_attached(:File) is semidet.
%
%   File keeps the module's facts.

db_attached(Qualified) :-
    '$strip_modules'(Qualified, Module, File),
    file(Module, File, _, _, _).

%!  db_detach is det.
%
%   No file keeps the facts of the module that calls it any more, and they are retracted.

db_detach :-
    db_detach(user:_).

%   (A call from a module other than user comes here.)
db_detach(Module:_) :-
    '$locked'('$persistency', ( detach(Module), forget_facts(Module) )).

detach(Module) :-
    forall(retract(stream(Module, Stream)), close(Stream)),
    retractall(file(Module, _, _, _, _)),
    retractall(dirty(Module, _)),
    retractall(how(Module, _)).

forget_facts(Module) :-
    retractall(dirty(Module, _)),
    forall(declared(Module, General, _), retractall(Module:General)).

%   --- changes ---

%   change(+Module, +Change): of facts, then of the file.
change(Module, Change) :-
    '$locked'('$persistency', changed(Change, Module)).

changed(assert(Fact), Module) :-
    file_to_write(Module, Stream),
    assertz(Module:Fact),
    write_change(Module, Stream, assert(Fact)).
changed(asserta(Fact), Module) :-
    file_to_write(Module, Stream),
    asserta(Module:Fact),
    write_change(Module, Stream, asserta(Fact)).
changed(retract(Fact), Module) :-
    file_to_write(Module, Stream),
    retract(Module:Fact), !,
    add_dirty(Module, 1),
    write_change(Module, Stream, retract(Fact)).
changed(retractall(Fact), Module) :-
    file_to_write(Module, Stream),
    aggregate_all(count, retract(Module:Fact), Count),
    (   Count =:= 0
    ->  true
    ;   add_dirty(Module, Count),
        write_change(Module, Stream, retractall(Fact, Count))
    ).

file_to_write(Module, Stream) :-
    (   stream(Module, Stream0)
    ->  Stream = Stream0
    ;   file(Module, _, _, _, _)
    ->  synchronize(update, Module),
        file(Module, File, Created, Modified, End),
        open_to_write(File, append, Stream, Stamp),
        (   var(Stamp)
        ->  true
        ;   retract(file(Module, File, Created, Modified, End)),
            assertz(file(Module, File, Stamp, Modified, End))
        ),
        assertz(stream(Module, Stream))
    ;   existence_error(db_file, Module)
    ).

%   open_to_write(+File, +Mode, -Stream, -Stamp): Stamp stays unbound if File is not new.
open_to_write(File, Mode, Stream, Stamp) :-
    open(File, Mode, Stream, [encoding(utf8)]),
    (   size_file(File, 0)
    ->  get_time(Stamp),
        write_term_of(Stream, created(Stamp))
    ;   true
    ).

write_change(Module, Stream, Change) :-
    write_term_of(Stream, Change),
    how(Module, How),
    written(How, Module, Stream).

write_term_of(Stream, Term) :-
    \+ \+ (
        numbervars(Term, 0, _, [singletons(true)]),
        write_term(Stream, Term, [quoted(true), numbervars(true), module(db), fullstop(true), nl(true)]) ).

written(close, Module, _) :- close_stream(Module).
written(flush, _, Stream) :- flush_output(Stream).
written(none, _, _).

add_dirty(Module, Count) :-
    ( retract(dirty(Module, Count0)) -> true ; Count0 = 0 ),
    Count1 is Count0+Count,
    assertz(dirty(Module, Count1)).

close_stream(Module) :-
    (   retract(stream(Module, Stream))
    ->  stream_property(Stream, position(End)),
        close(Stream),
        retract(file(Module, File, Created, _, _)),
        time_file(File, Modified),
        assertz(file(Module, File, Created, Modified, End))
    ;   true
    ).

%   --- reading ---

load(Module, File) :-
    setup_call_cleanup(
        open(File, read, Stream, [encoding(utf8)]),
        (   read_change(Stream, First, Line),
            (   First = created(Created)
            ->  play_rest(Stream, Module)
            ;   Created = 0,
                play(First, Line, Stream, Module)
            ),
            stream_property(Stream, position(End))
        ),
        close(Stream)),
    time_file(File, Modified),
    assertz(file(Module, File, Created, Modified, End)).

%   What has been added behind what is known.
load_rest(Module, File) :-
    file(Module, File, Created, Modified0, End0),
    End0 \== 0,
    setup_call_cleanup(
        open(File, read, Stream, [encoding(utf8)]),
        (   read_change(Stream, created(Created), _),
            set_stream_position(Stream, End0),
            play_rest(Stream, Module),
            stream_property(Stream, position(End))
        ),
        close(Stream)),
    time_file(File, Modified),
    retract(file(Module, File, Created, Modified0, End0)),
    assertz(file(Module, File, Created, Modified, End)).

%   read_change(+Stream, -Change, -Line)
read_change(Stream, Change, Line) :-
    read_term(Stream, Change, [module(db), term_position(Position)]),
    stream_position_data(line_count, Position, Line).

play_rest(Stream, Module) :-
    read_change(Stream, Change, Line),
    play(Change, Line, Stream, Module).

play(end_of_file, _, _, _) :- !.
play(Change, Line, Stream, Module) :-
    (   play(Change, Module) -> true
    ;   stream_property(Stream, file_name(File)),
        print_message(error, format('~w:~w: Illegal term in a database: ~p', [File, Line, Change]))
    ),
    play_rest(Stream, Module).

play(assert(Fact), Module) :- declared(Module, Fact, _), assertz(Module:Fact).
play(asserta(Fact), Module) :- declared(Module, Fact, _), asserta(Module:Fact).
play(retractall(Fact, Count), Module) :-
    declared(Module, Fact, _),
    retractall(Module:Fact),
    add_dirty(Module, Count).
play(retract(Fact), Module) :-
    declared(Module, Fact, _),
    ( retract(Module:Fact) -> add_dirty(Module, 1) ; true ).

%   --- as the file is, or the file as it should be ---

%!  db_sync(:What) is det.
%
%   What is
%
%     - `reload`: what another process has written is read. `update` means the same.
%     - gc(Percentage), gc(always): the file is written anew if that part of its facts, or any, are not there any more. `gc` is gc(50).
%     - `close`: the file is closed, until the next change.
%     - `detach`: the file keeps the facts no more; they stay.
%     - `nop`: nothing.

db_sync(Qualified) :-
    '$strip_modules'(Qualified, Module, What),
    must_be(nonvar, What),
    '$locked'('$persistency', sync_module(What, Module)).

sync_module(What, Module) :-
    (   file(Module, _, _, _, _)
    ->  synchronize(What, Module)
    ;   true
    ).

synchronize(reload, Module) :- !,
    (   \+ stream(Module, _),
        file(Module, File, _, Modified, _),
        catch(time_file(File, Now), error(existence_error(_, _), _), fail),
        Now > Modified
    ->  (   catch(load_rest(Module, File), error(_, _), fail)
        ->  true
        ;   % It is another one.
            forget_facts(Module),
            retractall(file(Module, _, _, _, _)),
            load(Module, File)
        )
    ;   true
    ).
synchronize(update, Module) :- !,
    synchronize(reload, Module).
synchronize(gc, Module) :- !,
    synchronize(gc(50), Module).
synchronize(gc(When), Module) :- !,
    (   is_due(When, Module)
    ->  close_stream(Module),
        write_anew(Module)
    ;   true
    ).
synchronize(close, Module) :- !,
    close_stream(Module).
synchronize(detach, Module) :- !,
    detach(Module).
synchronize(nop, _) :- !.
synchronize(What, _) :-
    domain_error(db_sync, What).

is_due(When, Module) :-
    (   When == always
    ->  true
    ;   must_be(number, When),
        dirty(Module, Dirty),
        aggregate_all(sum(N), ( declared(Module, General, _), predicate_property(Module:General, number_of_clauses(N)) ), Total),
        Dirty*100 > When*Total
    ).

%   Beside the file, in whose place it comes when it is whole.
write_anew(Module) :-
    file(Module, File, _, _, _),
    atom_concat(File, '.new', New),
    catch(
        setup_call_cleanup(
            open_to_write(New, write, Stream, Created),
            (   forall(( declared(Module, General, _), Module:General ), write_term_of(Stream, assert(General))),
                flush_output(Stream),
                stream_property(Stream, position(End))
            ),
            close(Stream)),
        Error,
        ( catch(delete_file(New), error(_, _), true), throw(Error) )),
    rename_file(New, File),
    time_file(File, Modified),
    retractall(file(Module, _, _, _, _)),
    assertz(file(Module, File, Created, Modified, End)),
    retractall(dirty(Module, _)).

%!  db_sync_all(+What) is det.
%
%   As db_sync/1, for all modules whose facts a file keeps.

db_sync_all(What) :-
    must_be(oneof([reload, update, gc, gc(_), close]), What),
    findall(Module, file(Module, _, _, _, _), Modules),
    forall(member(Module, Modules), '$locked'('$persistency', sync_module(What, Module))).
