import { expect, test } from 'vitest'
import { serviceTimeAtSend } from '../../../src/api/attempt.ts'

const sent = { isThisComputer: false, wallMs: 5_000_000, elapsedMs: 250, date: 'Sat, 21 Nov 2026 10:00:00 GMT' }

test("a service on this computer has this computer's clock", () => {
  expect(serviceTimeAtSend({ ...sent, isThisComputer: true })).toBe(5_000_000)
})

test('the time of any other service is the date of its answer, whatever the local clock shows', () => {
  expect(serviceTimeAtSend(sent)).toBe(Date.UTC(2026, 10, 21, 9, 59, 59, 750))
})

test.each([undefined, '', 'soon', ['a']])('a date of %j is of no use', (date) => {
  expect(serviceTimeAtSend({ ...sent, date })).toBeUndefined()
})
