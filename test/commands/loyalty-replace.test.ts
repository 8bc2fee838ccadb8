// A lost loyalty card is replaced in three steps; whatever stops it, the same command line completes it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { doorTo } from '../support/door.ts'
import { type TestProject, type TestProjects, testProjects } from '../support/projects.ts'
import type { RunOptions } from '../support/promo.ts'
import { type Action, type Asked, scriptedServer } from '../support/scripted-server.ts'

let service: TestProjects
let project: TestProject
let count = 0
/** The cards of one test. */
let lost: string
let spare: string
const program = 'Bean Club'

beforeAll(async () => {
  service = await testProjects()
  project = service.first
})

afterAll(() => service.close())

beforeEach(async () => {
  count += 1
  lost = `LOST-${count}`
  spare = `SPARE-${count}`
  for (const code of [lost, spare]) await newCard(code)
  await give(lost, 'shop-1001')
  await project.call('POST', `/v1/loyalties/members/${lost}/balance`, { points: 82 })
})

async function newCard(code: string, campaign = program) {
  await project.call('POST', `/v1/campaigns/${encodeURIComponent(campaign)}/vouchers/${code}`, {})
}

async function give(voucher: string, source_id: string) {
  await project.call('POST', '/v1/publications?join_once=false', { voucher, customer: { source_id } })
}

const replace = async (words: string[] = [], options: RunOptions = {}) =>
  await project.promo(['loyalty', 'cards', 'replace', lost, ...words], options)
const replaced = async (...words: string[]) => {
  const { stdout, stderr } = await replace([...words, '--yes', '--json'])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as { code: string; points?: number; state: string }[]
}
const card = async (code: string) => {
  const { active, holder_id, loyalty_card } = await project.call('GET', `/v1/vouchers/${code}`)
  return { active, holder_id, balance: loyalty_card.balance }
}
const transfersOf = async (code: string) =>
  (await project.call('GET', `/v1/loyalties/members/${code}/transactions`)).data
    .filter(({ type }: { type: string }) => type === 'POINTS_TRANSFER_OUT')
    .map((one: { details: { balance: { points: number } } }) => one.details.balance.points)
const publications = async () =>
  (await project.call('GET', `/v1/publications?source_id=replacement-of-${lost}`)).publications

type Fault = { when: 'after' | 'instead'; action: Action }

/** The service, behind a server that answers some calls itself: `now` after the service did them, `instead` before. */
async function between(faultOf: (asked: Asked) => Fault | undefined | Promise<undefined>) {
  return await scriptedServer(async (asked) => {
    const fault = await faultOf(asked)
    const { method, url, headers, body } = asked
    if (fault?.when === 'instead') return fault.action
    const sent = await fetch(`${service.sandbox.url}${url}`, {
      method,
      headers: {
        'x-app-id': String(headers['x-app-id']),
        'x-app-token': String(headers['x-app-token']),
        'content-type': 'application/json',
      },
      ...(body !== '' && { body }),
    })
    return fault?.action ?? { do: 'answer', status: sent.status, body: await sent.json() }
  })
}

const steps = [
  ['the publication', ({ method, url }: Asked) => method === 'POST' && url.startsWith('/v1/publications')],
  ['the transfer', ({ method, url }: Asked) => method === 'POST' && url.endsWith('/transfers')],
  ['the switch', ({ method, url }: Asked) => method === 'POST' && url.endsWith('/disable')],
] as const

/** What must be so once it is replaced, however often it was tried. */
async function mustBeReplaced() {
  const given = await publications()
  expect(given).toHaveLength(1)
  const { code } = given[0].voucher
  const { holder_id } = await card(lost)
  expect(await card(lost)).toMatchObject({ active: false, balance: 0 })
  expect(await card(code)).toEqual({ active: true, holder_id, balance: 82 })
  expect(await transfersOf(lost)).toEqual([-82])
  return code
}

