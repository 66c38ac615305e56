//! What is in stock, who ordered it, and where is the parcel?

use serde_json::json;

use crate::answer::{Answer, Outcome, listing};
use crate::app::{App, app};
use crate::arguments::Args;
use crate::euros::Euros;
use crate::refusal::{Refusal, ensure, expect_state};
use crate::schema::{choices, record};
use crate::tool::Effect::{Adds, Removes, Sets};

/// States in which an order has not left yet.
const IN_WAREHOUSE: [OrderStatus; 2] = [OrderStatus::Placed, OrderStatus::Packed];

record! {
    /// Something we sell.
    Product = "product", "products", "" {
        /// Stock keeping unit
        sku: String,
        /// What it is
        name: String,
        /// Price of one, in euros
        price: Euros,
        /// How many are in the warehouse
        stock: i64,
        /// Below this many, more must be made
        reorder_below: i64,
    }
}

record! {
    /// One item of an order.
    Line {
        /// Stock keeping unit
        sku: String,
        /// How many
        quantity: i64,
    }
}

record! {
    /// What a customer ordered.
    Order = "order", "orders", "ORD-" {
        /// Order id, used by billing and tickets
        id: String,
        /// Customer in the crm
        customer_id: String,
        /// Where it stands
        status: OrderStatus,
        /// What was ordered
        lines: Vec<Line>,
        /// What it costs, in euros
        total: Euros,
        /// Day it was placed
        placed_on: String,
    }
}

record! {
    /// A parcel on its way.
    Shipment = "shipment", "shipments", "SHP-" {
        /// Shipment id
        id: String,
        /// Order inside
        order_id: String,
        /// Who carries it
        carrier: Carrier,
        /// Code for asking the carrier
        tracking_code: String,
        /// Where it has been, oldest first
        stops: Vec<String>,
    }
}

choices! {
    /// Where an order stands.
    OrderStatus {
        Placed = "placed", Packed = "packed", Shipped = "shipped", Delivered = "delivered", Cancelled = "cancelled"
    }

    /// Who carries a parcel.
    Carrier { Rail = "greenrail", Bike = "pedalpost", Van = "northvan" }
}

app! {
    /// What is sold, to whom, and on its way.
    Orders = "orders" of products: Product, orders: Order, shipments: Shipment;
    words: OrderStatus, Carrier;
    tools: ordering, delivering, stock;
}

fn ordering(app: App<Orders>) -> App<Orders> {
    app.reads("list_orders", |shop, args| shop.orders.list(args))
        .reads("get_order", |shop, args| {
            shop.orders.show(args.get("order_id")?, |order| {
                format!("{} over {} is {}", order.id, order.total, order.status)
            })
        })
        .changes(Adds, "place_order", place_order)
        .changes(Removes, "cancel_order", |shop, args| {
            shop.orders.update(args.get("order_id")?, |order| {
                expect_state(&order.id, order.status, &IN_WAREHOUSE)?;
                order.status = OrderStatus::Cancelled;
                for line in &order.lines {
                    shop.products.get_mut(&line.sku)?.stock += line.quantity;
                }
                Ok(format!("cancelled {}", order.id))
            })
        })
}

fn delivering(app: App<Orders>) -> App<Orders> {
    app.changes(Sets, "mark_order_packed", |shop, args| {
        shop.orders.update(args.get("order_id")?, |order| {
            expect_state(&order.id, order.status, &IN_WAREHOUSE)?;
            order.status = OrderStatus::Packed;
            Ok(format!("{} is packed", order.id))
        })
    })
    .changes(Adds, "ship_order", ship_order)
    .reads("track_shipment", |shop, args| {
        let order = shop.orders.get(args.get("order_id")?)?;
        let Some(shipment) = shop.shipments.matching(args).next() else {
            let Order { id, status, .. } = order;
            return Err(Refusal::new(format!("{id} is {status}; nothing was shipped yet")));
        };
        let last = shipment.stops.last().map_or("nowhere", String::as_str);
        let answer = Answer::new(format!("{} was last at {last}", shipment.id), shipment.clone());
        let feed = json!({"code": shipment.tracking_code, "age_s": 1.5});
        Ok(answer.with_meta(json!({"bramble.example/carrier-feed": feed})))
    })
}

fn stock(app: App<Orders>) -> App<Orders> {
    app.reads("list_products", |shop, args| shop.products.list(args))
        .reads("check_stock", |shop, args| {
            shop.products.show(args.get("sku")?, |product| {
                format!("{} of {} in stock", product.stock, product.name)
            })
        })
        .reads("list_low_stock", |shop, args| {
            let low = |product: &&Product| product.stock < product.reorder_below;
            listing(shop.products.matching(args).filter(low), args)
        })
        .changes(Adds, "adjust_stock", |shop, args| {
            shop.products.update(args.get("sku")?, |product| {
                let stock = product.stock + args.get::<i64>("change")?;
                ensure!(
                    (0..=100_000).contains(&stock),
                    "{} has {} in stock; it cannot become {stock}",
                    product.sku,
                    product.stock
                );
                product.stock = stock;
                Ok(format!("{stock} of {} in stock", product.name))
            })
        })
        .changes(Sets, "set_price", |shop, args| {
            shop.products.update(args.get("sku")?, |product| {
                product.price = args.get("price")?;
                Ok(format!("{} costs {}", product.name, product.price))
            })
        })
}

fn place_order(shop: &mut Orders, args: &Args) -> Outcome<Order> {
    let (mut lines, mut total) = (Vec::new(), Euros::ZERO);
    for line in args.rows("lines")? {
        let product = shop.products.get_mut(line.get("sku")?)?;
        let quantity: i64 = line.get("quantity")?;
        ensure!(
            quantity <= product.stock,
            "only {} of {} in stock, not {quantity}",
            product.stock,
            product.sku
        );
        product.stock -= quantity;
        total += product.price * quantity;
        lines.push(Line {
            sku: product.sku.clone(),
            quantity,
        });
    }
    let rest = json!({
        "status": OrderStatus::Placed, "lines": lines, "total": total, "placed_on": args.today(),
    });
    shop.orders
        .create(args, rest, |order| format!("placed {} over {total}", order.id))
}

fn ship_order(shop: &mut Orders, args: &Args) -> Outcome<Shipment> {
    let order = shop.orders.get_mut(args.get("order_id")?)?;
    expect_state(&order.id, order.status, &[OrderStatus::Packed])?;
    order.status = OrderStatus::Shipped;
    let carrier: Carrier = args.get("carrier")?;
    let parcel = shop.shipments.next_key().replace('-', "").to_lowercase();
    let stops = [format!("{} warehouse, Delft", args.now())];
    let rest = json!({"tracking_code": format!("{carrier}/{parcel}"), "stops": stops});
    shop.shipments.create(args, rest, |shipment| {
        format!("{} left as {}", shipment.order_id, shipment.tracking_code)
    })
}
