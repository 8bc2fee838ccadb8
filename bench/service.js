// How fast the embedded service answers from a file on disk, compared with its own server and a constant answer.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, between } from './figures.js'
import { clientOf, ownProcess, ownSandbox } from './own-sandbox.js'
import { fixture, sizes, transactionId } from './service-fixture.js'
import { median, percentile, table } from './stats.js'

// Throughput is measured with as many calls in flight as a large job has, waiting times with half of them.
const busy = 32
const usual = 16
const rounds = 5
const pageSize = 100
const goals = { p95Ms: 20, generationSeconds: 10, ruled: 1.1, resetMs: 50, logged: 1.05 }
const vouchersGenerated = 100_000

/** Measures calls, the generation of many codes, and pages of a long list; returns a Markdown section. */
export async function service(folder) {
  const seed = join(folder, 'service.json')
  writeFileSync(seed, JSON.stringify(fixture()))
  const sandbox = await ownSandbox(folder, ['--seed', seed])
  const client = clientOf(sandbox)
  try {
    const measurements = []
    for (const call of calls) measurements.push(await measured(call, client, folder))
    const rows = measurements.map(({ cells }) => cells)
    const ruled = await tierAndRules(client)
    const pages = await firstAndLastPage(client)
    const seconds = await generation(client)
    const resetMs = await reset(folder)
    const logged = await withAndWithoutLog(folder, seed)
    const figures = [
      ...measurements.flatMap(({ figures: own }) => own),
      ...(Number.isNaN(ruled.over)
        ? []
        : [atMost('service: validation with tiers and rules, CPU over plain', ruled.over, goals.ruled)]),
      ...(Number.isNaN(logged.over)
        ? []
        : [atMost('service: a read with the log, CPU over one without', logged.over, goals.logged)]),
      atMost('service: seconds to generate a campaign', seconds, goals.generationSeconds),
      atMost('service: ms to reset the demo shop', resetMs, goals.resetMs),
      between('service: last page over first', pages.last / pages.first, 0.8, 1.2),
    ]
    const text = `## The embedded service

On a file. CPU is the time on a core that a call takes of the main thread of the service, over that of the same server with a constant answer of the same size, taking turns; it depends little on what else the computer does. ${busy} calls at a time for CPU and requests/s, ${usual} at a time for the waiting times; medians of ${rounds} rounds.

${table(['call', 'CPU (µs)', 'constant', 'over it', 'goal', 'requests/s', 'constant', 'p50 (ms)', 'p95 (ms)', 'goal p95'], rows)}

The same validation with codes that two rules restrict, one of them to a tier of the customer's program, taking turns with the plain one: ${ruled.cpuUs.toFixed(0)} µs over ${ruled.plain.toFixed(0)}, ${ruled.over.toFixed(2)} (goal ≤ ${goals.ruled}).

With the log of requests and no fault, as it is served, a voucher is read in ${logged.on.toFixed(0)} µs, without the log in ${logged.off.toFixed(0)}: ${logged.over.toFixed(2)} (goal ≤ ${goals.logged}); they take turns.

A campaign with ${number(vouchersGenerated)} vouchers was generated in ${seconds.toFixed(1)} s (goal < ${goals.generationSeconds}).

The demo shop is back at its beginning in ${resetMs.toFixed(0)} ms (\`POST /__promo/reset\`, median of ${resets} after the first; goal < ${goals.resetMs}).

${number(sizes.transactions)} transactions, ${pageSize} a page, one call at a time: first page ${pages.first.toFixed(2)} ms, last page ${pages.last.toFixed(2)} ms (median), last over first ${(pages.last / pages.first).toFixed(2)} (goal 0.80 to 1.20).
`
    return { text, figures }
  } finally {
    await client.close()
    await sandbox.stop()
  }
}

/** Compares the cheapest call of two sandboxes on equal files, one with the log of requests; they take turns. */
async function withAndWithoutLog(folder, seed) {
  const serve = join(import.meta.dirname, 'logged-sandbox.js')
  const sides = {}
  for (const side of ['on', 'off']) {
    const sandbox = await ownProcess([serve, join(folder, `log-${side}.db`), seed, side])
    sides[side] = { sandbox, client: clientOf(sandbox), spent: [] }
  }
  const request = (n) => ({ method: 'GET', path: `/v1/vouchers/CODE-${n % 1000}` })
  for (let round = 0; round <= 2 * rounds; round++) {
    for (const { client, spent } of Object.values(sides)) {
      const { cpuUs } = await timed(client, request, 0, 2000, busy)
      // The first round warms up.
      if (round > 0) spent.push(cpuUs)
    }
  }
  for (const { sandbox, client } of Object.values(sides)) {
    await client.close()
    await sandbox.stop()
  }
  const [on, off] = [median(sides.on.spent), median(sides.off.spent)]
  return { on, off, over: on / off }
}

