//! Engines as predicates, but for those that run one ([`crate::engine::control`]): creating, posting, what is known about them, and the end of those that
//! nobody can name any more.
//!
//! An engine's heap is made when the engine is, and is its own: an answer is copied into a record and out of it. What it inherits is what a new thread does.

use super::options::{atom_option, options, size_option};
use super::thread_create::MIN_MEMORY;
use super::threads::{my_term, sched_error, thread_term};
use super::unnamed::end_unnamed_engines;
use super::{Entry, det};
use crate::engine::asleep::{has_gone, part_with};
use crate::engine::ctx::Ctx;
use crate::engine::mapped::Mapped;
use crate::engine::worker::{Args, OwnedWorker};
use crate::error::{Res, Throw};
use crate::state::program::Program;
use samite_sched::registry::{Status, ThreadControl, ThreadOptions};
use samite_sched::{Reference, SchedError};
use samite_term::common::{self, Held};
use samite_term::walked::KeptRecord;
use samite_term::{Atom, Cell, Functor, atoms};
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    det("engine_create", 3, |m, a| create(m, a, Cell::NIL))
        .meta("?0-")
        .refuses_first(),
    det("engine_create", 4, |m, a| {
        let options = m.arg(a, 3);
        create(m, a, options)
    })
    .meta("?0-+")
    .refuses_first(),
    det("engine_post", 2, |m, a| {
        let (name, t) = (m.arg(a, 0), m.arg(a, 1));
        let engine = m.engine_named(name)?;
        if engine.turn.is_gone() {
            return Err(m.existence_error("engine", name));
        }
        m.post_to_engine(&engine, t)?;
        Ok(true)
    })
    .refuses_first(),
    det("engine_fetch", 1, fetch),
    det("engine_self", 1, |m, a| {
        if !m.thread.control.is_engine() {
            return Ok(false);
        }
        let me = my_term(m);
        Ok(m.unify_arg(a, 0, me))
    }),
    det("is_engine", 1, |m, a| {
        let name = m.arg(a, 0);
        Ok(m.program.engines.find(name.0).is_some())
    }),
    // '$engines'(-List): those that have not ended.
    det("$engines", 1, |m, a| {
        let mut names = Vec::new();
        for engine in m.program.engines.all() {
            if !engine.turn.is_gone() {
                names.push(thread_term(m, &engine.control));
            }
        }
        let list = m.heap.list(&names, Cell::NIL)?;
        Ok(m.unify_arg(a, 0, list))
    }),
    det("$unnamed_engine", 1, unnamed),
    // '$claim_engines': there are some that nobody can name, and nobody destroys them yet: this thread does, until '$release_engines', or until it ends.
    det("$claim_engines", 0, |m, _| {
        let me = m.thread.control.id();
        Ok(m.program.registry.claim_unnamed_engines(me))
    }),
    det("$release_engines", 0, |m, _| {
        let me = m.thread.control.id();
        m.program.registry.release_unnamed_engines(me);
        Ok(true)
    }),
    // '$engines_end': somebody destroys such engines.
    det("$engines_end", 0, |m, _| {
        Ok(m.program.registry.ends_unnamed_engines())
    }),
    // '$next_exit_goal'(-Goal): the next of the thread at hand.
    det("$next_exit_goal", 1, |m, a| {
        let Some(goal) = m.thread.control.next_at_exit() else {
            return Ok(false);
        };
        let goal = m.heap.instantiate_on_credit(&goal)?;
        Ok(m.unify_arg(a, 0, goal))
    }),
];

