"use strict";

require("../dist/provider/plugin.js").main();
