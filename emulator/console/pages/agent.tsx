import type { AgentAnswer, KeptByAgent } from "../ask";
import { Cells, PlainTable, Region } from "../components/bits";

interface AgentProps {
  readonly id: string;
  /** undefined where it was not asked for it. */
  readonly kept: KeptByAgent | undefined;
  readonly asked: AgentAnswer | undefined;
  /** Why it cannot be asked. */
  readonly silence: string | undefined;
}

const NOTHING: KeptByAgent = { graphs: [], lists: [] };

/** The box to ask the agent of a deployment, its answer, and what its server keeps. */
export const AgentPart = ({ id, kept: { graphs, lists } = NOTHING, asked, silence }: AgentProps) => (
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
            {graphs.length === 0 ? (
              <input id="ask-graph" type="text" name="graph" value={asked?.graph ?? "agent"} spellcheck={false} />
            ) : (
              <select id="ask-graph" name="graph">
                {graphs.map((graph) => (
                  <option value={graph} selected={graph === asked?.graph}>
                    {graph}
                  </option>
                ))}
              </select>
            )}
          </div>
          <button type="submit">Ask</button>
        </fieldset>
      </form>
      {asked === undefined ? null : (
        <pre id="answer" class={asked.hasFailed ? "problem" : undefined} role="status" tabindex={-1} autofocus>
          {asked.answer}
        </pre>
      )}
    </Region>
    {lists.map(({ title, head, rows }) => (
      <Region id={title} name={title} note={rows.length === 100 ? "the latest 100" : String(rows.length)}>
        <PlainTable
          id={title}
          head={head}
          rows={rows.map((texts) => (
            <tr>
              <Cells texts={texts} heads={head} />
            </tr>
          ))}
        />
      </Region>
    ))}
  </div>
);
