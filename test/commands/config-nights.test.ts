// An apply on a bad night: lost requests and answers, an interruption, profiles that may not change anything.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendingAgain } from '../faults/config-steps.ts'
import { doorTo, type Passage } from '../support/door.ts'
import { folderOf, smallShop, type TestProject, type TestProjects, testProjects } from '../support/projects.ts'
import { promoIn, type Ran, type RunOptions, temporaryFolder } from '../support/promo.ts'
import { sized } from '../support/size.ts'

let service: TestProjects

beforeAll(async () => {
  service = await testProjects({ demo: false })
})

afterAll(() => service.close())

/** What differs from the files, and how many codes there are: nothing is made twice, or left out. */
async function stateOf({ promo, call }: TestProject, root: string) {
  const { exitCode, stdout } = await promo(`config diff ${root}`)
  const { campaigns } = await call('GET', '/v1/campaigns?limit=100')
  const spring = campaigns.find(({ name }: { name: string }) => name === 'Spring')
  return [exitCode, stdout, spring.vouchers_count]
}

const whole = [0, '', 3]

describe('each request of an apply', () => {
  test.each<[which: string, side: Passage, stride: number]>([
    ['writes', 'before', sized({ quick: 5, slow: 1 })],
    ['writes', 'after', sized({ quick: 5, slow: 1 })],
    ['reads', 'before', sized({ quick: 16, slow: 8 })],
    ['reads', 'after', sized({ quick: 16, slow: 8 })],
  ])('%s may be lost %s the service saw them, and nothing is made twice', async (which, side, stride) => {
    const isCounted = (method: string) => (method === 'GET') === which.includes('reads')
    let lost = 0
    let resumed = 0
    for (let at = 1; ; at += stride) {
      const target = await service.another()
      const calls: string[] = []
      await using door = await doorTo(service.sandbox.url, (method, url) => {
        if (!isCounted(method)) return 'pass'
        calls.push(`${method} ${url}`)
        return calls.length === at ? side : 'pass'
      })
      const env = { PROMO_BASE_URL: door.origin }
      const root = smallShop()

      const { exitCode, stderr } = await target.promo(`config apply ${root} --yes`, { env })

      if (calls.length < at) break
      lost += 1
      const where = `${at}: ${calls[at - 1]}`
      if (exitCode !== 0) {
        // Nothing says that a request which cannot be seen to have arrived does not arrive later: that is left to the user.
        expect([where, side, exitCode, stderr]).toEqual([
          where,
          'before',
          6,
          expect.stringContaining('1 with an unknown outcome'),
        ])
        const sent = calls.length
        const again = await target.promo('jobs resume latest --yes', { env })
        const looks = await target.promo('jobs retry latest --only unknown --yes', { env })
        expect([where, again.exitCode, looks.exitCode, calls.length]).toEqual([where, 6, 6, sent])
        const asked = await target.promo('jobs retry latest --only unknown', sendingAgain(env))
        const rest = await target.promo('jobs resume latest --yes', { env })
        expect([where, asked.stderr, rest.exitCode]).toEqual([where, expect.stringContaining('applied'), 0])
        resumed += 1
      }
      expect([where, await stateOf(target, root)]).toEqual([where, whole])
    }
    expect(lost).toBeGreaterThan(2)
    expect(resumed > 0).toBe(side === 'before' && which === 'writes')
  })
})

