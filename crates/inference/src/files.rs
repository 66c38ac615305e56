//! Which files of a folder make an encoder?

use std::path::Path;

/// A model someone put there by hand.
const OWN: &str = "model.onnx";

/// Where exporters put the model in full precision.
const FULL: &str = "onnx/model.onnx";

/// How the 8-bit models of exporters are called, best first.
const QUANTISED: [&str; 4] = [
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
    "onnx/model_int8.onnx",
    "onnx/model_uint8.onnx",
];

/// The same for one kind of processor each: `onnx/model_qint8_arm64.onnx`.
const QUANTISED_FOR: [&str; 2] = ["onnx/model_qint8_", "onnx/model_quint8_"];

/// What tells the tokens of a text, best first.
const TOKENIZERS: [&str; 2] = ["tokenizer.json", "vocab.txt"];

/// How the model is to be used, where the folder says so.
pub const POOLING: &str = "1_Pooling/config.json";
/// The texts that are put before a request or a description.
pub const PROMPTS: &str = "config_sentence_transformers.json";
/// The steps from a text to its vector.
pub const STEPS: &str = "modules.json";

const SETTINGS: [&str; 3] = [POOLING, PROMPTS, STEPS];

/// Folders that are looked into besides the folder itself.
const FOLDERS: [&str; 2] = ["onnx", "1_Pooling"];

/// The files of an encoder, as names relative to its folder, with `/` between the parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncoderFiles {
    /// The network.
    pub model: String,
    /// Its weights, where they are kept apart.
    pub weights: Vec<String>,
    /// Its tokenizer.
    pub tokenizer: String,
    /// How it is to be used.
    pub settings: Vec<String>,
}

/// Why the files of a folder make no encoder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilesMissing {
    /// Nothing that computes.
    #[error(
        "it has no ONNX model: looked for {OWN}, {FULL}, {} and {}*.onnx; found {found}",
        QUANTISED.join(", "),
        QUANTISED_FOR.join("*.onnx, ")
    )]
    Model {
        /// What is there instead.
        found: String,
    },
    /// Several models, and none of them called as expected.
    #[error("it has several ONNX models, {found}: name the one to take")]
    Ambiguous {
        /// Which.
        found: String,
    },
    /// The model that was asked for is not there.
    #[error("it has no file `{wanted}`; its ONNX models are {found}")]
    Wanted {
        /// The file.
        wanted: String,
        /// What is there instead.
        found: String,
    },
    /// Nothing that tells tokens.
    #[error("it has no tokenizer: looked for {}; found {found}", TOKENIZERS.join(" and "))]
    Tokenizer {
        /// What is there instead.
        found: String,
    },
}

impl EncoderFiles {
    /// Chooses among the files of a folder. Without a `model` asked for, a `model.onnx` at the top is the one;
    /// else an 8-bit model, smaller and faster, where this processor computes with it exactly, and the full one
    /// where not.
    pub fn choose(names: &[String], model: Option<&str>) -> Result<Self, FilesMissing> {
        Self::choose_for(names, model, multiplies_bytes_exactly())
    }

    fn choose_for(names: &[String], model: Option<&str>, exact_bytes: bool) -> Result<Self, FilesMissing> {
        let model = match model {
            Some(wanted) => find(names, wanted).ok_or_else(|| FilesMissing::Wanted {
                wanted: wanted.to_owned(),
                found: listed(&models(names)),
            })?,
            None => choose_model(names, exact_bytes)?,
        };
        let tokenizer = TOKENIZERS.iter().find_map(|tokenizer| find(names, tokenizer));
        let tokenizer = tokenizer.ok_or_else(|| FilesMissing::Tokenizer {
            found: listed(&names.iter().map(String::as_str).collect::<Vec<_>>()),
        })?;
        let continues = |name: &&String| name.len() > model.len() && name.starts_with(model);
        Ok(Self {
            weights: names.iter().filter(continues).cloned().collect(),
            settings: SETTINGS
                .iter()
                .filter_map(|settings| find(names, settings))
                .map(str::to_owned)
                .collect(),
            model: model.to_owned(),
            tokenizer: tokenizer.to_owned(),
        })
    }

    /// Chooses among the files that lie in a folder. See [`EncoderFiles::choose`].
    ///
    /// # Errors
    /// Why the folder cannot be read, or what it lacks.
    pub fn in_folder(folder: &Path, model: Option<&str>) -> std::io::Result<Result<Self, FilesMissing>> {
        let mut names = names_in(folder, "")?;
        for inner in FOLDERS {
            // One that is not there holds nothing.
            names.extend(names_in(&folder.join(inner), inner).unwrap_or_default());
        }
        names.sort();
        Ok(Self::choose(&names, model))
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let settings = self.settings.iter().map(String::as_str);
        let weights = self.weights.iter().map(String::as_str);
        [self.model.as_str(), self.tokenizer.as_str()]
            .into_iter()
            .chain(weights)
            .chain(settings)
    }
}

/// The names of the files in `folder`, with the name it has itself before them.
fn names_in(folder: &Path, name: &str) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if let (true, Ok(file)) = (entry.path().is_file(), entry.file_name().into_string()) {
            names.push(if name.is_empty() {
                file
            } else {
                format!("{name}/{file}")
            });
        }
    }
    Ok(names)
}

