//! The actions of steps, as a person would do them: an element that is hidden, disabled or covered is not used.

use serde_json::{Value, json};

use super::keys::{KeyPress, key_press, typed};
use super::locate::{self, Element, NotOne};
use crate::browser::{Page, Unanswered};
use crate::story::Locator;

/// Facts about an element.
#[derive(Debug, Default)]
pub(super) struct ElementState {
    pub(super) is_visible: bool,
    pub(super) is_enabled: bool,
    pub(super) is_editable: bool,
    pub(super) is_focused: bool,
    pub(super) checked: Option<bool>,
    pub(super) value: Option<String>,
    pub(super) text: String,
}

/// The focus of an element that was disabled or hidden stays until the next frame: it counts as gone.
const STATE: &str = "function () { \
    const rect = this.getBoundingClientRect(); \
    const visible = this.isConnected && rect.width > 0 && rect.height > 0 && \
        this.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }); \
    const disabled = this.matches(':disabled') || !!this.closest('[aria-disabled=\"true\"], [inert]'); \
    const native = 'checked' in this && /^(checkbox|radio)$/.test(this.type); \
    const aria = this.getAttribute('aria-checked'); \
    return { visible, enabled: !disabled, \
        editable: !disabled && !this.readOnly && (this.isContentEditable || 'value' in this), \
        focused: this.getRootNode().activeElement === this && this.checkVisibility() && \
            !this.matches(':disabled') && !this.closest('[inert]'), \
        checked: native ? this.checked : aria === null ? null : aria === 'true', \
        value: 'value' in this ? String(this.value) : null, \
        text: 'innerText' in this ? this.innerText : this.textContent } }";

/// The place of a click: the middle of the element, once nothing else is there.
const POINT: &str = "function () { \
    this.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }); \
    const rects = [...this.getClientRects()].filter(r => r.width > 0 && r.height > 0); \
    if (!rects.length) return { cover: 'nothing: it has no size' }; \
    const rect = rects[0]; \
    let x = rect.left + rect.width / 2, y = rect.top + rect.height / 2; \
    const name = e => !e ? 'the border of the window' : \
        e.localName + (e.id ? '#' + e.id : '') + (e.classList.length ? '.' + [...e.classList].join('.') : ''); \
    const hit = this.getRootNode().elementFromPoint(x, y); \
    let own = false; \
    for (let e = hit; e; e = e.parentNode || e.host) own ||= e === this; \
    const label = hit && hit.closest('label'); \
    if (!own && !(label && label.control === this)) return { cover: name(hit) }; \
    for (let w = this.ownerDocument.defaultView; w.frameElement; w = w.parent) { \
        const f = w.frameElement, r = f.getBoundingClientRect(); \
        x += r.left + f.clientLeft; y += r.top + f.clientTop; \
        const above = f.getRootNode().elementFromPoint(x, y); \
        if (above !== f) return { cover: name(above) }; } \
    return { x, y } }";

/// Watches the next click: one that begins at another element, since something moved meanwhile, is kept from the
/// page. What follows a right beginning is the page's own.
const GUARD: &str = "function () { \
    const own = [this]; \
    for (let r = this.getRootNode(); r.host; r = r.host.getRootNode()) own.push(r.host); \
    const state = { begins: null }; \
    const take = e => { \
        if (!e.isTrusted) return; \
        if (state.begins === null) { \
            const path = e.composedPath(), label = path.find(n => n.localName === 'label'); \
            state.begins = own.some(n => path.includes(n)) || !!label && label.control === this; } \
        if (!state.begins) { e.preventDefault(); e.stopImmediatePropagation(); } }; \
    const names = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick']; \
    for (const n of names) addEventListener(n, take, true); \
    globalThis.graftageGuard = { state, stop() { for (const n of names) removeEventListener(n, take, true) } } }";

const GUARDED: &str = "(() => { const guard = globalThis.graftageGuard; if (!guard) return null; \
    guard.stop(); delete globalThis.graftageGuard; return guard.state })()";

const FOCUS: &str = "function (clear) { \
    this.focus(); \
    if (this.getRootNode().activeElement !== this) return false; \
    if (clear && 'select' in this) this.select(); \
    else if (clear) this.ownerDocument.getSelection().selectAllChildren(this); \
    return true }";

