//! Prolog flags: global ones in the program, per-thread ones in the machine; those of modules are in [`super::module_flags`]; which there are and
//! what they may be set to in [`super::known_flags`].

use super::known_flags::{self, KNOWN, Values};
use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::tabling::restraints::{Action, Wire};
use samite_code::program::FlagType;
use samite_sched::registry::Flags;
use samite_table::{Origin, TableSync};
use samite_term::common::Held;
use samite_term::view::View;
use samite_term::{Atom, Cell, Functor, Number, Record, RecordBuilder, atoms, common, growth};
use samite_world::{clock, numbers, threads};
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    // '$flag'(:Name, ?Value)
    pure("$flag", 2, |m, a| {
        let (module, name) = flag_argument(m, a)?;
        let own = m.module_flag(module, name);
        if let Some(now) = own.or_else(|| m.flag_atom(name)) {
            let asked = m.arg(a, 1);
            return Ok(match asked.is_atom() {
                true => truth(known_flags::values(name), asked.atom_of(), now) == now,
                false => m.unify_atom(a, 1, now),
            });
        }
        let Some(r) = m.flag_record(name) else {
            return Ok(false);
        };
        let v = m.heap.instantiate(&r)?;
        Ok(m.unify_arg(a, 1, v))
    }),
    // '$is_system_flag'(+Name): it is no flag of the program's.
    pure("$is_system_flag", 1, |m, a| {
        let name = m.arg(a, 0);
        Ok(name.is_atom() && known_flags::values(name.atom_of()).is_some())
    }),
    // '$flag_begins'(+Name, -Value): what a flag of Samite's that a program may set was when the process began, before options. None of
    // those that modules have, and not of `argv`.
    det("$flag_begins", 2, |m, a| {
        let name = m.atom_argument(a, 0)?;
        let Some(r) = begins(m, name) else {
            return Ok(false);
        };
        let v = m.heap.instantiate(&r)?;
        Ok(m.unify_arg(a, 1, v))
    }),
    // '$flag_kind'(+Name, -Type, -Access): of a flag of the program's.
    det("$flag_kind", 3, |m, a| {
        let name = m.atom_argument(a, 0)?;
        let known = m.program.code.flag_types.read().get(&name).copied();
        let (ty, changes) = known.unwrap_or((FlagType::Term, true));
        let ty = TYPES.iter().find(|t| t.1 == ty).map_or("term", |t| t.0);
        let access = if changes { "read_write" } else { "read_only" };
        let [ty, access] = [ty, access].map(|word| Cell::atom(Atom::of(word)));
        Ok(m.unify_arg(a, 1, ty) && m.unify_arg(a, 2, access))
    }),
    det("$flags", 1, |m, a| {
        let mut all = m.program.code.flags.read().clone();
        let own = m.thread.flags.iter();
        all.extend(own.map(|(k, v)| (k.clone(), Record::clone(v))));
        let mut items = Vec::new();
        let module = m.reading_module();
        for (k, v) in all {
            let v = match m.module_flag(module, k.get()) {
                Some(own) => Cell::atom(own),
                None => m.heap.instantiate(&v)?,
            };
            items.push(m.structure("-", &[Cell::atom(k.get()), v])?);
        }
        let l = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_arg(a, 0, l))
    }),
    det("set_prolog_flag", 2, set_flag).core().lowers_limit(),
    det("create_prolog_flag", 3, create_flag),
    // '$put_flag'(+Name, +Value): whatever it may be set to.
    det("$put_flag", 2, |m, a| {
        let name = m.atom_argument(a, 0)?;
        let value = m.record_shared(m.arg(a, 1), 0)?;
        set_shared(m, name, value)
    }),
];

/// Flags kept by each thread, which hands them on to those it creates. They are also in the machine's [`samite_arith::Env`], which says what
/// their values are.
const PER_THREAD: &[&str] = &[
    "emulated_dialect",
    "iso",
    "prefer_rationals",
    "float_overflow",
    "float_zero_div",
    "float_undefined",
    "float_underflow",
    "float_rounding",
];

/// What a flag may be, by the option of who makes it.
const TYPES: [(&str, FlagType); 5] = [
    ("boolean", FlagType::Boolean),
    ("atom", FlagType::Atom),
    ("integer", FlagType::Integer),
    ("float", FlagType::Float),
    ("term", FlagType::Term),
];

