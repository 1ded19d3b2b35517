//! Times slabs beside `malloc`: nanoseconds for each pair of an allocation and a free.
//!
//! `cargo bench -p samite-alloc --bench slab`

#[cfg(not(loom))]
fn main() {
    slab::run();
}

#[cfg(loom)]
fn main() {}

#[cfg(not(loom))]
mod slab {
    use samite_alloc::slab::{Kind, Local, Slab, Type};
    use std::hint::black_box;
    use std::ptr::NonNull;
    use std::sync::{Arc, mpsc};
    use std::time::Instant;

    const SIZE: usize = 64;
    const NODE: Kind = Kind::new(0);
    const LIVE: usize = 100_000;
    const ROUNDS: usize = 40;

    /// What is compared.
    trait Heap {
        fn alloc(&mut self) -> NonNull<u8>;
        /// # Safety
        /// `p` is from `alloc` of the same kind of heap, and freed once.
        unsafe fn free(&mut self, p: NonNull<u8>);
    }

    impl Heap for Local<Arc<Slab>> {
        #[inline]
        fn alloc(&mut self) -> NonNull<u8> {
            Local::alloc(self, NODE).expect("memory")
        }
        #[inline]
        unsafe fn free(&mut self, p: NonNull<u8>) {
            // SAFETY: passed on.
            unsafe { Local::free(self, NODE, p) }
        }
    }

    struct Malloc;

    impl Heap for Malloc {
        #[inline]
        fn alloc(&mut self) -> NonNull<u8> {
            // SAFETY: any size may be asked for.
            let p = black_box(unsafe { libc::malloc(SIZE) });
            NonNull::new(p.cast()).expect("memory")
        }
        #[inline]
        unsafe fn free(&mut self, p: NonNull<u8>) {
            // SAFETY: passed on.
            unsafe { libc::free(black_box(p.as_ptr()).cast()) }
        }
    }

    /// Least time of several rounds over `n` pairs.
    fn least(n: usize, mut round: impl FnMut()) -> f64 {
        let times = (0..ROUNDS).map(|_| {
            let start = Instant::now();
            round();
            start.elapsed().as_secs_f64() * 1e9 / n as f64
        });
        times.fold(f64::INFINITY, f64::min)
    }

    fn pairs(heap: &mut impl Heap) -> f64 {
        least(LIVE, || {
            for _ in 0..LIVE {
                let p = heap.alloc();
                // SAFETY: just allocated; one byte of it is written.
                unsafe {
                    black_box(p).write(1);
                    heap.free(p);
                }
            }
        })
    }

    fn batch(heap: &mut impl Heap, shuffled: bool) -> f64 {
        let mut all = Vec::with_capacity(LIVE);
        let mut order: Vec<usize> = (0..LIVE).collect();
        if shuffled {
            let mut state = 1u64;
            for at in (1..LIVE).rev() {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                order.swap(at, (state >> 33) as usize % (at + 1));
            }
        }
        least(LIVE, || {
            for _ in 0..LIVE {
                let p = heap.alloc();
                // SAFETY: as above.
                unsafe { p.write(1) };
                all.push(p);
            }
            for &at in &order {
                // SAFETY: each is freed once.
                unsafe { heap.free(all[at]) };
            }
            all.clear();
        })
    }

    /// One thread allocates, another frees.
    fn remote<H: Heap>(heap: &mut H, other: impl Fn() -> H + Send) -> f64 {
        struct Batch(Vec<NonNull<u8>>);
        // SAFETY: either heap takes structures back from any thread.
        unsafe impl Send for Batch {}
        let (send, receive) = mpsc::sync_channel::<Batch>(4);
        let (back, empty) = mpsc::channel::<Batch>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut heap = other();
                for mut batch in receive {
                    for p in batch.0.drain(..) {
                        // SAFETY: freed once.
                        unsafe { heap.free(p) };
                    }
                    if back.send(batch).is_err() {
                        return;
                    }
                }
            });
            let time = least(LIVE, || {
                for _ in 0..LIVE / 1000 {
                    let mut batch = empty.try_recv().unwrap_or(Batch(Vec::with_capacity(1000)));
                    batch.0.extend((0..1000).map(|_| heap.alloc()));
                    send.send(batch).expect("the other thread");
                }
            });
            drop(send);
            time
        })
    }

    pub fn run() {
        let types = [Type {
            name: "node",
            size: SIZE,
        }];
        let slab = Arc::new(Slab::new(&types).expect("memory"));
        let attach = || Slab::attach(slab.clone()).expect("an id");
        let mut local = attach();
        println!("{SIZE} bytes, ns for each pair     slab  malloc");
        let line = |name: &str, f: &mut dyn FnMut() -> [f64; 2]| {
            let [slab, malloc] = f();
            println!("{name:28} {slab:7.2} {malloc:7.2}");
        };
        line("one at a time", &mut || {
            [pairs(&mut local), pairs(&mut Malloc)]
        });
        let mut batches = |shuffled| [batch(&mut local, shuffled), batch(&mut Malloc, shuffled)];
        line("100,000, freed in order", &mut || batches(false));
        line("100,000, freed mixed", &mut || batches(true));
        line("freed by another thread", &mut || {
            [
                remote(&mut attach(), attach),
                remote(&mut Malloc, || Malloc),
            ]
        });
        println!("{:?}", slab.stats(NODE));
    }
}
