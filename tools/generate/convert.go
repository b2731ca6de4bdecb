// Converts programs in YAML into Python and Go, with Pulumi's own converter, which checks them against the schema: {"schema": ..., "programs": [...]} as its input,
// {program: {language: text}} as its output. Built in the module of tools/engine/yaml.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

var languages = map[string]func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error){
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

func main() {
	var given struct {
		Schema   schema.PackageSpec
		Programs []string
	}
	fail(json.NewDecoder(os.Stdin).Decode(&given), nil)
	spec := given.Schema
	pkg, problems, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	fail(err, problems)
	loader := schema.NewCachedLoaderWithEntries(nil, map[string]schema.PackageReference{spec.Name + ":": pkg.Reference()})

	converted := map[string]map[string]string{}
	for _, program := range given.Programs {
		template, problems, err := pulumiyaml.LoadYAMLBytes("program", []byte(program))
		fail(err, problems.HCL())
		converted[program] = map[string]string{}
		for language, generate := range languages {
			// A generator rewrites the program that it gets.
			bound, problems, err := yaml.EjectProgram(template, loader)
			fail(err, problems)
			files, problems, err := generate(bound)
			fail(err, problems)
			for _, text := range files {
				converted[program][language] = corrected(string(text), spec)
			}
		}
	}
	fail(json.NewEncoder(os.Stdout).Encode(converted), nil)
}

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

func fail(err error, problems hcl.Diagnostics) {
	if err == nil && problems.HasErrors() {
		err = problems
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
