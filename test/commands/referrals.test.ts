import { describe, expect, test } from 'vitest'
import { testHome } from '../support/promo.ts'
import { type Action, answer, scriptedServer } from '../support/scripted-server.ts'

const { promo, input } = testHome()
const onSandbox = ['--profile', 'sandbox']
const add = ['referrals', 'holders', 'add', 'FRIEND-001']
const list = ['referrals', 'holders', 'list', 'FRIEND-001']

function friends(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => `friend-${at + 1}`)
  return input('friends.csv', `source_id\n${rows.join('\n')}\n`)
}

async function referees(): Promise<{ id: string; metadata: object }[]> {
  return JSON.parse((await promo([...list, '--role', 'REFEREE', '--json', ...onSandbox])).stdout)
}

describe('referrals tree', () => {
  const tree = ['referrals', 'tree', 'FRIEND-001', ...onSandbox]
  const refer = (code: string, ...ids: string[]) =>
    promo([
      ...'referrals holders add'.split(' '),
      code,
      ...ids.flatMap((id) => ['--holder', `source_id=${id}`]),
      '--yes',
      ...onSandbox,
    ])

  test('indents each customer below the one who referred them, and does not follow a cycle', async () => {
    await refer('FRIEND-001', 'shop-1003')
    await refer('FRIEND-003', 'shop-1001', 'shop-1002')

    const { exitCode, stdout } = await promo(tree)
    const { stdout: json } = await promo([...tree, '--json', '--query', '[].[depth, source_id, code, again]'])

    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Ada Okafor .*\n {2}Chloé Martin .*\n {4}Ada Okafor \(again\) .*\n {4}Bruno Keller /m)
    expect(JSON.parse(json)).toEqual([
      [0, 'shop-1001', 'FRIEND-001', false],
      [1, 'shop-1003', 'FRIEND-001', false],
      [2, 'shop-1001', 'FRIEND-003', true],
      [2, 'shop-1002', 'FRIEND-003', false],
    ])
  })

  test('takes a customer instead of a code, by whatever a caller says', async () => {
    await refer('FRIEND-001', 'shop-1003')

    const bySource = await promo('referrals tree shop-1001 --csv --columns name --profile sandbox')
    const byMail = await promo('referrals tree customer1@example.com --csv --columns name --profile sandbox')
    const nobody = await promo('referrals tree shop-9 --profile sandbox')
    const without = await promo('referrals tree shop-1006 --profile sandbox')

    expect([bySource.stdout, byMail.stdout]).toEqual(Array(2).fill('name\nAda Okafor\nChloé Martin\n'))
    expect(nobody.stderr).toMatch(
      /^promo: no customer is known by "shop-9", .*\ntry: promo customers list --profile sandbox$/m,
    )
    expect(without.stderr).toMatch(
      /^promo: the customer "shop-1006" has no referral code\ntry: promo customers show --profile sandbox cust_/m,
    )
    expect([nobody.exitCode, without.exitCode]).toEqual([3, 3])
  })

  test('ends at the depth and the number of customers that are asked for, and says so', async () => {
    await refer('FRIEND-001', 'shop-1003')
    await refer('FRIEND-003', 'shop-1002')

    const shallow = await promo([...tree, '--depth', '1', '--csv', '--columns', 'name'])
    const short = await promo([...tree, '--limit', '1', '--csv', '--columns', 'name'])

    expect([shallow.stdout, shallow.stderr]).toEqual([
      'name\nAda Okafor\nChloé Martin\n',
      'the first 1 levels; there are more: --depth N shows more\n',
    ])
    expect([short.stdout, short.stderr]).toEqual([
      'name\nAda Okafor\n',
      'the first 1 customers; there are more: --limit N shows more\n',
    ])
  })
})

describe('referrals tree of a service that names no customer', () => {
  test('shows the holder, and says what is not known', async () => {
    const data = [
      { id: 'rh_1', customer_id: 'cust_1', holder_role: 'OWNER' },
      { id: 'rh_2', holder_role: 'REFEREE' },
      { id: 'rh_3', customer_id: null, holder_role: 'REFEREE' },
    ]
    await using server = await scriptedServer(({ url }) =>
      url.includes('/holders')
        ? answer(200, { object: 'list', data_ref: 'data', data, total: 3 })
        : answer(404, { code: 404, key: 'not_found', message: 'Resource not found' }),
    )

    const { exitCode, stdout, stderr } = await promo('referrals tree FRIEND-001', { env: server.env })

    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^cust_1 .*\n {2}no customer .*\n {2}no customer /m)
    expect(stderr).toBe('warning: a holder of FRIEND-001 names no customer, so their friends are not known\n')
  })
})

