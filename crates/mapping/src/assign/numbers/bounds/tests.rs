//! Are least and most told apart?

use serde_json::json;

use crate::assign::rows::check;

/// P19: the least goes to a minimum, the most to a maximum, and a plain number to neither.
#[test]
fn p19_least_and_most_are_told_apart() {
    let schema = json!({"properties": {
        "min_price": {"type": "number", "description": "Lowest price in euros"},
        "max_price": {"type": "number", "description": "Highest price in euros"},
        "min_stars": {"type": "integer"},
        "max_stars": {"type": "integer"},
        "minBedrooms": {"type": "integer"},
        "min_rating": {"type": "number"},
    }});
    check(
        "search_homes Search homes",
        &schema,
        &[
            ("homes under €100", json!({"max_price": 100})),
            ("homes under 100 euros", json!({"max_price": 100})),
            ("homes below 100 euros a night", json!({"max_price": 100})),
            ("homes for less than 100 euros", json!({"max_price": 100})),
            ("homes up to 100 euros", json!({"max_price": 100})),
            ("homes for no more than 100 euros", json!({"max_price": 100})),
            ("homes over €100", json!({"min_price": 100})),
            ("homes for more than 100 euros", json!({"min_price": 100})),
            ("homes from at least 100 euros", json!({"min_price": 100})),
            (
                "homes between 50 and 100 euros",
                json!({"min_price": 50, "max_price": 100}),
            ),
            (
                "homes between €50 and €100",
                json!({"min_price": 50, "max_price": 100}),
            ),
            (
                "homes from 50 to 100 euros",
                json!({"min_price": 50, "max_price": 100}),
            ),
            ("homes with at least 4 stars", json!({"min_stars": 4})),
            ("homes with 4 stars or more", json!({"min_stars": 4})),
            ("homes with at most 4 stars", json!({"max_stars": 4})),
            ("homes with 3 to 5 stars", json!({"min_stars": 3, "max_stars": 5})),
            (
                "homes with between 3 and 5 stars",
                json!({"min_stars": 3, "max_stars": 5}),
            ),
            ("homes with at least two bedrooms", json!({"minBedrooms": 2})),
            ("homes rated 4.5 or higher", json!({"min_rating": 4.5})),
            ("homes with a rating above 4", json!({"min_rating": 4})),
            ("Wohnungen unter 100 Euro", json!({"max_price": 100})),
            ("homes with 4 stars", json!({})),
            ("homes for 100 euros", json!({})),
            ("homes with at most 2 bedrooms", json!({})),
            ("homes rated 4 at most", json!({})),
            ("homes with at least 3 dogs", json!({})),
        ],
    );
}
