//! The graphs of the Path benchmarks, with the number of answers each gives for
//! `path(X, Y)` with both arguments free.  The sizes are those of "A memory
//! allocator for multithreaded tabling" (the Yap table space paper); its Pyramid
//! is read as two chains with rungs, which gives the published counts.

use std::io::{self, Write};

#[derive(Clone, Copy, Debug)]
pub enum Graph {
    /// A complete binary tree of 17 levels, edges from parent to child.
    BTree,
    /// Two parallel chains of 1500 nodes, with a rung from one to the other.
    Pyramid,
    /// A ring of 2000 nodes.
    Cycle,
    /// 35 x 35 nodes, edges both ways between neighbours.
    Grid,
    /// 2000 nodes with five edges each, at random but always the same.
    Random,
    /// A ring of 2000 nodes, each of which has edges from and to the first one.
    Hub,
}

impl Graph {
    pub const ALL: [Self; 6] = [
        Self::BTree,
        Self::Pyramid,
        Self::Cycle,
        Self::Grid,
        Self::Random,
        Self::Hub,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::BTree => "btree",
            Self::Pyramid => "pyramid",
            Self::Cycle => "cycle",
            Self::Grid => "grid",
            Self::Random => "random",
            Self::Hub => "hub",
        }
    }

    pub fn answers(self) -> u64 {
        match self {
            Self::BTree => 1_966_082,
            Self::Pyramid => 3_374_250,
            Self::Cycle => 4_000_000,
            Self::Grid => 1_500_625,
            Self::Random => 3_978_000,
            Self::Hub => 4_000_000,
        }
    }

    /// Calls `edge` for every edge, in the order of the facts.
    fn each_edge<E>(self, mut edge: impl FnMut(u32, u32) -> Result<(), E>) -> Result<(), E> {
        match self {
            Self::BTree => {
                for i in 1..=65_535 {
                    edge(i, 2 * i)?;
                    edge(i, 2 * i + 1)?;
                }
            }
            Self::Pyramid => {
                for i in 1..=1500 {
                    edge(2 * i - 1, 2 * i)?;
                }
                for i in 1..=1499 {
                    edge(2 * i - 1, 2 * i + 1)?;
                    edge(2 * i, 2 * i + 2)?;
                }
            }
            Self::Cycle => {
                for i in 1..2000 {
                    edge(i, i + 1)?;
                }
                edge(2000, 1)?;
            }
            Self::Random => {
                let mut state: u64 = 1;
                for i in 0..10_000 {
                    // (Knuth's multiplier for a linear congruential generator.)
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    edge(i % 2000 + 1, (state >> 33) as u32 % 2000 + 1)?;
                }
            }
            Self::Hub => {
                for i in 1..2000 {
                    edge(i, i + 1)?;
                    edge(i + 1, 1)?;
                    edge(1, i + 1)?;
                }
            }
            Self::Grid => {
                const SIDE: u32 = 35;
                let node = |row, column| row * SIDE + column + 1;
                for row in 0..SIDE {
                    for column in 0..SIDE {
                        let here = node(row, column);
                        if column + 1 < SIDE {
                            edge(here, node(row, column + 1))?;
                            edge(node(row, column + 1), here)?;
                        }
                        if row + 1 < SIDE {
                            edge(here, node(row + 1, column))?;
                            edge(node(row + 1, column), here)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the facts `edge/2`.
    pub fn write_facts(self, out: &mut impl Write) -> io::Result<()> {
        self.each_edge(|from, to| writeln!(out, "edge({from}, {to})."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Pairs in the transitive closure, by a search from every node.
    fn closure(graph: Graph) -> u64 {
        let mut next: Vec<Vec<u32>> = Vec::new();
        let Ok(()) = graph.each_edge(|from, to| {
            let needed = from.max(to) as usize + 1;
            if next.len() < needed {
                next.resize(needed, Vec::new());
            }
            next[from as usize].push(to);
            Ok::<(), Infallible>(())
        });
        let mut seen_from = vec![0u32; next.len()];
        let mut stack = Vec::new();
        let mut pairs = 0;
        for start in 1..next.len() {
            stack.push(start);
            while let Some(node) = stack.pop() {
                for &to in &next[node] {
                    let to = to as usize;
                    if seen_from[to] != start as u32 {
                        seen_from[to] = start as u32;
                        pairs += 1;
                        stack.push(to);
                    }
                }
            }
        }
        pairs
    }

    #[test]
    fn every_graph_has_the_published_closure() {
        for graph in Graph::ALL {
            assert_eq!(closure(graph), graph.answers(), "{graph:?}");
        }
    }
}
