// A project as files: copied from one project to another, and changed by what the files say.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { tryLock } from '../../src/base/lock.ts'
import { prunableKinds } from '../../src/config/plan.ts'
import { planText, sealPlan } from '../../src/config/plan-file.ts'
import { fileKinds, kinds } from '../../src/model/kinds.ts'
import { doorTo, type Passage } from '../support/door.ts'
import { needing } from '../support/programs.ts'
import {
  fillProject,
  folderOf,
  projectFolder,
  type TestProject,
  type TestProjects,
  testProjects,
} from '../support/projects.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { root as repository } from '../support/source-files.ts'
import { isDangerous } from '../unit/output/forbidden.ts'

let service: TestProjects
let full: TestProject

beforeAll(async () => {
  service = await testProjects()
  full = await service.another()
  await fillProject(full)
})

afterAll(() => service.close())

/** The files of a folder but for promo's own records. */
function filesOf(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('.promo'))
      .map((path) => [relative(root, path), readFileSync(path, 'utf8')]),
  )
}

/** Pulls a project, checks that it went well, and returns the folder. */
async function pulled(project: TestProject, ...more: string[]): Promise<string> {
  const root = projectFolder()
  const { exitCode, stderr } = await project.promo(['config', 'pull', root, ...more])
  expect([exitCode, stderr.includes('is not written down')]).toEqual([0, false])
  return root
}

/** Validates a folder; returns the exit code, and each problem on a line, as a plan says it. */
async function validated(project: TestProject, root: string): Promise<[exitCode: number, problems: string]> {
  const { exitCode, stdout, stderr } = await project.promo(`config validate ${root} --json`)
  const problems = JSON.parse(stdout) as { file: string; line: number; message: string }[]
  for (const { message } of problems) expect(stderr).not.toContain(message)
  return [exitCode, problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n')]
}

function edit(root: string, file: string, change: (text: string) => string): void {
  const path = join(root, file)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const after = change(before)
  expect(after).not.toBe(before)
  writeFileSync(path, after)
}

describe.each(['the demo project', 'a project with every kind and member'])('%s', (which) => {
  const source = () => (which === 'the demo project' ? service.first : full)

  test('is the same in an empty project after one apply, and a second plan has no step', async () => {
    const root = await pulled(source())
    const target = await service.another()

    const applied = await target.promo(`config apply ${root} --yes`)
    const diff = await target.promo(`config diff ${root}`)
    const second = await target.promo(`config plan ${root} --exit-code --json`)
    const copy = await pulled(target)

    expect(applied).toEnd(0, 'applied')
    expect([diff.exitCode, diff.stdout]).toEqual([0, ''])
    expect([second.exitCode, JSON.parse(second.stdout)]).toEqual([0, []])
    expect(filesOf(copy)).toEqual(filesOf(root))
  })

  test('is pulled twice without a change, and its files are valid', async () => {
    const root = await pulled(source())
    const before = filesOf(root)

    const again = await source().promo(`config pull ${root} --json`)
    const valid = await source().promo(`config validate ${root}`)

    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([0, []])
    expect(filesOf(root)).toEqual(before)
    expect([valid.exitCode, valid.stdout]).toEqual([0, ''])
  })

  test('has the same plan and files where no ids are recorded: objects are adopted by their names', async () => {
    const root = await pulled(source())
    const bare = projectFolder()
    cpSync(root, bare, { recursive: true, filter: (path) => !path.endsWith(join('.promo', 'ids')) })

    const { stdout, stderr, exitCode } = await source().promo(`config diff ${bare} --json`)

    const isFull = which !== 'the demo project'
    const twins = isFull ? /more than one (validation rule|promotion tier|earning rule) could be it/ : /^$/m
    expect(stderr).toMatch(twins)
    expect(isFull ? exitCode : [exitCode, JSON.parse(stdout)]).toEqual(isFull ? 12 : [0, []])
    const pull = await source().promo(`config pull ${bare} --yes`)
    expect([pull.exitCode, filesOf(bare)]).toEqual([isFull ? 2 : 0, filesOf(root)])
    const forced = await source().promo(`config pull ${bare} --yes --force`)
    const after = await source().promo(`config diff ${bare}`)
    expect([forced.exitCode, after.exitCode, after.stdout]).toEqual([0, 0, ''])
  })
})

test('examples/shop is the demo project', async () => {
  const root = await pulled(service.first)

  expect(filesOf(join(repository, 'examples/shop'))).toEqual(filesOf(root))
})

test.each(fileKinds)('a folder of %s alone can be compared, pulled again, and changed', async (kind) => {
  const root = await pulled(full, '--only', kind)
  const before = filesOf(root)

  const diff = await full.promo(`config diff ${root} --json`)
  const again = await full.promo(`config pull ${root} --json`)
  const [, problems] = await validated(full, root)

  expect([diff.exitCode, diff.stdout, diff.stderr]).toEqual([0, '[]\n', expect.not.stringContaining('not in')])
  expect([again.exitCode, again.stdout]).toEqual([0, '[]\n'])
  expect(filesOf(root)).toEqual(before)
  for (const problem of problems.split('\n').filter(Boolean)) expect(problem).toMatch(/the id ".+" is of something/)
})

describe('ids of what files do not have', () => {
  test('stand for rules that are assigned and unassigned', async () => {
    const project = await service.another()
    const [one, two, three] = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => project.call('POST', '/v1/validation-rules', { name, rules: {} })),
    )
    const rules = (...list: { id: string }[]) => `[${list.map(({ id }) => `{id: ${id}}`).join(', ')}]`
    const root = folderOf({
      'promo.yaml': 'format: 1\nkinds: [campaigns]\n',
      'campaigns/a.yaml': `name: A\ncampaign_type: PROMOTION\nvalidation_rules: ${rules(one, two)}\n`,
    })
    const created = await project.promo(`config apply ${root} --yes`)

    edit(root, 'campaigns/a.yaml', (text) => text.replace(rules(one, two), rules(three, two)))
    const changed = await project.promo(`config apply ${root} --yes`)
    const diff = await project.promo(`config diff ${root}`)

    expect([created.exitCode, created.stderr]).toEqual([0, expect.any(String)])
    expect([changed.exitCode, changed.stderr]).toEqual([0, expect.any(String)])
    expect([diff.exitCode, diff.stdout]).toEqual([0, ''])
    const { data } = await project.call('GET', '/v1/validation-rules-assignments')
    expect(new Set(data.map(({ rule_id }: { rule_id: string }) => rule_id))).toEqual(new Set([two.id, three.id]))
  })

  test('mean the same as keys where files have the object', async () => {
    const root = await pulled(full)
    const ids = JSON.parse(readFileSync(join(root, `.promo/ids/${full.id}.json`), 'utf8'))
    edit(root, 'rules/same-name-2.yaml', (text) => text.replace('!ref segments/readers', ids['segments/readers']))
    edit(root, 'campaigns/coupons.yaml', (text) => text.replace('[same-name]', `[{id: ${ids['rules/same-name']}}]`))
    edit(root, 'stacking-rules.yaml', (text) => text.replace('{seasonal: 2}', `{${ids['categories/seasonal']}: 2}`))

    const { exitCode, stdout } = await full.promo(`config diff ${root}`)

    expect([exitCode, stdout]).toEqual([0, ''])
  })

  test('are named with their lines by validate, wherever they are, and by a plan for a project that may not have them', async () => {
    const source = await service.another()
    const product = await source.call('POST', '/v1/products', { source_id: 'p', name: 'P' })
    const sku = await source.call('POST', `/v1/products/${product.id}/skus`, { source_id: 's', sku: 'S' })
    const filter = { junction: 'AND', name: { conditions: { $is: ['x'] } } }
    const gone = await source.call('POST', '/v1/segments', { name: 'Gone', type: 'passive', filter })
    const discount = { type: 'UNIT', unit_off: 1, unit_type: sku.id, effect: 'ADD_NEW_ITEMS' }
    await source.call('POST', '/v1/validation-rules', {
      name: 'Of a segment',
      rules: { 1: { name: 'customer.segment', conditions: { $is: [gone.id] } }, logic: '1' },
    })
    await source.call('DELETE', `/v1/segments/${gone.id}`)
    await source.call('POST', '/v1/validation-rules', {
      name: 'Of a SKU',
      applicable_to: { included: [{ object: 'sku', id: sku.id }], excluded: [], included_all: false },
      rules: {},
    })
    await source.call('POST', '/v1/rewards', {
      name: 'Reward',
      type: 'MATERIAL',
      parameters: { product: { id: product.id, sku_id: sku.id } },
    })
    await source.call('POST', '/v1/campaigns', {
      name: 'Free',
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { type: 'DISCOUNT_VOUCHER', discount },
      metadata: { of: sku.id },
    })
    const root = await pulled(source)

    const [exitCode, problems] = await validated(source, root)
    const own = await source.promo(`config plan ${root}`)
    const other = await (await service.another()).promo(`config plan ${root}`)

    const what = 'is of something that is not in this folder'
    expect([exitCode, problems.split('\n').toSorted()]).toEqual([
      2,
      [
        `campaigns/free.yaml:7: the id "${sku.id}" ${what}`,
        `rewards/reward.yaml:4: the id "${sku.id}" ${what}`,
        `rules/of-a-segment.yaml:4: the id "${gone.id}" ${what}`,
        `rules/of-a-sku.yaml:3: the id "${sku.id}" ${what}`,
      ],
    ])
    expect(own.stderr).not.toContain('do not have')
    for (const [address, id] of [
      ['campaigns/free', sku.id],
      ['rewards/reward', sku.id],
      ['rules/of-a-segment', gone.id],
      ['rules/of-a-sku', sku.id],
    ]) {
      expect(other.stderr).toContain(`${address}: ${id} is of something that the files do not have; does this project?`)
    }
  })

  test('and references are expected in every member that takes one', () => {
    const idsIn = (schema: Record<string, unknown>, path: string): string[] => {
      const { anyOf, oneOf, allOf, items, properties, additionalProperties } = schema as Record<string, object>
      const inner = (one: unknown, name: string) => idsIn(one as Record<string, unknown>, `${path}${name}`)
      return [
        ...[anyOf, oneOf, allOf].flatMap((list) => Object.values(list ?? {}).flatMap((one) => inner(one, ''))),
        ...(items ? inner(items, '*.') : []),
        ...(typeof additionalProperties === 'object' ? inner(additionalProperties, '*.') : []),
        ...Object.entries(properties ?? {}).flatMap(([name, one]) => [
          ...(/(^|_)ids?$|unit_type/.test(name) ? [`${path}${name}`] : []),
          ...inner(one, `${name}.`),
        ]),
      ]
    }
    const open = kinds.flatMap(({ name, calls, members, references, free = [], computed, isArray }) => {
      const found = [calls.create?.body, calls.update?.body].flatMap((body) =>
        body === undefined ? [] : idsIn(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }), ''),
      )
      const paths = [...new Set(found.map((path) => (isArray ? path.replace(/^\*\./, '') : path)))]
      const isCovered = (path: string) =>
        Object.keys(references).some((one) => one === path || one === `${path}.*`) ||
        [...free, ...computed].some((one) => path === one || path.startsWith(`${one}.`)) ||
        !Object.keys(members).some((one) => path === one || path.startsWith(`${one}.`))
      return paths.filter((path) => !isCovered(path)).map((path) => `${name} ${path}`)
    })

    // By it another project knows the product; and no file has an action without `discount`, because no answer does.
    const others = [
      'products source_id',
      'campaigns/tiers action.unit_type',
      'campaigns/tiers action.units.*.unit_type',
    ]
    expect(open).toEqual(others)
  })
})

