use std::sync::{Arc, Mutex};

use http::{Extensions, HeaderMap};
use reqwest_middleware::{ClientBuilder, Middleware, Next};
use space_files::apis::configuration::{ApiKey, Configuration};
use space_files::apis::{files_api::update_file, Error};
use space_files::models::FilePatch;

/// The generated functions return no headers, so this keeps those of the last response.
#[derive(Clone, Default)]
struct LastHeaders(Arc<Mutex<HeaderMap>>);

#[async_trait::async_trait]
impl Middleware for LastHeaders {
    async fn handle(
        &self,
        request: reqwest::Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<reqwest::Response> {
        let response = next.run(request, extensions).await?;
        *self.0.lock().unwrap() = response.headers().clone();
        Ok(response)
    }
}

async fn update(step: &str, patch: FilePatch, if_match: Option<&str>) -> String {
    let headers = LastHeaders::default();
    let configuration = Configuration {
        base_path: std::env::var("URL").unwrap(),
        client: ClientBuilder::new(reqwest::Client::new()).with(headers.clone()).build(),
        api_key: Some(ApiKey { prefix: None, key: "demo-editor-key".into() }),
        ..Configuration::default()
    };
    let id = "3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80";
    let response = update_file(&configuration, "handbook", id, "acme", "grace", patch, if_match, None).await;
    let header = |name| headers.0.lock().unwrap()[name].to_str().unwrap().to_owned();
    match response {
        Ok(file) => println!(
            "{step} 200 {} {}",
            file.summary.unwrap(),
            file.document_kind.unwrap_or("null".into())
        ),
        Err(Error::ResponseError(error)) => println!("{step} {} {}", error.status.as_u16(), header("x-error-code")),
        Err(error) => panic!("{error}"),
    }
    header("etag")
}

fn text(value: &str) -> Option<Option<String>> {
    Some(Some(value.into()))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let first = update("set", FilePatch { summary: text("one"), document_kind: text("guide") }, None).await;
    let second = update("keep", FilePatch { summary: text("two"), ..FilePatch::new() }, Some(&first)).await;
    update("clear", FilePatch { document_kind: Some(None), ..FilePatch::new() }, Some(&second)).await;
    let current = update("stale", FilePatch { summary: text("three"), ..FilePatch::new() }, Some(&first)).await;
    update("retry", FilePatch { summary: text("four"), ..FilePatch::new() }, Some(&current)).await;
}
