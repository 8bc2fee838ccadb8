// A workbook of 100,000 transactions: listed to a file, and read again as the rows of a job.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promoEnv } from './bulk-input.js'
import { atMost } from './figures.js'
import { table } from './stats.js'
import { timedChild } from './timed-child.js'

const bin = join(import.meta.dirname, '../bin/run.js')
const count = 100_000
const goals = { seconds: 15, peakMb: 500 }

/** Returns a Markdown section with the time and the memory of writing a workbook, and of reading it in a dry run. */
export async function workbook(folder) {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'paged-server.js'), String(count)])
  const url = await new Promise((resolve) => createInterface({ input: server.stdout }).once('line', resolve))
  const file = join(folder, 'rows.xlsx')
  const env = promoEnv(url, folder)
  const list = ['loyalty', 'transactions', 'list', 'c', '--tz', 'Europe/Berlin', '--out', file]
  const written = await timedChild([process.execPath, bin, ...list], env)
  const disable = [
    'vouchers',
    'disable',
    '--from',
    file,
    '--column',
    'id',
    '--dry-run',
    '--out',
    join(folder, 'plan.csv'),
  ]
  const read = await timedChild([process.execPath, bin, ...disable], env)
  server.stdin.end()

  const works = [
    { name: 'written', ...written },
    { name: 'read and checked', ...read },
  ]
  const figures = works.flatMap(({ name, seconds, peakMb }) => [
    atMost(`workbook, ${name}: s`, seconds, goals.seconds),
    atMost(`workbook, ${name}: peak RSS (MB)`, peakMb, goals.peakMb),
  ])
  const text = `## A workbook of ${count.toLocaleString('en')} rows

Transactions in 43 columns, many of them empty, with times in Europe/Berlin, are listed to a workbook; the same file is read and checked as the rows of a dry run.

${table(
  ['workbook', 's', 'goal', 'peak RSS (MB)', 'goal'],
  works.map(({ name, seconds, peakMb }) => [
    name,
    seconds.toFixed(1),
    `< ${goals.seconds}`,
    peakMb.toFixed(0),
    `< ${goals.peakMb}`,
  ]),
)}
`
  return { text, figures }
}
