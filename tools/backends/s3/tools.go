//go:build tools

// Package s3 pins the S3 server that the tests of backends run on.
package s3

import _ "github.com/versity/versitygw/cmd/versitygw"
