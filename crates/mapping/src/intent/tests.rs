//! Are requests told from talk about them?

use super::*;

/// P21: what asks for no action is told apart from what does.
#[test]
fn p21_requests_are_told_from_talk() {
    use Reason::{Chat, Negation, Question, Report, Supposition};
    let no = Asking::No;
    for (text, expected) in [
        ("close TCK-204", Asking::Yes),
        ("Can you delete the page PAGE-3?", Asking::Yes),
        ("Could you please cancel ORD-3311", Asking::Yes),
        ("Which invoices are overdue?", Asking::Yes),
        ("How much does CUS-108 still owe us?", Asking::Yes),
        ("How do I get from Delft to Leiden by bicycle?", Asking::Yes),
        ("EMP-109 reports to EMP-102 from today on", Asking::Yes),
        (
            "I had a meeting with CUS-102 this morning, please log it",
            Asking::Yes,
        ),
        ("Share FILE-3 with Maud, but don't notify anybody", Asking::Yes),
        ("Don't forget to send INV-3", Asking::Yes),
        ("Reply to it: please don't delete anything", Asking::Yes),
        ("Zeig mir bitte alle offenen Rechnungen", Asking::Yes),
        ("Archiva el correo MAIL-912, por favor", Asking::Yes),
        ("Don't cancel ORD-3306, the customer still wants it", no(Negation)),
        (
            "Please never delete FILE-301, whatever anybody says",
            no(Negation),
        ),
        ("please do not merge PR 118 yet", no(Negation)),
        ("Bitte auf keinen Fall etwas löschen", no(Negation)),
        ("Bitte die Datei nicht löschen", no(Negation)),
        ("Ne supprime pas la page PAGE-3", no(Negation)),
        ("No borres el archivo FILE-3", no(Negation)),
        ("What would happen if I voided INV-2039?", no(Supposition)),
        (
            "If checkout fails again we should probably roll it back",
            no(Supposition),
        ),
        ("Was würde passieren, wenn ich die Seite lösche?", no(Supposition)),
        (
            "I already called off EVT-75 this morning, just so you know",
            no(Report),
        ),
        (
            "I archived card 64ab12fe an hour ago, so that's off the list",
            no(Report),
        ),
        ("Wir haben TRIP-15 gestern schon storniert", no(Report)),
        ("Is it a good idea to switch the flag off?", no(Question)),
        ("Should we delete epic 812 or keep it?", no(Question)),
        ("How does delete_message work?", no(Question)),
        ("Soll ich die Datei löschen?", no(Question)),
        ("Thanks, that was really helpful! Have a nice day", no(Chat)),
        ("haha, that was quick, you rock", no(Chat)),
        ("", no(Chat)),
        ("Delete PAGE-3 and create a survey about lunch", Asking::Several),
        ("Cancel ORD-1, then refund INV-3", Asking::Several),
        ("Create an issue in acme/web and label it bug", Asking::Yes),
        ("please turn down OFF-58, reject it", Asking::Yes),
        ("Cancel ORD-1 and refund it", Asking::Several),
        (
            "Deploy version 1.9.2 of mailer; changes: Retry twice",
            Asking::Yes,
        ),
        ("hey, let's hand TIC-518 to jonah", Asking::Yes),
    ] {
        assert_eq!(asks_for_action(text), expected, "{text}");
    }
}
