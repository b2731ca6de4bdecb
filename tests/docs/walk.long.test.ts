import { CHAPTERS } from "./walk/chapters";
import { playWalk } from "./walk/stranger";

playWalk(CHAPTERS, (name) => !/^(yaml|python|go)-/.test(name));
