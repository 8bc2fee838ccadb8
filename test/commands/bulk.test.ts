// A job of many rows, as its operator sees it: stopped, resumed, refused, locked.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { StopReason } from '../../src/cli/run/host.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { type Action, type Asked, type ScriptedServer, scriptedServer } from '../support/scripted-server.ts'

let folder: string
let promo: ReturnType<typeof promoIn>
let server: ScriptedServer | undefined

beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(folder, { recursive: true })
  promo = promoIn(folder)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server?.[Symbol.asyncDispose]()
  server = undefined
})

const codeOf = ({ url }: Asked) => decodeURIComponent(url.split('/')[3] ?? '')
const voucher = (asked: Asked): Action => ({
  do: 'answer',
  status: 200,
  body: { id: 'v_1', object: 'voucher', code: codeOf(asked), active: false, updated_at: '2026-01-02T00:00:00.000Z' },
})
const refusal = (status: number, key: string): Action => ({
  do: 'answer',
  status,
  body: { code: status, key, message: key, details: 'x', request_id: 'r_1' },
})

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const codes = (count: number) => `code\n${Array.from({ length: count }, (_, at) => `C-${at}\n`).join('')}`
const env = (more: Record<string, string> = {}) => ({
  PROMO_BASE_URL: server?.origin ?? '',
  PROMO_APP_ID: 'app',
  PROMO_APP_TOKEN: 'token',
  ...more,
})
const jobs = () => readdirSync(join(folder, 'state/jobs')).filter((name) => name.endsWith('.sqlite'))
const summaryOf = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}')

describe('a stopped job', () => {
  test('sends nothing more after the stop, and sends the rest when the same command runs again', async () => {
    let stop: (reason: StopReason) => void = () => {}
    server = await scriptedServer((asked, index) => {
      if (index === 9) stop('SIGINT')
      return voucher(asked)
    })
    const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(40)), '--yes', '--jsonl']

    const first = await promo([...command, '--concurrency', '4'], { env: env(), onStart: (way) => (stop = way) })
    const askedFirst = server.asked.length
    const second = await promo(command, { env: env() })

    expect([first.exitCode, second.exitCode]).toEqual([130, 0])
    expect(askedFirst).toBeLessThanOrEqual(13)
    expect(first.stderr).toMatch(/\d+ not attempted .*\nstopped; resume with: promo jobs resume \d{8}-\w{6}\n/)
    expect(second.stderr).toMatch(/continuing job \d{8}-\w{6}: \d+ of 40 rows are left/)
    expect(server.asked.map(codeOf).toSorted()).toEqual(
      Array.from({ length: 40 }, (_, at) => `C-${at}`).toSorted((a, b) => (a < b ? -1 : 1)),
    )
    expect(summaryOf(second.stdout)).toMatchObject({ total: 40, ok: 40, pending: 0, before: askedFirst })
  })

  test('starts over with --restart', async () => {
    let stop: (reason: StopReason) => void = () => {}
    server = await scriptedServer((asked, index) => {
      if (index === 0) stop('SIGINT')
      return voucher(asked)
    })
    const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(3)), '--yes', '--concurrency', '1']

    await promo(command, { env: env(), onStart: (way) => (stop = way) })
    expect((await promo([...command, '--restart'], { env: env() })).exitCode).toBe(0)
    expect(server.asked.map(codeOf)).toEqual(['C-0', 'C-0', 'C-1', 'C-2'])
    expect(jobs()).toHaveLength(2)
  })

  test('refused credentials stop it at once, and it resumes with correct ones', async () => {
    let isRefused = true
    server = await scriptedServer((asked) => (isRefused ? refusal(401, 'unauthorized') : voucher(asked)))
    const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(30)), '--yes', '--concurrency', '2']

    const first = await promo(command, { env: env() })
    isRefused = false
    const second = await promo(command, { env: env({ PROMO_APP_TOKEN: 'right' }) })

    expect([first.exitCode, second.exitCode]).toEqual([4, 0])
    expect(server.asked.length).toBeLessThanOrEqual(32)
    expect(second.stderr).toMatch(/ 30 already off \(30 rows in/)
  })
})

