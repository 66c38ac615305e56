//! May a page from this origin talk to the gateway?

/// Whether a request with this `Origin` header is served: browsers on loopback and on listed origins
/// are, and clients that are no browser send none. Stops DNS rebinding.
pub fn is_allowed(origin: Option<&[u8]>, allowed: &[String]) -> bool {
    let Some(origin) = origin else { return true };
    let Ok(origin) = std::str::from_utf8(origin) else {
        return false;
    };
    if allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)) {
        return true;
    }
    let Some((_, authority)) = origin.split_once("://") else {
        return false;
    };
    let loopback = ["localhost", "127.0.0.1", "[::1]"];
    loopback.into_iter().any(|host| {
        let Some(rest) = authority.strip_prefix(host) else {
            return false;
        };
        let port = rest.strip_prefix(':');
        rest.is_empty() || port.is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_and_listed_origins_pass() {
        let allowed = vec!["https://portal.example".to_owned()];
        for (origin, expected) in [
            ("http://localhost:3000", true),
            ("http://127.0.0.1", true),
            ("http://[::1]:6274", true),
            ("https://portal.example", true),
            ("https://portal.example.evil.test", false),
            ("http://localhost.evil.test", false),
            ("http://localhost1", false),
            ("http://localhost:80@evil.test", false),
            ("http://[::1].evil.test", false),
            ("https://evil.test", false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(
                is_allowed(Some(origin.as_bytes()), &allowed),
                expected,
                "{origin}"
            );
        }
        assert!(is_allowed(None, &allowed));
        assert!(!is_allowed(Some(b"\xff"), &allowed));
    }
}
