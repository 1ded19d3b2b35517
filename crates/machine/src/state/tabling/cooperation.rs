//! Evaluations that several threads share the work of: what they have in common, and what each has of it. How it goes: `engine/tabling/cooperation.rs`.

use super::Tabling;
use super::schedule::NONE;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use samite_sched::Division;
use samite_sched::division::{Claim, MOST};
use samite_table::{ContentionOfAll, Frozen, JointTable, MEMBERS, Memory, Run};
use samite_term::growth::{self, Refused};
use samite_term::walked::each_in_words;
use samite_term::{Atom, HoldsAtoms};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

const _: () = assert!(MEMBERS == MOST);

/// Why an evaluation is not shared that could have been.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Why {
    /// It has tables that are not shared, moded, limited ones.
    Tables,
    /// Answers that are no rows.
    Answers,
    /// Negative literals wait, or there are conditions.
    Negation,
    /// A suspended call has what cannot be compared with another thread's.
    Suspended,
    /// What others have suspended is something else.
    Differs,
    /// There was no memory, or no place.
    Room,
}

/// How many there are.
pub(crate) const WHYS: usize = Why::Room as usize + 1;

/// What has been shared, for statistics.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) opened: AtomicU64,
    pub(crate) joined: AtomicU64,
    pub(crate) left: AtomicU64,
    pub(crate) completed: AtomicU64,
    pub(crate) refused: [AtomicU64; WHYS],
}

impl Counts {
    pub(crate) fn refuse(&self, why: Why) {
        // Relaxed, as all of them: counts.
        self.refused[why as usize].fetch_add(1, Ordering::Relaxed);
    }
}

/// After so many rows it is looked whether others have nothing to do.
const HEEDED: usize = 8;

/// Nobody else has come.
const OFFERED: u8 = 0;
/// Somebody else evaluates the same.
const WANTED: u8 = 1;
/// See [`Offer::open`].
const OPEN: u8 = 2;
/// Everybody evaluates for himself.
const CLOSED: u8 = 3;

/// An evaluation that is under way, by its leader's call.
pub(crate) struct Offer {
    /// The abolitions of shared tables before it.
    epoch: u64,
    state: AtomicU8,
    open: OnceLock<Arc<Cooperation>>,
}

impl Offer {
    /// Whether the thread that made it is asked to open it.
    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        // Relaxed: a hint.
        self.state.load(Ordering::Relaxed) == WANTED
    }
    #[inline]
    pub(crate) fn is_closed(&self) -> bool {
        // Relaxed: a hint.
        self.state.load(Ordering::Relaxed) == CLOSED
    }
    /// What is shared, if it is.
    #[inline]
    pub(crate) fn opened(&self) -> Option<&Arc<Cooperation>> {
        // Relaxed: the lock has its own order.
        match self.state.load(Ordering::Relaxed) {
            OPEN => self.open.get(),
            _ => None,
        }
    }
    /// From now on others may join.
    pub(crate) fn open(&self, with: Arc<Cooperation>) {
        let _ = self.open.set(with);
        // Relaxed: as above.
        self.state.store(OPEN, Ordering::Relaxed);
    }
    fn close(&self) {
        self.state.store(CLOSED, Ordering::Relaxed);
    }
}

/// The offers of a program, by the tokens of the call and the number of the predicate.
#[derive(Default)]
pub(crate) struct Offers {
    all: Mutex<FxHashMap<Box<[u64]>, Arc<Offer>>>,
    pub(crate) counts: Counts,
    /// What those that have left had to do with each other.
    pub(crate) contention: Arc<ContentionOfAll>,
}

impl Offers {
    /// The offer of a call, and whether it was made just now.
    pub(crate) fn enter(&self, key: &[u64], epoch: u64) -> Result<(Arc<Offer>, bool), Refused> {
        let mut all = self.all.lock();
        if let Some(offer) = all.get(key)
            && offer.epoch == epoch
            && !offer.is_closed()
        {
            // Relaxed: it asks; what it gets is under a lock.
            let (relaxed, old) = (Ordering::Relaxed, OFFERED);
            let _ = offer.state.compare_exchange(old, WANTED, relaxed, relaxed);
            return Ok((offer.clone(), false));
        }
        let offer = Arc::new(Offer {
            epoch,
            state: AtomicU8::new(OFFERED),
            open: OnceLock::new(),
        });
        let key: Box<[u64]> = growth::list(key.iter().copied())?.into();
        growth::insert(&mut all, key, offer.clone())?;
        Ok((offer, true))
    }
    /// Nobody finds it any more.
    pub(crate) fn remove(&self, key: &[u64], offer: &Arc<Offer>) {
        let mut all = self.all.lock();
        if all.get(key).is_some_and(|o| Arc::ptr_eq(o, offer)) {
            all.remove(key);
        }
        drop(all);
    }
}

