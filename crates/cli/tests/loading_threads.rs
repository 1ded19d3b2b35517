//! Random histories of threads that load, unload and change the same files and predicates at the same time. In debug builds the machine's own
//! assertions look at every step. At quiet points, after all files have been loaded once more, the clauses of the files are those of their
//! last versions, each once and in order, and what threads have asserted for good is there, too, in their order.
//!
//! `SAMITE_SEED=n` is the first seed, `SAMITE_HISTORIES=n` how many there are.

mod common;

use common::here::prints;
use common::random::{Random, setting};
use common::{LIMIT, Scratch, finish, run_program, samite};
use std::fmt::Write;

/// Predicates of one file, each of three arguments: file, version, number. Anything may be done to these.
const KINDS: [&str; 6] = ["s", "d", "t", "l", "x", "e"];
/// So many facts of each predicate are in a version.
const FACTS: usize = 5;

/// A version of file `i`. `x` and `e` are of another kind in each; the last of the files is a module.
fn version(draw: &mut Random, i: usize, v: usize, module: bool) -> String {
    let mut text = String::new();
    if module {
        let mut exports: Vec<String> = KINDS.iter().map(|k| format!("{k}{i}/3")).collect();
        exports.push(format!("c{i}/3"));
        exports.push(format!("v{i}/3"));
        _ = writeln!(text, ":- module(m{i}, [{}]).", exports.join(", "));
    }
    _ = writeln!(text, ":- dynamic([d{i}/3, c{i}/3]).\n:- table(t{i}/3).");
    _ = writeln!(
        text,
        ":- thread_local(l{i}/3).\n:- multifile([user:ms/3, user:md/3])."
    );
    _ = writeln!(text, ":- dynamic(user:md/3).");
    for p in ["x", "e"] {
        let kind = draw.one(&["true", "dynamic", "table", "discontiguous", "dynamic"]);
        if kind != "true" {
            _ = writeln!(text, ":- {kind}({p}{i}/3).");
        }
    }
    if draw.chance(30) {
        _ = writeln!(text, ":- discontiguous([ms/3, s{i}/3, d{i}/3]).");
    }
    for p in KINDS.iter().chain(&["c", "v"]) {
        for k in 1..=FACTS {
            _ = match (*p, k) {
                ("s", 3) => writeln!(text, "s{i}({i}, {v}, K) :- v{i}({i}, {v}, K), K =:= 3."),
                _ => writeln!(text, "{p}{i}({i}, {v}, {k})."),
            };
        }
        match draw.below(8) {
            0 => _ = writeln!(text, ":- ignore(catch({p}{i}(_, _, _), _, fail))."),
            1 => _ = writeln!(text, ":- catch(forall({p}{i}(_, _, _), true), _, true)."),
            _ => {}
        }
    }
    for p in ["ms", "md"] {
        for k in 1..=FACTS {
            _ = writeln!(text, "user:{p}({i}, {v}, {k}).");
        }
    }
    text
}

/// What a thread does once; `T` is its number.
fn action(draw: &mut Random, files: usize) -> String {
    let i = draw.below(files);
    let f = format!("f{i}");
    let p = match draw.below(5) {
        0 => draw.one(&["ms", "md"]).to_string(),
        _ => format!("{}{i}", draw.one(&KINDS)),
    };
    let dynamic = match draw.below(3) {
        0 => "md".to_string(),
        _ => format!("{}{i}", draw.one(&["d", "x", "e"])),
    };
    match draw.below(20) {
        0..=4 => format!("load({f}, [])"),
        5 => format!("load({f}, [if(changed)])"),
        6 => format!("unload({f})"),
        7 => format!("load({}, [])", draw.one(&["clobber", "user_of_all"])),
        8 => format!("compile_predicates([{dynamic}/3])"),
        9 => format!("abolish({p}/3)"),
        10 => format!("assertz({p}(own, T, 0))"),
        11 => format!("asserta({p}(own, T, 0))"),
        12 => format!(
            "ignore(retract({p}({}, _, _)))",
            draw.one(&["own", "_", "0"])
        ),
        13 => format!("retractall({p}(_, _, {}))", draw.one(&["0", "_", "2"])),
        14 => format!("forall({p}(_, _, _), true)"),
        15 => format!("forall(clause({p}(_, _, _), _), true)"),
        16 => draw
            .one(&[
                "abolish_all_tables",
                "garbage_collect_clauses",
                "garbage_collect",
            ])
            .to_string(),
        17 => format!(
            "{}({p}/3)",
            draw.one(&["dynamic", "table", "untable", "discontiguous"])
        ),
        18 => format!("forall(predicate_property({p}(_, _, _), _), true)"),
        _ => format!("forall(v{i}(_, _, _), true)"),
    }
}

