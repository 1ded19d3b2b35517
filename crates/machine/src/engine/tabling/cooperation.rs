//! Threads that evaluate one call at a time share the work (`:- table path/2 as shared`).
//!
//! A thread that is about to feed the consumers of an SCC led by a shared table *offers* the evaluation ([`Worker::offer_evaluation`]), and goes on by itself. Another one that comes to the same point
//! with the same call finds the offer, wants it, and goes on by itself, till the first one, between two answers, *opens* it: the answers so far become those of [joint tables](samite_table::joint),
//! and each thread that has found the offer *joins* when it comes by. Every member has evaluated the clauses by itself up to suspended calls; what is divided is who gives which answers to these:
//!
//! - *Common* consumers are those that were suspended before anything was fed. Each member has the same ones: it compares calls, continuations and bindings before it joins ([`Worker::describe`]), and does not
//!   if anything differs. A range of answers is claimed by one member, who gives it to all common consumers of the table.
//! - *Own* subgoals and consumers are those that come of feeding. Their member feeds them all there is, from its own tables, into which it copies the answers of joint tables that have own consumers.
//!
//! ```text
//! for each joint table T, consumer c of it, answer r:  (c, r) is fed     by the member that has claimed r, if c is common; by the one that has c, if it is own
//! who leaves and has own subgoals or consumers gives back all that he ever claimed; else what he is at
//! over: all is claimed, all members rest, and each has fed its own consumers all that was told    (`samite_sched::Division`)
//! one evaluation of a thread is shared at a time, so whoever is waited for waits for nobody
//! ```
//!
//! A member *leaves* when its evaluation is given up, merges with one below, gets what a joint table does not hold (answers that are no rows, conditions, negative literals that wait), and when it blocks
//! ([`Tabling::step_out`](crate::state::tabling::Tabling)): who waits is never waited for. It also leaves when it has nothing to do and has heard of nothing for [`PATIENCE`]: the others may wait for it without anybody seeing that, in a loop that asks. What it has found stays; it has it all for itself then ([`Worker::part`]), if it goes on.
//!
//! When it is over the answers are published as they are, and each member has them ([`Worker::end_cooperation`]).

use super::description::Undescribed;
use super::tabled;
use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::tabling::cooperation::{Cooperation, Joint, Share, Why};
use crate::state::tabling::schedule::{JOINT, NONE};
use crate::state::tabling::shared::SharedTables;
use rustc_hash::FxHashMap;
use samite_sched::division::{Next, Rested};
use samite_table::{Added, FramePtr, JointTable, MEMBERS, Memory, Run, State};
use samite_term::growth::{self, Refused};
use samite_term::view::deref;
use samite_term::{Cell, Functor, atoms};
use samite_world::clock;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Answers that are claimed at once, at most, by the consumers that get them, and in how many ranges.
const CLAIMED: usize = 512;
const CLAIMS: usize = 32;
/// Answers that a member gives to its own consumers, before it is looked whether they are more than it gives to common ones.
const OWN: u64 = if cfg!(debug_assertions) { 256 } else { 4096 };
/// A member that has nothing to do leaves when it has heard of nothing for so long.
const PATIENCE: Duration = Duration::from_secs(1);
/// Answers of a member's that the tables are not looked at for.
const ROWS_UNSEEN: usize = 64;

/// Lanes for the consumers of so many tables.
fn lanes_for(tables: u32) -> u32 {
    if tables < 16 { 1 } else { 4 }
}

/// What came of an answer of a joint table.
pub(super) enum Joined {
    Done,
    /// So many have been added that somebody is to look whether there is room.
    Many,
    /// It is an answer of this thread's own from now on, as all others.
    Parted,
}

impl Worker {
    /// The leader at `index`, with consumers, is about to feed them: others may share that, or this thread shares what another one is at. Who is refused memory does neither.
    pub(super) fn offer_evaluation(&mut self, index: usize) {
        let t = &self.thread.tabling;
        let s = &t.stack[index];
        if t.share.is_some() || !tabled::is_shared(s.frame) || s.kind != 0 {
            return;
        }
        let program = self.program.clone();
        let tables = &program.shared_tables;
        let alone = program.registry.is_alone()
            || t.for_others
            || self.thread.control.is_engine()
            || self.thread.events.masks.apart > 0
            || self.thread.transactions.is_open()
            || s.generation != t.tables.current()
            || t.tables.epoch != tables.epoch();
        if !alone {
            let _ = self.enter_offer(index, tables);
        }
    }

