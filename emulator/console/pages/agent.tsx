import type { AgentAnswer, AgentLists } from "../ask";
import { Own, PlainTable, Region } from "../components/bits";

interface AgentProps {
  /** The deployment. */
  readonly id: string;
  readonly lists: AgentLists;
  readonly asked: AgentAnswer | undefined;
  /** Why it cannot be asked. */
  readonly silence: string | undefined;
}

/** The box to ask the agent of a deployment, its answer, and what it lists of itself. */
export const AgentPart = ({ id, lists: { assistants, crons }, asked, silence }: AgentProps) => (
  <div>
    <Region id="ask-title" name="Ask its agent" note={silence}>
      <form id="ask" method="post" action={`/console/deployments/${id}/ask`} aria-label="Ask the agent">
        <fieldset class="fields" disabled={silence !== undefined}>
          <div class="field wide">
            <label for="ask-question">Question</label>
            <textarea id="ask-question" name="question" rows={2} required maxlength={4000}>
              {asked?.question ?? ""}
            </textarea>
          </div>
          <div class="field">
            <label for="ask-graph">Graph</label>
            <Graphs all={[...new Set(assistants.map(([, graph]) => graph))].reverse()} chosen={asked?.graph} />
          </div>
          <button type="submit">Ask</button>
        </fieldset>
      </form>
      {asked === undefined ? null : (
        <pre id="answer" class={asked.hasFailed ? "problem" : "said"} role="status" tabindex={-1} autofocus>
          {asked.answer}
        </pre>
      )}
    </Region>
    <Listed id="assistants" name="Assistants" head={["Assistant", "Graph", "Id"]} rows={assistants} />
    <Listed id="crons" name="Crons" head={["Schedule", "Assistant", "Next run", "Id"]} rows={crons} />
  </div>
);

interface GraphsProps {
  readonly all: readonly string[];
  readonly chosen: string | undefined;
}

/** The graphs of the agent; to be typed where it does not list them. */
const Graphs = ({ all, chosen }: GraphsProps) =>
  all.length === 0 ? (
    <input id="ask-graph" type="text" name="graph" value={chosen ?? "agent"} required spellcheck={false} />
  ) : (
    <select id="ask-graph" name="graph">
      {all.map((graph) => (
        <option value={graph} selected={graph === chosen}>
          {graph}
        </option>
      ))}
    </select>
  );

interface ListedProps {
  readonly id: string;
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const Listed = ({ id, name, head, rows }: ListedProps) =>
  rows.length === 0 ? null : (
    <Region id={id} name={name} note={`${rows.length === 100 ? "the latest " : ""}${rows.length}`}>
      <PlainTable
        id={id}
        head={head}
        rows={rows.map((cells) => (
          <tr>
            {cells.map((text) => (
              <td>
                <Own text={text} />
              </td>
            ))}
          </tr>
        ))}
      />
    </Region>
  );
