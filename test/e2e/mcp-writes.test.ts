// The writes of `promo mcp`: planned, asked of a person, capped, recorded, and refused where they must be.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../support/assistant.ts'
import { assistant } from '../support/assistant.ts'
import { runPromo } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)
const asked: string[] = []
const yes: Person = ({ message }) => {
  asked.push(message)
  return { action: 'accept', content: { go_ahead: true } }
}
let person: Person = yes
let desk: Awaited<ReturnType<typeof assistant>>

beforeAll(async () => {
  const flags = ['--profile', 'sandbox', '--allow-writes', '--max-writes', '5', '--max-rows', '8']
  desk = await assistant(flags, folder, { person: (params) => person(params), env: { PROMO_ACTOR: 'ann' } })
})
afterAll(async () => await desk.close())

/** What `promo history` says about the newest change. */
async function newest(): Promise<object> {
  const { stdout } = await promo(['history', '--jsonl', '--limit', '1'])
  return stdout === '' ? {} : JSON.parse(stdout)
}

/** Whether a voucher is on. */
async function isOn(code: string): Promise<boolean> {
  return JSON.parse((await promo(['vouchers', 'get', code, '--json', '--profile', 'sandbox'])).stdout).active
}

describe('a write', () => {
  test('is planned with who, what, before and after, and recorded with the name of the client', async () => {
    const given = { card: 'CLUB-002', points: 60, reason: 'Order 2001 was not counted' }

    const { content, isError } = await desk.call('change_points', given)

    expect({ content, isError }).toMatchObject({
      isError: false,
      content: { exit_code: 0, rows: [{ points: 60, balance: 178 }] },
    })
    expect(asked.at(-1)).toMatch(
      /^add 60 points to loyalty card CLUB-002 of Bruno Keller, (\d+) → \d+ in project \S+ of profile "sandbox"\?.*\npromo loyalty points add --points=60 '--reason=Order 2001 was not counted' -- CLUB-002$/,
    )
    expect(await newest()).toMatchObject({
      by: 'mcp (Desk 7 1.2) for ann',
      outcome: 'applied',
      command: 'loyalty points add',
    })
  })

  test('of several rows is a job, tells how far it is, and counts as its rows', async () => {
    const { content, told } = await desk.call('disable_vouchers', { codes: ['MORNING', 'WEEKEND'] })

    // Rows that end together are told together.
    expect(told.at(-1)).toMatchObject({ progress: 2, total: 2 })
    expect(told.length).toBeLessThanOrEqual(2)
    expect(content).toMatchObject({ exit_code: 0, rows: [{ code: 'MORNING' }, {}], summary: { changed: 2 } })
    expect(asked.at(-1)).toMatch(
      /^disable 2 vouchers (?:\(.*\) )?in project .*\npromo vouchers disable -- MORNING WEEKEND$/,
    )
    expect(await isOn('MORNING')).toBe(false)
  })

  test('that has nothing to do is a result that says so, and no question', async () => {
    const before = asked.length

    const { content, isError } = await desk.call('resume_job', { job: 'latest' })

    expect({ content, isError }).toMatchObject({
      isError: false,
      content: { exit_code: 0, notes: [expect.stringMatching(/^nothing left to do: job \S+ disabled these rows on /)] },
    })
    expect(asked).toHaveLength(before)
  })

  test.each<[string, Person]>([
    ['declines', () => ({ action: 'decline' })],
    ['closes the question', () => ({ action: 'cancel' })],
    ['accepts without saying so', () => ({ action: 'accept', content: { go_ahead: false } })],
  ])('is not sent when the person %s', async (_, answers) => {
    person = answers
    const { isError, text } = await desk.call('disable_vouchers', { codes: ['BEANS10'] })
    person = yes

    expect({ isError, text }).toEqual({ isError: true, text: 'confirmation (exit 11): declined; nothing was sent' })
    expect(await isOn('BEANS10')).toBe(true)
  })

  test('is not sent when the service no longer has what was shown', async () => {
    person = async (params) => {
      await promo(['loyalty', 'points', 'add', 'CLUB-003', '--points', '7', '--yes', '--profile', 'sandbox'])
      return yes(params)
    }
    const { text } = await desk.call('change_points', { card: 'CLUB-003', points: 5, reason: 'Late' })
    person = yes

    expect(text).toContain('what would happen has changed since the question; nothing was sent')
    expect(await newest()).toMatchObject({
      after: { balance: expect.any(Number) },
      by: expect.not.stringContaining('mcp'),
    })
  })

  test('that the service refuses says so', async () => {
    const { isError, content, text } = await desk.call('roll_back_redemption', {
      redemption: 'r_19b8d627a800000006',
      reason: 'Double',
    })

    expect([isError, content.exit_code ?? text]).toEqual([false, 3])
  })

  test('beyond the caps of the session is not even asked', async () => {
    const before = asked.length
    const many = await desk.call('disable_vouchers', { codes: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] })
    await desk.call('publish_voucher', { customer: 'shop-1001', campaign: 'Welcome' })
    const last = await desk.call('change_points', { card: 'CLUB-001', points: 1, reason: 'One more' })

    expect(many.text).toMatch(/8 rows are more than the \d left in this session; nothing was sent/)
    expect(last.text).toMatch(/no write is left in this session; nothing was sent/)
    expect(asked.length).toBe(before + 1)
  })
})

