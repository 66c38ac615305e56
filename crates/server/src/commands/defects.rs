//! How is it told what is wrong with a published body?

use std::path::Path;

use handpick_conversation::FieldDefect;

use crate::settings::Mistake;

/// Wrong fields of a body that are told.
const DEFECTS_MAX: usize = 3;

/// What is wrong with the body in a file, as one mistake.
pub fn defective(path: &Path, defects: &[FieldDefect]) -> Mistake {
    Mistake::in_file(path, in_words(defects))
}

/// Wrong fields in words.
pub fn in_words(defects: &[FieldDefect]) -> String {
    let mut told: Vec<String> = defects
        .iter()
        .take(DEFECTS_MAX)
        .map(|defect| match defect.field.as_str() {
            // Of the whole body: the file is named already.
            "body" => defect.message.clone(),
            field => format!("`{field}` {}", defect.message),
        })
        .collect();
    if defects.len() > DEFECTS_MAX {
        told.push(format!("and {} more", defects.len() - DEFECTS_MAX));
    }
    told.join("; ")
}
