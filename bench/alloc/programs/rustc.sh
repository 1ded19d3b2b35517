# The Rust compiler (many threads, large allocations), and a program of its making.
# needs: rustc
cat > a.rs <<'RS'
use std::collections::*;
fn main() {
    let handles: Vec<_> = (0..4u64).map(|t| std::thread::spawn(move || {
        let mut m = BTreeMap::new();
        let mut h = HashMap::new();
        for i in 0..30000u64 { m.insert(i * 7919 % 10007, vec![i; (i % 9) as usize]); h.insert(format!("{i}"), i ^ t); }
        m.values().map(Vec::len).sum::<usize>() as u64 + h.values().sum::<u64>()
    })).collect();
    for h in handles { println!("{}", h.join().unwrap()); }
    let s: String = (0..100000).map(|i| char::from(b'a' + (i % 26) as u8)).collect();
    println!("{} rust done", s.len());
}
RS
rustc -O -C codegen-units=4 a.rs && ./a
