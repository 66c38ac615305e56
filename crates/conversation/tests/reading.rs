//! Is a message read as people mean it, in every language that is read?

use handpick_conversation::reading::{self, Leaning};
use handpick_conversation::turn_type::{self, TurnType};
use handpick_domain::{Message, Role, ToolCall};
use proptest::prelude::*;

use Leaning::{Answers, Nothing, Own, Refers, Repeats};
use TurnType::{Action, Knowledge, Mixed, Smalltalk};

fn said(role: Role, content: &str) -> Message {
    Message {
        role,
        content: content.to_owned(),
        tool_calls: Vec::new(),
    }
}

/// User and assistant in turns.
fn history(texts: &[&str]) -> Vec<Message> {
    let roles = [Role::User, Role::Assistant].into_iter().cycle();
    texts
        .iter()
        .zip(roles)
        .map(|(text, role)| said(role, text))
        .collect()
}

fn read(texts: &[&str], message: &str) -> (Leaning, TurnType) {
    let history = history(texts);
    let reading = reading::read(message, &history);
    (reading.leaning, turn_type::turn_type(message, &history, &reading))
}

/// T35: a message that opens a conversation.
#[test]
fn t35_an_opening_is_what_it_asks_for() {
    let cases: &[(&str, TurnType)] = &[
        ("hey there!", Smalltalk),
        ("good morning, how are you?", Smalltalk),
        ("how many open tickets does Vandelay have?", Knowledge),
        ("how do I export my data", Knowledge),
        ("what would it cost to add three seats?", Knowledge),
        ("show me the unpaid invoices from March", Knowledge),
        ("please list all drivers on duty", Knowledge),
        ("latest payslip of Ruth Abara", Knowledge),
        ("is the warehouse open on sunday", Knowledge),
        ("can you cancel my booking for friday", Action),
        ("could you please move the meeting to 3pm?", Action),
        ("can you tell me where my parcel is", Knowledge),
        ("cancel ORD-5512", Action),
        ("I'd like to change my delivery address", Action),
        ("I need to know when the contract ends", Knowledge),
        ("my laptop got stolen, lock it", Action),
        ("find the contract of Ines Duarte and send it to legal", Action),
        ("what's the balance of ACC-77, and transfer 50 to savings", Mixed),
        ("book the room and tell me what it costs", Mixed),
        ("refund the last order please", Action),
        ("order status of FX-201?", Knowledge),
        ("hallo zusammen", Smalltalk),
        ("wie viele Urlaubstage hat Frau Kern noch?", Knowledge),
        ("bitte storniere die Bestellung 4711", Action),
        ("kannst du mir die Rechnung schicken?", Action),
        ("zeig mir die offenen Aufträge", Knowledge),
        ("ich möchte meinen Vertrag kündigen", Action),
        ("den Termin am Montag bitte auf 15 Uhr verschieben", Action),
        ("was kostet der Versand und schick mir bitte ein Angebot", Mixed),
        ("hola, buenos días", Smalltalk),
        ("¿cuánto debe el cliente Ramírez?", Knowledge),
        ("cancela mi suscripción", Action),
        ("¿puedes enviarme la factura de marzo?", Action),
        ("quiero saber cuándo llega mi pedido", Knowledge),
        ("necesito cambiar la dirección de envío", Action),
        ("muéstrame los pedidos de ayer", Knowledge),
        ("bonjour !", Smalltalk),
        ("quel est le solde du compte 88 ?", Knowledge),
        ("est-ce que la livraison est gratuite ?", Knowledge),
        ("annulez ma réservation s'il vous plaît", Action),
        ("peux-tu envoyer le devis à Claire ?", Action),
        ("je voudrais modifier mon adresse", Action),
        ("montre-moi les commandes en retard", Knowledge),
        ("bom dia", Smalltalk),
        ("quanto custa o plano anual?", Knowledge),
        ("cancela a reserva de sexta", Action),
        ("quero mudar o meu endereço", Action),
        ("pode me enviar o recibo?", Action),
        ("mostra as faturas em aberto", Knowledge),
        ("ciao!", Smalltalk),
        ("quanti giorni di ferie mi restano?", Knowledge),
        ("annulla l'ordine 5521", Action),
        ("vorrei spostare l'appuntamento a venerdì", Action),
        ("puoi mandarmi la fattura?", Action),
        ("goedemorgen", Smalltalk),
        ("wanneer komt mijn pakket aan?", Knowledge),
        ("annuleer mijn bestelling", Action),
        ("kun je de afspraak verzetten naar dinsdag?", Action),
        ("ik wil graag mijn adres wijzigen", Action),
        ("dzień dobry", Smalltalk),
        ("ile kosztuje dostawa?", Knowledge),
        ("anuluj moje zamówienie", Action),
        ("czy możesz przesłać mi fakturę?", Action),
        ("chcę zmienić adres dostawy", Action),
        ("pokaż zaległe faktury", Knowledge),
        ("привет", Smalltalk),
        ("сколько стоит доставка?", Knowledge),
        ("отмените мой заказ", Action),
        ("не могли бы вы прислать счёт?", Action),
        ("你好", Smalltalk),
        ("我的订单什么时候到？", Knowledge),
        ("请取消我的预约", Action),
        ("こんにちは", Smalltalk),
        ("注文はいつ届きますか？", Knowledge),
        ("予約をキャンセルしてください", Action),
    ];
    let misread: Vec<_> = cases
        .iter()
        .map(|&(message, expected)| (message, expected, read(&[], message)))
        .filter(|(_, expected, got)| got.1 != *expected)
        .collect();
    assert!(misread.is_empty(), "{misread:#?}");
}

