//! Names that modules import: which of two definitions a name has, and what is said of the other. Texts and order as in SWI-Prolog, but that
//! the exports of a module are imported in the order of its list, and `abolish/1` does not take imported static predicates.

mod common;

use common::{Run, Scratch, run};

/// Loads `program` beside the modules `c1` and `c2`, which export the same names, and runs `main`; `FILE` in the expected messages stands for the
/// program's path.
#[track_caller]
fn loads(program: &str, messages: &str, output: &str) -> Run {
    let scratch = Scratch::new();
    for m in ["c1", "c2"] {
        let text = format!(
            ":- module({m}, [p/1, q/1, r/1]).\n:- dynamic(r/1).\np({m}).\nq({m}).\nr({m}).\nprivate({m}).\n"
        );
        scratch.file(&format!("{m}.pl"), &text);
    }
    let file = scratch.file("program.pl", program);
    let messages = messages.replace("C1", &file.replace("program.pl", "c1.pl"));
    let run = run(&["-g", "main", "-t", "halt", &file], "").sound();
    let err: String = (run.err.split_inclusive('\n')).map(without_line).collect();
    assert_eq!(err, messages.replace("FILE", &file), "{}", run.out);
    run.prints(output)
}

/// Which line of a library's text something is defined in is no matter here.
fn without_line(message: &str) -> &str {
    match message.strip_prefix("ERROR: Defined at library(lists):") {
        Some(line) if line.trim_end().parse::<u32>().is_ok() => {
            "ERROR: Defined at library(lists):LINE\n"
        }
        _ => message,
    }
}

#[test]
fn what_came_first_stays() {
    loads(
        "q(local).\n\
         :- use_module(c1).\n\
         :- use_module(c2).\n\
         r(local).\n\
         main :- p(X), q(Y), r(Z), writeln([X, Y, Z]).\n",
        "Warning: FILE:2:\n\
         Warning:    Local definition of user:q/1 overrides weak import from c1\n\
         ERROR: FILE:3:\n\
         ERROR:    import/1: No permission to import c2:p/1 into user (already imported from c1)\n\
         Warning: FILE:3:\n\
         Warning:    Local definition of user:q/1 overrides weak import from c2\n\
         ERROR: FILE:3:\n\
         ERROR:    import/1: No permission to import c2:r/1 into user (already imported from c1)\n\
         Warning: FILE:4:\n\
         Warning:    Local definition of user:r/1 overrides weak import from c1\n",
        "[c1,local,local]\n",
    );
}

#[test]
fn what_is_imported_by_name_is_not_redefined() {
    loads(
        "q(local).\n\
         :- use_module(c1, [p/1, r/1]).\n\
         p(local).\n\
         :- use_module(c2, [q/1]).\n\
         :- use_module(c1).\n\
         :- use_module(c2, [q/1 as qq, private/1]).\n\
         :- dynamic(r/1).\n\
         :- meta_predicate(r(0)).\n\
         :- table(r/1).\n\
         main :- p(X), q(Y), r(Z), qq(W), private(V), writeln([X, Y, Z, W, V]).\n",
        "ERROR: FILE:3:\n\
         ERROR:    No permission to redefine imported_procedure `c1:p/1'\n\
         ERROR: FILE:4:\n\
         ERROR:    import/1: No permission to import c2:q/1 into user (name clash)\n\
         Warning: FILE:5:\n\
         Warning:    Local definition of user:q/1 overrides weak import from c1\n\
         Warning: FILE:6:\n\
         Warning:    import/1: c2:private/1 is not exported (still imported into user)\n\
         ERROR: FILE:7:\n\
         ERROR:    dynamic/1: No permission to redefine imported_procedure `c1:r/1'\n\
         ERROR: FILE:8:\n\
         ERROR:    meta_predicate/1: No permission to redefine imported_procedure `c1:r/1'\n\
         Warning: FILE:8:\n\
         Warning:    Goal (directive) failed: user:(meta_predicate r(0))\n\
         ERROR: FILE:9:\n\
         ERROR:    table/1: No permission to redefine imported_procedure `c1:r/1'\n",
        "[c1,local,c1,c2,c2]\n",
    );
}

/// Every declaration makes a definition of the module's own.
#[test]
fn declarations_override_what_is_imported_as_part_of_a_module() {
    for declaration in [
        "dynamic(p/1)",
        "multifile(p/1)",
        "discontiguous(p/1)",
        "thread_local(p/1)",
        "table(p/1)",
        "meta_predicate(p(?))",
    ] {
        loads(
            &format!(
                ":- use_module(c1).\n:- {declaration}.\np(local).\nmain :- p(X), writeln(X).\n"
            ),
            "Warning: FILE:2:\n\
             Warning:    Local definition of user:p/1 overrides weak import from c1\n",
            "local\n",
        );
    }
}

