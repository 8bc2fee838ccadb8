// Every end of a call, and everything that a look may find afterwards: one outcome each, written by hand.
import { expect, test } from 'vitest'
import { CallError } from '../../../src/api/outcome/call-error.ts'
import { EXIT, PromoError } from '../../../src/errors.ts'
import { judge, type Seen, type Sent } from '../../../src/writes/judge.ts'

const failedCall = (phase: 'rejected' | 'ambiguous' | 'not_sent', status?: number, endsRun = false) =>
  new CallError('api', EXIT.refused, 'failed', { phase, attempts: 2, status, endsRun }, {})

const sent = {
  confirmed: { how: 'confirmed', attempts: 1 },
  taken: { how: 'taken', attempts: 2 },
  refused: { how: 'refused', error: failedCall('rejected', 400) },
  'taken by another': { how: 'refused', error: failedCall('rejected', 409) },
  'refused after a loss': { how: 'refused', error: failedCall('ambiguous', 400) },
  held: { how: 'held', error: failedCall('not_sent') },
  lost: { how: 'lost', error: failedCall('ambiguous', 504) },
  stopped: { how: 'stopped', error: failedCall('not_sent') },
  'stopped after a loss': { how: 'stopped', error: failedCall('ambiguous') },
  'nothing sent': { how: 'earlier', was: 'none' },
  'made earlier': { how: 'earlier', was: 'known' },
  'lost earlier': { how: 'earlier', was: 'lost' },
} as const satisfies Record<string, Sent>

const seen = {
  unasked: { is: 'unasked' },
  'as-asked': { is: 'as-asked' },
  otherwise: { is: 'otherwise', why: 'why' },
  absent: { is: 'absent', why: 'why' },
  several: { is: 'several', why: 'why' },
  unread: { is: 'unread', error: new PromoError('auth', 'no') },
} as const satisfies Record<string, Seen>

// In the order of `seen`; after a slash, that of a call which counts twice.
const table: Record<keyof typeof sent, string> = {
  confirmed: 'ok ok failed unknown unknown unknown',
  taken: 'ok_inferred ok_inferred unknown unknown unknown unknown',
  refused: 'failed failed failed failed failed failed',
  'taken by another': 'conflict/failed conflict/failed conflict/failed conflict/failed conflict/failed conflict/failed',
  'refused after a loss': 'unknown ok_inferred unknown failed unknown unknown',
  held: 'exhausted exhausted exhausted exhausted exhausted exhausted',
  lost: 'unknown ok_inferred unknown unknown unknown unknown',
  stopped: 'pending pending pending pending pending pending',
  'stopped after a loss':
    'pending/unknown pending/unknown pending/unknown pending/unknown pending/unknown pending/unknown',
  'nothing sent': 'unknown ok failed failed failed exhausted',
  'made earlier': 'unknown ok failed unknown unknown unknown',
  'lost earlier': 'unknown ok_inferred unknown unknown unknown unknown',
}

const cells = Object.entries(table).flatMap(([how, states]) =>
  states
    .split(' ')
    .map((state, at) => [how, Object.keys(seen)[at], state] as [keyof typeof sent, keyof typeof seen, string]),
)

test.each(cells)('%s, and a look that finds %s: %s', (how, is, expected) => {
  const [repeatable, twice = repeatable] = expected.split('/')
  const lost = how === 'lost earlier'

  const states = (['key', 'once'] as const).map((repeat) => judge(sent[how], seen[is], { repeat, lost }))

  expect(states.map(({ state }) => state)).toEqual([repeatable, twice])
  // Only what is certain is no doubt any more.
  for (const result of states) {
    const isDoubtful = result.state === 'unknown' || (result.state === 'pending' && how === 'stopped after a loss')
    expect([how, is, result.lost ?? false]).toEqual([how, is, isDoubtful])
    if (result.state === 'failed' || result.state === 'unknown') expect(result.error?.message).not.toBe('')
  }
})

test('no state but ok and ok_inferred says whether anything changed, and ids are kept whatever the state', () => {
  const results = { id: 'val_1' }
  for (const [how, one] of Object.entries(sent)) {
    for (const [is, found] of Object.entries(seen)) {
      const { state, changed, ...rest } = judge(one, { ...found, ...(is !== 'unasked' && { results }) } as Seen, {
        repeat: 'key',
        lost: false,
      })
      expect([how, is, changed !== undefined && state !== 'ok']).toEqual([how, is, false])
      if (is !== 'unasked') expect([how, is, rest.results]).toEqual([how, is, results])
    }
  }
})