/// Flags that steer what all threads have in common: whoever sets one sets it for all.
const OF_PROGRAM: &[&str] = &[
    "workers",
    "table_space",
    "shared_table_space",
    "table_sync",
    "table_alloc",
    "detect_deadlocks",
];

/// The flag `version`: ten thousand times the major number, a hundred times the minor one, and the patch number.
const VERSION: i64 = 10_000 * PARTS[0] + 100 * PARTS[1] + PARTS[2];

/// The numbers of the version.
const PARTS: [i64; 3] = [
    number(env!("CARGO_PKG_VERSION_MAJOR")),
    number(env!("CARGO_PKG_VERSION_MINOR")),
    number(env!("CARGO_PKG_VERSION_PATCH")),
];

/// The number that a text of digits says.
const fn number(digits: &str) -> i64 {
    match i64::from_str_radix(digits, 10) {
        Ok(n) => n,
        Err(_) => panic!("a number of a version"),
    }
}

impl Ctx<'_> {
    /// Sets a flag of this thread.
    fn set_own_flag(&mut self, name: Atom, value: Record) {
        Arc::make_mut(&mut self.thread.flags).insert(name.hold(), Held::new(value));
        self.thread.control.share_flags(self.thread.flags.clone());
    }
    /// Sets all flags of this thread, when it starts.
    pub(crate) fn set_flags(&mut self, flags: Arc<Flags>) {
        for (name, value) in flags.iter() {
            if value.root().is_atom() {
                let value = value.root().atom_of();
                self.thread.arith.set_flag(name.as_str(), value.as_str());
            }
        }
        self.thread.control.share_flags(flags.clone());
        self.thread.flags = flags;
    }
    /// The value of a flag.
    pub fn flag_record(&self, name: Atom) -> Option<Record> {
        if let Some(r) = self.thread.flags.get(&name) {
            return Some(Record::clone(r));
        }
        self.program.code.flags.read().get(&name).cloned()
    }
    /// The value of a flag that is an atom.
    pub fn flag_atom(&self, name: Atom) -> Option<Atom> {
        // (Asked for with each clause that is read: no copy of a flag is made to look at it.)
        match self.thread.flags.get(&name) {
            Some(own) => atom_of(own),
            None => atom_of(self.program.code.flags.read().get(&name)?),
        }
    }
}

/// The value of a flag, if it is an atom.
fn atom_of(value: &Record) -> Option<Atom> {
    let root = value.root();
    root.is_atom().then(|| root.atom_of())
}

/// The value that a word stands for: of flags that are true or false, `on` and `off` do too. `now` is the flag's value.
fn truth(values: Option<Values>, word: Atom, now: Atom) -> Atom {
    let is_truth = values.is_none_or(known_flags::is_truth);
    if !is_truth || ![atoms::TRUE, atoms::FALSE].contains(&now) {
        return word;
    }
    match word.as_str() {
        "on" => atoms::TRUE,
        "off" => atoms::FALSE,
        _ => word,
    }
}

/// The module and the name that the first argument is; without a module that of the text that is read.
fn flag_argument(m: &mut Ctx, a: Args) -> Result<(Atom, Atom), Throw> {
    let (flag, module) = m.strip_module(m.arg(a, 0), m.reading_module())?;
    if !flag.is_atom() {
        return Err(m.type_error("atom", flag));
    }
    Ok((module, flag.atom_of()))
}

fn set_flag(m: &mut Ctx, a: Args) -> Res {
    let (module, name) = flag_argument(m, a)?;
    let value = m.arg(a, 1);
    if value.is_ref() {
        return Err(m.instantiation_error());
    }
    match known_flags::values(name) {
        Some(values) => set_known(m, module, name, values, value),
        None => set_own(m, name, value),
    }
}

