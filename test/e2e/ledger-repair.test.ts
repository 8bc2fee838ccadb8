// A thousand redemptions whose payment failed: the file of `ledger reconcile` is rolled back by the real bin, which is killed
// and resumed, and then nothing is left to find.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/embedded.ts'
import { ended, runPromo, startPromo } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { failedProject } from '../support/planted-orders.ts'
import { temporaryFolder } from '../support/promo.ts'

const count = 1000

test('a rollback of a thousand redemptions is killed and resumed, and the next run finds nothing', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'state'), { mode: 0o700 })
  // By the computer's time: the real bin has no other.
  const { fixture, csv } = failedProject(count, Date.now())
  const file = join(folder, 'state', 'sandbox.db')
  await (await startSandbox({ file, port: 0, demo: false, fixture })).close()
  const [orders, fixes] = [join(folder, 'orders.csv'), join(folder, 'rollback.csv')]
  writeFileSync(orders, csv)
  const run = (...argv: string[]) => runPromo([...argv, '--profile', 'sandbox'], folder)
  const reconcile = ['ledger', 'reconcile', orders, '--amounts-in', 'EUR']

  await run('ledger', 'pull')
  const found = await run(...reconcile, '--fix', 'rollback', '--out', fixes)
  const child = startPromo(
    ['redemptions', 'rollback', '--from', fixes, '--yes', '--rate', '50/s', '--profile', 'sandbox'],
    folder,
  )
  const end = ended(child)
  const job = await eventually(async () => {
    const jobs = JSON.parse((await runPromo(['jobs', 'list', '--json'], folder)).stdout) as {
      id: string
      done: number
    }[]
    return jobs.find(({ done }) => done > 0)
  })
  child.kill('SIGKILL')
  await end
  const resumed = await runPromo(['jobs', 'resume', String(job?.id), '--yes', '--rate', '1000/s'], folder)
  await run('ledger', 'pull')
  const again = await run(...reconcile, '--json')

  expect([found.exitCode, found.stderr]).toEqual([12, expect.stringContaining('to roll back 1,000: ')])
  expect(job?.done).toBeLessThan(count)
  expect([resumed.exitCode, resumed.stderr]).toEqual([0, expect.any(String)])
  expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([0, []])
})
