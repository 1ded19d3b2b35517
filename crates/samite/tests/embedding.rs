//! Programs in a process that is not the command: several at once, and threads of the host in one of them.

use samite::{Answer, Config, Engine, Error, Session};
use std::sync::Barrier;
use std::thread;

fn engine() -> Engine {
    Engine::new(Config::default()).expect("a program")
}

#[track_caller]
fn run(engine: &mut Engine, goal: &str) -> Answer {
    engine.run(goal).expect("a goal")
}

#[track_caller]
fn is_true(engine: &mut Engine, goal: &str) {
    let answer = run(engine, goal);
    assert!(answer.is_true(), "{goal}: {answer:?}");
}

#[test]
fn a_goal_has_an_answer() {
    let mut e = engine();
    let answer = run(&mut e, "X = f(Y, 'A b'), Y = \"s\", Z = [1, 2.0|T]");
    assert_eq!(answer.get("X"), Some("f(\"s\",'A b')"));
    assert_eq!(answer.get("Y"), Some("\"s\""));
    assert!(answer.get("Z").is_some_and(|z| z.starts_with("[1,2.0|_")));
    assert_eq!((answer.get("W"), answer.get("T").is_some()), (None, true));
    let Answer::True(bindings) = answer else {
        unreachable!("it was true");
    };
    let names: Vec<&str> = bindings.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["X", "Y", "Z", "T"]);
    assert_eq!(run(&mut e, "fail"), Answer::False);
    let thrown = run(&mut e, "throw(my(ball))");
    assert_eq!(thrown, Answer::Exception("my(ball)".into()));
    assert!(matches!(e.run("f("), Err(Error::Syntax(_))));
    assert!(matches!(e.run(""), Err(Error::Syntax(_)) | Ok(_)));
    // What has been collected meanwhile is where it was.
    let goal = "numlist(1, 300000, L), garbage_collect, foldl([X,A,B]>>(B is A+X), L, 0, S)";
    assert_eq!(run(&mut e, goal).get("S"), Some("45000150000"));
}

/// A goal of which the first solution is taken has been cleaned up after when there is the answer, also where it might have had more.
#[test]
fn a_goal_is_cleaned_up_after() {
    let mut e = engine();
    is_true(&mut e, "dynamic(cleaned/1)");
    let goal = "setup_call_cleanup(true, member(X, [1, 2]), assertz(cleaned(X)))";
    assert_eq!(run(&mut e, goal).get("X"), Some("1"));
    assert_eq!(
        run(&mut e, "retract(cleaned(X))").get("X"),
        Some("1"),
        "by who ran the goal"
    );
    let program = e.program();
    thread::spawn(move || {
        let mut session = program.session().expect("a session");
        assert!(session.run(goal).expect("a goal").is_true());
    })
    .join()
    .expect("no panic");
    assert_eq!(run(&mut e, "retract(cleaned(X))").get("X"), Some("1"));
    let throws = "call_cleanup(member(_, [1, 2]), throw(of(handler)))";
    assert_eq!(run(&mut e, throws), Answer::Exception("of(handler)".into()));
}

