//! The phrases that rules understand, each with the request that it makes.

use refactor::{NewPart, PartPlace, Reshape};

use super::RefactorRequest;
use super::pattern::{Captures, Place, begins_with, matches};
use super::tokens::{TokenKind, Tokens};

/// Words before the request.
const OPENINGS: &[&str] = &[
    "also", "can", "could", "d", "finally", "first", "go", "i", "i'd", "i'll", "we'd", "let's",
    "just", "kindly", "lets", "like", "must", "need", "next", "now", "please", "should", "simply",
    "then", "to", "us", "want", "we", "will", "would", "you", "ahead", "and",
];

/// Phrases after the request that ask for what every change does, or give its reason.
const CLOSINGS: &[&str] = &[
    "everywhere",
    "accordingly",
    "please",
    "thanks",
    "throughout|across|in|over|within whole|entire|full? codebase|code|crate|project|workspace|repo|repository base?",
    "and|then|while|plus? also? update|updating|fix|fixing|adapt|adjust|migrate|rewrite every|each|of? caller|callers|call|calls|callsites|use|uses|usage|usages|user|users|reference|references|import|imports|doc|docs|documentation|comment|comments|test|tests|place|places|site|sites|code sites|site? of|to|that|which? it|them|use|call? it|them? accordingly|too|everywhere?",
    "and|while|everything? keep|keeping|make|making|leave|leaving sure? that? everything|code|crate|tests|it|project|build still? compiling|compiles|compile|working|works|green|passing|pass?",
    "because|since $rest",
    "as|so|and? it|this|that|they 's|is|are|was|does|has|reads|sounds|it's|that's $rest",
    "for consistency|clarity|readability",
    "instead",
];

/// The kinds of requests.
#[derive(Clone, Copy, Debug)]
enum Make {
    Rename,
    Move,
    Inline,
    InlineKeep,
    AddParameter,
    RemoveParameter,
    Reorder,
    Swap,
    ChangeType,
    /// The same, where only a word for the kind distinguishes it from another name.
    ChangeTyped,
    /// The same for `Type::member`.
    ChangeMember,
    AddField,
}

