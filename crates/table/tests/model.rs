//! Random operations on a table space, against a model of hash maps and vectors; on the page allocator, on one
//! that checks every call, and on one that refuses some. `TABLE_SEED` repeats a run or tries another; a failure prints its seed.

use samite_table::{
    AnswerPtr, FramePtr, Origin, PageAlloc, State, StructAlloc, StructType, TableSpace,
    is_row_token,
};
use samite_term::growth::Refused;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::{HashMap, HashSet};
use std::ptr::NonNull;

/// A plain allocator that keeps a list of what it handed out, and refuses to take back what it did not. It gives nothing to one request in
/// `scarce`, on average; 0: to none.
#[derive(Default)]
struct Checked {
    live: HashMap<usize, (NonNull<u8>, Option<StructType>, Layout)>,
    scarce: usize,
    random: Random,
}

impl Checked {
    fn get(&mut self, ty: Option<StructType>, layout: Layout) -> Option<NonNull<u8>> {
        if self.scarce > 0 && self.random.below(self.scarce) == 0 {
            return None;
        }
        // SAFETY: no layout here is of size zero.
        let p = NonNull::new(unsafe { alloc_zeroed(layout) }).unwrap();
        self.live.insert(p.addr().get(), (p, ty, layout));
        Some(p)
    }
    fn put(&mut self, ty: Option<StructType>, p: NonNull<u8>, size: usize) {
        let (p, was, layout) = self.live.remove(&p.addr().get()).expect("not handed out");
        assert_eq!((was, layout.size()), (ty, size));
        // SAFETY: from `get` with this layout, and out of the list now.
        unsafe { dealloc(p.as_ptr(), layout) };
    }
}

fn layout(ty: StructType) -> Layout {
    Layout::from_size_align(ty.size(), 1 << ty.size().trailing_zeros()).unwrap()
}

impl StructAlloc for Checked {
    fn alloc(&mut self, ty: StructType) -> Option<NonNull<u8>> {
        self.get(Some(ty), layout(ty))
    }
    unsafe fn free(&mut self, ty: StructType, p: NonNull<u8>) {
        self.put(Some(ty), p, ty.size());
    }
    fn alloc_buckets(&mut self, n: usize) -> Option<NonNull<*mut u8>> {
        let array = self.get(None, Layout::array::<*mut u8>(n).unwrap())?;
        Some(array.cast())
    }
    unsafe fn free_buckets(&mut self, n: usize, p: NonNull<*mut u8>) {
        self.put(None, p.cast(), n * size_of::<*mut u8>());
    }
    fn bytes_in_use(&self) -> usize {
        self.live.values().map(|l| l.2.size()).sum()
    }
    fn count(&self, ty: StructType) -> usize {
        self.live.values().filter(|l| l.1 == Some(ty)).count()
    }
    unsafe fn release_all(&mut self) {
        for (_, (p, _, layout)) in self.live.drain() {
            // SAFETY: from `get` with this layout, and out of the list now.
            unsafe { dealloc(p.as_ptr(), layout) };
        }
    }
}

struct Random(u64);

impl Default for Random {
    fn default() -> Random {
        Random(0x9e37_79b9_7f4a_7c15)
    }
}

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * n as u128) >> 64) as usize
    }
    /// Small integers, mostly; or atoms, or any word.
    fn token(&mut self, range: usize) -> u64 {
        let v = self.below(range) as u64;
        match self.below(10) {
            0 => v << 8 | 5,
            1 => v.wrapping_mul(0x1234_5678_9abc_def1),
            _ => v << 3 | 4,
        }
    }
    /// Tokens no sequence of which is a prefix of another with the same `fixed`.
    fn tokens(&mut self, fixed: Option<usize>, range: usize) -> Vec<u64> {
        let mut out = Vec::new();
        let n = fixed.unwrap_or_else(|| {
            // The length goes first.
            let n = self.below(5);
            out.push(n as u64);
            n
        });
        out.extend((0..n).map(|_| self.token(range)));
        out
    }
}

