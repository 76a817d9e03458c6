package sites

import (
	"os"
	"testing"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
)

func TestMain(m *testing.M) { os.Exit(clitest.Main(m)) }

func runWith(stdin string, args ...string) (stdout, stderr string, status int) {
	return clitest.Run(New(), stdin, args...)
}
