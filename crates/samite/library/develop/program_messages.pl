% What programs and libraries say by terms of SWI-Prolog's.

:- module('$program_messages',
          [ '$program_message'//1,
            '$program_error'//1
          ]).

/*  Samite itself prints none of the messages, and raises few of the errors: they are for programs that print what SWI-Prolog's would. Left out is what says what
    only SWI-Prolog does, by its compiled files, its collectors, its index of libraries, its frames and its debugger. Asked after the others, in messages.pl.
*/

%!  '$program_message'(+Term)// is semidet.
%
%   The lines of a message.

'$program_message'(Term) -->
    { nonvar(Term) },
    message_text(Term).

%!  '$program_error'(+Formal)// is semidet.
%
%   The lines of an error.

'$program_error'(Formal) -->
    { nonvar(Formal) },
    error_text(Formal).

error_text(context_error(nodirective, Goal)) -->
    { indicator(Goal, PI) },
    [ 'Wrong context: ~p can only be used in a directive'-[PI] ].
error_text(context_error(edit, Why)) -->
    { Why == no_default_file },
    [ 'edit/0 needs a file: say edit(Topic), or name one on the command line' ].
error_text(context_error(function, What)) -->
    { nonvar(What), What = meta_arg(S) },
    [ 'Functions are not (yet) supported for meta-arguments of type ~q'-[S] ].
error_text(failure_error(Goal)) -->
    [ 'Goal failed: ~p'-[Goal] ].
error_text(goal_failed(Goal)) -->
    [ 'goal unexpectedly failed: ~p'-[Goal] ].
error_text(goal_expansion_error(Why, Term)) -->
    { Why == bound },
    [ 'Goal expansion bound a variable to ~p'-[Term] ].
error_text(initialization_error(E, Goal, Place)) -->
    { nonvar(Place), Place = File:Line },
    [ '~w:~w: ~p'-[File, Line, Goal] ],
    ( { E == failed } -> [ ': false' ] ; [ ' ' ], translate_message(E) ).
error_text(shell(execute, Command)) -->
    [ 'Could not execute `~w'''-[Command] ].
error_text(signal(Name, Number)) -->
    [ 'Caught signal ~w (~w)'-[Number, Name] ].

message_text(user_versions) --> [].
message_text(version) -->
    { numbers(Version) },
    [ '~w'-[Version] ].
message_text(address_bits) --> [ '64 bits, ' ].
message_text(threads) --> [ 'threaded, ' ].
message_text(copyright) --> copyright.
message_text(about) -->
    { numbers(Version) },
    [ 'Samite version (threaded, 64 bits, version ~w)'-[Version], nl ],
    copyright.
message_text(missing_feature(Feature)) -->
    [ 'This version of Samite does not support ~q'-[Feature] ].
message_text(commandline_arg_type(Option, Argument)) -->
    [ 'Bad argument to commandline option -~w: ~w'-[Option, Argument] ].
message_text(multitons(_, Names)) -->
    [ 'Singleton-marked variables appearing more than once: ~w'-[Names] ].
message_text(non_ascii(Text, Type)) -->
    [ 'Unquoted ~w with non-portable characters: ~w'-[Type, Text] ].
message_text(io_warning(Stream, Text)) -->
    (   { catch(stream_property(Stream, position(Position)), error(_, _), fail) }
    ->  { stream_position_data(line_count, Position, Line), stream_position_data(line_position, Position, Column),
          ( stream_property(Stream, file_name(Name)) -> true ; Name = Stream ) },
        [ '~p:~d:~d: ~w'-[Name, Line, Column, Text] ]
    ;   [ 'stream ~p: ~w'-[Stream, Text] ]
    ).
message_text(interrupt(end)) --> [ continue ].
message_text(interrupt(trace)) --> [ 'continue (trace mode)' ].
message_text(unknown_in_module_user) -->
    [ 'The flag unknown of module user is to be error: other values keep mistakes from being told', nl,
      'Use :- dynamic, or set the flag in a module' ].
