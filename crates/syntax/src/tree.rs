//! A syntax tree as one flat array: parents before children, each node with the number past its
//! subtree. One cursor walk makes it; all that is read from a text is read from it, where a child
//! costs an addition and a field no look-up by name.

use std::ops::Range;
use std::sync::OnceLock;

use base::ByteSpan;
use tree_sitter::Language;

use crate::compact::Compact;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $(= $($word:literal)|+)?,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(crate) enum $name {
            #[default]
            Other,
            $($variant,)*
        }

        impl $name {
            fn of(word: &str) -> Self {
                match word {
                    $($($($word)|+ => Self::$variant,)?)*
                    _ => Self::Other,
                }
            }
        }
    };
}

words! {
    /// The kinds of node that are looked at, named nodes and tokens.
    Kind {
        Error,
        // Items and what they are made of.
        SourceFile = "source_file",
        DeclarationList = "declaration_list",
        FunctionItem = "function_item",
        FunctionSignatureItem = "function_signature_item",
        ConstItem = "const_item",
        EnumItem = "enum_item",
        ImplItem = "impl_item",
        UseDeclaration = "use_declaration",
        ExternCrateDeclaration = "extern_crate_declaration",
        MacroDefinition = "macro_definition",
        ModItem = "mod_item",
        StaticItem = "static_item",
        StructItem = "struct_item",
        TraitItem = "trait_item",
        TypeItem = "type_item",
        AssociatedType = "associated_type",
        UnionItem = "union_item",
        ForeignModItem = "foreign_mod_item",
        AttributeItem = "attribute_item",
        InnerAttributeItem = "inner_attribute_item",
        LineComment = "line_comment",
        BlockComment = "block_comment",
        VisibilityModifier = "visibility_modifier",
        FunctionModifiers = "function_modifiers",
        EnumVariantList = "enum_variant_list",
        EnumVariant = "enum_variant",
        FieldDeclarationList = "field_declaration_list",
        FieldDeclaration = "field_declaration",
        OrderedFieldDeclarationList = "ordered_field_declaration_list",
        TypeParameters = "type_parameters",
        TypeParameter = "type_parameter",
        ConstParameter = "const_parameter",
        WhereClause = "where_clause",
        WherePredicate = "where_predicate",
        TraitBounds = "trait_bounds",
        HigherRankedTraitBound = "higher_ranked_trait_bound",
        RemovedTraitBound = "removed_trait_bound",
        UseBounds = "use_bounds",
        Parameters = "parameters",
        Parameter = "parameter",
        SelfParameter = "self_parameter",
        VariadicParameter = "variadic_parameter",
        UseAsClause = "use_as_clause",
        UseList = "use_list",
        ScopedUseList = "scoped_use_list",
        UseWildcard = "use_wildcard",
        // Types and paths.
        Identifier = "identifier",
        TypeIdentifier = "type_identifier",
        FieldIdentifier = "field_identifier",
        ShorthandFieldIdentifier = "shorthand_field_identifier",
        PrimitiveType = "primitive_type",
        Metavariable = "metavariable",
        SelfWord = "self",
        SuperWord = "super",
        CrateWord = "crate",
        ScopedIdentifier = "scoped_identifier",
        ScopedTypeIdentifier = "scoped_type_identifier",
        GenericType = "generic_type",
        GenericTypeWithTurbofish = "generic_type_with_turbofish",
        GenericFunction = "generic_function",
        GenericPattern = "generic_pattern",
        BracketedType = "bracketed_type",
        QualifiedType = "qualified_type",
        TypeArguments = "type_arguments",
        TypeBinding = "type_binding",
        FunctionType = "function_type",
        ReferenceType = "reference_type",
        PointerType = "pointer_type",
        ArrayType = "array_type",
        TupleType = "tuple_type",
        UnitType = "unit_type",
        NeverType = "never_type",
        AbstractType = "abstract_type",
        DynamicType = "dynamic_type",
        BoundedType = "bounded_type",
        Lifetime = "lifetime",
        Label = "label",
        // Expressions.
        Block = "block",
        UnsafeBlock = "unsafe_block",
        AsyncBlock = "async_block",
        GenBlock = "gen_block",
        TryBlock = "try_block",
        ConstBlock = "const_block",
        LetDeclaration = "let_declaration",
        ExpressionStatement = "expression_statement",
        EmptyStatement = "empty_statement",
        CallExpression = "call_expression",
        Arguments = "arguments",
        FieldExpression = "field_expression",
        IndexExpression = "index_expression",
        StructExpression = "struct_expression",
        FieldInitializerList = "field_initializer_list",
        FieldInitializer = "field_initializer",
        ShorthandFieldInitializer = "shorthand_field_initializer",
        BaseFieldInitializer = "base_field_initializer",
        ReferenceExpression = "reference_expression",
        UnaryExpression = "unary_expression",
        BinaryExpression = "binary_expression",
        AssignmentExpression = "assignment_expression",
        CompoundAssignmentExpr = "compound_assignment_expr",
        AwaitExpression = "await_expression",
        TryExpression = "try_expression",
        TypeCastExpression = "type_cast_expression",
        ParenthesizedExpression = "parenthesized_expression",
        TupleExpression = "tuple_expression",
        UnitExpression = "unit_expression",
        ArrayExpression = "array_expression",
        RangeExpression = "range_expression",
        ClosureExpression = "closure_expression",
        ClosureParameters = "closure_parameters",
        IfExpression = "if_expression",
        ElseClause = "else_clause",
        LetCondition = "let_condition",
        LetChain = "let_chain",
        MatchExpression = "match_expression",
        MatchBlock = "match_block",
        MatchArm = "match_arm",
        MatchPattern = "match_pattern",
        LoopExpression = "loop_expression",
        WhileExpression = "while_expression",
        ForExpression = "for_expression",
        ReturnExpression = "return_expression",
        BreakExpression = "break_expression",
        ContinueExpression = "continue_expression",
        YieldExpression = "yield_expression",
        MacroInvocation = "macro_invocation",
        MacroRule = "macro_rule",
        TokenTree = "token_tree",
        StringLiteral = "string_literal",
        RawStringLiteral = "raw_string_literal",
        CharLiteral = "char_literal",
        BooleanLiteral = "boolean_literal",
        IntegerLiteral = "integer_literal",
        FloatLiteral = "float_literal",
        NegativeLiteral = "negative_literal",
        // Patterns.
        TuplePattern = "tuple_pattern",
        TupleStructPattern = "tuple_struct_pattern",
        StructPattern = "struct_pattern",
        FieldPattern = "field_pattern",
        RemainingFieldPattern = "remaining_field_pattern",
        MutPattern = "mut_pattern",
        RefPattern = "ref_pattern",
        SlicePattern = "slice_pattern",
        CapturedPattern = "captured_pattern",
        ReferencePattern = "reference_pattern",
        RangePattern = "range_pattern",
        OrPattern = "or_pattern",
        // Words and signs.
        MutableSpecifier = "mutable_specifier",
        Fn = "fn",
        Struct = "struct",
        Enum = "enum",
        Union = "union",
        Trait = "trait",
        Mod = "mod",
        Type = "type",
        Static = "static",
        Async = "async",
        Ref = "ref",
        Let = "let",
        If = "if",
        Underscore = "_",
        Open = "(" | "[" | "{",
        Close = ")" | "]" | "}",
        Semicolon = ";",
        Comma = ",",
        FatArrow = "=>",
        Equal = "=",
        Bang = "!",
        And = "&",
        Star = "*",
        Minus = "-",
        Dots = ".." | "..=" | "...",
        Dot = ".",
        Dollar = "$",
        PathSep = "::",
    }
}