const SELECT: &str = "function (label) { \
    if (!(this instanceof HTMLSelectElement)) return ['is not a list']; \
    const text = o => o.label.replace(/\\s+/g, ' ').trim(); \
    const found = [...this.options].filter(o => text(o) === label); \
    if (found.length !== 1) return [found.length + ' options are ' + JSON.stringify(label), \
        ...[...this.options].slice(0, 20).map(text)]; \
    if (found[0].disabled) return ['the option is disabled']; \
    this.focus(); \
    if (this.multiple) found[0].selected = true; else this.value = found[0].value, found[0].selected = true; \
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true })); \
    this.dispatchEvent(new Event('change', { bubbles: true })); \
    return [] }";

/// The facts about an element.
pub(super) fn state(page: &mut Page, element: Element) -> Result<ElementState, Unanswered> {
    Ok(state_of(&locate::on(page, element, STATE, json!([]))?))
}

fn state_of(value: &Value) -> ElementState {
    let flag = |key: &str| value[key] == true;
    ElementState {
        is_visible: flag("visible"),
        is_enabled: flag("enabled"),
        is_editable: flag("editable"),
        is_focused: flag("focused"),
        checked: value["checked"].as_bool(),
        value: value["value"].as_str().map(str::to_owned),
        text: crate::story::normal(value["text"].as_str().unwrap_or_default()),
    }
}

/// An element that can be used now, and its point.
fn usable(page: &mut Page, at: &Locator) -> Result<(Element, f64, f64), NotOne> {
    let element = locate::one(page, at)?;
    let function = format!(
        "function () {{ const state = ({STATE}).call(this); \
         return {{ state, point: state.visible && state.enabled ? ({POINT}).call(this) : null }} }}"
    );
    let value = locate::on(page, element, &function, json!([]))?;
    is_usable(at, &state_of(&value["state"]))?;
    let (x, y) = point_of(at, &value["point"])?;
    Ok((element, x, y))
}

/// The point of an element at which nothing else is.
fn point_of(at: &Locator, point: &Value) -> Result<(f64, f64), NotOne> {
    match (point["x"].as_f64(), point["y"].as_f64()) {
        (Some(x), Some(y)) => Ok((x, y)),
        _ => {
            let cover = crate::browser::shortened(point["cover"].as_str().unwrap_or("nothing"));
            Err(unusable(at, &format!("is covered by {cover}")))
        }
    }
}

fn enabled(page: &mut Page, at: &Locator) -> Result<(Element, ElementState), NotOne> {
    let element = locate::one(page, at)?;
    let state = state(page, element)?;
    is_usable(at, &state)?;
    Ok((element, state))
}

fn is_usable(at: &Locator, state: &ElementState) -> Result<(), NotOne> {
    match (state.is_visible, state.is_enabled) {
        (false, _) => Err(unusable(at, "is not visible")),
        (true, false) => Err(unusable(at, "is disabled")),
        (true, true) => Ok(()),
    }
}

fn unusable(at: &Locator, reason: &str) -> NotOne {
    NotOne::Elements { reason: format!("{at} {reason}"), there: Vec::new() }
}

pub(super) fn click(page: &mut Page, at: &Locator, is_double: bool) -> Result<(), NotOne> {
    let (element, x, y) = usable(page, at)?;
    mouse(page, "mouseMoved", x, y, 0)?;
    // The pointer itself may change what is there, and an animation may move it.
    let function = format!(
        "function (x, y) {{ const point = ({POINT}).call(this); \
         const still = Math.abs(point.x - x) + Math.abs(point.y - y) <= 1; \
         if (still) ({GUARD}).call(this); \
         return {{ point, still }} }}"
    );
    let value = locate::on(page, element, &function, json!([{ "value": x }, { "value": y }]))?;
    point_of(at, &value["point"])?;
    if value["still"] != true {
        return Err(unusable(at, "moves"));
    }
    for count in 1..=if is_double { 2 } else { 1 } {
        mouse(page, "mousePressed", x, y, count)?;
        mouse(page, "mouseReleased", x, y, count)?;
    }
    guarded(page, at, element)
}

/// Whether the click began at its element.
fn guarded(page: &mut Page, at: &Locator, element: Element) -> Result<(), NotOne> {
    let frames = page.frames()?;
    // A frame that is gone has taken the click.
    let Some(frame) = frames.get(element.frame) else { return Ok(()) };
    let state = page.world(frame).and_then(|world| {
        let read = json!({ "expression": GUARDED, "contextId": world, "returnByValue": true });
        page.call("Runtime.evaluate", read)
    });
    match state {
        // The page moved on, with the guard.
        Err(Unanswered::Refused { .. }) => Ok(()),
        Err(error) => Err(error.into()),
        Ok(state) => match &state["result"]["value"] {
            Value::Null => Ok(()),
            state if state["begins"] == true => Ok(()),
            state if state["begins"] == false => Err(unusable(at, "moves")),
            _ => Err(Unanswered::Interrupted {
                method: "Input.dispatchMouseEvent",
                message: "another frame took the click".to_owned(),
            }
            .into()),
        },
    }
}