    fn enter_offer(&mut self, index: usize, tables: &SharedTables) -> Result<(), Refused> {
        let s = &self.thread.tabling.stack[index];
        let (frame, generation) = (s.frame, s.generation);
        let key = self.key_of_table(frame, generation)?;
        let boxed: Result<Box<[u64]>, Refused> =
            growth::list(key.iter().copied()).map(|k| k.into());
        self.thread.tabling.tokens = key;
        let key = boxed?;
        let t = &mut self.thread.tabling;
        let (offer, first) = tables.offers.enter(&key, t.tables.epoch)?;
        t.share = Some(Box::new(Share {
            leader: index as u32,
            subgoals: t.stack.len() as u32,
            consumers: t.consumers.len() as u32,
            key,
            offer,
            offers: tables.offers.clone(),
            first,
            negative: false,
            waited: false,
            joint: None,
        }));
        Ok(())
    }

    /// Between two answers of the SCC of the leader at `index`: what a shared evaluation does next.
    pub(super) fn cooperate(&mut self, index: usize, leads: bool) -> Result<Go, Throw> {
        let Some(share) = &self.thread.tabling.share else {
            return self.resume_alone(index, leads);
        };
        if share.leader as usize != index {
            return self.resume_alone(index, leads);
        }
        if !leads || share.negative || self.thread.tabling.looked_at {
            self.part()?;
            self.close_share();
            return self.resume_alone(index, leads);
        }
        match &share.joint {
            None => {
                if !share.waited {
                    self.wait_for_company();
                }
                let Some(share) = &self.thread.tabling.share else {
                    return self.resume_alone(index, leads);
                };
                let wanted = share.first && share.offer.is_wanted();
                if !wanted && share.offer.opened().is_none() {
                    if share.offer.is_closed() {
                        self.thread.tabling.share = None;
                    }
                    return self.resume_alone(index, leads);
                }
                let began = match wanted {
                    true => self.open_offer(),
                    false => self.join_offer(),
                };
                if let Err(undescribed) = began {
                    let why = match undescribed {
                        Undescribed::Because(why) => why,
                        Undescribed::Refused => Why::Room,
                    };
                    self.program.shared_tables.offers.counts.refuse(why);
                    self.close_share();
                    return self.resume_alone(index, leads);
                }
            }
            Some(joint) if joint.left => {
                self.part()?;
                self.close_share();
                return self.resume_alone(index, leads);
            }
            Some(_) => {}
        }
        self.next_joint(index, leads)
    }

    /// For tests: an evaluation may be over before anybody else has come.
    fn wait_for_company(&mut self) {
        const MOMENT: Duration = Duration::from_millis(5);
        let Some(share) = &mut self.thread.tabling.share else {
            return;
        };
        share.waited = true;
        if !self.program.waits_for_company.load(Ordering::Relaxed) {
            return;
        }
        let (until, offer) = (clock::now() + MOMENT, share.offer.clone());
        let goes_on = |first: bool| match (first, offer.opened()) {
            (_, Some(with)) => !first || with.division.members() > 1,
            (true, None) => offer.is_wanted(),
            (false, None) => offer.is_closed(),
        };
        while !goes_on(share.first) && clock::now() < until {
            std::thread::yield_now();
        }
    }

    fn close_share(&mut self) {
        if let Some(share) = self.thread.tabling.share.take() {
            share.close();
        }
    }