#[test]
fn programs_know_nothing_of_each_other() {
    let (mut a, mut b) = (engine(), engine());
    // Facts and rules.
    is_true(
        &mut a,
        "assertz(n(1)), assertz(n(2)), assertz((m(X) :- n(X), X > 1))",
    );
    is_true(&mut b, "assertz(n(3))");
    assert_eq!(run(&mut a, "findall(X, n(X), L)").get("L"), Some("[1,2]"));
    assert_eq!(run(&mut b, "findall(X, n(X), L)").get("L"), Some("[3]"));
    is_true(
        &mut b,
        "catch(m(_), error(existence_error(procedure, m/1), _), true)",
    );
    // Flags.
    is_true(
        &mut a,
        "create_prolog_flag(mine, 1, []), set_prolog_flag(unknown, fail)",
    );
    is_true(&mut a, "\\+ nobody");
    is_true(
        &mut b,
        "\\+ current_prolog_flag(mine, _), catch(nobody, error(_, _), true)",
    );
    // Operators.
    is_true(&mut a, "op(700, xfx, ===>)");
    is_true(&mut a, "X = (a ===> b), X =.. [_, a, b]");
    assert!(matches!(b.run("X = (a ===> b)"), Err(Error::Syntax(_))));
    // Tables.
    for (e, edge) in [(&mut a, "e(1,2)"), (&mut b, "e(2,3)")] {
        is_true(e, &format!("assertz({edge}), table(p/2)"));
        is_true(
            e,
            "assertz((p(X, Y) :- e(X, Y))), assertz((p(X, Y) :- p(X, Z), e(Z, Y)))",
        );
    }
    assert_eq!(
        run(&mut a, "findall(X-Y, p(X, Y), L)").get("L"),
        Some("[1-2]")
    );
    assert_eq!(
        run(&mut b, "findall(X-Y, p(X, Y), L)").get("L"),
        Some("[2-3]")
    );
    is_true(&mut a, "abolish_all_tables, assertz(e(2, 9))");
    assert_eq!(
        run(&mut b, "findall(X-Y, p(X, Y), L)").get("L"),
        Some("[2-3]")
    );
    assert_eq!(
        run(&mut a, "aggregate_all(count, p(_, _), N)").get("N"),
        Some("3")
    );
    // Global variables, records, keys, the environment.
    is_true(
        &mut a,
        "nb_setval(v, 1), recordz(k, 1), flag(f, _, 7), setenv(samite_e, a)",
    );
    is_true(
        &mut b,
        "\\+ nb_current(v, _), \\+ recorded(k, _), flag(f, 0, 0), \\+ getenv(samite_e, _)",
    );
    is_true(
        &mut a,
        "getenv(samite_e, a), shell('test \"$samite_e\" = a')",
    );
    // Clause references.
    is_true(&mut a, "assertz(r(1), Ref), nb_setval(r, Ref)");
    is_true(
        &mut a,
        "nb_getval(r, Ref), clause(r(X), true, Ref), X == 1, erase(Ref)",
    );
    // Threads and queues.
    is_true(
        &mut a,
        "thread_create(true, Id, [alias(t)]), thread_join(Id, true)",
    );
    is_true(
        &mut a,
        "message_queue_create(_, [alias(q)]), thread_send_message(q, x)",
    );
    is_true(&mut b, "\\+ message_queue_property(_, alias(q))");
    assert_eq!(
        run(
            &mut b,
            "aggregate_all(count, thread_property(_, status(_)), N)"
        )
        .get("N"),
        Some("1")
    );
    // Libraries are loaded by each.
    is_true(&mut a, "list_to_assoc([k-v], T), get_assoc(k, T, v)");
    is_true(&mut b, "list_to_assoc([k-w], T), get_assoc(k, T, w)");
}

/// Each program's memory has a limit of its own, and what one holds is not counted in the other.
#[test]
fn programs_have_limits_of_their_own() {
    const LIMIT: usize = 16 << 20;
    let mut small = Engine::new(Config::default().memory_limit(LIMIT)).expect("a program");
    let mut large = engine();
    is_true(
        &mut large,
        "forall(between(1, 200000, I), assertz(held(I, some(text, I))))",
    );
    is_true(
        &mut small,
        "forall(between(1, 1000, I), assertz(held(I, I)))",
    );
    let fill = "catch((between(1, inf, I), assertz(more(I, f(I))), fail), error(E, _), true)";
    assert_eq!(
        run(&mut small, fill).get("E"),
        Some("resource_error(memory)")
    );
    is_true(
        &mut large,
        "forall(between(1, 1000, I), assertz(more(I, f(I))))",
    );
    is_true(&mut small, "retractall(more(_, _)), assertz(held(1, 1))");
    let own = "numlist(1, 2000000, L), length(L, N)";
    assert_eq!(run(&mut large, own).get("N"), Some("2000000"));
    let refused = run(&mut small, &format!("catch(({own}), error(E, _), true)"));
    assert_eq!(refused.get("E"), Some("resource_error(memory)"));
}

