// Package discovery finds directory servers and answers those who look for them, as MS-MQSD has it.
package discovery

import (
	"encoding/binary"
	"errors"

	"example.com/mqsample/guid"
)

// Port is the UDP port of discovery servers.
const Port = 1801

// Types of packets (2.2.1).
const (
	typeClientRequest = 1
	typeServerReply   = 2
)

const (
	headerSize     = 4
	requestSize    = headerSize + 3*guid.Size
	replyFixedSize = headerSize + guid.Size + 3*4
	maxNetworks    = 32 // connected networks in a reply (2.2.3)
)

var errMalformed = errors.New("the packet is not formatted as MS-MQSD 2.2 has it")

// TopologyClientRequest (2.2.2), without the fields that only IPX has.
type TopologyClientRequest struct {
	EnterpriseID, RequestID, SiteID guid.GUID
}

// Marshal gives the octets of the request; Version and Reserved are zero (2.2.1).
func (r TopologyClientRequest) Marshal() []byte {
	packet := []byte{0, typeClientRequest, 0, 0}
	packet = append(packet, r.EnterpriseID.Packet()...)
	packet = append(packet, r.RequestID.Packet()...)
	return append(packet, r.SiteID.Packet()...)
}

// ParseRequest ignores Version, Reserved and what follows SiteID (2.2.1, 3.2.5.1).
func ParseRequest(packet []byte) (TopologyClientRequest, error) {
	if len(packet) < requestSize || packet[1] != typeClientRequest {
		return TopologyClientRequest{}, errMalformed
	}
	return TopologyClientRequest{
		EnterpriseID: guid.FromPacket(packet[4:]),
		RequestID:    guid.FromPacket(packet[20:]),
		SiteID:       guid.FromPacket(packet[36:]),
	}, nil
}

// DirectoryServer is an entry of DirectoryServiceServerArray: a name and the protocols by which it is reached.
type DirectoryServer struct {
	Name Name `json:"name"`
	IP   bool `json:"ip"`
	IPX  bool `json:"ipx"`
}

// TopologyServerReply (2.2.3) over IP. A server of the client's own site sends no directory servers, and then the packet
// has no RespondingSiteID either.
type TopologyServerReply struct {
	CorrelationID     guid.GUID
	ConnectedNetworks []guid.GUID
	RespondingSiteID  guid.GUID
	DirectoryServers  []DirectoryServer
}

// FromLocalSite says whether DirectoryServiceServerSize is zero.
func (r TopologyServerReply) FromLocalSite() bool {
	return len(r.DirectoryServers) == 0
}

// Marshal gives the octets of the reply.
func (r TopologyServerReply) Marshal() []byte {
	servers := marshalServers(r.DirectoryServers)
	packet := append([]byte{0, typeServerReply, 0, 0}, r.CorrelationID.Packet()...)
	packet = binary.LittleEndian.AppendUint32(packet, uint32(len(r.ConnectedNetworks)))
	packet = binary.LittleEndian.AppendUint32(packet, 0) // ConnectedNetworkMask: all zeros for IP
	packet = binary.LittleEndian.AppendUint32(packet, uint32(len(servers)))
	for _, network := range r.ConnectedNetworks {
		packet = append(packet, network.Packet()...)
	}
	if len(servers) > 0 {
		packet = append(packet, r.RespondingSiteID.Packet()...)
		packet = append(packet, servers...)
	}
	return packet
}

// ParseReply reads a reply; an error means that it is improperly formatted (3.1.5.2).
func ParseReply(packet []byte) (TopologyServerReply, error) {
	if len(packet) < replyFixedSize || packet[1] != typeServerReply {
		return TopologyServerReply{}, errMalformed
	}
	reply := TopologyServerReply{CorrelationID: guid.FromPacket(packet[4:])}
	count := binary.LittleEndian.Uint32(packet[20:])
	size := binary.LittleEndian.Uint32(packet[28:])
	rest := packet[replyFixedSize:]
	if count < 1 || count > maxNetworks || len(rest) < int(count)*guid.Size {
		return TopologyServerReply{}, errMalformed
	}
	for ; count > 0; count-- {
		reply.ConnectedNetworks = append(reply.ConnectedNetworks, guid.FromPacket(rest))
		rest = rest[guid.Size:]
	}
	if size == 0 {
		return reply, nil
	}
	if uint64(len(rest)) < guid.Size+uint64(size) {
		return TopologyServerReply{}, errMalformed
	}
	reply.RespondingSiteID = guid.FromPacket(rest)
	servers, err := parseServers(rest[guid.Size : guid.Size+int(size)])
	reply.DirectoryServers = servers
	return reply, err
}
