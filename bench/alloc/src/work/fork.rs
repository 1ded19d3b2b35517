//! A process with a heap forks often; each child uses what it inherited and allocates itself.

use crate::Plan;
use crate::single::Table;
use samite_bench_alloc::block::Block;
use samite_bench_alloc::rng::Rng;

/// A hundred forks beside ten thousand live blocks.
pub fn forks(plan: &Plan) -> u64 {
    let mut rng = Rng::new(plan.seed, 0);
    let mut table = Table::new(10_000);
    let mut failed = 0;
    for _ in 0..plan.ops(120) {
        for _ in 0..2000 {
            table.replace(&mut rng, |rng| {
                Block::new(rng.range(8, 1024), rng.next_u64())
            });
        }
        // SAFETY: the process has one thread, so the child may do whatever the parent may.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // A stamp that is not intact ends the child with a signal.
            for _ in 0..2000 {
                table.replace(&mut rng, |rng| {
                    Block::new(rng.range(8, 1024), rng.next_u64())
                });
            }
            // SAFETY: ends the child without running what the parent registered for its own end.
            unsafe { libc::_exit(0) };
        }
        let mut status = -1;
        // SAFETY: `status` is a live local.
        let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
        if child < 0 || waited != child || status != 0 {
            failed += 1;
        }
    }
    assert_eq!(failed, 0, "children failed");
    table.finish()
}
