//! Packs: directories with libraries and a file that says what they are. Attaching, installing, removing them.

mod common;

use common::{LIMIT, Run, Scratch, finish, samite};

/// A pack, in the directory of that name.
fn pack(scratch: &Scratch, name: &str, version: &str) -> String {
    let directory = scratch.path(name);
    std::fs::create_dir_all(format!("{directory}/prolog")).expect("it can be made");
    scratch.file(
        &format!("{name}/pack.pl"),
        format!("name({name}).\nversion('{version}').\ntitle('Of {name}').\n"),
    );
    scratch.file(
        &format!("{name}/prolog/{name}.pl"),
        format!(":- module({name}, [of_{name}/1]).\nof_{name}('{version}').\n"),
    );
    directory
}

/// With a directory of the user's own, which is `data`.
fn run(scratch: &Scratch, words: &[&str], goal: &str) -> Run {
    let mut command = samite();
    command.current_dir(scratch.path(""));
    command.env("XDG_DATA_HOME", scratch.path("data"));
    command.args(words).args(["-g", goal, "-t", "halt"]);
    finish(command, b"", LIMIT)
}

#[test]
fn what_is_installed_is_there_when_a_program_starts() {
    let scratch = Scratch::new();
    pack(&scratch, "first", "1.0");
    run(
        &scratch,
        &[],
        "pack_install(first, [silent(true)]), use_module(library(first)), of_first(X), writeln(X)",
    )
    .status(0)
    .silent()
    .prints("1.0\n");
    let asks = "( catch(use_module(library(first)), error(E, _), ( print(E), nl )) -> true ; true ), ( catch(of_first(X), _, fail) -> writeln(X) ; true )";
    run(&scratch, &[], asks).status(0).silent().prints("1.0\n");
    let libraries = "forall(pack_property(P, library(L)), writeln(P-L))";
    run(&scratch, &[], libraries)
        .status(0)
        .silent()
        .prints("first-first\n");
    run(&scratch, &["--no-packs"], asks)
        .status(0)
        .silent()
        .prints("existence_error(source_sink,library(first))\n");
    run(
        &scratch,
        &[],
        "pack_list_installed, pack_remove(first), findall(P, pack_property(P, _), L), writeln(L)",
    )
    .status(0)
    .silent()
    .prints_parts(&["i first@1.0", "Of first\n[]\n"]);
    run(&scratch, &[], asks)
        .status(0)
        .silent()
        .prints("existence_error(source_sink,library(first))\n");
}

#[test]
fn what_is_known_of_a_pack() {
    let scratch = Scratch::new();
    pack(&scratch, "known", "1.0");
    scratch.file(
        "known/pack.pl",
        "name(known).\nversion('1.0').\nauthor('An Author', 'an@author').\nrequires(prolog >= '7.0').\nrequires(other).\n",
    );
    let goal = "attach_packs('.'), pack_info(known)";
    let parts = [
        "Package known\n",
        "version:          1.0\n",
        "author:           An Author an@author\n",
        "requires:         prolog>=7.0\n",
        "requires:         other\n",
    ];
    run(&scratch, &[], goal)
        .status(0)
        .silent()
        .prints_parts(&parts);
}

#[test]
fn newer_versions_are_asked_for() {
    let scratch = Scratch::new();
    let file = pack(&scratch, "second", "1.0");
    run(&scratch, &[], "pack_install(second, [silent(true)])")
        .status(0)
        .silent();
    std::fs::remove_dir_all(file).expect("it is there");
    pack(&scratch, "second", "2.0");
    let goal = "catch(pack_install(second, [silent(true)]), error(E, _), ( print(E), nl )), pack_install(second, [silent(true), upgrade(true)]), pack_property(second, version(V)), writeln(V)";
    run(&scratch, &[], goal)
        .status(0)
        .silent()
        .prints("permission_error(install,pack,second)\n2.0\n");
}

