//! Modules of programs: what is theirs, and what others see of it.

mod common;

use common::{Scratch, run};

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
