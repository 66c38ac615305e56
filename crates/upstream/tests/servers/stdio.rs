//! Do calls to real child processes work, and does a misbehaving one cost only itself?

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::*;
use handpick_upstream::{CallError, Era, ServerState, ToolCall, Transport, TransportKind, Upstreams};
use serde_json::json;
use tokio::sync::mpsc;

#[track_caller]
fn unavailable(outcome: Result<serde_json::Value, CallError>) -> String {
    match outcome.unwrap_err() {
        CallError::Unavailable { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

/// A26: results, arguments and metadata pass unchanged, in both eras.
#[tokio::test]
async fn a26_calls_pass_through() {
    let begun = Instant::now();
    let upstreams = start(vec![
        fake("old", &[]),
        fake("new", &["--modern"]),
        fake("both", &["--dual"]),
    ])
    .await;
    // One that speaks both and takes longer than this to start is asked both ways, and may be spoken to in either.
    let prompt = begun.elapsed() < Duration::from_secs(2);
    for (server, era) in [("old", Era::Legacy), ("new", Era::Modern), ("both", Era::Modern)] {
        let status = status(&upstreams, server);
        assert_eq!(status.state, ServerState::Ready, "{status:?}");
        assert_eq!((status.era, status.tools, status.problem), (Some(era), 11, None));
        let mut call = call_of("{\n \"a\": [1, 2.50e1],\r\n \"b\": \"é\\n\" }");
        call.meta = Some(handpick_protocol::json::raw(r#"{"traceparent":"00-1"}"#.into()));
        let result = upstreams
            .call(permit(&upstreams, &format!("{server}.echo")), call)
            .await
            .unwrap();
        let result: serde_json::Value = serde_json::from_str(result.get()).unwrap();
        assert_eq!(result["structuredContent"], json!({"a": [1, 25.0], "b": "é\n"}));
        let meta = &result["_meta"]["got"];
        assert_eq!(meta["traceparent"], "00-1");
        let spoken = meta["io.modelcontextprotocol/protocolVersion"].is_string();
        assert!(
            spoken == (era == Era::Modern) || (server == "both" && !prompt),
            "{server}: {meta}"
        );
    }
    // Unknown members of a definition survive.
    let catalog = upstreams.catalog();
    assert!(catalog.tools()[0].definition.get().contains("taskSupport"));
    upstreams.shutdown().await;
}

#[tokio::test]
async fn errors_of_the_server_pass_through() {
    let upstreams = start(vec![fake("s", &[])]).await;
    match call(&upstreams, "s.fail", "{}").await.unwrap_err() {
        CallError::Rpc(error) => {
            assert_eq!((error.code, error.message.as_str()), (-32042, "go there"));
            assert_eq!(error.data.unwrap().get(), r#"{"url":"x"}"#);
        }
        other => panic!("{other:?}"),
    }
    upstreams.shutdown().await;
}

#[tokio::test]
async fn many_calls_share_one_process_and_none_waits_for_another() {
    let upstreams = start(vec![fake("s", &[])]).await;
    let slow = tokio::spawn({
        let upstreams = Arc::clone(&upstreams);
        async move { call(&upstreams, "s.sleep", r#"{"ms": 600000}"#).await }
    });
    let calls = (0..200).map(|number| {
        let upstreams = Arc::clone(&upstreams);
        tokio::spawn(async move {
            let result = call(&upstreams, "s.echo", &format!(r#"{{"n":{number}}}"#))
                .await
                .unwrap();
            assert_eq!(result["structuredContent"]["n"], number);
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    assert!(!slow.is_finished());
    slow.abort();
    upstreams.shutdown().await;
}

/// Noise on standard output is skipped and counted; wrong ids are nobody's answer.
#[tokio::test]
async fn noise_and_lies_are_ignored() {
    let upstreams = start(vec![fake("s", &["--noise", "--garbage-ids"])]).await;
    let result = call(&upstreams, "s.echo", r#"{"a":1}"#).await.unwrap();
    assert_eq!(result["structuredContent"]["a"], 1);
    let status = status(&upstreams, "s");
    assert_eq!(status.state, ServerState::Ready);
    // Six lines at the start; of the five wrong ids, the number is a valid one and `null` an object's.
    assert!(status.noise_lines >= 6, "{}", status.noise_lines);
    upstreams.shutdown().await;
}

#[tokio::test]
async fn a_result_of_many_megabytes_arrives() {
    let upstreams = start(vec![fake("s", &[])]).await;
    let result = call(&upstreams, "s.big", r#"{"bytes": 20000000}"#).await.unwrap();
    assert_eq!(result["content"][0]["text"].as_str().unwrap().len(), 20_000_000);
    // More than is read fails that call, at once, and nothing else.
    let reason = unavailable(call(&upstreams, "s.big", r#"{"bytes": 70000000}"#).await);
    assert!(reason.contains("more than 64 MiB"), "{reason}");
    assert!(call(&upstreams, "s.echo", "{}").await.is_ok());
    upstreams.shutdown().await;
}

#[tokio::test]
async fn progress_is_forwarded_and_extends_the_time_out() {
    let folder = tempfile::tempdir().unwrap();
    let pace = folder.path().join("pace");
    let upstreams = start(vec![fake("s", &[])]).await;
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let arguments = json!({"steps": 10, "pace": pace});
    let call = ToolCall {
        progress: Some(sender),
        timeout: Some(Duration::from_secs(1)),
        ..call_of(&arguments.to_string())
    };
    let clock = stop_clock();
    let result = upstreams.call(permit(&upstreams, "s.progress"), call);
    let paced = async {
        for step in 1..=10 {
            std::fs::write(&pace, "x".repeat(step)).unwrap();
            let params = receiver.recv().await.expect("the call goes on");
            let params: serde_json::Value = serde_json::from_str(params.get()).unwrap();
            assert_eq!(params["progress"], step);
            if step < 10 {
                tokio::time::advance(Duration::from_millis(900)).await;
            }
        }
    };
    let (result, ()) = tokio::join!(result, paced);
    drop(clock);
    assert!(result.unwrap().get().contains("done"));
    assert!(receiver.recv().await.is_none());
    upstreams.shutdown().await;
}

/// Both ways to stop waiting tell the server: running out of time, and dropping the call.
#[tokio::test]
async fn calls_nobody_waits_for_are_cancelled_upstream() {
    let folder = tempfile::tempdir().unwrap();
    for (era, switch) in [("old", "--legacy"), ("new", "--modern")] {
        let log = folder.path().join(era);
        let upstreams = start(vec![fake("s", &[switch, &format!("--log={}", log.display())])]).await;
        let cancelled = || {
            lines(&log)
                .iter()
                .filter(|line| line.contains("notifications/cancelled"))
                .count()
        };
        let impatient = ToolCall {
            timeout: Some(Duration::from_millis(50)),
            ..call_of("{}")
        };
        let outcome = upstreams.call(permit(&upstreams, "s.mute"), impatient).await;
        assert!(matches!(outcome, Err(CallError::TimedOut { .. })), "{outcome:?}");
        eventually("the first cancellation", || cancelled() == 1).await;
        let dropped = tokio::time::timeout(Duration::from_millis(50), call(&upstreams, "s.mute", "{}"));
        assert!(dropped.await.is_err());
        eventually("the second cancellation", || cancelled() == 2).await;
        assert!(call(&upstreams, "s.echo", "{}").await.is_ok());
        upstreams.shutdown().await;
    }
}

#[tokio::test]
async fn a_changed_list_is_fetched_again() {
    for switch in ["--legacy", "--modern"] {
        let upstreams = start(vec![fake("s", &[switch])]).await;
        let mut changes = upstreams.changes();
        let before = *changes.borrow_and_update();
        assert!(!names(&upstreams).contains(&"s.added".to_owned()));
        call(&upstreams, "s.change", "{}").await.unwrap();
        tokio::time::timeout(PATIENCE, changes.changed())
            .await
            .unwrap()
            .unwrap();
        assert!(*changes.borrow() > before);
        assert_eq!(upstreams.catalog().generation(), *changes.borrow());
        assert!(names(&upstreams).contains(&"s.added".to_owned()));
        upstreams.shutdown().await;
    }
}

/// What a server asks of us is answered, `ping` with nothing and the rest with a refusal where there is no client.
#[tokio::test]
async fn requests_of_the_server_are_answered() {
    for era in ["--legacy", "--modern"] {
        let upstreams = start(vec![fake("s", &[era])]).await;
        let result = call(&upstreams, "s.ask", "{}").await.unwrap();
        let reply = |id: &str| {
            result["replies"]
                .as_array()
                .unwrap()
                .iter()
                .find(|reply| reply["id"] == id)
                .unwrap()
                .clone()
        };
        assert_eq!(reply("q1")["result"], json!({}));
        assert_eq!(reply("q2")["error"]["code"], -32601);
        assert_eq!(reply("q3")["error"]["code"], -32601);
        upstreams.shutdown().await;
    }
}

/// Old servers that fall silent or fall over on the modern question still start, once, and are
/// remembered.
#[tokio::test]
async fn eras_are_found_out_and_remembered() {
    let folder = tempfile::tempdir().unwrap();
    for (switch, era, starts) in [
        ("--legacy", Era::Legacy, 1),
        ("--silent-on-discover", Era::Legacy, 1),
        ("--exit-on-discover", Era::Legacy, 2),
        ("--modern", Era::Modern, 1),
    ] {
        let (pids, log) = (
            folder.path().join(switch),
            folder.path().join(format!("{switch}.log")),
        );
        let (pids_switch, log_switch) = (
            format!("--pids={}", pids.display()),
            format!("--log={}", log.display()),
        );
        let switches = [switch, &pids_switch, &log_switch];
        let questions = || {
            lines(&log)
                .iter()
                .filter(|line| line.contains("server/discover"))
                .count()
        };
        let cache = Arc::new(MemoryCache::default());
        let upstreams = start_with(vec![fake("s", &switches)], Arc::clone(&cache)).await;
        assert_eq!(status(&upstreams, "s").era, Some(era), "{switch}");
        assert_eq!(lines(&pids).len(), starts, "{switch}");
        upstreams.shutdown().await;
        assert_eq!(cache.get("s").unwrap().era, Some(era));

        // The second run starts nothing until a call, and then asks nothing it knows.
        let upstreams = start_with(vec![fake("s", &switches)], cache).await;
        assert_eq!(status(&upstreams, "s").state, ServerState::Cached);
        assert_eq!(lines(&pids).len(), starts, "{switch}");
        assert_eq!(questions(), 1);
        assert!(call(&upstreams, "s.echo", "{}").await.is_ok(), "{switch}");
        assert_eq!(questions(), if era == Era::Modern { 2 } else { 1 }, "{switch}");
        assert_eq!(lines(&pids).len(), starts + 1, "{switch}");
        upstreams.shutdown().await;
    }
}

/// A remembered era that is wrong is found out anew.
#[tokio::test]
async fn a_wrong_memory_of_the_era_is_corrected() {
    for (before, after, era) in [
        ("--modern", "--legacy", Era::Legacy),
        ("--modern", "--exit-on-discover", Era::Legacy),
        ("--legacy", "--modern", Era::Modern),
    ] {
        let cache = Arc::new(MemoryCache::default());
        start_with(vec![fake("s", &[before])], Arc::clone(&cache))
            .await
            .shutdown()
            .await;
        let upstreams = start_with(vec![fake("s", &[after])], Arc::clone(&cache)).await;
        assert_eq!(status(&upstreams, "s").state, ServerState::Cached);
        assert!(call(&upstreams, "s.echo", "{}").await.is_ok(), "{before} {after}");
        assert_eq!(status(&upstreams, "s").era, Some(era));
        upstreams.shutdown().await;
    }
}

/// A slow server is asked both ways and answers when it is up.
#[tokio::test]
async fn slow_starters_are_waited_for() {
    let upstreams = start(vec![
        fake("old", &["--start-delay-ms=2600"]),
        fake("new", &["--start-delay-ms=2600", "--modern"]),
        fake("both", &["--start-delay-ms=2600", "--dual"]),
        fake("quick", &[]),
    ])
    .await;
    for (server, era) in [("old", Era::Legacy), ("new", Era::Modern), ("both", Era::Modern)] {
        let status = status(&upstreams, server);
        assert_eq!(
            (status.state, status.era),
            (ServerState::Ready, Some(era)),
            "{status:?}"
        );
        assert!(call(&upstreams, &format!("{server}.echo"), "{}").await.is_ok());
    }
    upstreams.shutdown().await;
}

#[tokio::test]
async fn a_crash_fails_its_calls_with_the_reason_and_the_next_call_starts_anew() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let upstreams = start(vec![fake("s", &[&format!("--pids={}", pids.display())])]).await;
    let waiting = tokio::spawn({
        let upstreams = Arc::clone(&upstreams);
        async move { call(&upstreams, "s.mute", "{}").await }
    });
    let reason = unavailable(call(&upstreams, "s.die", r#"{"status": 7}"#).await);
    assert!(
        reason.contains("exited with status 7") && reason.contains("dying as asked"),
        "{reason}"
    );
    assert_eq!(unavailable(waiting.await.unwrap()), reason);
    let after = status(&upstreams, "s");
    // The first pause may be over by now.
    let resting = matches!(after.state, ServerState::BackingOff | ServerState::Cached);
    assert!(resting, "{after:?}");
    assert_eq!(after.problem.unwrap(), reason);
    assert_eq!(after.tools, 11);
    assert_eq!(lines(&pids).len(), 1, "nothing is started before it is needed");
    // The first pause is short enough to be waited for.
    assert!(call(&upstreams, "s.echo", "{}").await.is_ok());
    let after = status(&upstreams, "s");
    assert_eq!(
        (after.state, after.problem, after.restarts),
        (ServerState::Ready, None, 1)
    );
    upstreams.shutdown().await;
}

/// Pauses between starts grow; calls do not wait for the long ones.
#[tokio::test]
async fn a_server_that_keeps_crashing_is_left_alone_for_a_while() {
    let upstreams = start(vec![fake("s", &["--crash-after=0"])]).await;
    let mut reasons = Vec::new();
    loop {
        let reason = unavailable(call(&upstreams, "s.echo", "{}").await);
        let state = status(&upstreams, "s").state;
        reasons.push(reason);
        // The fifth call meets a pause of two seconds, on a machine so slow that it is over by then a later one.
        let left_alone = reasons.last().is_some_and(|last| last.contains("started again"));
        if left_alone && state == ServerState::BackingOff {
            break;
        }
        assert!(reasons.len() < 10, "{reasons:?}");
    }
    assert!(reasons[0].contains("exited with status 3"), "{reasons:?}");
    let last = reasons.last().unwrap();
    assert!(last.contains("out of memory on call 1"), "{last}");
    upstreams.shutdown().await;
}

/// E-class faults side by side: each costs only itself.
#[tokio::test]
async fn a_faulty_server_costs_only_itself() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text");
    std::fs::write(&text, "not a program").unwrap();
    std::fs::set_permissions(&text, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    let (mut mute, mut chatter) = (fake("mute", &["--mute"]), program("chatter", "yes", &[]));
    // Reads nothing; whether that is noticed when writing depends on who is faster.
    let mut deaf = program("deaf", "sh", &["-c", "exec 0<&-; exec sleep 1000"]);
    for config in [&mut mute, &mut chatter, &mut deaf] {
        config.start_timeout = Duration::from_millis(2500);
    }
    let mut endless = fake("endless", &["--mute"]);
    endless.start_timeout = Duration::from_secs(600);
    let upstreams = Upstreams::start(
        vec![
            endless,
            program("missing", "no-such-command-anywhere", &[]),
            program("notexec", text.to_str().unwrap(), &[]),
            program("quits", "true", &[]),
            chatter,
            deaf,
            program("dumb", "sh", &["-c", "exec 1>&-; exec sleep 1000"]),
            fake("crash", &["--crash-at-start"]),
            fake("notools", &[r#"--list-result={"tools":{}}"#]),
            fake(
                "broken",
                &[r#"--list-result={"tools":[{"name":"ok","inputSchema":{}},{"name":"bad"},7]}"#],
            ),
            mute,
            fake("good", &[]),
        ],
        Arc::new(MemoryCache::default()),
    )
    .await;
    eventually("the good server", || {
        names(&upstreams).contains(&"good.echo".to_owned())
    })
    .await;
    assert!(call(&upstreams, "good.echo", "{}").await.is_ok());
    let state = status(&upstreams, "endless").state;
    assert_eq!(state, ServerState::Starting, "nobody waited for it");
    let problem = |server: &str| status(&upstreams, server).problem.unwrap_or_default();
    for (server, expected) in [
        (
            "missing",
            "command `no-such-command-anywhere` not found; is it installed and on PATH?",
        ),
        ("notexec", "is not executable"),
        ("quits", "exited with status 0"),
        ("crash", "exited with status 4; it last wrote: no licence found"),
        ("dumb", "closed its standard output"),
        ("notools", "without an array `tools`"),
        ("mute", "did not answer within"),
    ] {
        eventually(&format!("{server}: {expected}"), || {
            problem(server).contains(expected)
        })
        .await;
    }
    eventually("deaf", || !problem("deaf").is_empty()).await;
    eventually("chatter", || !problem("chatter").is_empty()).await;
    assert_eq!(status(&upstreams, "chatter").tools, 0);
    eventually("broken", || {
        status(&upstreams, "broken").state == ServerState::Ready
    })
    .await;
    let broken = status(&upstreams, "broken");
    assert_eq!(
        (broken.tools, broken.skipped.len(), broken.state),
        (1, 2, ServerState::Ready)
    );
    assert_eq!(broken.skipped[0].tool, "bad");
    assert_eq!(status(&upstreams, "missing").transport, TransportKind::Stdio);
    upstreams.shutdown().await;
}

#[tokio::test]
async fn pages_are_followed() {
    let upstreams = start(vec![fake("s", &["--pages=25"])]).await;
    assert_eq!(names(&upstreams).len(), 25);
    upstreams.shutdown().await;
}

/// A failed fetch keeps what was known, and says so.
#[tokio::test]
async fn a_remembered_list_outlives_its_server() {
    let cache = Arc::new(MemoryCache::default());
    start_with(vec![fake("s", &[])], Arc::clone(&cache))
        .await
        .shutdown()
        .await;
    let mut config = program("s", "no-such-command-anywhere", &[]);
    config.digest = "other".to_owned();
    let upstreams = start_with(vec![config], cache).await;
    assert_eq!(names(&upstreams).len(), 11);
    let status = status(&upstreams, "s");
    let problem = status.problem.unwrap();
    assert!(
        problem.contains("not found") && problem.contains("still offered"),
        "{problem}"
    );
    assert!(unavailable(call(&upstreams, "s.echo", "{}").await).contains("not found"));
    upstreams.shutdown().await;
}

/// The environment is inherited, less what is ours, plus what is configured.
#[tokio::test]
async fn the_environment_and_the_folder_are_as_configured() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = fake("s", &[]);
    let mut lost = fake("lost", &[]);
    for (config, cwd) in [
        (&mut config, folder.path().to_owned()),
        (&mut lost, folder.path().join("gone")),
    ] {
        if let Transport::Stdio { env, cwd: folder, .. } = &mut config.transport {
            *env = BTreeMap::from([("HANDPICK_GIVEN".to_owned(), "yes".to_owned())]);
            *folder = Some(cwd);
        }
    }
    let upstreams = start(vec![config, lost]).await;
    let env = async |name: &str| {
        call(&upstreams, "s.env", &json!({"name": name}).to_string())
            .await
            .unwrap()
    };
    assert!(env("PATH").await["value"].is_string());
    assert_eq!(env("HANDPICK_GIVEN").await["value"], "yes");
    let cwd = env("X").await["cwd"].as_str().unwrap().to_owned();
    assert_eq!(std::path::Path::new(&cwd), folder.path().canonicalize().unwrap());
    assert!(
        status(&upstreams, "lost")
            .problem
            .unwrap()
            .contains("working directory")
    );
    upstreams.shutdown().await;
}

#[tokio::test]
async fn the_end_of_standard_error_is_kept() {
    let upstreams = start(vec![fake("s", &["--chatty-stderr"])]).await;
    eventually("300 lines", || {
        status(&upstreams, "s")
            .stderr
            .last()
            .is_some_and(|line| line.starts_with("line 299"))
    })
    .await;
    let stderr = status(&upstreams, "s").stderr;
    assert_eq!(stderr.len(), 200);
    assert_eq!(stderr[199].len(), 8 * 1024);
    assert!(stderr[0].starts_with("line 100 "));
    upstreams.shutdown().await;
}

/// Nothing survives a shutdown: not those that ignore the end of their input, not those that ignore
/// SIGTERM, not what they started themselves.
#[tokio::test]
async fn shutdown_leaves_no_process_behind() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let pids_switch = format!("--pids={}", pids.display());
    let stubborn = format!(
        "trap '' TERM; exec {} --ignore-eof {pids_switch}",
        env!("CARGO_BIN_EXE_fake-mcp")
    );
    let mut configs = vec![
        fake("polite", &[&pids_switch]),
        fake("deaf", &["--ignore-eof", &pids_switch]),
        fake("parent", &["--grandchild=1000", &pids_switch]),
    ];
    configs.extend((0..12).map(|number| program(&format!("stubborn{number}"), "sh", &["-c", &stubborn])));
    let upstreams = start(configs).await;
    let pids = lines(&pids);
    assert_eq!(pids.len(), 16);
    assert!(pids.iter().all(|pid| runs(pid)));
    let begun = Instant::now();
    upstreams.shutdown().await;
    // At the same time: two seconds, SIGTERM, two seconds, SIGKILL. One after another the twelve take 48 s.
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    // The grandchild is killed, too, but nobody here can wait for it.
    for pid in &pids {
        eventually("the end of every process", || !runs(pid)).await;
    }
    let reason = unavailable(call(&upstreams, "polite.echo", "{}").await);
    assert!(reason.contains("shutting down"), "{reason}");
}

/// Dropping everything without a shutdown ends the processes too.
#[tokio::test]
async fn dropping_ends_the_processes() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let upstreams = start(vec![fake(
        "s",
        &["--ignore-eof", &format!("--pids={}", pids.display())],
    )])
    .await;
    let pid = lines(&pids).remove(0);
    assert!(runs(&pid));
    drop(upstreams);
    eventually("the end of the process", || !runs(&pid)).await;
}

/// A killed gateway takes its servers with it, however deaf they are. The gateway is this very test,
/// started a second time.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn servers_die_with_a_killed_gateway() {
    const PIDS: &str = "TEST_GATEWAY_PIDS";
    if let Some(pids) = std::env::var_os(PIDS) {
        let pids = pids.to_str().unwrap().to_owned();
        // A thread of the runtime that ends soon after the start must not take the server with it.
        let upstreams = tokio::task::spawn_blocking(move || {
            let runtime = tokio::runtime::Handle::current();
            runtime.block_on(start(vec![fake(
                "s",
                &["--ignore-eof", &format!("--pids={pids}")],
            )]))
        })
        .await
        .unwrap();
        std::future::pending::<()>().await;
        drop(upstreams);
    }
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let mut gateway = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "stdio::servers_die_with_a_killed_gateway"])
        .env(PIDS, &pids)
        .stdout(std::process::Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    eventually("a started server", || !lines(&pids).is_empty()).await;
    let pid = lines(&pids).remove(0);
    assert!(runs(&pid));
    gateway.kill().await.unwrap();
    eventually("the end of the server", || !runs(&pid)).await;
}

/// A new server is listed once, not twice.
#[tokio::test]
async fn a_new_server_is_listed_once() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let upstreams = start(vec![fake("s", &[&format!("--log={}", log.display())])]).await;
    // Longer than two lists in a row are apart.
    tokio::time::sleep(Duration::from_millis(1300)).await;
    assert_eq!(
        lines(&log)
            .iter()
            .filter(|line| line.contains("tools/list"))
            .count(),
        1
    );
    upstreams.refresh("s").await;
    assert_eq!(
        lines(&log)
            .iter()
            .filter(|line| line.contains("tools/list"))
            .count(),
        2
    );
    upstreams.shutdown().await;
}

/// More servers that never answer than are started at the same time: the others still get their turn.
#[tokio::test]
async fn servers_that_hang_do_not_block_the_queue() {
    let mut configs: Vec<_> = (0..17)
        .map(|number| fake(&format!("hang{number}"), &["--mute"]))
        .collect();
    for config in &mut configs {
        config.start_timeout = Duration::from_secs(600);
    }
    configs.push(fake("last", &[]));
    let upstreams = Upstreams::start(configs, Arc::new(MemoryCache::default())).await;
    eventually("the last server", || !names(&upstreams).is_empty()).await;
    let hanging = upstreams.status().into_iter();
    let hanging = hanging.filter(|status| status.state == ServerState::Starting);
    assert_eq!(hanging.count(), 17, "none had to end first");
    upstreams.shutdown().await;
}

/// A caller that gives up does not take down a server that has nearly started, and many callers
/// start one process.
#[tokio::test]
async fn starting_is_shared_and_outlives_its_callers() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let pids_switch = format!("--pids={}", pids.display());
    let gate = folder.path().join("gate");
    let gate_switch = format!("--start-after={}", gate.display());
    let switches = [gate_switch.as_str(), &pids_switch];
    let cache = Arc::new(MemoryCache::default());
    std::fs::write(&gate, "open").unwrap();
    start_with(vec![fake("s", &switches)], Arc::clone(&cache))
        .await
        .shutdown()
        .await;
    std::fs::remove_file(&gate).unwrap();
    let upstreams = start_with(vec![fake("s", &switches)], cache).await;
    let impatient = ToolCall {
        timeout: Some(Duration::from_millis(100)),
        ..call_of("{}")
    };
    let outcome = upstreams.call(permit(&upstreams, "s.echo"), impatient).await;
    assert!(matches!(outcome, Err(CallError::TimedOut { .. })), "{outcome:?}");
    let calls: Vec<_> = (0..10)
        .map(|_| {
            let upstreams = Arc::clone(&upstreams);
            tokio::spawn(async move { call(&upstreams, "s.echo", "{}").await })
        })
        .collect();
    std::fs::write(&gate, "open").unwrap();
    for call in calls {
        assert!(call.await.unwrap().is_ok());
    }
    assert_eq!(lines(&pids).len(), 2, "one process in either run");
    upstreams.shutdown().await;
}

/// Callers who waited for the same failed start share its failure instead of starting in turn.
#[tokio::test]
async fn a_failed_start_is_shared() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let pids_switch = format!("--pids={}", pids.display());
    let cache = Arc::new(MemoryCache::default());
    start_with(vec![fake("s", &[])], Arc::clone(&cache))
        .await
        .shutdown()
        .await;
    let mut config = fake("s", &["--mute", &pids_switch]);
    config.start_timeout = Duration::from_secs(2);
    let upstreams = start_with(vec![config], cache).await;
    let calls = (0..20).map(|_| call(&upstreams, "s.echo", "{}"));
    for outcome in futures_util::future::join_all(calls).await {
        assert!(outcome.is_err());
    }
    // One process, which may be slow to say so.
    eventually("the start", || !lines(&pids).is_empty()).await;
    assert_eq!(lines(&pids).len(), 1);
    upstreams.shutdown().await;
}
