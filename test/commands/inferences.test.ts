// Of every command that takes many rows: a row whose answer was lost, and which was never applied, beside a row by which it
// could be taken for applied. One piece of evidence proves one row.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describedCommands } from '../../src/cli/help/manifest.ts'
import { endpoints } from '../../src/contract/catalogue.ts'
import type { RunningSandbox } from '../../src/sandbox/embedded.ts'
import { doorTo } from '../support/door.ts'
import { calledOn, passingProxy } from '../support/passing-proxy.ts'
import { testProjects } from '../support/projects.ts'
import { type Answer, promoIn, type RunOptions, temporaryFolder } from '../support/promo.ts'
import { startTestSandbox } from '../support/sandbox.ts'
import { root } from '../support/source-files.ts'

/** Two rows that could be taken for each other; only the second is applied. */
interface Twins {
  argv: string[]
  input: string
  /** What is true of the first row. */
  first: 'unknown'
  /** The states of all rows; by default the first one's and `ok`. */
  states?: string[]
}

const twins: Record<string, Twins> = {
  'loyalty:points:add': {
    argv: ['--points', '5'],
    input: 'code,source_id\nCLUB-001,same\nCLUB-001,same\n',
    first: 'unknown',
  },
  'loyalty:points:remove': {
    argv: ['--points', '5'],
    input: 'code,source_id\nCLUB-001,same\nCLUB-001,same\n',
    first: 'unknown',
  },
  'loyalty:points:transfer': {
    argv: ['--points', '1', '--campaign', 'Bean Club'],
    input: 'code,to,source_id\nCLUB-001,CLUB-002,same\nCLUB-001,CLUB-003,same\n',
    first: 'unknown',
  },
  'vouchers:balance:add': {
    argv: ['--amount', '100', '--source-id', 'same'],
    input: 'code\nGIFT-001\nGIFT-001\n',
    first: 'unknown',
  },
  'vouchers:balance:remove': {
    argv: ['--amount', '100', '--source-id', 'same'],
    input: 'code\nGIFT-001\nGIFT-001\n',
    first: 'unknown',
  },
  'publications:create': {
    argv: ['--campaign', 'Gift cards'],
    input: 'customer,source_id\nguest-1,same\nguest-2,same\n',
    first: 'unknown',
  },
  'referrals:holders:add': {
    argv: ['FRIEND-001', '--batch-size', '2'],
    // The third row names the second customer in another way.
    input: 'source_id,id\nshop-1005,\nshop-1006,\n,cust_19b8d627a800000006\n',
    first: 'unknown',
    states: ['unknown', 'unknown', 'ok'],
  },
}

/** Why the others are not in the table. */
const without: Record<string, string> = {
  'config:apply': 'its steps are of different kinds: each object is read by its key (test/faults/config-loop.test.ts)',
  'vouchers:create': 'a code is looked up byte for byte (bulk.test.ts), and equal codes are one row',
  'campaigns:vouchers:add': 'as vouchers:create',
  'redemptions:rollback': 'the rollback of the very redemption is read, and equal ids are one row',
  'vouchers:delete': 'what is proved is the end, not who brought it about',
  'customers:delete': 'as vouchers:delete',
  'referrals:holders:remove': 'as vouchers:delete',
  'vouchers:update': 'nothing is inferred: it is sent again until it is confirmed',
  'vouchers:disable': 'as vouchers:update',
  'vouchers:enable': 'as vouchers:update',
  'customers:create': 'as vouchers:update',
  'customers:update': 'as vouchers:update',
  'validate:redeemables': 'as vouchers:update',
  'redemptions:create': 'nothing is inferred: a lost answer is unknown',
  'loyalty:rewards:redeem': 'as redemptions:create',
  'events:send': 'as redemptions:create',
}

test('every command that takes many rows is here, or there is a reason why it is not', () => {
  const bulk = describedCommands(root).filter(({ flags }) => flags.restart !== undefined)

  expect([...Object.keys(twins), ...Object.keys(without)].toSorted()).toEqual(bulk.map(({ id }) => id).toSorted())
})

describe.each(Object.entries(twins))('%s', (id, { argv, input, first, states = [first, 'ok'] }) => {
  test('does not take one row for another', async () => {
    const sandbox = await startTestSandbox()
    try {
      const { outcomes, exitCode } = await ran(sandbox, [...id.split(':'), ...argv], input)

      expect(outcomes).toEqual(states)
      expect(exitCode).toBe(6)
    } finally {
      await sandbox.close()
    }
  })
})

