//! Which rules are there?

use crate::Client::{Anthropic, Gemini, OpenAi, OpenAiStrict};
use crate::Severity::{Error, Note, Warning};
use crate::{Client, Rule, Severity};

const fn rule(
    id: &'static str,
    severity: Severity,
    clients: &'static [Client],
    title: &'static str,
    help: &'static str,
) -> Rule {
    Rule {
        id,
        severity,
        clients,
        title,
        help,
    }
}

/// Descriptions.
pub const FIRST_LINE_EMPTY: Rule = rule(
    "first-line-empty",
    Error,
    &[],
    "The description is empty, or begins with an empty line",
    "A tool is matched by its name and the first line of its description. With an empty first line only the name is left, whatever the later lines say. Begin the description with the sentence that says what the tool does.",
);
/// A heading, a tag or a label where the sentence should be.
pub const FIRST_LINE_MARKUP: Rule = rule(
    "first-line-markup",
    Error,
    &[],
    "The first line is a heading, a tag or a label",
    "The first line is all that is matched besides the name, and a heading such as `## Overview` says nothing of the tool. Put the sentence that says what the tool does first, and headings below it.",
);
/// The first line tells nothing that the name does not.
pub const FIRST_LINE_REPEATS_NAME: Rule = rule(
    "first-line-repeats-name",
    Warning,
    &[],
    "The first line only repeats the name",
    "The name is matched already. A first line without any further word leaves every request that uses other words unmatched. Say in a few more words what comes back, what it is for, or what people call it.",
);
/// Too few words to be found by.
pub const FIRST_LINE_THIN: Rule = rule(
    "first-line-thin",
    Note,
    &[],
    "The first line has too few telling words",
    "A verb and one noun fit many tools and few requests. Say what the tool does to what, in which service, and what comes back or what it is for: ten to twenty words are about right.",
);
/// Words every tool could begin with.
pub const FIRST_LINE_FILLER: Rule = rule(
    "first-line-filler",
    Note,
    &[],
    "The first line begins with words that fit every tool",
    "`This tool`, `Use this to`, `Wrapper for`: such words carry no meaning, dilute the rest, and are paid for on every turn. Begin with the verb.",
);
/// Deprecated before anything else.
pub const FIRST_LINE_DEPRECATED: Rule = rule(
    "first-line-deprecated",
    Warning,
    &[],
    "The first line begins with a deprecation",
    "Matching reads the first line as what the tool does. Say that first and the deprecation behind it with the replacement's name, or stop listing the tool.",
);
/// Neither object nor service.
pub const OBJECT_UNNAMED: Rule = rule(
    "object-unnamed",
    Warning,
    &[],
    "Neither an object nor a service is named",
    "Server name, tool name and first line together say no more than `get data`. Name what the tool works on and the service it belongs to.",
);
/// The first line breaks off.
pub const FIRST_LINE_CUT: Rule = rule(
    "first-line-cut",
    Note,
    &[],
    "The first line ends in the middle of a sentence",
    "Text wrapped at a fixed width ends the first line early: the rest of the sentence is not matched. Keep the first sentence on one line.",
);
/// The first line goes on and on.
pub const FIRST_LINE_LONG: Rule = rule(
    "first-line-long",
    Note,
    &[],
    "The first line is longer than what is read for its meaning",
    "The sentence encoder reads 128 tokens, name included, and everything in them counts alike. Break the line after the first sentence.",
);
/// Tools that take each other's place.
pub const LINES_COMPETE: Rule = rule(
    "lines-compete",
    Warning,
    &[],
    "Asked in the tool's own words, a sibling comes first",
    "Measured: the tool's own first line was given as the task and another tool of the same server was ranked first, or within a hair. Whoever asks for this tool will be shown the other one. Say in both first lines what sets them apart.",
);
/// The same text twice.
pub const LINES_IDENTICAL: Rule = rule(
    "lines-identical",
    Warning,
    &[],
    "Several tools have the same first line",
    "Only their names are left to tell them apart. Say in each first line what only this tool does, works on, or returns.",
);
/// More text than OpenAI takes.
pub const DESCRIPTION_LONG: Rule = rule(
    "description-long",
    Warning,
    &[OpenAi],
    "The description has more than 1,024 characters",
    "OpenAI's Chat Completions API, and everything that speaks like it, refuses a request with a longer `function.description`; some clients cut it, some drop the tool. Keep the essence, and move the rest into the parameters' descriptions.",
);

