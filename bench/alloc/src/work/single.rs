//! Workloads of one thread.

use crate::Plan;
use samite_bench_alloc::block::Block;
use samite_bench_alloc::rng::Rng;

/// A table of blocks, of which random ones are replaced: the steady state of most programs.
pub struct Table {
    slots: Vec<Option<Block>>,
    pub sum: u64,
}

impl Table {
    pub fn new(slots: usize) -> Table {
        let slots = std::iter::repeat_with(|| None).take(slots).collect();
        Table { slots, sum: 0 }
    }

    /// Replaces a random block.
    #[inline]
    pub fn replace(&mut self, rng: &mut Rng, make: impl FnOnce(&mut Rng) -> Block) {
        let at = rng.below(self.slots.len());
        if let Some(old) = self.slots[at].take() {
            self.sum = self.sum.wrapping_add(old.free());
        }
        self.slots[at] = Some(make(rng));
    }

    /// Frees what is left.
    pub fn finish(mut self) -> u64 {
        for block in self.slots.drain(..).flatten() {
            self.sum = self.sum.wrapping_add(block.free());
        }
        self.sum
    }
}

/// A small block is made and freed at once, beside a few that stay: the shortest path.
pub fn pairs(plan: &Plan) -> u64 {
    let mut rng = Rng::new(plan.seed, 0);
    let mut stay: Vec<Block> = (0..1000)
        .map(|i| Block::new(rng.range(1, 512), i))
        .collect();
    let mut sum = 0u64;
    for round in 0..plan.ops(40_000) {
        for _ in 0..1000 {
            let id = rng.next_u64();
            sum = sum.wrapping_add(Block::new(8 + (id & 127) as usize, id).free());
        }
        let at = round % stay.len();
        let new = Block::new(rng.range(1, 512), rng.next_u64());
        sum = sum.wrapping_add(std::mem::replace(&mut stay[at], new).free());
    }
    stay.into_iter()
        .fold(sum, |sum, b| sum.wrapping_add(b.free()))
}

/// Random blocks of up to half a kilobyte are replaced among twenty thousand.
pub fn local(plan: &Plan) -> u64 {
    churn(plan, 0, 20_000, plan.ops(11_000_000))
}

/// The body of [`local`] for one of several threads.
pub fn churn(plan: &Plan, thread: u64, slots: usize, ops: usize) -> u64 {
    let mut rng = Rng::new(plan.seed, thread);
    let mut table = Table::new(slots);
    for _ in 0..ops {
        table.replace(&mut rng, |rng| {
            Block::new(rng.range(8, 512), rng.next_u64())
        });
    }
    table.finish()
}

/// Sizes from 8 bytes to 64 KiB, every doubling as likely; a third of the operations is `realloc`.
pub fn sizes(plan: &Plan) -> u64 {
    resizing(plan, 0, plan.ops(1_500_000))
}

/// The body of [`sizes`] for one of several threads.
pub fn resizing(plan: &Plan, thread: u64, ops: usize) -> u64 {
    let mut rng = Rng::new(plan.seed, thread);
    let mut table = Table::new(4000);
    for _ in 0..ops {
        if rng.one_in(3) {
            let at = rng.below(table.slots.len());
            if let Some(old) = table.slots[at].take() {
                // Mostly a little more or less, as buffers do; sometimes anything.
                let size = if rng.one_in(4) {
                    rng.log_range(8, 1 << 16)
                } else {
                    (old.size() * rng.range(6, 13) / 8).clamp(8, 1 << 17)
                };
                table.slots[at] = Some(old.resize(size));
            }
        } else {
            table.replace(&mut rng, |rng| {
                Block::new(rng.log_range(8, 1 << 16), rng.next_u64())
            });
        }
    }
    table.finish()
}

/// Blocks of 32 KiB to 8 MiB, written on every page; some grow.
pub fn large(plan: &Plan) -> u64 {
    huge(plan, 0, plan.ops(2500))
}

