//! What runs in production, and how does it get there and back?

use serde_json::{Value, json};

use super::CALLER;
use crate::answer::{Answer, Outcome};
use crate::app::{App, app};
use crate::arguments::Args;
use crate::refusal::{Refusal, ensure};
use crate::schema::{choices, record};
use crate::tool::Effect::{Adds, Removes, Sets};

record! {
    /// A program that runs in production.
    Service = "service", "services", "" {
        /// Name
        name: String,
        /// What it does
        purpose: String,
        /// Version that runs now
        version: String,
        /// Why nothing may be deployed, where that is so
        frozen_because: Option<String>,
    }
}

record! {
    /// One version brought to production.
    Deploy = "deploy", "deploys", "DEP-" {
        /// Deploy id
        id: String,
        /// Which service
        service: String,
        /// Which version
        version: String,
        /// What became of it
        state: DeployState,
        /// Who started it
        author: String,
        /// When
        deployed_at: String,
        /// What is new in it
        changes: Vec<String>,
    }
}

record! {
    /// What lies between two versions.
    Comparison {
        /// Which service
        service: String,
        /// The older deploy
        from: String,
        /// The newer deploy
        to: String,
        /// Everything new, oldest first
        changes: Vec<String>,
    }
}

choices! {
    /// What became of a deploy.
    DeployState { Live = "live", Replaced = "replaced", RolledBack = "rolled_back" }
}

app! {
    /// What runs, and how it got there.
    Deploys = "deploys" of services: Service, deploys: Deploy;
    words: DeployState;
    tools: reading, changing;
}

fn reading(app: App<Deploys>) -> App<Deploys> {
    app.reads("list_services", |deploys, args| deploys.services.list(args))
        .reads("list_deploys", |deploys, args| deploys.deploys.list(args))
        .reads("get_deploy", |deploys, args| {
            deploys.deploys.show(args.get("deploy_id")?, |deploy| {
                format!("{} {} is {}", deploy.service, deploy.version, deploy.state)
            })
        })
        .reads("compare_deploys", compare)
        .reads("read_deploy_log", read_log)
}

fn changing(app: App<Deploys>) -> App<Deploys> {
    app.changes(Adds, "start_deploy", |deploys, args| {
        let service = deploys.services.get(args.get("service")?)?;
        if let Some(reason) = &service.frozen_because {
            return Err(Refusal::new(format!(
                "{} is frozen: {reason}; lift_deploy_freeze opens it again",
                service.name
            )));
        }
        let name = service.name.clone();
        deploys.run(&name, DeployState::Replaced, json!({}), args)
    })
    .changes(Removes, "roll_back_service", |deploys, args| {
        let name = deploys.services.get(args.get("service")?)?.name.clone();
        let mut versions = deploys
            .deploys
            .iter()
            .rev()
            .filter(|deploy| deploy.service == name);
        let broken = versions.find(|deploy| deploy.state == DeployState::Live);
        let before = versions.find(|deploy| {
            let same = broken.is_some_and(|broken| broken.version == deploy.version);
            deploy.state == DeployState::Replaced && !same
        });
        let (Some(broken), Some(before)) = (broken, before) else {
            return Err(Refusal::new(format!(
                "{name} has no earlier version to go back to"
            )));
        };
        let reason: &str = args.get("reason")?;
        let changes = [format!("Back from {}: {reason}", broken.version)];
        let back = json!({"version": before.version, "changes": changes});
        deploys.run(&name, DeployState::RolledBack, back, args)
    })
    .changes(Sets, "freeze_deploys", |deploys, args| {
        deploys.services.update(args.get("service")?, |service| {
            service.frozen_because = Some(args.get("reason")?);
            Ok(format!("{} is frozen", service.name))
        })
    })
    .changes(Sets, "lift_deploy_freeze", |deploys, args| {
        deploys.services.update(args.get("service")?, |service| {
            service.frozen_because = None;
            Ok(format!("{} can be deployed", service.name))
        })
    })
}

fn compare(deploys: &Deploys, args: &Args) -> Outcome<Comparison> {
    let from = deploys.deploys.get(args.get("from_deploy_id")?)?;
    let to = deploys.deploys.get(args.get("to_deploy_id")?)?;
    ensure!(
        from.service == to.service && from.deployed_at <= to.deployed_at,
        "{} has to be a deploy of {} before {}",
        from.id,
        to.service,
        to.id
    );
    let between = deploys.deploys.iter().filter(|deploy| {
        deploy.service == to.service
            && deploy.deployed_at > from.deployed_at
            && deploy.deployed_at <= to.deployed_at
    });
    let changes: Vec<String> = between.flat_map(|deploy| deploy.changes.clone()).collect();
    let text = format!(
        "{} changes from {} to {}",
        changes.len(),
        from.version,
        to.version
    );
    let comparison = Comparison {
        service: to.service.clone(),
        from: from.id.clone(),
        to: to.id.clone(),
        changes,
    };
    Ok(Answer::new(text, comparison))
}

fn read_log(deploys: &Deploys, args: &Args) -> Outcome<()> {
    let Deploy {
        id,
        service,
        version,
        author,
        deployed_at,
        ..
    } = deploys.deploys.get(args.get("deploy_id")?)?;
    let steps = "build ok, 214 tests passed\nmigrations: none\n3 of 3 machines\nhealth checks: green\n";
    let log = format!("{deployed_at} {author} deploys {service} {version}\n{steps}");
    let resource = json!({"uri": format!("deploy-log://{id}"), "mimeType": "text/plain", "text": log});
    let answer = Answer::new(format!("log of {id}, 5 lines"), ());
    Ok(answer.with_block(json!({"type": "resource", "resource": resource})))
}

impl Deploys {
    /// Starts a deploy made of the call and of what is given; what ran before ends in that state.
    fn run(&mut self, service: &str, ended: DeployState, mut rest: Value, args: &Args) -> Outcome<Deploy> {
        let of_service = self.deploys.iter_mut().filter(|deploy| deploy.service == service);
        for deploy in of_service.filter(|deploy| deploy.state == DeployState::Live) {
            deploy.state = ended;
        }
        rest["state"] = json!(DeployState::Live);
        rest["author"] = CALLER.into();
        rest["deployed_at"] = args.now().into();
        let deploy = self.deploys.insert(args, rest)?;
        self.services
            .get_mut(service)?
            .version
            .clone_from(&deploy.version);
        Ok(Answer::new(
            format!("{}: {service} runs {}", deploy.id, deploy.version),
            deploy,
        ))
    }
}
