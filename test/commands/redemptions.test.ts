import { beforeEach, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'

let promo: ReturnType<typeof promoIn>
const onSandbox = ['--profile', 'sandbox']
const till = ['redemptions', 'create', 'BEANS10', '--amount', '5000', '--customer', 'source_id=shop-1001']
const both = ['redemptions', 'create', 'BEANS10', 'gift:GIFT-001=1500', '--amount', '5000']

beforeEach(() => {
  promo = promoIn(temporaryFolder())
})

async function told(argv: string[]): Promise<unknown> {
  return JSON.parse((await promo([...argv, '--json', ...onSandbox])).stdout)
}

describe('redemptions create', () => {
  test('redeems a code for a cart, and says what it took off and how to take it back', async () => {
    const { exitCode, stdout, stderr } = await promo([
      ...till,
      '--csv',
      '--columns',
      'voucher.code,order.total_amount',
      ...onSandbox,
    ])

    expect(exitCode).toBe(0)
    expect(stdout).toBe('voucher.code,order.total_amount\nBEANS10,4500\n')
    expect(stderr).toMatch(/took 500 off 5,000, 4,500 left to pay; to take it back: promo redemptions rollback r_\w+\n/)
  })

  test('shows a row for each of several codes, and the whole answer to programs', async () => {
    const { stdout } = await promo([...both, '--csv', '--columns', 'voucher.code,amount', ...onSandbox])
    const answered = await told(both)

    expect(stdout).toBe('voucher.code,amount\nBEANS10,\nGIFT-001,1500\n')
    expect(answered).toMatchObject({ redemptions: [{}, {}], parent_redemption: {}, order: { total_amount: 3000 } })
  })

  test('is not sent again after a lost answer, and its outcome is unknown', async () => {
    await using server = await scriptedServer([{ do: 'reset' }])

    const { exitCode, stderr } = await promo(till, { env: keysOf(server.origin) })

    expect(exitCode).toBe(6)
    expect(server.asked).toHaveLength(1)
    expect(stderr).toContain('it is unknown whether redemptions.create was applied')
  })

  test('exits 3 for a code that does not apply, with the reason of the service', async () => {
    const { exitCode, stderr } = await promo(['redemptions', 'create', 'BEANS10', '--amount', '500', ...onSandbox])

    expect(exitCode).toBe(3)
    expect(stderr).toContain('order_rules_violated')
  })
})

describe('redemptions list', () => {
  test('filters by code, customer, result and time', async () => {
    await promo([...till, ...onSandbox])
    await promo(['redemptions', 'create', 'BEANS10', '--amount', '500', ...onSandbox])
    const list = ['redemptions', 'list', '--query', '[].voucher.code']

    expect(await told([...list, '--voucher', 'GIFT-008'])).toEqual(['GIFT-008'])
    expect(await told([...list, '--customer', 'shop-1001', '--created-before', '2026-02-01'])).toEqual(['CLUB-001'])
    expect(await told([...list, '--result', 'FAILURE'])).toEqual(['BEANS10'])
    expect(await told([...list, '--created-after', '2026-03-20', '--created-before', '2026-03-21'])).toEqual([
      'GIFT-004',
    ])
    expect(
      await told([...list, '--campaign', 'Gift cards', '--filter', 'result=SUCCESS', '--order', 'created_at']),
    ).toEqual(['GIFT-004', 'GIFT-008'])
    expect(await told([...list, '--voucher', 'GIFT-008', '--filter', 'result=FAILURE'])).toEqual([])
  })
})

describe('redemptions rollback', () => {
  const rollback = ['redemptions', 'rollback']
  const spent = async (amount: number) => {
    const words = [
      'redemptions',
      'create',
      `gift:GIFT-005=${amount}`,
      '--amount',
      '5000',
      '--query',
      'redemptions[0].id',
    ]
    return (await told(words)) as string
  }

  test('asks even for a single one, and says that it cannot be undone', async () => {
    const { exitCode, stderr } = await promo([...rollback, 'r_19b8d627a800000005', ...onSandbox], {
      terminal: { columns: 200 },
      answers: [[/\(y\/N\)/, 'n\r']],
    })

    expect(exitCode).toBe(11)
    expect(stderr).toMatch(/roll back redemption "r_\w+" in project \S+ of profile "sandbox"\? This cannot be undone\./)
    expect(stderr).toContain('nothing was sent')
  })

  test('gives credits back, with the reason', async () => {
    const id = await spent(800)
    const { exitCode, stdout } = await promo([
      ...rollback,
      id,
      '--reason',
      'Broken cup',
      '--yes',
      '--json',
      ...onSandbox,
    ])

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([
      { state: 'ok', rollback: { object: 'redemption_rollback', reason: 'Broken cup', amount: -800 } },
    ])
    expect(await told(['vouchers', 'get', 'GIFT-005', '--query', 'gift'])).toMatchObject({ balance: 7500 })
    expect(await told(['redemptions', 'get', id, '--query', 'status'])).toBe('ROLLED_BACK')
  })

  test('takes back together what was redeemed together, by the id of all', async () => {
    const parent = (await told([...both, '--query', 'parent_redemption.id'])) as string

    const alone = await promo([...rollback, parent, '--yes', ...onSandbox])
    const stacked = await promo([...rollback, parent, '--stacked', '--yes', '--json', ...onSandbox])

    expect(alone.exitCode).toBe(3)
    expect(JSON.parse(stacked.stdout)).toMatchObject([{ state: 'ok', rollback: { rollbacks: [{}, {}] } }])
  })

  test('takes a file with a reason for each, and has one outcome for each row', async () => {
    const stdin = `id,reason\n${await spent(100)},Late\nr_none,\n${await spent(200)},\n`

    const { exitCode, stdout } = await promo(
      [...rollback, '--from', '-', '--reason', 'Storm', '--yes', '--json', ...onSandbox],
      { stdin },
    )

    expect(exitCode).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject([
      { state: 'ok', rollback: { reason: 'Late' } },
      { state: 'failed', error: { api: { key: 'not_found' } } },
      { state: 'ok', rollback: { reason: 'Storm' } },
    ])
  })

  test.each([
    ['is applied when the redemption was rolled back for this reason', 'ROLLED_BACK', 'Late', 'ok_inferred', 0],
    ['is unknown when it was rolled back for another reason', 'ROLLED_BACK', 'Storm', 'unknown', 6],
    ['is unknown when it was not rolled back', 'SUCCEEDED', 'Late', 'unknown', 6],
  ])('after a lost answer and a refusal %s', async (_, status, reason, state, code) => {
    let writes = 0
    await using server = await scriptedServer(({ method, url }) => {
      if (method === 'GET' && url.endsWith('/rr_1')) return answer(200, { id: 'rr_1', reason })
      const rollbacks = status === 'ROLLED_BACK' ? [{ id: 'rr_1' }] : []
      if (method === 'GET') return answer(200, { id: 'r_1', status, related_redemptions: { rollbacks } })
      writes += 1
      return writes === 1 ? { do: 'reset' } : answer(400, { code: 400, key: 'already_rolled_back', message: 'x' })
    })

    const { exitCode, stdout } = await promo([...rollback, 'r_1', '--reason', 'Late', '--yes', '--json'], {
      env: keysOf(server.origin),
    })

    expect(exitCode).toBe(code)
    expect(JSON.parse(stdout)).toMatchObject([{ state }])
    expect(writes).toBe(2)
  })
})

describe('publications create', () => {
  const publish = ['publications', 'create', '--customer', 'source_id=guest-7,name=Ann']

  test('gives any free code of a campaign, and stores who got it', async () => {
    const argv = [
      ...publish,
      '--campaign',
      'Welcome',
      '--channel',
      'counter',
      '--source-id',
      'till-1',
      '--metadata',
      'desk=2',
    ]

    expect(await told(argv)).toMatchObject({
      customer: { source_id: 'guest-7', name: 'Ann' },
      voucher: { campaign: 'Welcome' },
      channel: 'counter',
      source_id: 'till-1',
      metadata: { desk: 2 },
    })
  })

  test('gives a certain code, and several codes of a campaign', async () => {
    const plan = await told([...publish, '--campaign', 'Welcome', '--count', '2', '--no-join-once', '--dry-run'])

    expect(await told([...publish, '--voucher', 'MORNING'])).toMatchObject({ voucher: { code: 'MORNING' } })
    expect(plan).toMatchObject([{ body: { campaign: { name: 'Welcome', count: 2 } } }])
    expect((plan as { url: string }[])[0]?.url).toContain('?join_once=false')
  })

  test('is not sent again after a lost answer', async () => {
    await using server = await scriptedServer([{ do: 'reset' }])

    const { exitCode } = await promo([...publish, '--campaign', 'Welcome'], { env: keysOf(server.origin) })

    expect(exitCode).toBe(6)
    expect(server.asked).toHaveLength(1)
  })
})

function keysOf(origin: string): Record<string, string> {
  return { PROMO_BASE_URL: origin, PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 't' }
}
