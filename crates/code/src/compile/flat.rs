//! Facts whose arguments are constants and different variables: most of what programs assert. Their code is a test for each constant, for which nothing
//! has to be known about the clause. It is what the generator makes of them, too (a test below compares the two).

use crate::code_block::CodeBlock;
use crate::instr::{Op, word};
use samite_term::TermRef;

/// Facts of more arguments than this are left to the generator.
const MOST_ARGUMENTS: usize = 16;

/// The code of such a fact; `None`: it is none.
pub(super) fn fact(head: TermRef) -> Option<CodeBlock> {
    let (f, args) = head.callable()?;
    let n = f.arity();
    if n > MOST_ARGUMENTS {
        return None;
    }
    let mut words = Vec::with_capacity(2 * n + 1);
    for i in 0..n {
        let c = args.get(i).deref();
        if c.is_plain() {
            words.push(word(Op::GetConst, i as u16, 0, 0));
            words.push(c.0);
        } else if !c.is_ref() || (0..i).any(|j| args.get(j).deref() == c) {
            return None;
        }
    }
    words.push(word(Op::Proceed, 0, 0, 0));
    Some(CodeBlock {
        words,
        records: Vec::new(),
        resumable: false,
    })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::fact;
    use crate::compile::{Parts, Room, general};
    use crate::program::Program;
    use samite_term::{Atom, Cell, Functor, RecordBuilder, TermRef, atoms};

    /// The heads of all facts with three arguments of these kinds: code as the generator's, or none.
    #[test]
    fn the_code_is_the_generators() {
        let program = Program::new();
        let mut flat = 0;
        for kinds in 0..5usize.pow(3) {
            let mut b = RecordBuilder::new();
            let shared = b.variable();
            let args: Vec<Cell> = (0..3)
                .map(|i| match kinds / 5usize.pow(i) % 5 {
                    0 => Cell::small(-7),
                    1 => Cell::atom(Atom::new("a")),
                    2 => b.variable(),
                    3 => shared,
                    _ => b.structure(Functor::new(Atom::new("f"), 1), &[Cell::NIL]),
                })
                .collect();
            let root = b.structure(Functor::new(Atom::new("p"), 3), &args);
            let record = b.finish(root);
            let mut words = vec![0; record.heap_words()];
            let root = record.instantiate(&mut words);
            // SAFETY: the term in `words`.
            let head = unsafe { TermRef::new(root) };
            let general = general(
                &program,
                atoms::USER,
                Parts::of(head),
                &Room::new(&|_| true),
            );
            if let Some(block) = fact(head) {
                flat += 1;
                assert_eq!(block.words, general.unwrap().block.words, "{kinds}");
            }
        }
        // Those without a structure, and with the shared variable once at most.
        assert_eq!(flat, 27 + 3 * 9);
    }
}
