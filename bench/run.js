// What the performance claims rest on: `npm run bench [startup|memory|service]` prints the sections of bench/README.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { memory } from './memory.js'
import { service } from './service.js'
import { startup } from './startup.js'

const sections = { startup, memory, service }
const wanted = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'promo-bench-'))
try {
  process.stdout.write(`Node ${process.version}, ${cpus().length} cores (${cpus()[0].model})\n\n`)
  for (const [name, section] of Object.entries(sections)) {
    if (wanted.length === 0 || wanted.includes(name)) process.stdout.write(`${await section(folder)}\n`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
