//! Layers: every node is below its producers, and as close to its neighbours as possible.

use super::Link;

/// Layer of each node.
pub(super) fn ranks(nodes: usize, links: &[Link]) -> Vec<usize> {
    let mut rank = vec![0; nodes];
    for n in 0..nodes {
        rank[n] = lowest(&rank, links, n);
    }
    // Moving a node down shortens its outputs and lengthens its inputs. Every round is a
    // better or equal drawing; a few settle.
    for _ in 0..nodes.min(20) {
        let before = rank.clone();
        for n in (0..nodes).rev() {
            let next = links.iter().filter(|l| l.from == n).map(|l| rank[l.to]).min();
            let mut outs: Vec<usize> = links.iter().filter(|l| l.from == n).map(|l| l.out).collect();
            outs.sort_unstable();
            outs.dedup();
            let ins = links.iter().filter(|l| l.to == n).count();
            rank[n] = match next {
                Some(next) if outs.len() >= ins => next - 1,
                _ => lowest(&rank, links, n),
            };
        }
        if rank == before {
            break;
        }
    }
    let first = rank.iter().min().copied().unwrap_or(0);
    rank.iter().map(|r| r - first).collect()
}

/// The first layer below everything that `n` reads.
fn lowest(rank: &[usize], links: &[Link], n: usize) -> usize {
    links.iter().filter(|l| l.to == n).map(|l| rank[l.from] + 1).max().unwrap_or(0)
}
