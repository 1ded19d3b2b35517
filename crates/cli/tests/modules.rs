//! Modules of programs: what is theirs, and what others see of it.

mod common;

use common::{LIMIT, Scratch, finish, run, samite};

/// What a module says of operators holds in it; what `user` says holds in all modules but those of libraries; what is exported holds where it is
/// imported. Compared with SWI-Prolog's output, but for `op(0, _, m:Name)`, which there hides a name from the reader and not from
/// `current_op/3`.
#[test]
fn operators_belong_to_modules() {
    let scratch = Scratch::new();
    scratch.file(
        "m.pl",
        r"
:- module(m, [p/1, op(700,xfx,===>), op(100, xf, @@), q/0]).
:- op(200, xfy, **>).
p(a ===> b).
p(a **> b).
p(a @@).
q :- p(X), print(X), nl, write_term(X, [module(m), quoted(true)]), nl, fail.
q :- op(300, xfx, ~~>), holds(~~>), holds(**>).
holds(Op) :- ( current_op(P, _, Op) -> writeln(m(P)) ; writeln(m(none)) ).
",
    );
    let program = scratch.file(
        "u.pl",
        r"
:- op(700, xfx, -).
:- op(0, xfx, is).
:- use_module(m, [p/1, q/0, op(700, xfx, _)]).
shows(Op) :- ( current_op(P, _, Op) -> writeln(P) ; writeln(none) ).
reads(Text, Options) :-
    ( catch(read_term_from_atom(Text, T, Options), error(syntax_error(_), _), fail) -> print(T) ; write(no) ), nl.
main :-
    q, shows(~~>), shows(===>), shows(**>), shows(@@), shows(is),
    % Libraries are read by operators of their own.
    list_to_assoc([a-1, b-2], A), assoc_to_list(A, L), print(L), nl,
    aggregate_all(max(Y-Z), member(Y-Z, [1-2, 3-4]), M), print(M), nl,
    reads('a **> b', []), reads('a **> b', [module(m)]), reads('a ===> b', []), reads('X is 1', [module(m)]),
    op(200, xfx, m:(==>)), reads('a ==> b', []), reads('a ==> b', [module(m)]),
    op(0, xfx, m:(===>)), reads('a ===> b', []), reads('a ===> b', [module(m)]), reads('a ===> b', [module(lists)]),
    op(0, xfx, m:(==>)), reads('a ==> b', [module(m)]),
    op(200, xfx, lists:[<=>]), op(200, xfx, [<=>>]), reads('a <=> b', []), reads('a <=> b', [module(lists)]), reads('a <=>> b', [module(m)]).
",
    );
    run(&["-q", "-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints(
            "a===>b\na===>b\n**>(a,b)\na**>b\n@@(a)\na@@\nm(300)\nm(none)\n\
             300\n700\nnone\nnone\nnone\n\
             [a-1,b-2]\n-1\n\
             no\n**>(a,b)\na===>b\nno\n\
             no\n==>(a,b)\n\
             a===>b\nno\nno\n\
             no\n\
             no\n<=>(a,b)\na<=>>b\n",
        );
}

/// What SWI-Prolog has outside of its libraries is there whatever names the program's modules have.
#[test]
fn names_of_libraries_are_free() {
    let scratch = Scratch::new();
    let names = ["date", "terms", "backcomp", "prolog_statistics"];
    let mut program = String::new();
    for name in names {
        scratch.file(
            &format!("{name}.pl"),
            format!(":- module({name}, [of_{name}/1]).\nof_{name}({name}).\n"),
        );
        program += &format!(":- use_module({name}).\n:- of_{name}(X), writeln(X).\n");
    }
    program += r"
:- format_time(atom(A), '%Y', 0), writeln(A).
:- stamp_date_time(0, D, 'UTC'), print(D), nl, date_time_stamp(D, S), print(S), nl.
:- nonground(f(a), _) -> true ; writeln(ground).
:- is_most_general_term(f(_, _)), statistics(cputime, _), writeln(yes).
";
    let file = scratch.file("program.pl", &program);
    run(&["-q", "-g", "true", "-t", "halt", &file], "")
        .silent()
        .status(0)
        .prints("date\nterms\nbackcomp\nprolog_statistics\n1970\ndate(1970,1,1,0,0,0.0,0,'UTC',-)\n0.0\nground\nyes\n");
}

/// A program's module goes before a library that is not loaded and has that name: the program cannot ask for that, but what it and the libraries call of it is there.
/// The file unloaded, the library can be asked for.
#[test]
fn a_module_with_the_name_of_a_library() {
    let scratch = Scratch::new();
    scratch.file(
        "mine.pl",
        ":- module(error, [zork/1]).\nzork(1).\nmust_be(mine, mine).\n",
    );
    let file = scratch.file(
        "program.pl",
        r"
:- use_module(mine).
tell(Goal) :- catch(( Goal -> true ; writeln(failed) ), error(E, _), ( print(E), nl )).
:- tell(( zork(X), writeln(X) )).
:- tell(( maplist(succ, [1], L), writeln(L) )).
:- tell(aggregate_all(count, true, foo)).
:- tell(must_be(integer, a)).
:- tell(error:must_be(mine, mine)).
:- tell(error:must_be(integer, a)).
:- tell(use_module(library(error))).
:- tell(maplist(foo, [a|b])), tell(list_to_assoc([a], _)).
:- tell(( module_property(error, exports(L)), writeln(L) )).
:- unload_file(mine).
:- tell(zork(_)).
:- tell(use_module(library(error))).
:- tell(must_be(integer, a)).
:- tell(error:must_be(integer, a)).
:- tell(use_module(mine)), tell(zork(_)).
",
    );
    run(&["-q", "-g", "true", "-t", "halt", &file], "")
        .silent()
        .status(0)
        .prints(
            "1\n[2]\nfailed\ntype_error(integer,a)\nfailed\npermission_error(redefine,module,error)\n\
             existence_error(procedure,foo/1)\ntype_error(pair,a)\n[zork/1]\n\
             existence_error(procedure,zork/1)\ntype_error(integer,a)\ntype_error(integer,a)\n",
        );
}

const SHOW: &str = r"
show(M) :-
    findall(P, ( member(P, [plain/1, exported/1, other/1]), P = N/A, functor(H, N, A), predicate_property(M:H, defined) ), Ps),
    ( current_op(_, xfx, M:mop) -> Op = mop ; Op = none ),
    writeln(M-Ps-Op).
error(Goal) :- catch(Goal, error(E, _), ( print(E), nl )).
";

/// What loads files does so for the module that the specification names, or the one of the goal.
#[test]
fn files_are_loaded_into_the_module_that_is_named() {
    let scratch = Scratch::new();
    scratch.file(
        "plain.pl",
        "plain(1).\n:- prolog_load_context(module, M), print(in(M)), nl.\n",
    );
    scratch.file(
        "mod.pl",
        ":- module(mod, [exported/1, op(700, xfx, mop), other/1]).\nexported(1).\nother(1).\n",
    );
    let main = "
:- use_module(a:mod).
:- b:use_module(mod, [exported/1]).
:- c:ensure_loaded(plain).
:- maplist(show, [user, a, b, c]),
    d:[mod], load_files(e:mod, []), @(use_module(mod), f), g:reexport(mod), h:load_files([mod], [if(not_loaded)]), a:b:use_module(mod),
    [i:mod],
    maplist(show, [user, b, d, e, f, g, h, i]),
    x:use_module(library(lists), [append/3 as app]).
:- x:app([1], [2], L), print(L), nl,
    error(consult(y:plain)), error(ensure_loaded(plain)), c:ensure_loaded(plain), show(y),
    error(load_files(1:mod)), error(load_files(_:mod)), error(a:consult(_)).
main.
";
    let program = scratch.file("main.pl", format!("{SHOW}{main}"));
    let plain = scratch.path("plain.pl");
    run(&["-q", "-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints(&format!(
            "in(c)\n\
             user-[]-none\na-[exported/1,other/1]-mop\nb-[exported/1]-none\nc-[plain/1]-none\n\
             user-[]-none\nb-[exported/1,other/1]-mop\n{}\
             [1,2]\n\
             permission_error(load,source,'{plain}')\npermission_error(load,source,'{plain}')\ny-[]-none\n\
             type_error(module,1)\ninstantiation_error\ninstantiation_error\n",
            ["d", "e", "f", "g", "h", "i"]
                .map(|m| format!("{m}-[exported/1,other/1]-mop\n"))
                .concat()
        ));
}

/// What is wrong with one of several files is told of, and the others are loaded.
#[test]
fn each_file_of_a_list_is_loaded() {
    let scratch = Scratch::new();
    scratch.file("plain.pl", "plain(1).\n");
    let program = scratch.file(
        "main.pl",
        ":- [nothing, plain, none], plain(X), writeln(X), catch([nothing], error(E, _), ( print(E), nl )).\nmain.\n",
    );
    let r = run(&["-q", "-g", "main", "-t", "halt", &program], "").sound();
    assert_eq!(r.err.matches("does not exist").count(), 2, "{}", r.err);
    r.prints("1\nexistence_error(source_sink,nothing)\n");
}

/// Operators come with what is reexported, however far; conditions of a module's file are goals of that module.
#[test]
fn reexported_operators_and_conditions_of_modules() {
    let scratch = Scratch::new();
    scratch.file(
        "a.pl",
        ":- module(a, [op(700, xfx, ===>), op(700, xfx, ~~>), p/1]).\np(x ===> y).\n",
    );
    scratch.file(
        "b.pl",
        ":- module(b, []).\n:- reexport(a, [p/1, op(_, _, ===>)]).\n",
    );
    scratch.file("c.pl", ":- module(c, [q/1]).\n:- reexport(b).\nyes.\n:- if(yes).\nq(1).\n:- elif(nothing).\n:- else.\nq(2).\n:- endif.\n");
    let program = scratch.file(
        "main.pl",
        ":- use_module(c).\n\
         main :- p(X), print(X), nl, X = (_ ===> Y), print(Y), nl, q(Q), print(Q), nl, ( current_op(_, _, ~~>) -> print(op) ; print(none) ), nl.\n",
    );
    run(&["-q", "-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints("x===>y\ny\n1\nnone\n");
}

/// A program may define what is neither control nor of the standard; its goals then mean that, those of libraries what they meant.
#[test]
fn builtins_that_are_not_of_the_standard_may_be_defined() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "main.pl",
        r#"
before(X) :- string(X).
msort(_, mine).
string(X) :- atom(X).
atom_number(_, mine).
forall(_, _) :- writeln(forall).
nb_getval(_, mine).
nb_setval(_, _) :- writeln(set).
format(X, Y) :- writeln(X-Y).
strip_module(_, mine, mine).
setup_call_cleanup(A, B, C) :- writeln(scc), call(A), call(B), call(C).
between(1, 1, no).
print(_) :- writeln(p).
thread_join(_, mine).
consult(F) :- writeln(consult(F)).
:- consult(x).
:- dynamic(writeq/1).
thread_self(me).
assertz(_).
main :-
    before(x), string(x), \+ string("x"), call(string, x), msort([b, a], L), writeln(L), atom_number('1', N), writeln(N),
    forall(fail, true), nb_setval(a, 1), nb_getval(a, V), writeln(V), format("~w", [a]), strip_module(a:b, M, P), writeln(M-P),
    findall(X, between(1, 3, X), Xs), writeln(Xs), print(x), thread_join(x, J), writeln(J), setup_call_cleanup(true, writeln(x), true),
    G = between(1, 2, Y), findall(Y, G, Ys), writeln(Ys), findall(Y, system:G, Zs), writeln(Zs),
    numlist(1, 3, NL), writeln(NL), predsort([O, A, B]>>compare(O, A, B), [c, a], PL), writeln(PL), list_to_set([a, a], Set), writeln(Set),
    system:forall(member(Z, [1]), system:format("~w~n", [Z])), aggregate_all(count, member(_, [a]), C), writeln(C),
    ( retract((sort(_, _, _, _) :- true)) -> true ; writeln(none) ), assertz(other:succ(x, y)), other:succ(S, y), writeln(S),
    catch(assertz(other:write(_)), error(E, _), ( writeln(E) )).
"#,
    );
    let r = run(&["-q", "-g", "main", "-t", "halt", &program], "").sound();
    let refused: Vec<_> = r
        .err
        .lines()
        .filter(|l| l.contains("No permission"))
        .collect();
    let no = |pi: &str| format!("ERROR:    No permission to modify static procedure `{pi}'");
    assert_eq!(
        refused[1..],
        [no("thread_self/1"), no("assertz/1")],
        "{}",
        r.err
    );
    assert!(refused[0].contains("`writeq/1'"), "{}", r.err);
    r.prints(
        "consult(x)\nmine\nmine\nforall\nset\nmine\n~w-[a]\nmine-mine\n[]\np\nmine\nscc\nx\n[]\n[1,2]\n\
         [1,2,3]\n[a,c]\n[a]\n1\n1\nnone\nx\npermission_error(modify,static_procedure,write/1)\n",
    );
}

/// A meta-argument is told one module: the innermost that it names, else that of the call.
#[test]
fn a_meta_argument_has_one_module() {
    let scratch = Scratch::new();
    scratch.file(
        "m.pl",
        r"
:- module(m, [main/0]).
:- meta_predicate meta(:), goal(0), two(?, :).
meta(X) :- print(X), nl.
goal(X) :- print(X), nl.
two(_, X) :- print(X), nl.
user:from_user(X) :- m:meta(X), m:meta(foo), m:meta(a:b:foo).
main :-
    meta(a:b:c), X = a:b:c, meta(X), Y = a:c, meta(Y), meta(z:X), meta(f(x)), Z = f(x), meta(Z),
    goal(X), goal(a:b:c), goal(Z), two(1, a:X), call(meta, X), call(two(1), f(x)), G = meta(X), call(G), meta(1:x), meta([]:b),
    user:from_user(X), user:from_user(1).
",
    );
    let program = scratch.path("m.pl");
    run(&["-q", "-g", "m:main", "-t", "halt", &program], "")
        .status(0)
        .prints(
            "b:c\nb:c\na:c\nb:c\nm:f(x)\nm:f(x)\n\
             b:c\nb:c\nm:f(x)\nb:c\nb:c\nm:f(x)\nb:c\n1:x\n[]:b\n\
             b:c\nm:foo\nb:foo\nm:1\nm:foo\nb:foo\n",
        );
}

/// Text that is skipped need not be Prolog.
#[test]
fn errors_in_text_that_is_skipped_are_not_told_of() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "main.pl",
        ":- if(fail).\ngarbage garbage.\n:- op(700, xfx, ===>>).\nx ===>> y.\n:- else.\nok.\n:- endif.\n\
         :- if(true).\n:- else.\nx y.\n:- endif.\nx z.\nmain :- ok, writeln(fine).\n",
    );
    let r = run(&["-q", "-g", "main", "-t", "halt", &program], "").sound();
    assert_eq!(r.err.matches("Syntax error").count(), 1, "{}", r.err);
    assert!(r.err.contains("main.pl:12:"), "{}", r.err);
    r.prints("fine\n");
}