describe('referrals holders add', () => {
  test('adds one customer without a question; adding the same one again is a conflict', async () => {
    const argv = [
      ...add,
      ...'--holder source_id=guest-1,name=Ann --metadata channel=party --json'.split(' '),
      ...onSandbox,
    ]

    const first = await promo(argv)
    const second = await promo(argv)

    expect(first.exitCode).toBe(0)
    expect(JSON.parse(first.stdout)).toMatchObject([
      {
        t: 'item',
        source_id: 'guest-1',
        state: 'ok',
        holder: { holder_role: 'REFEREE', metadata: { channel: 'party' } },
      },
    ])
    expect(second.exitCode).toBe(3)
    expect(JSON.parse(second.stdout)).toMatchObject([
      { state: 'conflict', error: { api: { key: 'holder_assignement_duplication' } } },
    ])
    expect(await referees()).toHaveLength(1)
  })

  test('sends a file in batches, and each row has its own outcome, in order', async () => {
    const argv = [...add, '--from', friends(60), '--yes', '--jsonl', '-v', ...onSandbox]

    const { exitCode, stdout, stderr } = await promo(argv)

    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(exitCode).toBe(0)
    expect(stderr.match(/^> POST/gm)).toHaveLength(3)
    expect(records).toHaveLength(61)
    expect(records[59]).toMatchObject({ line: 61, source_id: 'friend-60', state: 'ok' })
    expect(new Set(records.slice(0, 60).map(({ holder }) => holder.id)).size).toBe(60)
    expect(records[60]).toMatchObject({ t: 'summary', total: 60, ok: 60 })
    expect(stderr).toContain('added 60 holders (60 rows in')
    expect(await referees()).toHaveLength(60)
  })

  test('accepts a column of ids, and further columns as wire paths', async () => {
    const path = input('friends.csv', 'Customer,name,metadata.tier\nguest-1,Ann,2\n')

    const bySource = await promo([...add, '--from', path, '--column', 'Customer', '--dry-run', '--json', ...onSandbox])
    const byId = await promo([
      ...add,
      '--from',
      input('ids.csv', 'id\ncust_1\ncust_2\n'),
      ...'--column id --dry-run --json --query [].body'.split(' '),
      ...onSandbox,
    ])

    expect(JSON.parse(bySource.stdout)[0].body).toEqual({
      holders: [{ source_id: 'guest-1', name: 'Ann', metadata: { tier: 2 } }],
    })
    expect(JSON.parse(byId.stdout)).toEqual([{ holders: [{ id: 'cust_1' }, { id: 'cust_2' }] }])
  })

  test('takes rows that have an id beside rows that have a source id, in CSV and in JSON Lines', async () => {
    const csv = input('mixed.csv', 'source_id,id,name\nguest-1,,Ann\n,cust_19b8d627a800000008,\n')
    const jsonl = input('mixed.jsonl', '{"id":"cust_19b8d627a800000007"}\n{"source_id":"guest-2"}\n')
    const neither = input('neither.csv', 'source_id,id,name\n,,Ann\n')

    const first = await promo([
      ...add,
      '--from',
      csv,
      ...'--yes --csv --columns source_id,id,state'.split(' '),
      ...onSandbox,
    ])
    const second = await promo([...add, '--from', jsonl, '--yes', '--json', ...onSandbox])
    const bad = await promo([...add, '--from', neither, '--yes', ...onSandbox])

    expect(first.stdout).toBe('source_id,id,state\nguest-1,,ok\n,cust_19b8d627a800000008,ok\n')
    expect(JSON.parse(second.stdout)).toMatchObject([
      { id: 'cust_19b8d627a800000007', state: 'ok', holder: { customer_id: 'cust_19b8d627a800000007' } },
      { source_id: 'guest-2', state: 'ok' },
    ])
    expect(bad).toEnd(2, 'line 2, column 1 ("source_id"): is empty')
    expect(await referees()).toHaveLength(4)
  })

  test('accepts one by source id and one by id in the same request', async () => {
    const holders = ['--holder', 'source_id=a', '--holder', 'id=cust_19b8d627a800000008']

    const { exitCode, stdout } = await promo([...add, ...holders, '--yes', '--csv', ...onSandbox])

    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^line,customer,state,/)
    expect(stdout).toMatch(/^1,a,ok,.*^2,cust_19b8d627a800000008,ok,/ms)
  })

  test('a dry run shows one request per batch and sends nothing', async () => {
    const argv = [...add, '--from', friends(5), '--batch-size', '2', '--dry-run', '-v', ...onSandbox]

    const { exitCode, stdout, stderr } = await promo(argv)

    expect(exitCode).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(4)
    expect(stderr).toContain('dry run: would add 5 holders; nothing was sent')
    expect(stderr).not.toContain('> POST')
  })

  test('all rows of a refused batch share its outcome, and the other batches are sent', async () => {
    await promo([...add, '--holder', 'source_id=friend-2', ...onSandbox])

    const argv = [...add, '--from', friends(4), '--batch-size', '2', '--yes', '--jsonl', ...onSandbox]
    const { exitCode, stdout } = await promo(argv)

    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(exitCode).toBe(3)
    expect(records.slice(0, 4).map(({ source_id, state }) => [source_id, state])).toEqual([
      ['friend-1', 'conflict'],
      ['friend-2', 'conflict'],
      ['friend-3', 'ok'],
      ['friend-4', 'ok'],
    ])
    expect(records[0].error.message).toContain('one request with all rows from line 2 to 3')
    expect(records[0].error.hint).toBe('add --batch-size 1 to find the row that is refused')
    expect(records[4]).toMatchObject({ ok: 2, conflict: 2 })
  })

  test('a code of another campaign is not found, nor is an unknown code', async () => {
    const elsewhere = await promo('referrals holders add "Bean Club" FRIEND-001 --holder source_id=a --profile sandbox')
    const unknown = await promo('referrals holders add NO/CODE --holder source_id=a --csv --profile sandbox')

    expect(elsewhere.exitCode).toBe(3)
    expect(unknown.exitCode).toBe(3)
    expect(unknown.stdout).toMatch(/^1,a,failed,,not_found,/m)
  })

  test.each<[string, string[], RegExp]>([
    ['no holder', [...add], /missing --holder or --from/],
    ['a holder without an id', [...add, '--holder', 'name=Ann'], /every holder needs a source_id or an id/],
    ['a holder twice', [...add, '--holder', 'source_id=a', '--holder', 'source_id=a', '--yes'], /named twice/],
    ['a field customers do not have', [...add, '--holder', 'source_id=a,nmae=Ann'], /nmae/],
    ['a batch of 101', [...add, '--holder', 'source_id=a', '--batch-size', '101'], /from 1 to 100/],
    ['a batch of none', [...add, '--holder', 'source_id=a', '--batch-size', '0'], /from 1 to 100/],
    ['holders and a file', [...add, '--holder', 'source_id=a', '--from', '-'], /--from/],
  ])('refuses %s before any request', async (_what, argv, message) => {
    expect(await promo([...argv, '-v', ...onSandbox], { stdin: '' })).toSendNothing(2, message)
  })
})

