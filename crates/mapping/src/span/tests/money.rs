//! Are amounts of money and percentages read?

use super::check;

/// P19: amounts of money with sign, code or name, and shares of a hundred.
#[test]
fn p19_money() {
    check(&[
        ("$1.2k", &["money 1200 USD | $1.2k"]),
        ("$3 million", &["money 3000000 USD | $3 million"]),
        ("$20", &["money 20 USD | $20"]),
        ("-$20", &["money -20 USD | -$20"]),
        ("US$ 20", &["money 20 USD | US$ 20"]),
        ("CA$15", &["money 15 CAD | CA$15"]),
        ("€86.50", &["money 86.5 EUR | €86.50"]),
        ("€1.250,50", &["money 1250.5 EUR | €1.250,50"]),
        ("€1.250", &["money 1250 EUR | €1.250", "money 1.25 EUR | €1.250"]),
        ("€1,036", &["money 1036 EUR | €1,036"]),
        ("1.250,50 €", &["money 1250.5 EUR | 1.250,50 €"]),
        ("20€", &["money 20 EUR | 20€"]),
        ("20k€", &["money 20000 EUR | 20k€"]),
        ("€ 12", &["money 12 EUR | € 12"]),
        ("EUR 200", &["money 200 EUR | EUR 200"]),
        ("200 EUR", &["money 200 EUR | 200 EUR"]),
        ("CHF 12.50", &["money 12.5 CHF | CHF 12.50"]),
        ("12 euros", &["money 12 EUR | 12 euros"]),
        ("1,036 euros", &["money 1036 EUR | 1,036 euros"]),
        ("a euro", &["money 1 EUR | a euro"]),
        ("40 bucks", &["money 40 USD | 40 bucks"]),
        ("15 quid", &["money 15 GBP | 15 quid"]),
        ("£3.20", &["money 3.2 GBP | £3.20"]),
        ("¥5000", &["money 5000 JPY | ¥5000"]),
        ("₹500", &["money 500 INR | ₹500"]),
        ("20 US dollars", &["money 20 USD | 20 US dollars"]),
        ("50 Swiss francs", &["money 50 CHF | 50 Swiss francs"]),
        ("50 cents", &["money 0.5 ? | 50 cents"]),
        ("three dollars", &["money 3 USD | three dollars"]),
        ("fifty euros", &["money 50 EUR | fifty euros"]),
        ("3 million euros", &["money 3000000 EUR | 3 million euros"]),
        ("between $5 and $10", &["money 5 USD | $5", "money 10 USD | $10"]),
        ("5 $20 coupons", &["number 5", "money 20 USD | $20"]),
        (
            "zweihundertfünfzig Euro",
            &["money 250 EUR | zweihundertfünfzig Euro"],
        ),
        (
            "drei Millionen Euro",
            &["money 3000000 EUR | drei Millionen Euro"],
        ),
        ("1,5 Mio. Euro", &["money 1500000 EUR | 1,5 Mio. Euro"]),
        (
            "300 Schweizer Franken",
            &["money 300 CHF | 300 Schweizer Franken"],
        ),
        ("1 250,50 €", &["money 1250.5 EUR | 1 250,50 €"]),
        ("vingt euros", &["money 20 EUR | vingt euros"]),
        ("cinco dólares", &["money 5 USD | cinco dólares"]),
        (
            "mil quinientos euros por favor",
            &["money 1500 EUR | mil quinientos euros"],
        ),
        ("20 pesos", &["money 20 ? | 20 pesos"]),
        ("10%", &["percent 10 | 10%"]),
        ("15 %", &["percent 15 | 15 %"]),
        ("12.5%", &["percent 12.5 | 12.5%"]),
        ("ten percent", &["percent 10 | ten percent"]),
        ("75 per cent", &["percent 75 | 75 per cent"]),
        ("50%off", &["percent 50 | 50%"]),
        ("zehn Prozent", &["percent 10 | zehn Prozent"]),
        ("2,5 Prozent", &["percent 2.5 | 2,5 Prozent"]),
        ("dix pour cent des factures", &["percent 10 | dix pour cent"]),
        ("diez por ciento", &["percent 10 | diez por ciento"]),
    ]);
}
