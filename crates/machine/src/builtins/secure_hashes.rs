//! Secure hashes of bytes that come one after another, and bytes that nobody can predict: what `library(md5)`, `library(sha)`, `library(crypto)` and
//! `library(uuid)` stand on. The hashes are those of the RustCrypto crates.
//!
//! The state of a hash between two pieces is a string of characters up to U+00FF, as those crates serialise it: a term like any other, which can be copied, kept, and
//! gone on from more than once.

use super::{Entry, args, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use md5::Md5;
use samite_term::Cell;
use samite_term::growth;
use samite_term::heavy::Patience;
use samite_world::random;
use sha1::Sha1;
use sha2::digest::common::hazmat::{SerializableState, SerializedState};
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

pub const TABLE: &[Entry] = &[
    // '$hash_begin'(+Algorithm, -State) is semidet: it is one of ALGORITHMS.
    det("$hash_begin", 2, hash_begin).makes_terms(),
    // '$hash_add'(+Algorithm, +State0, +Text, +Encoding, -State): `octet`, a byte for each character, or `utf8`
    det("$hash_add", 5, hash_add).makes_terms(),
    // '$hash_end'(+Algorithm, +State, -Bytes)
    det("$hash_end", 3, hash_end).makes_terms(),
    // '$random_bytes'(+N, -Bytes)
    det("$random_bytes", 2, random_bytes).makes_terms(),
];

/// What can be done with a hash; nothing where a state is none of it.
struct Algorithm {
    name: &'static str,
    begun: fn() -> Vec<u8>,
    added: fn(&[u8], &[u8]) -> Option<Vec<u8>>,
    ended: fn(&[u8]) -> Option<Vec<u8>>,
}

const ALGORITHMS: [Algorithm; 6] = [
    algorithm::<Md5, 16>("md5"),
    algorithm::<Sha1, 20>("sha1"),
    algorithm::<Sha224, 32>("sha224"),
    algorithm::<Sha256, 32>("sha256"),
    algorithm::<Sha384, 64>("sha384"),
    algorithm::<Sha512, 64>("sha512"),
];

/// So many blocks, of 64 bytes at least, nobody has hashed. The crates count the bits of all of them in 64 bits, or 128.
const MOST_BLOCKS: u64 = 1 << 54;

/// So many bytes are hashed between two looks at whether to give up.
const PIECE: usize = 1 << 16;

/// `COUNT` is where the number of blocks stands in a state, the lowest byte first: behind the words that the blocks have made.
const fn algorithm<H: Digest + SerializableState, const COUNT: usize>(
    name: &'static str,
) -> Algorithm {
    Algorithm {
        name,
        begun: || H::new().serialize().to_vec(),
        added: |state, piece| {
            let mut hash = hash_in::<H, COUNT>(state)?;
            hash.update(piece);
            Some(hash.serialize().to_vec())
        },
        ended: |state| Some(hash_in::<H, COUNT>(state)?.finalize().to_vec()),
    }
}

/// Anybody can make the string of a state; its number of blocks may be any, too.
fn hash_in<H: SerializableState, const COUNT: usize>(state: &[u8]) -> Option<H> {
    let state: SerializedState<H> = state.try_into().ok()?;
    let (count, _) = state.get(COUNT..)?.split_first_chunk()?;
    if u64::from_le_bytes(*count) >= MOST_BLOCKS {
        return None;
    }
    H::deserialize(&state).ok()
}

fn algorithm_of(m: &mut Ctx, a: Args) -> Result<Option<&'static Algorithm>, Throw> {
    let name = m.atom_argument(a, 0)?;
    Ok(ALGORITHMS.iter().find(|h| h.name == name.as_str()))
}

/// The bytes for which the characters of an argument stand.
fn bytes_argument(m: &mut Ctx, a: Args, i: usize) -> Result<Vec<u8>, Throw> {
    let t = m.arg(a, i);
    let text = m.text_arg(t)?;
    let mut bytes = growth::with_room(text.len())?;
    for c in text.chars() {
        let byte = u8::try_from(c).map_err(|_| m.representation_error("encoding"))?;
        bytes.push(byte);
    }
    Ok(bytes)
}

fn unify_state(m: &mut Ctx, a: Args, i: usize, state: &[u8]) -> Res {
    let text: String = state.iter().copied().map(char::from).collect();
    let state = m.heap.string(&text)?;
    Ok(m.unify_arg(a, i, state))
}

fn unify_bytes(m: &mut Ctx, a: Args, i: usize, bytes: &[u8]) -> Res {
    let items = bytes.iter().map(|&b| Cell::small(i64::from(b)));
    let list = m.heap.list_of(bytes.len(), items, Cell::NIL)?;
    Ok(m.unify_arg(a, i, list))
}

fn hash_begin(m: &mut Ctx, a: Args) -> Res {
    match algorithm_of(m, a)? {
        Some(h) => unify_state(m, a, 1, &(h.begun)()),
        None => Ok(false),
    }
}

fn hash_add(m: &mut Ctx, a: Args) -> Res {
    let Some(h) = algorithm_of(m, a)? else {
        return Ok(false);
    };
    let mut state = bytes_argument(m, a, 1)?;
    let encoding = m.atom_argument(a, 3)?;
    let text = match encoding.as_str() {
        "octet" => bytes_argument(m, a, 2)?,
        _ => {
            let t = m.arg(a, 2);
            m.text_arg(t)?.into_bytes()
        }
    };
    let mut patience = Patience::new();
    for piece in text.chunks(PIECE) {
        if patience.is_over_after(piece.len()) {
            return Err(m.given_up());
        }
        state = match (h.added)(&state, piece) {
            Some(state) => state,
            None => return Err(no_state(m, a)),
        };
    }
    unify_state(m, a, 4, &state)
}

/// The argument with the state of a hash is none.
fn no_state(m: &mut Ctx, a: Args) -> Throw {
    let culprit = m.arg(a, 1);
    m.domain_error("hash_state", culprit)
}

fn hash_end(m: &mut Ctx, a: Args) -> Res {
    let Some(h) = algorithm_of(m, a)? else {
        return Ok(false);
    };
    let state = bytes_argument(m, a, 1)?;
    match (h.ended)(&state) {
        Some(bytes) => unify_bytes(m, a, 2, &bytes),
        None => Err(no_state(m, a)),
    }
}

fn random_bytes(m: &mut Ctx, a: Args) -> Res {
    let n = m.arg(a, 0);
    let Some(n) = args::size(m, n)? else {
        return Err(m.instantiation_error());
    };
    // (A list of so many is made of them.)
    m.heap_room(n.saturating_mul(2 * size_of::<Cell>()))?;
    let mut bytes: Vec<u8> = m.vec_beside(n)?;
    bytes.resize(n, 0);
    if let Err(e) = random::fill(&mut bytes) {
        let source = args::atom("/dev/urandom");
        return Err(m.file_error(&e, "read", "source_sink", source));
    }
    unify_bytes(m, a, 1, &bytes)
}