describe('when the answer to a batch is lost', () => {
  const holder = (n: number) => ({ id: `rh_${n}`, object: 'redeemable_holder', customer_id: `cust_${n}` })
  const taken = answer(409, { code: 409, key: 'holder_assignement_duplication', message: 'Already', details: 'a' })

  async function against(...script: Action[]) {
    await using server = await scriptedServer(script)
    const argv = [...add, '--holder', 'source_id=a', '--holder', 'source_id=b', '--yes', '--json']
    const { exitCode, stdout } = await promo(argv, { env: server.env })
    return {
      exitCode,
      states: JSON.parse(stdout).map(({ state }: { state: string }) => state),
      sent: server.asked.length,
    }
  }

  const customer = (n: number) => answer(200, { id: `cust_${n}`, object: 'customer', source_id: 'ab'[n - 1] })
  const listed = (...numbers: number[]) =>
    answer(200, {
      object: 'list',
      data_ref: 'data',
      data: numbers.map(holder),
      has_more: false,
      more_starting_after: null,
    })

  test('it is sent once more, and then holders that are all there prove that it was applied', async () => {
    expect(await against({ do: 'reset' }, taken, listed(1, 2), customer(1), customer(2))).toEqual({
      exitCode: 0,
      states: ['ok_inferred', 'ok_inferred'],
      sent: 5,
    })
  })

  test.each([
    ['one of which is there', [listed(2), customer(1), customer(2)]],
    ['of which a customer does not exist', [listed(1, 2), customer(1), answer(404, { code: 404, key: 'not_found' })]],
    ['that are one customer', [listed(1), customer(1), customer(1)]],
    ['that cannot be read', [answer(403, { code: 403, key: 'unauthorized' })]],
  ])('holders %s prove nothing', async (_, script) => {
    const { exitCode, states } = await against({ do: 'reset' }, taken, ...script)

    expect({ exitCode, states }).toEqual({ exitCode: 6, states: ['unknown', 'unknown'] })
  })

  test('without a lost answer, a holder that already exists is a conflict', async () => {
    expect(await against(taken)).toEqual({ exitCode: 3, states: ['conflict', 'conflict'], sent: 1 })
  })

  test('an answer about fewer holders than were sent proves nothing', async () => {
    const ran = await against(answer(200, { holders: [holder(1)] }))

    expect(ran).toEqual({ exitCode: 6, states: ['unknown', 'unknown'], sent: 1 })
  })
})