/// Sets a flag of Samite's.
fn set_known(m: &mut Ctx, module: Atom, name: Atom, values: Values, value: Cell) -> Res {
    let now = m.flag_atom(name);
    let value = match now {
        Some(now) if value.is_atom() => Cell::atom(truth(Some(values), value.atom_of(), now)),
        _ => value,
    };
    if name == atoms::UNKNOWN && module == atoms::SYSTEM {
        // What the system's own goals do is not for programs to say.
        return Err(m.permission_error("modify", "flag", Cell::atom(name)));
    }
    m.check_flag(name, values, value, now)?;
    if let Values::Only(_) = values {
        return Ok(true);
    }
    if values == Values::Memory {
        return set_memory_limit(m, name, value);
    }
    if super::module_flags::has(name) {
        return m.set_module_flag(module, name, value.atom_of());
    }
    if m.thread.arith.flag(name.as_str()).is_some()
        && !m
            .thread
            .arith
            .set_flag(name.as_str(), value.atom_of().as_str())
    {
        return Err(m.domain_error("flag_value", value));
    }
    let v = m.record_shared(value, 0)?;
    if PER_THREAD.contains(&name.as_str()) {
        m.set_own_flag(name, v);
        return Ok(true);
    }
    if name.as_str() == "workers" {
        let count = m.term(value).number();
        let Some(Number::Int(count)) = count else {
            return Err(m.domain_error("workers", value));
        };
        let count = usize::try_from(count).unwrap_or(1);
        m.program.light.set_target(count);
    }
    if let "table_space" | "shared_table_space" = name.as_str() {
        let Some(Number::Int(bytes)) = m.term(value).number() else {
            return Err(m.representation_error("int64_t"));
        };
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        match name.as_str() {
            "table_space" => m.program.shared_tables.set_most_private(bytes),
            _ => m.program.shared_tables.set_most(bytes),
        }
    }
    if name.as_str() == "table_sync" {
        let sync = match value.atom_of().as_str() {
            "tlwl_field" => TableSync::TlwlField,
            "tlwl_array" => TableSync::TlwlArray,
            _ => TableSync::LockFree,
        };
        m.program.shared_tables.set_sync(sync);
    }
    if name.as_str() == "table_alloc" {
        let origin = match value.atom_of().as_str() {
            "malloc" => Origin::Malloc,
            _ => Origin::Pages,
        };
        m.program.shared_tables.set_origin(origin);
    }
    if let Values::Limit = values {
        // (What is larger than any term is no limit.)
        let most = match m.term(value).number() {
            Some(Number::Int(most)) => u32::try_from(most).ok(),
            _ => None,
        };
        if let Some(wire) = Wire::of_flag(name.as_str()) {
            m.program.wires.set_most(wire, most);
        }
    }
    if let Values::Restraint(_) = values
        && let Some(wire) = Wire::of_flag(name.as_str())
    {
        let action = Action::of_word(value.atom_of().as_str());
        m.program.wires.set_action(wire, action);
    }
    if name.as_str() == "detect_deadlocks" {
        let detects = value == Cell::atom(atoms::TRUE);
        m.program
            .detects_deadlocks
            .store(detects, Ordering::Relaxed);
    }
    if name.as_str() == "print_write_options" {
        m.program.prints_plainly.store(false, Ordering::Relaxed);
    }
    let steers = OF_PROGRAM.contains(&name.as_str())
        || matches!(values, Values::Limit | Values::Restraint(_));
    match steers {
        true => set_shared(m, name, v),
        false => set_value(m, name, v),
    }
}

/// Sets a flag as a program's thread does: the first one for the program, as far as other threads have not set it themselves; others for themselves, and for those that they
/// create from then on.
fn set_value(m: &mut Ctx, name: Atom, value: Record) -> Res {
    if sets_for_all(m, name) {
        return set_shared(m, name, value);
    }
    m.set_own_flag(name, value);
    Ok(true)
}

/// Whether what this thread sets is the program's: it is the first one, or there is no such flag.
fn sets_for_all(m: &Ctx, name: Atom) -> bool {
    m.thread.control.id().number() == 1 || !m.program.code.flags.read().contains_key(&name)
}

/// Sets a flag of the program's own, if there may be a new one when there is none.
fn set_own(m: &mut Ctx, name: Atom, value: Cell) -> Res {
    let flag = Cell::atom(name);
    let known = m.program.code.flag_types.read().get(&name).copied();
    if known.is_some_and(|(_, changes)| !changes) {
        return Err(m.permission_error("modify", "flag", flag));
    }
    if known.is_none() && m.flag_record(name).is_none() {
        if m.flag_atom(atoms::ISO) == Some(atoms::TRUE) {
            return Err(m.domain_error("prolog_flag", flag));
        }
        let user_flags = m.flag_atom(Atom::new("user_flags"));
        if user_flags.is_some_and(|f| f.as_str() == "error") {
            return Err(m.existence_error("prolog_flag", flag));
        }
    }
    let value = match known {
        Some((ty, _)) => typed(m, value, ty)?,
        None => value,
    };
    let v = m.record_shared(value, 0)?;
    if known.is_none() {
        set_type(m, name, type_of(m, value), true)?;
    }
    set_value(m, name, v)
}

