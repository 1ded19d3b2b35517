//! Loads that are left before the end of the file: by an exception, a time limit, a signal. Of a file that was loaded before the version before stays, with
//! its declarations; of one that was not, what has been read stays, and is the file's. `SAMITE_SEED=n` and `SAMITE_HISTORIES=n` choose other random histories.

mod common;

use common::random::{Random, setting};
use common::{LIMIT, Scratch, finish, samite};
use std::fmt::Write;

/// Texts whose load is left, and what there is then.
const TEXTS: &str = r"
text(File, Text) :- open(File, write, S), write(S, Text), close(S).
stop_it :- throw(stop).
% Within an expansion an exception is the load's.
user:term_expansion(stop, _) :- stop_it.
load(File, Text) :- text(File, Text), load_files(user:File, [if(true)]).
leave(throw, File, Text0) :- atom_concat(Text0, ' stop.\n', Text), catch(load(File, Text), E, true), ( E == stop -> true ; print(not_left(E)), nl ).
leave(limit, File, Text0) :-
    atom_concat(Text0, ' :- user:begun.\n:- sleep(60).\n', Text),
    catch(call_with_time_limit(1000, load(File, Text)), E, true), ( E == time_limit_exceeded -> true ; print(not_left(E)), nl ).
leave(signal, File, Text0) :-
    atom_concat(Text0, ' :- user:begun.\n:- sleep(60).\n', Text), thread_self(Me),
    thread_create(( thread_get_message(begun), thread_signal(Me, throw(stop)) ), T, [alias(other)]),
    catch(load(File, Text), E, true), thread_join(T, _), ( E == stop -> true ; print(not_left(E)), nl ).
begun :- catch(thread_send_message(other, begun), error(_, _), throw(time_limit_exceeded)).
show(G) :- catch(findall(G, G, L), error(E, _), L = E), print(L), nl.
";

fn run(text: &str) -> common::Run {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", format!("{TEXTS}{text}"));
    let mut command = samite();
    command.current_dir(scratch.path(""));
    command.args(["-g", "run", "-t", "halt", &file]);
    finish(command, b"", LIMIT).status(0)
}

fn prints(text: &str, expected: &str) {
    run(text).prints(expected);
}

/// What has been read is there, belongs to the file, and the file counts as changed.
#[test]
fn the_first_load_of_a_file_is_left() {
    let text = r"
run :- forall(member(How, [throw, signal]), forall(member(Then, [make, unload, ask, module, unread]), once(run(Then, How)))).
known :- absolute_file_name('f.pl', F), ( source_file(F) -> print(known) ; print(unknown) ), nl.
gone :- unload_file(f), known, show(p(_)), show(hook(_)).
first(How) :- leave(How, 'f.pl', ':- dynamic d/1. :- multifile user:hook/1. user:hook(f). p(1). d(1).'), known, show(p(_)), show(hook(_)), show(d(_)).
new :- text('f.pl', 'p(2). q(2).').
run(make, How) :- first(How), new, make, show(p(_)), show(hook(_)), show(q(_)), known, gone.
run(unload, How) :- first(How), unload_file(f), gone, new, make, show(p(_)).
run(ask, How) :- first(How), new, ensure_loaded(f), show(p(_)), show(hook(_)), text('f.pl', 'p(3).'), ensure_loaded(f), show(p(_)), gone.
run(module, How) :-
    leave(How, 'f.pl', ':- module(f, [p/1]). p(1). :- op(700, xfx, ===>).'), known, show(f:p(_)),
    text('f.pl', ':- module(f, [p/1]). p(2).'), use_module(f), show(p(_)), gone.
% Nothing of it has been read.
run(unread, throw) :-
    text('f.pl', 'p(1).'), catch(use_module(f), error(E, _), true), print(E), nl, known,
    text('f.pl', ''), catch(load_files(user:f, [encoding(none)]), error(_, _), true), known.
run(unread, signal).
";
    let each = "known\n[p(1)]\n[hook(f)]\n[d(1)]\n";
    let none = "unknown\nexistence_error(procedure,p/1)\nexistence_error(procedure,hook/1)\n";
    let of = |unread| {
        format!(
            "{each}[p(2)]\nexistence_error(procedure,hook/1)\n[q(2)]\nknown\n{none}\
             {each}{none}existence_error(procedure,p/1)\n\
             {each}[p(2)]\nexistence_error(procedure,hook/1)\n[p(2)]\n{none}\
             known\n[f:p(1)]\n[p(2)]\n{none}{unread}"
        )
    };
    let unread = "domain_error(module_header,p(1))\nunknown\nunknown\n";
    prints(text, &format!("{}{}", of(unread), of("")));
}

