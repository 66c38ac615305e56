//! Which places stand in a text, and which of two numbers is which?

use std::ops::Range;

use super::{Axis, Point};
use crate::assign::asked::Asked;
use crate::words::{Break, Token};

/// A number that stands in a word, with the axis that is said with it.
struct Coordinate {
    number: f64,
    range: Range<usize>,
    axis: Option<Axis>,
    /// The first word that belongs to it.
    at: usize,
    /// Behind its last word.
    end: usize,
    /// What ends behind it.
    after: Break,
    written: String,
    /// Whether its name only is the last of an order that is told in front of it: `lon, lat: 4.89, 52.37`.
    axis_is_of_order: bool,
}

/// All places of a text.
pub(super) fn read(asked: &Asked<'_>, on_earth: bool) -> Vec<Point> {
    let coordinates = coordinates(asked, on_earth);
    let told = if on_earth { orders(asked) } else { Vec::new() };
    let order = match told.as_slice() {
        [] => None,
        [one, rest @ ..] if rest.iter().all(|other| other == one) => Some(*one),
        // Said both ways round: which number is which is not known.
        _ => return Vec::new(),
    };
    let mut points: Vec<Point> = Vec::new();
    let mut at = 0;
    while let (Some(one), Some(other)) = (coordinates.get(at), coordinates.get(at + 1)) {
        let previous = at.checked_sub(1).and_then(|before| coordinates.get(before));
        let point = together(asked, one, other, on_earth, order).filter(|point| {
            let next = coordinates.get(at + 2);
            // A row of more numbers is none of places.
            let row = |a: &Coordinate, b: &Coordinate| a.end == b.at && a.after == Break::Comma;
            point.named
                || (next.is_none_or(|next| !row(other, next))
                    && previous.is_none_or(|previous| !row(previous, one)))
        });
        match point {
            Some(point) => {
                points.push(point);
                at += 2;
            }
            None => at += 1,
        }
    }
    points
}

/// In which order the request says that it gives its numbers: `(lng,lat)`, `as lon/lat`, `longitude first`.
/// Whether the longitude goes first, for each place where that is told.
fn orders(asked: &Asked<'_>) -> Vec<bool> {
    let axis = |word: &str| match axis_said(word, true) {
        Some(Axis::Latitude) => Some(false),
        Some(Axis::Longitude) => Some(true),
        _ => None,
    };
    let plain = |token: &Token<'_>| axis(token.fold.trim_end_matches('s')).or_else(|| axis(&token.fold));
    let is = |at: usize, words: &[&str]| asked.token(at).is_some_and(|token| token.is_any(words));
    let mut told = Vec::new();
    for (at, token) in asked.tokens.iter().enumerate() {
        if asked.is_opaque(&token.range) {
            continue;
        }
        let parts: Vec<&str> = token
            .fold
            .split([',', '/', '-', ';', '|'])
            .filter(|part| !part.is_empty())
            .collect();
        let joined = match parts.as_slice() {
            [one, other] => axis(one).zip(axis(other)),
            [one] => match *one {
                "lnglat" | "lonlat" | "longlat" => Some((true, false)),
                "latlng" | "latlon" | "latlong" => Some((false, true)),
                _ => None,
            },
            _ => None,
        };
        if let Some((one, other)) = joined.filter(|(one, other)| one != other) {
            told.push(one && !other);
            continue;
        }
        let Some(own) = plain(token) else { continue };
        if is(at + 1, &["first", "zuerst", "primero"]) || is(at + 1, &["before", "vor"]) {
            told.push(own);
        } else if is(at + 1, &["last", "second"]) {
            told.push(!own);
        } else {
            // `longitude, latitude` and no numbers with them.
            let and = usize::from(is(at + 1, &["and", "then", "und", "et", "y"]));
            let next = asked.token(at + 1 + and).filter(|_| token.after <= Break::Comma);
            let other = next.and_then(plain).filter(|other| *other != own);
            let numbered = asked
                .token(at + 2 + and)
                .filter(|_| next.is_some_and(|next| matches!(next.after, Break::None | Break::Colon)))
                .is_some_and(|token| token.fold.starts_with(|c: char| c.is_ascii_digit() || c == '-'));
            if other.is_some() && (!numbered || next.is_some_and(|next| next.after == Break::Colon)) {
                told.push(own);
            }
        }
    }
    told
}

fn together(
    asked: &Asked<'_>,
    one: &Coordinate,
    other: &Coordinate,
    on_earth: bool,
    order: Option<bool>,
) -> Option<Point> {
    let linked = one.end == other.at
        || (one.end + 1 == other.at
            && asked.token(one.end).is_some_and(|token| {
                token.is_any(&["and", "und", "et", "y", "by", "/"]) && one.axis.is_some()
            }));
    if !linked || one.after > Break::Comma {
        return None;
    }
    let (along, across) = if on_earth {
        (Axis::Latitude, Axis::Longitude)
    } else {
        (Axis::X, Axis::Y)
    };
    let named = match (one.axis, other.axis) {
        (Some(a), Some(b)) if a == along && b == across => Some(false),
        (Some(a), Some(b)) if a == across && b == along => Some(true),
        (None, None) => order,
        // `longitude, latitude: 4.89, 52.37` names the numbers in that order, and not the first of them.
        (Some(_), None) if order.is_some() && one.axis_is_of_order => order,
        _ => return None,
    };
    let bare = named.is_none() || (one.axis.is_none() && other.axis.is_none());
    if bare {
        // Two bare numbers are a place only side by side.
        let decimal = |coordinate: &Coordinate| coordinate.written.contains('.');
        if one.after != Break::Comma || (on_earth && !(decimal(one) && decimal(other))) {
            return None;
        }
    }
    let turned = named.unwrap_or(on_earth && one.number.abs() > 90.0);
    let (first, second) = if turned { (other, one) } else { (one, other) };
    let possible = if on_earth {
        first.number.abs() <= 90.0 && second.number.abs() <= 180.0
    } else {
        first.number >= 0.0 && second.number >= 0.0
    };
    possible.then(|| Point {
        first: (first.number, first.range.clone()),
        second: (second.number, second.range.clone()),
        named: named.is_some(),
        at: one.at,
    })
}

