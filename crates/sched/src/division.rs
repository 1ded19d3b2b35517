//! What is to be done in common, divided among the threads that have come to do it: each of the answers of some tables is to be given to whom it is for, by one of them.
//!
//! Only numbers are known here. What is to be given to whom is divided into *parts*, each of a table, and each in a *lane*: members prefer different lanes, where what they make is in nobody else's way. A part has a log for each *member*, who tells how many entries that has by now (those of its table, for each of its parts); a *claim* is a range of a log, and whoever has it sees to these entries, which may
//! make more. It is over when everything has been claimed, and everybody rests:
//!
//! ```text
//! log:     0 ≤ claimed ≤ told, and = told where nobody is to be given anything;  what is in [0, claimed) somebody has had, and is done with unless he works
//! queues:  the parts that have a log with claimed < told, each once, in the queue of its lane
//! member:  works | rests (there was nothing to claim, nor any news that he had not heard of)
//! over     ⇔ at some moment all members rested, the queues were empty, and nothing was returned; never taken back
//! leave:   what a member has claimed and is not done with is returned, or all that he ever claimed is to be claimed again
//! ```
//!
//! What a member does of his own with the answers of others is nothing of this, but he is told of news if he wants to be: one who rests and hears of everything works again as soon as anything
//! is told, so it is not over before he has looked. All of this is under one lock, which is held for looking and noting only; claims are ranges, so it is taken rarely. (What is told under it, the rows of the
//! logs, is visible to whoever claims it.)
//!
//! Waiting is as for a mutex: an event ends it, a light thread waits away. Who works for long may wait, in a loop that nobody sees, for what a resting member would do next: so these may wait for a time only, and leave.
//!
//! Source: termination detection as for parallel marking in collectors (Flood, Detlefs, Shavit, Zhang, "Parallel Garbage Collection for Shared Memory Multiprocessors", JVM 2001), under a lock.

use crate::interrupt::{Attention, Interrupted, past};
use crate::light::{Line, Place, Waited};
use crate::sync::{AtomicUsize, Lock, LockGuard, Ordering};
use crate::waiters::{Ticket, WaitList};
use samite_term::growth::{self, Refused};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// Most members at a time.
pub const MOST: usize = if cfg!(loom) { 2 } else { 16 };

/// So many parts for each member are many.
const MANY: usize = 4;

/// Entries of a log that one member sees to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    pub part: u32,
    pub log: usize,
    pub from: usize,
    pub to: usize,
}

/// What there is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// What has been claimed, the first claim last.
    Claimed,
    /// Nothing, and so much had been told by then.
    Nothing(u64),
    Over,
}

/// What came of having nothing to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rested {
    /// There is something by now.
    Not,
    /// See [`Division::wait`].
    Rests,
    Over,
}

#[derive(Clone, Copy, Default)]
struct Log {
    told: usize,
    claimed: usize,
    /// The members that have claimed of it.
    by: u16,
}

#[derive(Clone, Copy)]
struct Member {
    rests: bool,
    /// Is to hear of everything.
    hears: bool,
}

struct State {
    /// Those of part `p` are the [`MOST`] from `p * MOST` on.
    logs: Vec<Log>,
    /// Whether there is somebody to be given something.
    wanted: Vec<bool>,
    queued: Vec<bool>,
    /// One for each lane: part `p` is in lane `p % lanes`.
    queues: Vec<VecDeque<u32>>,
    returned: Vec<Claim>,
    members: [Option<Member>; MOST],
    /// How often anything was told.
    news: u64,
    over: bool,
    /// Everybody has left before it was over.
    ended: bool,
    waiters: WaitList<usize>,
}

/// See the module text. Shared by `Arc`.
pub struct Division {
    state: Lock<State>,
    resting: Apart,
}

/// Read by all members again and again: in a cache line of its own, and written if it changes.
#[repr(align(128))]
struct Apart(AtomicUsize);

impl std::fmt::Debug for Division {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "division of {} parts", self.state.lock().queued.len())
    }
}

