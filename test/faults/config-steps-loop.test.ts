// Steps of a plan that meet faults: what is said of each, and what happens when the job, or the same folder, is run again.
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doorTo, type Passage } from '../support/door.ts'
import { folderOf, projectFolder, type TestProjects, testProjects } from '../support/projects.ts'
import { sized } from '../support/size.ts'
import { codes, type Stage, type World, world, writesOf } from './config-steps.ts'

let service: TestProjects

beforeAll(async () => {
  service = await testProjects({ demo: false })
})

afterAll(() => service.close())

const stages = ['creations', 'changes'] as const
const stride = sized({ quick: 7, full: 1 })

/** Every write of a plan, or some of them, from a place that differs from scenario to scenario. */
function* writesIn(stage: Stage, from: number): Generator<number> {
  for (let at = 1 + (from % stride); at <= writesOf[stage]; at += stride) yield at
}

const refusals: Readonly<Record<string, Passage>> = {
  401: { status: 401 },
  403: { status: 403 },
  429: { status: 429, retryAfterS: 3600 },
  500: { status: 500 },
  'a web page': { status: 200, text: '<html></html>' },
  'a reset': 'before',
}
const refusalNames = Object.keys(refusals)

/** Runs it again as the last answer said, and expects the project to be as asked. */
async function mustGetThere(it: World, where: string): Promise<void> {
  it.on(() => 'pass')
  const resumed = await it.promo('jobs', 'resume', 'latest', '--yes')
  expect([where, resumed.exitCode, resumed.stderr]).toEqual([where, 0, expect.any(String)])
  expect([where, await it.state()]).toEqual([where, [0, codes]])
}

const wellOrNotSent = ['ok', 'ok_inferred', 'exhausted', 'pending']

test.each(stages.flatMap((stage) => refusalNames.map((refusal) => [stage, refusal] as const)))(
  'of %s a step that was applied and cannot be read back (%s) is unknown, and nothing else',
  async (stage, refusal) => {
    for (const at of writesIn(stage, refusalNames.indexOf(refusal))) {
      await using it = await world(service, stage)
      let refused = false
      it.on(({ method, write }) => {
        if (method !== 'GET' || write !== at || refused) return 'pass'
        refused = true
        return refusals[refusal] as Passage
      })

      const { exitCode, stderr } = await it.apply('--retries', '0')

      const where = `${at}: ${it.writes[at - 1]}`
      const wrong = (await it.rows()).filter(({ promo_state }) => !wellOrNotSent.includes(promo_state))
      expect([where, exitCode, stderr]).toEqual([where, 6, expect.any(String)])
      expect([where, wrong]).toEqual([where, [expect.objectContaining({ promo_state: 'unknown' })]])
      await mustGetThere(it, where)
    }
  },
)

