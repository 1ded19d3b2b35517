//! The messages of one queue: a slab of nodes, threaded by two kinds of doubly linked list.
//!
//! Every node is on the *whole* list, and, once somebody has looked for messages of one kind among many others, on the *chain* of its key (messages that are
//! variables share the chain of no key), until the store is empty. So picking messages of one kind out of a long queue touches only that kind, and costs nothing
//! for the rest; and who takes what comes first pays for no chains. *Cost*: making the chains takes as long as adding the messages did, once between two moments
//! when there are none.
//!
//! Invariants ([`MessageStore::verify`]): both lists are in ascending order of sequence numbers; every node of a chain has
//! the chain's key; there are no empty chains; `len` = nodes of the whole list = slots − free slots = nodes of all chains, if they are there; `bytes` = bytes of
//! all messages. Free slots are a list threaded through their links. What is charged are the messages and the places for them; only adding a
//! message, or making places for some that are to come ([`MessageStore::double`]), takes more places, and asks for them ([`growth`]).
//!
//! Not synchronised: lives under the queue's lock.

use super::key::MessageKey;
use super::message::Message;
use rustc_hash::FxHashMap;
use samite_term::common::{self, Charge};
use samite_term::growth;

/// Slots an empty store keeps for reuse ([`MessageStore::is_oversized`]).
const KEPT_SLOTS: usize = if cfg!(any(test, loom)) { 4 } else { 1024 };

/// Messages of other kinds that are passed over before there are chains.
const PASSED: usize = if cfg!(any(test, loom)) { 2 } else { 16 };

const NIL: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Link {
    previous: u32,
    next: u32,
}

#[derive(Clone, Copy)]
struct Ends {
    first: u32,
    last: u32,
}

const NO_ENDS: Ends = Ends {
    first: NIL,
    last: NIL,
};

/// Which of the two lists of a node.
#[derive(Clone, Copy)]
enum By {
    Arrival = 0,
    Key = 1,
}

struct Node {
    /// `None` in a free slot.
    message: Option<Message>,
    key: Option<MessageKey>,
    sequence: u64,
    links: [Link; 2],
}

/// A message that was seen: its number, and where it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    pub number: u64,
    pub slot: u32,
}

/// By key.
type Chains = FxHashMap<Option<MessageKey>, Ends>;

/// See the module text.
pub(super) struct MessageStore {
    nodes: Vec<Node>,
    /// The first free slot; each is followed by the `next` of its first link.
    free: u32,
    whole: Ends,
    /// If there are chains.
    chains: Option<Box<Chains>>,
    /// There was no memory for them: nobody asks again while there are messages.
    refused: bool,
    /// Number of the last message ever added; the first is 1.
    last_sequence: u64,
    len: usize,
    /// Bytes of the messages.
    bytes: usize,
    charge: Charge,
}

impl MessageStore {
    pub(super) fn new() -> MessageStore {
        MessageStore {
            nodes: Vec::new(),
            free: NIL,
            whole: NO_ENDS,
            chains: None,
            refused: false,
            last_sequence: 0,
            len: 0,
            bytes: 0,
            charge: Charge::new(0),
        }
    }
    pub(super) fn len(&self) -> usize {
        self.len
    }
    /// Bytes of the messages.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
    /// The same with another one.
    pub(super) fn bytes_with(&self, message: &Message) -> usize {
        self.bytes.saturating_add(message.bytes())
    }
    pub(super) fn last_sequence(&self) -> u64 {
        self.last_sequence
    }

    /// A message that has come is taken at once, without a place.
    pub(super) fn passes(&mut self) {
        debug_assert_eq!(self.len, 0);
        self.last_sequence += 1;
    }

