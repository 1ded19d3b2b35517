//! Statistics: where memory is and what was done, as numbers, as text and as JSON.
//!
//! Nothing is counted for statistics alone on the fast paths: allocations and frees are the tallies that pageblocks keep
//! anyway, summed over the descriptors when somebody asks. Owners go on working meanwhile, so numbers of different
//! classes may be from slightly different moments; in a process whose other threads are still they are exact.

use crate::classes::{CLASSES, size_of_class};
use crate::config::{SEGMENT_SLICES, SLICE};
use crate::counts::{self, COUNTS};
use crate::fault::Line;
use crate::heap::heap;
use crate::os::{self, Calls};
use crate::page::{Kind, Page};
use crate::supply::{self, Usage};
use crate::{config, fault, heaps, region, sync};
use core::fmt::{self, Write};
use core::sync::atomic::Ordering::Relaxed;

/// Runs when the process exits in the ordinary way, after the program's own handlers: writes what `SAMITE_MALLOC_STATS` asks
/// for.
extern "C" fn at_exit() {
    match config::at_exit() {
        config::AtExit::Nothing => {}
        config::AtExit::Text => write_text(config::exit_fd()),
        config::AtExit::Json => write_json(config::exit_fd()),
    }
}

#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".fini_array"))]
static AT_EXIT: extern "C" fn() = at_exit;

/// The numbers of one size class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// Blocks allocated so far.
    pub allocations: u64,
    /// Blocks freed so far, including those on remote lists.
    pub frees: u64,
    /// Pageblocks open.
    pub pageblocks: u64,
    /// Blocks freed by other threads and not collected yet.
    pub remote: u64,
}

impl Class {
    /// Blocks in use.
    pub fn live(&self) -> u64 {
        self.allocations.saturating_sub(self.frees)
    }
}

/// All numbers.
#[derive(Clone, Copy, Debug)]
pub struct Stats {
    /// By size class.
    pub classes: [Class; CLASSES],
    /// Large objects allocated so far by threads that have a heap.
    pub large_allocations: u64,
    /// Large objects in use.
    pub large_live: u64,
    /// Bytes of them.
    pub large_bytes: u64,
    /// Bytes in slices: in use, most ever, retained, purged.
    pub usage: Usage,
    /// Bytes of address space mapped for blocks.
    pub committed: usize,
    /// Bytes of address space that these may grow to.
    pub reserved: usize,
    /// Heaps made.
    pub heaps: usize,
    /// Heaps that nobody owns at the moment.
    pub vacant: usize,
    /// Pageblocks opened.
    pub opened: u64,
    /// Blocks freed by other threads than the owner, and collected.
    pub collected: u64,
    /// Times that running threads took pageblocks of vacant heaps over.
    pub adoptions: u64,
    /// Pageblocks that came with them.
    pub adopted: u64,
    /// System calls.
    pub calls: Calls,
    /// Faults reported.
    pub faults: u64,
    /// Atomic read-modify-writes and writes to shared cache lines, in a counting build.
    pub traffic: Option<(u64, u64)>,
}

impl Stats {
    fn add(&mut self, [opened, collected, adoptions, adopted, large]: [u64; COUNTS]) {
        self.opened += opened;
        self.collected += collected;
        self.adoptions += adoptions;
        self.adopted += adopted;
        self.large_allocations += large;
    }

    /// Bytes of blocks and large objects in use.
    pub fn live_bytes(&self) -> u64 {
        self.large_bytes
            + (0..CLASSES)
                .map(|c| self.classes[c].live() * size_of_class(c) as u64)
                .sum::<u64>()
    }
}

/// One heap's numbers.
#[derive(Clone, Copy, Debug)]
pub struct HeapStats {
    /// Its id.
    pub id: usize,
    /// Whether a thread owns it.
    pub owned: bool,
    /// Pageblocks opened.
    pub opened: u64,
    /// Blocks collected that others had freed.
    pub collected: u64,
    /// Times that it took pageblocks of vacant heaps over.
    pub adoptions: u64,
    /// Pageblocks in it now.
    pub pageblocks: u64,
    /// Bytes of blocks in use in these.
    pub live_bytes: u64,
}

/// The numbers of heap `id`, which is at least 1. `None` if there is no such heap.
pub fn heap_stats(id: usize) -> Option<HeapStats> {
    if id == 0 || id >= heaps::made() {
        return None;
    }
    let h = heap(id as u64);
    // SAFETY: heaps are never deallocated; tallies may be read by any thread.
    let counts = unsafe { &(*h).counts };
    let mut s = HeapStats {
        id,
        owned: !heaps::registry().is_vacant(id),
        opened: counts.opened.get(),
        collected: counts.collected.get(),
        adoptions: counts.adoptions.get(),
        pageblocks: 0,
        live_bytes: 0,
    };
    each_pageblock(|class, owner, allocations, frees, _| {
        if owner == id as u64 {
            s.pageblocks += 1;
            s.live_bytes += allocations.saturating_sub(frees) * size_of_class(class) as u64;
        }
    });
    Some(s)
}