const COMMON: &str = r"
:- dynamic([saw/1, added/3]).
edit(Version, Name) :-
    directory(D), atomic_list_concat([D, Version, '_', Name, '.pl'], From), atomic_list_concat([D, Name, '.pl'], To),
    read_file_to_string(From, Text, []), open(To, write, S), write(S, Text), close(S).
load(Name, Options) :- directory(D), atom_concat(D, Name, File), load_files(File, Options).
unload(Name) :- directory(D), atomic_list_concat([D, Name, '.pl'], File), unload_file(File).
% What may be refused, and must not be anything else.
try(G) :- catch(ignore(G), E, true), ( var(E) -> true ; expected(E) -> true ; assertz(saw(G-E)) ).
expected(error(permission_error(_, _, _), _)).
expected(error(existence_error(procedure, _), _)).
thread(T, Goals) :-
    forall(member(G, Goals), try(G)),
    forall(file(I), ( atom_concat(c, I, C), ( between(1, 3, _), adds(T, I, C), fail ; true ) )).
% Clauses that stay, whatever is loaded: of predicates that nobody takes them from. (With the file unloaded it may be static, or a name.)
adds(T, I, C) :-
    aggregate_all(max(N), added(T, C, N), Max), ( Max = max(N0) -> N is N0 + 1 ; number(Max) -> N is Max + 1 ; N = 1 ),
    F =.. [C, own, T, N], module_of(I, C, M),
    catch(( assertz(M:F), assertz(added(T, C, N)) ), error(permission_error(_, _, _), _), true).
version_of(Files, V) :- forall(member(F, Files), edit(V, F)).
quiet(V, Files) :-
    forall(member(F, Files), load(F, [])),
    forall(( file(I), member(K, [s, d, t, l, x, e, c, v]), atom_concat(K, I, P) ), right(P, I, V)),
    forall(( file(I), member(P, [ms, md]) ), right(P, I, V)),
    forall(( file(I), atom_concat(c, I, C), setof(T, N^added(T, C, N), Ts), member(T, Ts) ), kept(I, C, T)),
    forall(( member(P, [s, d, t, l, x, e, c, v]), file(I), atom_concat(P, I, Q), G0 =.. [Q, 9, _, _], module_of(I, Q, M), G = M:G0 ), ( catch(G, _, fail) -> wrong(V, G) ; true )).
module_of(_, P, M) :- ( P == ms ; P == md ), !, M = user.
module_of(I, _, M) :- ( module(I) -> atom_concat(m, I, M) ; M = user ).
right(P, I, V) :-
    findall(I-V-K, between(1, FACTS, K), Right), module_of(I, P, M), G0 =.. [P, I, W, K], G = M:G0,
    ( catch(findall(I-W-K, G, L0), E, L0 = E) -> true ; true ),
    ( nonvar(L0), is_list(L0), predicate_property(G, tabled) -> sort(L0, L) ; L = L0 ),
    ( L == Right -> true ; wrong(V, P-L) ).
kept(I, C, T) :-
    findall(N, added(T, C, N), Right), G0 =.. [C, own, T, N], module_of(I, C, M), G = M:G0,
    ( catch(findall(N, G, L), E, L = E) -> true ; true ),
    ( L == Right -> true ; wrong(kept(T), C-L) ).
wrong(V, What) :- print(wrong(V, What)), nl.
rounds([], _).
rounds([round(V, Threads)|Rounds], Files) :-
    version_of(Files, V),
    findall(Id, ( member(T-Goals, Threads), thread_create(thread(T, Goals), Id) ), Ids),
    forall(member(Id, Ids), ( thread_join(Id, S), ( S == true -> true ; wrong(V, S) ) )),
    quiet(V, Files), rounds(Rounds, Files).
main :- findall(round(V, Threads), round(V, Threads), Rounds), files(Files),
    ( Rounds = [round(V, _)|_] -> version_of(Files, V) ; true ),
    forall(member(F, Files), load(F, [])),
    rounds(Rounds, Files),
    forall(saw(S), ( print(saw(S)), nl )), writeln(done).
