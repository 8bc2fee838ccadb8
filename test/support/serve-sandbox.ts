// A process that serves a sandbox file until it is killed: `node serve-sandbox.ts FILE`. Prints address and keys as one line.
import { startSandbox } from '../../src/sandbox/embedded.ts'

const sandbox = await startSandbox({ file: process.argv[2] ?? '', port: 0, demo: false })
// It is killed in the end, and would leave its compiled code to no one.
process.getBuiltinModule('node:module').flushCompileCache()
process.stdout.write(`${JSON.stringify({ url: sandbox.url, ...sandbox.credentials })}\n`)
