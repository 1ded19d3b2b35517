//! First-argument switches of static predicates: from a predicate's clauses to entry code.
//!
//! A [`Switch`] tells a variable, each constant and each functor apart and holds for each a *chain*: the code of the only
//! clause, or `Try`/`Retry`/`Trust` instructions over several, or `Fail`; before them stands what can be decided without a choicepoint ([`super::guard`]). Built when the predicate is called after a
//! change; immutable. What one call of [`link`] builds is one piece, [`Linked`]. Choicepoints and running calls may refer to a
//! superseded one, and through it to erased clauses: both are freed as [`super::frames`] says.
//!
//! A predicate may change before each of its calls: a file's directives call what the file has defined so far. Such calls walk the clauses, with an
//! index that grows with them, as those of dynamic predicates do, until it is due to build again ([`is_due`]).
//!
//! *Equation*: clauses that switches were built of ≤ 2 × clauses added + those of lists that were exchanged + what calls have paid + [`FEW`] × switches of few clauses.

use super::guard::{self, Guard};
use super::head::{Head, Heads, Look};
use super::index::{self, drop_index};
use super::key::{ANY_KEY, LIST_KEY, Part};
use super::kinds;
use super::masks;
use super::place;
use super::predicate::{Clause, Predicate, Retired, flag};
use super::switch;
use crate::instr::{self, Op, word};
use rustc_hash::FxHashMap;
use samite_term::growth::{self, Refused};

pub use super::index::shapes;
pub use super::keyed::Keyed;
pub use super::masks::Masks;
pub use super::switch::{Linked, Switch, code_in_chain, fail_code, masks_of, rest_of_chain};

/// Where code is that is being put together.
#[derive(Clone, Copy)]
enum Place {
    Address(*const u64),
    /// A chain, by its first word.
    Chain(usize),
}

/// Chains of so many words have no guards from then on.
const GUARDED: usize = 1 << 14;

/// A clause that is to be selected.
#[derive(Clone, Copy)]
struct Candidate<'h> {
    clause: &'static Clause,
    /// The key of the first argument of the calls that get into it, if they have one: that of the head, or of a unification that begins the body.
    key: u64,
    /// What its code says, of those of a predicate with few clauses.
    head: Option<Head<'h>>,
}

impl Candidate<'_> {
    fn code(&self) -> *const u64 {
        self.clause.code()
    }
}

/// Which calls come to a chain.
enum Calls<'k> {
    /// Those with this key at the first argument; [`ANY_KEY`]: any.
    With(u64),
    /// Any, and the key, which some of the clauses have, has not been looked at. What is looked at goes there.
    Unseen(&'k mut Option<Box<Keyed>>),
}

/// Code that tries the clauses in order, its chain behind the words.
fn chain(
    words: &mut Vec<u64>,
    of: &'static Predicate,
    clauses: &[Candidate],
    calls: Calls,
) -> Result<Place, Refused> {
    let (key, unseen) = match calls {
        Calls::With(key) => (key, None),
        Calls::Unseen(keyed) => (ANY_KEY, Some(keyed)),
    };
    let arity = of.arity();
    let start = words.len();
    let mut clauses = clauses;
    if clauses.len() > masks::MOST && arity > 0 {
        growth::have(words, 2)?;
        let by_first = unseen.is_some() && !Keyed::is_near(clauses.iter().map(|c| c.key));
        words.push(word(Op::Pick, u16::from(by_first), 0, 0));
        words.push(std::ptr::from_ref(of) as u64);
    }
    // What is decided without a choicepoint.
    while let [first, rest @ ..] = clauses
        && !rest.is_empty()
        && words.len() < GUARDED
        // SAFETY: the clause is visible, and its predicate's lock is held.
        && let Some(guard) = unsafe { Guard::of(first.code(), arity, guard::relied_on(key)) }
    {
        if guard.holds() {
            clauses = &clauses[..1];
            break;
        }
        growth::have(words, guard.len())?;
        guard.append(words);
        clauses = rest;
    }
    if clauses.len() > 1 || words.len() > start {
        growth::have(words, switch::SELECT + 2 * clauses.len())?;
    }
    Ok(match clauses {
        [] if of.has(flag::ONE_SIDED) => Place::Address(no_clause(of)),
        [] => {
            // One of the predicate's own, which says who has failed.
            growth::push(words, word(Op::Fail, 0, 0, 0))?;
            Place::Chain(start)
        }
        [only] if words.len() == start => Place::Address(only.code()),
        [only] => {
            words.push(word(Op::Clause, 0, 0, 0));
            words.push(only.code() as u64);
            Place::Chain(start)
        }
        _ => {
            if let Some(arguments) = selecting(of, clauses) {
                let at = words.len();
                switch::push_select(words, arity, &arguments);
                if of.has(flag::ONE_SIDED) {
                    words[at] |= instr::RULES;
                }
            }
            if let Some(keyed) = unseen {
                let made = Keyed::of(clauses.iter().map(|c| c.key))?;
                let at = words.len();
                switch::push_keyed(words, arity, keyed.insert(Box::new(made)));
                if of.has(flag::ONE_SIDED) {
                    words[at] |= instr::RULES;
                }
            }
            for (i, c) in clauses.iter().enumerate() {
                let op = match i {
                    0 => Op::Try,
                    i if i + 1 == clauses.len() => Op::Trust,
                    _ => Op::Retry,
                };
                words.push(word(op, arity as u16, 0, 0));
                words.push(c.code() as u64);
            }
            Place::Chain(start)
        }
    })
}