    /// The messages, in no order.
    pub(super) fn messages(&self) -> impl Iterator<Item = &Message> {
        self.nodes.iter().filter_map(|n| n.message.as_ref())
    }
    /// Makes sure that there is a place for another message; false: there is no memory for it.
    pub(super) fn make_room(&mut self) -> bool {
        self.free != NIL || growth::vec_room(&mut self.nodes, |bytes| common::may_take(bytes, 0))
    }
    /// Doubles the places, at least. False: there is no memory for them.
    pub(super) fn double(&mut self) -> bool {
        let more = self.nodes.capacity().max(4);
        let bytes = (self.nodes.capacity() + more) * size_of::<Node>();
        let more = self.nodes.capacity() + more - self.nodes.len();
        let take = || self.nodes.try_reserve_exact(more).is_ok();
        let done = growth::asking(bytes, |bytes| common::may_take(bytes, 0), take);
        self.adjust_charge();
        done
    }
    /// For how many messages there is one.
    pub(super) fn room(&self) -> usize {
        self.nodes.capacity() - self.len
    }
    /// It is empty, and has many places.
    pub(super) fn is_oversized(&self) -> bool {
        self.len == 0 && self.nodes.capacity() > KEPT_SLOTS
    }
    /// An empty one gives its places back.
    pub(super) fn shrink(&mut self) {
        debug_assert_eq!(self.len, 0);
        self.nodes = Vec::new();
        self.free = NIL;
        self.chains = None;
        self.adjust_charge();
    }

    /// What the messages and the places for them are charged.
    fn adjust_charge(&mut self) {
        let places = growth::vec_bytes(&self.nodes)
            + self.chains.as_ref().map_or(0, |c| growth::map_bytes(c));
        self.charge.adjust(self.bytes + places);
    }

