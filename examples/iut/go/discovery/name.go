package discovery

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Name of a computer, in UTF-16 code units as packets carry it. Any code unit but comma and null is allowed in a name
// (2.2.3), also half of a surrogate pair, which no Go string can hold; hence a type of its own.
type Name []uint16

// NameOf gives the code units of a text.
func NameOf(text string) Name {
	return utf16.Encode([]rune(text))
}

var escapes = map[byte]uint16{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// UnmarshalJSON reads a JSON string and keeps every code unit that it escapes as \uXXXX.
func (n *Name) UnmarshalJSON(quoted []byte) error {
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		return err
	}
	*n = Name{}
	for rest := quoted[1 : len(quoted)-1]; len(rest) > 0; {
		units, size := nextCharacter(rest)
		*n, rest = append(*n, units...), rest[size:]
	}
	return nil
}

// nextCharacter gives the code units of the first character of what is known to be the inside of a JSON string, and how
// many octets it takes there.
func nextCharacter(rest []byte) ([]uint16, int) {
	switch {
	case rest[0] != '\\':
		character, size := utf8.DecodeRune(rest)
		return utf16.Encode([]rune{character}), size
	case rest[1] == 'u':
		unit, _ := strconv.ParseUint(string(rest[2:6]), 16, 16)
		return []uint16{uint16(unit)}, 6
	default:
		return []uint16{escapes[rest[1]]}, 2
	}
}

// MarshalJSON writes a JSON string in ASCII.
func (n Name) MarshalJSON() ([]byte, error) {
	var quoted strings.Builder
	quoted.WriteByte('"')
	for _, unit := range n {
		if unit < ' ' || unit > '~' || unit == '"' || unit == '\\' {
			fmt.Fprintf(&quoted, `\u%04x`, unit)
		} else {
			quoted.WriteByte(byte(unit))
		}
	}
	quoted.WriteByte('"')
	return []byte(quoted.String()), nil
}