test('a new card of the program gets the points of a lost one, which is switched off', async () => {
  const rows = await replaced()

  const code = await mustBeReplaced()
  expect(rows).toEqual([
    { step: 1, act: 'give', code, state: 'done' },
    { step: 2, act: 'move points to', code, points: 82, state: 'done' },
    { step: 3, act: 'switch off', code: lost, state: 'done' },
  ])
})

test('the reason is in the transaction, and in the history of every step', async () => {
  await replaced('--reason', 'Stolen in Kraków')

  const { data } = await project.call('GET', `/v1/loyalties/members/${lost}/transactions`)
  const { stdout } = await project.promo('history --limit 3 --json --query "[].[command, reason]"')
  expect(data.find(({ type }: { type: string }) => type === 'POINTS_TRANSFER_OUT')).toMatchObject({
    reason: 'Stolen in Kraków',
  })
  expect(JSON.parse(stdout)).toEqual(Array(3).fill(['loyalty cards replace', 'Stolen in Kraków']))
})

test('once it is replaced, the same command line sends nothing and says so', async () => {
  await replaced()

  const again = await replace(['--json', '--no-input'])

  expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('nothing was sent')])
  expect(JSON.parse(again.stdout).map(({ state }: { state: string }) => state)).toEqual([
    'done before',
    'done before',
    'off already',
  ])
  await mustBeReplaced()
})