describe('a job that does not match is not resumed, and nothing is sent', () => {
  async function stoppedJob(command: string[], stdin?: string): Promise<void> {
    let stop: (reason: StopReason) => void = () => {}
    server = await scriptedServer((asked, index) => {
      if (index === 0) stop('SIGINT')
      return voucher(asked)
    })
    await promo([...command, '--yes', '--concurrency', '1'], {
      env: env(),
      onStart: (way) => (stop = way),
      ...(stdin !== undefined && { stdin }),
    })
  }

  test('the file was changed', async () => {
    const path = file('codes.csv', codes(5))
    await stoppedJob(['vouchers', 'disable', '--from', path])

    writeFileSync(path, codes(6))
    const ran = await promo(`vouchers disable --from ${path} --yes`, { env: env() })

    expect(ran).toEnd(9, /job \d{8}-\w{6} cannot be resumed: ".*codes.csv" has changed since the job began/)
    expect(server?.asked).toHaveLength(1)
  })

  test('the profile now has another key, and no project id', async () => {
    const path = file('codes.csv', codes(5))
    await stoppedJob(['vouchers', 'disable', '--from', path])

    const other = env({ PROMO_APP_ID: 'other-id' })
    const ran = await promo(`vouchers disable --from ${path} --yes`, { env: other })

    expect(ran).toEnd(9, 'it was begun with another key')
    expect(server?.asked).toHaveLength(1)
  })

  test('the same command line would send different requests', async () => {
    const path = file('codes.csv', codes(5))
    const body = file('body.json', '{"additional_info": "one"}')
    const command = ['vouchers', 'update', '--from', path, '--body', `@${body}`]
    await stoppedJob(command)

    writeFileSync(body, '{"additional_info": "two"}')
    const ran = await promo([...command, '--yes'], { env: env() })

    expect(ran).toEnd(9, 'the same rows would now be sent as other requests')
    expect(server?.asked).toHaveLength(1)
  })

  test('the journal folder holds the job of another command line', async () => {
    const path = file('codes.csv', codes(5))
    const dir = join(folder, 'journal')
    await stoppedJob(['vouchers', 'disable', '--from', path, '--journal', dir])

    const ran = await promo(`vouchers enable --from ${path} --journal ${dir} --yes`, {
      env: env(),
    })

    expect(ran).toEnd(9, 'holds the journal of another command line')
    expect(existsSync(join(dir, 'job.sqlite'))).toBe(true)
  })

  test('its file is damaged', async () => {
    const path = file('codes.csv', codes(5))
    await stoppedJob(['vouchers', 'disable', '--from', path])
    const journal = join(folder, 'state/jobs', jobs()[0] ?? '')
    const bytes = readFileSync(journal)
    writeFileSync(journal, bytes.subarray(0, bytes.length - 5000))

    expect(await promo(`vouchers disable --from ${path} --yes`, { env: env() })).toEnd(9, 'the journal is damaged')
    expect(server?.asked).toHaveLength(1)
  })

  test('another pipe is another job', async () => {
    const command = ['vouchers', 'disable', '--from', '-', '--input-format', 'lines']
    await stoppedJob(command, 'A\nB\nC\n')

    const other = await promo([...command, '--yes'], { env: env(), stdin: 'X\nY\n' })
    const same = await promo([...command, '--yes'], { env: env(), stdin: 'A\nB\nC\n' })

    expect([other.exitCode, same.exitCode]).toEqual([0, 0])
    expect(server?.asked.map(codeOf).join('')).toBe('AXYBC')
  })
})

describe('the lock of a job', () => {
  test('a second process is told which process holds it', async () => {
    let stop: (reason: StopReason) => void = () => {}
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    server = await scriptedServer(async () => {
      begin()
      return { do: 'stall' }
    })
    const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(5)), '--yes', '--timeout', '2s']

    const first = promo(command, { env: env(), onStart: (way) => (stop = way) })
    await begun
    const second = await promo(command, { env: env() })
    stop('SIGINT')
    await first

    expect(second).toEnd(8, new RegExp(`the job is held by process ${process.pid} on .+, started 20\\d\\d-`))
  })
})

