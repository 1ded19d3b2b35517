//! The Prolog text that comes with Samite, compiled in: as terms that were read when it was built.
//!
//! A program that loads no library touches none of their text, nor what they export: that is a text of its own, in which a name is found by
//! bisection.

use samite_machine::state::library::LibraryText;

// `BOOT`, `LIBRARIES` and `EXPORTS`, made by the build script.
include!(concat!(env!("OUT_DIR"), "/libraries.rs"));

/// The meta-arguments of what a library exports, if it says so.
pub fn meta(name: &str, arity: usize) -> Option<&'static [u8]> {
    let export = samite_machine::builtins::libraries::find_export(EXPORTS, name, arity)?;
    (!export.meta.is_empty()).then_some(export.meta.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{EXPORTS, LIBRARIES, meta};
    use samite_machine::builtins::libraries::find_export;

    #[test]
    fn exports_are_found() {
        let mut lines = 0;
        for line in EXPORTS.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let arity = fields[1].parse().unwrap();
            assert!(find_export(EXPORTS, fields[0], arity).is_some(), "{line}");
            assert!(find_export(EXPORTS, fields[0], arity + 90).is_none());
            assert!(find_export(EXPORTS, &format!("{}~", fields[0]), arity).is_none());
            assert!(fields[2].parse::<usize>().unwrap() < LIBRARIES.len());
            lines += 1;
        }
        assert!(lines > 500);
        assert!(find_export(EXPORTS, "", 0).is_none());
        assert!(find_export("", "append", 3).is_none());
        assert_eq!(meta("foldl", 4), Some(b"3???".as_slice()));
        assert_eq!(meta("append", 3), None);
    }
}
