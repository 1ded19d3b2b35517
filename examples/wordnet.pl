/*  Six transitive closures over WordNet 3.0, on all cores.

    The benchmarks are those of the WordNet set in Areias and Rocha, "An Efficient
    and Scalable Memory Allocator for Multithreaded Tabled Evaluation of Logic
    Programs".  Each closure is a tabled, left-recursive predicate, and is called
    once for each of the 117,659 synsets, with the first argument bound.  The calls
    are divided over threads, which take them in chunks from a queue; a thread keeps
    its own tables, which go with it when it ends, so that every benchmark starts
    from nothing.

        samite examples/wordnet.pl                 as many threads as cores
        samite examples/wordnet.pl --threads 4     four threads
        samite examples/wordnet.pl 4               the same

    The columns are the calls, the answers in the tables, the trie nodes of those
    tables (subgoals and answers, all threads together), and wall time.  The number
    of answers is known, and the exit status is 1 if one is not as expected.  What
    the system cannot tell, such as SWI-Prolog its trie nodes, is shown as `-`.

    The facts, and the licence of WordNet, are in the directory wordnet.
*/

:- ensure_loaded(wordnet/cluster).
:- ensure_loaded(wordnet/hypo).
:- ensure_loaded(wordnet/holo).
:- ensure_loaded(wordnet/hyper).
:- ensure_loaded(wordnet/tropo).
:- ensure_loaded(wordnet/mero).

                /*******************************
                *         THE CLOSURES         *
                *******************************/

%!  cluster_closure(+Synset, -Reached) is nondet.
%!  hypo_closure(+Synset, -Reached) is nondet.
%!  holo_closure(+Synset, -Reached) is nondet.
%!  hyper_closure(+Synset, -Reached) is nondet.
%!  tropo_closure(+Synset, -Reached) is nondet.
%!  mero_closure(+Synset, -Reached) is nondet.
%
%   Reached can be reached from Synset in one or more steps of the relation.

:- table cluster_closure/2.
cluster_closure(X, Y) :- cluster(X, Y).
cluster_closure(X, Y) :- cluster_closure(X, Z), cluster(Z, Y).

:- table hypo_closure/2.
hypo_closure(X, Y) :- hypo(X, Y).
hypo_closure(X, Y) :- hypo_closure(X, Z), hypo(Z, Y).

:- table holo_closure/2.
holo_closure(X, Y) :- holo(X, Y).
holo_closure(X, Y) :- holo_closure(X, Z), holo(Z, Y).

:- table hyper_closure/2.
hyper_closure(X, Y) :- hyper(X, Y).
hyper_closure(X, Y) :- hyper_closure(X, Z), hyper(Z, Y).

:- table tropo_closure/2.
tropo_closure(X, Y) :- tropo(X, Y).
tropo_closure(X, Y) :- tropo_closure(X, Z), tropo(Z, Y).

:- table mero_closure/2.
mero_closure(X, Y) :- mero(X, Y).
mero_closure(X, Y) :- mero_closure(X, Z), mero(Z, Y).

%!  synsets(-Count) is det.
%
%   Synsets are numbered from 1 to Count.

synsets(117659).

%!  benchmark(?Name, ?Closure, ?Answers) is nondet.
%
%   The benchmarks in the order in which they run, each with the predicate it calls and the
%   number of answers that all its calls have together.

benchmark('Clusters', cluster_closure, 166877).
benchmark('Hypo',     hypo_closure,    698587).
benchmark('Holo',     holo_closure,     74838).
benchmark('Hyper',    hyper_closure,   698587).
benchmark('Tropo',    tropo_closure,      472).
benchmark('Mero',     mero_closure,     74838).

                /*******************************
                *         COMMAND LINE         *
                *******************************/

%!  main is det.
%
%   Exits with status 1 if a benchmark goes wrong, 2 if the arguments make no sense.

main :-
    script_arguments(Arguments),
    (   arguments_threads(Arguments, Threads)
    ->  run(Threads)
    ;   format(user_error, "usage: wordnet.pl [--threads N | N]   (N at least 1)~n", []),
        halt(2)
    ).

%!  script_arguments(-Arguments) is det.
%
%   The arguments meant for this program: the flag may start with the name of the Prolog system.

script_arguments(Arguments) :-
    current_prolog_flag(argv, Argv),
    (   current_prolog_flag(os_argv, [System|_]),
        Argv = [System|Rest]
    ->  Arguments = Rest
    ;   Arguments = Argv
    ).

%!  arguments_threads(+Arguments, -Threads) is semidet.

arguments_threads([], Threads) :-
    (   current_prolog_flag(cpu_count, Cores)
    ->  Threads = Cores
    ;   Threads = 1
    ).
arguments_threads(['--threads', Argument], Threads) :-
    argument_count(Argument, Threads).
