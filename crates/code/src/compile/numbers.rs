//! The numbers of a clause's variables, by the addresses of their cells.
//!
//! Few are in a list. The cells of many mostly lie near each other and in the order in which the variables occur, so their numbers are kept by
//! pages of [`CELLS`] neighbouring cells, and the page of the last one is looked at first: to look for a number touches as much memory as the
//! clause does. Used by the analysis, which gives the numbers, and by code generation.

use super::events::Var;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// So many are in a list.
const FEW: usize = 12;
/// Cells of a page.
const CELLS: u64 = 64;
/// What a page takes, with its place in the table.
pub(super) const PAGE: usize = 2 * (CELLS as usize * size_of::<Var>() + 32);
/// No number, and no page.
const NONE: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Numbers {
    few: Vec<(u64, Var)>,
    /// The pages of all, if they are more than a few: where each is, by its number.
    pages: FxHashMap<u64, u32>,
    numbers: Vec<[Var; CELLS as usize]>,
    /// A page, and where it is.
    last: Cell<Option<(u64, u32)>>,
}

/// Number of the page of a cell, and which of its cells it is.
fn place(address: u64) -> (u64, usize) {
    let cell = address / 8;
    (cell / CELLS, (cell % CELLS) as usize)
}

impl Numbers {
    #[inline]
    pub fn get(&self, address: u64) -> Option<Var> {
        if self.numbers.is_empty() {
            let found = self.few.iter().find(|&&(a, _)| a == address);
            return found.map(|&(_, v)| v);
        }
        let (page, i) = place(address);
        let at = self.page(page)?;
        Some(self.numbers[at as usize][i]).filter(|&v| v != NONE)
    }
    fn page(&self, page: u64) -> Option<u32> {
        if let Some((last, at)) = self.last.get()
            && last == page
        {
            return Some(at);
        }
        let at = self.pages.get(&page).copied()?;
        self.last.set(Some((page, at)));
        Some(at)
    }
    /// Adds a variable that has none; how many pages were made for it.
    #[inline]
    pub fn insert(&mut self, address: u64, v: Var) -> usize {
        if self.numbers.is_empty() {
            if self.few.len() < FEW {
                self.few.push((address, v));
                return 0;
            }
            let few = std::mem::take(&mut self.few);
            let pages: usize = few
                .into_iter()
                .map(|(a, v)| self.insert_in_page(a, v))
                .sum();
            return pages + self.insert_in_page(address, v);
        }
        self.insert_in_page(address, v)
    }
    fn insert_in_page(&mut self, address: u64, v: Var) -> usize {
        let (page, i) = place(address);
        let (at, made) = match self.page(page) {
            Some(at) => (at, 0),
            None => {
                let at = self.numbers.len() as u32;
                self.numbers.push([NONE; CELLS as usize]);
                self.pages.insert(page, at);
                self.last.set(Some((page, at)));
                (at, 1)
            }
        };
        self.numbers[at as usize][i] = v;
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn what_was_put_in_is_found_wherever_it_lies() {
        let mut state = 42u64;
        for n in [0, 1, FEW, FEW + 1, 3000] {
            for spread in [1 << 8, 1 << 13, 1 << 40] {
                let (mut numbers, mut model) = (Numbers::default(), HashMap::new());
                let mut pages = 0;
                for v in 0..n as Var {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                    let address = (state >> 20) % spread * 8;
                    assert_eq!(numbers.get(address), model.get(&address).copied());
                    model.entry(address).or_insert_with(|| {
                        pages += numbers.insert(address, v);
                        v
                    });
                }
                assert_eq!(pages, numbers.numbers.len());
                for address in (0..spread.min(1 << 14))
                    .map(|i| 8 * i)
                    .chain(model.keys().copied())
                {
                    assert_eq!(numbers.get(address), model.get(&address).copied());
                }
            }
        }
    }
}