test('of two objects of one name the first is made first, also where it waits for another kind', async () => {
  const source = await service.another()
  const { id } = await source.call('POST', '/v1/campaigns', {
    name: 'Cards',
    campaign_type: 'GIFT_VOUCHERS',
    type: 'STATIC',
    voucher: { type: 'GIFT_VOUCHER', gift: { amount: 500, effect: 'APPLY_TO_ORDER' } },
  })
  await source.call('POST', '/v1/rewards', {
    name: 'Gift',
    type: 'CAMPAIGN',
    parameters: { campaign: { id, balance: 5 } },
  })
  await source.call('POST', '/v1/rewards', { name: 'Gift', type: 'MATERIAL', parameters: {} })
  const root = await pulled(source)
  const target = await service.another()

  const applied = await target.promo(`config apply ${root} --yes`)
  const copy = await pulled(target)

  expect([applied.exitCode, applied.stderr]).toEqual([0, expect.any(String)])
  expect(Object.keys(filesOf(root))).toEqual(expect.arrayContaining(['rewards/gift.yaml', 'rewards/gift-2.yaml']))
  expect(filesOf(copy)).toEqual(filesOf(root))
})

test('members of a newer service are written, at any depth, and named in promo.yaml; the files are valid', async () => {
  const newer = createServer(async (asked, answering) => {
    const headers = asked.headers as Record<string, string>
    const answer = await fetch(`${service.sandbox.url}${asked.url}`, { headers: { ...headers, host: '' } })
    const json = (await answer.json()) as { campaigns?: { colour?: string; voucher?: { discount?: object } }[] }
    for (const one of json.campaigns ?? []) {
      one.colour = 'red'
      if (one.voucher?.discount) Object.assign(one.voucher.discount, { rounding: 'UP' })
    }
    answering.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  })
  await new Promise<void>((resolve) => newer.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void newer.close())
  const env = { PROMO_BASE_URL: `http://127.0.0.1:${(newer.address() as AddressInfo).port}` }
  const root = projectFolder()

  const pull = await full.promo(`config pull ${root} --only campaigns,rules,categories`, { env })
  const diff = await full.promo(`config diff ${root} --json`, { env })
  const [, problems] = await validated(full, root)

  expect([pull.exitCode, pull.stderr]).toEqual([0, expect.any(String)])
  const said = parse(readFileSync(join(root, 'promo.yaml'), 'utf8')).unknown
  expect(said).toEqual({ campaigns: ['colour', 'voucher.discount.rounding'] })
  expect(readFileSync(join(root, 'campaigns/coupons.yaml'), 'utf8')).toContain('rounding: UP')
  expect(problems).not.toContain('no member')
  expect([diff.exitCode, diff.stdout]).toEqual([0, '[]\n'])
})

test('recorded ids that two branches changed are refused, by file and by key', async () => {
  const root = await pulled(full, '--only', 'categories')
  const path = join(root, `.promo/ids/${full.id}.json`)
  const ids = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(join(root, 'categories/season.yaml'), 'name: Season\nhierarchy: 9\n')
  writeFileSync(path, JSON.stringify({ ...ids, 'categories/season': ids['categories/seasonal'] }))
  const twice = await full.promo(`config plan ${root}`)
  writeFileSync(path, '{\n<<<<<<< ours\n "categories/season": "cat_1"\n=======\n>>>>>>> theirs\n}\n')
  const conflict = await full.promo(`config plan ${root}`)

  expect(twice).toEnd(
    2,
    `categories/seasonal, categories/season: all are recorded as ${ids['categories/seasonal']}; keep one of them`,
  )
  expect(conflict).toEnd(2, 'has an unresolved merge conflict')
})

