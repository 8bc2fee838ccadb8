// What one command prints, the next reads; and a word means the same in every command.
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/embedded.ts'
import { lines } from '../support/command-lines.ts'
import { classOf, promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())
const run = (line: readonly string[], options = {}) => promo([...line, '--profile', 'sandbox'], options)

/** What each command that shows one object, or the settings of a project, is about. */
const shown: Record<string, string[]> = {
  campaigns: ['Welcome'],
  categories: ['Seasonal'],
  customers: ['shop-1001'],
  'events:schemas': ['cupping_attended'],
  'loyalty:earning-rules': ['Bean Club', 'ern_19b8d627a800000001'],
  'loyalty:programs': ['Bean Club'],
  'metadata:schemas': ['order'],
  products: ['House Blend'],
  'products:collections': ['Coffee'],
  projects: [],
  'projects:stacking': [],
  'promotions:stacks': ['Terrace season', 'Terrace and newsletter'],
  rewards: ['Pay with points'],
  rules: ['Orders above 20 euros'],
  vouchers: ['MORNING'],
}

const ids = Object.keys(lines)
const changing: [topic: string, change: string][] = []
for (const id of ids) {
  const [, topic = '', verb = ''] = /^(.*):(update|set)$/.exec(id) ?? []
  if (verb !== '' && ids.includes(`${topic}:get`) && (await classOf(id)).flags?.body) changing.push([topic, id])
}

describe('what is shown', () => {
  test('is here for every command that takes a body', () => {
    expect(changing.map(([topic]) => topic).toSorted()).toEqual(Object.keys(shown).toSorted())
  })

  test.each(changing)('of %s is what %s takes, and nothing changes', async (topic, change) => {
    const about = shown[topic] ?? []
    if (topic === 'metadata:schemas') await run(['metadata', 'schemas', 'create', '--object', 'order', '--yes'])
    const get = [...topic.split(':'), 'get', ...about, '--json']
    const steady = ({ stdout }: { stdout: string }) =>
      stdout.replaceAll(/"(?:id|created_at|updated_at)": .*|127\.0\.0\.1:\d+/g, '')

    const before = await run(get)
    const changed = await run([...change.split(':'), ...about, '--body', '@-', '--yes'], { stdin: before.stdout })
    const after = await run(get)

    expect([changed.exitCode, changed.stderr]).toEqual([0, expect.any(String)])
    if (before.stdout.includes('"object"'))
      expect(changed.stderr).toContain(' what the call does not take is left out: ')
    if (topic !== 'projects:stacking') expect(steady(after)).toBe(steady(before))
  })

  test('is refused where something else than an object of the service has a member too many', async () => {
    const body = JSON.stringify({ name: 'A', hierarchy: 1, object: 'thing' })
    const { exitCode, stderr } = await run(['categories', 'update', 'Seasonal', '--body', body, '--yes'])

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('has no field "object"')])
  })
})

test('a name is an argument in every create, or its flag, and never both', async () => {
  const unnamed: string[] = []
  for (const id of ids) {
    const { args, flags } = await classOf(id)
    // A customer is known by the source id, and a filter chooses.
    const isNamed = flags.name !== undefined && flags.name.helpGroup !== 'FILTER' && id !== 'customers:create'
    if (id.endsWith(':create') && isNamed && !args.name) unnamed.push(id)
  }
  const segment = async (...words: string[]) =>
    run(['segments', 'create', ...words, '--type', 'static', '--dry-run', '--json'])
  const [argument, flag, both] = [
    await segment('VIP'),
    await segment('--name', 'VIP'),
    await segment('VIP', '--name', 'V'),
  ]

  expect(unnamed).toEqual([])
  expect(JSON.parse(argument.stdout)).toEqual(JSON.parse(flag.stdout))
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('the name is given twice')])
})

test('CSV for a spreadsheet may be asked for as both', async () => {
  const list = ['categories', 'list', '--columns', 'name']

  const [both, one] = [await run([...list, '--csv', '--excel']), await run([...list, '--excel'])]

  expect([both.exitCode, both.stdout]).toEqual([0, one.stdout])
})

test('a profile is added from what a sandbox prints when it starts', async () => {
  const sandbox = await startSandbox({ file: ':memory:', port: 0, demo: true })
  const { url, credentials } = sandbox
  const stdin = JSON.stringify({ url, ...credentials, control_token: 'c', data: 'd' })

  const added = await promo('profiles add box --insecure-storage', { stdin })
  const voucher = await promo('vouchers get MORNING --profile box --csv --columns code')
  const project = await promo('projects get --profile box --csv --columns id --no-header')

  await sandbox.close()
  expect(added.stderr).toContain(`stored profile box for ${url}`)
  expect([voucher.stdout, project.stdout]).toEqual(['code\nMORNING\n', `${credentials.project_id}\n`])
})

describe('a list', () => {
  const forms = ['--csv', '--jsonl'] as const
  const readers: [list: string, read: string][] = [
    ['customers list', 'customers get'],
    ['customers list', 'customers update --name A'],
    ['customers list', 'customers delete'],
    ['customers list', 'publications create --campaign Welcome'],
    ['loyalty cards list camp_19b8d627a800000004', 'loyalty cards get'],
    ['loyalty cards list camp_19b8d627a800000004', 'loyalty points add --points 1'],
    ['loyalty cards list camp_19b8d627a800000004', 'loyalty points remove --points 1'],
    ['orders list', 'orders get'],
    ['redemptions list --result SUCCESS', 'redemptions get'],
    ['redemptions list --result SUCCESS', 'redemptions rollback'],
    ['redemptions list --result SUCCESS', 'vouchers disable'],
    ['vouchers list --limit 5', 'vouchers get'],
    ['vouchers list --limit 5', 'vouchers enable'],
    ['vouchers list --limit 5', 'vouchers disable'],
    ['vouchers list --limit 5', 'vouchers delete'],
    ['vouchers list --limit 5', 'vouchers update --note A'],
    ['vouchers list --campaign camp_19b8d627a800000003', 'vouchers balance add --amount 1'],
    ['vouchers list --campaign camp_19b8d627a800000003', 'vouchers balance remove --amount 1'],
  ]

  test.each(readers.flatMap(([list, read]) => forms.map((form) => [list, form, read] as const)))(
    '%s %s is read by %s',
    async (list, form, read) => {
      const { stdout: stdin } = await run([...list.split(' '), form])

      const { exitCode, stderr } = await run(
        [...read.split(' '), '--from', '-', ...(read.endsWith(' get') ? ['--csv'] : ['--dry-run'])],
        { stdin },
      )

      expect([exitCode, stderr]).toEqual([0, expect.any(String)])
    },
  )
})
