//! Pages with what pages have: forms, dialogs, tables, frames, shadow trees, slow answers.

use expect_test::expect;

use crate::check;

#[test]
fn a_counter_is_clicked_and_read() {
    check(
        r##"
[page]
html = '''
<html lang=en><title>t</title><main><h1>Counter</h1>
<button onclick="n.textContent=Math.min(3,+n.textContent+1)">Increment</button>
<button disabled>Reset</button>
<output id=n role=status>0</output></main></html>
'''

[[story]]
name = "stops at three"
play = [
  { click = { role = "button", name = "Increment" }, times = 5 },
  { expect = { role = "status" }, text = "3" },
]

[[story]]
name = "wrong text"
timeout_ms = 300
play = [
  { click = { role = "button", name = "Increment" } },
  { expect = { role = "status" }, text = "2" },
]

[[story]]
name = "near name"
timeout_ms = 300
play = [
  { click = { role = "button", name = "Incremnt" } },
  { expect = { role = "status" }, text = "2" },
]

[[story]]
name = "disabled"
timeout_ms = 300
play = [
  { click = { role = "button", name = "Reset" } },
  { expect = { role = "status" }, text = "2" },
]

[[story]]
name = "several"
timeout_ms = 300
play = [
  { click = { role = "button" } },
  { expect = { role = "status" }, text = "2" },
]
"##,
        &expect![[r#"
            ok stops at three
            no wrong text: 22: expect status: the text of status is "1", not "2" []
            no near name: 29: click button "Incremnt": no button "Incremnt" [button "Increment" | button "Reset" | StaticText "Increment"]
            no disabled: 37: click button "Reset": button "Reset" is disabled []
            no several: 45: click button: 2 elements are button; add `nth` or `within` [button "Increment" | button "Reset"]
        "#]],
    );
}

#[test]
fn a_form_is_filled_in_by_its_labels() {
    check(
        r##"
[page]
html = '''
<html lang=en><title>Order</title><body><form onsubmit="event.preventDefault(); out.textContent =
  [who.value, size.value, gift.checked, new FormData(this).get('pay')].join(' ')">
<label>Name <input id=who required></label>
<label>Size <select id=size><option value=s>Small<option value=l>Large<option disabled>Huge</select></label>
<label><input type=checkbox id=gift> Gift</label>
<fieldset><legend>Payment</legend>
<label><input type=radio name=pay value=card> Card</label>
<label><input type=radio name=pay value=cash> Cash</label></fieldset>
<input aria-label=Code value=abc readonly>
<button>Send</button></form><p id=out role=status></p></body></html>
'''

[[story]]
name = "typed, chosen, checked and sent"
play = [
  { type = { label = "Name" }, text = "Ada L. é" },
  { select = { label = "Size" }, option = "Large" },
  { click = { label = "Gift" } },
  { click = { role = "radio", name = "Cash", within = { role = "group", name = "Payment" } } },
  { expect = { label = "Gift" }, checked = true },
  { expect = { label = "Name" }, value = "Ada L. é", focused = false },
  { press = "Enter", at = { label = "Name" } },
  { expect = { role = "status" }, text = "Ada L. é l true cash" },
]

[[story]]
name = "a value is replaced"
play = [
  { type = { label = "Name" }, text = "first" },
  { type = { label = "Name" }, text = "Z", clear = true },
  { expect = { label = "Name" }, value = "Z", attribute = { required = true, id = "who", pattern = false } },
]

[[story]]
name = "a field that is read only is not typed into"
timeout_ms = 300
play = [
  { type = { label = "Code" }, text = "x" },
  { expect = { label = "Code" }, value = "abc" },
]

[[story]]
name = "an option that is not there"
timeout_ms = 300
play = [
  { select = { label = "Size" }, option = "Medium" },
  { expect = { label = "Size" }, value = "m" },
]

[[story]]
name = "an option that is disabled"
timeout_ms = 300
play = [
  { select = { label = "Size" }, option = "Huge" },
  { expect = { label = "Size" }, value = "Huge" },
]

[[story]]
name = "wrong value"
timeout_ms = 300
play = [ { expect = { label = "Size" }, value = "l" } ]

[[story]]
name = "wrong attribute"
timeout_ms = 300
play = [ { expect = { label = "Name" }, attribute = { id = "name" } } ]

[[story]]
name = "not checked"
timeout_ms = 300
play = [ { expect = { label = "Gift" }, checked = true } ]
"##,
        &expect![[r#"
            ok typed, chosen, checked and sent
            ok a value is replaced
            no a field that is read only is not typed into: 41: type "x" into field labelled "Code": field labelled "Code" cannot be typed into []
            no an option that is not there: 49: select "Medium" of field labelled "Size": field labelled "Size": 0 options are "Medium" [Small | Large | Huge]
            no an option that is disabled: 57: select "Huge" of field labelled "Size": field labelled "Size": the option is disabled []
            no wrong value: 64: expect field labelled "Size": the value of field labelled "Size" is "s", not "l" []
            no wrong attribute: 69: expect field labelled "Name": the attribute `id` of field labelled "Name" is "who" []
            no not checked: 74: expect field labelled "Gift": field labelled "Gift" is not checked []
        "#]],
    );
}

#[test]
fn dialogs_keep_the_focus_and_answers_are_given() {
    check(
        r##"
[page]
html = '''
<html lang=en><title>Dialogs</title><body>
<button onclick="d.showModal()">Open</button>
<dialog id=d aria-label=Settings><button>First</button><button onclick="d.close()">Close</button></dialog>
<button onclick="out.textContent = confirm('Sure?')">Ask</button>
<output id=out></output></body></html>
'''

[[story]]
name = "the focus stays in a modal dialog"
play = [
  { click = { role = "button", name = "Open" } },
  { expect = { role = "dialog", name = "Settings" }, visible = true },
  { expect = { role = "button", name = "First" }, focused = true },
  { press = "Tab" },
  { expect = { role = "button", name = "Close" }, focused = true },
  { press = "Escape" },
  { wait_for = { role = "dialog", name = "Settings" }, absent = true },
  { expect = { role = "button", name = "Open" }, focused = true },
]

[[story]]
name = "what is behind a modal dialog is not used"
timeout_ms = 300
play = [
  { click = { role = "button", name = "Open" } },
  { click = { css = "body > button:nth-of-type(2)" } },
  { expect = { css = "output" }, text = "true" },
]

[[story]]
name = "a dialog of the browser is accepted"
allow = { dialogs = "accept" }
play = [
  { click = { role = "button", name = "Ask" } },
  { expect = { css = "output" }, text = "true" },
]

[[story]]
name = "a dialog of the browser is dismissed"
allow = { dialogs = "dismiss" }
play = [
  { click = { role = "button", name = "Ask" } },
  { expect = { css = "output" }, text = "false" },
]

[[story]]
name = "a dialog that no one expects fails the story"
play = [
  { click = { role = "button", name = "Ask" } },
  { expect = { css = "output" }, text = "false" },
]
"##,
        &expect![[r#"
            ok the focus stays in a modal dialog
            no what is behind a modal dialog is not used: 29: click css "body > button:nth-of-type(2)": css "body > button:nth-of-type(2)" is covered by dialog#d []
            ok a dialog of the browser is accepted
            ok a dialog of the browser is dismissed
            no a dialog that no one expects fails the story: 49: the whole story: dialog: confirm: Sure? []
        "#]],
    );
}

#[test]
fn frames_and_shadow_trees_are_part_of_the_page() {
    check(
        r##"
[page]
html = '''
<html lang=en><title>Frames</title><body><div style="height: 1500px"></div>
<iframe title=Inner style="margin: 30px" srcdoc="<p style='height:300px'></p><button onclick=this.textContent='Pressed'>Press</button>"></iframe>
<open-box></open-box><closed-box></closed-box>
<script>
customElements.define('open-box', class extends HTMLElement { constructor() { super();
  this.attachShadow({mode:'open'}).innerHTML = '<button data-testid=o onclick="this.textContent=\'Opened\'">Open</button>' } });
customElements.define('closed-box', class extends HTMLElement { constructor() { super();
  this.attachShadow({mode:'closed'}).innerHTML = '<button onclick="this.textContent=\'Closed\'">Close</button>' } });
</script></body></html>
'''

[[story]]
name = "a button in a frame"
play = [
  { click = { role = "button", name = "Press" } },
  { expect = { role = "button", name = "Pressed" }, visible = true },
]

[[story]]
name = "a button in an open shadow tree"
play = [
  { click = { test_id = "o" } },
  { expect = { test_id = "o" }, text = "Opened" },
  { expect = { css = "button" }, count = 2 },
]

[[story]]
name = "a button in a closed shadow tree"
play = [
  { click = { role = "button", name = "Close" } },
  { wait_for = { role = "button", name = "Closed" } },
]
"##,
        &expect![[r#"
            ok a button in a frame
            ok a button in an open shadow tree
            ok a button in a closed shadow tree
        "#]],
    );
}

#[test]
fn slow_pages_are_waited_for() {
    check(
        r##"
[page]
html = '''
<html lang=en><title>Slow</title><body><p id=p role=status>Loading</p><ul aria-label=Things></ul>
<button onclick="this.remove()">Remove</button>
<script>
setTimeout(() => { p.textContent = 'Ready' }, 300);
let n = 0;
const timer = setInterval(() => { if (n++ === 3) return clearInterval(timer);
  document.querySelector('ul').insertAdjacentHTML('beforeend', `<li>Thing ${n}</li>`) }, 100);
</script></body></html>
'''

[[story]]
name = "late text"
play = [ { expect = { role = "status" }, text = "Ready" } ]

[[story]]
name = "late list"
play = [
  { expect = { role = "listitem", within = { role = "list", name = "Things" } }, count = 3 },
  { expect = { role = "listitem", nth = 2 }, text = "Thing 2" },
  { expect = { text = "Thing 3" }, visible = true },
  { expect_page = { role_tree = "- list \"Things\":\n  - listitem: Thing 1\n  - listitem: Thing 3" } },
]

[[story]]
name = "too late"
timeout_ms = 100
html = "<title>x</title><p role=status>Loading</p><script>setTimeout(() => { document.querySelector('p').textContent = 'Ready' }, 60000)</script>"
play = [ { expect = { role = "status" }, text = "Ready" } ]

[[story]]
name = "gone"
play = [
  { click = { role = "button", name = "Remove" } },
  { wait_for = { role = "button" }, absent = true },
  { expect = { role = "button" }, count = 0 },
]

[[story]]
name = "not gone"
timeout_ms = 200
html = "<html lang=en><title>x</title><button>Remove</button>"
play = [ { wait_for = { role = "button", name = "Remove" }, absent = true } ]
"##,
        &expect![[r#"
            ok late text
            ok late list
            no too late: 31: expect status: the text of status is "Loading", not "Ready" []
            ok gone
            no not gone: 45: wait until there is no button "Remove": button "Remove" is visible []
        "#]],
    );
}

#[test]
fn errors_of_a_page_fail_its_story_unless_they_are_allowed() {
    check(
        r##"
[page]
html = '''
<html lang=en><title>Errors</title><body><h1>Fine</h1>
<button onclick="console.error('too', 'many')">Log</button>
<button onclick="throw new Error('boom')">Throw</button>
<button onclick="Promise.reject(new Error('late'))">Reject</button>
<button onclick="fetch('/missing')">Fetch</button>
<button onclick="console.log('saved', 3)">Save</button></body></html>
'''

[[story]]
name = "an error on the console"
play = [ { click = { role = "button", name = "Log" } }, { wait_for = { text = "Fine" } } ]

[[story]]
name = "an exception"
play = [ { click = { role = "button", name = "Throw" } }, { wait_for = { text = "Fine" } } ]

[[story]]
name = "a promise that is rejected"
play = [ { click = { role = "button", name = "Reject" } }, { wait_for = { text = "Fine" } } ]

[[story]]
name = "a request that fails"
play = [ { click = { role = "button", name = "Fetch" } }, { wait_for = { text = "Fine" } } ]

[[story]]
name = "all of it allowed"
allow = { console = ["too many", "boom"], requests = ["/missing"] }
play = [
  { click = { role = "button", name = "Log" } },
  { click = { role = "button", name = "Throw" } },
  { click = { role = "button", name = "Fetch" } },
  { click = { role = "button", name = "Save" } },
  { expect_page = { console = ["too many", "saved 3"] } },
]

[[story]]
name = "a message that is not there"
timeout_ms = 200
play = [
  { click = { role = "button", name = "Save" } },
  { expect_page = { console = ["saved 4"] } },
]
"##,
        &expect![[r#"
            no an error on the console: 12: the whole story: console: too many []
            no an exception: 16: the whole story: exception: Error: boom []
            no a promise that is rejected: 20: the whole story: exception: Error: late []
            no a request that fails: 24: the whole story: request: http://story.localhost/missing (status 404) []
            ok all of it allowed
            no a message that is not there: 44: expect the page: the console does not have "saved 4" [saved 3]
        "#]],
    );
}

#[test]
fn events_follow_a_behavioural_program() {
    check(
        r##"
[page]
html = '''
<html lang=en><title>Events</title><body><script>
const tell = (name, fields) => dispatchEvent(new CustomEvent('story', { detail: { name, fields } }));
</script>
<button onclick="tell('save', { count: 3 }); setTimeout(() => tell('saved'), 100)">Save</button>
<button onclick="tell('save', { count: 4 })">Save without an answer</button>
<button onclick="tell('overflow')">Overflow</button>
<button onclick="setTimeout(() => tell('overflow'), 0)">Overflow late</button></body></html>
'''

[[story]]
name = "in order"
play = [
  { click = { role = "button", name = "Save" } },
  { expect_page = { events = ["save count = 3", "saved"], never = ["overflow"], leads_to = { save = "saved" } } },
]

[[story]]
name = "another field"
timeout_ms = 300
play = [
  { click = { role = "button", name = "Save" } },
  { expect_page = { events = ["save count = 4"] } },
]

[[story]]
name = "no answer"
timeout_ms = 300
play = [
  { click = { role = "button", name = "Save without an answer" } },
  { expect_page = { leads_to = { save = "saved" } } },
]

[[story]]
name = "no answer to what follows the step that expects it"
play = [
  { click = { role = "button", name = "Save" } },
  { expect_page = { leads_to = { save = "saved" } } },
  { click = { role = "button", name = "Save without an answer" } },
]

[[story]]
name = "what must never happen"
timeout_ms = 300
play = [
  { click = { role = "button", name = "Overflow" } },
  { expect_page = { never = ["overflow"] } },
]

[[story]]
name = "what must never happen, after the step that expects it"
play = [
  { expect_page = { never = ["overflow"] } },
  { click = { role = "button", name = "Overflow late" } },
]
"##,
        &expect![[r#"
            ok in order
            no another field: 25: expect the page: events: `save count = 4` did not happen [save count = 3 | saved]
            no no answer: 33: expect the page: `save` leads to `saved`: `saved` did not happen [save count = 4]
            no no answer to what follows the step that expects it: 40: expect the page: `save` leads to `saved`: `saved` did not happen [save count = 3 | saved | save count = 4]
            no what must never happen: 49: expect the page: `overflow` happened [overflow]
            no what must never happen, after the step that expects it: 55: expect the page: `overflow` happened [overflow]
        "#]],
    );
}

#[test]
fn elements_are_used_only_where_a_person_could() {
    check(
        r##"
[page]
html = '''
<html lang=en><title>Use</title><style>
.veil { position: fixed; inset: 0 0 auto 0; height: 40px; background: #eee }
.menu:hover .sub { display: block } .sub { display: none }</style><body style="margin: 0">
<button onclick="out.textContent='covered'">Covered</button><div class=veil id=veil></div>
<div style="height: 60px"></div>
<button style="visibility: hidden" data-testid=hidden>Hidden</button>
<div class=menu><button>Menu</button><div class=sub><a href="/#x">Item</a></div></div>
<button ondblclick="out.textContent='twice'">Twice</button>
<div style="height: 3000px"></div><button onclick="out.textContent='far'">Far away</button>
<p id=out role=status></p><p>Two <b>bold</b> words</p></body></html>
'''

[[story]]
name = "covered"
timeout_ms = 300
play = [
  { click = { role = "button", name = "Covered" } },
  { expect = { role = "status" }, text = "covered" },
]

[[story]]
name = "hidden"
timeout_ms = 300
play = [
  { expect = { test_id = "hidden" }, visible = false },
  { click = { test_id = "hidden" } },
]

[[story]]
name = "hover, dblclick, scroll"
play = [
  { hover = { role = "button", name = "Menu" } },
  { expect = { role = "link", name = "Item" }, visible = true },
  { dblclick = { role = "button", name = "Twice" } },
  { expect = { role = "status" }, text = "twice" },
  { scroll = { role = "button", name = "Far away" } },
  { click = { role = "button", name = "Far away" } },
  { expect = { role = "status" }, text = "far" },
  { expect = { text = "Two bold words" }, contains = "bold" },
  { eval = "scrollY > 1000", equals = true },
  { expect_page = { title = "Use", path = "/" } },
]

[[story]]
name = "a selector that is none"
timeout_ms = 200
play = [ { click = { css = "button[" } }, { expect = { css = "p" }, count = 2 } ]

[[story]]
name = "eval that differs"
play = [ { eval = "1 + 1", equals = 3 } ]

[[story]]
name = "eval that throws"
play = [ { eval = "nothing.there", equals = 3 } ]
"##,
        &expect![[r#"
            no covered: 20: click button "Covered": button "Covered" is covered by div#veil.veil []
            no hidden: 29: click test id "hidden": test id "hidden" is not visible []
            ok hover, dblclick, scroll
            no a selector that is none: 50: click css "button[": SyntaxError: Failed to execute 'querySelector' on 'Document': 'button[' is not a valid selector. []
            no eval that differs: 54: eval 1 + 1: its value is 2, not 3 []
            no eval that throws: 58: eval nothing.there: it throws ReferenceError: nothing is not defined\u{a}    at <anonymous>:1:1 []
        "#]],
    );
}

#[test]
fn rules_of_accessibility_name_what_breaks_them() {
    check(
        r##"
[[story]]
name = "all hold"
html = '''
<html lang=en><title>Good</title><body><h1>One</h1><h2>Two</h2><img alt="" src="data:,"><img alt=Logo src="data:,">
<label>Name <input></label><button>Save</button><a href="/#">More</a><p style="color:#777;background:#fff;font-size:30px">Large</p></body></html>
'''
allow = { requests = ["data:"] }
play = [ { expect_page = { accessibility = ["all"] } } ]

[[story]]
name = "none holds"
timeout_ms = 100
html = '''
<html><body><h1>One</h1><h3>Three</h3><img src="/logo.png"><input><button></button><a href="/#"></a>
<i id=x></i><i id=x></i><p style="color:#999;background:#fff">Pale</p></body></html>
'''
play = [ { expect_page = { accessibility = ["all"] } } ]
"##,
        &expect![[r#"
            ok all hold
            no none holds: 18: expect the page: name: a button has no accessible name, and 8 more [name: a button has no accessible name | name: a link has no accessible name | label: a textbox has no accessible name | image-alt: image "/logo.png" | document-title: the document has no title | html-lang: `html` has no `lang` | duplicate-id: id "x" | heading-order: heading "Three" of level 3 follows level 1 | contrast: Pale (2.8)]
        "#]],
    );
}

#[test]
fn a_role_tree_is_a_part_of_the_page() {
    check(
        r##"
[page]
html = '''
<html lang=en><title>Tree</title><body><nav aria-label=Main><ul><li><a href="/#a">Home</a><li><a href="/#b">Help</a></ul></nav>
<main><h1>Cart</h1><table><caption>Items</caption><tr><th>Name<th>Price<tr><td>Tea<td>3</table>
<p>Total: 3</p><label>Code <input value=X1></label><input type=checkbox aria-label=Gift checked>
<button aria-pressed=true>Bold</button><button disabled>Pay</button></main></body></html>
'''

[[story]]
name = "as it is"
play = [
  { expect_page = { role_tree = '''
- navigation "Main":
  - list:
    - listitem:
      - link "Home"
    - listitem:
      - link "Help"
- main:
  - heading "Cart" [level=1]
  - table "Items":
    - row:
      - columnheader "Name"
      - columnheader "Price"
    - row:
      - cell "Tea"
      - cell "3"
  - paragraph: "Total: 3"
  - textbox "Code": X1
  - checkbox "Gift" [checked]
  - button "Bold" [pressed]
  - button "Pay" [disabled]
''' } },
  { expect = { role = "main" }, role_tree = "- main:\n  - heading \"Cart\"\n  - paragraph: \"Total: 3\"" },
]

[[story]]
name = "another order"
timeout_ms = 100
play = [ { expect_page = { role_tree = "- button \"Pay\"\n- button \"Bold\"" } } ]

[[story]]
name = "another level"
timeout_ms = 100
play = [ { expect_page = { role_tree = "- heading \"Cart\" [level=2]" } } ]
"##,
        &expect![[r#"
            ok as it is
            no another order: 41: expect the page: the role tree has no `- button "Bold"` [- navigation "Main": |   - list: |     - listitem: |       - link "Home" |     - listitem: |       - link "Help" | - main: |   - heading "Cart" [level=1] |   - table "Items": |     - caption: Items |     - row "Name Price": |       - columnheader "Name" |       - columnheader "Price" |     - row "Tea 3": |       - cell "Tea" |       - cell "3" |   - paragraph: Total: 3 |   - text: Code |   - textbox "Code": X1 |   - checkbox "Gift" [checked] |   - button "Bold" [pressed] |   - button "Pay" [disabled]]
            no another level: 46: expect the page: the role tree has no `- heading "Cart" [level=2]` [- navigation "Main": |   - list: |     - listitem: |       - link "Home" |     - listitem: |       - link "Help" | - main: |   - heading "Cart" [level=1] |   - table "Items": |     - caption: Items |     - row "Name Price": |       - columnheader "Name" |       - columnheader "Price" |     - row "Tea 3": |       - cell "Tea" |       - cell "3" |   - paragraph: Total: 3 |   - text: Code |   - textbox "Code": X1 |   - checkbox "Gift" [checked] |   - button "Bold" [pressed] |   - button "Pay" [disabled]]
        "#]],
    );
}

#[test]
fn absence_is_only_believed_of_a_page_that_is_loaded() {
    check(
        r##"
[page]
html = '''
<html lang=en><title>First</title><body><a href="?second">Next</a>
<script>
if (location.search) {
  document.title = 'Second';
  document.querySelector('a').remove();
  // The parser stops here for as long as the request takes.
  const request = new XMLHttpRequest();
  const until = Date.now() + 400;
  while (Date.now() < until) { request.open('GET', '/?wait', false); request.send() }
}
</script>
<script>if (location.search) document.write('<img src=data:, width=9 height=9><p role=alert>Late</p>')</script>
</body></html>
'''

[[story]]
name = "accessible"
play = [
  { click = { role = "link", name = "Next" } },
  { expect_page = { title = "Second", accessibility = ["image-alt"] } },
]
timeout_ms = 1500

[[story]]
name = "no alert"
timeout_ms = 1500
play = [
  { click = { role = "link", name = "Next" } },
  { expect = { role = "alert" }, visible = false },
]

[[story]]
name = "count"
timeout_ms = 1500
play = [
  { click = { role = "link", name = "Next" } },
  { expect = { role = "alert" }, count = 0 },
]
"##,
        &expect![[r#"
            no accessible: 23: expect the page: image-alt: image "data:," [image-alt: image "data:,"]
            no no alert: 32: expect alert: alert is visible []
            no count: 40: expect alert: 1 elements are alert, not 0 []
        "#]],
    );
}