fn choose_model(names: &[String], exact_bytes: bool) -> Result<&str, FilesMissing> {
    let mut specific: Vec<&str> = models(names)
        .into_iter()
        .filter(|name| QUANTISED_FOR.iter().any(|prefix| name.starts_with(prefix)))
        .collect();
    specific.sort_by_key(|name| (!is_for_this_processor(name), name.to_string()));
    let quantised: Vec<&str> = QUANTISED
        .iter()
        .filter_map(|name| find(names, name))
        .chain(specific)
        .collect();
    let full = find(names, FULL);
    let preferred = if exact_bytes {
        quantised.first().copied().or(full)
    } else {
        full.or(quantised.first().copied())
    };
    if let Some(model) = find(names, OWN).or(preferred) {
        return Ok(model);
    }
    match models(names).as_slice() {
        [only] => Ok(only),
        [] => Err(FilesMissing::Model {
            found: listed(&names.iter().map(String::as_str).collect::<Vec<_>>()),
        }),
        several => Err(FilesMissing::Ambiguous {
            found: listed(several),
        }),
    }
}

fn find<'a>(names: &'a [String], wanted: &str) -> Option<&'a str> {
    names.iter().map(String::as_str).find(|name| *name == wanted)
}

/// The ONNX models, wherever they lie.
fn models(names: &[String]) -> Vec<&str> {
    let names = names.iter().map(String::as_str);
    names
        .filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "onnx"))
        .collect()
}

/// Names in a sentence, not more than a person reads.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    match names.len() {
        0 => "nothing".to_owned(),
        count if count > SHOWN => format!("{} and {} more", names[..SHOWN].join(", "), count - SHOWN),
        _ => names.join(", "),
    }
}

fn is_for_this_processor(name: &str) -> bool {
    name.contains(if cfg!(target_arch = "aarch64") {
        "arm64"
    } else {
        "avx"
    })
}

/// Whether products of 8-bit numbers are summed up without overflow. An x86 processor without VNNI adds two of
/// them in 16 bits, which is not enough for a model that uses all 8.
fn multiplies_bytes_exactly() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx512vnni")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(names: &[&str], exact_bytes: bool) -> Result<EncoderFiles, FilesMissing> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        EncoderFiles::choose_for(&names, None, exact_bytes)
    }

    #[track_caller]
    fn chosen(names: &[&str], exact_bytes: bool, model: &str) {
        let names = [names, &["tokenizer.json", "vocab.txt", "1_Pooling/config.json"]].concat();
        let files = choose(&names, exact_bytes).unwrap();
        assert_eq!(
            (files.model.as_str(), files.tokenizer.as_str()),
            (model, "tokenizer.json")
        );
        assert_eq!(files.settings, [POOLING]);
    }

    #[test]
    fn the_model_is_chosen_by_name_and_processor() {
        let quantised = "onnx/model_quantized.onnx";
        chosen(&["model.onnx", FULL, quantised], true, "model.onnx");
        chosen(&[FULL, quantised], true, quantised);
        chosen(&[FULL, quantised], false, FULL);
        chosen(&[quantised], false, quantised);
        chosen(&["onnx/model_fp16.onnx", FULL], true, FULL);
        chosen(&["encoder.onnx"], true, "encoder.onnx");
        let specific = ["onnx/model_qint8_arm64.onnx", "onnx/model_qint8_avx512_vnni.onnx"];
        let own = specific[usize::from(!cfg!(target_arch = "aarch64"))];
        chosen(&[FULL, specific[0], specific[1]], true, own);
        chosen(&[FULL, specific[0], specific[1]], false, FULL);
    }

    #[test]
    fn weights_beside_the_model_belong_to_it() {
        let names = [
            "onnx/model.onnx",
            "onnx/model.onnx_data",
            "onnx/model_O1.onnx",
            "vocab.txt",
        ];
        let files = choose(&names, true).unwrap();
        assert_eq!(files.weights, ["onnx/model.onnx_data"]);
        assert_eq!(
            files.all().collect::<Vec<_>>(),
            ["onnx/model.onnx", "vocab.txt", "onnx/model.onnx_data"]
        );
    }

    #[test]
    fn what_is_missing_is_told_with_what_is_there() {
        for (names, told) in [
            (
                &["config.json", "tokenizer.json"][..],
                "no ONNX model: looked for model.onnx, onnx/model.onnx,",
            ),
            (&["config.json"], "found config.json"),
            (&[], "found nothing"),
            (&["a.onnx", "b.onnx"], "several ONNX models, a.onnx, b.onnx"),
            (
                &["model.onnx", "spiece.model"],
                "no tokenizer: looked for tokenizer.json and vocab.txt; found model.onnx",
            ),
        ] {
            let error = choose(names, true).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
        let names = ["model.onnx".to_owned(), "vocab.txt".to_owned()];
        let error = EncoderFiles::choose(&names, Some("other.onnx"))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("no file `other.onnx`; its ONNX models are model.onnx"),
            "{error}"
        );
    }
}
