"""An agent of smolagents, instrumented by OpenInference."""

from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import LogLevel, OpenAIServerModel, ToolCallingAgent, tool
from smolagents.utils import AgentGenerationError
from tracing import MODEL_URL, finish, start_tracing
from weather import QUESTION, SESSION, get_weather


def agent(model, tools=()):
    client = OpenAIServerModel(model, api_base=MODEL_URL, api_key="unused", client_kwargs={"max_retries": 0}, retry=False)
    return ToolCallingAgent(tools=list(tools), model=client, verbosity_level=LogLevel.OFF, max_steps=3)


def main():
    provider = start_tracing()
    SmolagentsInstrumentor().instrument(tracer_provider=provider)
    with provider.get_tracer("shop").start_as_current_span("answer question", attributes={"session.id": SESSION}):
        agent("gpt-4o", [tool(get_weather)]).run(QUESTION)
        try:
            agent("broken").run("Are you there?")
        except AgentGenerationError:
            pass
    finish(provider)


main()
