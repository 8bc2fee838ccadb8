// The sandbox's own server without a sandbox: `node constant-service.js FILE` answers every request with that file.
import { readFileSync } from 'node:fs'
import { serve } from '../src/sandbox/http/serve.ts'

const body = readFileSync(process.argv[2], 'utf8')
const handleAll = (requests) => requests.map(() => ({ status: 200, headers: {}, body }))
const { url } = await serve({ app: { handleAll, requestId: () => 'v-0' }, port: 0, report: () => {} })
process.stdout.write(`${JSON.stringify({ url })}\n`)
