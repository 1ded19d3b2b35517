//! Simplification of delay lists and answer completion when a component is complete; what they do: [`super::conditions`].
//!
//! Both take time in proportion to the literals of the component's conditional answers, the latter once more each time that it has withdrawn some.
//! Nothing is changed before all memory that it takes is there.

use super::conditions::{Conditions, Literal, Status, Truth};
use rustc_hash::{FxHashMap, FxHashSet};
use samite_table::FramePtr;
use samite_term::growth::{self, Refused};

/// A conditional answer of the component.
struct Node {
    answer: u64,
    frame: u64,
    /// Its lists are the next ones from here.
    first: u32,
    /// So many of its lists may still be true.
    lists: u32,
    joined: bool,
    now: Truth,
}

/// A delay list.
struct List {
    node: u32,
    /// Literals that are undefined.
    left: u32,
    /// Some literal is false.
    dead: bool,
    /// Of a value that is joined: false literals leave it undefined.
    joined: bool,
    /// Answer completion: positive literals of the component that have no support yet.
    needs: u32,
}

/// Answers of a frame of the component.
struct Counts {
    unconditional: usize,
    undefined: usize,
}

struct Work<'a> {
    nodes: Vec<Node>,
    lists: Vec<List>,
    /// The literals that were undefined at first, each with its list; in order.
    occurrences: Vec<((u64, u64), u32)>,
    number: FxHashMap<u64, u32>,
    counts: FxHashMap<u64, Counts>,
    /// Nodes whose truth has become known, to be told to others.
    queue: Vec<u32>,
    /// Answer completion: those that do not only support each other.
    supported: Vec<bool>,
    conditions: &'a Conditions,
}

impl Conditions {
    /// The frames of a component are complete: makes use of what is known of their conditions. The answers that do not hold are withdrawn by `withdraw`, which is
    /// given a frame that has such ones.
    pub(crate) fn simplify(
        &mut self,
        component: &[FramePtr],
        mut withdraw: impl FnMut(FramePtr, &Conditions),
    ) -> Result<(), Refused> {
        if self.is_empty() {
            return Ok(());
        }
        let mut work = Work {
            nodes: Vec::new(),
            lists: Vec::new(),
            occurrences: Vec::new(),
            number: FxHashMap::default(),
            counts: FxHashMap::default(),
            queue: Vec::new(),
            supported: Vec::new(),
            conditions: self,
        };
        for frame in component {
            work.add(*frame)?;
        }
        if work.nodes.is_empty() {
            return Ok(());
        }
        work.begin()?;
        work.propagate();
        while work.withdraw_unfounded() {
            work.propagate();
        }
        let Work { nodes, lists, .. } = work;
        self.settle(&nodes);
        for &frame in component {
            if self.leave_out(&nodes, frame) {
                withdraw(frame, self);
            }
        }
        self.shorten(&nodes, &lists);
        Ok(())
    }

    /// Whether an answer has been withdrawn.
    pub(crate) fn is_withdrawn(&self, answer: u64) -> bool {
        matches!(self.answers.get(&answer), Some(Status::Withdrawn))
    }

    /// The answers of a frame that have become known are conditional no more; whether one has been withdrawn.
    fn leave_out(&mut self, nodes: &[Node], frame: FramePtr) -> bool {
        let bits = frame.to_bits();
        let from = nodes.partition_point(|n| n.frame < bits);
        let of_frame = nodes[from..].iter().take_while(|n| n.frame == bits);
        let (mut known, mut withdrawn) = (0, false);
        for n in of_frame {
            known += usize::from(n.now != Truth::Undefined);
            withdrawn |= n.now == Truth::False;
        }
        if known > 0
            && let Some(f) = self.frames.get_mut(&bits)
        {
            f.conditional -= known;
        }
        withdrawn
    }

    /// Makes what has been found out of answers true.
    fn settle(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node.now {
                Truth::True => self.forget(node.answer),
                Truth::False => {
                    self.forget(node.answer);
                    // (There was an entry for it.)
                    self.answers.insert(node.answer, Status::Withdrawn);
                }
                Truth::Undefined => {}
            }
        }
    }

    /// Takes what has been found out of the lists of those that are undefined still.
    fn shorten(&mut self, nodes: &[Node], lists: &[List]) {
        for node in nodes.iter().filter(|n| n.now == Truth::Undefined) {
            let Some(Status::Conditional(mut a)) = self.answers.remove(&node.answer) else {
                continue;
            };
            let before: usize = a.lists.iter().map(Vec::len).sum();
            let mut number = node.first as usize;
            a.lists.retain(|_| {
                number += 1;
                !lists[number - 1].dead
            });
            let joined = self.is_joined(node.frame);
            for list in &mut a.lists {
                list.retain_mut(|l| {
                    // (It is not in `answers` itself at the moment.)
                    let truth = match l.answer == node.answer {
                        true => Truth::Undefined,
                        false => self.literal(l),
                    };
                    if joined && truth == Truth::False {
                        *l = Literal::UNKNOWN;
                    }
                    truth == Truth::Undefined || *l == Literal::UNKNOWN
                });
                list.sort_unstable();
                list.dedup();
            }
            a.known = FxHashSet::default();
            let after: usize = a.lists.iter().map(Vec::len).sum();
            self.literals -= before - after;
            self.answers.insert(node.answer, Status::Conditional(a));
        }
    }
}

