//! A saved program is what the program was that was loaded: random programs of several files, loaded and saved, print the same of themselves and of
//! what they do, then and when files of theirs have been edited and are made again.
//!
//! `SAMITE_SEED=n` is the first seed, `SAMITE_SEEDS=n` how many there are.

mod common;

use common::random::{Random, setting};
use common::{LIMIT, Run, Scratch, finish, samite};
use std::process::Command;

/// What the first file begins with: it tells all that can be asked of its modules, and calls what there is; then it does so again with the files
/// edited.
const TELLS: &str = r#"
:- style_check(-singleton).
:- initialization(main, main).
:- dynamic(said/1).
said(T) :- \+ \+ ( numbervars(T, 0, _, [singletons(false)]), print(T), nl ).
main :- tell, edit, format(user_error, "made~n", []), make, tell.
edit :- source_file(user:tell, Path), file_directory_name(Path, Dir),
    forall(( member(F, [f1, f2, f3, f4]), atomic_list_concat([Dir, /, F, '.new'], New), exists_file(New) ),
           ( atomic_list_concat([Dir, /, F, '.pl'], Old), rename_file(New, Old) )).
tell :-
    findall(M, mine(M), Ms0), sort(Ms0, Ms),
    forall(member(M, Ms), tell(M)),
    forall(source(F), about(F)),
    '$image'(Image0), msort(Image0, Image), forall(( member(Row, Image), \+ Row = files(_, _) ), row(Row)),
    findall(K-V, recorded(K, V), Rs), said(recorded(Rs)),
    findall(T-On, prolog_debug:debugging(T, On), Ds), said(debugging(Ds)),
    findall(U, catch(plunit:current_unit(U, _, _, _), _, fail), Us), said(units(Us)),
    ( Us == [] -> true ; with_output_to(string(_), ( catch(run_tests, E, true) -> R = yes ; R = no )), said(tests(R, E)) ),
    forall(member(T, [heard(_), it]), ( with_output_to(string(S), ignore(catch(broadcast(T), _, true))), said(T-S) )),
    format("~k|~p~n", [f('A', "s"), f('A', "s")]),
    findall(S-V, catch(setting(m1:S, V), _, fail), Ss), said(settings(Ss)),
    thread_create(( catch(nb_getval(begun, B), _, B = none), said(begun(B)) ), Id), thread_join(Id).
% (How many loads there have been before, libraries included, is another matter.)
row(predicate(PI, Flags, File, _, ByFile, Meta, Transparent)) :- !, said(predicate(PI, Flags, File, ByFile, Meta, Transparent)).
row(Row) :- said(Row).
mine(M) :- current_module(M), ( M == user ; module_property(M, class(C)), memberchk(C, [user, test, temporary]) ), \+ memberchk(M, [prolog, toplevel_variables]).
source(F) :- source_file(Path), file_base_name(Path, F).
about(F) :- source(F), source_file(Path), file_base_name(Path, F), !,
    findall(P, ( member(P, [load_context(_, _, _), includes(_, _), module(_), number_of_clauses(_)]), source_file_property(Path, P0), P0 = P, P \= includes(_, _) ), Ps),
    findall(P, base(Ps, P), Qs),
    said(F-Qs).
base(Ps, Q) :- member(P, Ps), ( P = load_context(M, Path:L, O) -> file_base_name(Path, B), Q = load_context(M, B:L, O) ; Q = P ).
tell(M) :-
    said(module(M)),
    ( module_property(M, exports(Es)) -> msort(Es, Xs), said(exports(Xs)) ; true ),
    findall(I, import_module(M, I), Is), said(inherits(Is)),
    findall(F=V, ( member(F, [unknown, double_quotes, back_quotes]), current_prolog_flag(M:F, V) ), Fs), said(Fs),
    ( module_property(M, class(C)) -> said(class(C)) ; true ),
    findall(op(P, T, N), ( member(N, [o1, o2, o3, o4, is, +]), current_op(P, T, M:N) ), Ops0), msort(Ops0, Ops), said(Ops),
    findall(N/A, ( member(N, [p1, p2, p3, p4, p5, q1, q2, q3, d1, d2, t1, t2, h1, h2, gr, app, portray, term_expansion, goal_expansion, 'unit test']), between(0, 4, A), functor(H, N, A), known(M:H) ), PIs0),
    sort(PIs0, PIs),
    forall(member(N/A, PIs), ( functor(H, N, A), tell(M, H) )).
