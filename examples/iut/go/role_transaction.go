package main

import (
	"example.com/mqsample/ordered"
	"example.com/mqsample/transactions"
)

// transactionRole puts the manager behind the operations of the role transaction.
type transactionRole struct {
	manager *transactions.Manager
}

func (t *transactionRole) reset() { t.manager = transactions.NewManager(nil, nil) }

func (t *transactionRole) operations() map[string]operation {
	return map[string]operation{
		"transaction.configure":  offer(t.configure),
		"transaction.begin":      offer(t.begin),
		"transaction.send":       offer(t.send),
		"transaction.commit":     offer(t.commit),
		"transaction.abort":      offer(t.abort),
		"transaction.fail_queue": offer(t.failQueue),
		"transaction.deliver":    offer(t.deliver),
		"transaction.state":      offer(func(nothing) (any, error) { return t.manager.State(), nil }),
	}
}

type transactionParams struct {
	Transaction int `json:"transaction"`
}

func (t *transactionRole) configure(p struct {
	Queues []transactions.Queue `json:"queues"`
	Lists  []transactions.List  `json:"lists"`
}) (any, error) {
	t.manager = transactions.NewManager(p.Queues, p.Lists)
	return nothing{}, nil
}

func (t *transactionRole) begin(nothing) (any, error) {
	return transactionParams{t.manager.Begin()}, nil
}

func (t *transactionRole) send(p struct {
	transactionParams
	Message             ordered.Key `json:"message"`
	Destination         []string    `json:"destination"`
	AdministrationQueue string      `json:"administration_queue"`
}) (any, error) {
	return nothing{}, t.manager.Send(p.Transaction, p.Message, p.Destination, p.AdministrationQueue)
}

func (t *transactionRole) commit(p transactionParams) (any, error) {
	committed, err := t.manager.Commit(p.Transaction)
	return map[string]any{"committed": committed}, err
}

func (t *transactionRole) abort(p transactionParams) (any, error) {
	return nothing{}, t.manager.Abort(p.Transaction)
}

func (t *transactionRole) failQueue(p struct {
	Queue   string `json:"queue"`
	Failing bool   `json:"failing"`
}) (any, error) {
	t.manager.FailQueue(p.Queue, p.Failing)
	return nothing{}, nil
}

func (t *transactionRole) deliver(nothing) (any, error) {
	t.manager.Deliver()
	return nothing{}, nil
}
