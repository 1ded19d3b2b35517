//! Files, directories, file names, environment variables and commands.
//!
//! Environment variables set here are kept here and handed to the commands that are run, because changing the process's
//! environment is not safe while other threads read it.

use super::args::atom;
use super::text::number_text;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::outside::Outside;
use samite_stream::{Encoding, Mode, OpenOptions, StreamType};
use samite_term::{Atom, Cell, View, atoms};
use samite_world::files::{self, Use};
use samite_world::{numbers, processes};
use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

pub const TABLE: &[Entry] = &[
    det("tmp_file", 2, |m, a| {
        let base = m.file_arg(a, 0)?;
        let path = temporary(m, &base, "");
        Ok(m.unify_atom(a, 1, m.atom_of_text(&path)?))
    }),
    det("tmp_file_stream", 3, tmp_file_stream),
    det("exists_file", 1, |m, a| {
        let path = m.file_arg(a, 0)?;
        is(m, a, "file", path, |d| !d.is_dir())
    }),
    det("exists_directory", 1, |m, a| {
        let path = m.file_arg(a, 0)?;
        is(m, a, "directory", path, Metadata::is_dir)
    }),
    det("delete_file", 1, |m, a| {
        on_file(m, a, "delete", "file", |p| files::remove(p))
    }),
    det("make_directory", 1, |m, a| {
        on_file(m, a, "create", "directory", |p| files::make_directory(p))
    }),
    det("delete_directory", 1, |m, a| {
        on_file(m, a, "delete", "directory", |p| files::remove_directory(p))
    }),
    det("directory_files", 2, directory_files),
    // read_link(+File, -Link, -Target): what the link says, and the file it leads to in the end. Fails if File is no link.
    det("read_link", 3, |m, a| {
        let path = m.file_arg(a, 0)?;
        let found = m.in_file_system(|| {
            let link = files::link_target(&path)?;
            let target = match files::canonical(&path) {
                Err(e) if files::says_absent(&e) => link.clone(),
                target => target?,
            };
            Ok((link, target))
        });
        match found {
            Ok((link, target)) => {
                let link = m.text_atom(&link.to_string_lossy())?;
                let target = m.text_atom(&target.to_string_lossy())?;
                Ok(m.unify_arg(a, 1, link) && m.unify_arg(a, 2, target))
            }
            Err(e) if files::says_absent(&e) => Ok(false),
            Err(e) => Err(m.file_error(&e, "access", "file", m.arg(a, 0))),
        }
    }),
    // '$link_file'(+New, +Old, +Type)
    det("$link_file", 3, |m, a| {
        let old = m.file_arg(a, 1)?;
        let symbolic = m.atom_argument(a, 2)?.as_str() == "symbolic";
        on_file(m, a, "create", "file", |new| match symbolic {
            true => files::symbolic_link(&old, new),
            false => files::link(&old, new),
        })
    }),
    det("size_file", 2, |m, a| {
        let size = file_value(m, a, |d| Ok(d.len()))?;
        m.unify_int(a, 1, i64::try_from(size).unwrap_or(i64::MAX))
    }),
    det("time_file", 2, |m, a| {
        let time = file_value(m, a, Metadata::modified)?;
        let c = m.heap.float(seconds_since_1970(time))?;
        Ok(m.unify_arg(a, 1, c))
    }),
    // '$file_times'(+File, -Access, -Modified, -Changed)
    det("$file_times", 4, |m, a| {
        let times = file_value(m, a, |d| {
            let changed = d.ctime() as f64 + d.ctime_nsec() as f64 / 1e9;
            let (access, modified) = (d.accessed()?, d.modified()?);
            Ok([
                seconds_since_1970(access),
                seconds_since_1970(modified),
                changed,
            ])
        })?;
        for (i, time) in times.into_iter().enumerate() {
            let c = m.heap.float(time)?;
            if !m.unify_arg(a, i + 1, c) {
                return Ok(false);
            }
        }
        Ok(true)
    }),
    // '$set_file_times'(+File, +Access, +Modified): floats, or an atom for what stays.
    det("$set_file_times", 3, |m, a| {
        let [access, modified] = [1, 2].map(|i| match m.view(a, i).view() {
            View::Float(time) => Some(time),
            _ => None,
        });
        on_file(m, a, "modify", "file", |path| {
            files::set_times(path, access, modified)
        })
    }),
    // '$file_mode'(+File, -Mode), '$set_file_mode'(+File, +Mode): the permissions, as chmod(2) has them.
    det("$file_mode", 2, |m, a| {
        let path = m.file_arg(a, 0)?;
        let mode = m.in_file_system(|| Ok(files::metadata(&path)?.mode() & 0o7777));
        match mode {
            Ok(mode) => m.unify_int(a, 1, i64::from(mode)),
            Err(e) => Err(m.file_error(&e, "access", "file", m.arg(a, 0))),
        }
    }),
    det("$set_file_mode", 2, |m, a| {
        let View::Int(mode) = m.view(a, 1).view() else {
            let culprit = m.arg(a, 1);
            return Err(m.type_error("integer", culprit));
        };
        let mode = mode as u32;
        on_file(m, a, "modify", "file", |path| files::set_mode(path, mode))
    }),
    det("access_file", 2, access_file),
    det("rename_file", 2, |m, a| {
        let to = m.file_arg(a, 1)?;
        on_file(m, a, "rename", "file", |p| files::rename(p, to))
    }),
    det("working_directory", 2, working_directory),
    det("chdir", 1, |m, a| {
        let path = m.file_arg(a, 0)?;
        let path = absolute(m, &path)?;
        on_file(m, a, "chdir", "directory", |_| {
            files::set_current_directory(&path)
        })
    }),
    det("$absolute_file_name", 2, |m, a| {
        let path = m.file_arg(a, 0)?;
        let path = absolute(m, &path)?;
        Ok(m.unify_atom(a, 1, m.atom_of_text(&path)?))
    }),
    det("is_absolute_file_name", 1, |m, a| {
        let path = m.file_arg(a, 0)?;
        Ok(path.starts_with('/') || place_of_url(&path).is_some())
    }),
    det("same_file", 2, |m, a| {
        let (x, y) = (m.file_arg(a, 0)?, m.file_arg(a, 1)?);
        let same = |x, y| Ok(files::canonical(x)? == files::canonical(y)?);
        let answer = x == y || {
            let answer = m.in_file_system(|| files::or_absent(same(x, y)));
            answer.map_err(|e| m.file_error(&e, "access", "file", m.arg(a, 0)))?
        };
        Ok(answer)
    }),
    det("file_base_name", 2, |m, a| {
        let path = m.file_arg(a, 0)?;
        let base = m.text_atom(base_name(&path))?;
        Ok(m.unify_arg(a, 1, base))
    }),
    det("file_directory_name", 2, |m, a| {
        let path = m.file_arg(a, 0)?;
        let directory = m.text_atom(directory_name(&path))?;
        Ok(m.unify_arg(a, 1, directory))
    }),
    det("file_name_extension", 3, file_name_extension),
    det("getenv", 2, |m, a| {
        let name = m.file_arg(a, 0)?;
        match m.program.outside.variable(&name) {
            Some(value) => Ok(m.unify_atom(a, 1, m.atom_of_text(&value)?)),
            None => Ok(false),
        }
    }),
    det("setenv", 2, |m, a| {
        let (name, value) = (m.file_arg(a, 0)?, m.file_arg(a, 1)?);
        set_environment(m, name, Some(value))
    }),
    det("unsetenv", 1, |m, a| {
        let name = m.file_arg(a, 0)?;
        set_environment(m, name, None)
    }),
];

