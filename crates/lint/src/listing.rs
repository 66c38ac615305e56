//! What is read of a catalog before rules look at it?

use std::collections::BTreeMap;

use handpick_domain::{Catalog, Tool};
use serde_json::Value;

use crate::service::Service;

/// One tool, read.
#[derive(Debug)]
pub struct Listed<'c> {
    /// The tool.
    pub tool: &'c Tool,
    /// Its `inputSchema`, parsed.
    pub schema: Value,
}

/// The tools of one server.
#[derive(Debug)]
pub struct Server<'c> {
    /// Its configured name.
    pub app: &'c str,
    /// The service behind it.
    pub service: Service,
    /// Its tools, by name.
    pub tools: Vec<Listed<'c>>,
}

/// The servers of a catalog, by name.
pub fn servers(catalog: &Catalog) -> Vec<Server<'_>> {
    let mut servers: BTreeMap<&str, Vec<&Tool>> = BTreeMap::new();
    for tool in catalog.tools() {
        servers.entry(tool.name.app()).or_default().push(tool);
    }
    servers
        .into_iter()
        .map(|(app, tools)| Server {
            app,
            service: Service::of(app, tools.iter().copied()),
            tools: tools.into_iter().map(Listed::read).collect(),
        })
        .collect()
}

impl<'c> Listed<'c> {
    fn read(tool: &'c Tool) -> Self {
        Self {
            tool,
            // The schema came out of JSON, so it is JSON; only one nested past all reason is not read.
            schema: serde_json::from_str(tool.input_schema.get()).unwrap_or(Value::Null),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use handpick_domain::Tool;
    use serde_json::value::RawValue;

    /// A tool from its parts; `schema` is JSON.
    pub fn tool(app: &str, name: &str, description: &str, schema: &str) -> Tool {
        let json = format!(
            r#"{{"name":{},"description":{},"inputSchema":{schema}}}"#,
            serde_json::json!(name),
            serde_json::json!(description)
        );
        Tool::parse(app, &RawValue::from_string(json).unwrap()).unwrap()
    }
}
