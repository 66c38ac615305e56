//! Tables of requests, a language each, and what is left alone.

use super::{Gloss, Language, gloss};

/// Reads each request as the language and compares the English words.
#[track_caller]
fn check(language: Language, table: &[(&str, &str)]) {
    for &(text, english) in table {
        let expected = Gloss {
            language,
            english: english.to_owned(),
        };
        assert_eq!(gloss(text), Some(expected), "{text}");
    }
}

#[track_caller]
fn check_left_alone(texts: &[&str]) {
    for text in texts {
        assert_eq!(gloss(text), None, "{text}");
    }
}

#[test]
fn german() {
    check(
        Language::German,
        &[
            ("Rechnung stornieren", "invoice cancel"),
            ("Lösche die Datei bericht.pdf", "delete file bericht.pdf"),
            ("loesche die Datei", "delete file"),
            ("LÖSCHE DIE DATEI", "delete file"),
            // The parts of a verb come together where the first one stands.
            (
                "Leg ein leeres Ticket in PROJ-12 an",
                "create empty Ticket in PROJ-12",
            ),
            (
                "Schalte bitte das Licht im Wohnzimmer ein",
                "turn on light in living room",
            ),
            ("Zeig mir die Kundenrechnungen", "show me customers invoices"),
            ("Wie geht's mit dem Build weiter?", "how go with Build forward?"),
        ],
    );
}

#[test]
fn spanish() {
    check(
        Language::Spanish,
        &[
            ("crear factura", "create invoice"),
            (
                "Añade un comentario a la incidencia 55 de acme/api en GitHub",
                "add comment to issue 55 of acme/api in GitHub",
            ),
            (
                "anade un comentario a la incidencia 55",
                "add comment to issue 55",
            ),
            (
                "¿Cuántos correos tengo de \"Ana López\"?",
                "how many emails have of \"Ana López\"?",
            ),
            ("Enviar Correo A Ana", "send mail to Ana"),
        ],
    );
}

#[test]
fn french() {
    check(
        Language::French,
        &[
            ("supprimer la branche", "delete branch"),
            ("L'ordre du jour d'aujourd'hui, s'il te plaît", "agenda today"),
            (
                "Montre-moi les factures de « Dupont »",
                "show me invoices « Dupont »",
            ),
        ],
    );
}

#[test]
fn portuguese() {
    check(
        Language::Portuguese,
        &[
            ("criar tarefa", "create task"),
            ("Abre o a1c3e8 no Jaeger", "open a1c3e8 in the Jaeger"),
            ("envia um e-mail para ana@acme.pt", "send email for ana@acme.pt"),
        ],
    );
}

#[test]
fn russian() {
    check(
        Language::Russian,
        &[
            (
                "покажи последние коммиты в ветке develop",
                "show last commit in branch develop",
            ),
            ("Который час в Москве?", "which hour in moscow?"),
        ],
    );
}

#[test]
fn chinese() {
    check(
        Language::Chinese,
        &[
            (
                "安排明天下午三点的会议",
                "schedule tomorrow afternoon three hour meeting",
            ),
            ("把 S3 里的「报告」删掉，谢谢", "S3 「报告」 delete"),
            ("10月的订单", "october order"),
        ],
    );
}

#[test]
fn japanese() {
    check(
        Language::Japanese,
        &[
            (
                "今開いているページのスクリーンショットを撮って",
                "now open page screenshot take",
            ),
            // Without kana, the words decide.
            ("請求書作成", "invoice create"),
            ("qrコードを作って", "qr code create"),
        ],
    );
}

#[test]
fn english_is_left_alone() {
    check_left_alone(&[
        "",
        "create issue",
        "comment on pr 5",
        "also die bold",
        "on call schedule",
        "pain medication",
        "Book a table at Café São Paulo in Rio de Janeiro for two",
        "weather São Paulo",
        "play La Vie en Rose by Édith Piaf",
        "translate \"Wie geht es dir\" to English",
        "Translate the following text to English: Le système éducatif français est composé d'écoles",
        "find mails from Müller about Rechnung, don't open them",
        "create a Jira ticket called Rechnung stornieren",
        "Help me fill in the blanks: 上海是中国的大城市",
        "Get information about 八字 based on time and gender",
        "what does Привет mean",
        "d/dx sin(2x)",
        "résumé",
        "S3",
        "PROJ-12",
        "Outlook",
    ]);
}

#[test]
fn other_languages_are_left_alone() {
    check_left_alone(&[
        "mostrami le fatture di oggi",
        "crea una nuova fattura per il cliente",
        "voeg een taak toe aan mijn lijst",
        "skapa en ny faktura för kunden",
        "Utwórz nową fakturę dla klienta",
        "yeni bir fatura oluştur",
        "створи нову задачу в проекті",
        "създай нова задача",
        "최근 뉴스를 찾아줘",
        "चाय कैसे बनाएं?",
    ]);
}

#[test]
fn courtesies_say_nothing() {
    check_left_alone(&["bitte", "hola", "こんにちは", "谢谢"]);
}

#[test]
fn what_is_no_word_stays() {
    let kept = [
        "foo@bar.de",
        "https://ex.com/a?b=c",
        "/etc/hosts",
        "`rm -rf`",
        "v1.2",
        "--force",
        "GitHub",
        "AWS",
    ];
    let text = format!("überprüfe {} und lösche die Datei", kept.join(" und "));
    let english = gloss(&text).unwrap().english;
    assert_eq!(english, format!("check {} and delete file", kept.join(" and ")));
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,60}|([a-zäñçé'’. ]{0,12}|die |que |les |的|を|в |\"|«|»){0,30}") {
        if let Some(gloss) = gloss(&text) {
            proptest::prop_assert!(!gloss.english.trim().is_empty());
            // The longest gloss has 23 letters, the shortest key one.
            proptest::prop_assert!(gloss.english.len() <= 24 * text.len());
        }
    }

    #[test]
    fn quotations_and_ids_survive(id in "[A-Z]{2,5}-[0-9]{1,4}", quoted in "[a-zé ]{1,20}") {
        let text = format!("Bitte öffne {id} und schreib \"{quoted}\" in die Datei");
        let english = gloss(&text).unwrap().english;
        proptest::prop_assert!(english.contains(&id));
        let quotation = format!("\"{quoted}\"");
        proptest::prop_assert!(english.contains(&quotation));
    }
}
