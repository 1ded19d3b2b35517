//! Collections of a machine's heap: when, and from which roots.

use crate::choice::Choice;
use crate::error::Throw;
use crate::machine::Machine;
use samite_code::reclaim;
use samite_heap::{Generation, verify};
use samite_term::Cell;

impl Machine {
    /// Collects at a safe point whose live arguments are `X0..Xn`. Fails when the thread's memory limit is exceeded.
    pub fn collect(&mut self, n: usize) -> Result<(), Throw> {
        let stress = self.heap.stress() > 0;
        if stress {
            self.verify_heap(n);
        }
        let generation = if self.heap.wants_major()
            || (stress
                && (self.heap.statistics.minor_collections
                    + self.heap.statistics.major_collections)
                    % 8
                    == 7)
        {
            Generation::Major
        } else {
            Generation::Minor
        };
        self.collect_generation(n, generation)?;
        let held = self.memory();
        if held > self.memory_limit {
            if generation == Generation::Minor {
                self.collect_generation(n, Generation::Major)?;
            }
            if self.memory() > self.memory_limit {
                return Err(Throw::Memory);
            }
        }
        if stress {
            self.verify_heap(n);
        }
        self.arm();
        Ok(())
    }

    /// One collection.
    pub fn collect_generation(&mut self, n: usize, generation: Generation) -> Result<(), Throw> {
        let major = generation == Generation::Major;
        let mut c = self.heap.collect_begin(generation)?;
        for i in 0..n {
            // SAFETY: argument registers hold terms of the heap.
            c.root(unsafe { &mut *self.x.add(i) });
        }
        let mut k = Cell::frame_ptr(self.k);
        c.root(&mut k);
        self.k = k.frame();
        for cell in self.globals.values_mut() {
            c.root(cell);
        }
        for (goal, _) in &mut self.pending {
            c.root(goal);
        }
        self.tabling.roots(&mut |cell| c.root(cell));
        let mut b = self.b;
        while !b.is_null() && (major || !b.is_scanned()) {
            // SAFETY: a choicepoint's frame and arguments are cells of the stack.
            unsafe {
                c.root(&mut *b.frame_cell());
                for i in 0..b.size() {
                    c.root(&mut *b.arg(i));
                }
            }
            b = b.previous();
        }
        let map = c.finish();
        self.tabling.trail_moved(&|h| map.height(h));
        let start = self.heap.start();
        let mut b = self.b;
        while !b.is_null() && (major || !b.is_scanned()) {
            b.set_scanned();
            b.set_top(start);
            b.set_trail(map.height(b.trail()));
            b = b.previous();
        }
        self.set_b(self.b);
        if reclaim::wanted() {
            self.publish_generation();
        }
        Ok(())
    }

    /// Tells writers of the database which generation this machine's choicepoints still read.
    pub(crate) fn publish_generation(&mut self) {
        let mut oldest = samite_code::predicate::generation();
        let mut b = self.b;
        while !b.is_null() {
            if let Some(g) = crate::dynamic::generation_of(b) {
                oldest = oldest.min(g);
            }
            b = b.previous();
        }
        self.reader.publish(oldest);
    }

    /// Checks the heap from this machine's roots (debug and torture runs).
    pub fn verify_heap(&mut self, n: usize) {
        let mut roots: Vec<Cell> = (0..n).map(|i| self.register(i)).collect();
        roots.push(Cell::frame_ptr(self.k));
        roots.extend(self.globals.values());
        let mut b: Choice = self.b;
        let mut scanned = false;
        while !b.is_null() {
            assert!(
                !scanned || b.is_scanned(),
                "an old choicepoint is not marked as scanned"
            );
            scanned = b.is_scanned();
            roots.push(Cell::frame_ptr(b.frame()));
            roots.extend((0..b.size()).map(|i| b.arg_value(i)));
            b = b.previous();
        }
        self.tabling.roots(&mut |c| roots.push(*c));
        // SAFETY: the roots of this machine at a safe point.
        unsafe { verify::verify(&self.heap, &roots) };
    }
}