/** Other values than those that are sent. */
const otherwise: readonly (readonly [RegExp, string])[] = [
  [/"points":(\d+)/, '"points":7$1'],
  [/"hierarchy":(\d+)/, '"hierarchy":7$1'],
  [/"price":(\d+)/, '"price":7$1'],
  [/"redeemables_limit":\d+/, '"redeemables_limit":20'],
  [/"amount":(\d+)/, '"amount":7$1'],
  [/"percent_off":(\d+)/, '"percent_off":7'],
  [/"(?:source|minutes)":\{/, '"other":{'],
  [/"description":"\w+"/, '"description":"Other"'],
  [/"active":false/, '"active":true'],
  [/"target_url":"https:/, '"target_url":"https://other.example/'],
  [/"message":"\w+"/, '"message":"Other"'],
  [/"name":"(\w+)"/, '"name":"Other $1"'],
]

/** Changes the first value that it knows. */
function changed(text: string): string {
  const [pattern, value] = otherwise.find(([known]) => known.test(text)) ?? [/$/, '']
  return text.replace(pattern, value)
}

test.each(stages)(
  'of %s a step that the service took otherwise is refused, also when it is tried again, and nothing goes live',
  async (stage) => {
    for (const at of writesIn(stage, 1)) {
      await using it = await world(service, stage)
      let isChanged = false
      it.on(({ method, write }) => {
        if (method === 'GET' || write !== at) return 'pass'
        return {
          body: (text) => {
            isChanged = changed(text) !== text
            return changed(text)
          },
        }
      })

      const first = await it.apply()
      if (!isChanged) continue
      const where = `${at}: ${it.writes[at - 1]}`
      const [failed, ...more] = (await it.rows()).filter(({ promo_state }) => promo_state === 'failed')
      it.on(() => 'pass')
      const retried = []
      for (const _ of [1, 2]) retried.push(await it.promo('jobs', 'retry', 'latest', '--only', 'failed', '--yes'))
      const step = (await it.rows()).find((row) => row.step === failed?.step)

      expect([where, first.exitCode, failed?.promo_message, more]).toEqual([
        where,
        3,
        expect.stringMatching(/^not applied: /),
        [],
      ])
      // What the service left as it was is sent again.
      if (step?.act !== 'create' && step?.promo_state === 'ok') continue
      // What was changed otherwise is no more what the plan read.
      const code = failed?.act === 'create' ? 3 : 9
      expect([where, ...retried.map(({ exitCode }) => exitCode), step?.promo_state, it.writes]).toEqual([
        where,
        code,
        code,
        'failed',
        [],
      ])
    }
  },
)

test.each(stages)(
  'of %s a step whose work arrives after its answer was lost is not done twice, whichever way it is run again',
  async (stage) => {
    const seen = { unknown: 0 }
    for (const at of writesIn(stage, 2)) {
      await using it = await world(service, stage)
      let arrive: (() => Promise<unknown>) | undefined
      it.on(({ method, write }) =>
        method !== 'GET' && write === at
          ? {
              status: 504,
              later: (apply) => {
                arrive = apply
              },
            }
          : 'pass',
      )

      const first = await it.apply()
      const where = `${at}: ${it.writes[at - 1]}`
      // What may be repeated was; what arrives now changes nothing.
      if (first.exitCode === 6) {
        seen.unknown += 1
        it.on(() => 'pass')
        const again = [
          await it.promo('jobs', 'resume', 'latest', '--yes'),
          await it.promo('jobs', 'retry', 'latest', '--only', 'unknown', '--yes'),
          await it.apply(),
        ]
        expect([where, ...again.map(({ exitCode }) => exitCode), it.writes]).toEqual([where, 6, 6, 9, []])
        expect(again[2]?.stderr).toMatch(/promo jobs resume \S+/)
        expect(again[2]?.stderr).toMatch(/promo jobs discard \S+/)
      } else expect([where, first.exitCode]).toEqual([where, 0])
      await arrive?.()
      if (first.exitCode === 6) await mustGetThere(it, where)
      else expect([where, await it.state()]).toEqual([where, [0, codes]])
    }
    expect(seen.unknown > 0).toBe(stage === 'creations')
  },
)

const losses: Readonly<Record<string, Passage>> = { before: 'before', after: 'after', refused: { status: 400 } }

test.each(stages.flatMap((stage) => Object.keys(losses).map((loss) => [stage, loss] as const)))(
  'of %s the same folder applied again after a request that was lost or refused (%s) does the rest, or names the job',
  async (stage, loss) => {
    for (const at of writesIn(stage, 3)) {
      await using it = await world(service, stage)
      it.on(({ method, write }) => (method !== 'GET' && write === at ? (losses[loss] as Passage) : 'pass'))
      await it.apply()
      const where = `${at}: ${it.writes[at - 1]}`
      it.on(() => 'pass')

      const again = await it.apply()

      if (again.exitCode === 9) {
        expect([where, again.stderr]).toEqual([where, expect.stringMatching(/promo jobs resume \S+/)])
        expect([where, it.writes]).toEqual([where, []])
        const only = loss === 'refused' ? 'failed' : 'unknown'
        const [step] = (await it.rows()).filter(({ promo_state }) => promo_state === only)
        expect([where, step?.promo_state]).toEqual([where, only])
      } else {
        expect([where, again.exitCode, again.stderr]).toEqual([where, 0, expect.any(String)])
        expect([where, await it.state()]).toEqual([where, [0, codes]])
      }
    }
  },
)

test('a folder that was corrected after a refusal is applied, with the codes that were left', async () => {
  for (const at of writesIn('creations', 4)) {
    await using it = await world(service, 'creations')
    it.on(({ method, write }) => (method !== 'GET' && write === at ? { status: 400 } : 'pass'))
    await it.apply()
    const where = `${at}: ${it.writes[at - 1]}`
    it.on(() => 'pass')
    writeFileSync(join(it.root, 'settings.yaml'), 'description: Corrected\ncurrency: EUR\n')

    const again = await it.apply()

    expect([where, again.exitCode, again.stderr]).toEqual([where, 0, expect.any(String)])
    expect([where, await it.state()]).toEqual([where, [0, codes]])
  }
})

test.each(['create', 'delete'])(
  'an apply that replaces an object is named by the next one where its request to %s one was lost, so that not both stay',
  async (act) => {
    await using it = await world(service, 'creations')
    expect((await it.apply()).exitCode).toBe(0)
    const file = join(it.root, 'segments/readers.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('true', 'false'))
    const method = act === 'create' ? 'POST' : 'DELETE'
    it.on((request) => (request.method === method ? 'before' : 'pass'))
    const first = await it.apply('--replace', 'segments/readers', '--retries', '0')
    it.on(() => 'pass')

    const again = await it.apply('--replace', 'segments/readers')
    const sent = [...it.writes]
    const rest = await it.promo('jobs', 'retry', 'latest', '--only', 'unknown', '--yes')

    expect([first.exitCode, again.exitCode, sent]).toEqual([6, 9, []])
    expect(again.stderr).toMatch(act === 'create' ? /create segments\/readers/ : /delete segments\/readers-replaced/)
    // A deletion may be repeated; a creation that never arrived may still do.
    expect(rest.exitCode).toBe(act === 'create' ? 6 : 0)
    if (act === 'delete') expect(await it.state()).toEqual([0, codes])
  },
)

const replaced = {
  categories: { name: ['Seasonal', 'Of the season', 'Winter'], hierarchy: [1, 5, 9] },
  webhooks: {
    target_url: ['https://shop.example/a', 'https://shop.example/b', 'https://shop.example/c'],
    events: [['campaign.created'], ['campaign.deleted'], ['campaign.enabled']],
    active: [true, false, false],
  },
} as const
const pairsOfMembers = Object.entries(replaced).flatMap(([kind, members]) =>
  Object.keys(members).flatMap((ours) =>
    Object.keys(members).flatMap((theirs) => (ours === theirs ? [] : [[kind, ours, theirs] as const])),
  ),
)

test.each(pairsOfMembers)(
  'of %s, which are replaced whole, %s is changed, and %s stays what somebody else made of it meanwhile',
  async (kind, ours, theirs) => {
    const target = await service.another()
    const members = replaced[kind as keyof typeof replaced] as Readonly<Record<string, readonly unknown[]>>
    const valued = (at: (member: string) => number) =>
      Object.fromEntries(Object.entries(members).map(([member, values]) => [member, values[at(member)]]))
    const path = kind === 'webhooks' ? '/webhooks' : '/v1/categories'
    const { id } = await target.call(
      'POST',
      path,
      valued(() => 0),
    )
    const root = folderOf({
      'promo.yaml': `format: 1\nkinds: [settings, ${kind}]\n`,
      'settings.yaml': 'description: Changed first\n',
    })
    await target.promo(['config', 'pull', root, '--only', kind])
    const [file] = globSync(join(root, kind, '*.yaml'))
    writeFileSync(file ?? '', JSON.stringify(valued((member) => (member === ours ? 1 : 0))))
    let writes = 0
    await using door = await doorTo(service.sandbox.url, async (method): Promise<Passage> => {
      if (method === 'GET') return 'pass'
      writes += 1
      if (writes === 1)
        await target.call(
          'PUT',
          `${path}/${id}`,
          valued((member) => (member === theirs ? 2 : 0)),
        )
      return 'pass'
    })

    const { exitCode, stderr } = await target.promo(['config', 'apply', root, '--yes'], {
      env: { PROMO_BASE_URL: door.origin },
    })

    const now = await target.call('GET', `${path}/${id}`)
    expect([exitCode, writes, stderr]).toEqual([0, 2, expect.any(String)])
    expect(now).toMatchObject(valued((member) => (member === ours ? 1 : member === theirs ? 2 : 0)))
  },
)

test('of two computers that apply one folder at once, the slower one names what the other made, and makes nothing twice', async () => {
  await using it = await world(service, 'creations')
  writeFileSync(join(it.root, 'rules/twin-2.yaml'), 'name: Of its own name\nrules: {}\n')
  const other = projectFolder()
  cpSync(it.root, other, { recursive: true })
  it.on(async ({ method, write }): Promise<Passage> => {
    if (method !== 'GET' && write === 2) {
      expect((await it.target.promo(['config', 'apply', other, '--yes'])).exitCode).toBe(0)
    }
    return 'pass'
  })

  const first = await it.apply()
  const refused = (await it.rows()).filter(({ promo_state }) => promo_state === 'failed')
  const [extra] = [await it.target.promo(['config', 'diff', other])]
  it.on(() => 'pass')
  const again = await it.apply()

  expect([first.exitCode, extra?.exitCode, extra?.stdout]).toEqual([3, 0, ''])
  const named = refused.filter(({ promo_message }) =>
    /^somebody made an? .+ of the name of .+ meanwhile \(\w+\)/.test(promo_message ?? ''),
  )
  expect(named.map(({ object }) => object)).toEqual([
    'categories/seasonal',
    'products/beans',
    'segments/readers',
    'rules/twin',
    'rules/twin-2',
    'rewards/mug',
    'webhooks/hook',
  ])
  expect([again.exitCode, again.stderr]).toEqual([0, expect.any(String)])
  expect(await it.state()).toEqual([0, codes])
})

test('an apply whose plan is gone is named by the next one of its folder, and not forgotten', async () => {
  await using it = await world(service, 'creations')
  const plan = join(projectFolder(), '..', 'plan.json')
  await it.promo('config', 'plan', it.root, '--out', plan)
  it.on(({ url }) => (/\/vouchers\?vouchers_count/.test(url) ? { status: 504 } : 'pass'))
  const first = await it.promo('config', 'apply', plan, '--yes')
  rmSync(plan)
  it.on(() => 'pass')

  const again = await it.apply()

  expect([first.exitCode, again.exitCode, it.writes]).toEqual([6, 9, []])
  expect(again.stderr).toMatch(/its plan is gone, .* promo jobs discard \S+/)
})

test('a folder that cannot be written is found out before the first object is made', async () => {
  await using it = await world(service, 'creations')
  const plan = join(projectFolder(), '..', 'plan.json')
  await it.promo('config', 'plan', it.root, '--out', plan)
  // The records were read, and nothing is sent yet.
  it.on(() => {
    writeFileSync(join(it.root, '.promo'), 'no folder')
    return 'pass'
  })

  const { exitCode } = await it.promo('config', 'apply', plan, '--yes')

  expect([exitCode, it.writes]).toEqual([10, []])
  rmSync(join(it.root, '.promo'))
  it.on(() => 'pass')
  expect((await it.promo('config', 'apply', plan, '--yes')).exitCode).toBe(0)
  expect(await it.state()).toEqual([0, codes])
})

test('a folder that is moved while it is applied gets its ids when it is back, and nothing is made twice', async () => {
  for (const at of writesIn('creations', 5)) {
    await using it = await world(service, 'creations')
    const elsewhere = `${it.root}-moved`
    it.on(({ method, write }) => {
      if (method !== 'GET' && write === at) renameSync(it.root, elsewhere)
      return 'pass'
    })

    const { exitCode } = await it.apply()

    const where = `${at}: ${it.writes[at - 1]}`
    expect([where, existsSync(it.root)]).toEqual([where, false])
    renameSync(elsewhere, it.root)
    const unsure = (await it.rows()).filter(({ promo_state }) => promo_state === 'unknown')
    const moved = expect.objectContaining({ promo_message: expect.stringContaining('was moved or removed meanwhile') })
    if (exitCode !== 0) expect([where, exitCode, unsure]).toEqual([where, 6, [moved]])
    if (exitCode !== 0) await mustGetThere(it, where)
    else expect([where, await it.state()]).toEqual([where, [0, codes]])
  }
})

test('a key is not renamed while the folder is applied', async () => {
  await using it = await world(service, 'creations')
  const others: number[] = []
  it.on(async ({ method, write }): Promise<Passage> => {
    if (method !== 'GET' && write === 9 && others.length === 0) {
      const moved = it.promo('config', 'mv', 'categories', 'seasonal', 'season', '--dir', it.root)
      others.push((await moved).exitCode)
    }
    return 'pass'
  })

  const { exitCode } = await it.apply()

  expect([others, exitCode, await it.state()]).toEqual([[8], 0, [0, codes]])
})
