package main

import (
	"fmt"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// generate writes the languages of the engine's own module, which tools/engine/go.mod pins.
func generate(tool, language string, pkg *schema.Package) (map[string][]byte, error) {
	switch language {
	case "python":
		return python.GeneratePackage(tool, pkg, nil, nil)
	case "go":
		return golang.GeneratePackage(tool, pkg, nil)
	}
	return nil, fmt.Errorf("there is no language %q", language)
}
