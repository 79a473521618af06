// identity.go keeps who is who in the data folder: the server's keys, the
// users' tokens, a kubeconfig for each user. A restart finds the same.
package main

import (
	"context"
	"crypto/rand"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/keyutil"
)

const adminUser = "admin"

type identity struct {
	dir   string
	users []user
}

type user struct {
	name   string
	token  string
	groups []string
}

func (id *identity) certDir() string            { return filepath.Join(id.dir, "certs") }
func (id *identity) servingCertificate() string { return filepath.Join(id.certDir(), "apiserver.crt") }
func (id *identity) serviceAccountKey() string  { return filepath.Join(id.dir, "service-account.key") }
func (id *identity) tokenFile() string          { return filepath.Join(id.dir, "tokens.csv") }

// loadIdentity reads what an earlier run left and adds what is missing.
func loadIdentity(dir string, specs []string) (*identity, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	id := &identity{dir: dir}
	if err := id.ensureServiceAccountKey(); err != nil {
		return nil, err
	}
	if err := id.readTokens(); err != nil {
		return nil, err
	}
	id.ensureUser(adminUser, []string{"system:masters"})
	for _, spec := range specs {
		name, groups, _ := strings.Cut(spec, "=")
		if name == "" || name == adminUser {
			return nil, fmt.Errorf("--user %s: the name is empty or taken", spec)
		}
		id.ensureUser(name, splitList(groups))
	}
	return id, id.writeTokens()
}

func (id *identity) ensureServiceAccountKey() error {
	if _, err := os.Stat(id.serviceAccountKey()); err == nil {
		return nil
	}
	key, err := keyutil.MakeEllipticPrivateKeyPEM()
	if err != nil {
		return err
	}
	return os.WriteFile(id.serviceAccountKey(), key, 0o600)
}

// ensureUser gives a known user these groups, and an unknown one a token.
func (id *identity) ensureUser(name string, groups []string) {
	for i := range id.users {
		if id.users[i].name == name {
			id.users[i].groups = groups
			return
		}
	}
	token := make([]byte, 16)
	rand.Read(token)
	id.users = append(id.users, user{name: name, token: hex.EncodeToString(token), groups: groups})
}

// The token file has the API server's own format: token, name, uid, groups.
func (id *identity) readTokens() error {
	f, err := os.Open(id.tokenFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return err
	}
	for _, row := range rows {
		id.users = append(id.users, user{token: row[0], name: row[1], groups: splitList(row[3])})
	}
	return nil
}

func (id *identity) writeTokens() error {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, u := range id.users {
		w.Write([]string{u.token, u.name, u.name, strings.Join(u.groups, ",")})
	}
	w.Flush()
	return os.WriteFile(id.tokenFile(), []byte(b.String()), 0o600)
}

// writeKubeconfigs waits for the serving certificate, whose file carries its
// CA, and gives the path of each user's kubeconfig.
func (id *identity) writeKubeconfigs(ctx context.Context, server string) (map[string]string, error) {
	var ca []byte
	for {
		var err error
		// The key is written after the certificate: when it is there, both are whole.
		if _, err = os.Stat(filepath.Join(id.certDir(), "apiserver.key")); err == nil {
			if ca, err = os.ReadFile(id.servingCertificate()); err == nil {
				break
			}
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(10 * time.Millisecond):
		}
	}
	paths := map[string]string{}
	for _, u := range id.users {
		file := strings.NewReplacer(":", "-", "/", "-").Replace(u.name) + ".kubeconfig"
		path := filepath.Join(id.dir, file)
		config := clientcmdapi.NewConfig()
		config.Clusters["testplane"] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: ca}
		config.AuthInfos[u.name] = &clientcmdapi.AuthInfo{Token: u.token}
		config.Contexts["testplane"] = &clientcmdapi.Context{Cluster: "testplane", AuthInfo: u.name, Namespace: "default"}
		config.CurrentContext = "testplane"
		if err := clientcmd.WriteToFile(*config, path); err != nil {
			return nil, err
		}
		paths[u.name] = path
	}
	return paths, nil
}
