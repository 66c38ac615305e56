//! Does a field with this name ask for a secret?
//!
//! The protocol forbids to ask for secrets by a form: what is typed there passes through the model.

/// Words that say it wherever they stand, also run together with others.
const ANYWHERE: [&str; 18] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "passwort",
    "kennwort",
    "motdepasse",
    "contraseña",
    "apikey",
    "accesskey",
    "privatekey",
    "secretkey",
    "clientsecret",
    "accesstoken",
    "credential",
    "creditcard",
    "cardnumber",
    "recoverycode",
];

/// Words that say it when they stand alone: `pin`, but not `pinned`.
const ALONE: [&str; 11] = [
    "pwd", "pin", "otp", "totp", "cvv", "cvc", "secret", "secrets", "token", "ssn", "mnemonic",
];

/// Reads a name or a title. Words may be joined by `_`, by case or not at all.
pub(super) fn asks_for_secret(name: &str) -> bool {
    let words = words(name);
    let together = words.concat();
    ANYWHERE.iter().any(|secret| together.contains(secret))
        || words.iter().any(|word| ALONE.contains(&word.as_str()))
}

fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut after_small = false;
    for character in name.chars() {
        let starts = character.is_uppercase() && after_small;
        if (starts || !character.is_alphabetic()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphabetic() {
            word.extend(character.to_lowercase());
        }
        after_small = character.is_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_names() {
        for name in [
            "password",
            "user_password",
            "newPassword2",
            "userpassword",
            "Your password",
            "API key",
            "apiKey",
            "api_key",
            "PIN",
            "card_pin",
            "Credit card number",
            "cvv",
            "auth_token",
            "clientSecret",
            "one-time passcode",
            "Mot de passe",
            "contraseña",
        ] {
            assert!(asks_for_secret(name), "{name}");
        }
        for name in [
            "name",
            "due_date",
            "secretary",
            "pinned",
            "spinning",
            "max_tokens",
            "keyword",
            "key",
            "passenger_count",
            "passport_country",
            "compass",
            "",
        ] {
            assert!(!asks_for_secret(name), "{name}");
        }
    }
}