impl Work<'_> {
    /// Takes the conditional answers of a frame into the work.
    fn add(&mut self, frame: FramePtr) -> Result<(), Refused> {
        let bits = frame.to_bits();
        let conditional = self.conditions.count_of(bits);
        if conditional == 0 {
            return Ok(());
        }
        let counts = Counts {
            unconditional: frame.answer_count() - conditional,
            undefined: conditional,
        };
        growth::insert(&mut self.counts, bits, counts)?;
        for answer in self.conditions.of_frame(bits) {
            growth::insert(&mut self.number, answer, self.nodes.len() as u32)?;
            growth::push(
                &mut self.nodes,
                Node {
                    answer,
                    frame: bits,
                    first: 0,
                    lists: 0,
                    joined: self.conditions.is_joined(bits),
                    now: Truth::Undefined,
                },
            )?;
        }
        Ok(())
    }

    /// What is known of the literals at first.
    fn begin(&mut self) -> Result<(), Refused> {
        // (As `leave_out` wants them.)
        self.nodes.sort_unstable_by_key(|n| (n.frame, n.answer));
        for (i, node) in self.nodes.iter().enumerate() {
            self.number.insert(node.answer, i as u32);
        }
        growth::have(&mut self.queue, self.nodes.len())?;
        growth::have(&mut self.supported, self.nodes.len())?;
        let conditions = self.conditions;
        for i in 0..self.nodes.len() {
            let lists = conditions.of(self.nodes[i].answer);
            let joined = conditions.is_joined(self.nodes[i].frame);
            self.nodes[i].first = self.lists.len() as u32;
            self.nodes[i].lists = lists.len() as u32;
            for list in lists {
                let number = self.lists.len() as u32;
                let mut l = List {
                    node: i as u32,
                    left: 0,
                    dead: false,
                    joined,
                    needs: 0,
                };
                for literal in list {
                    match conditions.literal(literal) {
                        Truth::True => {}
                        Truth::False if joined => l.left += 1,
                        Truth::False => l.dead = true,
                        Truth::Undefined => {
                            l.left += 1;
                            growth::push(&mut self.occurrences, (literal.key(), number))?;
                        }
                    }
                }
                let (dead, left) = (l.dead, l.left);
                growth::push(&mut self.lists, l)?;
                if dead {
                    self.one_list_less(i as u32);
                } else if left == 0 {
                    self.known(i as u32, Truth::True);
                }
            }
        }
        self.occurrences.sort_unstable();
        Ok(())
    }

    fn one_list_less(&mut self, node: u32) {
        let n = &mut self.nodes[node as usize];
        n.lists -= 1;
        if n.lists == 0 {
            self.known(node, Truth::False);
        }
    }

    fn known(&mut self, node: u32, truth: Truth) {
        let n = &mut self.nodes[node as usize];
        if n.now == Truth::Undefined {
            n.now = truth;
            // (There is room for each node once.)
            self.queue.push(node);
        }
    }

    /// The numbers of the lists with a literal.
    fn lists_with(&self, key: (u64, u64)) -> std::ops::Range<usize> {
        let from = self.occurrences.partition_point(|o| o.0 < key);
        let many = self.occurrences[from..].partition_point(|o| o.0 == key);
        from..from + many
    }

    fn literal_is(&mut self, key: (u64, u64), truth: bool) {
        for at in self.lists_with(key) {
            let number = self.occurrences[at].1 as usize;
            let list = &mut self.lists[number];
            if list.dead {
                continue;
            }
            let node = list.node;
            if truth {
                list.left -= 1;
                if list.left == 0 {
                    self.known(node, Truth::True);
                }
            } else if !list.joined {
                list.dead = true;
                self.one_list_less(node);
            }
        }
    }

    /// Tells what has become known.
    fn propagate(&mut self) {
        while let Some(i) = self.queue.pop() {
            let Node {
                answer, frame, now, ..
            } = self.nodes[i as usize];
            self.literal_is((frame, answer), now == Truth::True);
            let Some(c) = self.counts.get_mut(&frame) else {
                continue;
            };
            c.undefined -= 1;
            c.unconditional += usize::from(now == Truth::True);
            let [negative, general] = Literal::negative_keys(frame);
            if now == Truth::True && c.unconditional == 1 {
                self.literal_is(negative, false);
            } else if c.unconditional == 0 && c.undefined == 0 {
                self.literal_is(negative, true);
                self.literal_is(general, true);
            }
        }
    }

    /// Answer completion, once: whether there were answers that only support each other.
    fn withdraw_unfounded(&mut self) -> bool {
        for l in &mut self.lists {
            l.needs = 0;
        }
        // (Literals that have become known are of nodes that are not undefined. Joined values need no support.)
        for &((_, answer), number) in &self.occurrences {
            if let Some(&node) = self.number.get(&answer)
                && self.nodes[node as usize].now == Truth::Undefined
                && !self.nodes[node as usize].joined
            {
                self.lists[number as usize].needs += 1;
            }
        }
        self.supported.clear();
        self.supported.resize(self.nodes.len(), false);
        for (node, supported) in self.nodes.iter().zip(&mut self.supported) {
            *supported = node.joined;
        }
        for number in 0..self.lists.len() {
            self.support(number);
        }
        while let Some(i) = self.queue.pop() {
            let node = &self.nodes[i as usize];
            for at in self.lists_with((node.frame, node.answer)) {
                let number = self.occurrences[at].1 as usize;
                self.lists[number].needs -= 1;
                self.support(number);
            }
        }
        let mut some = false;
        for i in 0..self.nodes.len() {
            if !self.supported[i] && self.nodes[i].now == Truth::Undefined {
                self.known(i as u32, Truth::False);
                some = true;
            }
        }
        some
    }

    /// A list that needs no other answer of the component supports its own.
    fn support(&mut self, number: usize) {
        let List {
            node, dead, needs, ..
        } = self.lists[number];
        let i = node as usize;
        if !dead && needs == 0 && self.nodes[i].now == Truth::Undefined && !self.supported[i] {
            self.supported[i] = true;
            self.queue.push(node);
        }
    }
}
