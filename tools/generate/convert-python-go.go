package main

import (
	"regexp"
	"strings"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// languages are those of the newest converter, which tools/engine/yaml pins.
var languages = map[string]generate{
	"python": python.GenerateProgram,
	"go":     golang.GenerateProgram,
}

// lookup finds calls of functions that read one object, and their arguments.
var lookup = regexp.MustCompile(`\.Get(\w+?)(Args\{|\()`)

// address finds an address that may be missing, given to an argument that needs one.
var address = regexp.MustCompile(`(\bUrl: +\w+\.Url),`)

// entries, check and key find what a component needs at once: a map of objects, whose values Go knows as inputs, and what may be left out, a pointer.
var (
	entries = regexp.MustCompile(`(\bmap\[string\]\w+\.\w+)Args\{`)
	check   = regexp.MustCompile(`(\bCheck: +)(agentplatform)`)
	key     = regexp.MustCompile(`(\bAssistant: +)(".*"),`)
)

// corrected mends what Go's compiler refuses in what the generator writes, and leaves out two calls that nobody would write.
func corrected(text string, spec schema.PackageSpec) string {
	text = lookup.ReplaceAllStringFunc(text, func(call string) string {
		found := lookup.FindStringSubmatch(call)
		if _, isResource := spec.Resources[spec.Name+":index:"+found[1]]; !isResource {
			return call
		}
		return ".Lookup" + found[1] + found[2]
	})
	text = address.ReplaceAllString(text, "$1.Elem(),")
	text = entries.ReplaceAllString(text, "${1}Input{")
	text = check.ReplaceAllString(text, "$1&$2")
	text = key.ReplaceAllString(text, "${1}pulumi.StringRef($2),")
	return strings.ReplaceAll(text, ".ID().ToIDOutput().ToStringOutput()", ".ID()")
}
