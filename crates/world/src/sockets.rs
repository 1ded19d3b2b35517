//! Sockets: streams of bytes to other processes, over the network (IPv4) or within the machine, and datagrams; names of hosts.
//!
//! A socket is closed when the last that has it lets go of it. Reading and writing look like those of a pipe: reading waits until there is something, writing
//! takes as much as there is room for, and waits only where there is none. Accepting never waits, and connecting goes on by itself (over the network), so who wants
//! to be interruptible waits for readiness before.

use crate::descriptors::{Patience, PollFd, PollFlags, poll};
use crate::faults::{self, Door};
use rustix::io::Errno;
use rustix::net::{
    self, AddressFamily, RecvFlags, SendFlags, Shutdown, SocketAddrAny, SocketAddrUnix,
    SocketFlags, SocketType, sockopt,
};
use std::ffi::{CStr, CString};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

/// Where sockets are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    Internet,
    /// A file stands for it.
    Local,
}

/// What a socket is bound or connected to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    Internet(SocketAddrV4),
    Local(String),
}

/// See the module text.
#[derive(Debug)]
pub struct Socket {
    fd: OwnedFd,
    family: Family,
}

/// What a socket can be told to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// Binding it to what was in use until just now succeeds.
    ReuseAddress,
    /// What is written is sent at once.
    NoDelay(bool),
    /// Bytes that wait to be sent, at most.
    SendBuffer(usize),
    /// A datagram may be for everybody on a net.
    Broadcast,
    /// What is sent to a group is for it, too, or is no more.
    Group {
        join: bool,
        group: Ipv4Addr,
        /// The address of an interface, or unspecified, and its number, or 0.
        by: (Ipv4Addr, u32),
    },
}

