// Once after all tests.
module.exports = require("./run").end;