/// Names.
pub const NAME_LONG: Rule = rule(
    "name-long",
    Warning,
    &[],
    "The name with its server's has more than 64 characters",
    "Models are shown `server_tool`. Longer names are cut and end in a hash, which tells a model nothing. Shorten the tool's name, or the server's.",
);
/// Too long once the client has put its prefix in front.
pub const NAME_LONG_IN_CLIENT: Rule = rule(
    "name-long-in-client",
    Note,
    &[],
    "The name is too long once a client has put its prefix in front",
    "Clients connected directly to the server build their own names, such as `mcp__server__tool`, and their limits count the prefix. Shorten the tool's name.",
);
/// Characters that models' names may not have.
pub const NAME_CHARACTERS: Rule = rule(
    "name-characters",
    Warning,
    &[OpenAi, Anthropic, Gemini],
    "The name has characters that clients refuse",
    "OpenAI and Anthropic take letters, digits, `_` and `-`; Gemini also `.` and `:`, and wants a letter or `_` first. One bad name makes the API refuse the whole request. Handpick shows such names changed; clients connected directly may not.",
);
/// The name is a meta-tool's.
pub const NAME_RESERVED: Rule = rule(
    "name-reserved",
    Error,
    &[],
    "The listed name belongs to a meta-tool",
    "A tool cannot take the place of `discover_tools` and its like, so it is not offered at all. Rename the tool or the server.",
);
/// The same name twice.
pub const NAME_DUPLICATE: Rule = rule(
    "name-duplicate",
    Error,
    &[],
    "The server lists two tools of this name",
    "Only the first is offered; most clients refuse the list, or keep either. Give each tool a name of its own.",
);
/// A server called `server`.
pub const SERVER_GENERIC: Rule = rule(
    "server-generic",
    Note,
    &[],
    "The server's name names no service",
    "The server's name is matched with every one of its tools. `mcp-server` or `tools` says nothing; the name of the service would help all of them at once.",
);
/// Longer than a request may be.
pub const TOOLS_MANY: Rule = rule(
    "tools-many",
    Note,
    &[OpenAi],
    "The server lists more than 128 tools",
    "OpenAI and VS Code take at most 128 tools in a request, all servers together, and models choose worse long before. Serve it through a gateway in `discovery` or `recommend`, or split it.",
);

/// Schemas.
pub const SCHEMA_INVALID: Rule = rule(
    "schema-invalid",
    Error,
    &[],
    "The input schema is no valid JSON Schema",
    "Clients refuse it, and arguments cannot be checked before the call.",
);
/// Not an object at the top.
pub const SCHEMA_NOT_OBJECT: Rule = rule(
    "schema-not-object",
    Error,
    &[],
    "The input schema's top level is not `\"type\": \"object\"`",
    "MCP asks for it, and OpenAI and Anthropic refuse every request with such a tool. A tool without parameters has `{\"type\": \"object\", \"properties\": {}}`.",
);
/// Required, but unknown.
pub const SCHEMA_REQUIRED_UNKNOWN: Rule = rule(
    "schema-required-unknown",
    Warning,
    &[],
    "A required property is not among the properties",
    "No model can know what to write for it, and Gemini refuses the declaration. Describe it under `properties`, or take it out of `required`.",
);
/// Parameters nobody explains.
pub const PARAMETER_UNDESCRIBED: Rule = rule(
    "parameter-undescribed",
    Note,
    &[],
    "Parameters have no description",
    "A model that has found the tool fills its parameters by their descriptions: say what it is, in which form, with an example.",
);

/// OpenAI.
pub const OPENAI_TOP_LEVEL: Rule = rule(
    "openai-top-level",
    Error,
    &[OpenAi],
    "OpenAI refuses combinations at the schema's top level",
    "A top level with `oneOf`, `anyOf`, `allOf`, `enum`, `const` or `not` makes the API refuse the whole request. Merge the variants into one object with optional properties, and say in the description which go together.",
);
/// No properties at all.
pub const OPENAI_PROPERTIES: Rule = rule(
    "openai-properties",
    Warning,
    &[OpenAi],
    "OpenAI wants `properties`, if only an empty object",
    "`{\"type\": \"object\"}` alone is refused as \"object schema missing properties\".",
);
/// Arrays of nobody knows what.
pub const ARRAY_ITEMS: Rule = rule(
    "array-items",
    Error,
    &[OpenAi, Gemini],
    "An array does not say what it holds",
    "OpenAI answers \"array schema missing items\" and Gemini \"items: missing field\" to the whole request, strict or not. Say what the array holds.",
);
/// Strict: closed objects.
pub const STRICT_ADDITIONAL_PROPERTIES: Rule = rule(
    "strict-additional-properties",
    Warning,
    &[OpenAiStrict],
    "Strict mode wants `\"additionalProperties\": false` in every object",
    "Strict mode writes only declared keys, so every object, nested ones too, has to be closed.",
);
/// Strict: everything required.
pub const STRICT_REQUIRED: Rule = rule(
    "strict-required",
    Warning,
    &[OpenAiStrict],
    "Strict mode wants every property in `required`",
    "An optional property is written as required with `null` among its types.",
);
/// Strict: keywords.
pub const STRICT_KEYWORD: Rule = rule(
    "strict-keyword",
    Warning,
    &[OpenAiStrict],
    "Strict mode does not know this keyword",
    "`allOf`, `oneOf`, `not`, `if`/`then`/`else`, `dependentRequired`, `dependentSchemas`, `patternProperties` and `propertyNames` are refused. `anyOf` is allowed below the top level.",
);
/// Strict: size.
pub const STRICT_SIZE: Rule = rule(
    "strict-size",
    Warning,
    &[OpenAiStrict],
    "The schema is larger than strict mode allows",
    "At most 10 levels of nesting, 5,000 properties, 1,000 enum values, 120,000 characters of names and values, and 15,000 characters in an enum of more than 250 values.",
);

