// A project copied into a data file: configuration as `promo config` reads it, and the data that is asked for.
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/embedded.ts'
import { fillProject, projectFolder, type TestProject, type TestProjects, testProjects } from '../support/projects.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'

let service: TestProjects
let full: TestProject

beforeAll(async () => {
  service = await testProjects()
  full = await service.another()
  await fillProject(full)
})

afterAll(() => service.close())

const everything = ['--only', 'customers,codes,cards,orders']
const newFile = () => join(temporaryFolder(), 'copy.db')

/** What a folder of `config pull` has. */
function filesOf(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.includes('.promo') && name.endsWith('.yaml'),
  )
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(root, name), 'utf8')]))
}

/** Serves a data file for as long as `act` runs. */
async function serving<Result>(file: string, act: (copy: Pick<TestProject, 'promo'>) => Promise<Result>) {
  const sandbox = await startSandbox({ file, port: 0, demo: false })
  const { app_id, app_token, management_id, management_token, project_id } = sandbox.credentials
  const run = promoIn(temporaryFolder())
  const env = {
    PROMO_BASE_URL: sandbox.url,
    PROMO_APP_ID: app_id,
    PROMO_APP_TOKEN: app_token,
    PROMO_MANAGEMENT_ID: management_id,
    PROMO_MANAGEMENT_TOKEN: management_token,
    PROMO_PROJECT_ID: project_id,
  }
  try {
    return await act({ promo: (argv, options = {}) => run(argv, { ...options, env: { ...env, ...options.env } }) })
  } finally {
    await sandbox.close()
  }
}

async function listOf(project: Pick<TestProject, 'promo'>, ...argv: string[]): Promise<Record<string, unknown>[]> {
  const { stdout, exitCode, stderr } = await project.promo([...argv, '--all', '--json'])
  expect([exitCode, stderr]).toEqual([0, expect.any(String)])
  return JSON.parse(stdout)
}

/** Pictures belong to a server, and totals and expiry follow from redemptions and transactions, which are not copied. */
const others = new Set(['assets', 'summary', 'redeemed', 'next_expiration_date', 'next_expiration_points'])

const byId = (rows: Record<string, unknown>[]) =>
  (JSON.parse(JSON.stringify(rows, (name, value) => (others.has(name) ? undefined : value))) as typeof rows).toSorted(
    (a, b) => (String(a.id) < String(b.id) ? -1 : 1),
  )

describe.each(['the demo project', 'a project with every kind and member'])('%s', (which) => {
  const source = () => (which === 'the demo project' ? service.first : full)

  test('is the same in its copy: what config pull writes, and every list', async () => {
    const file = newFile()
    const [before, after] = [projectFolder(), projectFolder()]

    const ran = await source().promo(['sandbox', 'copy', '--data', file, ...everything, '--keep-personal-data'])
    expect(ran).toEnd(0, 'copied into')

    await source().promo(`config pull ${before}`)
    await serving(file, async (copy) => {
      expect((await copy.promo(['config', 'pull', after])).exitCode).toBe(0)
      expect(filesOf(after)).toEqual(filesOf(before))
      for (const list of ['vouchers list', 'orders list', 'campaigns list']) {
        const argv = list.split(' ')
        expect(byId(await listOf(copy, ...argv)), list).toEqual(byId(await listOf(source(), ...argv)))
      }
    })
  })
})

