// How long promo takes to start, relative to `node -e 0` of the same Node, and README's first job on a fresh machine.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shLauncher } from '../bin/release/launchers.ts'
import { constantServer } from './constant-server.js'
import { atMost } from './figures.js'
import { median, table } from './stats.js'

const bin = join(import.meta.dirname, '../bin/run.js')
const rounds = 25
const jobRounds = 9
const leakedCodes = join(import.meta.dirname, '../examples/leaked-codes.csv')
const goals = { jobSeconds: 0.45 }

/** Measures each start interleaved with the others and returns a Markdown section. */
export async function startup(folder) {
  const server = await constantServer()
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CACHE_HOME: folder,
    PROMO_BASE_URL: server.url,
    PROMO_PROJECT_ID: 'proj_bench',
    PROMO_APP_ID: 'bench-app',
    PROMO_APP_TOKEN: 'bench-token',
  }
  const node = process.execPath
  const cases = [
    { name: '`node -e 0`', program: node, args: ['-e', '0'] },
    { name: '`promo --version`', program: node, args: [bin, '--version'], goal: 1.2 },
    // At most 10 ms more than without it, where Node takes 27.
    {
      name: '`promo --version`, by the launcher of an archive',
      program: archiveIn(folder),
      args: ['--version'],
      goal: 1.57,
    },
    { name: '`promo --help`', program: node, args: [bin, '--help'], goal: 2 },
    { name: '`promo vouchers disable --help`', program: node, args: [bin, 'vouchers', 'disable', '--help'], goal: 2 },
    {
      name: '`promo complete -- vouchers di`',
      program: node,
      args: [bin, 'complete', '--', 'vouchers', 'di'],
      goal: 2,
    },
    {
      name: '`promo vouchers disable --nope`',
      program: node,
      args: [bin, 'vouchers', 'disable', '--nope'],
      goal: 2.1,
      exit: 2,
    },
    {
      name: '`promo vouchers disable X --dry-run`',
      program: node,
      args: [bin, 'vouchers', 'disable', 'X', '--dry-run'],
      goal: 2.4,
    },
    { name: '`promo vouchers disable X`', program: node, args: [bin, 'vouchers', 'disable', 'X'], goal: 3 },
    { name: '`gh --version` (Debian)', program: 'gh', args: ['--version'] },
    { name: '`gh issue list --help` (Debian)', program: 'gh', args: ['issue', 'list', '--help'] },
  ].filter(({ program }) => spawnSync(program, ['--version']).error === undefined)

  const times = new Map(cases.map(({ name }) => [name, []]))
  for (let round = -2; round < rounds; round++) {
    for (const { name, program, args, exit = 0 } of cases) {
      const { ms, status, stderr } = await timed(program, args, env)
      if (status !== exit) throw new Error(`${name} exited with ${status}: ${stderr}`)
      if (round >= 0) times.get(name).push(ms)
    }
  }
  await server.close()

  const floor = median(times.get('`node -e 0`'))
  const rows = cases.map(({ name, goal }) => {
    const ms = median(times.get(name))
    return [name, ms.toFixed(1), (ms / floor).toFixed(2), goal === undefined ? '' : `≤ ${goal}`]
  })
  const figures = cases
    .filter(({ goal }) => goal !== undefined)
    .map(({ name, goal }) => atMost(`start-up: ${name.replaceAll('`', '')}`, median(times.get(name)) / floor, goal))
  const job = await firstJob(folder)
  figures.push(atMost('start-up: s for the 1,000 rows of the first job', job.rows, goals.jobSeconds))
  return {
    text: `## Start-up

Time over \`node -e 0\` of the same Node. \`vouchers disable X\` calls a constant server on loopback.

${table(['command', `median of ${rounds} (ms)`, 'over node -e 0', 'goal'], rows)}

README's first job in a new home, 1,000 codes on the embedded service in the same process (medians of ${jobRounds}): ${job.rows.toFixed(2)} s for the rows (goal ≤ ${goals.jobSeconds}), ${job.all.toFixed(2)} s in all, with the shop that is made for it.
`,
    figures,
  }
}

/** Makes what an archive has, of this checkout and this Node; returns its launcher. */
function archiveIn(folder) {
  const archive = mkdtempSync(join(folder, 'archive-'))
  mkdirSync(join(archive, 'node'))
  symlinkSync(process.execPath, join(archive, 'node/node'))
  symlinkSync(join(import.meta.dirname, '..'), join(archive, 'lib'))
  writeFileSync(join(archive, 'promo'), shLauncher('', process.platform), { mode: 0o755 })
  return join(archive, 'promo')
}

/** Disables the codes of README's example; returns the seconds that promo reports for the rows, and those of the process. */
async function firstJob(folder) {
  const args = [
    bin,
    'vouchers',
    'disable',
    '--from',
    leakedCodes,
    '--profile',
    'sandbox',
    '--yes',
    '--quiet',
    '--jsonl',
  ]
  const runs = []
  for (let round = 0; round < jobRounds; round++) {
    const env = { PATH: process.env.PATH, HOME: mkdtempSync(join(folder, 'home-')) }
    const { ms, status, stdout, stderr } = await timed(process.execPath, args, env)
    const { ok, elapsed_ms } = JSON.parse(stdout.trimEnd().split('\n').at(-1))
    if (status !== 0 || ok !== 1000) throw new Error(`the first job exited with ${status}: ${stderr}`)
    runs.push({ all: ms / 1000, rows: elapsed_ms / 1000 })
  }
  return { all: median(runs.map(({ all }) => all)), rows: median(runs.map(({ rows }) => rows)) }
}

// Not spawnSync: the server that answers runs in this process.
async function timed(program, args, env) {
  const { spawn } = await import('node:child_process')
  const startedAt = performance.now()
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (piece) => {
    stdout += piece
  })
  child.stderr.on('data', (piece) => {
    stderr += piece
  })
  const status = await new Promise((resolve) => child.on('close', resolve))
  return { ms: performance.now() - startedAt, status, stdout, stderr }
}
