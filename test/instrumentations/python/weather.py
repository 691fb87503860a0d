"""The question that every program asks, and the tool that it offers."""

import os

SESSION = os.environ["SESSION"]
QUESTION = "What is the weather in Oslo?"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
DESCRIPTION = "Tells the weather of a city"


def get_weather(city: str) -> str:
    """Tells the weather of a city.

    Args:
        city: Name of the city.
    """
    return "12 degrees"
