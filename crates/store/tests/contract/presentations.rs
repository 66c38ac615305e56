//! Are changed presentations kept setting by setting, and do an agent's go with it?

use handpick_domain::{Autonomy, Presentation, SystemToolkit};
use handpick_store::{Edit, PresentationEdit, PresentationSettings, Presented, Store};

fn gateway(name: &str) -> Presented {
    Presented::Gateway(name.to_owned())
}

fn agent(id: &str) -> Presented {
    Presented::Agent(id.to_owned())
}

fn mode(edit: Edit<Presentation>) -> PresentationEdit {
    PresentationEdit {
        mode: edit,
        ..PresentationEdit::default()
    }
}

async fn change(store: &Store, presented: &Presented, edit: PresentationEdit) -> PresentationSettings {
    store
        .presentation_change(presented, edit, 1)
        .await
        .unwrap()
        .unwrap()
}

/// P1: each of the three settings is set, kept and taken back on its own; a gateway and an agent of one name are two.
pub async fn p1_settings_change_one_by_one(store: &Store) {
    let name = "shop \" ' 本番";
    assert_eq!(store.presentation_load_all().await.unwrap(), []);
    for setting in Presentation::ALL {
        let changed = change(store, &gateway(name), mode(Edit::To(setting))).await;
        assert_eq!(changed.mode, Some(setting));
    }
    let others = PresentationEdit {
        autonomy: Edit::To(Autonomy::Confirm),
        system_tools: Edit::To([SystemToolkit::Journal, SystemToolkit::Form].into()),
        ..PresentationEdit::default()
    };
    let all = change(store, &gateway(name), others).await;
    let expected = PresentationSettings {
        mode: Some(Presentation::Progressive),
        autonomy: Some(Autonomy::Confirm),
        system_tools: Some([SystemToolkit::Journal, SystemToolkit::Form].into()),
    };
    assert_eq!(all, expected);
    assert_eq!(
        change(store, &gateway(name), PresentationEdit::default()).await,
        expected
    );
    store.agent_catalog_save(name, "{}", 1).await.unwrap();
    let direct = change(store, &agent(name), mode(Edit::To(Presentation::Direct))).await;
    let loaded = store.presentation_load_all().await.unwrap();
    assert_eq!(
        loaded,
        [(agent(name), direct.clone()), (gateway(name), expected.clone())]
    );

    let none = PresentationEdit {
        system_tools: Edit::To([].into()),
        ..mode(Edit::Back)
    };
    let rest = change(store, &gateway(name), none).await;
    let expected = PresentationSettings {
        mode: None,
        autonomy: Some(Autonomy::Confirm),
        system_tools: Some([].into()),
    };
    assert_eq!(rest, expected);
    let back = PresentationEdit {
        mode: Edit::Back,
        autonomy: Edit::Back,
        system_tools: Edit::Back,
    };
    assert_eq!(
        change(store, &gateway(name), back).await,
        PresentationSettings::default()
    );
    assert_eq!(
        store.presentation_load_all().await.unwrap(),
        [(agent(name), direct)]
    );
}

/// C13: nothing is kept of an agent that is not there, and what was kept goes with it.
pub async fn c13_an_agents_settings_go_with_it(store: &Store) {
    let edit = || mode(Edit::To(Presentation::Unified));
    assert_eq!(
        store.presentation_change(&agent("a"), edit(), 1).await.unwrap(),
        None
    );
    store.agent_catalog_save("a", "{}", 1).await.unwrap();
    store.agent_catalog_save("b", "{}", 1).await.unwrap();
    for id in ["a", "b"] {
        change(store, &agent(id), edit()).await;
    }
    change(store, &gateway("a"), edit()).await;
    store.agent_catalog_save("a", "{\"tools\":[]}", 2).await.unwrap();
    assert_eq!(
        store.presentation_load_all().await.unwrap().len(),
        3,
        "published anew"
    );
    assert!(store.agent_remove("a").await.unwrap());
    let left: Vec<_> = store.presentation_load_all().await.unwrap();
    let left: Vec<Presented> = left.into_iter().map(|(presented, _)| presented).collect();
    assert_eq!(left, [agent("b"), gateway("a")]);
}

/// Changes of different settings made at the same time all count.
pub async fn concurrent_changes_all_count(store: &Store) {
    let presented = gateway("g");
    let edits = [
        mode(Edit::To(Presentation::Recommend)),
        PresentationEdit {
            autonomy: Edit::To(Autonomy::ReadOnly),
            ..PresentationEdit::default()
        },
        PresentationEdit {
            system_tools: Edit::To([SystemToolkit::Workflow].into()),
            ..PresentationEdit::default()
        },
    ];
    let tasks: Vec<_> = edits
        .into_iter()
        .map(|edit| {
            let (store, presented) = (store.clone(), presented.clone());
            tokio::spawn(async move { store.presentation_change(&presented, edit, 1).await })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    let expected = PresentationSettings {
        mode: Some(Presentation::Recommend),
        autonomy: Some(Autonomy::ReadOnly),
        system_tools: Some([SystemToolkit::Workflow].into()),
    };
    assert_eq!(
        store.presentation_load_all().await.unwrap(),
        [(presented, expected)]
    );
}
