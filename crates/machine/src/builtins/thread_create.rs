//! `thread_create/1,2,3`: the options and the start of the OS thread.
//!
//! Every option that SWI-Prolog looks at has an effect or is an error; what it ignores (`table_space/1`,
//! unknown names) is ignored. The OS thread is made by [`crate::engine::os_thread`], which says no where the
//! system would kill the process, on memory that is mapped before ([`crate::engine::mapped`]).

use super::args::callable;
use super::lives::{Inherited, Start, ThreadLife, reads_in, run_thread};
use super::options::{atom_option, bool_option, options, size_option};
use super::threads::{reference, sched_error, thread_term};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::mapped::Mapped;
use crate::engine::worker::Args;
use crate::engine::{carrier, os_thread};
use crate::error::{Res, Throw, error_record};
use crate::state::thread::HandedOn;
use samite_sched::SchedError;
use samite_sched::guest::Visit;
use samite_sched::registry::{Flags, Status, ThreadControl, ThreadOptions};
use samite_term::cell::MAX_SMALL;
use samite_term::common::{self, Held};
use samite_term::walked::{KeptAtoms, KeptRecord};
use samite_term::{Atom, Cell, Functor, Number, Record, RecordBuilder, View, atoms};
use samite_world::threads::Cpus;
use std::sync::Arc;

pub const TABLE: &[Entry] = &[
    det("thread_create", 1, thread_create_1).refuses_first(),
    det("thread_create", 2, |m, a| thread_create(m, a, Cell::NIL))
        .meta("0?")
        .refuses_first(),
    det("thread_create", 3, |m, a| {
        let options = m.arg(a, 2);
        thread_create(m, a, options)
    })
    .refuses_first()
    .meta("0?:")
    .core(),
];

/// Stack of an OS thread, and the least one. The machine does not recurse on it; what is not touched takes no memory.
const STACK: usize = 1 << 20;
const MIN_STACK: usize = 256 << 10;
/// Smaller sizes the system refuses (`PTHREAD_STACK_MIN`).
const NO_STACK: usize = 16 << 10;

/// With less memory a thread cannot even load what it calls.
pub(super) const MIN_MEMORY: usize = 128 << 10;

/// What a thread without an OS thread of its own is called, and the others.
pub(super) const LIGHT: &str = "light";
pub(super) const NATIVE: &str = "native";

/// What the options say.
struct Wanted {
    thread: ThreadOptions,
    memory_limit: usize,
    stack: usize,
    cpus: Option<Cpus>,
    flags: Arc<Flags>,
    /// It ends when its creator does.
    linked: bool,
    /// It has no OS thread of its own.
    light: bool,
    /// That was asked for, rather than the usual kind.
    kind_is_given: bool,
    /// Of a light one.
    priority: Option<i32>,
}

impl Wanted {
    fn new(m: &Ctx) -> Wanted {
        Wanted {
            thread: ThreadOptions::default(),
            memory_limit: m.thread.memory_limit,
            stack: STACK,
            cpus: None,
            flags: m.thread.flags.clone(),
            linked: false,
            light: m.flag_atom(atoms::THREAD_KIND) == Some(atoms::LIGHT),
            kind_is_given: false,
            priority: None,
        }
    }
}

/// `thread_create(Goal, Id, Options)`.
fn thread_create(m: &mut Ctx, a: Args, list: Cell) -> Res {
    let (goal, id) = (m.arg(a, 0), m.arg(a, 1));
    callable(m, goal)?;
    let wanted = read_options(m, list)?;
    if !id.is_ref() && wanted.thread.alias.as_ref().map(|a| Cell::atom(a.get())) != Some(id) {
        return Err(m.uninstantiation_error(id, "2-nd argument"));
    }
    let t = start_thread(m, goal, wanted)?;
    Ok(m.unify_arg(a, 1, t))
}

/// `thread_create(Goal)`: detached.
fn thread_create_1(m: &mut Ctx, a: Args) -> Res {
    let goal = m.arg(a, 0);
    callable(m, goal)?;
    let mut wanted = Wanted::new(m);
    wanted.thread.detached = true;
    start_thread(m, goal, wanted)?;
    Ok(true)
}

