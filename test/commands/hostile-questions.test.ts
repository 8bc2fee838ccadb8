// No value ends a question, continues it in promo's words, or begins a line: whoever is asked reads what promo asks.
import { describe, expect, test } from 'vitest'
import { quotedValue, shownValue } from '../../src/cli/prompt/asked-value.ts'
import { keysFor, lines, notFound } from '../support/command-lines.ts'
import { classOf, promoIn, temporaryFolder } from '../support/promo.ts'
import { type Action, answer, scriptedServer } from '../support/scripted-server.ts'

const hostile = 'A"? \u202e\u2028\r\n\nNothing is sent: a rehearsal.\n'
const names = new Set(['name', 'email', 'code', 'source_id', 'campaign', 'currency', 'voucher_code'])

/** An answer whose texts that people write are hostile. */
function poisoned(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => poisoned(one))
  if (typeof value === 'string' && names.has(name)) return `${value}${hostile}`
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, poisoned(member, key)]))
}

const anything = poisoned({
  id: 'x_1',
  code: 'C',
  name: 'N',
  email: 'E',
  source_id: 'S',
  object: 'voucher',
  currency: 'EUR',
  campaign: 'K',
  campaign_id: 'camp_1',
  holder_id: 'cust_1',
  loyalty_card: { balance: 82 },
  customer: { name: 'N' },
  order: { source_id: 'O', total_applied_discount_amount: 5 },
  voucher: { code: 'C' },
  promotion_tier: { name: 'T' },
  amount: 5,
})

/** The answer about the path: one about something else is asked for again until the client gives up. */
const answerFor = (path: string) => ({
  ...(anything as object),
  ...(path.startsWith('/v1/customers/') && { object: 'customer' }),
  ...(/^\/v1\/vouchers\/C(?:$|%)/.test(path) && { id: decodeURIComponent(path.slice('/v1/vouchers/'.length)) }),
})

const writing = (
  await Promise.all(Object.entries(lines).map(async ([id, some]) => ({ id, some, Class: await classOf(id) })))
).flatMap(({ id, some, Class }) => {
  const writes = Class.calls === 'any' || Class.calls.some(({ repeat }) => repeat !== 'read')
  return writes ? some.map(([words, goesOn, keys]) => ({ id, words, goesOn, keys })) : []
})

const asked = new Set<string>()

test.each(writing)('promo $id $words asks one line, with every hostile text in quotation marks', async (line) => {
  const { id, goesOn, keys } = line
  const respond = (request: Parameters<NonNullable<typeof goesOn>>[0], index: number): Action => {
    const { method, url } = request
    const action = goesOn?.(request, index)
    if (action?.do === 'answer') return { ...action, body: poisoned(action.body) }
    return action ?? (method === 'GET' ? answer(200, answerFor(url)) : notFound)
  }
  await using server = await scriptedServer(respond)
  const given = line.words.split(' ').filter((word) => word !== '')
  // What is not the answer is not asked for again, which would take most of the time of this file.
  const words = [...id.split(':'), ...(given.includes('--retries') ? [] : ['--retries', '0']), ...given]
  // What is typed: a name where one may be.
  const typed = words.map((word, at) =>
    at >= id.split(':').length && /^(?:[A-Z]|[a-z]+_1|shop-1)$/.test(word) ? `${word}${hostile}` : word,
  )
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return false
  }

  for (const argv of [words, typed]) {
    const env = { ...keysFor(server.origin, keys), NO_COLOR: '1' }
    await promoIn(temporaryFolder())(argv, { env, ask, sleep: () => new Promise(() => {}), stdin: 'token' })
  }

  for (const question of questions) {
    asked.add(id)
    expect(question).not.toMatch(/[\p{Cc}\u202e\u2028]/u)
    expect(question.replaceAll(/"(?:\\.|[^"\\])*"/g, '')).not.toMatch(/rehearsal|Nothing/)
  }
})

test("most writes ask an assistant's user", () => {
  expect(asked.size).toBeGreaterThan(50)
})

describe('a value in a question', () => {
  test.each([
    ['Bruno Keller', 'Bruno Keller'],
    ["Zoë O'Neill-Đặng", "Zoë O'Neill-Đặng"],
    ['a+b@shop.example', 'a+b@shop.example'],
    ['CLUB-002', 'CLUB-002'],
    ['Ann in profile live', '"Ann in profile live"'],
    ['Ann.', '"Ann."'],
    ['Ann, 1 → 2', '"Ann, 1 → 2"'],
    ['a"b\\', String.raw`"a\"b\\"`],
    ['a\nb', String.raw`"a\x0ab"`],
    ['', '""'],
  ])('%j is shown as %s', (text, shown) => {
    expect(shownValue(text)).toBe(shown)
  })

  test('is cut, so that what follows it is still read', () => {
    expect(shownValue('x'.repeat(100_000))).toBe(`"${'x'.repeat(59)}…"`)
    expect(quotedValue('x'.repeat(100_000))).toBe(`"${'x'.repeat(249)}…"`)
  })
})
