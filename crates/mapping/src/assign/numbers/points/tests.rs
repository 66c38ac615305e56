//! Are places read by their coordinates, in whatever order they are said?

use serde_json::{Value, json};

use crate::assign::rows::check;

fn earth(latitude: f64, longitude: f64) -> Value {
    json!({"latitude": latitude, "longitude": longitude})
}

/// P19: one place on earth.
#[test]
fn p19_one_place() {
    let number = json!({"type": "number"});
    let schema = json!({"properties": {"latitude": number, "longitude": number}, "required": ["latitude", "longitude"]});
    check(
        "reverse_geocode Which address is at a place",
        &schema,
        &[
            ("what is at 52.5200, 13.4050?", earth(52.52, 13.405)),
            ("what is at (52.5200, 13.4050)", earth(52.52, 13.405)),
            ("what is at 52.5200,13.4050", earth(52.52, 13.405)),
            ("what is at lat 52.52, lon 13.405", earth(52.52, 13.405)),
            ("what is at lon 13.405, lat 52.52", earth(52.52, 13.405)),
            (
                "what is at latitude 52.52 and longitude 13.405",
                earth(52.52, 13.405),
            ),
            (
                "what is at latitude: 52.52, longitude: 13.405",
                earth(52.52, 13.405),
            ),
            ("what is at lat=52.52 lng=13.405", earth(52.52, 13.405)),
            ("what is at 52.52°N, 13.405°E", earth(52.52, 13.405)),
            ("what is at 33.86 S, 151.21 E", earth(-33.86, 151.21)),
            ("what is at -33.86, 151.21", earth(-33.86, 151.21)),
            ("what is at 151.21, -33.86", earth(-33.86, 151.21)),
            (
                "Was liegt bei Breitengrad 52.52, Längengrad 13.405?",
                earth(52.52, 13.405),
            ),
            ("what is at 13.405, 52.52 (lng,lat)", earth(52.52, 13.405)),
            ("what is at 13.405,52.52 (lon/lat)", earth(52.52, 13.405)),
            (
                "what is at 13.405, 52.52 (longitude, latitude)",
                earth(52.52, 13.405),
            ),
            ("what is at 13.405, 52.52, longitude first?", earth(52.52, 13.405)),
            ("what is at 13.405, 52.52? That is lng-lat.", earth(52.52, 13.405)),
            ("what is at lnglat 13.405, 52.52", earth(52.52, 13.405)),
            (
                "longitude, latitude: 13.405, 52.52, what is there?",
                earth(52.52, 13.405),
            ),
            ("what is at 52.52, 13.405 (lat, lon)", earth(52.52, 13.405)),
            ("what is at 52.52, 13.405, latitude first", earth(52.52, 13.405)),
            ("what is at 52.52, 13.405 (lat,lng or lng,lat?)", json!({})),
            (
                "give me longitude and latitude of the thing at 52.52, 13.405",
                earth(13.405, 52.52),
            ),
            ("what is at 3, 4", json!({})),
            ("what is at 52.52, 13.40, 7.5", json!({})),
            ("what is at 252.52, 213.40", json!({})),
            ("what is at 52.52", json!({})),
        ],
    );
}

/// P19: a route has two places.
#[test]
fn p19_two_places() {
    let place = json!({"type": "object", "properties": {"lat": {"type": "number"}, "lng": {"type": "number"}}, "required": ["lat", "lng"]});
    let schema =
        json!({"properties": {"origin": place, "destination": place}, "required": ["origin", "destination"]});
    let route = json!({"origin": {"lat": 52.52, "lng": 13.4}, "destination": {"lat": 48.2, "lng": 16.37}});
    check(
        "route Find a route",
        &schema,
        &[
            ("route from 52.52, 13.4 to 48.2, 16.37", route.clone()),
            (
                "route from lat 52.52, lon 13.4 to lat 48.2, lon 16.37",
                route.clone(),
            ),
            ("route to 48.2, 16.37 from 52.52, 13.4", route),
            (
                "route to 48.2, 16.37",
                json!({"destination": {"lat": 48.2, "lng": 16.37}}),
            ),
        ],
    );
    let list = |about: &str| json!({"type": "array", "items": {}, "description": about});
    let lists = json!({"properties": {
        "from_position": list("Start as [longitude, latitude]"),
        "to_position": list("End as [longitude, latitude]"),
    }});
    check(
        "route Find a route",
        &lists,
        &[
            (
                "route from latitude 52.52, longitude 13.4 to latitude 48.2, longitude 16.37",
                json!({"from_position": [13.4, 52.52], "to_position": [16.37, 48.2]}),
            ),
            // Which is which of two bare numbers is not said where the tool turns them round.
            ("route from 52.52, 13.4 to 48.2, 16.37", json!({})),
        ],
    );
    let text =
        json!({"properties": {"location": {"type": "string", "description": "Place as latitude,longitude"}}});
    check(
        "nearby What is near a place",
        &text,
        &[(
            "what is near 52.5200, 13.4050",
            json!({"location": "52.5200,13.4050"}),
        )],
    );
    let points = json!({"properties": {"coordinates": {"type": "array", "items": {"type": "object",
        "properties": {"longitude": {"type": "number"}, "latitude": {"type": "number"}}, "required": ["longitude", "latitude"]}}}});
    check(
        "directions Directions along places",
        &points,
        &[(
            "directions from 52.52, 13.4 to 48.2, 16.37",
            json!({"coordinates": [{"latitude": 52.52, "longitude": 13.4}, {"latitude": 48.2, "longitude": 16.37}]}),
        )],
    );
}

/// P19: a place on a screen.
#[test]
fn p19_places_on_screens() {
    let number = json!({"type": "number"});
    let schema = json!({"properties": {"x": number, "y": number}, "required": ["x", "y"]});
    let at = json!({"x": 120, "y": 480});
    check(
        "tap Tap on the screen",
        &schema,
        &[
            ("tap at 120, 480", at.clone()),
            ("tap at (120, 480)", at.clone()),
            ("tap at 120,480", at.clone()),
            ("tap at x 120, y 480", at.clone()),
            ("tap at x=120, y=480", at.clone()),
            ("tap at x: 120 y: 480", at),
            ("tap the buttons 1, 2, 3", json!({})),
            ("tap 120", json!({})),
        ],
    );
    let drag = json!({"properties": {"startX": number, "startY": number, "endX": number, "endY": number},
        "required": ["startX", "startY", "endX", "endY"]});
    check(
        "drag Drag the mouse",
        &drag,
        &[(
            "drag from 10, 20 to 300, 400",
            json!({"startX": 10, "startY": 20, "endX": 300, "endY": 400}),
        )],
    );
}
