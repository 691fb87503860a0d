"""An agent of LangGraph with LangChain's model, traced by the library named in the first argument."""

import os
import sys

TRACED_BY = sys.argv[1]
if TRACED_BY == "langsmith":
    os.environ["LANGSMITH_TRACING"] = "true"
    os.environ["LANGSMITH_OTEL_ENABLED"] = "true"
    os.environ["LANGSMITH_OTEL_ONLY"] = "true"
    os.environ["LANGSMITH_API_KEY"] = "unused"

from langchain.agents import create_agent  # noqa: E402
from langchain_core.prompts import ChatPromptTemplate  # noqa: E402
from langchain_core.tools import tool  # noqa: E402
from langchain_openai import ChatOpenAI  # noqa: E402
from openai import BadRequestError  # noqa: E402
from tracing import MODEL_URL, finish, start_tracing  # noqa: E402
from weather import QUESTION, SESSION, get_weather  # noqa: E402


def instrument(provider):
    if TRACED_BY == "openinference":
        from openinference.instrumentation.langchain import LangChainInstrumentor

        LangChainInstrumentor().instrument(tracer_provider=provider)
    elif TRACED_BY == "openllmetry":
        from opentelemetry.instrumentation.langchain import LangchainInstrumentor

        LangchainInstrumentor().instrument(tracer_provider=provider)


def chat(model):
    return ChatOpenAI(model=model, base_url=MODEL_URL, api_key="unused", max_retries=0, temperature=0.375)


def main():
    provider = start_tracing()
    instrument(provider)
    agent = create_agent(chat("gpt-4o"), [tool(get_weather)], system_prompt="Be brief.")
    config = {"metadata": {"session_id": SESSION}}
    agent.invoke({"messages": [("user", QUESTION)]}, config=config)
    template = ChatPromptTemplate.from_messages([("system", "Be {style}."), ("user", "How is {city}?")])
    template.invoke({"style": "brief", "city": "Oslo"}, config=config)
    try:
        chat("broken").invoke("Are you there?", config=config)
    except BadRequestError:
        pass
    if TRACED_BY == "langsmith":
        from langchain_core.tracers.langchain import wait_for_all_tracers
        from langsmith.run_trees import get_cached_client

        wait_for_all_tracers()
        get_cached_client().flush()
    finish(provider)


main()
