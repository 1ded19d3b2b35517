//! Hashes of terms: `term_hash/2,4`, `variant_sha1/2`, `variant_hash/2`.
//!
//! They are the same in every run and on every machine. `term_hash/2` is SWI-Prolog's, whose values for terms without rationals and negative big
//! integers it has: MurmurHash2 of each part with the hash so far as seed, where atoms and compound arguments are represented by hashes of their own.
//! The others have values of their own.

use super::digests::murmur;
use super::terms::{is_ground, variables};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use rustc_hash::FxHashMap;
use samite_term::heavy::Patience;
use samite_term::number::IBig;
use samite_term::view::Args as TermArgs;
use samite_term::{Atom, Cell, Number, TermRef, View, cycle, growth};
use sha1::{Digest, Sha1};

pub const TABLE: &[Entry] = &[
    det("term_hash", 2, term_hash).makes_terms(),
    det("term_hash", 4, term_hash_limited).makes_terms(),
    det("variant_sha1", 2, variant_sha1).makes_terms(),
    det("variant_hash", 2, variant_hash).makes_terms(),
];

/// What hashing begins with.
const SEED: u32 = 0x1a3b_e34a;
/// `term_hash/2` looks into no more than so many compounds; of others it sees the functor.
const MAX_HASHED: usize = 1 << 20;
/// Bits of a hash.
const BITS: u32 = 0xff_ffff;

/// A compound whose arguments are being hashed.
struct Level<'a> {
    hash: u32,
    args: TermArgs<'a>,
    /// How many there are, and how many have been begun.
    arity: usize,
    begun: usize,
}

/// Characters as SWI-Prolog keeps them: in bytes if all fit, else in words of 32 bits.
fn hash_text(text: &str, seed: u32) -> Result<u32, Throw> {
    if text.is_ascii() {
        return Ok(murmur(text.as_bytes(), seed));
    }
    let is_narrow = text.chars().all(|c| u32::from(c) < 256);
    let mut bytes = growth::with_room(text.len() * if is_narrow { 1 } else { 4 })?;
    for c in text.chars() {
        let word = u32::from(c).to_le_bytes();
        bytes.extend_from_slice(&word[..if is_narrow { 1 } else { 4 }]);
    }
    Ok(murmur(&bytes, seed))
}

/// A name, by the hash of its text.
fn hash_name(name: Atom, seed: u32) -> Result<u32, Throw> {
    let hash = hash_text(name.as_str(), SEED)?;
    Ok(murmur(&hash.to_le_bytes(), seed))
}

/// A number in a box: for a positive integer twice its length in words, and these.
fn hash_number(number: &Number, words: &[u64], seed: u32) -> Result<u32, Throw> {
    let mut bytes = match number {
        Number::Big(n) if *n > IBig::ZERO => {
            let mut limbs = n.to_le_bytes().into_vec();
            // (The byte of the sign.)
            while limbs.last() == Some(&0) {
                limbs.pop();
            }
            limbs.resize(limbs.len().next_multiple_of(8), 0);
            let mut bytes = (limbs.len() as u64 / 4).to_le_bytes().to_vec();
            bytes.append(&mut limbs);
            bytes
        }
        _ => Vec::new(),
    };
    if bytes.is_empty() {
        growth::have(&mut bytes, words.len() * 8)?;
        words
            .iter()
            .for_each(|word| bytes.extend(word.to_le_bytes()));
    }
    Ok(murmur(&bytes, seed))
}

/// The hash of a term, of which `depth` levels are looked at, and whether all of it has been; none if there is a variable in what has.
fn hash_term(m: &mut Ctx, root: TermRef, depth: usize) -> Result<Option<(u32, bool)>, Throw> {
    if depth == 0 {
        return Ok(Some((SEED, false)));
    }
    // The innermost one, and those around it.
    let mut inner: Option<Level> = None;
    let mut around: Vec<Level> = Vec::new();
    let mut all = true;
    let (mut t, mut seed, mut compounds) = (root, SEED, 0);
    let mut patience = Patience::new();
    loop {
        if patience.is_over() {
            return Err(m.given_up());
        }
        let leaf = match t.view() {
            View::Var(_) | View::Attributed(_) => return Ok(None),
            View::Int(n) => Some(murmur(&n.to_le_bytes(), seed)),
            View::Float(x) => Some(murmur(&x.to_bits().to_le_bytes(), seed)),
            View::Number(n) => Some(hash_number(&n.number(), n.words(), seed)?),
            View::Atom(name) | View::Blob(name) => Some(hash_name(name, seed)?),
            View::Handle(handle) => Some(murmur(&handle.number().to_le_bytes(), seed)),
            View::Str(text) => Some(hash_text(text, seed)?),
            View::List(..) | View::Compound(_) => None,
        };
        if let Some(hash) = leaf {
            match &mut inner {
                Some(level) => level.hash = hash,
                None => return Ok(Some((hash, true))),
            }
        } else if let Some((functor, args)) = t.callable() {
            compounds += 1;
            let levels = around.len() + usize::from(inner.is_some());
            let is_open = levels + 1 < depth && compounds <= MAX_HASHED;
            all = all && is_open;
            let level = Level {
                hash: hash_name(functor.name(), SEED)?,
                args,
                arity: if is_open { functor.arity() } else { 0 },
                begun: 0,
            };
            if let Some(outer) = inner.replace(level) {
                growth::push(&mut around, outer)?;
            }
        }
        // The next argument, of whichever compound has one.
        loop {
            let Some(level) = &mut inner else {
                return Ok(Some((seed, all)));
            };
            if level.begun < level.arity {
                (t, seed) = (level.args.get(level.begun), level.hash);
                level.begun += 1;
                break;
            }
            let hash = level.hash;
            inner = around.pop();
            match &mut inner {
                Some(around) => around.hash = murmur(&hash.to_le_bytes(), around.hash),
                None => seed = hash,
            }
        }
    }
}