struct Table {
    frame: FramePtr,
    answers: Vec<Vec<u64>>,
    known: HashSet<Vec<u64>>,
    state: State,
    tag: u64,
    style: Style,
}

/// What the answers of a table are like, beside their length.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    /// Anything, all of it in a trie.
    Trie,
    /// Anything, in rows as long as that can be.
    Any,
    /// Small integers.
    Dense,
    /// Integers of a window that moves.
    Moving(i64),
}

impl Style {
    fn new(r: &mut Random) -> Style {
        [
            Style::Trie,
            Style::Any,
            Style::Dense,
            Style::Moving(2),
            Style::Moving(-3),
        ][r.below(5)]
    }
    /// Makes an answer one of this style; so many were there before.
    fn apply(self, tokens: &mut [u64], before: usize) {
        let start = match self {
            Style::Trie | Style::Any => return,
            Style::Dense => 0,
            Style::Moving(step) => step * before as i64,
        };
        for t in tokens {
            *t = ((start + (*t >> 3) as i64 % 40) << 3 | 4) as u64;
        }
    }
}

type Model = HashMap<(usize, Vec<u64>), Table>;

const PREDS: usize = 4;

/// The frame of a call; the path is given up if memory is refused.
fn frame_of<A: StructAlloc>(
    space: &mut TableSpace<A>,
    pred: usize,
    tokens: &[u64],
) -> Result<(FramePtr, bool), Refused> {
    let mut node = space.subgoal_root(pred)?;
    let mut path = || {
        for &t in tokens {
            node = space.subgoal_step(node, t)?;
        }
        space.subgoal_leaf(node)
    };
    let found = path();
    if found.is_err() {
        space.subgoal_forget(node);
    }
    found
}

/// The leaf of an answer, the same way.
fn leaf_of<A: StructAlloc>(
    space: &mut TableSpace<A>,
    frame: FramePtr,
    tokens: &[u64],
) -> Result<AnswerPtr, Refused> {
    let mut node = space.answer_root(frame);
    for &t in tokens {
        match space.answer_step(node, t) {
            Ok(next) => node = next,
            Err(refused) => {
                space.answer_forget(node);
                return Err(refused);
            }
        }
    }
    Ok(node)
}

/// `None`: it was refused memory.
fn call<A: StructAlloc>(
    space: &mut TableSpace<A>,
    model: &mut Model,
    r: &mut Random,
) -> Option<FramePtr> {
    let pred = r.below(PREDS);
    let fixed = [Some(0), Some(2), None, Some(1)][pred];
    let tokens = r.tokens(fixed, 40);
    let known = model.get(&(pred, tokens.clone()));
    let Ok((frame, new)) = frame_of(space, pred, &tokens) else {
        assert!(known.is_none(), "refused what is there");
        return None;
    };
    assert_eq!(frame.pred(), pred);
    assert_eq!(new, known.is_none());
    match known {
        Some(table) => assert_eq!(table.frame, frame),
        None => {
            assert_eq!(
                (frame.state(), frame.tag(), frame.answer_count()),
                (State::Fresh, 0, 0)
            );
            let table = Table {
                frame,
                answers: Vec::new(),
                known: HashSet::new(),
                state: State::Fresh,
                tag: 0,
                style: Style::new(r),
            };
            model.insert((pred, tokens), table);
        }
    }
    Some(frame)
}

