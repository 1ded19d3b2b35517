//! The 64-bit tagged cell.
//!
//! The low three bits are the [`Tag`]; the rest is an address (every object is 8-byte aligned) or
//! an immediate value. Cells with tag [`Tag::Hdr`] never are terms: they head an object in memory
//! (functor, frame, boxed value) or are marks of the collector; bits 3..8 hold their [`Kind`].
//!
//! ```text
//! REF  address of a cell; an unbound variable refers to itself
//! STR  address of [functor header][arg 1]..[arg n]
//! LST  address of [head][tail]
//! BOX  address of [header: kind, size][raw words]      float, big integer, rational, string
//! INT  61-bit signed integer
//! CON  atom: index << 8; blob named by a table entry: index << 8 | 1 << 3; handle: number << 8 | kind << 4 | 1 << 3
//! ATT  in a cell: an unbound attributed variable; the address is that of its attribute, a structure
//! HDR  kind << 3; what the payload is depends on the kind
//! ```
//!
//! Invariants: a value cell is never `Hdr`; raw words only follow a box header; a functor header is
//! followed by exactly `arity` value cells. [`crate::record`] uses the same layout with byte offsets
//! in place of addresses. The layout is shared with the instructions (and later machine code).

use crate::atom::Atom;
use crate::handle::{Handle, HandleKind};
use std::marker::PhantomData;

/// Low three bits of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Tag {
    Ref = 0,
    Str = 1,
    Lst = 2,
    Box = 3,
    Int = 4,
    Con = 5,
    Att = 6,
    Hdr = 7,
}

/// What a header cell heads. Bits 3..8 of a [`Tag::Hdr`] cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// `atom << 32 | arity << 8`; followed by the arguments.
    Functor = 0,
    /// A continuation frame ([`crate::frame`]): slots and resume address; followed by parent and slots.
    Frame = 1,
    /// A pointer to a frame, as stored in parents, choicepoints and slots: `address << 8`.
    FramePtr = 2,
    /// One raw word: the bits of an `f64`.
    Float = 3,
    /// `limbs << 9 | sign << 8`; that many little-endian 64-bit limbs.
    BigInt = 4,
    /// `words << 8`; first raw word: `numerator limbs << 1 | sign`, then numerator, then denominator limbs.
    Rational = 5,
    /// `bytes << 8`; UTF-8, padded with zeros to a whole word.
    String = 6,
    /// Collector: this cell moved with its object to `address << 8`.
    Forward = 7,
    /// Collector: this cell moved alone to `address << 8`; its object has not moved.
    ForwardAlone = 8,
    /// Collector: this cell is on the trail; payload: index of its saved content.
    Trailed = 9,
    /// Record building: this variable or object has already been copied to offset `<< 8`.
    Copied = 10,
    /// A raw machine word of up to 56 bits stored in a frame or choicepoint.
    Raw = 11,
}

/// Mask of the tag bits.
pub const TAG_MASK: u64 = 7;
/// Largest and smallest integer that fits in a cell.
pub const MAX_SMALL: i64 = (1 << 60) - 1;
/// See [`MAX_SMALL`].
pub const MIN_SMALL: i64 = -(1 << 60);
/// Largest arity of a compound term.
pub const MAX_ARITY: usize = (1 << 24) - 1;

/// A tagged 64-bit cell; see the module text for the layout.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Cell(pub u64);

/// Name and arity of a compound term, equal to its header cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Functor(u64, PhantomData<*const ()>);

impl Functor {
    /// The functor `name/arity`. `arity` must be at most [`MAX_ARITY`].
    #[inline]
    pub const fn new(name: Atom, arity: usize) -> Functor {
        debug_assert!(arity <= MAX_ARITY);
        let bits = (name.index() as u64) << 32 | (arity as u64) << 8 | header(Kind::Functor);
        Functor(bits, PhantomData)
    }
    /// The functor of a header cell of kind [`Kind::Functor`].
    #[inline]
    pub const fn from_cell(cell: Cell) -> Functor {
        Functor(cell.0, PhantomData)
    }
    #[inline]
    pub const fn name(self) -> Atom {
        Atom::from_index((self.0 >> 32) as u32)
    }
    #[inline]
    pub const fn arity(self) -> usize {
        (self.0 >> 8) as usize & MAX_ARITY
    }
    /// The header cell.
    #[inline]
    pub const fn cell(self) -> Cell {
        Cell(self.0)
    }
    /// The header cell as bits.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

impl std::fmt::Debug for Functor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.name().as_str(), self.arity())
    }
}

/// Bits of a header of kind `kind` with payload 0.
#[inline]
pub const fn header(kind: Kind) -> u64 {
    (kind as u64) << 3 | Tag::Hdr as u64
}

