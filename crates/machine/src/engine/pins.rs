//! What a thread's choicepoints read of the database: the predicates whose clauses some choicepoint walks, each with its generation; and the code that
//! its frames and choicepoints come back to.
//!
//! Walks are the choicepoints of dynamic calls, of `clause/2`, `retract/1` and `nth_clause/3`. The stack is long and changes at its top only:
//! what has been looked at is remembered. A choicepoint that was looked at has the known bit, and so have all below it.
//!
//! *Equation*: for each pin of a known choicepoint's walk, as it was when that became known, there is exactly one entry, of the lowest of these
//! choicepoints; entries are in the order of the choicepoints. Those that reclaimers know ([`Domain::publish`]) are the entries. So a
//! publication costs what is new on the stack and what has gone, and walks that see the same are one.
//!
//! A known walk goes no further than what had been born when it began: see [`end_of`].
//!
//! [`Domain::publish`]: samite_code::Domain::publish

use crate::engine::walk::walk_of;
use crate::engine::worker::Worker;
use crate::state::choice::Choice;
use crate::state::frame::resume_of;
use crate::state::pins::{Looks, Pins};
use crate::state::program::Program;
use crate::state::thread::Thread;
use samite_code::index::rest_of_chain;
use samite_code::readers::ReaderSlot;
use samite_code::reclaim::Pin;
use samite_term::Cell;
use samite_term::growth::{self, Refused};

/// What a publication adds and takes away.
struct Publication {
    /// New walks, the newest choicepoint first.
    fresh: Vec<(usize, Pin)>,
    /// So many entries stay.
    kept: usize,
    gone: Vec<Pin>,
}

/// About so many pins' worth of memory reclaimers take for each ([`samite_code::reclaim`]'s tree).
const NOTED: usize = 3;

impl Worker {
    /// The code addresses that live frames and choicepoints hold, at a safe point, and the number of frames and clauses still to be tried
    /// that were visited for them; `None` if there are more of these than `most`, or no memory to say.
    pub(in crate::engine) fn held_code(&mut self, most: usize) -> Option<(Vec<usize>, usize)> {
        // (Threads that ask the file system, say, are often about to block.)
        let mut looks = std::mem::take(&mut self.thread.pins.looks);
        let held = self.look_for_code(most, &mut looks);
        self.thread.pins.looks = looks.put_by();
        held
    }

    fn look_for_code(&self, most: usize, looks: &mut Looks) -> Option<(Vec<usize>, usize)> {
        let Looks {
            held,
            chains,
            in_chains,
            met,
        } = looks;
        growth::push(chains, self.k as usize).ok()?;
        let mut visited = 0;
        let mut b = self.b;
        while !b.is_null() {
            held.add(b.alternative() as usize).ok()?;
            // SAFETY: the alternative of a choicepoint.
            for (at, clause) in unsafe { rest_of_chain(b.alternative()) } {
                // Who has been in this chain before has seen the rest of it.
                if !in_chains.add(at).ok()? {
                    break;
                }
                held.add(clause).ok()?;
                visited += 1;
                if visited > most {
                    return None;
                }
            }
            growth::push(chains, b.frame() as usize).ok()?;
            b = b.previous();
        }
        let mut refused = false;
        (self.thread.tabling).roots_of_continuations(&mut |k| {
            refused |= growth::push(chains, k.frame() as usize).is_err()
        });
        if refused {
            return None;
        }
        // Chains share their ends: each frame is visited once.
        let shared = chains.len() > 1;
        for &first in chains.iter() {
            let mut f = first as *mut Cell;
            while !f.is_null() && (!shared || met.add(f as usize).ok()?) {
                visited += 1;
                if visited > most {
                    return None;
                }
                // SAFETY: continuations are chains of frames: a header, then the parent.
                unsafe {
                    held.add(resume_of(*f) as usize).ok()?;
                    f = (*f.add(1)).frame();
                }
            }
        }
        for address in self.program.resume_points.read().addresses() {
            held.add(address).ok()?;
        }
        Some((growth::list(held.all().iter().copied()).ok()?, visited))
    }

    /// At a safe point: does what those who free clauses, or atoms, ask for.
    pub(crate) fn answer_reclaimers(&mut self) {
        self.answer_for_atoms();
        if self.reader.is_asked() || self.reader.is_to_look() {
            self.publish_pins();
        }
        // Without the memory to say so another time.
        if self.reader.is_to_look()
            && let Some((held, visited)) = self.held_code(usize::MAX)
        {
            (self.program.code.domain).looked(&self.reader, &held, visited);
        }
    }