/// What a module inherits and has called, the name means from then on for whoever changes its clauses, and what it has not called it has none of.
/// Compared with SWI-Prolog's output.
#[test]
fn inherited_state_that_a_module_has_called_is_changed() {
    let scratch = Scratch::new();
    scratch.file(
        "m.pl",
        r"
:- module(m, [called/0, changed/0, emptied/0, added/0, defined/0, looked/1]).
called :- read_by_call(X), retract(read_by_call(X)), Y is X+1, assertz(read_by_call(Y)).
changed :- retract(not_called(X)), assertz(not_called(X)).
emptied :- retractall(not_called(_)), assertz(not_called(own)).
added :- assertz(added(own)), added(own).
looked(L) :- findall(X, not_called(X), L), ignore(retract(not_called(none))).
defined :- own(X), retract(own(X)), assertz(own(m)).
:- dynamic own/1.
own(0).
",
    );
    let program = scratch.file(
        "u.pl",
        r"
:- use_module(m).
:- dynamic read_by_call/1, not_called/1, added/1, own/1.
read_by_call(0).
not_called(0).
added(0).
own(user).
shown(N) :- H =.. [N, X], findall(X, H, L), findall(X, m:H, M), writeln(L-M).
run :-
    called, called, shown(read_by_call), looked(L), looked(L), writeln(L),
    ( changed -> true ; writeln(failed) ), shown(not_called), emptied, shown(not_called),
    added, shown(added), defined, shown(own).
",
    );
    run(&["-q", "-g", "run", "-t", "halt", &program], "")
        .status(0)
        .prints("[2]-[2]\n[0]\nfailed\n[0]-[0]\n[0]-[own]\n[0]-[own]\n[user]-[m]\n");
}

