//! The Prolog text that comes with Samite, compiled in.

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
    ("varnumbers", include_str!("../library/varnumbers.pl")),
    ("yall", include_str!("../library/yall.pl")),
];