test('a client of the newest revision of the protocol asks its user just the same', async () => {
  const modern = await assistant(['--profile', 'sandbox', '--allow-writes'], folder, { person: yes, isModern: true })
  const before = asked.length
  const { content } = await modern.call('disable_vouchers', { codes: ['SORRY5'] })
  await modern.close()

  expect(asked.slice(before)).toEqual([expect.stringMatching(/^disable voucher .*\npromo vouchers disable -- SORRY5$/)])
  expect(content.exit_code).toBe(0)
  expect(await newest()).toMatchObject({ by: 'mcp (Desk 7 1.2)', outcome: 'applied' })
})

describe('nothing is changed', () => {
  test('by resuming a job that deletes, which nobody is asked about', async () => {
    const place = temporaryFolder()
    await using service = await scriptedServer([answer(401, { code: 401, key: 'unauthorized' })])
    const env = { PROMO_BASE_URL: service.origin, PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'token-1' }
    await promoIn(place)(['vouchers', 'delete', 'A', 'B', '--yes', '--retries', '0'], { env })
    const [sent, before] = [service.asked.length, asked.length]
    const writer = await assistant(['--allow-writes'], place, { person: yes, env })
    const { isError, text } = await writer.call('resume_job', { job: 'latest' })
    await writer.close()

    expect({ isError, text }).toEqual({
      isError: true,
      text: expect.stringMatching(
        /^confirmation \(exit 11\): it deletes, which no tool does; nothing was sent\ntry: promo jobs resume -- \d{8}-\w{6}$/,
      ),
    })
    expect([service.asked.slice(sent), asked.length]).toEqual([[], before])
  })

  test('by a client that cannot ask', async () => {
    const mute = await assistant(['--profile', 'sandbox', '--allow-writes'], folder)
    const { text } = await mute.call('disable_vouchers', { codes: ['BEANS10'] })
    await mute.close()

    expect(text).toBe('confirmation (exit 11): this client cannot ask its user; nothing was sent')
    expect(await isOn('BEANS10')).toBe(true)
  })

  test('in a protected profile, nor in one that only reads', async () => {
    for (const [name, flag] of [
      ['live', '--protected'],
      ['desk', '--read-only'],
    ] as const) {
      const added = ['profiles', 'add', name, flag, '--base-url', 'http://127.0.0.1:9', '--app-id', 'a']
      await runPromo([...added, '--insecure-storage'], folder, {}, 'token-of-a\n')
      const ran = await runPromo(['mcp', '--allow-writes', '--profile', name], folder)
      expect(ran).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('an assistant changes nothing there') })
    }
  })
})

test('a write whose process is killed is unknown in the history', async () => {
  const place = temporaryFolder()
  await using service = await scriptedServer(({ method }) =>
    method === 'POST' ? { do: 'stall' } : answer(200, { id: 'v_1', code: 'C', object: 'voucher', active: true }),
  )
  const env = { PROMO_BASE_URL: service.origin, PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'token-1' }
  const doomed = await assistant(['--allow-writes'], place, { person: yes, env })

  const gone = doomed.call('disable_vouchers', { codes: ['C'] }).catch((error: Error) => error)
  await eventually(() => service.asked.some(({ method }) => method === 'POST'))
  process.kill(doomed.pid, 'SIGKILL')

  expect(await gone).toBeInstanceOf(Error)
  const { stdout } = await promoIn(place)(['history', '--json'])
  expect(JSON.parse(stdout)).toMatchObject([
    { outcome: 'began', subject: 'C', by: expect.stringMatching(/^mcp \(Desk 7/) },
  ])
})
