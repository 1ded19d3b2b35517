//! What the machine's tables and types promise inside the crate (`src/checks.rs`).

#[test]
#[cfg(debug_assertions)]
fn tables_and_types_keep_what_they_promise() {
    for (what, check) in samite_machine::checks::ALL {
        println!("{what}");
        check();
    }
}
