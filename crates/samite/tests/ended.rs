//! What programs that have ended leave behind in the process: no threads. (Alone in its process, whose threads it counts.)

#![cfg(target_os = "linux")]

use samite::{Config, Engine, Error};
use std::time::{Duration, Instant};

fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("the system tells");
    tasks.count()
}

/// Programs whose threads, timers and calls of the system are used, and that are dropped, or end by themselves and then are.
#[test]
fn a_program_that_has_ended_has_no_threads() -> Result<(), Error> {
    let rounds = if cfg!(debug_assertions) { 10 } else { 200 };
    let mut before = 0;
    for round in 0..rounds {
        let mut engine = Engine::new(Config::default())?;
        // Those that catch their end, and go on, are told again when the engine's patience is over.
        let holds_on = if round + 1 == rounds {
            "forall(between(1, 3, _), thread_create(catch((repeat, fail), _, (repeat, fail)))), sleep(0.1), "
        } else {
            ""
        };
        let goal = "call_with_time_limit(100, true), alarm(100, true, _, []), thread_create(true, T), thread_join(T)";
        assert!(engine.run(&format!("{holds_on}{goal}"))?.is_true());
        let during = threads();
        if round % 2 == 1 {
            engine.run("halt")?;
        }
        drop(engine);
        if round == 0 {
            // What all have in common stays. (A thread may still be about to end: it is counted once too often at most.)
            before = threads();
            assert!(before <= during);
        }
    }
    // They end by themselves: it is waited for them, and a test that fails takes as long.
    let patience = Instant::now() + Duration::from_secs(60);
    while threads() > before && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(
        threads() <= before,
        "{} threads, {before} after the first program",
        threads()
    );
    Ok(())
}
