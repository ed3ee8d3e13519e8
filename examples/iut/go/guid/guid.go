// Package guid reads and writes GUIDs, as text and as octets of a packet.
package guid

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// GUID holds the 16 octets in the order in which the text shows them.
type GUID [16]byte

// Size is the number of octets of a GUID in a packet.
const Size = 16

// UnmarshalText reads the form 8-4-4-4-12, in either case; JSON strings are read by it too.
func (g *GUID) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), "-")
	if len(parts) != 5 || len(parts[0]) != 8 || len(parts[1]) != 4 || len(parts[2]) != 4 || len(parts[3]) != 4 {
		return fmt.Errorf("%q is no GUID of the form 8-4-4-4-12", text)
	}
	octets, err := hex.DecodeString(strings.Join(parts, ""))
	if err != nil || len(octets) != Size {
		return fmt.Errorf("%q is no GUID of the form 8-4-4-4-12", text)
	}
	copy(g[:], octets)
	return nil
}

// MarshalText writes the form 8-4-4-4-12 in lower case.
func (g GUID) MarshalText() ([]byte, error) {
	return []byte(g.String()), nil
}

func (g GUID) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", g[:4], g[4:6], g[6:8], g[8:10], g[10:])
}

// FromPacket reads the first 16 octets of a packet: the first three parts are little-endian (MS-DTYP 2.3.4).
func FromPacket(octets []byte) GUID {
	var g GUID
	copy(g[:], octets[:Size])
	return g.swapped()
}

// Packet gives the 16 octets as a packet has them.
func (g GUID) Packet() []byte {
	swapped := g.swapped()
	return swapped[:]
}

func (g GUID) swapped() GUID {
	g[0], g[1], g[2], g[3] = g[3], g[2], g[1], g[0]
	g[4], g[5] = g[5], g[4]
	g[6], g[7] = g[7], g[6]
	return g
}