/// T35: a message that follows others, with how it leans.
#[test]
fn t35_a_message_is_read_with_what_stands_before_it() {
    let move_plan = [
        "what plan is Globex on?",
        "Growth.",
        "move them to the scale plan",
        "Done, Globex is on scale.",
    ];
    let offer = ["my vase arrived broken", "Sorry to hear that. Shall I refund it?"];
    let tell = [
        "is there a newer model?",
        "Yes, two. Do you want me to show you them?",
    ];
    let which = ["cancel the booking", "There are two, B-300 and B-301. Which one?"];
    let slots = ["when can you deliver?", "Friday 9:00 or Saturday 14:00."];
    let done = ["close ticket T-51", "Closed.", "thanks", "Anything else?"];
    let lookup = ["who is on call tonight?", "Ana Pires."];
    let de = [
        "storniere bitte die Buchung von Herrn Vogt",
        "Soll ich die Gebühr erstatten?",
    ];
    let de_done = ["verlängere den Vertrag von Kranz um ein Jahr", "Erledigt."];
    let es = ["mi pedido llegó roto", "¿Quiere que le enviemos otro?"];
    let es_done = ["bloquea la tarjeta de Ruiz", "Bloqueada."];
    let fr = [
        "je veux changer de forfait",
        "Voulez-vous passer au forfait Pro ?",
    ];
    let pt = ["o meu voo foi cancelado", "Quer que eu marque outro?"];
    let it = ["sposta la riunione", "A quale giorno?"];
    let nl = ["mijn fiets is kapot", "Zal ik een reparatie inplannen?"];
    let pl = ["paczka nie dotarła", "Czy mam wysłać nową?"];
    let ru = ["заказ не пришёл", "Хотите, чтобы мы отправили новый?"];
    let ja = ["会議室を予約してください", "何時ですか？"];
    let zh = ["改一下收货地址", "新地址？"];
    let cases: &[(&[&str], &str, Leaning, TurnType)] = &[
        (&move_plan, "and for Initech?", Repeats, Action),
        (&move_plan, "same for Hooli", Repeats, Action),
        (&move_plan, "what about Umbrella?", Repeats, Action),
        (&move_plan, "perfect, thanks a lot", Nothing, Smalltalk),
        (&move_plan, "lol that was fast", Nothing, Smalltalk),
        (&move_plan, "when does it renew?", Refers, Knowledge),
        (&move_plan, "ok, send them a confirmation", Refers, Action),
        (
            &move_plan,
            "how many customers churned last month?",
            Own,
            Knowledge,
        ),
        (&move_plan, "actually the pro plan", Answers, Action),
        (&move_plan, "undo that", Refers, Action),
        (&offer, "yes", Answers, Action),
        (&offer, "go ahead", Answers, Action),
        (&offer, "ok", Answers, Action),
        (&offer, "sure, but only half", Answers, Action),
        (&offer, "no thanks", Answers, Smalltalk),
        (&offer, "yes, and when will I see the money?", Answers, Mixed),
        (&offer, "no, send me a new one", Refers, Action),
        (&tell, "yes please", Answers, Knowledge),
        (&which, "B-300", Answers, Action),
        (&which, "the first", Answers, Action),
        (&which, "the one in June", Answers, Action),
        (&which, "both", Answers, Action),
        (&which, "what's the difference between them?", Refers, Knowledge),
        (&slots, "sat", Answers, Action),
        (&slots, "the later one", Answers, Action),
        (&slots, "hm, what does express delivery cost?", Own, Knowledge),
        (&done, "no", Nothing, Smalltalk),
        (&done, "yes, reopen T-44", Own, Action),
        (&done, "nope, that's all", Nothing, Smalltalk),
        (&lookup, "and tomorrow?", Repeats, Knowledge),
        (&lookup, "text her", Refers, Action),
        (&lookup, "different topic: who approves travel?", Own, Knowledge),
        (&de, "ja, bitte", Answers, Action),
        (&de, "genau", Answers, Action),
        (&de, "nein danke", Answers, Smalltalk),
        (&de_done, "und für Brandt?", Repeats, Action),
        (&de_done, "vielen Dank!", Nothing, Smalltalk),
        (&de_done, "wann läuft er dann aus?", Refers, Knowledge),
        (&de_done, "schick ihm eine Bestätigung", Refers, Action),
        (&es, "sí, por favor", Answers, Action),
        (&es, "no, gracias", Answers, Smalltalk),
        (&es_done, "¿y la de Gómez?", Repeats, Action),
        (&es_done, "muchas gracias", Nothing, Smalltalk),
        (&es_done, "envíale un aviso", Refers, Action),
        (&fr, "oui, allez-y", Answers, Action),
        (&fr, "merci beaucoup, bonne journée", Nothing, Smalltalk),
        (&fr, "c'est combien par mois ?", Own, Knowledge),
        (&pt, "sim, por favor", Answers, Action),
        (&pt, "obrigado, até logo", Nothing, Smalltalk),
        (&it, "venerdì", Answers, Action),
        (&it, "grazie mille", Nothing, Smalltalk),
        (&nl, "ja graag", Answers, Action),
        (&nl, "hoeveel kost dat?", Refers, Knowledge),
        (&pl, "tak, poproszę", Answers, Action),
        (&pl, "dziękuję, to wszystko", Nothing, Smalltalk),
        (&ja, "明日の午後3時", Answers, Action),
        (&zh, "谢谢", Nothing, Smalltalk),
        (&ru, "да, пожалуйста", Answers, Action),
        (&ru, "спасибо", Nothing, Smalltalk),
    ];
    let misread: Vec<_> = cases
        .iter()
        .map(|&(before, message, leaning, kind)| {
            (before.last(), message, (leaning, kind), read(before, message))
        })
        .filter(|(_, _, expected, got)| got != expected)
        .collect();
    assert!(misread.is_empty(), "{misread:#?}");
}

