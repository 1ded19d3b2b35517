//! `alloc-fuzz [OPTION]...`: random operations on whatever `malloc` the process has, with an oracle.
//!
//! With one thread a seed gives one sequence of operations and sizes, whatever the allocator. Threads exchange blocks,
//! end, and hand what they have to a successor. The exit status is 1 if anything was not as it must be.

mod heap;
mod oracle;
mod pattern;
mod player;

use heap::CHeap;
use player::{Game, Player};
use samite_bench_alloc::{island::Island, rng::Rng};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[global_allocator]
static ISLAND: Island = Island::new();

const USAGE: &str = "\
Usage: alloc-fuzz [OPTION]...

  --seed N      random numbers (default 1); rounds use this one and those after it
  --ops N       operations of each thread in a round (default 1000000)
  --seconds N   rounds for so long (default: one round)
  --threads N   (default 1)
  --budget MB   memory that the game keeps allocated at most, about (default 256)
  --lenient     only what C and POSIX say, not what glibc's manual adds
";

/// Operations after which a thread hands its blocks to a successor.
const LIFE: u64 = 100_000;

struct Options {
    seed: u64,
    ops: u64,
    seconds: u64,
    threads: u64,
    budget: usize,
    strict: bool,
}

fn main() -> ExitCode {
    let options = match parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let start = Instant::now();
    let limit = Duration::from_secs(options.seconds);
    let (mut rounds, mut seed, mut digest) = (0, options.seed, 0u64);
    loop {
        match round(&options, seed) {
            Ok(part) => digest = digest.rotate_left(1) ^ part,
            Err(message) => {
                println!("FAILED with seed {seed}: {message}");
                return ExitCode::FAILURE;
            }
        }
        rounds += 1;
        seed = seed.wrapping_add(1);
        if start.elapsed() >= limit {
            break;
        }
    }
    let all = rounds * options.threads * options.ops;
    println!(
        "ok: {rounds} rounds, {all} operations, seeds {} to {}",
        options.seed,
        seed.wrapping_sub(1)
    );
    // Several threads exchange blocks as it happens.
    if options.threads == 1 {
        println!("digest={digest:016x}");
    }
    ExitCode::SUCCESS
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        seed: 1,
        ops: 1_000_000,
        seconds: 0,
        threads: 1,
        budget: 256,
        strict: true,
    };
    while let Some(arg) = args.next() {
        let mut number = || -> Result<u64, String> {
            let value = args.next().ok_or_else(|| format!("{arg} needs a value"))?;
            value.parse().map_err(|_| format!("no number: {value}"))
        };
        match arg.as_str() {
            "--seed" => options.seed = number()?,
            "--ops" => options.ops = number()?.max(1),
            "--seconds" => options.seconds = number()?,
            "--threads" => options.threads = number()?.max(1),
            "--budget" => options.budget = number()?.max(1) as usize,
            "--lenient" => options.strict = false,
            _ => return Err(format!("unknown argument {arg}")),
        }
    }
    Ok(options)
}

/// One game with one seed; stands for the blocks of one thread.
fn round(options: &Options, seed: u64) -> Result<u64, String> {
    let budget = (options.budget << 20) / options.threads as usize;
    let game = Game::new(&CHeap, options.strict, budget);
    let stop = AtomicBool::new(false);
    let (game, stop) = (&game, &stop);
    if options.threads == 1 {
        let mut player = Player::new(game, Rng::new(seed, 0));
        play(&mut player, options.ops, stop)?;
        let digest = player.finish()?;
        return game.finish().map(|()| digest);
    }
    let results: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let seats: Vec<_> = (0..options.threads)
            .map(|t| scope.spawn(move || seat(game, seed, t, options.ops, stop)))
            .collect();
        seats.into_iter().map(|seat| join(seat.join())).collect()
    });
    results.into_iter().collect::<Result<(), String>>()?;
    game.finish().map(|()| 0)
}

/// The threads that follow each other with the same blocks.
fn seat(game: &Game, seed: u64, number: u64, ops: u64, stop: &AtomicBool) -> Result<(), String> {
    let mut player = Player::new(game, Rng::new(seed, number));
    let mut left = ops;
    while left > 0 {
        let now = left.min(LIFE);
        left -= now;
        player = std::thread::scope(|scope| {
            let life = scope.spawn(move || play(&mut player, now, stop).map(|()| player));
            join(life.join())
        })?;
    }
    player.finish().map(|_| ())
}

