//! What does a word in Latin letters say about the language, before any glossary is asked?
//!
//! No dictionary: only the words that hold English requests together, those that English spells like a word of
//! another language, and those of languages that nobody reads here.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What is known of a word by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearing {
    /// English requests are full of it, and no glossary has it.
    English,
    /// English requests are full of it, but it may be of another language too.
    AlsoEnglish,
    /// An English word among others, spelled like one of another language.
    Shared,
    /// Names bring it into every language.
    OfNames,
    /// It is of a language that is not read.
    Elsewhere,
    /// Nothing.
    None,
}

impl Bearing {
    /// Of a word in lower case.
    pub fn of(lower: &str) -> Self {
        static WORDS: LazyLock<HashMap<&str, Bearing>> = LazyLock::new(|| {
            let listed = |&(list, bearing): &(&'static str, Bearing)| {
                list.split_ascii_whitespace().map(move |word| (word, bearing))
            };
            LISTS.iter().flat_map(listed).collect()
        });
        WORDS.get(lower).copied().unwrap_or(Self::None)
    }

    /// Whether English requests are full of it.
    pub fn is_typical_english(self) -> bool {
        matches!(self, Self::English | Self::AlsoEnglish)
    }

    /// Whether it is an English word.
    pub fn is_english(self) -> bool {
        self.is_typical_english() || self == Self::Shared
    }
}

/// Whether what follows an apostrophe is the rest of an English word, as the `t` of `don't`.
pub fn is_contracted(lower: &str) -> bool {
    matches!(lower, "d" | "ll" | "m" | "re" | "s" | "t" | "ve")
}

/// A word is in one list only.
const LISTS: &[(&str, Bearing)] = &[
    (ENGLISH, Bearing::English),
    (ALSO_ENGLISH, Bearing::AlsoEnglish),
    (SHARED, Bearing::Shared),
    (OF_NAMES, Bearing::OfNames),
    (ELSEWHERE, Bearing::Elsewhere),
];

/// Words that hardly a request in English lacks and that no glossary has.
const ENGLISH: &str = "
    about above add after again all always among and another any anyone anything are around ask at be
    because been before begin being below between both buy by call can cannot choose could create did
    does doing done down download during each edit either else enable ensure every everyone everything
    explain first following for from gather generate get give given go going got grab had have having
    hello help her here him his how i if into is it its itself just keep know learn let look looking
    made make many may maybe might more most much must my need needed needs never new next not nothing
    now of off old one only open or order other our ours out over own please pls provide pull put read
    regarding remind rename retrieve run same save say search set shall she should show since someone
    something soon still summarize take tell than thank thanks that the their them then there these they
    thing things think this those through to today together tomorrow too translate try turn two under
    until up upload upon us used using verify very view want wanted wants watch way we were what when
    where whether which while who whom whose why wish with within without work would write yes yesterday
    yet you your
";

/// Words that are as frequent in English requests, but also a key of a glossary.
const ALSO_ENGLISH: &str = "
    a also am an as bring but change come delete describe do find fix has he in last like list me move
    on remove see send so some such use was will
";

