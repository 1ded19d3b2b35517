//! Building terms: the cells of each kind of term, in memory that [`Heap::allocate`] gives.
//!
//! What is refused has changed nothing. A term is whole when it is returned, and good until the next collection; builtins, which never collect, build
//! as many as they like.

use crate::heap::{Heap, OutOfMemory};
use samite_term::{Cell, Functor, Number, Record, Tag, record};

impl Heap {
    /// A fresh unbound variable.
    pub fn variable(&mut self) -> Result<Cell, OutOfMemory> {
        let p = self.allocate(1)?;
        let c = Cell::to(Tag::Ref, p);
        // SAFETY: `p` was just allocated.
        unsafe { *p = c };
        Ok(c)
    }
    /// A compound term; with functor `'[|]'/2` a list cell.
    pub fn structure(&mut self, functor: Functor, args: &[Cell]) -> Result<Cell, OutOfMemory> {
        debug_assert_eq!(functor.arity(), args.len());
        if functor.arity() == 2 && functor.name() == samite_term::atoms::DOT {
            return self.list_cell(args[0], args[1]);
        }
        let p = self.allocate(1 + args.len())?;
        // SAFETY: that many cells were just allocated.
        unsafe {
            *p = functor.cell();
            for (i, &a) in args.iter().enumerate() {
                *p.add(1 + i) = a;
            }
        }
        Ok(Cell::to(Tag::Str, p))
    }
    pub fn list_cell(&mut self, head: Cell, tail: Cell) -> Result<Cell, OutOfMemory> {
        let p = self.allocate(2)?;
        // SAFETY: two cells were just allocated.
        unsafe {
            *p = head;
            *p.add(1) = tail;
        }
        Ok(Cell::to(Tag::Lst, p))
    }
    /// The list of `items` that ends in `tail`.
    pub fn list(&mut self, items: &[Cell], tail: Cell) -> Result<Cell, OutOfMemory> {
        self.list_of(items.len(), items.iter().copied(), tail)
    }
    /// A list of `n` items, which is how many there are.
    #[inline]
    pub fn list_of(
        &mut self,
        n: usize,
        items: impl Iterator<Item = Cell>,
        tail: Cell,
    ) -> Result<Cell, OutOfMemory> {
        if n == 0 {
            return Ok(tail);
        }
        let p = self.allocate(2 * n)?;
        let mut next = p;
        for item in items.take(n) {
            // SAFETY: two cells for each of `n` items were just allocated.
            unsafe {
                *next = item;
                let cell = next.add(1);
                next = next.add(2);
                *cell = Cell::to(Tag::Lst, next);
            }
        }
        assert_eq!(next, p.wrapping_add(2 * n), "a list of fewer items");
        // SAFETY: the tail of the last item.
        unsafe { *next.sub(1) = tail };
        Ok(Cell::to(Tag::Lst, p))
    }
    pub fn number(&mut self, n: &Number) -> Result<Cell, OutOfMemory> {
        if let Some(c) = n.as_small() {
            return Ok(c);
        }
        let words = n.box_words();
        let p = self.allocate(words)?;
        // SAFETY: that many words were just allocated.
        n.write_box(unsafe { std::slice::from_raw_parts_mut(p.cast(), words) });
        Ok(Cell::to(Tag::Box, p))
    }
    /// A float.
    #[inline]
    pub fn float(&mut self, f: f64) -> Result<Cell, OutOfMemory> {
        let p = self.allocate(2)?;
        // SAFETY: two words were just allocated.
        unsafe {
            *p = Cell::header(samite_term::Kind::Float, 0);
            *p.add(1) = Cell(f.to_bits());
        }
        Ok(Cell::to(Tag::Box, p))
    }
    pub fn string(&mut self, text: &str) -> Result<Cell, OutOfMemory> {
        let words = record::string_words(text);
        let p = self.allocate(words)?;
        // SAFETY: that many words were just allocated.
        record::write_string(text, unsafe {
            std::slice::from_raw_parts_mut(p.cast(), words)
        });
        Ok(Cell::to(Tag::Box, p))
    }
    /// Puts a record on the heap.
    #[inline]
    pub fn instantiate(&mut self, record: &Record) -> Result<Cell, OutOfMemory> {
        self.meet_record(record);
        let words = record.heap_words();
        if words == 0 {
            return Ok(record.root());
        }
        let p = self.allocate(words)?;
        // SAFETY: that many words were just allocated.
        let root = record.instantiate(unsafe { std::slice::from_raw_parts_mut(p.cast(), words) });
        self.with_attributes(root)
    }
    /// The same of a copy of a record's words.
    pub fn instantiate_words(&mut self, words: &[u64]) -> Result<Cell, OutOfMemory> {
        self.meet_words_of_record(words);
        let root = Cell(words[0]);
        if root.is_immediate() {
            return Ok(root);
        }
        let p = self.allocate(words.len())?;
        // SAFETY: that many words were just allocated.
        let out = unsafe { std::slice::from_raw_parts_mut(p.cast(), words.len()) };
        self.with_attributes(Record::instantiate_words(words, out))
    }
    /// The term of a record that has just been put on the heap, which has brought its attributes with it if it has a root of that kind.
    #[inline]
    fn with_attributes(&mut self, root: Cell) -> Result<Cell, OutOfMemory> {
        match root.tag() {
            // SAFETY: such a root is only made with attributes.
            Tag::Att => unsafe { self.give_attributes(root, true) },
            _ => Ok(root),
        }
    }
    /// As [`Heap::instantiate`], [on credit](Heap::on_credit).
    pub fn instantiate_on_credit(&mut self, record: &Record) -> Result<Cell, OutOfMemory> {
        self.meet_record(record);
        if record.heap_words() == 0 {
            return Ok(record.root());
        }
        // What fits into the nursery, as constants of clauses mostly do, takes no credit.
        let words = record.heap_words();
        if let Some(p) = self.allocate_young(words) {
            // SAFETY: that many words were just allocated.
            let root =
                record.instantiate(unsafe { std::slice::from_raw_parts_mut(p.cast(), words) });
            return match root.tag() {
                Tag::Att => self.on_credit(|h| h.with_attributes(root)),
                _ => Ok(root),
            };
        }
        self.on_credit(|h| h.instantiate(record))
    }
    /// Puts a record into the old generation, where backtracking does not reach it: to replace a value.
    pub fn instantiate_old(&mut self, record: &Record) -> Result<Cell, OutOfMemory> {
        self.meet_record(record);
        let words = record.heap_words();
        if words == 0 {
            return Ok(record.root());
        }
        self.replaced += words * 8;
        let p = self.allocate_old(words)?;
        // SAFETY: that many words were just allocated; a record refers to nothing outside itself.
        let root = record.instantiate(unsafe { std::slice::from_raw_parts_mut(p.cast(), words) });
        match root.tag() {
            // SAFETY: such a root is only made with attributes.
            Tag::Att => unsafe { self.give_attributes(root, false) },
            _ => Ok(root),
        }
    }
}
