//! Which tools are checked, and where is each part of them written?

mod gateway;
mod places;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use handpick_domain::{Catalog, ToolName};
use handpick_lint::{Finding, Place, names};

use self::places::Places;
use crate::args::WhereArgs;
use crate::client::Client;
use crate::commands::catalog_file;
use crate::settings::listing::Listing;
use crate::settings::resolve::read_file;

/// The tools of a file or of a running gateway.
pub struct Source {
    /// The tools.
    pub catalog: Arc<Catalog>,
    /// Names in the order of the source, those that occur twice too.
    names: Vec<(String, ToolName)>,
    /// Where the parts are written; nowhere for a running gateway.
    places: Places,
}

/// Reads the tools from where the arguments say.
pub async fn read(place: &WhereArgs) -> anyhow::Result<Source> {
    let Some(file) = &place.catalog else {
        let tools = gateway::tools(&Client::new(&place.service)?, place).await?;
        return Ok(Source {
            catalog: Arc::new(Catalog::new(1, tools)),
            names: Vec::new(),
            places: Places::default(),
        });
    };
    let listing = catalog_file::read(file)?;
    let places = Places::find(&file.display().to_string(), &read_file(file)?, &listing.names);
    Ok(Source {
        catalog: listing.catalog,
        names: listing.names,
        places,
    })
}

impl Source {
    /// Where the part of a tool is written that a finding is about.
    pub fn place(&self, finding: &Finding) -> Option<Place> {
        self.places.of(finding)
    }

    /// The tools as a file would list them.
    pub fn listing(&self) -> Listing {
        Listing {
            catalog: Arc::clone(&self.catalog),
            names: Vec::new(),
            skipped: 0,
        }
    }

    /// How many tools there are.
    pub fn tools(&self) -> usize {
        self.catalog.tools().len()
    }

    /// How many servers list them.
    pub fn servers(&self) -> usize {
        self.tools_by_server().len()
    }

    /// How many tools each server lists.
    pub fn tools_by_server(&self) -> BTreeMap<&str, usize> {
        let mut servers = BTreeMap::new();
        for tool in self.catalog.tools() {
            *servers.entry(tool.name.app()).or_default() += 1;
        }
        servers
    }

    /// Tools that are listed more than once.
    pub fn duplicates(&self) -> Vec<Finding> {
        let mut known = HashSet::new();
        let again = self.names.iter().filter(|(_, name)| !known.insert(name));
        names::duplicates(again.map(|(_, name)| name))
    }
}
