//! Lists of options.
//!
//! *Equation:* an option that SWI-Prolog has is in one of two places of its kind in [`KINDS`]: among those that the builtin looks at, or among those
//! that Samite has not, with the value that says so, which alone is accepted.

use super::args::finite_list;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::error::{Res, Throw};
use samite_term::dict::Dict;
use samite_term::{Atom, Cell, Functor, Number, TermRef, View, atoms, growth};

pub const TABLE: &[Entry] = &[
    // '$check_options'(+Kind, +Options): as the builtins do.
    det("$check_options", 2, |m, a| -> Res {
        let kind = m.atom_argument(a, 0)?;
        m.options(m.arg(a, 1), kind.as_str())?;
        Ok(true)
    }),
];

/// A kind, which is the domain that is named if an option is none, those that are looked at, and those that are not, with the only value that they
/// may have; the empty one: none.
type Kind = (
    &'static str,
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
);

const WRITE: &[&str] = &[
    "quoted",
    "ignore_ops",
    "numbervars",
    "portray",
    "portrayed",
    "quote_non_ascii",
    "cycles",
    "dotlists",
    "brace_terms",
    "no_lists",
    "partial",
    "character_escapes",
    "character_escapes_unicode",
    "module",
    "fullstop",
    "nl",
    "max_depth",
    "max_length",
    "priority",
    "spacing",
    "variable_names",
];
const WRITE_FIXED: &[(&str, &str)] = &[
    ("attributes", "ignore"),
    ("back_quotes", "codes"),
    ("blobs", "portray"),
    ("portray_goal", ""),
];

const PORTRAY: &[&str] = &[
    "indent",
    "portray",
    "quoted",
    "ignore_ops",
    "numbervars",
    "quote_non_ascii",
    "dotlists",
    "brace_terms",
    "no_lists",
    "character_escapes",
    "character_escapes_unicode",
    "module",
    "max_depth",
    "spacing",
    "variable_names",
];
const PORTRAY_FIXED: &[(&str, &str)] = &[
    ("attributes", "ignore"),
    ("back_quotes", "codes"),
    ("blobs", "portray"),
    ("cycles", "true"),
    ("fullstop", "true"),
    ("nl", "true"),
    ("partial", "true"),
    ("portray_goal", ""),
    ("priority", ""),
];

/// Kinds of the standard, for which what is no option at all is a `domain_error` (8.11.5.3, 8.14.2.3).
const STANDARD: &[&str] = &[
    "read_option",
    "write_option",
    "stream_option",
    "close_option",
];

/// Kinds of which SWI-Prolog does not look at what nobody knows with the flag `iso` either.
const LENIENT: &[&str] = &["load_option", "temporary_file_option"];

const KINDS: &[Kind] = &[
    (
        "read_option",
        &[
            "variables",
            "variable_names",
            "singletons",
            "syntax_errors",
            "term_position",
            "subterm_positions",
            "comments",
            "quasi_quotations",
            "module",
            "double_quotes",
            "back_quotes",
            "var_prefix",
        ],
        &[
            ("backquoted_string", ""),
            ("character_escapes", "true"),
            ("cycles", "false"),
            ("dotlists", "false"),
            ("process_comment", "false"),
            ("term_to_dict", ""),
        ],
    ),
    ("write_option", WRITE, WRITE_FIXED),
    ("portray_clause_option", PORTRAY, PORTRAY_FIXED),
    (
        "stream_option",
        &[
            "type",
            "encoding",
            "bom",
            "eof_action",
            "buffer",
            "newline",
            "reposition",
            "close_on_abort",
            "alias",
        ],
        &[
            ("create", ""),
            ("locale", ""),
            ("lock", "none"),
            ("wait", "true"),
        ],
    ),
    ("temporary_file_option", &["extension", "encoding"], &[]),
    ("close_option", &["force"], &[]),
    ("prolog_flag_option", &["type", "keep", "access"], &[]),
    ("engine_option", &["alias", "stack_limit"], &[]),
    ("transaction_option", &["bulk"], &[]),
    ("wildcard_option", &["case_sensitive"], &[]),
    (
        "numbervar_option",
        &["functor_name", "attvar", "singletons"],
        &[],
    ),
    (
        "thread_option",
        &[
            "alias",
            "detached",
            "debug",
            "queue_max_bytes",
            "queue_max_size",
            "stack_limit",
            "c_stack",
            "affinity",
            "inherit_from",
            "at_exit",
            "class",
            "linked",
        ],
        &[],
    ),
    ("queue_option", &["alias", "max_bytes", "max_size"], &[]),
    (
        "timeout_option",
        &[
            "timeout",
            "deadline",
            "signals",
            "retry_every",
            "modified",
            "wait_preds",
            "db",
            "module",
        ],
        &[],
    ),
    ("thread_update_options", &["notify", "module"], &[]),
    ("mutex_option", &["alias"], &[]),
    (
        "load_option",
        &[
            "if",
            "must_be_module",
            "imports",
            "reexport",
            "encoding",
            "stream",
            "redefine_module",
            "expand",
            "dialect",
        ],
        &[
            ("autoload", "false"),
            ("derived_from", ""),
            ("format", "source"),
            ("modified", ""),
            ("optimise", ""),
            ("qcompile", "never"),
            ("register", "true"),
            ("sandboxed", "false"),
            ("scope_settings", "true"),
            ("silent", "true"),
        ],
    ),
];

/// Name and value of an element of an options list.
pub(crate) struct Opt<'a> {
    pub name: Atom,
    pub value: TermRef<'a>,
    pub term: Cell,
}

