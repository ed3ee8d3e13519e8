/* The carrier of the IUT protocol: JSON-RPC 2.0, one object a line, on standard input and output. */
#ifndef RPC_H
#define RPC_H

/* Answer calls until `shutdown` or the end of input; the exit status. */
int rpc_serve(void);

#endif
