package robotsbeam

import (
	"encoding/json"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/robotstxt-go/robotstxt/survey"
)

// Workers exchange all elements as JSON. Beam finds a coder by the names of its functions. All
// instances of a generic function have the same name, so each type needs its own functions.
func init() {
	beam.RegisterCoder(reflect.TypeFor[survey.Capture](), encodeCapture, decodeCapture)
	beam.RegisterCoder(reflect.TypeFor[survey.Record](), encodeRecord, decodeRecord)
	beam.RegisterCoder(reflect.TypeFor[survey.Summary](), encodeSummary, decodeSummary)
	beam.RegisterCoder(reflect.TypeFor[Shard](), encodeShard, decodeShard)
}

func encodeCapture(c survey.Capture) ([]byte, error) { return json.Marshal(&c) }
func encodeRecord(r survey.Record) ([]byte, error)   { return json.Marshal(&r) }
func encodeSummary(s survey.Summary) ([]byte, error) { return json.Marshal(&s) }
func encodeShard(s Shard) ([]byte, error)            { return json.Marshal(&s) }

func decodeCapture(data []byte) (c survey.Capture, err error) {
	err = json.Unmarshal(data, &c)
	return c, err
}

func decodeRecord(data []byte) (r survey.Record, err error) {
	err = json.Unmarshal(data, &r)
	return r, err
}

func decodeSummary(data []byte) (s survey.Summary, err error) {
	err = json.Unmarshal(data, &s)
	return s, err
}

func decodeShard(data []byte) (s Shard, err error) {
	err = json.Unmarshal(data, &s)
	return s, err
}
