/** The page at `/`, a template of nunjucks. Every value is escaped. */
export const START_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Assay {{ version }}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8888; border-radius: 4px }
</style>
</head>
<body>
<h1>Assay {{ version }}</h1>
<p>Assay stores traces of LLM applications and evaluates them. This is the address of its API, which programs call with an API key;
it has no pages besides this one.</p>
<ul>
<li><a href="/openapi.json">/openapi.json</a>: every route, as an OpenAPI document</li>
<li><a href="/version">/version</a>: the version that runs</li>
<li><code>docs/</code> of the repository: guides, from the first event to experiments and evaluators</li>
</ul>
{% if takesEvents %}
<h2>Send an event, and find it</h2>
<p>The first start prints the key of the first project. <code>npx assay keys create</code> in the repository makes another one.</p>
<pre><code>export ASSAY_API_KEY='the key'

curl {{ address }}/v1/events \\
  -H "Authorization: Bearer $ASSAY_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"event_type": "model", "event_name": "greet", "inputs": {"question": "Hello?"}, "outputs": {"answer": "Hi!"}}'

curl {{ address }}/v1/events/search \\
  -H "Authorization: Bearer $ASSAY_API_KEY" -H 'Content-Type: application/json' -H 'Prefer: wait=2' \\
  -d '{"filters": [{"field": "event_name", "operator": "is", "value": "greet"}]}'</code></pre>
<h2>Send traces of OpenTelemetry</h2>
<p>Most SDKs read these variables:</p>
<pre><code>export OTEL_EXPORTER_OTLP_ENDPOINT={{ address }}/opentelemetry
export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20$ASSAY_API_KEY"
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf</code></pre>
{% endif %}
</body>
</html>
`;
