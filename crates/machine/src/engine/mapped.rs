//! What a machine maps before it begins: nursery, the worker with its registers, choicepoints.
//!
//! A thread's is mapped by its creator, before `thread_create/3` answers: what has been granted is not refused afterwards, and under a limit of address
//! space the last part is not for threads.
//!
//! *Equation*, of address space under a limit, whenever `thread_create/3` answers ([`Mapped::admit`]):
//!
//! ```text
//! what could be mapped  ≥  FOR_A_BEGINNING × threads that have not begun + what those there are need to go on
//! ```
//!
//! where the last is [`address_space::leaves_enough`]'s. Made by any thread, used by the one that it is handed to.

use super::os_thread::room_for_mappings;
use super::worker::Worker;
use crate::state::choice::ChoiceStack;
use crate::state::program::Program;
use parking_lot::Mutex;
use samite_heap::heap::MIN_NURSERY;
use samite_heap::space::Region;
use samite_heap::{Heap, HeapConfig, address_space};
use samite_world::threads;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Bytes that the general allocator takes for a thread until its goal runs, about: slices for each size of small objects (448 KB measured).
const FOR_A_BEGINNING: usize = 512 << 10;

/// Threads that have been admitted, and have not begun.
static BEGINNING: AtomicUsize = AtomicUsize::new(0);

/// Counted in [`BEGINNING`].
struct Beginning;

impl Beginning {
    fn new() -> Beginning {
        // Relaxed, here and below: a number that steers, it protects nothing.
        BEGINNING.fetch_add(1, Ordering::Relaxed);
        Beginning
    }
}

impl Drop for Beginning {
    fn drop(&mut self) {
        BEGINNING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The sizes of a heap with this limit.
fn limited(config: &mut HeapConfig, limit: usize) {
    config.limit = limit;
    let part = (limit / 4).next_multiple_of(MIN_NURSERY).max(MIN_NURSERY);
    config.nursery = config.nursery.min(part);
}

/// See the module text.
pub(crate) struct Mapped {
    pub heap: Heap,
    pub worker: Region,
    pub choices: ChoiceStack,
    /// Of a thread that has been admitted, until its machine takes this apart.
    beginning: Option<Beginning>,
}

// SAFETY: nothing is in these regions yet, and nobody else has an address of theirs. They belong to no thread until a machine has them.
unsafe impl Send for Mapped {}

/// What a thread or engine has left to the next.
struct Left {
    nursery: Region,
    worker: Region,
    choices: Region,
}

// SAFETY: nobody has an address of theirs.
unsafe impl Send for Left {}

/// Those that wait for the next, at most so many: with small nurseries, and with large ones.
static LEFT: [Mutex<Vec<Left>>; 2] = [Mutex::new(Vec::new()), Mutex::new(Vec::new())];
const MOST_LEFT: usize = 8;

/// Where those are with nurseries of so many bytes.
fn left_with(nursery: usize) -> &'static Mutex<Vec<Left>> {
    &LEFT[usize::from(nursery > SMALL_NURSERY)]
}

impl Left {
    /// Bytes of its nursery.
    fn size(&self) -> usize {
        self.nursery.words() * 8
    }
}
/// What of such a nursery may have been touched: as much as an engine or light thread uses before its first collection.
const KEPT: usize = MIN_NURSERY;
const _: () = assert!(KEPT <= SMALL_NURSERY);

/// Bytes of the nursery of an engine or light thread at most: many may be there at once, and what one does not touch takes no memory. As much as nurseries
/// that adapt themselves have at least.
const SMALL_NURSERY: usize = 1 << 20;
/// What is mapped beside it, about.
const BESIDE: usize = 256 << 10;

impl Mapped {
    /// For an engine or a light thread, which needs no OS thread of its own.
    /// `None` if memory for it cannot be had.
    pub fn for_sleeper(program: &Program, limit: usize) -> Option<Mapped> {
        let mut config = *program.heap_config.lock();
        config.nursery = config.nursery.min(SMALL_NURSERY);
        config.first = KEPT;
        limited(&mut config, limit);
        if let Some(mapped) = Mapped::left(&config) {
            return Some(mapped);
        }
        let may = address_space::leaves_enough(config.nursery + BESIDE, 0);
        if !may || !room_for_mappings() {
            return None;
        }
        Mapped::map(config)
    }
    /// For a machine with this memory limit, on what another has left if there is such; `None` if memory for it cannot be had. What lies in the nursery is counted when it
    /// is collected, so the nursery is but a part of the limit.
    pub fn new(mut config: HeapConfig, limit: usize) -> Option<Mapped> {
        limited(&mut config, limit);
        Mapped::left(&config).or_else(|| Mapped::map(config))
    }
    fn map(config: HeapConfig) -> Option<Mapped> {
        Some(Mapped {
            heap: Heap::new(config)?,
            worker: Region::map_small_pages(size_of::<Worker>())?,
            choices: ChoiceStack::new()?,
            beginning: None,
        })
    }
    /// On what one has left whose nursery had this size.
    fn left(config: &HeapConfig) -> Option<Mapped> {
        let size = Region::rounded(config.nursery);
        let mut all = left_with(size).lock();
        let at = all.iter().rposition(|l| l.size() == size)?;
        let left = all.swap_remove(at);
        drop(all);
        Some(Mapped {
            heap: Heap::on(*config, left.nursery),
            worker: left.worker,
            choices: ChoiceStack::on(left.choices),
            beginning: None,
        })
    }
    /// What one of these leaves, which ends or is folded. `opened`: more may have been touched of its nursery than is kept.
    pub fn leave(nursery: Region, worker: Region, choices: Region, opened: bool) {
        // (Under a limit of address space the next may want it for something else.)
        let is_large = nursery.words() * 8 > SMALL_NURSERY;
        if !ChoiceStack::is_initial(&choices) || is_large && address_space::is_limited() {
            return;
        }
        if opened {
            nursery.discard_from(nursery.start().wrapping_add(KEPT / 8).min(nursery.end()));
        }
        let left = Left {
            nursery,
            worker,
            choices,
        };
        let mut all = left_with(left.size()).lock();
        // (One that fits nobody any more makes room.)
        let other = all.iter().position(|l| l.size() != left.size());
        match (all.len() < MOST_LEFT, other) {
            (true, _) => all.push(left),
            (false, Some(at)) => all[at] = left,
            (false, None) => {}
        }
    }

    /// Whether a thread may be made of it with a stack of so many bytes. Waits for those that are about to begin if it depends on what they
    /// take: they wait for nobody.
    pub fn admit(&mut self, stack: usize) -> bool {
        let mut pause = Duration::from_micros(50);
        loop {
            let others = BEGINNING.load(Ordering::Relaxed);
            if address_space::leaves_enough((others + 1) * FOR_A_BEGINNING, stack) {
                self.beginning = Some(Beginning::new());
                return true;
            }
            if others == 0 {
                return false;
            }
            threads::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(1));
        }
    }
}
