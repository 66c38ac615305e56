//! Is the shop healthy, and who does what when it is not?

use serde_json::json;

use super::CALLER;
use crate::answer::{Answer, Outcome};
use crate::app::{App, app};
use crate::arguments::Args;
use crate::picture::bar_chart;
use crate::refusal::{Refusal, expect_state};
use crate::schema::{choices, record};
use crate::table::include;
use crate::tool::Effect::{Adds, Sets};

record! {
    /// A measurement out of its bounds.
    Alert = "alert", "alerts", "ALR-" {
        /// Alert id
        id: String,
        /// Service it concerns
        service: String,
        /// What is wrong
        title: String,
        /// How bad it is
        severity: Severity,
        /// Where it stands
        state: AlertState,
        /// Metric that shows it
        metric: String,
        /// Since when
        since: String,
    }
}

record! {
    /// Something is broken for customers.
    Incident = "incident", "incidents", "INC-" {
        /// Incident id
        id: String,
        /// What is broken
        title: String,
        /// How bad it is
        severity: Severity,
        /// Where it stands
        state: IncidentState,
        /// Services that are part of it
        services: Vec<String>,
        /// Who leads the work on it
        lead: String,
        /// When it was opened
        opened_at: String,
        /// What was reported, oldest first
        updates: Vec<String>,
    }
}

record! {
    /// Something that is measured each hour.
    Metric = "metric", "metrics", "" {
        /// Name
        name: String,
        /// Service it belongs to
        service: String,
        /// What one unit of it is
        unit: String,
        /// The last hours, oldest first
        hours: Vec<f64>,
    }
}

record! {
    /// Who is called at night.
    Duty = "rota", "rotas", "" {
        /// Team on duty
        team: String,
        /// Who is on call, by first name
        person: String,
        /// Last day of the duty
        until: String,
    }
}

record! {
    /// A metric in a few numbers.
    MetricSummary {
        /// The metric
        metric: Metric,
        /// Lowest hour
        lowest: f64,
        /// Mean of all hours
        mean: f64,
        /// Highest hour
        highest: f64,
        /// The latest hour
        latest: f64,
    }
}

choices! {
    /// How bad it is.
    Severity { Minor = "minor", Major = "major", Critical = "critical" }

    /// Where an alert stands.
    AlertState { Firing = "firing", Acknowledged = "acknowledged", Resolved = "resolved" }

    /// Where an incident stands.
    IncidentState { Open = "open", Watching = "watching", Closed = "closed" }
}

app! {
    /// What is measured, what is wrong, and who is called.
    Monitoring = "monitoring" of alerts: Alert, incidents: Incident, metrics: Metric, duties: Duty;
    words: Severity, AlertState, IncidentState;
    tools: measuring, alerts, incidents;
}

fn measuring(app: App<Monitoring>) -> App<Monitoring> {
    app.reads("list_metrics", |monitoring, args| monitoring.metrics.list(args))
        .reads("summarize_metric", |monitoring, args| {
            summary(monitoring.metrics.get(args.get("metric")?)?)
        })
        .reads("chart_metric", |monitoring, args| {
            let metric = monitoring.metrics.get(args.get("metric")?)?;
            Ok(summary(metric)?.with_block(bar_chart(&metric.hours)))
        })
        .reads("who_is_on_call", |monitoring, args| monitoring.duties.list(args))
        .changes(Sets, "hand_over_duty", |monitoring, args| {
            monitoring.duties.update(args.get("team")?, |duty| {
                duty.person = args.get("person")?;
                Ok(format!("{} is on call for {}", duty.person, duty.team))
            })
        })
}

fn alerts(app: App<Monitoring>) -> App<Monitoring> {
    app.reads("list_alerts", |monitoring, args| monitoring.alerts.list(args))
        .changes(Sets, "acknowledge_alert", |monitoring, args| {
            monitoring.alerts.update(args.get("alert_id")?, |alert| {
                let current = [AlertState::Firing, AlertState::Acknowledged];
                expect_state(&alert.id, alert.state, &current)?;
                alert.state = AlertState::Acknowledged;
                Ok(format!("acknowledged {}: {}", alert.id, alert.title))
            })
        })
        .changes(Sets, "resolve_alert", |monitoring, args| {
            monitoring.alerts.update(args.get("alert_id")?, |alert| {
                alert.state = AlertState::Resolved;
                Ok(format!("resolved {}", alert.id))
            })
        })
}

fn incidents(app: App<Monitoring>) -> App<Monitoring> {
    app.reads("list_incidents", |monitoring, args| {
        monitoring.incidents.list(args)
    })
    .reads("get_incident", |monitoring, args| {
        monitoring
            .incidents
            .show(args.get("incident_id")?, Incident::headline)
    })
    .changes(Adds, "open_incident", |monitoring, args| {
        let rest = json!({
            "state": IncidentState::Open, "lead": CALLER, "opened_at": args.now(), "updates": [],
        });
        monitoring.incidents.create(args, rest, Incident::headline)
    })
    .changes(Adds, "post_incident_update", |monitoring, args| {
        let state = args.get::<Option<IncidentState>>("state")?;
        report(monitoring, args, args.get("text")?, state)
    })
    .changes(Adds, "close_incident", |monitoring, args| {
        report(
            monitoring,
            args,
            args.get("resolution")?,
            Some(IncidentState::Closed),
        )
    })
}

fn report(
    monitoring: &mut Monitoring,
    args: &Args,
    text: &str,
    state: Option<IncidentState>,
) -> Outcome<Incident> {
    monitoring.incidents.update(args.get("incident_id")?, |incident| {
        let current = [IncidentState::Open, IncidentState::Watching];
        expect_state(&incident.id, incident.state, &current)?;
        include(
            &mut incident.updates,
            format!("{} {CALLER}: {text}", args.now()),
            "updates",
        )?;
        incident.state = state.unwrap_or(incident.state);
        Ok(incident.headline())
    })
}

fn summary(metric: &Metric) -> Outcome<MetricSummary> {
    let hours = &metric.hours;
    let (Some(latest), count) = (hours.last().copied(), hours.len() as f64) else {
        return Err(Refusal::new(format!("{} has not been measured yet", metric.name)));
    };
    let mean = (hours.iter().sum::<f64>() / count * 100.0).round() / 100.0;
    let lowest = hours.iter().copied().fold(latest, f64::min);
    let highest = hours.iter().copied().fold(latest, f64::max);
    let text = format!(
        "{}: {latest} {} now, {mean} in the mean",
        metric.name, metric.unit
    );
    let metric = metric.clone();
    let summary = MetricSummary {
        metric,
        lowest,
        mean,
        highest,
        latest,
    };
    Ok(Answer::new(text, summary))
}

impl Incident {
    fn headline(&self) -> String {
        format!("{} is {}: {}", self.id, self.state, self.title)
    }
}