/// Libraries are modules like others.
#[test]
fn names_of_libraries() {
    loads(
        "append(a, b, c).\n\
         :- use_module(library(lists)).\n\
         :- use_module(library(lists), [append/3]).\n\
         :- use_module(library(lists), [append/3 as app]).\n\
         subtract(x, y, z).\n\
         main :- append(P, Q, R), app([1], [2], L), subtract(A, _, _), writeln([P, Q, R, L, A]),\n\
             last([1, 2], X), assertz(last(a, b)), writeln(X), forall(last(U, V), writeln(U-V)).\n",
        "Warning: FILE:2:\n\
         Warning:    Local definition of user:append/3 overrides weak import from lists\n\
         ERROR: FILE:3:\n\
         ERROR:    import/1: No permission to import lists:append/3 into user (name clash)\n\
         Warning: FILE:5:\n\
         Warning:    Local definition of user:subtract/3 overrides weak import from lists\n\
         ERROR: -g main: assertz/1: No permission to modify static procedure `lists:last/2'\n\
         ERROR: Defined at library(lists):LINE\n",
        "[a,b,c,[1,2],x]\n",
    );
}

/// Clauses are added to, and taken from, the predicate that a name means, if that is dynamic; `abolish/1` forgets the import.
#[test]
fn what_is_imported_is_changed_where_it_is() {
    loads(
        ":- use_module(c1).\n\
         shows(G) :- catch(forall(G, ( \\+ \\+ ( numbervars(G, 23, _), print(G), nl ) )), E, ( print_message(error, E) )).\n\
         main :-\n\
             shows(assertz(p(x))), shows(asserta((q(X) :- p(X)))), shows(retract(p(c1))), shows(retractall(p(_))), shows(abolish(p/1)),\n\
             shows(assertz(r(2))), shows(retract(r(c1))), shows(assertz(user:r(3))), shows(c1:r(_)), shows(c2:assertz(r(4))),\n\
             shows(c2:r(_)), shows(p(_)), shows(retractall(r(_))), shows(c1:r(_)).\n",
        "ERROR: assertz/1: No permission to modify static procedure `c1:p/1'\n\
         ERROR: Defined at C1:3\n\
         ERROR: asserta/1: No permission to modify static procedure `c1:q/1'\n\
         ERROR: Defined at C1:4\n\
         ERROR: retract/1: No permission to modify static procedure `c1:p/1'\n\
         ERROR: Defined at C1:3\n\
         ERROR: retractall/1: No permission to modify static procedure `c1:p/1'\n\
         ERROR: Defined at C1:3\n\
         ERROR: Unknown procedure: p/1\n\
         ERROR:   However, there are definitions for:\n\
         ERROR:         c1:p/1\n",
        "abolish(p/1)\nassertz(r(2))\nretract(r(c1))\nassertz(user:r(3))\nc1:r(2)\nc1:r(3)\nc2:assertz(r(4))\nc2:r(4)\nretractall(r(X))\n",
    );
}

#[test]
fn import_and_export() {
    loads(
        ":- use_module(c1, []).\n\
         :- c1:export(private/1).\n\
         :- use_module(c1, [private/1]).\n\
         :- use_module(c2, []).\n\
         says(G) :- catch(G, E, ( print_message(error, E) )).\n\
         main :-\n\
             says(import(c2:q/1)), says(import(c1:q/1)), says(import([c1:r/1, c1:p/1])), says(c1:import(c2:p/1)),\n\
             says(import(c2:private/1)), says(other:import(c2:private/1)), says(import(lists:append/3)), says(import(_)), says(import(1)),\n\
             says(import(c1:1)), says(export(_)), says(export(1)), says(import(system:atom_length/2)),\n\
             q(Q), r(R), p(P), private(V), other:private(W), append([1], [2], L), writeln([Q, R, P, V, W, L]).\n",
        "ERROR: import/1: No permission to import c1:q/1 into user (already imported from c2)\n\
         ERROR: import/1: No permission to import c2:p/1 into c1 (name clash)\n\
         ERROR: import/1: No permission to import c2:private/1 into user (already imported from c1)\n\
         Warning: import/1: c2:private/1 is not exported (still imported into other)\n\
         ERROR: import/1: Arguments are not sufficiently instantiated\n\
         ERROR: import/1: Type error: `predicate_indicator' expected, found `1' (an integer)\n\
         ERROR: import/1: Type error: `predicate_indicator' expected, found `1' (an integer)\n\
         ERROR: export/1: Arguments are not sufficiently instantiated\n\
         ERROR: export/1: Type error: `predicate_indicator' expected, found `1' (an integer)\n",
        "[c2,c1,c1,c1,c2,[1,2]]\n",
    );
}