known(M:H) :- functor(H, N, A), '$predicate_properties'(M:N/A, [_|_]).
tell(M, H) :-
    findall(P, ( member(P, [dynamic, multifile, discontiguous, public, det, exported, transparent, thread_local, tabled, volatile, imported_from(_), meta_predicate(_), number_of_clauses(_), number_of_rules(_), tabled(_), incremental, quasi_quotation_syntax]), predicate_property(M:H, P) ), Ps),
    functor(H, N, A),
    said(M:N/A-Ps),
    ( predicate_property(M:H, imported_from(_)) -> true
    ; forall(catch(( nth_clause(M:H, _, R), clause(M:G, B, R) ), _, fail), ( place(R, Place), said(Place-(G :- B)) ))
    ),
    ( N == 'unit test' -> true
    ; findall(H, limit(20, catch(call_with_inference_limit(M:H, 10000, _), E, ( said(E), fail ))), L), said(L)
    ).
place(R, F:L) :- clause_property(R, file(P)), !, file_base_name(P, F), ( clause_property(R, line_count(L)) -> true ; L = none ).
place(_, none).
"#;

const NAMES: [&str; 10] = ["p1", "p2", "p3", "p4", "p5", "d1", "d2", "t1", "h1", "h2"];

/// A statement or two of the file with this number; those with higher numbers are loaded by it.
fn statement(r: &mut Random, file: usize, files: usize, modules: &[bool]) -> String {
    let n = r.below(100);
    let p = r.one(&NAMES);
    let static_p = r.one(&["p1", "p2", "p3", "p4", "p5"]);
    let d = r.one(&["d1", "d2"]);
    let h = r.one(&["h1", "h2"]);
    let other = file + 1 + r.below((files - file).max(1));
    let there = other <= files;
    let is_module = there && modules[other];
    match r.below(44) {
        0..=5 => format!("{static_p}({n}).\n"),
        6 => format!("{static_p}(X) :- {p}(X), X \\== {n}.\n"),
        7 => format!(":- dynamic({d}/1).\n{d}({n}).\n"),
        8 => format!(":- dynamic({d}/1).\n:- assertz({d}({n})), asserta({d}(a{n})).\n"),
        9 => format!(":- catch(retract({d}(_)), _, true) -> true ; true.\n"),
        10 => format!(":- multifile({h}/1).\n{h}({n}).\n"),
        11 => format!(":- multifile(m1:{h}/1).\nm1:{h}({n}).\n"),
        12 => format!(":- multifile(user:{h}/1).\nuser:{h}({n}).\nuser:{h}(X) :- X = \"s{n}\".\n"),
        13 => format!(":- table(t1/1).\nt1(X) :- t1(Y), Y < 3, X is Y+1.\nt1({}).\n", n % 3),
        14 => format!(":- table(t2(_, max)).\nt2(a, {n}). t2(a, 3).\n"),
        15 => format!(":- op({}, xfx, o1).\np5(a o1 {n}).\n", 500 + n),
        16 => ":- op(0, xfx, o2).\n".to_owned(),
        17 => format!(":- op(700, xfx, user:o3).\n{static_p}(X) :- X = (a o3 b).\n"),
        18 => ":- set_prolog_flag(double_quotes, codes).\n".to_owned(),
        19 => format!(":- set_prolog_flag(unknown, fail).\n{static_p}({n}) :- nowhere.\n"),
        20 => format!("term_expansion(q1({n}), q1(expanded)).\nq1({n}).\n"),
        21 => format!("goal_expansion(q2(X), X = {n}).\n{static_p}(X) :- q2(X).\n"),
        22 => format!(":- initialization(( catch({d}(i{n}), _, fail) -> true ; assertz({d}(i{n})) )).\n"),
        23 => format!(":- discontiguous({static_p}/1).\n{static_p}(x). q3({n}). {static_p}(y).\n"),
        24 => ":- use_module(library(lists), [append/3 as app]).\n".to_owned(),
        25 => ":- use_module(library(lists), except([last/2])).\n".to_owned(),
        26 => ":- use_module(library(apply)).\n:- use_module(library(yall)).\n".to_owned(),
        27 => format!("{static_p}(X) :- maplist([A, B]>>(B = f(A)), [{n}], [X]).\n"),
        28 => format!(":- begin_tests(u{file}).\ntest(a) :- {}.\n:- end_tests(u{file}).\n", r.one(&["true", "fail", "p1(_)"])),
        29 => format!(":- use_module(library(broadcast)).\n:- listen(heard({n}), write(heard({n}))).\n"),
        30 => format!(":- debug(topic{}).\n", n % 3),
        31 => ":- format_predicate(k, user:fk(_, _)).\n:- multifile(user:fk/2).\nuser:fk(_, X) :- write(k(X)).\n".to_owned(),
        32 => format!(":- recordz(r{}, {n}).\n", n % 2),
        33 => format!("gr --> [{n}], gr.\ngr --> [].\n"),
        34 => format!("p4(X), X > {n} => true.\np4(_) => true.\n"),
        35 => format!(":- meta_predicate({static_p}(0)).\n"),
        36 => format!(":- public({p}/1).\n:- det(q3/1).\n"),
        37 => format!(":- add_import_module({}, m1, start).\n", r.one(&["m2", "m3", "extra"])),
        38 => format!(":- assertz(extra:d1({n})), assertz((extra:d2(X) :- d1(X))).\n"),
        39 => format!(":- use_module(library(settings)).\n:- setting(m1:s{}, integer, {n}, 'A').\n", n % 2),
        40 => format!(":- thread_initialization(nb_setval(begun, {n})).\n"),
        41 => "user:portray(f(_, X)) :- write(shown(X)).\n:- multifile(user:portray/1).\n".to_owned(),
        42 if is_module => match r.below(5) {
            0 => format!(":- use_module(f{other}).\n"),
            1 => format!(":- use_module(f{other}, [{static_p}/1 as q1, {d}/1]).\n"),
            2 => format!(":- use_module(f{other}, except([{static_p}/1])).\n"),
            3 => format!(":- reexport(f{other}).\n"),
            _ => format!(":- reexport(f{other}, [{static_p}/1 as q2]).\n"),
        },
        _ if there => format!(":- ensure_loaded(f{other}).\n"),
        _ => format!("{static_p}(end({n})).\n"),
    }
}

