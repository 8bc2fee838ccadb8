// The least a client can do: `node bare-loop.js URL FILE IN_FLIGHT` disables the codes of a file with undici's dispatch,
// parses each answer and keeps nothing. It sends the same requests as promo, header by header.
import { readFileSync } from 'node:fs'
import { Pool } from 'undici'

const [url, file, inFlight] = process.argv.slice(2)
const codes = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1)
const headers = {
  Accept: 'application/json',
  'Accept-Encoding': 'gzip',
  'User-Agent': `promo/0.1.0 node/${process.versions.node}`,
  'X-App-Id': 'bench-app',
  'X-App-Token': 'bench-token',
}
const pool = new Pool(url, { connections: Number(inFlight), pipelining: 1 })
let next = 0

class Call {
  #settle
  #chunks = []
  #status = 0

  constructor(settle) {
    this.#settle = settle
  }
  onRequestStart() {}
  onResponseStart(_controller, status) {
    this.#status = status
  }
  onResponseData(_controller, chunk) {
    this.#chunks.push(chunk)
  }
  onResponseEnd() {
    const body = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks)
    if (this.#status !== 200 || JSON.parse(body.toString()).active !== false) throw new Error('not disabled')
    this.#settle()
  }
  onResponseError(_controller, error) {
    throw error
  }
}

async function worker() {
  while (next < codes.length) {
    const path = `/v1/vouchers/${encodeURIComponent(codes[next++])}/disable`
    await new Promise((resolve) => pool.dispatch({ method: 'POST', path, headers }, new Call(resolve)))
  }
}
await Promise.all(Array.from({ length: Number(inFlight) }, worker))
await pool.close()