impl Kind {
    /// What [`crate::parse`] looks at: an item, a macro call, an inner attribute.
    pub(crate) fn is_item(self) -> bool {
        matches!(
            self,
            Self::FunctionItem
                | Self::FunctionSignatureItem
                | Self::ConstItem
                | Self::EnumItem
                | Self::ImplItem
                | Self::UseDeclaration
                | Self::ExternCrateDeclaration
                | Self::MacroDefinition
                | Self::ModItem
                | Self::StaticItem
                | Self::StructItem
                | Self::TraitItem
                | Self::TypeItem
                | Self::AssociatedType
                | Self::UnionItem
                | Self::ForeignModItem
                | Self::InnerAttributeItem
                | Self::MacroInvocation
        )
    }
}

words! {
    /// The role that a node plays in its parent.
    Field {
        Alias = "alias",
        Alternative = "alternative",
        Argument = "argument",
        Arguments = "arguments",
        Body = "body",
        Bounds = "bounds",
        Condition = "condition",
        Consequence = "consequence",
        DefaultType = "default_type",
        Element = "element",
        Member = "field",
        Function = "function",
        Left = "left",
        Length = "length",
        List = "list",
        Macro = "macro",
        Name = "name",
        Operator = "operator",
        Parameters = "parameters",
        Path = "path",
        Pattern = "pattern",
        ReturnType = "return_type",
        Right = "right",
        Trait = "trait",
        Type = "type",
        TypeArguments = "type_arguments",
        TypeParameters = "type_parameters",
        Value = "value",
    }
}