/// `engine_create(Template, Goal, Engine, Options)`.
fn create(m: &mut Ctx, a: Args, list: Cell) -> Res {
    let (template, goal, id) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 2));
    let (mut alias, mut limit) = (None, m.thread.memory_limit);
    for (name, value) in options(m, list, "engine_option")? {
        match name.as_str() {
            "alias" => alias = Some(atom_option(m, value)?),
            "stack_limit" => limit = size_option(m, value)?.max(MIN_MEMORY),
            _ => {}
        }
    }
    if !id.is_ref() {
        if !id.is_atom() || alias.is_some_and(|alias| Cell::atom(alias) != id) {
            return Err(m.uninstantiation_error(id, "3-rd argument"));
        }
        alias = Some(id.atom_of());
    }
    m.publish_tables();
    end_unnamed_engines(&m.program);
    // Who makes them faster than they are ended waits a little. No longer: it may hold what their handlers wait for.
    let waits = !m.thread.engine.has_waited && m.program.registry.has_many_unnamed_engines();
    m.thread.engine.has_waited = waits;
    if waits {
        return Err(Throw::First(Cell::atom(Atom::new("$await_engines"))));
    }
    let goal = match m.program.initializes_threads.load(Ordering::Acquire) {
        true => {
            let init = Cell::atom(Atom::new("$thread_init"));
            m.heap
                .structure(Functor::new(atoms::COMMA, 2), &[init, goal])?
        }
        false => goal,
    };
    let pair = m
        .heap
        .structure(Functor::new(atoms::MINUS, 2), &[template, goal])?;
    let pair = m.record_shared(pair, Held::OVERHEAD + ThreadControl::BYTES)?;
    if !common::leaves_enough(ThreadControl::BYTES) {
        return Err(Throw::Memory);
    }
    let taken = alias.is_some_and(|a| m.program.engines.find(Cell::atom(a).0).is_some());
    let options = ThreadOptions {
        alias: alias.map(|a| a.hold()),
        detached: true,
        ..ThreadOptions::default()
    };
    let made = match alias {
        Some(alias) if taken => Err(SchedError::Permission(
            samite_sched::Action::Create,
            samite_sched::error::ObjectKind::Engine,
            alias.into(),
        )),
        _ => m.program.registry.create_engine(options),
    };
    let control = match made {
        Ok(control) => control,
        Err(e) => {
            let taken = matches!(e, SchedError::Permission(..));
            let culprit = alias.map_or(goal, Cell::atom);
            let error = sched_error(m, e, culprit);
            return Err(match taken {
                true => m.with_message(error, "Alias name already taken"),
                false => error,
            });
        }
    };
    let name = Reference::of_thread(&control).cell();
    let Some(mapped) = Mapped::for_sleeper(&m.program, limit) else {
        drop_control(&m.program, &control);
        // There may be some that nobody can name.
        m.thread.engine.reclaims = !m.thread.engine.reclaims;
        return Err(match m.thread.engine.reclaims {
            true => Throw::First(Cell::atom(Atom::new("$reclaim_engines"))),
            false => m.resource_error("engines"),
        });
    };
    m.thread.engine.reclaims = false;
    let program = m.program.clone();
    let prepare = |e: &mut OwnedWorker| {
        e.thread.modules.typein = m.thread.modules.typein.clone();
        e.thread.modules.source = super::lives::reads_in(m);
        e.ctx().set_flags(m.thread.flags.clone());
        e.thread.locale = m.thread.locale.clone();
        e.thread.loading.begin(m.thread.loading.lend());
        e.thread.io.standard = m.thread.io.standard;
        e.thread.io.current_input = m.thread.io.current_input;
        e.thread.io.current_output = m.thread.io.current_output;
    };
    let pair = KeptRecord::new(Held::new(pair));
    let engine = OwnedWorker::for_engine(mapped, &program, &control, prepare, pair);
    if !program.engines.enter(name.0, &engine) {
        if let Some(kept) = engine.turn.try_take() {
            part_with(&program, &engine, kept);
        }
        return Err(Throw::Memory);
    }
    m.heap.meet_new(name);
    Ok(m.unify_arg(a, 2, name))
}

/// Nothing has come of it.
fn drop_control(program: &Program, control: &Arc<ThreadControl>) {
    control.conclude(Status::True);
    program.registry.finish_engine(control);
    program.registry.forget_engine(control);
}

/// `engine_fetch(Term)`.
fn fetch(m: &mut Ctx, a: Args) -> Res {
    let posted = match m.thread.engine.me.upgrade() {
        Some(engine) => engine.posted.lock().take(),
        None => None,
    };
    let Some(posted) = posted else {
        let what = [
            Cell::atom(Atom::new("term")),
            Cell::atom(Atom::new("delivery")),
            my_term(m),
        ];
        let f = Functor::new(atoms::EXISTENCE_ERROR, 3);
        let formal = m.heap.structure(f, &what)?;
        return Err(m.error_with_message(formal, "Use engine_post/2,3"));
    };
    // It has been taken: it is not refused any more.
    let t = m.heap.instantiate_on_credit(&posted)?;
    Ok(m.unify_arg(a, 0, t))
}

/// `'$unnamed_engine'(-Engine)`: one that nobody can name any more, and that has something to run when it is destroyed, or that was given up. Those that have nothing
/// are gone then.
fn unnamed(m: &mut Ctx, a: Args) -> Res {
    let program = m.program.clone();
    while let Some(given_up) = program.registry.take_given_up() {
        let named = program
            .engines
            .find(Reference::of_thread(&given_up).cell().0);
        // (It may have been asked, or have been destroyed and its alias be another's.)
        if named.is_some_and(|e| Arc::ptr_eq(&e.control, &given_up)) && given_up.is_suspended() {
            let name = thread_term(m, &given_up);
            return Ok(m.unify_arg(a, 0, name));
        }
    }
    let mut first = None;
    program.registry.end_unnamed_engines(&mut |handle| {
        if first.is_some() {
            return false;
        }
        let gone = has_gone(&program, handle);
        first = (!gone).then(|| Cell::of_handle(handle));
        true
    });
    match first {
        Some(name) => Ok(m.unify_arg(a, 0, name)),
        None => Ok(false),
    }
}

/// The program has ended: parts with all its engines, running nothing.
pub fn forget_all(program: &Program) {
    for engine in program.engines.take_all() {
        if let Some(kept) = engine.turn.try_take() {
            part_with(program, &engine, kept);
        }
    }
}
