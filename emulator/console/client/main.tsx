import { ask } from "./ask";
import { keepAlive } from "./live";

// What the pages do beyond their HTML: they keep themselves up to date, and stream the answers of agents.
keepAlive();
ask();
