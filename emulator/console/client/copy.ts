/** Copies what stands beside the button, and says so. */
export function copyOnClick(): void {
  document.addEventListener("click", ({ target }) => {
    const place = target instanceof Element ? target.closest("[data-copy]")?.closest(".copyable") : null;
    const said = place?.querySelector("[role=status]");
    if (!place || !said) return;
    navigator.clipboard.writeText(place.querySelector("pre")?.textContent ?? "").then(
      () => (said.textContent = "Copied."),
      () => (said.textContent = "The browser does not allow it: select the text."),
    );
  });
}
