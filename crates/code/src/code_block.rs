//! The code of a clause: one block of memory, which the clause refers to by one word.
//!
//! Programs with many facts are mostly clauses, so neither a clause nor its code has a word too many, and the code of a fact
//! fills as few cache lines as it can. That one word has the address of the first instruction, [`RESUMABLE`], and the number of
//! instruction words. Where these are too many for it, or there are records, the block has more:
//!
//! ```text
//! [instruction words]
//! [header: words | records << 32] [instruction words] [addresses of records]      with HEADER
//! ```
//!
//! Invariants: the word of a [`Code`] is 0 or was made by [`CodeBlock::pack`]; handles that are counted ([`samite_term::counted`]) are in its records only.

use crate::fuse::fuse;
use crate::instr::{self, Operand};
use samite_term::{Atom, Cell, HoldsAtoms, Record, walked};
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the compiler made of a clause.
#[derive(Debug, Default)]
pub struct CodeBlock {
    pub words: Vec<u64>,
    /// Whether it builds frames or choicepoints, which may refer to it after the clause is erased; see [`crate::db::frames`].
    pub resumable: bool,
    /// Records that `PutRecord` instructions refer to by address.
    #[allow(
        clippy::vec_box,
        reason = "instructions refer to the records by address"
    )]
    pub records: Vec<Box<Record>>,
}

/// User space addresses fit in here on all supported machines.
const ADDRESS: u64 = (1 << 48) - 1;
const RESUMABLE: u64 = 1 << 48;
const HEADER: u64 = 1 << 49;
const LENGTH_SHIFT: u32 = 50;
const MOST_WORDS: usize = (1 << (64 - LENGTH_SHIFT)) - 1;

impl CodeBlock {
    /// A new block, as a word.
    fn pack(mut self) -> u64 {
        fuse(&mut self.words);
        let (n, records) = (self.words.len(), self.records.len());
        let resumable = if self.resumable { RESUMABLE } else { 0 };
        if records == 0 && n <= MOST_WORDS {
            let block = Box::into_raw(self.words.into_boxed_slice());
            let address = block.cast::<u64>() as u64;
            debug_assert!(address & !ADDRESS == 0);
            return address | resumable | (n as u64) << LENGTH_SHIFT;
        }
        assert!(n < 1 << 32 && records < 1 << 31, "clause too large");
        let mut all = Vec::with_capacity(1 + n + records);
        all.push(n as u64 | (records as u64) << 32);
        all.extend(self.words);
        all.extend(self.records.into_iter().map(|r| Box::into_raw(r) as u64));
        let address = Box::into_raw(all.into_boxed_slice()).cast::<u64>() as u64 + 8;
        debug_assert!(address & !ADDRESS == 0);
        address | resumable | HEADER
    }
}

/// The code of a clause, once it has one.
#[derive(Debug, Default)]
pub(crate) struct Code(AtomicU64);

impl Code {
    /// Sets the code, and returns its bytes; what comes second is dropped: two threads compiled at once.
    pub fn set(&self, block: CodeBlock) -> usize {
        let word = block.pack();
        // Release: pairs with the acquire in `entry`.
        match (self.0).compare_exchange(0, word, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => {
                walked::enter(self);
                self.bytes()
            }
            Err(_) => {
                drop(Code(AtomicU64::new(word)));
                0
            }
        }
    }
    /// Address of the first instruction; null if there is no code yet.
    #[inline]
    pub fn entry(&self) -> *const u64 {
        (self.0.load(Ordering::Acquire) & ADDRESS) as *const u64
    }
    /// Number of words before the instructions, of instruction words, and of records.
    fn shape(&self) -> (usize, usize, usize) {
        let word = self.0.load(Ordering::Acquire);
        if word & HEADER == 0 {
            return (0, (word >> LENGTH_SHIFT) as usize, 0);
        }
        // SAFETY: the invariant.
        let header = unsafe { *((word & ADDRESS) as *const u64).sub(1) };
        (1, header as u32 as usize, (header >> 32) as usize)
    }
    pub fn is_resumable(&self) -> bool {
        self.0.load(Ordering::Acquire) & RESUMABLE != 0
    }
    /// Addresses of the instructions.
    pub fn range(&self) -> Range<usize> {
        let start = self.entry() as usize;
        start..start + self.shape().1 * 8
    }
    /// Bytes of the block.
    pub fn bytes(&self) -> usize {
        let (before, words, records) = self.shape();
        (before + words + records) * 8
    }
}

impl HoldsAtoms for Code {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        let (_, n, records) = self.shape();
        let entry = self.entry();
        if entry.is_null() {
            return;
        }
        // SAFETY: the invariant; the instruction words are what the compiler made of a clause.
        let (words, records) = unsafe {
            let words = std::slice::from_raw_parts(entry, n);
            (words, std::slice::from_raw_parts(entry.add(n), records))
        };
        each_in_code(words, f);
        for &r in records {
            // SAFETY: behind the instructions are the addresses of records that live as long as the code.
            unsafe { &*(r as *const Record) }.each_atom(f);
        }
    }
}