/// What a version may say, of four predicates that it may have, in any order.
const SAYS: [&str; 27] = [
    ":- table p/1.",
    ":- table p(max).",
    ":- table p/1 as incremental.",
    ":- dynamic p/1.",
    ":- thread_local p/1.",
    ":- dynamic q/1.",
    ":- thread_local q/1.",
    ":- multifile q/1.",
    ":- discontiguous q/1.",
    ":- dynamic r/1.",
    ":- table r/1.",
    ":- meta_predicate r(0).",
    ":- det(r/1).",
    ":- volatile q/1.",
    ":- public r/1.",
    ":- dynamic s/1.",
    ":- thread_local s/1.",
    ":- set_prolog_flag(unknown, fail).",
    ":- set_prolog_flag(double_quotes, atom).",
    ":- catch(p(_), _, true).",
    ":- forall(catch(q(_), _, fail), true).",
    "t(\"x\").",
    ":- module_transparent r/1.",
    ":- use_module(fi).",
    ":- use_module(fj).",
    ":- reexport(fj).",
    ":- use_module(fj, [x/1 as y]).",
];

fn version(random: &mut Random) -> String {
    let operators = ["", ", op(700, xfx, ===>)", ", op(200, xfy, ===>)"];
    let mut text = format!(
        ":- module(cf, [{}/1{}]). ",
        ["p", "q", "z"][random.below(3)],
        operators[random.below(3)]
    );
    for _ in 0..random.below(9) {
        let line = match random.below(2) {
            0 => SAYS[random.below(SAYS.len())].to_owned(),
            _ => format!(
                "{}({}).",
                ["p", "q", "r", "s"][random.below(4)],
                random.below(4)
            ),
        };
        write!(text, "{line} ").unwrap();
    }
    text
}

/// The version before is as it was: answers, for this thread and another one, properties, flags, exports; and another load makes what a fresh process has.
#[test]
fn declarations_of_the_version_before_stay() {
    let (seed, histories) = (setting("SAMITE_SEED", 1), setting("SAMITE_HISTORIES", 12));
    for n in 0..histories {
        let mut random = Random::new(seed + n);
        let mut run = String::new();
        let mut last = version(&mut random);
        writeln!(run, "run :- imported, load('cf.pl', '{last}'), state(S0),").unwrap();
        let steps = 6;
        for i in 0..steps {
            let how = ["throw", "signal"][usize::from(random.below(4) == 0)];
            let left = version(&mut random);
            writeln!(run, "    leave({how}, 'cf.pl', '{left}'), same({i}, S{i}),").unwrap();
            if random.below(2) == 0 {
                last = version(&mut random);
                writeln!(run, "    load('cf.pl', '{last}'),").unwrap();
            }
            writeln!(run, "    state(S{}),", i + 1).unwrap();
        }
        writeln!(run, "    fresh('{last}'), same(fresh, S{steps}).").unwrap();
        let text = format!("{STATE}{run}");
        let run = self::run(&text);
        assert!(
            run.out.is_empty(),
            "SAMITE_SEED={} SAMITE_HISTORIES=1\n{}\n{text}",
            seed + n,
            run.out
        );
    }
}

const STATE: &str = r"
:- style_check(-discontiguous).
:- set_prolog_flag(verbose_load, silent).
user:message_hook(_, warning, _).
user:message_hook(_, error, _).
answers(G, L) :- arg(1, G, X), catch(findall(X, cf:G, L0), error(E, _), L0 = E), ( is_list(L0) -> sort(0, @=<, L0, L) ; L = L0 ).
other(L) :- thread_self(Me), thread_create(( state_here(L0), thread_send_message(Me, state(L0)) ), T), thread_get_message(state(L)), thread_join(T, _).
state_here(L) :- findall(N-A, ( member(N, [p, q, r, s, t, x, y]), functor(G, N, 1), answers(G, A) ), L), numbervars(L, 0, _).
property(N-P) :-
    member(N, [p, q, r, s, t, x, y]), functor(G, N, 1),
    member(P, [dynamic, thread_local, tabled, tabled(_), multifile, discontiguous, det, volatile, public, transparent, meta_predicate(_), imported_from(_), number_of_clauses(_), exported]),
    catch(predicate_property(cf:G, P), _, fail).