test('a named card takes the place: one that nobody holds, or one of the same holder', async () => {
  await give(spare, 'shop-1001')
  const other = `OTHER-${count}`
  await newCard(other)

  const held = await replaced('--to', spare)
  lost = spare
  const free = await replaced('--to', other)

  expect(held.map(({ state }) => state)).toEqual(['held already', 'done', 'done'])
  expect(free.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
  expect(await mustBeReplaced()).toBe(other)
})

test('the question says whose card it is, what moves, and what becomes of both', async () => {
  await give(spare, 'shop-1001')
  await newCard(`FREE-${count}`)
  await project.call('POST', `/v1/loyalties/members/${spare}/balance`, { points: 10 })
  const answers = [[/\(y\/N\)/, 'n\r']] as const

  const fresh = await replace([], { terminal: { columns: 300 }, answers })
  const named = await replace(['--to', spare], { terminal: { columns: 300 }, answers })
  const unasked = await replace([], { stdin: '' })

  expect([fresh.exitCode, named.exitCode, unasked.exitCode]).toEqual([11, 11, 11])
  expect(fresh.stderr).toContain(
    `give the holder of ${lost} a new loyalty card of Bean Club, move 82 points from ${lost} to it and switch ${lost} off`,
  )
  expect(fresh.stderr).toMatch(new RegExp(`\\([A-Z]\\w+ [A-Z]\\w+, ${lost} 82 → 0\\) in project`))
  expect(fresh.stderr).toContain('This cannot be undone')
  expect(named.stderr).toContain(`move 82 points from ${lost} to ${spare} and switch ${lost} off (`)
  expect(named.stderr).toContain(`${lost} 82 → 0, ${spare} 10 → 92) in project`)
  expect(await card(lost)).toMatchObject({ active: true, balance: 82 })
})

test('a dry run shows the three requests and sends nothing', async () => {
  const { exitCode, stdout } = await replace(['--dry-run', '--json'])

  const plans = JSON.parse(stdout)
  expect([exitCode, plans.map(({ method }: { method: string }) => method)]).toEqual([0, ['POST', 'POST', 'POST']])
  expect(plans[0].body).toMatchObject({ source_id: `replacement-of-${lost}` })
  expect(await card(lost)).toMatchObject({ active: true, balance: 82 })
})

describe('interrupted', () => {
  test.each(steps)('because the answer to %s was lost, it goes on at once', async (_, isStep) => {
    const proxy = await between((asked) => (isStep(asked) ? { when: 'after', action: { do: 'reset' } } : undefined))
    const ran = await replace(['--yes'], { env: { PROMO_BASE_URL: proxy.origin } })
    await proxy[Symbol.asyncDispose]()

    // Switching off twice is harmless, so that call is made again; its answer is lost each time.
    expect(ran.exitCode).toBe(isStep === steps[2][1] ? 5 : 0)
    await replaced()
    await mustBeReplaced()
  })

  test.each(steps)(
    'because the answer to %s and everything after was lost, the same line does the rest',
    async (_, isStep) => {
      let isLost = false
      const proxy = await between((asked) => {
        if (isLost) return { when: 'instead', action: { do: 'reset' } }
        isLost = isStep(asked)
        return isLost ? { when: 'after', action: { do: 'reset' } } : undefined
      })
      const cut = await replace(['--yes'], { env: { PROMO_BASE_URL: proxy.origin } })
      await proxy[Symbol.asyncDispose]()

      expect([cut.exitCode, cut.stderr]).toEqual([
        isStep === steps[2][1] ? 5 : 6,
        expect.stringContaining('run the same command line again'),
      ])
      const rows = await replaced()
      expect(rows.map(({ state }) => state).includes('done before')).toBe(true)
      await mustBeReplaced()
    },
  )

  test.each(steps)(
    'because %s was refused, it says what is done, and the same line does the rest',
    async (_, isStep) => {
      const index = steps.findIndex(([, one]) => one === isStep)
      const proxy = await between((asked) =>
        isStep(asked)
          ? { when: 'instead', action: { do: 'answer', status: 400, body: { code: 400, key: 'no', message: 'No' } } }
          : undefined,
      )
      const cut = await replace(['--yes'], { env: { PROMO_BASE_URL: proxy.origin } })
      await proxy[Symbol.asyncDispose]()

      expect(cut.exitCode).toBe(3)
      const told = ['', ' was given;', ' was given, 82 points moved to '][index] as string
      expect(cut.stderr).toContain(told)
      expect(cut.stderr.includes('the same command line does the rest')).toBe(index > 0)
      await replaced()
      await mustBeReplaced()
    },
  )

  test.each([
    ['arrives after the next run', true],
    ['never arrives', false],
  ])('because a publication was lost that %s, it is not made twice unasked', async (_, arrives) => {
    let late: (() => Promise<unknown>) | undefined
    await using door = await doorTo(service.sandbox.url, (method, url) => {
      if (late !== undefined || method === 'GET' || !url.startsWith('/v1/publications')) return 'pass'
      return { status: 504, later: (apply) => (late = apply) }
    })
    const again = async (options: RunOptions, ...words: string[]) =>
      await replace(words, { ...options, env: { PROMO_BASE_URL: door.origin } })

    const cut = await again({}, '--yes')
    const unsure = await again({}, '--yes')
    if (arrives) await late?.()
    const given = await publications()
    const rest = arrives
      ? await again({}, '--yes')
      : await again({
          terminal: { columns: 200 },
          answers: [
            [/in project/, 'y\r'],
            [/Send it again\?/, 'y\r'],
          ],
        })

    expect([cut, unsure, rest].map(({ exitCode }) => exitCode)).toEqual([6, 6, 0])
    expect(unsure.stderr).toContain('is not found, and may still arrive')
    expect(given).toHaveLength(arrives ? 1 : 0)
    await mustBeReplaced()
  })

  test.each(steps)('by Ctrl-C during %s, it ends that step, and the same line does the rest', async (_, isStep) => {
    let stop = (_reason: 'SIGINT') => {}
    const proxy = await between((asked) => {
      if (isStep(asked)) stop('SIGINT')
      return undefined
    })
    const onStart: RunOptions['onStart'] = (stopRun) => {
      stop = stopRun
    }
    const cut = await replace(['--yes'], { env: { PROMO_BASE_URL: proxy.origin }, onStart })
    await proxy[Symbol.asyncDispose]()

    expect(cut.exitCode).toBe(130)
    await replaced()
    await mustBeReplaced()
  })
})

describe('cards that cannot be replaced, or take the place of another', () => {
  test.each([
    ['GIFT-001', 'is a gift card, not a loyalty card', 'promo vouchers disable GIFT-001'],
    ['WELCOME-001', 'is a discount code, not a loyalty card', 'promo vouchers disable WELCOME-001'],
  ])('%s is refused for what it is', async (code, why, step) => {
    lost = code
    const { exitCode, stderr } = await replace(['--yes'])

    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(why)])
    expect(stderr).toContain(`try: ${step}`)
  })

  test('one that nobody holds can only be switched off', async () => {
    lost = spare
    const { exitCode, stderr } = await replace(['--yes'])

    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('nobody holds it')])
    expect(stderr).toContain(`try: promo vouchers disable ${spare}`)
  })

  test('one of another customer, of another program, that is off, or is the card itself does not take its place', async () => {
    await project.call('POST', '/v1/campaigns', {
      name: `Tea ${count}`,
      campaign_type: 'LOYALTY_PROGRAM',
      type: 'AUTO_UPDATE',
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
    })
    await newCard(`TEA-${count}`, `Tea ${count}`)
    const strange = await replace(['--to', `TEA-${count}`, '--yes'])
    const itself = await replace(['--to', lost, '--yes'])
    await project.call('POST', `/v1/vouchers/${spare}/disable`)
    const off = await replace(['--to', spare, '--yes'])
    await project.call('POST', `/v1/vouchers/${spare}/enable`)
    await give(spare, 'shop-1002')
    const held = await replace(['--to', spare, '--yes'])

    expect([strange, itself, off, held].map(({ exitCode }) => exitCode)).toEqual([3, 2, 3, 3])
    expect(strange.stderr).toContain('it is not of the program Bean Club')
    expect(itself.stderr).toContain('cannot replace itself')
    expect(off.stderr).toContain(`try: promo vouchers enable ${spare}`)
    expect(held.stderr).toContain('another customer holds it')
    expect(await card(lost)).toMatchObject({ active: true, balance: 82 })
  })

  test('a second card does not replace one that another replaced, named or not', async () => {
    const [first] = await replaced()
    const other = await replace(['--to', spare, '--yes'])

    expect([other.exitCode, other.stderr]).toEqual([
      3,
      expect.stringContaining(`is being replaced by "${first?.code}"`),
    ])
    expect(other.stderr).toContain(`try: promo loyalty cards replace --to ${first?.code} ${lost}`)
    expect(await card(spare)).not.toHaveProperty('holder_id', expect.any(String))
  })
})

