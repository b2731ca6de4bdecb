//go:build tools

// Package yamlhost pins the YAML language host, which the CLI's download brings along and a build of the CLI does not.
package yamlhost

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
