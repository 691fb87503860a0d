"""Has a conversation with the model server through OpenAI's client, instrumented by the library named in the first argument, and sends
the trace with the stock OTLP exporter. Prints the spans as the SDK saw them, one JSON object a line."""

import os
import sys

INSTRUMENTATION = sys.argv[1]
if INSTRUMENTATION in ("openai-v2", "genai"):
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "span_only"

from openai import BadRequestError, OpenAI  # noqa: E402
from tracing import MODEL_URL, finish, start_tracing  # noqa: E402

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Tells the weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}


def instrument(provider):
    if INSTRUMENTATION == "openinference":
        from openinference.instrumentation.openai import OpenAIInstrumentor
    elif INSTRUMENTATION == "openllmetry":
        from opentelemetry.instrumentation.openai import OpenAIInstrumentor
    elif INSTRUMENTATION == "genai":
        from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor
    else:
        from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
    OpenAIInstrumentor().instrument(tracer_provider=provider)


def converse(tracer):
    client = OpenAI(base_url=MODEL_URL, api_key="unused", max_retries=0)
    with tracer.start_as_current_span("answer question", attributes={"session.id": "conversation-7", "team": "support"}):
        client.chat.completions.create(
            model="gpt-4o",
            messages=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Grüße 🌍"}],
            temperature=0.375,
            max_tokens=256,
        )
        history = [{"role": "user", "content": "What is the weather in Oslo?"}]
        answer = client.chat.completions.create(model="gpt-4o", messages=history, tools=[WEATHER])
        call = answer.choices[0].message.tool_calls[0]
        history.append(answer.choices[0].message.model_dump(exclude_none=True))
        history.append({"role": "tool", "tool_call_id": call.id, "content": "12 degrees"})
        stream = client.chat.completions.create(
            model="gpt-4o", messages=history, tools=[WEATHER], stream=True, stream_options={"include_usage": True}
        )
        for _ in stream:
            pass
        client.embeddings.create(model="text-embedding-3-small", input=["first text", "second text"])
        try:
            client.chat.completions.create(model="broken", messages=[{"role": "user", "content": "Are you there?"}])
        except BadRequestError:
            pass


def main():
    provider = start_tracing()
    instrument(provider)
    converse(provider.get_tracer("shop"))
    finish(provider)


main()
