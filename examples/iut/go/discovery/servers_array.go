package discovery

import "encoding/binary"

const (
	supported    = '1'
	notSupported = '0'
	delimiter    = ','
	endOfList    = 0
)

// marshalServers gives a DirectoryServiceServerArray (2.2.3) in UTF-16, little-endian: two flags and a name for each
// entry, commas between them, a null character at the end. It is empty without entries.
func marshalServers(servers []DirectoryServer) []byte {
	var characters []uint16
	for i, server := range servers {
		if i > 0 {
			characters = append(characters, delimiter)
		}
		characters = append(characters, flag(server.IP), flag(server.IPX))
		characters = append(characters, server.Name...)
	}
	if len(servers) > 0 {
		characters = append(characters, endOfList)
	}
	var array []byte
	for _, character := range characters {
		array = binary.LittleEndian.AppendUint16(array, character)
	}
	return array
}

func flag(isSupported bool) uint16 {
	if isSupported {
		return supported
	}
	return notSupported
}

// parseServers takes a comma or a null character for the end of an entry (3.1.7.1).
func parseServers(array []byte) ([]DirectoryServer, error) {
	if len(array)%2 != 0 {
		return nil, errMalformed
	}
	var servers []DirectoryServer
	var entry []uint16
	for ; len(array) > 0; array = array[2:] {
		character := binary.LittleEndian.Uint16(array)
		if character != delimiter && character != endOfList {
			entry = append(entry, character)
			continue
		}
		server, err := parseEntry(entry)
		if err != nil {
			return nil, err
		}
		servers, entry = append(servers, server), nil
	}
	if len(entry) > 0 || len(servers) == 0 {
		return nil, errMalformed // the end of the list is missing
	}
	return servers, nil
}

func parseEntry(entry []uint16) (DirectoryServer, error) {
	if len(entry) < 3 || !isFlag(entry[0]) || !isFlag(entry[1]) {
		return DirectoryServer{}, errMalformed
	}
	return DirectoryServer{Name: Name(entry[2:]), IP: entry[0] == supported, IPX: entry[1] == supported}, nil
}

func isFlag(character uint16) bool {
	return character == supported || character == notSupported
}

func isNameCharacter(character uint16) bool {
	return character != delimiter && character != endOfList
}