    /// The next thing to do of a shared evaluation.
    fn next_joint(&mut self, index: usize, leads: bool) -> Result<Go, Throw> {
        loop {
            let Some(joint) = self.thread.tabling.joint_mut() else {
                return self.resume_alone(index, leads);
            };
            if let Some((consumer, run)) = joint.next_row() {
                joint.heed();
                self.raise_barrier(consumer)?;
                return self.feed_row(consumer, run);
            }
            joint.tell();
            let (with, me) = (joint.with.clone(), joint.me);
            let parts = &joint.parts;
            let weight = |p: u32| parts[p as usize].len();
            let seen = match (with.division).claim(me, CLAIMED, weight, &mut joint.claims) {
                Next::Claimed => {
                    let first = joint.claims.pop();
                    joint.begin(first);
                    continue;
                }
                Next::Over => {
                    self.end_cooperation(index)?;
                    return self.resume_alone(index, leads);
                }
                Next::Nothing(seen) => seen,
            };
            let hears = !joint.own.is_empty();
            if hears && joint.copied != Some(seen) {
                self.copy_for_own()?;
                self.has_copied(seen);
            }
            if let Some((consumer, answer)) = self.thread.tabling.next_news() {
                if self.does_its_own() {
                    self.part()?;
                    self.close_share();
                    return self.resume_alone(index, leads);
                }
                self.raise_barrier(consumer)?;
                return self.feed(consumer, answer);
            }
            match with.division.rest(me, seen, hears) {
                Rested::Not => {}
                Rested::Over => {
                    self.end_cooperation(index)?;
                    return self.resume_alone(index, leads);
                }
                Rested::Rests => {
                    self.has_patience(seen);
                    let wait = Functor::new(samite_term::Atom::new("$wait_for_answers"), 0);
                    let wait = self.program.code.callee(atoms::SYSTEM, wait);
                    return Ok(Go::Enter(wait));
                }
            }
        }
    }

    /// It is about to rest, and so much had been told when it looked.
    fn has_patience(&mut self, seen: u64) {
        if let Some(joint) = self.thread.tabling.joint_mut()
            && joint.rests_until.is_none_or(|(_, then)| then != seen)
        {
            joint.rests_until = Some((clock::now() + PATIENCE, seen));
        }
    }

    fn has_copied(&mut self, seen: u64) {
        if let Some(joint) = self.thread.tabling.joint_mut() {
            joint.copied = Some(seen);
        }
    }

    /// Feeds one of its own consumers: whether these are most of what there is to do, so that nothing is gained by sharing the rest.
    fn does_its_own(&mut self) -> bool {
        let Some(joint) = self.thread.tabling.joint_mut() else {
            return false;
        };
        joint.fed.1 += 1;
        joint.fed.1 > OWN && joint.fed.1 > joint.fed.0
    }

    /// `'$wait_for_answers'/0`: until the shared evaluation has something to do again; fails then.
    pub(crate) fn wait_for_answers(&mut self) -> Result<bool, Throw> {
        let share = self.thread.tabling.share.as_ref();
        let Some(joint) = share.and_then(|s| s.joint.as_ref()) else {
            return Ok(false);
        };
        let (with, me) = (joint.with.clone(), joint.me);
        let until = joint.rests_until.map(|(until, _)| until);
        let attention = self.attention.clone();
        self.leave_readers();
        let waited = with.division.wait(me, &attention, until);
        self.after_wait();
        if !self.has_waited(waited.map_err(|_| Throw::Interrupted))? {
            // Who works may wait for what this thread would do next.
            self.thread.tabling.step_out();
        }
        Ok(false)
    }

    /// Resumes a consumer with the first of these rows.
    fn feed_row(&mut self, consumer: usize, row: Run) -> Result<Go, Throw> {
        let template = self.thread.tabling.consumers[consumer].template;
        self.restore(consumer)?;
        if let Some(go) = self.hand_on_run(template, row)? {
            return Ok(go);
        }
        let template = self.deref(template);
        for i in 0..row.width() {
            // SAFETY: a claimed row, of a table that the share has.
            let token = Cell(unsafe { row.token(i) });
            if !token.is_immediate() {
                // (What is bound already is what it is in the row.)
                // SAFETY: as above.
                let all = (0..row.width()).map(|k| unsafe { row.token(k) });
                let tokens = growth::list(all)?;
                let unified = self.unify_tokens(template, &tokens)?;
                return Ok(if unified { Go::Proceed } else { Go::Fail });
            }
            // SAFETY: a template is a structure of this heap, with as many arguments as a row of immediate terms has tokens.
            let place = unsafe { deref(*template.ptr().add(i + 1)) };
            if place.is_ref() {
                // (No row names a queue or mutex.)
                // SAFETY: an unbound variable of this heap.
                unsafe { self.heap.bind(place.ptr(), token) };
            } else if place != token {
                return Ok(Go::Fail);
            }
        }
        Ok(Go::Proceed)
    }

