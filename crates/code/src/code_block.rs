//! The code of a clause: one block of memory, which the clause refers to by one pointer.
//!
//! Programs with many facts are mostly clauses, so neither a clause nor its code has a word too many:
//!
//! ```text
//! [header: words | records << 32 | resumable << 63] [instruction words] [addresses of records]
//! ```
//!
//! Invariant: an address in a [`Code`] is that of the first instruction of such a block, made by [`CodeBlock::pack`].

use crate::instr;
use samite_term::Record;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// What the compiler made of a clause.
#[derive(Debug, Default)]
pub struct CodeBlock {
    pub words: Vec<u64>,
    /// Whether it builds frames or choicepoints, which may refer to it after the clause is erased; see [`crate::frames`].
    pub resumable: bool,
    /// Records that `PutRecord` instructions refer to by address.
    #[allow(
        clippy::vec_box,
        reason = "instructions refer to the records by address"
    )]
    pub records: Vec<Box<Record>>,
}

const RESUMABLE: u64 = 1 << 63;

impl CodeBlock {
    /// The address of the first instruction of a new block.
    fn pack(self) -> *mut u64 {
        let (n, records) = (self.words.len() as u64, self.records.len() as u64);
        assert!(n < 1 << 32 && records < 1 << 31, "clause too large");
        let flag = if self.resumable { RESUMABLE } else { 0 };
        let mut all = Vec::with_capacity(1 + self.words.len() + self.records.len());
        all.push(n | records << 32 | flag);
        all.extend(self.words);
        all.extend(self.records.into_iter().map(|r| Box::into_raw(r) as u64));
        let block = Box::into_raw(all.into_boxed_slice());
        // SAFETY: the block has a header.
        unsafe { block.cast::<u64>().add(1) }
    }
}

/// The code of a clause, once it has one.
#[derive(Debug, Default)]
pub(crate) struct Code(AtomicPtr<u64>);

impl Code {
    /// Sets the code, and returns its bytes; what comes second is dropped: two threads compiled at once.
    pub fn set(&self, block: CodeBlock) -> usize {
        let p = block.pack();
        // Release: pairs with the acquire in `entry`.
        match (self.0).compare_exchange(ptr::null_mut(), p, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => self.bytes(),
            Err(_) => {
                drop(Code(AtomicPtr::new(p)));
                0
            }
        }
    }
    /// Address of the first instruction; null if there is no code yet.
    #[inline]
    pub fn entry(&self) -> *const u64 {
        self.0.load(Ordering::Acquire)
    }
    /// Number of instruction words, number of records, and whether the code is resumable; without code all 0.
    fn header(&self) -> (usize, usize, bool) {
        let p = self.entry();
        if p.is_null() {
            return (0, 0, false);
        }
        // SAFETY: the invariant.
        let h = unsafe { *p.sub(1) };
        let records = (h & !RESUMABLE) >> 32;
        (h as u32 as usize, records as usize, h & RESUMABLE != 0)
    }
    pub fn is_resumable(&self) -> bool {
        self.header().2
    }
    /// Addresses of the instructions.
    pub fn range(&self) -> Range<usize> {
        let start = self.entry() as usize;
        start..start + self.header().0 * 8
    }
    /// Bytes of the block.
    pub fn bytes(&self) -> usize {
        let (words, records, _) = self.header();
        if words == 0 {
            return 0;
        }
        (1 + words + records) * 8
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        let (words, records, _) = self.header();
        let p = *self.0.get_mut();
        if p.is_null() {
            return;
        }
        // SAFETY: the invariant; who drops the code says that nobody runs it.
        unsafe {
            let block = ptr::slice_from_raw_parts_mut(p.sub(1), 1 + words + records);
            for &r in &(&(*block))[1 + words..] {
                drop(Box::from_raw(r as *mut Record));
            }
            instr::poison(&mut *block);
            drop(Box::from_raw(block));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samite_term::Cell;

    #[test]
    fn code_keeps_what_it_was_made_of() {
        let code = Code::default();
        assert!(code.entry().is_null() && code.range().is_empty() && code.bytes() == 0);
        let record = Box::new(Record::immediate(Cell::small(7)));
        let address = ptr::from_ref(&*record);
        let block = CodeBlock {
            words: vec![1, 2, 3],
            resumable: true,
            records: vec![record],
        };
        assert_eq!(code.set(block), 40);
        assert_eq!(code.set(CodeBlock::default()), 0);
        assert!(code.is_resumable());
        assert_eq!(code.range().len(), 24);
        // SAFETY: the block lives.
        unsafe {
            assert_eq!(std::slice::from_raw_parts(code.entry(), 3), [1, 2, 3]);
            assert_eq!((*address).root(), Cell::small(7));
        }
    }
}