/// Sessions that run nothing, and a main thread that has run something, keep no erased clause: what is retracted is no reason to refuse memory.
#[test]
fn idle_sessions_keep_no_clauses() {
    let mut e = Engine::new(Config::default().memory_limit(24 << 20)).expect("a program");
    is_true(&mut e, "assertz(w(0, some(text))), w(0, _)");
    let mut idle = e.program().session().expect("a session");
    assert!(idle.run("w(_, _)").expect("a goal").is_true());
    let program = e.program();
    thread::scope(|scope| {
        scope.spawn(move || {
            let _unused = program.session().expect("a session");
            let mut busy = program.session().expect("a session");
            let round =
                "forall(between(1, 100000, I), ( assertz(w(I, some(text))), retract(w(I, _)) ))";
            for _ in 0..8 {
                assert_eq!(busy.run(round).map(|a| a.is_true()), Ok(true));
            }
        });
    });
    assert!(idle.run("w(0, _), \\+ w(1, _)").expect("a goal").is_true());
}

/// `halt/1` ends one program: its threads, its main thread, the threads of the host in it. The other, and the process, go on.
#[test]
fn a_program_halts_alone() {
    let (mut a, mut b) = (engine(), engine());
    is_true(
        &mut b,
        "thread_create(thread_get_message(go), _, [alias(waits)])",
    );
    is_true(
        &mut a,
        "thread_create(thread_get_message(_), _, []), at_halt(true)",
    );
    let program = a.program();
    let waits = thread::spawn(move || {
        let mut session = program.session().expect("a session");
        let ended = session.run("repeat, fail");
        (ended, session.run("true"))
    });
    let answer = run(
        &mut a,
        "thread_create((sleep(0.05), halt(3)), _, []), repeat, fail",
    );
    assert_eq!(answer, Answer::Halted(3));
    let (ended, after) = waits.join().expect("no panic");
    assert_eq!(
        (ended, after),
        (Ok(Answer::Halted(3)), Ok(Answer::Halted(3)))
    );
    assert_eq!(run(&mut a, "true"), Answer::Halted(3));
    assert!(matches!(a.program().session(), Err(Error::Ended(3))));
    // The other one goes on, with its threads.
    is_true(
        &mut b,
        "thread_property(waits, status(running)), thread_send_message(waits, go), thread_join(waits, true)",
    );
    is_true(&mut b, "thread_create(true, T, []), thread_join(T, true)");
    drop(a);
    is_true(&mut b, "assertz(still), still");
    assert_eq!(run(&mut b, "halt(4)"), Answer::Halted(4));
    assert_eq!(run(&mut b, "true"), Answer::Halted(4));
}

/// One thread of the host runs several programs by turns: long operations hear the events of the one that runs.
#[test]
fn programs_take_turns_on_a_thread() {
    let mut a = engine();
    let mut b = engine();
    let mut extra = b.program().session().expect("a session");
    let long = "catch(call_with_time_limit(0.2, X is 7 ** 30000000), E, true)";
    for _ in 0..2 {
        for answer in [
            run(&mut a, long),
            run(&mut b, long),
            extra.run(long).expect("a goal"),
        ] {
            assert_eq!(answer.get("E"), Some("time_limit_exceeded"));
        }
    }
    drop(b);
    assert_eq!(extra.run("true"), Ok(Answer::Halted(0)));
    drop(extra);
    assert_eq!(run(&mut a, long).get("E"), Some("time_limit_exceeded"));
}

