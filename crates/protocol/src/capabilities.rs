//! What does a client offer to be asked for?

use serde_json::Value;
use serde_json::value::RawValue;

/// The capabilities a client declares, in `initialize` or with each request.
#[derive(Clone, Debug, Default)]
pub struct ClientCapabilities {
    raw: Option<Box<RawValue>>,
    /// It shows a form to its person.
    pub elicitation_form: bool,
    /// It sends its person to an address.
    pub elicitation_url: bool,
    /// It asks its model.
    pub sampling: bool,
    /// It tells its folders.
    pub roots: bool,
}

impl ClientCapabilities {
    /// Reads a capabilities object. Whatever is missing or odd reads as not offered; `elicitation` without a mode
    /// is the form mode, as before there were two.
    pub fn read(raw: Option<&RawValue>) -> Self {
        let value: Value = raw
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default();
        let offers = |value: &Value| value.is_object();
        let elicitation = &value["elicitation"];
        let url = offers(&elicitation["url"]);
        Self {
            elicitation_form: offers(elicitation) && (offers(&elicitation["form"]) || !url),
            elicitation_url: url,
            sampling: offers(&value["sampling"]),
            roots: offers(&value["roots"]),
            raw: raw
                .filter(|raw| raw.get().starts_with('{'))
                .map(ToOwned::to_owned),
        }
    }

    /// The object as it came.
    pub fn raw(&self) -> Option<&RawValue> {
        self.raw.as_deref()
    }

    /// Whether a request of this method, with these params, may be sent to the client.
    pub fn offers(&self, method: &str, params: &RawValue) -> bool {
        match method {
            "elicitation/create" => {
                let params: Value = serde_json::from_str(params.get()).unwrap_or_default();
                if params["mode"] == "url" {
                    self.elicitation_url
                } else {
                    self.elicitation_form
                }
            }
            "sampling/createMessage" => self.sampling,
            "roots/list" => self.roots,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::raw;

    /// X10: what each era's spelling of the capabilities comes to.
    #[test]
    fn x10_capabilities_are_read() {
        for (declared, form, url, sampling, roots) in [
            ("{}", false, false, false, false),
            (r#"{"elicitation":{}}"#, true, false, false, false),
            (r#"{"elicitation":{"form":{}}}"#, true, false, false, false),
            (r#"{"elicitation":{"url":{}}}"#, false, true, false, false),
            (
                r#"{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{"listChanged":true}}"#,
                true,
                true,
                true,
                true,
            ),
            (
                r#"{"elicitation":true,"sampling":null}"#,
                false,
                false,
                false,
                false,
            ),
            ("[]", false, false, false, false),
        ] {
            let read = ClientCapabilities::read(Some(&raw(declared.to_owned())));
            assert_eq!(
                read.offers("elicitation/create", &raw("{}".to_owned())),
                form,
                "{declared}"
            );
            let to_url = raw(r#"{"mode":"url"}"#.to_owned());
            assert_eq!(read.offers("elicitation/create", &to_url), url, "{declared}");
            assert_eq!(
                read.offers("sampling/createMessage", &to_url),
                sampling,
                "{declared}"
            );
            assert_eq!(read.offers("roots/list", &to_url), roots, "{declared}");
            assert!(!read.offers("ping", &to_url));
        }
        assert!(ClientCapabilities::read(None).raw().is_none());
    }
}
