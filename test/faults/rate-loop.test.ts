// Tests that `--rate` is a ceiling: no second sees more, from the first request on. Source: docs/bulk.md#speed.
import { test } from 'vitest'
import { pacedLoop } from './rate-loop.ts'
import { sized } from './size.ts'

const seconds = sized({ quick: 3, full: 20 })

test.concurrent.for([
  { rate: '7/s', shards: 1, most: 7 },
  { rate: '120/m', shards: 1, most: 2 },
  { rate: '100/s', shards: 1, most: 100 },
  { rate: '7/s', shards: 3, most: 7 },
  { rate: '2/s', shards: 3, most: 2 },
])(
  'at $rate in $shards processes no second has more than $most requests',
  { timeout: 120_000 },
  async ({ most, ...loop }, { expect, skip }) => {
    const rows = most * seconds
    const { exitCodes, effects, mostInASecond, lateMs } = await pacedLoop({ rows, ...loop })

    expect({ exitCodes, effects }).toEqual({ exitCodes: Array(loop.shards).fill(0), effects: rows })
    skip(lateMs > 100, 'this machine is too busy to see when requests arrive')
    expect(mostInASecond).toBeLessThanOrEqual(most)
  },
)
