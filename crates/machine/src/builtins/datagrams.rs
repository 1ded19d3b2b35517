//! Datagrams: what `udp_send/4` and `udp_receive/4` of `library(socket)` stand on.
//!
//! The calls of the system never wait. Who waits, for a datagram or for room, waits for the socket's descriptor and for events, as in
//! [`super::sockets`]; the builtin is called again then, and has done nothing before. A datagram that has been taken is gone, whatever becomes of it here.

use super::sockets::{address, ip_term, socket};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_sched::readiness::Ready;
use samite_stream::Encoding;
use samite_term::{Cell, View, growth};
use samite_world::sockets::{Address, Family};
use std::io::ErrorKind;
use std::net::Ipv4Addr;
use std::os::fd::AsFd;

pub const TABLE: &[Entry] = &[
    // '$udp_as'(+Options, -As): atom, codes, string or term.
    det("$udp_as", 2, |m, a| {
        let wanted = wanted(m, a, 0)?;
        Ok(m.unify_atom(a, 1, samite_term::Atom::new(wanted.kind)))
    }),
    det("$udp_send", 4, send),
    det("$udp_receive", 4, receive),
];

/// What the options of both predicates say.
struct Wanted {
    kind: &'static str,
    encoding: Encoding,
    room: usize,
}

/// Bytes of a message, if nobody says anything, and at most.
const ROOM: usize = 4096;
const MOST: usize = 65_535;

fn wanted(m: &mut Ctx, a: Args, i: usize) -> Result<Wanted, Throw> {
    let mut wanted = Wanted {
        kind: "string",
        encoding: Encoding::Latin1,
        room: ROOM,
    };
    let kinds = ["atom", "codes", "string", "term"];
    let kind_of = |name: &str| kinds.into_iter().find(|kind| *kind == name);
    for o in m.options(m.arg(a, i), "udp_option")? {
        match o.name.as_str() {
            "as" => wanted.kind = m.option_named(&o, "as", kind_of)?,
            "encoding" => {
                wanted.encoding = m.option_named(&o, "encoding", Encoding::from_name)?;
            }
            "max_message_size" => {
                let c = o.value.deref();
                wanted.room = match m.term(c).view() {
                    View::Int(n) => match usize::try_from(n) {
                        Ok(n) if n <= MOST => n,
                        _ => return Err(m.domain_error("0 - 65535", c)),
                    },
                    _ if c.is_ref() => return Err(m.instantiation_error()),
                    _ => return Err(m.type_error("integer", c)),
                };
            }
            _ => {}
        }
    }
    Ok(wanted)
}

/// `'$udp_send'(+Socket, +Text, +To, +Options)`
fn send(m: &mut Ctx, a: Args) -> Res {
    let (_, socket) = socket(m, a)?;
    let wanted = wanted(m, a, 3)?;
    let data = m.arg(a, 1);
    if data.is_ref() {
        return Err(m.instantiation_error());
    }
    let text = match m.term(data).number() {
        Some(_) => super::text::number_text(m, data)?,
        None => m.text_arg(data)?,
    };
    let Some(bytes) = wanted.encoding.bytes_of(&text) else {
        let what = Cell::atom(samite_term::Atom::new("encoding"));
        let formal = m.structure("representation_error", &[what])?;
        let name = match wanted.encoding {
            Encoding::Octet => Encoding::Latin1.name(),
            other => other.name(),
        };
        let message = format!("cannot represent text using encoding {name}");
        return Err(m.error_with_text(formal, &message));
    };
    let c = m.arg(a, 2);
    let (to, open) = address(m, Family::Internet, c, Ipv4Addr::UNSPECIFIED)?;
    let (Address::Internet(to), None) = (to, open) else {
        return Err(m.instantiation_error());
    };
    loop {
        match socket.send_to(&bytes, to) {
            Ok(()) => return Ok(true),
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                let waited = m.until_descriptor(socket.as_fd(), Ready::Write);
                waited.map_err(|_| Throw::Interrupted)?;
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(m.socket_error(&e)),
        }
    }
}

/// `'$udp_receive'(+Socket, -Data, -From, +Options)`: of a term the text.
fn receive(m: &mut Ctx, a: Args) -> Res {
    let (_, mut from) = socket(m, a)?;
    let wanted = wanted(m, a, 3)?;
    let mut room: Vec<u8> = growth::with_room(wanted.room)?;
    room.resize(wanted.room, 0);
    let (n, sender) = loop {
        match from.receive(&mut room) {
            Ok((n, Some(sender))) => break (n, sender),
            Ok((_, None)) => {
                let c = m.arg(a, 0);
                return Err(m.existence_error("socket", c));
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                let waited = m.until_descriptor(from.as_fd(), Ready::Read);
                waited.map_err(|_| Throw::Interrupted)?;
                // One that is being closed is ready, and has nothing: it is there no more, or will not be.
                (_, from) = socket(m, a)?;
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(m.socket_error(&e)),
        }
    };
    let text = wanted.encoding.text_of(&room[..n]);
    let data = match wanted.kind {
        "atom" => m.text_atom(&text)?,
        "codes" => m.text_list(&text, false, Cell::NIL)?,
        _ => m.heap.string(&text)?,
    };
    if !m.unify_arg(a, 1, data) {
        return Ok(false);
    }
    let ip = ip_term(m, *sender.ip())?;
    let sender = m.structure(":", &[ip, Cell::small(sender.port().into())])?;
    Ok(m.unify_arg(a, 2, sender))
}
