//! What evaluation depends on besides the expression: flags, the random generator, clocks. One [`Env`] a thread.

use crate::float::{FloatFlags, Rounding};
use dashu_base::BitTest;
use samite_term::Number;
use samite_term::number::{IBig, UBig};
use samite_world::{clock, random};
use std::hash::Hasher;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Flags, random generator and clocks of a thread.
#[derive(Clone, Debug)]
pub struct Env {
    /// The flag `iso`: `/` on integers is always a float.
    pub iso: bool,
    /// The flag `prefer_rationals`: inexact `/`, and powers with a negative exponent, of integers are rationals.
    pub prefer_rationals: bool,
    pub floats: FloatFlags,
    pub random: Random,
    /// Seconds of processor time used; by default the time since the environment was made.
    pub cputime: Clock,
    /// Seconds since 1970.
    pub realtime: Clock,
    /// Name and arity of the function that the last error is about, if it is about one: SWI-Prolog's context of the error.
    pub function: Option<(&'static str, usize)>,
}

/// Where a time comes from.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    /// Time since a start.
    Since(Instant),
    /// Wall-clock time since 1970.
    Wall,
    /// Whatever the function says.
    Function(fn() -> f64),
}

impl Clock {
    /// The time in seconds.
    pub fn seconds(self) -> f64 {
        match self {
            Clock::Since(start) => clock::now().duration_since(start).as_secs_f64(),
            Clock::Wall => clock::wall().as_secs_f64(),
            Clock::Function(f) => f(),
        }
    }
}

impl Default for Env {
    fn default() -> Env {
        Env::with_cputime(Clock::Since(clock::now()))
    }
}

impl Env {
    /// As the default, with that clock of the processor.
    pub fn with_cputime(cputime: Clock) -> Env {
        Env {
            iso: false,
            prefer_rationals: false,
            floats: FloatFlags::DEFAULT,
            random: Random::UNSEEDED,
            cputime,
            realtime: Clock::Wall,
            function: None,
        }
    }
    /// Whether it is as [`Env::with_cputime`] of its clock, but for what the last error was about.
    pub fn is_new(&self) -> bool {
        let Env {
            iso,
            prefer_rationals,
            floats,
            random,
            cputime: _,
            realtime: _,
            function: _,
        } = self;
        !iso && !prefer_rationals && *floats == FloatFlags::DEFAULT && random.is_unseeded()
    }
}

impl Env {
    /// The value of an arithmetic flag, if `flag` is one.
    pub fn flag(&self, flag: &str) -> Option<&'static str> {
        fn choose(set: bool, yes: &'static str, no: &'static str) -> &'static str {
            if set { yes } else { no }
        }
        Some(match flag {
            "iso" => choose(self.iso, "true", "false"),
            "prefer_rationals" => choose(self.prefer_rationals, "true", "false"),
            "float_overflow" => choose(self.floats.overflow_is_infinity, "infinity", "error"),
            "float_zero_div" => choose(self.floats.zero_div_is_infinity, "infinity", "error"),
            "float_undefined" => choose(self.floats.undefined_is_nan, "nan", "error"),
            "float_underflow" => choose(self.floats.underflow_is_error, "error", "ignore"),
            "float_rounding" => self.floats.rounding.name(),
            _ => return None,
        })
    }
    /// Sets an arithmetic flag; false if there is no such flag or no such value of it.
    pub fn set_flag(&mut self, flag: &str, value: &str) -> bool {
        let (place, yes, no) = match flag {
            "iso" => (&mut self.iso, "true", "false"),
            "prefer_rationals" => (&mut self.prefer_rationals, "true", "false"),
            "float_overflow" => (&mut self.floats.overflow_is_infinity, "infinity", "error"),
            "float_zero_div" => (&mut self.floats.zero_div_is_infinity, "infinity", "error"),
            "float_undefined" => (&mut self.floats.undefined_is_nan, "nan", "error"),
            "float_underflow" => (&mut self.floats.underflow_is_error, "error", "ignore"),
            "float_rounding" => {
                return match Rounding::named(value) {
                    Some(r) => {
                        self.floats.rounding = r;
                        true
                    }
                    None => false,
                };
            }
            _ => return false,
        };
        if value != yes && value != no {
            return false;
        }
        *place = value == yes;
        true
    }
}

