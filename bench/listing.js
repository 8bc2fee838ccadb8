// A listing of a million transactions to a file, as CSV and JSON Lines, compared with a bare loop over the same pages with
// the same HTTP library.
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import { atLeast, atMost } from './figures.js'
import { table } from './stats.js'
import { timedChild } from './timed-child.js'

const bin = join(import.meta.dirname, '../bin/run.js')
const count = 1_000_000
const goals = { jsonl: 0.75, csv: 0.65 }

/** Returns a Markdown section with rows a second, the ratio to the bare loop, and the peak memory of the CLI. */
export async function listing(folder) {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'paged-server.js'), String(count)])
  const url = await new Promise((resolve) => createInterface({ input: server.stdout }).once('line', resolve))
  const bareSeconds = await bareLoop(url, join(folder, 'bare.jsonl'))
  const runs = [await promo(url, folder, 'jsonl'), await promo(url, folder, 'csv')]
  server.stdin.end()

  const rate = (seconds) => Math.round(count / seconds).toLocaleString('en')
  const rows = runs.map(({ format, seconds, peakMb }) => [
    `promo, ${format}`,
    rate(seconds),
    (bareSeconds / seconds).toFixed(2),
    peakMb.toFixed(0),
  ])
  const figures = runs.flatMap(({ format, seconds, peakMb }) => [
    atLeast(`listing: ${format} over the bare loop`, bareSeconds / seconds, goals[format]),
    atMost(`listing: ${format}, peak RSS (MB)`, peakMb, 150),
  ])
  const text = `## A listing of ${count.toLocaleString('en')} transactions

To a file, compared with a bare loop over the same pages with the same HTTP library, which writes JSON Lines and checks nothing.

${table(['reader', 'rows/s', 'over the bare loop (goal ≥ 0.75, CSV 0.65)', 'peak RSS (MB, goal < 150)'], [['bare undici loop, JSON Lines', rate(bareSeconds), '1.00', ''], ...rows])}
`
  return { text, figures }
}

async function bareLoop(url, file) {
  const startedAt = performance.now()
  const pool = new Pool(url, { connections: 1 })
  const out = createWriteStream(file)
  for (let cursor; ; ) {
    const path = `/v1/loyalties/c/transactions?limit=100${cursor === undefined ? '' : `&starting_after_id=${cursor}`}`
    const { body } = await pool.request({ method: 'GET', path })
    const answer = await body.json()
    const text = answer.data.map((row) => `${JSON.stringify(row)}\n`).join('')
    if (!out.write(text)) await new Promise((resolve) => out.once('drain', resolve))
    if (!answer.has_more) break
    cursor = answer.more_starting_after
  }
  await new Promise((resolve) => out.end(resolve))
  await pool.close()
  return (performance.now() - startedAt) / 1000
}

async function promo(url, folder, format) {
  const argv = ['loyalty', 'transactions', 'list', 'c', '--format', format, '--out', join(folder, `out.${format}`)]
  const env = { HOME: folder, PROMO_BASE_URL: url, PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'b' }
  return { format, ...(await timedChild([process.execPath, bin, ...argv], env)) }
}
