// Package ordered delivers messages exactly once and in order: either end of message streams.
package ordered

import "encoding/json"

// Key names a stream or a message: a text or an integer.
type Key struct {
	text      string
	isInteger bool
}

// UnmarshalJSON reads a string or an integer.
func (k *Key) UnmarshalJSON(value []byte) error {
	if value[0] == '"' {
		return json.Unmarshal(value, &k.text)
	}
	var integer json.Number
	if err := json.Unmarshal(value, &integer); err != nil {
		return err
	}
	k.text, k.isInteger = integer.String(), true
	return nil
}

// MarshalJSON writes what was read.
func (k Key) MarshalJSON() ([]byte, error) {
	if k.isInteger {
		return []byte(k.text), nil
	}
	return json.Marshal(k.text)
}
