//! Which pieces of a text are read as a whole: addresses, paths, ids, handles?

use std::ops::Range;

use super::{What, identifier, path};
use crate::Span;

/// Every piece that is read as a whole, in order and apart.
pub(super) fn read(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut phones = telephones(text);
    phones.extend(accounts(text));
    phones.sort_by_key(|phone| phone.range.start);
    for chunk in chunks(text) {
        let phoned = phones.partition_point(|phone| phone.range.end <= chunk.start);
        match phones.get(phoned).filter(|phone| phone.range.start < chunk.end) {
            Some(phone) if spans.last() == Some(phone) => {}
            Some(phone) => spans.push(phone.clone()),
            None => chunk_read(text, chunk, &mut spans),
        }
    }
    spans
}

/// Telephone numbers in their international spelling: `+49 170 1234567`.
fn telephones(text: &str) -> Vec<Span> {
    let mut phones: Vec<Span> = Vec::new();
    for (start, _) in text.match_indices('+') {
        let before = text.get(..start).and_then(|before| before.chars().next_back());
        let taken = phones.last().is_some_and(|phone| phone.range.end > start);
        if taken || before.is_some_and(|before| before.is_alphanumeric() || before == '+') {
            continue;
        }
        let (mut end, mut digits, mut gap) = (start, 0, 0);
        for (at, letter) in text.get(start + 1..).unwrap_or("").char_indices().take(32) {
            if letter.is_ascii_digit() {
                (end, digits, gap) = (start + at + 2, digits + 1, 0);
            } else if gap < 2 && digits > 0 && matches!(letter, ' ' | '-' | '/' | '(' | ')' | '.' | '\u{a0}')
            {
                gap += 1;
            } else {
                break;
            }
        }
        if (8..=15).contains(&digits)
            && let Some(written) = text.get(start..end)
        {
            phones.push(Span {
                range: start..end,
                what: What::Id(written.to_owned()),
            });
        }
    }
    phones
}

/// Account numbers in their international spelling with spaces: `DE89 3704 0044 0532 0130 00`.
fn accounts(text: &str) -> Vec<Span> {
    let mut accounts: Vec<Span> = Vec::new();
    for (space, _) in text.match_indices(' ') {
        let Some(start) = space.checked_sub(4) else {
            continue;
        };
        let head = text.get(start..space).unwrap_or("").as_bytes();
        let country =
            head.iter().take(2).all(u8::is_ascii_uppercase) && head.iter().skip(2).all(u8::is_ascii_digit);
        let before = text.get(..start).and_then(|before| before.chars().next_back());
        if head.len() != 4 || !country || before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        let groups = text.get(space + 1..).unwrap_or("").split(' ').take(9);
        let (mut end, mut count) = (space, 0);
        for group in groups {
            let letters = group
                .chars()
                .take_while(char::is_ascii_alphanumeric)
                .take(5)
                .count();
            let coded = group
                .chars()
                .take(letters)
                .all(|letter| letter.is_ascii_digit() || letter.is_ascii_uppercase());
            if !(1..=4).contains(&letters) || !coded {
                break;
            }
            (end, count) = (end + 1 + letters, count + 1);
            if letters < 4 || group.len() > letters {
                break;
            }
        }
        if count > 2
            && let Some(written) = text.get(start..end)
        {
            accounts.push(Span {
                range: start..end,
                what: What::Id(written.to_owned()),
            });
        }
    }
    accounts
}

/// Letters between white space and quotation marks.
fn chunks(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let ends = text.char_indices().map(Some).chain([None]);
    ends.filter_map(move |letter| {
        let (at, width) = match letter {
            Some((_, letter)) if !parts(letter) => return None,
            Some((at, letter)) => (at, letter.len_utf8()),
            None => (text.len(), 0),
        };
        let chunk = start..at;
        start = at + width;
        (!chunk.is_empty()).then_some(chunk)
    })
}

fn parts(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(
            letter,
            '"' | '`'
                | '<'
                | '>'
                | '“'
                | '”'
                | '„'
                | '«'
                | '»'
                | '‘'
                | '‚'
                | '‹'
                | '›'
                | '「'
                | '」'
                | '。'
                | '，'
                | '、'
        )
}

