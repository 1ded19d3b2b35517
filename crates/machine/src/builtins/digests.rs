//! MurmurHash2 of bytes (Appleby, public domain).

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

#[cfg(test)]
mod tests {
    use super::murmur;

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
