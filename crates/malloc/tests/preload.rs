//! The library preloaded into ordinary programs. Programs that are not installed are named and left out; a shell is always
//! there.

mod common;

use common::{installed, library};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory of its own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("samite-malloc-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Scratch(dir)
    }
    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn preloaded(program: &str, dir: &Path, args: &[&str]) -> Output {
    Command::new(program)
        .args(args)
        .current_dir(dir)
        .env("LD_PRELOAD", library())
        .output()
        .unwrap()
}

/// Runs a program, unless it is not installed, and checks that it succeeds and prints `expected`.
fn run(program: &str, dir: &Path, args: &[&str], expected: &str) {
    if !installed(program) {
        eprintln!("{program} is not installed");
        return;
    }
    let out = preloaded(program, dir, args);
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(
        out.status.success() && text.contains(expected),
        "{program} {args:?}: {}\n{text}\n{}",
        out.status,
        String::from_utf8_lossy(&out.stderr)
    );
    assert!(!String::from_utf8_lossy(&out.stderr).contains("samite-malloc:"));
}

#[test]
fn shells() {
    let d = Scratch::new("shells");
    let script =
        "i=0; s=; while [ $i -lt 300 ]; do s=\"$s$(echo $i)\"; i=$((i+1)); done; echo ${#s}";
    run("sh", &d.0, &["-c", script], "790");
    run("bash", &d.0, &["-c", script], "790");
}

#[test]
fn python_with_threads_and_subprocesses() {
    let d = Scratch::new("python");
    let program = "
import threading, subprocess, sys, json
total = []
def work(n):
    d = {str(i): [j for j in range(i % 30)] for i in range(5000)}
    r = subprocess.run([sys.executable, '-c', 'print(6*7)'], capture_output=True, text=True)
    total.append(len(json.loads(json.dumps(d))) + int(r.stdout))
threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
print(sum(total))
";
    run("python3", &d.0, &["-c", program], "20168");
}

#[test]
fn perl_and_sort_and_git() {
    let d = Scratch::new("perl");
    let program = "my %h; $h{$_ % 997} .= \"x$_\" for 1..50000; print scalar(keys %h), \"\\n\"";
    run("perl", &d.0, &["-e", program], "997");
    let numbers: String = (0..200_000u64)
        .map(|i| format!("{}\n", i * 7919 % 200_003))
        .collect();
    d.file("numbers", &numbers);
    run(
        "sort",
        &d.0,
        &["--parallel=4", "-n", "-o", "sorted", "numbers"],
        "",
    );
    let sorted = fs::read_to_string(d.0.join("sorted")).unwrap();
    assert!(
        sorted
            .lines()
            .map(|l| l.parse::<u64>().unwrap())
            .is_sorted()
    );
    run("git", &d.0, &["init", "-q", "r"], "");
    if installed("git") {
        let r = d.0.join("r");
        fs::copy(d.0.join("numbers"), r.join("numbers")).unwrap();
        run("git", &r, &["add", "."], "");
        let name = ["-c", "user.name=a", "-c", "user.email=a@b"];
        run(
            "git",
            &r,
            &[&name[..], &["commit", "-q", "-m", "m"]].concat(),
            "",
        );
        run("git", &r, &["log", "--stat"], "numbers");
    }
}

#[test]
fn compilers() {
    let d = Scratch::new("compilers");
    d.file(
        "a.c",
        "#include <stdio.h>\nint main(void) { puts(\"C\"); return 0; }\n",
    );
    d.file(
        "a.rs",
        "fn main() { println!(\"{}\", vec![1; 5].len()); }\n",
    );
    run("gcc", &d.0, &["-O2", "a.c", "-o", "c"], "");
    run("rustc", &d.0, &["-O", "a.rs", "-o", "rust"], "");
    if installed("gcc") {
        run("./c", &d.0, &[], "");
    }
    d.file(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.10)\nproject(a C)\nadd_executable(a a.c)\n",
    );
    if installed("gcc") {
        run("cmake", &d.0, &["-B", "build", "."], "");
    }
}

