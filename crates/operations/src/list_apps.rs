//! Which apps can the caller act on?

use handpick_domain::Surface;

/// One app with tools the caller may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppEntry {
    /// The configured name of the upstream server.
    pub app_id: String,
    /// Whether its tools can be called without authorizing first. Always so until tools can ask for a
    /// user's own authorization.
    pub connected: bool,
}

/// The apps of a surface, sorted by id (A61, A63).
pub fn list_apps(surface: &Surface) -> Vec<AppEntry> {
    let mut apps: Vec<AppEntry> = Vec::new();
    for (_, tool) in surface.tools() {
        if apps.last().is_none_or(|last| last.app_id != tool.name.app()) {
            apps.push(AppEntry {
                app_id: tool.name.app().to_owned(),
                connected: true,
            });
        }
    }
    apps.sort_by(|a, b| a.app_id.cmp(&b.app_id));
    apps.dedup();
    apps
}
