//! How is an in-process server offered over streamable HTTP, in both eras, with as little around it as possible?

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use axum::serve::ListenerExt as _;
use bytes::Bytes;
use handpick_protocol::error::{INVALID_REQUEST, PARSE_ERROR};
use handpick_protocol::json::raw;
use handpick_protocol::version::{LEGACY, MODERN, SUPPORTED};
use handpick_protocol::{LocalServer, Message, RpcError, error_response, result_response};
use serde::Deserialize;
use serde_json::value::RawValue;

/// Serves `POST /mcp` on this listener until the task is dropped. Keeps no sessions.
pub async fn serve(listener: tokio::net::TcpListener, server: Arc<dyn LocalServer>) -> std::io::Result<()> {
    let router = Router::new().fallback(answer).with_state(server);
    let listener = listener.tap_io(|stream| {
        stream.set_nodelay(true).ok();
    });
    axum::serve(listener, router).await
}

async fn answer(
    State(server): State<Arc<dyn LocalServer>>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    if method != Method::POST {
        return respond(StatusCode::METHOD_NOT_ALLOWED, String::new());
    }
    let message = std::str::from_utf8(&body)
        .map_err(|error| error.to_string())
        .and_then(|text| Message::parse(text).map_err(|error| error.to_string()));
    let message = match message {
        Ok(message) => message,
        Err(reason) => {
            let error = RpcError::new(PARSE_ERROR, reason);
            return respond(StatusCode::BAD_REQUEST, error_response(None, &error));
        }
    };
    let Some(method) = message.method.as_deref() else {
        let error = RpcError::new(INVALID_REQUEST, "no method");
        return respond(StatusCode::BAD_REQUEST, error_response(None, &error));
    };
    let Some(id) = message.request_id() else {
        return respond(StatusCode::ACCEPTED, String::new());
    };
    let modern = headers
        .get("mcp-protocol-version")
        .is_some_and(|version| version == MODERN);
    let text = match result(&*server, method, message.params, modern).await {
        Ok(result) => result_response(id.get(), &result),
        Err(error) => error_response(Some(id.get()), &error),
    };
    respond(StatusCode::OK, text)
}

async fn result(
    server: &dyn LocalServer,
    method: &str,
    params: Option<&RawValue>,
    modern: bool,
) -> Result<String, RpcError> {
    let answer = match method {
        "initialize" => hello(params),
        "server/discover" => {
            let versions = serde_json::to_string(&SUPPORTED).unwrap_or_default();
            raw(format!(
                r#"{{"supportedVersions":{versions},"capabilities":{{"tools":{{}}}}}}"#
            ))
        }
        "ping" => raw("{}".to_owned()),
        _ => server.handle(method, params).await?,
    };
    if !modern {
        return Ok(answer.get().to_owned());
    }
    // What the stateless era wants on every result is put in front of the members that are there.
    let era = match method {
        "tools/list" | "server/discover" => {
            r#"{"resultType":"complete","ttlMs":60000,"cacheScope":"public","#
        }
        _ => r#"{"resultType":"complete","#,
    };
    let members = answer.get().trim_start().trim_start_matches('{').trim_start();
    let era = if members == "}" {
        era.trim_end_matches(',')
    } else {
        era
    };
    Ok(format!("{era}{members}"))
}

fn hello(params: Option<&RawValue>) -> Box<RawValue> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Hello {
        protocol_version: String,
    }
    let asked = params.and_then(|params| serde_json::from_str::<Hello>(params.get()).ok());
    let version = asked
        .and_then(|hello| {
            LEGACY
                .into_iter()
                .find(|version| *version == hello.protocol_version)
        })
        .unwrap_or(LEGACY[0]);
    raw(format!(
        r#"{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"echo","version":"1.0.0"}}}}"#
    ))
}

fn respond(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