test('where the program has no free card, the next step adds one', async () => {
  const name = `Full ${count}`
  await project.call('POST', '/v1/campaigns', {
    name,
    campaign_type: 'LOYALTY_PROGRAM',
    type: 'STATIC',
    voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
  })
  lost = `ONLY-${count}`
  await newCard(lost, name)
  await give(lost, 'shop-1001')

  const none = await replace(['--yes'])
  const unasked = await replace([], { terminal: { columns: 300 } })
  const added = await project.promo(['campaigns', 'vouchers', 'add', name, '--count', '1', '--yes'])
  const rows = await replaced()

  expect([none.exitCode, none.stderr]).toEqual([3, expect.stringContaining(`the program ${name} has no free card`)])
  expect([unasked.exitCode, unasked.stderr.includes('(y/N)')]).toEqual([3, false])
  expect(none.stderr).toContain(`try: promo campaigns vouchers add --count 1 '${name}'`)
  expect(added.exitCode).toBe(0)
  expect(rows.map(({ state }) => state)).toEqual(['done', 'no points', 'done'])
})

test('a new card that begins with points of its own is told, with what takes them off', async () => {
  const name = `Gifts ${count}`
  await project.call('POST', '/v1/campaigns', {
    name,
    campaign_type: 'LOYALTY_PROGRAM',
    type: 'AUTO_UPDATE',
    voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 15 } },
  })
  lost = `GIFTED-${count}`
  await newCard(lost, name)
  await give(lost, 'shop-1001')

  const { stderr } = await replace(['--yes'])

  const [, points, code = ''] =
    /began with 15 points of its own; promo loyalty points remove --points (\d+) (\S+)/.exec(stderr) ?? []
  await project.promo(['loyalty', 'points', 'remove', code, '--points', points as string, '--yes'])
  expect(await card(code)).toMatchObject({ active: true, balance: 15 })
})

