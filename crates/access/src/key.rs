//! How is a key made, shown once, and recognised without being stored?

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// SHA-256 of a key: what is stored and looked up. Keys carry 256 random bits, so a slow password
/// hash would add nothing but latency to every call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

impl KeyHash {
    /// Hashes a key as a caller presented it.
    pub fn of(key: &str) -> Self {
        Self(Sha256::digest(key.as_bytes()).into())
    }

    /// The public identifier of the key: the first six bytes of its hash, in hex.
    pub fn id(&self) -> String {
        self.0[..6].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A fresh key. The text exists only here and in the caller's hands.
pub struct NewKey {
    /// What the caller presents as bearer token, `hp_` and 43 characters.
    pub text: String,
    /// What is stored.
    pub hash: KeyHash,
}

impl NewKey {
    /// Makes a key of 256 random bits, which the caller draws.
    pub fn from_secret(secret: [u8; 32]) -> Self {
        let text = format!("hp_{}", URL_SAFE_NO_PAD.encode(secret));
        Self {
            hash: KeyHash::of(&text),
            text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_and_are_recognised() {
        let (a, b) = (NewKey::from_secret([1; 32]), NewKey::from_secret([2; 32]));
        assert_ne!(a.text, b.text);
        assert_eq!(KeyHash::of(&a.text), a.hash);
        assert_eq!(a.hash.id().len(), 12);
    }
}
