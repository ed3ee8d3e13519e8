package transactions

import "fmt"

// targets gives the queues that a destination leads to, each of them once, however many ways lead there.
func (m *Manager) targets(destination []string) ([]string, error) {
	var queues []string
	seen := map[string]bool{}
	waiting := append([]string(nil), destination...)
	for len(waiting) > 0 {
		name := waiting[0]
		waiting = waiting[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		if _, isQueue := m.queues[name]; isQueue {
			queues = append(queues, name)
		} else if list, isList := m.lists[name]; isList {
			waiting = append(waiting, list.Elements...)
		} else {
			return nil, fmt.Errorf("%q is neither a queue nor a distribution list", name)
		}
	}
	return queues, nil
}
