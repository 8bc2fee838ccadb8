// How the jobs of every command that takes many rows are undone: by the inverse of each row, or by a command that is named.
import { describe, expect, test } from 'vitest'
import { insteadOf, inverseOfJobs, writeOf } from '../../src/cli/undo.ts'
import { jobDesk, onSandbox } from '../support/jobs.ts'
import { killBeforeEnd, loseOutcome } from '../support/journals.ts'
import { commands, problemOf } from '../support/manifest.ts'
import { classOf } from '../support/promo.ts'
import { answer } from '../support/scripted-server.ts'

const desk = jobDesk()
const { promo, input, jobs, newestJob, env } = desk

const bulk = Object.keys(commands).filter((id) => commands[id]?.flags.journal !== undefined && !id.startsWith('jobs:'))

test.each(bulk)('%s says how its jobs are undone', async (id) => {
  const made = await classOf(id)
  const inverse = inverseOfJobs(made)

  if (inverse !== undefined && 'call' in inverse) {
    // The command of the inverse makes that call.
    expect(writeOf(await classOf(made.undo ?? ''))?.id).toBe(inverse.call)
    return
  }
  expect([made.undo, inverse?.byHand]).toEqual([undefined, expect.stringMatching(/^[a-z].{10,}[^.]$/)])
  expect(made.instead).toBeDefined()
  const lines = insteadOf(made, 'JOB', { member: 'FRIEND-001' }).split('; ')
  expect(lines.map((line) => [line.slice(0, 6), problemOf(line.slice(6))])).toEqual(
    lines.map(() => ['promo ', undefined]),
  )
})

async function told(...argv: string[]): Promise<unknown> {
  return JSON.parse((await promo([...argv, '--json', ...onSandbox])).stdout)
}

const pointsOn = (card: string) => told('loyalty', 'cards', 'get', card, '--query', 'loyalty_card.balance')
const creditsOn = (card: string) => told('vouchers', 'get', card, '--query', 'gift.balance')
const redeemedOf = (code: string) => told('vouchers', 'get', code, '--query', 'redemption.redeemed_quantity')

/** Jobs with an inverse, each with rows of its own sizes and rows that take that of the flag. */
const reversible: Record<string, { line: string[]; rows: string; state: () => Promise<unknown>; done: string }> = {
  'loyalty points add': {
    line: ['loyalty', 'points', 'add', '--points', '7', '--campaign', 'Bean Club'],
    rows: 'code,points,reason\nCLUB-001,5,Late\nCLUB-001,5,Late\nCLUB-002,,\n',
    state: async () => [await pointsOn('CLUB-001'), await pointsOn('CLUB-002')],
    done: 'removed points from 2 loyalty cards, in 3 rows',
  },
  'loyalty points remove': {
    line: ['loyalty', 'points', 'remove', '--points', '7'],
    rows: 'code,points,source_id\nCLUB-001,5,t-1\nCLUB-002,,t-2\n',
    state: async () => [await pointsOn('CLUB-001'), await pointsOn('CLUB-002')],
    done: 'added points to 2 loyalty cards',
  },
  'loyalty points transfer': {
    line: ['loyalty', 'points', 'transfer', '--to', 'CLUB-002'],
    rows: 'code,points,to\nCLUB-001,5,\nCLUB-003,6,CLUB-004\n',
    state: async () => [await pointsOn('CLUB-001'), await pointsOn('CLUB-002'), await pointsOn('CLUB-004')],
    done: 'moved points from 2 loyalty cards',
  },
  'vouchers balance add': {
    line: ['vouchers', 'balance', 'add', '--amount', '700'],
    rows: 'code,amount\nGIFT-001,50\nGIFT-002,\n',
    state: async () => [await creditsOn('GIFT-001'), await creditsOn('GIFT-002')],
    done: 'removed credits from 2 gift cards',
  },
  'vouchers balance remove': {
    line: ['vouchers', 'balance', 'remove', '--amount', '70'],
    rows: 'code,amount\nGIFT-001,50\nGIFT-002,\n',
    state: async () => [await creditsOn('GIFT-001'), await creditsOn('GIFT-002')],
    done: 'added credits to 2 gift cards',
  },
  'redemptions create': {
    line: ['redemptions', 'create', '--amount', '5000'],
    rows: 'code,order.amount\nBEANS10,\nBEANS10,3200\n',
    state: () => redeemedOf('BEANS10'),
    done: 'rolled back 2 redemptions',
  },
}

test('every inverse is tried', async () => {
  const inverses = await Promise.all(bulk.map(async (id) => ({ id, undo: (await classOf(id)).undo })))
  const tried = [...Object.keys(reversible), 'vouchers disable', 'vouchers enable', 'loyalty rewards redeem']

  expect(inverses.filter(({ undo }) => undo).map(({ id }) => id.replaceAll(':', ' '))).toEqual(tried.toSorted())
})

