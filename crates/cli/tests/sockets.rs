//! Sockets where other processes are at the other end. What else there is of them: `tests/prolog/sockets.pl`.

mod common;

use common::samite;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// Ends with the test, also if that fails.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Descriptors that the test may have, as many as the system allows it.
fn descriptors() -> usize {
    let limits = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limits.maximum,
        ..limits
    };
    let raised = setrlimit(Resource::Nofile, most);
    let limits = if raised.is_ok() { most } else { limits };
    limits.current.map_or(usize::MAX, |n| n as usize)
}

/// OS threads of a process.
fn os_threads(child: &Child) -> usize {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", child.id()));
    tasks.expect("it runs").count()
}

/// The example serves ten thousand clients, all of which are connected before the first of them says anything, and says so at the end. Each has a thread
/// there, and the process a few.
#[test]
fn ten_thousand_clients_are_echoed() {
    let clients = descriptors().saturating_sub(100).min(10_000);
    assert!(clients >= 500, "too few descriptors: {clients}");
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/echo_server.pl");
    let child = samite()
        .arg(example)
        .arg(format!("--connections={clients}"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("samite starts");
    let mut server = Server(child);
    let mut output = BufReader::new(server.0.stdout.take().expect("piped"));
    let mut line = String::new();
    output
        .read_line(&mut line)
        .expect("it says where it listens");
    let address = line.trim().strip_prefix("listening on ").expect(&line);
    let connect = |_| BufReader::new(TcpStream::connect(address).expect("it listens"));
    let mut connected: Vec<BufReader<TcpStream>> = (0..clients).map(connect).collect();
    let mut lines = 0;
    for (round, speakers) in [clients, 500, 500].into_iter().enumerate() {
        lines += speakers;
        for (i, client) in connected.iter_mut().take(speakers).enumerate() {
            let text = format!("line {round} of client {i}\n");
            client.get_mut().write_all(text.as_bytes()).expect("sent");
        }
        for (i, client) in connected.iter_mut().take(speakers).enumerate() {
            let mut answer = String::new();
            client.read_line(&mut answer).expect("an answer");
            assert_eq!(answer, format!("line {round} of client {i}\n"));
        }
    }
    let threads = os_threads(&server.0);
    assert!(threads < 50, "{threads} threads of the system");
    drop(connected);
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("it ends");
    assert_eq!(rest, format!("{lines} lines\n"));
    assert!(server.0.wait().expect("it ends").success());
}
