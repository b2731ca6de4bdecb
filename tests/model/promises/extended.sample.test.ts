import { testPromises } from "./played";
import { EXTENDED } from "./stage";

testPromises([EXTENDED]);
