//! The text of Samite's libraries as a whole, and what needs files or a process of its own to be seen.

mod common;

use common::{Scratch, libraries, run};

/// Each library has a module of its own: what it calls and does not define is there, in `system` or exported by another library; what it
/// defines and does not export is nobody else's; and what it exports is defined.
#[test]
fn libraries_are_modules() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "modules.pl",
        [r"
:- dynamic exports/1.
main :-
    findall(L, library(L), Libraries),
    length(Libraries, N), ( N > 60 -> true ; writeln(libraries(N)) ),
    forall(member(L, Libraries), '$load_library'(L)),
    '$unresolved'(Unresolved),
    forall(member(PI, Unresolved), ( writeq(unresolved(PI)), nl )),
    findall(M, ( member(L, Libraries), '$library_module'(M, L) ), Modules),
    forall(( member(L, Libraries), '$library_module'(M, L), '$library_exports'(L, PIs), member(F/A, PIs) ), exported(M, F, A)),
    forall(( member(M, Modules), module_property(M, exports(PIs)), member(PI, PIs) ), assertz(exports(PI))),
    forall(( member(M, Modules), current_predicate(M:F/A), private(M, F, A) ), hidden(F, A)),
    writeln(done).

exported(M, F, A) :-
    functor(H, F, A),
    (   predicate_property(M:H, defined) -> true
    ;   writeq(exported_but_undefined(M:F/A)), nl
    ).

private(M, F, A) :-
    \+ exports(F/A),
    functor(H, F, A),
    \+ predicate_property(M:H, imported_from(_)),
    \+ predicate_property(system:H, defined).

hidden(F, A) :-
    functor(H, F, A),
    (   catch(user:H, error(existence_error(procedure, F/A), _), true) -> true
    ;   writeq(seen(F/A)), nl
    ).
", &libraries::facts()].concat(),
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints("done\n");
}

/// Each shelf is named in the README beside them.
#[test]
fn shelves_are_described() {
    let readme = std::fs::read_to_string(libraries::folder().join("README.md")).unwrap();
    for shelf in libraries::shelves() {
        assert!(readme.contains(&format!("\n| `{shelf}` |")), "{shelf}");
    }
}

/// A library that could not be loaded, there being no memory, is loaded when it is called next.
#[test]
fn a_library_is_whole_or_not_there() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "full.pl",
        r"
fill(L) :-
    catch(length(X, 100), E, true),
    (   nonvar(E) -> catch(list_to_assoc([], _), error(resource_error(_), _), true), length(L, _)
    ;   fill([X|L])
    ).
:- dynamic keeps/1.
keeps(N) :- length(L, N), catch(( list_to_assoc([], _), rb_new(_), gensym(a, _), locale_property(default, decimal_point(_)) ), error(resource_error(_), _), true), L = [_|_].
main :-
    catch(fill([]), error(resource_error(_), _), true),
    garbage_collect,
    forall(( between(0, 300, I), N is 1048100 + I*100 ), catch(keeps(N), error(resource_error(_), _), true)),
    garbage_collect,
    list_to_assoc([a-1], A), print(A), nl,
    rb_new(T), rb_insert(T, a, 1, T1), rb_lookup(a, V, T1), print(V), nl,
    gensym(g, G), print(G), nl,
    findall(P, locale_property(default, decimal_point(P)), Ps), print(Ps), nl,
    max_member(M, [1, 3, 2]), print(M), nl.
",
    );
    for limit in [
        "--memory-limit=10M",
        "--memory-limit=16M",
        "--memory-limit=24M",
    ] {
        run(&[limit, "-g", "main", "-t", "halt", &program], "")
            .status(0)
            .prints("t(a,1,-,t,t)\n1\ng1\n['.']\n3\n");
    }
}

