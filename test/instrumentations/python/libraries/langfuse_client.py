"""OpenAI's client of Langfuse and its decorator."""

from langfuse import Langfuse, observe, propagate_attributes
from langfuse.openai import OpenAI
from openai import BadRequestError
from tracing import MODEL_URL, exporter, finish, remember
from opentelemetry.sdk.trace import TracerProvider
from weather import DESCRIPTION, QUESTION, SCHEMA, SESSION, get_weather

TOOL = {"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": SCHEMA}}


@observe(as_type="tool", name="get_weather")
def look_up(city):
    return get_weather(city)


@observe(name="answer question")
def answer(client):
    with propagate_attributes(session_id=SESSION, user_id="user-9"):
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
    provider = TracerProvider()
    Langfuse(public_key="pk", secret_key="sk", tracer_provider=provider, span_exporter=exporter())
    remember(provider)
    answer(OpenAI(base_url=MODEL_URL, api_key="unused", max_retries=0))
    finish(provider)


main()
