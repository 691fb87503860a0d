/** Introduction of the document, which explains how the tables are applied. */
export const MAPPING_HEAD = `# Mapping of span attributes

\`POST /opentelemetry/v1/traces\` makes one event of each span, whichever library sent it. This page is generated from the rules of the mapping.

## How the lists are read

An item is a field of the event, with the attributes that are stored in it in order of precedence. _Own key_ means that the attribute also stays in
\`metadata\` under its name. A section without "when detected" applies to every span.

- **Precedence.** For each field the first non-empty value wins, in the order of this page; [some fields](#explicit-precedence) have an order of their own.
  Span attributes win over span events. Empty values (\`""\`, \`[]\`, \`{}\`, \`null\`, messages without content) never win over others.
- **Conservation.** Every value of a span is in its event, with [few exceptions](#exceptions-of-conservation). What an outranked attribute carries beyond the
  event is stored in \`metadata\` under its key: the attribute or, of an object, a list or JSON text, the members that are nowhere else. Outranked ids
  and names are stored unchanged. Fields of messages, parts and tool calls that the stored form does not have are in \`details\` of the message.
- **Families.** \`a.*\` matches every attribute with the prefix \`a.\`; flattened values (\`a.0.b\`) are unflattened, JSON text and key-value lists are read.
- **Unmapped attributes** keep their key and type in \`metadata\`, or are \`attributes.<key>\` where the key is already used.
- **Protocol fields.** Kind, status, scope, resource, links, span events and dropped counts are in \`metadata.otel\`; ids in \`metadata.trace_id\`,
  \`metadata.span_id\` and \`metadata.parent_span_id\` too.
- **Log records.** \`metadata.severity_number\` and \`metadata.severity_text\` are the highest severity of the log records of an event; their resource and scope
  are in \`metadata.otel\`. They never replace what the span states; other values are in \`metadata.log_content\`.
- **Large values.** Of an event above 10 MB the largest values are replaced by \`{"assay_truncated": {"bytes", "sha256", "preview"}}\`, counted in
  \`metadata.truncated_values\`.
- **Invalid values.** An attribute that cannot be parsed is stored unchanged. A span with an invalid id is rejected alone and counted in the response.

## Event type

\`model\`, \`tool\`, \`chain\` or \`session\`, from the attributes of [Explicit precedence](#explicit-precedence). Otherwise a span is a tool if it names a
tool, a model if it names a model, a tool if its kind is client or producer, else a chain.

## Inputs and outputs

The messages of a model are \`inputs.chat_history\`, a list of \`{role, content, tool_calls?, tool_call_id?, reasoning?}\`. Its response is flattened into
\`outputs\` (\`role\`, \`content\`, \`tool_calls\`, \`finish_reason\`); further choices are in \`outputs.choices\`. For other events an object is stored unchanged, any
other value as \`{"value": …}\`.

- An object without a field of a message is the input or output itself, whichever attribute holds it. Texts in a \`chat_history\` become messages.
- Of messages whose JSON was cut at a length limit, those before the cut are read, with the fields before them. The rest stays under the key of the
  attribute, which \`metadata.truncated\` names.
- The items of one response of the Responses API (reasoning, message, calls) are one message. Calls have the id that results name; the id of an item is its
  \`item_id\`.
- Of a whole request, \`messages\`, \`input\` or \`contents\` are the messages, and \`system\` or \`instructions\` the system message before them.
- System instructions precede the inputs and never replace them.
- Messages that an attribute states without content or ids are completed from the whole input or output of the span, if it has messages of the same roles.

## Ids

- \`event_id\` is derived from project, trace id and span id, so sending a span again updates the same event. \`honeyhive_event_id\` overrides it.
- Two spans with one span id, of which one is SERVER or CONSUMER and the other is not, are two events. Children, log records and links that name the id mean
  the serving one, whose parent is the other; \`metadata.calling_event_id\` and \`metadata.serving_event_id\` connect them. Of finished spans with one id and one
  side in one request, the one that ends last is stored; the others are counted in the response unless they are equal.
- \`parent_id\` is the event id of the parent span, of a root span the parent that it names, else its session.
- \`children_ids\` is computed on reading: events whose parent it is, by start time, at most 1,000; then children named by a client that have not arrived. A
  search for \`children_ids\` matches only children named by a client.
- \`session_id\` is a UUID as sent. Any other text determines a derived UUID and is stored in \`metadata.session_key\`. A span without a session uses that of its
  nearest ancestor, else that of its trace, else one derived from the trace id.
- A session that no client sent is synthesised with its first event and has its \`metadata.session_key\`, unless a span sets \`honeyhive.session_auto_create\` to
  \`false\`.

## Tokens and cost

- \`prompt_tokens\` includes tokens read from and written to a cache, \`completion_tokens\` includes reasoning. Cached, reasoning or tool tokens that a library
  reports beside the input and output (the total tells, else a part larger than its sum, else the library) are added; the sent counts are in
  \`metadata.usage_details\`, and a total that leaves such a part out is replaced by the sum. A total that no reading of the parts explains is kept, with \`metadata.usage_unreconciled\` \`true\`.
- Usage objects of OpenAI, Anthropic, Gemini, Bedrock, Cohere, LangChain and LiteLLM are read in any attribute.
- Counts on events other than model events are sums over their descendants and are stored in \`metadata.aggregate_usage\`.
- \`cost\` is in US dollars: the total of \`langfuse.observation.cost_details\`, else \`llm.cost.total\`, \`gen_ai.usage.cost\`, \`gen_ai.cost.total_cost\`,
  \`operation.cost\`, another spelling listed below, or the value in \`ai.response.providerMetadata\`. A reported 0 is 0. Costs that are reported in parts only
  are added. An unreported cost is [estimated](sending-data.md#cost).
- A session aggregates its model events. Of two model events, one below the other without a model call between, only the inner one counts if they have the
  same response, or the same counts and a model that is equal without prefixes, regions and dates. A reported cost of the outer one wins over an estimated one.
- An aggregate counts if no model event below it reports the amount and no counted aggregate or model event is above it. While intermediate events are
  missing, events of the same trace are treated as descendants of its root. Sessions of more than 20,000 events aggregate all their model events.

## Errors

\`error\` is set when the status is ERROR, or is unset and the span has an error type. Its text is the first of: status message, message of the latest
exception, error message, message of an exception sent as a log event, type. Status OK and handled exceptions are not errors. \`metadata.error_type\` and
\`metadata.error_stack\` are type and stack.

## Times

Unix milliseconds with a fraction. The duration is computed from nanoseconds. A span without an end is marked \`metadata.otel.unfinished\`.

## Exceptions of conservation

- Placeholders of absent values (\`null\`, \`None\`, \`undefined\`, \`N/A\`, \`<not specified>\`, empty texts, lists and objects) are not stored.
- Numbers and booleans as text become numbers and booleans; texts in JSON quotes lose them.
- Times to the first token or chunk become milliseconds, as in \`metadata.time_to_first_token_ms\`.
- Bytes of media as JSON (\`{"0": 137, …}\`, \`{"type": "Buffer", …}\`) become a data URL in \`url\` of the part.
- \`lc\`, \`type\` and \`id\` of a serialised LangChain class become the role of the message.
- Input tokens without cached tokens become \`metadata.prompt_tokens\` with them; the sent count is \`usage_details.no_cache_input\`.
- Ids of events, parents and sessions become lower-case UUIDs. Tags as one text are split at commas.
- Role, type and index of messages, parts and calls, and name and time of a span event that is a message, become common role names and positions.
- Project attributes, \`honeyhive.session_auto_create\` and placeholders of running spans of Logfire are not stored.`;
