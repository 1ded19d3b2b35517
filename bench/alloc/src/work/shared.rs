//! Workloads of several threads.
//!
//! Threads are named by number, and random streams by thread, so that sums do not depend on how threads interleave.
//! Batches of blocks travel through a [`Channel`] whose vectors are used again and again.

use crate::Plan;
use crate::single::{self, Table};
use crate::structures;
use samite_bench_alloc::block::{Block, MIN_RAW};
use samite_bench_alloc::rng::Rng;
use std::collections::VecDeque;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Barrier, Condvar, Mutex, PoisonError};
use std::thread;

/// The sum over all threads of what `body` returns for their number.
fn on_all(threads: usize, body: impl Fn(u64) -> u64 + Sync) -> u64 {
    let body = &body;
    thread::scope(|scope| {
        let handles: Vec<_> = (0..threads as u64)
            .map(|t| scope.spawn(move || body(t)))
            .collect();
        handles
            .into_iter()
            .fold(0u64, |sum, handle| match handle.join() {
                Ok(part) => sum.wrapping_add(part),
                Err(panic) => std::panic::resume_unwind(panic),
            })
    })
}

/// [`single::local`] in every thread.
pub fn local(plan: &Plan) -> u64 {
    let ops = plan.ops(14_000_000) / plan.threads;
    on_all(plan.threads, |t| single::churn(plan, t, 10_000, ops))
}

/// [`single::sizes`] in every thread.
pub fn sizes(plan: &Plan) -> u64 {
    let ops = plan.ops(1_200_000) / plan.threads;
    on_all(plan.threads, |t| single::resizing(plan, t, ops))
}

/// [`single::large`] in every thread.
pub fn large(plan: &Plan) -> u64 {
    let ops = plan.ops(2000) / plan.threads;
    on_all(plan.threads, |t| single::huge(plan, t, ops))
}

/// [`structures::trees`] in every thread.
pub fn trees(plan: &Plan) -> u64 {
    let rounds = plan.ops(220) / plan.threads;
    on_all(plan.threads, |t| structures::forest(plan, t, rounds))
}

/// A queue of batches with a limit.
struct Channel {
    queue: Mutex<VecDeque<Vec<Block>>>,
    changed: Condvar,
    limit: usize,
}

impl Channel {
    fn new(limit: usize) -> Channel {
        Channel {
            queue: Mutex::new(VecDeque::with_capacity(limit)),
            changed: Condvar::new(),
            limit,
        }
    }

    /// Waits for room.
    fn send(&self, batch: Vec<Block>) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        while queue.len() >= self.limit {
            queue = self
                .changed
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
        queue.push_back(batch);
        self.changed.notify_all();
    }