fn read_options(m: &mut Ctx, list: Cell) -> Result<Wanted, Throw> {
    let mut w = Wanted::new(m);
    let (list, module) = m.strip_module(list, atoms::USER)?;
    for (name, value) in options(m, list, "thread_option")? {
        match name.as_str() {
            "alias" => w.thread.alias = Some(atom_option(m, value)?.hold()),
            "detached" => w.thread.detached = bool_option(m, value)?,
            "debug" => w.thread.no_debug = !bool_option(m, value)?,
            "class" => w.thread.class = Some(atom_option(m, value)?.hold()),
            "linked" => w.linked = bool_option(m, value)?,
            "kind" => {
                let kind = atom_option(m, value)?;
                w.kind_is_given = true;
                match kind.as_str() {
                    LIGHT => w.light = true,
                    NATIVE => w.light = false,
                    _ => return Err(m.domain_error("thread_kind", value)),
                }
            }
            "priority" => w.priority = Some(priority(m, value)?),
            "queue_max_bytes" => w.thread.queue_max_bytes = size_option(m, value)?,
            "queue_max_size" => w.thread.queue_max_size = size_option(m, value)?,
            "stack_limit" => w.memory_limit = size_option(m, value)?.max(MIN_MEMORY),
            "c_stack" => {
                let size = size_option(m, value)?;
                if size < NO_STACK {
                    return Err(m.domain_error("c_stack", value));
                }
                w.stack = size.max(MIN_STACK);
            }
            "affinity" => w.cpus = Some(cpus(m, value)?),
            "inherit_from" => w.flags = flags_of(m, value)?,
            "at_exit" => {
                callable(m, value)?;
                let goal = match module {
                    atoms::USER => value,
                    module => m.structure(":", &[Cell::atom(module), value])?,
                };
                let r = m.record_shared(goal, Held::OVERHEAD)?;
                w.thread.at_exit.push(Held::new(r));
            }
            _ => {}
        }
    }
    // What only an OS thread has makes the thread one, unless that contradicts what is said.
    let needs_own = [
        ("affinity", w.cpus.is_some()),
        ("c_stack", w.stack != STACK),
    ];
    if let Some((option, _)) = needs_own.iter().find(|(_, given)| w.light && *given) {
        if w.kind_is_given {
            let kind = Cell::atom(Atom::new(LIGHT));
            return Err(m.permission_error(option, "thread_kind", kind));
        }
        w.light = false;
    }
    if w.priority.is_some() && !w.light {
        let kind = Cell::atom(Atom::new(NATIVE));
        return Err(m.permission_error("priority", "thread_kind", kind));
    }
    w.flags = with_limit(m, w.flags, w.memory_limit);
    Ok(w)
}

/// These flags, and what they tell of the limit is that which the thread has, whatever else it inherits, and from whom. A thread creates many with the same
/// ones, which share them.
fn with_limit(m: &mut Ctx, flags: Arc<Flags>, limit: usize) -> Arc<Flags> {
    if let Some(last) = &m.thread.handed_on
        && Arc::ptr_eq(&last.from, &flags)
        && last.limit == limit
    {
        return last.with.clone();
    }
    let bytes = i64::try_from(limit).unwrap_or(i64::MAX).min(MAX_SMALL);
    let value = Record::immediate(Cell::small(bytes));
    let own = flags.get(&atoms::STACK_LIMIT);
    let mut with = flags.clone();
    if own.is_none_or(|own| own.words() != value.words()) {
        let name = atoms::STACK_LIMIT.hold();
        Arc::make_mut(&mut with).insert(name, Held::new(value));
    }
    let from = flags;
    m.thread.handed_on = Some(HandedOn {
        from,
        limit,
        with: with.clone(),
    });
    with
}

/// The flags of another thread.
fn flags_of(m: &mut Ctx, thread: Cell) -> Result<Arc<Flags>, Throw> {
    let r = reference(m, thread, "thread")?;
    match m.program.registry.thread(r) {
        Ok(t) => Ok(t.flags()),
        Err(e) => Err(sched_error(m, e, thread)),
    }
}

/// A priority of light threads.
pub(super) fn priority(m: &mut Ctx, value: Cell) -> Result<i32, Throw> {
    let wanted = match m.term(value).number() {
        Some(Number::Int(n)) => i32::try_from(n).ok(),
        Some(Number::Big(_)) => None,
        None if value.is_ref() => return Err(m.instantiation_error()),
        _ => return Err(m.type_error("integer", value)),
    };
    wanted.ok_or_else(|| m.domain_error("priority", value))
}