/// `create_prolog_flag(+Name, +Value, +Options)`: the type is that of the value unless type(Type) is among the options; keep(true) leaves
/// a flag that there is, access(read_only) makes one that nobody changes but by making it again.
fn create_flag(m: &mut Ctx, a: Args) -> Res {
    let name = m.atom_argument(a, 0)?;
    let value = m.arg(a, 1);
    let (mut ty, mut changes) = (None, true);
    for option in m.options(m.arg(a, 2), "prolog_flag_option")? {
        match option.name.as_str() {
            "type" => {
                let t = m.option_atom(&option)?;
                match TYPES.iter().find(|known| known.0 == t.as_str()) {
                    Some(&(_, known)) => ty = Some(known),
                    None => return Err(m.domain_error("prolog_flag_type", Cell::atom(t))),
                }
            }
            "access" => {
                changes = match m.option_atom(&option)?.as_str() {
                    "read_write" => true,
                    "read_only" => false,
                    _ => return Err(m.domain_error("prolog_flag_access", option.value.deref())),
                }
            }
            "keep" if m.option_bool(&option)? && m.flag_record(name).is_some() => return Ok(true),
            _ => {}
        }
    }
    if value.is_ref() {
        return Err(m.instantiation_error());
    }
    if let Some(values) = known_flags::values(name) {
        return set_known(m, m.reading_module(), name, values, value);
    }
    let ty = ty.unwrap_or_else(|| type_of(m, value));
    let value = typed(m, value, ty)?;
    let v = m.record_shared(value, 0)?;
    if sets_for_all(m, name) {
        set_type(m, name, ty, changes)?;
    }
    set_value(m, name, v)
}

fn set_type(m: &Ctx, name: Atom, ty: FlagType, changes: bool) -> Result<(), Throw> {
    let mut types = m.program.code.flag_types.write();
    let before = growth::map_bytes(&types);
    if !growth::map_insert(&mut types, name.hold(), (ty, changes), |n| {
        m.room(n).is_ok()
    }) {
        return Err(Throw::Memory);
    }
    common::charge(growth::map_bytes(&types));
    common::release(before);
    Ok(())
}

/// The type of a flag that is made with this value.
fn type_of(m: &Ctx, value: Cell) -> FlagType {
    match m.term(value).view() {
        View::Atom(atoms::TRUE | atoms::FALSE) => FlagType::Boolean,
        View::Atom(a) if matches!(a.as_str(), "on" | "off") => FlagType::Boolean,
        View::Atom(_) => FlagType::Atom,
        _ => match m.term(value).number() {
            Some(Number::Int(_) | Number::Big(_)) => FlagType::Integer,
            Some(Number::Float(_)) => FlagType::Float,
            _ => FlagType::Term,
        },
    }
}

/// The value as a flag of this type has it.
fn typed(m: &mut Ctx, value: Cell, ty: FlagType) -> Result<Cell, Throw> {
    let found = type_of(m, value);
    let name = match ty {
        FlagType::Term => return Ok(value),
        FlagType::Atom if value.is_atom() => return Ok(value),
        FlagType::Boolean if found == FlagType::Boolean => {
            let holds = matches!(value.atom_of().as_str(), "true" | "on");
            return Ok(Cell::atom(if holds { atoms::TRUE } else { atoms::FALSE }));
        }
        _ if found == ty => return Ok(value),
        FlagType::Boolean => "bool",
        FlagType::Atom => "atom",
        FlagType::Integer => "integer",
        FlagType::Float => "float",
    };
    Err(m.type_error(name, value))
}

/// With less memory there is none to report an error.
const MIN_LIMIT: i64 = 1 << 20;

