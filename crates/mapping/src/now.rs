//! What time is it where the person is?

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

/// The present: the local time, and how far it is from UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// What the clock on the wall says.
    pub local: DateTime,
    /// How far it is from UTC.
    pub offset: Offset,
}

impl Now {
    /// The present in UTC.
    pub fn utc(timestamp: Timestamp) -> Self {
        Self {
            local: Offset::UTC.to_datetime(timestamp),
            offset: Offset::UTC,
        }
    }
}