/// Units of tests are modules of the file that has them, and none that is asked of it: the file's own keeps what it exports, operators too, and a file
/// without a header is none.
#[test]
fn a_module_has_tests() {
    let scratch = Scratch::new();
    let unit =
        |name: &str| format!(":- begin_tests({name}).\ntest(x) :- true.\n:- end_tests({name}).\n");
    let module = ":- module(m, [op(700, xfx, ~>), p/1]).\np(a ~> b).\n";
    scratch.file("m.pl", format!("{module}{}{}", unit("a"), unit("b")));
    scratch.file("plain.pl", format!("q(1).\n{}", unit("c")));
    let text = "\
:- use_module(m).
:- p(X), print(X), nl, X = (a ~> b), module_property(m, exports(L)), print(L), nl.
:- forall(member(U, [plunit_a, plunit_b]), ( module_property(U, file(F)), file_base_name(F, N), print(N), nl )).
:- [plain].
:- catch(load_files(plain, [must_be_module(true)]), error(E, _), true), functor(E, K, _), print(K), nl.
:- load_files(m, []), p(X), print(X), nl.
:- run_tests -> print(passed), nl ; true.
";
    let file = scratch.file("main.pl", text);
    let mut command = samite();
    command.args(["-q", "-g", "halt", &file]);
    let run = finish(command, b"", LIMIT).status(0);
    run.prints("a~>b\n[p/1]\n'm.pl'\n'm.pl'\ndomain_error\na~>b\npassed\n");
}

