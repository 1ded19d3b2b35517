//! Which source files have a say in which predicates: those that they declared or gave clauses.
//!
//! A file may have as many predicates as a program, and a program as many files: each question and change about one predicate takes constant
//! time, what is asked of a file as much as it has.
//!
//! What a file gave clauses it has no longer when another file has taken it over; as long as it is not loaded again, it is one that would
//! have defined it before, if all files were loaded anew in their order: it is *displaced*.
//!
//! *Equations*: `files[p]` is the number of files that have `p`, and never 0. `declared[p, what]` are those of them that declare it
//! dynamic, tabled, multifile and so on, and never none. `displaced[p]` are files that do not have `p`, and never none. For [`Program::sources`](crate::Program), under its lock.

use crate::db::predicate::Predicate;
use rustc_hash::{FxHashMap, FxHashSet};
use samite_term::{Atom, HeldAtom};

/// The predicates of a file by address, with the place of each in the order in which they came.
#[derive(Default)]
struct File {
    has: FxHashMap<usize, (u64, &'static Predicate)>,
    next: u64,
    /// How many files had been loaded to their ends when this one was for the first time.
    number: Option<u64>,
}

/// See the module text.
#[derive(Default)]
pub struct Sources {
    of: FxHashMap<HeldAtom, File>,
    loaded: u64,
    files: FxHashMap<usize, usize>,
    declared: Declared,
    displaced: FxHashMap<usize, FxHashSet<HeldAtom>>,
}

type Declared = FxHashMap<(usize, What), FxHashSet<HeldAtom>>;

/// A predicate that another file has taken over: who had a say in it, and what that had declared.
pub struct Lost {
    pub predicate: &'static Predicate,
    pub file: HeldAtom,
    pub declared: Vec<What>,
}

/// A declaration that holds as long as some file makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum What {
    Dynamic,
    Tabled,
    Multifile,
    Discontiguous,
    Public,
    Det,
    Volatile,
    Incremental,
    Meta,
}

impl What {
    pub const ALL: [What; 9] = [
        What::Dynamic,
        What::Tabled,
        What::Multifile,
        What::Discontiguous,
        What::Public,
        What::Det,
        What::Volatile,
        What::Incremental,
        What::Meta,
    ];
    /// What a directive of this name declares; `None`: nothing of the kind.
    pub fn of_directive(name: &str) -> Option<What> {
        What::ALL.into_iter().find(|what| what.directive() == name)
    }
    /// The name of the directive.
    pub fn directive(self) -> &'static str {
        match self {
            What::Dynamic => "dynamic",
            What::Tabled => "table",
            What::Multifile => "multifile",
            What::Discontiguous => "discontiguous",
            What::Public => "public",
            What::Det => "det",
            What::Volatile => "volatile",
            What::Incremental => "incremental",
            What::Meta => "meta_predicate",
        }
    }
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

/// This one does not declare it so.
fn not_declared(declared: &mut Declared, p: usize, what: What, file: Atom) {
    if let Some(files) = declared.get_mut(&(p, what)) {
        files.remove(&file);
        if files.is_empty() {
            declared.remove(&(p, what));
        }
    }
}

/// This one declares nothing of it. What it has declared.
fn nothing_declared(declared: &mut Declared, p: usize, file: Atom) -> Vec<What> {
    let mut had: Vec<What> = What::ALL.into();
    had.retain(|&what| (declared.get(&(p, what))).is_some_and(|files| files.contains(&file)));
    for &what in &had {
        not_declared(declared, p, what, file);
    }
    had
}