impl Socket {
    pub fn new(family: Family) -> io::Result<Socket> {
        faults::check(Door::Socket)?;
        let of = match family {
            Family::Internet => AddressFamily::INET,
            Family::Local => AddressFamily::UNIX,
        };
        let fd = net::socket_with(of, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        Ok(Socket { fd, family })
    }

    /// A socket of the network for datagrams: each arrives whole, or not at all.
    pub fn of_datagrams() -> io::Result<Socket> {
        faults::check(Door::Socket)?;
        let flags = SocketFlags::CLOEXEC;
        let fd = net::socket_with(AddressFamily::INET, SocketType::DGRAM, flags, None)?;
        let family = Family::Internet;
        Ok(Socket { fd, family })
    }

    /// The next datagram, as much of it as there is room for, and whose it is (nobody's if the socket has been shut down); never waits:
    /// [`io::ErrorKind::WouldBlock`].
    pub fn receive(&self, room: &mut [u8]) -> io::Result<(usize, Option<SocketAddrV4>)> {
        faults::check(Door::Read)?;
        let (n, _, from) = net::recvfrom(&self.fd, room, RecvFlags::DONTWAIT)?;
        Ok((n, from.and_then(|from| SocketAddrV4::try_from(from).ok())))
    }

    /// Sends a datagram; never waits: [`io::ErrorKind::WouldBlock`].
    pub fn send_to(&self, bytes: &[u8], to: SocketAddrV4) -> io::Result<()> {
        faults::check(Door::Write)?;
        let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
        net::sendto(&self.fd, bytes, flags, &to)?;
        Ok(())
    }

    /// Only what comes by the interface of this name is for it.
    pub fn bind_to_device(&self, name: &str) -> io::Result<()> {
        faults::check(Door::Socket)?;
        // SAFETY: a text of the length that is said, which the system copies.
        let done = unsafe {
            libc::setsockopt(
                self.fd.as_raw_fd(),
                libc::SOL_SOCKET,
                libc::SO_BINDTODEVICE,
                name.as_ptr().cast(),
                name.len() as libc::socklen_t,
            )
        };
        match done {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    pub fn family(&self) -> Family {
        self.family
    }

    pub fn bind(&self, to: &Address) -> io::Result<()> {
        faults::check(Door::Socket)?;
        match to {
            Address::Internet(to) => net::bind(&self.fd, to)?,
            Address::Local(path) => net::bind(&self.fd, &SocketAddrUnix::new(path.as_str())?)?,
        }
        Ok(())
    }

    /// The port that it is bound to.
    pub fn port(&self) -> io::Result<u16> {
        faults::check(Door::Socket)?;
        let bound = SocketAddrV4::try_from(net::getsockname(&self.fd)?)?;
        Ok(bound.port())
    }

    pub fn listen(&self, backlog: i32) -> io::Result<()> {
        faults::check(Door::Socket)?;
        rustix::io::ioctl_fionbio(&self.fd, true)?;
        Ok(net::listen(&self.fd, backlog)?)
    }

    /// Whether it has been told to listen.
    pub fn listens(&self) -> bool {
        sockopt::socket_acceptconn(&self.fd).unwrap_or(false)
    }

    /// The next connection, and whose it is; [`io::ErrorKind::WouldBlock`] if there is none yet.
    pub fn accept(&self) -> io::Result<(Socket, Option<Ipv4Addr>)> {
        faults::check(Door::Accept)?;
        let (fd, from) = net::acceptfrom_with(&self.fd, SocketFlags::CLOEXEC)?;
        let ip = |from: SocketAddrAny| SocketAddrV4::try_from(from).ok();
        let peer = from.and_then(ip).map(|from| *from.ip());
        let family = self.family;
        Ok((Socket { fd, family }, peer))
    }

    /// Begins to connect, or goes on with that; whether it is connected. If it is not yet, it is ready for writing once that is decided, and this is
    /// to be called again. A local one waits here until the other end has room for one more, or a signal comes.
    pub fn connect(&self, to: &Address) -> io::Result<bool> {
        faults::check(Door::Connect)?;
        let to = match to {
            Address::Internet(to) => to,
            Address::Local(path) => {
                net::connect(&self.fd, &SocketAddrUnix::new(path.as_str())?)?;
                return Ok(true);
            }
        };
        rustix::io::ioctl_fionbio(&self.fd, true)?;
        match net::connect(&self.fd, to) {
            Err(Errno::INPROGRESS | Errno::ALREADY) => return Ok(false),
            result => {
                // From now on reading waits.
                rustix::io::ioctl_fionbio(&self.fd, false)?;
                result?;
            }
        }
        Ok(true)
    }

    pub fn set(&self, what: Setting) -> io::Result<()> {
        faults::check(Door::Socket)?;
        match what {
            Setting::ReuseAddress => sockopt::set_socket_reuseaddr(&self.fd, true)?,
            Setting::NoDelay(yes) => sockopt::set_tcp_nodelay(&self.fd, yes)?,
            Setting::SendBuffer(bytes) => {
                sockopt::set_socket_send_buffer_size(&self.fd, bytes)?;
            }
            Setting::Broadcast => sockopt::set_socket_broadcast(&self.fd, true)?,
            Setting::Group { join, group, by } => {
                let (fd, (address, number)) = (&self.fd, &by);
                match join {
                    true => {
                        sockopt::set_ip_add_membership_with_ifindex(fd, &group, address, *number)?
                    }
                    false => {
                        sockopt::set_ip_drop_membership_with_ifindex(fd, &group, address, *number)?
                    }
                }
            }
        }
        Ok(())
    }

    /// Nothing comes or goes any more, and whoever waits for it hears so. What the system says is of no use: it may not be connected.
    pub fn shut_down(&self) {
        let _ = net::shutdown(&self.fd, Shutdown::Both);
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Read for &Socket {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let n = faults::some_of(Door::Read, room.len())?;
        Ok(rustix::io::read(&self.fd, &mut room[..n])?)
    }
}

impl Write for &Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = faults::some_of(Door::Write, bytes.len())?;
        loop {
            let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
            match net::send(&self.fd, &bytes[..n], flags) {
                Err(Errno::AGAIN) => {
                    let mut fds = [PollFd::new(&self.fd, PollFlags::OUT)];
                    poll(&mut fds, Patience::Forever)?;
                }
                sent => return Ok(sent?),
            }
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Who writes to a socket. When that is dropped the other end comes to the end of its input, though it may still be listened to.
#[derive(Debug)]
pub struct Writing(Arc<Socket>);

impl Writing {
    pub fn to(socket: Arc<Socket>) -> Writing {
        Writing(socket)
    }
    pub fn socket(&self) -> &Arc<Socket> {
        &self.0
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        let _ = net::shutdown(&self.0.fd, Shutdown::Write);
    }
}

/// Why a name leads to nothing: as the C library calls it, and in its words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameError {
    pub code: &'static str,
    pub message: String,
}

fn name_error(number: i32) -> NameError {
    let code = match number {
        libc::EAI_AGAIN => "eai_again",
        libc::EAI_BADFLAGS => "eai_badflags",
        libc::EAI_FAIL => "eai_fail",
        libc::EAI_FAMILY => "eai_family",
        libc::EAI_MEMORY => "eai_memory",
        libc::EAI_SERVICE => "eai_service",
        libc::EAI_SYSTEM => "eai_system",
        _ => "eai_noname",
    };
    // SAFETY: a text of the library's that stays.
    let message = unsafe { CStr::from_ptr(libc::gai_strerror(number)) };
    NameError {
        code,
        message: message.to_string_lossy().into_owned(),
    }
}

/// What the C library finds of a name, a service or both: the first address, and the name that the host calls itself.
fn look_up(
    host: Option<&str>,
    service: Option<&str>,
) -> Result<(SocketAddrV4, Option<String>), NameError> {
    if faults::check(Door::Name).is_err() {
        return Err(name_error(libc::EAI_AGAIN));
    }
    let text = |t: Option<&str>| match t.map(CString::new) {
        None => Ok(None),
        Some(Ok(t)) => Ok(Some(t)),
        Some(Err(_)) => Err(name_error(libc::EAI_NONAME)),
    };
    let (host, service) = (text(host)?, text(service)?);
    let pointer = |t: &Option<CString>| t.as_ref().map_or(std::ptr::null(), |t| t.as_ptr());
    // SAFETY: texts with their ends, hints that are zero but for what is set; the list is read before it is given back, and an entry of family
    // INET has an address of that form.
    unsafe {
        let mut hints: libc::addrinfo = std::mem::zeroed();
        hints.ai_family = libc::AF_INET;
        hints.ai_socktype = libc::SOCK_STREAM;
        if host.is_some() {
            hints.ai_flags = libc::AI_CANONNAME;
        }
        let mut found: *mut libc::addrinfo = std::ptr::null_mut();
        let number = libc::getaddrinfo(pointer(&host), pointer(&service), &hints, &mut found);
        if number != 0 {
            return Err(name_error(number));
        }
        let first = &*found;
        let address = first.ai_addr.cast::<libc::sockaddr_in>().read_unaligned();
        let ip = Ipv4Addr::from(u32::from_be(address.sin_addr.s_addr));
        let port = u16::from_be(address.sin_port);
        let name = (!first.ai_canonname.is_null()).then(|| {
            CStr::from_ptr(first.ai_canonname)
                .to_string_lossy()
                .into_owned()
        });
        libc::freeaddrinfo(found);
        Ok((SocketAddrV4::new(ip, port), name))
    }
}

/// The address of a host. May wait for servers that know it.
pub fn address_of(host: &str) -> Result<Ipv4Addr, NameError> {
    look_up(Some(host), None).map(|(address, _)| *address.ip())
}

/// What a host calls itself.
pub fn canonical_name(host: &str) -> Option<String> {
    look_up(Some(host), None).ok()?.1
}

/// The port of a service; `None` if there is none of that name.
pub fn port_of(service: &str) -> Option<u16> {
    look_up(None, Some(service)).ok().map(|(a, _)| a.port())
}

/// The name of the host that has an address, if one is known.
pub fn host_at(ip: Ipv4Addr) -> Option<String> {
    faults::check(Door::Name).ok()?;
    let mut name = [0u8; 1025];
    // SAFETY: an address of its own length, and room of the length that is said; the text has its end.
    let number = unsafe {
        let mut address: libc::sockaddr_in = std::mem::zeroed();
        address.sin_family = libc::AF_INET as libc::sa_family_t;
        address.sin_addr.s_addr = u32::from(ip).to_be();
        libc::getnameinfo(
            (&raw const address).cast(),
            size_of::<libc::sockaddr_in>() as libc::socklen_t,
            name.as_mut_ptr().cast(),
            name.len() as libc::socklen_t,
            std::ptr::null_mut(),
            0,
            libc::NI_NAMEREQD,
        )
    };
    let text = CStr::from_bytes_until_nul(&name).ok()?;
    (number == 0).then(|| text.to_string_lossy().into_owned())
}

/// The name of this machine.
pub fn host_name() -> String {
    let about = rustix::system::uname();
    about.nodename().to_string_lossy().into_owned()
}

/// An error by its name in C, in small letters, and in the system's words.
pub fn error_texts(e: &io::Error) -> (String, String) {
    let mut message = e.to_string();
    message.truncate(message.rfind(" (os error").unwrap_or(message.len()));
    let code = match error_name(e) {
        Some(name) => name.to_owned(),
        None => format!("ERROR_{}", e.raw_os_error().unwrap_or(0)),
    };
    (code, message)
}

fn error_name(e: &io::Error) -> Option<&'static str> {
    Some(match Errno::from_io_error(e)? {
        Errno::ACCESS => "eacces",
        Errno::PERM => "eperm",
        Errno::ADDRINUSE => "eaddrinuse",
        Errno::ADDRNOTAVAIL => "eaddrnotavail",
        Errno::AFNOSUPPORT => "eafnosupport",
        Errno::AGAIN => "eagain",
        Errno::ALREADY => "ealready",
        Errno::BADF => "ebadf",
        Errno::CONNABORTED => "econnaborted",
        Errno::CONNREFUSED => "econnrefused",
        Errno::CONNRESET => "econnreset",
        Errno::DESTADDRREQ => "edestaddrreq",
        Errno::HOSTDOWN => "ehostdown",
        Errno::HOSTUNREACH => "ehostunreach",
        Errno::INPROGRESS => "einprogress",
        Errno::INTR => "eintr",
        Errno::INVAL => "einval",
        Errno::IO => "eio",
        Errno::ISCONN => "eisconn",
        Errno::LOOP => "eloop",
        Errno::MSGSIZE => "emsgsize",
        Errno::NAMETOOLONG => "enametoolong",
        Errno::NETDOWN => "enetdown",
        Errno::NETRESET => "enetreset",
        Errno::NETUNREACH => "enetunreach",
        Errno::NOBUFS => "enobufs",
        Errno::NODEV => "enodev",
        Errno::NOENT => "enoent",
        Errno::NOPROTOOPT => "enoprotoopt",
        Errno::NOTCONN => "enotconn",
        Errno::NOTDIR => "enotdir",
        Errno::NOTSOCK => "enotsock",
        Errno::OPNOTSUPP => "eopnotsupp",
        Errno::PIPE => "epipe",
        Errno::PROTOTYPE => "eprototype",
        Errno::ROFS => "erofs",
        Errno::TIMEDOUT => "etimedout",
        _ => return None,
    })
}