/// The atoms of the constants and functors in code. What it refers to (predicates, records) is not looked at.
fn each_in_code(code: &[u64], f: &mut dyn FnMut(Atom)) {
    let mut at = 0;
    while at < code.len() {
        let w = code[at];
        let mut word = at + 1;
        for &o in instr::row(instr::op(w)).operands {
            if matches!(o, Operand::Constant | Operand::Functor)
                && let Some(a) = Cell(code[word]).atom_in()
            {
                f(a);
            }
            word += o.words(w);
        }
        at = word;
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        let (before, words, records) = self.shape();
        let p = self.entry().cast_mut();
        if p.is_null() {
            return;
        }
        // SAFETY: the invariant; who drops the code says that nobody runs it.
        unsafe {
            let n = before + words + records;
            let block = ptr::slice_from_raw_parts_mut(p.sub(before), n);
            for &r in &(&(*block))[n - records..] {
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
    use crate::instr::{Op, word, word_label};
    use samite_term::{Functor, RecordBuilder};

    #[test]
    fn code_keeps_what_it_was_made_of() {
        let code = Code::default();
        assert!(code.entry().is_null() && code.range().is_empty() && code.bytes() == 0);
        let words = vec![
            word(Op::PutConst, 1, 0, 0),
            Cell::small(7).0,
            word(Op::Proceed, 0, 0, 0),
        ];
        let block = CodeBlock {
            words: words.clone(),
            resumable: true,
            records: vec![Box::new(Record::immediate(Cell::small(7)))],
        };
        // As instructions refer to it.
        let address = ptr::from_ref(&*block.records[0]) as u64;
        assert_eq!(code.set(block), 40);
        assert_eq!(code.set(CodeBlock::default()), 0);
        assert!(code.is_resumable());
        assert_eq!(code.range().len(), 24);
        // SAFETY: the block lives.
        unsafe {
            assert_eq!(std::slice::from_raw_parts(code.entry(), 3), words);
            assert_eq!((*(address as *const Record)).root(), Cell::small(7));
        }
    }

    /// Constants and functors, in code and in the records beside it; neither numbers of registers nor addresses.
    #[test]
    fn code_tells_of_its_atoms() {
        let names = [
            "code: constant",
            "code: functor",
            "code: module",
            "code: record",
        ];
        let [constant, functor, module, in_record] = names.map(Atom::of);
        let alike = Cell::atom(Atom::new("code: alike")).0;
        let mut b = RecordBuilder::new();
        let list = b.list(&[Cell::atom(in_record)], Cell::NIL);
        let record = Box::new(b.finish(list));
        let functor_word = Functor::new(functor, 2).bits();
        let words = vec![
            word(Op::GetConst, 0, 0, 0),
            Cell::atom(constant).0,
            word_label(Op::GetStruct, 1, 5),
            functor_word,
            // A list of registers.
            word_label(Op::MakeFrame, 3, 9),
            alike,
            word(Op::Qualify, 1, 2, 0),
            Cell::atom(module).0,
            word(Op::PutRecord, 1, 0, 0),
            std::ptr::from_ref(&*record) as u64,
            word(Op::Function1, 0, 1, 0),
            alike,
            word(Op::Proceed, 0, 0, 0),
        ];
        let code = Code::default();
        code.each_atom(&mut |_| panic!("there is no code"));
        code.set(CodeBlock {
            words,
            resumable: true,
            records: vec![record],
        });
        let mut found = Vec::new();
        code.each_atom(&mut |a| found.push(a));
        found.retain(|a| a.holders().is_some());
        assert_eq!(found, [constant, functor, module, in_record]);
    }

    #[test]
    fn code_of_any_length_is_kept() {
        for n in [
            1,
            MOST_WORDS - 1,
            MOST_WORDS,
            MOST_WORDS + 1,
            MOST_WORDS * 4,
        ] {
            for resumable in [false, true] {
                let code = Code::default();
                let words: Vec<u64> = (0..n).map(|i| word(Op::GetB0, i as u16, 0, 0)).collect();
                let bytes = code.set(CodeBlock {
                    words: words.clone(),
                    resumable,
                    records: vec![],
                });
                assert_eq!(bytes, (n + usize::from(n > MOST_WORDS)) * 8);
                assert_eq!(code.is_resumable(), resumable);
                assert_eq!(code.range().len(), n * 8);
                // SAFETY: the block lives.
                unsafe { assert_eq!(std::slice::from_raw_parts(code.entry(), n), words) };
            }
        }
    }
}
