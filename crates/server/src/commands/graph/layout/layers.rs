//! In which layer does each thing stand? Right of everything that leads to it, where lines make no circle.

/// The layer of each of `count` things, from the left.
pub fn of(lines: &[(usize, usize)], count: usize) -> Vec<usize> {
    let mut next = vec![Vec::new(); count];
    let mut leads_in = vec![0_usize; count];
    for &(from, to) in lines {
        next[from].push(to);
        leads_in[to] += 1;
    }
    let order = order(&next, &leads_in);
    let place = places(&order);
    let is_forward = |from: usize, to: usize| place[from] < place[to];
    let mut layer = vec![0_usize; count];
    for &from in &order {
        for &to in next[from].iter().filter(|&&to| is_forward(from, to)) {
            layer[to] = layer[to].max(layer[from] + 1);
        }
    }
    // What nothing leads to stands close to what it leads to, and so does what only such things lead to.
    let is_root = |thing: usize| leads_in[thing] == 0;
    let mut is_loose = vec![true; count];
    for &(from, to) in lines {
        is_loose[to] &= is_root(from);
    }
    for roots in [false, true] {
        for from in (0..count).filter(|&from| is_loose[from] && is_root(from) == roots) {
            let ahead = next[from].iter().filter(|&&to| is_forward(from, to));
            if let Some(nearest) = ahead.map(|&to| layer[to]).min() {
                layer[from] = nearest.saturating_sub(1);
            }
        }
    }
    layer
}

/// Things such that as many lines as possible lead forward: depth first, from what nothing leads to.
fn order(next: &[Vec<usize>], leads_in: &[usize]) -> Vec<usize> {
    let mut roots: Vec<usize> = (0..next.len()).collect();
    roots.sort_by_key(|&thing| (leads_in[thing], usize::MAX - next[thing].len(), thing));
    let mut seen = vec![false; next.len()];
    let mut done = Vec::with_capacity(next.len());
    for root in roots {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        // Each step is a thing with how many of its lines were followed.
        let mut path = vec![(root, 0)];
        while let Some((thing, followed)) = path.last_mut() {
            match next[*thing].get(*followed) {
                Some(&to) => {
                    *followed += 1;
                    if !std::mem::replace(&mut seen[to], true) {
                        path.push((to, 0));
                    }
                }
                None => {
                    done.push(*thing);
                    path.pop();
                }
            }
        }
    }
    done.reverse();
    done
}

fn places(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, &thing) in order.iter().enumerate() {
        places[thing] = place;
    }
    places
}
