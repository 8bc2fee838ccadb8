// A copy that is pulled through faults and kills. Source: docs/adr/0044-a-copy-of-what-happened.md.
import { expect, test } from 'vitest'
import { sized } from '../support/size.ts'
import { ledgerLoop } from './ledger-loop.ts'

const seed = Number(process.env.FAULT_SEED ?? 49)
const size = sized({ quick: { runs: 2, pulls: 3 }, slow: { runs: 4, pulls: 4 }, full: { runs: 60, pulls: 6 } })

test('a copy equals what the service has, or is said not to, through kills and faults', async () => {
  expect(await ledgerLoop({ ...size, seed })).toEqual([])
})