const PHRASES: &[(Make, &[&str])] = &[
    (
        Make::Rename,
        &[
            "rename|renaming $item to|into|as|->|=>|→|: be? called|named? $name",
            "rename|renaming $item so|such that? it is called|named? $name",
            "change|update|switch|alter name of $item to|into $name",
            "$item should|must|needs|has|ought to? be renamed|called|named to|into|as? $name",
            "call|name $item $name",
            "give $item name $name",
            "use name $name for $item",
            "replace name $name with|by $other",
        ],
    ),
    (
        Make::Move,
        &[
            "move|relocate|transfer|extract|put|shift|pull $item over|out? to|into|in|inside|under own? module|mod|file|submodule? $module module|mod|file?",
            "$item should|must|needs|has|belongs to? be|live|go|move|belong? moved|relocated? to|into|in|under module|mod|file|submodule? $module module|mod|file?",
        ],
    ),
    (
        Make::InlineKeep,
        &[
            "inline $item in|into|at|to? every|each|of? caller|callers|call|calls|use|uses|site|sites|callsites? sites|site? and|but keep|keeping|leave|retain definition|it|function|item there|in? place?",
        ],
    ),
    (
        Make::Inline,
        &[
            "inline $item",
            "inline call|calls|use|uses of|to $item",
            "inline $item in|into|at|to every|each|of? caller|callers|call|calls|use|uses|site|sites|callsites sites|site?",
            "inline $item and remove|delete|drop definition|it|function",
            "replace calls|uses|usages of|to $item with|by body|definition|value",
            "fold $item into caller|callers|uses",
        ],
    ),
    (
        Make::AddParameter,
        &[
            "add|introduce|append|insert $nth? parameter|param|argument|arg called|named? $declaration to|on|for|in|of $item $tail",
            "add|introduce|append|insert parameter|param|argument|arg $declaration $tail to|on|for|in|of $item",
            "add|introduce|append|insert to $item parameter|param|argument|arg $declaration $tail",
            "add|introduce $declaration as parameter|param|argument|arg to|of|on|for|in $item $tail",
            "add|introduce $declaration parameter|param|argument|arg to|of|on|for|in $item $tail",
            "add|introduce parameter|param|argument|arg of type $type called|named $name to|on|for|in|of $item $tail",
            "add|introduce $type parameter|param|argument|arg called|named? $name to|on|for|in|of $item $tail",
            "give|pass $item parameter|param|argument|arg called|named? $declaration $tail",
            "give|pass $item $declaration parameter|param|argument|arg $tail",
            "let|make|have $item take|accept|receive parameter|param|argument|arg? called|named? $declaration parameter|param|argument|arg? $tail",
            "$item should|must|needs|has|ought to? also? take|accept|receive|get parameter|param|argument|arg? called|named? $declaration parameter|param|argument|arg? $tail",
            "add|introduce|append|insert $declaration to parameters|params|arguments|args|signature of $item $tail",
            "add|introduce $name parameter|param|argument|arg of type $type to|on|for|in|of $item $tail",
            "$item needs|wants parameter|param|argument|arg called|named? $declaration $tail",
            "extend $item with|by parameter|param|argument|arg $declaration $tail",
        ],
    ),
    (
        Make::RemoveParameter,
        &[
            "remove|drop|delete|eliminate unused? parameter|param|argument|arg called|named? $name from|of|in|on $item",
            "remove|drop|delete|eliminate unused? $name parameter|param|argument|arg from|of|in|on $item",
            "remove|drop|delete|eliminate $name from parameters|params|arguments|args|signature|parameter of|for|in $item",
            "remove|drop|delete|eliminate from $item unused? parameter|param|argument|arg $name",
            "get rid of unused? parameter|param|argument|arg $name from|of|in|on $item",
            "get rid of unused? $name parameter|param|argument|arg from|of|in|on $item",
            "remove|drop|delete|eliminate $item 's parameter|param|argument|arg $name",
            "$item should|does|must|doesn't|shouldn't|mustn't|no not|no|longer? longer? take|takes|need|needs|accept|accepts|have parameter|param|argument|arg $name any|longer|anymore? more?",
            "$item should|does|must|doesn't|shouldn't|mustn't|no not|no|longer? longer? take|takes|need|needs|accept|accepts|have $name parameter|param|argument|arg any|longer|anymore? more?",
        ],
    ),
    (
        Make::Reorder,
        &[
            "reorder|rearrange|order|sort parameters|params|arguments|args of|in|for|on $item to|as|into|like|: be? $list",
            "reorder|rearrange $item 's parameters|params|arguments|args to|as|into|like|: be? $list",
            "change|set order of parameters|params|arguments|args of|in|for|on $item to|into|: $list",
            "put|bring|set parameters|params|arguments|args of|in|for|on $item in|into order|: $list",
            "change|set parameter|argument order of|for|in $item to|into|: $list",
            "parameters|params|arguments|args of $item should be in|ordered order? as? $list",
        ],
    ),
    (
        Make::Swap,
        &[
            "swap|exchange|flip parameters|params|arguments|args $name and|with|, $other of|in|for|on $item",
            "swap|exchange|flip $name and|with|, $other parameters|params|arguments|args? in|of|for|on parameters|params|arguments|args|signature? of? $item",
            "in $item swap|exchange|flip parameters|params|arguments|args? $name and|with|, $other",
        ],
    ),
    (
        Make::ChangeType,
        &[
            "change|switch|alter|update|set|make|convert return? type of $item from $old to|into|be|-> $type",
            "change|switch|alter|update|set|make|convert return? type of $item to|into|be|->|: $type",
            "change|switch|alter|update|set|convert $item 's return? type from $old to|into|be|-> $type",
            "change|switch|alter|update|set|convert $item 's return? type to|into|be|-> $type",
            "change|switch|alter|update|convert|migrate $item from $old to|into|-> $type",
            "make|let|have $item return|returning $type instead|rather of|than $old",
            "make|let|have|change $item to? return|returning $type",
            "$item should|must|needs|has to? return|be|have|become of|type? type? $type instead|rather of|than $old",
            "$item should|must|needs|has to? return|be|have|become of|type? type? $type",
            "return? type of $item should|must|needs|has to? be|become changed? to? $type",
            "retype $item to|as|: $type",
            "use $type instead|rather of|than $old for|in|as|on type? of? $item",
            "use $type as|for type of $item",
            "replace type of $item with|by $type",
            "replace type? $old with|by $type in $item",
        ],
    ),
    (Make::ChangeMember, &["make $item $type instead|rather of|than $old", "make $item be? $type"]),
    (
        Make::ChangeTyped,
        &[
            "change|switch|alter|update|convert|turn $item to|into|-> be? $type",
            "make $item $type instead|rather of|than $old",
            "make $item be? of? type? $type",
        ],
    ),
    (
        Make::AddField,
        &[
            "add|introduce|append|insert pub|public|private? field|member|property|attribute called|named? $declaration to|on|in|of|for $item $tail",
            "add|introduce|append|insert pub|public|private? field|member|property|attribute $declaration $tail to|on|in|of|for $item",
            "add|introduce|append|insert to $item field|member|property $declaration $tail",
            "add|introduce|append|insert $declaration as field|member|property to|on|in|of|for $item $tail",
            "add|introduce|append|insert $declaration field|member|property to|on|in|of|for $item $tail",
            "add|introduce field|member|property of type $type called|named $name to|on|in|of|for $item $tail",
            "add|introduce $type field|member|property called|named? $name to|on|in|of|for $item $tail",
            "add|introduce $name field|member|property of type $type to|on|in|of|for $item $tail",
            "give|extend $item with|by? field|member|property called|named? $declaration $tail",
            "give|extend $item with|by? $declaration field|member|property $tail",
            "$item should|must|needs|has|gets to? get|have|gain|carry? field|member|property called|named? $declaration $tail",
        ],
    ),
];

