//! Is a hub's model fetched once, checked, and used without the hub afterwards?

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::run::{Place, tiny};

const MODEL: &str = "tester/tiny-multilingual";
const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const REQUEST: &str = "где моя посылка";
const TOOL: &str = "tools.trace_shipment";

/// A hub with one model. The network is kept on another host, as large files are.
#[derive(Default)]
struct Hub {
    files: BTreeMap<String, Vec<u8>>,
    /// What is announced of the network instead of its own digest.
    digest: Option<String>,
    /// Who may read.
    token: Option<&'static str>,
    /// Where the large file is.
    store: String,
    /// What was asked for, and whether a token was shown.
    asked: Mutex<Vec<(String, bool)>>,
}

/// A hub that runs until the test ends.
struct Running {
    url: String,
    hub: Arc<Hub>,
    _runtime: tokio::runtime::Runtime,
}

impl Hub {
    fn tiny() -> Self {
        let mut files = BTreeMap::new();
        for (name, file) in [
            ("onnx/model.onnx", "model.onnx"),
            ("tokenizer.json", "tokenizer.json"),
            ("1_Pooling/config.json", "1_Pooling/config.json"),
        ] {
            files.insert(name.to_owned(), std::fs::read(tiny().join(file)).unwrap());
        }
        // Nothing of this is needed.
        files.insert("model.safetensors".to_owned(), vec![0; 64]);
        files.insert("README.md".to_owned(), b"# tiny".to_vec());
        Self {
            files,
            ..Self::default()
        }
    }

    fn start(mut self) -> Running {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listen = || async { tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap() };
        let (listener, store) = runtime.block_on(async { (listen().await, listen().await) });
        let url = format!("http://{}", listener.local_addr().unwrap());
        self.store = format!("http://{}", store.local_addr().unwrap());
        let hub = Arc::new(self);
        let app = Router::new()
            .route("/api/models/{owner}/{name}/revision/{revision}", get(listing))
            .route("/{owner}/{name}/resolve/{commit}/{*file}", get(file))
            .with_state(Arc::clone(&hub));
        let stored = Router::new()
            .route("/{*file}", get(stored))
            .with_state(Arc::clone(&hub));
        runtime.spawn(async move { axum::serve(listener, app).await });
        runtime.spawn(async move { axum::serve(store, stored).await });
        Running {
            url,
            hub,
            _runtime: runtime,
        }
    }

    fn note(&self, what: String, headers: &HeaderMap) -> Option<Response> {
        let shown = headers
            .get(header::AUTHORIZATION)
            .map(|value| value.to_str().unwrap().to_owned());
        self.asked.lock().unwrap().push((what, shown.is_some()));
        let wanted = self.token.map(|token| format!("Bearer {token}"));
        (wanted.is_some() && shown != wanted).then(|| StatusCode::UNAUTHORIZED.into_response())
    }
}

