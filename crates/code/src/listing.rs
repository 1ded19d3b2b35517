//! Listings of code, for people (`vm_list/1`, `SAMITE_LISTING`) and for tests of the compiler: a line for each instruction, with its place
//! in words from the beginning. Labels are places.

use crate::code_block::CodeBlock;
use crate::compile::arith::{FUNCTIONS_1, FUNCTIONS_2};
use crate::db::predicate::{Clause, Predicate};
use crate::instr::{self, Op, Operand};
use samite_term::{Atom, Cell, Functor, Record, Tag};
use std::fmt::Write;

impl Clause {
    /// Its code, if it has been compiled.
    pub fn listing(&self) -> Option<String> {
        let range = self.code_range();
        // SAFETY: the code of a clause stays as long as the clause, and was made by the compiler.
        (!range.is_empty()).then(|| unsafe {
            list(std::slice::from_raw_parts(
                range.start as *const u64,
                range.len() / 8,
            ))
        })
    }
}

impl CodeBlock {
    /// See the module text.
    pub fn listing(&self) -> String {
        // SAFETY: the compiler makes such blocks.
        unsafe { list(&self.words) }
    }
}

/// # Safety
/// Code of a clause: operands are what their instructions say.
unsafe fn list(code: &[u64]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < code.len() {
        let w = code[at];
        let row = instr::row(instr::op(w));
        let mut parts: Vec<String> = Vec::new();
        let mut word = at + 1;
        for &o in row.operands {
            // SAFETY: the caller's promise.
            parts.push(unsafe { operand(o, code, at, word) });
            word += o.words(w);
        }
        parts.extend(flags(w).into_iter().map(str::to_owned));
        let line = format!("{at:5} {:<20}{}", row.name, parts.join(", "));
        _ = writeln!(text, "{}", line.trim_end());
        at = word;
    }
    text
}

/// An operand of the instruction at `at`; `word` is the place of the words that belong to it alone.
///
/// # Safety
/// See [`list`].
unsafe fn operand(o: Operand, code: &[u64], at: usize, word: usize) -> String {
    let w = code[at];
    let place = |distance: isize| match distance {
        0 => "fail".to_owned(),
        d => format!("->{}", at.wrapping_add_signed(d)),
    };
    let listed = |i: usize| (code[word + i / 4] >> (16 * (i % 4))) as u16;
    let register = |r: u16| match r & instr::SLOT {
        0 => format!("X{r}"),
        _ => format!("Y{}", r & !instr::SLOT),
    };
    let all = || -> String {
        let names: Vec<String> = (0..instr::a(w)).map(|i| register(listed(i))).collect();
        format!("[{}]", names.join(" "))
    };
    match o {
        Operand::Xa => format!("X{}", instr::a(w)),
        Operand::Xb => format!("X{}", instr::b(w)),
        Operand::Xc => format!("X{}", instr::c(w)),
        Operand::Ya => format!("Y{}", instr::a(w)),
        Operand::Yb => format!("Y{}", instr::b(w)),
        Operand::Count | Operand::Pushed => instr::a(w).to_string(),
        Operand::ArgumentB => format!("S{}", instr::b(w)),
        Operand::ImmediateC => (instr::c(w) as u16 as i16).to_string(),
        Operand::Label => place(instr::label(w)),
        // Where no goal can come between, there is no way back.
        Operand::WayBack if instr::label(w) == 0 => "-".to_owned(),
        Operand::WayBack => place(instr::label(w)),
        Operand::Pointer => {
            let tag = if instr::a(w) == Tag::Lst as usize {
                "list"
            } else {
                "structure"
            };
            format!("{tag} H+{}", instr::label(w))
        }
        Operand::LabelWord => place(instr::label(code[word])),
        Operand::Constant => constant(Cell(code[word])),
        Operand::Functor => functor(Functor::from_cell(Cell(code[word]))),
        // SAFETY: the caller's promise; predicates live for ever, records as long as the code.
        Operand::Predicate => unsafe {
            let p = &*(code[word] as *const Predicate);
            format!("{}:{}", atom(p.module()), functor(p.functor()))
        },
        // SAFETY: as above.
        Operand::Record => unsafe {
            let r = &*(code[word] as *const Record);
            format!("record of {} words", r.heap_words())
        },
        Operand::Function => {
            let table = match instr::op(w) {
                Op::Function1 => FUNCTIONS_1,
                Op::Function2 => FUNCTIONS_2,
                _ => &[],
            };
            table
                .get(code[word] as usize)
                .map_or_else(|| code[word].to_string(), |&name| name.to_owned())
        }
        // Not in clauses.
        Operand::Code | Operand::Table | Operand::Masks | Operand::Keys => {
            format!("{:#x}", code[word])
        }
        Operand::Registers | Operand::Sources => all(),
    }
}

/// What is set in an instruction's word beside its operands.
fn flags(w: u64) -> Vec<&'static str> {
    let known: &[(u64, &str)] = match instr::op(w) {
        Op::MakeFrame => &[(instr::REUSE, "reuse")],
        Op::ComeBack => &[(instr::WITH_FRAME, "frame")],
        Op::CutNeck | Op::CutX | Op::CutY | Op::SoftCutX | Op::SoftCutY => {
            &[(instr::DECIDES, "decides"), (instr::CONDITION, "condition")]
        }
        op if instr::is_operation(op) => &[(instr::ROOT, "is")],
        _ => &[],
    };
    let known = known.iter().chain(&[(instr::PLACE, "place")]);
    let set = known.filter(|&&(bit, _)| w & bit != 0);
    set.map(|&(_, name)| name).collect()
}

fn atom(a: Atom) -> String {
    let text = a.as_str();
    let plain = text.starts_with(|c: char| c.is_ascii_lowercase())
        && (text.chars()).all(|c| c.is_ascii_alphanumeric() || c == '_');
    let symbol = !text.is_empty() && text.chars().all(|c| "+-*/\\^<>=~:.?@#&$".contains(c));
    match plain || symbol || ["!", ";", ","].contains(&text) {
        true => text.to_owned(),
        false => format!("'{}'", text.escape_debug()),
    }
}

fn functor(f: Functor) -> String {
    format!("{}/{}", atom(f.name()), f.arity())
}

fn constant(c: Cell) -> String {
    if c == Cell::NIL {
        "[]".to_owned()
    } else if c.is_small() {
        c.small_value().to_string()
    } else if c.is_atom() {
        atom(c.atom_of())
    } else {
        format!("{c:?}")
    }
}
