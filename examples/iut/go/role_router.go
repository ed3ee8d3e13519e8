package main

import (
	"encoding/json"
	"errors"
	"time"

	"example.com/mqsample/guid"
	"example.com/mqsample/routing"
)

// routerRole puts the router behind the operations of the role router.
type routerRole struct {
	router *routing.Router
}

func (r *routerRole) reset() { r.router = routing.NewRouter() }

type directoryParams struct {
	Directory routing.Directory `json:"directory"`
}

type machineParams struct {
	Machine guid.GUID `json:"machine"`
}

// seconds is a number of zero or more: time does not run backwards.
type seconds float64

func (s *seconds) UnmarshalJSON(text []byte) error {
	err := json.Unmarshal(text, (*float64)(s))
	if err == nil && *s < 0 {
		err = errors.New("seconds are zero or more")
	}
	return err
}

type secondsParams struct {
	Seconds seconds `json:"seconds"`
}

func (s secondsParams) duration() time.Duration {
	return time.Duration(s.Seconds*1e6+0.5) * time.Microsecond
}

type value struct {
	Value any `json:"value"`
}

func (r *routerRole) operations() map[string]operation {
	return map[string]operation{
		"router.load_directory":   offer(r.changeDirectory),
		"router.change_directory": offer(r.changeDirectory),
		"router.fail_directory":   offer(r.failDirectory),
		"router.initialize":       offer(r.initialize),
		"router.advance_clock":    offer(r.advanceClock),
		"router.get_next_hops":    offer(r.getNextHops),
		"router.routing_table":    offer(r.routingTable),
		"router.is_site_gate":     offer(r.isSiteGate),
		"router.get_routing_server": offer(func(p machineParams) (any, error) {
			return value{r.router.GetRoutingServer(p.Machine)}, nil
		}),
		"router.get_site_gate": offer(func(p machineParams) (any, error) {
			return value{r.router.GetSiteGate(p.Machine)}, nil
		}),
		"router.get_site_gate_for_site": offer(r.getSiteGateForSite),
	}
}

func (r *routerRole) changeDirectory(p directoryParams) (any, error) {
	r.router.ChangeDirectory(p.Directory)
	return nothing{}, nil
}

func (r *routerRole) failDirectory(p struct {
	ObjectType string  `json:"object_type"`
	At         *string `json:"at"`
}) (any, error) {
	r.router.FailDirectory(p.ObjectType, p.At != nil)
	return nothing{}, nil
}

func (r *routerRole) initialize(p struct {
	Local guid.GUID `json:"local"`
}) (any, error) {
	r.router.Initialize(p.Local)
	return nothing{}, nil
}

func (r *routerRole) advanceClock(p secondsParams) (any, error) {
	r.router.AdvanceClock(p.duration())
	return nothing{}, nil
}

func (r *routerRole) getNextHops(p struct {
	Source      guid.GUID `json:"source"`
	Destination guid.GUID `json:"destination"`
}) (any, error) {
	nextHops, err := r.router.GetNextHops(p.Source, p.Destination)
	if errors.Is(err, routing.ErrNoRoute) {
		return nil, failure{noRoute, err.Error()}
	}
	return map[string]any{"next_hops": nextHops}, err
}

func (r *routerRole) routingTable(nothing) (any, error) {
	rows := append([]routing.Row{}, r.router.Table()...)
	return map[string]any{"rows": rows}, nil
}

func (r *routerRole) isSiteGate(p machineParams) (any, error) {
	if r.router.IsSiteGate(p.Machine) {
		return value{1}, nil
	}
	return value{0}, nil
}

func (r *routerRole) getSiteGateForSite(p struct {
	Site guid.GUID `json:"site"`
}) (any, error) {
	return value{r.router.GetSiteGateForSite(p.Site)}, nil
}