/// What is typed is read, and said, in the module that the toplevel is in.
#[test]
fn the_toplevel_reads_as_its_module() {
    let scratch = Scratch::new();
    let text = ":- module(mm, [e/1]).\n:- op(700, xfx, <~~).\n:- set_prolog_flag(double_quotes, codes).\ne(1).\n";
    scratch.file("mm.pl", text);
    let mut command = samite();
    command.current_dir(scratch.path("")).arg("-q");
    let typed = "use_module(mm).\nmodule(mm).\nX = (a <~~ \"b\"), write_canonical(X), nl.\nterm_to_atom(T, 'a <~~ b'), write_canonical(T), nl.\n\
        op(300, xfx, yyy).\nset_prolog_flag(double_quotes, atom).\nread(X), write_canonical(X), nl.\n\"a\" <~~ b.\n\
        thread_create(( term_to_atom(T, 'a <~~ b'), op(200, xfx, zzz), thread_exit(T) ), I), thread_join(I, exited(S)), write_canonical(S), nl.\n\
        engine_create(T, term_to_atom(T, 'a <~~ b'), E), engine_next(E, T), write_canonical(T), nl.\n\
        module(user).\ncurrent_op(P, T, user:zzz).\ncurrent_op(P, T, user:yyy).\nX = \"a\", string(X), write(string), nl.\ncatch(term_to_atom(_, 'a <~~ b'), error(E, _), true), write(E), nl.\n";
    let run = finish(command, typed.as_bytes(), LIMIT).status(0);
    run.prints_parts(&[
        "<~~(a,[98])",
        "<~~(a,b)",
        "<~~(a,b)",
        "<~~(a,b)",
        "<~~(a,b)",
        "false.",
        "false.",
        "string",
        "syntax_error(",
    ]);
}

