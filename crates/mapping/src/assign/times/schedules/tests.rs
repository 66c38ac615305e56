//! Are schedules read as cron, and only where all of it is said?

use serde_json::json;

use crate::assign::rows::check;

/// P19: written or said.
#[test]
fn p19_schedules_become_cron() {
    let schema = json!({"properties": {
        "cron": {"type": "string", "description": "The cron expression"},
        "cron_timezone": {"type": "string", "description": "Time zone of the cron expression"},
    }});
    let of = |text: &str| json!({"cron": text});
    check(
        "create_schedule Schedule a pipeline",
        &schema,
        &[
            ("schedule it with cron 30 2 * * *", of("30 2 * * *")),
            ("schedule it: `*/15 * * * *`", of("*/15 * * * *")),
            ("schedule it with 0 9 * * 1-5, please", of("0 9 * * 1-5")),
            ("schedule it daily at 02:30", of("30 2 * * *")),
            ("schedule it every day at 2:30am", of("30 2 * * *")),
            ("schedule it every weekday at 09:00", of("0 9 * * 1-5")),
            ("schedule it every Monday at 09:00", of("0 9 * * 1")),
            ("schedule it every 15 minutes", of("*/15 * * * *")),
            ("schedule it every hour", of("0 * * * *")),
            ("schedule it hourly", of("0 * * * *")),
            ("schedule it every day", json!({})),
            ("schedule it every 7 minutes", json!({})),
            ("schedule it tomorrow at 9", json!({})),
            ("schedule it for every branch", json!({})),
        ],
    );
}