/// Eight threads of the host call one program, while another one runs beside it: facts that come and go, a table, messages, local facts.
#[test]
fn threads_of_the_host_share_a_program() {
    const THREADS: usize = 8;
    const ROUNDS: usize = 300;
    let (mut e, mut other) = (engine(), engine());
    is_true(
        &mut e,
        "dynamic(count/1), assertz(count(0)), thread_local(mine/1), table(fib/2)",
    );
    is_true(&mut e, "assertz(fib(0, 0)), assertz(fib(1, 1))");
    let rule = "assertz((fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y))";
    is_true(&mut e, rule);
    is_true(&mut e, "message_queue_create(_, [alias(results)])");
    let together = Barrier::new(THREADS);
    thread::scope(|scope| {
        for i in 0..THREADS {
            let (program, together) = (e.program(), &together);
            scope.spawn(move || {
                let mut s: Session = program.session().expect("a session");
                let mut holds = |goal: String| {
                    let answer = s.run(&goal).expect("a goal");
                    assert!(answer.is_true(), "{goal}: {answer:?}");
                };
                together.wait();
                for round in 0..ROUNDS {
                    let add = "retract(count(N)), M is N+1, assertz(count(M))";
                    holds(format!("with_mutex(counting, ({add}))"));
                    holds(format!("assertz(mine({round})), aggregate_all(count, mine(_), C), C =:= {round} + 1"));
                    holds(format!("assertz(all({i}, {round})), once(retract(all({i}, _)))"));
                    if round % 100 == 0 {
                        holds("fib(60, 1548008755920)".into());
                        holds("garbage_collect_clauses, garbage_collect".into());
                    }
                }
                holds(format!("thread_self(Me), thread_send_message(results, done({i}, Me))"));
            });
        }
        for i in 0..200 {
            is_true(
                &mut other,
                &format!("assertz(count({i})), retract(count({i}))"),
            );
        }
    });
    assert_eq!(run(&mut e, "count(N)").get("N"), Some("2400"));
    is_true(&mut e, "\\+ all(_, _), \\+ mine(_)");
    let all =
        "findall(I, (between(1, 8, _), thread_get_message(results, done(I, _))), L), sort(L, S)";
    assert_eq!(run(&mut e, all).get("S"), Some("[0,1,2,3,4,5,6,7]"));
    // They have gone.
    let left = "aggregate_all(count, thread_property(_, status(_)), N)";
    assert_eq!(run(&mut e, left).get("N"), Some("1"));
    is_true(&mut other, "\\+ count(_)");
}

/// What is wrong with a text is said as line and column; texts are read as the program says.
#[test]
fn texts_are_read_as_the_program_says() {
    let mut e = engine();
    for nothing in ["", " ", "% a comment", "/* another */"] {
        let refused = e.run(nothing);
        assert!(
            matches!(refused, Err(Error::Syntax(_))),
            "{nothing:?}: {refused:?}"
        );
    }
    let text = e.run("X = f(Y,\n  Z").expect_err("no term").to_string();
    assert_eq!(text, "syntax error: 2:3: end_of_file");
    let text = e.run("a b").expect_err("no term").to_string();
    assert_eq!(text, "syntax error: 1:2: operator_expected");
    assert_eq!(run(&mut e, "X = \"ab\"").get("X"), Some("\"ab\""));
    is_true(&mut e, "set_prolog_flag(double_quotes, atom)");
    assert_eq!(run(&mut e, "X = \"ab\"").get("X"), Some("ab"));
}

/// A limit that is too low to begin with is an error, not the end of the host.
#[test]
fn a_program_may_find_no_memory_to_begin() {
    for limit in [0, 1, 1000, 100_000] {
        let refused = Engine::new(Config::default().memory_limit(limit)).err();
        assert_eq!(refused, Some(Error::OutOfMemory), "{limit}");
    }
    let mut e = engine();
    assert_eq!(run(&mut e, "X = a").get("X"), Some("a"));
}