impl Cell {
    /// The integer 0; also what an unused register holds.
    pub const ZERO: Cell = Cell::small(0);

    #[inline]
    pub const fn tag(self) -> Tag {
        match self.0 & TAG_MASK {
            0 => Tag::Ref,
            1 => Tag::Str,
            2 => Tag::Lst,
            3 => Tag::Box,
            4 => Tag::Int,
            5 => Tag::Con,
            6 => Tag::Att,
            _ => Tag::Hdr,
        }
    }
    /// A pointer cell. `address` must be a multiple of 8.
    #[inline]
    pub const fn pointer(tag: Tag, address: u64) -> Cell {
        Cell(address | tag as u64)
    }
    /// A pointer cell to memory.
    #[inline]
    pub fn to(tag: Tag, address: *const Cell) -> Cell {
        Cell(address as u64 | tag as u64)
    }
    /// The address of a pointer cell.
    #[inline]
    pub const fn address(self) -> u64 {
        self.0 & !TAG_MASK
    }
    /// The address of a pointer cell as a pointer.
    #[inline]
    pub const fn ptr(self) -> *mut Cell {
        (self.0 & !TAG_MASK) as *mut Cell
    }
    /// A small integer; the caller has checked that it fits.
    #[inline]
    pub const fn small(value: i64) -> Cell {
        Cell((value as u64) << 3 | Tag::Int as u64)
    }
    /// A small integer, if it fits.
    #[inline]
    pub const fn try_small(value: i64) -> Option<Cell> {
        if value >= MIN_SMALL && value <= MAX_SMALL {
            Some(Cell::small(value))
        } else {
            None
        }
    }
    /// The value of a small integer cell.
    #[inline]
    pub const fn small_value(self) -> i64 {
        self.0 as i64 >> 3
    }
    #[inline]
    pub const fn atom(atom: Atom) -> Cell {
        Cell((atom.index() as u64) << 8 | Tag::Con as u64)
    }
    /// A blob: an opaque constant (thread, clause reference…) named by a table entry.
    #[inline]
    pub const fn blob(atom: Atom) -> Cell {
        Cell((atom.index() as u64) << 8 | 1 << 3 | Tag::Con as u64)
    }
    /// What a program sees of the name of a compound: the atom, or the constant that names dicts.
    #[inline]
    pub const fn name(name: Atom) -> Cell {
        if name.index() == crate::atoms::DICT.index() {
            Cell::blob(name)
        } else {
            Cell::atom(name)
        }
    }
    /// The name that a compound gets by this constant, if it may be one.
    #[inline]
    pub fn as_name(self) -> Option<Atom> {
        (self.is_atom() || self == Cell::name(crate::atoms::DICT)).then(|| self.atom_of())
    }
    /// The handle's number is in the cell: no table knows it. See [`Handle`].
    #[inline]
    pub const fn of_handle(handle: Handle) -> Cell {
        Cell(handle.number() << 8 | (handle.kind() as u64) << 4 | 1 << 3 | Tag::Con as u64)
    }
    /// The handle, if it is one.
    #[inline]
    pub const fn handle(self) -> Option<Handle> {
        if self.0 & 0xf != (1 << 3 | Tag::Con as u64) {
            return None;
        }
        match HandleKind::from_bits(self.0 >> 4 & 0xf) {
            Some(kind) => Some(Handle::new(kind, self.0 >> 8)),
            None => None,
        }
    }
    /// The atom of a [`Tag::Con`] cell that is no handle (the name of a blob).
    #[inline]
    pub const fn atom_of(self) -> Atom {
        debug_assert!(self.0 & 0xf0 == 0, "a handle has no atom");
        Atom::from_index((self.0 >> 8) as u32)
    }
    #[inline]
    pub const fn is_con(self) -> bool {
        self.0 & TAG_MASK == Tag::Con as u64
    }
    /// An atom, not a blob.
    #[inline]
    pub const fn is_atom(self) -> bool {
        self.0 & 0xf == Tag::Con as u64
    }
    /// A blob named by a table entry, not a handle.
    #[inline]
    pub const fn is_blob(self) -> bool {
        self.0 & 0xff == (1 << 3 | Tag::Con as u64)
    }
    #[inline]
    pub const fn is_small(self) -> bool {
        self.0 & TAG_MASK == Tag::Int as u64
    }
    #[inline]
    pub const fn is_ref(self) -> bool {
        self.0 & TAG_MASK == Tag::Ref as u64
    }
    #[inline]
    pub const fn is_hdr(self) -> bool {
        self.0 & TAG_MASK == Tag::Hdr as u64
    }
    /// `Con` or `Int`: the whole value is in the cell.
    #[inline]
    pub const fn is_immediate(self) -> bool {
        matches!(self.tag(), Tag::Int | Tag::Con)
    }
    /// A header of kind `kind` with `payload` in bits 8 and up.
    #[inline]
    pub const fn header(kind: Kind, payload: u64) -> Cell {
        Cell(payload << 8 | header(kind))
    }
    /// The kind of a [`Tag::Hdr`] cell.
    #[inline]
    pub const fn kind(self) -> Kind {
        match self.0 >> 3 & 0x1f {
            0 => Kind::Functor,
            1 => Kind::Frame,
            2 => Kind::FramePtr,
            3 => Kind::Float,
            4 => Kind::BigInt,
            5 => Kind::Rational,
            6 => Kind::String,
            7 => Kind::Forward,
            8 => Kind::ForwardAlone,
            9 => Kind::Trailed,
            10 => Kind::Copied,
            _ => Kind::Raw,
        }
    }
    /// Whether this is a header of kind `kind`.
    #[inline]
    pub const fn is_kind(self, kind: Kind) -> bool {
        self.0 & 0xff == header(kind)
    }
    /// The payload of a header.
    #[inline]
    pub const fn payload(self) -> u64 {
        self.0 >> 8
    }
    /// A frame pointer cell (kind [`Kind::FramePtr`]); null is the bottom of every continuation.
    #[inline]
    pub fn frame_ptr(frame: *const Cell) -> Cell {
        Cell::header(Kind::FramePtr, frame as u64)
    }
    /// The frame of a [`Kind::FramePtr`] cell.
    #[inline]
    pub const fn frame(self) -> *mut Cell {
        (self.0 >> 8) as *mut Cell
    }
    /// Raw words that follow a box header (float, big integer, rational, string).
    #[inline]
    pub const fn box_words(self) -> usize {
        match self.kind() {
            Kind::Float => 1,
            Kind::BigInt => (self.0 >> 9) as usize,
            Kind::Rational => (self.0 >> 8) as usize,
            Kind::String => {
                let bytes = (self.0 >> 8) as usize;
                bytes.div_ceil(8) + crate::positions::counts_of(bytes)
            }
            _ => 0,
        }
    }
    /// `[]`, the empty list (not the atom `'[]'`).
    pub const NIL: Cell = Cell::atom(crate::atoms::NIL);
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.tag() {
            Tag::Int => write!(f, "INT {}", self.small_value()),
            Tag::Con => match self.handle() {
                Some(handle) => write!(f, "CON {handle}"),
                None => write!(f, "CON {}", self.atom_of().as_str()),
            },
            Tag::Hdr if self.is_kind(Kind::Functor) => {
                write!(f, "FUN {:?}", Functor::from_cell(*self))
            }
            Tag::Hdr => write!(f, "HDR {:?} {:#x}", self.kind(), self.payload()),
            tag => write!(f, "{tag:?} {:#x}", self.address()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_integers_round_trip() {
        for v in [0, 1, -1, MAX_SMALL, MIN_SMALL, 12345] {
            let c = Cell::try_small(v).unwrap();
            assert!(c.is_small());
            assert_eq!(c.small_value(), v);
        }
        assert!(Cell::try_small(MAX_SMALL + 1).is_none());
        assert!(Cell::try_small(MIN_SMALL - 1).is_none());
    }

    #[test]
    fn functor_round_trips() {
        let f = Functor::new(Atom::new("foo"), MAX_ARITY);
        assert_eq!(f.name().as_str(), "foo");
        assert_eq!(f.arity(), MAX_ARITY);
        assert!(f.cell().is_kind(Kind::Functor));
    }

    #[test]
    fn blob_is_not_an_atom() {
        let a = Atom::new("<stream>(1)");
        assert!(Cell::blob(a).is_con() && !Cell::blob(a).is_atom());
        assert_eq!(Cell::blob(a).atom_of(), a);
        assert!(Cell::atom(a).is_atom() && !Cell::atom(a).is_blob());
        assert_eq!(Cell::blob(a).handle(), None);
        assert_eq!(Cell::atom(a).handle(), None);
    }

    #[test]
    fn a_handle_is_a_constant_of_its_own() {
        for n in [0, 1, u64::from(u32::MAX) + 1, Handle::MAX_NUMBER] {
            let handle = Handle::new(HandleKind::Stream, n);
            let c = Cell::of_handle(handle);
            assert!(c.is_con() && !c.is_atom() && !c.is_blob() && c.is_immediate());
            assert_eq!(c.handle(), Some(handle));
            assert_eq!(handle.to_string(), format!("<stream>({n:#x})"));
        }
    }
}
