//! Where does a URL lead, and does it stay where it came from?

use http::Uri;
use http::uri::{Authority, PathAndQuery};

/// Resolves what a server names (a redirect, an endpoint) against the URL it was asked under. `None`
/// for what is no URL, and for another origin: credentials travel in headers of any name, so they must
/// never be sent elsewhere on a server's word.
pub(crate) fn resolve(base: &Uri, reference: &str) -> Option<Uri> {
    let uri = if reference.contains("://") {
        reference.parse::<Uri>().ok()?
    } else if let Some(rest) = reference.strip_prefix("//") {
        format!("{}://{rest}", base.scheme_str()?).parse().ok()?
    } else {
        let path = base.path();
        let path = match reference.chars().next() {
            Some('/') => reference.to_owned(),
            Some('?') => format!("{path}{reference}"),
            _ => format!(
                "{}/{reference}",
                path.rsplit_once('/').map_or("", |(folder, _)| folder)
            ),
        };
        with_path(base, path.parse().ok()?)?
    };
    (origin(&uri)? == origin(base)?).then_some(uri)
}

/// Scheme, host and port: what may be shown. Paths and queries carry secrets.
pub(crate) fn origin(uri: &Uri) -> Option<String> {
    let scheme = uri.scheme_str()?;
    let port = match (uri.port_u16(), scheme) {
        (Some(port), _) => port,
        (None, "http") => 80,
        (None, "https") => 443,
        _ => return None,
    };
    let host = uri.host()?.to_ascii_lowercase();
    let usual = matches!((scheme, port), ("http", 80) | ("https", 443));
    Some(if usual {
        format!("{scheme}://{host}")
    } else {
        format!("{scheme}://{host}:{port}")
    })
}

/// The URL without the credentials in it, and these as `user:password`.
pub(crate) fn split_credentials(uri: &Uri) -> Option<(Uri, Option<String>)> {
    let authority = uri.authority()?.as_str();
    let Some((credentials, host)) = authority.rsplit_once('@') else {
        return Some((uri.clone(), None));
    };
    let mut parts = uri.clone().into_parts();
    parts.authority = Some(host.parse::<Authority>().ok()?);
    let credentials = match credentials.split_once(':') {
        Some((user, password)) => format!("{}:{}", decode(user), decode(password)),
        None => format!("{}:", decode(credentials)),
    };
    Some((Uri::from_parts(parts).ok()?, Some(credentials)))
}

fn with_path(base: &Uri, path: PathAndQuery) -> Option<Uri> {
    let mut parts = base.clone().into_parts();
    parts.path_and_query = Some(path);
    Uri::from_parts(parts).ok()
}

/// Undoes percent-encoding; what is not valid UTF-8 then is replaced.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let encoded = match (first, tail) {
            (b'%', [high, low, ..]) => std::str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 16).ok()),
            _ => None,
        };
        bytes.push(encoded.unwrap_or(*first));
        rest = if encoded.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_servers_name_stays_on_their_origin() {
        let base = Uri::from_static("http://localhost:8000/a/sse?x=1");
        for (reference, expected) in [
            ("/messages?id=1", Some("http://localhost:8000/messages?id=1")),
            ("messages", Some("http://localhost:8000/a/messages")),
            ("?y=2", Some("http://localhost:8000/a/sse?y=2")),
            ("http://LOCALHOST:8000/m", Some("http://LOCALHOST:8000/m")),
            ("//localhost:8000/m", Some("http://localhost:8000/m")),
            ("http://localhost:8001/m", None),
            ("https://localhost:8000/m", None),
            ("//evil.example/m", None),
            ("http://[", None),
            ("http://", None),
            ("/\u{7f}", None),
        ] {
            let resolved = resolve(&base, reference).map(|uri| uri.to_string());
            assert_eq!(resolved.as_deref(), expected, "{reference}");
        }
        let usual = Uri::from_static("https://example.com/mcp");
        assert!(resolve(&usual, "https://example.com:443/mcp/").is_some());
    }

    #[test]
    fn credentials_leave_the_url() {
        for (url, without, credentials) in [
            ("http://u:p%40ss@h:1/mcp?q", "http://h:1/mcp?q", Some("u:p@ss")),
            ("http://u@h/mcp", "http://h/mcp", Some("u:")),
            ("http://h/mcp", "http://h/mcp", None),
            ("http://100%:%zz@h/", "http://h/", Some("100%:%zz")),
        ] {
            let Ok(uri) = url.parse() else { continue };
            let split = split_credentials(&uri).unwrap();
            assert_eq!(
                (split.0.to_string().as_str(), split.1.as_deref()),
                (without, credentials),
                "{url}"
            );
        }
    }
}