    /// Waits for a batch.
    fn receive(&self) -> Vec<Block> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(batch) = queue.pop_front() {
                self.changed.notify_all();
                return batch;
            }
            queue = self
                .changed
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Blocks in a batch.
const BATCH: usize = 256;
/// Batches under way in a channel.
const UNDER_WAY: usize = 16;

/// Half of the threads only make blocks, the other half only frees them.
pub fn remote(plan: &Plan) -> u64 {
    let pairs = plan.threads.div_ceil(2);
    let batches = plan.ops(24_000) / pairs;
    on_all(pairs, |pair| stream(plan, pair, 1, batches))
}

/// One thread makes blocks for all the others, which free them.
pub fn fanout(plan: &Plan) -> u64 {
    stream(plan, 0, plan.threads.max(3) - 1, plan.ops(24_000))
}

/// One producer, in this thread, and its consumers. Some blocks are freed by their producer all the same.
fn stream(plan: &Plan, stream: u64, consumers: usize, batches: usize) -> u64 {
    let full = Channel::new(UNDER_WAY);
    let empty = Channel::new(UNDER_WAY + consumers + 1);
    let mut rng = Rng::new(plan.seed, stream);
    for _ in 0..UNDER_WAY {
        empty.send(Vec::with_capacity(BATCH));
    }
    thread::scope(|scope| {
        let handles: Vec<_> = (0..consumers)
            .map(|_| {
                scope.spawn(|| {
                    let mut sum = 0u64;
                    loop {
                        let mut batch = full.receive();
                        if batch.is_empty() {
                            return sum;
                        }
                        for block in batch.drain(..) {
                            sum = sum.wrapping_add(block.free());
                        }
                        empty.send(batch);
                    }
                })
            })
            .collect();
        let mut sum = 0u64;
        for _ in 0..batches {
            let mut batch = empty.receive();
            for _ in 0..BATCH {
                let block = Block::new(rng.log_range(8, 1024), rng.next_u64());
                if rng.one_in(8) {
                    sum = sum.wrapping_add(block.free());
                } else {
                    batch.push(block);
                }
            }
            full.send(batch);
        }
        // An empty batch ends a consumer.
        for _ in 0..consumers {
            full.send(Vec::new());
        }
        handles
            .into_iter()
            .fold(sum, |sum, handle| match handle.join() {
                Ok(part) => sum.wrapping_add(part),
                Err(panic) => std::panic::resume_unwind(panic),
            })
    })
}

/// A server: a thread replaces random blocks of its table for a while, hands the table to a successor, and ends.
pub fn server(plan: &Plan) -> u64 {
    const GENERATIONS: usize = 100;
    let chains = 2 * plan.threads;
    let ops = plan.ops(13_000_000) / chains / GENERATIONS;
    on_all(chains, |chain| {
        let mut table = Table::new(1000);
        for generation in 0..GENERATIONS as u64 {
            table = thread::scope(|scope| {
                let worker = scope.spawn(move || {
                    let mut rng = Rng::new(plan.seed, chain << 32 | generation);
                    for _ in 0..ops {
                        table.replace(&mut rng, |rng| {
                            Block::new(rng.range(10, 500), rng.next_u64())
                        });
                    }
                    table
                });
                match worker.join() {
                    Ok(table) => table,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            });
        }
        table.finish()
    })
}

/// A ring: each thread hands batches of large blocks to the next one, and frees what the one before it made.
pub fn ring(plan: &Plan) -> u64 {
    const LARGE: usize = 9 << 10;
    const LARGEST: usize = 64 << 10;
    const PASSED: usize = 32;
    let threads = plan.threads.max(2);
    let rounds = plan.ops(24_000) / threads;
    let channels: Vec<Channel> = (0..threads).map(|_| Channel::new(UNDER_WAY)).collect();
    on_all(threads, |t| {
        let mut rng = Rng::new(plan.seed, t);
        let mut sum = 0u64;
        let mut batch = Vec::with_capacity(PASSED);
        for _ in 0..rounds {
            let size = rng.range(LARGE, LARGEST);
            batch.extend((0..PASSED).map(|_| Block::new(size, rng.next_u64())));
            channels[(t as usize + 1) % threads].send(batch);
            batch = channels[t as usize].receive();
            for block in batch.drain(..) {
                sum = sum.wrapping_add(block.free());
            }
        }
        sum
    })
}

/// All threads put blocks into one table of slots and free what they find there, mostly made by another.
pub fn exchange(plan: &Plan) -> u64 {
    let ops = plan.ops(4_500_000) / plan.threads;
    let mut slots = Vec::new();
    slots.resize_with(20_000, || AtomicPtr::<u8>::new(null_mut()));
    let release = |p: *mut u8| match NonNull::new(p) {
        None => 0,
        // SAFETY: every pointer in the slots is from `into_raw` and taken out by one swap; acquire in the swap pairs
        // with the release of the one that put it in.
        Some(p) => unsafe { Block::from_raw(p) }.free(),
    };
    let sum = on_all(plan.threads, |t| {
        let mut rng = Rng::new(plan.seed, t);
        let mut sum = 0u64;
        for _ in 0..ops {
            let size = rng.log_range(MIN_RAW, 2048).max(MIN_RAW);
            let new = Block::new(size, rng.next_u64()).into_raw();
            // Release publishes what is in the new block, acquire sees what is in the old one.
            let old = slots[rng.below(slots.len())].swap(new.as_ptr(), Ordering::AcqRel);
            sum = sum.wrapping_add(release(old));
        }
        sum
    });
    slots
        .iter_mut()
        .fold(sum, |sum, slot| sum.wrapping_add(release(*slot.get_mut())))
}

/// Thousands of short threads, each with a few hundred blocks, some of which outlive it.
pub fn threads(plan: &Plan) -> u64 {
    let count = plan.ops(8000);
    let next = AtomicUsize::new(0);
    on_all(plan.threads, |_| {
        let mut sum = 0u64;
        loop {
            // Relaxed: only the number matters.
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= count {
                return sum;
            }
            let (part, left) = thread::scope(|scope| {
                let short = scope.spawn(move || {
                    let mut rng = Rng::new(plan.seed, n as u64);
                    let mut table = Table::new(64);
                    for _ in 0..300 {
                        table.replace(&mut rng, |rng| {
                            Block::new(rng.log_range(8, 4096), rng.next_u64())
                        });
                    }
                    let left = [(); 10].map(|()| Block::new(rng.range(8, 200), rng.next_u64()));
                    (table.finish(), left)
                });
                match short.join() {
                    Ok(result) => result,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            });
            sum = sum.wrapping_add(part);
            for block in left {
                sum = sum.wrapping_add(block.free());
            }
        }
    })
}

/// Threads write often to small blocks: slow when blocks of two threads share a cache line. Each thread starts with a
/// block that one thread made for all, and goes on with blocks of its own.
pub fn lines(plan: &Plan) -> u64 {
    let rounds = plan.ops(130_000);
    let first: Vec<Block> = (0..plan.threads as u64)
        .map(|t| Block::new(16, t))
        .collect();
    let first: Vec<_> = first.into_iter().map(|b| Mutex::new(Some(b))).collect();
    let start = Barrier::new(plan.threads);
    on_all(plan.threads, |t| {
        let mut rng = Rng::new(plan.seed, t);
        let mut sum = 0u64;
        let mut block = first[t as usize].lock().ok().and_then(|mut b| b.take());
        start.wait();
        for _ in 0..rounds {
            if let Some(block) = block.take() {
                block.write_often(1000);
                sum = sum.wrapping_add(block.free());
            }
            block = Some(Block::new(rng.range(16, 32), rng.next_u64()));
        }
        block.map_or(sum, |b| sum.wrapping_add(b.free()))
    })
}
