//! Memory that is promised before a point of no return.
//!
//! Who must not fail half-way asks for all that it will make ([`Heap::reserve`]) and does something else if that is refused. What is then
//! allocated of it ([`Heap::allocate_reserved`]) is refused neither by the system nor by the thread's limit, wherever `h` is:
//!
//! ```text
//! words allocated  ≤ words reserved,  objects allocated ≤ objects reserved
//! ```
//!
//! The second is room on the trail, for what goes to the old generation. It lasts until somebody else allocates there, binds what must be
//! trailed, or collects. The next safe point settles what exceeds the limit, as it does for [`Heap::on_credit`].

use crate::heap::Heap;
use samite_term::{Cell, Record, Tag};

/// What is left of what was reserved.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Reserve {
    words: usize,
    objects: usize,
}

impl Heap {
    /// Makes sure that so many words in so many objects can be allocated by [`Heap::allocate_reserved`]. False if the system refuses them.
    pub fn reserve(&mut self, words: usize, objects: usize) -> bool {
        let granted = self.trail.reserve(2 * objects) && self.old.reserve(words);
        self.reserved = if granted {
            Reserve { words, objects }
        } else {
            Reserve::default()
        };
        granted
    }

    /// An object of so many of the words that were reserved; the caller fills it before the next safe point.
    pub fn allocate_reserved(&mut self, words: usize) -> *mut Cell {
        let r = self.reserved;
        assert!(
            words <= r.words && r.objects > 0,
            "{words} words are allocated of {r:?}"
        );
        self.reserved = Reserve {
            words: r.words - words,
            objects: r.objects - 1,
        };
        if let Some(p) = self.allocate_young(words) {
            return p;
        }
        let Some(p) = self.old.allocate(words) else {
            unreachable!("the old generation has less than was reserved");
        };
        let remembered = self.trail.push_region(p, words, usize::MAX);
        assert!(remembered, "the trail has less than was reserved");
        self.alert_if(self.wants_major() || self.is_overdrawn());
        p
    }

    /// Puts a record on the heap, in words that were reserved.
    pub fn instantiate_reserved(&mut self, record: &Record) -> Cell {
        self.meet_record(record);
        let words = record.heap_words();
        if words == 0 {
            return record.root();
        }
        let p = self.allocate_reserved(words);
        // SAFETY: that many words were just allocated.
        let root = record.instantiate(unsafe { std::slice::from_raw_parts_mut(p.cast(), words) });
        if root.tag() == Tag::Att {
            // SAFETY: such a root is only made with attributes.
            let given = self.on_credit(|h| unsafe { h.give_attributes(root, true) });
            // (Where there is no memory for its attributes a ball has plain variables.)
            // SAFETY: the first of the list is the term.
            return given.unwrap_or_else(|_| unsafe { *root.ptr() });
        }
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeapConfig;
    use crate::heap::{MARGIN, MIN_NURSERY};

    /// Objects of all sizes, with the nursery and the last chunk of the old generation filled to any degree, and nothing left of the limit.
    #[test]
    fn what_was_reserved_is_there() {
        let config = HeapConfig {
            nursery: MIN_NURSERY,
            limit: 1 << 10,
            ..HeapConfig::default()
        };
        let mut heap = Heap::new(config).expect("the system has the memory");
        let all = (heap.end() as usize - heap.start() as usize) / 8 - MARGIN;
        for left in [0, 1, 5, 40] {
            heap.h = heap.start();
            heap.allocate_young(all - left)
                .expect("the nursery is empty");
            assert!(heap.allocate_old(1).is_err());
            // (Miri takes a minute for the largest ones.)
            let most = if cfg!(miri) { 2049 } else { 100_000 };
            for ball in [1, 5, 1000, 2048, 2049, 5000, 100_000] {
                if ball > most {
                    continue;
                }
                let sizes = [ball, 2, 2, 3];
                assert!(heap.reserve(sizes.iter().sum(), sizes.len()));
                let chunks = heap.old.chunks();
                for words in sizes {
                    let p = heap.allocate_reserved(words);
                    // SAFETY: that many words were just allocated.
                    unsafe { std::slice::from_raw_parts_mut(p, words) }.fill(Cell::ZERO);
                }
                assert!(heap.old.chunks() <= chunks + 1);
            }
        }
        assert!(heap.is_overdrawn());
    }

    #[test]
    #[should_panic(expected = "are allocated of")]
    fn no_more_is_taken() {
        let mut heap = Heap::new(HeapConfig::default()).expect("the system has the memory");
        assert!(heap.reserve(5, 2));
        heap.allocate_reserved(3);
        heap.allocate_reserved(3);
    }
}
