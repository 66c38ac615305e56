//! Is a data folder in any state either opened or refused with the one sentence that helps?

use std::fs;

use sqlx::{ConnectOptions as _, Connection as _, Executor as _};
use tempfile::{TempDir, tempdir};

use super::*;
use crate::CachedCatalog;

fn catalog(server: &str, bytes: usize) -> CachedCatalog {
    CachedCatalog {
        server: server.into(),
        settings_digest: "digest".into(),
        era: None,
        transport: None,
        tools_json: "x".repeat(bytes),
        server_info_json: None,
        fetched_at_ms: 0,
    }
}

/// A folder whose database was filled and closed.
async fn filled() -> TempDir {
    let folder = tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    for server in ["a", "b", "c"] {
        store.catalog_save(&catalog(server, 300_000)).await.unwrap();
    }
    store.close().await;
    folder
}

/// How long locks are waited for that somebody is about to give up: a store that was dropped closes its file
/// in the background.
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens a folder and reads everything in it.
async fn read(folder: &Path) -> Result<usize, StoreError> {
    read_within(folder, PATIENCE).await
}

async fn read_within(folder: &Path, busy_timeout: Duration) -> Result<usize, StoreError> {
    let store = Store::open_within(folder, busy_timeout).await?;
    store.key_list().await?;
    store.calls_recent(10).await?;
    Ok(store.catalog_load_all().await?.len())
}

async fn refusal(folder: &Path) -> String {
    read(folder).await.unwrap_err().to_string()
}

/// Runs one statement past the store.
async fn meddle(folder: &Path, statement: &'static str) {
    let options = dialect::file_options(&folder.join(FILE_NAME), PATIENCE);
    let mut connection = options.connect().await.unwrap();
    connection.execute(statement).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_missing_folder_is_made_for_its_owner_only() {
    let root = tempdir().unwrap();
    let folder = root.path().join("deep/er file:name?mode=ro#%20");
    assert_eq!(read(&folder).await.unwrap(), 0);
    assert!(folder.join(FILE_NAME).is_file());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
}

#[tokio::test]
async fn what_was_saved_is_there_after_closing() {
    let folder = filled().await;
    let names = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), [FILE_NAME], "one tidy file");
    assert_eq!(read(folder.path()).await.unwrap(), 3);
}

/// Dropped without closing, and copied while open: what a killed process leaves behind.
#[tokio::test]
async fn what_was_saved_is_there_after_a_crash() {
    let (folder, image) = (tempdir().unwrap(), tempdir().unwrap());
    let store = Store::open(folder.path()).await.unwrap();
    for server in ["a", "b"] {
        store.catalog_save(&catalog(server, 300_000)).await.unwrap();
    }
    for name in ["handpick.db", "handpick.db-wal"] {
        fs::copy(folder.path().join(name), image.path().join(name)).unwrap();
    }
    assert_eq!(read(image.path()).await.unwrap(), 2);
    drop(store);
    assert_eq!(read(folder.path()).await.unwrap(), 2);
}

/// A batch that was cut off in the middle leaves nothing of itself.
#[tokio::test]
async fn half_a_transaction_is_no_transaction() {
    let (folder, image) = (tempdir().unwrap(), tempdir().unwrap());
    let store = Store::open(folder.path()).await.unwrap();
    store.vectors_save("e", &[([0; 32], vec![0])]).await.unwrap();
    let vectors: Vec<_> = (1..=255).map(|byte| ([byte; 32], vec![byte; 4_000])).collect();
    store.vectors_save("e", &vectors).await.unwrap();
    let log = fs::read(folder.path().join("handpick.db-wal")).unwrap();
    fs::copy(
        folder.path().join("handpick.db"),
        image.path().join("handpick.db"),
    )
    .unwrap();
    for kept in [log.len() - 1, log.len() - 300_000, log.len()] {
        fs::write(image.path().join("handpick.db-wal"), &log[..kept]).unwrap();
        let store = Store::open(image.path()).await.unwrap();
        let expected = if kept == log.len() { 256 } else { 1 };
        assert_eq!(
            store.vectors_load("e").await.unwrap().len(),
            expected,
            "{kept} bytes"
        );
        store.close().await;
        fs::copy(
            folder.path().join("handpick.db"),
            image.path().join("handpick.db"),
        )
        .unwrap();
    }
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_named() {
    let root = tempdir().unwrap();
    let file = root.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    for folder in [file.clone(), file.join("below")] {
        let refusal = refusal(&folder).await;
        let start = format!("cannot write to the data folder `{}`: ", folder.display());
        assert!(refusal.starts_with(&start), "{refusal}");
    }
    // A folder where the file should be: what SQLite reports for files it may not open.
    let folder = root.path().join("folder");
    fs::create_dir_all(folder.join(FILE_NAME)).unwrap();
    let refusal = refusal(&folder).await;
    let expected = format!(
        "cannot write to the data folder `{}`: unable to open database file",
        folder.display()
    );
    assert_eq!(refusal, expected);
}

#[tokio::test]
async fn an_empty_file_is_a_fresh_start() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(FILE_NAME), "").unwrap();
    assert_eq!(read(folder.path()).await.unwrap(), 0);
}

