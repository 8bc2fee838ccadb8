// What a large file costs: the same calls on a thousand and on a million objects, the start, and the memory.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFileBriefly } from '../src/sandbox/data-file.ts'
import { seedSandbox } from '../src/sandbox/embedded.ts'
import { mainProject } from '../src/sandbox/stores/projects.ts'
import { redemptions } from '../src/sandbox/stores/redemptions.ts'
import { loyaltyTransactions } from '../src/sandbox/stores/transactions.ts'
import { vouchers } from '../src/sandbox/stores/vouchers.ts'
import { atMost, between } from './figures.js'
import { clientOf, ownSandbox } from './own-sandbox.js'
import { times, transaction, transactionId } from './service-fixture.js'
import { median, table } from './stats.js'

const sizes = { small: 1_000, large: 1_000_000 }
const rounds = 300
const goals = { ratio: [0.8, 1.25], flat: 1.1, startMs: 300, rssMb: 250 }

/** Measures each call on both files in turn, one at a time; returns a Markdown section. */
export async function scale(folder) {
  const services = {}
  const starts = {}
  for (const [name, count] of Object.entries(sizes)) {
    await fill(join(folder, `${name}.db`), count)
    starts[name] = await startMs(folder, name)
    services[name] = await ownSandbox(folder, [], `${name}.db`)
  }
  const clients = { small: clientOf(services.small), large: clientOf(services.large) }
  try {
    const results = []
    for (const call of calls) results.push({ ...call, ...(await both(call, clients)) })
    const rssMb = rssOf(services.large.pid)
    const figures = [
      ...results.map(({ name, ratio }) => between(`scale: ${name}, a million over a thousand`, ratio, ...goals.ratio)),
      ...results
        .filter(({ isFlat, cpu }) => isFlat && !Number.isNaN(cpu))
        .map(({ name, cpu }) => atMost(`scale: ${name}, CPU with a million over a thousand`, cpu, goals.flat)),
      atMost('scale: start with a million (ms)', starts.large, goals.startMs),
      atMost('scale: memory with a million (MB)', rssMb, goals.rssMb),
    ]
    const text = `## A large file

The same calls on a file with 1,000 vouchers, transactions and redemptions, and on one with 1,000,000 of each; one at a time, taking turns; medians of ${rounds} (ms). CPU is the time on a core that the main thread of the service takes.

${table(
  ['call', 'a thousand', 'a million', 'over a thousand', 'goal', 'CPU over a thousand', 'goal'],
  results.map(({ name, small, large, ratio, cpu, isFlat }) => [
    name,
    small.toFixed(2),
    large.toFixed(2),
    ratio.toFixed(2),
    '0.80 to 1.25',
    cpu.toFixed(2),
    isFlat ? `≤ ${goals.flat}` : '',
  ]),
)}

From the start of the process until it accepts connections: ${starts.small.toFixed(0)} ms with the small file, ${starts.large.toFixed(0)} ms with the large one (goal < ${goals.startMs}). Memory of the process after these calls: ${rssMb.toFixed(0)} MB (goal < ${goals.rssMb}).

Rules on how many different customers redeemed within a period are not flat: those of two hours cannot be added up, so the redemptions of that period are counted one by one.
`
    return { text, figures }
  } finally {
    for (const name of Object.keys(sizes)) {
      await clients[name].close()
      await services[name].stop()
    }
  }
}

const discount = { type: 'PERCENT', percent_off: 5 }
const chunk = 20_000

/**
 * Fills a file with as many redemptions and transactions, and with codes.
 *
 * Every second voucher belongs to a campaign. What is beyond the small size is like what is stored of that: to check it takes longer.
 */
