//! Streams on files, memory, readers and writers: encodings, ends, positions, buffering, and the table.

use samite_stream::{
    Buffering, Culprit, Encoding, EndOfStream, EofAction, Formal, Mode, Newline, OpenOptions,
    Stream, StreamError, StreamId, StreamTable, StreamType, TypeCheck, Whence,
};
use samite_syntax::Operators;
use samite_syntax::read::{ReadFlags, read_term};
use samite_term::{Atom, Cell, atoms};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// A file that is removed at the end of the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, bytes: &[u8]) -> Temporary {
        let path = std::env::temp_dir().join(format!("samite-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Temporary(path)
    }
    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.0).unwrap()
    }
    fn open(&self, mode: Mode, options: OpenOptions) -> Stream {
        Stream::open_file(self.path(), mode, &options).unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn all(s: &mut Stream) -> String {
    let mut text = String::new();
    while let Some(c) = s.get_char().unwrap() {
        assert!(text.len() < 1 << 20);
        text.push(c);
    }
    text
}

fn encoding(e: Encoding) -> OpenOptions {
    OpenOptions {
        encoding: Some(e),
        ..OpenOptions::default()
    }
}

/// Gives the pieces one at a time, then reports the end as often as asked.
struct Pieces(Vec<&'static [u8]>);

impl Read for Pieces {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Ok(0);
        }
        let piece = self.0.remove(0);
        buf[..piece.len()].copy_from_slice(piece);
        Ok(piece.len())
    }
}

/// Keeps what is written; fails when told to.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<(Vec<u8>, Option<io::ErrorKind>)>>);

impl Recorder {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().0.clone()).unwrap()
    }
    fn fail(&self, kind: Option<io::ErrorKind>) {
        self.0.lock().unwrap().1 = kind;
    }
    fn stream(&self, buffering: Buffering) -> Stream {
        let options = OpenOptions {
            buffering,
            ..OpenOptions::default()
        };
        Stream::to_writer(Box::new(self.clone()), &options)
    }
}