";

#[test]
fn threads_load_unload_and_change_the_same_files() {
    let first = setting("SAMITE_SEED", 1);
    for seed in first..first + setting("SAMITE_HISTORIES", 6) {
        let mut draw = Random::new(seed);
        let scratch = Scratch::new();
        let files = 1 + draw.below(3);
        let rounds = 3;
        let module = draw.chance(50).then_some(files - 1);
        let mut program = String::new();
        for i in 0..files {
            _ = writeln!(program, "file({i}).");
        }
        for v in 1..=rounds {
            for i in 0..files {
                let text = version(&mut draw, i, v, module == Some(i));
                scratch.file(&format!("{v}_f{i}.pl"), text);
            }
            let threads: Vec<String> = (1..2 + 1 + draw.below(2))
                .map(|t| {
                    let n = 6 + draw.below(14);
                    let goals: Vec<String> = (0..n)
                        .map(|_| action(&mut draw, files).replace('T', &t.to_string()))
                        .collect();
                    format!("{t}-[{}]", goals.join(",\n    "))
                })
                .collect();
            _ = writeln!(program, "round({v}, [{}]).", threads.join(",\n  "));
        }
        let names: Vec<String> = (0..files).map(|i| format!("f{i}")).collect();
        _ = writeln!(program, "files([{}]).", names.join(", "));
        let module_fact = module.map_or("module(none)".into(), |i| format!("module({i})"));
        _ = writeln!(program, "{module_fact}.");
        let clobber: String = (0..files)
            .filter(|&i| module != Some(i))
            .map(|i| format!("d{i}(9, 9, 9).\ns{i}(9, 9, 9).\nx{i}(9, 9, 9).\n"))
            .collect();
        scratch.file("clobber.pl", clobber);
        let user: String = names
            .iter()
            .map(|f| format!(":- ensure_loaded({f}).\n"))
            .collect();
        scratch.file("user_of_all.pl", user);
        let file = scratch.file("program.pl", "");
        let directory = file.trim_end_matches("program.pl").to_string();
        let text = format!(
            "directory('{directory}').\n{program}{}",
            COMMON.replace("FACTS", &FACTS.to_string())
        );
        scratch.file("program.pl", &text);
        let mut command = samite();
        command.args(["-q", "-g", "main", "-t", "halt", &file]);
        let run = finish(command, b"", LIMIT);
        let right =
            run.out == "done\n" && run.status == Some(0) && !run.err.contains("panicked at");
        assert!(
            right,
            "SAMITE_SEED={seed}\n{program}\n{}\n{}",
            run.out, run.err
        );
    }
}

/// Who waits for a file that another thread is loading, to unload it or to load it, hears signals and time limits.
#[test]
fn who_waits_for_a_file_hears_events() {
    let scratch = Scratch::new();
    let slow = scratch.file(
        "slow.pl",
        ":- thread_self(Me), user:main_thread(M), thread_send_message(M, loading(Me)), thread_get_message(go).\nslow(1).\n",
    );
    let text = format!(
        "
:- dynamic main_thread/1.
limited(G) :- catch(call_with_time_limit(0.05, G), E, true), print(E), nl.
signalled(G) :-
    thread_self(Me),
    thread_create(( thread_send_message(Me, here), catch(G, B, ( print(B), nl )) ), U),
    thread_get_message(here), sleep(0.05), thread_signal(U, throw(stop)), thread_join(U).
run :-
    F = '{slow}', thread_self(M), assertz(main_thread(M)),
    thread_create(load_files(F, []), T), thread_get_message(loading(T)),
    forall(member(G, [unload_file(F), load_files(F, [])]), ( limited(G), signalled(G) )),
    thread_send_message(T, go), thread_join(T), slow(1),
    unload_file(F), catch(slow(_), error(E, _), true), print(E), nl.
"
    );
    run_program(samite(), &text).status(0).silent().prints(
        "time_limit_exceeded\nstop\ntime_limit_exceeded\nstop\nexistence_error(procedure,slow/1)\n",
    );
}

