//! temporary driver
fn main() {
    let words: Vec<String> = std::env::args().collect();
    let mut e =
        samite::Engine::new(samite_heap::HeapConfig::from_environment(), words.clone()).unwrap();
    let mut i = 1;
    while i < words.len() {
        let w = &words[i];
        i += 1;
        if w == "-f" {
            let t = std::fs::read_to_string(&words[i]).unwrap();
            i += 1;
            e.machine().load_boot("f", &t);
            continue;
        }
        let t = std::time::Instant::now();
        let r = e.run_text(w).unwrap();
        match r {
            samite::QueryOutcome::Exception(b) => println!("exc {}", e.show(&b)),
            r => println!("{r:?}"),
        }
        println!("{:?} gc {:?}", t.elapsed(), e.machine().heap.statistics);
    }
}
