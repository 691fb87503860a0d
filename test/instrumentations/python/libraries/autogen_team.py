"""A team of AutoGen with its own spans, on a runtime that sends a message between agents for each step."""

import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_core import SingleThreadedAgentRuntime
from autogen_ext.models.openai import OpenAIChatCompletionClient
from tracing import MODEL_URL, finish, start_tracing
from weather import QUESTION, get_weather


async def converse(provider):
    client = OpenAIChatCompletionClient(model="gpt-4o", base_url=MODEL_URL, api_key="unused", max_retries=0)
    agent = AssistantAgent("forecaster", client, tools=[get_weather], reflect_on_tool_use=True, system_message="Be brief.")
    runtime = SingleThreadedAgentRuntime(tracer_provider=provider)
    runtime.start()
    team = RoundRobinGroupChat([agent], runtime=runtime, termination_condition=MaxMessageTermination(2))
    await team.run(task=QUESTION)
    await runtime.stop()


def main():
    provider = start_tracing()
    asyncio.run(converse(provider))
    finish(provider)


main()