describe('people', () => {
  const person = {
    source_id: 'jane.doe@shop.example',
    name: 'Jane Doe',
    email: 'Jane.Doe@shop.example',
    phone: '+48 500 600 700',
    birthdate: '1984-05-01',
    description: 'likes dark roasts',
    address: { city: 'Leeds', line_1: '5 High Street', postal_code: 'LS1 4DY' },
    metadata: { nickname: 'JD', loyal_since: '2019-03-02', pin: 47110815, mail: 'jd@home.example', vip: true },
  }
  // Long enough that no id and no key has them by chance.
  const secrets = [
    'jane doe',
    'jane.doe',
    '500 600',
    '1984-05-01',
    'dark roasts',
    'leeds',
    'high street',
    'ls1 4dy',
    '2019-03-02',
    '47110815',
    'home.example',
  ]
  let source: TestProject
  let order: { id: string }

  beforeAll(async () => {
    source = await service.another()
    const customer = await source.call('POST', '/v1/customers', person)
    order = await source.call('POST', '/v1/orders', {
      amount: 1000,
      customer: { id: customer.id },
      metadata: { ordered_by: 'Jane Doe', note: 'ring jane.doe@shop.example twice' },
    })
    await source.call('POST', '/v1/vouchers/FOR-HER', {
      type: 'GIFT_VOUCHER',
      gift: { amount: 500 },
      additional_info: 'Jane Doe',
      metadata: { mailed_to: 'JANE.DOE@shop.example', colour: 'red' },
    })
    await source.call('POST', '/v1/segments', {
      name: 'The one',
      type: 'auto-update',
      filter: { junction: 'and', email: { conditions: { $is: ['jane.doe@shop.example'] } } },
    })
  })

  const words = ['sandbox', 'copy', '--only', 'customers,cards,orders', '--data']

  test('have pseudonyms in every object of the file, the same for the same value and others in the next copy', async () => {
    const [first, second] = [newFile(), newFile()]

    const ran = await source.promo([...words, first])
    await source.promo([...words, second])

    expect(ran).toEnd(0, 'copied into')
    const bytes = readFileSync(first).toString('latin1').toLowerCase()
    expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([])
    const read = (file: string) =>
      serving(file, async (copy) => {
        const [customer] = await listOf(copy, 'customers', 'list')
        const [card] = await listOf(copy, 'vouchers', 'list')
        const [bought] = await listOf(copy, 'orders', 'list')
        const segments = await copy.promo('api GET /v1/segments')
        return { customer, card, bought, segments: segments.stdout }
      })
    // biome-ignore lint/suspicious/noExplicitAny: members are compared one by one.
    const { customer, card, bought, segments } = (await read(first)) as any
    expect(customer).toMatchObject({
      name: expect.stringMatching(/^name-[0-9a-f]{16}$/),
      email: expect.stringMatching(/^person-[0-9a-f]{16}@example\.com$/),
      phone: expect.stringMatching(/^\+999\d{12}$/),
      birthdate: expect.stringMatching(/^19\d\d-\d\d-\d\d$/),
      metadata: { vip: true, pin: expect.any(Number), loyal_since: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) },
    })
    expect(customer.source_id).toBe(customer.email)
    expect(card).toMatchObject({
      code: 'FOR-HER',
      additional_info: customer.name,
      metadata: { mailed_to: customer.email, colour: 'red' },
    })
    expect(bought).toMatchObject({
      id: order.id,
      customer_id: customer.id,
      metadata: { ordered_by: customer.name, note: `ring ${customer.email} twice` },
    })
    expect(segments).toContain(customer.email)
    expect((await read(second)).customer?.name).not.toBe(customer.name)
  })

  test('stay as many as they are where their source ids differ by case, or are days', async () => {
    const other = await service.another()
    const ids = [
      'A@shop.example',
      'a@shop.example',
      'ANN',
      'ann',
      ...Array.from({ length: 28 }, (_, n) => `2026-02-${n + 1}`),
    ]
    for (const source_id of ids) await other.call('POST', '/v1/customers', { source_id })
    const file = newFile()

    const { exitCode, stderr } = await other.promo(`sandbox copy --data ${file} --only customers`)

    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('copied into')])
    const customers = await serving(file, (copy) => listOf(copy, 'customers', 'list'))
    expect(new Set(customers.map(({ source_id }) => source_id)).size).toBe(ids.length)
  })

  test('are copied as they are with --keep-personal-data', async () => {
    const file = newFile()

    await source.promo([...words, file, '--keep-personal-data'])

    expect(await serving(file, (copy) => listOf(copy, 'customers', 'list'))).toMatchObject([person])
  })

  test('that are not asked for leave cards and orders without a holder, which is said', async () => {
    const file = newFile()

    const { exitCode, stderr } = await source.promo(`sandbox copy --only orders --data ${file}`)

    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining('1 code, card or order names a customer that was not'),
    ])
    expect(await serving(file, (copy) => listOf(copy, 'orders', 'list'))).toMatchObject([
      { customer_id: null, metadata: { note: expect.stringMatching(/^ring person-\w+@example\.com twice$/) } },
    ])
  })
})

