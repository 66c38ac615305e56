//! Which capitalised words are no names?

use super::word_list::WordList;

/// Small words within a name.
pub(super) static PARTICLES: WordList = WordList::new(
    "of the van der den de la le du del della di da dos von zu zur bin ibn al el ten ter los las d \
     des y",
);

/// English words that are part of no name, in whatever place.
pub(super) static SMALL_WORDS: WordList = WordList::new(
    "the a an and or but for to of in on at by with from as if is are was were be been has have had \
     do does did can could would should will shall may might must not no yes ok okay i you he she it \
     we they me my your his her our their its this that these those there here what which who whom \
     whose when where why how please thanks thank hi hello hey dear also then than so just only all \
     any some every each both let lets now today tomorrow yesterday tonight next last first after \
     before since until while because into about over under between without within oh ah well sorry \
     hm hmm pls fyi btw asap",
);

/// The same in German.
pub(super) static GERMAN_SMALL: WordList = WordList::new(
    "der die das den dem des ein eine einen einem einer und oder aber mit ohne ich du er sie es wir \
     ihr mir mich dir ihm ihn bitte danke hallo nein wie wo wann warum wer welche welcher welches \
     welchen heute gestern ubermorgen nicht kein keine alle alles auch noch dann wenn dass fur von \
     vom zum zur bis ab nach bei",
);

/// The same in French.
pub(super) static FRENCH_SMALL: WordList = WordList::new(
    "le la les un une des et ou mais avec sans pour dans sur je tu il elle nous vous ils elles moi \
     mon ma mes ce cette ces quel quelle quels quelles qui que quoi quand comment pourquoi merci \
     bonjour oui non demain aujourd hier",
);

/// The same in Spanish.
pub(super) static SPANISH_SMALL: WordList = WordList::new(
    "el los las una uno y pero con sin por favor para yo ella nosotros mi tu su que quien cuando \
     donde como cual cuales cuanto cuantos gracias hola si hoy manana ayer",
);

/// Verbs and greetings that begin a request.
pub(super) static STARTERS: WordList = WordList::new(
    "accept acknowledge activate add adjust allow amend analyse analyze annotate announce answer \
     append apply approve archive arrange ask assign attach authorize back ban bill block book bring \
     browse build bump buy calculate call cancel change charge chase check choose clean clear click \
     clone close collect comment commit compare compose compute configure confirm connect contact \
     convert copy correct count create credit cut deactivate debit decline decrease delay delete \
     deliver deny deploy describe detach diff disable discard dismiss dispatch display download \
     draft draw drop duplicate edit email e mail empty enable end enrol enroll ensure enter erase \
     escalate estimate execute exclude explain export extend extract fetch file fill filter find \
     finish fix flag follow forward free freeze generate get give go grab grant halt hand help hide \
     hold import include increase inform insert inspect install introduce invite invoice issue join \
     keep kick kill label launch leave lend lift link list load lock log look lookup lower make mark \
     match measure meet mention merge message migrate monitor move mute name need notify nudge offer \
     open order organise organize page park pass paste pause pay permit pick pin ping place plan \
     play post postpone prepare print prioritize process promote propose provide publish pull push \
     put query queue raise rank rate reach react read rebook receive recommend record redirect \
     reduce refund refresh register reject release remind remove rename render renew rent repeat \
     replace reply report request require reschedule reserve reset resolve respond restart restore \
     resume retrieve retry return review revert revoke ring roll rotate run save say scale scan \
     schedule search see select sell send set settle share shift ship show sign skip snooze sort \
     spin split star start stop store submit subscribe suggest sum summarise summarize suspend swap \
     switch sync tag take tell terminate test text toggle track transfer translate trigger try tweet \
     turn type uninstall update upgrade upload use validate verify view visit void wait want watch \
     whitelist withdraw write zip good morning afternoon evening fresh new another great nice \
     perfect sigh phew given maybe once still already sure right alright quick quickly urgent \
     reminder note subject attention fixed onboarding champagne approx around per regarding \
     concerning according looks everything everyone nothing something someone anyone anything more \
     most many much few other others same such time customer lösch losch losche zeig zeige erstelle \
     erstell leg lege schick schicke sende verschieb verschiebe andere ander fuge fug setz setze \
     stell stelle suche finde gib mach mache starte stoppe offne schliess schliesse lade buche buch \
     plane trag trage nimm beantrage storniere kopiere benenne antworte schreib schreibe ruf rufe \
     kannst konntest konnen konnten ist sind hat haben wird werden weise frag erinnere aktiviere \
     deaktiviere aktualisiere loschen guten gibt hol ajoute ajoutez montre montrez supprime \
     supprimez cree creez envoie envoyez mets met donne donnez cherche trouve ouvre ferme annule \
     annulez deplace renomme partage ecris reponds liste affiche planifie peux pouvez est y combien \
     rembourse publie telecharge rappelle anade agrega muestra muestrame borra elimina crea envia \
     cambia pon dame busca encuentra abre cierra cancela mueve renombra comparte escribe responde \
     lista reserva planifica invita puedes podrias archiva traduce marca asigna actualiza hay \
     convierte quita haz recuerdame paga sube",
);

