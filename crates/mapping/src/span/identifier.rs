//! Is this piece an identifier?

/// No hash is longer, and hardly any id.
const LONGEST: usize = 160;

/// Words with a digit that are no ids.
const KNOWN: &[&str] = &[
    "mp3", "mp4", "h264", "h265", "utf8", "utf16", "utf-8", "utf-16", "b2b", "b2c", "oauth2", "sha1",
    "sha256", "sha512", "md5", "base64", "i18n", "l10n", "a11y", "k8s", "http2", "http3", "ipv4", "ipv6",
    "x86", "x64", "arm64", "amd64", "win10", "win11", "2fa", "3d", "2d", "4k", "covid-19", "iso-8601",
    "web3", "web2", "python3", "vue3", "gpt-4", "gpt-5", "co2", "h2o", "r2d2",
];

/// Words before a hyphen and digits that are no prefix of an id: `mid-2026`, `top-10`.
const NO_PREFIX: &[&str] = &[
    "mid", "pre", "post", "early", "late", "top", "under", "over", "plus", "minus", "non", "sub", "since",
    "until", "ab", "bis", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "am", "pm", "noon", "approx",
    "ca", "max", "min", "or", "and", "to", "of",
];

/// Letters that stand right behind digits and make a measure of them.
const MEASURES: &[&str] = &[
    "gb", "mb", "kb", "tb", "gib", "mib", "kib", "ms", "px", "km", "kg", "cm", "mm", "ml", "min", "mins",
    "hrs", "hr", "am", "pm", "st", "nd", "rd", "th", "rpm", "fps", "hz", "khz", "mhz", "ghz", "kw", "kwh",
    "pt", "em", "rem", "pcs", "sec", "secs", "bn", "mio", "mrd", "mln", "eur", "usd", "gbp", "chf", "er",
    "uhr", "std", "days", "hours", "weeks", "x", "k", "m", "h", "d", "w", "s", "y", "g", "l", "p", "v",
    "mbit", "gbit", "eme", "ste", "ten", "ter", "tel", "fach", "euro", "euros", "times", "mal", "mbps",
];

/// Reads an identifier as it is written: `inv_77`, `TCK-204`, `C024BE91L`, `v1.2.3`, a UUID, a hash.
pub(super) fn read(piece: &str) -> Option<String> {
    if piece.len() < 2 || piece.len() > LONGEST || !piece.is_ascii() {
        return None;
    }
    let sound = piece
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.' | '+' | '~'));
    let small = piece.to_ascii_lowercase();
    if !sound || KNOWN.contains(&small.as_str()) {
        return None;
    }
    let told =
        uuid(piece) || version(piece) || long_digits(piece) || parted(piece) || mixed(piece) || camel(piece);
    told.then(|| piece.to_owned())
}

fn uuid(piece: &str) -> bool {
    let lengths = piece.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12])
        && piece
            .chars()
            .all(|letter| letter == '-' || letter.is_ascii_hexdigit())
}

/// `v2`, `v1.2.3`, `4.13.0`, `1.0.0-rc.1`, `10.0.0.1`; a date with dots is none.
fn version(piece: &str) -> bool {
    let core = piece.strip_prefix(['v', 'V']);
    let (numbers, rest) = match core.unwrap_or(piece).split_once(['-', '+']) {
        Some((numbers, rest)) => (numbers, rest),
        None => (core.unwrap_or(piece), ""),
    };
    let parts: Vec<&str> = numbers.split('.').collect();
    let digits = parts
        .iter()
        .all(|part| (1..=5).contains(&part.len()) && part.chars().all(|letter| letter.is_ascii_digit()));
    let enough = parts.len() >= if core.is_some() { 1 } else { 3 };
    let tail = piece.len() == numbers.len() + (piece.len() - core.unwrap_or(piece).len()) || !rest.is_empty();
    digits && enough && tail && parts.len() < 6 && !dated(&parts)
}

/// `14.12.2026`, `2026.12.14`, `14.12.26`.
fn dated(parts: &[&str]) -> bool {
    let [first, second, third] = parts else {
        return false;
    };
    let number = |part: &str| part.parse::<u32>().unwrap_or(0);
    let day_month =
        |day: &str, month: &str| (1..=31).contains(&number(day)) && (1..=12).contains(&number(month));
    (third.len() == 4 && (day_month(first, second) || day_month(second, first)))
        || (first.len() == 4 && day_month(third, second))
        || (third.len() == 2 && number(third) >= 20 && second.len() == 2 && day_month(first, second))
}