/// Calls `f` with class, owner, allocations, frees and remote blocks of each open pageblock.
fn each_pageblock(mut f: impl FnMut(usize, u64, u64, u64, u64)) {
    each_slice(|slice| {
        let page = Page::of_slice(slice);
        // SAFETY: descriptors below the limit always exist; only their atomic parts are read.
        unsafe {
            let shared = &(*page).shared;
            if shared.kind() == Kind::Blocks {
                let class = shared.class.load(Relaxed) as usize % CLASSES;
                let view = shared.word.view();
                let (a, b) = (&raw const (*page).allocs, &raw const (*page).frees);
                let remote = u64::from(view.count());
                f(class, view.owner(), (*a).get(), (*b).get() + remote, remote);
            }
        }
    });
}

/// Calls `f` with the number of each slice in use.
fn each_slice(mut f: impl FnMut(usize)) {
    let map = region::slices();
    for segment in 0..map.segments() {
        if !region::is_described(segment) {
            continue;
        }
        let mut used = map.used(segment);
        while used != 0 {
            f(segment * SEGMENT_SLICES + used.trailing_zeros() as usize);
            used &= used - 1;
        }
    }
}

/// Collects all numbers.
pub fn collect() -> Stats {
    let mut s = Stats {
        classes: [Class::default(); CLASSES],
        large_allocations: 0,
        large_live: 0,
        large_bytes: 0,
        usage: supply::usage(),
        committed: region::committed(),
        reserved: region::reserved(),
        heaps: heaps::made().saturating_sub(1),
        vacant: 0,
        opened: 0,
        collected: 0,
        adoptions: 0,
        adopted: 0,
        calls: os::calls(),
        faults: fault::count(),
        traffic: sync::traffic(),
    };
    let past = counts::past();
    s.add(past.counts);
    for (class, n) in s.classes.iter_mut().zip(past.classes) {
        class.allocations += n;
        class.frees += n;
    }
    for id in 1..heaps::made() {
        let h = heap(id as u64);
        // SAFETY: heaps are never deallocated; tallies may be read by any thread.
        let (counts, closed) = unsafe { (&(*h).counts, &(*h).closed) };
        s.vacant += usize::from(heaps::registry().is_vacant(id));
        s.add(counts.numbers());
        for (i, class) in s.classes.iter_mut().enumerate() {
            // SAFETY: as above; there is no reference to what the owner alone may touch.
            let (allocs, kept) = unsafe {
                let f = &raw const (*h).foreign[i];
                (&(*f).stock.allocs, &(*f).kept)
            };
            // Handed out again: freed and allocated once more. Still kept: freed.
            class.allocations += allocs.get();
            class.frees += kept.get();
        }
        for (class, n) in s.classes.iter_mut().zip(closed) {
            class.allocations += n.get();
            class.frees += n.get();
        }
    }
    each_pageblock(|class, _, allocations, frees, remote| {
        let c = &mut s.classes[class];
        c.allocations += allocations;
        c.frees += frees;
        c.remote += remote;
        c.pageblocks += 1;
    });
    each_slice(|slice| {
        // SAFETY: descriptors below the limit always exist; only their atomic parts are read.
        let shared = unsafe { &(*Page::of_slice(slice)).shared };
        if shared.kind() == Kind::Large {
            s.large_live += 1;
            s.large_bytes += shared.bytes.load(Relaxed) as u64;
        }
    });
    s
}

/// Writes a line at a time to a file descriptor.
struct Lines(i32);

impl Lines {
    fn line(&mut self, text: fmt::Arguments<'_>) {
        let mut line = Line::new();
        let _ = line.write_fmt(text);
        line.send(self.0);
    }
}