fn answer<A: StructAlloc>(
    space: &mut TableSpace<A>,
    table: &mut Table,
    pred: usize,
    r: &mut Random,
) {
    let fixed = [None, Some(2), Some(0), Some(1)][pred];
    let range = [3, 100, 2000][r.below(3)];
    for _ in 0..r.below(if cfg!(miri) { 12 } else { 100 }) {
        let mut tokens = r.tokens(fixed, range);
        if fixed.is_some() {
            table.style.apply(&mut tokens, table.answers.len());
        }
        let frame = table.frame;
        let as_row = table.style != Style::Trie
            && space.takes_row(frame, tokens.len())
            && tokens.iter().all(|&t| is_row_token(t));
        let new = if as_row {
            let Ok(new) = space.add_row(frame, &tokens) else {
                continue;
            };
            new
        } else {
            if !to_trie(space, frame) {
                continue;
            }
            let Ok(node) = leaf_of(space, frame, &tokens) else {
                assert!(!table.known.contains(&tokens), "refused what is there");
                continue;
            };
            let new = space.answer_leaf(frame, node);
            assert!(!new || frame.last_answer() == Some(node));
            new
        };
        assert_eq!(new, table.known.insert(tokens.clone()));
        if new {
            table.answers.push(tokens);
        }
    }
    if r.below(20) == 0 {
        space.seal(table.frame, false);
    }
    if r.below(20) == 0 {
        to_trie(space, table.frame);
    }
}

/// False: it was refused memory.
fn to_trie<A: StructAlloc>(space: &mut TableSpace<A>, frame: FramePtr) -> bool {
    let count = frame.answer_count();
    let rows = space.answers(frame).count();
    assert_eq!(rows, count);
    match space.answers_to_trie(frame) {
        Ok(leaves) => {
            assert!(leaves.is_empty() || leaves.len() == count);
            assert!(
                leaves
                    .iter()
                    .zip(space.answers(frame))
                    .all(|(a, b)| *a == b)
            );
            true
        }
        Err(_) => false,
    }
}

fn compare<A: StructAlloc>(space: &TableSpace<A>, model: &Model) {
    space.verify();
    let mut out = vec![7];
    let frames: HashSet<FramePtr> = space.frames().collect();
    assert_eq!(frames.len(), model.len());
    assert_eq!(
        (0..PREDS)
            .map(|p| space.frames_of(p).count())
            .sum::<usize>(),
        model.len()
    );
    for ((pred, call), table) in model {
        assert!(frames.contains(&table.frame));
        assert_eq!(space.subgoal_find(*pred, call), Some(table.frame));
        space.subgoal_tokens(table.frame, &mut out).unwrap();
        assert_eq!(&out, call);
        assert_eq!(
            (table.frame.state(), table.frame.tag()),
            (table.state, table.tag)
        );
        assert_eq!(table.frame.answer_count(), table.answers.len());
        assert_eq!(space.answers(table.frame).count(), table.answers.len());
        for (answer, tokens) in space.answers(table.frame).zip(&table.answers) {
            space.answer_tokens(table.frame, answer, &mut out).unwrap();
            assert_eq!(&out, tokens);
            assert_eq!(space.answer_find(table.frame, tokens), Some(answer));
        }
        assert_eq!(space.answer_find(table.frame, &[99, 99, 99]), None);
    }
    let all = space.statistics();
    let by_pred: Vec<_> = (0..PREDS).map(|p| space.statistics_of(p)).collect();
    assert_eq!(all.subgoals, model.len());
    assert_eq!(all.subgoals, by_pred.iter().map(|s| s.subgoals).sum());
    assert_eq!(all.answers, by_pred.iter().map(|s| s.answers).sum());
    assert_eq!(all.repeated, by_pred.iter().map(|s| s.repeated).sum());
    assert_eq!(
        all.subgoal_trie_nodes,
        by_pred.iter().map(|s| s.subgoal_trie_nodes).sum()
    );
    assert_eq!(
        all.answer_trie_nodes,
        by_pred.iter().map(|s| s.answer_trie_nodes).sum()
    );
    assert_eq!(
        all.hashed_nodes,
        by_pred.iter().map(|s| s.hashed_nodes).sum()
    );
    assert_eq!(all.bytes, by_pred.iter().map(|s| s.bytes).sum());
    for (p, statistics) in by_pred.iter().enumerate() {
        let (calls, answers) = space.depths_of(p);
        assert_eq!(
            (calls.count, answers.count),
            (statistics.subgoals, statistics.answers)
        );
    }
}

