//! In which order do the things of a layer stand, so that few lines cross?

use super::{Line, Node};

/// Times every layer is ordered by its neighbours.
const ROUNDS: usize = 12;

/// The things of each layer, by number.
pub fn columns(nodes: &[Node], lines: &[Line]) -> Vec<Vec<usize>> {
    let count = nodes.iter().map(|node| node.layer + 1).max().unwrap_or_default();
    let mut columns = vec![Vec::new(); count];
    let mut seen = vec![false; nodes.len()];
    // In the order lines come by, what belongs together begins together.
    let passed = lines.iter().flat_map(|line| line.through.iter().copied());
    for thing in passed.chain(0..nodes.len()) {
        if !std::mem::replace(&mut seen[thing], true) {
            columns[nodes[thing].layer].push(thing);
        }
    }
    columns
}

/// Orders every layer by where its neighbours stand, and keeps the order with the fewest crossings.
pub fn uncross(columns: &mut Vec<Vec<usize>>, nodes: &[Node], lines: &[Line]) {
    let steps = steps(nodes, lines);
    let (before, after) = neighbours(&steps, nodes.len());
    let mut best = (crossings(columns, &steps, nodes), columns.clone());
    for round in 0..ROUNDS {
        let count = columns.len();
        for step in 0..count {
            let (layer, towards) = if round % 2 == 0 {
                (step, &before)
            } else {
                (count - 1 - step, &after)
            };
            let place = places(columns, nodes.len());
            let mut ranked: Vec<(f64, usize)> = columns[layer]
                .iter()
                .map(|&thing| (mean(&towards[thing], &place).unwrap_or(place[thing]), thing))
                .collect();
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
            columns[layer] = ranked.into_iter().map(|(_, thing)| thing).collect();
        }
        let crossed = crossings(columns, &steps, nodes);
        if crossed < best.0 {
            best = (crossed, columns.clone());
        }
    }
    *columns = best.1;
}

/// Lines cut into steps from one layer to the next, each once. What leads back is no step: it crosses everything.
pub fn steps(nodes: &[Node], lines: &[Line]) -> Vec<(usize, usize)> {
    let pairs = lines.iter().flat_map(|line| line.through.windows(2));
    let mut steps: Vec<(usize, usize)> = pairs
        .map(|pair| (pair[0], pair[1]))
        .filter(|&(from, to)| nodes[from].layer + 1 == nodes[to].layer)
        .collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}

/// For each thing what leads to it, and what it leads to.
pub fn neighbours(steps: &[(usize, usize)], count: usize) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let mut before = vec![Vec::new(); count];
    let mut after = vec![Vec::new(); count];
    for &(from, to) in steps {
        before[to].push(from);
        after[from].push(to);
    }
    (before, after)
}

/// Where each thing stands in its layer, from 0 to 1 so that layers of all lengths compare.
fn places(columns: &[Vec<usize>], count: usize) -> Vec<f64> {
    let mut places = vec![0.0; count];
    for column in columns {
        for (place, &thing) in column.iter().enumerate() {
            places[thing] = (place as f64 + 0.5) / column.len() as f64;
        }
    }
    places
}

fn mean(things: &[usize], place: &[f64]) -> Option<f64> {
    let sum: f64 = things.iter().map(|&thing| place[thing]).sum();
    (!things.is_empty()).then(|| sum / things.len() as f64)
}

/// How many pairs of steps cross.
fn crossings(columns: &[Vec<usize>], steps: &[(usize, usize)], nodes: &[Node]) -> usize {
    let mut place = vec![0; nodes.len()];
    for column in columns {
        for (nth, &thing) in column.iter().enumerate() {
            place[thing] = nth;
        }
    }
    let mut by_layer = vec![Vec::new(); columns.len()];
    for &(from, to) in steps {
        by_layer[nodes[from].layer].push((place[from], place[to]));
    }
    by_layer.into_iter().map(inversions).sum()
}

/// Pairs that are in order on the left and out of order on the right, counted by a tree of sums.
fn inversions(mut steps: Vec<(usize, usize)>) -> usize {
    steps.sort_unstable();
    let size = steps.iter().map(|step| step.1 + 1).max().unwrap_or_default();
    let mut sums = vec![0_usize; size + 1];
    let mut crossed = 0;
    for (so_far, &(_, right)) in steps.iter().enumerate() {
        let mut not_above = 0;
        let mut place = right + 1;
        while place > 0 {
            not_above += sums[place];
            place &= place - 1;
        }
        crossed += so_far - not_above;
        let mut place = right + 1;
        while place <= size {
            sums[place] += 1;
            place += place & place.wrapping_neg();
        }
    }
    crossed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_those_of_a_naive_count() {
        let steps = vec![(0, 3), (0, 1), (1, 0), (2, 2), (2, 0), (3, 1), (3, 3)];
        let naive = steps.iter().flat_map(|a| steps.iter().map(move |b| (a, b)));
        let naive = naive.filter(|(a, b)| a.0 < b.0 && a.1 > b.1).count();
        assert_eq!(inversions(steps), naive);
    }
}
