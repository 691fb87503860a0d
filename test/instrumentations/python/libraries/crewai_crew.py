"""A crew of CrewAI, instrumented by OpenInference, and its model by OpenInference's instrumentation of OpenAI's client."""

import os

os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
os.environ["CREWAI_TRACING_ENABLED"] = "false"
from crewai import LLM, Agent, Crew, Task  # noqa: E402
from crewai.tools import tool  # noqa: E402
from openinference.instrumentation.crewai import CrewAIInstrumentor  # noqa: E402
from openinference.instrumentation.openai import OpenAIInstrumentor  # noqa: E402
from tracing import MODEL_URL, finish, start_tracing  # noqa: E402
from weather import QUESTION, SESSION, get_weather  # noqa: E402


def crew(model, question, tools=()):
    llm = LLM(model="openai/" + model, base_url=MODEL_URL, api_key="unused", temperature=0.375, max_retries=0)
    agent = Agent(role="forecaster", goal="Be brief.", backstory="None.", llm=llm, tools=list(tools), max_retry_limit=0)
    task = Task(description=question, expected_output="A sentence", agent=agent)
    return Crew(agents=[agent], tasks=[task])


def main():
    provider = start_tracing()
    CrewAIInstrumentor().instrument(tracer_provider=provider)
    OpenAIInstrumentor().instrument(tracer_provider=provider)
    with provider.get_tracer("shop").start_as_current_span("answer question", attributes={"session.id": SESSION}):
        crew("gpt-4o", QUESTION, [tool("get_weather")(get_weather)]).kickoff()
        try:
            crew("broken", "Are you there?").kickoff()
        except Exception as failure:
            assert "the model is broken" in str(failure)
    finish(provider)


main()