/// Sets the memory limit of this thread; the first thread's is also that of those to come, and by the name that says so of what threads have in common. Not
/// below what is in use after a collection, for which the builtin is called again.
fn set_memory_limit(m: &mut Ctx, name: Atom, value: Cell) -> Res {
    let bytes = match m.term(value).view() {
        View::Int(n) => n,
        View::Number(n) => match n.number() {
            Number::Int(n) => n,
            Number::Big(_) => return Err(m.representation_error("int64_t")),
            _ => return Err(m.type_error("integer", value)),
        },
        _ => return Err(m.type_error("integer", value)),
    };
    if bytes < MIN_LIMIT {
        return Err(m.permission_error("limit", "stacks", value));
    }
    // No address space is larger.
    let limit = (bytes as usize).min(1 << 60);
    if limit < m.memory() {
        return Err(if m.is_called_again() {
            m.permission_error("limit", "stacks", value)
        } else {
            Throw::Memory
        });
    }
    m.set_memory_limit(samite_heap::config::affordable(limit));
    let first = m.thread.control.id().number() == 1;
    if first {
        m.program.heap_config.lock().limit = limit;
        if name == atoms::MEMORY_LIMIT {
            common::set_limit(limit);
        }
        crate::engine::atoms::limit_changed();
        samite_heap::address_space::limit_is(limit);
    }
    let v = m.record(value)?;
    for name in [name, atoms::STACK_LIMIT] {
        if first {
            m.program.code.flags.write().insert(name.hold(), v.clone());
        } else {
            m.set_own_flag(name, v.clone());
        }
    }
    Ok(true)
}

/// Sets a flag of the program, which was asked for. What is charged are the values and the places of the table.
fn set_shared(m: &Ctx, name: Atom, value: Record) -> Res {
    let mut flags = m.program.code.flags.write();
    let before = growth::map_bytes(&flags) + flags.get(&name).map_or(0, |r| 8 * r.len());
    let new = 8 * value.len();
    if !growth::map_insert(&mut flags, name.hold(), value, |n| m.room(n).is_ok()) {
        return Err(Throw::Memory);
    }
    common::charge(growth::map_bytes(&flags) + new);
    common::release(before);
    Ok(true)
}

/// Seconds west of Greenwich, without what clocks are put forward in summer.
fn standard_zone() -> i64 {
    const DAY: i64 = 24 * 60 * 60;
    let now = i64::try_from(clock::wall().as_secs()).unwrap_or(0);
    let days = [now, now - 182 * DAY].map(clock::zone);
    let offsets = days.iter().flatten().filter(|z| !z.summer);
    offsets.map(|z| z.offset).next().unwrap_or(0)
}

/// What a flag of Samite's was before an option or the program said anything, if a program may set it.
fn begins(m: &Ctx, name: Atom) -> Option<Record> {
    let values = known_flags::values(name)?;
    if matches!(values, Values::Told | Values::Only(_) | Values::Missing)
        || super::module_flags::has(name)
    {
        return None;
    }
    let row = KNOWN.iter().find(|row| row.0 == name.as_str())?;
    match row.1 {
        Some(word) => Some(Record::immediate(Cell::atom(Atom::new(word)))),
        None => {
            let first = m.program.first_flags.get()?;
            first.get(&name).map(|(value, _)| value.clone())
        }
    }
}

/// The flags of those that a program may set whose values at the start are no words: all of [`KNOWN`] but `argv`, which is the process's (a test says so). What is
/// missing here is not saved with a program.
const FOUND: [&str; 11] = [
    "answer_write_options",
    "cpu_count",
    "memory_limit",
    "message_context",
    "print_write_options",
    "shared_table_space",
    "stack_limit",
    "table_space",
    "tmp_dir",
    "toplevel_var_size",
    "workers",
];