/// What runs where no clause is the call's.
pub fn no_clause(of: &'static Predicate) -> *const u64 {
    match of.has(flag::ONE_SIDED) {
        true => of.entry_code(Op::NoRule),
        false => fail_code(),
    }
}

/// The arguments that are to be looked at before a chain is tried, `None` if none. Of predicates with many clauses that is seen when it is called.
fn selecting(of: &Predicate, clauses: &[Candidate]) -> Option<Vec<u16>> {
    let arity = of.arity();
    if !(1..=masks::MOST).contains(&clauses.len()) || arity == 0 {
        return None;
    }
    if of.clauses().len() > masks::MOST {
        return Some((0..arity as u16).collect());
    }
    let heads: Option<Vec<Head>> = clauses.iter().map(|c| c.head).collect();
    let arguments = masks::arguments(&heads?, arity);
    (!arguments.is_empty()).then_some(arguments)
}

/// What the code of clauses says, of a predicate that has so few that all of it is looked at.
fn heads_of(of: &Predicate, clauses: &[&'static Clause]) -> Heads {
    let are_looked_at = (2..=masks::MOST).contains(&clauses.len()) && of.arity() > 0;
    let codes = clauses[..if are_looked_at { clauses.len() } else { 0 }].iter();
    // SAFETY: the clauses are visible, and their predicate's lock is held.
    unsafe { Heads::of(codes.map(|c| c.code()), of.arity()) }
}

/// The clauses of a predicate with their keys.
fn candidates<'h>(
    of: &Predicate,
    clauses: &[&'static Clause],
    heads: &'h Heads,
) -> Result<Vec<Candidate<'h>>, Refused> {
    let mut candidates = growth::with_room(clauses.len())?;
    let mut look = Look::default();
    for (i, &clause) in clauses.iter().enumerate() {
        let head = heads.get(i);
        let key = match (clause.key, head) {
            (ANY_KEY, Some(head)) => first_key(head),
            // (A fact has nothing more to say.)
            (ANY_KEY, None) if clauses.len() > 1 && of.arity() > 0 && clause.is_rule() => {
                // SAFETY: as in `heads_of`.
                first_key(unsafe { look.at_code(clause.code(), of.arity()) })
            }
            (key, _) => key,
        };
        candidates.push(Candidate { clause, key, head });
    }
    Ok(candidates)
}

fn first_key(head: Head) -> u64 {
    match head.at(place::Place::argument(0)) {
        Part::Is(key) => key,
        Part::Any | Part::Never => ANY_KEY,
    }
}