describe('jobs undo reverses', () => {
  test.each(Object.entries(reversible))('%s, row by row, once', async (_, { line, rows, state, done }) => {
    const before = await state()
    await promo([...line, '--from', input('rows.csv', rows), '--yes', ...onSandbox])
    const id = await newestJob()
    const between = await state()

    const undone = await promo(`jobs undo ${id} --yes`)
    const after = await state()
    const again = await promo(`jobs undo ${id} --yes`)

    expect(undone.exitCode, undone.stderr).toBe(0)
    expect(undone.stderr).toContain(done)
    expect(between).not.toEqual(before)
    expect(after).toEqual(before)
    expect([again.exitCode, await state()]).toEqual([0, before])
    expect(again.stderr).toContain('nothing left to do')
    expect(await jobs()).toMatchObject([{ undoes: id }, { id, state: 'undone' }])
  })

  test('what a stack redeemed together, beside single redemptions', async () => {
    const [stack, tiers] = (await told('promotions', 'stacks', '--query', '[0].[id, tiers.ids]')) as [string, string[]]
    const rows = `code,order.amount,customer.source_id\nBEANS10,5000,\nstack:${stack},90000,shop-1001\n`
    await promo(`redemptions create --from ${input('sales.csv', rows)} --yes --profile sandbox`)

    const { exitCode, stderr } = await promo(['jobs', 'undo', await newestJob(), '--yes'])

    const redemptions = await told('redemptions', 'list', '--limit', '8', '--query', '[].[object, status, reason]')
    expect([exitCode, tiers.length], stderr).toEqual([0, 2])
    expect(stderr).toContain('rolled back 2 redemptions')
    expect(redemptions).toEqual([
      ...Array(4).fill(['redemption_rollback', 'SUCCEEDED', expect.stringMatching(/^undo of job \d{8}-\w{6}$/)]),
      ...Array(4).fill(['redemption', 'ROLLED_BACK', null]),
    ])
  })

  test('what rewards cost', async () => {
    const coin = (await told('loyalty', 'rewards', 'list', '--query', "[?type=='COIN'].id | [0]")) as string
    const redeem = ['loyalty', 'rewards', 'redeem', '--reward', coin, '--points', '10', '--amount', '9000']
    await promo([...redeem, '--from', input('cards.csv', 'code\nCLUB-001\n'), '--yes', ...onSandbox])
    const between = await pointsOn('CLUB-001')

    const { exitCode } = await promo(['jobs', 'undo', await newestJob(), '--yes'])

    // What the order earned stays, as the service does it.
    expect([exitCode, await pointsOn('CLUB-001')]).toEqual([0, (between as number) + 10])
  })

  test('points with a reason and a source id for each row, by which a lost answer is proved', async () => {
    await promo('loyalty points add CLUB-001 CLUB-002 --points 7 --yes --profile sandbox')
    const id = await newestJob()

    const { stdout } = await promo(`jobs undo ${id} --dry-run --json --query [].body`)

    expect(JSON.parse(stdout)).toEqual([
      { points: -7, reason: `undo of job ${id}`, source_id: `undo-${id}-1` },
      { points: -7, reason: `undo of job ${id}`, source_id: `undo-${id}-2` },
    ])
  })

  test('an undo too', async () => {
    const before = await pointsOn('CLUB-001')
    await promo('loyalty points add CLUB-001 CLUB-002 --points 7 --yes --profile sandbox')
    await promo(['jobs', 'undo', await newestJob(), '--yes'])

    const { exitCode } = await promo(['jobs', 'undo', await newestJob(), '--yes'])

    expect([exitCode, await pointsOn('CLUB-001')]).toEqual([0, (before as number) + 7])
  })
})

describe('jobs undo reverses nothing', () => {
  test('of rows that may or may not have been applied', async () => {
    const before = await pointsOn('CLUB-001')
    await promo('loyalty points add CLUB-001 CLUB-002 --points 7 --yes --profile sandbox')
    const [job] = await jobs()
    loseOutcome(job?.path ?? '', 1)
    killBeforeEnd(job?.path ?? '')

    const ran = await promo(`jobs undo ${job?.id} --yes`)

    expect(ran).toEnd(6, '1 row is left alone, because it is unknown whether the job made them: CLUB-001 (line 1)')
    expect([await pointsOn('CLUB-001')]).toEqual([(before as number) + 7])
  })

  test('that the service refuses, such as points that were spent since', async () => {
    await promo('loyalty points add CLUB-001 CLUB-002 --points 7 --yes --profile sandbox')
    const id = await newestJob()
    const left = (await pointsOn('CLUB-001')) as number
    await promo(['loyalty', 'points', 'remove', 'CLUB-001', '--points', String(left), '--yes', ...onSandbox])

    expect(await promo(`jobs undo ${id} --yes`)).toEnd(3, 'removed points from 1 loyalty card, 1 refused')
    expect(await pointsOn('CLUB-001')).toBe(0)
  })

  test('of which the journal has no id', async () => {
    await desk.serve(() => answer(200, { redemptions: [], order: null }))
    const rows = input('sales.csv', 'code\nA\nB\n')
    await promo(['redemptions', 'create', '--from', rows, '--yes'], { env: env() })

    expect(await promo(['jobs', 'undo', await newestJob(), '--yes'], { env: env() })).toEnd(
      6,
      '2 rows are left alone, because the journal does not have the id of the redemption: A (line 2), B (line 3)',
    )
    expect(desk.serverAsked()).toHaveLength(2)
  })
})