/// The numbers of a text that may be coordinates, in order.
fn coordinates(asked: &Asked<'_>, on_earth: bool) -> Vec<Coordinate> {
    let mut found: Vec<Coordinate> = Vec::new();
    for (at, token) in asked.tokens.iter().enumerate() {
        if asked.is_opaque(&token.range) {
            continue;
        }
        // `52.52,13.40` in one word; `lat=52.52`.
        let mut from = 0;
        let pieces: Vec<&str> = token.text.split_inclusive([',', ';']).collect();
        let count = pieces.len();
        let mut here = Vec::new();
        for (nth, piece) in pieces.iter().enumerate() {
            let start = token.range.start + from;
            from += piece.len();
            let bare = piece.trim_end_matches([',', ';']);
            let Some((axis, number, offset, length)) = number_in(bare, on_earth) else {
                here.clear();
                break;
            };
            let last = nth + 1 == count;
            here.push(Coordinate {
                number,
                range: start + offset..start + offset + length,
                axis,
                at,
                end: if last { at + 1 } else { at },
                after: if last { token.after } else { Break::Comma },
                written: bare.get(offset..offset + length).unwrap_or_default().to_owned(),
                axis_is_of_order: false,
            });
        }
        found.extend(here);
    }
    for coordinate in &mut found {
        side_behind(asked, coordinate, on_earth);
        name_before(asked, coordinate, on_earth);
    }
    found
}

/// `lat=52.52`, `52.52°N`, `-3.7`, `x:120`: an axis if said, the number, and where it stands in the word.
fn number_in(word: &str, on_earth: bool) -> Option<(Option<Axis>, f64, usize, usize)> {
    let (name, rest) = match word.find(['=', ':']) {
        Some(sign) => (word.get(..sign), word.get(sign + 1..)?),
        None => (None, word),
    };
    let axis = match name {
        Some(name) => Some(axis_said(name, on_earth)?),
        None => None,
    };
    let offset = word.len() - rest.len();
    let length = rest
        .char_indices()
        .take_while(|(_, c)| c.is_ascii_digit() || matches!(c, '.' | '-' | '−' | '+'))
        .map(|(at, c)| at + c.len_utf8())
        .last()?;
    let digits = rest.get(..length)?;
    let number: f64 = digits.replace('−', "-").parse().ok()?;
    let tail = rest.get(length..)?.trim_start_matches('°');
    let (axis, number) = match tail {
        "" | "px" => (axis, number),
        side if on_earth => {
            let (axis, sign) = compass(side)?;
            (Some(axis), number * sign)
        }
        _ => return None,
    };
    Some((axis, number, offset, length))
}

fn compass(side: &str) -> Option<(Axis, f64)> {
    match side {
        "N" => Some((Axis::Latitude, 1.0)),
        "S" => Some((Axis::Latitude, -1.0)),
        "E" => Some((Axis::Longitude, 1.0)),
        "W" => Some((Axis::Longitude, -1.0)),
        _ => None,
    }
}

/// The letter behind a number: `48.2 N`.
fn side_behind(asked: &Asked<'_>, coordinate: &mut Coordinate, on_earth: bool) {
    if !on_earth || coordinate.after != Break::None || coordinate.axis.is_some() {
        return;
    }
    if let Some(token) = asked.token(coordinate.end)
        && let Some((axis, sign)) = compass(token.text)
    {
        coordinate.axis = Some(axis);
        coordinate.number *= sign;
        coordinate.end += 1;
        coordinate.after = token.after;
    }
}

/// The name in front of a number: `latitude of 48.2`, `x 120`.
fn name_before(asked: &Asked<'_>, coordinate: &mut Coordinate, on_earth: bool) {
    if coordinate.axis.is_some() {
        return;
    }
    let mut place = coordinate.at;
    for _ in 0..3 {
        let Some(before) = place.checked_sub(1) else {
            return;
        };
        let Some(token) = asked
            .token(before)
            .filter(|token| matches!(token.after, Break::None | Break::Colon))
        else {
            return;
        };
        place = before;
        if let Some(axis) = axis_said(&token.fold, on_earth) {
            coordinate.axis = Some(axis);
            coordinate.at = place;
            coordinate.axis_is_of_order = place
                .checked_sub(1)
                .and_then(|before| asked.token(before))
                .is_some_and(|before| axis_said(&before.fold, on_earth).is_some_and(|other| other != axis));
            return;
        }
        if !token.is_any(&["of", "is", "=", "at", "von", "de", "coordinate", "position"]) {
            return;
        }
    }
}

fn axis_said(word: &str, on_earth: bool) -> Option<Axis> {
    let axis = match word.to_lowercase().as_str() {
        "latitude" | "lat" | "latitud" | "breitengrad" | "breite" => Axis::Latitude,
        "longitude" | "lon" | "lng" | "long" | "longitud" | "langengrad" | "lange" => Axis::Longitude,
        "x" => Axis::X,
        "y" => Axis::Y,
        _ => return None,
    };
    let of_earth = matches!(axis, Axis::Latitude | Axis::Longitude);
    (of_earth == on_earth).then_some(axis)
}
