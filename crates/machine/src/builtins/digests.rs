//! Digests of bytes: MurmurHash2 (Appleby, public domain) and SHA-1 (FIPS 180-4).

/// MurmurHash2 of bytes, whose words of 32 bits are taken as little-endian ones on any machine.
pub(super) fn murmur(bytes: &[u8], seed: u32) -> u32 {
    const M: u32 = 0x5bd1_e995;
    let mut h = seed ^ bytes.len() as u32;
    let (words, rest) = bytes.as_chunks::<4>();
    for word in words {
        let mut k = u32::from_le_bytes(*word).wrapping_mul(M);
        k = (k ^ k >> 24).wrapping_mul(M);
        h = h.wrapping_mul(M) ^ k;
    }
    if !rest.is_empty() {
        for (i, &byte) in rest.iter().enumerate() {
            h ^= u32::from(byte) << (8 * i);
        }
        h = h.wrapping_mul(M);
    }
    h = (h ^ h >> 13).wrapping_mul(M);
    h ^ h >> 15
}

/// SHA-1 of what is written to it.
pub(super) struct Sha1 {
    state: [u32; 5],
    block: [u8; 64],
    /// Bytes so far.
    length: u64,
}

impl Sha1 {
    pub fn new() -> Sha1 {
        Sha1 {
            state: [
                0x6745_2301,
                0xefcd_ab89,
                0x98ba_dcfe,
                0x1032_5476,
                0xc3d2_e1f0,
            ],
            block: [0; 64],
            length: 0,
        }
    }

    pub fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.block[(self.length % 64) as usize] = byte;
            self.length += 1;
            if self.length.is_multiple_of(64) {
                self.compress();
            }
        }
    }

    /// The digest, in hexadecimal digits.
    pub fn finish(mut self) -> String {
        let bits = self.length * 8;
        self.write(&[0x80]);
        while self.length % 64 != 56 {
            self.write(&[0]);
        }
        self.write(&bits.to_be_bytes());
        self.state
            .iter()
            .map(|word| format!("{word:08x}"))
            .collect()
    }

    /// Section 6.1.2.
    fn compress(&mut self) {
        let mut w = [0u32; 80];
        for (word, bytes) in w.iter_mut().zip(self.block.as_chunks::<4>().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for t in 16..80 {
            w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = self.state;
        for (t, word) in w.into_iter().enumerate() {
            let (f, k) = match t / 20 {
                0 => ((b & c) | (!b & d), 0x5a82_7999),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let next = (a.rotate_left(5).wrapping_add(f).wrapping_add(e)).wrapping_add(k);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next.wrapping_add(word));
        }
        for (sum, x) in self.state.iter_mut().zip([a, b, c, d, e]) {
            *sum = sum.wrapping_add(x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sha1, murmur};

    fn sha1(text: &str) -> String {
        let mut sha = Sha1::new();
        sha.write(text.as_bytes());
        sha.finish()
    }

    #[test]
    fn digests_of_the_standard() {
        assert_eq!(sha1(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        assert_eq!(sha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        let two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(sha1(two_blocks), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
        let million = "a".repeat(1_000_000);
        assert_eq!(sha1(&million), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    }

    #[test]
    fn murmur_takes_bytes_that_are_left() {
        let hashes: Vec<u32> = ["", "a", "ab", "abc", "abcd", "abcde"]
            .iter()
            .map(|text| murmur(text.as_bytes(), 0))
            .collect();
        for (i, h) in hashes.iter().enumerate() {
            assert!(!hashes[i + 1..].contains(h));
        }
        assert_eq!(murmur(b"", 0), 0);
    }
}
