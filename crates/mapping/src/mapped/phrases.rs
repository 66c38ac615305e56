//! Are texts, searches, lists and rows read as a whole, and nothing else with them?

use serde_json::{Value, json};

use super::tests::{check, map, text};

fn search() -> Value {
    json!({
        "properties": {
            "query": text("Search query"),
            "limit": {"type": "integer", "description": "How many results to return at most"},
            "repo": text("Repository as owner/name"),
            "format": {"type": "string", "enum": ["json", "csv"]},
        },
        "required": ["query"],
    })
}

/// P19: a search is the whole phrase, up to where something else is said.
#[test]
fn p19_searches_are_whole_phrases() {
    check(
        "search_articles Search articles in the knowledge base",
        &search(),
        &[
            (
                "search the articles for mouldy seed trays",
                json!({"query": "mouldy seed trays"}),
            ),
            (
                "Find articles about the late delivery of pots",
                json!({"query": "late delivery of pots"}),
            ),
            (
                "look for rail strike in acme/web",
                json!({"query": "rail strike", "repo": "acme/web"}),
            ),
            (
                "articles mentioning retry keys from the past week please",
                json!({"query": "retry keys"}),
            ),
            (
                "Which articles have garden in their title?",
                json!({"query": "garden"}),
            ),
            (
                "articles whose title contains spring fair",
                json!({"query": "spring fair"}),
            ),
            (
                "anything on frost protection?",
                json!({"query": "frost protection"}),
            ),
            (
                "serach the articles for copper cans and show me the newest",
                json!({"query": "copper cans"}),
            ),
            (
                "search for rotating keys as csv",
                json!({"query": "rotating keys", "format": "csv"}),
            ),
            (
                "Suche nach Frostschutz für Kübel",
                json!({"query": "Frostschutz für Kübel"}),
            ),
            (
                "search for pots, cans and trays",
                json!({"query": "pots, cans and trays"}),
            ),
            ("search for \"pots in\" please", json!({"query": "pots in"})),
        ],
    );
}

/// P21: what names no search is none.
#[test]
fn p21_things_and_pointers_are_not_searched_for() {
    for request in [
        "search for articles",
        "look for it",
        "search for the newest articles",
        "find me something about that",
        "show the articles",
        "can you search for me?",
    ] {
        let mapped = map(request, None, "search_articles Search articles", &search());
        assert!(
            !mapped.arguments.contains_key("query"),
            "{request}: {:?}",
            mapped.arguments
        );
    }
}

/// P19: a question is asked as it stands where a question is wanted.
#[test]
fn p19_questions_stay_whole() {
    let schema = json!({"properties": {"question": text("The user's question")}, "required": ["question"]});
    check(
        "ask_docs Answer a question from the documentation",
        &schema,
        &[
            (
                "How do I rotate a key?",
                json!({"question": "How do I rotate a key?"}),
            ),
            (
                "Hi! Why does the build fail on main?",
                json!({"question": "Why does the build fail on main?"}),
            ),
            (
                "ask the docs how to rotate a key",
                json!({"question": "how to rotate a key"}),
            ),
            ("ask the docs", json!({})),
        ],
    );
}

