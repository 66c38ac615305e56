//! Is the way of a change read, and nothing where it is not said?

use serde_json::json;

use crate::assign::rows::check;

/// P19: less is negative, more is positive, and a bare number is neither.
#[test]
fn p19_changes_have_a_way() {
    let schema = json!({"properties": {
        "change": {"type": "integer", "minimum": -1000, "maximum": 1000, "description": "How many more, or fewer when negative"},
    }, "required": ["change"]});
    check(
        "adjust_stock Adjust the stock of a product",
        &schema,
        &[
            (
                "14 pots were broken, take them off the stock",
                json!({"change": -14}),
            ),
            ("forty more pots came in", json!({"change": 40})),
            ("stock of pots minus 12", json!({"change": -12})),
            ("reduce the stock of pots by 5", json!({"change": -5})),
            ("increase the stock of pots by 5", json!({"change": 5})),
            ("stock of pots +5", json!({})),
            ("change the stock of pots by 5", json!({})),
            ("set the stock of pots to 5", json!({})),
            ("there are 5 pots left", json!({})),
            ("we lost 5 pots and received 10", json!({})),
        ],
    );
}