/// The code that tries a predicate's clauses, and what it consists of besides them.
fn build(
    of: &'static Predicate,
    clauses: &[&'static Clause],
) -> Result<(*const u64, Linked), Refused> {
    let mut words = Vec::new();
    // The entries of tabled ones look at it themselves.
    let looks = of.has(flag::DET) && !of.has(flag::TABLED);
    if looks {
        let det = std::ptr::from_ref(of) as u64;
        words.extend([word(Op::Det, 0, 0, 0), det, word(Op::Clause, 0, 0, 0), 0]);
    }
    let heads = heads_of(of, clauses);
    let candidates = candidates(of, clauses, &heads)?;
    let any = candidates.iter().filter(|c| c.key == ANY_KEY).count();
    // Those that match every key would be in the chains of all others.
    let is_told_apart = any < clauses.len() && index::may_help(any, clauses.len());
    if of.arity() == 0 || !is_told_apart || clauses.len() < 2 {
        let mut keyed = None;
        let calls = match any < clauses.len() && clauses.len() > masks::MOST {
            true => Calls::Unseen(&mut keyed),
            // Where no clause has a key there is nothing to look at.
            false => Calls::With(ANY_KEY),
        };
        let all = chain(&mut words, of, &candidates, calls)?;
        let mut linked = Linked {
            words,
            paid: 0,
            clauses: clauses.len(),
            _switch: None,
            keyed,
        };
        let mut code = address(all, &linked.words);
        if looks {
            linked.words[3] = code as u64;
            code = linked.words.as_ptr();
        }
        return Ok((code, linked));
    }
    // The words of the switch instruction come first.
    let first = words.len();
    words.extend([0, 0]);
    let all = chain(&mut words, of, &candidates, Calls::With(ANY_KEY))?;
    // Clauses of each key in order; a clause with a variable belongs to every key.
    let mut keys: Vec<u64> = Vec::new();
    let mut of_key: FxHashMap<u64, Vec<Candidate>> = FxHashMap::default();
    let mut anywhere: Vec<Candidate> = Vec::new();
    for &c in &candidates {
        let key = c.key;
        if key == ANY_KEY {
            growth::push(&mut anywhere, c)?;
            for list in of_key.values_mut() {
                growth::push(list, c)?;
            }
        } else if let Some(list) = of_key.get_mut(&key) {
            growth::push(list, c)?;
        } else {
            let mut list = Vec::new();
            growth::have(&mut list, anywhere.len() + 1)?;
            list.extend_from_slice(&anywhere);
            list.push(c);
            growth::push(&mut keys, key)?;
            growth::insert(&mut of_key, key, list)?;
        }
    }
    let other = chain(&mut words, of, &anywhere, Calls::With(ANY_KEY))?;
    let mut places: Vec<(u64, Place)> = Vec::new();
    growth::have(&mut places, keys.len())?;
    for k in keys {
        places.push((k, chain(&mut words, of, &of_key[&k], Calls::With(k))?));
    }
    let mut chains: Vec<(u64, *const u64)> = Vec::new();
    growth::have(&mut chains, places.len())?;
    chains.extend(places.iter().map(|&(k, place)| (k, address(place, &words))));
    let other = address(other, &words);
    let list = chains.iter().find(|(k, _)| *k == LIST_KEY);
    let list = list.map_or(other, |&(_, code)| code);
    let switch = Box::new(Switch::new(address(all, &words), list, other, &chains)?);
    words[first] = word(Op::Switch, of.arity() as u16, 0, 0);
    words[first + 1] = std::ptr::from_ref(&*switch) as u64;
    if looks {
        words[3] = words[first..].as_ptr() as u64;
    }
    let linked = Linked {
        words,
        paid: 0,
        clauses: clauses.len(),
        _switch: Some(switch),
        keyed: None,
    };
    Ok((linked.words.as_ptr(), linked))
}

fn address(place: Place, words: &[u64]) -> *const u64 {
    match place {
        Place::Address(code) => code,
        Place::Chain(i) => words[i..].as_ptr(),
    }
}

/// Of so few clauses it is always due.
pub const FEW: usize = 16;

/// Whether an address is in what was made to select the predicate's clauses.
pub fn selects(predicate: &'static Predicate, at: usize) -> bool {
    let w = predicate.lock();
    (w.linked.as_ref()).is_some_and(|l| {
        let words = l.words.as_ptr_range();
        (words.start as usize..words.end as usize).contains(&at)
    })
}

/// Whether entry code is to be built for a call of a static predicate whose entry is `Link`; if not, the call walks its clauses. Caller must not hold
/// the predicate's lock.
pub fn is_due(predicate: &'static Predicate) -> bool {
    let mut w = predicate.lock();
    if w.live <= FEW || predicate.is_dynamic() || !kinds::is_defined(predicate, &w) {
        return true;
    }
    // Where an index cannot help, a walk passes over clauses, which costs less than to build of them.
    let helps = index::may_help(w.unkeyed as usize, w.live);
    let (live, cost) = (w.live, if helps { 1 } else { 1 + w.live / 16 });
    let Some(last) = &mut w.linked else {
        return true;
    };
    last.paid += cost;
    live >= 2 * last.clauses || last.paid >= live
}

/// Code that walks a predicate's clauses, for calls for which no switch is due.
pub fn walk(predicate: &'static Predicate) -> *const u64 {
    predicate.entry_code(Op::Dynamic)
}

/// What is made of a predicate's clauses; small pieces, which nobody asks for, are asked for together.
fn built(predicate: &'static Predicate) -> Result<(*const u64, Linked), Refused> {
    /// Those for each clause: its place in lists of clauses, the table of keys while it grows, then that of addresses.
    const BYTES_FOR_A_CLAUSE: usize = 200;
    let most = predicate.clauses().len();
    growth::asked(most * BYTES_FOR_A_CLAUSE)?;
    let mut clauses = growth::with_room(most)?;
    clauses.extend(predicate.visible_clauses());
    build(predicate, &clauses)
}

/// The code for a call that came to `Link`: what is built now, or walks. Caller must not hold the predicate's lock.
pub fn code_to_call(predicate: &'static Predicate) -> *const u64 {
    if !is_due(predicate) {
        return walk(predicate);
    }
    let code = link(predicate);
    // Its kind may have changed meanwhile, and be another one for those who load it.
    // SAFETY: entry code is at least one word.
    match instr::op(unsafe { *predicate.present_entry() }) {
        Op::Link => code,
        // (Who comes here has passed the wrapper.)
        _ if predicate.is_wrapped() && !predicate.has(flag::RELOADING) => predicate.present_entry(),
        _ => predicate.entry(),
    }
}

/// Builds the entry code of a static predicate, installs and returns it. Caller must not hold the predicate's lock.
/// For a tabled predicate it becomes the body; that of one that is being loaded is its loader's alone.
///
/// If it has become dynamic, or undefined, since its entry code was read: its present entry. If there is no memory for it nothing is installed, and what is
/// returned [walks](walk): calls pay for the next attempt.
pub fn link(predicate: &'static Predicate) -> *const u64 {
    let mut w = predicate.lock();
    let tabled = predicate.has(flag::TABLED);
    if predicate.is_dynamic() {
        // Its clauses come and go unseen by what would be built here, and may not be jumped to.
        return predicate.entry();
    }
    if !tabled && !kinds::is_defined(predicate, &w) {
        predicate.set_entry_op(Op::Undefined);
        return predicate.entry();
    }
    let Ok((code, linked)) = built(predicate) else {
        let clauses = w.live;
        let last = w.linked.get_or_insert_default();
        (last.paid, last.clauses) = (0, clauses);
        return walk(predicate);
    };
    drop_index(predicate);
    if tabled {
        predicate.set_body(code);
    } else if !predicate.has(flag::LOADING) {
        predicate.set_entry(code);
    }
    if let Some(old) = w.linked.replace(Box::new(linked)) {
        if predicate.is_copied() {
            Box::leak(old);
        } else if !old.words.is_empty() {
            predicate.retire(Retired::One(Box::into_raw(old)));
        }
    }
    code
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{FEW, is_due, link};
    use crate::code_block::CodeBlock;
    use crate::db::database;
    use crate::db::index::address;
    use crate::db::predicate::{ANY_KEY, Clause, Domain, Predicate};

    fn predicate(name: u32) -> &'static Predicate {
        let atom = |i: u32| samite_term::Atom::of(&format!("link: {i}"));
        let functor = samite_term::Functor::new(atom(name), 1);
        Predicate::new(Domain::new(), atom(2_100), functor)
    }

    fn add(p: &'static Predicate, key: u64) {
        let block = CodeBlock {
            words: vec![0; 2],
            resumable: false,
            records: vec![],
        };
        let mut clause = Box::new(Clause::new(p, key, None, Some(block), 1));
        clause.set_linked();
        database::add(p, clause, true).expect("there is room");
    }

    /// Adds clauses, calling after each, then calls only. The clauses that switches were built of, and how often an index was built, in the first part.
    fn called_between(p: &'static Predicate, n: u64, key: impl Fn(u64) -> u64) -> (usize, usize) {
        let (mut built, mut indexes, mut last) = (0, 0, 0);
        for i in 0..n {
            add(p, key(i));
            if is_due(p) {
                built += p.visible_clauses().count();
                link(p);
            } else {
                crate::db::view::found(p, key(i), 1);
                indexes += usize::from(address(p) != last);
                last = address(p);
            }
        }
        let calls = (0..=n).position(|_| is_due(p));
        assert!(calls.is_some(), "never due");
        link(p);
        (built, indexes)
    }

    /// As many clauses that match every key as others: no chain for each key with all of them.
    #[test]
    fn what_fits_all_is_in_every_chain_within_bounds() {
        const N: u64 = 500;
        for of_each in [2, 100] {
            let p = predicate(10 + of_each as u32);
            for i in 0..N {
                let any = i % of_each == 0;
                add(p, if any { ANY_KEY } else { (i + 1) << 4 });
            }
            link(p);
            let words = p.lock().linked.as_ref().map_or(0, |l| l.words.len());
            assert!(words < 100 * N as usize, "{words} words");
        }
    }

    #[test]
    fn building_is_paid_for() {
        const N: usize = 2000;
        let (built, indexes) = called_between(predicate(1), N as u64, |i| (i + 1) << 4);
        assert!(built <= 3 * N + FEW * FEW, "{built} clauses");
        assert!(indexes <= 16, "{indexes} indexes");
        let (built, _) = called_between(predicate(2), N as u64, |_| ANY_KEY);
        assert!(built <= 3 * N + FEW * FEW, "{built} clauses");
        // One that matches everything: walking costs a sixteenth of building.
        let (built, _) = called_between(predicate(3), N as u64, |i| {
            if i == 0 { ANY_KEY } else { i << 4 }
        });
        assert!(built <= N * N / 16, "{built} clauses");
    }
}
