//! Which incremental tables depend on which, and on which calls of dynamic predicates: the incremental dependency graph (Saha and Ramakrishnan, "Incremental and
//! demand-driven points-to analysis using logic programming", PPDP 2005; Swift, "Incremental tabling in support of knowledge representation and reasoning",
//! TPLP 14, 2014). How tables are made anew: `engine/tabling/incremental.rs`.
//!
//! A node is a table, or the calls of a dynamic predicate that have the same keys in their arguments. An edge leads from what is used to whose evaluation has used it
//! (`dependents`), and back (`uses`).
//!
//! ```text
//! Clean     nothing that it uses is known to have changed
//! Maybe     something that it uses, over any number of tables, is not clean
//! Changed   something that it uses itself has changed
//! Running   it is being evaluated; `pending` is what becomes of it when that ends
//! ```
//! Changes are found when a table is looked for ([`Dependencies::look`]): each thread reads the logs of the predicates that its tables depend on as far as they are new to it. So
//! whichever thread makes a change, a call that begins afterwards does not read from a table that depends on it. A table that is evaluated
//! while a change is made is not clean when its evaluation ends.
//!
//! Invariants: what uses a node that is not clean, in an evaluation that is complete, is not clean either. An edge counts only as long as the
//! evaluation is the last one of its user (`round`).

use rustc_hash::{FxHashMap, FxHashSet};
use samite_code::Predicate;
use samite_code::changes::{ANY_KEY, ARGUMENTS, Changes, Since};
use samite_table::FramePtr;
use samite_term::growth::{self, Refused};
use samite_term::{Atom, Cell, HoldsAtoms};

/// See the module text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Standing {
    Clean,
    Maybe,
    Changed,
    Running,
}

