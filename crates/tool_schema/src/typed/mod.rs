//! One Rust type → JSON Schema → tool → validated input.
//!
//! [`InputSchema`] is the schema of a type in its smallest form and the validator of inputs. What a
//! schema cannot express is left to serde, whose errors have a path, too. `null` in an optional field
//! means that the field is left out; any other input that does not match is refused with the fix.

mod error;
mod near;
mod shrink;
mod validate;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use error::InputError;
pub use near::nearest_names;

use crate::ToolSchema;

/// The JSON Schema of an input type.
#[derive(Clone, Debug, PartialEq)]
pub struct InputSchema {
    schema: Value,
}

impl InputSchema {
    /// The schema of a type, for which `T` denies unknown fields.
    pub fn of<T: JsonSchema>() -> Self {
        Self { schema: schema_of::<T>() }
    }

    /// The schema.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// Reads an input of the type `T` that the schema was made of.
    ///
    /// # Errors
    /// An input that does not match, with the path of the field and the fix.
    pub fn read<T: DeserializeOwned>(&self, input: &Value) -> Result<T, InputError> {
        validate::check(&self.schema, input)?;
        let input = validate::without_nulls(&self.schema, input);
        serde_path_to_error::deserialize(input).map_err(|error| InputError {
            field: field_of(error.path()),
            reason: error.inner().to_string(),
            fix: "correct the value".to_owned(),
        })
    }
}

/// Checks a value against a schema in the form of [`schema_of`], such as an answer against
/// [`output_schema_of`]. An object has no fields beside those of its schema.
///
/// # Errors
/// As [`InputSchema::read`].
pub fn check_value(schema: &Value, value: &Value) -> Result<(), InputError> {
    validate::check(schema, value)
}

/// The path of an error of serde, in the form of [`InputError::field`].
fn field_of(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let mut field = String::new();
    for segment in path.iter() {
        match segment {
            Segment::Seq { index } => field.push_str(&format!("[{index}]")),
            Segment::Map { key } => {
                if !field.is_empty() {
                    field.push('.');
                }
                field.push_str(key);
            }
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    field
}

/// The JSON Schema of what a type is read from: subschemas are in place except those of recursive
/// types; no titles, formats, empty defaults and descriptions of the whole.
pub fn schema_of<T: JsonSchema>() -> Value {
    generated::<T>(SchemaSettings::draft2020_12())
}

/// The JSON Schema of what a type is written as, in the form of [`schema_of`].
pub fn output_schema_of<T: JsonSchema>() -> Value {
    generated::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn generated<T: JsonSchema>(mut settings: SchemaSettings) -> Value {
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    shrink::shrink(&mut schema);
    schema
}

impl ToolSchema {
    /// The tool whose arguments are the fields of `T`.
    pub fn of<T: JsonSchema>(name: &str, description: &str) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            input_schema: schema_of::<T>(),
        }
    }
}