fn text(r: &mut Random, file: usize, files: usize, modules: &[bool]) -> String {
    let mut text = String::new();
    if modules[file] {
        let exports = [
            "p1/1",
            "p2/1",
            "d1/1",
            "h1/1",
            "t1/1",
            "gr//0",
            "op(600, xfx, o4)",
        ];
        let some: Vec<&str> = exports.into_iter().filter(|_| r.below(2) == 0).collect();
        text += &format!(":- module(m{file}, [{}]).\n", some.join(", "));
    }
    for (other, &module) in modules.iter().enumerate().skip(file + 1) {
        if r.below(2) == 0 {
            text += &match (module, r.below(3)) {
                (true, 0) => format!(":- reexport(f{other}).\n"),
                (true, _) => format!(":- use_module(f{other}).\n"),
                (false, _) => format!(":- ensure_loaded(f{other}).\n"),
            };
        }
    }
    for _ in 0..4 + r.below(8) {
        text += &statement(r, file, files, modules);
    }
    text
}

/// Files with their texts, `.new` what they are edited to.
fn program(seed: u64) -> Vec<(String, String)> {
    let mut r = Random::new(seed);
    let files = 2 + r.below(3);
    let modules: Vec<bool> = (0..=files).map(|_| r.below(4) != 0).collect();
    let mut all = Vec::new();
    for file in 1..=files {
        all.push((format!("f{file}.pl"), text(&mut r, file, files, &modules)));
        if r.below(2) == 0 {
            all.push((format!("f{file}.new"), text(&mut r, file, files, &modules)));
        }
    }
    let mut main = String::new();
    for (file, &module) in modules.iter().enumerate().skip(1) {
        if r.below(3) != 0 {
            let kind = if module {
                "use_module"
            } else {
                "ensure_loaded"
            };
            main += &format!(":- {kind}(f{file}).\n");
        }
    }
    main += TELLS;
    all.push(("main.pl".to_owned(), main));
    all
}