    /// At a safe point: tells those who free clauses what this thread's choicepoints still read. Without the memory to say so another
    /// time; until then it keeps what has been retired since it entered.
    pub(crate) fn publish_pins(&mut self) {
        if self.thread.pins.pause > 0 {
            self.thread.pins.pause -= 1;
            return;
        }
        let mut looked = 0;
        let Ok(Publication { fresh, kept, gone }) = self.publication(&mut looked) else {
            // What this cost is paid for by as many calls that cost nothing.
            self.thread.pins.pause = looked;
            return;
        };
        let mut b = self.b;
        while !b.is_null() && !b.is_known() {
            b.set_known();
            b = b.previous();
        }
        // There is room for all that is added.
        let Pins { entries, pins, .. } = &mut self.thread.pins;
        for (_, pin) in entries.drain(kept..) {
            pins.remove(&pin);
        }
        for (at, pin) in fresh.into_iter().rev() {
            if pins.insert(pin) {
                entries.push((at, pin));
            }
        }
        let new: &[(usize, Pin)] = &entries[kept..];
        let new = new.iter().map(|&(_, pin)| pin);
        (self.program.code.domain).publish(&self.reader, &gone, new);
        if cfg!(debug_assertions) {
            self.verify_pins();
        }
    }

    /// What a publication changes, and the room for that. Nothing has changed so far but the ends of walks.
    fn publication(&mut self, looked: &mut usize) -> Result<Publication, Refused> {
        let now = self.program.code.domain.generation();
        let base = self.choices.base() as usize;
        let offset = |b: Choice| b.address() - base;
        let mut fresh: Vec<(usize, Pin)> = Vec::new();
        let mut b = self.b;
        while !b.is_null() && !b.is_known() {
            *looked += 1;
            if let Some(walk) = walk_of(b) {
                walk.shorten();
                let entry = (offset(b), walk.pin(now));
                match fresh.last_mut() {
                    // The lowest of several.
                    Some(last) if last.1 == entry.1 => *last = entry,
                    _ => growth::push(&mut fresh, entry)?,
                }
            }
            b = b.previous();
        }
        let Pins { entries, pins, .. } = &mut self.thread.pins;
        // What was above is gone.
        let mut kept = entries.len();
        while kept > 0 && (b.is_null() || entries[kept - 1].0 > offset(b)) {
            kept -= 1;
        }
        let mut gone = growth::with_room(entries.len() - kept)?;
        gone.extend(entries[kept..].iter().map(|e| e.1));
        growth::have(entries, fresh.len())?;
        growth::set_have(pins, fresh.len())?;
        // What those who free clauses note of each, in small blocks.
        drop(growth::with_room::<[Pin; NOTED]>(fresh.len())?);
        Ok(Publication { fresh, kept, gone })
    }

    /// Checks the equation. Panics if it does not hold.
    fn verify_pins(&self) {
        let mut all = Vec::new();
        let mut b = self.b;
        while !b.is_null() {
            assert!(b.is_known());
            all.extend(walk_of(b).map(|walk| walk.pin(u64::MAX)));
            b = b.previous();
        }
        all.reverse();
        // (How far one of a transaction reaches was known when it was published.)
        let lowest = |pins: Vec<Pin>| {
            let mut met = rustc_hash::FxHashSet::default();
            let all = pins.iter().map(|pin| (pin.predicate, pin.since));
            Vec::from_iter(all.filter(|p| met.insert(*p)))
        };
        let entries = self.thread.pins.entries.iter().map(|e| e.1).collect();
        assert_eq!(lowest(entries), lowest(all));
    }
}

/// The thread ends: there are no choicepoints any more.
pub(in crate::engine) fn forget_pins(program: &Program, thread: &mut Thread, reader: &ReaderSlot) {
    let Pins { entries, .. } = std::mem::take(&mut thread.pins);
    let domain = &program.code.domain;
    // In pieces, which need no memory.
    let mut gone = [Pin::default(); 64];
    for piece in entries.chunks(gone.len()) {
        for (to, &(_, pin)) in gone.iter_mut().zip(piece) {
            *to = pin;
        }
        domain.publish(reader, &gone[..piece.len()], None);
    }
    domain.publish(reader, &[], None);
}