/// A node of the graph.
pub(crate) struct Node {
    /// `None`: calls of a dynamic predicate, or a table that is gone.
    pub(crate) frame: Option<FramePtr>,
    /// The dynamic predicate, and the keys, if it is calls of one.
    pub(crate) source: Option<(&'static Predicate, Box<[u64; ARGUMENTS]>)>,
    pub(crate) standing: Standing,
    /// Of a running one: what it is when the evaluation ends.
    pending: Standing,
    /// The table that it is made anew in the place of, until it is complete.
    pub(crate) old: Option<FramePtr>,
    /// Number of its last evaluation.
    round: u32,
    pub(crate) uses: Vec<u32>,
    dependents: Vec<(u32, u32)>,
    /// Those of its table before it was made anew; of a dynamic predicate's calls, those that have been told of a change.
    before: Vec<(u32, u32)>,
}

impl Node {
    fn new() -> Node {
        Node {
            frame: None,
            source: None,
            standing: Standing::Clean,
            pending: Standing::Clean,
            old: None,
            round: 0,
            uses: Vec::new(),
            dependents: Vec::new(),
            before: Vec::new(),
        }
    }
}

/// What is known of a dynamic predicate.
struct Source {
    changes: &'static Changes,
    /// So many changes have been looked at.
    seen: u64,
    /// By which arguments have keys: bit `i` for argument `i`.
    shapes: FxHashMap<u8, FxHashMap<[u64; ARGUMENTS], u32>>,
}

/// The graph of a generation of tables; see the module text.
#[derive(Default)]
pub(crate) struct Dependencies {
    pub(crate) nodes: Vec<Node>,
    of_frames: FxHashMap<FramePtr, u32>,
    sources: FxHashMap<usize, Source>,
    edges: FxHashSet<(u32, u32, u32)>,
    /// Nodes of what is gone. Who used it has changed, so nobody follows its list of what it uses before that is made anew.
    free: Vec<u32>,
    /// The revision of the database that has been looked at.
    revision: u64,
    /// What is being looked for: nodes, each with the number of the next one that it uses, and those that were met.
    walk: Vec<(u32, usize)>,
    met: FxHashSet<u32>,
    /// The walk has ended: the next call is not to begin another one.
    pub(crate) walked: bool,
}

impl Dependencies {
    /// Bytes that it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + 32)
            + growth::map_bytes(&self.of_frames)
            + self.edges.capacity() * 36
    }
    /// The node of a table.
    pub(crate) fn of(&self, frame: FramePtr) -> Option<u32> {
        self.of_frames.get(&frame).copied()
    }
    /// The same; it is made if there is none.
    pub(crate) fn node(&mut self, frame: FramePtr) -> Result<u32, Refused> {
        if let Some(&n) = self.of_frames.get(&frame) {
            return Ok(n);
        }
        let n = self.place()?;
        growth::insert(&mut self.of_frames, frame, n)?;
        self.nodes[n as usize].frame = Some(frame);
        self.free.pop();
        Ok(n)
    }
    /// A node that is the last of the free ones.
    fn place(&mut self) -> Result<u32, Refused> {
        if let Some(&n) = self.free.last() {
            return Ok(n);
        }
        let n = self.nodes.len() as u32;
        growth::push(&mut self.nodes, Node::new())?;
        growth::push(&mut self.free, n)?;
        Ok(n)
    }
    /// Nobody refers to the node any more, but for users that have changed.
    fn release(&mut self, n: u32) {
        let round = self.nodes[n as usize].round;
        for used in std::mem::take(&mut self.nodes[n as usize].uses) {
            self.edges.remove(&(used, n, round));
        }
        self.nodes[n as usize] = Node {
            round: round.wrapping_add(1),
            ..Node::new()
        };
        self.free.push(n);
    }
    /// The node of calls of a dynamic predicate with these keys.
    pub(crate) fn source(
        &mut self,
        predicate: &'static Predicate,
        changes: &'static Changes,
        mut keys: [u64; ARGUMENTS],
    ) -> Result<u32, Refused> {
        if changes.is_whole() {
            keys = [ANY_KEY; ARGUMENTS];
        }
        let address = std::ptr::from_ref(predicate).addr();
        if !self.sources.contains_key(&address) {
            let source = Source {
                changes,
                seen: changes.so_far(),
                shapes: FxHashMap::default(),
            };
            growth::insert(&mut self.sources, address, source)?;
        }
        let n = self.place()?;
        let Some(source) = self.sources.get_mut(&address) else {
            return Err(Refused);
        };
        let of_shape = source.shapes.entry(shape(&keys)).or_default();
        if let Some(&n) = of_shape.get(&keys) {
            return Ok(n);
        }
        growth::insert(of_shape, keys, n)?;
        self.nodes[n as usize].source = Some((predicate, Box::new(keys)));
        self.free.pop();
        Ok(n)
    }
    /// The evaluation of `user` uses `used`.
    pub(crate) fn add_edge(&mut self, used: u32, user: u32) -> Result<(), Refused> {
        let round = self.nodes[user as usize].round;
        if !growth::add(&mut self.edges, (used, user, round))? {
            return Ok(());
        }
        growth::push(&mut self.nodes[user as usize].uses, used)?;
        let dependents = &self.nodes[used as usize].dependents;
        if dependents.len() == dependents.capacity() && dependents.len() >= 16 {
            // Those of older evaluations go before it becomes larger.
            let mut all = std::mem::take(&mut self.nodes[used as usize].dependents);
            all.retain(|&d| self.counts(d));
            all.shrink_to(2 * all.len());
            self.nodes[used as usize].dependents = all;
        }
        growth::push(&mut self.nodes[used as usize].dependents, (user, round))
    }
    fn counts(&self, (user, round): (u32, u32)) -> bool {
        self.nodes[user as usize].round == round
    }

