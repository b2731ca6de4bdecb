import { CHAPTERS } from "./walk/chapters";
import { playWalk } from "./walk/stranger";

playWalk(CHAPTERS, (name) => !/^(yaml|go)-/.test(name));
