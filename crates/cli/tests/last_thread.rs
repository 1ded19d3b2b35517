//! As many threads as there can be: when one is refused, those that there are go on, and everything is back when they have ended.
//!
//! What refuses them is the system's limit of address space, its limit of threads, or the limit of what threads have in common.

mod common;

use common::{Run, run_program, samite, samite_in};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// `at_the_end(Kind, What)`: makes threads of a kind until one is refused for want of What, works, ends them all, and works again; twice. Each that was made
/// has begun and ends well.
const PROGRAM: &str = r#"
:- dynamic fact/1.
blocked :- thread_get_message(stop).
busy :- findall(X, between(1, 2000, X), L), thread_send_message(main, ready), thread_get_message(stop), length(L, 2000).
created(Kind, T) :- options(Kind, Goal, Options), thread_create(Goal, T, Options), at_work(Kind).
% What a thread takes for its own work is not reserved when it is made: the next one comes when it has that.
at_work(busy) :- !, thread_get_message(main, ready, [timeout(60)]).
at_work(_).
options(blocked, blocked, []).
options(small, blocked, [stack_limit(200000)]).
options(many, blocked, Options) :-
    flag(made, N, N+1), Limit is 150000 + N * 7919, atom_concat(name, N, A), Options = [stack_limit(Limit), alias(A)].
options(busy, busy, []).

threads(Kind, Ts0, Ts) :-
    catch(created(Kind, T), error(E, _), ( nb_setval(refused, E), fail )), !,
    threads(Kind, [T|Ts0], Ts).
threads(_, Ts, Ts).

tried(G) :- catch(( G -> true ; print(failed(G)), nl ), error(E, _), ( print(E-G), nl )).
work :-
    tried(( findall(X, between(1, 10000, X), L), length(L, 10000) )),
    tried(( numlist(1, 10000, M), msort(M, S), sum_list(S, 50005000) )),
    tried(print_message(informational, format("~w", [hello]))),
    tried(forall(between(1, 500, I), ( atom_concat(fact, I, A), assertz(fact(A)) ))),
    tried(( aggregate_all(count, fact(_), 500), retractall(fact(_)) )),
    tried(( open('/dev/null', write, O), print(O, x), close(O) )),
    tried(garbage_collect).
ended(T) :- tried(thread_send_message(T, stop)).
joined(T) :- tried(( thread_join(T, S), ( S == true -> true ; print(S), nl ) )).
at_the_end(Kind, What, N) :-
    threads(Kind, [], Ts), length(Ts, N), nb_getval(refused, E),
    ( E == resource_error(What) -> true ; print(E), nl ),
    work, work, maplist(ended, Ts), maplist(joined, Ts), work.
% The system's threads are gone a little after those that run on them.
system_threads(N) :-
    open('/proc/self/status', read, S), read_string(S, _, Text), close(S),
    split_string(Text, "\n", "", Lines), member(Line, Lines), split_string(Line, ":", "\t ", ["Threads", T]), !, number_string(N, T).
at_the_end(Kind, What) :-
    system_threads(T1), at_the_end(Kind, What, N1), N1 >= 1,
    repeat, system_threads(T2), T2 =< T1, !,
    at_the_end(Kind, What, N2),
    ( N2 >= N1 // 2 -> true ; print(N1-N2), nl ),
    write(done), nl.
"#;

fn at_the_end(command: Command, kind: &str, what: &str) -> Run {
    let text = format!("{PROGRAM}run :- at_the_end({kind}, {what}).\n");
    run_program(command, &text)
}

#[test]
fn of_address_space() {
    for kind in ["blocked", "small", "many", "busy"] {
        for kilobytes in [70_000, 400_000, 700_000] {
            at_the_end(samite_in(Some(kilobytes)), kind, "threads")
                .status(0)
                .silent()
                .prints("done\n");
        }
    }
    at_the_end(samite_in(Some(2_000_000)), "blocked", "threads")
        .status(0)
        .silent()
        .prints("done\n");
}

#[test]
fn of_what_is_in_common() {
    let mut command = samite();
    command.arg("--memory-limit=2m");
    at_the_end(command, "blocked", "memory")
        .status(0)
        .silent()
        .prints("done\n");
}

/// The system counts the threads of a user, and not root's: the process becomes somebody else who has none, if it may.
#[test]
fn of_the_user() {
    let other = 2_000_000 + std::process::id() % 1_000_000;
    for most in [4, 30] {
        let mut command = samite();
        command.uid(other);
        // SAFETY: one call of the system, by a process that is about to be the command.
        unsafe {
            command.pre_exec(move || {
                let limit = libc::rlimit {
                    rlim_cur: most,
                    rlim_max: most,
                };
                match libc::setrlimit(libc::RLIMIT_NPROC, &limit) {
                    0 => Ok(()),
                    _ => Err(std::io::Error::last_os_error()),
                }
            });
        }
        let mut version = samite();
        version.uid(other).arg("--version");
        if !version.output().is_ok_and(|o| o.status.success()) {
            println!("skipped: the process cannot become another user's");
            return;
        }
        at_the_end(command, "blocked", "threads")
            .status(0)
            .silent()
            .prints("done\n");
    }
}
