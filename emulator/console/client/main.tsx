import { ask } from "./ask";
import { copyOnClick } from "./copy";
import { keepAlive } from "./live";
import { searchAsTyped } from "./search";

// What the pages do beyond their HTML: they keep themselves up to date, search as one types,
// stream the answers of agents, and copy commands.
searchAsTyped(keepAlive());
ask();
copyOnClick();