describe('pull --object', () => {
  test('and five commands of docs/config.md move a program with its rules from one profile to another', async () => {
    const page = readFileSync(join(repository, 'docs/config.md'), 'utf8')
    const block = /```sh\n(promo config pull club [\s\S]*?)\n```/.exec(page)?.[1] ?? ''
    const target = await service.another()
    const root = projectFolder()
    const run = promoIn(temporaryFolder())
    for (const [name, { id, env }] of Object.entries({ staging: service.first, live: target })) {
      const address = ['--base-url', service.sandbox.url, '--project-id', id]
      await run(['profiles', 'add', name, ...address, '--insecure-storage'], { env })
    }

    const codes: number[] = []
    for (const line of block.split('\n')) {
      const argv = line
        .split(' ')
        .slice(1)
        .map((word) => ({ club: root, 'plan.json': join(root, '..', 'plan.json') })[word] ?? word)
      const { exitCode } = await run(argv, { terminal: { columns: 100 }, answers: [[/y\/N/, 'y\r']] })
      codes.push(exitCode)
    }

    expect(codes).toEqual([0, 0, 0, 0, 0])
    const { campaigns } = await target.call('GET', '/v1/campaigns')
    expect(campaigns.map(({ name }: { name: string }) => name)).toEqual(['Bean Club'])
    const earning = await target.call('GET', '/v1/loyalties/Bean%20Club/earning-rules')
    const theirs = await service.first.call('GET', '/v1/loyalties/Bean%20Club/earning-rules')
    expect(earning.data.length).toBe(theirs.data.length)
    expect(
      Object.keys(filesOf(root)).filter((file) => !/^(rewards|event-schemas|rules|products)\//.test(file)),
    ).toEqual(['promo.yaml', 'campaigns/bean-club.yaml'])
  })

  test('takes names and several objects, adds to a folder, and names what there is instead of what there is not', async () => {
    const root = projectFolder()
    const object = (...names: string[]) => full.promo(['config', 'pull', root, '--object', ...names, '--json'])

    const one = await object('campaigns/Terrace')
    const two = await object('rewards/mug,campaigns/club')
    const none = await object('campaigns/clubs')
    const both = await full.promo(`config pull ${root} --object rewards/mug --only rewards`)
    const diff = await full.promo(`config diff ${root} --json`)

    expect([one.exitCode, two.exitCode]).toEqual([0, 0])
    const files = Object.keys(filesOf(root))
    expect(files).toEqual(expect.arrayContaining(['campaigns/terrace.yaml', 'campaigns/club.yaml', 'rewards/mug.yaml']))
    expect(files).toEqual(
      expect.arrayContaining(['rules/same-name.yaml', 'segments/readers.yaml', 'categories/seasonal.yaml']),
    )
    expect(files).not.toContain('campaigns/coupons.yaml')
    expect(none).toEnd(2, 'it has campaigns/coupons, campaigns/')
    expect(both.exitCode).toBe(2)
    expect([diff.exitCode, JSON.parse(diff.stdout)]).toEqual([0, []])
  })

  test('leaves a part, and every command looks at that part alone, until all of a kind is pulled', async () => {
    const project = await service.another()
    const rules = { 1: { name: 'order.amount', conditions: { $more_than: [2000] } }, logic: '1' }
    const [used, other] = await Promise.all(
      ['Used', 'Other'].map((name) => project.call('POST', '/v1/validation-rules', { name, rules })),
    )
    const tier = (campaign: string, name: string) =>
      project.call('POST', `/v1/promotions/${campaign}/tiers`, {
        name,
        action: { discount: { type: 'AMOUNT', amount_off: 100 } },
        validation_rules: [used.id],
      })
    const [mine, theirs] = await Promise.all(
      ['Mine', 'Theirs'].map((name) => project.call('POST', '/v1/campaigns', { name, campaign_type: 'PROMOTION' })),
    )
    for (const { id } of [mine, theirs]) await tier(id, 'First')
    const root = await pulled(project, '--object', 'campaigns/mine')
    const config = (...argv: string[]) => project.promo(['config', argv[0] as string, root, ...argv.slice(1)])
    const plan = join(root, '..', 'part.json')

    expect(filesOf(root)['promo.yaml']).toContain('partial:\n  - rules\n  - campaigns\n')
    for (const argv of [['diff'], ['plan', '--exit-code'], ['validate'], ['apply', '--yes'], ['pull']]) {
      const { exitCode, stdout, stderr } = await config(...argv)
      expect([exitCode, stdout], `${argv.join(' ')} ${stderr}`).toEqual([0, ''])
    }
    expect(Object.keys(filesOf(root)).toSorted()).toEqual(['campaigns/mine.yaml', 'promo.yaml', 'rules/used.yaml'])

    expect(await config('plan', '--prune', 'rules')).toEnd(2, 'a part of them')

    // Of the kind, but not of the part.
    edit(root, 'rules/used.yaml', (text) => text.replace('2000', '3000'))
    expect((await config('plan', '--out', plan)).exitCode).toBe(0)
    await project.call('PUT', `/v1/validation-rules/${other.id}`, { name: 'Another' })
    await tier(theirs.id, 'Second')
    await project.call('POST', '/v1/validation-rules', { name: 'New', rules })
    expect(await project.promo(`config apply ${plan} --yes`)).toEnd(0, 'applied 1 step')

    // Of the part, though it has no file.
    edit(root, 'rules/used.yaml', (text) => text.replace('3000', '4000'))
    expect((await config('plan', '--out', plan)).exitCode).toBe(0)
    await tier(mine.id, 'Second')
    const moved = await project.promo(`config apply ${plan} --yes`)
    const diff = await config('diff', '--csv', '--no-header', '--columns', 'object,change')
    expect(moved).toEnd(9, 'campaigns/mine/tiers/second is new')
    expect(diff.stdout.split('\n')).toContain('campaigns/mine/tiers/second,extra')
    const cut = await config('plan', '--prune', 'campaigns/tiers', '--csv', '--no-header', '--columns', 'act,object')
    expect(cut.stdout.trimEnd().split('\n').at(-1)).toBe('delete,campaigns/mine/tiers/second')

    expect((await config('pull', '--only', 'rules', '--force')).exitCode).toBe(0)
    expect(parse(filesOf(root)['promo.yaml'] ?? '')).toMatchObject({ partial: ['campaigns'] })
    expect(Object.keys(filesOf(root)).filter((file) => file.startsWith('rules/'))).toHaveLength(3)
    expect((await config('plan', '--prune', 'rules')).exitCode).toBe(0)
    edit(root, 'promo.yaml', (text) => text.replace('- campaigns', '- campaign'))
    expect((await config('validate')).stdout).toContain('is no kind')
  })
})

describe('files', () => {
  test('comments and the order of members survive where nothing changed, and what changed is brought up to date', async () => {
    const project = await service.another()
    const rule = await project.call('POST', '/v1/validation-rules', {
      name: 'From 20',
      rules: { 1: { name: 'order.amount', conditions: { $more_than: [2000] } }, logic: '1' },
      error: { message: 'Too little' },
    })
    const root = await pulled(project, '--only', 'rules')
    edit(root, 'rules/from-20.yaml', (text) =>
      `# asked for by sales\n${text}`.replace('name: From 20', 'name: From 20 # euros'),
    )
    await project.promo(`config pull ${root} --force --only rules`)
    await project.call('PUT', `/v1/validation-rules/${rule.id}`, { error: { message: 'More' } })

    expect(await project.promo(`config pull ${root} --force`)).toEnd(0)
    const text = readFileSync(join(root, 'rules/from-20.yaml'), 'utf8')
    expect(text).toMatch(/^# asked for by sales\n# yaml-language-server: .*\nname: From 20 # euros\n/)
    expect(text).toContain('message: More')
  })

  test('hold no character that acts on a terminal or hides in a review, and their values are those of the project', async () => {
    const project = await service.another()
    const hidden =
      'A \u202egnp\u2066 \x9b31m\x1b[2J\x7f\u0085\u2028\ufeff\u200b\u{e0041} it\'s "so" \\ \n\ttwo \n \u{1f468}\u200d\u{1f469}\u200d\u{1f467}'
    const metadata = { plain: 'yes', 'k\u202e': [hidden] }
    const body = { name: 'Hidden', rules: {}, error: { message: hidden } }
    const rule = await project.call('POST', '/v1/validation-rules', body)
    const parameters = { coin: { exchange_ratio: 1, points_ratio: 1 } }
    await project.call('POST', '/v1/rewards', { name: 'Mug\u202e', type: 'COIN', parameters, metadata })
    const root = await pulled(project)
    const first = filesOf(root)
    // A text that is kept is written again with one that changed.
    await project.call('PUT', `/v1/validation-rules/${rule.id}`, { name: 'Renamed' })
    await project.promo(`config pull ${root} --force`)
    const target = await service.another()
    const plan = join(root, '..', 'plan.json')
    await target.promo(`config plan ${root} --out ${plan}`)

    const { exitCode } = await target.promo(`config apply ${plan} --yes`)

    for (const text of [...Object.values(first), ...Object.values(filesOf(root)), readFileSync(plan, 'utf8')])
      expect(isDangerous(text, { lines: true }) ? text : 'tame').toBe('tame')
    expect(readFileSync(join(root, 'rules/hidden.yaml'), 'utf8')).toContain('name: Renamed')
    expect(exitCode).toBe(0)
    const { data } = await target.call('GET', '/v1/validation-rules?limit=100')
    expect(data[0]).toMatchObject({ name: 'Renamed', error: { message: hidden } })
    expect((await target.call('GET', '/v1/rewards')).data[0]).toMatchObject({ name: 'Mug\u202e', metadata })
    expect((await target.promo(`config diff ${root}`)).exitCode).toBe(0)
  })

  test('a file that was edited is not overwritten, and one of an object that is gone is removed after a question', async () => {
    const project = await service.another()
    const one = await project.call('POST', '/v1/categories', { name: 'One', hierarchy: 1 })
    const two = await project.call('POST', '/v1/categories', { name: 'Two', hierarchy: 2 })
    const root = await pulled(project)
    edit(root, 'categories/one.yaml', () => 'name: One\nhierarchy: 7\n')
    await project.call('PUT', `/v1/categories/${one.id}`, { name: 'One', hierarchy: 3 })

    const refused = await project.promo(`config pull ${root}`)
    const forced = await project.promo(`config pull ${root} --force`)
    await project.call('DELETE', `/v1/categories/${two.id}`)
    const asked = await project.promo(`config pull ${root}`, { stdin: '' })
    const removed = await project.promo(`config pull ${root} --yes --json`)

    expect(refused).toEnd(2, 'categories/one.yaml; nothing was written')
    expect(forced.exitCode).toBe(0)
    expect(readFileSync(join(root, 'categories/one.yaml'), 'utf8')).toBe('name: One\nhierarchy: 3\n')
    expect(asked).toEnd(11, 'remove 1 file of objects that are gone')
    expect(JSON.parse(removed.stdout)).toEqual([{ file: 'categories/two.yaml', state: 'removed' }])
    expect(existsSync(join(root, 'categories/two.yaml'))).toBe(false)
  })

  test('equal, empty, endless and dangerous names are safe files, and are told apart', async () => {
    const project = await service.another()
    const names = [
      'Same',
      'Same',
      'same',
      'SAME',
      '../../x',
      'con',
      'NUL',
      '🎉',
      '日本',
      ' ',
      `${'long '.repeat(2000)}`,
      '__proto__',
      '.',
      'a/b',
      'ß',
      'é',
    ]
    for (const name of names) {
      await project.call('POST', '/v1/validation-rules', {
        name,
        rules: {},
        error: { message: `for ${name.slice(0, 20)}` },
      })
    }
    const root = await pulled(project)
    const files = Object.keys(filesOf(root)).filter((file) => file.startsWith('rules/'))
    const target = await service.another()

    expect(await target.promo(`config apply ${root} --yes`)).toEnd(0)
    expect(files).toHaveLength(names.length)
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length)
    for (const file of files) expect(file).toMatch(/^rules\/(?!(con|nul)\.yaml)[a-z0-9][a-z0-9-]{0,79}\.yaml$/)
    const { data } = await target.call('GET', '/v1/validation-rules?limit=100')
    expect(data.map(({ name }: { name: string }) => name).toSorted()).toEqual(names.toSorted())
    expect((await target.promo(`config diff ${root}`)).exitCode).toBe(0)
  })

  test.each<[string, Record<string, string | Buffer>, RegExp]>([
    ['a syntax error', { 'categories/one.yaml': 'name: [One\nhierarchy: 1\n' }, /categories\/one\.yaml:\d: /],
    [
      'an unknown member',
      { 'categories/one.yaml': 'name: One\nhierarchy: 1\ncolour: red\n' },
      /one\.yaml:3: "colour" is no member of a category/,
    ],
    ['a missing member', { 'categories/one.yaml': 'name: One\n' }, /one\.yaml:1: hierarchy is missing/],
    [
      'a number where a text belongs',
      { 'categories/one.yaml': 'hierarchy: 1\nname: 010\n' },
      /one\.yaml:2: name must be a text/,
    ],
    [
      'a reference to nothing',
      { 'campaigns/c.yaml': 'name: C\ncampaign_type: PROMOTION\ncategory_id: none\n' },
      /c\.yaml:3: "categories\/none" is no category of this folder/,
    ],
    [
      'two files of one name',
      {
        'campaigns/c.yaml': 'name: C\ncampaign_type: PROMOTION\n',
        'campaigns/d.yaml': 'name: C\ncampaign_type: PROMOTION\n',
      },
      /d\.yaml:1: has the name of campaigns\/c\.yaml/,
    ],
    [
      'two keys that differ by case',
      { 'categories/one.yaml': 'name: One\nhierarchy: 1\n', 'categories/ONE.yaml': 'name: Two\nhierarchy: 1\n' },
      /differs from categories\/ONE\.yaml only by case/,
    ],
    [
      'a member twice',
      { 'categories/one.yaml': 'name: One\nhierarchy: 1\nname: Two\n' },
      /one\.yaml:3: has this name twice/,
    ],
    ['an alias', { 'categories/one.yaml': 'name: &a One\nhierarchy: *a\n' }, /one\.yaml:2: has an alias/],
    [
      'a second document',
      { 'categories/one.yaml': 'name: One\nhierarchy: 1\n---\nname: Two\n' },
      /one\.yaml:3: has a second document/,
    ],
    [
      'a tag that is not known',
      { 'categories/one.yaml': 'hierarchy: 1\nname: !php/object One\n' },
      /one\.yaml:2: has a tag that is not !ref/,
    ],
    [
      'a mapping in place of a name',
      { 'categories/one.yaml': 'name: One\nhierarchy: 1\n? {a: 1}\n: 2\n' },
      /one\.yaml:3: has a list or a mapping in place of a name/,
    ],
    [
      'a name with a dot',
      { 'categories/one.yaml': 'name: One\nhierarchy: 1\n"a.b": 2\n' },
      /one\.yaml:1: "a\.b" is no member of a category/,
    ],
    [
      'a text that is not UTF-8',
      { 'categories/one.yaml': Buffer.from('name: Caf\xe9\nhierarchy: 1\n', 'latin1') },
      /one\.yaml:1: is not text in UTF-8/,
    ],
    [
      'a bomb of brackets',
      { 'categories/one.yaml': `name: ${'['.repeat(60_000)}${']'.repeat(60_000)}\nhierarchy: 1\n` },
      /one\.yaml:1: is nested too deeply/,
    ],
    ['a file in place of a folder', { categories: 'name: One\n' }, /categories:1: is not a folder/],
    [
      'a placeholder for a key of promo',
      {
        'categories/one.yaml': `hierarchy: 1\nname: \${PROMO_APP_TOKEN}\n`,
      },
      /one\.yaml:2: \$\{PROMO_APP_TOKEN\} is a setting of promo, which no file may send/,
    ],
    [
      'a placeholder without a value',
      {
        'categories/one.yaml': 'name: One\nhierarchy: 1\n',
        'webhooks/w.yaml': `target_url: \${nowhere}/\nevents: [voucher.created]\n`,
      },
      /w\.yaml:1: \$\{nowhere\} has no value/,
    ],
    ['another format', { 'promo.yaml': 'format: 2\nkinds: [categories]\n' }, /promo\.yaml:1: format must be 1/],
    [
      'a name in place of a list',
      { 'promo.yaml': 'format: 1\nkinds: rules\n' },
      /promo\.yaml:2: kinds is a list of kinds/,
    ],
    [
      'a project in place of a mapping',
      { 'promo.yaml': 'format: 1\nkinds: []\nenvironments: {live: proj_1}\n' },
      /promo\.yaml:3: environments is a mapping of names to projects/,
    ],
    [
      'a merge conflict',
      { 'categories/one.yaml': 'hierarchy: 1\n<<<<<<< ours\nname: One\n=======\nname: Two\n>>>>>>> theirs\n' },
      /one\.yaml:2: has an unresolved merge conflict(?![\s\S]*one\.yaml:)/,
    ],
    [
      'a text that YAML does not take for true',
      { 'categories/one.yaml': 'partial: yes\nname: One\nhierarchy: 1\n' },
      /one\.yaml:1: partial is true or false, at the top of a file/,
    ],
    [
      'a key in the file',
      { 'categories/one.yaml': 'name: One\nhierarchy: 1\nkey: one\n' },
      /one\.yaml:3: "key" is no member/,
    ],
    [
      'hours over midnight',
      {
        'campaigns/c.yaml':
          'name: C\ncampaign_type: DISCOUNT_COUPONS\nvalidity_hours:\n  daily: [{start_time: "22:00", expiration_time: "02:00", days_of_week: [1]}]\n',
      },
      /c\.yaml:4: .*must end after it begins: a window ends on its day/,
    ],
    [
      'a misspelt member within another',
      {
        'campaigns/c.yaml':
          'name: C\ncampaign_type: DISCOUNT_COUPONS\nvoucher:\n  type: DISCOUNT_VOUCHER\n  discount: {type: AMOUNT, amount_off: 5, efect: APPLY_TO_ORDER}\n',
      },
      /c\.yaml:5: "voucher\.discount\.efect" is no member of a campaign/,
    ],
    ['an unknown kind', { 'promo.yaml': 'format: 1\nkinds: [vouchers]\n' }, /promo\.yaml:2: "vouchers" is no kind/],
    ...['9007199254740993', '-9007199254740993', '12E45', '1e400', '.inf', '-.INF', '.nan'].map(
      (number): [string, Record<string, string>, RegExp] => [
        `the number ${number} in metadata`,
        { 'campaigns/c.yaml': `name: C\ncampaign_type: DISCOUNT_COUPONS\nmetadata:\n  a: [1, ${number}]\n` },
        /c\.yaml:4: has \S+, a number too large to be kept exactly; put it in quotes, if it is a text/,
      ],
    ),
    [
      'a number in a rule that is too large',
      {
        'rules/r.yaml': 'name: R\nrules:\n  "1":\n    name: order.amount\n    conditions: {$is: [9007199254740993]}\n',
      },
      /r\.yaml:5: has 9007199254740993, a number too large/,
    ],
    [
      'a number as a name that is too large',
      { 'campaigns/c.yaml': 'name: C\ncampaign_type: DISCOUNT_COUPONS\nmetadata: {9007199254740993: x}\n' },
      /c\.yaml:3: has 9007199254740993, a number too large/,
    ],
    ['a list instead of a mapping', { 'categories/one.yaml': '- One\n' }, /one\.yaml:1: is not a mapping/],
    ['a file of another ending', { 'categories/one.json': '{}' }, /one\.json:1: is not a \.yaml file/],
  ])('%s is refused with its file and line', async (_what, files, message) => {
    const root = projectFolder()
    const kinds = 'format: 1\nkinds: [categories, campaigns, webhooks, rules]\n'
    for (const [file, text] of Object.entries({ 'promo.yaml': kinds, ...files })) {
      mkdirSync(join(root, file, '..'), { recursive: true })
      writeFileSync(join(root, file), text)
    }

    const valid = await validated(service.first, root)
    const plan = await service.first.promo(`config plan ${root}`)

    expect(valid).toEqual([2, expect.stringMatching(message)])
    expect(plan).toEnd(2, message)
  })

  test.each([80, 120])('a difference has both of its values on a terminal of %i columns', async (columns) => {
    const project = await service.another()
    const name = 'A category with a name that makes a long key, longer than half of a line'
    await project.call('POST', '/v1/categories', { name, hierarchy: 1234 })
    const root = await pulled(project, '--only', 'categories')
    edit(root, `categories/${readdirSync(join(root, 'categories'))[0]}`, (text) => text.replace('1234', '5678'))

    const { exitCode, stdout } = await project.promo(`config diff ${root}`, { terminal: { columns } })

    expect(exitCode).toBe(12)
    for (const text of ['a-category-with-a-name', 'update', 'hierarchy', '1234', '5678']) expect(stdout).toContain(text)
  })

  test('what only the files have, and what each step changes, are tables on a terminal of 80 columns', async () => {
    const project = await service.another()
    const root = projectFolder()
    await service.first.promo(`config pull ${root}`)
    const plan = join(root, '..', 'plan.json')
    const terminal = { columns: 80 }

    const create = await project.promo(`config diff ${root}`, { terminal })
    const made = await project.promo(`config plan ${root}`, { terminal })
    const alone = promoIn(temporaryFolder())
    const written = await alone(['config', 'plan', root, '--out', plan, '--profile', 'sandbox'])
    edit(root, 'campaigns/terrace-season.yaml', (text) =>
      text.replace('percent_off: 10', 'percent_off: 12').replace('Ten percent from', 'More from'),
    )
    const changed = await service.first.promo(`config plan ${root}`, { terminal })

    expect(create.stdout.match(/change/g)).toHaveLength(1)
    expect(create.stdout).toContain('bean-club/earning_rules')
    expect(made.stdout.match(/members$/gm)?.length).toBeGreaterThan(20)
    expect(made.stderr.match(/without codes/g)).toHaveLength(1)
    expect(written.stderr).toContain(`apply it with: promo config apply --profile sandbox ${plan}\n`)
    expect(changed.stdout).toMatch(/campaigns\/terrace-season\/tiers\/ +name, action\n +ten-percent-from-40-euros\n/)
  })

  test.each([
    ['a FIFO without a writer', (path: string) => execFileSync('mkfifo', [path])],
    ['a link to a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a folder', (path: string) => mkdirSync(path)],
  ] as const)('are neither read nor waited for where %s has the name of one', needing('mkfifo'), async (_, make) => {
    const root = await pulled(service.first)
    const all = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const oneOfEach = Map.groupBy(all, ({ parentPath }) => parentPath)
    expect(oneOfEach.size).toBeGreaterThan(8)

    for (const [[entry]] of [...oneOfEach.values()].map((files) => [files] as const)) {
      const path = join(entry?.parentPath ?? '', entry?.name ?? '')
      const text = readFileSync(path)
      rmSync(path)
      make(path)
      for (const words of ['validate', 'plan', 'pull --force']) {
        const { exitCode, stderr } = await service.first.promo(['config', ...words.split(' '), root])
        // What is in the place of a schema is promo's to replace, unless it cannot be.
        expect([0, 2, 10], `${words}: ${path}: ${stderr}`).toContain(exitCode)
        expect(stderr).not.toContain('bug in promo')
      }
      rmSync(path, { recursive: true })
      writeFileSync(path, text)
    }
  })

  test('that cannot be written are named once, with the reason', async () => {
    const root = projectFolder()
    mkdirSync(join(root, '.promo'), { recursive: true })
    writeFileSync(join(root, '.promo', 'schemas'), '')

    const { exitCode, stderr } = await service.first.promo(`config pull ${root}`)

    const path = join(root, '.promo', 'schemas', 'settings.json')
    expect([exitCode, stderr]).toEqual([10, `promo: cannot write "${path}": its folder is a file\n`])
  })

  test('a reference to a file with a problem is no problem of its own', async () => {
    const root = folderOf({
      'promo.yaml': 'format: 1\nkinds: [categories, campaigns]\n',
      'categories/one.yaml': 'name: [One\nhierarchy: 1\n',
      'campaigns/c.yaml': 'name: C\ncampaign_type: PROMOTION\ncategory_id: one\n',
    })

    const [, problems] = await validated(service.first, root)

    expect(problems).not.toContain('is no category of this folder')
  })

  test('a folder and a file that are links are neither read nor written', async () => {
    const elsewhere = await pulled(service.first, '--only', 'categories')
    const root = projectFolder()
    mkdirSync(root, { recursive: true })
    cpSync(join(elsewhere, 'promo.yaml'), join(root, 'promo.yaml'))
    symlinkSync(join(elsewhere, 'categories'), join(root, 'categories'))

    const valid = await validated(service.first, root)
    const pull = await service.first.promo(`config pull ${root} --force`)

    expect(valid).toEqual([2, expect.stringContaining('categories:1: is a link')])
    expect(pull).toEnd(2, 'categories:1: is a link')
  })

  test.each<[string, (promoFolder: string, ids: string) => void, RegExp]>([
    [
      'that are elsewhere',
      (folder) => {
        cpSync(folder, `${folder}-elsewhere`, { recursive: true })
        rmSync(folder, { recursive: true })
        symlinkSync(`${folder}-elsewhere`, folder)
      },
      /\.promo" is a link: what promo records would be elsewhere/,
    ],
    [
      'that are a link',
      (_, ids) => {
        renameSync(ids, `${ids}.real`)
        symlinkSync(`${ids}.real`, ids)
      },
      /is damaged/,
    ],
    ['that never end', (_, ids) => truncateSync(ids, 3 * 1024 ** 3), /is damaged/],
  ])('records %s are refused before anything is read or written', async (_, hurt, message) => {
    const root = await pulled(service.first, '--only', 'categories')
    hurt(join(root, '.promo'), join(root, '.promo/ids', `${service.first.id}.json`))

    for (const command of ['pull', 'diff', 'apply']) {
      const { exitCode, stderr } = await service.first.promo(['config', command, root])

      expect([command, exitCode, stderr]).toEqual([command, 2, expect.stringMatching(message)])
    }
  })

  test('placeholders take their value from the environment of the project, and a plan has no value of a variable', async () => {
    const project = await service.another()
    const root = projectFolder()
    const files = {
      'promo.yaml': `format: 1\nkinds: [webhooks]\nenvironments: {live: {project: ${project.id}}}\n`,
      'values/live.yaml': 'crm: https://crm.example\n',
      'webhooks/crm.yaml': `target_url: \${crm}/hooks/\${HOOK_PATH}\nevents: [voucher.created]\n`,
    }
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(root, file, '..'), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    const plan = join(root, '..', 'plan.json')
    const env = { HOOK_PATH: 'abc-def' }

    const planned = await project.promo(`config plan ${root} --out ${plan}`, { env })
    const unset = await project.promo(`config apply ${plan} --yes`)
    const changed = await project.promo(`config apply ${plan} --yes`, { env: { HOOK_PATH: 'other' } })
    const applied = await project.promo(`config apply ${plan} --yes`, { env })
    const again = await project.promo(`config pull ${root} --force --json`, { env })

    expect(planned.exitCode).toBe(0)
    expect(readFileSync(plan, 'utf8')).not.toContain('abc-def')
    expect(statSync(plan).mode & 0o777).toBe(0o600)
    expect(unset).toEnd(2, 'HOOK_PATH, which the plan uses, is not set')
    expect(changed).toEnd(2, 'is not what it was')
    expect(applied.exitCode).toBe(0)
    expect((await project.call('GET', '/webhooks')).data[0].target_url).toBe('https://crm.example/hooks/abc-def')
    expect(readFileSync(join(root, 'webhooks/crm.yaml'), 'utf8')).toBe(files['webhooks/crm.yaml'])
    expect(again.exitCode).toBe(0)
  })
})

test.each(['../../outside/secrets', '../outside', '/etc/promo', 'a/b', '..', 'con', 'a\\b'])(
  'an environment named %j reads no file',
  async (name) => {
    const project = await service.another()
    const outside = temporaryFolder()
    const root = join(outside, 'project', 'shop')
    const files = {
      'promo.yaml': `format: 1\nkinds: [rules]\nenvironments: {${JSON.stringify(name)}: {project: ${project.id}}}\n`,
      'rules/one.yaml': `name: \${token}\nrules: {}\n`,
      'values/.keep/x': '',
      '../outside.yaml': 'token: s3cret\n',
      '../../outside/secrets.yaml': 'token: s3cret\n',
    }
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(root, file, '..'), { recursive: true })
      writeFileSync(join(root, file), text)
    }

    const { exitCode, stdout, stderr } = await project.promo(`config diff ${root}`)
    const checked = await project.promo(`config validate ${root}`)

    expect(exitCode).toBe(2)
    expect(`${stdout}${stderr}`).not.toContain('s3cret')
    expect(checked.exitCode).toBe(2)
    expect(checked.stdout).toContain('cannot be the name of an environment')
  },
)

