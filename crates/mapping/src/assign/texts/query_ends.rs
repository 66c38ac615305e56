//! Where does what is looked for end, and what else does the request go on with?

use crate::assign::asked::{Asked, LINKS};
use crate::assign::choices::spelled;
use crate::assign::names::titles::goes_on;
use crate::assign::texts::queries::{ARTICLES, is, one_of};
use crate::kind::Kind;
use crate::span::What;
use crate::words::Break;

/// Words that end what is looked for wherever they stand behind it.
const ENDINGS: &str = "please pls plz bitte svp but sorted ordered excluding limited limit max maximum maximal hochstens sortiert aber mais pero filtered restricted i we thanks returning newest oldest";

/// Words that a whole question begins with.
const QUESTIONING: &str = "how why whether wie warum wieso comment pourquoi como";

/// Verbs behind `and` that ask for something else.
const GOING_ON: &str = "show give return list limit sort tell let send summarize summarise keep order only print include exclude skip put save open just then please get fetch bring don't do zeig gib montre dame muestra report";

/// Behind the last word of what is looked for.
pub(crate) fn phrase_end(asked: &Asked<'_>, start: usize, parameter: usize) -> usize {
    // A question goes on to its end: `how do I set up caching?`
    let question = is(asked, start, QUESTIONING);
    let mut at = start + 1;
    while at < asked.tokens.len() {
        let Some(token) = asked.token(at) else { break };
        let before = asked.break_before(at);
        let opens = before == Break::Comma && !enumerates(asked, at, parameter);
        let within = question && before == Break::None && !one_of(token, "please pls plz bitte svp");
        let ends = !within && ends_here(asked, at, parameter);
        if opens || before > Break::Comma || asked.is_opaque(&token.range) || ends {
            return at;
        }
        at += 1;
    }
    asked.tokens.len()
}

/// `retries, timeouts and backoff`: one more thing that is looked for, if nothing else is said there.
fn enumerates(asked: &Asked<'_>, at: usize, parameter: usize) -> bool {
    let joins =
        (at + 1..asked.tokens.len().min(at + 5)).find(|place| is(asked, *place, "and or und et y oder"));
    let Some(join) = joins else { return false };
    let last = join + 1;
    let unbroken = (at + 1..=last).all(|place| asked.break_before(place) == Break::None);
    let plain = (at..=last).filter(|place| *place != join).all(|place| {
        asked.is_unexplained(place)
            && asked
                .spans_at(place)
                .all(|span| matches!(span.what, What::Name(_)))
    });
    let goes_on_with = (at..=last).any(|place| ends_here(asked, place, parameter));
    unbroken && plain && !goes_on_with
}

fn ends_here(asked: &Asked<'_>, at: usize, parameter: usize) -> bool {
    let Some(token) = asked.token(at) else { return true };
    if one_of(token, ENDINGS) || goes_on(asked, at, parameter) || counts(asked, at) {
        return true;
    }
    let verb_follows = one_of(token, "and then und et y &") && is(asked, at + 1, GOING_ON);
    let most = one_of(token, "at no not up top first only within around near")
        && (is(asked, at + 1, "most more to") || number_at(asked, at + 1));
    let for_me = one_of(token, "for fur pour para") && is(asked, at + 1, "me us mich uns moi mi");
    let lately = one_of(token, "from in within over during since of der aus seit")
        && is(asked, at + 1, "the this last past den der")
        && is(
            asked,
            at + 1 + usize::from(is(asked, at + 1, "the den der")),
            "last past this previous letzten letzte latest",
        );
    let there = one_of(token, "in") && is(asked, at + 1, "it them there");
    let only = one_of(token, "only nur seulement solo") && at + 1 < asked.tokens.len();
    verb_follows || most || for_me || lately || there || only || is_led_away(asked, at, parameter)
}

/// `in acme/web`, `as csv`, `in German`, `on GitHub`, `by aiko`: a link to what another parameter takes.
fn is_led_away(asked: &Asked<'_>, at: usize, parameter: usize) -> bool {
    let Some(token) = asked.token(at).filter(|token| {
        LINKS.contains(&token.fold.as_str()) || one_of(token, "inside within across using of per")
    }) else {
        return false;
    };
    let next = at + 1 + usize::from(is(asked, at + 1, ARTICLES));
    let Some(follows) = asked.token(next) else {
        return false;
    };
    let others = || {
        asked
            .meanings
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != parameter)
            .map(|(_, meaning)| meaning)
    };
    let chosen = others().any(|meaning| spelled(meaning, follows).is_some());
    let coded = asked.is_code(next)
        && !one_of(token, "and with")
        && others()
            .any(|meaning| meaning.kind.is_reference() || matches!(meaning.kind, Kind::Path | Kind::Url));
    let tongue = follows.is_capitalised()
        && others().any(|meaning| {
            let words = crate::words::name_words(meaning.parameter.name());
            words
                .iter()
                .any(|word| matches!(word.as_str(), "language" | "lang" | "locale"))
        });
    let person =
        one_of(token, "by from von de par por") && others().any(|meaning| meaning.kind == Kind::Person);
    // `in the shop project`: another parameter's name closes in.
    let named = (next..next + 3).any(|place| {
        asked.hits.iter().any(|hit| {
            hit.start == place
                && hit.parameter != parameter
                && hit.weight > 0.78
                && asked
                    .meanings
                    .get(hit.parameter)
                    .is_some_and(|meaning| meaning.kind.is_reference())
                && (next..place).all(|between| asked.break_before(between + 1) == Break::None)
        })
    });
    chosen
        || coded
        || (tongue && one_of(token, "in auf en from for"))
        || person
        || named
        || number_at(asked, next)
}

/// `10 articles`, `five results`: how many are wanted.
fn counts(asked: &Asked<'_>, at: usize) -> bool {
    let things =
        "results hits entries items matches articles pages rows records of treffer resultats resultados";
    number_at(asked, at)
        && asked
            .token(at + 1)
            .is_some_and(|next| one_of(next, things) || asked.is_tool_word(next))
}

fn number_at(asked: &Asked<'_>, at: usize) -> bool {
    asked
        .spans_at(at)
        .any(|span| matches!(span.what, What::Number(_) | What::Duration(_) | What::Days(..)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P20: what is looked for never ends within a question.
    #[test]
    fn p20_questions_are_whole() {
        let schema = json!({"required": ["userQuery"], "properties": {
            "userQuery": {"type": "string", "description": "The user query to get docs for."}}});
        let caching = json!({"userQuery": "how do I set up remote caching"});
        check(
            "nx_docs Returns documentation sections relevant to the user query",
            &schema,
            &[
                ("Look in the Nx docs: how do I set up remote caching?", caching),
                (
                    "Look in the Nx docs: how can we cache builds",
                    json!({"userQuery": "how can we cache builds"}),
                ),
            ],
        );
    }
}