describe('a job with failures', () => {
  test('stops when the first ten rows are all refused for the same reason', async () => {
    server = await scriptedServer(() => refusal(404, 'not_found'))

    const { exitCode, stderr } = await promo(
      ['vouchers', 'disable', '--from', file('codes.csv', codes(500)), '--yes', '--concurrency', '2'],
      { env: env() },
    )

    expect(exitCode).toBe(7)
    expect(server.asked.length).toBeLessThanOrEqual(12)
    expect(stderr).toMatch(
      /refused in the same way: is profile "environment" the right one, and "code" the right column\? The refusals: promo jobs report \S+ --only failed/,
    )
    expect(stderr).toContain('if you expected them, add --max-errors 100%')
    expect(stderr).not.toContain('jobs resume')
  })

  test('goes on after ten refusals alike where --max-errors says how many are expected', async () => {
    server = await scriptedServer(() => refusal(404, 'not_found'))
    const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(40)), '--yes', '--max-errors', '100']

    expect(await promo(command, { env: env() })).toEnd(3, '40 refused')
  })

  test.each([
    ['redemptions rollback', 'id', 400, 'already_rolled_back'],
    ['publications create --campaign Welcome', 'customer', 400, 'duplicate_source_id'],
    ['vouchers create --type GIFT_VOUCHER --set gift.amount=5', 'code', 409, 'duplicate_found'],
  ])('of %s goes on over rows that are as wanted already', async (line, column, status, key) => {
    server = await scriptedServer(() => refusal(status, key))
    const rows = codes(30).replace('code', column)

    const { exitCode, stderr } = await promo([...line.split(' '), '--from', file('rows.csv', rows), '--yes'], {
      env: env(),
    })

    expect(exitCode).toBe(3)
    expect(stderr).toMatch(/30 (refused|in conflict)/)
    expect(stderr.includes('--if-exists reuse')).toBe(status === 409)
  })

  test('stops after a hundred failed rows by default', async () => {
    server = await scriptedServer((asked, index) => (index % 2 === 0 ? voucher(asked) : refusal(404, 'not_found')))
    const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(400)), '--yes', '--concurrency', '1']

    const first = await promo(command, { env: env() })
    const second = await promo([...command, '--max-errors', '100%'], { env: env() })

    expect([first.exitCode, second.exitCode]).toEqual([7, 3])
    expect(first.stderr).toContain('101 refused, 198 not attempted')
    expect(second.stderr).toContain('200 refused (400 rows, 202 of them before,')
  })

  test('in its last row is not restarted by the same command line', async () => {
    server = await scriptedServer((asked) => (codeOf(asked) === 'C-2' ? refusal(400, 'no') : voucher(asked)))
    const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(3)), '--yes', '--max-errors', '0']

    const first = await promo([...command, '--concurrency', '1'], { env: env() })
    const second = await promo(command, { env: env() })

    expect([first.exitCode, second.exitCode]).toEqual([7, 3])
    expect(server.asked).toHaveLength(3)
  })

  test.each<[StopReason, number]>([
    ['SIGINT', 130],
    ['EPIPE', 141],
  ])(
    'that is stopped by %s after its last row is reported, and not restarted, by the same command line',
    async (reason, exitCode) => {
      let stop: (reason: StopReason) => void = () => {}
      server = await scriptedServer((asked, index) => {
        if (index === 2) stop(reason)
        return voucher(asked)
      })
      const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(3)), '--yes', '--concurrency', '1']

      const first = await promo([...command, '--csv'], { env: env(), onStart: (way) => (stop = way) })
      const second = await promo([...command, '--csv'], { env: env() })

      expect([first.exitCode, second.exitCode]).toEqual([exitCode, 0])
      expect(second.stderr).toContain('nothing left to do: job ')
      expect(server.asked).toHaveLength(3)
    },
  )

  test('whose reader closes the pipe waits for rows in flight, and records their outcomes', async () => {
    let stop: (reason: StopReason) => void = () => {}
    server = await scriptedServer(async () => {
      stop('EPIPE')
      await new Promise((resolve) => setTimeout(resolve, 50))
      return { do: 'answer', status: 200, body: { object: 'event', type: 'visit', customer: { id: 'c' } } }
    })
    const events = '{"event":"visit","customer":{"source_id":"a"}}\n'.repeat(3)
    const command = ['events', 'send', '--from', file('e.jsonl', events), '--yes', '--concurrency', '1']

    const { exitCode } = await promo([...command, '--jsonl'], { env: env(), onStart: (way) => (stop = way) })
    const list = await promo('jobs list --json')

    expect(exitCode).toBe(141)
    expect(server.asked).toHaveLength(1)
    expect(JSON.parse(list.stdout)).toMatchObject([{ total: 3, done: 1, wrong: 0, state: 'stopped' }])
  })

  test('whose outcomes cannot be written is reported, and not restarted, by the same command line', async () => {
    server = await scriptedServer((asked, index) => {
      if (index === 2) rmSync(join(folder, 'out'), { recursive: true })
      return voucher(asked)
    })
    mkdirSync(join(folder, 'out'))
    const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(3)), '--yes', '--concurrency', '1']

    const first = await promo([...command, '--csv', '--out', join(folder, 'out', 'outcomes.csv')], { env: env() })
    const second = await promo(command, { env: env() })

    expect([first.exitCode, second.exitCode]).toEqual([10, 0])
    expect(second.stderr).toContain('nothing left to do: job ')
    expect(server.asked).toHaveLength(3)
  })

  test('names the rows to retry, and retries them when the same command runs again', async () => {
    let isAway = true
    server = await scriptedServer((asked) => (isAway ? { do: 'answer', status: 503 } : voucher(asked)))
    const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(3)), '--yes', '--retries', '0']

    const first = await promo(command, { env: env() })
    isAway = false
    const second = await promo(command, { env: env() })

    expect(first.exitCode).toBe(6)
    expect(second).toEnd(0, /^disabled 3 vouchers \(3 rows in/m)
  })

  test('waits for an unavailable service, also for the last two rows', async () => {
    // Delays of zero length between attempts: ten of them pass long before the service is back.
    vi.spyOn(Math, 'random').mockReturnValue(0)
    let backAt: number | undefined
    server = await scriptedServer((asked) => {
      backAt ??= performance.now() + 700
      return performance.now() < backAt ? { do: 'reset' } : voucher(asked)
    })
    const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(2)), '--yes', '--concurrency', '8']

    expect(await promo(command, { env: env() })).toEnd(0)
    expect(server.asked.length).toBeLessThanOrEqual(6 + 2 + 2)
  })

  test('stops when an outage lasts longer than allowed', async () => {
    server = await scriptedServer(() => ({ do: 'answer', status: 503 }))

    const { exitCode, stderr } = await promo(
      ['vouchers', 'disable', '--from', file('codes.csv', codes(50)), '--yes', '--max-outage', '1s'],
      { env: env() },
    )

    expect([5, 6]).toContain(exitCode)
    expect(stderr).toContain('not attempted')
    expect(server.asked.length).toBeLessThan(60)
  })
})

