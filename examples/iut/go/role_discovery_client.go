package main

import (
	"crypto/rand"
	"encoding/hex"

	"example.com/mqsample/discovery"
	"example.com/mqsample/guid"
)

// discoveryClientRole puts the client behind the operations of the role discovery_client.
type discoveryClientRole struct {
	client *discovery.Client
}

func (d *discoveryClientRole) reset() {
	d.client = &discovery.Client{NewRequestID: randomGUID}
}

func randomGUID() guid.GUID {
	var id guid.GUID
	if _, err := rand.Read(id[:]); err != nil {
		panic(err) // the system has no random numbers
	}
	id[6] = id[6]&0x0f | 0x40 // version 4 of RFC 4122
	id[8] = id[8]&0x3f | 0x80
	return id
}

func (d *discoveryClientRole) operations() map[string]operation {
	return map[string]operation{
		"discovery_client.configure":       offer(d.configure),
		"discovery_client.change_networks": offer(d.changeNetworks),
		"discovery_client.start":           offer(d.start),
		"discovery_client.receive":         offer(d.receive),
		"discovery_client.advance_clock":   offer(d.advanceClock),
		"discovery_client.state":           offer(func(nothing) (any, error) { return clientState(d.client), nil }),
	}
}

type networksParams struct {
	Networks []discovery.Network `json:"networks"`
}

func (d *discoveryClientRole) configure(p struct {
	Enterprise guid.GUID `json:"enterprise"`
	Site       guid.GUID `json:"site"`
	networksParams
}) (any, error) {
	d.reset()
	d.client.Enterprise, d.client.Site, d.client.Networks = p.Enterprise, p.Site, p.Networks
	return nothing{}, nil
}

func (d *discoveryClientRole) changeNetworks(p networksParams) (any, error) {
	d.client.Networks = p.Networks
	return nothing{}, nil
}

func (d *discoveryClientRole) start(nothing) (any, error) {
	return effects(d.client.GetDirectoryServerList()), nil
}

func (d *discoveryClientRole) receive(p struct {
	Network  string `json:"network"`
	Datagram string `json:"datagram"`
}) (any, error) {
	packet, err := hex.DecodeString(p.Datagram)
	if err != nil {
		return nil, failure{invalidParams, err.Error()}
	}
	return effects(d.client.Receive(p.Network, packet)), nil
}

func (d *discoveryClientRole) advanceClock(p secondsParams) (any, error) {
	return effects(d.client.AdvanceClock(p.duration())), nil
}

func effects(happened []discovery.Effect) any {
	shown := []any{}
	for _, each := range happened {
		shown = append(shown, effect(each))
	}
	return map[string]any{"effects": shown}
}

func effect(happened discovery.Effect) map[string]any {
	if happened.Datagram != nil {
		datagram := hex.EncodeToString(happened.Datagram)
		return map[string]any{"send": map[string]any{"network": happened.Network, "datagram": datagram}}
	}
	return map[string]any{"complete": map[string]any{"result": result(happened.Success)}}
}

func result(success bool) string {
	if success {
		return "success"
	}
	return "failure"
}

// clientState shows the elements of 3.1.1.
func clientState(client *discovery.Client) map[string]any {
	var address any
	if client.LastSuccessfulNetworkAddress != "" {
		address = client.LastSuccessfulNetworkAddress
	}
	return map[string]any{
		"directory_servers":                     append([]discovery.Name{}, client.DirectoryServerList...),
		"connected_networks":                    append([]guid.GUID{}, client.ConnectedNetworkIdentifierList...),
		"valid_last_successful_network_address": client.ValidLastSuccessfulNetworkAddress,
		"last_successful_network_address":       address,
		"request_id":                            client.RequestID,
		"current_network_index":                 client.CurrentNetworkIndex,
	}
}