/// Words in capitals that name a kind of thing.
pub(super) static ACRONYMS: WordList = WordList::new(
    "pdf csv json xml html css api apis url urls id ids utc gmt cet cest pr prs mr mrs ms dr vm vms \
     cpu gpu ram sql crm erp faq ci cd ui ux qa hr it pm am todo todos asap fyi eta eod eom cob ok \
     sku skus tv dm cc bcc re fw fwd nb ps rsvp vat vip usb dns ip ssl tls http https ssh ftp vpn \
     sms ceo cto cfo kpi okr roi rfc poc mvp saas sla slo gdpr pto ooo tbd tba wip usd eur gbp chf \
     uuid uid png jpg jpeg gif svg zip doc docs md yaml toml internet wifi email god christmas \
     easter english german french spanish italian dutch q v h x pst est edt pdt iso sso oauth jwt xl \
     xxl led nda iban bic pin gps crud mcp llm ai portuguese russian chinese japanese korean arabic \
     polish turkish deutsch englisch franzosisch spanisch francais anglais espanol ingles",
);

/// German nouns of daily work.
pub(super) static GERMAN_NOUNS: WordList = WordList::new(
    "rechnung rechnungen kunde kunden kundin kundinnen datei dateien ordner tabelle tabellen aufgabe \
     aufgaben projekt projekte kanal kanale nachricht nachrichten termin termine besprechung meeting \
     ticket tickets bestellung bestellungen auftrag lieferung urlaub antrag mitarbeiter \
     mitarbeiterin kollege kollegen kollegin team teams namespace papierkorb dienst server datenbank \
     titel betreff grund text inhalt tag tage tagen woche wochen monat monate jahr jahre stunde \
     stunden minute minuten uhr euro prozent drive dokument dokumente seite seiten version segment \
     zuge zug flug fluge hotel zimmer reise reisen preis preise produkt produkte bestand lager \
     artikel kommentar kommentare eintrag eintrage benutzer nutzer person personen kontakt kontakte \
     adresse mail mails email brief anhang anhange kalender ereignis status stufe phase deal deals \
     umfrage umfragen frage fragen antwort antworten fehler problem probleme vorfall vorfalle zweig \
     branch repository repo issue issues pod pods cluster liste listen karte karten board tafel \
     spalte zeile zeilen zelle ende anfang mittag abend morgen nachmittag vormittag nacht fall hand \
     zeit moment leute gast gaste chef chefin firma unternehmen abteilung buro raum raume ort stadt \
     land weg strasse nummer zahl menge betrag summe zahlung zahlungen rabatt gutschrift mahnung \
     vertrag angebot angebote bericht berichte ubersicht thema themen notiz notizen link bild bilder \
     foto fotos name namen wert werte feld felder filter etikett prioritat frist falligkeit freigabe \
     zugriff zugang passwort konto konten warenkorb chat space startseite abo spesen kategorie \
     verpflegung carrier paket pakete vm job jobs log logs absprache",
);

/// Words before a colon that a person, a company or a place stands behind.
pub(super) static PEOPLE: WordList = WordList::new(
    "assignee owner name to from member members with cc attendees attendee guests guest author \
     customer client by contact user for traveller traveler people person manager reporter reviewer \
     reviewers lead company city destination origin location place invitees participants recipient \
     team kunde an von cliente para pour supplier vendor employee colleague artist brand",
);

/// Words that go on behind a name, where a title in small letters would not.
pub(super) static AFTER_NAMES: WordList = WordList::new(
    "in on at to for with and or under from by as is of into via about has was please who that \
     starting due before after using inside within should can will",
);