describe('referrals holders list', () => {
  test('names the customers in a table, and gives the answers of the service in other formats', async () => {
    await promo([...add, '--holder', 'source_id=shop-1008', ...onSandbox])

    const table = await promo([...list, ...onSandbox])
    const { stdout } = await promo([...list, '--json', ...onSandbox])

    expect(table.stdout).toMatch(/^rh_\w+ +Hana Sato +customer8@example.com +REFEREE/m)
    expect(table.stdout).toMatch(/^rh_\w+ +Ada Okafor +customer1@example.com +REFERRER/m)
    expect(stdout).not.toContain('Hana Sato')
  })

  test('lists them without names where the credentials may not read customers', async () => {
    await using server = await scriptedServer(({ url }) =>
      url.includes('/v1/customers')
        ? answer(403, { code: 403, key: 'forbidden', message: 'Forbidden' })
        : answer(200, { object: 'list', data_ref: 'data', data: [{ id: 'rh_1', customer_id: 'cust_1' }], total: 1 }),
    )

    const { exitCode, stdout, stderr } = await promo(list, { env: server.env })

    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^rh_1 +cust_1$/m)
    expect(stderr).toContain('warning: names are not shown: ')
  })

  test('walks from page to page', async () => {
    await promo([...add, '--from', friends(5), '--yes', ...onSandbox])

    const { stdout, stderr } = await promo([...list, ...'--page-size 2 --order id --jsonl -v'.split(' '), ...onSandbox])

    expect(stdout.trimEnd().split('\n')).toHaveLength(6)
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ holder_role: 'REFERRER' })
    expect(stderr.match(/^> GET/gm)).toHaveLength(3)
  })
})

describe('referrals holders remove', () => {
  test('removes referees from a code, and asks first, even for one', async () => {
    await promo([...add, '--from', friends(2), '--yes', ...onSandbox])
    const [one, other] = await referees()

    const unasked = await promo(`referrals holders remove FRIEND-001 ${one?.id} --profile sandbox`, {
      stdin: '',
    })
    const removed = await promo(`referrals holders remove FRIEND-001 ${one?.id} ${other?.id} --yes --profile sandbox`)

    expect(unasked.exitCode).toBe(11)
    expect(removed).toEnd(0, 'removed 2 holders')
    expect(await referees()).toEqual([])
  })

  test('reads the ids of a listing from stdin', async () => {
    await promo([...add, '--from', friends(2), '--yes', ...onSandbox])
    const { stdout } = await promo([...list, '--role', 'REFEREE', '--csv', ...onSandbox])

    const { exitCode } = await promo(
      ['referrals', 'holders', 'remove', 'FRIEND-001', '--from', '-', '--yes', ...onSandbox],
      {
        stdin: stdout,
      },
    )

    expect(exitCode).toBe(0)
    expect(await referees()).toEqual([])
  })

  test('never removes the owner of a code', async () => {
    const [owner] = JSON.parse((await promo([...list, '--json', ...onSandbox])).stdout)

    const { exitCode, stdout } = await promo(
      `referrals holders remove FRIEND-001 ${owner.id} --yes --csv --profile sandbox`,
    )

    expect(exitCode).not.toBe(0)
    expect(stdout).toContain(`${owner.id},failed,,forbidden,`)
    expect(JSON.parse((await promo([...list, '--json', ...onSandbox])).stdout)).toEqual([owner])
  })
})