impl State {
    fn logs_of(&self, part: u32) -> &[Log] {
        &self.logs[part as usize * MOST..][..MOST]
    }
    fn is_unread(&self, part: u32) -> bool {
        self.logs_of(part).iter().any(|l| l.claimed < l.told)
    }
    /// A part has something to be claimed, if it has.
    fn queue(&mut self, part: u32) {
        if !self.queued[part as usize] && self.is_unread(part) {
            self.queued[part as usize] = true;
            let lane = part as usize % self.queues.len();
            // (There is room for each of them.)
            self.queues[lane].push_back(part);
        }
    }
    fn queued(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum()
    }
    /// Claims something of the next part for a member; `most` says how many entries of it.
    fn next_claim(
        &mut self,
        me: usize,
        members: usize,
        most: impl Fn(u32) -> usize,
    ) -> Option<Claim> {
        let part = self.next_part(me)?;
        // Towards the end the ranges become smaller, so that all are done at the same time.
        let shares = match self.queued() < 2 * members {
            true => 2 * members,
            false => 1,
        };
        let unread = |l: &Log| l.told - l.claimed;
        let all: usize = self.logs_of(part).iter().map(unread).sum();
        let logs = &mut self.logs[part as usize * MOST..][..MOST];
        // (His own first: it is in his cache.)
        let mut order = (0..MOST).map(|i| (me + i) % MOST);
        let log = order.find(|&l| unread(&logs[l]) > 0)?;
        let fair = all.div_ceil(shares).min(most(part)).max(1);
        let from = logs[log].claimed;
        let to = (from + fair).min(logs[log].told);
        logs[log].claimed = to;
        self.queue(part);
        Some(Claim {
            part,
            log,
            from,
            to,
        })
    }
    fn has_work(&self) -> bool {
        self.queued() > 0 || !self.returned.is_empty()
    }
    /// The next part for a member: of a lane that is his, or else of any.
    fn next_part(&mut self, me: usize) -> Option<u32> {
        let lanes = self.queues.len();
        let members = self.members.iter().flatten().count().max(1);
        let rank = self.members[..me].iter().flatten().count();
        let own = (0..lanes).filter(|l| l % members == rank % lanes);
        let all = own.chain(0..lanes);
        let lane = all.into_iter().find(|&l| !self.queues[l].is_empty())?;
        let part = self.queues[lane].pop_front()?;
        self.queued[part as usize] = false;
        Some(part)
    }
    /// Those who rest get to work, as many as there is work for, and all who hear of everything if there are news.
    fn rouse(&mut self, news: bool) {
        let mut work = self.queued() + self.returned.len();
        for (m, member) in self.members.iter_mut().enumerate() {
            let Some(member) = member.as_mut().filter(|m| m.rests) else {
                continue;
            };
            if work > 0 || news && member.hears {
                work = work.saturating_sub(1);
                member.rests = false;
                // (One who does not sleep yet looks before he does.)
                self.waiters.wake_first(|&w| w == m).up();
            }
        }
    }
    /// Whether it is over now.
    fn end_if_over(&mut self) -> bool {
        let mut members = self.members.iter().flatten().peekable();
        if self.has_work() || members.peek().is_none() || !members.all(|m| m.rests) {
            return false;
        }
        self.over = true;
        self.waiters.wake_all();
        true
    }
    fn verify(&self) {
        if !cfg!(debug_assertions) || self.queued.len() > 50 {
            return;
        }
        for t in 0..self.queued.len() {
            let queues = self.queues.iter().flatten();
            let queued = queues.filter(|&&q| q as usize == t).count();
            assert_eq!(queued, usize::from(self.queued[t]));
            assert_eq!(self.is_unread(t as u32), self.queued[t]);
            let logs = self.logs_of(t as u32);
            let all = !self.wanted[t];
            assert!((logs.iter()).all(|l| l.claimed <= l.told && (!all || l.claimed == l.told)));
        }
        assert!(!self.over || !self.has_work());
        let mut members = self.members.iter().flatten();
        assert!(
            self.over || self.ended || members.next().is_none() || {
                let all = self.members.iter().flatten();
                self.has_work() || all.clone().count() == 0 || all.into_iter().any(|m| !m.rests)
            }
        );
    }
}