/// What a program sets has no effect on the text of a library.
#[test]
fn libraries_are_read_as_they_were_written() {
    let scratch = Scratch::new();
    for flag in ["codes", "atom", "chars"] {
        let program = scratch.file(
            "flags.pl",
            format!(
                r"
:- set_prolog_flag(double_quotes, {flag}).
:- set_prolog_flag(back_quotes, string).
:- op(0, xfx, is), op(0, xfx, =..), op(0, fy, \+), op(700, xfx, -), op(700, fx, member).
:- use_module(library(codesio)), use_module(library(strings)), use_module(library(assoc)).
:- parse_time('2020-01-02T03:04:05', X), atom(t), assertz(seen(X)).
main :-
    read_from_codes([0'a], X), print(X), nl, string_lines(S, [a, b]), print(S), nl,
    seen(T), print(T), nl, list_to_assoc([a-1], A), print(A), nl,
    aggregate_all(count, member(_, [a, b]), N), print(N), nl,
    meta_options([Y]>>(Y == a), [a(1), b(2)], O), print(O), nl.
"
            ),
        );
        run(&["-g", "main", "-t", "halt", &program], "")
            .status(0)
            .prints("a\n\"a\\nb\\n\"\n1577934245.0\nt(a,1,-,t,t)\n2\n[a(user:1),b(2)]\n");
    }
}

/// Solutions that differ in variables only, in the order of SWI-Prolog. Not in the files that run with a collection at each safe point: variables
/// that nobody has compared have no order to keep.
#[test]
fn solutions_are_ordered_by_their_variables() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "bags.pl",
        r"
bags(Template, Goal) :- forall(bagof(Template, Goal, L), ( print(L), write(' ') )), nl.
main :-
    findall(X-N, member(N, [1, 2, 3]), L), msort(L, M), forall(member(_-N, M), ( print(N), write(' ') )), nl,
    bags(X, member(X-_, [1-f(A), 2-f(B)])),
    bags(Y, member(Y-_, [1-A, 2-B, 3-A, 4-f(A), 5-f(B)])).
",
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints("3 2 1 \n[1] [2] \n[1,3] [2] [4] [5] \n");
}

/// `listing/1` prints the clauses that there are, whatever the file says: expanded ones, included ones, those of a file that was edited. Names of
/// variables are the file's where the clause is.
#[test]
fn listing_prints_the_clauses() {
    let scratch = Scratch::new();
    let included = scratch.file("included.pl", "i(1).\n");
    let other = scratch.file(
        "other.pl",
        ":- multifile mm/1.\nmm(other). mm(Same) :- i(Same), i(Same).\n",
    );
    let edited = scratch.file("edited.pl", "v(1).\nv(Old) :- i(Old).\n");
    let program = scratch.file(
        "listed.pl",
        format!(
            r"
:- multifile mm/1.
:- include('{included}').
:- ['{edited}', '{other}'].
mm(here).
st(if(C, A, B)) --> ex(C), ex(A), ex(B).
term_expansion(expand(X), [made(X), made(X, Y) :- i(Y)]).
expand(2).
:- if(fail).
c(1).
:- else.
c(2).
:- endif.
:- op(700, xfx, ===>).
ope(X) :- X = (a ===> b).
:- op(0, xfx, ===>).
:- set_prolog_flag(double_quotes, codes).
text(X) :- i(X), X = f(0'a).
three(First,
      Second, _Third, Single) :- three(Second, First,
   First, 1).
main :-
    open('{edited}', write, S), write(S, 'v(999).\nw.\nv(New) :- i(New).\n'), close(S),
    forall(member(P, [i/1, v/1, mm/1, st//1, made/_, c/1, ope/1, text/1, three/4]), listing(P)).
"
        ),
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints(
            "i(1).

v(1).
v(A) :-
    i(A).

:- multifile mm/1.

mm(other).
mm(Same) :-
    i(Same),
    i(Same).
mm(here).

st(if(A, B, C), D, E) :-
    ex(A, D, F),
    ex(B, F, G),
    ex(C, G, E).

made(2).

made(2, A) :-
    i(A).

c(2).

ope(A) :-
    A= ===>(a, b).

text(X) :-
    i(X),
    X=f(97).

three(First, Second, _Third, _) :-
    three(Second, First, First, 1).

",
        );
}

/// The same of clauses of another module than their text's, whose goals run in that one.
#[test]
fn clauses_of_another_module_are_listed_as_they_were_written() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "hooks.pl",
        r"
:- module(hooks, [main/0]).
:- use_module(library(yall)).
:- use_module(library(apply)).
:- multifile user:hook/1, user:mapped/2.
user:hook(Xyz) :- helper(Xyz).
user:mapped(Abc, Ys) :- maplist([X,Y]>>(Y = f(X,Abc)), [1], Ys).
helper(_).
main :- listing([user:hook/1, user:mapped/2]).
",
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints(
            ":- multifile user:hook/1.

user:hook(Xyz) :-
    hooks:helper(Xyz).

:- multifile user:mapped/2.

user:mapped(Abc, Ys) :-
    hooks:maplist([X, Y]>>(Y=f(X, Abc)), [1], Ys).

",
        );
}

/// The options that a program declares are explained, and what is wrong with arguments is told, as SWI-Prolog does it.
#[test]
fn options_of_a_program_are_explained() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "options.pl",
        r#"
:- use_module(library(main)).
:- initialization(main, main).
opt_type(verbose, verbose, boolean).
opt_type(v, verbose, boolean).
opt_type(num, num, integer).
opt_type(n, num, integer).
opt_type(mode, mode, oneof([fast, slow])).
opt_type(between, between, between(1, 10)).
opt_type(no_help, no_help, atom).
opt_type(in, in, file(read)).
opt_type(out, out, (file(write)|integer)).
opt_type(there, there, file(exist)).
opt_type(runs, runs, file(execute)).
opt_type(folder, folder, directory).
opt_type(some, some, nonneg).
opt_type(more, more, (natural|boolean|oneof([x]))).
opt_help(help(header), "Header").
opt_help(help(usage), " [options] file ...").
opt_help(help(footer), "Footer").
opt_help(verbose, "Say more").
opt_help(num, "A number which is quite a long text so that it would need to be wrapped at some place in the line").
opt_help(mode, "Of two\nlines").
opt_meta(mode, 'MODE').
main(Words) :- argv_options(Words, Rest, Options), print(Rest-Options), nl.
"#,
    );
    let help = run(&[&program, "--help"], "").status(0).prints("");
    let (usage, options) = help.err.split_once("\n\n").expect("a usage");
    assert!(usage.starts_with("Header\nUsage: "), "{usage}");
    assert!(usage.ends_with("options.pl [options] file ..."), "{usage}");
    assert_eq!(
        options,
        "Options:\n\
         -h, -?, --help            Show this help message and exit\n\
         -v, --verbose             Say more\n\
         -n INTEGER, --num=INTEGER A number which is quite a long text so that it\n                          \
         would need to be wrapped at some place in the line\n\
         --mode=MODE               Of two\nlines\n\
         --between=BETWEEN         \n\
         --no_help=ATOM            \n\
         --in=FILE                 \n\
         --out=|                   \n\
         --there=FILE              \n\
         --runs=FILE               \n\
         --folder=DIRECTORY        \n\
         --some=NONNEG             \n\
         --more=|                  \n\
         Footer\n"
    );
    let words = ["-vn3", "a", "--num", "4", "--no-verbose", "--", "-x"];
    let mut all = vec![program.as_str()];
    all.extend(words);
    run(&all, "")
        .status(0)
        .prints("[a,'-x']-[verbose(true),num(3),num(4),verbose(false)]\n")
        .silent();
    let there = format!("--in={program}");
    run(&[&program, "--in=-", &there, "--out=-"], "")
        .status(0)
        .prints(&format!("[]-[in(-),in('{program}'),out(-)]\n"));
    for (word, message) in [
        (
            "--num=x",
            "Option --num=x requires an argument of type integer (found x)",
        ),
        (
            "-nx",
            "Option -n requires an argument of type integer (found x)",
        ),
        (
            "-n=3",
            "Option -n requires an argument of type integer (found =3)",
        ),
        (
            "--num",
            "Option --num requires an argument (of type integer)",
        ),
        (
            "--mode=foo",
            "Option --mode=foo requires one of fast, slow (found foo)",
        ),
        (
            "--between=11",
            "Option --between=11 requires a number 1..10 (found 11)",
        ),
        (
            "--in=/none/such",
            "Cannot access file /none/such for reading",
        ),
        (
            "--out=/none/such",
            "Cannot access file /none/such for writing",
        ),
        ("--there=/none", "File /none does not exist"),
        ("--runs=/none", "Cannot access file /none for executing"),
        (
            "--folder=/",
            "Option --folder=/ requires an argument of type directory (found /)",
        ),
        (
            "--some=-1",
            "Option --some=-1 requires a non-negative integer (found -1)",
        ),
        (
            "--verbose=yes",
            "Option --verbose=yes requires an argument of type boolean (found yes)",
        ),
        (
            "--more=z",
            "Option --more=z requires a positive integer (>= 1) or an argument of type boolean or x (found z)",
        ),
        ("--nope=3", "Unknown option: --nope (-h for help)"),
        ("-vq", "Unknown option: -q (-h for help)"),
    ] {
        let wrong = run(&[&program, word], "").status(1).prints("");
        assert_eq!(wrong.err, format!("ERROR: {message}\n"), "{word}");
    }
}

/// What is said of a predicate stands before its clauses, as in SWI-Prolog; and what is said of one without clauses.
#[test]
fn listing_prints_the_declarations() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "declared.pl",
        r"
:- discontiguous(a/1). a(1).
:- public(b/1). b(1).
:- table t/1 as variant. t(1).
:- table i/1 as incremental. i(1).
:- table h/1 as (shared, subsumptive). h(1).
:- table s(_, min), f(_, -). s(1, 2). f(1, 2).
:- thread_local l/1. :- multifile l/1.
:- dynamic(d/1). :- public(d/1). :- multifile(d/1). :- volatile(d/1). :- discontiguous(d/1).
:- meta_predicate d(0). :- table d/1.
:- multifile(m/1). :- discontiguous(n/1).
main :- listing([a/1, b/1, t/1, i/1, h/1, s/2, l/1, d/1, m/1, n/1]), forall(member(P, [m/1, n/1]), current_predicate(P)).
",
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints(
            "a(1).

:- public b/1.

b(1).

:- table t/1 as variant.

t(1).

:- table i/1 as (incremental,variant).

i(1).

:- table h/1 as (shared,subsumptive).

h(1).

% tabled using answer subsumption
s(1, 2).

:- thread_local l/1.
:- dynamic l/1.
:- volatile l/1.
:- multifile l/1.


:- table d/1 as variant.
:- dynamic d/1.
:- volatile d/1.
:- multifile d/1.
:- public d/1.
:- meta_predicate d(0).


:- multifile m/1.



",
        );
}

/// The clauses of libraries can be seen as terms, each of them; nothing is kept of them before that. Several threads may be the first to ask.
#[test]
fn clauses_of_libraries_can_be_seen() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "seen.pl",
        [r"
main :-
    findall(L, library(L), Libraries),
    findall(Id, ( between(1, 2, _), thread_create(forall(library(L), '$library_recalled'(L)), Id) ), Ids),
    forall(member(L, Libraries), recalled(L)),
    forall(member(Id, Ids), thread_join(Id, true)),
    aggregate_all(count, clause(lists:append(_, _, _), _), N),
    writeln(N).

'$library_recalled'(L) :- '$library_module'(M, L), '$recall'(M).

recalled(L) :-
    '$load_library'(L),
    '$library_module'(M, L),
    forall(( current_predicate(M:F/A), functor(H, F, A),
             \+ predicate_property(M:H, imported_from(_)), \+ predicate_property(M:H, foreign) ),
           counted(M, H)).

counted(M, H) :-
    predicate_property(M:H, number_of_clauses(N)),
    predicate_property(M:H, number_of_rules(R)),
    aggregate_all(count, clause(M:H, _), N0),
    aggregate_all(count, ( clause(M:H, B), B \== true ), R0),
    aggregate_all(count, ( nth_clause(M:H, _, Ref), clause(M:H, _, Ref) ), N1),
    (   N-N-R == N0-N1-R0 -> true
    ;   functor(H, F, A), writeq(M:F/A-[N, N0, N1]-[R, R0]), nl
    ).
", &libraries::facts()].concat(),
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints("2\n");
    // As they are in the text, and no others.
    let program = scratch.file(
        "copied.pl",
        r"
:- use_module(library(lists)).
main :-
    copy_predicate_clauses(lists:append/3, mine/3), findall(X-Y, mine(X, Y, [a]), L), print(L), nl,
    error(erase_first), error(retract(lists:append(_, _, _))), error(clause(lists:no_such(_), _)),
    error(clause(phrase(_, _), _)), error(clause(lists:phrase(_, _), _)), error(nth_clause(phrase(_, _), _, _)),
    clause(lists:subset(_, _), B), clause(B), nl,
    listing(lists:append/2), listing(append([], _, _)), source(append/3), listing([phrase/2, atom_length/2]).
erase_first :- nth_clause(lists:append(_, _, _), 1, R), erase(R).
error(G) :- catch(( G -> print(yes) ; print(no) ), error(E, _), ( E =.. [F, A, T|_] -> print(F-A-T) ; true )), nl.
source(PI) :-
    with_output_to(string(S), listing(PI, [source(true)])),
    atomic_list_concat([First|Lines], '\n', S), sub_atom(First, 0, _, _, '% From library(lists):'),
    atomic_list_concat(Lines, '\n', Text), write(Text).
clause(B) :- numbervars(B, 0, _), print(B).
",
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints(
            "[[]-[a],[a]-[]]\npermission_error-clause-erase\npermission_error-modify-static_procedure\nno\n\
permission_error-access-private_procedure\npermission_error-access-private_procedure\npermission_error-access-private_procedure\n\
must_be(list,A),subset_(A,B)\n\
append(Lists, List) :-\n    must_be(list, Lists),\n    concatenation(Lists, List).\n\n\
lists:append([], Ys, Ys).\n\n\
append([], Ys, Ys).\nappend([X|Xs], Ys, [X|Zs]) :-\n    append(Xs, Ys, Zs).\n\n\
%   Private: system:phrase/2\n\n%   Foreign: system:atom_length/2\n\n",
        );
}

/// Directories with what is in them; links are deleted as such, and followed once.
#[test]
fn directories_with_what_is_in_them() {
    let scratch = Scratch::new();
    let top = scratch.path("top");
    let program = scratch.file(
        "program.pl",
        format!(
            r"
:- use_module(library(filesex)).
top('{top}').
path(File, Path) :- top(Top), directory_file_path(Top, File, Path).
file(File) :- path(File, Path), open(Path, write, S), write(S, File), close(S).
members(Options) :-
    top(Top),
    findall(R, ( directory_member(Top, M, Options), atom_concat(Top, /, T), atom_concat(T, R, M) ), Rs0),
    sort(Rs0, Rs),
    print(Rs), nl.
error(Goal) :- catch(( Goal -> true ; print(no) ), error(E, _), ( E =.. [F, A|_] -> print(F-A) ; print(E) )), nl.
main :-
    path('a/b', AB), make_directory_path(AB), make_directory_path(AB),
    maplist(file, ['a/x.pl', 'a/b/y.txt', 'z.pl', kept]),
    path(l, L), path(a, A), path('a/b/up', Up), path(h, H), path('z.pl', Z), path(kept, Kept),
    link_file('z.pl', L, symbolic), link_file(Z, H, hard), link_file(A, Up, symbolic),
    read_link(L, Link, Target), print(Link), nl, ( Target == Z -> true ; print(Target), nl ),
    ( read_link(Z, _, _) -> print(link), nl ; true ),
    error(link_file(Z, L, symbolic)), error(link_file(Z, L, soft)), error(link_file(_, L, hard)),
    members([recursive(true)]), members([extensions([pl]), recursive(true)]), members([matches('*.txt'), recursive(true)]),
    members([exclude('*.pl')]), members([exclude_directory(b), recursive(true), file_type(directory)]), members([follow_links(false), recursive(true)]),
    path(outside, Outside), make_directory(Outside), path('outside/file', File), link_file(Kept, File, symbolic), path('a/out', Out), link_file(Outside, Out, symbolic),
    delete_directory_contents(A), directory_files(A, Fs0), msort(Fs0, Fs), print(Fs), nl,
    members([recursive(true)]),
    top(Top), delete_directory_and_contents(Top), error(exists_directory(Top)),
    error(delete_directory_and_contents(Top)).
"
        ),
    );
    run(&["-q", "-g", "main", "-t", "halt", &program], "")
        .silent()
        .status(0)
        .prints(
            "'z.pl'\npermission_error-create\ndomain_error-link_type\ninstantiation_error\n\
             [a,'a/b','a/b/up','a/b/y.txt','a/x.pl',h,kept,l,'z.pl']\n['a/x.pl','z.pl']\n['a/b/y.txt']\n\
             [a,h,kept,l]\n[a,'a/b']\n[a,'a/b','a/b/y.txt','a/x.pl',h,kept,'z.pl']\n\
             ['.',..]\n[a,h,kept,l,outside,'outside/file','z.pl']\nno\nexistence_error-directory\n",
        );
}

/// What a program adds while it is loaded belongs to its file, wherever it comes between other clauses.
#[test]
fn clauses_added_while_a_file_is_loaded() {
    let scratch = Scratch::new();
    let m = scratch.file(
        "m.pl",
        ":- module(m, [p/1, q/1]).\n\
         p(1).\n:- compile_aux_clauses([aux(1), (aux(2) :- true), (:- dynamic(d/1))]).\np(2).\n\
         q(X) :- aux(X), \\+ d(X).\n",
    );
    let program = scratch.file(
        "main.pl",
        format!(
            ":- use_module(m).\n\
             main :- findall(X, q(X), L), print(L), nl, compile_aux_clauses([r(1)]), r(Y), print(Y), nl,\n\
                 ( source_file(m:aux(_), '{m}') -> true ; print(none), nl ), load_files(m, [if(true)]), findall(X, p(X), P), print(P), nl,\n\
                 findall(X, q(X), Q), print(Q), nl, abolish(r, 1), catch(r(_), error(E, _), ( print(E), nl )).\n"
        ),
    );
    let r = run(
        &[
            "-q",
            "-g",
            &format!("working_directory(_, '{}'), main", scratch.path(".")),
            "-t",
            "halt",
            &program,
        ],
        "",
    );
    r.silent()
        .status(0)
        .prints("[1,2]\n1\n[1,2]\n[1,2]\nexistence_error(procedure,r/1)\n");
}

/// Lists of codes are printed as text if that is wanted.
#[test]
fn text_is_portrayed() {
    let goal = r#"X = `hello, w\\"o`, print(X), nl, portray_text(true), print(X), nl, print(f([X], `ab`, [0'a, 1, 2], [a|X])), nl,
        print("string"), nl, writeq(`abc`), nl, set_portray_text(ellipsis, 30, 6), print(X), nl, set_portray_text(min_length, 1), print(`a\n`), nl,
        set_prolog_flag(double_quotes, codes), set_prolog_flag(back_quotes, string), print(X), nl,
        portray_text(false), print(`b`), print([97, 98]), nl,
        catch(set_portray_text(foo, 1), error(E, _), ( print(E), nl )), catch(portray_text(1), error(E2, _), ( print(E2), nl ))"#;
    common::run(&["-g", goal, "-t", "halt"], "")
        .status(0)
        .silent()
        .prints(
            "[104,101,108,108,111,44,32,119,92,34,111]\n`hello, w\\\\\"o`\nf([`hello, w\\\\\"o`],[97,98],[97,1,2],[a,104,101,108,108,111,44,32,119,92,34,111])\n\
             \"string\"\n[97,98,99]\n`h... w\\\\\"o`\n`a\\n`\n\"h... w\\\\\\\"o\"\n[98][97,98]\n\
             domain_error(portray_text_option,foo)\ntype_error(boolean,1)\n",
        );
}

/// The module that a library's text begins with.
fn module_of(text: &str) -> Option<&str> {
    let (_, header) = text.split_once(":- module(")?;
    header.split([',', ')']).next()
}

/// What Samite does for a program before it has called a library takes no library's name: finding files of the program's own, loading them, telling what is
/// wrong with them. Nor does a library of Samite's, before it calls what it uses. So each library may be the program's own one instead.
#[test]
fn programs_have_libraries_of_their_own() {
    let scratch = Scratch::new();
    let directory = scratch.path("own");
    std::fs::create_dir(&directory).unwrap();
    let mut modules = Vec::new();
    for shelf in libraries::shelves().iter().filter(|s| *s != "boot") {
        for (name, path) in libraries::texts_of(shelf) {
            let text = std::fs::read_to_string(path).unwrap();
            let module = module_of(&text).expect("a module").trim_matches('\'');
            if !module.starts_with('$') {
                let name = name.replace('/', "_");
                let own = format!(
                    ":- module({module}, [mine/1]).\n% Neither of them is a matter of style.\nmine({module}).\nmine(X, Y).\n"
                );
                scratch.file(&format!("own/{name}.pl"), own);
                modules.push(format!("own('{name}', {module}).\n"));
            }
        }
    }
    assert!(modules.len() > 60, "{}", modules.len());
    let driver = format!(
        ":- multifile user:file_search_path/2.\n:- dynamic user:file_search_path/2.\n\
         user:file_search_path(here, '{directory}').\n\
         user:file_search_path(below, here(.)).\n\
         taken(Spec, M) :- use_module(Spec, []), ( catch(M:mine(M), E, ( print(E), nl )) -> true ; print(no(M)), nl ).\n\
         main :- forall(own(N, M), taken(below(N), M)), writeln(done).\n\
         {}",
        modules.concat()
    );
    let driver = scratch.file("driver.pl", driver);
    let told = run(&["-g", "main", "-t", "halt", &driver], "")
        .status(0)
        .prints("done\n");
    let singletons = told.err.matches("Singleton variables: [X,Y]").count();
    assert_eq!(singletons, modules.len(), "{}", told.err);
    // Libraries that use others, of which none is called.
    let own = &directory;
    let users = format!(
        ":- use_module(library(apply)).\n:- use_module(library(assoc)).\n:- use_module(library(yall)).\n:- use_module(library(ugraphs)).\n\
         :- use_module(library(random)).\n:- use_module(library(thread)).\n:- use_module(library(readutil)).\n:- use_module(library(aggregate)).\n\
         :- use_module('{own}/error').\n:- use_module('{own}/lists', []).\n:- use_module('{own}/option', []).\n:- use_module('{own}/pairs', []).\n:- use_module('{own}/ordsets', []).\n\
         main :- mine(X), writeln(X), lists:mine(L), writeln(L), maplist(=(Y), [1, 1]), writeln(Y),\n\
             \\+ maplist(=(_), [1|a]), list_to_assoc([a-1], A), get_assoc(a, A, V), writeln(V),\n\
             catch(list_to_assoc([a], _), error(E, _), true), writeln(E),\n\
             vertices_edges_to_ugraph([b], [a-b], G), writeln(G).\n"
    );
    let users = scratch.file("users.pl", users);
    run(&["-g", "main", "-t", "halt", &users], "")
        .status(0)
        .prints("error\nlists\n1\n1\ntype_error(pair,a)\n[a-[b],b-[]]\n");
}