/// Anthropic.
pub const ANTHROPIC_TOP_LEVEL: Rule = rule(
    "anthropic-top-level",
    Error,
    &[Anthropic],
    "Anthropic refuses combinations at the schema's top level",
    "A top level with `oneOf`, `allOf` or `anyOf` makes the API refuse the whole request. Merge the variants into one object with optional properties.",
);
/// Keys.
pub const ANTHROPIC_KEY: Rule = rule(
    "anthropic-property-key",
    Error,
    &[Anthropic],
    "Anthropic refuses this property name",
    "Property names at the top level must match `^[a-zA-Z0-9_.-]{1,64}$`; one that does not makes the API refuse the whole request.",
);
/// Draft.
pub const ANTHROPIC_DRAFT: Rule = rule(
    "anthropic-draft",
    Error,
    &[Anthropic],
    "The schema is valid only in an older draft",
    "Anthropic reads every schema as draft 2020-12, whatever its `$schema` says, and refuses the whole request otherwise.",
);

/// Gemini.
pub const GEMINI_NAME: Rule = rule(
    "gemini-parameter-name",
    Note,
    &[Gemini],
    "Gemini does not take this parameter name",
    "Parameter names begin with a letter or `_` and have letters, digits and `_` only, at most 64.",
);
/// Keywords outside the subset.
pub const GEMINI_KEYWORD: Rule = rule(
    "gemini-keyword",
    Note,
    &[Gemini],
    "Gemini's `parameters` do not know this keyword",
    "`parameters` is a subset of OpenAPI 3.0, and an unknown keyword makes the API refuse the request. Clients that send `parametersJsonSchema`, or clean the schema first, are not affected.",
);
/// Types as lists.
pub const GEMINI_TYPE_LIST: Rule = rule(
    "gemini-type-list",
    Note,
    &[Gemini],
    "Gemini's `parameters` take one type, not a list",
    "Write one `type` and `\"nullable\": true`, or `anyOf`. Clients that send `parametersJsonSchema` are not affected.",
);
/// Enums of numbers.
pub const GEMINI_ENUM: Rule = rule(
    "gemini-enum",
    Note,
    &[Gemini],
    "Gemini takes an enum of non-empty strings only",
    "Numbers and empty strings in `enum`, or an `enum` without `\"type\": \"string\"`, make the API refuse the request.",
);
/// Formats.
pub const GEMINI_FORMAT: Rule = rule(
    "gemini-format",
    Note,
    &[Gemini],
    "Gemini does not know this format",
    "Strings may have `enum` or `date-time`, integers `int32` or `int64`, numbers `float` or `double`. Put anything else into the description.",
);
/// Objects of nobody knows what.
pub const GEMINI_EMPTY_OBJECT: Rule = rule(
    "gemini-empty-object",
    Note,
    &[Gemini],
    "Gemini wants properties in a nested object",
    "A nested object without properties is refused as \"should be non-empty for OBJECT type\". Name its properties, or take the JSON as a string.",
);

/// Every rule, in the order of the manual.
pub const ALL: [&Rule; 39] = [
    &FIRST_LINE_EMPTY,
    &FIRST_LINE_MARKUP,
    &FIRST_LINE_REPEATS_NAME,
    &FIRST_LINE_THIN,
    &FIRST_LINE_FILLER,
    &FIRST_LINE_DEPRECATED,
    &OBJECT_UNNAMED,
    &FIRST_LINE_CUT,
    &FIRST_LINE_LONG,
    &LINES_COMPETE,
    &LINES_IDENTICAL,
    &DESCRIPTION_LONG,
    &NAME_LONG,
    &NAME_LONG_IN_CLIENT,
    &NAME_CHARACTERS,
    &NAME_RESERVED,
    &NAME_DUPLICATE,
    &SERVER_GENERIC,
    &TOOLS_MANY,
    &SCHEMA_INVALID,
    &SCHEMA_NOT_OBJECT,
    &SCHEMA_REQUIRED_UNKNOWN,
    &PARAMETER_UNDESCRIBED,
    &OPENAI_TOP_LEVEL,
    &OPENAI_PROPERTIES,
    &ARRAY_ITEMS,
    &STRICT_ADDITIONAL_PROPERTIES,
    &STRICT_REQUIRED,
    &STRICT_KEYWORD,
    &STRICT_SIZE,
    &ANTHROPIC_TOP_LEVEL,
    &ANTHROPIC_KEY,
    &ANTHROPIC_DRAFT,
    &GEMINI_NAME,
    &GEMINI_KEYWORD,
    &GEMINI_TYPE_LIST,
    &GEMINI_ENUM,
    &GEMINI_FORMAT,
    &GEMINI_EMPTY_OBJECT,
];

/// The rule with this id.
pub fn named(id: &str) -> Option<&'static Rule> {
    ALL.into_iter().find(|rule| rule.id == id)
}
