// Converts programs in YAML into other languages, with Pulumi's own converter, which checks them against the schema: {"schema": ..., "programs": [...]} as its input,
// {program: {language: text}} as its output. It is built twice, each time with another file of languages beside it: Pulumi's generators are in modules of different age.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

type generate = func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

func main() {
	var given struct {
		Schema   schema.PackageSpec
		Programs []string
	}
	fail(json.NewDecoder(os.Stdin).Decode(&given), nil)
	spec := given.Schema
	pkg, problems, err := schema.BindSpec(spec, schema.NewCachedLoaderWithEntries(nil, nil), schema.ValidationOptions{})
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

func fail(err error, problems hcl.Diagnostics) {
	if err == nil && problems.HasErrors() {
		err = problems
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
