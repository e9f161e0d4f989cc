//! Structural checks of a graph: the depth and shape of every edge.

use super::{Graph, Node, NodeId};

/// Checks that every node's streams have the depths of its operation's signature, and that combined streams have the
/// same variables. An error is a fault of lowering, not of the user.
pub fn check(graph: &Graph) -> Result<(), String> {
    for (n, node) in graph.nodes.iter().enumerate() {
        let before = node.inputs.iter().all(|s| graph.stream(*s).from.0 < NodeId(n));
        if !before || !fits(graph, node) {
            let depths = |streams: &[super::StreamId]| streams.iter().map(|s| graph.depth(*s)).collect::<Vec<_>>();
            return Err(format!(
                "node {} ({:?}) has inputs of depth {:?}, outputs of depth {:?}",
                node.name,
                node.op,
                depths(&node.inputs),
                depths(&node.outputs)
            ));
        }
    }
    Ok(())
}

/// Has a node the streams of its operation?
fn fits(graph: &Graph, node: &Node) -> bool {
    let signature = node.op.signature(node.inputs.len());
    let depth = |s: &super::StreamId| graph.depth(*s) as isize;
    let first = node.inputs.first().map_or(0, depth);
    let over = |k: usize| &graph.stream(node.inputs[k]).over;
    (signature.inputs.len(), signature.outputs.len()) == (node.inputs.len(), node.outputs.len())
        && signature.outputs.iter().zip(&node.outputs).all(|(o, s)| first + o.deeper == depth(s))
        && signature.inputs.iter().enumerate().all(|(k, input)| {
            first + input.deeper == depth(&node.inputs[k]) && (!input.meets || over(k).starts_with(over(0)))
        })
}
