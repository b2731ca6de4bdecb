//go:build tools

// Package engine pins the Pulumi CLI that is built where it cannot be downloaded.
package engine

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
