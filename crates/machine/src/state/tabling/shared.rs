//! Complete tables that the threads of a program share (`:- table path/2 as shared`): by call, what its answers are.
//!
//! Each thread evaluates in tables of its own. When a shared one is complete its answers are *published*, in a form that does not change any more
//! ([`Frozen`]); the table of whoever asks for that call next has them at once (`engine/tabling/sharing.rs`). Two threads that evaluate one call at the same time share the work
//! ([`super::cooperation`]), or each do it for themselves, and the first that is through publishes. Nothing is left behind by a thread that is killed.
//!
//! This is the sharing of complete tables in the design "subgoal sharing" (paper "An Efficient and Scalable Memory Allocator for Multithreaded Tabled Evaluation of Logic
//! Programs", section II.B): what is common is a table of calls, with the answers of those that are complete. Differs in that the calls are hashed whole, and
//! answers are arrays instead of tries: nobody inserts into them.
//!
//! ```text
//! epoch                changes when shared tables are abolished, before any of them is taken away
//! publish(t, seen)     t becomes visible only if the epoch is the one that its thread has seen when it last looked for a table, under the shard's lock
//! ```
//! A thread that is alone in its program publishes nothing; what it has not, it does when it makes another thread, or completes a table when there is one.
//!
//! So no table that was evaluated before an abolition is found after it. Locks are held for one look-up or insertion; none inside another.

use super::cooperation::Offers;
use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxBuildHasher, FxHashMap};
use samite_table::{CommonCalls, Frozen, Origin, TableSync};
use samite_term::growth::{self, Refused};
use samite_term::walked::each_in_words;
use samite_term::{Atom, HoldsAtoms};
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

/// Parts with locks of their own; a power of two.
const SHARDS: usize = 64;

/// By the tokens of the call and, last, the number of the predicate.
type Shard = RwLock<FxHashMap<Box<[u64]>, Arc<Frozen>>>;

/// See the module text.
pub struct SharedTables {
    shards: [Shard; SHARDS],
    epoch: AtomicU64,
    /// Whether anything was ever published.
    used: AtomicBool,
    /// Bytes that they take, and may take: what would exceed that is not published.
    held: AtomicUsize,
    most: AtomicUsize,
    /// Bytes that the tables of each thread may take.
    most_private: AtomicUsize,
    /// How threads put something into what they share: the number of a [`TableSync`].
    sync: AtomicU8,
    /// Where table spaces that are begun take their structures from.
    malloc: AtomicBool,
    /// The calls that threads share (`as subgoal_shared`), which are there as long as a thread has a part in them.
    calls: Mutex<Weak<CommonCalls>>,
    /// What is evaluated at the moment.
    pub(crate) offers: Arc<Offers>,
}

impl Default for SharedTables {
    fn default() -> SharedTables {
        SharedTables {
            shards: std::array::from_fn(|_| Shard::default()),
            epoch: AtomicU64::new(0),
            used: AtomicBool::new(false),
            held: AtomicUsize::new(0),
            most: AtomicUsize::new(usize::MAX),
            most_private: AtomicUsize::new(usize::MAX),
            sync: AtomicU8::new(TableSync::LockFree as u8),
            malloc: AtomicBool::new(false),
            calls: Mutex::default(),
            offers: Arc::default(),
        }
    }
}

/// Bytes that a key takes beside its words, with its place.
const PLACE: usize = 48;

