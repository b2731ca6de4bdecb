/**
 * Draws a part of the page anew. What had the focus in it has it again, so that a reader at the keyboard, or one whose screen is read aloud,
 * stays at the same link or button.
 */
export function keepingFocus(part: Element, draw: () => void): void {
  const focused = document.activeElement;
  const wanted = focused !== null && part.contains(focused) ? markOf(focused) : undefined;
  draw();
  if (wanted === undefined) return;
  for (const element of part.querySelectorAll<HTMLElement>("a, button, input, select, textarea, summary")) {
    if (markOf(element) !== wanted) continue;
    element.focus({ preventScroll: true });
    return;
  }
}

/** By what an element is known again: its kind, where it leads, and what it says. */
const markOf = (element: Element): string =>
  [
    element.tagName,
    element.getAttribute("href") ?? element.closest("form")?.getAttribute("action"),
    element.textContent,
  ].join("\n");
