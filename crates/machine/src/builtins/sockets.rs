//! Sockets: what `library(socket)` stands on.
//!
//! Who waits for a connection, in accepting or connecting, waits for its descriptor and for events ([`crate::engine::blocked`]); a builtin that is called
//! again accepts what has come meanwhile, and goes on with the connection that it has begun. Reading and writing is that of streams.
//! A name is looked up by the C library, on a thread of its own: it cannot be interrupted in that.

use super::args::atom;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::sockets::BYTES;
use samite_sched::readiness::Ready;
use samite_stream::{Stream, StreamId};
use samite_term::{Atom, Cell, Handle, HandleKind, View, atoms};
use samite_world::sockets::{self, Address, Family, NameError, Setting, Socket};
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::Arc;

pub const TABLE: &[Entry] = &[
    // '$socket'(-Socket, +Kind): inet, unix or datagrams.
    det("$socket", 2, |m, a| {
        let kind = m.atom_argument(a, 1)?;
        let c = m.arg(a, 0);
        if !c.is_ref() {
            return Err(m.uninstantiation_error(c, "1-st argument"));
        }
        m.room(BYTES)?;
        let socket = match kind.as_str() {
            "unix" => Socket::new(Family::Local),
            "datagrams" => Socket::of_datagrams(),
            _ => Socket::new(Family::Internet),
        };
        let socket = socket.map_err(|e| m.socket_error(&e))?;
        let term = handle(m, socket)?;
        Ok(m.unify_arg(a, 0, term))
    }),
    det("$socket_close", 1, close),
    det("$socket_bind", 2, bind),
    det("$socket_listen", 2, |m, a| {
        let (_, socket) = socket(m, a)?;
        let backlog = m.int_arg(a, 1)?;
        let backlog = i32::try_from(backlog).unwrap_or(i32::MAX);
        done(m, socket.listen(backlog))
    }),
    det("$socket_accept", 3, accept),
    det("$socket_connect", 2, connect),
    det("$socket_streams", 3, streams),
    det("$socket_set", 2, set),
    det("$socket_get", 2, |m, a| {
        let (_, socket) = socket(m, a)?;
        let option = m.arg(a, 1);
        let value = match m.term(option).view() {
            View::Compound(c) if c.arity() == 1 && c.name().as_str() == "file_no" => {
                c.arg(0).cell()
            }
            _ => return Err(m.domain_error("socket_option", option)),
        };
        let number = Cell::small(socket.as_fd().as_raw_fd().into());
        Ok(m.unify(value, number))
    }),
    // '$host_address'(+Name, -Ip)
    det("$host_address", 2, |m, a| {
        let name = m.atom_argument(a, 0)?;
        let ip = resolve(m, name)?;
        let ip = ip_term(m, ip)?;
        Ok(m.unify_arg(a, 1, ip))
    }),
    // '$address_host'(+Ip, -Name)
    det("$address_host", 2, |m, a| {
        let ip = ip_of(m, m.arg(a, 0))?;
        let found = m.apart(move |_| Some(sockets::host_at(ip)));
        match found.map_err(|_| Throw::Interrupted)? {
            Some(name) => Ok(m.unify_atom(a, 1, m.atom_of_text(&name)?)),
            None => Err(m.socket_error_of("host_not_found", "Unknown host")),
        }
    }),
    // '$host_name'(-Name)
    det("$host_name", 1, |m, a| {
        let found = m.apart(|_| {
            let name = sockets::host_name();
            Some(sockets::canonical_name(&name).unwrap_or(name))
        });
        let name = found.map_err(|_| Throw::Interrupted)?;
        Ok(m.unify_atom(a, 0, m.atom_of_text(&name)?))
    }),
];

fn name_error(m: &mut Ctx, e: &NameError) -> Throw {
    m.socket_error_of(e.code, &e.message)
}

fn done(m: &mut Ctx, result: io::Result<()>) -> Res {
    match result {
        Ok(()) => Ok(true),
        Err(e) => Err(m.socket_error(&e)),
    }
}

