import { describe, expect, test } from 'vitest'
import type { Client } from '../../../../../src/api/client.ts'
import { happenings } from '../../../../../src/cli/topics/events/poll.ts'
import { type FeedItem, type Source, sourcesFor } from '../../../../../src/cli/topics/events/sources.ts'
import { PromoError } from '../../../../../src/errors.ts'

const at = (second: number) => new Date(Date.UTC(2026, 4, 6, 7, 0, second)).toISOString()
const entry = (id: string, second: number, more: object = {}) => ({ id, created_at: at(second), ...more })
const client = {} as Client

/** Looks at a list once for each state of it, newest entry first, and returns the ids that were shown at each look. */
async function follow(
  states: readonly (readonly object[] | Error)[],
  { sinceMs, source = {} }: { sinceMs?: number; source?: Partial<Source> } = {},
) {
  const stop = new AbortController()
  const warnings: string[] = []
  const shown: string[][] = states.map(() => [])
  let looks = 0
  const list: Source = {
    noun: 'things',
    types: ['thing.created'],
    async *read(_client, most) {
      const state = states[looks] ?? []
      looks += 1
      if (looks === states.length) stop.abort('SIGINT')
      if (state instanceof Error) throw state
      yield* state.slice(0, most) as FeedItem['data'][]
    },
    happeningOf: (item) => ({
      at: String(item.created_at),
      type: `thing.${typeof item.status === 'string' ? item.status : 'created'}`,
      id: String(item.id),
      data: item,
    }),
    ...source,
  }
  const polling = { polled: [list], isWanted: () => true, intervalMs: 0, isOnce: false, stop: stop.signal }
  const rows = happenings(client, { ...polling, sinceMs, warn: (line) => warnings.push(line) })
  for await (const { id } of rows) shown[looks - 1]?.push(id)
  return { shown, warnings }
}

describe('following lists', () => {
  test('begins with what is new after the first look, and shows each entry once, oldest first', async () => {
    const old = [entry('b', 2), entry('a', 1)]

    const { shown } = await follow([
      old,
      [entry('d', 4), entry('c', 3), ...old],
      [entry('d', 4), entry('c', 3), ...old],
    ])

    expect(shown).toEqual([[], ['c', 'd'], []])
  })

  test('shows an entry again at each change of it', async () => {
    const { shown } = await follow([
      [],
      [entry('a', 1)],
      [entry('a', 2), entry('b', 1)],
      [entry('a', 2), entry('b', 1)],
    ])

    expect(shown).toEqual([[], ['a'], ['b', 'a'], []])
  })

  test('shows the first entry of a list that was empty', async () => {
    const { shown } = await follow([[], [entry('a', 1)]])

    expect(shown).toEqual([[], ['a']])
  })

  test('shows an entry that appears after a later one', async () => {
    const { shown } = await follow([
      [entry('a', 1)],
      [entry('c', 30), entry('a', 1)],
      [entry('c', 30), entry('b', 10), entry('a', 1)],
    ])

    expect(shown).toEqual([[], ['c'], ['b']])
  })

  test('begins in the past when told to', async () => {
    const state = [entry('c', 3), entry('b', 2), entry('a', 1)]

    const { shown } = await follow([state, [entry('d', 4), ...state]], { sinceMs: Date.parse(at(2)) })

    expect(shown).toEqual([['b', 'c'], ['d']])
  })

  test('shows an entry that changes again in each of its states', async () => {
    const { shown } = await follow(
      [
        [entry('a', 1, { status: 'accepted' })],
        [entry('a', 1, { status: 'done' })],
        [entry('a', 1, { status: 'done' })],
      ],
      { source: { isChanging: true } },
    )

    expect(shown).toEqual([[], ['a'], []])
  })

  test('says when more is new than is read at a time', async () => {
    const many = Array.from({ length: 600 }, (_, index) => entry(`n${index}`, 59))

    const { shown, warnings } = await follow([[entry('a', 1)], many])

    expect(shown[1]).toHaveLength(500)
    expect(warnings).toEqual(['more things than the 500 newest, which are read at a time: older ones were left out'])
  })

  test('says once when new vouchers take the places of changed ones', async () => {
    const [vouchers] = sourcesFor(['voucher.updated']).polled
    const changed = entry('a', 1, { updated_at: at(30) })
    const made = Array.from({ length: 600 }, (_, index) => entry(`n${index}`, 40, { updated_at: at(40) }))
    const { isNews, happeningOf } = vouchers as Source

    const { shown, warnings } = await follow([[entry('z', 0)], [...made, changed], [...made, changed], [changed]], {
      source: { noun: 'changed vouchers', isNews: isNews as NonNullable<typeof isNews>, happeningOf },
    })

    expect(shown).toEqual([[], [], [], ['a']])
    expect(warnings).toEqual([
      'more changed vouchers than the 500 newest, which are read at a time: older ones were left out',
    ])
  })

  test('catches up after the service was unavailable', async () => {
    const away = new PromoError('network', 'the service cannot be reached')

    const { shown, warnings } = await follow([[entry('a', 1)], away, [entry('c', 3), entry('b', 2), entry('a', 1)]])

    expect(shown).toEqual([[], [], ['b', 'c']])
    expect(warnings).toEqual(['things could not be read: the service cannot be reached; the next look catches up'])
  })

  test('ends with any other error', async () => {
    const refused = new PromoError('auth', 'the service refused the credentials')

    await expect(follow([[], refused, []])).rejects.toThrow('refused the credentials')
  })
})

describe('what polling can see', () => {
  test('is narrowed to the lists that show the named types', () => {
    const { polled, isWanted } = sourcesFor(['redemption.*,customer.created'])

    expect(polled.map(({ noun }) => noun)).toEqual(['redemptions', 'customers'])
    expect(isWanted('redemption.rollback.failed')).toBe(true)
    expect(isWanted('publication.succeeded')).toBe(false)
  })

  test('does not include what no list shows', () => {
    expect(() => sourcesFor(['voucher.deleted'])).toThrow('no list shows "voucher.deleted"')
  })
})
