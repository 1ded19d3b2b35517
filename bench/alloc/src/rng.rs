//! Random numbers that depend on nothing but a seed and the number of a stream (splitmix64, by Steele, Lea and Flood).

/// A generator of random numbers.
#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
    /// The generator of one of the streams of a seed; streams of one seed, and of different seeds, differ.
    pub fn new(seed: u64, stream: u64) -> Rng {
        let mut mixed = Rng(seed);
        let base = mixed.next_u64();
        let mut rng = Rng(base ^ stream.wrapping_mul(0xd6e8_feb8_6659_fd93));
        rng.next_u64();
        rng
    }

    /// The next number.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// A number in `low..=high`.
    #[inline]
    pub fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// A number in `low..=high` such that every doubling is as likely as every other: sizes as programs ask for them.
    #[inline]
    pub fn log_range(&mut self, low: usize, high: usize) -> usize {
        let (a, b) = (low.max(1).ilog2(), high.max(1).ilog2());
        let bits = self.range(a as usize, b as usize);
        let start = 1usize << bits;
        self.range(start.max(low), (2 * start - 1).min(high).max(low))
    }

    /// True once in `n` times.
    #[inline]
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_and_streams_differ() {
        let mut first: Vec<u64> = Vec::new();
        for seed in 0..10 {
            for stream in 0..10 {
                first.push(Rng::new(seed, stream).next_u64());
            }
        }
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 100);
    }

    #[test]
    fn ranges_are_kept_and_filled() {
        let mut rng = Rng::new(1, 1);
        let mut seen = [false; 5];
        for _ in 0..1000 {
            seen[rng.range(3, 7) - 3] = true;
            let size = rng.log_range(5, 1000);
            assert!((5..=1000).contains(&size));
        }
        assert_eq!(seen, [true; 5]);
    }
}
