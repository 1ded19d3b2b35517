//! The flags that there are, and what each may be set to.
//!
//! *Equation:* each flag that SWI-Prolog has is a row of [`KNOWN`]. A value that is accepted has an effect, or is the one that the flag has:
//! what Samite does in one way only can be set to that way and to no other. A flag that is not a row is a program's own: nobody else
//! looks at it.
//!
//! Used by [`super::flags`] alone.

use crate::engine::ctx::Ctx;
use crate::error::Throw;
use rustc_hash::FxHashMap;
use samite_stream::Encoding as StreamEncoding;
use samite_term::{Atom as Name, Cell, Number, atoms};
use std::sync::LazyLock;

/// What a flag may be set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Values {
    /// Nothing: it only tells.
    Told,
    /// The value that it has. Of the words that SWI-Prolog knows the others are refused by name; none: it is true or false.
    Only(&'static [&'static str]),
    /// One of these words.
    Word(&'static [&'static str]),
    Truth,
    Atom,
    /// An integer above 0.
    Count,
    List,
    /// The name of an encoding.
    Encoding,
    /// What float operations do, whose words are [`samite_arith::Env`]'s.
    Floats,
    /// A number of bytes.
    Memory,
    /// False, and true for good.
    Once,
    /// An integer not below 0, or `infinite`.
    Limit,
    /// What is done about a call or an answer of a table that is too large: one of these words.
    Restraint(&'static [&'static str]),
    /// A goal, or the name of one.
    Goal,
    /// What messages tell of where they come from: a list of `thread`, or nothing.
    Context,
    /// There is no such flag in Samite, though SWI-Prolog has it.
    Missing,
}

use Values::*;

const QUOTES: &[&str] = &["codes", "chars", "atom", "string"];
const BACK_QUOTES: &[&str] = &["codes", "chars", "string"];
const ACTIONS: &[&str] = &["print", "halt", "status"];

