// What grows with the state folder: `jobs list`, `jobs show` and `history` on a computer that has been used for a year.
import { spawnSync } from 'node:child_process'
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { atMost } from './figures.js'
import { median, table } from './stats.js'

const bin = join(import.meta.dirname, '../bin/run.js')
const days = 366
const changesPerDay = 60
const sizes = [
  { jobs: 2_000, goalMs: 200 },
  { jobs: 20_000, goalMs: 400 },
]
const rounds = 7

/** Measures each command in folders of both sizes and returns a Markdown section. */
export async function state(folder) {
  const measured = sizes.map((size) => ({ ...size, cases: measure(join(folder, String(size.jobs)), size.jobs) }))
  const rows = measured[0].cases.map(({ name }, at) => [
    name,
    ...measured.flatMap(({ cases, goalMs }) => [cases[at].ms.toFixed(0), `≤ ${goalMs}`]),
  ])
  return {
    text: `## A state folder of a year

A folder with ${days} days of history (${changesPerDay} changes a day) and many jobs; medians of ${rounds} runs after the first, in milliseconds.

${table(['command', '2,000 jobs', 'goal', '20,000 jobs', 'goal'], rows)}
`,
    figures: measured.flatMap(({ jobs, goalMs, cases }) =>
      cases.map(({ name, ms }) => atMost(`state: ms of ${name.replaceAll('`', '')} with ${jobs} jobs`, ms, goalMs)),
    ),
  }
}

function measure(home, count) {
  mkdirSync(home)
  const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: home }
  const run = (...args) => {
    const startedAt = performance.now()
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`promo ${args.join(' ')} exited with ${status}: ${stderr}`)
    return { ms: performance.now() - startedAt, stdout }
  }
  run('vouchers', 'disable', 'MORNING', 'WEEKEND', '--yes', '--profile', 'sandbox')
  const stateDir = join(home, '.local/state/promo')
  const id = fill(join(stateDir, 'jobs'), count)
  remember(join(stateDir, 'history'))
  const cases = [['jobs', 'list'], ['jobs', 'show', id], ['history']]
  return cases.map((args) => {
    run(...args)
    const times = Array.from({ length: rounds }, () => run(...args).ms)
    return { name: `\`promo ${args.slice(0, 2).join(' ')}\``, ms: median(times) }
  })
}

/** Copies the only job as often, each with an id of its own; returns one of them. */
function fill(dir, count) {
  const first = readdirSync(dir).find((name) => name.endsWith('.sqlite'))
  const [, line] = first.split('.')
  let id
  for (let at = 0; at < count; at += 1) {
    const created = new Date(Date.UTC(2025, 0, 1) + Math.floor((at * days) / count) * 86_400_000).toISOString()
    id = `${created.slice(0, 10).replaceAll('-', '')}-${String(at).padStart(6, '0')}`
    const path = join(dir, `${id}.${line}.sqlite`)
    copyFileSync(join(dir, first), path)
    const database = new DatabaseSync(path)
    database.exec('PRAGMA synchronous = OFF')
    const { header } = database.prepare('SELECT header FROM job').get()
    const changed = JSON.stringify({ ...JSON.parse(header), id, created_at: created })
    database.prepare('UPDATE job SET header = ?, sum = ?').run(changed, crc32(changed))
    database.close()
  }
  return id
}

/** Writes a year of changes. */
function remember(dir) {
  const about = {
    command: 'vouchers disable',
    profile: 'live',
    project: 'proj_1',
    service: 'https://api.example',
    outcome: 'applied',
  }
  for (let day = 0; day < days; day += 1) {
    const at = new Date(Date.UTC(2025, 0, 1) + day * 86_400_000)
    const lines = Array.from({ length: changesPerDay }, (_, n) =>
      JSON.stringify({
        ...about,
        id: `${day}-${n}`,
        at: new Date(at.getTime() + n * 1000).toISOString(),
        subject: `CODE-${n}`,
      }),
    )
    const path = join(dir, `${at.toISOString().slice(0, 10)}.jsonl`)
    writeFileSync(path, '', { mode: 0o600 })
    appendFileSync(path, `${lines.join('\n')}\n`)
  }
}