/// The handle of a new socket.
fn handle(m: &mut Ctx, socket: Socket) -> Result<Cell, Throw> {
    m.part_with_others();
    let handle = m.program.registry.handle_for_other(HandleKind::Socket);
    let handle = handle.map_err(|_| Throw::Memory)?;
    m.program.sockets.add(handle.number(), socket);
    let term = Cell::of_handle(handle);
    m.heap.meet_new(term);
    Ok(term)
}

/// The socket of the first argument and its number, if that is its own handle and not that of a stream on it.
pub(super) fn socket(m: &mut Ctx, a: Args) -> Result<(Option<u64>, Arc<Socket>), Throw> {
    let c = m.arg(a, 0);
    if c.is_ref() {
        return Err(m.instantiation_error());
    }
    if let Some(h) = c.handle()
        && h.kind() == HandleKind::Socket
    {
        return match m.program.sockets.get(h.number()) {
            Some(socket) => Ok((Some(h.number()), socket)),
            None => Err(m.existence_error("socket", c)),
        };
    }
    if m.find_stream(c).is_some() {
        let t = m.any_target(a, 0)?;
        if let Some(socket) = m.on(&t, |s| Ok(s.socket().cloned()))? {
            return Ok((None, socket));
        }
    }
    Err(m.type_error("socket", c))
}

/// Closes a socket, with the streams that were opened on it. Whoever waits for it hears of that.
fn close(m: &mut Ctx, a: Args) -> Res {
    let (number, found) = socket(m, a)?;
    let c = m.arg(a, 0);
    let Some(number) = number else {
        // It is closed with its stream.
        found.shut_down();
        let id = m.stream_of(c)?;
        return m.close_stream(id, c, true);
    };
    let streams = m.program.sockets.streams(number).unwrap_or_default();
    if streams.is_empty() && Arc::strong_count(&found) > 2 {
        // Whoever waits for it has it, too, unless it does so away; and so has the table.
        found.shut_down();
    }
    for id in streams {
        // (It is called again if an event comes while one is waited for.)
        if m.program.streams.is_open(id) {
            m.close_stream(id, id.term(), true)?;
        }
    }
    m.program.sockets.remove(number);
    // Who waits away for it looks again, and does not find it.
    m.program.registry.poller.forget(found.as_fd());
    let handle = Handle::new(HandleKind::Socket, number);
    m.program.registry.forget_other(handle);
    Ok(true)
}

// --- addresses ---

pub(super) fn ip_term(m: &mut Ctx, ip: Ipv4Addr) -> Result<Cell, Throw> {
    m.structure("ip", &ip.octets().map(|n| Cell::small(n.into())))
}

/// The address that `ip(A, B, C, D)` says.
pub(super) fn ip_of(m: &mut Ctx, c: Cell) -> Result<Ipv4Addr, Throw> {
    if c.is_ref() {
        return Err(m.instantiation_error());
    }
    let View::Compound(ip) = m.term(c).view() else {
        return Err(m.type_error("atom|ip/4", c));
    };
    if ip.arity() != 4 || ip.name().as_str() != "ip" {
        return Err(m.type_error("atom|ip/4", c));
    }
    let mut octets = [0; 4];
    for (i, octet) in octets.iter_mut().enumerate() {
        match ip.arg(i).view() {
            View::Int(n) if (0..=255).contains(&n) => *octet = n as u8,
            _ => return Err(m.type_error("atom|ip/4", c)),
        }
    }
    Ok(octets.into())
}

/// The address of a host by its name.
fn resolve(m: &mut Ctx, name: Atom) -> Result<Ipv4Addr, Throw> {
    if let Ok(ip) = name.as_str().parse() {
        return Ok(ip);
    }
    let name = name.as_str().to_owned();
    let found = m.apart(move |_| Some(sockets::address_of(&name)));
    (found.map_err(|_| Throw::Interrupted)?).map_err(|e| name_error(m, &e))
}

fn host(m: &mut Ctx, c: Cell) -> Result<Ipv4Addr, Throw> {
    match c.is_atom() {
        true => resolve(m, c.atom_of()),
        false => ip_of(m, c),
    }
}