impl HoldsAtoms for Offers {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        let all = self.all.lock();
        for (key, offer) in &*all {
            each_in_words(&key[..key.len() - 1], f);
            if let Some(cooperation) = offer.opened() {
                cooperation.each_atom(f);
            }
        }
    }
}

/// What the threads that share an evaluation have in common.
pub(crate) struct Cooperation {
    pub(crate) division: Arc<Division>,
    pub(crate) tables: Vec<JointTable>,
    /// The numbers of the tables, by call and predicate.
    pub(crate) numbers: FxHashMap<Box<[u64]>, u32>,
    /// The consumers of a table are in lanes, by their owners: those of one part of what is divided, of number `table * lanes + lane`.
    pub(crate) lanes: u32,
    /// For each table, how many consumers all members have of it, and the sum of their hashes.
    pub(crate) consumers: Vec<(u32, u128)>,
    /// What the sets of the tables are made of, of those who have left.
    kept: Mutex<Vec<Memory>>,
    /// The answers of all tables, once it is over.
    results: OnceLock<Option<Vec<Arc<Frozen>>>>,
}

impl Cooperation {
    pub(crate) fn new(
        tables: Vec<JointTable>,
        numbers: FxHashMap<Box<[u64]>, u32>,
        consumers: Vec<(u32, u128)>,
        parts: &[Vec<u32>],
    ) -> Result<Cooperation, Refused> {
        let lanes = parts.len() / tables.len();
        let wanted = parts.iter().map(|p| !p.is_empty());
        Ok(Cooperation {
            division: Arc::new(Division::new(wanted, lanes)?),
            tables,
            numbers,
            lanes: lanes as u32,
            consumers,
            kept: Mutex::new(Vec::new()),
            results: OnceLock::new(),
        })
    }
    /// What member `me` has by now of these tables, for each of their parts.
    pub(crate) fn news_of(&self, me: usize, tables: &[u32]) -> impl Iterator<Item = (u32, usize)> {
        tables.iter().flat_map(move |&t| {
            let told = self.tables[t as usize].rows().committed(me);
            (0..self.lanes).map(move |lane| (t * self.lanes + lane, told))
        })
    }
    /// The answers of all tables, when it is over, and whether they were made just now; `None`: there is no room for them.
    pub(crate) fn results(&self) -> (Option<&[Arc<Frozen>]>, bool) {
        let mut made = false;
        let results = self.results.get_or_init(|| {
            made = true;
            if cfg!(debug_assertions) && self.tables.len() < 50 {
                self.tables.iter().for_each(JointTable::verify);
            }
            let of = |t: &JointTable| {
                let frozen = Frozen::of_joint(t.rows().clone(), 0).ok()??;
                Some(Arc::new(frozen))
            };
            let mut all = Vec::new();
            for t in &self.tables {
                growth::push(&mut all, of(t)?).ok()?;
            }
            Some(all)
        });
        (results.as_deref(), made)
    }
}

impl HoldsAtoms for Cooperation {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        for key in self.numbers.keys() {
            each_in_words(&key[..key.len() - 1], f);
        }
        for (t, table) in self.tables.iter().enumerate() {
            // (What is not told yet its member tells of.)
            let mut told = [0; MOST];
            (self.division).each_told(t as u32 * self.lanes, |log, n| told[log] = n);
            for (log, &n) in told.iter().enumerate() {
                table.rows().each_atom_of(log, n, f);
            }
        }
    }
}