/// P21: a language that nobody speaks takes nothing from plain words.
#[test]
fn p21_formal_queries_take_statements_only() {
    let schema = json!({
        "properties": {"query": text("SQL query to run"), "database": text("Name of the database")},
        "required": ["query"],
    });
    check(
        "run_query Run a query",
        &schema,
        &[
            (
                "Run SELECT a, b FROM t WHERE c = 'Energy' LIMIT 3 against shop",
                json!({"query": "SELECT a, b FROM t WHERE c = 'Energy' LIMIT 3"}),
            ),
            (
                "run this: SELECT 1 FROM dual.",
                json!({"query": "SELECT 1 FROM dual"}),
            ),
            ("query the orders about late pots", json!({})),
            ("how many orders are late?", json!({})),
        ],
    );
    let filter = json!({
        "properties": {"filter": {"type": "object", "description": "Filter"}, "name": text("Name")},
        "required": ["filter"],
    });
    check(
        "find_rows Find rows",
        &filter,
        &[
            (
                "find the rows with {\"state\": \"open\", \"n\": [1]} please",
                json!({"filter": {"state": "open", "n": [1]}}),
            ),
            ("find the rows with {state}", json!({})),
        ],
    );
    let cron = json!({"properties": {"cron": text("Cron expression")}, "required": ["cron"]});
    check(
        "schedule_job Schedule a job",
        &cron,
        &[(
            "run it with 30 2 * * 1-5, thanks",
            json!({"cron": "30 2 * * 1-5"}),
        )],
    );
}

/// P19: two texts go where their verb puts them.
#[test]
fn p19_replacements_have_two_sides() {
    let schema = json!({
        "properties": {"find_text": text("Text to search for"), "replace_text": text("Text to replace it with")},
        "required": ["find_text", "replace_text"],
    });
    let both = |old: &str, new: &str| json!({"find_text": old, "replace_text": new});
    check(
        "replace_in_document Find and replace in a document",
        &schema,
        &[
            ("replace \"Q3\" with \"Q4\"", both("Q3", "Q4")),
            (
                "Swap \"Spring fair\" for \"Autumn fair\" throughout",
                both("Spring fair", "Autumn fair"),
            ),
            (
                "change every Acme Ltd to Acme GmbH in the document",
                both("Acme Ltd", "Acme GmbH"),
            ),
            ("ersetze \"alt\" durch \"neu\"", both("alt", "neu")),
            ("replace the text", json!({})),
        ],
    );
}

/// P19: labels with numbers are rows, whichever stands first.
#[test]
fn p19_pairs_become_rows() {
    let schema = json!({
        "properties": {
            "data": {"type": "array", "items": {"type": "object", "properties": {
                "category": {"type": "string"}, "value": {"type": "number"},
            }, "required": ["category", "value"]}},
            "title": text("Title of the chart"),
            "width": {"type": "number", "description": "Width"},
        },
        "required": ["data"],
    });
    let rows = |rows: &[(&str, f64)]| {
        let rows: Vec<Value> = rows
            .iter()
            .map(|(category, value)| {
                if value.fract() == 0.0 {
                    json!({"category": category, "value": *value as i64})
                } else {
                    json!({"category": category, "value": value})
                }
            })
            .collect();
        json!({"data": rows})
    };
    let energy = rows(&[("wind", 42.0), ("solar", 31.5), ("gas", 27.0)]);
    check(
        "pie_chart Draw a pie chart",
        &schema,
        &[
            ("draw a pie chart: wind 42, solar 31.5, gas 27", energy.clone()),
            (
                "a pie chart of wind 42, solar 31.5 and gas 27 please",
                energy.clone(),
            ),
            ("pie chart with wind: 42, solar: 31.5 and gas: 27", energy.clone()),
            ("pie chart: wind = 42, solar = 31.5, gas = 27", energy),
            (
                "pie chart: 45% coal, 55% North Sea gas",
                rows(&[("coal", 45.0), ("North Sea gas", 55.0)]),
            ),
            (
                "pie chart: Rent 900 €, Food 350 € and Travel 120 €",
                rows(&[("Rent", 900.0), ("Food", 350.0), ("Travel", 120.0)]),
            ),
            (
                "pie chart with 52 visits, 84 trials and 12 paid",
                rows(&[("visits", 52.0), ("trials", 84.0), ("paid", 12.0)]),
            ),
            ("pie chart titled \"Days\" with Mon 12, Tue 18", {
                let mut days = rows(&[("Mon", 12.0), ("Tue", 18.0)]);
                days["title"] = json!("Days");
                days
            }),
            ("pie chart of coal 45", json!({})),
            ("a pie chart, 800 wide", json!({})),
        ],
    );
    let lines = json!({
        "properties": {
            "lines": {"type": "array", "items": {"type": "object", "properties": {
                "item": {"type": "string", "examples": ["Balcony Garden Kit"]},
                "quantity": {"type": "integer"},
                "unit_price": {"type": "number", "description": "Price of one, in euros"},
            }, "required": ["item", "quantity", "unit_price"]}},
        },
        "required": ["lines"],
    });
    check(
        "create_invoice Draft an invoice",
        &lines,
        &[(
            "write an invoice: 2 x Balcony Garden Kit at 129.50 and 10 x Terracotta Pot at 9.50",
            json!({"lines": [
                {"item": "Balcony Garden Kit", "quantity": 2, "unit_price": 129.5},
                {"item": "Terracotta Pot", "quantity": 10, "unit_price": 9.5},
            ]}),
        )],
    );
}