/// The body of [`large`] for one of several threads.
pub fn huge(plan: &Plan, thread: u64, ops: usize) -> u64 {
    let mut rng = Rng::new(plan.seed, thread);
    let mut table = Table::new(24);
    for n in 0..ops {
        table.replace(&mut rng, |rng| {
            let mut block = Block::new(rng.log_range(1 << 15, 1 << 23), rng.next_u64());
            block.touch();
            if n % 4 == 0 {
                let size = block.size() + block.size() / 2;
                block = block.resize(size);
                block.touch();
            }
            block
        });
    }
    table.finish()
}

/// The program builds much, drops nearly all of it, and goes on with other sizes. What is left is everywhere.
pub fn phases(plan: &Plan) -> u64 {
    let mut rng = Rng::new(plan.seed, 0);
    let mut kept: Vec<Block> = Vec::new();
    let mut sum = 0u64;
    for phase in 0..plan.ops(4) {
        // Classes far from those of the phase before; about 80 MB each time.
        let base = [24, 640, 96, 2500, 48, 200][phase % 6];
        let count = (80 << 20) / (base + base / 2);
        let mut live: Vec<Block> = (0..count)
            .map(|_| Block::new(rng.range(base, 2 * base), rng.next_u64()))
            .collect();
        for at in (1..live.len()).rev() {
            live.swap(at, rng.below(at + 1));
        }
        kept.extend(live.split_off(live.len() - live.len() / 50));
        for block in live {
            sum = sum.wrapping_add(block.free());
        }
    }
    kept.into_iter()
        .fold(sum, |sum, b| sum.wrapping_add(b.free()))
}

/// A million and a half blocks alive at once, replaced at random, freed in random order.
pub fn many(plan: &Plan) -> u64 {
    let mut rng = Rng::new(plan.seed, 0);
    let mut live: Vec<Block> = (0..plan.ops(1_000_000))
        .map(|_| Block::new(rng.range(16, 160), rng.next_u64()))
        .collect();
    let mut sum = 0u64;
    for _ in 0..live.len() {
        let at = rng.below(live.len());
        let new = Block::new(rng.range(16, 160), rng.next_u64());
        sum = sum.wrapping_add(std::mem::replace(&mut live[at], new).free());
    }
    while !live.is_empty() {
        let at = rng.below(live.len());
        sum = sum.wrapping_add(live.swap_remove(at).free());
    }
    sum
}

/// Batches of a hundred to ten thousand blocks are freed in the order they were made, in the opposite one, or mixed.
pub fn batches(plan: &Plan) -> u64 {
    let mut rng = Rng::new(plan.seed, 0);
    let mut sum = 0u64;
    let mut batch: Vec<Block> = Vec::with_capacity(10_000);
    for n in 0..plan.ops(4500) {
        let size = rng.log_range(16, 1024);
        for _ in 0..rng.log_range(100, 10_000) {
            batch.push(Block::new(size + rng.below(16), rng.next_u64()));
        }
        match n % 3 {
            0 => {}
            1 => batch.reverse(),
            _ => {
                for at in (1..batch.len()).rev() {
                    batch.swap(at, rng.below(at + 1));
                }
            }
        }
        for block in batch.drain(..) {
            sum = sum.wrapping_add(block.free());
        }
    }
    sum
}

/// `calloc` of 16 bytes to 256 KiB, among blocks that were written before.
pub fn zeroed(plan: &Plan) -> u64 {
    let mut rng = Rng::new(plan.seed, 0);
    let mut table = Table::new(600);
    for _ in 0..plan.ops(280_000) {
        table.replace(&mut rng, |rng| {
            let block = Block::zeroed(rng.log_range(16, 1 << 18), rng.next_u64());
            block.touch();
            block
        });
    }
    table.finish()
}

/// `posix_memalign` with alignments of 16 bytes to 4 KiB.
pub fn aligned(plan: &Plan) -> u64 {
    let mut rng = Rng::new(plan.seed, 0);
    let mut table = Table::new(5000);
    for _ in 0..plan.ops(1_800_000) {
        table.replace(&mut rng, |rng| {
            let align = 1 << rng.range(4, 12);
            Block::aligned(align, rng.log_range(16, 4096), rng.next_u64())
        });
    }
    table.finish()
}
