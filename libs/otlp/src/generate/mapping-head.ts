/** Introduction of the document, which explains how the tables are applied. */
export const MAPPING_HEAD = `# Where an attribute of a span goes

\`POST /opentelemetry/v1/traces\` takes spans of any library. Each becomes one event. This page is generated from the tables that do it; look an
attribute up below.

## How the tables are applied

- **Which tables hold.** The attributes of a span show which conventions it follows, never its library's name. A table that holds "where a sign is
  seen" needs one of its signs on the span; the others hold on every span.
- **Precedence.** Several attributes may say the same thing. For each field of the event the first one that says something wins, convention by
  convention in the order of this page, row by row within a table; attributes of the span come before those of its span events. Empty values (\`""\`,
  \`[]\`, \`{}\`, \`null\`) never win. Ids and names that lose against another value stay in \`metadata\`. Where the order is another one, it is
  listed under [Orders of their own](#orders-of-their-own).
- **Families.** \`a.*\` stands for every attribute that begins with \`a.\`; flattened values (\`a.0.b\`) are rebuilt.
- **Leftovers.** What no row understands stays in \`metadata\` under its own key with its own type. What finds its key taken is kept as
  \`attributes.<key>\`.
- **Protocol facts.** Kind, status, scope, resource, links, span events and dropped counts are in \`metadata.otel\`; \`metadata.trace_id\`,
  \`metadata.span_id\` and \`metadata.parent_span_id\` stand alone.
- **Broken values.** An attribute that cannot be read stays as it was sent and loses nothing else. A span with an invalid id is rejected alone and
  counted in the answer.

## Event type

\`model\`, \`tool\`, \`chain\` or \`session\`: what the attributes say, in the order listed below. A span that says nothing is a tool when it names a
tool, a model when it names a model, a tool when it is a client's or a producer's call, else a chain.

## Inputs and outputs

A model's messages are \`inputs.chat_history\`, a list of \`{role, content, tool_calls?, tool_call_id?, reasoning?}\`; its answer is flattened into
\`outputs\` (\`role\`, \`content\`, \`tool_calls\`, \`finish_reason\`), further answers are in \`outputs.choices\`. Elsewhere an object is taken as it is, and anything
else becomes \`{"value": …}\`.

## Ids

- \`event_id\` is made from project, trace and span: sending a span again changes the same event. \`honeyhive_event_id\` sets another one.
- \`parent_id\` is the event of the parent span, whether or not it has arrived; a root hangs below the parent it names, else below its session.
- \`children_ids\` is worked out when an event is read: the events that name it as their parent, by start, at most 1,000; then those that a client has named
  as its children and that have not come. A search for \`children_ids\` sees only what clients have named.
- \`session_id\` is a UUID as sent; any other text gives the same UUID every time and stays in \`metadata.session_key\`. A span that names no session takes
  that of its nearest ancestor, else that of its trace, else one made from the trace id.
- A session that nobody sent is made with the first of its events, unless a span says \`honeyhive.session_auto_create\` \`false\`.
- The project is always that of the key.

## Tokens and cost

\`prompt_tokens\` includes tokens read from and written to a cache, \`completion_tokens\` includes reasoning. Where a library reports the input without the cache
(seen by the total, or by a cache larger than the input), the cache is added. Counts on anything but a model are sums over what happened
below: they are in \`metadata.aggregate_usage\`. \`cost\` is in US dollars: the total of \`langfuse.observation.cost_details\`, else
\`llm.cost.total\`, \`gen_ai.usage.cost\`, \`gen_ai.cost.total_cost\`, \`operation.cost\`, or what \`ai.response.providerMetadata\` says; a reported 0 is 0. Where
nobody says it, it is estimated from the prices of known models and marked \`metadata.cost_source\` \`estimated\`; \`PRICE_TABLE_FILE\` replaces the prices.

A session adds up its model events. Where a model event stands directly below another of the same response, or of the same model and counts, the inner one
counts. A sum counts where no model event below it reports the amount, and where it is no part of a sum or a model event above it that counts. While events
between them are missing, what belongs to the same trace counts as below its top. Sessions of more than 20,000 events add up their model events as they are.

## Errors

\`error\` is set when the status is ERROR, or is unset and the span names an error type. Its text is the status message, else the message of the latest exception,
else an error message, else the type. A status of OK and handled exceptions are no errors. Kind and stack are \`metadata.error_type\` and \`metadata.error_stack\`.

## Times

Unix milliseconds with a fraction. The duration is computed from nanoseconds. A span without an end is marked \`metadata.otel.unfinished\`.`;
