import { beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/catalogue.ts'
import { keysFor, lines, notFound } from '../support/command-lines.ts'
import { classOf, promoIn, temporaryFolder } from '../support/promo.ts'
import { type Asked, answer, scriptedServer } from '../support/scripted-server.ts'

let promo: ReturnType<typeof promoIn>
const onSandbox = ['--profile', 'sandbox']
const keys = {
  PROMO_APP_ID: 'app-id-canary',
  PROMO_APP_TOKEN: 'app-token-canary',
  PROMO_MANAGEMENT_ID: 'management-id-canary',
  PROMO_MANAGEMENT_TOKEN: 'management-token-canary',
}

beforeEach(() => {
  promo = promoIn(temporaryFolder())
})

const api = (...argv: string[]) => promo(['api', ...argv, ...onSandbox])

async function against(script: Parameters<typeof scriptedServer>[0], ...argv: string[]) {
  await using server = await scriptedServer(script)
  const ran = await promo(['api', ...argv], { env: { ...keys, PROMO_BASE_URL: server.origin } })
  return { ...ran, asked: server.asked }
}

/** Every call of which even a single one is confirmed, with something in the place of each name of its path. */
const confirmed = endpoints.filter(({ confirm }) => confirm !== undefined)

test('what is confirmed is declared at the call: a command asks no more than its call, but for a project and imports', async () => {
  await using server = await scriptedServer(() => notFound)
  const asking: string[] = []
  for (const id of Object.keys(lines)) {
    const Class = await classOf(id)
    if (Class?.effect !== 'write' || Class.calls === 'any' || !('yes' in Class.flags) || id.endsWith(':import'))
      continue
    if (Class.calls.some(({ confirm }) => confirm !== undefined)) continue
    const [line = ''] = lines[id]?.[0] ?? []
    const words = [...id.split(':'), ...line.split(' ').filter(Boolean)]
    const { exitCode } = await promo(words, { env: keysFor(server.origin), stdin: '' })
    if (exitCode === 11) asking.push(id)
  }

  expect(asking).toEqual(['projects:create'])
})

test.each(confirmed.map(({ method, path, confirm }) => [method, path.replaceAll(/\{\w+\}/g, 'x'), confirm] as const))(
  '%s %s asks first, as its command does',
  async (method, path, confirm) => {
    const { exitCode, stderr, asked } = await against([], method, path)

    expect([exitCode, asked]).toEqual([11, []])
    expect(stderr.includes('This cannot be undone')).toBe(confirm === 'final')
  },
)

describe('promo api', () => {
  test('returns the answer as the service sent it, in every format', async () => {
    const path = ['GET', '/v1/vouchers', '--param', 'limit=1', '--param', 'code=WELCOME-001']

    const json = await api(...path, '--json')
    const query = await api(...path, '--jsonl', '--query', 'vouchers[0].code')
    const csv = await api('GET', '/v1/vouchers/WELCOME-001', '--csv', '--columns', 'code,active')
    const table = await api('GET', '/v1/vouchers/WELCOME-001', '--format', 'table')
    const unsaid = await api('GET', '/v1/vouchers/WELCOME-001')

    expect(JSON.parse(json.stdout)).toMatchObject({ object: 'list', data_ref: 'vouchers', total: 1 })
    expect(query.stdout).toBe('"WELCOME-001"\n')
    expect(csv.stdout).toBe('code,active\nWELCOME-001,true\n')
    expect(table.stdout).toMatch(/^code +WELCOME-001$/m)
    expect(JSON.parse(unsaid.stdout)).toMatchObject({ code: 'WELCOME-001', object: 'voucher' })
  })

  test('sends the file of an import in a form', async () => {
    const body = JSON.stringify({ file: 'name,source_id\nMug,mug\n' })

    const planned = await api('POST', '/v1/products/importCSV', '--body', body, '--dry-run', '--json')
    const sent = await api('POST', '/v1/products/importCSV', '--body', body, '--yes', '--json')

    expect(planned.stdout).toContain('name=\\"file\\"')
    expect(JSON.parse(sent.stdout)).toEqual({ async_action_id: expect.stringMatching(/^aa_/) })
  })

  test('walks a list by page and by cursor', async () => {
    const pages = await api('GET', '/v1/vouchers', '--param', 'campaign=Spring mailing', '--paginate', '--jsonl')
    const cursor = await api('GET', '/v1/templates/campaigns', '--paginate', '--json', '--query', '[].name')
    const some = await api('GET', '/v1/vouchers', '--paginate', '--limit', '3', '--csv', '--columns', 'object')

    expect(pages.stdout.trimEnd().split('\n')).toHaveLength(1000)
    expect(JSON.parse(cursor.stdout)).toEqual(['Five euros for newcomers'])
    expect(some.stdout).toBe('object\nvoucher\nvoucher\nvoucher\n')
  })

  test('detects the paging of an undeclared list from its first answer', async () => {
    const rows = [{ id: 'a' }, { id: 'b' }]
    const script = ({ url }: Asked) =>
      url.includes('starting_after_id=a')
        ? answer(200, { data_ref: 'things', things: rows.slice(1), has_more: false })
        : answer(200, { data_ref: 'things', things: rows.slice(0, 1), has_more: true, more_starting_after: 'a' })

    const { stdout } = await against(script, 'GET', '/v1/things', '--paginate', '--json')

    expect(JSON.parse(stdout)).toEqual(rows)
  })

  test('-q is a parameter and --quiet still silences', async () => {
    const loud = await api('POST', '/v1/vouchers/WELCOME-001/disable', '--json')
    const quiet = await api('POST', '/v1/vouchers/WELCOME-001/enable', '--json', '--quiet')

    expect(loud.stderr).toContain('profile sandbox (from --profile)')
    expect(quiet.stderr).toBe('')
    expect(JSON.parse(quiet.stdout)).toMatchObject({ code: 'WELCOME-001', active: true })
  })

  test('sends a body, or a form where the contract requires one', async () => {
    const json = await against([answer(200, { ok: true })], 'POST', '/v1/anything', '--body', '{"a":[1,"x"]}')
    const form = await against(
      [answer(200, { active: false })],
      'POST',
      '/v1/oauth/introspect',
      '--body',
      '{"access_token":"t-o-k-e-n"}',
    )

    expect(json.asked).toMatchObject([{ method: 'POST', url: '/v1/anything', body: '{"a":[1,"x"]}' }])
    expect(form.asked).toMatchObject([{ body: 'access_token=t-o-k-e-n' }])
    expect(form.asked[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  })

  test.each([
    ['/v1/vouchers', { 'x-app-id': 'app-id-canary', 'x-app-token': 'app-token-canary' }],
    [
      '/management/v1/projects',
      { 'x-management-id': 'management-id-canary', 'x-management-token': 'management-token-canary' },
    ],
  ])('%s carries the credentials it takes', async (path, headers) => {
    const { asked } = await against([answer(200, {})], 'GET', path)

    expect(asked[0]?.headers).toMatchObject(headers)
  })

  test('a client-side call without its pair is refused before anything is sent', async () => {
    const { exitCode, stderr, asked } = await against([answer(200, {})], 'GET', '/client/v1/anything')

    expect(exitCode).toBe(4)
    expect(stderr).toContain('this call needs a client-side key pair')
    expect(asked).toEqual([])
  })

  test('a client-side call carries its pair and an origin, which the project must allow', async () => {
    const body = '{"redeemables":[{"object":"voucher","id":"WELCOME-001"}],"order":{"amount":5000}}'
    const argv = ['POST', '/client/v1/validations', '--body', body, '--json']

    const own = await api(...argv)
    const foreign = await api(...argv, '--origin', 'https://shop.example')

    expect(own.exitCode).toBe(0)
    expect(JSON.parse(own.stdout)).toMatchObject({ redeemables: expect.any(Array) })
    expect(foreign).toEnd(4, 'Requests with this Origin are not allowed')
  })

  test('shows status and headers on stderr with --include, hiding those that may be secret', async () => {
    const headers = { 'x-rate-limit-remaining': '7', 'set-cookie': 'session=canary' }

    const { stdout, stderr } = await against([answer(200, { a: 1 }, headers)], 'GET', '/v1/x', '--include', '--json')

    expect(stderr).toMatch(/^HTTP 200\n/)
    expect(stderr).toContain('x-rate-limit-remaining: 7\n')
    expect(stderr).toContain('set-cookie: [redacted]\n')
    expect(stderr + stdout).not.toContain('canary')
  })

  test('hides members of the answer with names of secrets, and leaves numbers unchanged', async () => {
    const text = '{"webhook_token":"canary","n":9007199254740993,"list":[{"app_token":"canary"}],"token_type":"Bearer"}'
    const script: Parameters<typeof scriptedServer>[0] = [
      { do: 'text', status: 200, text, headers: { 'content-type': 'application/json' } },
    ]

    const hidden = await against(script, 'GET', '/management/v1/projects/p', '--jsonl')
    const shown = await against(script, 'GET', '/management/v1/projects/p', '--jsonl', '--show-secrets')

    expect(hidden.stdout).toBe(
      '{"webhook_token":"[redacted]","n":9007199254740993,"list":[{"app_token":"[redacted]"}],"token_type":"Bearer"}\n',
    )
    expect(shown.stdout).toBe(`${text}\n`)
  })

  test('sends a write once, and again only when --repeat declares that harmless', async () => {
    const script = (_asked: Asked, index: number) => (index === 0 ? answer(500) : answer(200, { ok: true }))

    const once = await against(script, 'POST', '/v1/anything', '--json')
    const again = await against(script, 'POST', '/v1/anything', '--repeat', 'idempotent', '--json')
    const read = await against(script, 'GET', '/v1/anything', '--json')
    const handsOut = await against(script, 'GET', '/v1/publications/create?voucher=A', '--json')

    expect([once.exitCode, once.asked.length]).toEqual([6, 1])
    expect([handsOut.exitCode, handsOut.asked.length]).toEqual([6, 1])
    expect([again.exitCode, again.asked.length]).toEqual([0, 2])
    expect([read.exitCode, read.asked.length]).toEqual([0, 2])
  })

  test('reports an empty answer, and returns an empty list as such', async () => {
    const empty = await against([{ do: 'answer', status: 204 }], 'DELETE', '/v1/anything', '--yes')
    const list = await against([answer(200, [{ a: 1 }])], 'GET', '/v1/anything', '--json')

    expect([empty.exitCode, empty.stdout]).toEqual([0, ''])
    expect(empty.stderr).toContain('the answer is empty')
    expect(JSON.parse(list.stdout)).toEqual([{ a: 1 }])
  })

  test('a refusal has the same exit code as in every command', async () => {
    expect(await api('GET', '/v1/vouchers/NOTHING')).toEnd(3, 'the service refused GET /v1/vouchers/NOTHING (404')
  })

  test('shows the request of a plan and sends nothing', async () => {
    const call = ['POST', '/v1/vouchers/X', '--param', 'a=1', '--body', '{"type":"GIFT_VOUCHER"}']

    const { stdout, stderr } = await api(...call, '--dry-run', '--json', '-v')

    expect(JSON.parse(stdout)).toMatchObject([
      { method: 'POST', url: 'http://127.0.0.1/v1/vouchers/X?a=1', body: { type: 'GIFT_VOUCHER' } },
    ])
    expect(stderr).not.toContain('> POST')
  })

  test.each<[string, string[], RegExp]>([
    ['another method', ['PATCH', '/v1/vouchers'], /GET/],
    ['an address with a host', ['GET', 'https://evil.example/'], /pass only the path/],
    ['an address of another host', ['GET', '//evil.example/v1'], /is not a valid address/],
    ['an empty step', ['POST', '/v1/vouchers//disable'], /an empty step after "\/v1\/vouchers": is it a variable/],
    ['an empty last step', ['DELETE', '/v1/customers/'], /an empty step after "\/v1\/customers": is it a variable/],
    ['a way up', ['GET', '/v1/vouchers/../campaigns'], /is not a valid address/],
    ['an origin with a path', ['GET', '/client/v1/x', '--origin', 'https://a.example/b'], /is not an origin/],
    ['a space', ['GET', '/v1/vouchers/A B'], /is not a valid address/],
    ['a body of GET', ['GET', '/v1/vouchers', '--body', '{}'], /GET takes no body/],
    ['a body that is no JSON', ['POST', '/v1/x', '--body', '{'], /--body, line 1/],
    ['a body that names a member twice', ['POST', '/v1/x', '--body', '{"a":1,"a":2}'], /"a"/],
    [
      '--query of a page with --paginate',
      ['GET', '/v1/customers', '--paginate', '--query', 'customers[].source_id'],
      /the result is the list itself, which has no "customers"\ntry: --query '\[\]\.source_id'\n/,
    ],
    ['a body of GET', ['GET', '/v1/x', '--body', '{}'], /try: pass parameters as --param name=value\n/],
    ['--paginate of a write', ['POST', '/v1/x', '--paginate'], /read with GET/],
    ['--limit without --paginate', ['GET', '/v1/x', '--limit', '3'], /paginate/],
    ['a query that does not parse', ['GET', '/v1/x', '--json', '--query', '['], /query/],
  ])('refuses %s before any request', async (_what, argv, message) => {
    const { exitCode, stderr } = await api(...argv, '-v')

    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/^> /m)
  })
})