/// The request of a phrase.
pub(super) fn request(tokens: &Tokens) -> Option<RefactorRequest> {
    let tokens = core(tokens);
    let mut found = PHRASES.iter().flat_map(|(make, patterns)| {
        let tokens = &tokens;
        patterns.iter().filter_map(move |pattern| matches(pattern, tokens).map(|it| (make, it)))
    });
    found.find_map(|(make, captures)| build(*make, captures))
}

/// The tokens without what is before and after the request.
fn core(tokens: &Tokens) -> Tokens {
    let mut list = tokens.clone();
    let is_opening = |at: usize, list: &Tokens| {
        let next = list.list.get(at + 1);
        let is_marked = |mark: &str| next.is_some_and(|it| it.text == mark);
        let is_let = |it: &str| {
            it == "let"
                && next.is_some_and(|it| it.kind == TokenKind::Possessive || it.lower == "us")
        };
        list.list.get(at).is_some_and(|it| match it.kind {
            // `refactor(core): …`
            TokenKind::Word if is_marked(":") && at == 0 => !it.lower.contains("::"),
            TokenKind::Word if is_let(&it.lower) => true,
            TokenKind::Word => OPENINGS.contains(&it.lower.as_str()),
            TokenKind::Code => false,
            TokenKind::Possessive | TokenKind::Punctuation => true,
        })
    };
    let skipped = (0..list.list.len()).take_while(|at| is_opening(*at, &list)).count();
    list.list.drain(..skipped);
    // The longest closing first, until none is left.
    loop {
        let is_closing = |at: &usize| CLOSINGS.iter().any(|it| begins_with(it, &list, *at));
        let Some(at) = (1..list.list.len()).find(is_closing) else { return list };
        list.list.truncate(at);
    }
}

fn build(make: Make, found: Captures) -> Option<RefactorRequest> {
    let part = |declaration: Option<String>| {
        let declared = match (&found.name, &found.ty) {
            (Some(name), Some(ty)) => Some(format!("{name}: {ty}")),
            _ => None,
        };
        let declaration = declaration.or(declared)?;
        Some(NewPart { declaration, value: found.value.clone() })
    };
    let reshape = |item: Option<String>, change: Reshape| {
        Some(RefactorRequest::Reshape { item: item?, change })
    };
    match make {
        Make::Rename => {
            let item = found.item.or(found.other.clone().and(found.name.clone()))?;
            Some(RefactorRequest::Rename { item, to: found.other.or(found.name)? })
        }
        Make::Move => Some(RefactorRequest::Move { item: found.item?, to: found.module? }),
        Make::Inline => Some(RefactorRequest::Inline { item: found.item?, keep: false }),
        Make::InlineKeep => Some(RefactorRequest::Inline { item: found.item?, keep: true }),
        Make::AddParameter => {
            let place = match found.place.clone() {
                None | Some(Place::Last) => None,
                Some(Place::First) => Some(PartPlace::At(1)),
                Some(Place::At(at)) => Some(PartPlace::At(at)),
                Some(Place::Before(name)) => Some(PartPlace::Before(name)),
                Some(Place::After(name)) => Some(PartPlace::After(name)),
            };
            let new = part(found.declaration.clone())?;
            reshape(found.item, Reshape::AddParameter { new, place })
        }
        Make::RemoveParameter => {
            reshape(found.item, Reshape::RemoveParameter { name: found.name? })
        }
        Make::Reorder => reshape(found.item, Reshape::Reorder { names: found.list? }),
        Make::Swap => {
            let names = vec![found.other?, found.name?];
            reshape(found.item, Reshape::Reorder { names })
        }
        Make::ChangeType => reshape(found.item, Reshape::ChangeType { part: None, ty: found.ty? }),
        Make::ChangeTyped => {
            let kind = found.kind?;
            let has_type = [
                "arg",
                "argument",
                "const",
                "constant",
                "field",
                "member",
                "param",
                "parameter",
                "property",
                "static",
                "variable",
            ];
            let change = Reshape::ChangeType { part: None, ty: found.ty? };
            has_type.contains(&kind.as_str()).then_some(())?;
            reshape(found.item, change)
        }
        Make::ChangeMember => {
            let item = found.item?;
            let (owner, member) = item.rsplit_once("::")?;
            let starts = |text: &str, is: fn(char) -> bool| {
                text.rsplit("::").next().is_some_and(|it| it.starts_with(is))
            };
            let is_member = starts(owner, char::is_uppercase) && starts(member, char::is_lowercase);
            let change = Reshape::ChangeType { part: None, ty: found.ty? };
            is_member.then_some(())?;
            reshape(Some(item), change)
        }
        Make::AddField => match found.place {
            // A field has no place but the last.
            None | Some(Place::Last) => {
                let new = part(found.declaration.clone())?;
                reshape(found.item, Reshape::AddField { new })
            }
            Some(_) => None,
        },
    }
}
