import { LANGUAGES } from "./walk/chapters";
import { playWalk } from "./walk/stranger";

playWalk(LANGUAGES, (name) => /^(yaml|python|go)-/.test(name));
