package main

import (
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// languages are those whose generator does not compile with the newest converter: tools/release/generators pins both.
var languages = map[string]generate{"java": java.GenerateProgram}

// unfit finds what this generator cannot write: a map of objects, an Integer above 2^31, and a function's result as an argument.
var unfit = regexp.MustCompile(`PANIC=|\(\d{10,}\)|\bintegration\.id\(\)`)

// imports, optional and secrets find types that it forgets to import, an output that may be missing, given to an argument that needs one, and a secret in a map.
var (
	imports  = regexp.MustCompile(`(?s)package .*Paths;`)
	optional = regexp.MustCompile(`(\.(latestRevisionId|url|activeRevisionId)\(\))\)`)
	secrets  = regexp.MustCompile(`\.secrets\(Map\.of\((".*?"), (\w+)\)\)`)
)

const ownImports = `import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.agentplatform.*;
import com.pulumi.agentplatform.inputs.*;
import java.util.*;`

// corrected mends what Java's compiler refuses in what the generator writes; it gives nothing where that needs another program.
func corrected(text string, _ schema.PackageSpec) string {
	if unfit.MatchString(text) {
		return ""
	}
	text = imports.ReplaceAllString(text, ownImports)
	text = optional.ReplaceAllString(text, "$1.applyValue(Optional::orElseThrow))")
	text = secrets.ReplaceAllString(text, ".secrets($2.applyValue(value -> Map.of($1, value)))")
	// It forgets that a setting is secret, as those of all these programs are.
	return strings.ReplaceAll(text, "config.get(", "config.requireSecret(")
}
