// How many vouchers a second `vouchers disable --from` disables, compared with the alternatives: a bare undici loop, the
// published SDK, and xargs with curl. All call the same nginx, one after another, in several rounds.
import { join } from 'node:path'
import { codesIn, promoEnv } from './bulk-input.js'
import { constantNginx, hasNginx } from './constant-nginx.js'
import { atLeast } from './figures.js'
import { median, table } from './stats.js'
import { timedChild } from './timed-child.js'

const bin = join(import.meta.dirname, '../bin/run.js')
const inFlight = 32
const sizes = { rounds: 3, promo: 100_000, sdk: 10_000, curl: 1000 }
const goals = { bare: 0.65, sdk: 4, curl: 40 }

/** Measures all of them, taking turns, and returns a Markdown section, or a note when nginx is missing. */
export async function bulk(folder, { rounds, ...rows } = sizes) {
  if (!hasNginx())
    return { text: '## Bulk\n\nNot measured: nginx is not installed (apt-get install nginx-light).\n', figures: [] }
  const server = await constantNginx(folder)
  try {
    const competitors = competitorsOf(server.url, folder, rows)
    for (let round = 0; round < rounds; round++) {
      for (const competitor of competitors) competitor.runs.push(await measured(competitor, server))
    }
    return section(competitors, rounds)
  } finally {
    await server.stop()
  }
}

function competitorsOf(url, folder, rows) {
  const here = (name) => join(import.meta.dirname, name)
  const node = process.execPath
  const file = codesIn(folder, rows.promo, url)
  const sdkFile = codesIn(folder, rows.sdk, url)
  const curlFile = codesIn(folder, rows.curl, url)
  const flags = ['--from', file, '--concurrency', inFlight, '--yes', '--quiet']
  const curl = ['curl', '-sS', '-o', '/dev/null', '-X', 'POST', '-H', 'X-App-Id: a', '-H', 'X-App-Token: b']
  return [
    {
      name: 'bare undici `dispatch` loop, no journal',
      count: rows.promo,
      command: [node, here('bare-loop.js'), url, file, inFlight],
      runs: [],
    },
    {
      name: '`promo vouchers disable --from`',
      count: rows.promo,
      command: [node, bin, 'vouchers', 'disable', ...flags],
      env: () => promoEnv(url, folder),
      runs: [],
    },
    {
      name: '`@voucherify/sdk`',
      count: rows.sdk,
      command: [node, here('sdk-loop.js'), url, sdkFile, inFlight],
      runs: [],
    },
    {
      name: '`xargs -P8 -n1 curl`',
      count: rows.curl,
      command: ['xargs', '-a', `${curlFile}.urls`, '-P8', '-n1', ...curl],
      runs: [],
    },
  ]
}

/** Runs a competitor once; the server must have answered exactly as many requests as there are codes. */
async function measured({ name, count, command, env = () => ({}) }, server) {
  const mark = await server.mark()
  const { seconds, peakMb } = await timedChild(command, env())
  const answered = await server.since(mark)
  if (answered.count !== count) throw new Error(`${name} made ${answered.count} requests for ${count} codes`)
  return { perSecond: count / (answered.last - answered.first), perSecondOverall: count / seconds, peakMb }
}

function section(competitors, rounds) {
  const medians = competitors.map(({ name, count, runs }) => {
    const of = (what) => median(runs.map((run) => run[what]))
    return { name, count, perSecond: of('perSecond'), overall: of('perSecondOverall'), peakMb: of('peakMb') }
  })
  const promo = medians[1]
  const goal = [`≥ ${goals.bare}`, '', `≥ ${goals.sdk}`, `≥ ${goals.curl}`]
  const rows = medians.map(({ name, count, perSecond, overall, peakMb }, at) => [
    name,
    number(count),
    number(perSecond),
    (promo.perSecond / perSecond).toFixed(2),
    goal[at],
    number(overall),
    (promo.overall / overall).toFixed(2),
    peakMb.toFixed(0),
  ])
  const header = [
    'client',
    'codes',
    'requests/s',
    'promo over it',
    'goal',
    'codes/s in all',
    'promo over it',
    'peak RSS (MB)',
  ]
  const least = [goals.bare, undefined, goals.sdk, goals.curl]
  const figures = medians.flatMap(({ name, perSecond }, at) =>
    name === promo.name
      ? []
      : [atLeast(`bulk: over ${name.replaceAll('`', '')}`, promo.perSecond / perSecond, least[at])],
  )
  const text = `## Bulk

nginx is Debian's (\`apt-get install nginx-light\`). Disabling the codes of a CSV file, ${inFlight} in flight, against nginx (one worker) that confirms every code with 1.7 kB of JSON; medians of ${rounds} rounds, taking turns. Requests/s are counted by nginx from the first request to the last; codes/s in all cover the entire life of the process: start, reading and checking the file, and the end. promo writes every row to its journal before and after the request; the bare loop sends the same requests, parses each answer, and keeps nothing.

${table(header, rows)}
`
  return { text, figures }
}

function number(value) {
  return Math.round(value).toLocaleString('en')
}