async fn listing(
    State(hub): State<Arc<Hub>>,
    Path((owner, name, revision)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Response {
    if let Some(refused) = hub.note("listing".to_owned(), &headers) {
        return refused;
    }
    if format!("{owner}/{name}") != MODEL {
        return (StatusCode::NOT_FOUND, [("x-error-code", "RepoNotFound")]).into_response();
    }
    if !["main", "v1", COMMIT].contains(&revision.as_str()) {
        return (StatusCode::NOT_FOUND, [("x-error-code", "RevisionNotFound")]).into_response();
    }
    let files: Vec<_> = hub
        .files
        .iter()
        .map(|(name, content)| {
            let mut file = json!({"rfilename": name, "size": content.len()});
            if name.ends_with(".onnx") {
                let digest = hub.digest.clone().unwrap_or_else(|| sha256(content));
                file["lfs"] = json!({"sha256": digest, "size": content.len(), "pointerSize": 130});
            }
            file
        })
        .collect();
    axum::Json(json!({"id": MODEL, "sha": COMMIT, "siblings": files})).into_response()
}

async fn file(
    State(hub): State<Arc<Hub>>,
    Path((_, _, commit, file)): Path<(String, String, String, String)>,
    headers: HeaderMap,
) -> Response {
    if let Some(refused) = hub.note(file.clone(), &headers) {
        return refused;
    }
    assert_eq!(commit, COMMIT);
    if file.ends_with(".onnx") {
        let target = format!("{}/{file}", hub.store);
        return (StatusCode::FOUND, [(header::LOCATION, target)]).into_response();
    }
    hub.files[&file].clone().into_response()
}

/// Another host must never see the token.
async fn stored(State(hub): State<Arc<Hub>>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    let shown = headers.contains_key(header::AUTHORIZATION);
    hub.asked.lock().unwrap().push((format!("stored {file}"), shown));
    hub.files[&file].clone().into_response()
}

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl Running {
    /// What was asked for since the last time.
    fn asked(&self) -> Vec<(String, bool)> {
        std::mem::take(&mut *self.hub.asked.lock().unwrap())
    }

    fn names(&self) -> Vec<String> {
        self.asked().into_iter().map(|(name, _)| name).collect()
    }
}

#[test]
fn a_model_is_fetched_once_and_used_offline_afterwards() {
    let (place, hub) = (Place::new(), Hub::tiny().start());
    let first = place.select(REQUEST, Some(MODEL), &[("HF_ENDPOINT", &hub.url)]);
    assert_eq!(first.found(), [TOOL]);
    assert_eq!(
        hub.names(),
        [
            "listing",
            "onnx/model.onnx",
            "stored onnx/model.onnx",
            "tokenizer.json",
            "1_Pooling/config.json"
        ]
    );
    let network = std::fs::read(tiny().join("model.onnx")).unwrap();
    for told in [
        format!("fetching `{MODEL}` (commit {COMMIT}) from {}: 3 files", hub.url),
        format!("onnx/model.onnx, 151.47 kB, sha256 {}", sha256(&network)),
    ] {
        assert!(first.err.contains(&told), "{}", first.err);
    }
    let folder = place.path("data/encoders/tester--tiny-multilingual/main");
    assert_eq!(std::fs::read(folder.join("onnx/model.onnx")).unwrap(), network);
    assert!(!folder.join("README.md").exists());
    assert_eq!(std::fs::read_dir(folder.parent().unwrap()).unwrap().count(), 1);

    drop(hub);
    let again = place.select(REQUEST, Some(MODEL), &[]);
    assert_eq!(
        (again.found().as_slice(), again.err.as_str()),
        (&[TOOL.to_owned()][..], "")
    );
    let by_path = place.select(REQUEST, folder.to_str(), &[]);
    assert_eq!(by_path.found(), [TOOL]);
}

#[test]
fn revisions_lie_side_by_side() {
    let (place, hub) = (Place::new(), Hub::tiny().start());
    let environment = [("HF_ENDPOINT", hub.url.as_str())];
    for revision in ["v1", COMMIT] {
        let model = format!("{MODEL}@{revision}");
        assert_eq!(place.select(REQUEST, Some(&model), &environment).found(), [TOOL]);
        assert!(
            place
                .path("data/encoders/tester--tiny-multilingual")
                .join(revision)
                .is_dir()
        );
    }
    let absent = place.select(REQUEST, Some(&format!("{MODEL}@v2")), &environment);
    absent.failed_with("has no revision `v2`");
}

#[test]
fn the_token_is_shown_to_the_hub_alone() {
    let hub = Hub {
        token: Some("secret"),
        ..Hub::tiny()
    }
    .start();
    let place = Place::new();
    let endpoint = ("HF_ENDPOINT", hub.url.as_str());
    let without = place.select(REQUEST, Some(MODEL), &[endpoint]);
    without.failed_with("(401 Unauthorized): set HF_TOKEN to a token that may read it");
    let wrong = place.select(REQUEST, Some(MODEL), &[endpoint, ("HF_TOKEN", "guessed")]);
    wrong.failed_with("the token in HF_TOKEN may not read it");
    assert!(!wrong.err.contains("guessed"));
    hub.asked();
    let right = place.select(REQUEST, Some(MODEL), &[endpoint, ("HF_TOKEN", "secret")]);
    assert_eq!(right.found(), [TOOL]);
    for (name, shown) in hub.asked() {
        assert_eq!(shown, !name.starts_with("stored"), "{name}");
    }
}

#[test]
fn what_came_otherwise_than_announced_is_not_used() {
    let hub = Hub {
        digest: Some("0".repeat(64)),
        ..Hub::tiny()
    }
    .start();
    let place = Place::new();
    let run = place.select(REQUEST, Some(MODEL), &[("HF_ENDPOINT", &hub.url)]);
    run.failed_with("the file `onnx/model.onnx` was not received: its sha256 is");
    assert!(
        !place
            .path("data/encoders/tester--tiny-multilingual/main")
            .exists()
    );

    // Once the hub is right again, the next run makes it good.
    let hub = Hub::tiny().start();
    let run = place.select(REQUEST, Some(MODEL), &[("HF_ENDPOINT", &hub.url)]);
    assert_eq!(run.found(), [TOOL]);
}

#[test]
fn a_lost_file_is_fetched_again() {
    let (place, hub) = (Place::new(), Hub::tiny().start());
    let environment = [("HF_ENDPOINT", hub.url.as_str())];
    place.select(REQUEST, Some(MODEL), &environment).found();
    let folder = place.path("data/encoders/tester--tiny-multilingual/main");
    std::fs::write(folder.join("tokenizer.json"), "cut").unwrap();
    hub.asked();
    assert_eq!(place.select(REQUEST, Some(MODEL), &environment).found(), [TOOL]);
    assert!(hub.names().contains(&"tokenizer.json".to_owned()));
}

#[test]
fn failures_say_where_and_why() {
    let (place, hub) = (Place::new(), Hub::tiny().start());
    let environment = [("HF_ENDPOINT", hub.url.as_str())];
    let unknown = place.select(REQUEST, Some("tester/unknown"), &environment);
    unknown.failed_with(
        "there is no folder `tester/unknown`, and the model of that name cannot be fetched from",
    );
    unknown.failed_with("it has no model `tester/unknown`");
    let file = place.select(
        REQUEST,
        Some(&format!("{MODEL}/onnx/model_O3.onnx")),
        &environment,
    );
    file.failed_with("it has no file `onnx/model_O3.onnx`; its ONNX models are onnx/model.onnx");
    let offline = place.select(REQUEST, Some(MODEL), &[]);
    offline.failed_with("127.0.0.1:9 cannot be reached: Connection refused");
    let elsewhere = place.select(REQUEST, Some(MODEL), &[("HF_ENDPOINT", "hub.example")]);
    elsewhere.failed_with("HF_ENDPOINT must begin with http:// or https://");
    let bare = Hub {
        files: BTreeMap::from([("pytorch_model.bin".to_owned(), vec![0])]),
        ..Hub::default()
    }
    .start();
    let bare = place.select(REQUEST, Some(MODEL), &[("HF_ENDPOINT", &bare.url)]);
    bare.failed_with("it has no ONNX model: looked for model.onnx");
    bare.failed_with("found pytorch_model.bin");
}