    /// Adds a message at the end, for which room was made, and returns its key.
    pub(super) fn push(&mut self, message: Message) -> Option<MessageKey> {
        self.last_sequence += 1;
        self.bytes += message.bytes();
        self.adjust_charge();
        let key = message.key();
        let node = Node {
            message: Some(message),
            key,
            sequence: self.last_sequence,
            links: [Link {
                previous: NIL,
                next: NIL,
            }; 2],
        };
        let at = match self.free {
            NIL => {
                assert!(self.nodes.len() < NIL as usize, "message queue too long");
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
            at => {
                self.free = self.next(at, By::Arrival);
                self.nodes[at as usize] = node;
                at
            }
        };
        append(&mut self.nodes, &mut self.whole, By::Arrival, at);
        if self.chains.is_some() {
            self.append_to_chain(at);
        }
        self.len += 1;
        key
    }
    /// Without memory for it there are no chains from now on.
    fn append_to_chain(&mut self, at: u32) {
        let chains = self.chains.get_or_insert_default();
        if !growth::map_room(chains, |bytes| common::may_take(bytes, 0)) {
            (self.chains, self.refused) = (None, true);
            return;
        }
        let key = self.nodes[at as usize].key;
        let chain = chains.entry(key).or_insert(NO_ENDS);
        append(&mut self.nodes, chain, By::Key, at);
    }

    /// Makes the chains. False: there is no memory for them.
    #[cold]
    fn make_chains(&mut self) -> bool {
        debug_assert!(self.chains.is_none());
        let mut at = self.whole.first;
        while at != NIL && !self.refused {
            self.append_to_chain(at);
            at = self.next(at, By::Arrival);
        }
        self.adjust_charge();
        self.chains.is_some()
    }

    /// Removes and returns the first message after number `examined` that may have `key` and that `matches`.
    pub(super) fn take(
        &mut self,
        key: Option<MessageKey>,
        examined: u64,
        matches: &mut dyn FnMut(&Message) -> bool,
    ) -> Option<Message> {
        let at = self.find_behind(key, examined, None, matches)?;
        Some(self.remove(at))
    }

    /// The first message behind one that was seen, or of all, that may have `key` and that `matches`; it stays.
    pub(super) fn see(
        &mut self,
        key: Option<MessageKey>,
        after: Seen,
        matches: &mut dyn FnMut(&Message) -> bool,
    ) -> Option<Seen> {
        let slot = self.holds(after).then_some(after.slot);
        let at = self.find_behind(key, after.number, slot, matches)?;
        let number = self.sequence(at);
        Some(Seen { number, slot: at })
    }

    /// Removes a message that was seen, if it is still there.
    pub(super) fn take_seen(&mut self, seen: Seen) -> Option<Message> {
        self.holds(seen).then(|| self.remove(seen.slot))
    }

    /// Whether a message that was seen is still there.
    fn holds(&self, seen: Seen) -> bool {
        let node = self.nodes.get(seen.slot as usize);
        node.is_some_and(|n| n.sequence == seen.number && n.message.is_some())
    }

    /// Whether some message may have `key`, and `matches`; it stays.
    pub(super) fn has(
        &mut self,
        key: Option<MessageKey>,
        matches: &mut dyn FnMut(&Message) -> bool,
    ) -> bool {
        self.find_behind(key, 0, None, matches).is_some()
    }

    /// The first message behind number `examined` that may have `key` and that `matches`, where the message of that number is in a slot, if that is known.
    fn find_behind(
        &mut self,
        key: Option<MessageKey>,
        mut examined: u64,
        mut slot: Option<u32>,
        matches: &mut dyn FnMut(&Message) -> bool,
    ) -> Option<u32> {
        if self.chains.is_none() || key.is_none() {
            let mut at = match slot {
                Some(slot) => self.next(slot, By::Arrival),
                None => self.first_after(self.whole, By::Arrival, examined),
            };
            let mut passed = 0;
            while at != NIL {
                if !self.may_have(at, key) {
                    passed += 1;
                } else if self.fits(at, matches) {
                    return Some(at);
                }
                if passed == PASSED && self.make_chains() {
                    (examined, slot) = (self.sequence(at), Some(at));
                    break;
                }
                at = self.next(at, By::Arrival);
            }
            if at == NIL {
                return None;
            }
        }
        // The two chains merged by sequence number: messages with the key, and messages that are variables.
        let first = |of: Option<MessageKey>| match slot {
            Some(at) if self.nodes[at as usize].key == of => self.next(at, By::Key),
            _ => self.first_after(self.chain(of), By::Key, examined),
        };
        let (mut keyed, mut open) = (first(key), first(None));
        while keyed != NIL || open != NIL {
            let turn = if self.sequence(keyed) < self.sequence(open) {
                &mut keyed
            } else {
                &mut open
            };
            if self.fits(*turn, matches) {
                return Some(*turn);
            }
            *turn = self.next(*turn, By::Key);
        }
        None
    }
    /// Whether the message of a node may be one of a kind.
    fn may_have(&self, at: u32, key: Option<MessageKey>) -> bool {
        let its = self.nodes[at as usize].key;
        key.is_none() || its.is_none() || its == key
    }
    fn fits(&self, at: u32, matches: &mut dyn FnMut(&Message) -> bool) -> bool {
        let message = self.nodes[at as usize].message.as_ref();
        message.is_some_and(matches)
    }

    /// Whether there is a message after number `examined` that may have `key`.
    pub(super) fn has_news(&mut self, key: Option<MessageKey>, examined: u64) -> bool {
        if self.chains.is_none() && key.is_some() && self.last_sequence - examined > PASSED as u64 {
            // (Without memory for them each is looked at.)
            self.make_chains();
        }
        self.is_news(key, examined)
    }
    /// The same for who only looks.
    pub(super) fn is_news(&self, key: Option<MessageKey>, examined: u64) -> bool {
        let newer = |ends: Ends| ends.last != NIL && self.sequence(ends.last) > examined;
        if key.is_none() {
            return newer(self.whole);
        }
        if self.chains.is_some() {
            return newer(self.chain(key)) || newer(self.chain(None));
        }
        let mut at = self.whole.last;
        while at != NIL && self.sequence(at) > examined {
            if self.may_have(at, key) {
                return true;
            }
            at = self.nodes[at as usize].links[By::Arrival as usize].previous;
        }
        false
    }

    fn chain(&self, key: Option<MessageKey>) -> Ends {
        let chains = self.chains.as_ref();
        (chains.and_then(|c| c.get(&key).copied())).unwrap_or(NO_ENDS)
    }
    /// The number of a node; of none: larger than all.
    fn sequence(&self, at: u32) -> u64 {
        match self.nodes.get(at as usize) {
            Some(n) => n.sequence,
            None => u64::MAX,
        }
    }
    fn next(&self, at: u32, by: By) -> u32 {
        self.nodes[at as usize].links[by as usize].next
    }
    /// The first node of a list with a number above `examined`. Visits only such nodes.
    fn first_after(&self, ends: Ends, by: By, examined: u64) -> u32 {
        if examined == 0 {
            return ends.first;
        }
        let (mut found, mut at) = (NIL, ends.last);
        while at != NIL && self.nodes[at as usize].sequence > examined {
            found = at;
            at = self.nodes[at as usize].links[by as usize].previous;
        }
        found
    }

    fn remove(&mut self, at: u32) -> Message {
        unlink(&mut self.nodes, &mut self.whole, By::Arrival, at);
        if let Some(chains) = &mut self.chains {
            let key = self.nodes[at as usize].key;
            let chain = chains.get_mut(&key).expect("every node has its chain");
            unlink(&mut self.nodes, chain, By::Key, at);
            if chain.first == NIL {
                chains.remove(&key);
            }
        }
        let message = self.nodes[at as usize].message.take();
        self.len -= 1;
        if self.len == 0 {
            (self.chains, self.refused) = (None, false);
        }
        self.nodes[at as usize].links[By::Arrival as usize].next = self.free;
        self.free = at;
        let message = message.expect("a listed node holds a message");
        self.bytes -= message.bytes();
        self.adjust_charge();
        message
    }

    /// Checks the invariants of the module text. Panics with the first violation.
    pub(super) fn verify(&self) {
        let walk = |ends: Ends, by: By, check: &dyn Fn(&Node)| {
            let (mut n, mut previous, mut number) = (0, NIL, 0);
            let mut at = ends.first;
            while at != NIL {
                let node = &self.nodes[at as usize];
                assert!(node.message.is_some(), "message store: free slot on a list");
                assert!(node.sequence > number, "message store: out of order");
                assert_eq!(node.links[by as usize].previous, previous);
                check(node);
                (n, previous, number) = (n + 1, at, node.sequence);
                at = node.links[by as usize].next;
            }
            assert_eq!(ends.last, previous, "message store: wrong end");
            assert!(number <= self.last_sequence);
            n
        };
        assert_eq!(walk(self.whole, By::Arrival, &|_| ()), self.len);
        let mut chained = 0;
        for (&key, &ends) in self.chains.iter().flat_map(|chains| chains.iter()) {
            let n = walk(ends, By::Key, &|node| assert_eq!(node.key, key));
            assert!(n > 0, "message store: empty chain");
            chained += n;
        }
        let on_chains = if self.chains.is_some() { self.len } else { 0 };
        assert_eq!(chained, on_chains, "message store: message on no chain");
        let next = |&at: &u32| Some(self.next(at, By::Arrival)).filter(|&n| n != NIL);
        let first = Some(self.free).filter(|&at| at != NIL);
        let free = std::iter::successors(first, next).inspect(|&at| {
            let empty = self.nodes[at as usize].message.is_none();
            assert!(empty, "message store: a free slot holds a message");
        });
        assert_eq!(self.nodes.len() - free.count(), self.len);
        assert_eq!(
            self.messages().map(Message::bytes).sum::<usize>(),
            self.bytes
        );
    }
}

fn append(nodes: &mut [Node], ends: &mut Ends, by: By, at: u32) {
    nodes[at as usize].links[by as usize] = Link {
        previous: ends.last,
        next: NIL,
    };
    match ends.last {
        NIL => ends.first = at,
        last => nodes[last as usize].links[by as usize].next = at,
    }
    ends.last = at;
}

fn unlink(nodes: &mut [Node], ends: &mut Ends, by: By, at: u32) {
    let Link { previous, next } = nodes[at as usize].links[by as usize];
    match previous {
        NIL => ends.first = next,
        p => nodes[p as usize].links[by as usize].next = next,
    }
    match next {
        NIL => ends.last = previous,
        n => nodes[n as usize].links[by as usize].previous = previous,
    }
}
