// Tests that `--rate` is a ceiling: no second has more, from the first request on. The real bin sends real requests; only
// the limiter's clock is injected. Source: docs/bulk.md#speed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sized } from '../support/size.ts'
import { pacedLoop } from './rate-loop.ts'
import { type Build, buildWithSeams } from './seeded-build.ts'

const seconds = sized({ quick: 3, full: 20 })

let build: Build
beforeAll(async () => {
  build = await buildWithSeams()
})
afterAll(() => build[Symbol.dispose]())

test.concurrent.for([
  { rate: '7/s', shards: 1, most: 7 },
  { rate: '120/m', shards: 1, most: 2 },
  { rate: '100/s', shards: 1, most: 100 },
  { rate: '7/s', shards: 3, most: 7 },
  { rate: '2/s', shards: 3, most: 2 },
])('at $rate in $shards processes no second has more than $most requests', async ({ most, ...loop }, { expect }) => {
  const rows = most * seconds
  const { mostInASecond, ...rest } = await pacedLoop({ rows, bin: build.bin, ...loop })

  expect(rest).toEqual({ exitCodes: Array(loop.shards).fill(0), effects: rows, departures: rows })
  expect(mostInASecond).toBe(most)
})

test('notices a ceiling that is one request too high', async () => {
  const loop = { rows: 24, rate: '7/s', shards: 1, bin: build.bin }
  const { mostInASecond } = await pacedLoop({ ...loop, bug: 'one request a second too many' })

  expect(mostInASecond).toBe(8)
})
