"""An agent of the user's own: it answers with the topic, and with a variable of its deployment."""

import os
from typing import TypedDict

from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph


class State(TypedDict, total=False):
    topic: str
    answer: str


def respond(state: State) -> State:
    get_stream_writer()({"progress": 100})
    return {"answer": f"{os.environ.get('GREETING', 'Hi')} {state['topic']}"}


graph = StateGraph(State).add_node("respond", respond).add_edge(START, "respond").add_edge("respond", END).compile()
