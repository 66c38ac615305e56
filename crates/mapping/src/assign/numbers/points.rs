//! Which places does a request give by their coordinates: `lat 48.2, lon 16.3`, `52.5200, 13.4050`, `at 120, 480`?

mod said;

use std::ops::Range;

use serde_json::{Map, Number, Value};

use crate::assign::asked::{Asked, Candidate};
use crate::assign::numbers::within;
use crate::kind::Kind;
use crate::meaning::{Meaning, Role};
use crate::words::{Break, name_words};
use said::read;

/// What one coordinate is measured along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Latitude,
    Longitude,
    X,
    Y,
}

/// Parameters that take one place together.
struct Target {
    role: Role,
    required: bool,
    takes: Takes,
}

enum Takes {
    /// Two parameters: the one along and the one across.
    Two(usize, usize),
    /// One list of two numbers, the longitude first where so told.
    List(usize, bool),
    /// One text, `lat,lng`; the longitude first where so told.
    Text(usize, bool),
}

/// A place that the request gives.
#[derive(Clone, Debug)]
struct Point {
    /// Latitude or x, and where it stands.
    first: (f64, Range<usize>),
    /// Longitude or y.
    second: (f64, Range<usize>),
    /// Whether the request says which number is which.
    named: bool,
    /// Its first word.
    at: usize,
}

/// Candidates for parameters that take places by their coordinates.
pub(crate) fn points(asked: &Asked<'_>) -> Vec<Candidate> {
    let on_earth = targets(asked, true);
    let on_screen = targets(asked, false);
    let mut candidates = Vec::new();
    for (targets, earth) in [(on_earth, true), (on_screen, false)] {
        if !targets.is_empty() {
            let points = read(asked, earth);
            candidates.extend(given(asked, &targets, &points));
        }
    }
    candidates.extend(lists_of_points(asked));
    candidates
}

/// Which axis a name tells.
fn axis(meaning: &Meaning) -> Option<Axis> {
    if !meaning.parameter.shape.number || meaning.parameter.list {
        return None;
    }
    axis_of_name(meaning.parameter.name())
}

fn axis_of_name(name: &str) -> Option<Axis> {
    let words = name_words(name);
    let bounded = words
        .iter()
        .any(|word| matches!(word.as_str(), "min" | "max" | "accuracy" | "delta" | "span"));
    if bounded {
        return None;
    }
    words.iter().find_map(|word| match word.as_str() {
        "latitude" | "lat" => Some(Axis::Latitude),
        "longitude" | "lon" | "lng" | "long" => Some(Axis::Longitude),
        "x" | "x1" | "x2" => Some(Axis::X),
        "y" | "y1" | "y2" => Some(Axis::Y),
        _ => None,
    })
}

/// The name around the axis: `start` of `startX`, `origin` of `origin.latitude`.
fn around(meaning: &Meaning) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in &meaning.parameter.path {
        for word in name_words(part) {
            match word.as_str() {
                "latitude" | "lat" | "longitude" | "lon" | "lng" | "long" | "x" | "y" => {}
                "x1" | "y1" => words.push("1".to_owned()),
                "x2" | "y2" => words.push("2".to_owned()),
                _ => words.push(word),
            }
        }
    }
    words
}

fn role_of(words: &[String]) -> Role {
    let has = |listed: &[&str]| words.iter().any(|word| listed.contains(&word.as_str()));
    if has(&[
        "from",
        "start",
        "origin",
        "source",
        "departure",
        "1",
        "begin",
        "pickup",
    ]) {
        Role::From
    } else if has(&[
        "to",
        "end",
        "destination",
        "dest",
        "target",
        "arrival",
        "2",
        "dropoff",
    ]) {
        Role::To
    } else {
        Role::Plain
    }
}

fn targets(asked: &Asked<'_>, on_earth: bool) -> Vec<Target> {
    let (along, across) = if on_earth {
        (Axis::Latitude, Axis::Longitude)
    } else {
        (Axis::X, Axis::Y)
    };
    let mut targets = Vec::new();
    for (one, first) in asked.meanings.iter().enumerate() {
        if axis(first) != Some(along) {
            continue;
        }
        let own = around(first);
        let other = asked
            .meanings
            .iter()
            .position(|second| axis(second) == Some(across) && around(second) == own);
        if let Some(other) = other {
            targets.push(Target {
                role: role_of(&own),
                required: first.is_required(),
                takes: Takes::Two(one, other),
            });
        }
    }
    if on_earth {
        targets.extend(
            asked
                .meanings
                .iter()
                .enumerate()
                .filter_map(|(at, meaning)| whole(at, meaning)),
        );
    }
    targets
}

/// A parameter that takes both numbers: `[longitude, latitude]`, or `lat,lng` as a text.
fn whole(at: usize, meaning: &Meaning) -> Option<Target> {
    let about = meaning.parameter.description.to_lowercase();
    let place = |names: &[&str]| names.iter().filter_map(|name| about.find(name)).min();
    let longitude = place(&["longitude", "lon,", "lng", "lon]", "long,"])?;
    let latitude = place(&["latitude", "lat,", "lat]", "lat "])?;
    let first = longitude < latitude;
    let near = longitude.abs_diff(latitude) <= 14;
    let listed = ["array of", "list of", "waypoints", "points", "pairs"]
        .iter()
        .any(|said| about.contains(said));
    let pair = meaning.parameter.list && meaning.parameter.shape.fields.is_empty() && about.contains('[');
    let text = meaning.parameter.shape.string && !meaning.parameter.list && about.contains(',');
    let takes = match (pair, text) {
        (true, _) => Takes::List(at, first),
        (_, true) => Takes::Text(at, first),
        _ => return None,
    };
    (near && !listed).then(|| Target {
        role: role_of(&around(meaning)),
        required: meaning.is_required(),
        takes,
    })
}

