package routing

import (
	"errors"
	"time"

	"example.com/mqsample/guid"
)

// ErrNoRoute is the exception with which a routing attempt fails (3.1.5.1).
var ErrNoRoute = errors.New("the routing attempt failed")

// queryInterval of the QueueManager Query Timer (3.1.3).
const queryInterval = 3600 * time.Second

// Router is one queue manager's view of the enterprise.
type Router struct {
	directory  *directoryReader
	local      *guid.GUID // nil until it is known which queue manager this is
	table      []Row
	untilQuery time.Duration
}

// NewRouter gives a router with an empty directory.
func NewRouter() *Router {
	return &Router{directory: newDirectoryReader(Directory{})}
}

// ChangeDirectory replaces what the directory holds; the RoutingTable stays as it is until its timer fires.
func (r *Router) ChangeDirectory(content Directory) {
	failing := r.directory.failing
	r.directory = newDirectoryReader(content)
	r.directory.failing = failing
}

// FailDirectory makes queries for objects of a type fail, or heals them.
func (r *Router) FailDirectory(objectType string, failing bool) {
	r.directory.failing[objectType] = failing
}

// Initialize becomes the queue manager local: builds the RoutingTable and starts the timer (3.1.3).
func (r *Router) Initialize(local guid.GUID) {
	r.local = &local
	r.untilQuery = queryInterval
	r.initializeTable()
}

// AdvanceClock lets time pass. When the timer fires, the table is initialized again (3.1.6.1).
func (r *Router) AdvanceClock(passed time.Duration) {
	if r.local == nil {
		return
	}
	r.untilQuery -= passed
	if r.untilQuery > 0 {
		return
	}
	r.untilQuery = queryInterval - (-r.untilQuery)%queryInterval
	r.initializeTable()
}

// Table gives the rows of the RoutingTable.
func (r *Router) Table() []Row {
	return r.table
}

// initializeTable is 3.1.3.1. The root is the site for which this queue manager is a gate, the first one if there are
// several.
func (r *Router) initializeTable() {
	r.table = nil
	root := r.gateOf(*r.local)
	if root == nil {
		return
	}
	sites, links := r.directory.sites(), r.directory.routingLinks()
	if len(sites) > 0 && len(links) > 0 {
		r.table = routingTable(root.Identifier, sites, links)
	}
}

// GetNextHops (3.1.5.1) gives the queue managers to which source can send what is meant for destination.
func (r *Router) GetNextHops(source, destination guid.GUID) ([]guid.GUID, error) {
	from, to := r.directory.queueManager(source), r.directory.queueManager(destination)
	if from == nil || to == nil {
		return nil, ErrNoRoute
	}
	nextHops := r.nextHops(from, to)
	if len(nextHops) == 0 {
		return nil, ErrNoRoute
	}
	return nextHops, nil
}

func (r *Router) nextHops(from, to *QueueManager) []guid.GUID {
	switch {
	case from.RoutingServer:
		return r.nextHopsForRouter(from, to)
	case len(from.OutRoutingServerIdentifierList) > 0:
		return from.OutRoutingServerIdentifierList
	case intersect(from.SiteIdentifierList, to.SiteIdentifierList):
		return within(to)
	default:
		return one(r.GetRoutingServer(from.Identifier))
	}
}

// nextHopsForRouter is GetNextHopsForRouter (3.1.5.2) and GetNextHopsForSiteGate (3.1.5.3), which differ only in where
// messages for other sites go.
func (r *Router) nextHopsForRouter(from, to *QueueManager) []guid.GUID {
	switch {
	case contains(to.InRoutingServerIdentifierList, from.Identifier):
		return []guid.GUID{to.Identifier}
	case intersect(from.SiteIdentifierList, to.SiteIdentifierList):
		return within(to)
	case r.IsSiteGate(from.Identifier):
		return r.gateOnTheWay(to)
	default:
		return one(r.GetSiteGate(from.Identifier))
	}
}

// within gives the hops to a queue manager of the same site.
func within(to *QueueManager) []guid.GUID {
	if len(to.InRoutingServerIdentifierList) > 0 {
		return to.InRoutingServerIdentifierList
	}
	return []guid.GUID{to.Identifier}
}

// gateOnTheWay looks the sites of a queue manager up in the table; the last row that fits counts (3.1.5.3).
func (r *Router) gateOnTheWay(to *QueueManager) []guid.GUID {
	var nextSite *guid.GUID
	for i, row := range r.table {
		if contains(to.SiteIdentifierList, row.DestinationSiteID) {
			nextSite = &r.table[i].NextHopSiteID
		}
	}
	if nextSite == nil {
		return nil
	}
	return one(r.GetSiteGateForSite(*nextSite))
}

func one(id *guid.GUID) []guid.GUID {
	if id == nil {
		return nil
	}
	return []guid.GUID{*id}
}