impl Division {
    /// Of parts that somebody is to be given something of, or not, in so many lanes; without members.
    pub fn new(wanted: impl IntoIterator<Item = bool>, lanes: usize) -> Result<Division, Refused> {
        let wanted = growth::list(wanted)?;
        let parts = wanted.len();
        let mut queues = growth::with_room(lanes)?;
        for _ in 0..lanes {
            let mut queue = VecDeque::new();
            let most = parts.div_ceil(lanes);
            if !growth::deque_have(&mut queue, most, |bytes| growth::asked(bytes).is_ok()) {
                return Err(Refused);
            }
            queues.push(queue);
        }
        Ok(Division {
            state: Lock::new(State {
                logs: growth::list((0..parts * MOST).map(|_| Log::default()))?,
                wanted,
                queued: growth::list((0..parts).map(|_| false))?,
                queues,
                returned: Vec::new(),
                members: [None; MOST],
                news: 0,
                over: false,
                ended: false,
                waiters: WaitList::new(),
            }),
            resting: Apart(AtomicUsize::new(0)),
        })
    }

    fn done(&self, state: LockGuard<'_, State>) {
        state.verify();
        let resting = state.members.iter().flatten().filter(|m| m.rests).count();
        // Relaxed: a hint.
        if self.resting.0.load(Ordering::Relaxed) != resting {
            self.resting.0.store(resting, Ordering::Relaxed);
        }
    }

    /// The caller becomes a member, who works. `None`: it is over, or everybody has left, or there are too many.
    pub fn join(&self) -> Option<usize> {
        let mut state = self.state.lock();
        if state.over || state.ended {
            return None;
        }
        let place = state.members.iter().position(Option::is_none)?;
        state.members[place] = Some(Member {
            rests: false,
            hears: false,
        });
        self.done(state);
        Some(place)
    }

    /// Whether somebody rests: a hint.
    #[inline]
    pub fn is_hungry(&self) -> bool {
        // Relaxed: a hint.
        self.resting.0.load(Ordering::Relaxed) > 0
    }

    /// The logs of member `me` have so many entries by now.
    pub fn tell(&self, me: usize, news: impl IntoIterator<Item = (u32, usize)>) {
        let mut state = self.state.lock();
        let mut any = false;
        for (part, told) in news {
            let wanted = state.wanted[part as usize];
            let log = &mut state.logs[part as usize * MOST + me];
            any |= log.told < told;
            debug_assert!(log.told <= told);
            log.told = told;
            match wanted {
                true => state.queue(part),
                false => log.claimed = told,
            }
        }
        if any {
            state.news += 1;
            state.rouse(true);
        }
        self.done(state);
    }

    /// Before anybody else has come: the first entries of this log of `me` need not be seen to, unless he leaves.
    pub fn has_seen_to(&self, me: usize, part: u32, entries: usize) {
        let mut state = self.state.lock();
        if !state.wanted[part as usize] {
            return;
        }
        let log = &mut state.logs[part as usize * MOST + me];
        log.claimed = entries.min(log.told);
        log.by |= 1 << me;
        if !state.is_unread(part) && state.queued[part as usize] {
            state.queued[part as usize] = false;
            let lane = part as usize % state.queues.len();
            state.queues[lane].retain(|&p| p != part);
        }
        self.done(state);
    }