message_text(untable(PI)) -->
    [ 'Reconsult: removed tabling for ~p'-[PI] ].
message_text(modify_active_procedure(Who, PI)) -->
    [ '~p: modified active procedure ~p'-[Who, PI] ].
message_text(load_file(Failed)) -->
    { nonvar(Failed), Failed = failed(What) },
    (   { nonvar(What), What = Module:File, Module \== user }
    ->  [ 'Failed to load ~p into module ~p'-[File, Module] ]
    ;   { nonvar(What), What = user:File }
    ->  [ 'Failed to load ~p'-[File] ]
    ;   [ 'Failed to load ~p'-[What] ]
    ).
message_text(mixed_directive(Goal)) -->
    [ 'Cannot pre-compile mixed load/call directive: ~p'-[Goal] ].
message_text(declare_module(Module, Done)) -->
    { nonvar(Done), Done = abolish(PIs) },
    [ 'Loading module ~p abolished: ~p'-[Module, PIs] ].
message_text(no_exported_op(Module, Op)) -->
    [ 'Operator ~q:~q is not exported (still defined)'-[Module, Op] ].
message_text(minus_in_identifier) --> minus.
message_text(redefine_module(Module, Old, File)) -->
    [ 'Module "~q" already loaded from ~w.'-[Module, Old], nl,
      'Wipe and reload from ~w? '-[File], flush ].
message_text(redefine_module_reply) -->
    [ 'Please answer y(es), n(o) or a(bort)' ].
message_text(reloaded_in_module(File, Old, New)) -->
    [ '~w was previously loaded in module ~w'-[File, Old], nl,
      '\tnow it is reloaded into module ~w'-[New] ].
message_text(expected_layout(Expected, Found)) -->
    [ 'Layout data: expected ~w, found: ~p'-[Expected, Found] ].
message_text(file_search(Step, File)) -->
    { nonvar(Step) },
    file_search(Step, File).
message_text(make(Step)) -->
    { nonvar(Step) },
    make(Step).
message_text(autoload(PI, File)) -->
    [ 'autoloading ~p from ~w'-[PI, File] ].
message_text(close_on_abort(Stream)) -->
    [ 'Abort: closed stream ~p'-[Stream] ].
message_text(halt(Reason)) -->
    [ '~w: halt'-[Reason] ].
message_text(no_action(Code)) -->
    [ 'Unknown action: ~c (h for help)'-[Code] ].
message_text(history(Event)) -->
    { nonvar(Event) },
    history(Event).
message_text(spy(Head)) -->
    { indicator(Head, PI) },
    [ 'Spy point on ~p'-[PI] ].
message_text(nospy(Head)) -->
    { indicator(Head, PI) },
    [ 'Spy point removed from ~p'-[PI] ].
message_text(spying(Heads)) -->
    (   { Heads == [] }
    ->  [ 'No spy points' ]
    ;   { is_list(Heads) },
        [ 'Spy points (see spy/1) on:' ],
        spied(Heads)
    ).
message_text(trace(Head, Ports)) -->
    { indicator(Head, PI) },
    [ '~t~8|~p: '-[PI] ],
    ( { Ports == [] } -> [ 'Not tracing' ] ; [ '~w'-[Ports] ] ).
message_text(tracing(Traced)) -->
    (   { Traced == [] }
    ->  [ 'No traced predicates (see trace/1)' ]
    ;   { is_list(Traced) },
        [ 'Trace points (see trace/1) on:' ],
        traced(Traced)
    ).
message_text(trace_mode(Mode)) --> [ 'Trace mode switched to ~w'-[Mode] ].
message_text(debugging(Mode)) -->
    { atom(Mode) },
    [ 'Debug mode is ~w'-[Mode] ].
message_text(debug_mode(Mode)) --> [ 'Debug mode switched to ~w'-[Mode] ].
message_text(compatibility(Change)) -->
    { nonvar(Change), Change = renamed(Old, New) },
    [ 'The predicate ~p has been renamed to ~p.'-[Old, New], nl,
      'Please update your sources for compatibility with future versions.' ].