/// One node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The number of the next node that does not lie inside.
    pub(crate) after: u32,
    pub(crate) kind: Kind,
    pub(crate) field: Field,
    flags: u8,
}

const NAMED: u8 = 1;
const MISSING: u8 = 2;
const HAS_ERROR: u8 = 4;
const HAS_ITEM: u8 = 8;

impl Node {
    /// One without anything wrong in it.
    pub(crate) fn new(
        start: u32,
        end: u32,
        after: u32,
        (kind, field): (Kind, Field),
        is_named: bool,
        has_item: bool,
    ) -> Self {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(is_named, NAMED) | flag(has_item, HAS_ITEM);
        Self { start, end, after, kind, field, flags }
    }

    pub(crate) fn is_named(self) -> bool {
        self.flags & NAMED != 0
    }

    pub(crate) fn is_error(self) -> bool {
        self.kind == Kind::Error
    }

    pub(crate) fn is_missing(self) -> bool {
        self.flags & MISSING != 0
    }

    /// An error lies in it or it is one.
    pub(crate) fn has_error(self) -> bool {
        self.flags & HAS_ERROR != 0
    }

    /// It is or holds something that [`crate::parse`] looks at: an item, a macro call, an inner
    /// attribute, an error.
    pub(crate) fn has_item(self) -> bool {
        self.flags & HAS_ITEM != 0
    }

    pub(crate) fn span(self) -> ByteSpan {
        ByteSpan::new(self.start as usize, self.end as usize)
    }

    pub(crate) fn is_comment(self) -> bool {
        matches!(self.kind, Kind::LineComment | Kind::BlockComment)
    }
}

/// What came of adding nodes.
pub(crate) struct Added {
    /// The uppermost nodes, and their bytes in the compact text.
    pub(crate) roots: Vec<(u32, Range<u32>)>,
    /// What was left out was the tokens of calls and definitions indeed.
    pub(crate) is_faithful: bool,
}

/// The trees of a text and of pieces of it that were parsed once more.
#[derive(Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
}

impl Tree {
    /// The node of this number. Numbers come from the tree itself; a wrong one is an empty node.
    pub(crate) fn node(&self, idx: u32) -> Node {
        self.nodes.get(idx as usize).copied().unwrap_or(Node {
            start: 0,
            end: 0,
            after: idx.saturating_add(1),
            kind: Kind::Other,
            field: Field::Other,
            flags: 0,
        })
    }