/// The outermost evaluation of a thread, as long as others may share it.
pub(crate) struct Share {
    /// The leader of its SCC, and where the subgoals and consumers end that there were before anything was fed: these everybody has.
    pub(crate) leader: u32,
    pub(crate) subgoals: u32,
    pub(crate) consumers: u32,
    pub(crate) key: Box<[u64]>,
    pub(crate) offer: Arc<Offer>,
    pub(crate) offers: Arc<Offers>,
    /// It was made by this thread.
    pub(crate) first: bool,
    /// A negative literal of it waits.
    pub(crate) negative: bool,
    /// It has waited for others, if it was to.
    pub(crate) waited: bool,
    pub(crate) joint: Option<Box<Joint>>,
}

impl Drop for Share {
    fn drop(&mut self) {
        // (Who has joined does it by himself.)
        drop(self.joint.take());
        if self.first && self.offer.opened().is_none() {
            self.offer.close();
            self.offers.remove(&self.key, &self.offer);
        }
    }
}

impl Share {
    /// It is not to be opened.
    pub(crate) fn close(&self) {
        if self.first {
            self.offer.close();
            self.offers.remove(&self.key, &self.offer);
        }
    }
}

/// What a member has.
pub(crate) struct Joint {
    pub(crate) with: Arc<Cooperation>,
    pub(crate) me: usize,
    /// It is none any more, and is about to have its tables for itself.
    pub(crate) left: bool,
    /// The number of the table of each subgoal, from the leader on, and back.
    pub(crate) table_of: Vec<u32>,
    pub(crate) subgoal_of: Vec<u32>,
    /// For each table its consumers that everybody has, oldest first.
    pub(crate) common: Vec<Vec<u32>>,
    /// The same for each part.
    pub(crate) parts: Vec<Vec<u32>>,
    /// The entries that are being given to the consumers of their table, and how far that is.
    pub(crate) claim: Option<Claim>,
    /// Those that come next, the first one last.
    pub(crate) claims: Vec<Claim>,
    pub(crate) consumer: usize,
    pub(crate) row: usize,
    /// The rows from that on, as far as they stand together.
    pub(crate) run: Run,
    /// Tables with answers that the others have not been told of.
    pub(crate) news: Vec<u32>,
    pub(crate) has_news: Vec<bool>,
    /// Tables that have consumers of its own, and how many rows of each log these can see.
    pub(crate) own: Vec<(u32, [usize; MOST])>,
    pub(crate) has_own: Vec<bool>,
    /// How often anything had been told when these were brought up to date.
    pub(crate) copied: Option<u64>,
    /// How long it rests, if nothing is told, and how much was told when it was set.
    pub(crate) rests_until: Option<(Instant, u64)>,
    /// Answers that it has given to common consumers and to its own.
    pub(crate) fed: (u64, u64),
    pub(crate) memory: Memory,
    pub(crate) key: Box<[u64]>,
    pub(crate) offer: Arc<Offer>,
    pub(crate) offers: Arc<Offers>,
}

impl Joint {
    /// Tells the others of the answers that it has found.
    pub(crate) fn tell(&mut self) {
        if self.news.is_empty() {
            return;
        }
        let (with, me) = (&self.with, self.me);
        with.division.tell(me, with.news_of(me, &self.news));
        for t in self.news.drain(..) {
            self.has_news[t as usize] = false;
        }
    }
    /// It is a member no longer: what it has claimed others will do; all of that if it is to be done `again`.
    pub(crate) fn leave(&mut self, again: bool) {
        if std::mem::replace(&mut self.left, true) {
            return;
        }
        self.tell();
        let over = self.with.division.is_over();
        if !over {
            // Relaxed: a count.
            self.offers.counts.left.fetch_add(1, Ordering::Relaxed);
            // (Who looks for atoms may have asked this thread before it found them, and the others before they hear of them.)
            for t in &self.with.tables {
                let told = t.rows().committed(self.me);
                t.rows().each_atom_of(self.me, told, &mut |a| a.mark());
            }
        }
        let memory = std::mem::take(&mut self.memory);
        self.offers.contention.add(memory.contention());
        self.with.kept.lock().push(memory);
        // (There is room for it: it was one of them.)
        self.claims.extend(self.claim.take());
        let ended = self.with.division.leave(self.me, &self.claims, again);
        self.claims.clear();
        if over || ended {
            self.offer.close();
            self.offers.remove(&self.key, &self.offer);
        }
    }
    /// The next row for one of the consumers that everybody has, the first one of `run`: who it is.
    #[inline]
    pub(crate) fn next_row(&mut self) -> Option<(usize, Run)> {
        loop {
            let claim = self.claim?;
            let Some(&consumer) = self.parts[claim.part as usize].get(self.consumer) else {
                let next = self.claims.pop();
                self.begin(next);
                continue;
            };
            if self.run.left() > 0 {
                let run = self.run;
                self.run.next();
                self.row += 1;
                return Some((consumer as usize, run));
            }
            if self.row == claim.to {
                self.row = claim.from;
                self.consumer += 1;
                continue;
            }
            let table = claim.part / self.with.lanes;
            let rows = self.with.tables[table as usize].rows();
            self.run = rows.run(claim.log, self.row, claim.to);
        }
    }
    /// The rows behind those that [`Joint::next_row`] has given, for the same consumer.
    #[inline]
    pub(crate) fn rest_of_run(&self) -> Option<Run> {
        (self.run.left() > 0).then_some(self.run)
    }
    /// The consumer has got the first one of these.
    #[inline]
    pub(crate) fn has_fed_next(&mut self) {
        if self.run.left() > 0 {
            self.run.next();
            self.row += 1;
            self.heed();
        }
    }
    /// A row is given to a common consumer: now and then, whether others have nothing to do.
    #[inline]
    pub(crate) fn heed(&mut self) {
        self.fed.0 += 1;
        if self.row.is_multiple_of(HEEDED) && self.with.division.is_hungry() {
            self.tell();
        }
    }
    pub(crate) fn begin(&mut self, claim: Option<Claim>) {
        (self.consumer, self.run) = (0, Run::NONE);
        self.row = claim.map_or(0, |c| c.from);
        self.claim = claim;
    }
}

