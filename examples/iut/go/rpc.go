package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Error codes of JSON-RPC 2.0, and one of the IUT protocol.
const (
	notJSON       = -32700
	notOffered    = -32601
	invalidParams = -32602
	refused       = -32000
	noRoute       = -32010
)

// failure is an error answer.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f failure) Error() string { return f.Message }

// operation takes the params of a request and gives the result.
type operation func(params json.RawMessage) (any, error)

// nothing stands for params that are not needed, and for a result that says nothing.
type nothing struct{}

// offer makes an operation of a function that takes its params as a struct.
func offer[P any](perform func(P) (any, error)) operation {
	return func(params json.RawMessage) (any, error) {
		var given P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &given); err != nil {
				return nil, failure{invalidParams, err.Error()}
			}
		}
		return perform(given)
	}
}

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *failure        `json:"error,omitempty"`
}

// serveRPC answers one request a line until shutdown or the end of the input. Nothing else may write to out.
func serveRPC(in io.Reader, out io.Writer, operations map[string]operation) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	answers := json.NewEncoder(out) // writes a whole line at once
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var asked request
			answer := perform(line, &asked, operations)
			if err := answers.Encode(answer); err != nil {
				return err
			}
			if asked.Method == "shutdown" {
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func perform(line []byte, asked *request, operations map[string]operation) response {
	answer := response{Version: "2.0", ID: json.RawMessage("null")}
	if err := json.Unmarshal(line, asked); err != nil {
		answer.Error = &failure{notJSON, err.Error()}
		return answer
	}
	if asked.ID != nil {
		answer.ID = asked.ID
	}
	operation, offered := operations[asked.Method]
	if !offered {
		answer.Error = &failure{notOffered, asked.Method + " is not offered"}
		return answer
	}
	result, err := operation(asked.Params)
	if err != nil {
		answer.Error = asFailure(err)
		return answer
	}
	answer.Result = result
	return answer
}

func asFailure(err error) *failure {
	var coded failure
	if errors.As(err, &coded) {
		return &coded
	}
	return &failure{refused, err.Error()}
}
