//! Does the message talk about something else than the history did?

use std::collections::{HashMap, HashSet};

use handpick_domain::Message;
use handpick_selection::words::fold;

use super::clause::{Clause, Heard, Kind};
use super::lexicon::{Class, Classes, Language};
use super::tokens::{self, Mark, Token};

/// Words that name nobody, capital or not.
const COMMON: Classes = Classes::of(&[
    Class::Function,
    Class::Time,
    Class::Subject,
    Class::Verb,
    Class::Title,
    Class::Wh,
]);

/// The words of a conversation, with the number of the last message each of them stands in.
#[derive(Debug, Default)]
pub struct Seen {
    words: HashMap<String, usize>,
    /// The kinds of ids, `inv` of `INV-7`, with the last id of each.
    kinds: HashMap<String, String>,
    /// Words that were spelled with a capital where others are not.
    names: HashSet<String>,
}

impl Seen {
    /// Takes in a message with its calls and their results.
    pub fn add(&mut self, number: usize, message: &Message) {
        self.add_text(number, &message.content);
        for call in &message.tool_calls {
            for value in call.arguments.values() {
                match value.as_str() {
                    Some(text) => self.add_text(number, text),
                    None => self.add_text(number, &value.to_string()),
                }
            }
            if let Some(result) = &call.result {
                self.add_text(number, result);
            }
        }
    }

    /// The last message a word stands in.
    pub fn last(&self, word: &str) -> Option<usize> {
        self.words.get(word).copied()
    }

    fn add_text(&mut self, number: usize, text: &str) {
        let mut begins = true;
        let mut before = String::new();
        let ends = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '#'));
        for word in tokens::truncate(text).split(ends).filter(|word| !word.is_empty()) {
            let is_capital = word.chars().next().is_some_and(char::is_uppercase);
            let word = fold(word).into_owned();
            if let Some(kind) = id_kind(&word) {
                self.kinds.insert(kind.to_owned(), word.clone());
            }
            if is_plain_number(&word) && before.len() > 2 && before.chars().all(char::is_alphabetic) {
                self.kinds.insert(std::mem::take(&mut before), word.clone());
            }
            before.clone_from(&word);
            if is_capital && !begins {
                self.names.insert(word.clone());
            }
            begins = false;
            for part in word.split('-').filter(|part| part.len() < word.len()) {
                self.words.insert(part.to_owned(), number);
            }
            self.words.insert(word, number);
        }
    }
}

/// The kind of record an id is of: the letters before its separator, `inv` of `inv-2291`.
pub fn id_kind(folded: &str) -> Option<&str> {
    let (kind, rest) = folded.split_once(['-', '_', '#'])?;
    let has_digit = rest.bytes().any(|byte| byte.is_ascii_digit());
    (has_digit && !kind.is_empty() && kind.chars().all(char::is_alphabetic)).then_some(kind)
}