state([Here, There, Ps, Es, Os, U, Seen, Bound]) :-
    state_here(Here), other(There), findall(P, property(P), Ps), numbervars(Ps, 0, _),
    module_property(cf, exports(Es0)), msort(Es0, Es), ( module_property(cf, exported_operators(Os)) -> true ; Os = [] ),
    ( catch(cf:no_such, error(E, _), true) -> U = E ; U = fails ),
    findall(P1-T, current_op(P1, T, cf:(===>)), Seen),
    ( catch(cf:r(M), _, fail) -> Bound = M ; Bound = none ).
same(I, S0) :-
    state(S),
    (   S == S0 -> true
    ;   print(I), nl, forall(( nth1(K, S0, A), nth1(K, S, B), A \== B ), ( print(before(A)), nl, print(after(B)), nl ))
    ).
imported :- forall(member(M, [fi, fj]), ( atom_concat(M, '.pl', F), format(string(T), ':- module(~w, [x/1]). x(~w).', [M, M]), text(F, T) )).
fresh(Text) :- unload_file('cf.pl'), load('cf.pl', Text).
";

/// Other threads see one version or the other: answers by the modes of one, and clauses that those ask for.
#[test]
fn tables_are_declared_in_one_step() {
    let others = r"
user:message_hook(_, _, _).
% (A thread that is not started by the load.)
reader :- thread_get_message(look(Me)), catch(findall(X, cf:p(X), L), error(E, _), L = E), thread_send_message(Me, seen(L)), reader.
look(Seen) :- thread_self(Me), thread_send_message(reader, look(Me)), thread_get_message(seen(Seen)).
seen :- look(L), ( L = [_|_] -> msort(L, S) ; S = L ), print(S), nl.
own :- findall(X, cf:p(X), L), print(own(L)), nl.
go(Old, New) :- in_module(Old, O), in_module(New, N), load('cf.pl', O), seen, load('cf.pl', N), seen, leave(throw, 'cf.pl', O), seen.
in_module(Text, Module) :- atom_concat(':- module(cf, []). ', Text, Module).
run :-
    thread_create(reader, _, [alias(reader), detached(true)]),
    go('p(1). p(2).', ':- table p(max). :- user:seen. p(3). :- user:own. :- user:seen. p(4). :- user:seen.'),
    go(':- table p(max). p(1). p(2).', ':- table p(min). p(3). :- user:own. :- user:seen. p(4).'),
    go('p(1). p(2).', ':- table p(lattice(l/3)). p(3). p(5). :- user:seen. l(A, B, C) :- C is A+B. :- user:own.'),
    go(':- table p(lattice(l/3)). p(3). p(5). l(A, B, C) :- C is A+B.', 'p(3). p(5). :- user:seen. :- user:own.').
";
    prints(
        others,
        "[1,2]\n[1,2]\nown([3])\n[1,2]\n[1,2]\n[4]\n[4]\n\
         [2]\nown([3])\n[2]\n[3]\n[3]\n\
         [1,2]\n[1,2]\nown([8])\n[8]\n[8]\n\
         [8]\n[8]\nown([3,5])\n[3,5]\n[3,5]\n",
    );
}

/// What was thread-local, and has clauses that were asserted to it for all meanwhile, has those of the file, too.
#[test]
fn clauses_of_what_was_made_dynamic() {
    prints(
        r"
run :-
    load('tl.pl', ':- module(tl, []). :- thread_local l/1. l(1). l(2).'), show(tl:l(_)),
    leave(throw, 'tl.pl', ':- module(tl, []). :- dynamic l/1. :- assertz(l(5)). l(7).'), show(tl:l(_)),
    load('tl.pl', ':- module(tl, []). :- dynamic l/1. l(3).'), show(tl:l(_)).
",
        "[tl:l(1),tl:l(2)]\n[tl:l(1),tl:l(2),tl:l(5)]\n[tl:l(3),tl:l(5)]\n",
    );
}