/// The generator xoshiro256++ (Blackman, Vigna: Scrambled linear pseudorandom number generators, 2021).
#[derive(Clone, Debug)]
pub struct Random {
    /// All zeros, which no seed makes: it is seeded when it is asked for the first number.
    state: [u64; 4],
}

impl Random {
    /// One that nobody has asked for a number; it will be [`Random::from_system`].
    const UNSEEDED: Random = Random { state: [0; 4] };

    /// Whether nobody has asked it for a number, or given it a seed.
    pub fn is_unseeded(&self) -> bool {
        self.state == [0; 4]
    }
    /// A generator that nobody can predict, and of which there is no other, if the system has what that takes; else one by time and process.
    fn from_system() -> Random {
        static SEED: OnceLock<u64> = OnceLock::new();
        static MADE: AtomicU64 = AtomicU64::new(0);
        let mut h = rustc_hash::FxHasher::default();
        h.write_u64(*SEED.get_or_init(random::seed));
        // Relaxed: only the number has to be unique.
        h.write_u64(MADE.fetch_add(1, Ordering::Relaxed));
        Random::seeded(h.finish())
    }
    /// The generator that a seed stands for.
    fn seeded(mut seed: u64) -> Random {
        // The state is filled by splitmix64, so that it is never all zeros.
        let state = std::array::from_fn(|_| {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = seed;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        Random { state }
    }
    /// The generator that a number as a seed stands for: all of its bits count.
    pub fn seeded_by(seed: &Number) -> Random {
        match seed {
            Number::Int(v) => Random::seeded(*v as u64),
            _ => {
                let mut words = vec![0; seed.box_words()];
                seed.write_box(&mut words);
                let mut h = rustc_hash::FxHasher::default();
                for w in words {
                    h.write_u64(w);
                }
                Random::seeded(h.finish())
            }
        }
    }
    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        if self.is_unseeded() {
            *self = Random::from_system();
        }
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }
    /// A float above 0 and below 1.
    pub fn float(&mut self) -> f64 {
        loop {
            let f = (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            if f != 0.0 {
                return f;
            }
        }
    }
    /// An integer from 0 up to and excluding `bound`, all equally likely. `bound` must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // Lemire, Fast random integer generation in an interval, 2019.
        let mut product = u128::from(self.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            let reject = bound.wrapping_neg() % bound;
            while (product as u64) < reject {
                product = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }
    /// As [`Random::below`], for bounds of any size.
    pub fn below_big(&mut self, bound: &UBig) -> IBig {
        let bits = bound.bit_len();
        let spare = bits.div_ceil(64) * 64 - bits;
        loop {
            let mut words: Vec<u64> = (0..bits.div_ceil(64)).map(|_| self.next_u64()).collect();
            if let Some(top) = words.last_mut() {
                *top >>= spare;
            }
            let candidate = UBig::from_words(&words);
            if candidate < *bound {
                return IBig::from(candidate);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_numbers() {
        let mut a = Random::seeded(7);
        let mut b = Random::seeded_by(&Number::Int(7));
        assert!((0..100).all(|_| a.next_u64() == b.next_u64()));
        assert_ne!(Random::seeded(8).next_u64(), Random::seeded(7).next_u64());
    }

    #[test]
    fn numbers_stay_below_their_bound() {
        let mut r = Random::seeded(1);
        let mut seen = [0; 10];
        for _ in 0..10_000 {
            seen[r.below(10) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (800..1200).contains(n)), "{seen:?}");
        let bound = UBig::from(3u8) << 200;
        assert!((0..1000).all(|_| r.below_big(&bound) < IBig::from(bound.clone())));
        assert!((0..1000).map(|_| r.float()).all(|f| f > 0.0 && f < 1.0));
        assert_eq!(r.below(1), 0);
    }

    #[test]
    fn flags_are_set_by_name() {
        let mut env = Env::default();
        for (flag, value) in [
            ("iso", "true"),
            ("prefer_rationals", "true"),
            ("float_overflow", "infinity"),
            ("float_zero_div", "infinity"),
            ("float_undefined", "nan"),
            ("float_underflow", "error"),
            ("float_rounding", "to_zero"),
        ] {
            assert_ne!(env.flag(flag), Some(value));
            assert!(env.set_flag(flag, value));
            assert_eq!(env.flag(flag), Some(value));
            assert!(!env.set_flag(flag, "perhaps"));
        }
        assert!(!env.set_flag("occurs_check", "true"));
        assert_eq!(env.flag("occurs_check"), None);
    }
}
