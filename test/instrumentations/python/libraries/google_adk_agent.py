"""An agent of Google's ADK with its own spans. The model asks for two tools at once when the question has two cities."""

import asyncio
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.genai import errors, types
from tracing import MODEL_SERVER, finish, start_tracing
from weather import SESSION, get_weather

os.environ["GOOGLE_GEMINI_BASE_URL"] = MODEL_SERVER
os.environ["GOOGLE_API_KEY"] = "unused"


async def ask(model, question, tools):
    agent = LlmAgent(name="forecaster", model=model, instruction="Be brief.", tools=tools)
    runner = InMemoryRunner(agent, app_name="shop")
    await runner.session_service.create_session(app_name="shop", user_id="user-9", session_id=SESSION)
    message = types.Content(role="user", parts=[types.Part(text=question)])
    async for _ in runner.run_async(user_id="user-9", session_id=SESSION, new_message=message):
        pass


async def converse():
    await ask("gemini-2.5-flash", "What is the weather in Oslo and in Bergen?", [get_weather])
    try:
        await ask("gemini-2.5-flash", "Are you there?", [])
    except errors.ClientError:
        pass


def main():
    provider = start_tracing()
    asyncio.run(converse())
    finish(provider)


main()
