import { testPromises } from "./played";
import { DEGRADED, DOCUMENTED } from "./stage";

testPromises([DOCUMENTED, DEGRADED]);