test.each([
  ['of one row alone proves it', 'a', ['ok_inferred', 'ok']],
  ['of a row in another shard too does not', 'b', ['unknown', 'ok']],
])('a source id %s', async (_, sourceId, states) => {
  const sandbox = await startTestSandbox()
  try {
    // The last row is in the other shard.
    const input = `code,source_id\nCLUB-001,${sourceId}\nCLUB-001,c\nCLUB-001,b\n`
    const argv = ['loyalty', 'points', 'add', '--points', '5', '--shard', '0/2']
    const { outcomes } = await ran(sandbox, argv, input, 'applied')

    expect(outcomes).toEqual(states)
  } finally {
    await sandbox.close()
  }
})

/** A single call that counts twice, of each endpoint by whose id of the caller it is found again. */
const singles: Record<string, string> = {
  'loyalty.members.balance': 'loyalty points add CLUB-001 --points 5',
  'loyalty.campaign-members.balance': 'loyalty points add CLUB-001 --points 5 --campaign',
  'loyalty.members.transfer': 'loyalty points transfer CLUB-001 --to CLUB-002 --points 1 --campaign',
  'publications.create': 'publications create --customer source_id=shop-1001 --campaign',
  'vouchers.balance': 'vouchers balance add GIFT-001 --amount 100',
}

test('every call that its id of the caller proves is in the table of single calls', () => {
  const proved = endpoints.filter(({ proof }) => proof?.by === 'source').map(({ id }) => id)

  expect(Object.keys(singles).toSorted()).toEqual(proved.toSorted())
})

test.each(Object.entries(singles))(
  '%s: a single call that lost its answer is not sent again unasked',
  async (id, words) => {
    await using service = Object.assign(await testProjects({ demo: true }), {
      async [Symbol.asyncDispose]() {
        await service.close()
      },
    })
    let arrive: (() => Promise<unknown>) | undefined
    let writes = 0
    await using door = await doorTo(service.sandbox.url, (method) => {
      if (method === 'GET') return 'pass'
      writes += 1
      return writes === 1 ? { status: 504, later: (apply) => (arrive = apply) } : 'pass'
    })
    const env = { ...service.first.env, PROMO_BASE_URL: door.origin }
    const campaign = id === 'publications.create' ? 'Gift cards' : 'Bean Club'
    const argv = [...words.split(' '), ...(words.endsWith('--campaign') ? [campaign] : [])]
    const promo = promoIn(temporaryFolder())
    const run = async (source: string, options: RunOptions = { env }, ...flags: string[]) => {
      const before = writes
      const { exitCode, stderr } = await promo([...argv, '--source-id', source, ...flags], options)
      return { exitCode, stderr, sent: writes - before }
    }

    const lost = await run('ticket-1', { env }, '--yes')
    const again = await run('ticket-1', { env }, '--yes')
    const asks = (await run('ticket-2')).exitCode === 11
    const yes: Answer[] = asks ? [[/in project/, 'y\r']] : []
    const at = (answer: string): RunOptions => ({
      env,
      terminal: { columns: 200 },
      answers: [...yes, [/Send it again\?/, answer]],
    })
    const declined = await run('ticket-1', at('n\r'))
    const other = await run('ticket-3', { env }, '--yes')
    await arrive?.()
    const found = await run('ticket-1', { env }, '--yes')

    expect([lost, again, declined, other, found].map(({ exitCode, sent }) => [exitCode, sent])).toEqual([
      [6, 1],
      [6, 0],
      [6, 0],
      [0, 1],
      [0, 0],
    ])
    expect(again.stderr).toContain('without --yes, you are asked whether to send it again')
  },
)

/** Runs two rows at once; the first request is lost: after the second is answered, or after it was applied itself. */
async function ran(
  sandbox: RunningSandbox,
  argv: string[],
  input: string,
  lost: 'unapplied' | 'applied' = 'unapplied',
) {
  const folder = temporaryFolder()
  const file = join(folder, 'rows.csv')
  writeFileSync(file, input)
  let writes = 0
  await using proxy = await passingProxy(sandbox, async (write, answered) => {
    writes += 1
    if (writes > 1) return 'pass'
    if (lost === 'applied') {
      const [, method = '', path = '', body = ''] = /^(\S+) (\S+) (.*)$/.exec(write) ?? []
      await calledOn(sandbox, method, path, JSON.parse(body))
    } else await answered(1)
    return 'lost'
  })
  const promo = promoIn(folder)
  const flags = ['--from', file, '--concurrency', '2', '--yes', '--jsonl']
  const { exitCode, stdout } = await promo([...argv, ...flags], { env: proxy.env })
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { t: string; state: string })
  const outcomes = records.filter(({ t }) => t === 'item').map(({ state }) => state)
  return { outcomes, exitCode }
}
