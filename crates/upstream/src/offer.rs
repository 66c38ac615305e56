//! What is a server of the old era told that it may ask for?

use std::time::Duration;

use handpick_protocol::error::{INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR};
use handpick_protocol::version::LEGACY;

use crate::ask::{Ask, CLIENT_INFO};
use crate::fault::{Fault, Refusal};

/// What `initialize` offers a server, the fullest first. Folders are not among it: a server keeps them for the whole
/// connection, and widely used ones take them for the list of what may be touched, so one caller's folders would
/// hold for everybody who shares the connection.
///
/// There are servers in use that fail on members of `elicitation`, which came with 2025-11-25, and on `elicitation`
/// itself. To them less is offered.
const OFFERS: [&str; 3] = [
    r#"{"elicitation":{"form":{},"url":{}},"sampling":{}}"#,
    r#"{"elicitation":{},"sampling":{}}"#,
    "{}",
];

/// Which of the offers a server is made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Offer(usize);

impl Offer {
    /// The one that no server can take offence at.
    pub const NOTHING: Self = Self(OFFERS.len() - 1);

    /// `initialize` with the newest legacy revision.
    pub fn initialize(self, timeout: Duration) -> Ask<'static> {
        let capabilities = OFFERS.get(self.0).unwrap_or(&"{}");
        let members = format!(
            r#""protocolVersion":"{}","capabilities":{capabilities},"clientInfo":{CLIENT_INFO}"#,
            LEGACY[0]
        );
        Ask::plain("initialize", members, timeout)
    }

    /// The next lower one, where the failure of `initialize` may be due to what was offered.
    pub fn lowered(self, fault: &Fault) -> Option<Self> {
        let unread = match fault {
            Fault::Rpc(error)
            | Fault::Refused(Refusal {
                status: 400 | 500,
                error: Some(error),
                ..
            }) => matches!(
                error.code,
                PARSE_ERROR | INVALID_REQUEST | INVALID_PARAMS | INTERNAL_ERROR | -32_000
            ),
            Fault::Refused(refusal) => matches!(refusal.status, 400 | 500),
            _ => false,
        };
        (unread && self.0 < Self::NOTHING.0).then_some(Self(self.0 + 1))
    }
}

#[cfg(test)]
mod tests {
    use handpick_protocol::{Era, RpcError};

    use super::*;

    /// X10: less is offered only where the offer may be to blame, and nothing in the end.
    #[test]
    fn x10_offers_are_lowered() {
        let rpc = |code| Fault::Rpc(RpcError::new(code, ""));
        let refused = |status, error| {
            Fault::Refused(Refusal {
                status,
                error,
                excerpt: String::new(),
            })
        };
        for (fault, lowered) in [
            (rpc(INTERNAL_ERROR), true),
            (rpc(INVALID_PARAMS), true),
            (rpc(-32_022), false),
            (rpc(-32_601), false),
            (refused(400, None), true),
            (refused(500, None), true),
            (refused(404, None), false),
            (refused(401, None), false),
            (refused(400, Some(RpcError::new(-32_022, ""))), false),
            (Fault::Broken(String::new()), false),
        ] {
            let next = Offer::default().lowered(&fault);
            assert_eq!(next.is_some(), lowered, "{fault:?}");
            assert!(Offer::NOTHING.lowered(&fault).is_none());
        }
        let nothing = Offer::NOTHING.initialize(Duration::ZERO).message(1, Era::Legacy);
        assert!(nothing.contains(r#""capabilities":{}"#), "{nothing}");
    }
}
