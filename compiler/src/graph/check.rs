//! Structural checks of a graph: every edge's depth and shape.

use super::{Graph, NodeId, Op, StreamId};

/// Checks that every node's streams have the depths its primitive wants and that streams
/// that meet range over the same variables. An error is a fault of lowering, not of the user.
pub fn check(graph: &Graph) -> Result<(), String> {
    for (n, node) in graph.nodes.iter().enumerate() {
        let depth = |s: &StreamId| graph.depth(*s);
        let d: Vec<usize> = node.inputs.iter().map(depth).collect();
        let o: Vec<usize> = node.outputs.iter().map(depth).collect();
        let over = |k: usize| &graph.stream(node.inputs[k]).over;
        let ok = match &node.op {
            Op::Root => d.is_empty() && o == [0],
            Op::Scan(..) | Op::ScanGroup(..) | Op::ScanPart(..) | Op::Broadcast(_) => {
                d.len() == 1 && o == [d[0] + 1, d[0] + 1]
            }
            Op::Repeat => d.len() == 2 && d[1] == d[0] + 1 && o == [d[1]] && over(1).starts_with(over(0)),
            Op::Join { keep, .. } => {
                d.len() == 2 * keep.len() && o.len() == keep.len() + 1 && (0..d.len()).all(|k| over(k) == over(0))
            }
            Op::Locate(..) | Op::Place(..) => d.len() == 2 && d[0] == d[1] && o == [d[0]] && over(0) == over(1),
            Op::Slice(_) | Op::Unpack(_) => d.len() == 2 && o == d && over(0) == over(1),
            Op::Pack(..) => o == d && (0..d.len()).all(|k| over(k) == over(0)),
            Op::Single => d.len() == 1 && o == [d[0] + 1],
            Op::Array(_) | Op::Tiles(..) | Op::Constant(..) | Op::Within(_) => d.len() == 1 && o == d,
            Op::Alu { .. } => (0..d.len()).all(|k| over(k) == over(0)) && o == [d[0]],
            Op::Reduce { kept, .. } => {
                d.len() == kept + 1
                    && o.len() == d.len()
                    && (0..=*kept).all(|k| o[k] + 1 == d[k])
                    && d[*kept] == d[kept.saturating_sub(1)]
            }
            Op::Collapse(_) => d.len() == 3 && d[1] == d[0] + 1 && d[2] == d[1] && o == [d[0], d[0]],
            Op::Divide(_) => d.len() == 2 && d[0] == d[1] && o == [d[0], d[0] + 1, d[0] + 1],
            Op::Exit(_) => d.len() == 1 && o == d,
            Op::Zip => d.len() == 2 && d[0] == d[1] && o == d,
            Op::Drop { list, .. } => d.len() == 2 && d[1] == d[0] + usize::from(*list) && o == d,
            Op::WriteLevel { chain, seg_height, .. } => {
                d.len() == 1 + usize::from(*chain > 0) && (*chain == 0 || d[1] + usize::from(*seg_height) == d[0])
            }
            Op::Deal { copies, split, .. } => {
                let parts = *copies as usize * d.len();
                let deeper = usize::from(*split);
                (0..d.len()).all(|k| over(k) == over(0))
                    && o.len() == parts + deeper
                    && o[..parts].iter().all(|x| *x == d[0] + deeper)
                    && o[parts..].iter().all(|x| *x == d[0])
            }
            Op::Stitch { next, prev, .. } => {
                let pairs = |more: &bool| 2 + 2 * usize::from(*more);
                (d.len(), o.len()) == (pairs(next), pairs(prev))
                    && (0..d.len()).all(|k| over(k) == over(0))
                    && o.iter().all(|x| *x == d[0])
            }
            Op::Serialize { height } => {
                let h = usize::from(*height);
                o.len() == 1 && o[0] == d[0] + h && d[1..].iter().all(|x| *x == d[0] + h + 1)
            }
            Op::WriteValues { chain, .. } => d.len() == 1 + usize::from(*chain > 0) && (*chain == 0 || d[1] == d[0]),
        };
        let before = node.inputs.iter().all(|s| graph.stream(*s).from.0 < NodeId(n));
        if !ok || !before {
            return Err(format!(
                "node {} ({:?}) has inputs of depth {d:?}, outputs of depth {o:?}",
                node.name, node.op
            ));
        }
    }
    Ok(())
}
