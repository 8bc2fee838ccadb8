// The basis of the performance claims: `npm run bench [startup|bulk|million|memory|listing|service|rows]` prints the sections
// of bench/README.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { bulk } from './bulk.js'
import { listing } from './listing.js'
import { memory } from './memory.js'
import { million } from './million.js'
import { rows } from './rows.js'
import { service } from './service.js'
import { startup } from './startup.js'

const sections = { startup, bulk, million, memory, listing, service, rows }
const wanted = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'promo-bench-'))
try {
  process.stdout.write(`Node ${process.version}, ${cpus().length} cores (${cpus()[0].model})\n\n`)
  for (const [name, section] of Object.entries(sections)) {
    // One folder each: the sandbox of one section must not find the data of another.
    const own = mkdtempSync(join(folder, `${name}-`))
    if (wanted.length === 0 || wanted.includes(name)) process.stdout.write(`${await section(own)}\n`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