    /// What member `me`, who is done with what he has claimed, does next, into `claims`, which is empty: as much of it as there is room for. An entry of a part is to be given to so many as
    /// `weight` says; `most` is how much he is to do.
    pub fn claim(
        &self,
        me: usize,
        most: usize,
        weight: impl Fn(u32) -> usize,
        claims: &mut Vec<Claim>,
    ) -> Next {
        debug_assert!(claims.is_empty() && claims.capacity() > 0);
        let mut state = self.state.lock();
        if state.over {
            return Next::Over;
        }
        if let Some(member) = &mut state.members[me] {
            member.rests = false;
        }
        let members = state.members.iter().flatten().count();
        let mut left = most;
        while claims.len() < claims.capacity()
            // (What there is little of is for the others, too.)
            && (claims.is_empty() || left > 0 && state.queued() > MANY * members)
        {
            let next = state.returned.pop();
            let Some(claim) =
                next.or_else(|| state.next_claim(me, members, |p| left / weight(p).max(1)))
            else {
                break;
            };
            state.logs[claim.part as usize * MOST + claim.log].by |= 1 << me;
            left = left.saturating_sub((claim.to - claim.from) * weight(claim.part));
            claims.push(claim);
        }
        // The first one is the last.
        claims.reverse();
        let next = match claims.is_empty() {
            true => Next::Nothing(state.news),
            false => Next::Claimed,
        };
        self.done(state);
        next
    }

    /// Calls `f` with each log of a part, and how many entries it has.
    pub fn each_told(&self, part: u32, mut f: impl FnMut(usize, usize)) {
        let state = self.state.lock();
        for (log, l) in state.logs_of(part).iter().enumerate() {
            f(log, l.told);
        }
    }

    /// How many entries a log has.
    pub fn told(&self, part: u32, log: usize) -> usize {
        self.state.lock().logs_of(part)[log].told
    }

    /// Member `me` has nothing to claim, and has told everything; when he looked, `seen` was told. If he `hears`, any news are something to do for him.
    pub fn rest(&self, me: usize, seen: u64, hears: bool) -> Rested {
        let mut state = self.state.lock();
        if state.over {
            return Rested::Over;
        }
        if state.has_work() || hears && state.news != seen {
            return Rested::Not;
        }
        state.members[me] = Some(Member { rests: true, hears });
        let over = state.end_if_over();
        self.done(state);
        match over {
            true => Rested::Over,
            false => Rested::Rests,
        }
    }

    /// How many there are at the moment.
    pub fn members(&self) -> usize {
        self.state.lock().members.iter().flatten().count()
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.state.lock().over
    }

    /// Waits until member `me`, who rests, has something to do again, or it is over; false: neither is so, and the time has come.
    pub fn wait(
        self: &Arc<Self>,
        me: usize,
        attention: &Arc<Attention>,
        until: Option<Instant>,
    ) -> Result<bool, Interrupted> {
        let place = attention.take_place(Arc::as_ptr(self).cast(), Line::Members);
        let mut state = self.state.lock();
        let mut ticket = None;
        if let Some(place) = place {
            // Whether it was woken does not matter: it says so in `rests`.
            let _ = state.waiters.leave(place.ticket);
            ticket = Some(place.ticket);
        }
        loop {
            let rests = state.members[me].is_some_and(|m| m.rests);
            if state.over || !rests {
                return Ok(true);
            }
            if attention.must_not_wait() {
                return Err(Interrupted);
            }
            if past(until) {
                return Ok(false);
            }
            let t = state.waiters.enter(ticket, attention, me);
            ticket = Some(t);
            drop(state);
            let place = || Place {
                object: self.clone(),
                line: Line::Members,
                ticket: t,
                examined: 0,
            };
            if attention.suspend(until, || Some(place())) {
                return Err(Interrupted);
            }
            attention.park(until);
            state = self.state.lock();
            // As above.
            let _ = state.waiters.leave(t);
        }
    }

    /// Member `me`, who has told everything that he has added, is none any more. What he `holds` is to be claimed again, and all that he ever claimed if it is to be done `again`. Whether he was the last one, before it was
    /// over.
    pub fn leave(&self, me: usize, holds: &[Claim], again: bool) -> bool {
        let mut state = self.state.lock();
        if state.members[me].take().is_none() {
            return false;
        }
        if !state.over {
            if again {
                for part in 0..state.queued.len() as u32 {
                    let mut any = false;
                    for log in &mut state.logs[part as usize * MOST..][..MOST] {
                        if log.by & 1 << me != 0 {
                            log.by &= !(1 << me);
                            log.claimed = 0;
                            any = true;
                        }
                    }
                    if any {
                        state.queue(part);
                    }
                }
            } else {
                state.returned.extend_from_slice(holds);
            }
            if state.members.iter().flatten().next().is_none() {
                state.ended = true;
            } else if !state.end_if_over() {
                state.rouse(false);
            }
        }
        let ended = state.ended;
        self.done(state);
        ended
    }
}