impl Sources {
    /// A file has a say in a predicate.
    pub fn add(&mut self, file: Atom, p: &'static Predicate) {
        if let Some(files) = self.displaced.get_mut(&key(p)) {
            files.remove(&file);
            if files.is_empty() {
                self.displaced.remove(&key(p));
            }
        }
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
    /// A file has been loaded to its end.
    pub fn ends(&mut self, file: Atom) {
        let of = self.of.entry(file.hold()).or_default();
        if of.number.is_none() {
            of.number = Some(self.loaded);
            self.loaded += 1;
        }
    }
    /// The files that were loaded before this one, for the first time: their clauses of a predicate come before its own.
    pub fn before(&self, file: Atom) -> FxHashSet<Atom> {
        let number_of = |f: &File| f.number.unwrap_or(u64::MAX);
        let own = self.of.get(&file).map_or(u64::MAX, number_of);
        let earlier = self.of.iter().filter(|(_, f)| number_of(f) < own);
        earlier.map(|(f, _)| f.get()).collect()
    }
    /// Whether one file has a say in a predicate, and no other.
    pub fn has_one_file(&self, p: &'static Predicate) -> bool {
        self.files.get(&key(p)) == Some(&1)
    }
    /// No file but this one has a say in a predicate. Those that had, and what they have declared.
    pub fn take_over(&mut self, file: Atom, p: &'static Predicate) -> Vec<Lost> {
        let mut lost = Vec::new();
        if !self.files.contains_key(&key(p)) {
            return lost;
        }
        for (other, of) in self.of.iter_mut().filter(|(f, _)| **f != file) {
            if of.has.remove(&key(p)).is_some() {
                lose(&mut self.files, key(p));
                lost.push(Lost {
                    predicate: p,
                    file: other.clone(),
                    declared: nothing_declared(&mut self.declared, key(p), other.get()),
                });
                (self.displaced.entry(key(p)).or_default()).insert(other.clone());
            }
        }
        lost
    }
    /// A file has a say again in a predicate that has been taken over.
    pub fn give_back(&mut self, lost: &Lost) {
        self.add(lost.file.get(), lost.predicate);
        for &what in &lost.declared {
            self.set_declared(lost.file.get(), lost.predicate, what, true);
        }
    }
    /// Whether another file has a say in a predicate, or had before this one took it over.
    pub fn is_others_too(&self, file: Atom, p: &'static Predicate) -> bool {
        let own = self
            .of
            .get(&file)
            .is_some_and(|f| f.has.contains_key(&key(p)));
        let files = self.files.get(&key(p)).copied().unwrap_or(0);
        files > usize::from(own) || self.displaced.contains_key(&key(p))
    }
    /// A file that is loaded again, or not loaded any more, has not lost to others what it does not have.
    fn not_displaced(&mut self, file: Atom) {
        self.displaced.retain(|_, files| {
            files.remove(&file);
            !files.is_empty()
        });
    }
    /// Whether a file that has a say in a predicate declares it so.
    pub fn set_declared(&mut self, file: Atom, p: &'static Predicate, what: What, is: bool) {
        if !is {
            not_declared(&mut self.declared, key(p), what, file);
        } else if self
            .of
            .get(&file)
            .is_some_and(|f| f.has.contains_key(&key(p)))
        {
            let files = self.declared.entry((key(p), what)).or_default();
            files.insert(file.hold());
        }
    }
    /// What files have declared of a predicate a goal has taken back.
    pub fn take_back(&mut self, p: &'static Predicate, what: What) {
        self.declared.remove(&(key(p), what));
    }
    /// Whether some file declares a predicate so.
    pub fn is_declared(&self, p: &'static Predicate, what: What) -> bool {
        self.declared.contains_key(&(key(p), what))
    }
    /// Whether this file declares a predicate so, and no other does.
    pub fn is_declared_by_one(&self, file: Atom, p: &'static Predicate, what: What) -> bool {
        let files = self.declared.get(&(key(p), what));
        files.is_some_and(|f| f.len() == 1 && f.contains(&file))
    }
    /// Those of a file's predicates that it declares so.
    pub fn declared_by(&self, file: Atom, what: What) -> Vec<&'static Predicate> {
        let declares = |p: &&'static Predicate| {
            let files = self.declared.get(&(key(p), what));
            files.is_some_and(|f| f.contains(&file))
        };
        self.of(file).into_iter().filter(declares).collect()
    }
    /// A file keeps those of its predicates of which this holds.
    pub fn retain(&mut self, file: Atom, keeps: impl Fn(&'static Predicate) -> bool) {
        self.not_displaced(file);
        if let Some(of) = self.of.get_mut(&file) {
            of.has.retain(|&k, &mut (_, p)| {
                let stays = keeps(p);
                if !stays {
                    lose(&mut self.files, k);
                    nothing_declared(&mut self.declared, k, file);
                }
                stays
            });
        }
        self.check();
    }
    /// A file has nothing any more.
    pub fn forget(&mut self, file: Atom) {
        self.not_displaced(file);
        for p in self.of.remove(&file).into_iter().flat_map(|f| f.has) {
            lose(&mut self.files, p.0);
            nothing_declared(&mut self.declared, p.0, file);
        }
        self.check();
    }
    /// All files that have a say in something or have been loaded to their ends, those first, in the order of that, and whether they have.
    pub fn files(&self) -> Vec<(Atom, bool)> {
        let number = |f: &File| f.number.unwrap_or(u64::MAX);
        let mut all: Vec<_> = self
            .of
            .iter()
            .map(|(f, of)| (number(of), f.get()))
            .collect();
        all.sort_unstable_by_key(|&(number, _)| number);
        let ended = |(number, f)| (f, number != u64::MAX);
        all.into_iter().map(ended).collect()
    }
    /// A file has lost a predicate to others.
    pub fn displace(&mut self, file: Atom, p: &'static Predicate) {
        (self.displaced.entry(key(p)).or_default()).insert(file.hold());
    }
    /// Predicates that files have lost to others, and these files.
    pub fn all_displaced(
        &self,
        all: &[&'static Predicate],
    ) -> Vec<(&'static Predicate, Vec<Atom>)> {
        let of = |p: &'static Predicate| {
            let files = self.displaced.get(&key(p))?;
            let mut files: Vec<Atom> = files.iter().map(HeldAtom::get).collect();
            files.sort_unstable_by_key(|f| f.as_str());
            Some((p, files))
        };
        all.iter().copied().filter_map(of).collect()
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
        for ((p, _), files) in &self.declared {
            let has = |f| self.of.get(f).is_some_and(|f| f.has.contains_key(p));
            assert!(!files.is_empty() && files.iter().all(has));
        }
        for (p, files) in &self.displaced {
            let has = |f| self.of.get(f).is_some_and(|f| f.has.contains_key(p));
            assert!(!files.is_empty() && !files.iter().any(has));
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
        let atom = |i: u32| Atom::of(&format!("sources: {i}"));
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
        s.set_declared(a, all[50], What::Dynamic, true);
        s.set_declared(c, all[51], What::Dynamic, true);
        for file in [a, b] {
            s.set_declared(file, all[60], What::Dynamic, true);
        }
        assert!(
            s.is_declared(all[50], What::Dynamic)
                && s.is_declared(all[60], What::Dynamic)
                && !s.is_declared(all[51], What::Dynamic)
        );
        s.set_declared(b, all[60], What::Tabled, true);
        assert!(same(s.declared_by(b, What::Tabled), &[all[60]]));
        assert!(s.declared_by(a, What::Tabled).is_empty());
        assert!(s.is_declared_by_one(b, all[60], What::Tabled));
        assert!(!s.is_declared_by_one(a, all[60], What::Tabled));
        assert!(!s.is_declared_by_one(b, all[60], What::Dynamic));
        assert!(s.is_others_too(a, all[50]) && !s.is_others_too(a, all[0]));
        let lost = s.take_over(b, all[50]);
        assert!(lost.len() == 1 && lost[0].file == a && lost[0].declared == [What::Dynamic]);
        s.give_back(&lost[0]);
        s.verify();
        assert!(s.is_declared(all[50], What::Dynamic) && !s.has_one_file(all[50]));
        s.take_over(b, all[50]);
        let lost = s.take_over(c, all[0]);
        assert!(lost.iter().all(|l| l.declared.is_empty()));
        s.verify();
        assert!(s.is_others_too(b, all[50]) && s.is_others_too(c, all[0]));
        s.set_declared(a, all[60], What::Meta, true);
        s.take_back(all[60], What::Meta);
        assert!(!s.is_declared(all[60], What::Meta));
        s.set_declared(a, all[60], What::Dynamic, false);
        assert!(!s.is_declared(all[50], What::Dynamic) && s.is_declared(all[60], What::Dynamic));
        assert!(s.has_one_file(all[50]) && !s.has_one_file(all[0]));
        s.retain(a, |p| std::ptr::eq(p, all[1]) || std::ptr::eq(p, all[60]));
        assert!(same(s.of(a), &[all[1], all[60]]));
        // (It has been loaded again, or would have done without what was taken from it.)
        assert!(!s.is_others_too(b, all[50]) && !s.is_others_too(c, all[0]));
        s.add(a, all[0]);
        assert!(same(s.of(a), &[all[1], all[60], all[0]]));
        s.forget(b);
        assert!(s.declared.is_empty());
        assert!(!s.is_declared(all[60], What::Dynamic));
        assert!(s.has_one_file(all[60]) && !s.has_one_file(all[61]));
        s.forget(a);
        assert!(s.files.is_empty() && s.of.is_empty());
    }
}
