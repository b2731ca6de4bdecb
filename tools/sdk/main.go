// Writes the SDK of a Pulumi schema in one language: sdk <schema.json> <python|go|nodejs> <folder>.
// It is built in the module of tools/engine, which pins the version of the generators.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: sdk <schema.json> <python|go|nodejs> <folder>"))
	}
	pkg, err := read(os.Args[1])
	fail(err)
	files, err := generate(pkg, os.Args[2])
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

func generate(pkg *schema.Package, language string) (map[string][]byte, error) {
	// As the CLI's own language hosts call themselves.
	tool := "pulumi-language-" + language
	switch language {
	case "python":
		return python.GeneratePackage(tool, pkg, nil, nil)
	case "go":
		return golang.GeneratePackage(tool, pkg, nil)
	case "nodejs":
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, nil)
	}
	return nil, fmt.Errorf("there is no language %q", language)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