/// The host's memory is not filled with the text of a term that shares its parts; cyclic ones have a text.
#[test]
fn texts_of_answers_are_bounded() {
    let mut e = Engine::new(Config::default().memory_limit(8 << 20)).expect("a program");
    let doubled = "numlist(1, 60, L), foldl([_, A, f(A, A)]>>true, L, a, T)";
    let too_long = Answer::Exception("error(resource_error(memory),_)".into());
    assert_eq!(run(&mut e, doubled), too_long);
    assert_eq!(run(&mut e, &format!("{doubled}, throw(T)")), too_long);
    // Each fits, and all of them do not.
    let ten = "numlist(1, 20, N), foldl([_, A, f(A, A)]>>true, N, a, A), A = B, B = C, C = D, D = E, E = F, F = G";
    assert_eq!(run(&mut e, ten), too_long);
    let cyclic = run(&mut e, "X = f(X)");
    assert_eq!(cyclic.get("X"), Some("@(_S1,[_S1=f(_S1)])"));
}

/// Idle, busy and forgotten sessions of a program that ends.
#[test]
fn sessions_outlive_their_program() {
    let e = engine();
    let mut idle = e.program().session().expect("a session");
    std::mem::forget(e.program().session().expect("another"));
    assert!(idle.run("true").expect("a goal").is_true());
    let waits = e.program();
    let (told, tells) = std::sync::mpsc::channel();
    let busy = thread::spawn(move || {
        let mut session = waits.session().expect("a session");
        told.send(()).expect("somebody listens");
        session.run("repeat, fail")
    });
    tells.recv().expect("it is told");
    let program = e.program();
    drop(e);
    assert_eq!(busy.join().expect("no panic"), Ok(Answer::Halted(0)));
    assert_eq!(idle.run("true"), Ok(Answer::Halted(0)));
    assert!(matches!(program.session(), Err(Error::Ended(0))));
}

/// Sessions and engines in thread-locals of the host, which are dropped when those of others may be gone, and run goals then.
#[test]
fn sessions_may_be_dropped_at_the_end_of_a_thread() {
    struct Kept(
        Option<(Session, Engine)>,
        Option<std::sync::mpsc::Sender<Answer>>,
    );
    impl Drop for Kept {
        fn drop(&mut self) {
            let Some((session, engine)) = &mut self.0 else {
                return;
            };
            let long = "catch(call_with_time_limit(0.05, _ is 7 ** 30000000), E, true)";
            let goal =
                "thread_create(true, T), thread_join(T, S), numlist(1, 1000, L), sum_list(L, Sum)";
            for answer in [session.run(long), session.run(goal), engine.run(goal)] {
                if let (Ok(answer), Some(heard)) = (answer, &self.1) {
                    let _ = heard.send(answer);
                }
            }
        }
    }
    thread_local!(static KEPT: std::cell::RefCell<Kept> = const { std::cell::RefCell::new(Kept(None, None)) });
    let e = engine();
    for first in [true, false] {
        let (heard, answers) = std::sync::mpsc::channel();
        let program = e.program();
        thread::spawn(move || {
            // It is the first to be registered, and so the last to be dropped; or the other way round.
            if first {
                KEPT.with_borrow(|k| assert!(k.0.is_none()));
            }
            let mut session = program.session().expect("a session");
            assert!(session.run("nb_setval(v, f(x))").expect("a goal").is_true());
            KEPT.with_borrow_mut(|k| *k = Kept(Some((session, engine())), Some(heard)));
        })
        .join()
        .expect("no panic");
        let answers: Vec<Answer> = answers.iter().collect();
        assert_eq!(answers.len(), 3);
        assert_eq!(answers[0].get("E"), Some("time_limit_exceeded"));
        assert!(
            answers[1..].iter().all(|a| a.get("Sum") == Some("500500")),
            "{answers:?}"
        );
    }
}