/// `module/1` in a file is for the toplevel: the clauses after it stay in the file's module. As in SWI-Prolog.
#[test]
fn a_file_that_names_the_toplevels_module() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "program.pl",
        ":- module(foo).\nz(2).\nshows :- prolog_load_context(module, M), writeln(M).\n:- shows.\n",
    );
    run(
        &[&program],
        "z(X), assertz(q(X)).\nfoo:q(X), \\+ predicate_property(user:q(_), number_of_clauses(_)).\nuser:z(X).\n",
    )
    .status(0)
    .prints("user\nX = 2.\n\nX = 2.\n\nX = 2.\n\n\n");
    // What runs when the file has been loaded, and what is loaded after it, is not in it; queries are, as their hook is told.
    let program = scratch.file(
        "program.pl",
        "\
:- module(bar).
:- initialization(shows).
shows :- prolog_load_context(module, M), writeln(M).
user:message_hook(toplevel_goal(G, _), silent, _) :- writeln(G), fail.
",
    );
    let after = scratch.file("after.pl", ":- shows.\nx(1).\n");
    run(&[&program, &after], "true.\nuser:true.\nuser:x(1).\n")
        .status(0)
        .prints("user\nuser\nbar:true\ntrue.\n\nuser:true\ntrue.\n\nuser:x(1)\ntrue.\n\n\n");
}

