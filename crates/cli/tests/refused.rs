//! Memory refused to what an operation makes for its own use: the items of a list, a text, a list of work. Every refusal is
//! `resource_error(memory)`, and what comes after it works; the process never ends.
//!
//! The allocator refuses large objects from the beginning (`SAMITE_FAULTS=largest=N`), so whoever forgets to ask is found by the first list that
//! is long enough, whatever else the process does: nothing depends on where memory ends.

mod common;

use common::{run_program, samite};

/// `data(Kind, Data)` and `use(Kind, Data)`: what takes or makes a list, a text or a term as large as that. Nothing here trails, for the
/// trail is refused first.
const PROGRAM: &str = r#"
:- dynamic fact/1, two/1.
two(1). two(2).
size(40000).
list(0, _, []) :- !.
list(N, K, [X|L]) :- item(K, N, X), M is N-1, list(M, K, L).
item(number, N, N).
item(code, _, 0'a).
item(char, _, a).
item(variable, _, _).
item(pair, N, N-_).
item(text, _, "abc").
item(cell, _, [a]).
text(P, S) :- size(N), text(N, P, "", S).
text(0, _, S, S) :- !.
text(N, P, S0, S) :- ( N mod 2 =:= 1 -> string_concat(S0, P, S1) ; S1 = S0 ), M is N // 2, string_concat(P, P, Q), text(M, Q, S1, S).
left(0, _) :- !.
left(N, g(T, N)) :- M is N-1, left(M, T).
goals(0, true) :- !.
goals(N, (true, G)) :- M is N-1, goals(M, G).
data(list(K), L) :- size(N), list(N, K, L).
data(text(P), S) :- text(P, S).
data(text(A, P, B), S) :- text(P, T), string_concat(A, T, S0), string_concat(S0, B, S).
data(wide, T) :- size(N), functor(T, f, N).
data(left, T) :- size(N), left(N, T).
data(goals, G) :- size(N), goals(N, G).
data(power, X) :- X is 7 ** 1500000.
data(depth, N) :- size(N).
nested(0) :- !, throw(out).
nested(N) :- M is N-1, setup_call_cleanup(true, nested(M), true).
% Exceptions wait for handlers that wait for others.
handlers(0) :- !.
handlers(N) :- M is N-1, setup_call_cleanup(true, throw(out), handlers(M)).
% Each walk sees another generation.
walks(0) :- !.
walks(N) :- two(_), assertz(fact(N)), retract(fact(N)), M is N-1, walks(M).
use(depth, N) :- catch(nested(N), out, true).
use(depth, N) :- catch(handlers(N), out, true).
use(depth, N) :- walks(N).
use(list(code), L) :- atom_codes(_, L).
use(list(code), L) :- string_codes(_, L).
use(list(code), L) :- text_to_string(L, _).
use(list(code), L) :- format(atom(_), "~s", [L]).
use(list(code), L) :- atom_length(L, _).
use(list(char), L) :- atom_chars(_, L).
use(list(char), L) :- string_chars(_, L).
use(list(text), L) :- atomic_list_concat(L, _).
use(list(text), L) :- atomic_list_concat(L, ',', _).
use(list(number), L) :- term_to_atom(L, _).
use(list(number), L) :- with_output_to(string(_), print(L)).
use(list(number), L) :- format(string(_), "~q~t~w~30|", [L, L]).
use(list(number), L) :- catch(format(atom(_), "none", L), error(format(_), _), true).
use(list(number), L) :- msort(L, _).
use(list(number), L) :- sort(0, @>=, L, _).
use(list(number), L) :- predsort([O, A, B]>>compare(O, A, B), L, _).
use(list(number), L) :- sort(L, _), list_to_set(L, _).
use(list(number), L) :- length(L, N), functor(T, f, N), T =.. [_|V], V = L.
use(list(number), L) :- _ =.. [f|L].
use(list(number), L) :- open_null_stream(S), call_cleanup(catch(write_term(S, L, L), error(domain_error(_, _), _), true), close(S)).
use(list(number), L) :- assertz(fact(L)), retract(fact(_)).
use(list(number), L) :- findall(X, member(X, L), _).
use(list(number), L) :- thread_self(Me), thread_send_message(Me, L), thread_get_message(_).
use(list(variable), L) :- sort(L, _).
use(list(variable), L) :- term_variables(L, _).
use(list(variable), L) :- length(L, N), length(K, N), L =@= K.
use(list(variable), L) :- length(L, N), length(K, N), unifiable(L, K, _).
use(list(variable), L) :- length(L, N), length(K, N), subsumes_term(L, K).
use(list(variable), L) :- open_null_stream(S), call_cleanup(write_canonical(S, L), close(S)).
use(list(variable), L) :- copy_term(L, K), numbervars(K, 0, _).
use(list(pair), L) :- keysort(L, _).
use(list(pair), L) :- sort(1, @>=, L, _).
use(list(cell), L) :- append(L, _).
use(text("a"), S) :- string_chars(S, _).
use(text("a"), S) :- string_codes(S, _).
use(text("a"), S) :- atom_string(A, S), upcase_atom(A, _), downcase_atom(A, _).
use(text("a"), S) :- term_to_atom(f(S), _).
use(text("a"), S) :- atom_length(S, _), sub_string(S, 5, 3, _, _).
use(text("a"), S) :- wildcard_match(S, S).
use(text("a"), S) :- with_output_to(codes(_), write(S)), with_output_to(chars(_), write(S)).
use(text("a"), S) :- open_string(S, I), read_line_to_codes(I, _), close(I).
use(text("a"), S) :- open_string(S, I), read_stream_to_codes(I, _), close(I).
use(text("a"), S) :- open_string(S, I), peek_string(I, 40000, _), close(I).
use(text("a,"), S) :- atomic_list_concat(_, ',', S).
use(text("a,"), S) :- split_string(S, ",", " ", _).
use(text("a  "), S) :- normalize_space(codes(_), S).
use(text("7"), S) :- number_codes(_, S).
use(text("["), S) :- catch(term_to_atom(_, S), error(syntax_error(_), _), true).
use(text("- "), S) :- catch(term_to_atom(_, S), error(syntax_error(_), _), true).
use(text("[", "a,", "a]"), S) :- term_to_atom(_, S).
use(text("[", "a,", "a]"), S) :- read_term_from_atom(S, _, []).
use(text("[", "A,", "a]"), S) :- term_string(_, S).
use(text("\"", "a", "\""), S) :- term_string(_, S).
use(text("[", "a,", "a]. "), S) :- open_string(S, I), call_cleanup(read(I, _), close(I)).
use(wide, T) :- term_variables(T, _).
use(wide, T) :- T =.. _.
use(wide, T) :- compound_name_arguments(T, _, _).
use(wide, T) :- ( ground(T) -> true ; true ), acyclic_term(T).
use(wide, T) :- copy_term(T, _), term_size(T, _).
use(left, T) :- ( ground(T) -> true ; true ).
use(left, T) :- acyclic_term(T).
use(left, T) :- term_variables(T, _).
use(left, T) :- data(left, U), T = U.
use(left, T) :- data(left, U), compare(_, T, U).
use(left, T) :- data(left, U), ( T =@= U -> true ; true ).
use(left, T) :- data(left, U), unify_with_occurs_check(T, U).
use(left, T) :- ( term_hash(T, _) -> true ; true ).
use(left, T) :- with_output_to(string(_), print(T)).
use(left, T) :- with_output_to(string(_), portray_clause(T)).
use(left, T) :- catch(( X is T, X > 0 ), error(instantiation_error, _), true).
use(left, T) :- tabled(T, _).
use(goals, G) :- call(G).
use(goals, G) :- assertz((fact(_) :- G)), retractall(fact(_)).
use(goals, G) :- with_output_to(string(_), portray_clause((a :- G))).
use(power, X) :- number_codes(X, Cs), number_codes(_, Cs).
use(power, X) :- term_to_atom(X, A), term_to_atom(_, A).
:- table tabled/2.
tabled(X, X).
fine(error(resource_error(memory), _)).
works :-
    numlist(1, 1000, L), msort(L, L), sum_list(L, 500500), atom_codes(A, "abc"), atom_length(A, 3), term_to_atom(f(x, 1), T), atom_length(T, 6),
    catch(atom_length(_, _), error(instantiation_error, _), true), findall(Y, member(Y, L), L).
tried(Kind, X, Goal) :-
    catch(( data(Kind, X), ( Goal -> true ; print(failed(Kind)), nl ) ), E, true),
    ( var(E) -> true ; fine(E) -> flag(refused, N, N + 1) ; E = error(F, _) -> print(Kind-F), nl ; print(Kind), nl ),
    ( works -> true ; print(broken(Kind)), nl ).
all :- forall(clause(use(Kind, X), Goal), tried(Kind, X, Goal)).
threads :- findall(T, ( between(1, 3, _), thread_create(all, T) ), Ts), forall(member(T, Ts), ( thread_join(T, S), ( S == true -> true ; print(S), nl ) )).
some(Least) :- flag(refused, N, N), ( N >= Least -> true ; print(refused(N)), nl ).
"#;

fn refused(largest: &str, more: &[(&str, &str)], goal: &str) {
    let mut command = samite();
    command
        .env("SAMITE_FAULTS", format!("largest={largest}"))
        .envs(more.iter().copied());
    let text = format!(":- dynamic use/2.\n{PROGRAM}run :- {goal}.\n");
    run_program(command, &text).status(0).silent().prints("");
}

/// With the memory that they want they all hold, and nothing is refused.
#[test]
fn nothing_is_refused_without_need() {
    refused("1000g", &[], "all, flag(refused, 0, 0)");
}

/// Whatever is refused, it is an error; some of it is small enough or needs nothing. (40000 cells are 320 kB.)
#[test]
fn every_refusal_is_an_error() {
    refused("128k", &[], "all, some(60)");
    refused("300k", &[], "all, some(60)");
}

/// The same with several threads, none of which may hold what another one waits for.
#[test]
fn refusals_of_threads_are_their_own() {
    refused("200k", &[], "threads, some(180)");
}

/// The same where collections move everything at many places.
#[test]
fn refusals_between_collections() {
    refused("300k", &[("SAMITE_NURSERY_STRESS", "7")], "all, some(60)");
}

/// Runs a goal that prints nothing unless something is wrong, with objects refused that are larger.
fn silent(largest: &str, program: &str, goal: &str) {
    let mut command = samite();
    command.env("SAMITE_FAULTS", format!("largest={largest}"));
    let text = format!("{program}\nrun :- {goal}.\n");
    run_program(command, &text).status(0).silent().prints("");
}

/// Handlers whose goals end because the trail, or what waits for them, cannot grow: each Setup that succeeded has had its handler begun. They are counted:
/// a list of them would be larger than what is granted.
const CLEANUPS: &str = r#"
done :- flag(done, D, D+1).
deep(N) :- M is N+1, setup_call_cleanup(flag(s, _, M), deep(M), done).
catcher(N) :- M is N+1, setup_call_catcher_cleanup(flag(s, _, M), catcher(M), W, told(W)).
told(exception(E)) :- memory(E), done.
handlers(N) :- M is N+1, setup_call_cleanup(flag(s, _, M), throw(out), handled(M)).
handled(M) :- done, handlers(M).
memory(error(resource_error(memory), _)).
checked(Goal) :- catch(Goal, E, true), ( memory(E) -> true ; print(E), nl ), flag(s, S, S), ( S > 1000 -> true ; print(few(S)), nl ).
all_done(Less) :- flag(s, S, S), flag(done, D, D), L is S-D, ( L >= 0, L =< Less -> true ; print(missing(L, S)), nl ).
"#;

#[test]
fn handlers_run_whatever_is_refused() {
    for largest in ["32k", "64k"] {
        silent(largest, CLEANUPS, "checked(deep(0)), all_done(0)");
    }
}

#[test]
fn catchers_are_told_whatever_is_refused() {
    silent("32k", CLEANUPS, "checked(catcher(0)), all_done(0)");
}

/// Exceptions wait for handlers, each in the handler of another one; what waits is small, however many there are. The innermost handler may
/// be refused what its own goal asks for.
#[test]
fn exceptions_that_wait_for_handlers() {
    silent("32k", CLEANUPS, "checked(handlers(0)), all_done(1)");
}

/// Who makes atoms without end is refused while there are places for the machine's own names.
#[test]
fn atoms_to_the_end() {
    let program = r#"
atoms(N) :- atom_concat('some name ', N, _), M is N+1, atoms(M).
reads(N) :- format(string(S), "f('another name ~d')", [N]), term_string(_, S), M is N+1, reads(M).
written(N) :- with_output_to(atom(_), write(third(N))), M is N+1, written(M).
characters(N) :- char_code(_, N), M is N+1, characters(M).
lists(N) :- atom_codes(A, [N]), atom_chars(A, _), string_codes(S, [N]), string_chars(S, _), M is N+1, lists(M).
names(N) :- format(string(S), "/tmp/name~d/file", [N]), file_directory_name(S, _), M is N+1, names(M).
ended(Goal) :- catch(Goal, error(E, _), true), ( E == resource_error(memory) -> true ; print(E), nl ).
% Of these the machine makes atoms of its own.
reported(Goal) :- catch(Goal, error(_, _), true).
own :- reported(atom_length(_, _)), reported(open('/nowhere/x', read, _)), reported(set_stream(user_input, newline(x))), reported(X is foo + 1), var(X),
    reported(number_codes(_, "1e")), reported(thread_join(nobody, _)), reported(mutex_unlock(nothing)), reported(assertz((a :- 1))), reported(see(nowhere)),
    reported(format("~y", [])), reported(char_type(_, nonsense(_))), reported(sort(0, nonsense, [], _)), reported(op(1201, xfx, a)).
go :- reported(print(ready)), nl, forall(member(G, [atoms(0), reads(0), written(0), characters(0x10000), lists(0x10000), names(0)]), ended(G)), own, own.
"#;
    let mut command = samite();
    command.env("SAMITE_FAULTS", "largest=64k");
    let text = format!(":- use_module(library(lists)).\n{program}\nrun :- go.\n");
    run_program(command, &text)
        .status(0)
        .silent()
        .prints("ready\n");
}

/// A file is loaded again with so many clauses that their lists are refused: a predicate has those of one version, or of the other as far as they were
/// read.
#[test]
fn loading_again() {
    let program = r#"
:- dynamic f/2.
facts(File, N, V) :- setup_call_cleanup(open(File, write, S),
    ( format(S, ":- dynamic f/2.~n", []), forall(between(1, N, I), format(S, "f(~d, ~w).~n", [I, V])) ), close(S)).
count(V, N) :- aggregate_all(count, f(_, V), N).
loaded(File) :- catch(load_files(File, []), error(resource_error(memory), _), true).
go :- tmp_file(facts, Name), atom_concat(Name, '.pl', File), facts(File, 3000, one), loaded(File), count(one, 3000),
    facts(File, 15000, two), loaded(File), count(one, A), count(two, B), delete_file(File),
    ( A-B == 3000-0 ; A == 0, B > 3000 ), !, unload_file(File), count(_, 0), print(right), nl.
"#;
    for largest in ["64k", "100k", "160k", "1m"] {
        let mut command = samite();
        command.env("SAMITE_FAULTS", format!("largest={largest}"));
        let text = format!("{program}\nrun :- go.\n");
        run_program(command, &text).status(0).prints("right\n");
    }
}

/// What `compile_predicates/1` makes beside the clauses may be refused; the predicate is as before then.
#[test]
fn compiling_predicates() {
    let program = r#"
:- dynamic many/1.
go :- forall(between(1, 15000, I), assertz(many(I))), catch(compile_predicates([many/1]), error(resource_error(memory), _), true),
    predicate_property(many(_), dynamic), aggregate_all(count, many(_), 15000), assertz(many(0)), many(0).
"#;
    silent("300k", program, "go");
}

/// Calls of static predicates walk their clauses where what selects them is refused: keys, no keys, both, tests before a cut, arity 0, a tabled
/// predicate, one whose meta-arguments are told their module.
#[test]
fn selecting_clauses_of_files() {
    let program = r#"
:- style_check(-discontiguous).
kind("key(~d, one).~n"). kind("none(_, ~d).~n"). kind(some). kind("cut(X, a) :- X > ~d, !.~n"). kind("less :- flag(at, ~d, 0).~n").
kind("given(~d, _).~n"). kind("tab(~d, one).~n").
clause_of(S, I, Form) :- ( Form == some -> ( I =:= 1500 -> format(S, "some(_, var).~n", []) ; format(S, "some(~d, ~d).~n", [I, I]) ) ; format(S, Form, [I]) ).
written(File) :- setup_call_cleanup(open(File, write, S),
    ( format(S, ":- table tab/2.~n:- meta_predicate given(?, 0).~n", []), forall(( kind(Form), between(1, 3000, I) ), clause_of(S, I, Form)) ), close(S)).
right(key) :- aggregate_all(count, key(_, one), 3000), key(2800, X), X == one, \+ key(3001, _).
right(none) :- aggregate_all(count, none(x, _), 3000), none(y, 3000).
right(some) :- aggregate_all(count, some(_, _), 3000), findall(X, some(2800, X), [var, 2800]), findall(X, some(1400, X), [1400, var]).
right(cut) :- cut(2500.5, X), X == a, \+ cut(0, _).
right(less) :- flag(at, _, 2999), less, flag(at, _, 3001), \+ less.
right(given) :- aggregate_all(count, given(_, _), 3000), given(2800, _).
right(tab) :- tab(2800, X), X == one, \+ tab(3001, _).
% Often enough that building is tried again.
go :- tmp_file(facts, Name), atom_concat(Name, '.pl', File), written(File), load_files(File, [silent(true)]), delete_file(File),
    forall(( between(1, 3, _), member(P, [key, none, some, cut, less, given, tab]) ), ( right(P) -> true ; print(P), nl )).
"#;
    for largest in ["40k", "100k", "1000g"] {
        silent(largest, program, "go");
    }
}
