//! Memory files ([`crate::state::memory_files`]): what `library(memfile)` is made of.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::memory_files::{BYTES, MemoryFile, Writer};
use samite_stream::{Encoding, OpenOptions, Stream};
use samite_term::{Atom, Cell, Handle, HandleKind, atoms};
use std::sync::Arc;

pub const TABLE: &[Entry] = &[
    // '$memory_file_new'(-File)
    det("$memory_file_new", 1, |m, a| {
        m.part_with_others();
        m.room(BYTES)?;
        let handle = m.program.registry.handle_for_other(HandleKind::MemoryFile);
        let handle = handle.map_err(|_| Throw::Memory)?;
        m.program.memory_files.add(handle.number());
        let term = Cell::of_handle(handle);
        m.heap.meet_new(term);
        Ok(m.unify_arg(a, 0, term))
    }),
    det("$memory_file_free", 1, free),
    // '$memory_file_state'(+File, -State, -Bytes, -At): `closed`, `reads` or `writes`, as the stream on it does, and `fixed` if it is closed and nothing may be written; how many bytes
    // it has, and at which the stream is.
    det("$memory_file_state", 4, state),
    // '$memory_file_text'(+File, +Encoding, -String): its text by an encoding, or by its own (`file`).
    det("$memory_file_text", 3, text),
    // '$memory_file_set'(+File, +Text, +Fixed): its text from now on, in its own encoding.
    det("$memory_file_set", 3, set),
    // '$memory_file_open'(+File, +Mode, +Encoding, +FreeOnClose, -Stream): no stream is on it. Mode is one of read, write, append, insert, update.
    det("$memory_file_open", 5, open),
];

/// The file of the first argument.
fn file(m: &mut Ctx, a: Args) -> Result<Arc<MemoryFile>, Throw> {
    let c = m.arg(a, 0);
    if c.is_ref() {
        return Err(m.instantiation_error());
    }
    let Some(handle) = c.handle().filter(|h| h.kind() == HandleKind::MemoryFile) else {
        return Err(m.type_error("memory_file", c));
    };
    let file = m.program.memory_files.get(handle.number());
    let ended = |f: &Arc<MemoryFile>| {
        let content = f.0.lock();
        let closed = |(id, _)| !m.program.streams.is_open(id);
        content.free_on_close && content.stream.is_some_and(closed)
    };
    match file {
        Some(file) if !ended(&file) => Ok(file),
        _ => {
            m.program.memory_files.remove(handle.number());
            Err(m.permission_error("access", "freed_memory_file", c))
        }
    }
}

/// Closes the stream on it, too.
fn free(m: &mut Ctx, a: Args) -> Res {
    let file = file(m, a)?;
    let stream = file.0.lock().stream;
    if let Some((id, _)) = stream.filter(|&(id, _)| m.program.streams.is_open(id)) {
        m.close_stream(id, id.term(), true)?;
    }
    let number = m.arg(a, 0).handle().map_or(0, Handle::number);
    m.program.memory_files.remove(number);
    m.program
        .registry
        .forget_other(Handle::new(HandleKind::MemoryFile, number));
    Ok(true)
}

fn state(m: &mut Ctx, a: Args) -> Res {
    let file = file(m, a)?;
    let (length, fixed, stream) = {
        let content = file.0.lock();
        (content.bytes.len(), content.fixed, content.stream)
    };
    let open = stream.and_then(|(id, writes)| Some((m.program.streams.get(id)?, writes)));
    let (state, at) = match open {
        None if fixed => ("fixed", 0),
        None => ("closed", 0),
        Some((stream, writes)) => {
            let at = stream.lock().position().byte_count;
            (if writes { "writes" } else { "reads" }, at)
        }
    };
    Ok(m.unify_arg(a, 1, Cell::atom(Atom::of(state)))
        && m.unify_int(a, 2, length as i64)?
        && m.unify_int(a, 3, at as i64)?)
}