describe('a code that is taken after a lost answer', () => {
  const create = ['vouchers', 'create', 'A', '--type', 'GIFT_VOUCHER', '--set', 'gift.amount=5000', '--jsonl']
  const there = (amount: number, code = 'A'): Action => ({
    do: 'answer',
    status: 200,
    body: { id: 'v_1', object: 'voucher', code, type: 'GIFT_VOUCHER', gift: { amount, balance: amount } },
  })

  const conflict = refusal(409, 'duplicate_found')
  test.each<[string, number, string, Action[]]>([
    ['is done when the voucher matches the row', 0, '"state":"ok_inferred"', [{ do: 'reset' }, conflict, there(5000)]],
    [
      'is unknown when the voucher differs',
      6,
      'voucher that differs in gift.amount',
      [{ do: 'reset' }, conflict, there(1)],
    ],
    [
      'is unknown when it cannot be read',
      6,
      '"state":"unknown"',
      [{ do: 'reset' }, conflict, refusal(403, 'forbidden')],
    ],
    ['is a conflict without a lost answer', 3, '"state":"conflict"', [conflict]],
  ])('%s', async (_, code, says, script) => {
    server = await scriptedServer(script)

    const { exitCode, stdout } = await promo(create, { env: env() })

    expect([exitCode, stdout]).toEqual([code, expect.stringContaining(says)])
  })

  test.each([
    ['is refused when the code does not exist', 3, 'failed', refusal(404, 'not_found')],
    ['is done when the voucher exists as the row asked', 0, 'ok_inferred', there(5000)],
    ['is unknown when another voucher has the code', 6, 'unknown', there(1)],
    ['is unknown when another row may have created it in other letters', 6, 'unknown', there(5000, 'a')],
    ['is unknown when the code cannot be looked up', 6, 'unknown', refusal(403, 'forbidden')],
  ])('or refused for another reason after one, %s', async (_, code, state, found) => {
    server = await scriptedServer([{ do: 'reset' }, refusal(400, 'invalid_payload'), found])

    const { exitCode, stdout } = await promo(create, { env: env() })

    expect(exitCode).toBe(code)
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ state, attempts: 2 })
    expect(server.asked.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET'])
  })
})