/// A list of processors.
pub(super) fn cpus(m: &mut Ctx, list: Cell) -> Result<Cpus, Throw> {
    let Some((items, tail)) = super::args::finite_list(m.term(list)) else {
        return Err(m.type_error("list", list));
    };
    let tail = tail.deref();
    if tail.is_ref() {
        return Err(m.instantiation_error());
    }
    if tail != Cell::NIL {
        return Err(m.type_error("list", tail));
    }
    let mut numbers = Vec::with_capacity(items.len());
    for item in items {
        let c = item.deref();
        let n = match m.term(c).view() {
            View::Int(n) => n,
            View::Var(_) | View::Attributed(_) => return Err(m.instantiation_error()),
            View::Number(_) => return Err(m.representation_error("int")),
            _ => return Err(m.type_error("integer", c)),
        };
        if n < 0 {
            return Err(m.domain_error("not_less_than_zero", c));
        }
        match usize::try_from(n).ok().filter(|&n| Cpus::exists(n)) {
            Some(n) => numbers.push(n),
            None => return Err(m.existence_error("cpu", c)),
        }
    }
    if numbers.is_empty() {
        return Err(m.domain_error("cpu_affinity", list));
    }
    Ok(Cpus::new(&numbers))
}

fn no_threads(b: &mut RecordBuilder) -> Cell {
    let what = Cell::atom(Atom::new("threads"));
    b.structure(Functor::new(atoms::RESOURCE_ERROR, 1), &[what])
}

/// Starts a thread and returns its name.
fn start_thread(m: &mut Ctx, goal: Cell, wanted: Wanted) -> Result<Cell, Throw> {
    if m.program.ending.has_begun() {
        let what = [
            Cell::atom(Atom::new("create")),
            Cell::atom(Atom::new("thread")),
            goal,
        ];
        let formal = m
            .heap
            .structure(Functor::new(atoms::PERMISSION_ERROR, 3), &what)?;
        return Err(m.error_with_message(formal, "threading disabled"));
    }
    m.publish_tables();
    let record = m.record_shared(goal, Held::OVERHEAD + ThreadControl::BYTES)?;
    if !common::leaves_enough(ThreadControl::BYTES) {
        return Err(Throw::Memory);
    }
    let start = Start {
        goal: KeptRecord::new(Held::new(record)),
        inherited: Inherited {
            typein: m.thread.modules.typein.clone(),
            source: reads_in(m),
            _of_flags: KeptAtoms::of(&*wanted.flags),
            flags: wanted.flags,
            locale: m.thread.locale.clone(),
            loading: m.thread.loading.lend(),
            standard_streams: m.thread.io.standard,
            streams: (m.thread.io.current_input, m.thread.io.current_output),
            for_tables: m.thread.tabling.matters(),
        },
    };
    let alias = wanted.thread.alias.as_ref();
    let culprit = alias.map_or(goal, |a| Cell::atom(a.get()));
    let control = match m.program.registry.create_thread(wanted.thread) {
        Ok(c) => c,
        Err(e) => {
            let taken = matches!(e, SchedError::Permission(..));
            let error = sched_error(m, e, culprit);
            return Err(match taken {
                true => m.with_message(error, "Alias name already taken"),
                false => error,
            });
        }
    };
    let term = thread_term(m, &control);
    if wanted.linked
        && let Err(e) = m.thread.control.link(&control)
    {
        let status = Status::Exception(Held::new(error_record(no_threads)));
        m.program.registry.abandon(&control, status);
        return Err(sched_error(m, e, goal));
    }
    let (program, c, cpus) = (m.program.clone(), control.clone(), wanted.cpus);
    if wanted.light {
        let life = Box::new(ThreadLife::new(c, start));
        control.set_priority(wanted.priority.unwrap_or(0));
        if carrier::begin(program, &control, wanted.memory_limit, life) {
            return Ok(term);
        }
        let status = Status::Exception(Held::new(error_record(no_threads)));
        m.program.registry.abandon(&control, status);
        return Err(m.resource_error("threads"));
    }
    let name = control.alias().map_or("", Atom::as_str);
    let config = *m.program.heap_config.lock();
    let life = ThreadLife::new(c.clone(), start);
    let visit = program.light.invite(control.attention());
    let started = Mapped::new(config, wanted.memory_limit).is_some_and(|mut mapped| {
        if !mapped.admit(wanted.stack) {
            return false;
        }
        let run = move || {
            let visit = visit.map(Visit::enter);
            run_thread(program, c, mapped, life);
            drop(visit);
        };
        match cpus {
            None => os_thread::spawn_for(name, wanted.stack, run),
            // (Nobody else is to be bound to them.)
            Some(cpus) => os_thread::spawn(name, wanted.stack, move || {
                cpus.bind();
                run();
            }),
        }
    });
    if started {
        return Ok(term);
    }
    let status = Status::Exception(Held::new(error_record(no_threads)));
    m.program.registry.abandon(&control, status);
    Err(m.resource_error("threads"))
}
