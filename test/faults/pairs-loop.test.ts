// Two commands about one job at the same time, in two processes: whichever comes first, nothing is lost, doubled or falsely
// reported. Source: docs/reliability.md#fault-matrix, F-70.
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runPromo } from '../support/child.ts'
import { sized } from '../support/size.ts'
import { randomFrom } from './fault-plan.ts'
import { ended, type Job, prepareJob } from './job.ts'
import { judgeUndo } from './oracle.ts'

const { times, rows } = sized({ quick: { times: 1, rows: 16 }, full: { times: 10, rows: 60 } })

const keys = Array.from({ length: rows }, (_, at) => `OLD-${at + 1}`)
const expected = { keys, wasOff: keys.filter((_, at) => (at + 1) % 10 === 0) }

const commands = {
  resume: (id: string) => ['resume', id, '--yes', '--quiet'],
  retry: (id: string) => ['retry', id, '--only', 'failed', '--yes', '--quiet'],
  undo: (id: string) => ['undo', id, '--yes', '--quiet'],
  prune: () => ['prune', '--older-than', '0s', '--unfinished', '--yes', '--quiet'],
  report: (id: string) => ['report', id, '--csv'],
  discard: (id: string) => ['discard', id, '--yes', '--quiet'],
}
type Name = keyof typeof commands

const names = Object.keys(commands) as Name[]
const pairs = names.flatMap((one, at) => names.slice(at).map((other) => [one, other] as const))

test.concurrent.each(pairs)('%s and %s of one job', async (one, other) => {
  for (let time = 0; time < times; time += 1) {
    const random = randomFrom(time * pairs.length + pairs.findIndex(([a, b]) => a === one && b === other))
    await using made = await prepareJob({ rowClass: 'disable', rows, concurrency: 2 })
    const id = await stoppedJob(made)

    const first = ended(made.promo(['jobs', ...commands[one](id)]))
    // Not to wait for anything: a little later, so that the second meets the first in all of its steps.
    await sleep(random() * 200)
    const second = ended(made.promo(['jobs', ...commands[other](id)]))
    const ends = [await first, await second].map(({ exitCode, stderr }, at) => ({
      name: [one, other][at] as Name,
      exitCode,
      stderr,
    }))

    await judgePair(made, id, ends, `time ${time}`)
  }
})

interface End {
  name: Name
  exitCode: number | null
  stderr: string
}

/** The rows of the input that no voucher has: the first of them stops the job, and a retry sends both again. */
const missing = ['NONE-1', 'NONE-2']

/** Makes a job that stopped halfway. */
async function stoppedJob(made: Job): Promise<string> {
  const half = rows / 2
  const lines = ['code', ...keys.slice(0, half), missing[0], ...keys.slice(half), missing[1]]
  writeFileSync(made.input, `${lines.join('\n')}\n`)
  const { exitCode, stderr } = await ended(
    made.promo(
      `vouchers disable --from ${made.input} --yes --quiet --max-errors 0 --concurrency 1 --prove-change`.split(' '),
    ),
  )
  expect(exitCode, stderr).toBe(7)
  const [job] = await listed(made)
  return job?.id ?? ''
}

async function judgePair(made: Job, id: string, ends: readonly End[], when: string): Promise<void> {
  const said = [when, ...ends.map(({ name, exitCode, stderr }) => `${name}: ${exitCode}\n${stderr}`)].join('\n')
  // 2 and 9: the other removed the job, or undid it. 3: the missing rows. 8: the other has it.
  for (const { exitCode } of ends) expect([0, 2, 3, 8, 9], said).toContain(exitCode)
  const jobs = await listed(made)
  expect(
    jobs.filter(({ state }) => state === 'damaged' || state === 'running'),
    said,
  ).toEqual([])
  expect(jobs.filter(({ undoes }) => undoes === id).length, said).toBeLessThanOrEqual(1)

  const job = jobs.find((one) => one.id === id)
  if (job?.state === 'undone') {
    const again = await ended(made.promo(['jobs', 'undo', id, '--yes', '--quiet']))
    expect(again.exitCode, `${said}\n${again.stderr}`).toBe(0)
    const { wronglyOn, silentlyOff } = judgeUndo({ ...expected, ledger: made.ledger(), leftAlone: 0, unsure: [] })
    expect({ wronglyOn, silentlyOff }, said).toEqual({ wronglyOn: [], silentlyOff: [] })
  } else if (job !== undefined) {
    const rest = await ended(made.promo(['jobs', 'resume', id, '--yes', '--quiet']))
    expect(rest.exitCode, `${said}\n${rest.stderr}`).toBe(3)
    expect(off(made).toSorted(), said).toEqual(expected.keys.toSorted())
    const { stdout } = await runPromo(['jobs', 'report', id, '--csv', '--columns', 'promo_state'], made.folder)
    expect(stdout.match(/^ok$/gm)?.length, said).toBe(rows)
  }
  const counts = Map.groupBy(made.ledger(), ({ key, effect }) => `${key} ${effect}`)
  const twice = [...counts].filter(([what, { length }]) => length > 1 && !what.endsWith('off already'))
  expect(twice, said).toEqual([])
}

/** The vouchers that were reached. */
function off(made: Job): string[] {
  const reached = made.ledger().filter(({ effect }) => effect === 'disabled' || effect === 'off already')
  return [...new Set(reached.map(({ key }) => key))]
}

interface Listed {
  id: string
  state: string
  undoes: string | null
}

async function listed(made: Job): Promise<Listed[]> {
  return JSON.parse((await runPromo(['jobs', 'list', '--json'], made.folder)).stdout)
}