describe('an apply', () => {
  test.each([1, 5, 9])('that Ctrl-C stops at write %i says how it goes on, and goes on there', async (at) => {
    const target = await service.another()
    const root = smallShop()
    let writes = 0
    let stop = () => {}
    await using door = await doorTo(service.sandbox.url, (method) => {
      if (method !== 'GET') writes += 1
      if (method !== 'GET' && writes === at) stop()
      return 'pass'
    })
    const env = { PROMO_BASE_URL: door.origin }
    const onStart: RunOptions['onStart'] = (stops) => {
      stop = () => stops('SIGINT')
    }

    const stopped = await target.promo(`config apply ${root} --yes`, { env, onStart })
    const sent = writes
    const next = /promo (jobs resume \S+)/.exec(stopped.stderr)?.[1] ?? ''
    const resumed = await target.promo([...next.split(' '), '--yes'], { env })

    expect([stopped.exitCode, sent < 16, resumed.exitCode, writes]).toEqual([130, true, 0, 16])
    expect(await stateOf(target, root)).toEqual(whole)
  })

  test('whose first two steps are lost makes them when somebody agrees, and no other twice', async () => {
    const target = await service.another()
    const names = Array.from({ length: 12 }, (_, n) => `rule-${String(n + 1).padStart(2, '0')}`)
    const files = names.map((name) => [`rules/${name}.yaml`, `name: ${name}\nrules: {}\n`])
    const root = folderOf({ 'promo.yaml': 'format: 1\nkinds: [rules]\n', ...Object.fromEntries(files) })
    // Of the first run, the first two steps are lost; of the second run, the first one again.
    let writes = 0
    await using door = await doorTo(service.sandbox.url, (method) => {
      if (method !== 'GET') writes += 1
      return method !== 'GET' && [1, 2, 13].includes(writes) ? 'before' : 'pass'
    })
    const folder = temporaryFolder()
    const run = promoIn(folder)
    const env = { ...target.env, PROMO_BASE_URL: door.origin }
    const retry = () => run('jobs retry latest --only unknown', sendingAgain(env))

    const first = await run(`config apply ${root} --yes`, { env })
    const report = await run('jobs report latest --only unknown', { env })
    const shown = await run('jobs show latest', { env })
    const second = await retry()
    const third = await retry()

    expect([first, second, third].map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
      [6, expect.stringContaining('applied 10 steps, 2 with an unknown outcome')],
      [6, expect.stringContaining('1 with an unknown outcome')],
      [0, expect.any(String)],
    ])
    // A step is the change of a whole object: a table says which, and CSV has it all.
    expect(report.stdout.split('\n', 2)).toEqual([
      expect.stringMatching(/^step +act +object +promo_line +promo_state +promo_error +promo_message *$/),
      expect.stringMatching(/^ *1 +create +rules\/rule-01 /),
    ])
    expect(first.stderr).toMatch(/^resume with: promo jobs resume \S+; what was applied is not applied twice$/m)
    expect(shown.stdout).toMatch(/^next.resume +promo jobs resume /m)
    const { data } = await target.call('GET', '/v1/validation-rules?limit=100')
    expect(data.map(({ name }: { name: string }) => name).toSorted()).toEqual(names)
  })

  test.each<[what: string, method: string, body: object | undefined, said: string]>([
    ['changed', 'PUT', { name: 'Two', hierarchy: 9 }, 'categories/two was changed meanwhile (hierarchy)'],
    ['deleted', 'DELETE', undefined, 'categories/two is gone'],
  ])('leaves what another client has %s since the first step, and says so', async (what, method, body, said) => {
    const target = await service.another()
    await target.call('POST', '/v1/categories', { name: 'One', hierarchy: 1 })
    const { id } = await target.call('POST', '/v1/categories', { name: 'Two', hierarchy: 2 })
    const root = folderOf({
      'promo.yaml': 'format: 1\nkinds: [categories]\n',
      'categories/one.yaml': 'name: One\nhierarchy: 5\n',
      'categories/two.yaml': 'name: Two\nhierarchy: 6\n',
    })
    const writes: string[] = []
    await using door = await doorTo(service.sandbox.url, async (verb, url): Promise<Passage> => {
      if (verb !== 'GET') writes.push(`${verb} ${url}`)
      if (verb !== 'GET' && writes.length === 1) await target.call(method, `/v1/categories/${id}`, body)
      return 'pass'
    })

    const applied = await target.promo(`config apply ${root} --yes --json`, {
      env: { PROMO_BASE_URL: door.origin },
    })

    const [one, two] = JSON.parse(applied.stdout)
    expect([applied.exitCode, one.state, two.state]).toEqual([3, 'ok', 'failed'])
    expect(two.error.message).toBe(`${said}; promo config diff ${root} shows how it is now`)
    expect([writes.length, writes.filter((call) => call.includes(id))]).toEqual([1, []])
    const { data } = await target.call('GET', '/v1/categories')
    const there = data.map(({ name, hierarchy }: { name: string; hierarchy: number }) => [name, hierarchy])
    expect(there.toSorted()).toEqual(
      what === 'deleted'
        ? [['One', 5]]
        : [
            ['One', 5],
            ['Two', 9],
          ],
    )
  })

  test('to a protected profile asks for its name, and one to a read-only profile is refused, before anything is sent', async () => {
    const target = await service.another()
    const run = promoIn(temporaryFolder())
    const profile = (name: string, ...how: string[]) =>
      run(['profiles', 'add', name, '--base-url', service.sandbox.url, '--insecure-storage', ...how], {
        env: target.env,
      })
    await profile('live', '--project-id', target.id, '--protected')
    await profile('audit', '--project-id', target.id, '--read-only')
    const root = smallShop()
    const apply = (...more: string[]) => run(['config', 'apply', root, '--verbose', ...more])

    const unnamed = await apply('--profile', 'live', '--yes')
    const misnamed = await apply('--profile', 'live', '--confirm', 'staging')
    const readOnly = await apply('--profile', 'audit', '--yes')
    const before = await target.call('GET', '/v1/validation-rules?limit=100')
    const named = await apply('--profile', 'live', '--confirm', 'live', '--yes')

    expect([unnamed.exitCode, unnamed.stderr]).toEqual([11, expect.stringContaining('--confirm live')])
    expect([misnamed.exitCode, misnamed.stderr]).toEqual([2, expect.stringContaining('live')])
    expect([readOnly.exitCode, readOnly.stderr]).toEqual([4, expect.stringContaining('allows only calls that read')])
    for (const { stderr } of [unnamed, misnamed, readOnly]) expect(stderr).not.toMatch(/> (POST|PUT|DELETE)/)
    expect(before.data).toEqual([])
    expect([named.exitCode, named.stderr]).toEqual([0, expect.stringContaining('applied 16 steps')])
    expect(await stateOf(target, root)).toEqual(whole)
  })

  test('is refused while another one of the project runs on this computer, which ends as if it were alone', async () => {
    const target = await service.another()
    const root = smallShop()
    let second: Promise<Ran> | undefined
    await using door = await doorTo(service.sandbox.url, (method) => {
      if (method === 'POST') second ??= target.promo(`config apply ${root} --yes`)
      return 'pass'
    })

    const first = await target.promo(`config apply ${root} --yes`, { env: { PROMO_BASE_URL: door.origin } })
    const refused = await second

    expect([refused?.exitCode, refused?.stderr]).toEqual([8, expect.stringMatching(/held by process \d+/)])
    expect([first.exitCode, first.stderr]).toEqual([0, expect.any(String)])
    expect(await stateOf(target, root)).toEqual(whole)
  })

  test('of a plan that was applied sends nothing, and is refused once what it made is gone', async () => {
    const target = await service.another()
    const plan = join(temporaryFolder(), 'plan.json')
    await target.promo(['config', 'plan', smallShop(), '--out', plan])
    const apply = () => target.promo(`config apply ${plan} --yes --restart --verbose`)
    const first = await apply()

    const second = await apply()
    const [{ id }] = (await target.call('GET', '/v1/categories')).data
    await target.call('DELETE', `/v1/categories/${id}`)
    const third = await apply()

    expect([first.exitCode, first.stderr]).toEqual([0, expect.stringContaining('applied 16 steps')])
    expect([second.exitCode, second.stderr]).toEqual([
      0,
      expect.stringContaining('applied 0 steps, 16 applied already'),
    ])
    expect([third.exitCode, third.stderr]).toEqual([9, expect.stringContaining('categories/seasonal is gone')])
    for (const { stderr } of [second, third]) expect(stderr).not.toMatch(/> (POST|PUT|DELETE)/)
  })

  test('of which the service refuses the third of ten steps makes the other nine, and says which one is missing', async () => {
    const target = await service.another()
    const files = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [`rules/rule-${n}.yaml`, `name: Rule ${n}\nrules: {}\n`]),
    )
    const bad = 'name: Rule 2\nrules: {"1": {name: order.nothing, conditions: {$is: [1]}}, logic: "1"}\n'
    const root = folderOf({ 'promo.yaml': 'format: 1\nkinds: [rules]\n', ...files, 'rules/rule-2.yaml': bad })

    const { exitCode, stdout, stderr } = await target.promo(`config apply ${root} --yes --json`)
    const rules = await target.call('GET', '/v1/validation-rules?limit=100')
    writeFileSync(join(root, 'rules/rule-2.yaml'), files['rules/rule-2.yaml'] ?? '')
    const repaired = await target.promo(`config apply ${root} --yes --json`)

    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('applied 9 steps, 1 refused')])
    expect(JSON.parse(stdout)[2]).toMatchObject({ step: 3, object: 'rules/rule-2', state: 'failed' })
    expect(rules.data).toHaveLength(9)
    expect([repaired.exitCode, JSON.parse(repaired.stdout)]).toEqual([
      0,
      [expect.objectContaining({ act: 'create', object: 'rules/rule-2', state: 'ok' })],
    ])
  })
})