    /// An answer of a joint table.
    pub(super) fn joint_answer(&mut self, frame: FramePtr, row: &[u64]) -> Result<Joined, Throw> {
        let index = frame.tag() as usize;
        let mut added = Added::Unfit;
        let share = self.thread.tabling.share.as_mut();
        if let Some(share) = share
            && let Some(joint) = &mut share.joint
            && !joint.left
        {
            let table = joint.table_of[index - share.leader as usize];
            let of = &joint.with.tables[table as usize];
            added = of.add(joint.me, row, &mut joint.memory)?;
            if added == Added::New {
                if !joint.has_news[table as usize] {
                    joint.has_news[table as usize] = true;
                    // (There is room for each of them.)
                    joint.news.push(table);
                }
                if of.rows().committed(joint.me) % ROWS_UNSEEN == 1 {
                    return Ok(Joined::Many);
                }
            }
        }
        if added == Added::Unfit {
            self.part()?;
            return Ok(Joined::Parted);
        }
        Ok(Joined::Done)
    }

    /// A call of a joint table is suspended: its consumer is this thread's own, if there was none before.
    pub(super) fn consumes_joint(&mut self, index: usize) -> Result<(), Refused> {
        if let Some(share) = &mut self.thread.tabling.share
            && let Some(joint) = &mut share.joint
        {
            let table = joint.table_of[index - share.leader as usize];
            if !joint.has_own[table as usize] {
                growth::push(&mut joint.own, (table, [0; MEMBERS]))?;
                joint.has_own[table as usize] = true;
                joint.copied = None;
            }
        }
        Ok(())
    }

    /// Own consumers see what was told of their tables.
    fn copy_for_own(&mut self) -> Result<(), Throw> {
        let mut i = 0;
        loop {
            let share = self.thread.tabling.share.as_mut();
            let Some(share) = share else { return Ok(()) };
            let leader = share.leader as usize;
            let Some(joint) = &mut share.joint else {
                return Ok(());
            };
            let Some(&(table, seen)) = joint.own.get(i) else {
                return Ok(());
            };
            let with = joint.with.clone();
            let index = leader + joint.subgoal_of[table as usize] as usize;
            let now = self.copy_rows(&with, table, index, seen)?;
            if let Some(joint) = self.thread.tabling.joint_mut() {
                joint.own[i].1 = now;
            }
            i += 1;
        }
    }

    /// The told rows of a joint table behind those `seen` become rows of this thread's own; how many there are.
    fn copy_rows(
        &mut self,
        with: &Cooperation,
        table: u32,
        index: usize,
        seen: [usize; MEMBERS],
    ) -> Result<[usize; MEMBERS], Throw> {
        let mut told = seen;
        (with.division).each_told(table * with.lanes, |log, n| told[log] = n);
        let s = &self.thread.tabling.stack[index];
        let (frame, generation) = (s.frame, s.generation);
        let rows = with.tables[table as usize].rows();
        let mut row = Vec::new();
        for log in 0..told.len() {
            for i in seen[log]..told[log] {
                row.clear();
                rows.tokens(log, i, &mut row)?;
                let space = self.thread.tabling.tables.of(generation);
                if space.add_row(frame, &row)? {
                    self.thread.tabling.news(index);
                    if frame.answer_count() % ROWS_UNSEEN == 1 {
                        self.tables_within_limit()?;
                        self.tables_within_space()?;
                    }
                }
            }
        }
        Ok(told)
    }