/// What a module exports and does not define hides nothing of what the importing module would see without it.
#[test]
fn a_module_exports_what_the_system_defines() {
    let scratch = Scratch::new();
    scratch.file(
        "promises.pl",
        ":- module(promises, [is_list/1, between/3, ignore/1, mine/1, nobodys/0]).\n",
    );
    let text = "\
        :- use_module(promises).\n\
        mine(user).\n\
        says(G) :- catch(( G -> print(G) ; print(no) ), error(E, _), print(E)), nl.\n\
        main :- says(is_list([])), says(between(1, 1, _)), says(ignore(fail)), says(promises:is_list([])), says(m:is_list(a)),\n\
            says(mine(_)), says(nobodys), says(predicate_property(is_list([]), imported_from(_))).\n";
    let file = scratch.file("program.pl", text);
    let run = run(&["-g", "main", "-t", "halt", &file], "").sound();
    assert!(
        run.err
            .contains("Exported procedure promises:nobodys/0 is not defined")
    );
    assert!(!run.err.contains("is_list"), "{}", run.err);
    run.prints(
        "is_list([])\nbetween(1,1,1)\nignore(fail)\npromises:is_list([])\nno\nmine(user)\n\
         existence_error(procedure,promises:nobodys/0)\npredicate_property(is_list([]),imported_from(system))\n",
    );
}

/// Imports by name from a library of what is built in, of what is in another library, and of what is nowhere.
#[test]
fn a_library_may_have_it_from_elsewhere() {
    loads(
        ":- use_module(library(terms), [term_variables/2, subsumes/2]).\n\
         :- use_module(library(backcomp), [sumlist/2 as total]).\n\
         :- use_module(library(lists), [append/3, nowhere/1]).\n\
         main :- term_variables(f(X, X), Vs), length(Vs, N), total([1, 2], S), append([a], [b], L), writeln([N, S, L]),\n\
             catch(nowhere(_), error(E, _), ( print(E), nl )).\n",
        "ERROR: FILE:3:\n\
         ERROR:    export `nowhere/1' does not exist in module(lists)\n",
        "[1,3,[a,b]]\nexistence_error(procedure,lists:nowhere/1)\n",
    );
}

#[test]
fn operators_of_a_library() {
    loads(
        ":- use_module(library(clpfd)).\n\
         p(X) :- X #> 3, X #< 5.\n\
         main :- p(X), writeln(X), module_property(clpfd, exported_operators(Os)), memberchk(op(700, xfx, in), Os), print(a #= b), nl.\n",
        "",
        "4\na#=b\n",
    );
    loads(
        ":- use_module(library(clpfd), [(#=)/2, op(_, _, #=)]).\n\
         p(X) :- X #= 3.\n\
         main :- p(X), writeln(X), ( current_op(_, _, #>) -> true ; writeln(no) ).\n",
        "",
        "3\nno\n",
    );
}

/// What an import list defines is an operator, exported or not, but not what it asks for by a pattern.
#[test]
fn operators_that_are_not_exported() {
    loads(
        ":- use_module(c1, [op(200, xfx, zork), op(_, xfx, other)]).\n\
         :- use_module(library(clpfd), [op(700, xfx, #=), op(700, xfx, ~~)]).\n\
         main :- print(a zork (b ~~ c)), nl, ( current_op(_, xfx, other) -> true ; writeln(no) ).\n",
        "Warning: FILE:1:\n\
         Warning:    Operator c1:op(200,xfx,zork) is not exported (still defined)\n\
         Warning: FILE:2:\n\
         Warning:    Operator clpfd:op(700,xfx,~~) is not exported (still defined)\n",
        "a zork (b~~c)\nno\n",
    );
}