describe('events, which have an effect each time they are sent', () => {
  const events = '{"event":"e","customer":{"source_id":"a"}}\n{"event":"e","customer":{"source_id":"b"}}\n'
  const sent: Action = { do: 'answer', status: 200, body: { object: 'event', type: 'e', customer: { id: 'c' } } }

  test('are not sent again after a lost answer', async () => {
    server = await scriptedServer([{ do: 'reset' }, sent])
    const command = ['events', 'send', '--from', file('e.jsonl', events), '--yes', '--concurrency', '1']

    const first = await promo(command, { env: env() })
    const second = await promo(command, { env: env() })

    expect([first.exitCode, second.exitCode]).toEqual([6, 6])
    expect(first.stderr).toContain('sent 1 event, 1 with an unknown outcome')
    expect(server.asked).toHaveLength(2)
  })

  test('are sent again as often as --retries allows, where that was asked for', async () => {
    server = await scriptedServer([{ do: 'reset' }, { do: 'reset' }, { do: 'reset' }, sent])
    const command = ['events', 'send', '--from', file('e.jsonl', events), '--yes', '--on-ambiguous', 'retry']

    expect(await promo([...command, '--concurrency', '1'], { env: env() })).toEnd(0)
    expect(server.asked).toHaveLength(5)
  })

  test.each([
    ['another event', { object: 'event', type: 'other', customer: { id: 'c' } }],
    ['another customer', { object: 'event', type: 'e', customer: { id: 'c', source_id: 'z' } }],
  ])('are unknown when the answer is about %s', async (what, body) => {
    server = await scriptedServer([{ do: 'answer', status: 200, body }])

    const { exitCode, stdout } = await promo(
      ['events', 'send', '--from', file('e.jsonl', events), '--yes', '--jsonl'],
      { env: env() },
    )

    expect(exitCode).toBe(6)
    expect(stdout).toContain(`the answer is about ${what}`)
  })

  test('are not sent again by accident, only with --restart', async () => {
    server = await scriptedServer([sent])
    const command = ['events', 'send', '--from', file('e.jsonl', events), '--yes']

    await promo(command, { env: env() })
    const again = await promo(command, { env: env() })
    const askedBefore = server.asked.length
    const meant = await promo([...command, '--restart'], { env: env() })

    expect([again.exitCode, meant.exitCode]).toEqual([0, 0])
    expect([askedBefore, server.asked.length]).toEqual([2, 4])
  })
})

test('an invalid output format is refused before a job is created', async () => {
  server = await scriptedServer(voucher)

  const command = ['vouchers', 'disable', '--from', file('codes.csv', codes(3)), '--yes', '--json', '--columns', 'code']
  const { exitCode } = await promo(command, { env: env() })
  const list = await promo('jobs list --jsonl')

  expect(exitCode).toBe(2)
  expect(list.stdout).toBe('')
  expect(server.asked).toHaveLength(0)
})

test('a single code is a call, not a job', async () => {
  server = await scriptedServer((asked) => voucher(asked))

  expect(await promo('vouchers disable ONE', { env: env() })).toEnd(0)
  expect(existsSync(join(folder, 'state/jobs'))).toBe(false)
})

test('a code that does not exist is refused, also after a lost answer about it', async () => {
  server = await scriptedServer([{ do: 'reset' }, refusal(404, 'not_found')])

  const { exitCode, stdout } = await promo(
    ['vouchers', 'disable', 'A', 'B', '--yes', '--concurrency', '1', '--jsonl'],
    {
      env: env(),
    },
  )

  expect(exitCode).toBe(3)
  expect(stdout.split('\n').map((line) => /"state":"(\w+)"/.exec(line)?.[1])).toEqual([
    'failed',
    'failed',
    undefined,
    undefined,
  ])
})