    /// This thread evaluates for itself from now on, with all answers that were found together. Refused: nothing has changed.
    pub(super) fn part(&mut self) -> Result<(), Throw> {
        let Some(share) = &mut self.thread.tabling.share else {
            return Ok(());
        };
        let leader = share.leader as usize;
        let Some(joint) = &mut share.joint else {
            return Ok(());
        };
        if !joint.left {
            joint.tell();
        }
        let with = joint.with.clone();
        let subgoals = growth::list(joint.subgoal_of.iter().copied())?;
        let mut seen = [[0; MEMBERS]].repeat(subgoals.len());
        for &(t, n) in &joint.own {
            seen[t as usize] = n;
        }
        // (They count for this thread's tables once.)
        let handed_over = joint.memory.hand_over_rows();
        let mut copied = Ok(());
        for (t, &i) in subgoals.iter().enumerate() {
            let rows = self.copy_rows(&with, t as u32, leader + i as usize, seen[t]);
            copied = copied.and(rows.map(|_| ()));
            if copied.is_err() {
                break;
            }
        }
        if let Err(refused) = copied {
            if let Some(joint) = self.thread.tabling.joint_mut() {
                joint.memory.take_back_rows(handed_over);
            }
            return Err(refused);
        }
        // From here on nothing is refused.
        self.thread.tabling.step_out();
        let share = self.thread.tabling.share.as_mut();
        let Some(joint) = share.and_then(|s| s.joint.take()) else {
            return Ok(());
        };
        let t = &mut self.thread.tabling;
        for (common, &i) in joint.common.iter().zip(&subgoals) {
            let index = leader + i as usize;
            t.link_consumers(index, common);
            t.stack[index].kind &= !JOINT;
        }
        // (The SCC may be in the middle of something; its queue is that of the newest one, which they are of.)
        for &i in &subgoals {
            let index = leader + i as usize;
            if t.stack[index].newest != NONE && t.stack[index].frame.answer_count() > 0 {
                t.enqueue(index);
            }
        }
        if let Some(share) = &mut t.share {
            // It is not shared again.
            share.first = false;
        }
        self.forget_pass(leader);
        Ok(())
    }

    /// Who serves the consumers of the SCC of this leader begins anew with the head of its queue.
    fn forget_pass(&mut self, leader: usize) {
        let t = &mut self.thread.tabling;
        for pass in &mut t.passes {
            if pass.subgoal != NONE && pass.subgoal as usize >= leader {
                pass.subgoal = NONE;
            }
        }
    }

    /// It is over: the tables are complete, and have the answers that all have found.
    fn end_cooperation(&mut self, index: usize) -> Result<(), Throw> {
        let Some(joint) = self.thread.tabling.joint() else {
            return Ok(());
        };
        let with = joint.with.clone();
        let subgoals = growth::list(joint.subgoal_of.iter().copied())?;
        let (Some(results), made) = with.results() else {
            return Err(Throw::Memory);
        };
        for (answers, &i) in results.iter().zip(&subgoals) {
            let s = &self.thread.tabling.stack[index + i as usize];
            let (frame, generation) = (s.frame, s.generation);
            if frame.state() != State::Complete {
                let space = self.thread.tabling.tables.of(generation);
                space.exchange(frame, answers.clone())?;
            }
        }
        if made {
            self.program
                .shared_tables
                .offers
                .counts
                .completed
                .fetch_add(1, Ordering::Relaxed);
            self.publish_joint(&with, results);
        }
        let t = &mut self.thread.tabling;
        let common = t
            .share
            .as_mut()
            .and_then(|s| s.joint.as_mut())
            .map(|j| std::mem::take(&mut j.common));
        for (common, &i) in common.iter().flatten().zip(&subgoals) {
            let index = index + i as usize;
            t.link_consumers(index, common);
            t.stack[index].kind &= !JOINT;
        }
        self.thread.tabling.share = None;
        self.forget_pass(index);
        // What is left in the queue has been read.
        while let Some(scc) = self.thread.tabling.sccs.last()
            && scc.head != NONE
        {
            self.thread.tabling.dequeue();
        }
        Ok(())
    }

    /// Whoever asks for one of these calls next has its answers at once. Who is refused does not tell.
    fn publish_joint(&mut self, with: &Cooperation, results: &[Arc<samite_table::Frozen>]) {
        if self.thread.transactions.is_open() {
            return;
        }
        let seen = self.thread.tabling.tables.epoch;
        let generation = self.thread.tabling.tables.current();
        let share = self.thread.tabling.share.as_ref();
        let leader = share.map_or(0, |s| s.leader as usize);
        if self.thread.tabling.stack[leader].generation != generation {
            return;
        }
        for (key, &t) in &with.numbers {
            let Ok(boxed) = growth::list(key.iter().copied()) else {
                return;
            };
            let answers = results[t as usize].clone();
            let tables = &self.program.shared_tables;
            if tables.publish_as_is(boxed.into(), answers, seen).is_err() {
                return;
            }
        }
    }