    /// Looks at what has changed, up to a revision of the database that the caller has read.
    pub(crate) fn look(&mut self, revision: u64) {
        if revision == self.revision {
            return;
        }
        let mut hit = Vec::new();
        for source in self.sources.values_mut() {
            let shapes = &source.shapes;
            let since = source.changes.since(source.seen, |keys| {
                for (&shape, nodes) in shapes {
                    find(shape, nodes, keys, &mut hit);
                }
            });
            source.seen = match since {
                Since::Shown(now) => now,
                Since::Anything(now) => {
                    hit.extend(shapes.values().flat_map(FxHashMap::values));
                    now
                }
            };
        }
        self.revision = revision;
        for n in hit {
            self.clauses_changed(n);
        }
    }
    /// Notes how far which logs have been read.
    pub(crate) fn note_read(&self, read: &mut FxHashMap<usize, u64>) -> Result<(), Refused> {
        for (&address, source) in &self.sources {
            growth::insert(read, address, source.seen)?;
        }
        Ok(())
    }
    /// Reads the logs again from where [`Dependencies::note_read`] has found them, and those that are new since then from the beginning.
    pub(crate) fn read_again(&mut self, read: &FxHashMap<usize, u64>) {
        for (address, source) in &mut self.sources {
            let before = read.get(address).copied().unwrap_or(0);
            source.seen = source.seen.min(before);
        }
        self.revision = u64::MAX;
    }
    /// The changes of a log between these are no news, if all before are known.
    pub(crate) fn pass_over(&mut self, p: &'static Predicate, before: u64, after: u64) {
        if let Some(source) = self.sources.get_mut(&std::ptr::from_ref(p).addr())
            && source.seen == before
        {
            source.seen = after;
        }
    }
    /// What calls of a dynamic predicate find has changed: so do those who use it and have not been told yet.
    fn clauses_changed(&mut self, n: u32) {
        let new = std::mem::take(&mut self.nodes[n as usize].dependents);
        let mut told = std::mem::take(&mut self.nodes[n as usize].before);
        for d in new {
            if !self.counts(d) {
                continue;
            }
            self.be_changed(d.0);
            if told.len() == told.capacity() {
                told.retain(|&d| self.counts(d));
            }
            told.push(d);
        }
        if !told.iter().any(|&d| self.counts(d)) {
            // Nobody who is left has made such calls.
            if let Some((predicate, keys)) = self.nodes[n as usize].source.take() {
                let source = self.sources.get_mut(&std::ptr::from_ref(predicate).addr());
                let nodes = source.and_then(|s| s.shapes.get_mut(&shape(&keys)));
                nodes.and_then(|nodes| nodes.remove(&*keys));
                self.release(n);
            }
            return;
        }
        self.nodes[n as usize].before = told;
    }
    /// What a table has, has changed: so do those who use it.
    fn changed(&mut self, n: u32) {
        for (user, round) in std::mem::take(&mut self.nodes[n as usize].dependents) {
            if self.counts((user, round)) {
                self.be_changed(user);
            }
            self.edges.remove(&(n, user, round));
        }
    }
    /// The table is to be evaluated anew.
    pub(crate) fn be_changed(&mut self, n: u32) {
        let node = &mut self.nodes[n as usize];
        match node.standing {
            Standing::Running => node.pending = Standing::Changed,
            Standing::Clean => {
                node.standing = Standing::Changed;
                self.doubt_users(n);
            }
            Standing::Maybe | Standing::Changed => node.standing = Standing::Changed,
        }
    }
    /// Whoever uses a table may have to be evaluated anew.
    fn doubt_users(&mut self, n: u32) {
        let mut work = vec![n];
        while let Some(n) = work.pop() {
            for i in 0..self.nodes[n as usize].dependents.len() {
                let (user, round) = self.nodes[n as usize].dependents[i];
                if !self.counts((user, round)) {
                    continue;
                }
                let node = &mut self.nodes[user as usize];
                match node.standing {
                    Standing::Clean => {
                        node.standing = Standing::Maybe;
                        work.push(user);
                    }
                    Standing::Running => node.pending = node.pending.max(Standing::Maybe),
                    Standing::Maybe | Standing::Changed => (),
                }
            }
        }
    }