/// Whether there is such an option. (Of one that is not, nobody looks at the value.)
pub(super) fn knows(kind: &str, option: Atom) -> bool {
    let of = KINDS.iter().find(|k| k.0 == kind);
    of.is_some_and(|(_, known, _)| known.contains(&option.as_str()))
}

impl<'b> Ctx<'b> {
    /// The elements of an options list, or what a dict says.
    pub(crate) fn options(&mut self, list: Cell, kind: &str) -> Result<Vec<Opt<'b>>, Throw> {
        if let Some(dict) = Dict::of(self.term(list)) {
            return self.options_of(dict, list, kind);
        }
        let Some((items, tail)) = finite_list(self.term(list)) else {
            return Err(self.type_error("list", list));
        };
        if tail.is_var() {
            return Err(self.instantiation_error());
        }
        if !tail.is_nil() {
            return Err(self.type_error("list", list));
        }
        let mut options = growth::with_room(items.len())?;
        for item in items {
            let term = item.deref();
            let (name, value) = match self.term(term).view() {
                View::Var(_) | View::Attributed(_) => return Err(self.instantiation_error()),
                View::Compound(c) if c.arity() == 1 => (c.name(), c.arg(0)),
                View::Compound(c)
                    if c.functor() == Functor::new(atoms::EQUALS, 2)
                        && c.arg(0).as_atom().is_some() =>
                {
                    (c.arg(0).as_atom().unwrap_or(atoms::EMPTY), c.arg(1))
                }
                _ if STANDARD.contains(&kind) => return Err(self.domain_error(kind, term)),
                _ => return Err(self.type_error("option", term)),
            };
            let option = Opt { name, value, term };
            self.check_option(&option, kind)?;
            options.push(option);
        }
        Ok(options)
    }
    /// The options that a dict names; keys that are numbers are none.
    fn options_of(&mut self, dict: Dict<'b>, t: Cell, kind: &str) -> Result<Vec<Opt<'b>>, Throw> {
        let mut options = growth::with_room(dict.len())?;
        for (key, value) in dict.pairs() {
            if key.is_atom() {
                let name = key.atom_of();
                let option = Opt {
                    name,
                    value,
                    term: t,
                };
                self.check_option(&option, kind)?;
                options.push(option);
            }
        }
        Ok(options)
    }
    /// An error if Samite does not have an option, or has one value of it only and this is another. One that nobody knows is not looked at, as in
    /// SWI-Prolog, but with the flag `iso`, where it is an error.
    fn check_option(&mut self, o: &Opt, kind: &str) -> Result<(), Throw> {
        let Some((_, known, fixed)) = KINDS.iter().find(|k| k.0 == kind) else {
            return Ok(());
        };
        let name = o.name.as_str();
        if known.contains(&name) {
            return Ok(());
        }
        let refused = match fixed.iter().find(|f| f.0 == name) {
            Some((_, value)) => {
                value.is_empty() || o.value.as_atom().is_none_or(|v| v.as_str() != *value)
            }
            None => self.thread.arith.iso && !name.starts_with('$') && !LENIENT.contains(&kind),
        };
        let domain = match kind {
            "portray_clause_option" => "write_option",
            kind => kind,
        };
        match refused {
            true => Err(self.domain_error(domain, o.term)),
            false => Ok(()),
        }
    }
    /// The value of a boolean option.
    pub(crate) fn option_bool(&mut self, o: &Opt) -> Result<bool, Throw> {
        match o.value.as_atom() {
            Some(atoms::TRUE | atoms::ON) => Ok(true),
            Some(atoms::FALSE | atoms::OFF) => Ok(false),
            _ => Err(self.type_error("bool", o.value.deref())),
        }
    }
    /// The value of an option that is an atom.
    pub(crate) fn option_atom(&mut self, o: &Opt) -> Result<Atom, Throw> {
        match o.value.as_atom() {
            Some(a) => Ok(a),
            None if o.value.is_var() => Err(self.instantiation_error()),
            None => Err(self.type_error("atom", o.value.deref())),
        }
    }
    /// The value of an option that is one of certain atoms.
    pub(crate) fn option_named<T>(
        &mut self,
        o: &Opt,
        domain: &str,
        find: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Throw> {
        let name = self.option_atom(o)?;
        match find(name.as_str()) {
            Some(v) => Ok(v),
            None => Err(self.domain_error(domain, o.value.deref())),
        }
    }
}

/// The options of a list, as (name, value).
pub(crate) fn options(m: &mut Ctx, list: Cell, kind: &str) -> Result<Vec<(Atom, Cell)>, Throw> {
    let options = m.options(list, kind)?.into_iter();
    Ok(options.map(|o| (o.name, o.value.deref())).collect())
}

/// The value of an option that is an atom.
pub(crate) fn atom_option(m: &mut Ctx, c: Cell) -> Result<Atom, Throw> {
    if c.is_atom() {
        Ok(c.atom_of())
    } else {
        Err(m.type_error("atom", c))
    }
}

/// The value of an option that is a number of bytes or things.
pub(crate) fn size_option(m: &mut Ctx, c: Cell) -> Result<usize, Throw> {
    match m.term(c).number() {
        Some(Number::Int(n)) => match usize::try_from(n) {
            Ok(n) => Ok(n),
            Err(_) => Err(m.domain_error("not_less_than_zero", c)),
        },
        Some(n) if n.is_integer() => Err(m.representation_error("size_t")),
        _ => Err(m.type_error("integer", c)),
    }
}

/// The value of an option that is switched on or off.
pub(crate) fn bool_option(m: &mut Ctx, c: Cell) -> Result<bool, Throw> {
    match m.term(c).as_atom() {
        Some(atoms::TRUE | atoms::ON) => Ok(true),
        Some(atoms::FALSE | atoms::OFF) => Ok(false),
        _ => Err(m.type_error("bool", c)),
    }
}