#[test]
fn the_object_of_a_repeated_request_is_set_into_it() {
    let history = history(&[
        "what plan is Globex on?",
        "Growth.",
        "ok, move them to the scale plan",
        "Done.",
    ]);
    let reading = reading::read("and for Initech?", &history);
    assert_eq!(reading.with_context, "move them to the scale plan, for Initech");
    assert_eq!(
        reading.open_request.as_deref(),
        Some("move them to the scale plan")
    );
    assert_eq!(reading.matter, [0, 1, 2, 3]);
    assert!(reading.new_subject);
}

#[test]
fn an_accepted_offer_comes_before_the_request_it_serves() {
    let history = history(&["my vase arrived broken", "Sorry! Shall I refund it?"]);
    let reading = reading::read("yes please, thanks", &history);
    assert_eq!(reading.with_context, "Shall I refund it; my vase arrived broken");
    assert!(!reading.new_subject);
}

#[test]
fn a_pronoun_brings_along_what_was_talked_about() {
    let mut history = history(&["show me invoice INV-7", "Here it is."]);
    history[1].tool_calls.push(ToolCall {
        name: "get_invoice".to_owned(),
        ..ToolCall::default()
    });
    let reading = reading::read("hm ok, cancel it please", &history);
    assert_eq!((reading.leaning, reading.own.as_str()), (Refers, "cancel it"));
    assert_eq!(reading.with_context, "cancel it (INV-7 invoice)");
}