fn set_environment(m: &Ctx, name: String, value: Option<String>) -> Res {
    m.room(Outside::bytes_of_variable(&name, value.as_deref()))?;
    m.program.outside.set_variable(name, value);
    Ok(true)
}

/// The home directory of a user, by default of the one who runs this; `None` if there is no such user.
pub(crate) fn home_of(m: &Ctx, user: &str) -> io::Result<Option<String>> {
    if user.is_empty()
        && let Some(home) = m.program.outside.variable("HOME")
    {
        return Ok(Some(home));
    }
    let me = processes::user().to_string();
    let users = match files::text("/etc/passwd") {
        Err(e) if files::says_absent(&e) => return Ok(None),
        users => users?,
    };
    Ok(users.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        let wanted = match user.is_empty() {
            true => fields.get(2) == Some(&me.as_str()),
            false => fields.first() == Some(&user),
        };
        let home = fields.get(5).filter(|_| wanted)?;
        Some((*home).to_owned())
    }))
}

impl Ctx<'_> {
    /// A text argument that names something outside; numbers are taken as their text.
    pub(crate) fn file_arg(&mut self, a: Args, i: usize) -> Result<String, Throw> {
        let c = self.arg(a, i);
        match self.term(c).view() {
            View::Int(_) | View::Float(_) | View::Number(_) => number_text(self, c),
            _ => self.text_arg(c),
        }
    }
    /// The exception of a failed operation on a file.
    pub(super) fn file_error(
        &mut self,
        e: &io::Error,
        action: &str,
        kind: &str,
        culprit: Cell,
    ) -> Throw {
        let formal = match (e.raw_os_error(), e.kind()) {
            (Some(numbers::ENOMEM), _) => return Throw::Memory,
            (Some(numbers::EMFILE | numbers::ENFILE), _) => {
                self.structure("resource_error", &[atom("max_files")])
            }
            (Some(numbers::EIO), _) => self.structure("io_error", &[atom(action), culprit]),
            (_, ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                self.structure("existence_error", &[atom(kind), culprit])
            }
            _ => self.structure("permission_error", &[atom(action), atom(kind), culprit]),
        };
        match formal {
            Ok(f) => self.error_with_text(f, &system_text(e)),
            Err(t) => t,
        }
    }
}