    /// The evaluation of a table begins, of one that is made anew in the place of `old`.
    pub(crate) fn begin(
        &mut self,
        n: u32,
        new: FramePtr,
        old: Option<FramePtr>,
    ) -> Result<(), Refused> {
        if let Some(old) = old {
            // (Who is refused this has changed nothing.)
            growth::insert(&mut self.of_frames, new, n)?;
            self.of_frames.remove(&old);
        }
        let round = self.nodes[n as usize].round;
        for used in std::mem::take(&mut self.nodes[n as usize].uses) {
            self.edges.remove(&(used, n, round));
        }
        let node = &mut self.nodes[n as usize];
        node.frame = Some(new);
        node.old = old;
        node.round = round.wrapping_add(1);
        node.standing = Standing::Running;
        node.pending = Standing::Clean;
        let mut dependents = std::mem::take(&mut node.dependents);
        node.before.append(&mut dependents);
        Ok(())
    }
    /// The evaluation has ended, `same`: with the answers that there were before.
    pub(crate) fn end(&mut self, n: u32, same: bool) {
        let node = &mut self.nodes[n as usize];
        node.old = None;
        node.standing = node.pending;
        let before = std::mem::take(&mut node.before);
        if same {
            self.depend_again(n, before);
        } else {
            for (user, round) in before {
                if self.counts((user, round)) {
                    self.be_changed(user);
                }
                self.edges.remove(&(n, user, round));
            }
        }
        if self.nodes[n as usize].standing != Standing::Clean {
            self.doubt_users(n);
        }
    }
    /// Users of the table that there was are users of this one, but for those that have been evaluated anew since: of a recursive table its own
    /// evaluation before is one.
    fn depend_again(&mut self, n: u32, mut before: Vec<(u32, u32)>) {
        before.retain(|&d| self.counts(d));
        self.nodes[n as usize].dependents.append(&mut before);
    }
    /// The evaluation came to nothing: the table that there was is back. `None`: there is none any more.
    pub(crate) fn give_up(&mut self, n: u32, frame: FramePtr) -> Option<FramePtr> {
        self.of_frames.remove(&frame);
        let node = &mut self.nodes[n as usize];
        let old = node.old.take();
        let before = std::mem::take(&mut node.before);
        node.frame = old;
        node.standing = Standing::Changed;
        self.depend_again(n, before);
        match old {
            Some(old) => {
                // (There was a place for it.)
                self.of_frames.insert(old, n);
            }
            None => {
                self.changed(n);
                self.release(n);
                return None;
            }
        }
        self.doubt_users(n);
        old
    }
    /// A table is gone, without evaluation.
    pub(crate) fn remove(&mut self, frame: FramePtr) {
        if let Some(n) = self.of_frames.remove(&frame) {
            self.changed(n);
            self.release(n);
        }
    }