impl Drop for Joint {
    fn drop(&mut self) {
        self.leave(true);
    }
}

/// What each thread tells of itself.
impl HoldsAtoms for Joint {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        for t in &self.with.tables {
            let rows = t.rows();
            rows.each_atom_of(self.me, rows.committed(self.me), f);
        }
    }
}

impl Tabling {
    /// What this thread has of a shared evaluation.
    pub(crate) fn joint(&self) -> Option<&Joint> {
        self.share.as_ref()?.joint.as_deref()
    }
    pub(crate) fn joint_mut(&mut self) -> Option<&mut Joint> {
        self.share.as_mut()?.joint.as_deref_mut()
    }
    /// Whether the evaluation that may be shared has subgoals or consumers that others do not have.
    pub(crate) fn has_own(&self) -> bool {
        self.share.as_ref().is_some_and(|s| {
            self.consumers.len() > s.consumers as usize || self.stack.len() > s.subgoals as usize
        })
    }
    /// This thread evaluates for itself from now on; its tables are still the joint ones.
    pub(crate) fn step_out(&mut self) {
        let again = self.has_own();
        if let Some(joint) = self.share.as_mut().and_then(|s| s.joint.as_mut()) {
            joint.leave(again);
        }
    }
    /// The evaluation that may be shared is given up if it is not below `index`.
    pub(crate) fn abandon_share(&mut self, index: usize) {
        if (self.share.as_ref()).is_some_and(|s| s.leader as usize >= index) {
            self.step_out();
            self.share = None;
        }
    }
    /// Consumers `common` of the subgoal at `index` are not served with the others any more; those that are newer stay in its chain.
    pub(crate) fn unlink_consumers(&mut self, index: usize, end: u32) {
        let s = &mut self.stack[index];
        s.done = NONE;
        if s.newest == NONE || s.newest < end {
            s.newest = NONE;
            return;
        }
        let mut at = s.newest as usize;
        while self.consumers[at].next != NONE && self.consumers[at].next >= end {
            at = self.consumers[at].next as usize;
        }
        self.consumers[at].next = NONE;
    }
    /// The opposite; they have read nothing.
    pub(crate) fn link_consumers(&mut self, index: usize, common: &[u32]) {
        let mut below = NONE;
        for &c in common {
            let consumer = &mut self.consumers[c as usize];
            (consumer.position, consumer.next) = (0, below);
            below = c;
        }
        let s = &mut self.stack[index];
        s.done = NONE;
        s.version = s.version.wrapping_add(1);
        let mut at = s.newest;
        if at == NONE {
            s.newest = below;
        } else {
            while self.consumers[at as usize].next != NONE {
                at = self.consumers[at as usize].next;
            }
            self.consumers[at as usize].next = below;
        }
    }
}
