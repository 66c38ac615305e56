//! What can be done about invoices and payments?

use serde_json::json;

use crate::answer::{Answer, Outcome, listing};
use crate::app::{App, app};
use crate::arguments::Args;
use crate::euros::Euros;
use crate::refusal::{Refusal, ensure, expect_state};
use crate::schema::{choices, record};
use crate::story_time::date_after;
use crate::tool::Effect::{Adds, Removes, Sends, Sets};

record! {
    /// What a customer was asked to pay.
    Invoice = "invoice", "invoices", "INV-" {
        /// Invoice id
        id: String,
        /// Customer in the crm
        customer_id: String,
        /// Order it belongs to
        order_id: Option<String>,
        /// Where it stands
        status: InvoiceStatus,
        /// Amount asked for, in euros
        total: Euros,
        /// Amount received less refunds, in euros
        paid: Euros,
        /// Still to pay, in euros; negative when the customer paid too much
        balance: Euros,
        /// Day it was written
        issued_on: String,
        /// Day by which to pay
        due_on: String,
    }
}

record! {
    /// Money that came in, or went back.
    Payment = "payment", "payments", "PAY-" {
        /// Payment id
        id: String,
        /// Invoice it counts for
        invoice_id: String,
        /// How the money moved; refunds go back to the customer
        method: PaymentMethod,
        /// Amount in euros
        amount: Euros,
        /// Why it went back
        reason: Option<String>,
        /// Day it was booked
        booked_on: String,
    }
}

record! {
    /// A payment and what it left of its invoice.
    Booking {
        /// The payment or refund
        payment: Payment,
        /// The invoice after it
        invoice: Invoice,
    }
}

record! {
    /// What one customer owes.
    Statement {
        /// Customer in the crm
        customer_id: String,
        /// Invoices that are neither draft nor void
        invoices: i64,
        /// Sum of those invoices, in euros
        invoiced: Euros,
        /// Sum paid, in euros
        paid: Euros,
        /// Sum still to pay, in euros; negative when the customer paid too much
        balance: Euros,
    }
}

choices! {
    /// Where an invoice stands.
    InvoiceStatus { Draft = "draft", Open = "open", Paid = "paid", Void = "void" }

    /// How money moved.
    PaymentMethod { Card = "card", Transfer = "transfer", Refund = "refund" }
}

app! {
    /// Invoices and the money that came for them.
    Billing = "billing" of invoices: Invoice, payments: Payment;
    words: InvoiceStatus, PaymentMethod;
    tools: reading, invoicing, money;
}

fn reading(app: App<Billing>) -> App<Billing> {
    app.reads("list_invoices", |billing, args| billing.invoices.list(args))
        .reads("get_invoice", |billing, args| {
            billing.invoices.show(args.get("invoice_id")?, |invoice| {
                format!("{}: {}, still due {}", invoice.id, invoice.total, invoice.balance)
            })
        })
        .reads("list_payments", |billing, args| billing.payments.list(args))
        .reads("list_overdue_invoices", |billing, args| {
            let late = |invoice: &&Invoice| {
                invoice.status == InvoiceStatus::Open && invoice.due_on.as_str() < args.today()
            };
            listing(billing.invoices.matching(args).filter(late), args)
        })
        .reads("get_customer_balance", statement)
}

fn invoicing(app: App<Billing>) -> App<Billing> {
    app.changes(Adds, "create_invoice", create_invoice)
        .changes(Sends, "send_invoice", |billing, args| {
            billing.invoices.update(args.get("invoice_id")?, |invoice| {
                expect_state(&invoice.id, invoice.status, &[InvoiceStatus::Draft])?;
                invoice.status = InvoiceStatus::Open;
                Ok(format!("sent {} to {}", invoice.id, invoice.customer_id))
            })
        })
        .changes(Sets, "change_due_date", |billing, args| {
            billing.invoices.update(args.get("invoice_id")?, |invoice| {
                expect_state(&invoice.id, invoice.status, &[InvoiceStatus::Open])?;
                let due_on: String = args.get("due_on")?;
                ensure!(
                    due_on >= invoice.issued_on,
                    "{} was issued on {}; it cannot be due before",
                    invoice.id,
                    invoice.issued_on
                );
                invoice.due_on = due_on;
                Ok(format!("{} is now due on {}", invoice.id, invoice.due_on))
            })
        })
        .changes(Removes, "void_invoice", |billing, args| {
            billing.invoices.update(args.get("invoice_id")?, |invoice| {
                ensure!(
                    invoice.paid.is_zero(),
                    "{} of {} is paid; refund it first",
                    invoice.paid,
                    invoice.id
                );
                invoice.status = InvoiceStatus::Void;
                invoice.balance = Euros::ZERO;
                Ok(format!("{} is void", invoice.id))
            })
        })
}

