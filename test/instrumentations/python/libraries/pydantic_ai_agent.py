"""An agent of Pydantic AI with its own spans."""

from pydantic_ai import Agent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from tracing import MODEL_URL, finish, start_tracing
from weather import QUESTION, SESSION, get_weather


def main():
    provider = start_tracing()
    settings = InstrumentationSettings(tracer_provider=provider)
    models = OpenAIProvider(base_url=MODEL_URL, api_key="unused")

    def agent(model, tools=()):
        return Agent(
            OpenAIChatModel(model, provider=models), name="forecaster", system_prompt="Be brief.", tools=tools, capabilities=[Instrumentation(settings=settings)]
        )

    agent("gpt-4o", [get_weather]).run_sync(QUESTION, model_settings={"temperature": 0.375}, conversation_id=SESSION)
    try:
        agent("broken").run_sync("Are you there?", conversation_id=SESSION)
    except ModelHTTPError:
        pass
    finish(provider)


main()
