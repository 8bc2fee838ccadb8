// What a copy of a project costs: the first pull of a million redemptions and a million transactions, and the next one after a
// thousand changes; and how long a report and a comparison with the orders of a shop take.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { seedSandbox } from '../src/sandbox/embedded.ts'
import { plantedProject } from '../test/support/planted-orders.ts'
import { atMost, between } from './figures.js'
import { clientOf, ownSandbox } from './own-sandbox.js'
import { fill } from './scale.js'
import { times } from './service-fixture.js'
import { table } from './stats.js'
import { timedChild } from './timed-child.js'

const bin = join(import.meta.dirname, '../bin/run.js')
const goals = { peakMb: 160, flat: 1.1, share: 0.01, reportSeconds: 3, reconcileSeconds: 20 }
const codes = 1_000
const changes = 1_000

/** Pulls copies of a project of a tenth of the rows and of all, and one again; returns a Markdown section. */
export async function ledger(folder, rows = 1_000_000, orders = 100_000) {
  const small = await pulls(join(folder, 'small'), rows / 10)
  const large = await pulls(join(folder, 'large'), rows)
  const compared = await reconcileOrders(join(folder, 'orders'), orders)
  const flat = large.first.peakMb / small.first.peakMb
  const share = large.next.requests / large.first.requests
  const count = rows.toLocaleString('en')
  const figures = [
    atMost(`ledger: MB of the first pull of ${count} + ${count} rows`, large.first.peakMb, goals.peakMb),
    between('ledger: memory over that of a tenth of the rows', flat, 0.9, goals.flat),
    atMost('ledger: requests of the next pull over the first', share, goals.share),
    atMost('ledger: seconds of the report of a year', large.report.seconds, goals.reportSeconds),
    atMost('ledger: seconds to compare the orders of a shop', compared.seconds, goals.reconcileSeconds),
  ]
  const line = (name, { seconds, peakMb, requests, read }) => [
    name,
    read.toLocaleString('en'),
    requests.toLocaleString('en'),
    seconds.toFixed(1),
    peakMb.toFixed(0),
  ]
  const text = `## A copy of a project

\`promo ledger pull\` of as many redemptions as transactions from the sandbox in a process of its own.

${table(
  ['pull', 'rows read', 'requests', 'seconds', 'peak RSS (MB)'],
  [
    line(`the first, ${(rows / 10).toLocaleString('en')} of each`, small.first),
    line(`the first, ${count} of each`, large.first),
    line(`the next, after ${changes.toLocaleString('en')} changes`, large.next),
  ],
)}

Memory (goal < ${goals.peakMb} MB) over that of a tenth of the rows: ${flat.toFixed(2)} (goal ≤ ${goals.flat}). Requests of the next pull over the first: ${(share * 100).toFixed(2)} % (goal ≤ ${goals.share * 100} %).

\`promo ledger report\` of a year, month by month, from that copy: ${large.report.seconds.toFixed(1)} s (goal < ${goals.reportSeconds} s), ${large.report.peakMb.toFixed(0)} MB.

\`promo ledger reconcile\` of ${compared.orders.toLocaleString('en')} orders, in which ${compared.found.toLocaleString('en')} differences were planted: all are found, and no other, in ${compared.seconds.toFixed(1)} s (goal < ${goals.reconcileSeconds} s), ${compared.peakMb.toFixed(0)} MB.
`
  return { text, figures }
}

async function pulls(folder, rows) {
  mkdirSync(folder, { recursive: true })
  await fill(join(folder, 'bench.db'), rows, codes)
  const service = await ownSandbox(folder, [])
  const { url, app_id, app_token } = service
  const env = { HOME: folder, PROMO_BASE_URL: url, PROMO_APP_ID: app_id, PROMO_APP_TOKEN: app_token }
  const file = join(folder, 'copy.db')
  const command = [process.execPath, bin, 'ledger', 'pull', '--data', file, '--max-requests', 1_000_000, '--quiet']
  const pulled = async () => ({ ...(await timedChild(command, env)), ...latestPull(file) })
  const client = clientOf(service)
  try {
    const first = await pulled()
    mustHave(file, rows)
    // Points are added to a card that somebody has.
    await client.text({
      method: 'POST',
      path: '/v1/publications',
      body: { voucher: 'CARD', customer: { source_id: 'ada' } },
    })
    for (let from = 0; from < changes; from += 50) await Promise.all(times(50, (at) => client.text(change(from + at))))
    const next = await pulled()
    mustHave(file, rows + changes / 2)
    const year = '--since 366d --until 1d --monthly --json --quiet'.split(' ')
    const report = await timedChild([process.execPath, bin, 'ledger', 'report', ...year, '--data', file], env)
    return { first, next, report }
  } finally {
    await client.close()
    await service.stop()
  }
}

/** Compares a project with the orders of its shop; throws unless exactly the planted differences are found. */
async function reconcileOrders(folder, orders) {
  mkdirSync(folder, { recursive: true })
  const planted = plantedProject(orders)
  await seedSandbox(join(folder, 'bench.db'), planted.fixture)
  const service = await ownSandbox(folder, [])
  const [file, input, output] = ['copy.db', 'orders.csv', 'found.csv'].map((name) => join(folder, name))
  writeFileSync(input, planted.csv)
  const { url, app_id, app_token } = service
  const env = { HOME: folder, PROMO_BASE_URL: url, PROMO_APP_ID: app_id, PROMO_APP_TOKEN: app_token }
  const line = (...words) => [process.execPath, bin, 'ledger', ...words, '--data', file, '--quiet']
  try {
    await timedChild(line('pull', '--max-requests', 1_000_000), env)
  } finally {
    await service.stop()
  }
  const form = ['--amounts-in', 'EUR', '--csv', '--columns', 'id', '--no-header', '--out', output]
  const timed = await timedChild(line('reconcile', input, ...form), env, undefined, 12)
  const found = readFileSync(output, 'utf8').trim().split('\n').toSorted()
  if (found.join() !== planted.finds.toSorted().join())
    throw new Error(`${found.length} differences were found, and ${planted.finds.length} planted`)
  return { ...timed, orders: planted.orders, found: found.length }
}

/** A redemption, or points that are added to a card. */
function change(n) {
  return n % 2 === 0
    ? {
        method: 'POST',
        path: '/v1/redemptions',
        body: { redeemables: [{ object: 'voucher', id: 'FREE' }], order: { amount: 1000 } },
      }
    : { method: 'POST', path: '/v1/loyalties/members/CARD/balance', body: { points: 1 } }
}

function latestPull(file) {
  const copy = new DatabaseSync(file, { readOnly: true })
  const { requests, read, state } = copy
    .prepare('SELECT requests, rows AS read, state FROM pulls ORDER BY id DESC')
    .get()
  copy.close()
  if (state !== 'complete') throw new Error(`the pull is ${state}`)
  return { requests, read }
}

function mustHave(file, rows) {
  const copy = new DatabaseSync(file, { readOnly: true })
  for (const name of ['redemptions', 'transactions']) {
    const { held } = copy.prepare(`SELECT count(*) AS held FROM ${name}`).get()
    if (held !== rows) throw new Error(`the copy has ${held} ${name} instead of ${rows}`)
  }
  copy.close()
}
