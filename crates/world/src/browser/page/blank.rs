//! [`BlankPage`]: a page in a context of its own, before it has an origin. [`BlankPages`]: those that are made while
//! stories play, each for one later story: the process of a page takes longer to start than most stories to play.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use base::Ctx;
use serde_json::{Value, json};

use super::{BINDING, LISTENER, PATIENCE, Page, Unanswered, WORLD};
use crate::browser::connection::{Connection, Message};
use crate::browser::visits::{PageLog, Source};
use crate::{Story, WorldError};

/// Longest time to make a context and a page.
const OPEN: Duration = Duration::from_secs(20);

/// A page without an origin, that no story has used.
pub(in crate::browser) struct BlankPage(Page);

impl BlankPage {
    /// A new page in a context of its own: no cookie, storage or cache is shared.
    pub(in crate::browser) fn make(
        ctx: &Ctx,
        connection: Arc<Connection>,
        window: (u32, u32),
    ) -> Result<Self, WorldError> {
        let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let made = connection.call(
            "Target.createBrowserContext",
            json!({ "disposeOnDetach": true }),
            OPEN,
        )?;
        let id = text(&made, "browserContextId");
        let context = PageContext { connection: Arc::clone(&connection), id };
        let target = json!({
            "url": "about:blank", "browserContextId": context.id,
            "width": window.0, "height": window.1,
        });
        let target = connection.call("Target.createTarget", target, OPEN)?;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = connection.call("Target.attachToTarget", attach, OPEN)?;
        let session = text(&attached, "sessionId");
        let mut page = Page {
            ctx: ctx.clone(),
            inbox: connection.open(&session),
            connection,
            session,
            context,
            source: Source::Html("".into()),
            dialogs: None,
            log: PageLog::default(),
            patience: OPEN,
            main_frame: text(&target, "targetId"),
            document: String::new(),
            loaded: String::new(),
            is_loading: false,
            status: None,
            addresses: HashMap::new(),
            has_frames: false,
            is_crashed: false,
            worlds: HashMap::new(),
            objects: HashMap::new(),
        };
        page.prepare().map_err(unusable)?;
        Ok(Self(page))
    }

    /// The page of a story.
    ///
    /// # Errors
    /// Where the page ended while it waited for its story.
    pub(in crate::browser) fn of_story(
        self,
        source: Source,
        story: &Story,
    ) -> Result<Page, WorldError> {
        let Self(mut page) = self;
        page.wait(Duration::ZERO).map_err(unusable)?;
        page.source = source;
        page.dialogs = story.allow.dialogs;
        page.patience = story.timeout.max(PATIENCE);
        Ok(page)
    }
}

fn unusable(error: Unanswered) -> WorldError {
    match error {
        Unanswered::Lost(error) => error,
        Unanswered::Refused { method, message } => WorldError::Refused { method, message },
        other => WorldError::Ended { reason: other.to_string() },
    }
}

/// Blank pages of one browser that are being made, or wait for a story.
#[derive(Default)]
pub(in crate::browser) struct BlankPages(Mutex<Vec<PageAhead>>);

struct PageAhead {
    window: (u32, u32),
    page: JoinHandle<Result<BlankPage, WorldError>>,
}

impl BlankPages {
    /// Begins to make a page, unless there are `most` already.
    pub(in crate::browser) fn make(
        &self,
        ctx: &Ctx,
        connection: &Arc<Connection>,
        window: (u32, u32),
        most: usize,
    ) {
        let mut pages = base::lock(&self.0);
        if pages.len() < most {
            let (ctx, connection) = (ctx.clone(), Arc::clone(connection));
            let page = std::thread::spawn(move || BlankPage::make(&ctx, connection, window));
            pages.push(PageAhead { window, page });
        }
    }

    /// A page with this window, as soon as it is made; `None` if none is being made.
    pub(in crate::browser) fn take(
        &self,
        window: (u32, u32),
    ) -> Option<Result<BlankPage, WorldError>> {
        let ahead = {
            let mut pages = base::lock(&self.0);
            let at = pages.iter().position(|it| it.window == window)?;
            pages.remove(at)
        };
        ahead.page.join().ok()
    }

    /// Closes those that no story has taken.
    pub(in crate::browser) fn close(&self) {
        let pages = std::mem::take(&mut *base::lock(&self.0));
        for ahead in pages {
            drop(ahead.page.join());
        }
    }
}

/// A context of the browser; it is closed when this is dropped, with a page that runs on.
pub(super) struct PageContext {
    connection: Arc<Connection>,
    id: String,
}

impl Drop for PageContext {
    fn drop(&mut self) {
        // The browser may have ended.
        let context = json!({ "browserContextId": self.id });
        let _ = self.connection.send(None, "Target.disposeBrowserContext", context);
    }
}