/// What the operating system says of an error, without its number.
pub(super) fn system_text(e: &io::Error) -> String {
    let mut text = e.to_string();
    text.truncate(text.rfind(" (os error").unwrap_or(text.len()));
    text
}

fn on_file(
    m: &mut Ctx,
    a: Args,
    action: &str,
    kind: &str,
    f: impl FnOnce(&str) -> io::Result<()>,
) -> Res {
    let path = m.file_arg(a, 0)?;
    match m.in_file_system(|| f(&path)) {
        Ok(()) => Ok(true),
        Err(e) => Err(m.file_error(&e, action, kind, m.arg(a, 0))),
    }
}

/// Whether something is there, of which that holds.
fn is(m: &mut Ctx, a: Args, kind: &str, path: String, what: impl FnOnce(&Metadata) -> bool) -> Res {
    let answer = m.in_file_system(|| files::is(path, what));
    answer.map_err(|e| m.file_error(&e, "access", kind, m.arg(a, 0)))
}

/// Of the system's clock.
fn seconds_since_1970(time: SystemTime) -> f64 {
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(d) => d.as_secs_f64(),
        Err(e) => -e.duration().as_secs_f64(),
    }
}

fn file_value<T>(
    m: &mut Ctx,
    a: Args,
    f: impl FnOnce(&Metadata) -> io::Result<T>,
) -> Result<T, Throw> {
    let path = m.file_arg(a, 0)?;
    match m.in_file_system(|| files::metadata(path).and_then(|d| f(&d))) {
        Ok(v) => Ok(v),
        Err(e) => Err(m.file_error(&e, "access", "file", m.arg(a, 0))),
    }
}

/// A path for a new temporary file.
fn temporary(m: &Ctx, base: &str, extension: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let directory = m.flag_atom(Atom::new("tmp_dir")).unwrap_or(atoms::NIL);
    let directory = directory.as_str();
    loop {
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = format!(
            "{directory}/samite_{base}_{}_{n}{extension}",
            std::process::id()
        );
        // What cannot be looked at is found out by who makes it.
        if !files::is(&path, |_| true).unwrap_or(false) {
            return path;
        }
    }
}