#[tokio::test]
async fn damage_is_named_with_what_to_do() {
    let garbage = b"{\"this\": \"was never a database\"}".repeat(1000);
    let overwrite = |start: usize, length: usize| {
        move |mut bytes: Vec<u8>| {
            bytes[start..start + length].fill(0xff);
            bytes
        }
    };
    type Damage = Box<dyn Fn(Vec<u8>) -> Vec<u8>>;
    let damages: Vec<(&str, Damage)> = vec![
        ("garbage", Box::new(move |_| garbage.clone())),
        ("a short text", Box::new(|_| b"hello".to_vec())),
        ("header", Box::new(overwrite(0, 50))),
        ("schema page", Box::new(overwrite(100, 3_900))),
        ("content", Box::new(overwrite(400_000, 100_000))),
        ("cut in the middle", Box::new(|bytes| bytes[..500_000].to_vec())),
        ("cut in the first page", Box::new(|bytes| bytes[..1_000].to_vec())),
    ];
    for (name, damage) in damages {
        let folder = filled().await;
        let file = folder.path().join(FILE_NAME);
        fs::write(&file, damage(fs::read(&file).unwrap())).unwrap();
        let expected = format!(
            "`{}` is not a database or is damaged; move it away and start again",
            file.display()
        );
        assert_eq!(refusal(folder.path()).await, expected, "{name}");
    }
}

#[tokio::test]
async fn a_broken_log_does_not_break_the_database() {
    let folder = filled().await;
    fs::write(folder.path().join("handpick.db-wal"), "garbage".repeat(10_000)).unwrap();
    assert_eq!(read(folder.path()).await.unwrap(), 3);
}

#[tokio::test]
async fn a_newer_or_foreign_schema_is_left_alone() {
    let folder = filled().await;
    meddle(
        folder.path(),
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (99, 'future', TRUE, x'00', 0)",
    )
    .await;
    let name = folder.path().join(FILE_NAME).display().to_string();
    assert_eq!(
        refusal(folder.path()).await,
        format!(
            "`{name}` was written by a newer version of handpick (schema 99, this one knows 5); \
             use that version or another data folder"
        )
    );
    meddle(folder.path(), "DELETE FROM _sqlx_migrations WHERE version = 99").await;
    assert_eq!(read(folder.path()).await.unwrap(), 3);
    meddle(folder.path(), "UPDATE _sqlx_migrations SET checksum = x'00'").await;
    let refusal = refusal(folder.path()).await;
    assert!(
        refusal.contains("another build of handpick whose schema 1 differs"),
        "{refusal}"
    );
}

#[tokio::test]
async fn a_lock_of_another_process_is_named() {
    let folder = filled().await;
    let options = dialect::file_options(&folder.path().join(FILE_NAME), PATIENCE);
    let mut other = options.connect().await.unwrap();
    other.execute("BEGIN EXCLUSIVE").await.unwrap();
    let refused = read_within(folder.path(), Duration::from_millis(50)).await;
    let refusal = refused.unwrap_err().to_string();
    assert!(
        refusal.ends_with("is locked by another process; stop that process or use another data folder"),
        "{refusal}"
    );
    other.execute("ROLLBACK").await.unwrap();
    assert_eq!(read(folder.path()).await.unwrap(), 3);
}

#[tokio::test]
async fn a_full_disk_is_named_and_survived() {
    let store = Store::in_memory().await.unwrap();
    // Stands for a full disk: the same result code.
    sqlx::query("PRAGMA max_page_count = 100")
        .execute(&store.pool)
        .await
        .unwrap();
    store.catalog_save(&catalog("small", 1_000)).await.unwrap();
    let error = store
        .catalog_save(&catalog("large", 1_000_000))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the disk that holds `:memory:` is full; free some space"
    );
    store.catalog_save(&catalog("small", 2_000)).await.unwrap();
    let kept = store.catalog_load_all().await.unwrap();
    assert_eq!(kept, [catalog("small", 2_000)]);
}

/// Several processes may start on the same fresh folder: all get the same database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_open_a_fresh_folder_at_once() {
    for _ in 0..10 {
        let folder = tempdir().unwrap();
        let tasks: Vec<_> = (0..6)
            .map(|number| {
                let folder = folder.path().to_owned();
                tokio::spawn(async move {
                    let store = Store::open_within(&folder, PATIENCE).await.unwrap();
                    store
                        .catalog_save(&catalog(&number.to_string(), 10))
                        .await
                        .unwrap();
                    store.close().await;
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(read(folder.path()).await.unwrap(), 6);
    }
}

#[tokio::test]
async fn stores_in_memory_are_apart() {
    let (one, two) = (
        Store::in_memory().await.unwrap(),
        Store::in_memory().await.unwrap(),
    );
    one.catalog_save(&catalog("a", 1)).await.unwrap();
    assert_eq!(two.catalog_load_all().await.unwrap(), []);
    assert_eq!(one.clone().catalog_load_all().await.unwrap().len(), 1);
}