/// Who enumerates predicates, with the module or the head unbound, finds what modules import, as SWI-Prolog does: by name, under another name, as
/// part of a module, reexported, and what a library exports that has been called; but neither what is inherited nor, but for `system`, what is built in.
/// (What is renamed SWI-Prolog takes for the importer's own.)
#[test]
fn imports_are_enumerated() {
    loads(
        ":- module(importer, []).\n\
         :- use_module(c1).\n\
         :- use_module(c2, [p/1 as pp]).\n\
         :- use_module(library(lists), [last/2]).\n\
         :- reexport(c2, [q/1 as qq]).\n\
         own(1).\n\
         user:inherited(1).\n\
         all(T, G) :- findall(T, G, L0), sort(L0, L), print(L), nl.\n\
         user:main :- importer:main.\n\
         main :-\n\
             inherited(_), subtract([], [], _),\n\
             all(N/A-M, ( predicate_property(importer:H, imported_from(M)), functor(H, N, A) )),\n\
             all(N/A, ( predicate_property(importer:H, imported_from(c1)), functor(H, N, A) )),\n\
             all(M, predicate_property(M:p(_), imported_from(c1))),\n\
             all(M, predicate_property(M:p(_), defined)),\n\
             all(M, predicate_property(M:last(_, _), imported_from(lists))),\n\
             all(M:N/A, ( predicate_property(M:H, imported_from(c2)), functor(H, N, A) )),\n\
             all(M, current_predicate(M:p/1)),\n\
             all(M, current_predicate(p, M:p(_))),\n\
             all(N/A, current_predicate(importer:N/A)),\n\
             all(N/A-D, ( current_predicate(N, importer:H), functor(H, N, A), ( predicate_property(importer:H, dynamic) -> D = (dynamic) ; D = static ) )),\n\
             all(M, predicate_property(M:write(_), built_in)),\n\
             all(M, current_predicate(_, M:write(_))),\n\
             all(yes, ( current_predicate(system:write/A), predicate_property(system:write(_), built_in) )),\n\
             all(N, ( member(N, [pp, qq, p, q, last, none]), ( current_predicate(importer:N/1) ; current_predicate(importer:N/2) ; current_predicate(N, importer:pp(_)) ) )),\n\
             all(N, ( member(N, [write, p, append]), once(( predicate_property(importer:H, visible), functor(H, N, _) )) )).\n",
        "",
        "[last/2-lists,p/1-c1,pp/1-c2,q/1-c1,qq/1-c2,r/1-c1,subtract/3-lists]\n\
         [p/1,q/1,r/1]\n\
         [importer]\n\
         [c1,c2,importer]\n\
         [importer]\n\
         [importer:pp/1,importer:qq/1,user:qq/1]\n\
         [c1,c2,importer]\n\
         [c1,c2,importer]\n\
         [all/2,last/2,main/0,own/1,p/1,pp/1,q/1,qq/1,r/1,subtract/3]\n\
         [all/2-static,last/2-static,main/0-static,own/1-static,p/1-static,pp/1-static,q/1-static,qq/1-static,r/1-(dynamic),subtract/3-static]\n\
         [system]\n\
         [system]\n\
         [yes]\n\
         [last,p,pp,q,qq]\n\
         [append,p,write]\n",
    );
}

/// `import/1` means what the module calls by that name, also what it inherits.
#[test]
fn what_is_inherited_is_imported_by_its_name() {
    let scratch = Scratch::new();
    scratch.file("owner.pl", ":- module(owner, []).\nw(1).\n");
    scratch.file(
        "program.pl",
        ":- use_module(owner).\n\
         :- add_import_module(heir, owner, start).\n\
         :- user:import(heir:w/1).\n\
         :- w(X), predicate_property(w(_), imported_from(M)), current_predicate(w/1), clause(w(Y), true), writeln([X, M, Y]).\n",
    );
    let run = run(
        &["-g", "true", "-t", "halt", &scratch.path("program.pl")],
        "",
    );
    assert!(
        run.err.contains("w/1 is not exported (still imported"),
        "{}",
        run.err
    );
    run.prints("[1,owner,1]\n");
}

/// Of modules that use each other one imports anew when the other has been loaded: what it has imported by its name alone stays.
#[test]
fn circles_keep_single_imports() {
    let scratch = Scratch::new();
    scratch.file(
        "m2.pl",
        ":- module(m2, [q/1]).\n:- use_module(m3).\nw(1).\nq(1).\n",
    );
    scratch.file(
        "m3.pl",
        ":- module(m3, [t/1]).\n:- use_module(m2).\n:- m2:export(m2:w/1).\n:- import(m2:w/1).\nt(X) :- w(X).\n",
    );
    scratch.file(
        "program.pl",
        ":- use_module(m2).\n:- m3:t(X), writeln(X).\n:- make.\n:- m3:t(X), writeln(X).\n",
    );
    run(
        &["-g", "true", "-t", "halt", &scratch.path("program.pl")],
        "",
    )
    .prints("1\n1\n");
}