#[test]
fn another_topic_is_not_dragged_back() {
    let history = history(&["refund INV-7", "Done, INV-7 is refunded."]);
    for (message, is_new) in [
        ("what are our opening hours on sunday?", false),
        ("now show me INV-9", true),
        ("when was it paid?", false),
        ("different thing, who is on leave today?", true),
        ("next customer: Rosa Lind", true),
        ("and INV-8?", true),
        ("the other one?", true),
        ("refund INV-7 again", false),
    ] {
        let reading = reading::read(message, &history);
        assert_eq!(reading.new_subject, is_new, "{message}");
        if reading.leaning == Own {
            assert_eq!(reading.with_context, reading.own, "{message}");
            assert_eq!(reading.open_request.is_none(), is_new, "{message}");
        }
    }
}

/// T22: of a long history the last ten messages count.
#[test]
fn t22_only_the_last_ten_messages_count() {
    let mut long = history(&["close ticket T-51", "Closed."]);
    for _ in 0..6 {
        long.extend(history(&["thanks", "You're welcome."]));
    }
    let reading = reading::read("and T-52?", &long);
    assert_eq!(reading.open_request, None);
    assert!(reading.matter.iter().all(|&number| number >= long.len() - 10));
}

/// T22: a long message is read from its beginning, and quickly.
#[test]
fn t22_a_long_message_is_read_from_its_first_part() {
    let message = format!("cancel ORD-5 {}", "and then, if so, what? ".repeat(5_000));
    let reading = reading::read(&message, &[]);
    assert!(reading.own.len() <= 8_192);
    assert!(reading.own.starts_with("cancel ORD-5"));
}

proptest! {
    #[test]
    fn any_text_is_read(
        texts in proptest::collection::vec("\\PC{0,40}|([a-zäéß,.;?!\"' ]|and |for |yes |¿|。|？|取消|して){0,30}", 0..5),
        message in "\\PC{0,60}|([a-zäéß,.;?!\"'\\- ]|and |for |the other |yes |no |¿|？|取消|して|INV-7){0,30}",
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let history = history(&texts);
        let reading = reading::read(&message, &history);
        prop_assert!(message.contains(&reading.own));
        prop_assert!(reading.matter.iter().all(|&number| number < history.len()));
        turn_type::turn_type(&message, &history, &reading);
    }
}

/// The entries of every language, and signs between them.
fn phrases() -> Vec<&'static str> {
    let files = [
        include_str!("../data/en.txt"),
        include_str!("../data/de.txt"),
        include_str!("../data/es.txt"),
        include_str!("../data/fr.txt"),
        include_str!("../data/pt.txt"),
        include_str!("../data/it.txt"),
        include_str!("../data/nl.txt"),
        include_str!("../data/pl.txt"),
        include_str!("../data/ru.txt"),
        include_str!("../data/zh.txt"),
        include_str!("../data/ja.txt"),
    ];
    let entries = files
        .into_iter()
        .flat_map(str::lines)
        .flat_map(|line| line.split(','));
    let signs = [
        ". ", "? ", ", ", "？", "。", " - ", "INV-7", "12", "Anna", "we're",
    ];
    entries
        .map(|entry| entry.trim_matches(['~', '[', ']', ' ']))
        .filter(|entry| !entry.is_empty())
        .chain(signs.into_iter().cycle().take(2_000))
        .collect()
}

proptest! {
    #[test]
    fn any_row_of_known_phrases_is_read(
        texts in proptest::collection::vec(proptest::collection::vec(proptest::sample::select(phrases()), 0..8), 1..5),
    ) {
        let texts: Vec<String> = texts.iter().map(|phrases| phrases.join(" ")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (message, before) = texts.split_last().unwrap_or((&"", &[]));
        let history = history(before);
        let reading = reading::read(message, &history);
        prop_assert!(message.contains(&reading.own));
        turn_type::turn_type(message, &history, &reading);
    }
}
