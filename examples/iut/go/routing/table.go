package routing

import (
	"container/heap"

	"example.com/mqsample/guid"
)

// Row of the RoutingTable (3.1.1.2).
type Row struct {
	DestinationSiteID guid.GUID `json:"destination_site"`
	NextHopSiteID     guid.GUID `json:"next_hop_site"`
}

// routingTable gives the rows of a gate of the site root (3.1.3.1), in the order of sites. A site that cannot be reached
// has no row, and the row of the root leads to itself.
func routingTable(root guid.GUID, sites []Site, links []RoutingLink) []Row {
	nextHops := leastCostNextHops(root, edgesOf(sites, links))
	var rows []Row
	for _, site := range sites {
		if nextHop, reached := nextHops[site.Identifier]; reached {
			rows = append(rows, Row{site.Identifier, nextHop})
		}
	}
	return rows
}

type edge struct {
	to   guid.GUID
	cost int64
}

// edgesOf makes two edges of each link, one a direction. A link with an end that is no site of the enterprise is no edge.
func edgesOf(sites []Site, links []RoutingLink) map[guid.GUID][]edge {
	known := map[guid.GUID]bool{}
	for _, site := range sites {
		known[site.Identifier] = true
	}
	edges := map[guid.GUID][]edge{}
	for _, link := range links {
		one, other := link.Site1Identifier, link.Site2Identifier
		if known[one] && known[other] {
			edges[one] = append(edges[one], edge{other, link.ActualCost})
			edges[other] = append(edges[other], edge{one, link.ActualCost})
		}
	}
	return edges
}

// leastCostNextHops is Dijkstra's algorithm. Of routes with the same cost, the one found first stays.
func leastCostNextHops(root guid.GUID, edges map[guid.GUID][]edge) map[guid.GUID]guid.GUID {
	nextHops := map[guid.GUID]guid.GUID{}
	waiting := &wayQueue{{site: root, nextHop: root}}
	for waiting.Len() > 0 {
		reached := heap.Pop(waiting).(way)
		if _, settled := nextHops[reached.site]; settled {
			continue
		}
		nextHops[reached.site] = reached.nextHop
		for _, edge := range edges[reached.site] {
			nextHop := reached.nextHop
			if reached.site == root {
				nextHop = edge.to
			}
			heap.Push(waiting, way{edge.to, nextHop, reached.cost + edge.cost})
		}
	}
	return nextHops
}

// way leads from the root to a site; nextHop is the first site on it.
type way struct {
	site, nextHop guid.GUID
	cost          int64
}

type wayQueue []way

func (q wayQueue) Len() int           { return len(q) }
func (q wayQueue) Less(i, j int) bool { return q[i].cost < q[j].cost }
func (q wayQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *wayQueue) Push(x any)        { *q = append(*q, x.(way)) }
func (q *wayQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