#[test]
fn archives_are_unpacked() {
    let scratch = Scratch::new();
    pack(&scratch, "third", "1.5");
    let goal = "process_create(path(tar), [czf, 'third-1.5.tgz', third], []), pack_install('third-1.5.tgz', [silent(true), package_directory(elsewhere)]), \
                of_third(V), writeln(V), ( exists_file('elsewhere/third/pack.pl') -> true )";
    run(
        &scratch,
        &[],
        &format!(
            "assertz((goal :- use_module(library(third)))), {}",
            goal.replace("of_third(V)", "goal, of_third(V)")
        ),
    )
    .status(0)
    .silent()
    .prints("1.5\n");
}

#[test]
fn the_order_of_libraries() {
    let scratch = Scratch::new();
    let directory = scratch.path("lists");
    std::fs::create_dir_all(format!("{directory}/prolog")).expect("it can be made");
    scratch.file("lists/pack.pl", "name(lists).\n");
    scratch.file(
        "lists/prolog/lists.pl",
        ":- module(my_lists, [mine/1]).\nmine(yes).\n",
    );
    let goal = "( catch(mine(X), _, fail) -> writeln(X) ; writeln(no) )";
    run(
        &scratch,
        &[],
        &format!("pack_attach(lists, []), use_module(library(lists)), {goal}"),
    )
    .status(0)
    .prints("no\n");
    run(
        &scratch,
        &[],
        &format!("pack_attach(lists, [search(first)]), use_module(library(lists)), {goal}"),
    )
    .status(0)
    .silent()
    .prints("yes\n");
}

#[test]
fn packs_of_one_name() {
    let scratch = Scratch::new();
    for (place, version) in [("a", "1.0"), ("b", "2.0")] {
        std::fs::create_dir_all(scratch.path(place)).expect("it can be made");
        pack(&scratch, "same", version);
        std::fs::rename(scratch.path("same"), scratch.path(&format!("{place}/same")))
            .expect("it can be moved");
    }
    let goal = |duplicate: &str| {
        format!(
            "attach_packs(a), attach_packs(b, [duplicate({duplicate})]), pack_property(same, version(V)), writeln(V)"
        )
    };
    run(&scratch, &[], &goal("keep"))
        .status(0)
        .silent()
        .prints("1.0\n");
    run(&scratch, &[], &goal("replace"))
        .status(0)
        .silent()
        .prints("2.0\n");
    run(&scratch, &[], &goal("warning"))
        .status(0)
        .warns(&["same"])
        .prints("1.0\n");
    run(
        &scratch,
        &[],
        "attach_packs(nowhere), findall(P, pack_property(P, _), L), print(L)",
    )
    .status(0)
    .silent()
    .prints("[]");
}

#[test]
fn mistakes() {
    let scratch = Scratch::new();
    std::fs::create_dir_all(scratch.path("none")).expect("it can be made");
    scratch.file("text.txt", "");
    scratch.file("text.tgz", "");
    for (goal, error) in [
        ("pack_attach(none, [])", "domain_error(pack,none)"),
        (
            "pack_attach(nowhere, [])",
            "existence_error(directory,nowhere)",
        ),
        ("pack_install(nowhere)", "existence_error(pack,nowhere)"),
        ("pack_install(_)", "instantiation_error"),
        (
            "pack_install(none, [foo(1)])",
            "domain_error(pack_install_option,foo(1))",
        ),
        ("pack_remove(nowhere)", "existence_error(pack,nowhere)"),
        ("attach_packs(none, [duplicate(x)])", "true"),
    ] {
        let goal = format!("catch(( {goal}, E = true ), error(E, _), true), print(E), nl");
        run(&scratch, &[], &goal)
            .status(0)
            .silent()
            .prints(&format!("{error}\n"));
    }
    let goal = "catch(pack_install('text.txt'), error(domain_error(D, _), _), true), print(D), nl";
    run(&scratch, &[], goal).status(0).prints("pack_archive\n");
    let goal = "catch(pack_install('text.tgz'), error(domain_error(D, _), _), true), print(D), nl";
    run(&scratch, &[], goal).status(0).prints("pack\n");
}