/// A thread that panicked is a failure like any other.
fn join<T>(result: std::thread::Result<Result<T, String>>) -> Result<T, String> {
    result.unwrap_or_else(|_| Err("a thread panicked".to_owned()))
}

/// Some operations; all players stop when one fails.
fn play(player: &mut Player, ops: u64, stop: &AtomicBool) -> Result<(), String> {
    for n in 0..ops {
        // Relaxed: only makes the others end soon.
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        if let Err(message) = player.step() {
            stop.store(true, Ordering::Relaxed);
            return Err(format!("operation {n}: {message}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::Heap;
    use std::sync::atomic::AtomicPtr;

    fn game(heap: &dyn Heap) -> Result<(), String> {
        let game = Game::new(heap, true, 8 << 20);
        let mut player = Player::new(&game, Rng::new(3, 0));
        play(&mut player, 50_000, &AtomicBool::new(false))?;
        player.finish()?;
        game.finish()
    }

    #[test]
    fn the_heap_of_the_machine_passes() {
        assert_eq!(game(&CHeap), Ok(()));
    }

    #[test]
    fn threads_pass_too() {
        let options = Options {
            seed: 5,
            ops: 150_000,
            seconds: 0,
            threads: 3,
            budget: 16,
            strict: true,
        };
        assert_eq!(round(&options, 5), Ok(0));
    }

    /// Runs a game on a heap with one fault, which must be found and named.
    fn found(heap: &dyn Heap, word: &str) {
        let message = game(heap).expect_err("not found");
        assert!(message.contains(word), "{message}");
    }

    #[test]
    fn a_block_handed_out_twice_is_found() {
        struct Twice(AtomicPtr<u8>);
        impl Heap for Twice {
            fn malloc(&self, size: usize) -> *mut u8 {
                if self.0.load(Ordering::Relaxed).is_null() {
                    self.0.store(CHeap.malloc(1 << 20), Ordering::Relaxed);
                }
                if size < 1 << 20 {
                    self.0.load(Ordering::Relaxed)
                } else {
                    CHeap.malloc(size)
                }
            }
            unsafe fn free(&self, _: *mut u8) {}
            unsafe fn free_sized(&self, _: *mut u8, _: usize) {}
        }
        found(&Twice(AtomicPtr::new(std::ptr::null_mut())), "overlaps");
    }

    #[test]
    fn lost_content_is_found() {
        struct Forgets;
        impl Heap for Forgets {
            unsafe fn realloc(&self, p: *mut u8, size: usize) -> *mut u8 {
                // SAFETY: passed on; a granted block has the size.
                unsafe {
                    let p = CHeap.realloc(p, size);
                    if !p.is_null() && size > 40 {
                        *p.add(20) ^= 1;
                    }
                    p
                }
            }
        }
        found(&Forgets, "is lost");
    }

    #[test]
    fn unclean_calloc_is_found() {
        struct Unclean;
        impl Heap for Unclean {
            fn calloc(&self, n: usize, size: usize) -> *mut u8 {
                let p = CHeap.calloc(n, size);
                if !p.is_null() && n * size > 0 {
                    // SAFETY: the last byte of the block.
                    unsafe { p.add(n * size - 1).write(1) };
                }
                p
            }
        }
        found(&Unclean, "not zero");
    }

    #[test]
    fn wrong_alignment_is_found() {
        struct Crooked;
        impl Heap for Crooked {
            fn memalign(&self, align: usize, size: usize) -> *mut u8 {
                CHeap.memalign(align.min(16), size)
            }
        }
        found(&Crooked, "not aligned");
    }

    #[test]
    fn a_wrong_errno_is_found() {
        struct Rude;
        impl Heap for Rude {
            unsafe fn free(&self, p: *mut u8) {
                // SAFETY: passed on.
                unsafe { CHeap.free(p) };
                samite_bench_alloc::calls::set_errno(libc::EAGAIN);
            }
        }
        found(&Rude, "errno");
    }

    #[test]
    fn an_exaggerated_usable_size_is_found() {
        struct Boaster;
        impl Heap for Boaster {
            fn usable(&self, p: *mut u8) -> usize {
                if p.is_null() { 0 } else { CHeap.usable(p) - 8 }
            }
        }
        found(&Boaster, "usable");
    }
}