/// Where temporary files are, if the flag `tmp_dir` says nothing else.
pub(super) fn temporary_directory(m: &Ctx) -> String {
    let own = (m.program.outside.variable("TMPDIR")).filter(|d| !d.is_empty());
    own.unwrap_or_else(|| "/tmp".into())
}

/// `tmp_file_stream(File, Stream, Options)` and `tmp_file_stream(Encoding, File, Stream)`.
fn tmp_file_stream(m: &mut Ctx, a: Args) -> Res {
    let mut options = OpenOptions::default();
    let mut extension = String::new();
    let first = m.arg(a, 0);
    let (file, stream) = if first.is_ref() {
        for o in m.options(m.arg(a, 2), "temporary_file_option")? {
            let name = o.value.as_atom().map_or("", |a| a.as_str());
            match o.name.as_str() {
                "extension" => match m.option_atom(&o)?.as_str() {
                    "" => {}
                    name => extension = format!(".{name}"),
                },
                "encoding" if name == "binary" => options.stream_type = StreamType::Binary,
                "encoding" => {
                    options.encoding = Some(m.option_named(&o, "encoding", Encoding::from_name)?)
                }
                _ => {}
            }
        }
        (0, 1)
    } else {
        let Some(name) = m.term(first).as_atom() else {
            return Err(m.type_error("atom", first));
        };
        match (name.as_str(), Encoding::from_name(name.as_str())) {
            ("binary", _) => options.stream_type = StreamType::Binary,
            (_, Some(e)) => options.encoding = Some(e),
            _ => return Err(m.domain_error("encoding", first)),
        }
        (1, 2)
    };
    let path = temporary(m, "file", &extension);
    let program = m.program.clone();
    let options = m.with_encoding(options);
    let opened = m.in_file_system(|| program.streams.open(&path, Mode::Write, &options));
    // (An atom made before could be collected meanwhile.)
    let name = m.text_atom(&path)?;
    let id = match opened {
        Ok(id) => id,
        Err(e) => return Err(m.stream_error(&e, name)),
    };
    Ok(m.unify_arg(a, file, name) && m.unify_arg(a, stream, id.term()))
}

fn directory_files(m: &mut Ctx, a: Args) -> Res {
    let path = m.file_arg(a, 0)?;
    let names = match m.in_file_system(|| files::names(&path)) {
        Ok(names) => names,
        Err(e) => return Err(m.file_error(&e, "access", "directory", m.arg(a, 0))),
    };
    let items: Vec<Cell> = names.iter().map(|n| atom(n)).collect();
    let list = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}

fn access_file(m: &mut Ctx, a: Args) -> Res {
    let path = m.file_arg(a, 0)?;
    let mode = m.arg(a, 1);
    if mode.is_ref() {
        return Err(m.instantiation_error());
    }
    let how = match m.term(mode).as_atom().map(|a| a.as_str()) {
        Some("none") => return Ok(true),
        Some("read") => Some(Use::Read),
        Some("write" | "append") => Some(Use::Write),
        Some("execute") => Some(Use::Execute),
        Some("exist") => None,
        _ => return Err(m.domain_error("io_mode", mode)),
    };
    let answer = m.in_file_system(|| match how {
        Some(how) => accessible(&path, how),
        None => files::is(&path, |_| true),
    });
    answer.map_err(|e| m.file_error(&e, "access", "file", m.arg(a, 0)))
}

/// Whether a file may be used so; a file that is to be written may be missing if its directory may be written to.
fn accessible(path: &str, how: Use) -> io::Result<bool> {
    if how == Use::Write && !files::is(path, |_| true)? {
        let directory = directory_name(path);
        return Ok(files::is(directory, Metadata::is_dir)? && files::is_allowed(directory, how)?);
    }
    files::is_allowed(path, how)
}