/// English words that, with accents or without, are also a key of the German, Spanish, French or Portuguese
/// glossary.
const SHARED: &str = "
    academia ache action actions active actual adapter addition age agenda agendas aide alarm album
    albums allergies alter analyse analyses angle angles application applications april archive archives
    area areas arrive art article articles aspire aspires assistant assurance assurances ate attend
    august auto avenue back bad balance bank base bases batteries berlin bin bind bitten bizarre blend
    blog bout branches brief browser budget budgets bulletin bureau bus cable cache caches cafe café
    calories camera cameras canal capital capture car cargo cartel categories cause causes changes
    charge charger charges chat chats chef chefs cheque chose circa circulation citation citations
    classes cliche client clients clique clone clones close closes cluster cobra code codes coincide col
    cola college color combine combines commander commence commences comment comments commit compare
    compares compile compiler complete completes comprise comprises computer concede concurrent
    conference conferences configuration configure conserve consume contact contacts continue continues
    control conversation conversations converter copies cores correct corrects correspond correspondent
    cos coupe courses court courts creation credit credits crisis cuisine curriculum dale data date
    dates debate debut decide decides declare decor define definition definitions definitive deja depart
    departs deploy depot depots detail details determine determines devise die dies difference
    differences different digital dime dimensions diner dir direction disco discussion discussions
    distance distances divide doctor document documentation documents dollar dollars double due dues
    déjà economies election elections element elements emission engagement ensemble entre entree episode
    episodes equation equations error euro euros evaluation evaluations evolution exact examine examiner
    examines execute executes execution expedition expeditions expire expires exporter expose exposes
    extra fall fallen falls familia fast fatigue favor fiance fiancé file film films filter fin final
    finale fitness fixer fixes font foot football format formation formations formula formulas fort
    forts four france fruit fruits full fur furs fusion garage gas gen genera general genes global grand
    graph gras gratis grave grille gross guide guides handy hang hardware hat hell hey hospital host
    hotel hotels idea ideas identifier identifies ignore ignores image images important importer
    impossible impression impressions incident incidents incomplete incorrect index indices information
    ingredient ingredients inscription installation instructions int integral interface interfaces
    international internet introduce invitation invitations invite invites item iteration joins joint
    joints journal kilometre kilometres kind lance land lecture leg legal lie lies linger link links
    listen lister lit liter litre litres local log logo logs long longer lose lost luna machine machines
    mail mails male mama man mane manner manual marches marquee mars match mate matinee max mayor med
    media medical mega meme memes menu menus mere mess message messages met meta meter metre metres
    metro micro million millions min minute minutes miss module modules molecule molecules mover mull
    multiplier naive name national no non norma note notes november null num observe observer observes
    occasion ok okay once online opinion option options orange organise organize pack page pages pain
    pan papa parents parking part participant participants particular parties partner party pass passes
    pasta pate patient patients patron pause permanent permission permissions person persona personal
    personnel pharmacies photo photos phrase phrases pico pie piece pies pile piles place places plan
    plane planes planning plans plant planter plato plaza plus podcast podcasts point points police pool
    pools popular portable pose position possible post pour precedent precedents precise premier
    premiere premieres prepare prepares presentation presentations presenter primer principal print
    private pro problem procure production prof professor profile programme programmer programmes
    propose proposes proposition protein public publication publications pulse push question questions
    quite rad radio rand range ranger ranges rat rate rates ravi recent recharge rectangle red redefine
    reduce reduction reductions ref refuse refuses regal regime regimes region regions registrar regular
    relate relies reparations repertoire replica replicas repo reporter reproduce reservation
    reservations reserve reserves reservoir resolve rest restaurant restaurants resume resumes retire
    retiree retirees retires reunion reunions rev revise revision role roles roll rome rose route routes
    rum résumé résumés s sage saint salaries sale salon scanner scene scenes science score script
    scripts scroll secret secrets sector seize selection sensor september series server service services
    shopping siege signature signatures similar simple simplifies sin site sites six slide slides sms
    sofa software soiree solo solos solution solutions son sons sort source sources spam spare special
    sport sports stand stark start status stock stocks stopper store stores str strand student style
    suggestion suggestions suite supervise supervision suppression sure surface surfaces surveillance
    suspend symptom synonym system table tables tag tales tan taste taxes taxi taxis team technique
    techniques telephone telephones television televisions temp temperature temperatures temporal tens
    terrain test tester tests text theme themes thermostat time timer tire tone tot total touches tour
    trace tracer traces trailer train training trains transformer triangle triangles tries tunnel
    twitter type types uber unique unite unites urgent url usage utilize val validation value variable
    variables vegan vent verse verses version versions video videos village villages violet virtual visa
    visas visualize voila volume voyage voyager voyages wand war ware warm warmer web website wind
    winter zero zone zones
";

/// Words that names bring into every language: `Rio de Janeiro`.
const OF_NAMES: &str = "
    al da das de del dem den der des dos du e el et la las le les los san são van von y
";

/// Common words of languages that are not read: Italian, Dutch, the Nordic ones, Polish and more.
const ELSEWHERE: &str = "
    aggiungi alla amb anche aquest aquesta att bana bij bir bu buat care che dal dalla dari degli dei
    della delle dello dels dengan det deze di dit dla een este fammi finn fra från för geef gli graag
    göster het hitta ik ikke il ile inte için jag jak jeg jest jij kaikki kan kun lag luo maak meg mia
    miei mijn minun mio mitt mostra naar nei nel nella niet nuova nuovi nuovo näytä och og ogni oluştur
    ook opprett pada pentru per perché più pokaż proszę prosím på quello questa questi questo saya się
    skapa som sono sul sulla sunt tampilkan til till tolong toon tutte tutti uit untuk utwórz vis voor
    vytvoř všechny worden wordt yang zijn zobraz zoek är și
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gloss::glossary::Glossary;
    use crate::gloss::latin::LATIN;

    #[test]
    fn lists_are_sorted_and_disjoint() {
        let mut count = 0;
        for (list, bearing) in LISTS {
            let words: Vec<&str> = list.split_ascii_whitespace().collect();
            assert!(words.is_sorted(), "{bearing:?}");
            assert!(
                words.iter().all(|word| Bearing::of(word) == *bearing),
                "{bearing:?}"
            );
            count += words.len();
        }
        assert!(count > 800);
    }

    #[test]
    fn glossaries_lack_the_words_that_only_english_has() {
        for glossary in LATIN.map(Glossary::of) {
            let mut words = ENGLISH.split_ascii_whitespace();
            assert_eq!(
                words.find(|word| glossary.get(word).is_some()),
                None,
                "{:?}",
                glossary.language
            );
        }
    }
}
