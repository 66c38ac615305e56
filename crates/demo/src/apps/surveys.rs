//! What do customers and colleagues think when they are asked?

use serde_json::json;

use crate::answer::{Answer, Outcome, listing};
use crate::app::{App, app};
use crate::arguments::Args;
use crate::picture::bar_chart;
use crate::refusal::{Refusal, ensure, expect_state};
use crate::schema::{choices, record};
use crate::table::include;
use crate::tool::Effect::{Adds, Removes, Sends, Sets};

record! {
    /// A set of questions.
    Survey = "survey", "surveys", "SUR-" {
        /// Survey id
        id: String,
        /// What it is about
        title: String,
        /// Who is asked
        audience: Audience,
        /// Where it stands
        state: SurveyState,
        /// Questions, each answered from 1 (not at all) to 5 (very much)
        questions: Vec<String>,
    }
}

record! {
    /// What one person answered.
    Response = "response", "responses", "RSP-" {
        /// Response id
        id: String,
        /// To which survey
        survey_id: String,
        /// One mark a question, 1 to 5
        marks: Vec<i64>,
        /// What they added in words
        comment: Option<String>,
        /// When
        answered_at: String,
    }
}

record! {
    /// What came out of one question.
    QuestionResult {
        /// The question
        question: String,
        /// Mean mark, 1 to 5
        mean: f64,
        /// How often each mark from 1 to 5 was given
        counts: Vec<i64>,
    }
}

record! {
    /// What came out of a survey.
    Results {
        /// Which survey
        survey_id: String,
        /// How many people answered
        responses: i64,
        /// One entry a question
        questions: Vec<QuestionResult>,
    }
}

choices! {
    /// Who is asked.
    Audience { Customers = "customers", Staff = "staff", Subscribers = "subscribers" }

    /// Where a survey stands.
    SurveyState { Draft = "draft", Open = "open", Closed = "closed" }
}

app! {
    /// Questions and answers.
    Surveys = "surveys" of surveys: Survey, responses: Response;
    words: Audience, SurveyState;
    tools: reading, preparing, running;
}

fn reading(app: App<Surveys>) -> App<Surveys> {
    app.reads("list_surveys", |surveys, args| surveys.surveys.list(args))
        .reads("get_survey", |surveys, args| {
            surveys.surveys.show(args.get("survey_id")?, |survey| {
                format!("{}, {} questions", survey.title, survey.questions.len())
            })
        })
        .reads("get_survey_results", |surveys, args| {
            results(surveys, args.get("survey_id")?)
        })
        .reads("chart_survey_question", |surveys, args| {
            let answer = results(surveys, args.get("survey_id")?)?;
            let question: usize = args.get("question")?;
            let counts = surveys.counts(args.get("survey_id")?, question)?;
            let bars: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
            Ok(answer.with_block(bar_chart(&bars)))
        })
        .reads("read_survey_comments", |surveys, args| {
            surveys.surveys.get(args.get("survey_id")?)?;
            let with_words = |response: &&Response| response.comment.is_some();
            listing(surveys.responses.matching(args).filter(with_words), args)
        })
}

fn preparing(app: App<Surveys>) -> App<Surveys> {
    app.changes(Adds, "create_survey", |surveys, args| {
        let rest = json!({"state": SurveyState::Draft});
        surveys
            .surveys
            .create(args, rest, |survey| format!("drafted {}", survey.id))
    })
    .changes(Sets, "add_survey_question", |surveys, args| {
        surveys.update(args, SurveyState::Draft, |survey| {
            include(&mut survey.questions, args.get("question")?, "questions")?;
            Ok(format!("{} has {} questions", survey.id, survey.questions.len()))
        })
    })
    .changes(Removes, "delete_survey", |surveys, args| {
        surveys.surveys.discard(args.get("survey_id")?, |survey| {
            let of_survey = |response: &Response| response.survey_id == survey.id;
            let lost = surveys.responses.remove_where(of_survey);
            Ok(format!("deleted {} and {lost} responses", survey.title))
        })
    })
}

fn running(app: App<Surveys>) -> App<Surveys> {
    app.changes(Sends, "open_survey", |surveys, args| {
        surveys.update(args, SurveyState::Draft, |survey| {
            survey.state = SurveyState::Open;
            Ok(format!("{} is open; {} are invited", survey.id, survey.audience))
        })
    })
    .changes(Adds, "submit_survey_response", submit)
    .changes(Removes, "close_survey", |surveys, args| {
        surveys.update(args, SurveyState::Open, |survey| {
            survey.state = SurveyState::Closed;
            Ok(format!("{} is closed", survey.id))
        })
    })
}

fn submit(surveys: &mut Surveys, args: &Args) -> Outcome<Response> {
    let survey = surveys.surveys.get(args.get("survey_id")?)?;
    expect_state(&survey.id, survey.state, &[SurveyState::Open])?;
    let (asked, given) = (survey.questions.len(), args.get::<Vec<i64>>("marks")?.len());
    ensure!(asked == given, "{} has {asked} questions, not {given}", survey.id);
    let rest = json!({"answered_at": args.now()});
    surveys.responses.create(args, rest, |response| {
        format!("thank you, noted as {}", response.id)
    })
}

fn results(surveys: &Surveys, survey_id: &str) -> Outcome<Results> {
    let survey = surveys.surveys.get(survey_id)?;
    let responses = surveys.responses_to(survey_id).count() as i64;
    let mut questions = Vec::new();
    for (index, question) in survey.questions.iter().enumerate() {
        let counts = surveys.counts(survey_id, index + 1)?;
        let sum: i64 = counts.iter().zip(1..).map(|(count, mark)| count * mark).sum();
        let mean = (sum as f64 / responses.max(1) as f64 * 100.0).round() / 100.0;
        questions.push(QuestionResult {
            question: question.clone(),
            mean,
            counts,
        });
    }
    let text = format!("{}: {responses} responses", survey.title);
    let survey_id = survey.id.clone();
    let results = Results {
        survey_id,
        responses,
        questions,
    };
    Ok(Answer::new(text, results))
}

impl Surveys {
    /// Changes the survey the call names, which has to be in this state.
    fn update(
        &mut self,
        args: &Args,
        wanted: SurveyState,
        change: impl FnOnce(&mut Survey) -> Result<String, Refusal>,
    ) -> Outcome<Survey> {
        self.surveys.update(args.get("survey_id")?, |survey| {
            expect_state(&survey.id, survey.state, &[wanted])?;
            change(survey)
        })
    }

    fn responses_to(&self, survey_id: &str) -> impl Iterator<Item = &Response> + Clone {
        self.responses
            .iter()
            .filter(move |response| response.survey_id == survey_id)
    }

    /// How often each mark from 1 to 5 was given to a question, counted from 1.
    fn counts(&self, survey_id: &str, question: usize) -> Result<Vec<i64>, Refusal> {
        let questions = self.surveys.get(survey_id)?.questions.len();
        ensure!(
            (1..=questions).contains(&question),
            "{survey_id} has questions 1 to {questions}, not {question}"
        );
        let marks = self
            .responses_to(survey_id)
            .filter_map(|response| response.marks.get(question - 1));
        let count = |mark: i64| marks.clone().filter(|given| **given == mark).count() as i64;
        Ok((1..=5).map(count).collect())
    }
}