/// Control constructs behind a module, whoever names it, are parts of the body that they stand in: cuts in them are the clause's. A goal that
/// is a variable belongs to that module.
#[test]
fn control_constructs_behind_modules() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "program.pl",
        r"
n(X) :- between(1, 3, X).
q(_).
m:q(m).
cut(1, M, X) :- n(X), M:!, true.
cut(2, M, X) :- n(X), M:(q(_), !).
cut(3, M, X) :- n(X), M:(q(_) -> ! ; true).
cut(4, M, X) :- n(X), ( M:! ; true ).
cut(5, M, X) :- n(X), user:M:!.
cut(6, M, X) :- n(X), M:user:(true, !).
cut(7, M, X) :- n(X), M:(true ; fail), !.
cut(_, _, more).
kept(1, M, X) :- n(X), call(M:!).
kept(2, M, X) :- n(X), \+ \+ M:! .
kept(3, M, X) :- n(X), ( M:! -> true ; true ).
kept(4, M, X) :- n(X), M:(true ; fail).
kept(5, M, X) :- n(X), M:(\+ fail, q(_)).
own(M, X) :- M:(true, q(X)).
goal(G) :- lists:(true, G).
goal(M, G) :- M:(G, true).
hidden(1).
t(G) :- ( catch(G, error(E, _), true) -> ( var(E) -> R = G ; R = E ) ; R = no ), print(R), nl.
run :-
    forall(( member(M, [user, m]), clause(cut(K, M, _), B), integer(K) ), ( findall(X, cut(K, M, X), L), ( L == [1] -> true ; print(B-L), nl ) )),
    forall(( member(M, [user, m]), clause(kept(K, M, _), B) ), ( findall(X, kept(K, M, X), L), ( L = [1,2,3] -> true ; print(B-L), nl ) )),
    t(own(m, _)), t(own(user, a)), t(own(_, _)), t(own(1, _)),
    t(goal(hidden(_))), t(goal(append([a], [b], _))), t(goal(lists, hidden(_))), t(goal(m, q(_))), t(goal(user, hidden(_))),
    t(system:hidden(_)).
",
    );
    run(&["-q", "-g", "run", "-t", "halt", &program], "").prints(
        "own(m,m)\nown(user,a)\ninstantiation_error\ntype_error(module,1)\n\
         existence_error(procedure,lists:hidden/1)\ngoal(append([a],[b],[a,b]))\nexistence_error(procedure,lists:hidden/1)\n\
         goal(m,q(m))\ngoal(user,hidden(1))\nexistence_error(procedure,system:hidden/1)\n",
    );
}

