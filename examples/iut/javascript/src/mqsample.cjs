#!/usr/bin/env node
// The program. A file without an ending is a CommonJS module to Node, which can import all others.
const { join } = require("node:path");

import(join(__dirname, "lib", "command_line.mjs"))
  .then(({ main }) => main(process.argv.slice(2)))
  .then((status) => {
    process.exitCode = status;
  });
