// How fast the embedded service works on calls over many rows, and how long another call waits meanwhile.
import { atMost } from './figures.js'
import { clientOf, ownSandbox } from './own-sandbox.js'
import { table } from './stats.js'

const goals = { importSeconds: 15, gapMs: 100 }

/** Measures imports and an update in bulk on a file, with another client that reads one thing after another. */
export async function rows(folder) {
  const sandbox = await ownSandbox(folder)
  const client = clientOf(sandbox)
  try {
    await client.text({ method: 'POST', path: '/v1/vouchers/PROBE', body: voucher(0) })
    const results = []
    for (const work of works) results.push(await measured(work, client))
    const figures = results.map(({ name, seconds, longestMs, isGoal }) =>
      isGoal
        ? atMost(`${name}: s`, seconds, goals.importSeconds)
        : atMost(`${name}: longest wait (ms)`, longestMs, goals.gapMs),
    )
    const text = `## Imports and bulk updates

On a file. Seconds count from the request until its action is done; the longest wait is that of a second client, which reads one voucher again and again.

${table(
  ['call', 'rows', 's', 'goal s', 'answered after (ms)', 'longest wait (ms)', 'goal ms'],
  results.map(({ row }) => row),
)}
`
    return { text, figures }
  } finally {
    await client.close()
    await sandbox.stop()
  }
}

const range = (count) => Array.from({ length: count }, (_, n) => n)
const voucher = (n) => ({ code: `JSON-${n}`, type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } })
const csv = (header, lines) => ({ file: `${header}\n${lines.join('\n')}\n` })

const works = [
  {
    path: '/v1/customers/importCSV',
    count: 20_000,
    isGoal: true,
    sent: (count) =>
      csv(
        'Source_id,Name,Email,tier',
        range(count).map((n) => `c-${n},Name ${n},c${n}@shop.example,gold`),
      ),
  },
  {
    path: '/v1/vouchers/importCSV',
    count: 100_000,
    isGoal: true,
    sent: (count) =>
      csv(
        'Code,Voucher Type,Discount Type,Value,Active,team',
        range(count).map((n) => `CSV-${n},DISCOUNT_VOUCHER,AMOUNT,10,TRUE,blue`),
      ),
  },
  // As many as fit into 10 MB.
  { path: '/v1/vouchers/import', count: 100_000, isGoal: true, sent: (count) => ({ body: range(count).map(voucher) }) },
  {
    path: '/v1/vouchers/bulk/async',
    count: 10_000,
    sent: (count) => ({ body: range(count).map((n) => ({ code: `CSV-${n}`, metadata: { season: 'spring', n } })) }),
  },
]

async function measured({ path, count, isGoal, sent }, client) {
  let isRunning = true
  let longestMs = 0
  const probe = async () => {
    while (isRunning) {
      const from = performance.now()
      await client.text({ method: 'GET', path: '/v1/vouchers/PROBE' })
      longestMs = Math.max(longestMs, performance.now() - from)
    }
  }
  const request = { method: 'POST', path, ...sent(count) }
  const probing = probe()
  const from = performance.now()
  const { async_action_id } = JSON.parse(await client.text(request))
  const answeredMs = performance.now() - from
  let action = {}
  while (action.status !== 'DONE') {
    await new Promise((resolve) => setTimeout(resolve, 50))
    action = JSON.parse(await client.text({ method: 'GET', path: `/v1/async-actions/${async_action_id}` }))
    if (action.status === 'FAILED') throw new Error(`${path} failed: ${JSON.stringify(action.result).slice(0, 500)}`)
  }
  const seconds = (performance.now() - from) / 1000
  isRunning = false
  await probing
  if (action.result.done_count !== count) throw new Error(`${path}: ${JSON.stringify(action.result).slice(0, 500)}`)
  const goal = isGoal ? [`< ${goals.importSeconds}`, ''] : ['', `< ${goals.gapMs}`]
  const shown = [seconds.toFixed(1), goal[0], answeredMs.toFixed(0), longestMs.toFixed(0), goal[1]]
  const row = [`\`POST ${path}\``, count.toLocaleString('en'), ...shown]
  return { name: `POST ${path}, ${count} rows`, seconds, longestMs, isGoal, row }
}
