package discovery

import (
	"errors"

	"example.com/mqsample/guid"
)

// ServerConfiguration has the elements of 3.2.1.1.
type ServerConfiguration struct {
	Enterprise        guid.GUID         `json:"enterprise"`
	Site              guid.GUID         `json:"site"`
	ConnectedNetworks []guid.GUID       `json:"connected_networks"`
	DirectoryServers  []DirectoryServer `json:"directory_servers"`
}

// Check refuses names that no reply can carry (2.2.3).
func (c ServerConfiguration) Check() error {
	for _, server := range c.DirectoryServers {
		if len(server.Name) == 0 {
			return errors.New("a directory server has an empty name")
		}
		for _, character := range server.Name {
			if !isNameCharacter(character) {
				return errors.New("the name of a directory server has a comma or a null character")
			}
		}
	}
	return nil
}

// Answer gives the reply to a request (3.2.5.1), or nil where the server stays silent: when the packet is no request, and
// when no reply could be well-formed, which takes 1 to 32 connected networks and, for a client of another site, at least
// one directory server. The client's enterprise is not compared: no step of 3.2.5.1 does.
func (c ServerConfiguration) Answer(packet []byte) []byte {
	request, err := ParseRequest(packet)
	if err != nil || len(c.ConnectedNetworks) < 1 || len(c.ConnectedNetworks) > maxNetworks {
		return nil
	}
	reply := TopologyServerReply{CorrelationID: request.RequestID, ConnectedNetworks: c.ConnectedNetworks}
	if request.SiteID != c.Site {
		if len(c.DirectoryServers) == 0 {
			return nil
		}
		reply.RespondingSiteID = c.Site
		reply.DirectoryServers = c.DirectoryServers
	}
	return reply.Marshal()
}
