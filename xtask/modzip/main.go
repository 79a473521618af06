// The program modzip packs a Go module as a module proxy serves it: MODULE VERSION FOLDER PROXY.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 5 {
		log.Fatal("usage: modzip MODULE VERSION FOLDER PROXY")
	}
	if err := pack(module.Version{Path: os.Args[1], Version: os.Args[2]}, os.Args[3], os.Args[4]); err != nil {
		log.Fatal(err)
	}
}

func pack(version module.Version, folder, proxy string) error {
	path, err := module.EscapePath(version.Path)
	if err != nil {
		return err
	}
	base := filepath.Join(proxy, path, "@v")
	if err := os.MkdirAll(base, 0o755); err != nil {
		return err
	}
	manifest, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return err
	}
	files := map[string]string{
		"list":                    version.Version + "\n",
		version.Version + ".info": fmt.Sprintf("{\"Version\":%q}\n", version.Version),
		version.Version + ".mod":  string(manifest),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(base, version.Version+".zip"))
	if err != nil {
		return err
	}
	defer archive.Close()
	// Leaves out what belongs to other modules, as `go get` of the repository would.
	if err := zip.CreateFromDir(archive, version, folder); err != nil {
		return err
	}
	return archive.Close()
}
