"""OpenAI's client with MLflow's tracing, which sends by OTLP when the environment names an endpoint."""

import os

os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = os.environ["ASSAY_URL"] + "/opentelemetry/v1/traces"
os.environ["OTEL_EXPORTER_OTLP_TRACES_HEADERS"] = "Authorization=Bearer " + os.environ["ASSAY_API_KEY"]
os.environ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] = "http/protobuf"

os.environ["MLFLOW_TRACKING_URI"] = "http://127.0.0.1:9"

import mlflow  # noqa: E402
from openai import BadRequestError, OpenAI  # noqa: E402
from tracing import MODEL_URL, finish, remember  # noqa: E402
from weather import DESCRIPTION, QUESTION, SCHEMA, SESSION, get_weather  # noqa: E402

TOOL = {"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": SCHEMA}}


@mlflow.trace(span_type="TOOL", name="get_weather")
def look_up(city):
    return get_weather(city)


@mlflow.trace(name="answer question")
def answer(client):
    mlflow.get_current_active_span().set_attribute("session.id", SESSION)
    history = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]
    message = client.chat.completions.create(model="gpt-4o", messages=history, tools=[TOOL], temperature=0.375).choices[0].message
    call = message.tool_calls[0]
    history.append(message.model_dump(exclude_none=True))
    history.append({"role": "tool", "tool_call_id": call.id, "content": look_up(city="Oslo")})
    text = client.chat.completions.create(model="gpt-4o", messages=history, tools=[TOOL]).choices[0].message.content
    try:
        client.chat.completions.create(model="broken", messages=[{"role": "user", "content": "Are you there?"}])
    except BadRequestError:
        pass
    return text


def main():
    mlflow.openai.autolog()
    from mlflow.tracing.provider import provider as tracing

    tracing.get_or_init_tracer("shop")
    remember(tracing.get())
    answer(OpenAI(base_url=MODEL_URL, api_key="unused", max_retries=0))
    finish(tracing.get())


main()