test('pending points stay with the old card, and are moved once they are active', async () => {
  const club = await project.call('GET', '/v1/campaigns/Bean%20Club')
  await project.call('POST', `/v1/loyalties/${club.id}/earning-rules`, [
    {
      event: 'order.paid',
      loyalty: { type: 'FIXED', points: 7 },
      source: { banner: `Later ${count}` },
      pending_points: { period_type: 'DAY', period_value: 3 },
    },
  ])
  await project.call('POST', '/v1/orders', { status: 'PAID', amount: 100, customer: { source_id: 'shop-1001' } })
  const { data } = await project.call('GET', `/v1/loyalties/members/${lost}/pending-points`)
  const shown = { terminal: { columns: 300 }, answers: [[/\(y\/N\)/, 'n\r']] } as const

  const asked = await replace([], shown)
  const first = await replace(['--yes'])
  await project.promo(['loyalty', 'pending', 'activate', lost, data[0].id, '--yes'])
  const rows = await replaced()

  expect(asked.stderr).toContain(`7 pending points stay with ${lost}`)
  expect([first.exitCode, first.stderr]).toEqual([
    0,
    expect.stringContaining(`7 pending points stay with ${lost}; once`),
  ])
  expect(rows.map(({ state }) => state)).toEqual(['done before', 'done', 'off already'])
  expect(await card(lost)).toMatchObject({ active: false, balance: 0 })
})

test('a card that is off already, or has no points, is replaced without that step', async () => {
  await project.call('POST', `/v1/vouchers/${lost}/disable`)
  await project.call('POST', `/v1/loyalties/members/${lost}/balance`, { points: -82 })

  const rows = await replaced()

  expect(rows.map(({ state }) => state)).toEqual(['done', 'no points', 'off already'])
  expect(await transfersOf(lost)).toEqual([])
})

test('the points of an expired card can be used again, which a warning says', async () => {
  await project.call('PUT', `/v1/vouchers/${lost}`, { expiration_date: '2020-01-01T00:00:00Z' })

  const { exitCode, stderr } = await replace(['--yes'])

  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringContaining(`warning: loyalty card ${lost} expired on 2020-01-01`),
  ])
})

test('points that come onto the old card later are moved by the same command line', async () => {
  const [first] = await replaced()
  await project.call('POST', `/v1/loyalties/members/${lost}/balance`, { points: 5 })

  const rows = await replaced()

  expect(rows.map(({ state }) => state)).toEqual(['done before', 'done', 'off already'])
  expect(await card(first?.code as string)).toMatchObject({ balance: 87 })
})

test.each([
  ['are named at the end', false, /5 points came to LOST-\d+ meanwhile; the same command line moves them/],
  ['may be there where the card cannot be read again', true, /which points LOST-\d+ still has cannot be read/],
])('points that come while it is replaced %s', async (_, isUnread, said) => {
  let isOff = false
  const proxy = await between(async (asked) => {
    if (steps[2][1](asked)) {
      await project.call('POST', `/v1/loyalties/members/${lost}/balance`, { points: 5 })
      isOff = true
    } else if (isOff && isUnread) asked.url = '/v1/none'
    return undefined
  })

  const { exitCode, stderr } = await replace(['--yes'], { env: { PROMO_BASE_URL: proxy.origin } })
  await proxy[Symbol.asyncDispose]()

  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(said)])
  await replaced()
  expect(await transfersOf(lost)).toEqual(expect.arrayContaining([-5]))
})
