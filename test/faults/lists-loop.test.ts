// Lists that end early, and downloads that are none. Source: docs/reliability.md#lists.
import { expect, test } from 'vitest'
import { sized } from '../support/size.ts'
import { downloadsLoop, listsLoop } from './lists-loop.ts'

const seed = Number(process.env.FAULT_SEED ?? 5)
const runs = sized({ quick: 8, full: 300 })

test('a list is complete, each row once, or is said not to be, while rows come and go', async () => {
  expect(await listsLoop({ runs, seed })).toEqual([])
})

test('a download is the promised file, or the old file stays', async () => {
  expect(await downloadsLoop({ runs, seed })).toEqual([])
})
