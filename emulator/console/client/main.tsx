import { ask } from "./ask";
import { keepAlive } from "./live";
import { searchAsTyped } from "./search";

// What the pages do beyond their HTML: they keep themselves up to date, search as one types,
// and stream the answers of agents.
searchAsTyped(keepAlive());
ask();