/// `term_hash(+Term, -Hash)`: a number of 24 bits; unbound if the term is not ground.
fn term_hash(m: &mut Ctx, a: Args) -> Res {
    let hash = hash_term(m, m.view(a, 0), usize::MAX)?;
    match hash {
        // (Not all of a large term is looked at.)
        Some((hash, all)) if all || is_ground(m, m.arg(a, 0))? => {
            m.unify_int(a, 1, i64::from(hash & BITS))
        }
        _ => Ok(true),
    }
}

/// `term_hash(+Term, +Depth, +Range, -Hash)`: a number from 0 to Range - 1, from the upper Depth levels of the term; -1: from all. Unbound if there are variables.
fn term_hash_limited(m: &mut Ctx, a: Args) -> Res {
    let depth = m.int_arg(a, 1)?;
    let range = m.int_arg(a, 2)?;
    if depth < -1 {
        return Err(m.domain_error("not_less_than_zero", m.arg(a, 1)));
    }
    if range < 1 {
        return Err(m.domain_error("not_less_than_one", m.arg(a, 2)));
    }
    let depth = usize::try_from(depth).unwrap_or(usize::MAX);
    match hash_term(m, m.view(a, 0), depth)? {
        Some((hash, _)) => m.unify_int(a, 3, i64::from(hash) % range),
        None => Ok(true),
    }
}

/// Writes a term, with variables as numbers in the order of their appearance: the same for variants, and for nothing else.
fn write_variant(m: &mut Ctx, root: Cell, mut write: impl FnMut(&[u8])) -> Result<(), Throw> {
    if !cycle::is_acyclic(m.term(root)) {
        return Err(m.type_error("acyclic_term", root));
    }
    let mut variables: FxHashMap<u64, u64> = FxHashMap::default();
    let mut left = vec![m.term(root)];
    let mut patience = Patience::new();
    while let Some(t) = left.pop() {
        if patience.is_over() {
            return Err(m.given_up());
        }
        let mut text = |kind: u8, text: &str| {
            write(&[kind]);
            write(&(text.len() as u64).to_le_bytes());
            write(text.as_bytes());
        };
        match t.view() {
            View::Var(id) | View::Attributed(id) => {
                let next = variables.len() as u64;
                let number = match variables.get(&id) {
                    Some(&number) => number,
                    None => {
                        growth::insert(&mut variables, id, next)?;
                        next
                    }
                };
                write(b"v");
                write(&number.to_le_bytes());
            }
            View::Int(n) => {
                write(b"i");
                write(&n.to_le_bytes());
            }
            View::Float(x) => {
                write(b"f");
                write(&x.to_bits().to_le_bytes());
            }
            View::Number(n) => {
                write(b"n");
                n.words().iter().for_each(|word| write(&word.to_le_bytes()));
            }
            View::Atom(name) => text(b'a', name.as_str()),
            View::Blob(name) => text(b'b', name.as_str()),
            View::Handle(handle) => {
                write(b"h");
                write(&handle.number().to_le_bytes());
            }
            View::Str(s) => text(b's', s),
            View::List(..) | View::Compound(_) => {
                if let Some((functor, args)) = t.callable() {
                    text(b'c', functor.name().as_str());
                    write(&(functor.arity() as u64).to_le_bytes());
                    growth::have(&mut left, functor.arity())?;
                    left.extend((0..functor.arity()).rev().map(|i| args.get(i)));
                }
            }
        }
    }
    Ok(())
}

/// `variant_sha1(+Term, -Hash)`: 40 hexadecimal digits, the same for variants.
fn variant_sha1(m: &mut Ctx, a: Args) -> Res {
    let t = m.arg(a, 0);
    let mut sha = Sha1::new();
    write_variant(m, t, |bytes| sha.update(bytes))?;
    if has_attributed(m, t)? {
        return Err(m.type_error("free_of_attvar", t));
    }
    let digits: String = (sha.finalize().iter())
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect();
    let digest = m.atom_of_text(&digits)?;
    Ok(m.unify_atom(a, 1, digest))
}

/// `variant_hash(+Term, -Hash)`: a number of 24 bits, the same for variants.
fn variant_hash(m: &mut Ctx, a: Args) -> Res {
    let mut hash = SEED;
    let t = m.arg(a, 0);
    write_variant(m, t, |bytes| hash = murmur(bytes, hash))?;
    m.unify_int(a, 1, i64::from(hash & BITS))
}

/// Whether a term has attributed variables.
pub(super) fn has_attributed(m: &mut Ctx, t: Cell) -> Result<bool, Throw> {
    let all = variables(m, t)?;
    Ok(all
        .iter()
        .any(|&v| matches!(m.term(v).view(), View::Attributed(_))))
}