/// The port that a term says; `None` if it is unbound.
fn port(m: &mut Ctx, c: Cell) -> Result<Option<u16>, Throw> {
    if c.is_ref() {
        return Ok(None);
    }
    if c.is_atom() {
        let name = c.atom_of().as_str().to_owned();
        let found = m.apart(move |_| Some(sockets::port_of(&name)));
        return match found.map_err(|_| Throw::Interrupted)? {
            Some(port) => Ok(Some(port)),
            None => Err(m.existence_error("service", c)),
        };
    }
    match m.term(c).view() {
        View::Int(n) => match u16::try_from(n) {
            Ok(n) => Ok(Some(n)),
            Err(_) => Err(m.domain_error("port", c)),
        },
        _ => Err(m.type_error("port", c)),
    }
}

/// What an address says for a socket, and its port if that is still to be chosen. Without a host it is `any`.
pub(super) fn address(
    m: &mut Ctx,
    family: Family,
    c: Cell,
    any: Ipv4Addr,
) -> Result<(Address, Option<Cell>), Throw> {
    if family == Family::Local {
        if c.is_ref() {
            return Err(m.instantiation_error());
        }
        return Ok((Address::Local(m.text_arg(c)?), None));
    }
    let parts = match m.term(c).view() {
        View::Compound(p) if p.arity() == 2 && p.name().as_str() == ":" => {
            let part = |i: usize| p.arg(i).cell();
            Some((m.deref(part(0)), m.deref(part(1))))
        }
        _ => None,
    };
    let (ip, of) = match parts {
        Some((h, p)) => (host(m, h)?, p),
        None => (any, c),
    };
    let number = port(m, of)?;
    let open = number.is_none().then_some(of);
    let address = SocketAddrV4::new(ip, number.unwrap_or(0));
    Ok((Address::Internet(address), open))
}

/// `'$socket_bind'(+Socket, ?Address)`
fn bind(m: &mut Ctx, a: Args) -> Res {
    let (_, socket) = socket(m, a)?;
    let c = m.arg(a, 1);
    let (to, open) = address(m, socket.family(), c, Ipv4Addr::UNSPECIFIED)?;
    let bound = m.in_file_system(|| socket.bind(&to));
    done(m, bound)?;
    let Some(open) = open else {
        return Ok(true);
    };
    let port = socket.port().map_err(|e| m.socket_error(&e))?;
    Ok(m.unify(open, Cell::small(port.into())))
}

/// `'$socket_accept'(+Socket, -New, -Peer)`
fn accept(m: &mut Ctx, a: Args) -> Res {
    let (_, socket) = socket(m, a)?;
    let new = m.arg(a, 1);
    if !new.is_ref() {
        return Err(m.uninstantiation_error(new, "2-nd argument"));
    }
    m.room(BYTES)?;
    loop {
        match socket.accept() {
            Ok((new, peer)) => {
                let peer = match peer {
                    Some(ip) => ip_term(m, ip)?,
                    None => atom("af_unix"),
                };
                let term = handle(m, new)?;
                return Ok(m.unify_arg(a, 1, term) && m.unify_arg(a, 2, peer));
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                let waited = m.until_descriptor(socket.as_fd(), Ready::Read);
                waited.map_err(|_| Throw::Interrupted)?;
            }
            // Somebody who wanted to come has gone again.
            Err(e) if e.kind() == ErrorKind::ConnectionAborted => {}
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(m.socket_error(&e)),
        }
    }
}

/// `'$socket_connect'(+Socket, +Address)`
fn connect(m: &mut Ctx, a: Args) -> Res {
    let (_, socket) = socket(m, a)?;
    let c = m.arg(a, 1);
    let (to, open) = address(m, socket.family(), c, Ipv4Addr::LOCALHOST)?;
    if open.is_some() {
        return Err(m.instantiation_error());
    }
    if socket.family() == Family::Local {
        let connected = m.apart(move |give_up| {
            loop {
                match socket.connect(&to) {
                    Err(e) if e.kind() == ErrorKind::Interrupted && give_up() => return None,
                    Err(e) if e.kind() == ErrorKind::Interrupted => {}
                    connected => return Some(connected),
                }
            }
        });
        let connected = connected.map_err(|_| Throw::Interrupted)?;
        return connected.map_err(|e| connect_error(m, &e, c));
    }
    loop {
        match socket.connect(&to) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => return Err(connect_error(m, &e, c)),
        }
        let waited = m.until_descriptor(socket.as_fd(), Ready::Write);
        waited.map_err(|_| Throw::Interrupted)?;
    }
}