/// Sets the flags that every program starts with.
pub fn install(m: &mut Ctx) {
    let cpus = threads::processors() as i64;
    let limit = m.thread.memory_limit as i64;
    let in_common = i64::try_from(common::limit()).unwrap_or(i64::MAX);
    let mut flags = m.program.code.flags.write();
    for (name, value, _) in KNOWN {
        if let Some(value) = value {
            flags.insert(
                Atom::new(name).hold(),
                Record::immediate(Cell::atom(Atom::new(value))),
            );
        }
    }
    flags.insert(
        Atom::new("tmp_dir").hold(),
        Record::immediate(Cell::atom(Atom::of(&super::files::temporary_directory(m)))),
    );
    // (Where the system does not say, there is no such flag.)
    if let Some(path) = executable_file() {
        flags.insert(
            Atom::new("executable").hold(),
            Record::immediate(Cell::atom(Atom::of(&path))),
        );
    }
    for (name, value) in [
        ("max_integer", i64::MAX),
        ("min_integer", i64::MIN),
        ("max_tagged_integer", samite_term::cell::MAX_SMALL),
        ("min_tagged_integer", samite_term::cell::MIN_SMALL),
        ("cpu_count", cpus),
        ("workers", cpus),
        ("memory_limit", in_common),
        ("stack_limit", limit),
        // (The memory limit holds for tables too.)
        ("table_space", limit),
        ("shared_table_space", in_common),
        (
            "max_procedure_arity",
            samite_code::instr::MAX_PREDICATE_ARITY as i64,
        ),
        ("version", VERSION),
        ("address_bits", i64::from(usize::BITS)),
        ("max_char_code", i64::from(u32::from(char::MAX))),
        ("path_max", i64::from(numbers::PATH_MAX)),
        ("toplevel_var_size", 1000),
        ("pid", i64::from(std::process::id())),
        ("timezone", standard_zone()),
    ] {
        let mut b = RecordBuilder::new();
        let c = b.number(&Number::Int(value));
        flags.insert(Atom::new(name).hold(), b.finish(c));
    }
    for (name, value) in [
        ("float_min", f64::MIN_POSITIVE),
        ("float_max", f64::MAX),
        ("float_max_integer", 9_007_199_254_740_992.0),
    ] {
        let mut b = RecordBuilder::new();
        let c = b.number(&Number::Float(value));
        flags.insert(Atom::new(name).hold(), b.finish(c));
    }
    let answers = options(
        &[
            ("quoted", "true"),
            ("portray", "true"),
            ("spacing", "next_argument"),
        ],
        Some(10),
    );
    let printed = options(
        &[
            ("portray", "true"),
            ("numbervars", "true"),
            ("quoted", "true"),
        ],
        None,
    );
    flags.insert(Atom::new("answer_write_options").hold(), answers);
    flags.insert(Atom::new("print_write_options").hold(), printed);
    flags.insert(Atom::new("argv").hold(), Record::immediate(Cell::NIL));
    // (The last argument says more of versions that are no releases.)
    let mut b = RecordBuilder::new();
    let [major, minor, patch] = PARTS.map(Cell::small);
    let version = b.structure(
        Functor::new(Atom::new("samite"), 4),
        &[major, minor, patch, Cell::NIL],
    );
    flags.insert(Atom::new("version_data").hold(), b.finish(version));
    let mut b = RecordBuilder::new();
    let thread = b.list(&[Cell::atom(Atom::new("thread"))], Cell::NIL);
    flags.insert(Atom::new("message_context").hold(), b.finish(thread));
    let found = FOUND.map(Atom::new);
    let first = found.iter().filter_map(|name| {
        let value = flags.get(name)?;
        Some((name.hold(), (value.clone(), atom_of(value).map(Atom::hold))))
    });
    let _ = m.program.first_flags.set(first.collect());
}

fn executable_file() -> Option<String> {
    let path = samite_world::files::executable().ok()?;
    path.into_os_string().into_string().ok()
}

/// A list of options of `write_term/2`.
fn options(words: &[(&'static str, &'static str)], max_depth: Option<i64>) -> Record {
    let mut b = RecordBuilder::new();
    let mut option = |name, value| b.structure(Functor::new(Atom::new(name), 1), &[value]);
    let mut all = Vec::new();
    for &(name, value) in words {
        all.push(option(name, Cell::atom(Atom::new(value))));
    }
    if let Some(depth) = max_depth {
        all.insert(2, option("max_depth", Cell::small(depth)));
    }
    let l = b.list(&all, Cell::NIL);
    b.finish(l)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_set_is_known_at_the_start() {
        let settable = |values| !matches!(values, Values::Told | Values::Only(_) | Values::Missing);
        let wanted = KNOWN
            .iter()
            .filter(|row| row.1.is_none() && settable(row.2));
        let names: Vec<&str> = wanted.map(|row| row.0).filter(|n| *n != "argv").collect();
        assert_eq!(names, FOUND);
    }
}