fn money(app: App<Billing>) -> App<Billing> {
    app.changes(Adds, "record_payment", |billing, args| {
        let method = args.get("method")?;
        ensure!(
            method != PaymentMethod::Refund,
            "`refund` is not a way to pay; give money back with refund_invoice"
        );
        let invoice = billing.invoices.get(args.get("invoice_id")?)?;
        expect_state(&invoice.id, invoice.status, &[InvoiceStatus::Open])?;
        book(billing, method, args.get("amount")?, args)
    })
    .changes(Adds, "refund_invoice", |billing, args| {
        let invoice = billing.invoices.get(args.get("invoice_id")?)?;
        let amount = args.get::<Option<Euros>>("amount")?.unwrap_or(invoice.paid);
        ensure!(
            !invoice.paid.is_zero() && amount <= invoice.paid,
            "{} has {} paid; {amount} cannot be given back",
            invoice.id,
            invoice.paid
        );
        book(billing, PaymentMethod::Refund, amount, args)
    })
}

fn statement(billing: &Billing, args: &Args) -> Outcome<Statement> {
    let customer_id: String = args.get("customer_id")?;
    let mut known: Vec<&str> = billing
        .invoices
        .iter()
        .map(|invoice| invoice.customer_id.as_str())
        .collect();
    known.sort_unstable();
    known.dedup();
    if !known.contains(&customer_id.as_str()) {
        return Err(Refusal::unknown("customer with invoices", &customer_id, known));
    }
    let counted: Vec<&Invoice> = billing
        .invoices
        .matching(args)
        .filter(|invoice| matches!(invoice.status, InvoiceStatus::Open | InvoiceStatus::Paid))
        .collect();
    let invoiced: Euros = counted.iter().map(|invoice| invoice.total).sum();
    let paid: Euros = counted.iter().map(|invoice| invoice.paid).sum();
    let balance = invoiced - paid;
    let invoices = counted.len() as i64;
    let text = format!("{customer_id} owes {balance} on {invoices} invoices");
    let statement = Statement {
        customer_id,
        invoices,
        invoiced,
        paid,
        balance,
    };
    Ok(Answer::new(text, statement))
}

fn create_invoice(billing: &mut Billing, args: &Args) -> Outcome<Invoice> {
    let mut total = Euros::ZERO;
    for line in args.rows("lines")? {
        total += line.get::<Euros>("unit_price")? * line.get("quantity")?;
    }
    let days = args.get::<Option<i64>>("due_in_days")?.unwrap_or(14);
    let rest = json!({
        "status": InvoiceStatus::Draft, "total": total, "paid": Euros::ZERO, "balance": total,
        "issued_on": args.today(), "due_on": date_after(args.today(), days),
    });
    billing.invoices.create(args, rest, |invoice| {
        format!("drafted {} over {total}", invoice.id)
    })
}

/// Books a payment, or a refund, on the invoice the call names and brings the invoice up to date.
fn book(billing: &mut Billing, method: PaymentMethod, amount: Euros, args: &Args) -> Outcome<Booking> {
    let rest = json!({"method": method, "amount": amount, "booked_on": args.today()});
    let payment = billing.payments.insert(args, rest)?;
    let invoice = billing.invoices.get_mut(&payment.invoice_id)?;
    match method {
        PaymentMethod::Refund => invoice.paid -= amount,
        _ => invoice.paid += amount,
    }
    invoice.balance = invoice.total - invoice.paid;
    let owed = invoice.balance > Euros::ZERO;
    invoice.status = if owed {
        InvoiceStatus::Open
    } else {
        InvoiceStatus::Paid
    };
    let (id, invoice) = (&payment.id, invoice.clone());
    let text = format!(
        "booked {method} of {amount} as {id}; {} has {} due",
        invoice.id, invoice.balance
    );
    Ok(Answer::new(text, Booking { payment, invoice }))
}