    /// Begins to look for what must be evaluated before it is known whether the table of `n` has changed ([`Dependencies::next_due`]).
    pub(crate) fn begin_walk(&mut self, n: u32) -> Result<(), Refused> {
        self.walk.clear();
        self.met = FxHashSet::default();
        growth::add(&mut self.met, n)?;
        growth::push(&mut self.walk, (n, 0))
    }
    /// The next table that has changed of those that the one may depend on for which the walk was begun, in the order in which its evaluation would call them. Others that
    /// are met are clean from then on, if all that they use is. `None`: there are no more.
    pub(crate) fn next_due(&mut self) -> Result<Option<u32>, Refused> {
        while let Some((n, next)) = self.walk.last_mut() {
            let n = *n;
            // (It may have been begun for tables that are gone.)
            let standing = self.nodes.get(n as usize).map(|node| node.standing);
            if standing != Some(Standing::Maybe) {
                self.walk.pop();
                let due = standing == Some(Standing::Changed) && !self.walk.is_empty();
                if due && self.nodes[n as usize].frame.is_some() {
                    return Ok(Some(n));
                }
                continue;
            }
            let Some(&used) = self.nodes[n as usize].uses.get(*next) else {
                self.walk.pop();
                let node = &self.nodes[n as usize];
                if node.uses.iter().all(|&u| self.is_clean(u)) {
                    self.nodes[n as usize].standing = Standing::Clean;
                }
                continue;
            };
            *next += 1;
            if !self.is_clean(used) && growth::add(&mut self.met, used)? {
                growth::push(&mut self.walk, (used, 0))?;
            }
        }
        self.met = FxHashSet::default();
        Ok(None)
    }
    fn is_clean(&self, n: u32) -> bool {
        self.nodes[n as usize].standing == Standing::Clean
    }
    /// Decides of a table that may have changed: it is clean, and so is all that it uses; or it has changed, because something has that it uses, over
    /// any number of tables, which have changed too.
    pub(crate) fn settle(&mut self, n: u32) -> Result<(), Refused> {
        if self.nodes[n as usize].standing != Standing::Maybe {
            return Ok(());
        }
        let mut met = FxHashSet::default();
        let mut all = Vec::new();
        let mut path = vec![(n, 0)];
        growth::add(&mut met, n)?;
        while let Some((at, next)) = path.last_mut() {
            let Some(&used) = self.nodes[*at as usize].uses.get(*next) else {
                growth::push(&mut all, *at)?;
                path.pop();
                continue;
            };
            *next += 1;
            match self.nodes[used as usize].standing {
                Standing::Clean => (),
                Standing::Maybe => {
                    if growth::add(&mut met, used)? {
                        growth::push(&mut path, (used, 0))?;
                    }
                }
                Standing::Changed | Standing::Running => {
                    for (n, _) in path {
                        self.be_changed(n);
                    }
                    return Ok(());
                }
            }
        }
        for n in all {
            self.nodes[n as usize].standing = Standing::Clean;
        }
        Ok(())
    }
    /// The tables whose last evaluation uses `n`.
    pub(crate) fn users(&self, n: u32) -> Vec<u32> {
        let node = &self.nodes[n as usize];
        let all = node.dependents.iter().chain(&node.before);
        all.filter(|&&d| self.counts(d)).map(|d| d.0).collect()
    }

    /// Asserts the invariants of the module text.
    pub(crate) fn verify(&self) {
        for (n, node) in self.nodes.iter().enumerate() {
            let complete = node.standing != Standing::Running;
            for &used in &node.uses {
                let other = &self.nodes[used as usize];
                assert!(
                    !complete
                        || node.standing != Standing::Clean
                        || other.standing == Standing::Clean,
                    "a clean table uses one that is not"
                );
            }
            if let Some(frame) = node.frame {
                assert_eq!(self.of_frames.get(&frame), Some(&(n as u32)));
            }
        }
    }
}

/// Which arguments have keys.
fn shape(keys: &[u64; ARGUMENTS]) -> u8 {
    let bits = keys.iter().enumerate();
    bits.fold(0, |s, (i, &k)| s | u8::from(k != ANY_KEY) << i)
}

/// Adds the nodes of one shape that a clause with these keys may be found by.
fn find(of: u8, nodes: &FxHashMap<[u64; ARGUMENTS], u32>, keys: &[u64], hit: &mut Vec<u32>) {
    let mut wanted = [ANY_KEY; ARGUMENTS];
    for (i, w) in wanted.iter_mut().enumerate() {
        if of & 1 << i != 0 {
            match keys.get(i) {
                Some(&k) if k != ANY_KEY => *w = k,
                // It matches whatever a call has there.
                _ => {
                    let fits = |have: &[u64; ARGUMENTS]| {
                        let mut pairs = have.iter().zip(keys);
                        pairs.all(|(&h, &k)| h == ANY_KEY || k == ANY_KEY || h == k)
                    };
                    let all = nodes.iter().filter(|(have, _)| fits(have));
                    hit.extend(all.map(|(_, &n)| n));
                    return;
                }
            }
        }
    }
    hit.extend(nodes.get(&wanted));
}

impl HoldsAtoms for Dependencies {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        let shapes = self.sources.values().flat_map(|s| s.shapes.values());
        let keys = shapes.flat_map(|nodes| nodes.keys().flatten());
        keys.filter_map(|&k| Cell(k).atom_in()).for_each(f);
    }
}