fn write_files(scratch: &Scratch, files: &[(String, String)]) {
    for (name, text) in files {
        scratch.file(name, text);
    }
}

/// What was told of errors when files were made again.
fn made(run: &Run) -> String {
    let (_, made) = run.err.split_once("made\n").unwrap_or(("", "not made"));
    // (How long tests take is another matter.)
    let made = made.lines().filter(|line| !line.contains(" sec"));
    made.map(without_names).collect::<Vec<_>>().join("\n")
}

/// Variables have other names.
fn without_names(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        out.push(c);
        if c == '_' {
            while rest.peek().is_some_and(char::is_ascii_digit) {
                rest.next();
            }
        }
    }
    out
}

fn same(seed: u64) {
    let scratch = Scratch::new();
    let files = program(seed);
    write_files(&scratch, &files);
    let main = scratch.path("main.pl");
    let mut command = samite();
    command
        .arg("--on-error=print")
        .args(["-o", &scratch.path("saved"), "-c", &main]);
    finish(command, b"", LIMIT).sound();
    let times: Vec<_> = files
        .iter()
        .map(|(name, _)| {
            let path = scratch.path(name);
            (
                path.clone(),
                std::fs::metadata(path)
                    .and_then(|m| m.modified())
                    .expect("it was written"),
            )
        })
        .collect();
    let saved = finish(Command::new(scratch.path("saved")), b"", LIMIT).sound();
    write_files(&scratch, &files);
    for (path, time) in times {
        let file = std::fs::File::options()
            .append(true)
            .open(path)
            .expect("it is there");
        file.set_modified(time).expect("a time");
    }
    let mut command = samite();
    command.arg(&main);
    let loaded = finish(command, b"", LIMIT).sound();
    assert!(
        loaded.err.contains("made\n") && loaded.out.matches("begun(").count() == 2,
        "SAMITE_SEED={seed}: {loaded:#?}"
    );
    let about = |run: &Run| {
        (
            run.out.lines().map(without_names).collect::<Vec<_>>(),
            made(run),
        )
    };
    let (l, s) = (about(&loaded), about(&saved));
    let first = l.0.iter().zip(&s.0).position(|(a, b)| a != b);
    if l != s {
        let at = first.unwrap_or(l.0.len().min(s.0.len()));
        let from = at.saturating_sub(3);
        let show = |lines: &[String]| {
            lines
                .iter()
                .skip(from)
                .take(8)
                .cloned()
                .collect::<Vec<_>>()
                .join("\n")
        };
        let texts: String = files
            .iter()
            .map(|(n, t)| format!("--- {n}\n{}", t.replace(TELLS, "")))
            .collect();
        panic!(
            "SAMITE_SEED={seed}:\n{texts}=== loaded\n{}\n=== saved\n{}\n=== made, loaded\n{}\n=== made, saved\n{}\n=== {}",
            show(&l.0),
            show(&s.0),
            l.1,
            s.1,
            saved.err
        );
    }
    let begun = saved.err.split("made\n").next().unwrap_or("");
    assert!(
        !begun.contains("not exported") && !begun.contains("not defined"),
        "SAMITE_SEED={seed}: {begun}"
    );
}

#[test]
fn saved_programs_are_what_is_loaded() {
    let first = setting("SAMITE_SEED", 1);
    for seed in first..first + setting("SAMITE_SEEDS", 5) {
        same(seed);
    }
}