describe('a plan', () => {
  /** A project of two categories, its folder with one of them changed, and the plan of that. */
  async function changedCategory() {
    const project = await service.another()
    const one = await project.call('POST', '/v1/categories', { name: 'One', hierarchy: 1 })
    const two = await project.call('POST', '/v1/categories', { name: 'Two', hierarchy: 2 })
    const root = await pulled(project)
    edit(root, 'categories/one.yaml', (text) => text.replace('1', '5'))
    const plan = join(root, '..', 'plan.json')
    const planned = await project.promo(`config plan ${root} --out ${plan} --json`)
    return { project, one, two, root, plan, planned }
  }

  test('shows each call with the values before and after, and changes nothing', async () => {
    const { project, planned, one } = await changedCategory()

    const [step, ...others] = JSON.parse(planned.stdout)

    expect(others).toEqual([])
    expect(step).toMatchObject({
      act: 'update',
      object: 'categories/one',
      call: 'categories.update',
      changes: [{ member: 'hierarchy', before: 1, after: 5 }],
    })
    expect((await project.call('GET', `/v1/categories/${one.id}`)).hierarchy).toBe(1)
  })

  test.each([
    [
      'changed',
      (project: TestProject, id: string) => project.call('PUT', `/v1/categories/${id}`, { name: 'Two', hierarchy: 9 }),
      'categories/two (hierarchy)',
    ],
    [
      'deleted',
      (project: TestProject, id: string) => project.call('DELETE', `/v1/categories/${id}`),
      'categories/two is gone',
    ],
    [
      'created',
      (project: TestProject) => project.call('POST', '/v1/categories', { name: 'New', hierarchy: 4 }),
      'categories/new is new',
    ],
  ])('is refused when another client has %s something since, and nothing is sent', async (_what, change, named) => {
    const { project, plan, root, one, two } = await changedCategory()
    await change(project, two.id)

    const { exitCode, stderr } = await project.promo(`config apply ${plan} --yes --verbose`)

    expect([exitCode, stderr]).toEqual([9, expect.stringContaining(named)])
    expect(stderr).toContain(`try: promo config plan ${root} --out ${plan}\n`)
    expect(stderr).not.toMatch(/> (PUT|POST|DELETE)/)
    expect((await project.call('GET', `/v1/categories/${one.id}`)).hierarchy).toBe(1)
  })

  test.each([
    ['categories.delete', { call: 'categories.delete' }],
    ['rules.update', { kind: 'rules' }],
    ['update', { act: 'delete' }],
    ['out of order', { needs: [1] }],
    ['no object of the kind', { object: 'categories/A\\nB' }],
    ['no object of the kind', { object: 'constructor' }],
  ])('that was sealed again is refused, and nothing is sent: %s', async (_, more) => {
    const { project, plan, one } = await changedCategory()
    const { checksum: __, ...made } = JSON.parse(readFileSync(plan, 'utf8'))
    writeFileSync(plan, planText(sealPlan({ ...made, steps: [{ ...made.steps[0], ...more }] })))

    const { exitCode, stderr } = await project.promo(`config apply ${plan} --yes --verbose`)

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is not a whole plan: ')])
    expect(stderr).not.toMatch(/> (PUT|POST|DELETE)/)
    expect((await project.call('GET', `/v1/categories/${one.id}`)).hierarchy).toBe(1)
  })

  test('of another project, or that was edited, is refused', async () => {
    const { project, plan, root } = await changedCategory()
    const other = await service.another()
    const elsewhere = await other.promo(`config apply ${plan} --yes`)
    writeFileSync(plan, readFileSync(plan, 'utf8').replace('"after": 5', '"after": 6'))

    const edited = await project.promo(`config apply ${plan} --yes`)
    const pruned = await project.promo(`config apply ${plan} --prune rules`)

    expect(elsewhere).toEnd(2, `is for project ${project.id}`)
    expect(edited).toEnd(2, 'was edited')
    expect(elsewhere.stderr).toContain(`try: promo config apply ${root}\n`)
    for (const { stderr } of [edited, pruned]) {
      expect(stderr).toContain(`try: change the files, and promo config plan ${root} --out ${plan}\n`)
    }
  })

  test('that was applied is not applied twice', async () => {
    const { project, plan, root } = await changedCategory()

    const first = await project.promo(`config apply ${plan} --yes`)
    const second = await project.promo(`config apply ${plan} --yes --verbose`)
    const pruned = await project.promo(`config apply ${plan} --prune rules,rewards`)

    expect([first.exitCode, second.exitCode]).toEqual([0, 0])
    expect(pruned.stderr).toContain(`try: promo config plan ${root} --prune rules,rewards --out ${plan}\n`)
    expect(second.stderr).not.toMatch(/> PUT/)
  })

  test('names what cannot be changed, and leaves it', async () => {
    const root = await pulled(service.first, '--only', 'campaigns,rules,categories,event-schemas,rewards')
    edit(root, 'campaigns/welcome.yaml', (text) =>
      text.replace('DISCOUNT_COUPONS', 'GIFT_VOUCHERS').replace('length: 6', 'length: 7'),
    )

    expect(await service.first.promo(`config plan ${root}`)).toEnd(
      2,
      'campaigns/welcome: "campaign_type" cannot be changed once it is created',
      'campaigns/welcome: "voucher.code_config" cannot be changed',
    )
  })

  test('deletes only what --prune names, asks for it, and never what something refers to', async () => {
    const project = await service.another()
    await fillProject(project)
    const root = await pulled(project)
    for (const file of ['categories/seasonal.yaml', 'webhooks/shop-example-hooks.yaml']) rmSync(join(root, file))
    edit(root, 'campaigns/terrace.yaml', (text) =>
      text.replace(/, category_id: seasonal|^ *category_id: seasonal\n/m, ''),
    )
    edit(root, 'campaigns/coupons.yaml', (text) => text.replace('category_id: seasonal\n', ''))
    edit(root, 'stacking-rules.yaml', (text) => text.replace(/.*seasonal.*\n/g, ''))

    const none = await project.promo(`config plan ${root} --json`)
    const asked = await project.promo(`config apply ${root} --prune webhooks,categories`, { stdin: '' })
    const applied = await project.promo(`config apply ${root} --prune webhooks,categories --yes`)
    const inUse = await project.promo(['config', 'plan', await withoutRule(project), '--prune', 'rules'])

    expect(JSON.parse(none.stdout).map(({ act }: { act: string }) => act)).not.toContain('delete')
    expect(asked).toEnd(11, /delete 2 objects that no file has: .*categories\/seasonal/)
    expect(applied.exitCode).toBe(0)
    expect((await project.call('GET', '/webhooks')).data).toEqual([])
    expect((await project.call('GET', '/v1/categories')).data.map(({ name }: { name: string }) => name)).toEqual([
      'Service recovery',
    ])
    expect(inUse).toEnd(2, 'is no validation rule of this folder')
  })

  async function withoutRule(project: TestProject): Promise<string> {
    const root = await pulled(project)
    rmSync(join(root, 'rules/same-name.yaml'))
    return root
  }

  test.each(fileKinds.filter((kind) => prunableKinds.includes(kind)))(
    'deletes none of %s that a kind which is not managed refers to',
    async (kind) => {
      const kept = async (managed: readonly string[]) => {
        const root = folderOf({ 'promo.yaml': `format: 1\nkinds: [${managed.join(', ')}]\nwhole: [products]\n` })
        const { stdout, stderr } = await full.promo(['config', 'plan', root, '--prune', kind, '--json'])
        const refused = [...stderr.matchAll(/(?:^|\\n|\n|")([a-z-]+\/[\w-]+): cannot be deleted while /g)].map(
          ([, one]) => one,
        )
        return { refused: new Set(refused), isRefused: stdout === '' }
      }

      expect(await kept([kind])).toEqual(await kept(fileKinds))
    },
  )

  test('is refused when a kind that is not managed refers by now to what it deletes', async () => {
    const project = await service.another()
    const { id } = await project.call('POST', '/v1/validation-rules', { name: 'Unused', rules: {} })
    const root = folderOf({ 'promo.yaml': 'format: 1\nkinds: [rules]\n' })
    const plan = join(root, 'plan.json')

    const made = await project.promo(`config plan ${root} --prune rules --out ${plan}`)
    const campaign = { name: 'Terrace', campaign_type: 'PROMOTION', validation_rules: [id] }
    await project.call('POST', '/v1/campaigns', campaign)
    const { exitCode, stderr } = await project.promo(`config apply ${plan} --yes --verbose`)

    expect([made.exitCode, exitCode]).toEqual([0, 9])
    expect(stderr).toContain('since the plan was made: campaign "Terrace" refers to rules/unused; nothing was sent')
    expect(stderr).not.toMatch(/> (POST|PUT|DELETE)/)
  })

  test.each(
    ['rules', 'categories'].flatMap((kind) =>
      ['before it', 'after it', 'during the apply'].map((when) => [kind, when]),
    ),
  )('deletes none of %s that a single voucher got %s', async (kind, when) => {
    const project = await service.another()
    const body = kind === 'rules' ? { name: 'One', rules: {} } : { name: 'One', hierarchy: 1 }
    const { id } = await project.call('POST', `/v1/${kind === 'rules' ? 'validation-rules' : kind}`, body)
    const root = folderOf({
      'promo.yaml': `format: 1\nkinds: [settings, ${kind}]\n`,
      'settings.yaml': 'description: First\n',
    })
    const plan = join(root, 'plan.json')
    const use = async () => {
      const of = kind === 'rules' ? { validation_rules: [id] } : { category_id: id }
      await project.call('POST', '/v1/vouchers/USER', { type: 'GIFT_VOUCHER', gift: { amount: 100 }, ...of })
    }
    await using door = await doorTo(service.sandbox.url, async (method): Promise<Passage> => {
      if (method === 'PUT' && when === 'during the apply') await use()
      return 'pass'
    })

    if (when === 'before it') await use()
    const made = await project.promo(['config', 'plan', root, '--prune', kind, '--out', plan])
    if (when === 'after it') await use()
    const applied =
      when === 'before it'
        ? made
        : await project.promo(`config apply ${plan} --yes`, { env: { PROMO_BASE_URL: door.origin } })

    const code = { 'before it': 2, 'after it': 9, 'during the apply': 3 }[when]
    expect([applied.exitCode, applied.stderr + applied.stdout]).toEqual([
      code,
      expect.stringMatching(/voucher ".+" refers to/),
    ])
    expect(await project.call('GET', `/v1/${kind === 'rules' ? 'validation-rules' : kind}/${id}`)).toMatchObject({
      name: 'One',
    })
  })

  test('keeps what is replaced while a kind that is not managed refers to it', async () => {
    const root = await pulled(full, '--only', 'segments')
    edit(root, 'segments/readers.yaml', (text) => text.replace(/^name: .*$/m, 'name: All readers'))

    const plan = await full.promo(`config plan ${root} --replace segments/readers --json`)

    expect(plan).toEnd(0, /the segment it replaces \(seg_\w+\) stays, because .* ".*" refers to it/)
    expect(JSON.parse(plan.stdout).map(({ act }: { act: string }) => act)).toEqual(['create'])
  })

  test('deletes nothing while the keys cannot read what may refer to it', async () => {
    const root = folderOf({ 'promo.yaml': 'format: 1\nkinds: [categories]\n' })
    const { PROMO_MANAGEMENT_ID: _id, PROMO_MANAGEMENT_TOKEN: _token, ...env } = full.env

    const plan = await promoIn(temporaryFolder())(['config', 'plan', root, '--prune', 'categories'], { env })

    expect(plan).toEnd(4, 'whether stacking-rules refer to')
  })

  test('a step that is refused stops what depends on it and nothing else, and the rest is applied once it is repaired', async () => {
    const project = await service.another()
    const root = await pulled(service.first, '--only', 'rules,categories,campaigns,event-schemas,rewards')
    edit(root, 'rules/orders-of-40-euros-and-more.yaml', (text) => text.replace('order.amount', 'order.nothing'))

    const { exitCode, stderr, stdout } = await project.promo(`config apply ${root} --yes --json`)
    const outcomes = JSON.parse(stdout) as { object: string; state: string }[]
    edit(root, 'rules/orders-of-40-euros-and-more.yaml', (text) => text.replace('order.nothing', 'order.amount'))
    const repaired = await project.promo(`config apply ${root} --yes`)

    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('refused')])
    expect(outcomes.filter(({ state }) => state === 'failed').map(({ object }) => object)).toEqual([
      'rules/orders-of-40-euros-and-more',
    ])
    expect(outcomes.filter(({ state }) => state === 'exhausted').map(({ object }) => object)).toEqual([
      'campaigns/terrace-season/tiers/ten-percent-from-40-euros',
      'campaigns/terrace-season/stacks/terrace-and-newsletter',
      'campaigns/terrace-season',
    ])
    expect((await project.call('GET', '/v1/campaigns/Terrace%20season')).active).toBe(true)
    expect(repaired.exitCode).toBe(0)
    expect((await project.promo(`config diff ${root}`)).exitCode).toBe(0)
  })

  test('one apply at a time changes a project', async () => {
    const { project, root } = await changedCategory()
    const env = temporaryFolder()
    const state = { PROMO_STATE_DIR: env, PROMO_CONFIG_DIR: env }
    const lock = await tryLock(join(env, 'config', `${project.id}.lock`), {
      pid: 4711,
      host: 'desk',
      since: '2026-01-01T00:00:00.000Z',
    })

    const { exitCode, stderr } = await project.promo(`config apply ${root} --yes`, { env: state })
    lock.release?.()
    const after = await project.promo(`config apply ${root} --yes`, { env: state })

    const held = `the apply to project ${project.id} is held by process 4711 on desk, started 2026-01-01T00:00:00.000Z`
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining(held)])
    expect(stderr).toContain('try: wait until it ends; promo jobs list shows its progress')
    expect(after.exitCode).toBe(0)
  })

  test('without management keys what they read is named, and never taken for absent', async () => {
    const root = await pulled(full)
    const { PROMO_MANAGEMENT_ID: _id, PROMO_MANAGEMENT_TOKEN: _token, ...env } = full.env
    const without = (argv: string[]) => promoIn(temporaryFolder())(argv, { env })
    const fresh = projectFolder()

    const pull = await without(['config', 'pull', fresh])
    const diff = await without(['config', 'diff', root, '--json'])
    const plan = await without(['config', 'plan', root])

    expect(pull).toEnd(12, 'webhooks cannot be read')
    expect(readFileSync(join(fresh, 'promo.yaml'), 'utf8')).not.toContain('webhooks')
    expect([diff.exitCode, JSON.parse(diff.stdout)]).toEqual([12, []])
    expect(plan.exitCode).toBe(4)
  })

  test('is applied with other keys: what cannot be read is not gone, and what can be read by now is not new', async () => {
    const project = await service.another()
    await fillProject(project)
    const { PROMO_MANAGEMENT_ID: _id, PROMO_MANAGEMENT_TOKEN: _token, ...without } = project.env
    const planIn = async (env: Record<string, string>, root: string) => {
      const plan = join(root, 'plan.json')
      expect(await promoIn(temporaryFolder())(['config', 'plan', root, '--out', plan], { env })).toEnd(0)
      return plan
    }
    const apply = (plan: string, env: Record<string, string>) =>
      promoIn(temporaryFolder())(['config', 'apply', plan, '--yes', '--verbose'], { env })
    const root = await pulled(project)
    edit(root, 'categories/seasonal.yaml', (text) => text.replace(/hierarchy: .*/, 'hierarchy: 7'))
    const bare = folderOf({
      'promo.yaml': 'format: 1\nkinds: [categories, webhooks]\n',
      'categories/new.yaml': 'name: New\nhierarchy: 1\n',
    })

    const less = await apply(await planIn(project.env, root), without)
    const more = await apply(await planIn(without, bare), project.env)

    const words = 'the plan read settings, metadata-schemas, event-schemas and 2 more, which cannot be read without'
    expect(less).toEnd(4, words)
    expect(less.stderr).not.toMatch(/> (POST|PUT|DELETE)/)
    expect(more).toEnd(0, 'applied 1 step')
  })

  test('a pull keeps what an apply records meanwhile, and removes what a pull left that was killed', async () => {
    const root = projectFolder()
    await full.promo(`config pull ${root}`)
    const left = (folder: string, digit: number) =>
      join(root, folder, `.promo-${'0'.repeat(7)}${digit}-0000-4000-8000-000000000000.tmp`)
    const old = [left('.', 1), left('rules', 2), left('.promo/ids', 3)]
    for (const path of [...old, left('rules', 4)]) writeFileSync(path, 'half')
    for (const path of old) utimesSync(path, new Date(0), new Date(0))
    const [ids = ''] = globSync('.promo/ids/proj*.json', { cwd: root }).map((name) => join(root, name))
    const recorded = JSON.parse(readFileSync(ids, 'utf8'))
    await using door = await doorTo(service.sandbox.url, (): Passage => {
      writeFileSync(ids, JSON.stringify({ ...recorded, 'rules/made-meanwhile': 'val_1' }))
      return 'pass'
    })

    const { exitCode } = await full.promo(`config pull ${root}`, { env: { PROMO_BASE_URL: door.origin } })

    expect([exitCode, JSON.parse(readFileSync(ids, 'utf8'))]).toEqual([
      0,
      { ...recorded, 'rules/made-meanwhile': 'val_1' },
    ])
    // One that is young may be that of a process that still writes.
    expect(globSync('{,.promo/ids/,rules/}.promo-*.tmp', { cwd: root })).toEqual([relative(root, left('rules', 4))])
  })

  test('a pull of a part keeps the ids of what it does not read, and every file as it is', async () => {
    const root = await pulled(full)
    const records = () => readFileSync(join(root, '.promo', 'ids', `${full.id}.json`), 'utf8')
    const before = [records(), filesOf(root)]
    const { PROMO_MANAGEMENT_ID: _id, PROMO_MANAGEMENT_TOKEN: _token, ...withoutManagement } = full.env
    // Products that nothing refers to are read, too, where they are asked for.
    const parts = fileKinds.filter((kind) => kind !== 'products').map((kind) => ['--only', kind])

    for (const flags of [[], ['--object', 'campaigns/terrace'], ...parts]) {
      for (const env of [full.env, withoutManagement]) {
        await promoIn(temporaryFolder())(['config', 'pull', root, '--yes', ...flags], { env })
        expect([records(), filesOf(root)], flags.join(' ')).toEqual(before)
      }
    }
    const pull = await full.promo(`config pull ${root} --json`)
    expect([pull.exitCode, JSON.parse(pull.stdout)]).toEqual([0, []])
  })
})

