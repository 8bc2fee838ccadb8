// The data file of the demo project, filled once: that takes eight times as long as to copy it, and a thousand tests begin with
// one. What fills it is tested where it is named, in `promo sandbox` and in the service, whose files are no copies.
import { subscribe } from 'node:diagnostics_channel'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoize } from '../../src/base/memoized.ts'
import { startSandbox } from '../../src/sandbox/embedded.ts'

/** Returns the content of a data file with the demo project, whose clock stands still at this instant; '' is none. */
export const demoFile = memoize(async (at: string) => {
  const file = join(mkdtempSync(join(tmpdir(), 'promo-demo-')), 'sandbox.db')
  await (await startSandbox({ file, port: 0, demo: true, ...(at !== '' && { time: { at } }) })).close()
  return readFileSync(file)
})

const copies = new Map<unknown, Buffer>()

/** Lets the data file of a state folder begin as a copy, once the embedded service creates it. */
export async function beginWithCopy(stateFolder = ''): Promise<void> {
  copies.set(join(stateFolder, 'sandbox.db'), await demoFile(''))
}

subscribe('promo.sandbox.open', (file) => {
  const copy = copies.get(file)
  if (copy !== undefined && statSync(String(file)).size === 0) writeFileSync(String(file), copy)
})