/// All forms of `new` and `delete`, and what happens when memory runs out.
const NEW: &str = r#"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>
#include <string>
#include <map>
#include <thread>
struct alignas(256) Wide { char c[256]; };
static int handled = 0;
static void handler() { if (++handled == 3) std::set_new_handler(nullptr); }
#define CHECK(x) do { if (!(x)) { std::printf("failed: %s\n", #x); return 1; } } while (0)
int main() {
    volatile std::size_t huge = SIZE_MAX / 2 - 4096;
    int *a = new int(7); CHECK(*a == 7); delete a;
    int *b = new int[1000](); CHECK(b[999] == 0); delete[] b;
    Wide *w = new Wide; CHECK(reinterpret_cast<std::uintptr_t>(w) % 256 == 0); delete w;
    Wide *ws = new Wide[9]; CHECK(reinterpret_cast<std::uintptr_t>(ws) % 256 == 0); delete[] ws;
    int *n = new (std::nothrow) int[10]; CHECK(n); operator delete[](n, std::nothrow);
    void *p = operator new(100); operator delete(p, std::size_t(100));
    p = operator new(100, std::align_val_t(64)); operator delete(p, std::size_t(100), std::align_val_t(64));
    p = operator new[](100, std::align_val_t(4096), std::nothrow);
    CHECK(reinterpret_cast<std::uintptr_t>(p) % 4096 == 0);
    operator delete[](p, std::align_val_t(4096), std::nothrow);
    CHECK(operator new(huge, std::nothrow) == nullptr);
    CHECK(operator new[](huge, std::align_val_t(64), std::nothrow) == nullptr);
    std::set_new_handler(handler);
    bool thrown = false;
    try { operator delete(operator new(huge)); } catch (const std::bad_alloc &) { thrown = true; }
    CHECK(thrown && handled == 3);
    thrown = false;
    try { operator delete[](operator new[](huge, std::align_val_t(128)), std::align_val_t(128)); }
    catch (const std::bad_alloc &) { thrown = true; }
    CHECK(thrown);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([] {
            std::map<std::string, std::vector<int>> m;
            for (int i = 0; i < 20000; i++) m[std::to_string(i % 777)].push_back(i);
        });
    for (auto &t : threads) t.join();
    std::puts("all forms");
}
"#;

#[test]
fn new_and_delete_in_all_forms() {
    let d = Scratch::new("new");
    d.file("new.cpp", NEW);
    run(
        "g++",
        &d.0,
        &[
            "-std=c++17",
            "-O1",
            "-fno-builtin",
            "-pthread",
            "new.cpp",
            "-o",
            "new",
        ],
        "",
    );
    if installed("g++") {
        let program = d.0.join("new");
        let out = preloaded(program.to_str().unwrap(), &d.0, &[]);
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success() && text.contains("all forms"), "{text}");
    }
}

/// A C program that includes the header and links the library.
const LINKED: &str = r#"
#include <stdlib.h>
#include <samite_malloc.h>
static int kind;
static bool hook(int k, const void *p) { (void)p; kind = k; return true; }
int main(void) {
    samite_malloc_set_fault_hook(hook);
    char *volatile p = malloc(100), *volatile q = malloc(100);
    free(p);
    free(p);
    free(q);
    samite_malloc_set_fault_hook(NULL);
    if (kind != SAMITE_MALLOC_DOUBLE_FREE) return 1;
    if (samite_malloc_verify() < 1) return 2;
    uint64_t a = 0, b = 0;
    if (samite_malloc_traffic(&a, &b) && a + b == 0) return 3;
    samite_malloc_trim();
    samite_malloc_stats(1, 0);
    samite_malloc_stats(1, 1);
    return 0;
}
"#;