describe('a campaign of a file', () => {
  const voucher = 'voucher: {type: GIFT_VOUCHER, gift: {amount: 500, effect: APPLY_TO_ORDER}}\n'
  /** A folder of one campaign, beside what other files say. */
  function folderOf(campaign: string, more: Record<string, string> = {}): string {
    const root = projectFolder()
    const files = { 'promo.yaml': 'format: 1\nkinds: [rules, campaigns]\n', 'campaigns/spring.yaml': campaign, ...more }
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(root, file, '..'), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    return root
  }

  test.each([1, 700])('generates %i codes when it is created, last and once', async (count) => {
    const project = await service.another()
    const root = folderOf(
      `name: Spring\ncampaign_type: GIFT_VOUCHERS\n${voucher}validation_rules: [a, b]\ngenerate: ${count}\n`,
      { 'rules/a.yaml': 'name: A\nrules: {}\n', 'rules/b.yaml': 'name: B\nrules: {}\n' },
    )

    const plan = await project.promo(`config plan ${root}`)
    const applied = await project.promo(`config apply ${root} --yes --json`)
    const again = await project.promo(`config apply ${root} --yes --json`)

    expect(plan).toEnd(0, `generates ${count} code`)
    expect(plan.stdout).toMatch(new RegExp(`generate +campaigns/spring +${count} codes?\n`))
    const steps = JSON.parse(applied.stdout) as { act: string; state: string }[]
    expect([applied.exitCode, steps.map(({ act }) => act)]).toEqual([
      0,
      ['create', 'create', 'create', 'assign', 'enable', 'generate'],
    ])
    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([0, []])
    expect(await project.call('GET', '/v1/campaigns/Spring')).toMatchObject({ vouchers_count: count, active: true })
  })

  test.each([
    ['generate: 0', /generate is a whole number of codes from 1/],
    ['generate: many', /generate is a whole number of codes from 1/],
    ['campaign_type: PROMOTION\ngenerate: 5', /a promotion has no codes to generate/],
  ])('that says %j is refused with its line', async (lines, message) => {
    const type = lines.includes('campaign_type') ? '' : `campaign_type: GIFT_VOUCHERS\n${voucher}`
    const root = folderOf(`name: Spring\n${type}${lines}\n`)

    expect(await validated(service.first, root)).toEqual([2, expect.stringMatching(message)])
  })

  test('that is partial changes only what it names, and null clears a member', async () => {
    const project = await service.another()
    await project.call('POST', '/v1/campaigns', {
      name: 'Spring',
      description: 'Old',
      campaign_type: 'GIFT_VOUCHERS',
      voucher: { type: 'GIFT_VOUCHER', gift: { amount: 500, effect: 'APPLY_TO_ORDER' } },
      start_date: '2027-01-01T00:00:00.000Z',
      metadata: { source: 'mail' },
    })
    const root = folderOf('partial: true\nname: Spring\ndescription: null\n')

    const diff = await project.promo(`config diff ${root} --json`)
    const applied = await project.promo(`config apply ${root} --yes`)
    const after = await project.promo(`config diff ${root} --json`)
    const pull = await project.promo(`config pull ${root} --force --only campaigns --json`)

    expect(JSON.parse(diff.stdout)).toEqual([
      { object: 'campaigns/spring', change: 'update', member: 'description', before: 'Old', after: null },
    ])
    expect([applied.exitCode, after.exitCode, JSON.parse(pull.stdout)]).toEqual([0, 0, []])
    const spring = await project.call('GET', '/v1/campaigns/Spring')
    expect(spring).toMatchObject({ start_date: '2027-01-01T00:00:00.000Z', metadata: { source: 'mail' } })
    expect(spring.description ?? null).toBeNull()
  })

  test('whose name lies in the trash bin is refused by the plan, with the call that frees it', async () => {
    const project = await service.another()
    const root = folderOf(`name: Spring\ncampaign_type: GIFT_VOUCHERS\n${voucher}`)
    const { id } = await project.call('POST', '/v1/campaigns', {
      name: 'Spring',
      campaign_type: 'GIFT_VOUCHERS',
      voucher: { type: 'GIFT_VOUCHER', gift: { amount: 1 } },
    })
    await project.call('DELETE', `/v1/campaigns/${id}`)
    const { data } = await project.call('GET', '/v1/trash-bin')

    const plan = await project.promo(`config plan ${root}`)
    const apply = await project.promo(`config apply ${root} --yes --verbose`)
    const freed = await project.promo(`api DELETE /v1/trash-bin/${data[0].id} --yes`)
    const applied = await project.promo(`config apply ${root} --yes`)

    const sentence = `campaigns/spring: the name "Spring" is taken by a campaign in the trash bin (${data[0].id})`
    expect(plan).toEnd(2, sentence)
    expect(plan.stderr).toContain(`promo api DELETE /v1/trash-bin/${data[0].id}`)
    expect([apply.exitCode, apply.stderr]).toEqual([2, expect.not.stringContaining('> POST')])
    expect([freed.exitCode, applied.exitCode]).toEqual([0, 0])
  })
})