/// P19: enumerations fill lists, and texts that are to hold several values.
#[test]
fn p19_enumerations_become_lists() {
    let marks = json!({
        "properties": {
            "marks": {"type": "array", "items": {"type": "integer"}, "description": "One mark a question"},
            "comment": text("Something to add"),
        },
        "required": ["marks"],
    });
    check(
        "answer_survey Answer a survey",
        &marks,
        &[
            ("my answers: 5, 3, 4", json!({"marks": [5, 3, 4]})),
            ("marks 5, 3 and 4", json!({"marks": [5, 3, 4]})),
        ],
    );
    let nodes = json!({
        "properties": {"names": {"type": "array", "items": {"type": "string"}, "description": "Names of the nodes"}},
        "required": ["names"],
    });
    check(
        "open_nodes Open nodes",
        &nodes,
        &[(
            "open the nodes beekeeping, Lisbon office and Aurora",
            json!({"names": ["beekeeping", "Lisbon office", "Aurora"]}),
        )],
    );
    let joined = json!({
        "properties": {
            "sprint_id": text("Sprint ID to add issues to"),
            "issue_keys": text("Comma-separated issue keys (e.g., 'PROJ-1,PROJ-2')"),
        },
        "required": ["sprint_id", "issue_keys"],
    });
    check(
        "add_issues_to_sprint Add issues to a sprint",
        &joined,
        &[(
            "put SHOP-41, SHOP-42 and SHOP-45 into sprint 129",
            json!({"sprint_id": "129", "issue_keys": "SHOP-41,SHOP-42,SHOP-45"}),
        )],
    );
}

/// P19: the words before a quotation tell whether it is a title or a text.
#[test]
fn p19_quotations_go_by_the_words_before_them() {
    let schema = json!({
        "properties": {
            "title": text("Title of the page"),
            "text": text("What it says"),
            "questions": {"type": "array", "items": {"type": "string"}, "description": "Questions"},
        },
        "required": ["title", "text"],
    });
    check(
        "create_page Write a page",
        &schema,
        &[
            (
                "Write a page \"Returns\" saying \"Free until May.\"",
                json!({"title": "Returns", "text": "Free until May."}),
            ),
            (
                "new page called \"Returns\": Free until May.",
                json!({"title": "Returns", "text": "Free until May."}),
            ),
            (
                "page \"Poll\" that asks \"On time?\" and \"Broken?\" with the text \"Hello\"",
                json!({"title": "Poll", "text": "Hello", "questions": ["On time?", "Broken?"]}),
            ),
            ("\"Returns\" or \"Refunds\"", json!({})),
        ],
    );
}

