// What `jobs undo` takes for proof that a job changed a voucher, whatever the clocks of the service and of this computer show.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { codeOf, jobDesk } from '../support/jobs.ts'
import { type Action, type Asked, answer } from '../support/scripted-server.ts'

const desk = jobDesk()
const { promo, input, env } = desk
afterEach(() => {
  vi.restoreAllMocks()
})

const many = 40
const codes = Array.from({ length: many }, (_, at) => `C-${at}`)
// Every fourth is off before the job.
const wasOn = new Map(codes.map((code, at) => [code, at % 4 !== 0]))

/** The time of the service: that of this computer, whatever a test makes of its clock. */
const serviceNow = Date.now.bind(Date)

interface Habits {
  /** How far the clock that stamps vouchers is ahead of the one in `Date`. */
  skewMs?: number
  /** How long before the job the vouchers that are off were switched off. */
  offForMs?: number
  /** Somebody else switches the vouchers that are off as long before each call as the clock is ahead. */
  isOffJustBefore?: boolean
  stamp?: (ms: number) => string
  hasDate?: boolean
  stampsAlways?: boolean
}

const iso = (ms: number) => new Date(ms).toISOString()

/** A service of forty vouchers that remembers which are on. */
async function serviceWith({
  skewMs = 0,
  offForMs = 86_400_000,
  isOffJustBefore = false,
  stamp = iso,
  hasDate = true,
  stampsAlways = false,
}: Habits) {
  const active = new Map(wasOn)
  const updated = new Map<string, string | null>(
    codes.map((code) => [code, active.get(code) ? null : stamp(serviceNow() + skewMs - offForMs)]),
  )
  const asked = new Set<string>()
  const reply = (request: Asked): Action => {
    const code = codeOf(request)
    const verb = request.url.split('/')[4]
    if (verb !== undefined) {
      const isOn = verb === 'enable'
      if (isOffJustBefore && !wasOn.get(code) && !asked.has(code)) updated.set(code, stamp(serviceNow()))
      asked.add(code)
      if (stampsAlways || active.get(code) !== isOn) updated.set(code, stamp(serviceNow() + skewMs))
      active.set(code, isOn)
    }
    const voucher = {
      id: `v_${code}`,
      object: 'voucher',
      code,
      active: active.get(code),
      updated_at: updated.get(code),
    }
    return answer(200, voucher, { date: hasDate ? new Date(serviceNow()).toUTCString() : '' })
  }
  await desk.serve(reply)
  return active
}

/** Disables all vouchers, undoes that, and returns what was restored wrongly, and what was not. */
async function undone(active: Map<string, boolean>, ...more: string[]) {
  return await undoneAfter(() => {}, active, ...more)
}

/** The same, with what happens between the two. */
async function undoneAfter(between: () => void, active: Map<string, boolean>, ...more: string[]) {
  const job = ['vouchers', 'disable', '--from', input('c.csv', `code\n${codes.join('\n')}\n`), '--yes', ...more]
  expect((await promo(job, { env: env() })).exitCode).toBe(0)
  between()
  const { exitCode, stderr } = await promo(['jobs', 'undo', await desk.newestJob(), '--yes'], { env: env() })
  const wronglyOn = codes.filter((code) => active.get(code) && !wasOn.get(code))
  const leftOff = codes.filter((code) => !active.get(code) && wasOn.get(code))
  return { exitCode, stderr, wronglyOn, leftOff }
}

describe('jobs undo looks for a voucher that is as the job left it', () => {
  test.each([
    ['finds the tenth that it changed', 9, 0],
    ['gives up after ten', 10, 6],
  ])('and %s', async (_, onAgain, exitCode) => {
    const active = await serviceWith({})
    const changed = codes.filter((code) => wasOn.get(code))
    const switchOn = () => {
      for (const code of changed.slice(0, onAgain)) active.set(code, true)
    }

    const undo = await undoneAfter(switchOn, active)

    expect([undo.exitCode, undo.wronglyOn]).toEqual([exitCode, []])
  })
})

