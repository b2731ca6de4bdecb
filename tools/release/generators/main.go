// Writes the SDK of a Pulumi schema in one language: generator <schema.json> <language> <folder>.
// It is built twice, each time with another file of languages beside it: Pulumi's generators are in modules of different age.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: generator <schema.json> <language> <folder>"))
	}
	pkg, err := read(os.Args[1])
	fail(err)
	// As the CLI's own language hosts call themselves.
	files, err := generate("pulumi-language-"+os.Args[2], os.Args[2], pkg)
	fail(err)
	for name, text := range files {
		file := filepath.Join(os.Args[3], name)
		fail(os.MkdirAll(filepath.Dir(file), 0o755))
		fail(os.WriteFile(file, text, 0o644))
	}
}

// read refuses what the format of schemas does not allow.
func read(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, problems, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	if err == nil && problems.HasErrors() {
		err = problems
	}
	return pkg, err
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