/// Where a clause is of another module than its text, its body is told the module, once.
#[test]
fn bodies_are_told_their_module_once() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "am.pl",
        r"
:- module(am, [go/0]).
there:f(X) :- am:a(X).
there:g(X) :- a(X).
show(Head) :- clause(there:Head, Body), print(Body), nl.
added(Head, Body) :- assertz((there:Head :- Body)), show(Head).
go :-
    Head = h(a), show(f(a)), show(g(a)),
    added(Head, am:a(a)), retractall(there:Head), added(Head, a(a)), retractall(there:Head),
    added(Head, bm:a(a)), retractall(there:Head), added(Head, am:there:a(a)), retractall(there:Head),
    added(Head, am:(a, b)), retractall(there:Head),
    assertz((there:i(X) :- X)), show(i(true)), assertz((there:j(X) :- am:X)), there:j(true), there:f(1).
a(X) :- print(X), nl.
",
    );
    run(&["-g", "go", "-t", "halt", &program], "")
        .status(0)
        .silent()
        .prints("am:a(a)\nam:a(a)\nam:a(a)\nam:a(a)\nam:bm:a(a)\nam:there:a(a)\nam:(a,b)\nam:call(true)\n1\n");
}

/// Whatever is being loaded, or typed into: a clause of `user` that declares what it does not qualify means `user`'s.
#[test]
fn declarations_in_clauses_of_user() {
    let scratch = Scratch::new();
    scratch.file(
        "exporting.pl",
        ":- module(exporting, [x/1, y/1, z/1]).\nx(1).\ny(1).\nz(1).\n",
    );
    scratch.file(
        "m.pl",
        ":- module(m, []).\n:- user:declares, user:calls(dynamic(called/1)), user:thread_local(again/1).\n:- use_module(exporting, []).\n:- user:import(exporting:x/1).\n:- @(import(exporting:y/1), user).\n\
         imports(I, M) :- @(import(I), M).\n:- imports([exporting:z/1], user).\nuser:b(m).\n",
    );
    let program = scratch.file(
        "u.pl",
        r"
declares :- dynamic(a/1), multifile(b/1), discontiguous(c/1), thread_local(d/1), dynamic([e/1, f/1]).
calls(G) :- call(G).
:- use_module(m).
typed :- dynamic(g/1).
main :-
    forall(member(N-P, [a-dynamic, b-multifile, c-discontiguous, d-thread_local, e-dynamic, f-dynamic, called-dynamic, again-thread_local]),
           ( functor(H, N, 1), findall(M, ( member(M, [user, m]), predicate_property(M:H, P), \+ predicate_property(M:H, imported_from(_)) ), Ms), print(N-Ms), nl )),
    forall(( member(N, [x, y, z]), functor(H, N, 1), predicate_property(user:H, imported_from(M)) ), ( print(N-M), nl )),
    module(m), typed, calls(dynamic(h/1)), module(user),
    findall(M-N, ( member(M, [user, m]), member(N, [g, h]), functor(H, N, 1), catch(M:H, _, fail) -> true ; member(M, [user, m]), member(N, [g, h]), functor(H, N, 1), predicate_property(M:H, dynamic), \+ predicate_property(M:H, imported_from(_)) ), L),
    print(L), nl.
",
    );
    run(&["-q", "-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints(
            "a-[user]\nb-[user]\nc-[user]\nd-[user]\ne-[user]\nf-[user]\ncalled-[user]\nagain-[user]\nx-exporting\ny-exporting\nz-exporting\n[user-g,user-h]\n",
        );
}

/// `listing/0` is about the module that it is called in, however that is said.
#[test]
fn a_module_lists_itself() {
    let scratch = Scratch::new();
    scratch.file(
        "l.pl",
        ":- module(l, [l/0]).\n:- dynamic(in_l/1).\nin_l(1).\nl :- listing.\n",
    );
    scratch.file(
        "k.pl",
        ":- module(k, []).\n:- use_module(library(listing)).\n:- dynamic(in_k/1).\nin_k(1).\nl :- listing.\n",
    );
    let main = r"
:- use_module(l).
:- use_module(k).
:- dynamic(in_user/1).
in_user(1).
says(G) :-
    with_output_to(string(S), G),
    findall(M, ( member(M, [l, k, user]), atom_concat(in_, M, N), once(sub_string(S, _, _, _, N)) ), L),
    print(L).
main :-
    forall(member(G, [listing, l:listing, l, k:l, k:listing, call(l:listing), @(listing, l), @(l:listing, k), user:listing, other:listing, @(listing, user)]), says(G)),
    l:( says(listing) ), nl,
    forall(member(H, [maplist(a, b), lists:last(a, b), l, l:l, k:l, listing, prolog_listing:listing, re:l]),
           ( predicate_property(H, exported) -> writeln(H) ; true )),
    forall(member(PI, [nowhere:says/1, l:says/1, user:says/1]), ( current_predicate(PI) -> writeln(PI) ; true )),
    ( predicate_property(listing, meta_predicate(_)) -> writeln(meta) ; true ).
:- re:reexport(l).
";
    let program = scratch.file("main.pl", main);
    run(&["-q", "-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints(
            "[user][l][l][k][k][l][l][k][user][][user][user]\n\
             lists:last(a,b)\nl:l\nprolog_listing:listing\nre:l\nl:says/1\nuser:says/1\n",
        );
}

/// They are about the module of their call, whoever calls them, and however they say what they declare.
#[test]
fn declarations_called_in_another_module() {
    let scratch = Scratch::new();
    let names = "[a/1, b/1, c/1, d/1, e/1, f/1, g/1, h/1]";
    let clauses: String = "abcdefgh".chars().map(|c| format!("{c}(1).\n")).collect();
    scratch.file("m.pl", format!(":- module(m, {names}).\n{clauses}"));
    let program = scratch.file(
        "u.pl",
        format!(
            r"
:- use_module(m).
tabled(Ns) :-
    findall(M:N, ( member(N/1, {names}), functor(H, N, 1), member(M, [m, user]), predicate_property(M:H, tabled), \+ predicate_property(M:H, imported_from(_)) ), Ns).
says(G) :- catch(G, error(E, _), ( print(E), nl )).
main :-
    M = m, M:table(a/1), m:table([b/1, c(_)]), @(table((d/1, e/1 as variant)), m), table(m:[f/1]), m:table(n:m:(g/1 as variant)), G = table(h/1), m:G,
    tabled(Ts), print(Ts), nl,
    M:untable(a/1), m:untable([b/1, c/1]), @(untable((d/1, e(_))), m), untable(m:[f/1]),
    tabled(Us), print(Us), nl,
    M:public(i/1), M:volatile(j/1), M:noprofile(k/1), M:meta_predicate(l(0)), m:meta_predicate((n:o(0), q(0))),
    % (What has no clauses has no properties.)
    forall(( member(N, [i, j, k, l, o, q]), member(In, [m, n, user]) ), ( H =.. [N, 1], assertz(In:H) )),
    forall(( member(N-P, [i-public, j-volatile, k-noprofile, l-meta_predicate(_), o-meta_predicate(_), q-meta_predicate(_)]), functor(H, N, 1), member(In, [m, n, user]), predicate_property(In:H, P) ),
           ( print(In:N), nl )),
    says(table(_)), says(table(m:_)), says(table(_:p/1)), says(table(1:p/1)), says(m:untable(_)), says(m:table(1)), says(m:untable(1)),
    findall(N, ( member(N/1, {names}), H =.. [N, 1], H ), Ns), print(Ns), nl.
"
        ),
    );
    run(&["-q", "-g", "main", "-t", "halt", &program], "")
        .status(0)
        .silent()
        .prints(
            "[m:a,m:b,m:c,m:d,m:e,m:f,m:g,m:h]\n[m:g,m:h]\nm:i\nm:j\nm:k\nm:l\nn:o\nm:q\n\
             instantiation_error\ninstantiation_error\ninstantiation_error\ntype_error(module,1)\ninstantiation_error\n\
             type_error(table_declaration,1)\ntype_error(table_declaration,1)\n[a,b,c,d,e,f,g,h]\n",
        );
}
