//! How a thread punctuates numbers.

use samite_stream::format::locale::{self, Locale};
use samite_term::{Atom, HeldAtom};
use std::sync::{Arc, OnceLock};

/// A locale and the name it was set by.
pub(crate) type NamedLocale = Arc<(HeldAtom, Locale)>;

/// The locale that programs start with.
pub(crate) fn default_locale() -> NamedLocale {
    static DEFAULT: OnceLock<NamedLocale> = OnceLock::new();
    let made = || Arc::new((Atom::new("default").hold(), locale::PLAIN.clone()));
    DEFAULT.get_or_init(made).clone()
}
