//! Clauses of libraries as terms. Of what a library's text says the code is kept and nothing else; who asks for the clauses (`clause/2`,
//! `nth_clause/3`, `copy_predicate_clauses/2`, `listing/1`) has the text read once more ([`Ctx::recall`], `library/program/recall.pl`).
//!
//! *Equation*: of a library that is recalled each static clause has a term: that of the text's term in its line which, of those that are clauses
//! of its predicate, has as many before it as the clause has. What the text's directives say need not be known for that (operators stay, and what was not loaded
//! has no clause).
//!
//! What has been read of a text is the thread's ([`Worker`], `recalling`) until all of it has: threads may recall the same library at once, and be
//! interrupted. Then it stays as long as the clauses, which is as long as the process.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_code::Predicate;
use samite_code::predicate::{Clause, flag};
use samite_term::{Atom, Cell, Record, atoms, common};

pub const TABLE: &[Entry] = &[
    det("$recall_clause", 3, recall_clause),
    det("$recall_begins", 0, |m, _| {
        m.thread.loading.recalling.clear();
        Ok(true)
    }),
    det("$recall_ends", 1, recall_ends),
];

/// Bytes of a term beside its words: the record, and its place in a table.
const TERM: usize = 2 * size_of::<(usize, Record)>();

impl Ctx<'_> {
    /// To be called before clauses are looked at that a goal names by this module, or by this predicate: if they are those of a library whose
    /// text has not been read again, the builtin is called again when it has been.
    pub(crate) fn recall(
        &mut self,
        module: Atom,
        p: Option<&'static Predicate>,
    ) -> Result<(), Throw> {
        let module = match p {
            Some(p) if !p.has(flag::LIBRARY) || p.is_dynamic() => return Ok(()),
            Some(p) => p.module(),
            None => module,
        };
        if module == atoms::SYSTEM
            || !self.program.code.is_library(module)
            || self.program.recalled.read().modules.contains(&module)
        {
            return Ok(());
        }
        Err(Throw::First(
            self.structure("$recall", &[Cell::atom(module)])?,
        ))
    }

    /// The term of a clause, if it is kept or has been recalled.
    pub(crate) fn clause_term<'c>(&self, c: &'c Clause) -> Option<&'c Record> {
        let kept = c.record.as_ref();
        kept.or_else(|| self.program.recalled.read().terms.get(&address(c)).copied())
    }

    /// Whether the clauses of a static predicate can be looked at: a program's, or a library's. Those of `system` are private.
    /// With the flag `protect_static_code` no static ones.
    pub(crate) fn shows_clauses(&self, p: &Predicate) -> bool {
        let protected = self.flag_atom(Atom::new("protect_static_code"));
        protected != Some(atoms::TRUE)
            && !(p.has(flag::SYSTEM) || p.has(flag::LIBRARY) && p.module() == atoms::SYSTEM)
    }
}

fn address(c: &Clause) -> usize {
    std::ptr::from_ref(c) as usize
}

/// `'$recall_clause'(+Module, +Clause, +Line)`: a clause of a library's text, whose module is `Module`.
fn recall_clause(m: &mut Ctx, a: Args) -> Res {
    let module = m.atom_argument(a, 0)?;
    let samite_term::View::Int(line) = m.view(a, 2).view() else {
        return Ok(false);
    };
    let Some((p, record)) = m.clause_and_record(m.arg(a, 1), module)? else {
        return Ok(true);
    };
    if !p.has(flag::LIBRARY) || p.is_dynamic() {
        return Ok(true);
    }
    m.reader.enter();
    let next = p.visible_clauses().find(|c| {
        i64::from(c.line()) == line
            && c.record.is_none()
            && !m.thread.loading.recalling.contains_key(&address(c))
    });
    if let Some(c) = next {
        m.thread.loading.recalling.insert(address(c), record);
    }
    Ok(true)
}

/// `'$recall_ends'(+Module)`: all of the text has been read.
fn recall_ends(m: &mut Ctx, a: Args) -> Res {
    let module = m.atom_argument(a, 0)?;
    let bytes = m
        .thread
        .loading
        .recalling
        .values()
        .map(|r| r.len() * 8 + TERM)
        .sum();
    m.room(bytes)?;
    let terms = std::mem::take(&mut m.thread.loading.recalling);
    let mut recalled = m.program.recalled.write();
    if recalled.modules.insert(module.hold()) {
        common::charge(bytes);
        let kept = terms
            .into_iter()
            .map(|(c, r)| (c, &*Box::leak(Box::new(r))));
        recalled.terms.extend(kept);
    }
    Ok(true)
}
