//! Which source files have a say in which predicates: those that they declared or gave clauses.
//!
//! A file may have as many predicates as a program, and a program as many files: each question and change about one predicate takes constant
//! time, what is asked of a file as much as it has.
//!
//! *Equations*: `files[p]` is the number of files that have `p`, and never 0. `dynamic[p]` are those of them that declare it dynamic, and never
//! none. For [`Program::sources`](crate::Program), under its lock.

use crate::db::predicate::Predicate;
use rustc_hash::{FxHashMap, FxHashSet};
use samite_term::{Atom, HeldAtom};

/// The predicates of a file by address, with the place of each in the order in which they came.
#[derive(Default)]
struct File {
    has: FxHashMap<usize, (u64, &'static Predicate)>,
    next: u64,
}

/// See the module text.
#[derive(Default)]
pub struct Sources {
    of: FxHashMap<HeldAtom, File>,
    files: FxHashMap<usize, usize>,
    dynamic: FxHashMap<usize, FxHashSet<HeldAtom>>,
}

fn key(p: &'static Predicate) -> usize {
    std::ptr::from_ref(p) as usize
}

/// One file fewer has it.
fn lose(files: &mut FxHashMap<usize, usize>, p: usize) {
    let Some(n) = files.get_mut(&p) else {
        debug_assert!(false, "a file has what none has");
        return;
    };
    *n -= 1;
    if *n == 0 {
        files.remove(&p);
    }
}

/// This one does not declare it dynamic.
fn not_dynamic(dynamic: &mut FxHashMap<usize, FxHashSet<HeldAtom>>, p: usize, file: Atom) {
    if let Some(files) = dynamic.get_mut(&p) {
        files.remove(&file);
        if files.is_empty() {
            dynamic.remove(&p);
        }
    }
}

impl Sources {
    /// A file has a say in a predicate.
    pub fn add(&mut self, file: Atom, p: &'static Predicate) {
        let of = self.of.entry(file.hold()).or_default();
        let place = of.next;
        of.has.entry(key(p)).or_insert_with(|| {
            *self.files.entry(key(p)).or_default() += 1;
            of.next += 1;
            (place, p)
        });
    }
    /// The predicates of a file, in the order in which they came.
    pub fn of(&self, file: Atom) -> Vec<&'static Predicate> {
        let has = self.of.get(&file).map(|f| &f.has);
        let mut all: Vec<_> = has.into_iter().flat_map(|h| h.values().copied()).collect();
        all.sort_unstable_by_key(|&(place, _)| place);
        all.into_iter().map(|(_, p)| p).collect()
    }
    /// Whether one file has a say in a predicate, and no other.
    pub fn has_one_file(&self, p: &'static Predicate) -> bool {
        self.files.get(&key(p)) == Some(&1)
    }
    /// No file but this one has a say in a predicate.
    pub fn take_over(&mut self, file: Atom, p: &'static Predicate) {
        if !self.files.contains_key(&key(p)) {
            return;
        }
        for (other, of) in self.of.iter_mut().filter(|(f, _)| **f != file) {
            if of.has.remove(&key(p)).is_some() {
                lose(&mut self.files, key(p));
                not_dynamic(&mut self.dynamic, key(p), other.get());
            }
        }
    }
    /// Whether a file that has a say in a predicate declares it dynamic.
    pub fn set_dynamic(&mut self, file: Atom, p: &'static Predicate, is: bool) {
        if !is {
            not_dynamic(&mut self.dynamic, key(p), file);
        } else if self
            .of
            .get(&file)
            .is_some_and(|f| f.has.contains_key(&key(p)))
        {
            self.dynamic.entry(key(p)).or_default().insert(file.hold());
        }
    }
    /// Whether some file declares a predicate dynamic.
    pub fn is_dynamic(&self, p: &'static Predicate) -> bool {
        self.dynamic.contains_key(&key(p))
    }
    /// A file keeps those of its predicates of which this holds.
    pub fn retain(&mut self, file: Atom, keeps: impl Fn(&'static Predicate) -> bool) {
        if let Some(of) = self.of.get_mut(&file) {
            of.has.retain(|&k, &mut (_, p)| {
                let stays = keeps(p);
                if !stays {
                    lose(&mut self.files, k);
                    not_dynamic(&mut self.dynamic, k, file);
                }
                stays
            });
        }
        self.check();
    }
    /// A file has nothing any more.
    pub fn forget(&mut self, file: Atom) {
        for p in self.of.remove(&file).into_iter().flat_map(|f| f.has) {
            lose(&mut self.files, p.0);
            not_dynamic(&mut self.dynamic, p.0, file);
        }
        self.check();
    }
    fn check(&self) {
        if cfg!(debug_assertions) {
            self.verify();
        }
    }
    /// Checks the equations. Panics if they do not hold.
    fn verify(&self) {
        let mut files: FxHashMap<usize, usize> = FxHashMap::default();
        for p in self.of.values().flat_map(|f| f.has.keys()) {
            *files.entry(*p).or_default() += 1;
        }
        assert!(files == self.files, "files have other predicates");
        for (p, files) in &self.dynamic {
            let has = |f| self.of.get(f).is_some_and(|f| f.has.contains_key(p));
            assert!(!files.is_empty() && files.iter().all(has));
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use samite_term::Functor;

    #[test]
    fn who_has_what() {
        let domain = crate::db::predicate::Domain::new();
        let atom = |i: u32| Atom::new(&format!("sources: {i}"));
        let [a, b, c] = [0, 1, 2].map(atom);
        let all: Vec<&'static Predicate> = (0..100)
            .map(|i| Predicate::new(domain, atom(3), Functor::new(atom(4 + i), 1)))
            .collect();
        let mut s = Sources::default();
        for &p in &all {
            s.add(a, p);
            s.add(a, p);
        }
        for &p in &all[50..] {
            s.add(b, p);
        }
        s.verify();
        let same = |x: Vec<&'static Predicate>, y: &[&'static Predicate]| {
            x.iter().map(|p| key(p)).eq(y.iter().map(|p| key(p)))
        };
        assert!(same(s.of(a), &all) && same(s.of(b), &all[50..]) && s.of(c).is_empty());
        assert!(s.has_one_file(all[49]) && !s.has_one_file(all[50]));
        s.set_dynamic(a, all[50], true);
        s.set_dynamic(c, all[51], true);
        for file in [a, b] {
            s.set_dynamic(file, all[60], true);
        }
        assert!(s.is_dynamic(all[50]) && s.is_dynamic(all[60]) && !s.is_dynamic(all[51]));
        s.take_over(b, all[50]);
        s.take_over(c, all[0]);
        s.verify();
        s.set_dynamic(a, all[60], false);
        assert!(!s.is_dynamic(all[50]) && s.is_dynamic(all[60]));
        assert!(s.has_one_file(all[50]) && !s.has_one_file(all[0]));
        s.retain(a, |p| std::ptr::eq(p, all[1]) || std::ptr::eq(p, all[60]));
        assert!(same(s.of(a), &[all[1], all[60]]));
        s.add(a, all[0]);
        assert!(same(s.of(a), &[all[1], all[60], all[0]]));
        s.forget(b);
        assert!(!s.is_dynamic(all[60]));
        assert!(s.has_one_file(all[60]) && !s.has_one_file(all[61]));
        s.forget(a);
        assert!(s.files.is_empty() && s.of.is_empty());
    }
}
