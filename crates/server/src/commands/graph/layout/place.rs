//! How far down does everything stand, and how far right?

use super::order::{neighbours, steps};
use super::{Line, Node, What};

/// Free space between layers, between things of a layer, and around all.
const LAYER_GAP: f64 = 52.0;
const GAP: f64 = 10.0;
const BEND_GAP: f64 = 5.0;
const MARGIN: f64 = 24.0;

/// Times everything is drawn towards its neighbours.
const ROUNDS: usize = 24;

/// Gives everything its place; the size of all of it.
pub fn place(nodes: &mut [Node], columns: &[Vec<usize>], lines: &[Line]) -> (f64, f64) {
    let steps = steps(nodes, lines);
    let (before, after) = neighbours(&steps, nodes.len());
    for column in columns {
        let apart = apart(column, nodes);
        let middle = apart.last().copied().unwrap_or_default() / 2.0;
        for (&thing, y) in column.iter().zip(apart) {
            nodes[thing].y = y - middle;
        }
    }
    for round in 0..ROUNDS {
        for step in 0..columns.len() {
            let (layer, towards) = if round % 2 == 0 {
                (step, &before)
            } else {
                (columns.len() - 1 - step, &after)
            };
            settle(&columns[layer], nodes, towards);
        }
    }
    close_up(nodes, columns, &steps);
    let top = nodes
        .iter()
        .map(|node| node.y - node.height / 2.0)
        .fold(f64::MAX, f64::min);
    for node in nodes.iter_mut() {
        node.y += MARGIN - top;
    }
    let width = columns.iter().fold(MARGIN, |x, column| {
        let widest = column.iter().map(|&thing| nodes[thing].width).fold(0.0, f64::max);
        for &thing in column {
            let node = &mut nodes[thing];
            // Tools begin together; ids, which are small, stand in the middle; lines pass all of the layer.
            node.x = match node.what {
                What::Id(_) => x + (widest - node.width) / 2.0,
                What::Tool(_) | What::Bend => x,
            };
            node.within = (x, x + widest);
            if node.what == What::Bend {
                node.width = widest;
            }
        }
        x + widest + LAYER_GAP
    });
    let bottom = nodes
        .iter()
        .map(|node| node.y + node.height / 2.0)
        .fold(0.0, f64::max);
    (width - LAYER_GAP + MARGIN, bottom + MARGIN)
}

/// How far below the first thing of a layer each of them stands at least.
fn apart(column: &[usize], nodes: &[Node]) -> Vec<f64> {
    let mut y = 0.0;
    let mut apart = Vec::with_capacity(column.len());
    for (nth, &thing) in column.iter().enumerate() {
        if let Some(&above) = nth.checked_sub(1).and_then(|above| column.get(above)) {
            let (above, here) = (&nodes[above], &nodes[thing]);
            let bends = above.what == What::Bend && here.what == What::Bend;
            y += (above.height + here.height) / 2.0 + if bends { BEND_GAP } else { GAP };
        }
        apart.push(y);
    }
    apart
}

/// Moves the things of one layer as near as they can get to the middle of their neighbours, in their order and apart from
/// each other: the sum of squared distances is smallest. (Isotonic regression by pooling adjacent violators.)
fn settle(column: &[usize], nodes: &mut [Node], towards: &[Vec<usize>]) {
    let apart = apart(column, nodes);
    let wished = column.iter().zip(&apart).map(|(&thing, apart)| {
        let near = &towards[thing];
        let sum: f64 = near.iter().map(|&near| nodes[near].y).sum();
        let wish = if near.is_empty() {
            nodes[thing].y
        } else {
            sum / near.len() as f64
        };
        wish - apart
    });
    // Each pool is a mean, and how many it stands for.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for wish in wished {
        let mut pool = (wish, 1);
        while let Some(&(mean, count)) = pools.last().filter(|(mean, _)| *mean > pool.0) {
            let total = count + pool.1;
            pool = (
                (mean * count as f64 + pool.0 * pool.1 as f64) / total as f64,
                total,
            );
            pools.pop();
        }
        pools.push(pool);
    }
    let settled = pools
        .into_iter()
        .flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    for ((&thing, apart), settled) in column.iter().zip(apart).zip(settled.collect::<Vec<f64>>()) {
        nodes[thing].y = settled + apart;
    }
}

/// Moves what hangs together up as one, as far as nothing else is in its way: what nothing ties to the rest would stand
/// far off.
fn close_up(nodes: &mut [Node], columns: &[Vec<usize>], steps: &[(usize, usize)]) {
    let group = groups(nodes.len(), steps);
    let apart: Vec<Vec<f64>> = columns.iter().map(|column| apart(column, nodes)).collect();
    let mut tops = vec![f64::MAX; nodes.len()];
    for (node, &group) in nodes.iter().zip(&group) {
        tops[group] = tops[group].min(node.y - node.height / 2.0);
    }
    let mut order: Vec<usize> = (0..nodes.len()).filter(|&thing| group[thing] == thing).collect();
    order.sort_by(|&a, &b| tops[a].total_cmp(&tops[b]).then(a.cmp(&b)));
    let top = order.first().map_or(0.0, |&first| tops[first]);
    let mut members = vec![Vec::new(); nodes.len()];
    for (column, apart) in columns.iter().zip(&apart) {
        for (nth, &thing) in column.iter().enumerate() {
            let above = nth
                .checked_sub(1)
                .map(|above| (column[above], apart[nth] - apart[above]));
            members[group[thing]].push((thing, above));
        }
    }
    for group_of in order {
        let room = members[group_of]
            .iter()
            .filter_map(|&(thing, above)| match above {
                Some((above, _)) if group[above] == group_of => None,
                Some((above, least)) => Some(nodes[thing].y - nodes[above].y - least),
                None => Some(nodes[thing].y - nodes[thing].height / 2.0 - top),
            });
        let room = room.fold(f64::MAX, f64::min);
        for &(thing, _) in &members[group_of] {
            nodes[thing].y -= room;
        }
    }
}

/// For each thing the number of one that it hangs together with: the same for all that do.
fn groups(count: usize, steps: &[(usize, usize)]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..count).collect();
    let find = |group: &mut Vec<usize>, mut thing: usize| {
        while group[thing] != thing {
            group[thing] = group[group[thing]];
            thing = group[thing];
        }
        thing
    };
    for &(from, to) in steps {
        let (a, b) = (find(&mut group, from), find(&mut group, to));
        group[a.max(b)] = a.min(b);
    }
    for thing in 0..count {
        group[thing] = find(&mut group, thing);
    }
    group
}