test('a condition of a rule that is nearly a published one is told, by validate and by a plan; any other may be new', async () => {
  const project = await service.another()
  const root = folderOf({
    'promo.yaml': 'format: 1\nkinds: [rules]\n',
    'rules/budget.yaml': `
      name: Budget
      rules:
        1: { name: order.amout, conditions: { $more_thann: [9900] } }
        2:
          name: order.items.any
          conditions: {}
          rules: { 1: { name: order.items.quantiy, conditions: { $is: [2] } }, logic: "1" }
        3: { name: weather.tomorrow, conditions: { $rains: [true] } }
        logic: 1 and 2 and 3`,
  })

  const valid = await project.promo(`config validate ${root}`)
  const plan = await project.promo(`config plan ${root}`)

  const told = [
    'rules/budget: no condition "order.amout" is published; did you mean "order.amount"?',
    'rules/budget: no operator "$more_thann" is published; did you mean "$more_than"?',
    'rules/budget: no condition "order.items.quantiy" is published; did you mean "order.items.quantity"?',
  ]
  const toldBy = ({ stderr }: { stderr: string }) => stderr.split('\n').filter((line) => line.startsWith('rules/'))
  expect([valid.exitCode, toldBy(valid)], valid.stdout).toEqual([0, told])
  expect([plan.exitCode, toldBy(plan)]).toEqual([0, told])
})