/// Each version of a file has more helpers than the one before: what a thread calls meanwhile finds those of the version that it has found.
#[test]
fn what_is_called_by_what_is_new_is_there() {
    let scratch = Scratch::new();
    let file = scratch.file("grows.pl", "p(X) :- h0(X).\nh0(0).\n");
    let program = format!(
        r#"
:- dynamic stop/0, bad/1.
write_version(N) :-
    setup_call_cleanup(open('{file}', write, S),
        ( format(S, "p(X) :- h~d(X).~n", [N]), forall(between(0, N, I), format(S, "g~d(1). k~d(1).~nh~d(~d).~n", [I, I, I, I])) ),
        close(S)).
look :- stop, !.
look :- catch(p(_), E, assertz(bad(E))), look.
run :-
    load_files('{file}', [silent(true)]),
    thread_create(look, T),
    forall(between(1, 60, I), ( write_version(I), load_files('{file}', [silent(true)]) )),
    assertz(stop),
    thread_join(T),
    findall(E, bad(E), Es),
    print(Es).
"#
    );
    run_program(samite(), &program).status(0).prints("[]");
}

/// Reads a file of predicates of all kinds, whose versions have a number, over and over while others call them in all orders: who has found a version,
/// or has heard of it, finds no older one, whatever the file's order is.
const VERSIONS: &str = r#"
:- dynamic stop/0, bad/1.
:- table below/1.
below(N) :- ruled(N).
write_version(N) :-
    file(F), numlist(1, 9, L), random_permutation(L, Order),
    setup_call_cleanup(open(F, write, S),
        ( header(H), format(S, "~w~n:- dynamic changing/1.~n:- table tabled/1.~n:- multifile many/1.~n", [H]),
          forall(( member(I, Order), part(I, N, Parts), member(Part, Parts) ), format(S, "~q.~n", [Part])) ),
        close(S)).
part(1, N, [fact(N)]).
part(2, N, [( ruled(X) :- call_helper(X) ), ( call_helper(X) :- H )]) :- atom_concat(helper, N, Name), H =.. [Name, X].
part(3, N, [T]) :- atom_concat(helper, N, Name), T =.. [Name, N].
part(4, N, [changing(N)]).
part(5, _, [( tabled(X) :- fact(X) )]).
part(6, N, [many(N)]).
part(7, N, [T]) :- atom_concat(only, N, Name), T =.. [Name, N].
part(8, N, Ds) :- ( N mod 2 =:= 0 -> Ds = [(:- true)] ; Ds = [] ).
part(9, N, [( two(X) :- X = N ), ( two(X) :- X = N )]).

version(fact, X) :- fact(X).
version(ruled, X) :- ruled(X).
version(changing, X) :- changing(X).
version(read, X) :- clause(changing(X), true).
version(tabled, X) :- tabled(X).
version(below, X) :- below(X).
version(many, X) :- many(X), integer(X).
version(two, X) :- two(X).
% What a thread has seen others know at once.
look(Kind) :-
    flag(seen, Seen, Seen),
    ( Kind == gone -> gone(Seen)
    ; catch(findall(X, version(Kind, X), Xs), E, true),
      ( nonvar(E) -> ( is_over(E) -> true ; assertz(bad(Kind-E)) )
      ; Xs = [X|More], forall(member(Y, More), X == Y), X >= Seen -> flag(seen, Old, max(Old, X))
      ; assertz(bad(was(Kind, Seen, Xs))) ) ).
% An old clause that runs finds its helper gone: then what is new is there.
is_over(error(existence_error(procedure, PI), _)) :-
    strip_module(PI, _, Name/1), atom_concat(helper, A, Name), atom_number(A, N), fact(X), X > N.
gone(Seen) :-
    Before is Seen-1, atom_concat(only, Before, Name), G =.. [Name, _],
    catch(( in_file(G), assertz(bad(there(Seen, G))) ), error(existence_error(_, _), _), true).
looker :- stop, !.
looker :- random_permutation([fact, ruled, changing, read, tabled, below, many, two, gone], [A, B|_]), look(A), look(B), looker.
run :-
    file(F), flag(seen, _, 1), write_version(1), load_files(F, [silent(true)]),
    findall(T, ( between(1, 3, _), thread_create(looker, T) ), Ts),
    forall(between(2, 1000, N), ( write_version(N), load_files(F, [silent(true)]) )),
    assertz(stop), forall(member(T, Ts), thread_join(T)),
    findall(B, limit(10, bad(B)), Bs),
    print(Bs).
"#;

