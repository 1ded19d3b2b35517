//! What is made and destroyed again leaves nothing: pairs of the two are done so many times and four times as many, and the memory that
//! the allocator says is alive at the end is the same. (A few bytes a time are far below what the resident memory of a process tells.)

mod common;

use common::{LIMIT, Scratch, finish, samite};

/// A line for each: making and destroying.
const PAIRS: &str = r#"
pair(( assertz(a(1)), abolish(a/1) )).
pair(( dynamic(b/2), abolish(b/2) )).
pair(( assertz(c(1)), c(1), abolish(c/1), catch(c(1), _, true) )).
pair(( assertz(d(1)), retract(d(1)) )).
pair(( assertz((e(X) :- d(X), e(X))), retractall(e(_)) )).
pair(( assertz(m:f(1), R), m:f(1), erase(R), abolish(m:f/1) )).
pair(( meta_predicate(g(0)), meta_predicate(g(^)) )).
pair(( recordz(k, f(_, "text", 1.5, 123456789012345678901234567890), R), erase(R) )).
pair(( nb_setval(v, f("text")), nb_setval(v, 0), b_setval(w, g(1)) )).
pair(( op(700, xfx, ===>), op(0, xfx, ===>) )).
pair(( create_prolog_flag(flag, f("text"), [type(term)]), set_prolog_flag(flag, 1) )).
pair(( flag(key, X, X+1), flag(key, _, 0) )).
pair(( with_output_to(string(_), write(f(X))), catch(with_output_to(atom(_), throw(X)), _, true) )).
pair(( open_string("a. b.", S), read(S, _), close(S) )).
pair(( mutex_create(M), mutex_lock(M), mutex_unlock(M), mutex_destroy(M) )).
pair(( message_queue_create(Q), thread_send_message(Q, f("text")), thread_peek_message(Q, _), message_queue_destroy(Q) )).
pair(( catch(findall(X, ( member(X, [1, 2]), X > 1, throw(X) ), _), _, true), findall(X, member(X, [1, 2]), _) )).
pair(( catch(setup_call_cleanup(true, throw(x), true), _, true), setup_call_cleanup(true, member(_, [1, 2]), true) )).
pair(( tabled(2, _), abolish_all_tables )).
pair(( format(atom(A), "~w~t~20|~a", [a, b]), atom_length(A, _), catch(format(atom(_), "~t~20|~d", [a]), _, true) )).
pair(( T is 7**100 rdiv 3**50, T > 0, term_to_atom(f(_, T), B), term_to_atom(_, B) )).
pair(( add_import_module(m2, lists, start), delete_import_module(m2, lists) )).
pair(( setenv('SAMITE_PAIR', text), unsetenv('SAMITE_PAIR') )).
pair(( thread_self(Me), thread_send_message(Me, x("text")), thread_get_message(x(_)), thread_signal(Me, true) )).
rare(( thread_create(assertz(local(1)), Id), thread_join(Id) )).
rare(( thread_create(throw(ball), Id, [alias(named)]), thread_join(Id, _) )).
:- dynamic d/1.
:- thread_local local/1.
:- table tabled/2.
tabled(N, X) :- between(1, N, X).
do(Pair, N) :- ( between(1, N, _), ( call(Pair) -> fail ; write(failed(Pair)), nl ) ; true ).
run(N, Rare, From, To) :-
    findall(P, pair(P), Ps), findall(P, rare(P), Rs),
    forall(( nth1(I, Ps, P), I >= From, I =< To ), do(P, N)),
    length(Ps, L),
    forall(( nth1(I, Rs, P), I+L >= From, I+L =< To ), do(P, Rare)).
"#;

/// The pairs' places, and how often each is done: those that make threads less often.
const ALL: (usize, usize) = (1, 26);
const ROUNDS: usize = 3000;
const RARE: usize = 200;
/// What may wait to be reclaimed when a program ends, in KiB. A word each time were 72.
const WAITING: usize = 48;

/// KiB alive at the end.
fn alive(file: &str, times: usize, (from, to): (usize, usize)) -> usize {
    let goal = format!("run({}, {}, {from}, {to})", ROUNDS * times, RARE * times);
    let mut command = samite();
    command.env("SAMITE_MALLOC_STATS", "1");
    command.args(["-q", "-g", &goal, "-t", "halt", file]);
    let run = finish(command, b"", LIMIT).status(0).prints("");
    let told = run.err.split("live ").nth(1);
    let number = told.and_then(|t| t.split_whitespace().next());
    number
        .and_then(|n| n.parse().ok())
        .expect("the allocator tells")
}

#[test]
fn pairs_leave_nothing() {
    let scratch = Scratch::new();
    let file = scratch.file("pairs.pl", PAIRS);
    let grows = |which| alive(&file, 4, which).saturating_sub(alive(&file, 1, which));
    if grows(ALL) > WAITING {
        let each: Vec<(usize, usize)> = (ALL.0..=ALL.1).map(|i| (i, grows((i, i)))).collect();
        panic!("pairs and the KiB that they leave: {each:?}");
    }
}
