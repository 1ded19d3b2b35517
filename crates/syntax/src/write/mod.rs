//! Writing terms (ISO 13211-1, 7.10.5, in SWI-Prolog's layout).
//!
//! [`write_term`] appends the text of a term to a `String`; what the builtins ask for:
//!
//! | builtin | options that are not the default |
//! |---|---|
//! | `write/1` | `numbervars` |
//! | `print/1` | `quoted`, `numbervars` |
//! | `writeq/1` | `quoted`, `numbervars`, not `character_escapes_unicode` |
//! | `write_canonical/1` | `quoted`, `ignore_ops`, not `brace_terms`, not `character_escapes_unicode`; `var_name` from [`canonical_names`] |
//! | `write_term/2` | as its options say |
//! | the toplevel | `quoted`, `numbervars`, `spacing_next_argument`, `max_depth` 10 |
//!
//! A space is written only where two tokens would otherwise be read as one, behind a prefix operator whose operand starts
//! with `(` or `{` (or `-` whose operand starts with a digit), and behind an infix operator that needed one in front.
//!
//! Invariants: text written with `quoted` under an operator table reads back as the same term under that table
//! (variables apart); nothing recurses on the native stack; time is linear in the size of the term.
//!
//! Differs from SWI-Prolog in: a prefix operator whose name needs quotes is written as a compound term, because quoted
//! it does not read back (in SWI-Prolog neither); portray hooks, blobs and attributes are left to the caller.

mod atom;
mod float;
mod names;
mod portray;
mod term;

pub use atom::{is_plain_atom, quote_atom, quote_string};
pub use float::format_float;
pub use names::{Names, canonical_names};
pub use portray::{ClauseStyle, portray_clause, portray_clause_with};
pub use term::write_term;

/// Names for variables, by identity; `None` for the default name.
pub type VarName<'o> = &'o dyn Fn(u64) -> Option<String>;

/// How to write a term.
#[derive(Clone, Copy)]
pub struct WriteOptions<'o> {
    /// Quote atoms and strings where reading back needs it.
    pub quoted: bool,
    /// Quote atoms with characters beyond Latin-1, if `quoted`.
    pub quote_non_ascii: bool,
    /// Write operators as compound terms; lists stay lists.
    pub ignore_ops: bool,
    /// Write `'$VAR'(N)` as a variable name.
    pub numbervars: bool,
    /// Write `...` for what lies deeper; 0: no limit. (Everything lies deeper than a negative one.)
    pub max_depth: i32,
    /// Put parentheses around an operator term of higher priority.
    pub priority: u16,
    /// A space after the commas between arguments.
    pub spacing_next_argument: bool,
    /// Write lists as `.(H,T)`.
    pub dotlists: bool,
    /// Write `{}(X)` as `{X}`.
    pub brace_terms: bool,
    /// Write lists as `'[|]'(H,T)`.
    pub no_lists: bool,
    /// The text continues what is in `out`: separate the first token from its last one.
    pub partial: bool,
    /// In quoted items, write control characters as escape sequences.
    pub character_escapes: bool,
    /// Escape by code as `\uXXXX`, not as `\xXX\`.
    pub character_escapes_unicode: bool,
    /// In quoted items, write characters above this one as escape sequences.
    pub highest: char,
    /// Names of variables.
    pub var_name: Option<VarName<'o>>,
    /// Identity of the variable written `_0`; those after it are `_2`, `_4`, those before it `_1`, `_3`.
    pub var_base: u64,
    /// Writing stops when `out` and the work list are larger than so many bytes together: shared or cyclic subterms can make
    /// a small term a text without end.
    pub limit: usize,
}

impl Default for WriteOptions<'_> {
    fn default() -> Self {
        WriteOptions {
            quoted: false,
            quote_non_ascii: false,
            ignore_ops: false,
            numbervars: false,
            max_depth: 0,
            priority: 1200,
            spacing_next_argument: false,
            dotlists: false,
            brace_terms: true,
            no_lists: false,
            partial: false,
            character_escapes: true,
            character_escapes_unicode: true,
            highest: char::MAX,
            var_name: None,
            var_base: 0,
            limit: usize::MAX,
        }
    }
}
