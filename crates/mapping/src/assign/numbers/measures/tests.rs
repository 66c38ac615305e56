//! Are measures converted to the unit of the schema?

use serde_json::json;

use crate::assign::rows::check;

/// P19: a distance in the schema's unit.
#[test]
fn p19_measures_are_converted() {
    let schema = json!({"properties": {
        "radius": {"type": "integer", "description": "Search radius in meters"},
        "limit": {"type": "integer"},
    }});
    check(
        "search_nearby Search places nearby",
        &schema,
        &[
            ("cafes within 800 metres", json!({"radius": 800})),
            ("cafes within 800m", json!({"radius": 800})),
            ("cafes within 2 km", json!({"radius": 2000})),
            ("cafes within 1.5km", json!({"radius": 1500})),
            ("cafes in a radius of 500 m", json!({"radius": 500})),
            ("cafes in a 2 kilometer radius", json!({"radius": 2000})),
            ("cafes within 20 minutes", json!({})),
            ("cafes within 1 mile", json!({})),
        ],
    );
    let disk =
        json!({"properties": {"size-gb": {"type": "number", "description": "Size of the disk in GB."}}});
    check(
        "create_disk Create a disk",
        &disk,
        &[
            ("create a disk of 128 GB", json!({"size-gb": 128})),
            ("create a 128GB disk", json!({"size-gb": 128})),
            ("create a 2 TB disk", json!({"size-gb": 2000})),
        ],
    );
}

/// P19: two sides of a thing.
#[test]
fn p19_sizes_have_two_sides() {
    let number = json!({"type": "number"});
    let sides = json!({"properties": {"width": number, "height": number}});
    let both = json!({"width": 800, "height": 600});
    check(
        "resize Resize the window",
        &sides,
        &[
            ("resize to 800x600", both.clone()),
            ("resize to 800 x 600", both.clone()),
            ("resize to 800 by 600", both.clone()),
            ("make it 800 wide and 600 high", both.clone()),
            ("make it 800 pixels wide and 600 pixels tall", both.clone()),
            ("width 800, height 600", both),
            ("make it 800 wide", json!({"width": 800})),
        ],
    );
    let table = json!({"properties": {"rows": {"type": "integer"}, "cols": {"type": "integer"}}});
    let both = json!({"rows": 4, "cols": 3});
    check(
        "add_table Add a table",
        &table,
        &[
            ("add a table with 4 rows and 3 columns", both.clone()),
            ("add a 4x3 table", both.clone()),
            ("add a 4 by 3 table", both.clone()),
            ("add a table with 3 columns and 4 rows", both.clone()),
            ("füge eine Tabelle mit 4 Zeilen und 3 Spalten ein", both),
        ],
    );
}

/// P19: several lengths for one list.
#[test]
fn p19_lists_of_lengths_share_their_unit() {
    let schema = json!({"properties": {"contours_minutes": {"type": "array", "items": {"type": "integer"}}}});
    check(
        "isochrone How far one gets",
        &schema,
        &[
            (
                "how far in 10 and 20 minutes",
                json!({"contours_minutes": [10, 20]}),
            ),
            (
                "how far in 10, 20 and 30 minutes",
                json!({"contours_minutes": [10, 20, 30]}),
            ),
            ("how far in 15 minutes", json!({"contours_minutes": [15]})),
            ("how far in 1 hour", json!({"contours_minutes": [60]})),
        ],
    );
}
