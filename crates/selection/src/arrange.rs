//! In which order are fitting tools shown? The best first, each thing the task asks for before more of the same.

/// A tool that may be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// Position in the catalog.
    pub position: usize,
    /// The probability that it serves the task or a part of it, whatever the context.
    pub fit: f32,
    /// By reading (the whole task, then its clauses): the probability that it serves that one, in its context.
    pub fits: Vec<f32>,
    /// The reading it serves best.
    pub reading: usize,
    /// The task gives its exact name.
    pub named: bool,
}

impl Contender {
    /// A tool of which nothing is known yet.
    pub fn new(position: usize, readings: usize) -> Self {
        Self {
            position,
            fit: 0.0,
            fits: vec![0.0; readings],
            reading: 0,
            named: false,
        }
    }

    /// The probability that it serves the task or a part of it.
    pub fn score(&self) -> f32 {
        self.fits.iter().copied().fold(0.0, f32::max)
    }
}

/// What the whole task counts beside each of its clauses.
const WHOLE_WEIGHT: f32 = 0.5;

/// The best `limit` in the order they are shown.
///
/// The surest comes first. After it greedy cover: the next tool is the one that adds most to the probability that
/// every reading of the task is served, given those before it. With one reading that is the order of the scores.
pub fn arrange(mut contenders: Vec<Contender>, limit: usize) -> Vec<Contender> {
    contenders.sort_by(|a, b| {
        let named = b.named.cmp(&a.named);
        named
            .then(b.score().total_cmp(&a.score()))
            .then(a.position.cmp(&b.position))
    });
    let readings = contenders.first().map_or(0, |contender| contender.fits.len());
    if readings <= 1 {
        contenders.truncate(limit);
        return contenders;
    }
    let mut unserved = vec![1.0_f32; readings];
    let mut arranged: Vec<Contender> = Vec::new();
    while arranged.len() < limit && !contenders.is_empty() {
        let next = if arranged.is_empty() {
            0
        } else {
            most_added(&contenders, &unserved)
        };
        let chosen = contenders.remove(next);
        for (open, fit) in unserved.iter_mut().zip(&chosen.fits) {
            *open *= 1.0 - fit;
        }
        arranged.push(chosen);
    }
    arranged
}

/// The place of the tool that adds most to what is served; of equals the first.
fn most_added(contenders: &[Contender], unserved: &[f32]) -> usize {
    let added = |contender: &Contender| -> f32 {
        let parts = contender.fits.iter().zip(unserved).enumerate();
        parts
            .map(|(number, (fit, open))| {
                if number == 0 {
                    WHOLE_WEIGHT * fit * open
                } else {
                    fit * open
                }
            })
            .sum()
    };
    let mut best = 0;
    let mut most = (false, f32::NEG_INFINITY);
    for (place, contender) in contenders.iter().enumerate() {
        let this = (contender.named, added(contender));
        if this > most {
            (best, most) = (place, this);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fits: &[&[f32]], limit: usize, expected: &[usize]) {
        let contenders = fits.iter().enumerate().map(|(position, fits)| Contender {
            fits: fits.to_vec(),
            ..Contender::new(position, fits.len())
        });
        let order: Vec<usize> = arrange(contenders.collect(), limit)
            .iter()
            .map(|tool| tool.position)
            .collect();
        assert_eq!(order, expected);
    }

    #[test]
    fn one_thing_is_ordered_by_probability() {
        check(&[&[0.2], &[0.9], &[0.2], &[0.5]], 9, &[1, 3, 0, 2]);
        check(&[], 5, &[]);
        check(&[&[0.2], &[0.9]], 0, &[]);
    }

    /// The look-alikes of one clause do not fill the list before the other clause has its tool.
    #[test]
    fn every_clause_is_served_before_more_of_the_same() {
        let alike: [&[f32]; 5] = [
            &[0.5, 0.9, 0.0],
            &[0.5, 0.8, 0.0],
            &[0.5, 0.8, 0.0],
            &[0.1, 0.0, 0.4],
            &[0.1, 0.0, 0.3],
        ];
        check(&alike, 3, &[0, 3, 4]);
    }
}
