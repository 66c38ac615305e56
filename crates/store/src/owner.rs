//! Whose note or workflow is it?

/// One holder at one gateway. What belongs to one owner is never read, changed or counted for another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    /// Where it was made.
    pub gateway: String,
    /// Who made it; users and keys are spelled differently, so that neither can pass for the other.
    pub holder: String,
}

impl Owner {
    /// What an end user made through a gateway.
    pub fn user(gateway: &str, user_id: &str) -> Self {
        Self {
            gateway: gateway.to_owned(),
            holder: format!("user:{user_id}"),
        }
    }

    /// What was made with a key that named no end user.
    pub fn key(gateway: &str, key_id: &str) -> Self {
        Self {
            gateway: gateway.to_owned(),
            holder: format!("key:{key_id}"),
        }
    }
}