impl Write for Recorder {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut inner = self.0.lock().unwrap();
        match inner.1 {
            Some(kind) => Err(kind.into()),
            None => {
                inner.0.extend_from_slice(bytes);
                Ok(bytes.len())
            }
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn files_round_trip_in_every_encoding() {
    let texts = [
        (Encoding::Octet, "aé\n\tÿ"),
        (Encoding::Ascii, "abc\n"),
        (Encoding::Latin1, "aé\n\tÿ"),
        (Encoding::Utf8, "aé\n\t日本😀\r\n"),
        (Encoding::Utf16Le, "aé\n\t日本😀\r\n"),
        (Encoding::Utf16Be, "aé\n\t日本😀\r\n"),
    ];
    let file = Temporary::new("encodings", b"");
    for (e, text) in texts {
        for bom in [false, true] {
            let text = text.repeat(1000);
            let options = OpenOptions {
                bom: Some(bom),
                ..encoding(e)
            };
            let mut out = file.open(Mode::Write, options);
            out.put_str(&text).unwrap();
            let end = out.position();
            out.close().unwrap();
            assert_eq!(file.bytes().len() as u64, end.byte_count);
            let known = bom && !e.bom().is_empty();
            let options = if known {
                OpenOptions::default()
            } else {
                encoding(e)
            };
            let mut input = file.open(Mode::Read, options);
            assert_eq!((input.encoding(), input.has_bom()), (e, known));
            assert_eq!(all(&mut input), text);
            assert_eq!(input.position(), end);
            let mut input = file.open(Mode::Read, encoding(e));
            let mut copy = String::new();
            input.read_to_end(&mut copy).unwrap();
            assert_eq!((copy, input.position()), (text, end));
        }
    }
}

#[test]
fn characters_that_an_encoding_lacks_are_errors() {
    for (e, c) in [
        (Encoding::Latin1, '日'),
        (Encoding::Octet, '日'),
        (Encoding::Ascii, 'é'),
    ] {
        let mut s = Stream::to_buffer();
        s.set_encoding(e);
        let error = s.put_str(&format!("a{c}b")).unwrap_err();
        assert_eq!(error.formal(), Formal::Io("write"));
        assert_eq!(
            error.message().as_deref(),
            Some("Encoding cannot represent character")
        );
        assert_eq!(s.take_bytes(), b"a");
    }
}

#[test]
fn bad_bytes_are_read_as_replacement_characters() {
    let file = Temporary::new("bad", b"a\xff\xc3(b\xe9");
    let mut s = file.open(Mode::Read, OpenOptions::default());
    s.peek_char().unwrap();
    s.peek_char().unwrap();
    assert_eq!(all(&mut s), "a\u{fffd}\u{fffd}(b\u{fffd}");
    assert_eq!(s.bad_sequences(), 3);
    assert_eq!(s.position().byte_count, 6);
    let mut s = file.open(Mode::Read, encoding(Encoding::Ascii));
    assert_eq!(all(&mut s), "aÿÃ(bé");
}

#[test]
fn characters_split_over_reads_are_joined() {
    let pieces = Pieces(vec![b"a\xe6", b"\x97", b"\xa5b", b"\xf0\x9f\x98", b"\x80"]);
    let mut s = Stream::from_reader(Box::new(pieces), &OpenOptions::default());
    assert_eq!(s.peek_string(2).unwrap(), "a日");
    assert_eq!(s.peek_string(10).unwrap(), "a日b😀");
    assert_eq!(all(&mut s), "a日b😀");
}

#[test]
fn end_of_file_actions() {
    let file = Temporary::new("eof", b"ab");
    let open = |eof_action| {
        let options = OpenOptions {
            eof_action,
            ..OpenOptions::default()
        };
        let mut s = file.open(Mode::Read, options);
        assert_eq!(s.end_of_stream(), EndOfStream::Not);
        assert_eq!(s.peek_char().unwrap(), Some('a'));
        assert_eq!(s.get_char().unwrap(), Some('a'));
        assert!(!s.at_eof().unwrap());
        assert_eq!(s.get_char().unwrap(), Some('b'));
        assert!(s.at_eof().unwrap());
        assert_eq!(s.end_of_stream(), EndOfStream::At);
        assert_eq!(s.peek_char().unwrap(), None);
        assert_eq!(s.end_of_stream(), EndOfStream::At);
        s.ready_to_read().unwrap();
        assert_eq!(s.get_char().unwrap(), None);
        assert_eq!(s.end_of_stream(), EndOfStream::Past);
        s
    };
    let mut s = open(EofAction::Error);
    for result in [
        s.get_char(),
        s.peek_char(),
        s.ready_to_read().map(|()| None),
    ] {
        let formal = Formal::Permission("input", "past_end_of_stream", Culprit::Stream);
        assert_eq!(result.unwrap_err().formal(), formal);
    }
    assert!(matches!(s.get_byte(), Err(StreamError::PastEof)));
    let mut s = open(EofAction::EofCode);
    s.ready_to_read().unwrap();
    assert_eq!(s.get_char().unwrap(), None);
    assert_eq!(s.peek_byte().unwrap(), None);
    let mut s = open(EofAction::Reset);
    assert_eq!(s.get_char().unwrap(), None);
    std::fs::write(&file.0, b"abc").unwrap();
    assert_eq!(s.get_char().unwrap(), Some('c'));
}

#[test]
fn a_terminal_goes_on_behind_its_end() {
    let options = OpenOptions {
        eof_action: EofAction::Reset,
        ..OpenOptions::default()
    };
    let mut s = Stream::from_reader(Box::new(Pieces(vec![b"a", b"", b"b"])), &options);
    assert_eq!(
        (all(&mut s), all(&mut s), all(&mut s)),
        ("a".into(), "b".into(), "".into())
    );
}

#[test]
fn bytes() {
    let file = Temporary::new("bytes", &[0, 255, 10]);
    let options = OpenOptions {
        stream_type: StreamType::Binary,
        ..OpenOptions::default()
    };
    let mut s = file.open(Mode::Read, options.clone());
    assert_eq!(s.peek_byte().unwrap(), Some(0));
    let read: Vec<u8> = std::iter::from_fn(|| s.get_byte().unwrap()).collect();
    assert_eq!(read, [0, 255, 10]);
    assert_eq!(s.end_of_stream(), EndOfStream::Past);
    let mut s = file.open(Mode::Append, options);
    s.put_byte(200).unwrap();
    drop(s);
    assert_eq!(file.bytes(), [0, 255, 10, 200]);
}

#[test]
fn positions_count_characters_lines_columns_and_bytes() {
    let count = |s: &Stream| {
        let p = s.position();
        (p.char_count, p.line, p.column, p.byte_count)
    };
    let text = "aé\n\tb\u{8}c日";
    let mut s = Stream::from_string(text);
    assert_eq!(all(&mut s), text);
    assert_eq!(count(&s), (8, 2, 10, 11));
    let mut s = Stream::to_buffer();
    s.put_str(text).unwrap();
    assert_eq!(count(&s), (8, 2, 10, 11));
    let mut s = Stream::to_buffer();
    text.chars().for_each(|c| s.put_char(c).unwrap());
    assert_eq!(count(&s), (8, 2, 10, 11));
    s.tab_to(12).unwrap();
    s.tab_to(3).unwrap();
    assert_eq!(
        (s.line_position(), s.take_buffer()),
        (12, format!("{text}  "))
    );
}

#[test]
fn newline_modes() {
    let file = Temporary::new("newline", b"a\r\nb\rc\n");
    let open = |newline| {
        let options = OpenOptions {
            newline,
            ..OpenOptions::default()
        };
        file.open(Mode::Read, options)
    };
    assert_eq!(all(&mut open(Newline::Posix)), "a\r\nb\rc\n");
    let mut s = open(Newline::Dos);
    assert_eq!(s.peek_string(3).unwrap(), "a\nb");
    assert_eq!(all(&mut s), "a\nbc\n");
    assert_eq!((s.position().char_count, s.position().byte_count), (5, 7));
    let mut s = open(Newline::Detect);
    assert_eq!(all(&mut s), "a\nbc\n");
    assert_eq!(s.newline(), Newline::Dos);
    let mut s = Stream::to_buffer();
    s.set_newline(Newline::Dos);
    s.put_str("a\nb").unwrap();
    let p = s.position();
    assert_eq!((p.char_count, p.line, p.column, p.byte_count), (4, 2, 1, 4));
    assert_eq!(s.take_buffer(), "a\r\nb");
}

#[test]
fn lines() {
    let file = Temporary::new("lines", "one\n\ntw\u{e9}\u{65e5}o\nlast".as_bytes());
    let mut s = file.open(Mode::Read, OpenOptions::default());
    let lines: Vec<String> = std::iter::from_fn(|| s.read_line().unwrap()).collect();
    assert_eq!(lines, ["one", "", "twé日o", "last"]);
    assert_eq!((s.line(), s.line_position()), (4, 4));
}

/// In a file of several buffers, near and far: what is read is what is there.
#[test]
fn repositioning_within_what_was_read_and_beyond() {
    const SIZE: u64 = 100_000;
    let bytes: Vec<u8> = (0..SIZE).map(|i| (i * i % 251) as u8).collect();
    let file = Temporary::new("places", &bytes);
    let options = OpenOptions {
        stream_type: StreamType::Binary,
        ..OpenOptions::default()
    };
    let mut s = file.open(Mode::Read, options);
    let mut at = 1u64;
    for i in 0..2_000u64 {
        at = (at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)) >> 1;
        let here = s.position().byte_count;
        // (Mostly not far.)
        let place = match i % 4 {
            0 => at % (SIZE + 1),
            _ => (here + at % 3_000).saturating_sub(1_500).min(SIZE),
        };
        assert_eq!(s.seek(Whence::Start, place as i64).unwrap(), place);
        for place in place..(place + at % 40).min(SIZE) {
            assert_eq!(s.get_byte().unwrap(), Some(bytes[place as usize]));
        }
    }
    assert_eq!(s.seek(Whence::End, 0).unwrap(), SIZE);
    assert_eq!(s.get_byte().unwrap(), None);
    s.seek(Whence::Start, 7).unwrap();
    assert_eq!(s.get_byte().unwrap(), Some(bytes[7]));
}

#[test]
fn repositioning() {
    let file = Temporary::new("seek", "aé\nbc日d".as_bytes());
    let mut s = file.open(Mode::Read, OpenOptions::default());
    s.read_line().unwrap();
    let second = s.position();
    assert_eq!(all(&mut s), "bc日d");
    s.set_position(second).unwrap();
    assert_eq!(s.position(), second);
    assert_eq!(all(&mut s), "bc日d");
    assert_eq!(s.seek(Whence::End, -1).unwrap(), 9);
    assert_eq!(all(&mut s), "d");
    assert_eq!(s.seek(Whence::Start, 1).unwrap(), 1);
    assert_eq!(s.get_char().unwrap(), Some('é'));
    assert_eq!(s.seek(Whence::Current, 1).unwrap(), 4);
    assert_eq!(s.get_char().unwrap(), Some('b'));
    assert!(matches!(
        s.seek(Whence::Start, -1),
        Err(StreamError::Io { .. })
    ));
    let mut s = file.open(Mode::Update, OpenOptions::default());
    s.put_str("XYZ").unwrap();
    s.seek(Whence::Start, 1).unwrap();
    s.put_str("y").unwrap();
    s.close().unwrap();
    assert_eq!(file.bytes(), "XyZ\nbc日d".as_bytes());
    let mut s = Stream::from_string("abc");
    all(&mut s);
    s.seek(Whence::Start, 2).unwrap();
    assert_eq!(all(&mut s), "c");
    let mut s = Stream::to_buffer();
    assert!(matches!(
        s.seek(Whence::Start, 0),
        Err(StreamError::CannotReposition)
    ));
}

#[test]
fn directions_types_and_closed_streams() {
    let mut input = Stream::from_string("x");
    let mut output = Stream::to_buffer();
    let permission = |e: StreamError, action, kind| {
        assert_eq!(
            e.formal(),
            Formal::Permission(action, kind, Culprit::Stream)
        );
    };
    permission(input.put_char('a').unwrap_err(), "output", "stream");
    permission(output.get_char().unwrap_err(), "input", "stream");
    permission(output.peek_byte().unwrap_err(), "input", "stream");
    let check = |s: &Stream, input, data, how| s.check(input, data, how);
    use {StreamType::Binary, StreamType::Text};
    permission(
        check(&input, true, Binary, TypeCheck::Loose).unwrap_err(),
        "input",
        "text_stream",
    );
    permission(
        check(&output, false, Binary, TypeCheck::True).unwrap_err(),
        "output",
        "text_stream",
    );
    input.set_encoding(Encoding::Latin1);
    check(&input, true, Binary, TypeCheck::Loose).unwrap();
    input.set_stream_type(Binary);
    check(&input, true, Text, TypeCheck::Loose).unwrap();
    permission(
        check(&input, true, Text, TypeCheck::True).unwrap_err(),
        "input",
        "binary_stream",
    );
    input.close().unwrap();
    input.close().unwrap();
    let formal = Formal::Existence("stream", Culprit::Stream);
    assert_eq!(input.get_char().unwrap_err().formal(), formal);
    assert_eq!(input.flush().unwrap_err().formal(), formal);
}

#[test]
fn files_that_cannot_be_opened() {
    let open = |path: &str, mode| {
        let e = Stream::open_file(path, mode, &OpenOptions::default()).unwrap_err();
        (format!("{:?}", e.formal()), e.message().unwrap())
    };
    let (formal, message) = open("/does/not/exist", Mode::Read);
    assert_eq!(
        formal,
        r#"Existence("source_sink", Path("/does/not/exist"))"#
    );
    assert_eq!(message, "No such file or directory");
    for mode in [Mode::Read, Mode::Write, Mode::Append, Mode::Update] {
        let (formal, _) = open("/", mode);
        assert_eq!(formal, r#"Permission("open", "source_sink", Path("/"))"#);
    }
    let (formal, _) = open("nul\0inside", Mode::Read);
    assert_eq!(formal, r#"FileName(Path("nul\0inside"))"#);
    let options = OpenOptions {
        reposition: Some(true),
        ..OpenOptions::default()
    };
    let e = Stream::open_file("/dev/null", Mode::Read, &options).unwrap_err();
    let formal = Formal::Permission("open", "source_sink", Culprit::Reposition);
    assert_eq!(e.formal(), formal);
}

#[test]
fn buffering() {
    let r = Recorder::default();
    let mut s = r.stream(Buffering::Full);
    s.put_str("a\nb").unwrap();
    assert_eq!(r.text(), "");
    s.set_buffering(Buffering::Line);
    s.put_char('c').unwrap();
    assert_eq!(r.text(), "");
    s.put_str("d\ne").unwrap();
    assert_eq!(r.text(), "a\nbcd\ne");
    s.set_buffering(Buffering::None);
    s.put_char('f').unwrap();
    assert_eq!(r.text(), "a\nbcd\nef");
    s.set_buffering(Buffering::Full);
    s.put_str("gh").unwrap();
    drop(s);
    assert_eq!(r.text(), "a\nbcd\nefgh");
}

#[test]
fn a_broken_pipe_is_reported_once() {
    let r = Recorder::default();
    r.fail(Some(io::ErrorKind::BrokenPipe));
    let mut s = r.stream(Buffering::Full);
    s.put_str("lost").unwrap();
    assert!(s.flush().unwrap_err().is_broken_pipe());
    s.flush().unwrap();
    s.close().unwrap();
    let mut s = r.stream(Buffering::Full);
    s.put_str("lost").unwrap();
    assert_eq!(s.close().unwrap_err().formal(), Formal::Io("write"));
    assert!(s.is_closed());
}

#[test]
fn terms_are_read_from_streams() {
    let file = Temporary::new("terms", "a(X, 'é').\nb :- c.\n".as_bytes());
    let mut s = file.open(Mode::Read, OpenOptions::default());
    let ops = Operators::iso_swi();
    let read = |s: &mut Stream| read_term(s, &ops, &ReadFlags::default()).unwrap();
    assert_eq!(read(&mut s).start.line, 1);
    let second = read(&mut s);
    assert_eq!((second.start.line, second.start.byte_count), (2, 12));
    assert!(read(&mut s).is_eof);
    let mut out = Stream::to_buffer();
    assert!(read_term(&mut out, &ops, &ReadFlags::default()).is_err());
    assert!(matches!(out.take_error(), Some(StreamError::NotInput)));
}

fn table() -> (StreamTable, Recorder) {
    let r = Recorder::default();
    let out = r.stream(Buffering::Full);
    let input = Stream::from_reader(Box::new(Pieces(vec![b"x\n"])), &OpenOptions::default());
    (
        StreamTable::with_streams(input, out, Stream::to_buffer()),
        r,
    )
}

#[test]
fn reading_delivers_pending_output_first() {
    for tty in [true, false] {
        let (t, r) = table();
        let input = t.get(StreamId::STDIN).unwrap();
        let output = t.get(StreamId::STDOUT).unwrap();
        input.lock().set_tty(tty);
        output.lock().set_tty(tty);
        output.lock().put_str("name? ").unwrap();
        assert_eq!(input.lock().get_char().unwrap(), Some('x'));
        assert_eq!(r.text(), "name? ");
        assert_eq!(output.lock().line_position(), if tty { 0 } else { 6 });
    }
}

#[test]
fn the_table_knows_streams_by_id_and_alias() {
    let (t, r) = table();
    let log = Temporary::new("log", b"");
    let id = t
        .open(log.path(), Mode::Write, &OpenOptions::default())
        .unwrap();
    assert_eq!(StreamId::of_term(id.term()), Some(id));
    assert_eq!(StreamId::of_term(Cell::atom(atoms::USER_INPUT)), None);
    assert!(t.is_open(id));
    assert!(t.set_alias(id, Atom::new("log")) && t.set_alias(id, Atom::new("book")));
    assert_eq!(t.aliases(id), [Atom::new("book"), Atom::new("log")]);
    assert_eq!(
        t.ids(),
        [StreamId::STDIN, StreamId::STDOUT, StreamId::STDERR, id]
    );
    let shared = t.get(id).unwrap();
    shared.lock().put_str("text").unwrap();
    t.close(id, &mut shared.lock()).unwrap();
    assert_eq!(log.bytes(), b"text");
    assert!(shared.lock().is_closed());
    assert!(t.get(id).is_none());
    assert_ne!(t.add(Stream::from_string("next")), id);
    assert_eq!((t.is_open(id), t.by_alias(Atom::new("log"))), (false, None));
    assert!(!t.set_alias(id, Atom::new("log")));
    t.get(StreamId::STDOUT)
        .unwrap()
        .lock()
        .put_str("bye")
        .unwrap();
    let stdout = t.get(StreamId::STDOUT).unwrap();
    t.close(StreamId::STDOUT, &mut stdout.lock()).unwrap();
    assert_eq!(r.text(), "bye");
    assert!(t.get(StreamId::STDOUT).is_some());
}

#[test]
fn flush_all_skips_streams_in_use_and_broken_ones() {
    let (t, r) = table();
    let busy = t.add(Stream::to_buffer());
    let broken = Recorder::default();
    broken.fail(Some(io::ErrorKind::BrokenPipe));
    let id = t.add(broken.stream(Buffering::Full));
    t.get(id).unwrap().lock().put_str("lost").unwrap();
    t.get(StreamId::STDOUT)
        .unwrap()
        .lock()
        .put_str("kept")
        .unwrap();
    let busy = t.get(busy).unwrap();
    let guard = busy.lock();
    let _ = t.flush_all();
    drop(guard);
    assert_eq!(r.text(), "kept");
}

#[test]
fn an_interrupted_read_goes_on_or_gives_up() {
    struct Interrupted(u32);
    impl Read for Interrupted {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            if self.0 < 4 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            buf[0] = b'x';
            Ok(1)
        }
    }
    let mut s = Stream::from_reader(Box::new(Interrupted(0)), &OpenOptions::default());
    let signals = Arc::new(std::sync::atomic::AtomicU32::new(0));
    let seen = signals.clone();
    // Relaxed: one thread.
    let hook = move || seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 1;
    s.set_interrupt_hook(Some(Arc::new(hook)));
    assert!(matches!(s.get_char(), Err(StreamError::Interrupted)));
    assert_eq!(s.get_char().unwrap(), Some('x'));
}

#[test]
fn many_threads_share_a_stream() {
    let (t, r) = table();
    std::thread::scope(|scope| {
        for n in 0..8 {
            let t = &t;
            scope.spawn(move || {
                let out = t.get(StreamId::STDOUT).unwrap();
                for i in 0..200 {
                    out.lock().put_str(&format!("{n} {i}\n")).unwrap();
                    let id = t.add(Stream::from_string("x"));
                    t.set_alias(id, Atom::new("shared alias"));
                    let stream = t.get(id).unwrap();
                    t.close(id, &mut stream.lock()).unwrap();
                }
            });
        }
    });
    let _ = t.flush_all();
    assert_eq!(r.text().lines().count(), 1600);
    assert_eq!(t.ids().len(), 3);
}

proptest::proptest! {
    /// Whatever the bytes, reading ends, peeking agrees with getting, and all bytes are counted.
    #[test]
    fn any_bytes_can_be_read(
        bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..64),
        which in 0usize..6,
        newline in 0usize..3,
    ) {
        let e = [Encoding::Octet, Encoding::Ascii, Encoding::Latin1, Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be][which];
        let newline = [Newline::Posix, Newline::Dos, Newline::Detect][newline];
        let options = OpenOptions { newline, ..encoding(e) };
        let mut s = Stream::from_bytes(bytes.clone(), &options);
        let mut text = String::new();
        loop {
            let ahead = s.peek_char().unwrap();
            let c = s.get_char().unwrap();
            proptest::prop_assert_eq!(ahead, c);
            let Some(c) = c else { break };
            text.push(c);
        }
        proptest::prop_assert_eq!(s.position().byte_count, bytes.len() as u64);
        let mut again = String::new();
        Stream::from_bytes(bytes.clone(), &options).read_to_end(&mut again).unwrap();
        proptest::prop_assert_eq!(&text, &again);
        proptest::prop_assert_eq!(text, Stream::from_bytes(bytes, &options).peek_string(1000).unwrap());
    }
}