message_text(threads_not_died(Threads)) -->
    [ 'The following threads wouldn''t die: ~p'-[Threads] ].
message_text(pack(What)) -->
    { nonvar(What) },
    pack(What).
message_text(null_byte_in_path(Component)) -->
    [ '0-byte in PATH component: ~p (skipped directory)'-[Component] ].
message_text(invalid_tmp_dir(Directory, Why)) -->
    [ 'Cannot use ~p as temporary file directory: ~w'-[Directory, Why] ].
message_text(ambiguous_stream_pair(Pair)) -->
    [ 'Ambiguous operation on stream pair ~p'-[Pair] ].
message_text(debug_topics(header)) -->
    [ '~w~t~w~35| ~w'-['Debug Topic', 'Activated', 'To'], nl,
      '~`-t~48|' ].
message_text(debug_topic(_, Text, On, Outputs)) -->
    { ( On == true -> Mark = '\x2714\' ; Mark = (-) ), ( ( Outputs == [] ; Outputs == [user_error] ) -> To = '' ; To = Outputs ) },
    [ '~w~t~w~35| ~w'-[Text, Mark, To] ].
message_text(dwim_correct(Goal)) -->
    [ 'Correct to: ~p? '-[Goal], flush ].

copyright -->
    [ 'Samite comes with ABSOLUTELY NO WARRANTY. This is free software.' ].

numbers(Version) :-
    current_prolog_flag(version_data, samite(Major, Minor, Patch, _)),
    atomic_list_concat([Major, Minor, Patch], '.', Version).

minus -->
    [ 'The "-" character should not be used to separate words in an', nl,
      'identifier.' ].

file_search(cache(Spec, _), File) --> [ 'File search: ~p --> ~p (cache)'-[Spec, File] ].
file_search(found(Spec, Condition), File) --> [ 'File search: ~p --> ~p OK ~p'-[Spec, File, Condition] ].
file_search(tried(Spec, Condition), File) --> [ 'File search: ~p --> ~p NO ~p'-[Spec, File, Condition] ].

make(reload(Files)) --> { is_list(Files), length(Files, N) }, [ 'Make: reloading ~D files'-[N] ].
make(done(_)) --> [ 'Make: finished' ].
make(library_index(Directory)) --> [ 'Updating index for library ~w'-[Directory] ].

history(no_event) --> [ '! No such event' ].
history(bad_substitution) --> [ '! Bad substitution' ].
history(expanded(Event)) --> [ '~w.'-[Event] ].
history(history(Events)) --> { is_list(Events) }, events(Events).

events([]) --> [].
events([N/Event|Events]) -->
    [ '~t~w   ~4|~w.'-[N, Event] ],
    ( { Events == [] } -> [] ; [ nl ], events(Events) ).

pack(attached(Pack, Directory)) --> [ 'Attached package ~w at ~q'-[Pack, Directory] ].
pack(duplicate(Pack, Old, New)) -->
    [ 'Package ~w already attached at ~q.'-[Pack, Old], nl,
      '\tIgnoring version from ~q'-[New] ].
pack(no_arch(Pack, Machine)) --> [ 'Package ~w: no binary for architecture ~w'-[Pack, Machine] ].

spied([]) --> [].
spied([Head|Heads]) -->
    { indicator(Head, PI) },
    [ nl, '~t~8|~p'-[PI] ],
    spied(Heads).

traced([]) --> [].
traced([trace(Head, Ports)|More]) -->
    { indicator(Head, PI) },
    [ nl, '~t~8|~p: ~w'-[PI, Ports] ],
    traced(More).

%   The predicate that a head or goal is of; what is of module user is named without it.
indicator(Head, PI) :-
    '$strip_modules'(user:Head, Module, Plain),
    callable(Plain),
    ( compound(Plain) -> compound_name_arity(Plain, Name, Arity) ; Name = Plain, Arity = 0 ),
    ( Module == user -> PI = Name/Arity ; PI = Module:Name/Arity ).
