// Package transactions sends messages to several queues at once, to all of them or to none.
package transactions

import (
	"errors"

	"example.com/mqsample/ordered"
)

// notTransactionalQueue is the class of the acknowledgment for a message that a nontransactional queue refused.
const notTransactionalQueue = "not_transactional_queue"

// ErrNone is the answer to what needs a transaction that is not under way.
var ErrNone = errors.New("there is no such transaction under way")

// Queue is a target and the computer that hosts it.
type Queue struct {
	Name          string `json:"name"`
	Machine       string `json:"machine"`
	Transactional bool   `json:"transactional"`
}

// List is a distribution list of queues and lists.
type List struct {
	Name     string   `json:"name"`
	Elements []string `json:"elements"`
}

// Acknowledgment is a negative one, in an administration queue.
type Acknowledgment struct {
	Message ordered.Key `json:"message"`
	Queue   string      `json:"queue"`
	Class   string      `json:"class"`
}

// State is what can be seen of the queues, by the name of the target queue, computer or administration queue.
type State struct {
	Outgoing        map[string][]ordered.Key    `json:"outgoing"`
	Queues          map[string][]ordered.Key    `json:"queues"`
	DeadLetters     map[string][]ordered.Key    `json:"dead_letters"`
	Acknowledgments map[string][]Acknowledgment `json:"acknowledgments"`
}

// Manager is a queue manager that sends, together with the computers that host the target queues.
type Manager struct {
	queues    map[string]Queue
	lists     map[string]List
	failing   map[string]bool
	outgoing  map[string][]sent
	delivered State
	open      map[int]*transaction
	begun     int
}

type transaction struct {
	sends  []sent
	doomed bool // one of the copies could not be sent
}

// sent is a message with one of the queues to which a copy of it goes.
type sent struct {
	message             ordered.Key
	queue               string
	administrationQueue string
}

// NewManager gives a manager of empty queues.
func NewManager(queues []Queue, lists []List) *Manager {
	m := &Manager{
		queues: map[string]Queue{}, lists: map[string]List{}, failing: map[string]bool{},
		outgoing: map[string][]sent{}, open: map[int]*transaction{},
		delivered: State{
			Queues:          map[string][]ordered.Key{},
			DeadLetters:     map[string][]ordered.Key{},
			Acknowledgments: map[string][]Acknowledgment{},
		},
	}
	for _, queue := range queues {
		m.queues[queue.Name] = queue
	}
	for _, list := range lists {
		m.lists[list.Name] = list
	}
	return m
}

// FailQueue lets the outgoing queue for a target take no copy, or heals it.
func (m *Manager) FailQueue(queue string, failing bool) {
	m.failing[queue] = failing
}

// Begin opens a transaction.
func (m *Manager) Begin() int {
	m.begun++
	m.open[m.begun] = &transaction{}
	return m.begun
}

// Send adds a copy for each queue that the destination leads to. A copy that cannot be sent dooms the transaction.
func (m *Manager) Send(id int, message ordered.Key, destination []string, administrationQueue string) error {
	current := m.open[id]
	if current == nil {
		return ErrNone
	}
	queues, err := m.targets(destination)
	if err != nil {
		return err
	}
	for _, queue := range queues {
		current.doomed = current.doomed || m.failing[queue]
		current.sends = append(current.sends, sent{message, queue, administrationQueue})
	}
	return nil
}

// Commit puts the copies into the outgoing queues, all or none, and says which.
func (m *Manager) Commit(id int) (bool, error) {
	current := m.open[id]
	if current == nil {
		return false, ErrNone
	}
	delete(m.open, id)
	for _, each := range current.sends {
		current.doomed = current.doomed || m.failing[each.queue]
	}
	if current.doomed {
		return false, nil
	}
	for _, each := range current.sends {
		m.outgoing[each.queue] = append(m.outgoing[each.queue], each)
	}
	return true, nil
}

// Abort drops what was sent within a transaction.
func (m *Manager) Abort(id int) error {
	if m.open[id] == nil {
		return ErrNone
	}
	delete(m.open, id)
	return nil
}

// Deliver lets every copy reach its computer. A nontransactional queue refuses it: it goes to the computer's
// transactional dead-letter queue, and a negative acknowledgment to the administration queue.
func (m *Manager) Deliver() {
	for name, copies := range m.outgoing {
		queue := m.queues[name]
		for _, each := range copies {
			if queue.Transactional {
				m.delivered.Queues[name] = append(m.delivered.Queues[name], each.message)
			} else {
				m.refuse(queue, each)
			}
		}
	}
	m.outgoing = map[string][]sent{}
}

func (m *Manager) refuse(queue Queue, refused sent) {
	m.delivered.DeadLetters[queue.Machine] = append(m.delivered.DeadLetters[queue.Machine], refused.message)
	if to := refused.administrationQueue; to != "" {
		acknowledgment := Acknowledgment{refused.message, queue.Name, notTransactionalQueue}
		m.delivered.Acknowledgments[to] = append(m.delivered.Acknowledgments[to], acknowledgment)
	}
}

// State shows all queues.
func (m *Manager) State() State {
	state := m.delivered
	state.Outgoing = map[string][]ordered.Key{}
	for name, copies := range m.outgoing {
		for _, each := range copies {
			state.Outgoing[name] = append(state.Outgoing[name], each.message)
		}
	}
	return state
}
