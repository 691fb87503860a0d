"""An agent of Strands with its own spans."""

import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
from openai import BadRequestError  # noqa: E402
from strands import Agent, tool  # noqa: E402
from strands.models.openai import OpenAIModel  # noqa: E402
from tracing import MODEL_URL, finish, start_tracing  # noqa: E402
from weather import QUESTION, SESSION, get_weather  # noqa: E402


def agent(model, tools=()):
    client = OpenAIModel(
        client_args={"base_url": MODEL_URL, "api_key": "unused", "max_retries": 0}, model_id=model, params={"temperature": 0.375}
    )
    return Agent(
        model=client, tools=list(tools), name="forecaster", system_prompt="Be brief.", callback_handler=None, trace_attributes={"session.id": SESSION}
    )


def main():
    provider = start_tracing()
    agent("gpt-4o", [tool(get_weather)])(QUESTION)
    try:
        agent("broken")("Are you there?")
    except BadRequestError:
        pass
    finish(provider)


main()
