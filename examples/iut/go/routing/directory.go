// Package routing decides where a message goes next, as MS-MQBR has it.
package routing

import "example.com/mqsample/guid"

// Directory is what the directory service holds of an enterprise. The order of each list is the order in which the
// directory enumerates.
type Directory struct {
	Sites         []Site         `json:"sites"`
	RoutingLinks  []RoutingLink  `json:"routing_links"`
	QueueManagers []QueueManager `json:"queue_managers"`
}

// Site has its gates in SiteGateCollection.
type Site struct {
	Identifier         guid.GUID   `json:"id"`
	SiteGateCollection []guid.GUID `json:"site_gates"`
}

// RoutingLink joins two sites in both directions.
type RoutingLink struct {
	Site1Identifier guid.GUID `json:"site1"`
	Site2Identifier guid.GUID `json:"site2"`
	ActualCost      int64     `json:"cost"`
}

// QueueManager is a computer that sends, routes or receives messages.
type QueueManager struct {
	Identifier                     guid.GUID   `json:"id"`
	SiteIdentifierList             []guid.GUID `json:"sites"`
	RoutingServer                  bool        `json:"routing_server"`
	InRoutingServerIdentifierList  []guid.GUID `json:"in_routing_servers"`
	OutRoutingServerIdentifierList []guid.GUID `json:"out_routing_servers"`
}

// directoryReader reads objects of a directory. It is the place for your LDAP queries.
type directoryReader struct {
	content Directory
	byID    map[guid.GUID]*QueueManager
	failing map[string]bool
}

func newDirectoryReader(content Directory) *directoryReader {
	reader := &directoryReader{content: content, byID: map[guid.GUID]*QueueManager{}, failing: map[string]bool{}}
	for i := range content.QueueManagers {
		machine := &content.QueueManagers[i]
		if reader.byID[machine.Identifier] == nil { // the first of several counts (3.1.5.4)
			reader.byID[machine.Identifier] = machine
		}
	}
	return reader
}

// The four readers below are GetDirectoryData (3.1.5.9): no objects and a failed query give the same answer, nil. What
// was read before an error is dropped, so that it makes no difference at which read the query fails.

func (d *directoryReader) sites() []Site {
	if d.failing["Site"] {
		return nil
	}
	return d.content.Sites
}

func (d *directoryReader) routingLinks() []RoutingLink {
	if d.failing["RoutingLink"] {
		return nil
	}
	return d.content.RoutingLinks
}

func (d *directoryReader) queueManagers() []QueueManager {
	if d.failing["QueueManager"] {
		return nil
	}
	return d.content.QueueManagers
}

func (d *directoryReader) queueManager(id guid.GUID) *QueueManager {
	if d.failing["QueueManager"] {
		return nil
	}
	return d.byID[id]
}

func contains(list []guid.GUID, id guid.GUID) bool {
	for _, each := range list {
		if each == id {
			return true
		}
	}
	return false
}

func intersect(one, other []guid.GUID) bool {
	for _, each := range one {
		if contains(other, each) {
			return true
		}
	}
	return false
}
