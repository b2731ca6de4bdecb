// What the pages do beyond their HTML: each asks for its living part again and again, and changes what it shows in place.
/* global document, DOMParser, location, setTimeout */

const EVERY_MS = 300;

const SAYINGS = {
  live: "Live",
  closed: "The emulator has stopped. This page continues as soon as it runs again.",
  "signed-out": "Another emulator runs here now. Open the address that it printed.",
};

function say(state) {
  const place = document.getElementById("connection");
  if (place.dataset.connection === state) return;
  place.dataset.connection = state;
  place.textContent = SAYINGS[state];
}

/** The server writes times in its own zone. */
function inZoneOfReader(part) {
  for (const time of part.querySelectorAll("time")) {
    time.textContent = new Date(time.dateTime).toLocaleString("sv-SE");
    time.title = `${time.textContent} (${new Intl.DateTimeFormat().resolvedOptions().timeZone})`;
  }
}

const markOf = (node) => `${node.nodeName} ${node.dataset?.key ?? ""}`;

/** Makes what is inside of an element like what is inside of another one. What is there stays, with its focus, its scrolling, and open or not. */
function change(shown, wanted) {
  let at = shown.firstChild;
  const dropUntil = (end) => {
    while (at !== end) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
  };
  for (const next of [...wanted.childNodes]) {
    let same = at;
    while (same !== null && markOf(same) !== markOf(next)) same = same.nextSibling;
    if (same === null) shown.insertBefore(next, at);
    else {
      dropUntil(same);
      if (next.nodeType === next.ELEMENT_NODE) {
        changeAttributes(same, next);
        change(same, next);
      } else if (same.data !== next.data) same.data = next.data;
      at = same.nextSibling;
    }
  }
  dropUntil(null);
}

function changeAttributes(shown, wanted) {
  for (const { name } of [...shown.attributes])
    if (name !== "open" && !wanted.hasAttribute(name)) shown.removeAttribute(name);
  for (const { name, value } of wanted.attributes)
    if (name !== "open" && shown.getAttribute(name) !== value) shown.setAttribute(name, value);
}

/** The living part as it is now; without it, why it cannot be had. */
async function ask(address) {
  try {
    const answer = await fetch(address);
    if (answer.status === 401) return { state: "signed-out" };
    // The page of an object that is gone says so.
    if (!answer.ok && answer.status !== 404) return { state: "closed" };
    return { state: "live", part: new DOMParser().parseFromString(await answer.text(), "text/html").body };
  } catch {
    return { state: "closed" };
  }
}

async function keepUp(content) {
  if (document.visibilityState === "visible") {
    const { state, part } = await ask(content.dataset.from);
    if (part !== undefined) {
      // The page beside the living part is another one once the agent answers, and once it no longer does.
      const question = document.querySelector("#ask fieldset");
      const silent = part.querySelector("[data-silent]")?.dataset.silent;
      if (question !== null && silent !== undefined && String(question.disabled) !== silent)
        return location.replace(location.pathname);
      inZoneOfReader(part);
      change(content, part);
    }
    say(state);
  }
  setTimeout(keepUp, EVERY_MS, content);
}

inZoneOfReader(document);
void keepUp(document.getElementById("content"));