describe('how much is copied', () => {
  test('configuration alone, unless data is named', async () => {
    const file = newFile()

    const { stdout } = await service.first.promo(`sandbox copy --data ${file} --json`)

    const kinds = (JSON.parse(stdout) as { kind: string }[]).map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['campaigns', 'promotion_tiers', 'webhooks']))
    expect(kinds).not.toEqual(expect.arrayContaining(['vouchers']))
    expect(await serving(file, (copy) => listOf(copy, 'vouchers', 'list'))).toEqual([])
  })

  test('a kind of configuration comes with what it refers to, and nothing else', async () => {
    const file = newFile()

    const { exitCode, stderr } = await full.promo(`sandbox copy --data ${file} --only campaigns`)

    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('copied into')])
    await serving(file, async (copy) => {
      expect(await listOf(copy, 'campaigns', 'list')).toHaveLength((await listOf(full, 'campaigns', 'list')).length)
      expect(await listOf(copy, 'webhooks', 'list')).toEqual([])
    })
  })

  test('codes alone, or cards alone, and only what is younger than --since', async () => {
    const [codes, cards, none] = [newFile(), newFile(), newFile()]
    const typesIn = async (file: string) => [
      ...new Set((await serving(file, (copy) => listOf(copy, 'vouchers', 'list'))).map(({ type }) => String(type))),
    ]

    await service.first.promo(['sandbox', 'copy', '--data', codes, '--only', 'codes'])
    await service.first.promo(['sandbox', 'copy', '--data', cards, '--only', 'cards'])
    await service.first.promo(['sandbox', 'copy', '--data', none, '--only', 'codes,cards', '--since', '2026-11-01'])

    expect([
      await typesIn(codes),
      (await typesIn(cards)).toSorted((a, b) => a.localeCompare(b)),
      await typesIn(none),
    ]).toEqual([['DISCOUNT_VOUCHER'], ['GIFT_VOUCHER', 'LOYALTY_CARD'], []])
  })

  test('whose folder is missing ends before anything is read', async () => {
    const { exitCode, stderr } = await service.first.promo(`sandbox copy --data ${join(newFile(), 'no.db')} --verbose`)

    expect([exitCode, stderr]).toEqual([10, expect.stringMatching(/its folder does not exist\ntry: mkdir -p /)])
    expect(stderr).not.toContain('GET ')
  })

  test('is estimated without writing anything', async () => {
    const file = newFile()

    const { exitCode, stdout, stderr } = await service.first.promo(
      `sandbox copy --data ${file} --only codes,customers --dry-run --json`.split(' '),
    )

    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/takes about \d+ requests, .* nothing was written/)])
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        { kind: 'settings', objects: 1, requests: 1 },
        { kind: 'codes', objects: expect.any(Number), requests: expect.any(Number) },
      ]),
    )
    expect(existsSync(file)).toBe(false)
  })

  test('never takes more requests than --max-requests: neither by the estimate, nor where lists are longer than they say', async () => {
    const file = newFile()
    const sent = async () => (await service.sandbox.control.call('requests.list', { limit: 0 })).last

    const before = await sent()
    const estimated = await service.first.promo(`sandbox copy --data ${file} --max-requests 30 --only codes`)
    const between = await sent()
    const stopped = await service.first.promo(`sandbox copy --data ${file} --max-requests 7`)
    const after = await sent()

    expect(estimated).toEnd(2, /needs about \d+ requests.* 30 of/)
    expect(between - before).toBeLessThan(30)
    expect(stopped).toEnd(2, /more than the 7 of --max-requests.*add --max-requests 1000,/s)
    expect([after - between, existsSync(file)]).toEqual([7, false])
  })
})

