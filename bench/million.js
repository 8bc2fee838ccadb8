// A million rows: how much memory a job takes, its report, its undo and shards with their report, and how soon a job that was
// killed half-way sends its next request.
import { closeSync, createReadStream, mkdirSync, mkdtempSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { codesIn, promoEnv } from './bulk-input.js'
import { constantNginx, hasNginx } from './constant-nginx.js'
import { atMost } from './figures.js'
import { table } from './stats.js'
import { timedChild } from './timed-child.js'

const bin = join(import.meta.dirname, '../bin/run.js')
const rows = 1_000_000
const shards = 4
const goals = { peakMb: 200, partMb: 150, resumeSeconds: 10 }

/**
 * Disables the codes, kills the run when half of them are answered, runs it again, reports and undoes the job, does the same
 * work in shards, and returns a Markdown section.
 */
export async function million(folder, count = rows) {
  if (!hasNginx())
    return {
      text: '## A million rows\n\nNot measured: nginx is not installed (apt-get install nginx-light).\n',
      figures: [],
    }
  let server = await constantNginx(folder)
  const env = promoEnv(server.url, folder)
  const jobs = mkdtempSync(join(folder, 'jobs-'))
  const flags = ['--from', codesIn(folder, count, server.url), '--concurrency', 32, '--yes', '--quiet']
  const command = [process.execPath, bin, 'vouchers', 'disable', ...flags, '--journal', join(jobs, 'whole')]
  const run = (...args) => timedChild([process.execPath, bin, ...args, '--quiet'], env)
  const written = async (name, ...args) => {
    const file = join(jobs, name)
    const measured = await run(...args, '--out', file)
    const lines = linesIn(file)
    if (lines !== count + 1) throw new Error(`${name} has ${lines} lines instead of ${count + 1}`)
    return measured
  }
  try {
    const start = await server.mark()
    const killed = await timedChild(command, env, server.after(count / 2))
    const before = await server.since(start)
    const half = await server.mark()
    const resumed = await timedChild(command, env)
    const rest = await server.since(half)
    const repeated = before.count + rest.count - count

    const report = await written('report.csv', 'jobs', 'report', join(jobs, 'whole'), '--csv')
    const disable = [process.execPath, bin, 'vouchers', 'disable', ...flags, '--journal', join(jobs, 'shards')]
    const ended = Array.from({ length: shards }, (_, at) => timedChild([...disable, '--shard', `${at}/${shards}`], env))
    const worst = (await Promise.all(ended)).reduce((one, other) => (one.peakMb > other.peakMb ? one : other))
    const merged = await written('merged.csv', 'jobs', 'report', join(jobs, 'shards'), '--csv')

    // Undo leaves alone what was changed since: each voucher must show the time that the job saw last.
    const { port } = server
    await server.stop()
    const changedAt = await timesIn(join(jobs, 'report.csv'), join(jobs, 'times'))
    server = await constantNginx(mkdirIn(folder, 'still'), { port, changedAt })
    const whole = join(jobs, 'whole')
    const plan = await written('plan.csv', 'jobs', 'undo', whole, '--dry-run', '--csv')
    const undone = await run('jobs', 'undo', whole, '--yes', '--concurrency', 32)
    const parts = { report, shard: worst, merged, plan, undone }
    return section({ count, killed, resumed, wait: rest.first - resumed.started, repeated, parts })
  } finally {
    await server.stop()
  }
}

function section({ count, killed, resumed, wait, repeated, parts }) {
  const line = (name, { seconds, peakMb }, goal) => [name, seconds.toFixed(1), peakMb.toFixed(0), `< ${goal}`]
  const names = {
    report: '`jobs report --csv`',
    shard: `one of ${shards} shards`,
    merged: '`jobs report --csv` of the shards',
    plan: '`jobs undo --dry-run --csv`',
    undone: '`jobs undo`',
  }
  const cells = [
    line('the job until it was killed', killed, goals.peakMb),
    line('its rest', resumed, goals.peakMb),
    ...Object.entries(parts).map(([part, measured]) => line(names[part], measured, goals.partMb)),
  ]
  const figures = [
    atMost('a million rows: peak RSS (MB)', Math.max(killed.peakMb, resumed.peakMb), goals.peakMb),
    atMost('a million rows: seconds to the first request after a kill', wait, goals.resumeSeconds),
    ...Object.entries(parts).map(([part, { peakMb }]) =>
      atMost(`a million rows: peak RSS of ${names[part]} (MB)`, peakMb, goals.partMb),
    ),
  ]
  const text = `## A million rows

${number(count)} codes, 32 in flight, against the same nginx; the process is killed (SIGKILL) when half of them are answered, and the same command line is run again. The shards run at once; the one with the highest peak is shown.

${table(['run', 'seconds', 'peak RSS (MB)', 'goal'], cells)}

From the start of the second run to its first request: ${wait.toFixed(1)} s (goal < ${goals.resumeSeconds}). ${number(repeated)} requests were sent twice, because it was unknown whether they had arrived. An undo reads each voucher before it switches it, so it sends twice the requests.
`
  return { text, figures }
}

function mkdirIn(folder, name) {
  const made = join(folder, name)
  mkdirSync(made)
  return made
}

/** Writes when each voucher of a report was changed, as nginx reads it, and returns the file. */
async function timesIn(report, file) {
  const lines = createInterface({ input: createReadStream(report) })
  const columns = await lines[Symbol.asyncIterator]().next()
  const at = columns.value.split(',').indexOf('promo_result_updated_at')
  const out = openSync(file, 'w')
  for await (const line of lines) {
    const cells = line.split(',')
    writeSync(out, `${cells[0]} "${cells[at]}";\n`)
  }
  closeSync(out)
  return file
}

function linesIn(file) {
  let lines = 0
  for (const byte of readFileSync(file)) if (byte === 10) lines += 1
  return lines
}

function number(value) {
  return value.toLocaleString('en')
}