/// By name: the value at the start, if it is one of these words, and what may come after it.
pub(super) const KNOWN: &[(&str, Option<&str>, Values)] = &[
    ("abi_version", None, Told),
    ("access_level", Some("user"), Only(&["user", "system"])),
    ("address_bits", None, Told),
    ("agc_close_streams", None, Missing),
    ("agc_margin", None, Missing),
    ("allow_dot_in_atom", Some("false"), Only(&[])),
    ("allow_variable_name_as_functor", Some("false"), Only(&[])),
    ("android", None, Told),
    ("android_api", None, Told),
    ("answer_format", Some("~p"), Only(&["~p"])),
    ("answer_write_options", None, List),
    ("apple", None, Told),
    ("arch", Some(std::env::consts::ARCH), Told),
    ("argv", None, List),
    ("associated_file", None, Missing),
    (
        "autoload",
        Some("true"),
        Word(&["false", "explicit", "user", "user_or_explicit", "true"]),
    ),
    ("back_quotes", Some("codes"), Word(BACK_QUOTES)),
    ("backtrace", None, Missing),
    ("backtrace_depth", None, Missing),
    ("backtrace_goal_depth", None, Missing),
    ("backtrace_show_lines", None, Missing),
    ("bounded", Some("false"), Told),
    ("break_level", None, Told),
    ("c_cc", None, Missing),
    ("c_cflags", None, Missing),
    ("c_cxx", None, Missing),
    ("c_ldflags", None, Missing),
    ("c_libplso", None, Missing),
    ("c_libs", None, Missing),
    ("char_conversion", Some("false"), Only(&[])),
    ("character_escapes", Some("true"), Only(&[])),
    ("character_escapes_unicode", Some("true"), Only(&[])),
    ("cmake_build_type", None, Told),
    ("colon_sets_calling_context", Some("true"), Told),
    ("color_term", Some("true"), Truth),
    (
        "compile_meta_arguments",
        Some("false"),
        Only(&["false", "control", "always"]),
    ),
    ("compiled_at", None, Told),
    ("conda", None, Told),
    ("console_menu", None, Told),
    ("cpu_count", None, Count),
    ("dde", None, Told),
    ("debug", Some("false"), Only(&[])),
    ("debug_on_error", Some("false"), Only(&[])),
    ("debug_on_interrupt", Some("false"), Only(&[])),
    ("debug_term_position", Some("false"), Only(&[])),
    ("debugger_show_context", Some("false"), Only(&[])),
    ("debugger_write_options", None, Missing),
    ("detect_deadlocks", Some("false"), Truth),
    (
        "determinism_error",
        Some("error"),
        Word(&["error", "warning", "silent"]),
    ),
    ("dialect", Some("samite"), Told),
    ("double_quotes", Some("string"), Word(QUOTES)),
    ("editor", None, Missing),
    ("emacs_inferior_process", Some("false"), Told),
    (
        "emulated_dialect",
        Some("swi"),
        Word(&["hprolog", "sicstus", "sicstus4", "swi", "xsb", "yap"]),
    ),
    ("encoding", Some("utf8"), Encoding),
    ("error_ambiguous_stream_pair", None, Missing),
    ("executable", None, Told),
    ("executable_format", None, Told),
    ("exit_status", None, Told),
    ("file_name_case_handling", None, Missing),
    ("file_name_variables", Some("false"), Only(&[])),
    ("file_search_cache_time", None, Missing),
    ("fileerrors", Some("true"), Only(&[])),
    ("float_format", None, Missing),
    ("float_max", None, Told),
    ("float_max_integer", None, Told),
    ("float_min", None, Told),
    ("float_overflow", Some("error"), Floats),
    ("float_rounding", Some("to_nearest"), Floats),
    ("float_undefined", Some("error"), Floats),
    ("float_underflow", Some("ignore"), Floats),
    ("float_zero_div", Some("error"), Floats),
    ("gc", Some("true"), Only(&[])),
    ("gc_thread", Some("false"), Only(&[])),
    ("generate_debug_info", Some("true"), Truth),
    ("gmp_version", None, Told),
    ("gui", None, Told),
    ("heartbeat", None, Missing),
    ("history", None, Missing),
    ("home", None, Told),
    ("hwnd", None, Told),
    ("integer_rounding_function", Some("toward_zero"), Told),
    ("iso", Some("false"), Truth),
    ("large_files", Some("true"), Told),
    ("last_call_optimisation", Some("true"), Only(&[])),
    ("libswipl", None, Told),
    ("malloc", None, Missing),
    ("max_answers_for_subgoal", Some("infinite"), Limit),
    (
        "max_answers_for_subgoal_action",
        Some("error"),
        Restraint(&[
            "bounded_rationality",
            "complete_soundly",
            "error",
            "suspend",
            "warning",
        ]),
    ),
    ("max_arity", Some("unbounded"), Told),
    ("max_char_code", None, Told),
    ("max_integer", None, Told),
    ("max_procedure_arity", None, Told),
    ("max_rational_size", None, Missing),
    ("max_rational_size_action", None, Missing),
    ("max_table_answer_size", Some("infinite"), Limit),
    (
        "max_table_answer_size_action",
        Some("error"),
        Restraint(&[
            "bounded_rationality",
            "complete_soundly",
            "error",
            "fail",
            "suspend",
            "warning",
        ]),
    ),
    ("max_table_subgoal_size", Some("infinite"), Limit),
    (
        "max_table_subgoal_size_action",
        Some("error"),
        Restraint(&["abstract", "error", "suspend", "warning"]),
    ),
    ("max_tagged_integer", None, Told),
    ("memory_limit", None, Memory),
    ("message_context", None, Context),
    ("message_language", None, Missing),
    ("min_integer", None, Told),
    ("min_tagged_integer", None, Told),
    ("mitigate_spectre", Some("false"), Only(&[])),
    ("msys2", None, Told),
    (
        "occurs_check",
        Some("false"),
        Only(&["false", "true", "error"]),
    ),
    ("on_error", Some("print"), Word(ACTIONS)),
    ("on_warning", Some("print"), Word(ACTIONS)),
    ("open_shared_object", None, Told),
    ("optimise", Some("false"), Truth),
    (
        "optimise_debug",
        Some("default"),
        Word(&["default", "true", "false"]),
    ),
    ("optimise_unify", Some("true"), Only(&[])),
    ("os_argv", None, Told),
    ("packs", Some("true"), Truth),
    ("path_max", None, Told),
    ("pid", None, Told),
    ("pipe", Some("true"), Only(&[])),
    ("portable_vmi", None, Missing),
    ("posix_shell", Some("/bin/sh"), Atom),
    ("prefer_rationals", Some("false"), Truth),
    ("print_write_options", None, List),
    (
        "prompt_alternatives_on",
        Some("determinism"),
        Only(&["determinism", "groundness", "all"]),
    ),
    ("protect_static_code", Some("false"), Once),
    (
        "qcompile",
        Some("false"),
        Only(&["false", "auto", "large", "part"]),
    ),
    ("quasi_quotations", Some("true"), Truth),
    ("query_debug_settings", None, Missing),
    (
        "rational_syntax",
        Some("compatibility"),
        Only(&["compatibility", "natural", "iso"]),
    ),
    ("readline", None, Missing),
    ("report_error", Some("true"), Only(&[])),
    ("resource_database", None, Told),
    ("runtime", None, Missing),
    ("sandboxed_load", Some("false"), Only(&[])),
    ("shared_home", None, Told),
    ("shared_object_extension", None, Told),
    ("shared_object_search_path", None, Told),
    ("shared_table_space", None, Count),
    ("shift_check", None, Missing),
    ("signals", Some("true"), Told),
    ("stack_limit", None, Memory),
    (
        "stream_type_check",
        Some("loose"),
        Word(&["false", "loose", "true"]),
    ),
    ("string_stack_tripwire", None, Missing),
    ("style_discontiguous", Some("true"), Truth),
    ("style_no_effect", Some("true"), Truth),
    ("style_singleton", Some("true"), Truth),
    ("system_thread_id", None, Missing),
    ("table_alloc", Some("pages"), Word(&["malloc", "pages"])),
    ("table_incremental", Some("false"), Truth),
    ("table_monotonic", None, Missing),
    ("table_shared", Some("false"), Truth),
    ("table_space", None, Count),
    ("table_subgoal_shared", Some("false"), Truth),
    ("table_subsumptive", Some("false"), Truth),
    (
        "table_sync",
        Some("lockfree"),
        Word(&["lockfree", "tlwl_array", "tlwl_field"]),
    ),
    ("thread_kind", Some("native"), Word(&["light", "native"])),
    ("threads", Some("true"), Told),
    ("timezone", None, Told),
    ("tmp_dir", None, Atom),
    ("toplevel_extra_white_line", Some("true"), Truth),
    ("toplevel_goal", Some("default"), Goal),
    ("toplevel_list_wfs_residual_program", Some("true"), Truth),
    (
        "toplevel_mode",
        Some("backtracking"),
        Only(&["backtracking", "recursive"]),
    ),
    ("toplevel_name_variables", Some("true"), Truth),
    ("toplevel_print_anon", Some("true"), Truth),
    ("toplevel_print_factorized", Some("false"), Only(&[])),
    ("toplevel_prompt", Some("~m~d~l~! ?- "), Atom),
    ("toplevel_residue_vars", Some("false"), Truth),
    ("toplevel_var_size", None, Count),
    ("trace_gc", Some("false"), Only(&[])),
    ("traditional", Some("false"), Told),
    ("tty_control", None, Missing),
    ("unix", Some("true"), Told),
    (
        "unknown",
        Some("error"),
        Word(&["error", "fail", "warning"]),
    ),
    ("unload_foreign_libraries", None, Missing),
    ("user_flags", Some("silent"), Word(&["error", "silent"])),
    ("var_prefix", Some("false"), Truth),
    ("verbose", Some("normal"), Word(&["normal", "silent"])),
    ("verbose_autoload", Some("false"), Only(&[])),
    ("verbose_file_search", Some("false"), Only(&[])),
    (
        "verbose_load",
        Some("silent"),
        Only(&["silent", "normal", "full"]),
    ),
    ("version", None, Told),
    ("version_data", None, Told),
    ("version_git", None, Told),
    ("vmi_builtin", None, Missing),
    ("warn_autoload", Some("false"), Only(&[])),
    ("warn_override_implicit_import", Some("true"), Truth),
    ("windows", None, Told),
    ("wine_version", None, Told),
    ("workers", None, Count),
    (
        "write_attributes",
        Some("ignore"),
        Only(&["ignore", "dots", "write", "portray"]),
    ),
    ("xpce", None, Missing),
    ("xpce_version", None, Told),
    // For hooks of programs, which look at it.
    ("xref", Some("false"), Truth),
];

