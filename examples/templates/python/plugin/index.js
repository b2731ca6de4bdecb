// The plugin is part of the npm package, which `pulumi install` puts beside this file.
require("pulumi-agent-platform/plugin");
