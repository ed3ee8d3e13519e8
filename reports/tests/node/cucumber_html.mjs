// Reads Cucumber Messages from standard input with Cucumber's own parser, and writes its HTML report to standard output.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const require = createRequire(process.argv[2] + '/')
const { parseEnvelope } = require('@cucumber/messages')
const { CucumberHtmlStream } = require('@cucumber/html-formatter')

const page = new CucumberHtmlStream()
page.pipe(process.stdout)
for await (const line of createInterface({ input: process.stdin })) {
  page.write(parseEnvelope(line))
}
page.end()