/// P19: reasons stand behind the words that lead to them. P21: nothing else does.
#[test]
fn p19_reasons_are_led_by_their_words() {
    let schema = json!({
        "properties": {
            "order_id": {"type": "string", "examples": ["ORD-1"]},
            "amount": {"type": "number", "description": "How much, in euros"},
            "reason": text("Why"),
        },
        "required": ["order_id", "reason"],
    });
    let with = |reason: &str| json!({"order_id": "ORD-7", "reason": reason});
    check(
        "refund_order Refund an order",
        &schema,
        &[
            ("refund ORD-7, reason late delivery", with("late delivery")),
            ("refund ORD-7 because of the broken lids", with("the broken lids")),
            ("refund ORD-7 for the late delivery", with("late delivery")),
            ("refund ORD-7 because the lids broke", with("the lids broke")),
            ("refund ORD-7 since the lids broke", with("the lids broke")),
            ("refund ORD-7, the lids were broken", with("the lids were broken")),
            ("refund ORD-7, it is urgent", json!({"order_id": "ORD-7"})),
            ("refund ORD-7 since Monday", json!({"order_id": "ORD-7"})),
            ("refund ORD-7 for Dana", json!({"order_id": "ORD-7"})),
            ("refund ORD-7 for the customer", json!({"order_id": "ORD-7"})),
            (
                "refund ORD-7 for 20 euros",
                json!({"order_id": "ORD-7", "amount": 20}),
            ),
        ],
    );
}

/// P19: a colon leads to what something new is called, or to a text. P21: values behind it are no text.
#[test]
fn p19_a_colon_leads_to_words_and_not_to_values() {
    let card = json!({
        "properties": {
            "list_id": text("The list"),
            "name": text("Name of the card"),
            "description": text("Description"),
            "due_date": {"type": "string", "format": "date"},
        },
        "required": ["list_id", "name"],
    });
    check(
        "create_card Create a card in a list",
        &card,
        &[
            (
                "new card in list L-204: Order cups",
                json!({"list_id": "L-204", "name": "Order cups"}),
            ),
            (
                "new card \"Cups\" in list L-204: they are for the fair.",
                json!({"list_id": "L-204", "name": "Cups", "description": "they are for the fair."}),
            ),
        ],
    );
    let change = json!({
        "properties": {
            "card_id": text("The card"),
            "description": text("Description"),
            "due_date": {"type": "string", "format": "date"},
        },
        "required": ["card_id"],
    });
    let mapped = map(
        "due date of card C-204: 5 December 2026",
        None,
        "update_card Update a card",
        &change,
    );
    assert!(
        !mapped.arguments.contains_key("description"),
        "{:?}",
        mapped.arguments
    );
}

/// P19: what is reported ends before whom it is reported to; a title may hold a day where no day is asked for.
#[test]
fn p19_texts_end_where_the_address_begins() {
    let note = json!({
        "properties": {"incident_id": text("The incident"), "note": text("Text of the note")},
        "required": ["incident_id", "note"],
    });
    check(
        "add_note Add a note to an incident",
        &note,
        &[
            (
                "add the note that the failover worked to incident Q1ABC",
                json!({"incident_id": "Q1ABC", "note": "the failover worked"}),
            ),
            (
                "note on incident Q1ABC: disk replaced, watching it",
                json!({"incident_id": "Q1ABC", "note": "disk replaced, watching it"}),
            ),
        ],
    );
    let mail = json!({
        "properties": {"subject": text("Subject"), "body": text("Body of the mail")},
        "required": ["subject", "body"],
    });
    check(
        "send_mail Send a mail",
        &mail,
        &[
            (
                "mail with the subject Lunch on Friday saying that I booked a table",
                json!({"subject": "Lunch on Friday", "body": "I booked a table"}),
            ),
            (
                "send a mail titled \"Offer\": Hi Ada, it stands until May. Best, Tom",
                json!({"subject": "Offer", "body": "Hi Ada, it stands until May. Best, Tom"}),
            ),
            (
                "a mail titled \"Offer\" with the text \"See below\"",
                json!({"subject": "Offer", "body": "See below"}),
            ),
        ],
    );
}