arguments_threads([Argument], Threads) :-
    argument_count(Argument, Threads).

%!  argument_count(+Argument, -Count) is semidet.

argument_count(Argument, Count) :-
    atom_number(Argument, Count),
    integer(Count),
    Count >= 1.

%!  run(+Threads) is det.

run(Threads) :-
    show_row('Benchmark', calls, answers, 'trie nodes', seconds),
    findall(Verdict,
            ( benchmark(Name, Closure, Expected),
              run_benchmark(Name, Closure, Expected, Threads, Verdict)
            ),
            Verdicts),
    show_peak_memory(Threads),
    (   memberchk(wrong, Verdicts)
    ->  halt(1)
    ;   true
    ).

                /*******************************
                *        ONE BENCHMARK         *
                *******************************/

%!  run_benchmark(+Name, +Closure, +Expected, +Threads, -Verdict) is det.
%
%   Run a benchmark on fresh threads and print its line; Verdict is `right` or `wrong`.
%
%   Work holds the chunks, then one `stop` for each thread.  The threads report to this one:
%   worker(progress(Calls)) after each chunk, worker(totals(Totals)) after the last, and
%   worker(ended) however they end.

run_benchmark(Name, Closure, Expected, Threads, Verdict) :-
    get_time(Start),
    thread_self(Main),
    message_queue_create(Work),
    fill(Work, Threads),
    findall(Thread,
            ( between(1, Threads, _),
              thread_create(worker(Work, Main, Closure), Thread, [])
            ),
            Workers),
    follow(Threads, Name, 0, totals(0, 0, 0), totals(Calls, Answers, Nodes)),
    join(Workers, Failures),
    message_queue_destroy(Work),
    get_time(End),
    Seconds is End - Start,
    erase_progress,
    format(atom(Time), "~3f", [Seconds]),
    show_row(Name, Calls, Answers, Nodes, Time),
    verdict(Failures, Name, Calls, Answers, Expected, Verdict).

%!  verdict(+Failures, +Name, +Calls, +Answers, +Expected, -Verdict) is det.
%
%   Judge a benchmark, and say on user_error what is wrong with it.

verdict(Failures, Name, Calls, Answers, Expected, Verdict) :-
    synsets(Synsets),
    (   Failures == [],
        Calls =:= Synsets,
        Answers =:= Expected
    ->  Verdict = right
    ;   forall(member(Status, Failures),
               format(user_error, "~w: a thread ended with ~q~n", [Name, Status])),
        format(user_error, "~w: expected ~d calls and ~d answers~n",
               [Name, Synsets, Expected]),
        Verdict = wrong
    ).

%!  fill(+Work, +Threads) is det.
%
%   The chunks are small enough for the threads to end at about the same time.

fill(Work, Threads) :-
    synsets(Synsets),
    Size = 500,
    Last is (Synsets - 1) // Size,
    forall(between(0, Last, Chunk),
           ( From is Chunk * Size + 1,
             To is min(From + Size - 1, Synsets),
             thread_send_message(Work, chunk(From, To))
           )),
    forall(between(1, Threads, _),
           thread_send_message(Work, stop)).

%!  follow(+Running, +Name, +Done, +Totals0, -Totals) is det.
%
%   Hear the threads out: Running of them have not ended, and have told of Done calls so far.

follow(0, _, _, Totals, Totals) :-
    !.
follow(Running, Name, Done, Totals0, Totals) :-
    thread_get_message(worker(Event)),
    follow_event(Event, Running, Name, Done, Totals0, Totals).

follow_event(progress(Calls), Running, Name, Done0, Totals0, Totals) :-
    Done is Done0 + Calls,
    show_progress(Name, Done),
    follow(Running, Name, Done, Totals0, Totals).
follow_event(totals(Calls, Answers, Nodes), Running, Name, Done, Totals0, Totals) :-
    Totals0 = totals(Calls0, Answers0, Nodes0),
    Calls1 is Calls0 + Calls,
    Answers1 is Answers0 + Answers,
    add_known(Nodes0, Nodes, Nodes1),
    follow(Running, Name, Done, totals(Calls1, Answers1, Nodes1), Totals).
follow_event(ended, Running0, Name, Done, Totals0, Totals) :-
    Running is Running0 - 1,
    follow(Running, Name, Done, Totals0, Totals).

%!  add_known(+A, +B, -Sum) is det.
%
%   The sum, or `-` if either is not known.

add_known(A, B, Sum) :-
    (   integer(A),
        integer(B)
    ->  Sum is A + B
    ;   Sum = (-)
    ).

%!  join(+Threads, -Failures) is det.
%
%   Failures are the statuses other than `true`.