    /// Others want to share what this thread has offered.
    fn open_offer(&mut self) -> Result<(), Undescribed> {
        let described = self.describe()?;
        let Some(share) = &self.thread.tabling.share else {
            return Err(Why::Room.into());
        };
        let (leader, offer) = (share.leader as usize, share.offer.clone());
        let sync = self.program.shared_tables.sync();
        let mut memory = Memory::default();
        let mut tables = growth::with_room(described.keys.len())?;
        let mut numbers = FxHashMap::default();
        for (i, key) in described.keys.iter().enumerate() {
            let frame = self.thread.tabling.stack[leader + i].frame;
            tables.push(JointTable::of_frame(frame, 0, &mut memory, sync)?.ok_or(Why::Answers)?);
            let key: Box<[u64]> = growth::list(key.iter().copied())?.into();
            growth::insert(&mut numbers, key, i as u32)?;
        }
        let consumers = growth::list(described.consumers.iter().copied())?;
        let n = described.keys.len() as u32;
        let all = growth::list(0..n)?;
        let parts = self.parts(&described.common, &all, lanes_for(n), leader)?;
        let with = Arc::new(Cooperation::new(tables, numbers, consumers, &parts)?);
        let me = with.division.join().ok_or(Why::Room)?;
        debug_assert_eq!(me, 0);
        // What each common consumer has read need not be read again.
        let mut read = growth::with_room(all.len())?;
        for common in &described.common {
            read.push(common.iter().map(|&c| self.rows_read(c)).min().unwrap_or(0));
        }
        with.division.tell(me, with.news_of(me, &all));
        let own = self.thread.tabling.has_own();
        for (t, &n) in read.iter().enumerate() {
            if n > 0 || own {
                for lane in 0..with.lanes {
                    (with.division).has_seen_to(me, t as u32 * with.lanes + lane, n);
                }
            }
        }
        let counts = &self.program.shared_tables.offers.counts;
        counts.opened.fetch_add(1, Ordering::Relaxed);
        let subgoals = growth::list(all.iter().copied())?;
        self.begin_joint(
            with.clone(),
            me,
            (all, subgoals),
            (described.common, parts),
            memory,
        )?;
        offer.open(with);
        self.wait_for_company();
        Ok(())
    }

    /// The common consumers of each part: by table, and lane, which the owner's table says, so all members have the same.
    fn parts(
        &self,
        common: &[Vec<u32>],
        table_of: &[u32],
        lanes: u32,
        leader: usize,
    ) -> Result<Vec<Vec<u32>>, Refused> {
        let mut parts = growth::list((0..common.len() * lanes as usize).map(|_| Vec::new()))?;
        for (t, all) in common.iter().enumerate() {
            for &c in all {
                let owner = self.thread.tabling.consumers[c as usize].owner as usize - leader;
                let lane = table_of[owner] % lanes;
                growth::push(&mut parts[t * lanes as usize + lane as usize], c)?;
            }
        }
        Ok(parts)
    }

    /// How many rows of its table a consumer has read.
    fn rows_read(&self, consumer: u32) -> usize {
        match self.thread.tabling.consumers[consumer as usize].position {
            0 => 0,
            // (As `AnswerPtr::number` has it: rows are numbered.)
            bits => (bits >> 1) as usize + 1,
        }
    }

