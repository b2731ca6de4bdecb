"use strict";

require("../dist/plugin/server.js");
