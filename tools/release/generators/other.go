package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"

	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// generate writes the languages whose generators left the engine's module: go.mod in this folder pins versions that compile together.
func generate(tool, language string, pkg *schema.Package) (map[string][]byte, error) {
	switch language {
	case "java":
		return java.GeneratePackage(tool, pkg, nil, nil, false, false)
	case "dotnet":
		// This generator fetches the package's logo: a release takes nothing from the network that no checksum pins.
		http.DefaultTransport = plainLogo{}
		return dotnet.GeneratePackage(tool, pkg, nil, nil)
	}
	return nil, fmt.Errorf("there is no language %q", language)
}

// plainLogo answers each request with a picture of one colour.
type plainLogo struct{}

func (plainLogo) RoundTrip(request *http.Request) (*http.Response, error) {
	var logo bytes.Buffer
	square := image.NewPaletted(image.Rect(0, 0, 64, 64), color.Palette{color.RGBA{R: 0x3b, G: 0x49, B: 0xdf, A: 0xff}})
	if err := png.Encode(&logo, square); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Request: request, Body: io.NopCloser(&logo)}, nil
}
