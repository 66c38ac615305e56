//! What does one show somebody in a minute?

use serde_json::{Value, json};

/// A short tour through the demo apps: tasks to select tools for, and one call to make.
#[derive(Clone, Debug)]
pub struct Walkthrough {
    /// Tasks in the order to show them.
    pub tasks: [Task; 3],
    /// A call that works on fresh demo apps.
    pub call: WalkthroughCall,
}

/// One task in a person's words.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// What somebody wants done.
    pub task: &'static str,
    /// What the selection has to get right, to be printed beside it.
    pub why_interesting: &'static str,
    /// Canonical names of the tools that serve it; empty where none does.
    pub tools: &'static [&'static str],
}

/// A `tools/call` to make.
#[derive(Clone, Debug)]
pub struct WalkthroughCall {
    /// Canonical name, `app.tool`.
    pub tool: &'static str,
    /// Its arguments, an object.
    pub arguments: Value,
    /// The first text of the result, on fresh demo apps.
    pub answer: &'static str,
}

/// The tour.
pub fn walkthrough() -> Walkthrough {
    Walkthrough {
        tasks: [
            Task {
                task: "refund the invoice that was charged twice",
                why_interesting: "It shares words with the right tool, and with a dozen wrong ones.",
                tools: &["billing.refund_invoice"],
            },
            Task {
                task: "purchase rail fare to Munich",
                why_interesting: "It shares no word with the right tool; only the meaning leads there.",
                tools: &["travel.book_train"],
            },
            Task {
                task: "transpose the trumpet part of this song to B flat",
                why_interesting: "Nothing here can do it. Saying so is better than the nearest wrong tool.",
                tools: &[],
            },
        ],
        call: WalkthroughCall {
            tool: "billing.refund_invoice",
            arguments: json!({"invoice_id": "INV-2041", "amount": 686, "reason": "Charged twice"}),
            answer: "booked refund of €686.00 as PAY-737; INV-2041 has €0.00 due",
        },
    }
}