/// What a flag may be set to, if it is no program's.
pub(super) fn values(name: Name) -> Option<Values> {
    static BY_NAME: LazyLock<FxHashMap<&str, Values>> =
        LazyLock::new(|| KNOWN.iter().map(|row| (row.0, row.2)).collect());
    BY_NAME.get(name.as_str()).copied()
}

/// Whether its values are true and false, for which `on` and `off` stand, too.
pub(super) fn is_truth(values: Values) -> bool {
    matches!(values, Truth | Once | Only([]) | Told)
}

impl Ctx<'_> {
    /// An error unless a flag may be set to this value, which is bound. `now` is what it is.
    pub(super) fn check_flag(
        &mut self,
        name: Name,
        values: Values,
        value: Cell,
        now: Option<Name>,
    ) -> Result<(), Throw> {
        let flag = Cell::atom(name);
        let word = value.is_atom().then(|| value.atom_of());
        let is = |known: &[&str]| word.is_some_and(|w| known.contains(&w.as_str()));
        let is_truth = word == Some(atoms::TRUE) || word == Some(atoms::FALSE);
        let refused = |m: &mut Ctx| m.permission_error("modify", "flag", flag);
        match values {
            Told => return Err(refused(self)),
            Missing => return Err(self.existence_error("prolog_flag", flag)),
            Truth | Once | Only([]) if !is_truth => return Err(self.type_error("bool", value)),
            Once if word == Some(atoms::FALSE) && now == Some(atoms::TRUE) => {
                return Err(refused(self));
            }
            Only(_) if word.is_some() && word == now => {}
            Only([]) => return Err(refused(self)),
            Word(_) | Only(_) | Atom | Encoding | Floats | Restraint(_) if word.is_none() => {
                return Err(self.type_error("atom", value));
            }
            Only(known) if is(known) => return Err(refused(self)),
            Restraint(known) if !is(known) => {
                return Err(self.domain_error("restraint_action", value));
            }
            Limit if word.is_some_and(|w| w.as_str() == "infinite") => {}
            Limit => match self.term(value).number() {
                Some(Number::Int(n)) if n >= 0 => {}
                Some(Number::Int(_)) => {
                    return Err(self.domain_error("not_less_than_zero", value));
                }
                _ => return Err(self.type_error("integer", value)),
            },
            Word(known) | Only(known) if !is(known) => {
                return Err(self.domain_error(name.as_str(), value));
            }
            Encoding if word.is_none_or(|w| StreamEncoding::from_name(w.as_str()).is_none()) => {
                return Err(self.domain_error("encoding", value));
            }
            Goal if !self.term(value).is_callable() => {
                return Err(self.type_error("callable", value));
            }
            Count => match self.term(value).number() {
                Some(Number::Int(n)) if n > 0 => {}
                Some(Number::Int(_)) => {
                    return Err(self.domain_error("not_less_than_one", value));
                }
                _ => return Err(self.type_error("integer", value)),
            },
            Context => {
                let (items, tail) = self.term(value).list_items();
                if tail.deref() != Cell::NIL {
                    return Err(self.type_error("list", value));
                }
                // (prolog:message_prefix_hook/2 may know any of them.)
                if let Some(other) = items.iter().find(|t| !t.is_callable()) {
                    return Err(self.type_error("callable", other.deref()));
                }
            }
            List if self.term(value).list_items().1.deref() != Cell::NIL => {
                return Err(self.type_error("list", value));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Run by `tests/checks.rs`.
#[cfg(debug_assertions)]
pub(crate) mod checks {
    use super::*;

    pub(crate) fn rows_are_sorted() {
        assert!(KNOWN.is_sorted_by(|a, b| a.0 < b.0));
    }

    pub(crate) fn what_cannot_change_has_one_of_its_values() {
        for &(name, start, values) in KNOWN {
            let one_of = match values {
                Only([]) | Truth | Once => &["true", "false"][..],
                Only(known) | Word(known) => known,
                _ => continue,
            };
            assert!(start.is_some_and(|s| one_of.contains(&s)), "{name}");
        }
    }
}
