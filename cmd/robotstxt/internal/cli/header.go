package cli

import (
	"errors"
	"net/http"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/net/http/httpguts"
)

// A Header is the value of the flag --header, or of another flag for headers.
type Header http.Header

// AddHeaderFlag adds the flag --header, which means the same in all commands.
func AddHeaderFlag(cmd *cobra.Command, header *Header) {
	cmd.Flags().Var(header, "header", "send this `header` to the sites that you name, such as \"Authorization: Bearer X\"; may be repeated")
}

// Set adds a header of the form "Name: value".
func (h *Header) Set(text string) error {
	name, value, ok := strings.Cut(text, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) || strings.EqualFold(name, "Host") {
		return errors.New("not a header")
	}
	if *h == nil {
		*h = Header{}
	}
	http.Header(*h).Add(name, value)
	return nil
}

// String returns "", because a header can be a secret.
func (h *Header) String() string { return "" }

// Type returns the name of the type in messages.
func (h *Header) Type() string { return "header" }
