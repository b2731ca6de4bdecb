"""An agent of the user's own: it answers in the tone of its assistant with the topic, and with a variable of its deployment."""

import os
from typing import TypedDict

from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime


class State(TypedDict, total=False):
    topic: str
    answer: str


class Context(TypedDict, total=False):
    tone: str


def respond(state: State, runtime: Runtime[Context]) -> State:
    get_stream_writer()({"progress": 100})
    tone = (runtime.context or {}).get("tone")
    answer = f"{os.environ.get('GREETING', 'Hi')} {state['topic']}"
    return {"answer": answer if tone is None else f"{tone}: {answer}"}


builder = StateGraph(State, context_schema=Context).add_node("respond", respond)
graph = builder.add_edge(START, "respond").add_edge("respond", END).compile()