#[test]
fn the_header_and_the_library_are_enough_for_c() {
    let d = Scratch::new("linked");
    d.file("linked.c", LINKED);
    let include = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/include");
    let library = library();
    let library = library.to_str().unwrap();
    let args = [
        "-Wall",
        "-Werror",
        "-fno-builtin",
        "-Wno-use-after-free",
        include,
        "linked.c",
        library,
        "-o",
        "linked",
    ];
    run("gcc", &d.0, &args, "");
    if installed("gcc") {
        let out = Command::new(d.0.join("linked")).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success(), "{} {text}", out.status);
        assert!(text.contains("samite-malloc statistics") && text.contains("\"classes\":["));
    }
}

#[test]
fn statistics_at_exit() {
    let d = Scratch::new("stats");
    let with = |value: &str| {
        // A program that closes its standard error before it exits, as all of its kind do.
        let out = Command::new("ls")
            .current_dir(&d.0)
            .env("LD_PRELOAD", library())
            .env("SAMITE_MALLOC_STATS", value)
            .output()
            .unwrap();
        assert!(out.status.success());
        String::from_utf8_lossy(&out.stderr).into_owned()
    };
    let text = with("1");
    for word in [
        "live",
        "peak",
        "remote frees",
        "adoptions",
        "commit",
        "allocated",
    ] {
        assert!(text.contains(word), "{text}");
    }
    let json = with("json");
    assert!(
        json.starts_with("{\"live_bytes\":") && json.ends_with("]}\n"),
        "{json}"
    );
    let depth = json.chars().fold(0, |d, c| match c {
        '{' | '[' => d + 1,
        '}' | ']' => d - 1,
        _ => d,
    });
    assert_eq!(depth, 0, "{json}");
    assert_eq!(with("0"), "");
}

/// Little alive, in many sizes that come and go, some of them grown: prints the kilobytes of memory of its own that it had at most.
const TINY: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static void *p[300];
    unsigned long r = 1;
    for (int i = 0; i < 800000; i++) {
        r = r * 6364136223846793005UL + 1;
        int k = (r >> 33) % 300;
        size_t size = 8 + (r >> 45) % (i / 20000 % 4 == 0 ? 60 : 500);
        if (r % 97 == 0) size *= 20;
        free(p[k]);
        p[k] = memset(malloc(size), 1, size);
        if (r % 211 == 0) p[k] = memset(realloc(p[k], 10 * size), 1, 10 * size);
    }
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    long most = 0, others = 0;
    while (fgets(line, sizeof line, f)) {
        sscanf(line, "VmHWM: %ld", &most);
        sscanf(line, "RssFile: %ld", &others);
    }
    printf("%ld\n", most - others);
    return 0;
}
"#;

#[test]
fn a_tiny_program_stays_small() {
    if !installed("gcc") {
        eprintln!("gcc is not installed");
        return;
    }
    let d = Scratch::new("tiny");
    d.file("tiny.c", TINY);
    let made = Command::new("gcc")
        .args(["-O1", "-w", "tiny.c", "-o", "tiny"])
        .current_dir(&d.0)
        .status()
        .unwrap();
    assert!(made.success());
    let out = preloaded(d.0.join("tiny").to_str().unwrap(), &d.0, &[]);
    let text = String::from_utf8_lossy(&out.stdout);
    let kilobytes: usize = text.trim().parse().unwrap();
    // About 200 KB of blocks, a first page for each of 60 classes, what a thread caches, and what is retained.
    assert!(kilobytes <= 2600, "{kilobytes} KB of its own");
}

/// The static thread-local space that the library takes of what the dynamic linker has to give to libraries loaded later.
#[test]
fn thread_local_space_is_small() {
    let elf = fs::read(library()).unwrap();
    let word = |at: usize, n: usize| {
        elf[at..at + n]
            .iter()
            .rev()
            .fold(0usize, |v, &b| v << 8 | usize::from(b))
    };
    // Program headers of ELF64: offset at 32, entry size at 54, number at 56; PT_TLS is 7, its memory size at 40.
    let (table, size, n) = (word(32, 8), word(54, 2), word(56, 2));
    let tls: usize = (0..n)
        .map(|i| table + i * size)
        .filter(|&at| word(at, 4) == 7)
        .map(|at| word(at + 40, 8))
        .sum();
    assert!((16..=256).contains(&tls), "{tls} bytes");
}