describe('a copy that goes wrong', () => {
  /** Every file of the folder. */
  const leftBeside = (file: string) => readdirSync(join(file, '..'))

  test('leaves nothing when the connection is lost for good, and is complete when it comes back', async () => {
    const file = newFile()
    const faults = { call: 'GET /v1/vouchers', reset: true } as const

    await service.sandbox.control.call('faults.add', { ...faults, times: 1 })
    const again = await service.first.promo(`sandbox copy --data ${file} --only codes`)
    await service.sandbox.control.call('faults.add', faults)
    const other = newFile()
    const lost = await service.first.promo(['sandbox', 'copy', '--data', other, '--only', 'codes', '--retries', '1'])
    await service.sandbox.control.call('faults.clear', {})

    expect(again.exitCode).toBe(0)
    expect([lost.exitCode, leftBeside(other)]).toEqual([5, []])
    expect(await serving(file, (copy) => listOf(copy, 'vouchers', 'list'))).not.toHaveLength(0)
  })

  test('leaves nothing after Ctrl-C, while it reads', async () => {
    const file = newFile()

    const { exitCode } = await service.first.promo(`sandbox copy --data ${file} --only codes`, {
      onStderr: (text, stop) => text.includes('reading project') && stop('SIGINT'),
    })

    expect([exitCode, leftBeside(file)]).toEqual([130, []])
  })

  test('replaces nothing: not a file, not a link, not what another program wrote meanwhile', async () => {
    const folder = temporaryFolder()
    const [kept, link, late] = ['kept.db', 'link.db', 'late.db'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(kept, 'mine')
    symlinkSync(join(folder, 'elsewhere.db'), link)

    const onKept = await service.first.promo(['sandbox', 'copy', '--data', kept])
    const onLink = await service.first.promo(`sandbox copy --data ${link}`)
    const onLate = await service.first.promo(['sandbox', 'copy', '--data', late], {
      onStderr: (text) => text.includes('reading project') && writeFileSync(late, 'mine'),
    })
    const inMemory = await service.first.promo('sandbox copy --data :memory:')

    const sandbox = join(folder, 'earlier.db')
    await service.first.promo(['sandbox', 'copy', '--data', sandbox])
    const onSandbox = await service.first.promo(['sandbox', 'copy', '--data', sandbox])
    rmSync(sandbox)

    expect(onSandbox.stderr).toContain(
      `try: name another file, or delete this one: promo sandbox reset --data ${sandbox}`,
    )
    expect(onKept.stderr).toMatch(/^try: name another file with --data$/m)
    expect([onKept, onLink, onLate, inMemory].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2])
    expect([readFileSync(kept, 'utf8'), readFileSync(late, 'utf8'), readdirSync(folder)]).toEqual([
      'mine',
      'mine',
      ['kept.db', 'late.db', 'link.db'],
    ])
  })

  test('lists by name what the embedded service refuses, and what depends on it, and copies the rest', async () => {
    const file = newFile()
    await using source = await changing((path, body) => {
      if (path.startsWith('/v1/validation-rules?') && Array.isArray(body.data) && body.data[0])
        body.data[0].rules = { 1: { name: 'weather.tomorrow', conditions: { $is: ['rain'] } }, logic: '1' }
      if (/projects\/[^/]+$/.test(path))
        Object.assign(body, { webhook_version: 'v2030-01-01', timezone: 'Europe/Warsaw' })
      if (path.startsWith('/v1/vouchers?')) for (const one of body.vouchers ?? []) one.novelty = 1
    })

    const ran = await service.first.promo(`sandbox copy --data ${file} --only codes`, { env: source.env })

    expect(ran).toEnd(3, /^not copied: rules\/[\w-]+: .*weather\.tomorrow/m)
    expect(ran.stderr).toMatch(/^not copied: validation_rules_assignments\/.*: Cannot find/m)
    expect(ran.stderr).toMatch(/^not copied: settings\/webhook_version: .*v2024-01-01/m)
    expect(ran.stderr).toMatch(/^vouchers has an unknown member "novelty", which is dropped \(1,\d+ objects\)$/m)
    await serving(file, async (copy) => {
      expect(await listOf(copy, 'vouchers', 'list')).not.toHaveLength(0)
      expect((await copy.promo('projects get --json')).stdout).toContain('Europe/Warsaw')
    })
  })

  test.each<[string, (path: string, body: Body) => void]>([
    [
      'texts where objects belong',
      (_, body) =>
        eachObject(body, (one) =>
          Object.assign(one, {
            metadata: 'x',
            discount: 'x',
            items: 'x',
            redemption: 'x',
            loyalty_card: 'x',
            rules: 'x',
          }),
        ),
    ],
    [
      'names that objects inherit',
      (_, body) =>
        eachObject(body, (one) =>
          Object.defineProperty(one, '__proto__', { value: { polluted: 1 }, enumerable: true }),
        ),
    ],
    ['the same id everywhere', (_, body) => eachObject(body, (one) => Object.assign(one, { id: 'x' }))],
    [
      'ids that are paths',
      (_, body) => eachObject(body, (one) => Object.assign(one, { id: `../../${one.id}`, code: `../${one.code}` })),
    ],
    [
      'nulls',
      (_, body) =>
        eachObject(body, (one) => {
          for (const name of Object.keys(one)) if (name !== 'id') one[name] = null
        }),
    ],
    [
      'objects nested a thousand times',
      (_, body) =>
        eachObject(body, (one) =>
          Object.assign(one, { metadata: { deep: JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) } }),
        ),
    ],
    [
      'terminal commands',
      (_, body) =>
        eachObject(body, (one) =>
          Object.assign(one, { type: '\x1b[2J', code: '\x1b]0;owned\x07', status: '\npromo: forged' }),
        ),
    ],
  ])('by %s in the answers of the source is a complete file, or none, and no bug', async (_, change) => {
    const file = newFile()
    await using source = await changing(change)

    const ran = await service.first.promo(['sandbox', 'copy', '--data', file, ...everything], { env: source.env })

    expect([0, 2, 3, 5], ran.stderr).toContain(ran.exitCode)
    expect(ran.stderr).not.toMatch(/^promo: forged/m)
    expect(ran.stderr).not.toContain('\x1b')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(leftBeside(file)).toEqual(existsSync(file) ? ['copy.db'] : [])
    if (existsSync(file))
      await serving(file, async (copy) => {
        for (const list of ['vouchers', 'customers', 'orders', 'campaigns'])
          expect((await copy.promo(`${list} list --json`)).exitCode).toBe(0)
      })
  })
})

// biome-ignore lint/suspicious/noExplicitAny: what the service returned, to be spoilt.
type Body = Record<string, any>

function eachObject(body: Body, change: (one: Body) => void): void {
  for (const list of Object.values(body))
    for (const one of Array.isArray(list) ? list : []) if (typeof one === 'object') change(one)
}

/** Serves the demo project through a server that changes its answers. */
async function changing(change: (path: string, body: Body) => void) {
  const server = await scriptedServer(async ({ method, url, headers }) => {
    const kept = Object.entries(headers).filter(([name]) => name.startsWith('x-')) as [string, string][]
    const answered = await fetch(`${service.sandbox.url}${url}`, { method, headers: Object.fromEntries(kept) })
    const body = (await answered.json()) as Body
    if (answered.ok) change(url, body)
    return answer(answered.status, body)
  })
  return {
    env: { PROMO_BASE_URL: server.origin },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
