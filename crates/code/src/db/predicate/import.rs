//! What a name means that is not defined itself: the predicate that it is linked to.
//!
//! | state | link | flags | left by |
//! |---|---|---|---|
//! | free | null | none | `bind`, `find_in_library`, `import` |
//! | bound: a call has found what the name means elsewhere | a predicate | none | `unbind`, `find_in_library`, `import`, `forget_import` |
//! | imported as part of a whole module | a predicate | [`flag::WEAK_IMPORT`] | `import`, `import_anew`, `find_in_library`, `forget_import`, `forget_import_of` |
//! | imported by name | a predicate | [`flag::STRONG_IMPORT`] | the same, but that a weak `import` of the same predicate leaves it so |
//!
//! *Orderings.* `bind`, which calls do, takes no lock: it goes from null to a predicate or not at all, by one exchange, and `unbind` back, if it is
//! still that one. All others are under the predicate's lock. The link is released, and acquired by who follows it, as the predicate that it leads to
//! was made before. It is set before the flags and they go before it: who has seen that a name is imported finds the link, or none if the
//! import is gone meanwhile; and both flags change in one step, so that no import is overlooked while it becomes strong.

use super::{Predicate, flag};
use std::ptr;
use std::sync::atomic::Ordering;

const IMPORTED: u32 = flag::WEAK_IMPORT | flag::STRONG_IMPORT;

impl Predicate {
    /// What the name is linked to, whatever it is defined as itself.
    #[inline]
    pub fn link(&self) -> Option<&'static Predicate> {
        // SAFETY: links are null or predicates, which live as long as the process.
        unsafe { self.link.load(Ordering::Acquire).as_ref() }
    }
    /// Whether it is linked to this one.
    pub fn is_link_to(&self, target: &Predicate) -> bool {
        self.link().is_some_and(|link| ptr::eq(link, target))
    }
    /// Whether its module imports it, by a file or by hand.
    pub fn is_import(&self) -> bool {
        self.has(IMPORTED)
    }
    /// Means what `target` does unless it is defined itself; `weak`: as part of a whole module, which does not weaken what is imported by name.
    pub fn import(&self, target: &'static Predicate, weak: bool) {
        self.import_as(target, weak, true);
    }
    /// The same where the import by name that there may be is that of a version before, and does not count.
    pub fn import_anew(&self, target: &'static Predicate, weak: bool) {
        self.import_as(target, weak, false);
    }
    fn import_as(&self, target: &'static Predicate, weak: bool, strong_stays: bool) {
        let w = self.lock();
        let raw = ptr::from_ref(target).cast_mut();
        let before = self.link.swap(raw, Ordering::AcqRel);
        if weak && strong_stays && before == raw && self.has(flag::STRONG_IMPORT) {
            return;
        }
        let how = match weak {
            true => flag::WEAK_IMPORT,
            false => flag::STRONG_IMPORT,
        };
        self.change(&w, IMPORTED & !how, how);
    }
    /// Is not imported any more.
    pub fn forget_import(&self) {
        let w = self.lock();
        self.change(&w, IMPORTED, 0);
        self.link.store(ptr::null_mut(), Ordering::Release);
    }
    /// Is not imported any more, if it is, and means `target`.
    pub fn forget_import_of(&self, target: &Predicate) {
        let w = self.lock();
        if self.is_import() && self.is_link_to(target) {
            self.change(&w, IMPORTED, 0);
            self.link.store(ptr::null_mut(), Ordering::Release);
        }
    }
    /// A library that has been loaded defines it.
    pub fn find_in_library(&self, target: &'static Predicate) {
        let _w = self.lock();
        let raw = ptr::from_ref(target).cast_mut();
        self.link.store(raw, Ordering::Release);
    }
    /// Means from now on what a call of it has found elsewhere, unless it is imported, or defined itself. Whether it did not before.
    pub fn bind(&self, target: &'static Predicate) -> bool {
        let raw = ptr::from_ref(target).cast_mut();
        let (null, order) = (ptr::null_mut(), Ordering::SeqCst);
        // (What is bound already is the usual case.)
        self.link.load(Ordering::Relaxed).is_null()
            && self.link.compare_exchange(null, raw, order, order).is_ok()
    }
    /// Undoes [`Predicate::bind`] to this one.
    pub fn unbind(&self, target: &'static Predicate) {
        let raw = ptr::from_ref(target).cast_mut();
        let (null, order) = (ptr::null_mut(), Ordering::SeqCst);
        let _ = self.link.compare_exchange(raw, null, order, order);
    }
}
