import { Region } from "../components/bits";

/** The box to ask the agent of a deployment. The script streams the answer into it, and allows to ask as soon as it can. */
export const AskForm = ({ id, graphs }: { readonly id: string; readonly graphs: readonly string[] }) => (
  <Region id="ask-title" name="Ask its agent">
    <form id="ask" method="post" action={`/console/deployments/${id}/ask`} aria-label="Ask the agent" class="fields">
      <div class="field wide">
        <label for="ask-question">Question</label>
        <textarea id="ask-question" name="question" rows={2} required maxlength={4000}></textarea>
      </div>
      <div class="field">
        <label for="ask-graph">Graph</label>
        <select id="ask-graph" name="graph">
          {graphs.map((graph) => (
            <option value={graph}>{graph}</option>
          ))}
        </select>
      </div>
      <button type="submit" disabled>
        Ask
      </button>
    </form>
    <div id="answer" role="log" aria-label="Answer" aria-live="polite" data-answer="none"></div>
  </Region>
);