    /// This thread shares what another one has opened.
    fn join_offer(&mut self) -> Result<(), Undescribed> {
        let described = self.describe()?;
        let Some(share) = &self.thread.tabling.share else {
            return Err(Why::Room.into());
        };
        let leader = share.leader as usize;
        let Some(with) = share.offer.opened().cloned() else {
            return Err(Why::Room.into());
        };
        let n = described.keys.len();
        if n != with.tables.len() {
            return Err(Why::Differs.into());
        }
        let all = growth::list(0..n as u32)?;
        let mut table_of = growth::with_room(n)?;
        let mut subgoal_of = growth::list((0..n).map(|_| NONE))?;
        for (i, key) in described.keys.iter().enumerate() {
            let t = *with.numbers.get(key).ok_or(Why::Differs)?;
            if subgoal_of[t as usize] != NONE
                || with.consumers[t as usize] != described.consumers[i]
            {
                return Err(Why::Differs.into());
            }
            table_of.push(t);
            subgoal_of[t as usize] = i as u32;
        }
        let mut common = growth::list((0..n).map(|_| Vec::new()))?;
        for (i, all) in described.common.into_iter().enumerate() {
            common[table_of[i] as usize] = all;
        }
        let parts = self.parts(&common, &table_of, with.lanes, leader)?;
        let me = with.division.join().ok_or(Why::Room)?;
        let mut memory = Memory::default();
        let joined = self.add_own_rows(&with, me, leader, &table_of, &mut memory);
        let joined = joined.and_then(|()| {
            let numbers = (table_of, subgoal_of);
            Ok(self.begin_joint(with.clone(), me, numbers, (common, parts), memory)?)
        });
        if let Err(why) = joined {
            // What it has added is true, but it has not fed anybody.
            with.division.tell(me, with.news_of(me, &all));
            with.division.leave(me, &[], false);
            return Err(why);
        }
        let counts = &self.program.shared_tables.offers.counts;
        counts.joined.fetch_add(1, Ordering::Relaxed);
        // What it has found by itself others have not.
        if let Some(joint) = self.thread.tabling.joint_mut() {
            for t in 0..n as u32 {
                joint.has_news[t as usize] = true;
                joint.news.push(t);
            }
            joint.tell();
        }
        Ok(())
    }

    fn add_own_rows(
        &mut self,
        with: &Cooperation,
        me: usize,
        leader: usize,
        table_of: &[u32],
        memory: &mut Memory,
    ) -> Result<(), Undescribed> {
        for (i, &t) in table_of.iter().enumerate() {
            let s = &self.thread.tabling.stack[leader + i];
            let (frame, generation) = (s.frame, s.generation);
            let space = self.thread.tabling.tables.of(generation);
            space.each_row(frame, |row| {
                match with.tables[t as usize].add(me, row, memory)? {
                    Added::Unfit => Err(Undescribed::from(Why::Answers)),
                    _ => Ok(()),
                }
            })?;
        }
        Ok(())
    }

    /// The subgoals of the share are joint ones from now on. Refused: nothing has changed.
    fn begin_joint(
        &mut self,
        with: Arc<Cooperation>,
        me: usize,
        (table_of, subgoal_of): (Vec<u32>, Vec<u32>),
        (common, parts): (Vec<Vec<u32>>, Vec<Vec<u32>>),
        memory: Memory,
    ) -> Result<(), Refused> {
        let n = table_of.len();
        let Some(share) = &self.thread.tabling.share else {
            return Err(Refused);
        };
        let (leader, end) = (share.leader as usize, share.consumers);
        let mut own = growth::with_room(n)?;
        let mut joint = Box::new(Joint {
            with,
            me,
            // (Until it is one.)
            left: true,
            table_of,
            subgoal_of,
            common,
            parts,
            claim: None,
            claims: growth::with_room(CLAIMS)?,
            consumer: 0,
            row: 0,
            run: Run::NONE,
            news: growth::with_room(n)?,
            has_news: growth::list((0..n).map(|_| false))?,
            own: Vec::new(),
            has_own: growth::list((0..n).map(|_| false))?,
            copied: None,
            rests_until: None,
            fed: (0, 0),
            memory,
            key: growth::list(share.key.iter().copied())?.into(),
            offer: share.offer.clone(),
            offers: share.offers.clone(),
        });
        joint.left = false;
        let t = &mut self.thread.tabling;
        for i in 0..n {
            let index = leader + i;
            t.unlink_consumers(index, end);
            let s = &mut t.stack[index];
            s.kind |= JOINT;
            let (frame, generation, newest) = (s.frame, s.generation, s.newest);
            if newest == NONE {
                t.tables.of(generation).forget_rows(frame);
            } else {
                own.push((joint.table_of[i], [0; MEMBERS]));
                joint.has_own[joint.table_of[i] as usize] = true;
                t.enqueue(index);
            }
        }
        joint.own = own;
        if let Some(share) = &mut t.share {
            share.joint = Some(joint);
        }
        self.forget_pass(leader);
        Ok(())
    }
}