    /// Its children, tokens and comments included.
    pub(crate) fn children(&self, idx: u32) -> Children<'_> {
        Children { tree: self, at: idx + 1, end: self.node(idx).after }
    }

    /// Its named children but comments and attributes.
    pub(crate) fn parts(&self, idx: u32) -> impl Iterator<Item = u32> + '_ {
        self.children(idx).filter(|&it| {
            let node = self.node(it);
            node.is_named() && !node.is_comment() && node.kind != Kind::AttributeItem
        })
    }

    /// The first child with this role.
    pub(crate) fn field(&self, idx: u32, field: Field) -> Option<u32> {
        self.children(idx).find(|&it| self.node(it).field == field)
    }

    /// The first child of this kind.
    pub(crate) fn child(&self, idx: u32, kind: Kind) -> Option<u32> {
        self.children(idx).find(|&it| self.node(it).kind == kind)
    }

    /// Its text.
    pub(crate) fn slice<'t>(&self, text: &'t str, idx: u32) -> &'t str {
        let node = self.node(idx);
        text.get(node.start as usize..node.end as usize).unwrap_or("")
    }

    /// Adds the nodes of a parsed compact text, where they stand in the text itself; the doc
    /// comments that it leaves out become nodes again.
    pub(crate) fn add(&mut self, tree: &tree_sitter::Tree, compact: &Compact) -> Added {
        let table = table();
        self.nodes.reserve(tree.root_node().descendant_count());
        let mut added = Added { roots: Vec::new(), is_faithful: false };
        let mut emptied = 0;
        let mut places = compact.places();
        let mut cursor = tree.walk();
        // Open nodes, and the flags that rise from their children.
        let mut open: Vec<u32> = Vec::new();
        let mut in_error = tree.root_node().has_error();
        // Where the last token ended in the compact text.
        let mut last_end = 0;
        loop {
            let node = cursor.node();
            let (kind, mut flags) = table.kind(node.kind_id());
            let bytes = node.start_byte() as u32..node.end_byte() as u32;
            if !open.is_empty() {
                while let Some(doc) = places.doc_before(bytes.start) {
                    self.comment(doc);
                }
            }
            let (start, end) = places.of(bytes.start, bytes.end);
            let idx = self.nodes.len() as u32;
            if in_error && node.has_error() {
                flags |= HAS_ERROR | HAS_ITEM;
            }
            if start == end && node.is_missing() {
                flags |= MISSING | HAS_ITEM;
            }
            let field = cursor.field_id().map_or(Field::Other, |id| table.field(id.get()));
            self.nodes.push(Node { start, end, after: idx + 1, kind, field, flags });
            if open.len() == 1 {
                added.roots.push((idx, bytes.clone()));
            }
            if kind == Kind::Close && bytes.start == last_end {
                emptied += u32::from(self.is_emptied(idx, &open));
            }
            let is_leaf = flags & HAS_ERROR == 0 && is_leaf(kind, &open, &self.nodes);
            if !is_leaf && cursor.goto_first_child() {
                open.push(idx);
                in_error = flags & HAS_ERROR != 0;
                continue;
            }
            last_end = bytes.end;
            places.pass(last_end);
            self.rise(open.last(), flags);
            while !cursor.goto_next_sibling() {
                let closed = if cursor.goto_parent() { open.pop() } else { None };
                let Some(closed) = closed else {
                    added.is_faithful = emptied == compact.emptied;
                    return added;
                };
                let after = self.nodes.len() as u32;
                if let Some(node) = self.nodes.get_mut(closed as usize) {
                    node.after = after;
                    let flags = node.flags;
                    self.rise(open.last(), flags);
                }
                in_error = open.last().is_none_or(|&it| self.node(it).has_error());
            }
        }
    }

    /// A doc comment that the parser did not see.
    fn comment(&mut self, doc: Range<u32>) {
        let (start, end, after) = (doc.start, doc.end, self.nodes.len() as u32 + 1);
        let (kind, field) = (Kind::LineComment, Field::Other);
        self.nodes.push(Node { start, end, after, kind, field, flags: NAMED });
    }

    /// Whether the delimiters of a macro, the second of which is at `idx`, lost what they hold.
    fn is_emptied(&self, idx: u32, open: &[u32]) -> bool {
        let parent = open.last().map_or(Kind::Other, |&it| self.node(it).kind);
        let before = self.node(idx.wrapping_sub(1));
        matches!(parent, Kind::TokenTree | Kind::MacroDefinition)
            && before.kind == Kind::Open
            && before.end < self.node(idx).start
    }

    fn rise(&mut self, parent: Option<&u32>, flags: u8) {
        if let Some(node) = parent.and_then(|&it| self.nodes.get_mut(it as usize)) {
            node.flags |= flags & HAS_ITEM;
        }
    }
}

/// Whether nobody looks at what a node consists of: half of all nodes are pieces of comments,
/// strings, attributes and token trees.
fn is_leaf(kind: Kind, open: &[u32], nodes: &[Node]) -> bool {
    match kind {
        Kind::LineComment
        | Kind::BlockComment
        | Kind::StringLiteral
        | Kind::RawStringLiteral
        | Kind::AttributeItem
        | Kind::InnerAttributeItem
        | Kind::VisibilityModifier
        | Kind::Lifetime
        | Kind::Label
        | Kind::MacroRule => true,
        // The tokens of a macro call are looked at, those in brackets among them are not.
        Kind::TokenTree => {
            let parent = open.last().and_then(|&it| nodes.get(it as usize));
            parent.is_some_and(|it| it.kind != Kind::MacroInvocation)
        }
        _ => false,
    }
}

/// The children of a node, by number.
pub(crate) struct Children<'a> {
    tree: &'a Tree,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.at >= self.end {
            return None;
        }
        let idx = self.at;
        self.at = self.tree.node(idx).after;
        Some(idx)
    }
}

/// Kinds and fields by the grammar's numbers.
struct Table {
    kinds: Vec<(Kind, u8)>,
    fields: Vec<Field>,
}

impl Table {
    fn kind(&self, id: u16) -> (Kind, u8) {
        // Errors have a number past all others.
        self.kinds.get(usize::from(id)).copied().unwrap_or((Kind::Error, NAMED))
    }

    fn field(&self, id: u16) -> Field {
        self.fields.get(usize::from(id)).copied().unwrap_or_default()
    }
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let language = Language::from(tree_sitter_rust::LANGUAGE);
        let count = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let kinds = (0..count(language.node_kind_count()))
            .map(|id| {
                let kind = Kind::of(language.node_kind_for_id(id).unwrap_or(""));
                let named = if language.node_kind_is_named(id) { NAMED } else { 0 };
                (kind, named | if kind.is_item() { HAS_ITEM } else { 0 })
            })
            .collect();
        let fields = (0..=count(language.field_count()))
            .map(|id| Field::of(language.field_name_for_id(id).unwrap_or("")))
            .collect();
        Table { kinds, fields }
    })
}
