package discovery

import (
	"time"

	"example.com/mqsample/guid"
)

// responseTimeout of the Wait For Response Timer (3.1.2.1).
const responseTimeout = 15 * time.Second

// Network to which the computer is connected.
type Network struct {
	Address      string `json:"address"`
	RemoteAccess bool   `json:"remote_access"`
}

// Effect of an event: a request that is broadcast, or the end of a search.
type Effect struct {
	Network  string // on which Datagram is broadcast
	Datagram []byte // nil at the end of a search
	Success  bool   // what came of the search
}

// Client looks for directory servers. It has neither sockets nor a clock: events go in, effects come out. It follows the
// rules of 3.1 to the letter, with three exceptions where the letter leads nowhere: the list of networks is replaced
// rather than added to with each search (3.1.4.1), a search without networks fails, and replies that come after the end
// of a search are ignored, as the example in section 4 has it.
type Client struct {
	Enterprise, Site guid.GUID
	Networks         []Network // those of the computer, in the order of the search
	NewRequestID     func() guid.GUID

	DirectoryServerList               []Name
	ConnectedNetworkIdentifierList    []guid.GUID
	RequestID                         *guid.GUID // nil before the first search
	LastSuccessfulNetworkAddress      string
	ValidLastSuccessfulNetworkAddress bool
	CurrentNetworkIndex               int // counts from 1; 0 before the first request

	networkAddressList          []Network
	lastTopologyServerReply     *TopologyServerReply // nil is empty
	topologyServerReplyReceived bool
	searching                   bool
	untilTimeout                time.Duration
	effects                     []Effect
}

// GetDirectoryServerList is the event that starts a search (3.1.4.1). Where it ends at once, a search that is under way
// goes on.
func (c *Client) GetDirectoryServerList() []Effect {
	if c.ValidLastSuccessfulNetworkAddress && !c.hasRemoteAccess() {
		return []Effect{{Success: true}}
	}
	c.networkAddressList = append([]Network(nil), c.Networks...)
	id := c.NewRequestID()
	c.RequestID = &id
	c.CurrentNetworkIndex = 0
	c.topologyServerReplyReceived = false
	if len(c.networkAddressList) == 0 {
		c.complete(false)
		return c.takeEffects()
	}
	c.searching = true
	c.sendRequest()
	return c.takeEffects()
}

// Receive is the arrival of a packet on a network (3.1.5.2).
func (c *Client) Receive(network string, packet []byte) []Effect {
	if !c.searching || network != c.currentNetwork() {
		return nil
	}
	reply, err := ParseReply(packet)
	if err != nil || reply.CorrelationID != *c.RequestID {
		return nil
	}
	c.processReply(&reply)
	return c.takeEffects()
}

// AdvanceClock lets time pass; each timeout is the event No Server Response (3.1.6.1).
func (c *Client) AdvanceClock(passed time.Duration) []Effect {
	for c.searching && passed >= c.untilTimeout {
		passed -= c.untilTimeout
		c.noServerResponse()
	}
	if c.searching {
		c.untilTimeout -= passed
	}
	return c.takeEffects()
}

// UntilTimeout says how much time may pass until the next timeout of a search.
func (c *Client) UntilTimeout() time.Duration {
	return c.untilTimeout
}

// sendRequest is 3.1.5.1.
func (c *Client) sendRequest() {
	c.CurrentNetworkIndex++
	c.lastTopologyServerReply = nil
	c.untilTimeout = responseTimeout
	request := TopologyClientRequest{EnterpriseID: c.Enterprise, RequestID: *c.RequestID, SiteID: c.Site}
	c.effects = append(c.effects, Effect{Network: c.currentNetwork(), Datagram: request.Marshal()})
}

func (c *Client) processReply(reply *TopologyServerReply) {
	onLastNetwork := c.CurrentNetworkIndex == len(c.networkAddressList)
	switch {
	case reply.FromLocalSite() && !onLastNetwork:
		c.remember(reply)
		c.noteSuccess()
		c.sendRequest()
	case reply.FromLocalSite():
		c.noteSuccess()
		c.populateLists()
		c.complete(true)
	case c.lastTopologyServerReply == nil:
		c.remember(reply)
		c.noteSuccess()
		c.untilTimeout = responseTimeout
	case !onLastNetwork:
		c.sendRequest()
	default:
		c.populateLists()
		c.noteSuccess()
		c.complete(true)
	}
}

// noServerResponse is 3.1.6.1.
func (c *Client) noServerResponse() {
	switch {
	case c.CurrentNetworkIndex != len(c.networkAddressList):
		c.sendRequest()
	case c.lastTopologyServerReply == nil && !c.topologyServerReplyReceived:
		c.ValidLastSuccessfulNetworkAddress = false
		c.complete(false)
	default:
		c.populateLists()
		c.complete(true)
	}
}

func (c *Client) remember(reply *TopologyServerReply) {
	c.lastTopologyServerReply = reply
	c.topologyServerReplyReceived = true
}

func (c *Client) noteSuccess() {
	c.LastSuccessfulNetworkAddress = c.currentNetwork()
	c.ValidLastSuccessfulNetworkAddress = true
}

// populateLists is 3.1.7.1, which servers of other sites alone cause, and 3.1.7.2, where an empty
// LastTopologyServerReply leaves an empty list.
func (c *Client) populateLists() {
	c.ConnectedNetworkIdentifierList = nil
	last := c.lastTopologyServerReply
	if last == nil {
		return
	}
	c.ConnectedNetworkIdentifierList = last.ConnectedNetworks
	if last.FromLocalSite() {
		return
	}
	c.DirectoryServerList = nil
	for _, server := range last.DirectoryServers {
		c.DirectoryServerList = append(c.DirectoryServerList, server.Name)
	}
}

func (c *Client) complete(success bool) {
	c.searching = false
	c.effects = append(c.effects, Effect{Success: success})
}

func (c *Client) currentNetwork() string {
	return c.networkAddressList[c.CurrentNetworkIndex-1].Address
}

func (c *Client) hasRemoteAccess() bool {
	for _, network := range c.Networks {
		if network.RemoteAccess {
			return true
		}
	}
	return false
}

func (c *Client) takeEffects() []Effect {
	effects := c.effects
	c.effects = nil
	return effects
}