impl Waited for Division {
    fn give_up(&self, _: Line, ticket: Ticket) {
        // Who was woken works, whether he comes back for that or leaves.
        let _ = self.state.lock().waiters.leave(ticket);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// The next claim of a member, of one at a time.
    fn claim(d: &Division, me: usize) -> Result<Claim, Next> {
        let mut claims = Vec::with_capacity(1);
        match d.claim(me, 4, |_| 1, &mut claims) {
            Next::Claimed => Ok(claims[0]),
            none => Err(none),
        }
    }

    /// Where there are many parts, many are claimed together, in the order of their queue.
    #[test]
    fn small_claims_come_together() {
        let d = Division::new([true; 40], 2).unwrap();
        let a = d.join().unwrap();
        d.tell(a, (0..40).map(|part| (part, 1)));
        let mut claims = Vec::with_capacity(8);
        assert_eq!(d.claim(a, 100, |_| 3, &mut claims), Next::Claimed);
        assert!(claims.iter().rev().map(|c| c.part).eq((0..16).step_by(2)));
        assert!(d.leave(a, &claims, false));
    }

    #[test]
    fn everything_is_claimed_once_and_then_it_is_over() {
        let d = Division::new([true; 2], 1).unwrap();
        let (a, b) = (d.join().unwrap(), d.join().unwrap());
        d.tell(a, [(0, 10), (1, 1)]);
        d.tell(b, [(1, 3)]);
        let mut had = Vec::new();
        for turn in 0.. {
            match claim(&d, [a, b][turn % 2]) {
                Ok(c) => had.extend((c.from..c.to).map(|i| (c.part, c.log, i))),
                Err(Next::Nothing(_)) => break,
                Err(_) => panic!("somebody works"),
            }
        }
        had.sort_unstable();
        let all = |t, l, n| (0..n).map(move |i| (t, l, i));
        let expected: Vec<_> = all(0, a, 10)
            .chain(all(1, a, 1))
            .chain(all(1, b, 3))
            .collect();
        assert_eq!(had, expected);
        let Err(Next::Nothing(news)) = claim(&d, a) else {
            panic!("something is left");
        };
        assert_eq!(d.rest(a, news, true), Rested::Rests);
        assert!(d.is_hungry());
        d.tell(b, [(1, 4)]);
        let Ok(last) = claim(&d, b) else {
            panic!("the last one is left");
        };
        // It has heard of it.
        assert!(!d.is_hungry());
        assert_eq!(d.rest(a, news, true), Rested::Not);
        let Err(Next::Nothing(news)) = claim(&d, a) else {
            panic!("something is left");
        };
        assert_eq!(d.rest(a, news, true), Rested::Rests);
        // What is returned is had again.
        assert!(!d.leave(b, &[last], false));
        assert_eq!(claim(&d, a), Ok(last));
        let Err(Next::Nothing(news)) = claim(&d, a) else {
            panic!("something is left");
        };
        assert_eq!(d.rest(a, news, false), Rested::Over);
        assert_eq!(d.join(), None);
    }

    #[test]
    fn who_leaves_gives_back_what_he_ever_had() {
        let d = Division::new([true], 1).unwrap();
        let (a, b) = (d.join().unwrap(), d.join().unwrap());
        d.tell(a, [(0, 8)]);
        d.has_seen_to(a, 0, 8);
        assert!(matches!(claim(&d, b), Err(Next::Nothing(_))));
        assert!(!d.leave(a, &[], true));
        let Ok(c) = claim(&d, b) else {
            panic!("it is all to be claimed again");
        };
        assert_eq!((c.from, c.log), (0, a));
        assert!(d.leave(b, &[], true));
        assert_eq!(d.join(), None);
    }
}
