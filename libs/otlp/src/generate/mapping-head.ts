/** Introduction of the document, which explains how the tables are applied. */
export const MAPPING_HEAD = `# Mapping of span attributes

\`POST /opentelemetry/v1/traces\` accepts spans of any library. Each span becomes one event. This page is generated from the mapping tables.

## How the tables are applied

- **Detection.** The attributes of a span determine which conventions it follows, independent of the library name. A table marked "when detected"
  applies only if the span has one of its detection keys; the other tables apply to every span.
- **Precedence.** Several attributes may carry the same fact. For each event field the first non-empty value wins, in the order of the conventions on
  this page and of the rows in a table. Span attributes take precedence over span events. Empty values (\`""\`,
  \`[]\`, \`{}\`, \`null\`, messages without content) never win over others. [Explicit precedence](#explicit-precedence) lists the exceptions.
- **Conservation.** Every value of a span is in its event. What an outranked attribute carries beyond the event is stored in \`metadata\` under the key of
  the attribute: the attribute itself, or, of an object, a list or JSON text, the members that are nowhere else. Outranked ids and names are stored unchanged.
  Fields of messages, parts and tool calls that the stored form does not have are in \`details\` of the message. [Exceptions](#exceptions-of-conservation).
- **Families.** \`a.*\` matches every attribute with the prefix \`a.\`; flattened values (\`a.0.b\`) are unflattened.
- **Unmapped attributes** are stored in \`metadata\` under their own key with their own type. If the key is already used, the attribute is stored as
  \`attributes.<key>\`.
- **Protocol fields.** Kind, status, scope, resource, links, span events and dropped counts are in \`metadata.otel\`. \`metadata.trace_id\`,
  \`metadata.span_id\` and \`metadata.parent_span_id\` are also stored separately.
- **Log records.** The highest severity of the log records of an event is \`metadata.severity_number\` and \`metadata.severity_text\`. Their resource
  and scope are in \`metadata.otel\` like those of spans. What the span states itself is never replaced; other values of log records are kept in
  \`metadata.log_content\`.
- **Large values.** Of an event above 10 MB the largest values are replaced by \`{"assay_truncated": {"bytes", "sha256", "preview"}}\`, and
  \`metadata.truncated_values\` counts them.
- **Invalid values.** An attribute that cannot be parsed is stored unchanged and affects nothing else. A span with an invalid id is rejected alone and
  counted in the response.

## Event type

\`model\`, \`tool\`, \`chain\` or \`session\`, from the attributes in the order listed below. Otherwise a span is a tool if it names a
tool, a model if it names a model, a tool if its kind is client or producer, else a chain.

## Inputs and outputs

The messages of a model are \`inputs.chat_history\`, a list of \`{role, content, tool_calls?, tool_call_id?, reasoning?}\`. Its response is flattened into
\`outputs\` (\`role\`, \`content\`, \`tool_calls\`, \`finish_reason\`); further choices are in \`outputs.choices\`. For other events an object is stored unchanged, and any
other value as \`{"value": …}\`. An object that has no field of a message is the input or output itself, whichever attribute holds it. Of messages whose JSON was cut at a
length limit, those before the cut are read, the rest stays under the key of the attribute, and \`metadata.truncated\` names the attribute. System instructions
precede the inputs and never replace them. Messages that an attribute states without content or ids are completed from the whole input or output of the
span, if it has messages of the same roles. Texts in a \`chat_history\` become messages.

## Ids

- \`event_id\` is derived from project, trace id and span id, so sending a span again updates the same event. \`honeyhive_event_id\` overrides it.
- Two spans with one span id, of which one is SERVER or CONSUMER and the other is not, are two events. Children, log records and links that name the id mean
  the serving one, whose parent is the other; \`metadata.calling_event_id\` and \`metadata.serving_event_id\` connect them. Of finished spans with one id and one
  side in one request, the one that ends last is stored, and the others are counted in the response unless they are equal.
- \`parent_id\` is the event id of the parent span, whether or not it has arrived. The parent of a root span is the one it names, else its session.
- \`children_ids\` is computed when an event is read: events whose parent it is, by start time, at most 1,000; then children named by a client that have not
  arrived. A search for \`children_ids\` matches only children named by a client.
- \`session_id\` is a UUID as sent. Any other text determines a derived UUID and is stored in \`metadata.session_key\`. A span without a session uses
  that of its nearest ancestor, else that of its trace, else one derived from the trace id.
- A session that no client sent is synthesised with its first event, and has its \`metadata.session_key\`, unless a span sets \`honeyhive.session_auto_create\` to \`false\`.
- The project is always that of the API key.

## Tokens and cost

\`prompt_tokens\` includes tokens read from and written to a cache, \`completion_tokens\` includes reasoning. If a library reports cached, reasoning or tool tokens
beside the input and output (the total tells, else a part larger than its sum, else the library), they are added, and the sent counts are kept in
\`metadata.usage_details\`. A total that no reading of the parts explains is kept, with \`metadata.usage_unreconciled\` \`true\`. Usage objects of OpenAI, Anthropic,
Gemini, Bedrock, Cohere, LangChain and LiteLLM are read by one reader, whichever attribute holds them. Costs that are reported in parts only are added. Counts on
events other than model events are sums over their descendants and are stored in \`metadata.aggregate_usage\`. \`cost\` is in US dollars: the total of \`langfuse.observation.cost_details\`, else
\`llm.cost.total\`, \`gen_ai.usage.cost\`, \`gen_ai.cost.total_cost\`, \`operation.cost\`, another spelling
of the tables, or the value in \`ai.response.providerMetadata\`; a reported 0 is 0. If no cost
is reported, it is estimated from the prices of known models and flagged with \`metadata.cost_source\` \`estimated\`; \`PRICE_TABLE_FILE\` replaces the prices.

A session aggregates its model events. If a model event is below another, with no model call between, and has the same response, or the same counts and a model that
is equal without prefixes, regions and dates, only the inner one counts; a reported cost of the outer one wins over an estimated one. An aggregate counts if no model event below it reports the amount and no counted aggregate or model event is above it. While intermediate events
are missing, events of the same trace are treated as descendants of its root. Sessions of more than 20,000 events aggregate all their model events.

## Errors

\`error\` is set when the status is ERROR, or is unset and the span has an error type. Its text is the status message, else the message of the latest exception,
else an error message, else the message of an exception that was sent as a log event, else the type. Status OK and handled exceptions are not errors. Error type and stack are \`metadata.error_type\` and \`metadata.error_stack\`.

## Times

Unix milliseconds with a fraction. The duration is computed from nanoseconds. A span without an end is marked \`metadata.otel.unfinished\`.

## Exceptions of conservation

| Value | Stored as | Reason |
|---|---|---|
| \`null\`, \`None\`, \`undefined\`, \`N/A\`, \`<not specified>\`, empty texts, lists and objects | nothing | Placeholders of absent values |
| Numbers and booleans as text; texts in JSON quotes | number or boolean; text | Values are typed |
| \`…time_to_first_chunk\`, \`…time_to_first_token\`, \`langfuse.observation.completion_start_time\` and their kind | \`metadata.time_to_first_token_ms\` and others | Seconds, nanoseconds and times become milliseconds |
| Bytes of media as JSON: \`{"0": 137, …}\`, \`{"type": "Buffer", …}\` | data URL in \`url\` of the part | A medium that can be shown |
| \`lc\`, \`type\` and \`id\` of a serialised LangChain class | role of the message | Shape, not content |
| Input tokens without cached tokens | \`metadata.prompt_tokens\` with them | The sent count is \`usage_details.no_cache_input\` |
| Ids of events, parents and sessions | lower-case UUID | One spelling of an id |
| Tags as one text | list | Split at commas |
| Role, type and index of messages, parts and calls | common role name, position | Shape, not content |
| Name and time of a span event that is a message | position of the message | Shape, not content |
| Project attributes, \`honeyhive.session_auto_create\` | nothing | The API key determines the project; the flag acts on the session |
| Placeholders of running spans of Logfire | nothing | The finished span follows |`;
