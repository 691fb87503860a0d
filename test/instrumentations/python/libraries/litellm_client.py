"""LiteLLM with its own OpenTelemetry callback."""

import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["USE_OTEL_LITELLM_REQUEST_SPAN"] = "True"
os.environ["OTEL_EXPORTER"] = "otlp_http"
os.environ["OTEL_ENDPOINT"] = os.environ["ASSAY_URL"] + "/opentelemetry/v1/traces"
os.environ["OTEL_HEADERS"] = "Authorization=Bearer " + os.environ["ASSAY_API_KEY"]

import litellm  # noqa: E402
from tracing import MODEL_URL, finish, start_tracing  # noqa: E402
from weather import DESCRIPTION, QUESTION, SCHEMA, SESSION, get_weather  # noqa: E402

TOOL = {"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": SCHEMA}}
SERVER = {"api_base": MODEL_URL, "api_key": "unused", "num_retries": 0}


def main():
    provider = start_tracing()
    litellm.callbacks = ["otel"]
    with provider.get_tracer("shop").start_as_current_span("answer question", attributes={"session.id": SESSION}):
        history = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]
        message = litellm.completion("openai/gpt-4o", history, tools=[TOOL], temperature=0.375, **SERVER).choices[0].message
        history.append(message.model_dump(exclude_none=True))
        history.append({"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": get_weather("Oslo")})
        litellm.completion("openai/gpt-4o", history, tools=[TOOL], **SERVER)
        try:
            litellm.completion("openai/broken", [{"role": "user", "content": "Are you there?"}], **SERVER)
        except litellm.BadRequestError:
            pass
    finish(provider)


main()