const resets = 20

/** Returns the milliseconds in which a served demo shop goes back to its beginning, as between two tests. */
async function reset(folder) {
  const sandbox = await ownSandbox(folder, [], 'reset.db')
  const headers = { authorization: `Bearer ${sandbox.control_token}` }
  const times = []
  for (let turn = 0; turn <= resets; turn += 1) {
    const startedAt = performance.now()
    const answer = await fetch(`${sandbox.url}/__promo/reset`, { method: 'POST', headers })
    if (!answer.ok) throw new Error(`reset answered ${answer.status}`)
    await answer.arrayBuffer()
    times.push(performance.now() - startedAt)
  }
  await sandbox.stop()
  return median(times.slice(1))
}

const customer = { source_id: 'customer-1' }
const items = Array.from({ length: 10 }, (_, n) => ({ product_id: `prod_${n}`, quantity: n + 1, price: 1000 + n }))
const redeemables = Array.from({ length: 5 }, (_, n) => ({ object: 'voucher', id: `CODE-${n}` }))
const transactions = `/v1/loyalties/camp_club/transactions?limit=${pageSize}`

const calls = [
  {
    name: 'validation of 5 redeemables, 10 items',
    count: 1000,
    most: 5.5,
    request: () => ({ method: 'POST', path: '/v1/validations', body: { redeemables, customer, order: { items } } }),
    isRight: (answer) => answer.valid && answer.redeemables.length === 5,
  },
  {
    // Each code is disabled once: disabling it again would change nothing and write nothing.
    name: 'disable',
    count: 1500,
    most: 3.7,
    request: (n) => ({ method: 'POST', path: `/v1/vouchers/CODE-${1000 + n}/disable` }),
    isRight: (answer) => answer.active === false,
  },
  {
    name: 'redemption of a code',
    count: 500,
    most: 22,
    request: () => ({
      method: 'POST',
      path: '/v1/redemptions',
      body: { redeemables: [{ object: 'voucher', id: 'CODE-0' }], customer, order: { amount: 1000 } },
    }),
    isRight: (answer) => answer.redemptions[0].result === 'SUCCESS',
  },
  {
    name: 'redemption of a promotion tier',
    count: 500,
    most: 22,
    request: () => ({
      method: 'POST',
      path: '/v1/redemptions',
      body: { redeemables: [{ object: 'promotion_tier', id: 'promo_1' }], customer, order: { amount: 1000 } },
    }),
    isRight: (answer) => answer.redemptions[0].result === 'SUCCESS',
  },
  {
    name: `page of ${pageSize} transactions`,
    count: 1000,
    most: 3.5,
    request: () => ({ method: 'GET', path: transactions }),
    isRight: (answer) => answer.data.length === pageSize,
  },
  {
    name: `qualification over ${sizes.campaigns} campaigns`,
    count: 500,
    most: 8,
    request: () => ({ method: 'POST', path: '/v1/campaigns/qualification', body: { customer, order: { items } } }),
    isRight: (answer) => answer.data.length === sizes.campaigns,
  },
]

async function measured({ name, count, most, request, isRight }, client, folder) {
  const answer = await client.text(request(-1))
  if (!isRight(JSON.parse(answer))) throw new Error(`${name} answered ${answer.slice(0, 500)}`)
  const file = join(folder, 'constant.json')
  writeFileSync(file, answer)
  const constant = await ownProcess([join(import.meta.dirname, 'constant-service.js'), file])
  const constantClient = clientOf({ ...constant, app_id: '', app_token: '' })

  const runs = []
  const ceilings = []
  for (let round = 0; round <= rounds; round++) {
    const run = await timed(client, request, 2 * round * count, count, busy)
    const waits = await timed(client, request, (2 * round + 1) * count, count, usual)
    const ceiling = await timed(constantClient, request, round * count, count, busy)
    // The first round warms up.
    if (round > 0) runs.push({ ...run, times: waits.times })
    if (round > 0) ceilings.push(ceiling)
  }
  await constantClient.close()
  await constant.stop()

  const [perSecond, ceiling] = [runs, ceilings].map((all) => median(all.map((one) => one.perSecond)))
  const [p50, p95] = [0.5, 0.95].map((share) => median(runs.map(({ times }) => percentile(times, share))))
  const [cpu, constantCpu] = [runs, ceilings].map((all) => median(all.map(({ cpuUs }) => cpuUs)))
  const over = cpu / constantCpu
  const cells = [
    cpu.toFixed(0),
    constantCpu.toFixed(0),
    over.toFixed(1),
    `≤ ${most}`,
    number(perSecond),
    number(ceiling),
  ]
  return {
    cells: [name, ...cells, p50.toFixed(1), p95.toFixed(1), `< ${goals.p95Ms}`],
    figures: [
      ...(Number.isNaN(over) ? [] : [atMost(`service: ${name}, CPU over a constant answer`, over, most)]),
      atMost(`service: ${name}, p95 (ms)`, p95, goals.p95Ms),
    ],
  }
}