fn any_key(model: &Model, r: &mut Random) -> Option<(usize, Vec<u64>)> {
    let mut keys: Vec<_> = model.keys().collect();
    keys.sort();
    let n = keys.len();
    (n > 0).then(|| keys[r.below(n)].clone())
}

fn run<A: StructAlloc>(mut space: TableSpace<A>, seed: u64, steps: usize) {
    let mut model = Model::new();
    let mut r = Random(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15) | 1);
    for step in 0..steps {
        match r.below(100) {
            0..45 => {
                call(&mut space, &mut model, &mut r);
            }
            45..80 => {
                let Some(frame) = call(&mut space, &mut model, &mut r) else {
                    continue;
                };
                let (key, table) = model.iter_mut().find(|(_, t)| t.frame == frame).unwrap();
                answer(&mut space, table, key.0, &mut r);
                table.tag = step as u64;
                frame.set_tag(table.tag);
                table.state = [State::Fresh, State::Incomplete, State::Complete][r.below(3)];
                frame.set_state(table.state);
            }
            80..98 => {
                if let Some(key) = any_key(&model, &mut r) {
                    space.remove_subgoal(model.remove(&key).unwrap().frame);
                    assert_eq!(space.subgoal_find(key.0, &key.1), None);
                }
            }
            98 => {
                let pred = r.below(PREDS);
                space.abolish_pred(pred);
                model.retain(|k, _| k.0 != pred);
            }
            _ => {
                if r.below(3) == 0 {
                    space.abolish_all();
                    model.clear();
                    assert_eq!(space.statistics().bytes, 0);
                    assert_eq!(space.bytes_held(), 0);
                }
            }
        }
        if step % 50 == 0 {
            compare(&space, &model);
        }
    }
    compare(&space, &model);
    // One by one, until only the entries are left.
    while let Some(key) = any_key(&model, &mut r) {
        space.remove_subgoal(model.remove(&key).unwrap().frame);
    }
    space.verify();
    let left = space.statistics();
    assert_eq!(
        (
            left.subgoals,
            left.answers,
            left.answer_trie_nodes,
            left.hashed_nodes
        ),
        (0, 0, 0, 0)
    );
    assert_eq!(left.subgoal_trie_nodes, space.preds().count());
}

fn seeds() -> Vec<u64> {
    match std::env::var("TABLE_SEED") {
        Ok(seed) => vec![seed.parse().expect("TABLE_SEED is a number")],
        Err(_) => (0..if cfg!(miri) { 2 } else { 20 }).collect(),
    }
}

const STEPS: usize = if cfg!(miri) { 150 } else { 1500 };

#[test]
fn random_operations_agree_with_the_model() {
    for seed in seeds() {
        println!("TABLE_SEED={seed}");
        run(TableSpace::new(), seed, STEPS);
        let singly = PageAlloc::of(Origin::Malloc);
        run(TableSpace::with_alloc(singly), seed, STEPS / 5);
    }
}

#[test]
fn random_operations_allocate_and_free_as_they_should() {
    for seed in seeds() {
        println!("TABLE_SEED={seed}");
        run(TableSpace::with_alloc(Checked::default()), seed, STEPS / 5);
    }
}

/// What is refused in the middle of a call or an answer leaves the tables as they were.
#[test]
fn random_refusals_change_nothing() {
    for seed in seeds() {
        println!("TABLE_SEED={seed}");
        for scarce in [3, 20, 300] {
            let alloc = Checked {
                scarce,
                ..Checked::default()
            };
            run(TableSpace::with_alloc(alloc), seed, STEPS / 5);
        }
    }
}
