//! How does the index grow with the catalog? (A36)

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use handpick_domain::{Caller, Presentation};
use handpick_operations::open_surface::open_project;
use handpick_operations::search_tools::search_tools;
use handpick_operations::select_tools::{Selection, TaskOutcome, select_tools};
use handpick_operations::{Indexing, Selector};
use handpick_selection::{EncodeError, Encoder, Tuning};
use handpick_store::SelectionSource;

use crate::deployment::{Deployment, HashedWords, PATIENCE, Plan, Scripted, chat_tools, fillers, tool};

/// Counts the texts it encodes, and can be closed like a gate: to all texts, or to those with some words.
#[derive(Default)]
struct Counting {
    inner: HashedWords,
    texts: AtomicUsize,
    fails: AtomicBool,
    gated: Option<&'static str>,
    shut: Mutex<bool>,
    opened: Condvar,
}

impl Encoder for Counting {
    fn id(&self) -> &str {
        "counting"
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        let stops = |words: &str| texts.iter().any(|text| text.contains(words));
        if self.gated.is_none_or(stops) {
            let shut = self.shut.lock().unwrap();
            drop(self.opened.wait_while(shut, |shut| *shut).unwrap());
        }
        if self.fails.load(Ordering::Relaxed) {
            return Err(EncodeError("out of order".to_owned()));
        }
        self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        self.inner.encode(texts)
    }
}

async fn best(deployment: &Deployment, task: &str) -> Option<String> {
    let runtime = &deployment.runtime;
    let caller = Caller::default();
    let selection = Selection {
        tasks: &[task.to_owned()],
        context: None,
        limit: 5,
        floor: None,
        source: SelectionSource::Select,
    };
    let surface = open_project(runtime, &caller);
    match select_tools(runtime, &surface, &caller, selection)
        .await
        .tasks
        .pop()
    {
        Some(TaskOutcome::Found(found)) => found.first().map(|one| one.tool.name.to_string()),
        _ => panic!("the lookup was not completed"),
    }
}

/// A36: a changed catalog embeds what changed and nothing else; a restart embeds nothing.
#[tokio::test]
async fn a36_only_changes_are_embedded() {
    let encoder = Arc::new(Counting::default());
    let chat = Scripted::new(chat_tools());
    let plan = Plan::new()
        .server("chat", &chat)
        .gateway("all", Presentation::Recommend, &["*"])
        .encoder(Some(Arc::clone(&encoder) as _));
    let deployment = plan.start().await;
    assert_eq!(encoder.texts.swap(0, Ordering::Relaxed), 7);
    let mut tools = chat_tools();
    tools[0]["description"] = "Post a message.\nA second line.".into();
    tools[1]["inputSchema"] = serde_json::json!({"type": "object", "properties": {"x": {}}});
    tools.push(tool("archive", "Archive a channel."));
    chat.set_tools(tools);
    deployment.refresh("chat").await;
    deployment.indexed().await;
    assert_eq!(
        encoder.texts.swap(0, Ordering::Relaxed),
        2,
        "one first line, one new tool"
    );

    let store = &deployment.runtime.store;
    let restarted = Selector::load(Arc::clone(&encoder) as _, store, Tuning::default()).await;
    restarted.publish(deployment.runtime.upstreams.catalog());
    let expected = Indexing {
        tools: 8,
        missing: 0,
        stalled: false,
    };
    assert_eq!(*restarted.progress().borrow(), expected);
}

/// A36: a new tool is found by its words at once, while its vector is still being made, and by its
/// meaning afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a36_words_at_once_and_meaning_soon() {
    let encoder = Arc::new(Counting::default());
    let chat = Scripted::new(chat_tools());
    let plan = Plan::new()
        .server("chat", &chat)
        .gateway("all", Presentation::Recommend, &["*"])
        .encoder(Some(Arc::clone(&encoder) as _));
    let deployment = plan.start().await;
    let mut progress = deployment.runtime.selector.as_ref().unwrap().progress();
    *encoder.shut.lock().unwrap() = true;
    let mut tools = chat_tools();
    tools.push(tool("reserve", "Book a table."));
    chat.set_tools(tools);
    deployment.refresh("chat").await;
    let grown = progress.wait_for(|progress| progress.tools == 8);
    let grown = *tokio::time::timeout(PATIENCE, grown).await.unwrap().unwrap();
    assert_eq!(grown.missing, 1);
    let surface = open_project(&deployment.runtime, &Caller::default());
    let by_words = search_tools(&deployment.runtime, &surface, &Caller::default(), "table", 5).unwrap();
    assert_eq!(by_words[0].tool.name.as_str(), "chat.reserve");
    *encoder.shut.lock().unwrap() = false;
    encoder.opened.notify_all();
    deployment.indexed().await;
    assert_eq!(best(&deployment, "seats").await.as_deref(), Some("chat.reserve"));
}