describe('jobs undo switches on nothing that was off before, and names what it leaves', () => {
  test.each<[string, Habits]>([
    ['50 ms behind', { skewMs: -50 }],
    ['1.5 s behind', { skewMs: -1500 }],
    ['1.5 s ahead', { skewMs: 1500 }],
    ['an hour ahead', { skewMs: 3_600_000 }],
    ['1.5 s ahead, for vouchers that were off for as long', { skewMs: 1500, offForMs: 1500 }],
    ['1.5 s ahead, for vouchers that were switched off as long before', { skewMs: 1500, isOffJustBefore: true }],
    ['without a zone', { stamp: (ms) => iso(ms).replace('Z', '') }],
    ['without a zone, hours away', { stamp: (ms) => iso(ms - 7_200_000).replace('Z', '') }],
    ['in whole seconds', { stamp: (ms) => iso(ms).replace(/\.\d+/, '') }],
    ['that cannot be compared, because no answer has a Date', { hasDate: false }],
    ['that are renewed even when nothing changes', { stampsAlways: true }],
    ['in whole seconds, renewed always', { stampsAlways: true, stamp: (ms) => iso(ms).replace(/\.\d+/, '') }],
  ])('where the service has times %s', async (_, habits) => {
    const { exitCode, stderr, wronglyOn, leftOff } = await undone(await serviceWith(habits))

    expect(wronglyOn).toEqual([])
    if (leftOff.length > 0) expect([exitCode, stderr]).toEqual([6, expect.stringContaining('it is unknown w')])
  })

  test.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
    ['back by a second', -1000],
  ])('where the clock of this computer jumps %s during the job', async (_, jumpMs) => {
    const active = await serviceWith({ offForMs: 60_000 })
    const real = Date.now
    let jumped = false
    vi.spyOn(Date, 'now').mockImplementation(() => {
      jumped ||= [...active.values()].filter((isOn) => !isOn).length > many / 2
      return real() + (jumped ? jumpMs : 0)
    })

    const { exitCode, wronglyOn, leftOff } = await undone(active)

    expect(wronglyOn).toEqual([])
    expect([0, 6]).toContain(exitCode)
    expect(leftOff.length > 0).toBe(exitCode === 6)
  })

  test('where nothing is wrong with any clock, it restores everything', async () => {
    expect(await undone(await serviceWith({}))).toMatchObject({ exitCode: 0, wronglyOn: [], leftOff: [] })
  })

  test.each<[string, Habits]>([
    ['1.5 s behind', { skewMs: -1500 }],
    ['without a zone', { stamp: (ms) => iso(ms).replace('Z', '') }],
    ['without a Date', { hasDate: false }],
    ['renewed even when nothing changes', { stampsAlways: true, offForMs: 0 }],
  ])('with --prove-change it restores everything, also where times are %s', async (_, habits) => {
    const restored = await undone(await serviceWith(habits), '--prove-change')

    expect(restored).toMatchObject({ exitCode: 0, wronglyOn: [], leftOff: [] })
  })
})

test('what an earlier run may have changed before it was read is in doubt also with --prove-change', async () => {
  const active = new Map([...wasOn, ['C-1', true]])
  let isLost = true
  await desk.serve((asked) => {
    const code = codeOf(asked)
    if (asked.url.endsWith('/disable')) active.set(code, false)
    if (asked.url.endsWith('/disable') && isLost) return { do: 'reset' }
    return answer(200, { id: `v_${code}`, object: 'voucher', code, active: active.get(code), updated_at: null })
  })
  const path = input('c.csv', 'code\nC-1\nC-2\n')
  const job = ['vouchers', 'disable', '--from', path, '--prove-change', '--yes', '--retries', '0', '--concurrency', '1']
  await promo(job, { env: env() })
  isLost = false
  await promo(job, { env: env() })

  const ran = await promo(['jobs', 'undo', await desk.newestJob(), '--yes'], { env: env() })

  expect(ran).toEnd(6, '2 rows are left alone, because it is unknown whether the job changed them')
})

test('a voucher without a time may have been changed', async () => {
  await desk.serve((asked) =>
    answer(200, { id: 'v_1', object: 'voucher', code: codeOf(asked), active: false, updated_at: null }),
  )
  const path = input('c.csv', 'code\nC-1\nC-2\n')
  await promo(`vouchers disable --from ${path} --yes`, { env: env() })

  const ran = await promo(['jobs', 'undo', await desk.newestJob(), '--yes'], { env: env() })

  expect(ran).toEnd(6, '2 rows are left alone, because it is unknown whether the job changed them')
})

test('a service that renews times without a change is found out before anything is switched on', async () => {
  const active = await serviceWith({ stampsAlways: true })

  const { exitCode, stderr, leftOff } = await undone(active)

  expect(exitCode).toBe(6)
  expect(stderr).toContain('the service renews updated_at even when nothing changes')
  expect(leftOff).toHaveLength(30)
  expect(await desk.jobs()).toHaveLength(1)
})