/// More digits than a number keeps, or digits that begin with a zero: the spelling is what counts.
fn long_digits(piece: &str) -> bool {
    let digits = piece.chars().filter(char::is_ascii_digit).count();
    let only = piece
        .chars()
        .all(|letter| letter.is_ascii_digit() || letter == '.')
        && piece.matches('.').count() < 2;
    let zero = piece.len() > 2 && piece.starts_with('0') && !piece.contains('.');
    only && !piece.ends_with('.') && (digits > 15 || zero)
}

/// Pieces with `_` or `-` between: `inv_77`, `one_page_checkout`, `TCK-204`, `KIT-HERB`, `api-7d9f`.
fn parted(piece: &str) -> bool {
    let has_letter = piece.contains(|letter: char| letter.is_ascii_alphabetic());
    let parts: Vec<&str> = piece.split(['_', '-', '.', '~', '+']).collect();
    let filled = parts.iter().all(|part| !part.is_empty());
    if !has_letter || parts.len() < 2 {
        return false;
    }
    if piece.contains('_') {
        return parts.iter().any(|part| part.len() > 1) || parts.len() > 2;
    }
    if !filled || !piece.contains('-') {
        return false;
    }
    let first = parts.first().copied().unwrap_or("");
    if NO_PREFIX.contains(&first.to_ascii_lowercase().as_str()) {
        return false;
    }
    let digits = |part: &&str| part.contains(|letter: char| letter.is_ascii_digit());
    let letters = |part: &&str| part.chars().all(|letter| letter.is_ascii_alphabetic());
    if parts.iter().any(digits) {
        return !measured(&parts) && !said_in_words(&parts);
    }
    let shouted = |part: &&str| part.len() > 2 && part.chars().all(|letter| letter.is_ascii_uppercase());
    parts.iter().all(letters) && parts.iter().all(shouted)
}

/// `45-minute`, `30-day-trial`, `7-9am`: numbers and what they count.
fn measured(parts: &[&str]) -> bool {
    let number = |part: &str| {
        let letters = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
        letters.len() < part.len()
            && (letters.is_empty() || MEASURES.contains(&letters.to_ascii_lowercase().as_str()))
    };
    let first = parts.first().copied().unwrap_or("");
    let rest_plain = parts
        .iter()
        .skip(1)
        .all(|part| number(part) || part.chars().all(|letter| letter.is_ascii_alphabetic()));
    number(first) && first.len() < 5 && rest_plain
}

/// `3-in-1`, `Dec-24`, `24-Dec-2026`: a day, or words.
fn said_in_words(parts: &[&str]) -> bool {
    let month = |part: &str| super::calendar::month(&part.to_ascii_lowercase()).is_some();
    let number = |part: &str| part.len() < 5 && part.chars().all(|letter| letter.is_ascii_digit());
    parts.iter().all(|part| month(part) || number(part)) && parts.iter().any(|part| month(part))
}

/// Letters and digits in one: `C024BE91L`, `5f1a77c0`, `recA1`, `1Old55`.
fn mixed(piece: &str) -> bool {
    if piece.len() < 4 || !piece.chars().all(|letter| letter.is_ascii_alphanumeric()) {
        return false;
    }
    let digits = piece.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let has_digit = piece.contains(|letter: char| letter.is_ascii_digit());
    if !has_digit || digits.is_empty() {
        return false;
    }
    let letters_first = digits.len() == piece.len();
    if letters_first {
        // `Q42026` has none, `sprint14` and `recA1` are names with a number.
        return true;
    }
    let small = digits.to_ascii_lowercase();
    let measure = MEASURES.contains(&small.as_str());
    // `1h30`, `1280x720`, `2h30m`, `10e6`: numbers around one or two letters.
    let around = small
        .split(|letter: char| letter.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .all(|part| matches!(part, "h" | "x" | "m" | "min" | "s" | "d" | "w" | "e"));
    let hash = piece.len() > 6
        && piece.chars().all(|letter| letter.is_ascii_hexdigit())
        && small.contains(['a', 'b', 'c', 'd', 'f']);
    !measure && (!around || hash)
}

/// `tblOrders`: small letters before a word with a capital. Brands such as `iPhone` have fewer.
fn camel(piece: &str) -> bool {
    let rest = piece.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
    let small = piece.len() - rest.len();
    let mut letters = rest.chars();
    small > 2
        && letters.next().is_some_and(|letter| letter.is_ascii_uppercase())
        && letters.next().is_some_and(|letter| letter.is_ascii_lowercase())
        && piece.chars().all(|letter| letter.is_ascii_alphanumeric())
}
