// Balances and the roll-forward of drawn histories, against a calculator that shares no code with promo.
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serve } from '../../src/sandbox/http/serve.ts'
import {
  atMidnight,
  beginning,
  club,
  type ExpectedCard,
  fixtureOf,
  gifts,
  history,
  play,
} from '../support/histories.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { testSandbox } from '../support/sandbox.ts'
import { sized } from '../support/size.ts'

const histories = sized({ quick: 60, slow: 600, full: 10_000 })
const instants = sized({ quick: 4, slow: 8, full: 20 })
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)

test(`balances of ${histories} drawn histories are exact at ${instants} instants, and every month closes (seed ${seed})`, async () => {
  const drawn = [atMidnight, ...fc.sample(history, { numRuns: histories - 1, seed })]
  const sandbox = testSandbox({ fixture: fixtureOf(drawn) })
  const cards = await play(drawn, sandbox)
  const promo = await copied(sandbox)
  const campaigns = new Map([
    [gifts.id, gifts.name],
    [club.id, club.name],
  ])

  const draw = fc.integer({ min: -1, max: 260 * 24 * 60 })
  for (const minute of fc.sample(draw, { numRuns: instants, seed })) {
    const untilMs = beginning + minute * 60_000
    const until = new Date(untilMs).toISOString()
    const rows = await promo(['ledger', 'balances', '--as-of', until, '--jsonl'])
    const found = new Map(rows.map((row) => [row.card_id, [row.balance, row.owed, row.campaign]]))
    const exist = cards.filter(({ createdMs }) => createdMs <= untilMs)

    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(
        exist.map((card) => [card.id, [card.at(untilMs), card.owedAt(untilMs), campaigns.get(card.campaign)]]),
      ),
    )

    const sums = await promo([
      'ledger',
      'query',
      `select card_id, sum(amount) as balance from movements where at <= '${until}' group by 1`,
      '--jsonl',
    ])
    expect(Object.fromEntries(sums.map(({ card_id, balance }) => [card_id, balance]))).toEqual(
      Object.fromEntries(
        exist
          .filter(({ changes }) => changes.some(({ atMs }) => atMs <= untilMs))
          .map((card) => [card.id, card.at(untilMs)]),
      ),
    )
  }

  const report = ['ledger', 'report', '--since', '2026-01-01', '--until', '2026-09-30', '--sold', 'metadata.sold=yes']
  const months = await promo([...report, '--monthly', '--jsonl'])
  for (const row of months) {
    const figures = row as Record<string, number>
    const moved = lines.reduce((sum, line) => sum + Number(figures[line]), 0)
    expect(Number(figures.opening) + moved).toBe(figures.closing)
    expect(row).toMatchObject(expected(cards, row as never))
  }
  expect(months.length).toBe(9 * new Set(cards.map(({ campaign }) => campaign)).size)
  for (const row of await promo([...report, '--jsonl'])) expect(row).toMatchObject(expected(cards, row as never))
}, 3_600_000)

const lines = [
  'issued',
  'earned',
  'added',
  'redeemed',
  'rolled_back',
  'expired',
  'removed',
  'transferred',
  'switched_off',
  'unknown',
]

/** What a row of the report should say, added up by another way: per line, and never from the other lines. */
function expected(
  cards: readonly ExpectedCard[],
  { campaign_id, from, to }: { campaign_id: string; from: string; to: string },
) {
  const own = cards.filter(({ campaign }) => campaign === campaign_id)
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)
  const inside = ({ changes }: ExpectedCard) => changes.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  const sumOf = (kind: string, of = own) =>
    total(
      of.flatMap((card) =>
        inside(card)
          .filter((change) => change.kind === kind)
          .map(({ amount }) => amount),
      ),
    )
  // What was on a card when it ended, and what moved on it afterwards.
  const ended = (why: string) =>
    total(
      own.map((card) => {
        const { end } = card
        if (end === undefined || end.why !== why || end.ms >= toMs) return 0
        const after = inside(card).filter(({ atMs }) => atMs > end.ms)
        return (end.ms >= fromMs ? -card.at(end.ms) : 0) - total(after.map(({ amount }) => amount))
      }),
    )
  const sold = sumOf(
    'issued',
    own.filter(({ isSold }) => isSold),
  )
  return {
    opening: total(own.map((card) => card.owedAt(fromMs - 1))),
    issued: sumOf('issued'),
    sold,
    given: sumOf('issued') - sold,
    earned: sumOf('earned'),
    added: sumOf('added'),
    redeemed: sumOf('redeemed'),
    rolled_back: sumOf('rolled_back'),
    expired: sumOf('expired') + ended('expired'),
    removed: sumOf('removed'),
    transferred: sumOf('transferred'),
    switched_off: ended('switched_off'),
    unknown: 0,
    closing: total(own.map((card) => card.owedAt(toMs - 1))),
  }
}

/** Pulls the copy over loopback; returns a function that runs a command on it, which must succeed, and reads its JSON Lines. */
async function copied(sandbox: ReturnType<typeof testSandbox>) {
  const { app, clock, credentials, settled } = sandbox
  const folder = temporaryFolder()
  const run = promoIn(folder)
  const data = ['--data', join(folder, 'copy.db')]
  const served = await serve({ app, port: 0, report: (error) => sandbox.reports.push(error), now: () => clock.now })
  const jobs = setInterval(settled, 5)
  try {
    const env = {
      PROMO_BASE_URL: served.url,
      PROMO_APP_ID: credentials.app_id,
      PROMO_APP_TOKEN: credentials.app_token,
      PROMO_PROJECT_ID: credentials.project_id,
    }
    const pulled = await run(['ledger', 'pull', ...data], { env, now: () => Date.parse(clock.now) })
    expect([pulled.exitCode, sandbox.reports], pulled.stderr).toEqual([0, []])
  } finally {
    clearInterval(jobs)
    await served.close()
  }
  return async (argv: string[]): Promise<Record<string, unknown>[]> => {
    const { stdout, stderr, exitCode } = await run([...argv, ...data], { now: () => Date.parse(clock.now) })
    expect(exitCode, stderr).toBe(0)
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
}