/// A16: while a tool's meaning is not known yet, nobody says that nothing fits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a16_a_half_built_index_does_not_say_no_match() {
    let encoder = Arc::new(Counting {
        gated: Some("Book a table"),
        ..Counting::default()
    });
    let chat = Scripted::new(chat_tools());
    let plan = Plan::new()
        .server("chat", &chat)
        .gateway("all", Presentation::Recommend, &["*"])
        .encoder(Some(Arc::clone(&encoder) as _));
    let deployment = plan.start().await;
    let (runtime, caller) = (&deployment.runtime, Caller::default());
    let seats = async || {
        let selection = Selection {
            tasks: &["seats".to_owned()],
            context: None,
            limit: 5,
            floor: None,
            source: SelectionSource::Select,
        };
        let surface = open_project(runtime, &caller);
        select_tools(runtime, &surface, &caller, selection)
            .await
            .tasks
            .pop()
    };
    assert!(matches!(seats().await, Some(TaskOutcome::Found(found)) if found.is_empty()));
    let mut progress = runtime.selector.as_ref().unwrap().progress();
    *encoder.shut.lock().unwrap() = true;
    let mut tools = chat_tools();
    tools.push(tool("reserve", "Book a table."));
    chat.set_tools(tools);
    deployment.refresh("chat").await;
    let grown = progress.wait_for(|progress| progress.tools == 8);
    assert_eq!(
        tokio::time::timeout(PATIENCE, grown)
            .await
            .unwrap()
            .unwrap()
            .missing,
        1
    );
    assert!(matches!(seats().await, Some(TaskOutcome::Unavailable)));
    *encoder.shut.lock().unwrap() = false;
    encoder.opened.notify_all();
    deployment.indexed().await;
    assert_eq!(best(&deployment, "seats").await.as_deref(), Some("chat.reserve"));
}

/// An encoder that is out of order stops nothing: tools are found by their words, the state says so, and
/// the next change of the catalog tries again.
#[tokio::test]
async fn a36_a_broken_encoder_stalls_and_recovers() {
    let encoder = Arc::new(Counting::default());
    encoder.fails.store(true, Ordering::Relaxed);
    let chat = Scripted::new(chat_tools());
    let plan = Plan::new()
        .server("chat", &chat)
        .gateway("all", Presentation::Recommend, &["*"])
        .encoder(Some(Arc::clone(&encoder) as _));
    let deployment = plan.start().await;
    let progress = deployment.runtime.selector.as_ref().unwrap().progress();
    assert!(progress.borrow().stalled);
    assert_eq!(
        best(&deployment, "pin a message").await.as_deref(),
        Some("chat.pin_message")
    );
    encoder.fails.store(false, Ordering::Relaxed);
    let mut tools = chat_tools();
    tools.extend(fillers(70));
    chat.set_tools(tools);
    deployment.refresh("chat").await;
    deployment.indexed().await;
    let expected = Indexing {
        tools: 77,
        missing: 0,
        stalled: false,
    };
    assert_eq!(*progress.borrow(), expected);
}

/// A36: a tool whose text gives no vector costs only itself.
#[tokio::test]
async fn a36_one_bad_text_costs_itself() {
    struct Blind;
    impl Encoder for Blind {
        fn id(&self) -> &str {
            "blind"
        }

        fn dimensions(&self) -> usize {
            HashedWords::default().dimensions()
        }

        fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
            let mut vectors = HashedWords::default().encode(texts)?;
            for (text, vector) in texts.iter().zip(&mut vectors) {
                if text.contains("unspeakable") {
                    vector.fill(0.0);
                }
            }
            Ok(vectors)
        }
    }
    let mut tools = vec![
        tool("aaa", "An unspeakable thing."),
        tool("reserve", "Book a table."),
    ];
    tools.extend(fillers(60));
    let plan = Plan::new()
        .server("chat", &Scripted::new(tools))
        .gateway("all", Presentation::Recommend, &["*"])
        .encoder(Some(Arc::new(Blind)));
    let deployment = plan.start().await;
    let expected = Indexing {
        tools: 62,
        missing: 1,
        stalled: true,
    };
    let progress = deployment.runtime.selector.as_ref().unwrap().progress();
    assert_eq!(*progress.borrow(), expected);
    assert_eq!(best(&deployment, "seats").await.as_deref(), Some("chat.reserve"));
    assert_eq!(best(&deployment, "thing").await.as_deref(), Some("chat.aaa"));
}
