//! A session of the command at a pseudo-terminal, whose screen is that of an emulated terminal.

#![allow(dead_code)]

use crate::common::{LIMIT, root};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// What has come out so far.
struct Seen {
    bytes: Vec<u8>,
    screen: vt100::Parser,
    ended: bool,
}

/// See the module text.
pub struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    seen: Arc<(Mutex<Seen>, Condvar)>,
    marks: u32,
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        ..PtySize::default()
    }
}

/// Output without what tells the terminal to mark what is pasted.
fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.replace("\x1b[?2004h", "").replace("\x1b[?2004l", "")
}

fn at_least_one(n: u16) -> NonZero<u16> {
    NonZero::new(n).unwrap_or(NonZero::<u16>::MIN)
}

impl Session {
    /// Starts the command with its home in this directory, and waits for its prompt.
    pub fn start(home: &str, words: &[&str]) -> Session {
        Session::start_on("xterm", home, words)
    }

    /// On a terminal of this name.
    pub fn start_on(terminal: &str, home: &str, words: &[&str]) -> Session {
        let pair = native_pty_system()
            .openpty(size(80, 24))
            .expect("there are terminals");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_samite"));
        command.args(words);
        command.cwd(root());
        command.env("HOME", home);
        command.env_remove("XDG_CONFIG_HOME");
        command.env("TERM", terminal);
        command.env("LC_ALL", "C.UTF-8");
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the command starts");
        drop(pair.slave);
        let mut output = pair
            .master
            .try_clone_reader()
            .expect("the terminal can be read");
        let keys = pair
            .master
            .take_writer()
            .expect("the terminal can be written");
        let seen = Seen {
            bytes: Vec::new(),
            screen: vt100::Parser::new(at_least_one(24), at_least_one(80), 0),
            ended: false,
        };
        let seen = Arc::new((Mutex::new(seen), Condvar::new()));
        let to = seen.clone();
        std::thread::spawn(move || {
            let mut room = [0; 4096];
            loop {
                let n = output.read(&mut room).unwrap_or(0);
                let mut seen = to.0.lock().unwrap_or_else(PoisonError::into_inner);
                seen.bytes.extend_from_slice(&room[..n]);
                seen.screen.process(&room[..n]);
                seen.ended = n == 0;
                to.1.notify_all();
                if n == 0 {
                    return;
                }
            }
        });
        let session = Session {
            child,
            master: pair.master,
            keys,
            seen,
            marks: 0,
        };
        session.wait("the prompt", |_, screen| screen.contains("?- "));
        session
    }

    /// Types these keys.
    pub fn keys(&mut self, keys: &str) {
        self.bytes(keys.as_bytes());
    }

    /// Sends what need not be text.
    pub fn bytes(&mut self, bytes: &[u8]) {
        // The command may have ended.
        let _ = self.keys.write_all(bytes);
    }

    /// Types a line.
    pub fn enter(&mut self, line: &str) {
        self.keys(line);
        self.keys("\r");
    }

    /// Waits for what is to be seen in all of the output or on the screen.
    #[track_caller]
    pub fn wait(&self, what: &str, test: impl Fn(&str, &str) -> bool) {
        let start = Instant::now();
        let mut seen = self.seen.0.lock().unwrap();
        loop {
            let text = plain(&seen.bytes);
            let screen = seen.screen.screen().contents();
            if test(&text, &screen) {
                return;
            }
            let left = LIMIT.saturating_sub(start.elapsed());
            assert!(
                !seen.ended && !left.is_zero(),
                "never seen: {what}\n--- the screen ---\n{screen}\n--- all ---\n{text:?}"
            );
            seen = self.seen.1.wait_timeout(seen, left).unwrap().0;
        }
    }

    /// Waits for a text in the output.
    #[track_caller]
    pub fn expect(&self, text: &str) {
        self.wait(text, |all, _| all.contains(text));
    }

    /// Waits for rows of the screen that follow one another.
    #[track_caller]
    pub fn expect_rows(&self, rows: &[&str]) {
        let wanted = rows.join("\n");
        self.wait(&wanted, |_, screen| screen.contains(&wanted));
    }

    /// Runs a query that prints what was not typed, and waits for that: all input before it has been dealt with.
    #[track_caller]
    pub fn sync(&mut self) {
        self.marks += 1;
        let n = self.marks;
        self.enter(&format!("X_ is 1000+{n}, write(mark(X_)), nl, fail."));
        self.expect(&format!("mark({})", 1000 + n));
    }

    /// All of the output so far.
    pub fn output(&self) -> String {
        plain(&self.seen.0.lock().unwrap().bytes)
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        let _ = self.master.resize(size(columns, rows));
        let mut seen = self.seen.0.lock().unwrap();
        let screen = seen.screen.screen_mut();
        screen.set_size(at_least_one(rows), at_least_one(columns));
    }

    /// Sends a signal to the command.
    pub fn signal(&self, signal: i32) {
        let id = self.child.process_id().expect("the child has a number") as i32;
        // SAFETY: the child is ours and has not been waited for.
        unsafe { libc::kill(id, signal) };
    }

    /// Whether the terminal delivers lines and echoes them, as it did before.
    pub fn is_as_before(&self) -> bool {
        let fd = self.master.as_raw_fd().expect("the terminal is a file");
        // SAFETY: the settings are plain numbers; the call fills them in.
        unsafe {
            let mut settings: libc::termios = std::mem::zeroed();
            assert_eq!(libc::tcgetattr(fd, &mut settings), 0);
            let wanted = libc::ICANON | libc::ECHO | libc::ISIG;
            settings.c_lflag & wanted == wanted
        }
    }

    /// Whether the command has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("the child is ours").is_some()
    }

    /// Waits for the end of the command; its exit status.
    #[track_caller]
    pub fn end(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the child is ours") {
                return status.exit_code();
            }
            let output = self.output();
            assert!(
                start.elapsed() < LIMIT,
                "the command does not end: {output:?}"
            );
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    /// Ends the command by `halt/0`.
    #[track_caller]
    pub fn halt(mut self) {
        self.enter("halt.");
        assert_eq!(self.end(), 0, "{:?}", self.output());
        assert!(self.is_as_before());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// That these are in the text, in this order.
#[track_caller]
pub fn in_order(text: &str, parts: impl IntoIterator<Item = String>) {
    let mut rest = text;
    for part in parts {
        match rest.find(&part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => panic!("{part:?} is missing, or in the wrong place: {text:?}"),
        }
    }
}