/// Which place goes where.
fn given(asked: &Asked<'_>, targets: &[Target], points: &[Point]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let mut put = |target: &Target, point: &Point| candidates.extend(filled(asked, target, point));
    let of = |role: Role| {
        let mut found = targets.iter().filter(|target| target.role == role);
        match (found.next(), found.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    };
    match (points, targets) {
        ([point], [target]) => put(target, point),
        ([point], _) => {
            let mut needed = targets.iter().filter(|target| target.required);
            let target = link(asked, point)
                .and_then(of)
                .or_else(|| match (needed.next(), needed.next()) {
                    (Some(only), None) => Some(only),
                    _ => of(Role::Plain),
                });
            if let Some(target) = target {
                put(target, point);
            }
        }
        ([first, second], _) => {
            if let (Some(from), Some(to)) = (of(Role::From), of(Role::To)) {
                let turned = link(asked, first) == Some(Role::To) && link(asked, second) == Some(Role::From);
                let (a, b) = if turned { (second, first) } else { (first, second) };
                put(from, a);
                put(to, b);
            }
        }
        _ => {}
    }
    candidates
}

fn link(asked: &Asked<'_>, point: &Point) -> Option<Role> {
    let mut place = point.at;
    for _ in 0..4 {
        place = place.checked_sub(1)?;
        let token = asked
            .token(place)
            .filter(|token| token.after == Break::None || token.after == Break::Comma)?;
        if token.is_any(&[
            "from", "von", "de", "depuis", "desde", "starting", "between", "start", "origin",
        ]) {
            return Some(Role::From);
        }
        if token.is_any(&[
            "to",
            "nach",
            "vers",
            "hasta",
            "zu",
            "into",
            "until",
            "bis",
            "destination",
        ]) {
            return Some(Role::To);
        }
        if !token.is_any(&[
            "the",
            "at",
            "point",
            "position",
            "coordinates",
            "location",
            "coordinate",
            "a",
        ]) {
            return None;
        }
    }
    None
}

fn filled(asked: &Asked<'_>, target: &Target, point: &Point) -> Vec<Candidate> {
    let number = |parameter: usize, (value, range): &(f64, Range<usize>)| {
        let meaning = asked.meanings.get(parameter)?;
        let whole = value.fract() == 0.0;
        if !within(meaning, *value) || (meaning.parameter.shape.integer && !whole) {
            return None;
        }
        Some(asked.candidate(parameter, json_number(*value)?, range.clone(), 0.96))
    };
    let both = point.first.1.start.min(point.second.1.start)..point.first.1.end.max(point.second.1.end);
    match target.takes {
        Takes::Two(one, other) => match (number(one, &point.first), number(other, &point.second)) {
            (Some(first), Some(second)) => vec![first, second],
            _ => Vec::new(),
        },
        // Two bare numbers are a latitude and a longitude to people, and the other way round to some tools.
        Takes::List(_, true) | Takes::Text(_, true) if !point.named => Vec::new(),
        Takes::List(parameter, turned) => {
            let (a, b) = ordered(point, turned);
            match (json_number(a), json_number(b)) {
                (Some(a), Some(b)) => vec![asked.candidate(parameter, Value::Array(vec![a, b]), both, 0.96)],
                _ => Vec::new(),
            }
        }
        Takes::Text(parameter, turned) => {
            let written = |(_, range): &(f64, Range<usize>)| {
                let digits = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
                let text = asked.text.get(range.clone())?;
                text.chars().all(digits).then(|| text.to_owned())
            };
            let (a, b) = if turned {
                (&point.second, &point.first)
            } else {
                (&point.first, &point.second)
            };
            match (written(a), written(b)) {
                (Some(a), Some(b)) => {
                    vec![asked.candidate(parameter, Value::String(format!("{a},{b}")), both, 0.96)]
                }
                _ => Vec::new(),
            }
        }
    }
}

fn ordered(point: &Point, turned: bool) -> (f64, f64) {
    if turned {
        (point.second.0, point.first.0)
    } else {
        (point.first.0, point.second.0)
    }
}

fn json_number(value: f64) -> Option<Value> {
    if value.fract() == 0.0 && value.abs() < 1.0e12 {
        Some(Value::Number(Number::from(value as i64)))
    } else {
        Number::from_f64(value).map(Value::Number)
    }
}

/// Several places for a list of objects, in their order.
fn lists_of_points(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        if meaning.kind != Kind::Records || !meaning.parameter.list {
            continue;
        }
        let fields = &meaning.parameter.shape.fields;
        let named = |wanted: Axis| {
            fields
                .iter()
                .find(|field| field.shape.number && axis_of_name(field.name()) == Some(wanted))
        };
        let (Some(latitude), Some(longitude)) = (named(Axis::Latitude), named(Axis::Longitude)) else {
            continue;
        };
        let needs_more = fields.iter().any(|field| {
            field.own_required && field.name() != latitude.name() && field.name() != longitude.name()
        });
        let points = read(asked, true);
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            continue;
        };
        if needs_more || points.len() < 2 {
            continue;
        }
        let values: Option<Vec<Value>> = points
            .iter()
            .map(|point| {
                let mut object = Map::new();
                object.insert(latitude.name().to_owned(), json_number(point.first.0)?);
                object.insert(longitude.name().to_owned(), json_number(point.second.0)?);
                Some(Value::Object(object))
            })
            .collect();
        let start = first.first.1.start.min(first.second.1.start);
        let end = last.first.1.end.max(last.second.1.end);
        if let Some(values) = values {
            candidates.push(asked.candidate(parameter, Value::Array(values), start..end, 0.95));
        }
    }
    candidates
}

#[cfg(test)]
mod tests;