/// Writes the statistics for people.
pub fn write_text(fd: i32) {
    let s = collect();
    let mut out = Lines(fd);
    let kib = |n: u64| n / 1024;
    out.line(format_args!("samite-malloc statistics (sizes in KiB)\n"));
    out.line(format_args!(
        "memory     live {}  in slices {}  peak {}  retained {} (limit {})  purged {}\n",
        kib(s.live_bytes()),
        s.usage.in_use / 1024,
        s.usage.peak / 1024,
        s.usage.retained / 1024,
        s.usage.limit / 1024,
        s.usage.purged / 1024
    ));
    out.line(format_args!(
        "addresses  most {}  mapped {}\n",
        s.reserved / 1024,
        s.committed / 1024
    ));
    let c = s.calls;
    out.line(format_args!(
        "system     map {}  unmap {}  commit {}  purge {}  remap {}\n",
        c.map, c.unmap, c.commit, c.purge, c.remap
    ));
    out.line(format_args!(
        "pageblocks opened {}  of {} slice bytes\n",
        s.opened, SLICE
    ));
    out.line(format_args!(
        "threads    heaps {} ({} vacant)  remote frees collected {}  adoptions {} ({} pageblocks)\n",
        s.heaps, s.vacant, s.collected, s.adoptions, s.adopted
    ));
    out.line(format_args!(
        "large      allocated {}  live {} ({} KiB)\n",
        s.large_allocations,
        s.large_live,
        kib(s.large_bytes)
    ));
    if let Some((rmw, writes)) = s.traffic {
        out.line(format_args!(
            "traffic    atomic read-modify-writes {rmw}  shared writes {writes}\n"
        ));
    }
    out.line(format_args!("faults     {}\n", s.faults));
    out.line(format_args!(
        "     size   allocated       freed        live  remote  pageblocks\n"
    ));
    for (i, c) in s.classes.iter().enumerate() {
        if c.allocations > 0 {
            out.line(format_args!(
                "{:9} {:11} {:11} {:11} {:7} {:11}\n",
                size_of_class(i),
                c.allocations,
                c.frees,
                c.live(),
                c.remote,
                c.pageblocks
            ));
        }
    }
    for id in 1..=s.heaps {
        // A process may have had thousands of threads; those that matter have pageblocks.
        if let Some(h) = heap_stats(id)
            && h.pageblocks > 0
        {
            out.line(format_args!(
                "heap {:5} {}  pageblocks {}  live {} KiB  opened {}  collected {}  adoptions {}\n",
                h.id,
                if h.owned { "owned " } else { "vacant" },
                h.pageblocks,
                kib(h.live_bytes),
                h.opened,
                h.collected,
                h.adoptions
            ));
        }
    }
}

/// Writes the statistics as one JSON object.
pub fn write_json(fd: i32) {
    let s = collect();
    let mut out = Lines(fd);
    out.line(format_args!(
        "{{\"live_bytes\":{},\"slice_bytes\":{},\"peak_bytes\":{},\"retained_bytes\":{},",
        s.live_bytes(),
        s.usage.in_use,
        s.usage.peak,
        s.usage.retained
    ));
    out.line(format_args!(
        "\"purged_bytes\":{},\"reserved_bytes\":{},\"committed_bytes\":{},",
        s.usage.purged, s.reserved, s.committed
    ));
    let c = s.calls;
    out.line(format_args!(
        "\"system_calls\":{{\"map\":{},\"unmap\":{},\"commit\":{},\"purge\":{},\"remap\":{}}},",
        c.map, c.unmap, c.commit, c.purge, c.remap
    ));
    out.line(format_args!(
        "\"heaps\":{},\"vacant_heaps\":{},\"pageblocks_opened\":{},\"remote_collected\":{},",
        s.heaps, s.vacant, s.opened, s.collected
    ));
    out.line(format_args!(
        "\"adoptions\":{},\"adopted_pageblocks\":{},\"faults\":{},",
        s.adoptions, s.adopted, s.faults
    ));
    if let Some((rmw, writes)) = s.traffic {
        out.line(format_args!("\"rmw\":{rmw},\"shared_writes\":{writes},"));
    }
    out.line(format_args!(
        "\"large\":{{\"allocations\":{},\"live\":{},\"bytes\":{}}},\"classes\":[",
        s.large_allocations, s.large_live, s.large_bytes
    ));
    let mut first = true;
    for (i, c) in s.classes.iter().enumerate() {
        if c.allocations > 0 {
            out.line(format_args!(
                "{}{{\"size\":{},\"allocations\":{},\"frees\":{},\"remote\":{},\"pageblocks\":{}}}",
                if first { "" } else { "," },
                size_of_class(i),
                c.allocations,
                c.frees,
                c.remote,
                c.pageblocks
            ));
            first = false;
        }
    }
    out.line(format_args!("],\"heap_list\":["));
    let mut first = true;
    for id in 1..=s.heaps {
        if let Some(h) = heap_stats(id)
            && h.pageblocks > 0
        {
            out.line(format_args!(
                "{}{{\"id\":{},\"owned\":{},\"pageblocks\":{},\"live_bytes\":{},\"collected\":{}}}",
                if first { "" } else { "," },
                h.id,
                h.owned,
                h.pageblocks,
                h.live_bytes,
                h.collected
            ));
            first = false;
        }
    }
    out.line(format_args!("]}}\n"));
}