impl Page {
    fn prepare(&mut self) -> Result<(), Unanswered> {
        let deny = json!({
            "behavior": "deny", "browserContextId": self.context.id, "eventsEnabled": true,
        });
        self.connection.call("Browser.setDownloadBehavior", deny, OPEN)?;
        self.call_all(vec![
            ("Page.enable", json!({})),
            ("Page.setLifecycleEventsEnabled", json!({ "enabled": true })),
            ("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] })),
            ("Network.enable", json!({})),
            ("Network.setBypassServiceWorker", json!({ "bypass": true })),
            ("Runtime.enable", json!({})),
            ("Log.enable", json!({})),
            ("DOM.enable", json!({})),
            ("Inspector.enable", json!({})),
            ("Runtime.addBinding", json!({ "name": BINDING, "executionContextName": WORLD })),
            (
                "Page.addScriptToEvaluateOnNewDocument",
                json!({ "source": LISTENER, "worldName": WORLD }),
            ),
            ("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })),
            (
                "Emulation.setEmulatedMedia",
                json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] }),
            ),
        ])
    }

    /// Calls methods at once; all must succeed.
    fn call_all(&mut self, calls: Vec<(&'static str, Value)>) -> Result<(), Unanswered> {
        let mut open: Vec<(u64, &'static str)> = Vec::new();
        for (method, params) in calls {
            open.push((self.connection.send(Some(&self.session), method, params)?, method));
        }
        let until = Instant::now() + self.patience;
        while !open.is_empty() {
            match self.next(until)? {
                Some(Message::Answer { id, result }) => {
                    let Some(at) = open.iter().position(|it| it.0 == id) else { continue };
                    let (_, method) = open.remove(at);
                    result.map_err(|it| it.of(method))?;
                }
                Some(message) => self.take(message)?,
                None => return Err(Unanswered::Silent { limit: self.patience }),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browser::{Browser, BrowserProgram};

    fn browser(ctx: &Ctx) -> Option<Browser> {
        match BrowserProgram::find(&std::env::var_os("PATH").unwrap_or_default()) {
            Ok(program) => {
                let (sandbox, level) = (testkit::inner::sandbox(), testkit::inner::level());
                Some(Browser::start(ctx, &sandbox, level, &program, None).unwrap())
            }
            Err(error) => {
                testkit::skip(testkit::Need::Chromium, &error.to_string());
                None
            }
        }
    }

    /// Number of contexts, once it is the expected one or has had its time.
    fn contexts(browser: &Browser, expected: usize) -> usize {
        let until = Instant::now() + OPEN;
        loop {
            let all = browser.connection.call("Target.getBrowserContexts", json!({}), OPEN);
            let found = all.unwrap()["browserContextIds"].as_array().unwrap().len();
            if found == expected || Instant::now() > until {
                return found;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn each_story_has_a_page_of_its_own_and_none_is_left() {
        let ctx = testkit::ctx();
        let Some(browser) = browser(&ctx) else { return };
        let html = Source::Html("<title>x</title>".into());
        let story = Story::probe();
        let open = || browser.page(&ctx, html.clone(), &story).unwrap();
        for _ in 0..3 {
            browser.make_ahead(&ctx, story.window, 1);
        }
        assert_eq!(contexts(&browser, 1), 1);
        let (mut first, second) = (open(), open());
        first.open_path("/", OPEN).unwrap();
        assert_ne!(first.context.id, second.context.id);
        assert_eq!(contexts(&browser, 2), 2);
        drop((first, second));
        // A window that no story has.
        browser.make_ahead(&ctx, (300, 200), 1);
        drop(open());
        assert_eq!(contexts(&browser, 1), 1);
        browser.close_ahead();
        assert_eq!(contexts(&browser, 0), 0);
    }

    #[test]
    fn a_page_that_ended_while_it_waited_is_replaced() {
        let ctx = testkit::ctx();
        let Some(browser) = browser(&ctx) else { return };
        let story = Story::probe();
        let mut page =
            BlankPage::make(&ctx, Arc::clone(&browser.connection), story.window).unwrap();
        let ended = page.0.context.id.clone();
        page.0.connection.send(Some(&page.0.session), "Page.crash", json!({})).unwrap();
        assert!(matches!(page.0.wait(OPEN), Err(Unanswered::Crashed)));
        let waiting = PageAhead { window: story.window, page: std::thread::spawn(|| Ok(page)) };
        base::lock(&browser.blank_pages.0).push(waiting);
        let html = Source::Html("<title>x</title>".into());
        let mut page = browser.page(&ctx, html, &story).unwrap();
        page.open_path("/", OPEN).unwrap();
        assert_ne!(page.context.id, ended);
        assert_eq!(contexts(&browser, 1), 1);
    }

    #[test]
    fn both_reasons_are_named_where_no_page_can_be_made() {
        let ctx = testkit::ctx();
        let Some(browser) = browser(&ctx) else { return };
        let refused = |message: &str| {
            let message = message.to_owned();
            WorldError::Refused { method: "Target.createTarget", message }
        };
        let story = Story { window: (u32::MAX, u32::MAX), ..Story::probe() };
        let failed = std::thread::spawn(move || Err(refused("too early")));
        let waiting = PageAhead { window: story.window, page: failed };
        base::lock(&browser.blank_pages.0).push(waiting);
        let error = browser.page(&ctx, Source::Html("".into()), &story).err().unwrap();
        let text = error.to_string();
        assert!(matches!(error, WorldError::NoPage { .. }), "{text}");
        assert!(text.contains("made ahead") && text.contains("too early"), "{text}");
        assert_eq!(contexts(&browser, 0), 0);
    }
}