fn versions(header: &str, of_file: &str) {
    let scratch = Scratch::new();
    let file = scratch.path("versions.pl");
    let program = format!(
        "file('{file}').\nheader('{header}').\n:- multifile {of_file}many/1.\n{of_file}many(other).\nin_file(G) :- {of_file}G.\n{VERSIONS}"
    );
    run_program(samite(), &program).status(0).prints("[]");
}

#[test]
fn a_file_is_exchanged_in_one_step() {
    versions("", "user:");
}

#[test]
fn a_module_is_exchanged_in_one_step() {
    let header = ":- module(versions, [fact/1, ruled/1, changing/1, tabled/1, many/1, two/1]).";
    versions(header, "versions:");
}

/// The goals that a file is initialized with load another one, which uses it: whoever uses that waits for their end. Who is started by such goals, which
/// may wait for him, does not.
#[test]
fn what_the_initialization_of_a_file_has_loaded_is_whole_when_that_has_ended() {
    prints(
        r"
:- dynamic(main/1).
put(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
use(Name) :- here(Name, F), use_module(F).
here(Name) :- main(Main), thread_send_message(Main, at(Name)), thread_get_message(go).
ask(How, T) :- thread_create(( use('n.pl'), findall(X, n:n(X), L), print(How-L), nl ), T).
asked(How) :- ask(How, T), thread_join(T, S), ( S == true -> true ; print(S), nl ).
run :-
    thread_self(Main), assertz(main(Main)),
    put('m.pl', ':- module(m, [p/1]). :- dynamic p/1. :- initialization(( user:use(\'n.pl\'), user:here(m), user:asked(within), assertz(p(1)) )).'),
    put('n.pl', ':- module(n, [n/1]). :- use_module(m). n(X) :- p(X).'),
    thread_create(use('m.pl'), Loads), thread_get_message(at(m)),
    ask(waits, T), sleep(0.1),
    here('n.pl', N), catch(call_with_time_limit(0.05, use_module(N)), E, true), print(E), nl,
    thread_send_message(Loads, go), thread_join(T), thread_join(Loads), asked(after).
",
        "time_limit_exceeded\nwithin-[]\nwaits-[1]\nafter-[1]\n",
    );
}

/// The goals that two files are initialized with load a third, which uses both: each waits for what does not wait for it.
#[test]
fn initializations_in_a_circle_end() {
    prints(
        r"
put(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
use(Name) :- here(Name, F), use_module(F).
run :-
    put('a.pl', ':- module(a, [a/1]). :- initialization(user:use(\'c.pl\')). a(1).'),
    put('b.pl', ':- module(b, [b/1]). :- initialization(( sleep(0.1), user:use(\'c.pl\') )). b(2).'),
    put('c.pl', ':- module(c, [c/2]). :- sleep(0.1). :- use_module(b). :- use_module(a). c(X, Y) :- a(X), b(Y).'),
    findall(T, ( member(F, ['a.pl', 'b.pl']), thread_create(use(F), T) ), Ts),
    findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), print(Ss), nl,
    use('c.pl'), findall(X-Y, c:c(X, Y), L), print(L), nl.
",
        "[true,true]\n[1-2]\n",
    );
}

/// Others ask for the file all the time, and need not load it: who had to wait for one of them has not waited for a load.
#[test]
fn a_changed_file_is_loaded_beside_those_who_need_not() {
    prints(
        r"
put(V) :- here('v.pl', F), open(F, write, S), format(S, ':- module(v, [v/1]).~nv(~w).~n', [V]), close(S).
asks(F) :- thread_self(Me), ( thread_peek_message(Me, stop) -> true ; load_files(F, [if(not_loaded), imports([])]), asks(F) ).
run :-
    here('v.pl', F), put(0), load_files(F, []),
    findall(T, ( between(1, 2, _), thread_create(asks(F), T) ), Ts),
    findall(V-X, ( between(1, 60, V), sleep(0.012), put(V), load_files(F, [if(changed), imports([])]), v:v(X), X \== V ), Stale),
    forall(member(T, Ts), ( thread_send_message(T, stop), thread_join(T) )), print(Stale), nl.
",
        "[]\n",
    );
}

/// What an engine loads, who has asked for it loads: they do not wait for each other.
#[test]
fn an_engine_loads_what_who_asks_for_it_is_loading() {
    prints(
        r"
put(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
use(Name) :- here(Name, F), use_module(F).
by_engine(G) :- engine_create(x, G, E), engine_next(E, _), engine_destroy(E).
run :-
    put('a.pl', ':- module(a, [a/1]). a(1). :- user:by_engine(user:use(\'a.pl\')). a(2).'), use('a.pl'),
    put('b.pl', ':- module(b, [b/1]). b(1). :- initialization(user:by_engine(user:by_engine(user:use(\'b.pl\')))). b(2).'), use('b.pl'),
    put('c.pl', ':- module(c, [c/1]). :- user:by_engine(user:use(\'d.pl\')). c(X) :- d(X). :- user:use(\'d.pl\').'),
    put('d.pl', ':- module(d, [d/1]). :- use_module(c). d(1). :- user:by_engine(( here(\'c.pl\', F), load_files(F, []) )). d(2).'), use('c.pl'),
    findall(X, ( a(X) ; b(X) ; c:d(X) ), L), print(L), nl,
    % (Two threads, in a circle that an engine closes.)
    put('e.pl', ':- module(e, [e/1]). :- sleep(0.1). :- user:by_engine(user:use(\'f.pl\')). e(1).'),
    put('f.pl', ':- module(f, [f/1]). :- sleep(0.1). :- use_module(e). f(2).'),
    findall(T, ( member(F, ['e.pl', 'f.pl']), thread_create(use(F), T) ), Ts),
    findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), print(Ss), nl,
    findall(X, ( e:e(X) ; f:f(X) ; f:e(X) ), M), print(M), nl.
",
        "[1,2,1,2,1,2]\n[true,true]\n[1,2,1]\n",
    );
}

/// Who has asked an engine leaves it in the midst of a load, for an exception: nobody waits for what nobody goes on with. For another event the load goes on
/// afterwards.
#[test]
fn an_engine_that_is_left_in_the_midst_of_a_load_keeps_no_file() {
    prints(
        r"
put(Name, Text) :- here(Name, F), open(F, write, S), write(S, Text), close(S).
use(Name) :- here(Name, F), use_module(F, []).
slow(M, T) :- format(atom(T), ':- module(~w, [s/1]). s(1). :- sleep(1). s(2).', [M]).
by_engine(G) :- engine_create(x, G, E), engine_next(E, _), engine_destroy(E).
whole(F, M) :- thread_create(use(F), Id), thread_join(Id, S), findall(X, M:s(X), L), print(S-L), nl.
limited(G) :- catch(call_with_time_limit(0.3, G), E, true), print(E), nl.
asked(E) :- catch(( engine_next(E, _) -> print(yes) ; print(no) ), error(Er, _), ( functor(Er, N, _), print(N) )), nl.
left(E) :- repeat, ( is_engine(E) -> sleep(0.01), fail ; ! ).
run :-
    slow(a, A), put('a.pl', A), slow(b, B), put('b.pl', B), slow(c, C), put('c.pl', C), slow(d, D), put('d.pl', D),
    % It loads; it has asked one that does; it has an alias.
    engine_create(x, use('a.pl'), E1), limited(engine_next(E1, _)), whole('a.pl', a), left(E1), asked(E1),
    engine_create(x, by_engine(use('b.pl')), E2), limited(engine_next(E2, _)), whole('b.pl', b),
    engine_create(x, use('c.pl'), _, [alias(ec)]), limited(engine_next(ec, _)), use('c.pl'), findall(X, c:s(X), L), print(L), nl, left(ec), asked(ec),
    % An event that throws nothing that leaves the call: others wait meanwhile, and it goes on.
    thread_self(Me),
    thread_create(( sleep(0.3), thread_signal(Me, ( catch(throw(x), x, true), sleep(0.3) )), use('d.pl'), findall(X, d:s(X), L4), thread_send_message(Me, d(L4)) ), W),
    engine_create(x, use('d.pl'), E4), asked(E4), thread_get_message(d(DL)), print(DL), nl, thread_join(W),
    % One that does nothing that others wait for is asked again.
    engine_create(Y, ( sleep(0.5), Y = 1 ), E5), limited(engine_next(E5, _)), asked(E5).
",
        "time_limit_exceeded\ntrue-[1,2]\nexistence_error\ntime_limit_exceeded\ntrue-[1,2]\ntime_limit_exceeded\n[1,2]\nexistence_error\nyes\n[1,2]\n\
         time_limit_exceeded\nyes\n",
    );
}
