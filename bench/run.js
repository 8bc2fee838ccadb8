// The basis of the performance claims: `npm run bench [startup|bulk|million|memory|listing|workbook|service|scale|state|config|check|rows|ledger]` prints the sections
// of bench/README.md and, when it runs all, writes them there, and bench/results.json; `--compare FILE` shows the results of another run beside them, and
// ends with exit code 1 when a figure is worse.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bulk } from './bulk.js'
import { check } from './check.js'
import { config } from './config.js'
import { compared, comparison, missedGoals } from './figures.js'
import { ledger } from './ledger.js'
import { listing } from './listing.js'
import { memory } from './memory.js'
import { million } from './million.js'
import { rows } from './rows.js'
import { scale } from './scale.js'
import { service } from './service.js'
import { startup } from './startup.js'
import { state } from './state.js'
import { workbook } from './workbook.js'

const sections = {
  startup,
  bulk,
  million,
  memory,
  listing,
  workbook,
  service,
  scale,
  state,
  config,
  check,
  rows,
  ledger,
}
const { values, positionals: wanted } = parseArgs({ options: { compare: { type: 'string' } }, allowPositionals: true })
const unknown = wanted.filter((name) => !Object.hasOwn(sections, name))
if (unknown.length > 0)
  throw new Error(`there is no section ${unknown.join(', ')}: ${Object.keys(sections).join(', ')}`)
// Read first: the run may overwrite it.
const before = values.compare === undefined ? undefined : JSON.parse(readFileSync(values.compare, 'utf8'))

const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0].model})`
const figures = []
/** The sections, as they are printed. */
const printed = []
const seconds = []
const print = (text) => {
  printed.push(text)
  process.stdout.write(`${text}\n`)
}
const folder = mkdtempSync(join(tmpdir(), 'promo-bench-'))
try {
  const commit = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: import.meta.dirname, encoding: 'utf8' })
  print(`Printed on ${new Date().toISOString().slice(0, 10)} at commit ${commit.stdout.trim()} by ${machine}.\n`)
  for (const [name, section] of Object.entries(sections)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    // One folder each: the sandbox of one section must not find the data of another.
    const startedAt = performance.now()
    const measured = await section(mkdtempSync(join(folder, `${name}-`)))
    seconds.push([name, (performance.now() - startedAt) / 1000])
    figures.push(...measured.figures)
    print(measured.text.replace('\n\n', `\n\n\`npm run bench ${name}\`. `))
  }
} finally {
  rmSync(folder, { recursive: true })
}
print(missedGoals(figures))
const minutes = seconds.reduce((sum, [, one]) => sum + one, 0) / 60
print(
  `It took ${minutes.toFixed(1)} minutes: ${seconds.map(([name, one]) => `${name} ${one.toFixed(0)} s`).join(', ')}.\n`,
)
const results = { at: new Date().toISOString(), machine, figures }
// The figures of some sections alone would replace those of a whole run.
if (wanted.length === 0) {
  writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
  const readme = join(import.meta.dirname, 'README.md')
  const [about] = readFileSync(readme, 'utf8').split(/(?<=^<!-- .* -->\n)/m)
  writeFileSync(readme, `${about}\n${printed.join('\n').trimEnd()}\n`)
}
if (before !== undefined) {
  // A run of some sections is compared with the same ones.
  const rows = compared(before.figures, figures).filter(({ verdict }) => wanted.length === 0 || verdict !== 'gone')
  process.stdout.write(`${comparison(rows)}\n`)
  if (rows.some(({ verdict }) => verdict === 'worse')) process.exitCode = 1
}
