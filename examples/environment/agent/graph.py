"""An agent that answers in the tone of its assistant."""

from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime


class State(TypedDict, total=False):
    topic: str
    answer: str


class Context(TypedDict, total=False):
    tone: str


def respond(state: State, runtime: Runtime[Context]) -> State:
    tone = (runtime.context or {}).get("tone", "plain")
    return {"answer": f"{tone}: {state['topic']}"}


builder = StateGraph(State, context_schema=Context).add_node("respond", respond)
graph = builder.add_edge(START, "respond").add_edge("respond", END).compile()