fn is_plain_number(word: &str) -> bool {
    word.len() <= 6 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the message names a record or a person other than those at hand. `exchange` is the number of the first
/// message of the last exchange.
pub fn names_another(heard: &Heard<'_>, seen: &Seen, exchange: usize) -> bool {
    heard.content().any(|clause| {
        (clause.core..clause.end).any(|at| {
            let token = &heard.tokens[at];
            is_other_id(token, seen, exchange)
                || is_other_name(heard, clause, at, seen)
                || is_other_number(heard, clause, at, seen)
        })
    })
}

/// "and van 22?" after "van 14".
fn is_other_number(heard: &Heard<'_>, clause: &Clause, at: usize, seen: &Seen) -> bool {
    let names = matches!(
        clause.kind,
        Kind::Ask | Kind::Look | Kind::Fragment | Kind::Repeat
    );
    if !names || at == clause.core || !is_plain_number(&heard.tokens[at].folded) {
        return false;
    }
    let noun = &heard.tokens[at - 1];
    let counts = noun
        .classes()
        .meets(COMMON.with(Classes::of(&[Class::About, Class::Prep])));
    !counts && seen.last(&heard.tokens[at].folded).is_none() && seen.kinds.contains_key(&noun.folded)
}

/// Words by which the message describes a thing that the conversation has not heard of: "the care sheet of the blue
/// hydrangea". Whether one of them is only a word of the trade, the catalog knows.
pub fn described(heard: &Heard<'_>, seen: &Seen) -> Vec<String> {
    if heard.language != Language::English {
        return Vec::new();
    }
    let mut words = Vec::new();
    for clause in heard.content() {
        let of_clause = described_in(heard, clause, seen);
        let points = (clause.core..clause.end)
            .any(|at| is_anaphor(heard, clause, at) && !is_possessive(heard, clause, at));
        // What is described first is what a pronoun after it stands for.
        if points && words.is_empty() && of_clause.is_empty() {
            break;
        }
        if points && !of_clause.is_empty() && words.is_empty() && anaphor_leads(heard, clause, &of_clause) {
            break;
        }
        words.extend(of_clause);
    }
    words
}

fn anaphor_leads(heard: &Heard<'_>, clause: &Clause, described: &[String]) -> bool {
    let first = (clause.core..clause.end).find(|&at| described.contains(&heard.tokens[at].folded));
    (clause.core..clause.end)
        .take_while(|at| Some(*at) != first)
        .any(|at| is_anaphor(heard, clause, at) && !is_possessive(heard, clause, at))
}

/// "her kid's elephant": says whose, not which.
fn is_possessive(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let next = (at + 1 < clause.end).then(|| &heard.tokens[at + 1]);
    matches!(heard.tokens[at].folded.as_str(), "her" | "his" | "their" | "its")
        && next.is_some_and(|next| !next.classes().has(Class::Function))
}

fn described_in(heard: &Heard<'_>, clause: &Clause, seen: &Seen) -> Vec<String> {
    const TIES: Classes = Classes::of(&[Class::About, Class::Prep]);
    const BETWEEN: Classes = Classes::of(&[Class::Det]);
    const ENDS: Classes = Classes::of(&[
        Class::Finite,
        Class::Subject,
        Class::If,
        Class::Verb,
        Class::Function,
    ]);
    let bare = matches!(clause.kind, Kind::Fragment | Kind::Repeat)
        || clause.kind == Kind::Ask && !super::leaning::opens_question(heard, clause);
    let asks = matches!(clause.kind, Kind::Ask | Kind::Look);
    let joined = clause.lead.has(Class::Join) || clause.kind == Kind::Repeat;
    if !(asks || bare && (joined || clause.mark == Mark::Question)) {
        return Vec::new();
    }
    let mut words = Vec::new();
    // Whether what stands here belongs to a phrase that says which thing is meant.
    let mut tells = bare;
    for at in clause.core..clause.end {
        let token = &heard.tokens[at];
        let classes = token.classes();
        let definite = matches!(token.folded.as_str(), "the" | "my" | "our");
        let counted = at > clause.core && matches!(token.folded.as_str(), "many");
        if classes.meets(TIES) || definite || counted || classes.has(Class::Title) {
            tells = true;
            continue;
        }
        if matches!(token.folded.as_str(), "a" | "an" | "another") {
            tells = false;
            continue;
        }
        if bare && classes.meets(BETWEEN) {
            continue;
        }
        if tells && !words.is_empty() && at > clause.core && is_anaphor(heard, clause, at) {
            break;
        }
        if classes.meets(ENDS) {
            tells = bare && tells;
            continue;
        }
        if tells && is_unheard(token, seen) {
            words.push(token.folded.clone());
        }
    }
    words
}

/// Whether a word says something of its own and was never said.
fn is_unheard(token: &Token<'_>, seen: &Seen) -> bool {
    let letters = token.written.chars().filter(|c| c.is_alphabetic()).count();
    let is_word = letters
        == token
            .written
            .trim_end_matches("'s")
            .trim_end_matches("’s")
            .replace(['\'', '’'], "")
            .chars()
            .count()
        || token.written.contains('-');
    let known = Classes::of(&[
        Class::Function,
        Class::Pronoun,
        Class::Det,
        Class::Filler,
        Class::Time,
        Class::Title,
        Class::Facet,
        Class::Latest,
        Class::Create,
        Class::Pick,
        Class::Other,
        Class::Trouble,
        Class::Finite,
        Class::Verb,
        Class::NounVerb,
        Class::Please,
        Class::Also,
    ]);
    let variants = [
        token.folded.clone(),
        plain(&token.folded),
        format!("{}s", token.folded),
    ];
    letters >= 3
        && is_word
        && !token.is_data()
        && !token.classes().meets(known)
        && variants.iter().all(|word| seen.last(word).is_none())
}

/// "back to the complaint"
pub fn returns(heard: &Heard<'_>) -> bool {
    const BACK: [&str; 12] = [
        "back to",
        "zuruck zu",
        "zuruck zum",
        "zuruck zur",
        "volviendo a",
        "volvamos a",
        "revenons a",
        "retour a",
        "voltando a",
        "tornando a",
        "torniamo a",
        "terug naar",
    ];
    heard.tokens.windows(2).any(|pair| {
        let said = format!("{} {}", pair[0].folded, pair[1].folded);
        BACK.contains(&said.as_str())
    })
}

/// The nouns that the message takes for known: `ticket` of "close the ticket", not of "the ticket of Ben".
pub fn definite(heard: &Heard<'_>) -> Vec<String> {
    const KNOWN: [&str; 7] = ["the", "his", "her", "their", "its", "my", "our"];
    let tokens = &heard.tokens;
    let is_tied = |at: usize| {
        let next = tokens.get(at + 1).filter(|_| tokens[at].mark == Mark::None);
        next.is_some_and(|next| {
            matches!(
                next.folded.as_str(),
                "of" | "for" | "from" | "in" | "on" | "with" | "about"
            )
        })
    };
    (1..tokens.len())
        .filter(|&at| KNOWN.contains(&tokens[at - 1].folded.as_str()) && !is_tied(at))
        .map(|at| tokens[at].folded.clone())
        .collect()
}

/// What the people and things are that the message names: `trainer` of "trainer Joao".
pub fn titles(heard: &Heard<'_>, seen: &Seen) -> Vec<String> {
    let mut titles = Vec::new();
    for clause in heard.content() {
        for at in clause.core..clause.end {
            if !is_other_name(heard, clause, at, seen) {
                continue;
            }
            match at.checked_sub(1).filter(|&before| before >= clause.core) {
                Some(before) if heard.tokens[before].is_capital() => {}
                Some(before) => titles.push(heard.tokens[before].folded.clone()),
                None => titles.push(String::new()),
            }
        }
    }
    titles
}

/// Whether the message speaks of a thing, and no person, that was spoken of before.
pub fn points_at_thing(heard: &Heard<'_>) -> bool {
    heard.language == Language::English
        && heard.content().any(|clause| {
            (clause.core..clause.end).any(|at| {
                let thing = matches!(heard.tokens[at].folded.as_str(), "it" | "this" | "that");
                thing && is_anaphor(heard, clause, at)
            })
        })
}

/// Whether a thing is told from one before by its number, and nothing else is referred to.
pub fn numbers_another(heard: &Heard<'_>, seen: &Seen) -> bool {
    first_anaphor(heard).is_none()
        && heard
            .content()
            .any(|clause| (clause.core..clause.end).any(|at| is_other_number(heard, clause, at, seen)))
}

/// The nouns that the message points at: `scene` of "put him on that scene".
pub fn pointed(heard: &Heard<'_>) -> Vec<String> {
    const POINTS: [&str; 22] = [
        "that", "this", "these", "those", "same", "said", "dieser", "diese", "dieses", "diesen", "diesem",
        "ese", "esa", "este", "esta", "ce", "cet", "cette", "questo", "questa", "deze", "dit",
    ];
    let tokens = &heard.tokens;
    (1..tokens.len())
        .filter(|&at| tokens[at - 1].mark == Mark::None && POINTS.contains(&tokens[at - 1].folded.as_str()))
        .filter(|&at| !tokens[at].classes().has(Class::Function))
        .map(|at| tokens[at].folded.clone())
        .collect()
}

/// "and massive dynamic gets a mail": goes on with a name that was spoken of before the last exchange.
pub fn returns_to_name(heard: &Heard<'_>, seen: &Seen, exchange: usize) -> bool {
    heard.content().next().is_some_and(|clause| {
        let token = &heard.tokens[clause.core];
        let set_apart =
            clause.lead.has(Class::Join) || clause.kind == Kind::Fragment && clause.end - clause.core <= 2;
        set_apart
            && !token.classes().meets(COMMON)
            && [token.folded.clone(), plain(&token.folded)]
                .iter()
                .any(|name| seen.names.contains(name) && seen.last(name).is_some_and(|last| last < exchange))
    })
}

/// Whether the message names a thing of its own: an id, an address or a name.
pub fn names_something(heard: &Heard<'_>, clause: &Clause) -> bool {
    (clause.core..clause.end).any(|at| {
        let token = &heard.tokens[at];
        id_kind(&token.folded).is_some() || token.written.contains('@') || is_name(heard, clause, at)
    })
}

/// The first word of the message that stands for something said before; what the message itself names first does not.
pub fn first_anaphor(heard: &Heard<'_>) -> Option<usize> {
    for clause in heard.content() {
        for at in clause.core..clause.end {
            let token = &heard.tokens[at];
            if is_anaphor(heard, clause, at) {
                return Some(at);
            }
            let is_named = id_kind(&token.folded).is_some()
                || token.written.contains('@')
                || is_name(heard, clause, at)
                || is_unknown_noun(heard, clause, at);
            if is_named && clause.kind != Kind::Side {
                return None;
            }
        }
    }
    None
}

fn is_anaphor(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let token = &heard.tokens[at];
    if !token.classes().has(Class::Pronoun) || token.is_data() {
        return false;
    }
    let next = (at + 1 < clause.end).then(|| &heard.tokens[at + 1]);
    let follows = |class| next.is_some_and(|next| next.classes().has(class));
    match token.folded.as_str() {
        // "text both that we call", "there is no table", "one of the invoices".
        "that" => !follows(Class::Subject),
        "there" => false,
        "er" => heard.language != Language::Dutch,
        "one" | "ones" | "same" | "such" | "former" | "both" => next.is_none(),
        "this" => !follows(Class::Time),
        // Articles in these languages: they stand for something when no noun follows.
        "die" | "der" | "das" | "den" | "la" | "le" | "les" | "los" | "las" | "lo" | "li" | "gli" | "da"
        | "en" | "y" | "zijn" | "to" | "ci" | "ne" => next.is_none_or(|next| {
            next.classes()
                .meets(Classes::of(&[Class::Verb, Class::Please, Class::Finite]))
        }),
        _ => true,
    }
}

fn is_other_id(token: &Token<'_>, seen: &Seen, exchange: usize) -> bool {
    let Some(kind) = id_kind(&token.folded) else {
        return false;
    };
    let latest = seen.kinds.get(kind);
    latest.is_some_and(|latest| *latest != token.folded)
        && seen.last(&token.folded).is_none_or(|last| last < exchange)
}

fn is_other_name(heard: &Heard<'_>, clause: &Clause, at: usize, seen: &Seen) -> bool {
    is_name(heard, clause, at)
        && !seen.words.is_empty()
        && seen.last(&plain(&heard.tokens[at].folded)).is_none()
        && seen.last(&heard.tokens[at].folded).is_none()
}

/// Without the `s` of a possessive, which folding leaves behind.
fn plain(folded: &str) -> String {
    folded.strip_suffix('s').unwrap_or(folded).to_owned()
}

/// A capitalised word where a record or a person would be named.
fn is_name(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let token = &heard.tokens[at];
    let letters = token.written.chars().filter(|c| c.is_alphabetic()).count();
    if is_full_name(heard, clause, at) {
        return true;
    }
    let shouted = token.written.chars().filter(|c| c.is_uppercase()).count() == letters && letters < 6;
    if !token.is_capital() || letters < 3 || shouted || token.is_data() || token.classes().meets(COMMON) {
        return false;
    }
    let before = (at > clause.start).then(|| &heard.tokens[at - 1]);
    let Some(before) = before else {
        // The first word of a sentence is capitalised anyway, unless two follow each other.
        let next = heard.tokens.get(at + 1).filter(|_| at + 1 < clause.end);
        return next
            .is_some_and(|next| next.is_capital() && !next.is_data() && !heard.language.has_capital_nouns());
    };
    if before.classes().has(Class::Title) {
        return true;
    }
    let ties = Classes::of(&[
        Class::About,
        Class::Verb,
        Class::Look,
        Class::Switch,
        Class::Join,
        Class::Title,
    ]);
    if heard.language.has_capital_nouns() {
        return before.is_capital() && before.classes().is_empty();
    }
    // Where nobody orders anything, a capital in the middle of a sentence is a name and no value to put in.
    let reads = matches!(
        clause.kind,
        Kind::Ask | Kind::Look | Kind::Fragment | Kind::Repeat
    );
    let place = matches!(
        before.folded.as_str(),
        "to" | "at" | "in" | "into" | "as" | "a" | "an" | "i"
    );
    if !reads && before.folded == "on" {
        return false;
    }
    before.classes().meets(ties)
        || at == clause.core
        || reads && !place && !before.is_capital() && !before.is_data() && heard.language == Language::English
}

/// "Per Lund": two capitals in a row, whatever else the words mean.
fn is_full_name(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let is_part = |at: usize| {
        let token = &heard.tokens[at];
        let letters = token.written.chars().filter(|c| c.is_alphabetic()).count();
        let small = token.written.chars().skip(1).any(char::is_lowercase);
        token.is_capital() && small && letters >= 3 && !token.is_data()
    };
    if heard.language.has_capital_nouns()
        || at == clause.start
        || !is_part(at)
        || heard.tokens[at - 1].is_data()
    {
        return false;
    }
    let common = |at: usize| heard.tokens[at].classes().meets(COMMON);
    let next =
        at + 1 < clause.end && heard.tokens[at].mark == Mark::None && is_part(at + 1) && !common(at + 1);
    let tie = heard.tokens[at - 1].folded.as_str();
    next && !matches!(tie, "to" | "at" | "in" | "into" | "as" | "on")
}

/// "die Eltern von Ben": where every noun has a capital, one that no list knows may be a name.
fn is_unknown_noun(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let token = &heard.tokens[at];
    heard.language.has_capital_nouns()
        && token.is_capital()
        && token.classes().is_empty()
        && at > clause.core
        && heard.tokens[at - 1].classes().has(Class::About)
}