/**
 * Makes `count` calls, numbered from `from`. Returns how long each took (ms), how many were answered a second, and the time on a
 * core that each took of the server's main thread (µs).
 */
async function timed(client, request, from, count, inFlight) {
  const times = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      const asked = request(from + next++)
      const startedAt = performance.now()
      await client.text(asked)
      times.push(performance.now() - startedAt)
    }
  }
  const cpuBefore = client.cpuMs()
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: inFlight }, worker))
  const perSecond = (1000 * count) / (performance.now() - startedAt)
  return { times, perSecond, cpuUs: (1000 * (client.cpuMs() - cpuBefore)) / count }
}

/** Compares the validation of codes that nothing restricts with one of codes of members of a tier; they take turns. */
async function tierAndRules(client) {
  const post = async (path, body) => JSON.parse(await client.text({ method: 'POST', path, body }))
  const [tier] = await post('/v1/loyalties/camp_club/tiers', [{ name: 'Silver', points: { from: 0 } }])
  await post('/v1/loyalties/members/CARD/balance', { points: 10 })
  const rules = [
    { name: 'order.amount', conditions: { $more_than: [100] } },
    { name: 'customer.loyalty.tier', conditions: { $is: [tier.id] } },
  ]
  for (const rule of rules) {
    const { id } = await post('/v1/validation-rules', { name: rule.name, rules: { 1: rule, logic: '1' } })
    for (let n = 0; n < sizes.ruled; n++)
      await post(`/v1/validation-rules/${id}/assignments`, {
        related_object_type: 'voucher',
        related_object_id: `v_ruled_${n}`,
      })
  }
  const restricted = Array.from({ length: sizes.ruled }, (_, n) => ({ object: 'voucher', id: `RULED-${n}` }))
  const [{ count, request: plain }] = calls
  const ruled = () => ({ ...plain(), body: { ...plain().body, redeemables: restricted } })
  let answer = {}
  for (let tries = 0; answer.valid !== true && tries < 100; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    answer = JSON.parse(await client.text(ruled()))
  }
  if (!answer.valid) throw new Error(`the member of the tier is refused: ${JSON.stringify(answer).slice(0, 500)}`)
  const spent = { plain: [], ruled: [] }
  for (let round = 0; round <= 2 * rounds; round++) {
    for (const [name, request] of [
      ['plain', plain],
      ['ruled', ruled],
    ]) {
      const { cpuUs } = await timed(client, request, 0, count, busy)
      // The first round warms up.
      if (round > 0) spent[name].push(cpuUs)
    }
  }
  const [cpuUs, without] = [median(spent.ruled), median(spent.plain)]
  return { cpuUs, plain: without, over: cpuUs / without }
}

/** Takes turns: a busy moment of the computer then slows both. */
async function firstAndLastPage(client) {
  const last = `${transactions}&starting_after_id=${transactionId(sizes.transactions - pageSize - 1)}`
  const times = { first: [], last: [] }
  for (let round = -20; round < 200; round++) {
    for (const [name, path] of [
      ['first', transactions],
      ['last', last],
    ]) {
      const startedAt = performance.now()
      const answer = await client.text({ method: 'GET', path })
      if (round >= 0) times[name].push(performance.now() - startedAt)
      else if (JSON.parse(answer).data.length !== pageSize) throw new Error(`the ${name} page is not full`)
    }
  }
  return { first: median(times.first), last: median(times.last) }
}

async function generation(client) {
  const startedAt = performance.now()
  const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } }
  const body = { name: 'Many', campaign_type: 'DISCOUNT_COUPONS', voucher, vouchers_count: vouchersGenerated }
  let campaign = JSON.parse(await client.text({ method: 'POST', path: '/v1/campaigns', body }))
  while (campaign.vouchers_generation_status !== 'DONE') {
    if (campaign.vouchers_generation_status === 'FAILED') throw new Error('the campaign was not generated')
    await new Promise((resolve) => setTimeout(resolve, 50))
    campaign = JSON.parse(await client.text({ method: 'GET', path: `/v1/campaigns/${campaign.id}` }))
  }
  return (performance.now() - startedAt) / 1000
}

function number(value) {
  return Math.round(value).toLocaleString('en')
}