join([], []).
join([Thread|Threads], Failures) :-
    thread_join(Thread, Status),
    (   Status == true
    ->  Failures = Others
    ;   Failures = [Status|Others]
    ),
    join(Threads, Others).

                /*******************************
                *           WORKERS            *
                *******************************/

%!  worker(+Work, +Main, :Closure) is det.

worker(Work, Main, Closure) :-
    setup_call_cleanup(true,
                       once(serve(Work, Main, Closure, 0, 0)),
                       thread_send_message(Main, worker(ended))).

%!  serve(+Work, +Main, :Closure, +Calls, +Answers) is det.
%
%   Take chunks from Work until told to stop.

serve(Work, Main, Closure, Calls, Answers) :-
    thread_get_message(Work, Message),
    serve_message(Message, Work, Main, Closure, Calls, Answers).

serve_message(stop, _, Main, _, Calls, Answers) :-
    trie_nodes(Nodes),
    thread_send_message(Main, worker(totals(Calls, Answers, Nodes))).
serve_message(chunk(From, To), Work, Main, Closure, Calls0, Answers0) :-
    count_answers(Closure, From, To, Count),
    Size is To - From + 1,
    thread_send_message(Main, worker(progress(Size))),
    Calls is Calls0 + Size,
    Answers is Answers0 + Count,
    serve(Work, Main, Closure, Calls, Answers).

%!  count_answers(:Closure, +From, +To, -Count) is det.
%
%   Count is the number of answers of the calls for the synsets From to To.  The answers are
%   in the tables; none is kept elsewhere.

count_answers(Closure, From, To, Count) :-
    nb_setval(wordnet_answers, 0),
    (   between(From, To, Synset),
        call(Closure, Synset, _),
        nb_getval(wordnet_answers, Count0),
        Count1 is Count0 + 1,
        nb_setval(wordnet_answers, Count1),
        fail
    ;   nb_getval(wordnet_answers, Count)
    ).

%!  trie_nodes(-Nodes) is det.
%
%   The number of trie nodes in the tables of this thread, or `-`.

trie_nodes(Nodes) :-
    (   catch(( tabling_statistics(subgoal_trie_nodes, Subgoals),
                tabling_statistics(answer_trie_nodes, Answers)
              ),
              error(_, _),
              fail)
    ->  Nodes is Subgoals + Answers
    ;   Nodes = (-)
    ).

                /*******************************
                *            OUTPUT            *
                *******************************/

%!  show_row(+Name, +Calls, +Answers, +Nodes, +Seconds) is det.

show_row(Name, Calls, Answers, Nodes, Seconds) :-
    format("~w~t~12|~t~w~20|~t~w~30|~t~w~42|~t~w~52|~n", [Name, Calls, Answers, Nodes, Seconds]),
    flush_output.

%!  show_peak_memory(+Threads) is det.

show_peak_memory(Threads) :-
    (   peak_memory(Bytes)
    ->  Megabytes is Bytes / 1000000,
        format(atom(Peak), "~1f MB", [Megabytes])
    ;   Peak = (-)
    ),
    format("Threads ~d, peak memory ~w~n", [Threads, Peak]).

%!  peak_memory(-Bytes) is semidet.
%
%   The most memory that the process has had resident.

peak_memory(Bytes) :-
    catch(statistics(peak_memory, Bytes), error(_, _), fail),
    !.
peak_memory(Bytes) :-
    catch(setup_call_cleanup(open('/proc/self/status', read, Status),
                             read_string(Status, _, Text),
                             close(Status)),
          error(_, _),
          fail),
    split_string(Text, "\n", "", Lines),
    member(Line, Lines),
    split_string(Line, ":", " \tkB", ["VmHWM", Kibibytes]),
    !,
    number_string(Count, Kibibytes),
    Bytes is Count * 1024.

%!  show_progress(+Name, +Done) is det.
%
%   Draw how far a benchmark is, if there is a terminal to draw on.

show_progress(Name, Done) :-
    (   on_terminal
    ->  synsets(Synsets),
        Percent is Done * 100 // Synsets,
        Width = 40,
        Full is Done * Width // Synsets,
        Empty is Width - Full,
        format(user_error, "\r~w [", [Name]),
        repeat_char(Full, '#'),
        repeat_char(Empty, '.'),
        format(user_error, "] ~d%", [Percent]),
        flush_output(user_error)
    ;   true
    ).

%!  erase_progress is det.

erase_progress :-
    (   on_terminal
    ->  put_char(user_error, '\r'),
        repeat_char(60, ' '),
        put_char(user_error, '\r'),
        flush_output(user_error)
    ;   true
    ).

%!  repeat_char(+Times, +Char) is det.

repeat_char(Times, Char) :-
    forall(between(1, Times, _), put_char(user_error, Char)).

%!  on_terminal is semidet.

on_terminal :-
    stream_property(user_error, tty(true)).

:- initialization(main, main).
