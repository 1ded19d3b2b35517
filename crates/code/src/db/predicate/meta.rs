//! `meta_predicate` declarations.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// Whether an argument with this specifier of a `meta_predicate` declaration depends on the module of the call; the others are modes.
pub fn is_meta(specifier: u8) -> bool {
    matches!(specifier, b'0'..=b'9' | b':' | b'^' | b'/' | b'm' | b'M')
}
/// Whether such an argument is told the module of the call even if it names one.
pub fn always_told(specifier: u8) -> bool {
    matches!(specifier, b'm' | b'M')
}

/// Behind the specifiers of the arguments: the predicate is told the module of its caller (`module_transparent/1`).
pub(super) const TRANSPARENT: u8 = b't';
/// The same, at the very end: its calls are led to a wrapper.
pub(super) const WRAPPED: u8 = b'w';

/// A `meta_predicate` declaration, and what else is seen to where the predicate is entered: argument specifiers, e.g. `"2?"`.
#[derive(Debug, Default)]
pub struct Meta(std::sync::atomic::AtomicPtr<Vec<u8>>);

/// All declarations that there have been, each once: readers take no lock, so what was declared stays, whoever declares it how often. They say nothing of a
/// program, so that all programs of the process have them in common, as they have atoms.
static DECLARATIONS: parking_lot::Mutex<BTreeMap<&[u8], &'static Vec<u8>>> =
    parking_lot::Mutex::new(BTreeMap::new());

/// The declaration with these specifiers.
fn declaration(spec: Vec<u8>) -> &'static Vec<u8> {
    let mut all = DECLARATIONS.lock();
    if let Some(known) = all.get(&spec[..]) {
        return known;
    }
    samite_term::common::charge(size_of::<Vec<u8>>() + spec.len() + 4 * size_of::<usize>());
    let new: &'static Vec<u8> = Box::leak(Box::new(spec));
    all.insert(new, new);
    new
}

impl Meta {
    pub fn get(&self) -> Option<&'static [u8]> {
        // SAFETY: null or a declaration, which lives as long as the process. Acquire: pairs with the release in `set`.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }.map(Vec::as_slice)
    }
    /// Declares, or takes the declaration back. Of programs' predicates: [`super::Predicate::declare_meta`].
    pub fn set(&self, spec: Option<Vec<u8>>) {
        let raw = spec.map_or(std::ptr::null(), |s| std::ptr::from_ref(declaration(s)));
        self.0.store(raw.cast_mut(), Ordering::Release);
    }
}
