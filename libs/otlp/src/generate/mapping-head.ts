/** Introduction of the document, which explains how the tables are applied. */
export const MAPPING_HEAD = `# Mapping of span attributes

\`POST /opentelemetry/v1/traces\` accepts spans of any library. Each span becomes one event. This page is generated from the mapping tables.

## How the tables are applied

- **Detection.** The attributes of a span determine which conventions it follows, independent of the library name. A table marked "when detected"
  applies only if the span has one of its detection keys; the other tables apply to every span.
- **Precedence.** Several attributes may carry the same fact. For each event field the first non-empty value wins, in the order of the conventions on
  this page and of the rows in a table. Span attributes take precedence over span events. Empty values (\`""\`,
  \`[]\`, \`{}\`, \`null\`) never win. Ids and names that are outranked remain in \`metadata\`. [Explicit precedence](#explicit-precedence) lists the
  exceptions.
- **Families.** \`a.*\` matches every attribute with the prefix \`a.\`; flattened values (\`a.0.b\`) are unflattened.
- **Unmapped attributes** are stored in \`metadata\` under their own key with their own type. If the key is already used, the attribute is stored as
  \`attributes.<key>\`.
- **Protocol fields.** Kind, status, scope, resource, links, span events and dropped counts are in \`metadata.otel\`. \`metadata.trace_id\`,
  \`metadata.span_id\` and \`metadata.parent_span_id\` are also stored separately.
- **Invalid values.** An attribute that cannot be parsed is stored unchanged and affects nothing else. A span with an invalid id is rejected alone and
  counted in the response.

## Event type

\`model\`, \`tool\`, \`chain\` or \`session\`, from the attributes in the order listed below. Otherwise a span is a tool if it names a
tool, a model if it names a model, a tool if its kind is client or producer, else a chain.

## Inputs and outputs

The messages of a model are \`inputs.chat_history\`, a list of \`{role, content, tool_calls?, tool_call_id?, reasoning?}\`. Its response is flattened into
\`outputs\` (\`role\`, \`content\`, \`tool_calls\`, \`finish_reason\`); further choices are in \`outputs.choices\`. For other events an object is stored unchanged, and any
other value as \`{"value": …}\`.

## Ids

- \`event_id\` is derived from project, trace id and span id, so sending a span again updates the same event. \`honeyhive_event_id\` overrides it.
- \`parent_id\` is the event id of the parent span, whether or not it has arrived. The parent of a root span is the one it names, else its session.
- \`children_ids\` is computed when an event is read: events whose parent it is, by start time, at most 1,000; then children named by a client that have not
  arrived. A search for \`children_ids\` matches only children named by a client.
- \`session_id\` is a UUID as sent. Any other text determines a derived UUID and is stored in \`metadata.session_key\`. A span without a session uses
  that of its nearest ancestor, else that of its trace, else one derived from the trace id.
- A session that no client sent is synthesised with its first event, unless a span sets \`honeyhive.session_auto_create\` to \`false\`.
- The project is always that of the API key.

## Tokens and cost

\`prompt_tokens\` includes tokens read from and written to a cache, \`completion_tokens\` includes reasoning. If a library reports input tokens without cached tokens
(detected from the total, or from a cache count larger than the input), the cached tokens are added. Counts on events other than model events are sums over their
descendants and are stored in \`metadata.aggregate_usage\`. \`cost\` is in US dollars: the total of \`langfuse.observation.cost_details\`, else
\`llm.cost.total\`, \`gen_ai.usage.cost\`, \`gen_ai.cost.total_cost\`, \`operation.cost\`, or the value in \`ai.response.providerMetadata\`; a reported 0 is 0. If no cost
is reported, it is estimated from the prices of known models and flagged with \`metadata.cost_source\` \`estimated\`; \`PRICE_TABLE_FILE\` replaces the prices.

A session aggregates its model events. If a model event is the direct child of another with the same response, or with the same model and counts, only the inner one
counts. An aggregate counts if no model event below it reports the amount and no counted aggregate or model event is above it. While intermediate events
are missing, events of the same trace are treated as descendants of its root. Sessions of more than 20,000 events aggregate all their model events.

## Errors

\`error\` is set when the status is ERROR, or is unset and the span has an error type. Its text is the status message, else the message of the latest exception,
else an error message, else the type. Status OK and handled exceptions are not errors. Error type and stack are \`metadata.error_type\` and \`metadata.error_stack\`.

## Times

Unix milliseconds with a fraction. The duration is computed from nanoseconds. A span without an end is marked \`metadata.otel.unfinished\`.`;