export async function fill(file, count, codes = count) {
  const made = ['camp_half', 'camp_other']
  await seedSandbox(file, {
    campaigns: [
      ...made.map((id) => ({
        id,
        name: id,
        campaign_type: 'DISCOUNT_COUPONS',
        voucher: { type: 'DISCOUNT_VOUCHER', discount },
      })),
      { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM' },
      { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION' },
      {
        id: 'camp_late',
        name: 'Late',
        type: 'AUTO_UPDATE',
        campaign_type: 'DISCOUNT_COUPONS',
        voucher: { type: 'DISCOUNT_VOUCHER', discount },
      },
    ],
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    promotion_tiers: [
      { id: 'promo_1', name: 'Tier', banner: 'Tier', campaign_id: 'camp_promo', hierarchy: 1, action: { discount } },
    ],
    validation_rules: [
      {
        id: 'val_1',
        name: 'Uses',
        rules: {
          1: { name: 'campaign.redemptions.count', conditions: { $less_than: [10_000_000] } },
          2: { name: 'redemption.count.per_customer', conditions: { $less_than: [10_000_000] } },
          logic: '1 and 2',
        },
      },
    ],
    validation_rules_assignments: [
      { id: 'asgm_1', rule_id: 'val_1', related_object_id: 'v_ruled', related_object_type: 'voucher' },
    ],
    vouchers: [
      { id: 'v_free', code: 'FREE', type: 'DISCOUNT_VOUCHER', discount },
      { id: 'v_ruled', code: 'RULED', campaign_id: 'camp_half', type: 'DISCOUNT_VOUCHER', discount },
      { id: 'v_card', code: 'CARD', campaign_id: 'camp_club', type: 'LOYALTY_CARD', loyalty_card: { points: count } },
    ],
  })
  const first = times(sizes.small, (n) => n)
  await seedSandbox(file, {
    vouchers: first.map((n) => ({
      code: `CODE-${n}`,
      campaign_id: made[n % 2],
      type: 'DISCOUNT_VOUCHER',
      discount,
      ...(n < 5 && { holder_id: 'cust_ada' }),
    })),
    redemptions: first.map(redemption),
    loyalty_transactions: first.map(transaction),
  })
  openDataFileBriefly(file, (store) => {
    const projectId = mainProject(store).id
    /** Adds more of a collection, each like one of six that were checked. */
    const add = (declared, keys, own, most = count) => {
      const table = store.in(declared, projectId)
      const like = keys.map((key) => table.find(key))
      for (let from = sizes.small; from < most; from += chunk) {
        const more = times(Math.min(chunk, most - from), (at) => ({ ...like[(from + at) % 6], ...own(from + at) }))
        store.transaction(() => table.insertAll(JSON.stringify(more)))
      }
    }
    const six = times(6, (n) => 6 + n)
    add(
      vouchers,
      six.map((n) => `CODE-${n}`),
      (n) => ({ id: `v_more_${n}`, code: `CODE-${n}` }),
      codes,
    )
    add(
      redemptions,
      six.map((n) => redemption(n).id),
      (n) => {
        const { id, customer_id, created_at } = redemption(n)
        return { id, customer_id, created_at, date: created_at }
      },
    )
    add(loyaltyTransactions, six.map(transactionId), transaction)
  })
}

/** In turn of the tier, of the code that is free, and of a campaign; five are Ada's. */
function redemption(n) {
  const [related_object_type, related_object_id, campaign_id] = [
    ['promotion_tier', 'promo_1', 'camp_promo'],
    ['voucher', 'v_free', null],
    ['voucher', 'v_half', 'camp_half'],
  ][n % 3]
  return {
    id: `r_${String(n).padStart(9, '0')}`,
    object: 'redemption',
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    related_object_type,
    related_object_id,
    campaign_id,
    customer_id: n < 5 ? 'cust_ada' : `cust_${n % 997}`,
    order: { amount: 1000, total_applied_discount_amount: 50 },
    created_at: new Date(Date.UTC(2026, 0) + n * 1000).toISOString(),
  }
}

const ada = { source_id: 'ada' }
const order = { items: [{ product_id: 'prod_1', quantity: 1, price: 1000 }] }
const redeems = (redeemable) => () => ({
  method: 'POST',
  path: '/v1/redemptions',
  body: { redeemables: [redeemable], customer: ada, order: { amount: 1000 } },
})

const code = (n) => `CODE-${(n * 7919) % sizes.small}`
const calls = [
  { name: 'a voucher', request: (n) => ({ method: 'GET', path: `/v1/vouchers/${code(n)}` }) },
  { name: 'the first page of vouchers', request: () => ({ method: 'GET', path: '/v1/vouchers?limit=100' }) },
  { name: 'the tenth page of vouchers', request: () => ({ method: 'GET', path: '/v1/vouchers?limit=100&page=10' }) },
  {
    name: "a page of a campaign's vouchers",
    request: () => ({ method: 'GET', path: '/v1/vouchers?limit=100&campaign=camp_half' }),
  },
  {
    name: 'the first page of transactions',
    request: () => ({ method: 'GET', path: '/v1/loyalties/camp_club/transactions?limit=100' }),
  },
  {
    name: 'a page of older transactions',
    request: () => ({
      method: 'GET',
      path: `/v1/loyalties/camp_club/transactions?limit=100&starting_after_id=${transactionId(500)}`,
    }),
  },
  {
    name: 'validation of 5 redeemables',
    request: (n) => ({
      method: 'POST',
      path: '/v1/validations',
      body: {
        redeemables: times(5, (at) => ({ object: 'voucher', id: code(n + at) })),
        order,
      },
    }),
  },
  {
    name: 'a validation with rules on counts',
    isFlat: true,
    request: () => ({
      method: 'POST',
      path: '/v1/validations',
      body: { redeemables: [{ object: 'voucher', id: 'RULED' }], customer: ada, order },
    }),
  },
  {
    name: 'a qualification of one customer',
    request: () => ({ method: 'POST', path: '/v1/qualifications', body: { customer: ada, order } }),
  },
  ...[
    'vouchers?customer=ada',
    'vouchers?campaign=camp_half',
    'redemptions?customer=ada',
    'redemptions?campaign=camp_half',
    // Not of FREE: the answer has all redemptions of a code, a third of a million.
    'vouchers/CODE-1/redemption',
    'publications?customer=ada',
    'publications?campaign=camp_late',
    'publications?voucher=FREE',
    'loyalties/members/CARD/transactions',
    'customers/ada/redeemables',
  ].map((path) => ({ name: `\`GET /v1/${path}\``, request: () => ({ method: 'GET', path: `/v1/${path}` }) })),
  { name: 'a redemption of a code', isFlat: true, request: redeems({ object: 'voucher', id: 'FREE' }) },
  { name: 'a redemption of a tier', isFlat: true, request: redeems({ object: 'promotion_tier', id: 'promo_1' }) },
  {
    name: 'a publication',
    request: (n) => ({
      method: 'POST',
      path: '/v1/publications',
      body: { customer: { source_id: `bench-${n}` }, campaign: 'camp_late' },
    }),
  },
  { name: 'disable', request: (n) => ({ method: 'POST', path: `/v1/vouchers/${code(n)}/disable` }) },
]

async function both({ request }, clients) {
  const measured = { small: [], large: [] }
  const spent = { small: [], large: [] }
  for (let round = -50; round < rounds; round++) {
    for (const name of Object.keys(sizes)) {
      const client = clients[name]
      const asked = request(round + 50)
      const cpuBefore = client.cpuMs()
      const startedAt = performance.now()
      await client.text(asked)
      if (round < 0) continue
      measured[name].push(performance.now() - startedAt)
      spent[name].push(client.cpuMs() - cpuBefore)
    }
  }
  const [small, large] = [median(measured.small), median(measured.large)]
  return { small, large, ratio: large / small, cpu: median(spent.large) / median(spent.small) }
}

async function startMs(folder, name) {
  const measured = []
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now()
    const sandbox = await ownSandbox(folder, [], `${name}.db`)
    measured.push(performance.now() - startedAt)
    await sandbox.stop()
  }
  return median(measured)
}

function rssOf(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}
