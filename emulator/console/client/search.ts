/** A pause in the typing: what is typed until then is one search. */
const PAUSE_MS = 150;

/** Searches as one types: `look` shows the page's living part with another query. */
export function searchAsTyped(look: (query: string) => void): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-as-typed]")) {
    let pause: ReturnType<typeof setTimeout> | undefined;
    form.addEventListener("input", () => {
      clearTimeout(pause);
      pause = setTimeout(() => {
        const fields = new URLSearchParams();
        for (const [name, value] of new FormData(form))
          if (typeof value === "string" && value !== "") fields.append(name, value);
        const query = fields.toString();
        // The address is that of the search: a reload, a bookmark and the way back lead to the same.
        history.replaceState(null, "", `${location.pathname}${query === "" ? "" : `?${query}`}`);
        look(query);
      }, PAUSE_MS);
    });
  }
}
