import { expect, test } from 'vitest'
import { parseRate } from '../../../src/api/pacing/rate.ts'
import { callLimit } from '../../../src/cli/flags/values.ts'
import { profileFrom } from '../../../src/profiles/profile.ts'

const stored = (rate: string) =>
  profileFrom('live', { region: 'eu', protected: false, secrets_in: 'file', rate }, (name, reason) => {
    throw new Error(`${name} ${reason}`)
  }).rate

test.each(['10/s', '600/m', '5000/h', '5000000/h'])('%s is a rate wherever one is given', (text) => {
  const { requests, perMs } = parseRate(text)

  expect(callLimit(text)).toEqual({ calls: requests, periodMs: perMs })
  expect(stored(text)).toBe(text)
})

test('half a request a second is a rate, but no limit of calls', () => {
  expect([parseRate('0.5/s').requests, stored('0.5/s')]).toEqual([0.5, '0.5/s'])
  expect(() => callLimit('0.5/s')).toThrow('is not a limit of calls; write it like 10/s, 600/m or 5000/h')
})

test.each(['fast', '0/s', '10/d', '1e3/s'])('%s is no rate anywhere', (text) => {
  const form = /like 10\/s, 600\/m or 5000\/h/

  for (const read of [parseRate, callLimit, stored]) expect(() => read(text)).toThrow(form)
})