describe('a slip in a file of the demo project is told before an apply', () => {
  const listed = 'format: 1\nkinds: [segments, product-collections, rules, campaigns]\n'
  const rule = (rules: string) => ({ 'rules/r.yaml': `name: R\nrules: ${rules}\n` })
  const segment = (filter: string) => ({ 'segments/s.yaml': `name: S\ntype: auto-update\nfilter: ${filter}\n` })
  const collection = (filter: string) => ({
    'product-collections/c.yaml': `name: C\ntype: AUTO_UPDATE\nfilter: ${filter}\n`,
  })
  const coupons = (discount: string) => ({
    'campaigns/k.yaml': `name: K\ncampaign_type: DISCOUNT_COUPONS\nvoucher: { type: DISCOUNT_VOUCHER, discount: ${discount} }\n`,
  })
  const one = '1: { name: order.amount, conditions: { $more_than: [1] } }'

  test.each([
    [rule(`{ ${one}, logic: "1 and 4" }`), 'rules/r: logic "1 and 4" names rule 4, and there is none: there are 1'],
    [
      rule(`{ ${one}, logic: "(1 or 12) and 12" }`),
      'rules/r: logic "(1 or 12) and 12" names rule 12, and there is none: there are 1',
    ],
    [
      segment('{ metdata.club: { conditions: { $is: [gold] } } }'),
      'segments/s: no field "metdata" is published; did you mean "metadata"?',
    ],
    [
      segment('{ emial: { conditions: { $contans: [x] } } }'),
      'segments/s: no field "emial" is published; did you mean "email"?',
      'segments/s: no operator "$contans" is published; did you mean "$contains"?',
    ],
    [segment('{ juncton: AND }'), 'segments/s: no field "juncton" is published; did you mean "junction"?'],
    [
      collection('{ pricee: { conditions: { $more_thn: [5] } } }'),
      'product-collections/c: no field "pricee" is published; did you mean "price"?',
      'product-collections/c: no operator "$more_thn" is published; did you mean "$more_than"?',
    ],
    [
      coupons('{ type: AMOUNT, amount_off: 5, amount_off_formula: "MIN(ORDER_AMUONT; 5)" }'),
      'campaigns/k: no name "ORDER_AMUONT" is published; did you mean "ORDER_AMOUNT"?',
    ],
    [
      coupons('{ type: PERCENT, percent_off: 5, percent_off_formula: "FLOR(CUSTOMER_METADTA(\\"age\\"))" }'),
      'campaigns/k: no name "FLOR" is published; did you mean "FLOOR"?',
      'campaigns/k: no name "CUSTOMER_METADTA" is published; did you mean "CUSTOMER_METADATA"?',
    ],
    // What may be right is not told.
    [rule(`{ ${one}, logic: "1 \${JOIN} 2" }`)],
    [
      segment(
        '{ metadata.emial: { conditions: { $is: [x] } }, address.citty: { conditions: { $is: [x] } }, junction: AND }',
      ),
    ],
    [
      {
        'campaigns/k.yaml':
          'name: K\ncampaign_type: PROMOTION\nmetadata: { price_formula: FLOR(1), a: { formula: FLOR } }\n',
      },
    ],
    [segment('{ loyalty.points: { conditions: { $newest: [x] } } }')],
    [collection('{ metadata.price_class: { $is: [a] }, price: { $more_than: [5] } }')],
    [
      coupons(
        '{ type: AMOUNT, amount_off: 5, amount_off_formula: "IF(ORDER_METADATA(\\"ORDER_AMUONT\\") is not 3; order_amount; BASKET)" }',
      ),
    ],
  ])('%j: %s', async (files, ...told) => {
    const project = await service.another()
    const folder = folderOf({ 'promo.yaml': listed, ...(files as Record<string, string>) })

    const { stderr } = await project.promo(`config validate ${folder}`)

    expect(
      stderr.split('\n').filter((line) => /^(?:rules|segments|product-collections|campaigns)\//.test(line)),
    ).toEqual(told)
  })

  test('a pulled demo project has none', async () => {
    const folder = projectFolder()
    const desk = promoIn(temporaryFolder())
    await desk(['config', 'pull', folder, '--profile', 'sandbox'])

    const { exitCode, stderr } = await desk(['config', 'validate', folder])

    expect([
      exitCode,
      stderr.split('\n').filter((line) => line.includes('did you mean') || line.includes('names rule')),
    ]).toEqual([0, []])
  })
})

test('what has nearly the name of a kind, or that of one which is not managed, is said to be not read', async () => {
  const project = await service.another()
  const category = 'name: Seasonal\nhierarchy: 1\n'
  const root = folderOf({
    'promo.yaml': 'format: 1\nkinds: [categories]\n',
    'categories/seasonal.yaml': category,
    'category/weekly.yaml': category,
    'campaigns/spring.yaml': 'name: Spring\n',
    'rules.yaml': 'name: Budget\n',
    'setting.yml': 'currency: EUR\n',
    'values/live.yaml': 'A: b\n',
    'README.md': '# Rules\n',
    'docs/rules.yaml': 'a: b\n',
  })

  const valid = await project.promo(`config validate ${root}`)
  const plan = await project.promo(`config plan ${root}`)

  const told = [
    '"campaigns" is not read: promo.yaml does not list it among its kinds',
    '"category" is not read: categories are read from categories/',
    '"rules.yaml" is not read: rules are read from rules/',
    '"setting.yml" is not read: settings are read from settings.yaml',
  ]
  const toldBy = ({ stderr }: { stderr: string }) => stderr.split('\n').filter((line) => line.includes('not read'))
  expect([valid.exitCode, toldBy(valid)]).toEqual([0, told])
  expect([plan.exitCode, toldBy(plan)]).toEqual([0, told])
})

test('what is counted is counted in words', async () => {
  const project = await service.another()
  await project.call('POST', '/v1/categories', { name: 'One', hierarchy: 1 })
  const root = projectFolder()

  const pull = await project.promo(`config pull ${root} --only categories`)
  const valid = await project.promo(`config validate ${root}`)

  expect(pull.stderr).toContain('1 object of project')
  expect(valid.stderr).toContain('1 object in 2 files: valid')
})

test.each(['plan', 'diff'])('%s says what validate says of values without quotes', async (verb) => {
  const root = temporaryFolder()
  const here = promoIn(temporaryFolder())
  await here(`config pull ${root} --profile sandbox`)
  writeFileSync(join(root, 'categories/one.yaml'), 'name: One\nhierarchy: 1\n')
  writeFileSync(
    join(root, 'campaigns/c.yaml'),
    'name: C\ncampaign_type: DISCOUNT_COUPONS\ntype: AUTO_UPDATE\nvoucher: {type: DISCOUNT_VOUCHER, discount: {type: PERCENT, percent_off: 5}}\nmetadata:\n  a: 007\n',
  )

  const { stderr } = await here(['config', verb, root, '--profile', 'sandbox'])

  expect(stderr).toContain('campaigns/c.yaml:6: 007 is read as 7; put it in quotes, if it is a text\n')
})

test('validate says what is read as a number or a truth value and may be a text', async () => {
  const root = temporaryFolder()
  const files = {
    'promo.yaml': 'format: 1\nkinds: [categories, campaigns]\n',
    'campaigns/c.yaml':
      'name: C\ncampaign_type: DISCOUNT_COUPONS\nmetadata:\n  a: 007\n  b: 1.10\n  c: TRUE\n  d: 7\n  e: "007"\n  f: true\n',
    'categories/one.yaml': 'name: 007\nhierarchy: 01\n',
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }

  const { stderr } = await promoIn(temporaryFolder())(['config', 'validate', root])

  const said = stderr.split('\n').filter((line) => line.includes('is read as'))
  expect(said).toEqual(
    [
      'campaigns/c.yaml:4: 007 is read as 7; put it in quotes, if it is a text',
      'campaigns/c.yaml:5: 1.10 is read as 1.1; put it in quotes, if it is a text',
      'campaigns/c.yaml:6: TRUE is read as true; put it in quotes, if it is a text',
      'categories/one.yaml:1: 007 is read as 7; put it in quotes, if it is a text',
    ].toSorted((one, other) => said.indexOf(one) - said.indexOf(other)),
  )
})
