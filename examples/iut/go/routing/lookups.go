package routing

import "example.com/mqsample/guid"

// GetRoutingServer (3.1.5.5) gives the first routing server that shares a site with the machine, or nil.
func (r *Router) GetRoutingServer(machine guid.GUID) *guid.GUID {
	source := r.directory.queueManager(machine)
	if source == nil {
		return nil
	}
	all := r.directory.queueManagers()
	for i := range all {
		if all[i].RoutingServer && intersect(all[i].SiteIdentifierList, source.SiteIdentifierList) {
			return &all[i].Identifier
		}
	}
	return nil
}

// GetSiteGate (3.1.5.6) gives a gate of the machine's first site, or nil; a further site of the machine is not asked.
func (r *Router) GetSiteGate(machine guid.GUID) *guid.GUID {
	source := r.directory.queueManager(machine)
	if source == nil {
		return nil
	}
	sites := r.directory.sites()
	for i := range sites {
		if contains(source.SiteIdentifierList, sites[i].Identifier) {
			return firstGate(&sites[i])
		}
	}
	return nil
}

// GetSiteGateForSite (3.1.5.7) gives a gate of the site, or nil.
func (r *Router) GetSiteGateForSite(site guid.GUID) *guid.GUID {
	sites := r.directory.sites()
	for i := range sites {
		if sites[i].Identifier == site {
			return firstGate(&sites[i])
		}
	}
	return nil
}

// IsSiteGate (3.1.5.8) says whether the machine is a gate of one of its sites.
func (r *Router) IsSiteGate(machine guid.GUID) bool {
	return r.gateOf(machine) != nil
}

// gateOf gives the first site for which the machine is a gate, or nil.
func (r *Router) gateOf(machine guid.GUID) *Site {
	source := r.directory.queueManager(machine)
	if source == nil || !source.RoutingServer {
		return nil
	}
	sites := r.directory.sites()
	for i := range sites {
		if contains(source.SiteIdentifierList, sites[i].Identifier) && contains(sites[i].SiteGateCollection, machine) {
			return &sites[i]
		}
	}
	return nil
}

// firstGate is "one of" the gates: the text leaves the choice open.
func firstGate(site *Site) *guid.GUID {
	if len(site.SiteGateCollection) == 0 {
		return nil
	}
	return &site.SiteGateCollection[0]
}