fn decoded(bytes: &[u8], encoding: Encoding) -> String {
    match encoding {
        Encoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
        _ => bytes.iter().map(|&b| char::from(b)).collect(),
    }
}

/// The encoding that an argument names: one of whole bytes.
fn encoding(m: &mut Ctx, a: Args, i: usize) -> Result<Option<Encoding>, Throw> {
    let c = m.arg(a, i);
    if c.is_ref() {
        return Err(m.instantiation_error());
    }
    if !c.is_atom() {
        return Err(m.type_error("encoding", c));
    }
    match c.atom_of().as_str() {
        "file" => Ok(None),
        name => match Encoding::from_name(name) {
            None | Some(Encoding::Utf16Le | Encoding::Utf16Be) => {
                Err(m.domain_error("encoding", c))
            }
            encoding => Ok(encoding),
        },
    }
}

fn text(m: &mut Ctx, a: Args) -> Res {
    let file = file(m, a)?;
    let by = encoding(m, a, 1)?;
    let content = file.0.lock();
    m.room(2 * content.bytes.len())?;
    let text = decoded(&content.bytes, by.unwrap_or(content.encoding));
    drop(content);
    let string = m.heap.string(&text)?;
    Ok(m.unify_arg(a, 2, string))
}

fn set(m: &mut Ctx, a: Args) -> Res {
    let file = file(m, a)?;
    let text = m.text_arg(m.arg(a, 1))?;
    let own = file.0.lock().encoding;
    let bytes = match own {
        Encoding::Utf8 => text.into_bytes(),
        // (Those that the encoding has no place for are as others of such text.)
        _ => text
            .chars()
            .map(|c| u8::try_from(c).unwrap_or(b'?'))
            .collect(),
    };
    m.room(bytes.len())?;
    let fixed = m.arg(a, 2) == Cell::atom(atoms::TRUE);
    let mut content = file.0.lock();
    content.replace(bytes);
    content.fixed = fixed;
    Ok(true)
}

fn open(m: &mut Ctx, a: Args) -> Res {
    let file = file(m, a)?;
    let by = encoding(m, a, 2)?;
    let free_on_close = m.arg(a, 3) == Cell::atom(atoms::TRUE);
    let mode = m.arg(a, 1).atom_of();
    let writes = mode.as_str() != "read";
    let bytes = file.0.lock().bytes.len();
    m.room(Stream::BYTES + bytes)?;
    let mut content = file.0.lock();
    // (Another thread may have come first.)
    if (content.stream).is_some_and(|(id, _)| m.program.streams.is_open(id)) {
        drop(content);
        let culprit = m.arg(a, 0);
        return Err(m.permission_error("open", "memory_file", culprit));
    }
    // What is there and what is added are one text.
    let adds = writes && mode.as_str() != "write" && !content.bytes.is_empty();
    if adds && by.is_some_and(|by| by != content.encoding) {
        drop(content);
        let culprit = m.arg(a, 0);
        return Err(m.permission_error(mode.as_str(), "memory_file", culprit));
    }
    match mode.as_str() {
        "write" => {
            content.replace(Vec::new());
            content.encoding = by.unwrap_or(Encoding::Utf8);
        }
        _ if writes && content.bytes.is_empty() => {
            content.encoding = by.unwrap_or(Encoding::Utf8);
        }
        _ => {}
    }
    let options = OpenOptions {
        encoding: Some(by.unwrap_or(content.encoding)),
        bom: Some(false),
        ..OpenOptions::default()
    };
    let stream = match mode.as_str() {
        "read" => Stream::from_bytes(content.bytes.clone(), &options),
        name => {
            let writer = Writer {
                file: file.clone(),
                at: match name {
                    "append" => content.bytes.len(),
                    _ => 0,
                },
                over: name == "update",
            };
            Stream::to_places(Box::new(writer), &options)
        }
    };
    let id = m.program.streams.add(stream);
    content.stream = Some((id, writes));
    content.free_on_close = free_on_close;
    drop(content);
    Ok(m.unify_arg(a, 4, id.term()))
}