pub(super) fn hover(page: &mut Page, at: &Locator) -> Result<(), NotOne> {
    let element = locate::one(page, at)?;
    if !state(page, element)?.is_visible {
        return Err(unusable(at, "is not visible"));
    }
    let (x, y) = point_of(at, &locate::on(page, element, POINT, json!([]))?)?;
    Ok(mouse(page, "mouseMoved", x, y, 0)?)
}

pub(super) fn scroll(page: &mut Page, at: &Locator) -> Result<(), NotOne> {
    const SCROLL: &str =
        "function () { this.scrollIntoView({ block: 'center', behavior: 'instant' }) }";
    let element = locate::one(page, at)?;
    locate::on(page, element, SCROLL, json!([]))?;
    Ok(())
}

pub(super) fn focus(page: &mut Page, at: &Locator) -> Result<(), NotOne> {
    let (element, _) = enabled(page, at)?;
    focus_on(page, at, element, false)
}

fn focus_on(page: &mut Page, at: &Locator, element: Element, clear: bool) -> Result<(), NotOne> {
    let is_focused = locate::on(page, element, FOCUS, json!([{ "value": clear }]))?;
    if is_focused == true { Ok(()) } else { Err(unusable(at, "does not take the focus")) }
}

pub(super) fn type_text(
    page: &mut Page,
    at: &Locator,
    text: &str,
    clear: bool,
) -> Result<(), NotOne> {
    let (element, state) = enabled(page, at)?;
    if !state.is_editable {
        return Err(unusable(at, "cannot be typed into"));
    }
    focus_on(page, at, element, clear)?;
    if let Some(backspace) = key_press("Backspace").filter(|_| clear) {
        key(page, &backspace)?;
    }
    for press in typed(text) {
        key(page, &press)?;
    }
    Ok(())
}

pub(super) fn press(page: &mut Page, name: &str, at: Option<&Locator>) -> Result<(), NotOne> {
    if let Some(at) = at {
        focus(page, at)?;
    }
    // The parser has accepted its name.
    if let Some(press) = key_press(name) {
        key(page, &press)?;
    }
    Ok(())
}

pub(super) fn select(page: &mut Page, at: &Locator, option: &str) -> Result<(), NotOne> {
    let (element, _) = enabled(page, at)?;
    let answer = locate::on(page, element, SELECT, json!([{ "value": option }]))?;
    let mut lines = answer.as_array().into_iter().flatten().filter_map(Value::as_str);
    match lines.next() {
        None if answer.is_array() => Ok(()),
        None => Err(unusable(at, "has no options")),
        Some(reason) => Err(NotOne::Elements {
            reason: format!("{at}: {reason}"),
            there: lines.map(crate::browser::shortened).collect(),
        }),
    }
}

fn mouse(page: &mut Page, kind: &str, x: f64, y: f64, count: u32) -> Result<(), Unanswered> {
    let button = if count == 0 { "none" } else { "left" };
    let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": count });
    input(page, "Input.dispatchMouseEvent", event)
}

fn key(page: &mut Page, press: &KeyPress) -> Result<(), Unanswered> {
    let mut event = json!({
        "type": if press.text.is_some() { "keyDown" } else { "rawKeyDown" },
        "key": press.key, "code": press.code, "windowsVirtualKeyCode": press.number,
        "modifiers": press.modifiers,
    });
    if let Some(text) = &press.text {
        event["text"] = text.as_str().into();
    }
    input(page, "Input.dispatchKeyEvent", event.clone())?;
    event["type"] = "keyUp".into();
    if let Some(event) = event.as_object_mut() {
        event.remove("text");
    }
    input(page, "Input.dispatchKeyEvent", event)
}

/// One event of mouse or keyboard. It is never sent twice.
fn input(page: &mut Page, method: &'static str, event: Value) -> Result<(), Unanswered> {
    match page.call(method, event) {
        Err(Unanswered::Refused { method, message }) => {
            Err(Unanswered::Interrupted { method, message })
        }
        answer => answer.map(|_| ()),
    }
}