/// A name that leads to no socket is a file that is not there.
fn connect_error(m: &mut Ctx, e: &io::Error, address: Cell) -> Throw {
    match e.kind() {
        ErrorKind::NotFound => m.existence_error("file", address),
        _ => m.socket_error(e),
    }
}

/// `'$socket_streams'(+Socket, -Input, -Output)`: output is left unbound for a socket that listens.
fn streams(m: &mut Ctx, a: Args) -> Res {
    let (number, socket) = socket(m, a)?;
    let Some(number) = number else {
        let c = m.arg(a, 0);
        return Err(m.type_error("socket", c));
    };
    for i in [1, 2] {
        let c = m.arg(a, i);
        if !c.is_ref() {
            return Err(m.uninstantiation_error(c, "stream-argument"));
        }
    }
    m.room(2 * Stream::BYTES)?;
    let add = |stream: Stream| -> StreamId { m.program.streams.add(stream) };
    let input = add(Stream::from_socket(socket.clone()));
    if socket.listens() {
        m.program.sockets.give_to(number, &[input]);
        return Ok(m.unify_arg(a, 1, input.term()));
    }
    let output = add(Stream::to_socket(socket));
    m.program.sockets.give_to(number, &[input, output]);
    Ok(m.unify_arg(a, 1, input.term()) && m.unify_arg(a, 2, output.term()))
}

/// `'$socket_set'(+Socket, +Option)`
fn set(m: &mut Ctx, a: Args) -> Res {
    let (_, socket) = socket(m, a)?;
    let option = m.arg(a, 1);
    let unknown = |m: &mut Ctx| Err(m.domain_error("socket_option", option));
    let what = match m.term(option).view() {
        View::Atom(name) => match name.as_str() {
            "reuseaddr" => Setting::ReuseAddress,
            "nodelay" => Setting::NoDelay(true),
            "broadcast" => Setting::Broadcast,
            _ => return unknown(m),
        },
        View::Compound(c) => {
            let value = c.arg(0);
            match (c.name().as_str(), c.arity()) {
                ("nodelay", 1) => match value.as_atom() {
                    Some(atoms::TRUE | atoms::ON) => Setting::NoDelay(true),
                    Some(atoms::FALSE | atoms::OFF) => Setting::NoDelay(false),
                    _ => return Err(m.domain_error("boolean", value.cell())),
                },
                ("sndbuf", 1) => match value.view() {
                    View::Int(n) if n > 0 => Setting::SendBuffer(n as usize),
                    _ => return Err(m.domain_error("integer", value.cell())),
                },
                ("bindtodevice", 1) => {
                    let name = m.text_arg(value.cell())?;
                    return done(m, socket.bind_to_device(&name));
                }
                (name @ ("ip_add_membership" | "ip_drop_membership"), 1..=3) => {
                    let part = |i| (i < c.arity()).then(|| c.arg(i).cell());
                    let by = (part(1), part(2));
                    group(m, name == "ip_add_membership", value.cell(), by)?
                }
                _ => return unknown(m),
            }
        }
        _ => return unknown(m),
    };
    done(m, socket.set(what))
}

/// Joining or leaving a group, by an interface of that address and number.
fn group(
    m: &mut Ctx,
    join: bool,
    group: Cell,
    (interface, number): (Option<Cell>, Option<Cell>),
) -> Result<Setting, Throw> {
    let group = (m.deref(group), interface.map(|c| m.deref(c)));
    let (group, interface) = match group {
        (g, None) => (host(m, g)?, Ipv4Addr::UNSPECIFIED),
        (g, Some(i)) => (host(m, g)?, host(m, i)?),
    };
    let number = match number {
        None => 0,
        Some(c) => {
            let c = m.deref(c);
            match m.term(c).view() {
                View::Int(n) => u32::try_from(n).map_err(|_| m.type_error("nonneg", c))?,
                _ if c.is_ref() => return Err(m.instantiation_error()),
                _ => return Err(m.type_error("integer", c)),
            }
        }
    };
    Ok(Setting::Group {
        join,
        group,
        by: (interface, number),
    })
}
