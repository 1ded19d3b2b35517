//! The slab used as a table space would: a trie shared by threads (the paper's full-sharing design, section II.D) with
//! private frames, on pages of their real size.
#![cfg(not(loom))]

use samite_alloc::slab::{Kind, Local, Slab, Type};
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

const TYPES: [Type; 2] = [
    Type {
        name: "node",
        size: size_of::<Node>(),
    },
    Type {
        name: "frame",
        size: size_of::<Frame>(),
    },
];
const NODE: Kind = Kind::new(0);
const FRAME: Kind = Kind::new(1);

const THREADS: usize = 4;
const PATHS: u64 = if cfg!(miri) { 60 } else { 20_000 };
const DEPTH: u32 = 5;

/// A trie node: children are a chain that only grows at its front.
struct Node {
    token: u64,
    children: AtomicPtr<Node>,
    sibling: *mut Node,
    parent: *mut Node,
}

/// What a thread keeps of a call.
struct Frame {
    leaf: *mut Node,
    next: *mut Frame,
    _rest: [u64; 14],
}

fn alloc<T>(local: &mut Local<Arc<Slab>>, kind: Kind, value: T) -> *mut T {
    assert_eq!(TYPES[kind.index()].size, size_of::<T>());
    let p = local.alloc(kind).expect("memory").cast::<T>();
    // SAFETY: the structure has the size of the type and at least the alignment of a word.
    unsafe { p.write(value) };
    p.as_ptr()
}

fn free<T>(local: &mut Local<Arc<Slab>>, kind: Kind, p: *mut T) {
    let p = NonNull::new(p).expect("a structure").cast();
    // SAFETY: callers pass each structure once, with its type, when nobody can reach it any more.
    unsafe { local.free(kind, p) };
}

/// The child of `parent` with this token; inserted by one thread, whoever else tries gives its node back.
fn child(local: &mut Local<Arc<Slab>>, parent: *mut Node, token: u64) -> *mut Node {
    // SAFETY: nodes stay while threads insert.
    let children = unsafe { &(*parent).children };
    let find = |mut at: *mut Node, end: *mut Node| {
        // SAFETY: as above; acquire below has made the chain's nodes visible.
        unsafe {
            while at != end && (*at).token != token {
                at = (*at).sibling;
            }
        }
        if at == end { null_mut() } else { at }
    };
    let mut head = children.load(Ordering::Acquire);
    let found = find(head, null_mut());
    if !found.is_null() {
        return found;
    }
    let node = Node {
        token,
        children: AtomicPtr::new(null_mut()),
        sibling: head,
        parent,
    };
    let node = alloc(local, NODE, node);
    loop {
        // Release publishes the node, acquire shows those that others have put in front.
        match children.compare_exchange(head, node, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return node,
            Err(now) => {
                let found = find(now, head);
                if !found.is_null() {
                    free(local, NODE, node);
                    return found;
                }
                head = now;
                // SAFETY: the node is not published yet.
                unsafe { (*node).sibling = head };
            }
        }
    }
}

/// The token of path `n` at `level`: few at the top, many below, the same for all threads.
fn token(n: u64, level: u32) -> u64 {
    n / 7u64.pow(DEPTH - 1 - level)
}

#[test]
fn threads_fill_one_trie_and_the_last_one_abolishes_it() {
    let slab = Arc::new(Slab::new(&TYPES).expect("memory"));
    let mut main = Slab::attach(slab.clone()).expect("an id");
    let root = Node {
        token: 0,
        children: AtomicPtr::new(null_mut()),
        sibling: null_mut(),
        parent: null_mut(),
    };
    let root = alloc(&mut main, NODE, root);
    let root_address = AtomicPtr::new(root);
    let ended = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for t in 0..THREADS as u64 {
            let (slab, root, ended) = (slab.clone(), &root_address, &ended);
            scope.spawn(move || {
                let mut local = Slab::attach(slab.clone()).expect("an id");
                let root = root.load(Ordering::Relaxed);
                let mut frames: *mut Frame = null_mut();
                for i in 0..PATHS {
                    // Threads start at different places and meet.
                    let n = (i + t * PATHS / THREADS as u64) % PATHS;
                    let mut node = root;
                    for level in 0..DEPTH {
                        node = child(&mut local, node, token(n, level));
                    }
                    let frame = Frame {
                        leaf: node,
                        next: frames,
                        _rest: [n; 14],
                    };
                    frames = alloc(&mut local, FRAME, frame);
                }
                // Every leaf leads back to the root by the tokens of its path.
                let mut count = 0;
                while !frames.is_null() {
                    // SAFETY: frames are this thread's, nodes stay.
                    unsafe {
                        let Frame { leaf, next, _rest } = frames.read();
                        let mut node = leaf;
                        for level in (0..DEPTH).rev() {
                            assert_eq!((*node).token, token(_rest[13], level));
                            node = (*node).parent;
                        }
                        assert_eq!(node, root);
                        free(&mut local, FRAME, frames);
                        frames = next;
                    }
                    count += 1;
                }
                assert_eq!(count, PATHS);
                ended.fetch_add(1, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(ended.load(Ordering::Relaxed), THREADS);
    let expected: u64 = 1
        + (0..DEPTH)
            .map(|level| token(PATHS - 1, level) + 1)
            .sum::<u64>();
    assert_eq!(slab.stats(NODE).live as u64, expected);
    let frames = slab.stats(FRAME);
    assert_eq!((frames.live, frames.pages), (0, 0));
    assert!(frames.peak >= PATHS as usize && frames.peak_pages > 1 - usize::from(cfg!(miri)));
    // SAFETY: the other threads have ended.
    unsafe { slab.verify() };

    // The last thread frees what the others have made: it adopts their pages.
    let mut work = vec![root];
    while let Some(node) = work.pop() {
        // SAFETY: the trie is this thread's alone; a node is read before it is freed.
        unsafe {
            let mut at = (*node).children.load(Ordering::Relaxed);
            while !at.is_null() {
                work.push(at);
                at = (*at).sibling;
            }
        }
        free(&mut main, NODE, node);
    }
    main.verify();
    assert_eq!(slab.stats(NODE).live, 0);
    drop(main);
    // SAFETY: nobody else uses the slab.
    unsafe { slab.verify() };
    // All pages are free again, but for those that are still in the stack of their type: a thread with a structure of
    // it takes them from there and gives them up.
    let mut last = Slab::attach(slab.clone()).expect("an id");
    let capacity = slab.stats(NODE).capacity;
    let all: Vec<_> = (0..capacity * (slab.stats(NODE).pages + 1))
        .map(|_| last.alloc(NODE).expect("memory"))
        .collect();
    for p in all {
        free(&mut last, NODE, p.as_ptr());
    }
    drop(last);
    assert_eq!(slab.stats(NODE).pages, 0);
    // Trimmed pages keep their headers and serve again.
    assert!(slab.trim() > 0);
    let mut again = Slab::attach(slab.clone()).expect("an id");
    let all: Vec<_> = (0..capacity * 2 + 1)
        .map(|_| again.alloc(NODE).expect("memory"))
        .collect();
    assert_eq!((slab.pages(), slab.stats(NODE).pages), (3, 3));
    for p in all {
        free(&mut again, NODE, p.as_ptr());
    }
    drop(again);
    // SAFETY: nobody else uses the slab.
    unsafe { slab.verify() };
}