fn chunk_read(text: &str, chunk: Range<usize>, spans: &mut Vec<Span>) {
    let Some(written) = text.get(chunk.clone()) else {
        return;
    };
    if let Some(inner) = web_address(written).or_else(|| path::windows(written)) {
        let (range, what) = inner;
        let start = chunk.start;
        if range.start > 0 {
            pieces_read(text, start..start + range.start, spans);
        }
        spans.push(Span {
            range: start + range.start..start + range.end,
            what,
        });
        return;
    }
    pieces_read(text, chunk, spans);
}

/// Cuts a chunk at signs that no id holds, and reads each piece.
fn pieces_read(text: &str, chunk: Range<usize>, spans: &mut Vec<Span>) {
    let Some(written) = text.get(chunk.clone()) else {
        return;
    };
    let mut start = 0;
    // `acme/web#42` is a path and an id.
    let width = |letter: char| if letter == '#' { 0 } else { letter.len_utf8() };
    // A comma within a number separates nothing.
    let digit = |at: Option<usize>| {
        at.and_then(|at| written.as_bytes().get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let between = |at: usize| digit(at.checked_sub(1)) && digit(Some(at + 1));
    let cut = |(at, letter): &(usize, char)| cuts(*letter) && !(matches!(letter, ',' | '\'') && between(*at));
    let ends = written
        .char_indices()
        .filter(cut)
        .map(|(at, letter)| (at, width(letter)));
    for (at, width) in ends.chain([(written.len(), 0)]) {
        if let Some(piece) = written.get(start..at).filter(|piece| !piece.is_empty())
            && let Some((range, what)) = piece_read(piece)
        {
            let offset = chunk.start + start;
            spans.push(Span {
                range: offset + range.start..offset + range.end,
                what,
            });
        }
        start = at + width;
    }
}

fn cuts(letter: char) -> bool {
    matches!(
        letter,
        '#' | ','
            | ';'
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '='
            | ':'
            | '|'
            | '\''
            | '’'
            | '!'
            | '?'
            | '–'
            | '—'
            | '…'
            | '¿'
            | '¡'
    )
}

type Piece = (Range<usize>, What);

fn piece_read(piece: &str) -> Option<Piece> {
    email(piece)
        .or_else(|| handle(piece))
        .or_else(|| bare_domain(piece))
        .or_else(|| path::read(piece))
        .or_else(|| {
            let range = trimmed(piece);
            let id = identifier::read(piece.get(range.clone())?)?;
            Some((range, What::Id(id)))
        })
}

/// Without the punctuation of the sentence around.
fn trimmed(piece: &str) -> Range<usize> {
    let ends = |letter: char| letter.is_ascii_punctuation() && !matches!(letter, '#' | '_' | '/' | '~');
    let start = piece.len()
        - piece
            .trim_start_matches(|letter| ends(letter) && letter != '.')
            .len();
    let end = piece
        .trim_end_matches(|letter| ends(letter) || letter == '/')
        .len();
    start..end.max(start)
}

/// An address of the web with its scheme, or with `www.`; `mailto:` is an e-mail address.
fn web_address(chunk: &str) -> Option<Piece> {
    let start = match chunk.find("://") {
        Some(colon) => {
            let before = chunk.get(..colon)?;
            let scheme = before.trim_end_matches(|letter: char| {
                letter.is_ascii_alphanumeric() || matches!(letter, '+' | '.' | '-')
            });
            scheme.len()
        }
        None => {
            let small = chunk.get(..chunk.len().min(200)).map(str::to_ascii_lowercase);
            small?.find("www.").filter(|at| *at < 3)?
        }
    };
    let rest = chunk.get(start..)?;
    let rest = rest.split(",http").next()?;
    let host_at = rest.find("://").map_or(0, |colon| colon + 3);
    if !rest.starts_with(|letter: char| letter.is_ascii_alphabetic())
        || !rest.get(host_at..)?.starts_with(char::is_alphanumeric)
    {
        return None;
    }
    let end = start + address_end(rest);
    let url = chunk.get(start..end)?;
    (url.len() > host_at).then(|| (start..end, What::Url(url.to_owned())))
}

/// Where an address ends: the punctuation of the sentence, and a bracket that does not open in it, stay outside.
fn address_end(address: &str) -> usize {
    let opened = |letter: char| address.matches(letter).count();
    let surplus = |open: char, close: char| opened(close).saturating_sub(opened(open));
    let (mut round, mut square, mut curly) = (surplus('(', ')'), surplus('[', ']'), surplus('{', '}'));
    let mut end = address.len();
    for (at, letter) in address.char_indices().rev() {
        let drop = match letter {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '’' | '*' | '…' => true,
            ')' => take(&mut round),
            ']' => take(&mut square),
            '}' => take(&mut curly),
            _ => false,
        };
        if !drop {
            break;
        }
        end = at;
    }
    end
}

fn take(surplus: &mut usize) -> bool {
    let some = *surplus > 0;
    *surplus = surplus.saturating_sub(1);
    some
}

/// An e-mail address: the `@` stands between a name and a domain with a dot.
fn email(piece: &str) -> Option<Piece> {
    let at = piece.find('@').filter(|at| *at > 0)?;
    let local = piece.get(..at)?;
    let named = |letter: char| {
        letter.is_alphanumeric() || matches!(letter, '.' | '_' | '%' | '+' | '-' | '&' | '~' | '$')
    };
    let start = local.trim_end_matches(named).len();
    let domain = piece.get(at + 1..)?;
    let within = domain
        .find(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '.' | '-'))
        .unwrap_or(domain.len());
    let domain = domain.get(..within)?.trim_end_matches(['.', '-']);
    let start = start + local.get(start..)?.len()
        - local
            .get(start..)?
            .trim_start_matches(['.', '-', '&', '$', '~'])
            .len();
    let (labels, last) = domain.rsplit_once('.')?;
    let sound = !labels.is_empty()
        && domain.split('.').all(|label| !label.is_empty())
        && last.chars().count() > 1
        && last.chars().all(|letter| letter.is_alphabetic() || letter == '-');
    let range = start..at + 1 + domain.len();
    (sound && start < at).then(|| Some((range.clone(), What::Email(piece.get(range)?.to_owned()))))?
}

/// `#ops`, `@sam`; `#42` is an id.
fn handle(piece: &str) -> Option<Piece> {
    let begin = piece.len() - piece.trim_start_matches(['.', '*', '"', '~', '-', '/']).len();
    let rest = piece.get(begin..)?;
    let sign = rest.chars().next().filter(|sign| matches!(sign, '#' | '@'))?;
    let name = rest.get(1..)?;
    let within = name
        .find(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-' | '.' | '/'))
        .unwrap_or(name.len());
    let name = name.get(..within)?.trim_end_matches(['.', '-', '/']);
    let first = name.chars().next()?;
    let range = begin..begin + 1 + name.len();
    if sign == '#' && name.chars().all(|letter| letter.is_ascii_digit()) {
        return Some((range, What::Id(name.to_owned())));
    }
    let upper = name.contains(|letter: char| letter.is_ascii_digit()) && !name.contains(char::is_lowercase);
    if sign == '#' && upper && identifier::read(name).is_some() {
        return Some((range, What::Id(name.to_owned())));
    }
    // `@3pm` is a time, `#1st` is nothing.
    let named =
        first.is_alphabetic() || first == '_' || (sign == '#' && name.chars().any(char::is_alphabetic));
    named.then(|| (range, What::Handle(sign, name.to_owned())))
}

/// Ends of domains that are no endings of files.
const DOMAINS: &[&str] = &[
    "com",
    "org",
    "net",
    "io",
    "dev",
    "app",
    "de",
    "fr",
    "es",
    "uk",
    "eu",
    "ai",
    "co",
    "example",
    "edu",
    "gov",
    "info",
    "ch",
    "at",
    "nl",
    "it",
    "us",
    "ca",
    "tech",
    "cloud",
    "xyz",
    "biz",
    "test",
    "localhost",
];

/// `shop.example/cart`: a domain without a scheme.
fn bare_domain(piece: &str) -> Option<Piece> {
    let range = trimmed(piece);
    let written = piece.get(range.clone())?;
    let end = written.len() - usize::from(written.ends_with('/') && written.len() > 1);
    let host = written.get(..end)?.split('/').next()?;
    let (labels, last) = host.rsplit_once('.')?;
    let sound = labels.len() > 1
        && DOMAINS.contains(&last.to_ascii_lowercase().as_str())
        && labels.split('.').all(|label| {
            label.starts_with(|letter: char| letter.is_ascii_alphanumeric())
                && label
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
        })
        && labels.chars().any(|letter| letter.is_ascii_alphabetic());
    // `done.it`: a sentence without a space after its dot is more likely than a two-letter domain of a word.
    let sentence = matches!(last, "it" | "us" | "at" | "es") && written.len() == host.len();
    (sound && !sentence).then(|| (range, What::Url(written.to_owned())))
}
