//! Sockets where other processes are at the other end. What else there is of them: `tests/prolog/sockets.pl`.

mod common;

use common::samite;
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

/// The example serves that many clients, all of which are connected before the first of them says anything, and says so at the end.
#[test]
fn two_hundred_clients_are_echoed() {
    const CLIENTS: usize = 200;
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/echo_server.pl");
    let child = samite()
        .arg(example)
        .arg(format!("--connections={CLIENTS}"))
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
    let connect = |_| TcpStream::connect(address).expect("it listens");
    let clients: Vec<TcpStream> = (0..CLIENTS).map(connect).collect();
    let mut clients: Vec<_> = clients.into_iter().map(BufReader::new).collect();
    for round in 0..3 {
        for (i, client) in clients.iter_mut().enumerate() {
            let text = format!("line {round} of client {i}\n");
            client.get_mut().write_all(text.as_bytes()).expect("sent");
        }
        for (i, client) in clients.iter_mut().enumerate() {
            let mut answer = String::new();
            client.read_line(&mut answer).expect("an answer");
            assert_eq!(answer, format!("line {round} of client {i}\n"));
        }
    }
    drop(clients);
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("it ends");
    assert_eq!(rest, format!("{} lines\n", 3 * CLIENTS));
    assert!(server.0.wait().expect("it ends").success());
}
