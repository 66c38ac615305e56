//! Which ids stand in the address of a page?

use super::Reader;
use crate::found::json;
use crate::found::shape::Shape;
use crate::id_name::IdName;

impl Reader<'_> {
    /// The ids in an address: by their looks, by the folder they stand in (`/orders/100432`), by the name they are
    /// given (`?order_id=100432`).
    pub(crate) fn address(&self, url: &str) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let path = path.split_once("://").map_or(path, |(_, rest)| rest);
        let (path, fragment) = path.split_once('#').unwrap_or((path, ""));
        let mut folder = "";
        for segment in path.split('/').skip(1).chain(fragment.split('/')) {
            found.extend(self.segment(folder, segment));
            folder = segment;
        }
        for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            let value = value.split('#').next().unwrap_or_default();
            let named = IdName::of(name).and_then(|name| self.known.number(&name));
            match named {
                Some(id) if json::is_value(value) => found.push((id, value.to_owned())),
                _ => found.extend(self.segment(name, value)),
            }
        }
        found
    }

    fn segment(&self, folder: &str, segment: &str) -> Option<(usize, String)> {
        let shape = Shape::of(segment)?;
        let digits = segment.bytes().any(|b| b.is_ascii_digit());
        let ids: Vec<usize> = self.fitting(&shape).into_iter().map(|fit| fit.id).collect();
        let named = self.known.of_entity(folder);
        if let Some(id) = named.iter().copied().find(|id| ids.contains(id)) {
            return Some((id, segment.to_owned()));
        }
        if shape.is_telling() {
            if let Some(id) = self.only(&ids) {
                return Some((id, segment.to_owned()));
            }
            if let Some(shorter) = self.shorter(segment) {
                return Some(shorter);
            }
        }
        match named {
            [id] if digits && !self.known.shapes().knows(*id) => Some((*id, segment.to_owned())),
            _ => None,
        }
    }
}
