"""Anthropic's client, instrumented by the library named in the first argument."""

import os
import sys

INSTRUMENTATION = sys.argv[1]
if INSTRUMENTATION == "genai":
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "span_only"

from anthropic import Anthropic, BadRequestError  # noqa: E402
from tracing import MODEL_SERVER, finish, start_tracing  # noqa: E402
from weather import DESCRIPTION, QUESTION, SCHEMA, SESSION, get_weather  # noqa: E402

TOOL = {"name": "get_weather", "description": DESCRIPTION, "input_schema": SCHEMA}


def instrument(provider):
    if INSTRUMENTATION == "openinference":
        from openinference.instrumentation.anthropic import AnthropicInstrumentor
    elif INSTRUMENTATION == "openllmetry":
        from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor
    else:
        from opentelemetry.instrumentation.genai.anthropic import AnthropicInstrumentor
    AnthropicInstrumentor().instrument(tracer_provider=provider)


def main():
    provider = start_tracing()
    instrument(provider)
    client = Anthropic(base_url=MODEL_SERVER, api_key="unused", max_retries=0)
    history = [{"role": "user", "content": QUESTION}]
    settings = {"model": "claude-sonnet-4-5", "max_tokens": 256, "system": "Be brief.", "tools": [TOOL]}
    with provider.get_tracer("shop").start_as_current_span("answer question", attributes={"session.id": SESSION}):
        answer = client.messages.create(**settings, messages=history)
        call = answer.content[0]
        history.append({"role": "assistant", "content": answer.content})
        history.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": get_weather(**call.input)}]})
        client.messages.create(**settings, messages=history)
        try:
            client.messages.create(model="broken", max_tokens=256, messages=[{"role": "user", "content": "Are you there?"}])
        except BadRequestError:
            pass
    finish(provider)


main()