impl SharedTables {
    /// Bytes that a table takes beside its answers.
    pub(crate) fn bytes_of_key(key: &[u64]) -> usize {
        size_of_val(key) + PLACE
    }
    fn shard(&self, key: &[u64]) -> &Shard {
        let hash = FxBuildHasher.hash_one(key);
        &self.shards[(hash >> 58) as usize & (SHARDS - 1)]
    }
    /// See the module text.
    #[inline]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }
    /// Whether there may be any. (Who does not see yet what another thread has published evaluates for himself.)
    #[inline]
    pub(crate) fn are_any(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }
    /// The answers of a call, if it is complete.
    pub(crate) fn find(&self, key: &[u64]) -> Option<Arc<Frozen>> {
        self.shard(key).read().get(key).cloned()
    }
    /// A table is complete. What is to be used for it from now on, which may be another's; `None`: it was evaluated before an abolition, or there is no room for it.
    pub(crate) fn publish(
        &self,
        key: Box<[u64]>,
        answers: Frozen,
        seen: u64,
    ) -> Result<Option<Arc<Frozen>>, Refused> {
        self.publish_as_is(key, Arc::new(answers), seen)
    }
    /// The same, of answers that somebody has already.
    pub(crate) fn publish_as_is(
        &self,
        key: Box<[u64]>,
        answers: Arc<Frozen>,
        seen: u64,
    ) -> Result<Option<Arc<Frozen>>, Refused> {
        let mut shard = self.shard(&key).write();
        if self.epoch() != seen {
            return Ok(None);
        }
        if let Some(known) = shard.get(&key[..]) {
            return Ok(Some(known.clone()));
        }
        // (Two at a time may exceed it by one table.)
        let bytes = answers.bytes();
        if self.held.load(Ordering::Relaxed).saturating_add(bytes)
            > self.most.load(Ordering::Relaxed)
        {
            return Ok(None);
        }
        growth::insert(&mut shard, key, answers.clone())?;
        self.used.store(true, Ordering::Relaxed);
        self.held.fetch_add(bytes, Ordering::Relaxed);
        Ok(Some(answers))
    }
    /// No call finds any of them from now on.
    pub(crate) fn abolish(&self) {
        // Before they go: who publishes looks at it under the lock.
        self.epoch.fetch_add(1, Ordering::AcqRel);
        for shard in &self.shards {
            let gone = std::mem::take(&mut *shard.write());
            let bytes = gone.values().map(|t| t.bytes()).sum();
            self.held.fetch_sub(bytes, Ordering::Relaxed);
            // (Not under the lock.)
            drop(gone);
        }
    }
    /// Bytes that they take.
    pub(crate) fn bytes(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }
    /// Sets how many they may take.
    pub(crate) fn set_most(&self, bytes: usize) {
        self.most.store(bytes, Ordering::Relaxed);
    }
    /// Sets how many bytes the tables of each thread may take.
    pub(crate) fn set_most_private(&self, bytes: usize) {
        self.most_private.store(bytes, Ordering::Relaxed);
    }
    /// Sets how threads put something into what they begin to share from now on.
    pub(crate) fn set_sync(&self, sync: TableSync) {
        self.sync.store(sync as u8, Ordering::Relaxed);
    }
    /// See [`SharedTables::set_sync`].
    pub(crate) fn sync(&self) -> TableSync {
        let n = self.sync.load(Ordering::Relaxed);
        let all = [
            TableSync::LockFree,
            TableSync::TlwlField,
            TableSync::TlwlArray,
        ];
        all.into_iter().find(|s| *s as u8 == n).unwrap_or_default()
    }
    /// Sets where table spaces that are begun from now on take their structures from.
    pub(crate) fn set_origin(&self, origin: Origin) {
        self.malloc
            .store(origin == Origin::Malloc, Ordering::Relaxed);
    }
    /// See [`SharedTables::set_origin`].
    pub(crate) fn origin(&self) -> Origin {
        match self.malloc.load(Ordering::Relaxed) {
            true => Origin::Malloc,
            false => Origin::Pages,
        }
    }
    /// The calls that a table space is to join: those that others have joined, unless these are full or made otherwise than is wanted now.
    pub(crate) fn common_calls(&self) -> Result<Arc<CommonCalls>, Refused> {
        let wanted = (self.sync(), self.origin());
        let mut known = self.calls.lock();
        if let Some(calls) = known.upgrade()
            && calls.is_as(wanted.0, wanted.1)
            && !calls.is_full()
        {
            return Ok(calls);
        }
        growth::asked(size_of::<CommonCalls>())?;
        let calls = Arc::new(CommonCalls::new(
            wanted.0,
            wanted.1,
            self.offers.contention.clone(),
        ));
        *known = Arc::downgrade(&calls);
        Ok(calls)
    }
    /// See [`SharedTables::set_most_private`].
    #[inline]
    pub(crate) fn most_private(&self) -> usize {
        self.most_private.load(Ordering::Relaxed)
    }
}

impl HoldsAtoms for SharedTables {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        self.offers.each_atom(f);
        for shard in &self.shards {
            for (key, answers) in &*shard.read() {
                each_in_words(&key[..key.len() - 1], f);
                answers.each_atom(f);
            }
        }
    }
}
