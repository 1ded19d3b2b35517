//! The Prolog text that comes with Samite, compiled in.
//!
//! What is read when a program starts (the boot files, and what the libraries export) stands apart from the libraries' text: reading
//! each library's header where it is had all of the text in memory, page by page, in programs that load none of it.

/// Loaded when a program starts, in this order.
pub const BOOT: &[(&str, &str)] = &[
    ("boot", include_str!("../library/boot.pl")),
    (
        "boot/expansion",
        include_str!("../library/boot/expansion.pl"),
    ),
    (
        "boot/reflection",
        include_str!("../library/boot/reflection.pl"),
    ),
    ("boot/loading", include_str!("../library/boot/loading.pl")),
    ("toplevel", include_str!("../library/toplevel.pl")),
];

/// Libraries, loaded when one of their predicates is first called or when asked for.
pub const FILES: &[(&str, &str)] = &[
    ("messages", include_str!("../library/messages.pl")),
    ("time", include_str!("../library/time.pl")),
    ("listing", include_str!("../library/listing.pl")),
    ("debug", include_str!("../library/debug.pl")),
    ("aggregate", include_str!("../library/aggregate.pl")),
    ("apply", include_str!("../library/apply.pl")),
    ("assoc", include_str!("../library/assoc.pl")),
    ("dcg/basics", include_str!("../library/dcg/basics.pl")),
    (
        "dcg/high_order",
        include_str!("../library/dcg/high_order.pl"),
    ),
    ("ansi_term", include_str!("../library/ansi_term.pl")),
    ("date", include_str!("../library/date.pl")),
    ("main", include_str!("../library/main.pl")),
    ("rbtrees", include_str!("../library/rbtrees.pl")),
    ("strings", include_str!("../library/strings.pl")),
    ("flag_keys", include_str!("../library/flag_keys.pl")),
    ("files", include_str!("../library/files.pl")),
    ("error", include_str!("../library/error.pl")),
    ("findnsols", include_str!("../library/findnsols.pl")),
    ("module_info", include_str!("../library/module_info.pl")),
    ("calling", include_str!("../library/calling.pl")),
    ("functor", include_str!("../library/functor.pl")),
    (
        "import_modules",
        include_str!("../library/import_modules.pl"),
    ),
    ("numbers", include_str!("../library/numbers.pl")),
    ("source_files", include_str!("../library/source_files.pl")),
    ("locales", include_str!("../library/locales.pl")),
    ("hashtable", include_str!("../library/hashtable.pl")),
    ("intercept", include_str!("../library/intercept.pl")),
    ("utf8", include_str!("../library/utf8.pl")),
    ("wildcards", include_str!("../library/wildcards.pl")),
    ("clause_info", include_str!("../library/clause_info.pl")),
    ("copying", include_str!("../library/copying.pl")),
    ("prolog_code", include_str!("../library/prolog_code.pl")),
    ("backcomp", include_str!("../library/backcomp.pl")),
    ("oset", include_str!("../library/oset.pl")),
    ("gensym", include_str!("../library/gensym.pl")),
    ("heaps", include_str!("../library/heaps.pl")),
    ("lists", include_str!("../library/lists.pl")),
    ("nb_set", include_str!("../library/nb_set.pl")),
    ("occurs", include_str!("../library/occurs.pl")),
    ("option", include_str!("../library/option.pl")),
    ("ordsets", include_str!("../library/ordsets.pl")),
    ("pairs", include_str!("../library/pairs.pl")),
    ("random", include_str!("../library/random.pl")),
    ("readutil", include_str!("../library/readutil.pl")),
    (
        "solution_sequences",
        include_str!("../library/solution_sequences.pl"),
    ),
    ("sort", include_str!("../library/sort.pl")),
    ("terms", include_str!("../library/terms.pl")),
    ("thread", include_str!("../library/thread.pl")),
    ("ugraphs", include_str!("../library/ugraphs.pl")),
    ("string_bytes", include_str!("../library/string_bytes.pl")),
    ("base64", include_str!("../library/base64.pl")),
    ("base32", include_str!("../library/base32.pl")),
    ("ctypes", include_str!("../library/ctypes.pl")),
    ("codesio", include_str!("../library/codesio.pl")),
    ("charsio", include_str!("../library/charsio.pl")),
    ("csv", include_str!("../library/csv.pl")),
    ("uri", include_str!("../library/uri.pl")),
    ("apply_macros", include_str!("../library/apply_macros.pl")),
    ("statistics", include_str!("../library/statistics.pl")),
    ("quintus", include_str!("../library/quintus.pl")),
    ("dialect", include_str!("../library/dialect.pl")),
    ("edinburgh", include_str!("../library/edinburgh.pl")),
    ("tabling", include_str!("../library/tabling.pl")),
    ("settings", include_str!("../library/settings.pl")),
    ("pprint", include_str!("../library/pprint.pl")),
    ("numbervars", include_str!("../library/numbervars.pl")),
    ("optparse", include_str!("../library/optparse.pl")),
    ("varnumbers", include_str!("../library/varnumbers.pl")),
    ("yall", include_str!("../library/yall.pl")),
];

/// The module headers of [`FILES`], in their order: a file's text from `:- module(` up to the end of that line that ends in `]).`.
pub fn headers() -> &'static str {
    static BYTES: [u8; LENGTH] = headers_of_files();
    // What is cut at line ends is text; the test below reads it.
    str::from_utf8(&BYTES).unwrap_or_default()
}

const LENGTH: usize = length_of_headers();

const fn length_of_headers() -> usize {
    let (mut n, mut i) = (0, 0);
    while i < FILES.len() {
        let (from, to) = header(FILES[i].1.as_bytes());
        n += to - from;
        i += 1;
    }
    n
}

const fn headers_of_files() -> [u8; LENGTH] {
    let mut all = [0; LENGTH];
    let (mut n, mut i) = (0, 0);
    while i < FILES.len() {
        let text = FILES[i].1.as_bytes();
        let (from, to) = header(text);
        let (_, tail) = text.split_at(from);
        let (this, _) = tail.split_at(to - from);
        let (_, rest) = all.split_at_mut(n);
        let (place, _) = rest.split_at_mut(to - from);
        place.copy_from_slice(this);
        n += to - from;
        i += 1;
    }
    all
}

/// Where the module header of a library is. What has none does not compile.
const fn header(text: &[u8]) -> (usize, usize) {
    let mut from = 0;
    while !(is_at(text, from, b":- module(") && (from == 0 || text[from - 1] == b'\n')) {
        from += 1;
    }
    let mut to = from;
    while !is_at(text, to, b"]).\n") {
        to += 1;
    }
    (from, to + 4)
}

const fn is_at(text: &[u8], at: usize, what: &[u8]) -> bool {
    let mut i = 0;
    while i < what.len() {
        if text[at + i] != what[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{FILES, headers};
    use samite_syntax::ops::Operators;
    use samite_syntax::read::{ReadFlags, StrSource, read_term};

    /// The headers are the first terms of the files.
    #[test]
    fn headers_are_those_of_the_files() {
        let ops = Operators::iso_swi();
        let flags = ReadFlags::default();
        let mut all = StrSource::new(headers());
        for (name, text) in FILES {
            let first = read_term(&mut StrSource::new(text), &ops, &flags).expect(name);
            let header = read_term(&mut all, &ops, &flags).expect(name);
            assert!(!header.is_eof, "{name}");
            assert_eq!(first.record.words(), header.record.words(), "{name}");
        }
        assert!(read_term(&mut all, &ops, &flags).unwrap().is_eof);
    }
}
