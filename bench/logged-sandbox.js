// Serves a file filled from a fixture, with the log of requests or without: `logged-sandbox.js FILE FIXTURE on|off`.
import { readFileSync } from 'node:fs'
import { startSandbox } from '../src/sandbox/embedded.ts'

const [file, seed, log] = process.argv.slice(2)
const fixture = JSON.parse(readFileSync(seed, 'utf8'))
const { url, credentials, close } = await startSandbox({ file, port: 0, demo: false, fixture, isLogged: log === 'on' })
process.once('SIGTERM', close)
process.stdout.write(`${JSON.stringify({ url, ...credentials })}\n`)
