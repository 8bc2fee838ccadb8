import { expect, test } from 'vitest'
import { type AttemptTimes, appliedWindow } from '../../../../src/api/outcome/applied-window.ts'

const wall = Date.UTC(2026, 10, 21, 10, 0, 0, 400)
const times: AttemptTimes = {
  clock: 'other',
  sentWallMs: wall,
  answeredWallMs: wall + 250,
  elapsedMs: 250,
  sinceFirstMs: 0,
  date: 'Sat, 21 Nov 2026 10:00:00 GMT',
  lostBefore: false,
  begunAtMs: undefined,
}
const second = Date.UTC(2026, 10, 21, 10, 0, 0)

test.each([
  ['now', wall],
  ['an hour ahead', wall + 3_600_000],
  ['an hour behind', wall - 3_600_000],
])('the second of the Date header counts, when the clock of this computer shows %s', (_, sentWallMs) => {
  expect(appliedWindow({ ...times, sentWallMs, answeredWallMs: sentWallMs + 250 })).toEqual({
    fromMs: second - 250,
    toMs: second + 999,
    surelyBeforeMs: second - 250 - 60_000,
  })
})

test.each([undefined, '', 'soon', ['a']])('a date of %j tells nothing, also not on this computer', (date) => {
  expect(appliedWindow({ ...times, date })).toBeUndefined()
  expect(appliedWindow({ ...times, date, clock: 'near' })).toBeUndefined()
})

test('an earlier attempt of the same call moves the beginning back', () => {
  expect(appliedWindow({ ...times, sinceFirstMs: 1000.5 })?.fromMs).toBe(second - 1251)
})

test('on this computer both clocks must agree', () => {
  expect(appliedWindow({ ...times, clock: 'near' })).toMatchObject({ fromMs: wall, toMs: wall + 250 })

  const jumped = appliedWindow({
    ...times,
    clock: 'near',
    sentWallMs: wall + 3_600_000,
    answeredWallMs: wall + 3_600_250,
  })
  expect(jumped).toEqual({ fromMs: wall + 3_600_000, toMs: second + 999, surelyBeforeMs: second - 250 - 60_000 })
})

test('the clock of this process leaves no doubt', () => {
  expect(appliedWindow({ ...times, clock: 'ours', date: undefined })).toEqual({
    fromMs: wall,
    toMs: wall + 250,
    surelyBeforeMs: wall,
    isOwn: true,
  })
})

test('after a lost attempt of an earlier process, nothing is surely older than the call', () => {
  expect(appliedWindow({ ...times, lostBefore: true, begunAtMs: wall - 5000 })).toMatchObject({
    fromMs: second - 250,
    surelyBeforeMs: Number.NEGATIVE_INFINITY,
  })
  expect(appliedWindow({ ...times, clock: 'ours', lostBefore: true, begunAtMs: wall - 5000 })).toMatchObject({
    fromMs: wall - 5000,
    surelyBeforeMs: wall - 5000,
  })
})