fn working_directory(m: &mut Ctx, a: Args) -> Res {
    let old = current_directory(m)?;
    if !m.unify_atom(a, 0, m.atom_of_text(&old)?) {
        return Ok(false);
    }
    let new = m.arg(a, 1);
    let text = m.file_arg(a, 1)?;
    if text == old {
        return Ok(true);
    }
    let path = absolute(m, &text)?;
    match m.in_file_system(|| files::set_current_directory(&path)) {
        Ok(()) => Ok(true),
        Err(e) => Err(m.file_error(&e, "chdir", "directory", new)),
    }
}

/// The working directory, with a slash at the end.
fn current_directory(m: &mut Ctx) -> Result<String, Throw> {
    let path = m.in_file_system(files::current_directory);
    let path = path.map_err(|e| m.file_error(&e, "access", "directory", atom(".")))?;
    let mut path = path.to_string_lossy().into_owned();
    if !path.ends_with('/') {
        path.push('/');
    }
    Ok(path)
}

/// The absolute name of a file, without `.`, `..` and doubled slashes; a slash at the end stays.
pub(super) fn absolute(m: &mut Ctx, path: &str) -> Result<String, Throw> {
    if let Some(place) = place_of_url(path) {
        let (host, rest) = path.split_at(place);
        return match rest.is_empty() {
            true => Ok(host.to_owned()),
            false => Ok(format!("{host}{}", absolute(m, rest)?)),
        };
    }
    let full = match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{}{path}", current_directory(m)?),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let end = match (path.ends_with('/') || path.is_empty()) && !parts.is_empty() {
        true => "/",
        false => "",
    };
    Ok(format!("/{}{end}", parts.join("/")))
}

/// Where, in an address `scheme://host/path`, the path begins. (A scheme of one letter would be a drive.)
fn place_of_url(path: &str) -> Option<usize> {
    let (scheme, rest) = path.split_once("://")?;
    let good = scheme.len() > 1 && scheme.bytes().all(|b| b.is_ascii_lowercase());
    good.then(|| path.len() - rest.len() + rest.find('/').unwrap_or(rest.len()))
}

fn base_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "" } else { "/" };
    }
    trimmed.rsplit('/').next().unwrap_or("")
}

fn directory_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "." } else { "/" };
    }
    match trimmed.rfind('/') {
        None => ".",
        Some(at) => match trimmed[..at].trim_end_matches('/') {
            "" => "/",
            directory => directory,
        },
    }
}

/// A name without its extension, and that; the dot must be in the last part.
fn split_extension(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(at) if !name[at..].contains('/') => (&name[..at], &name[at + 1..]),
        _ => (name, ""),
    }
}

fn file_name_extension(m: &mut Ctx, a: Args) -> Res {
    let (base, extension, full) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 2));
    if !full.is_ref() {
        let name = m.file_arg(a, 2)?;
        if !extension.is_ref() {
            let wanted = m.file_arg(a, 1)?;
            let wanted = wanted.strip_prefix('.').unwrap_or(&wanted);
            let (before, found) = split_extension(&name);
            if found == wanted && (!wanted.is_empty() || before == name) {
                return Ok(m.unify(base, atom(before)));
            }
            if base.is_ref() {
                return Ok(false);
            }
        } else {
            let (before, found) = split_extension(&name);
            // (A name without one is its own base, whatever text it is.)
            let is_string = matches!(m.view(a, 2).view(), View::Str(_));
            let whole = is_string && before == name;
            let before = if whole { full } else { atom(before) };
            return Ok(m.unify(extension, atom(found)) && m.unify(base, before));
        }
    }
    if base.is_ref() || extension.is_ref() {
        return Err(m.instantiation_error());
    }
    let (name, extension) = (m.file_arg(a, 0)?, m.file_arg(a, 1)?);
    let extension = extension.strip_prefix('.').unwrap_or(&extension);
    let made = if extension.is_empty() || split_extension(&name).1 == extension {
        name
    } else {
        format!("{name}.{extension}")
    };
    let made = m.text_atom(&made)?;
    Ok(m.unify(full, made))
}
