// A million rows: how much memory they take, and how soon a job that was killed half-way sends its next request.
import { join } from 'node:path'
import { codesIn, promoEnv } from './bulk-input.js'
import { constantNginx, hasNginx } from './constant-nginx.js'
import { atMost } from './figures.js'
import { table } from './stats.js'
import { timedChild } from './timed-child.js'

const bin = join(import.meta.dirname, '../bin/run.js')
const rows = 1_000_000
const goals = { peakMb: 200, resumeSeconds: 10 }

/** Disables the codes, kills the run when half of them are answered, runs it again, and returns a Markdown section. */
export async function million(folder, count = rows) {
  if (!hasNginx())
    return {
      text: '## A million rows\n\nNot measured: nginx is not installed (apt-get install nginx-light).\n',
      figures: [],
    }
  const server = await constantNginx(folder)
  try {
    const flags = ['--from', codesIn(folder, count, server.url), '--concurrency', 32, '--yes', '--quiet']
    const command = [process.execPath, bin, 'vouchers', 'disable', ...flags]
    const env = promoEnv(server.url, folder)
    const start = await server.mark()
    const killed = await timedChild(command, env, server.after(count / 2))
    const before = await server.since(start)
    const half = await server.mark()
    const resumed = await timedChild(command, env)
    const rest = await server.since(half)
    const repeated = before.count + rest.count - count
    return section({ count, killed, resumed, wait: rest.first - resumed.started, repeated })
  } finally {
    await server.stop()
  }
}

function section({ count, killed, resumed, wait, repeated }) {
  const cells = [
    ['until it was killed', killed.seconds.toFixed(1), killed.peakMb.toFixed(0)],
    ['the rest', resumed.seconds.toFixed(1), resumed.peakMb.toFixed(0)],
  ]
  const figures = [
    atMost('a million rows: peak RSS (MB)', Math.max(killed.peakMb, resumed.peakMb), goals.peakMb),
    atMost('a million rows: seconds to the first request after a kill', wait, goals.resumeSeconds),
  ]
  const text = `## A million rows

${number(count)} codes, 32 in flight, against the same nginx; the process is killed (SIGKILL) when half of them are answered, and the same command line is run again.

${table(['run', 'seconds', `peak RSS (MB, goal < ${goals.peakMb})`], cells)}

From the start of the second run to its first request: ${wait.toFixed(1)} s (goal < ${goals.resumeSeconds}). ${number(repeated)} requests were sent twice, because it was unknown whether they had arrived.
`
  return { text, figures }
}

function number(value) {
  return value.toLocaleString('en')
}
