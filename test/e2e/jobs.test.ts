// Jobs of the real bin whose process is killed: what remains on disk, and how they are resumed.
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ended, runPromo, runShell, startPromo } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

const rows = 80
let folder: string
let codes: string

beforeEach(() => {
  folder = temporaryFolder()
  codes = join(folder, 'codes.csv')
  const lines = readFileSync(join(root, 'examples/leaked-codes.csv'), 'utf8').split('\n')
  writeFileSync(codes, `${lines.slice(0, rows + 1).join('\n')}\n`)
})

interface Listed {
  id: string
  state: string
  why: string
  done: number
  pid: number | null
}

async function jobs(): Promise<Listed[]> {
  return JSON.parse((await runPromo(['jobs', 'list', '--json'], folder)).stdout)
}

async function jobThat(is: (job: Listed) => boolean): Promise<Listed> {
  return (await eventually(async () => (await jobs()).find(is))) as Listed
}

test('a job whose process is killed is stopped, and resumed by its id with every row sent', async () => {
  const child = startPromo(
    ['vouchers', 'disable', '--from', codes, '--yes', '--rate', '2/s', '--profile', 'sandbox'],
    folder,
  )
  const end = ended(child)
  const running = await jobThat(({ state, done }) => state === 'running' && done > 0)
  const twice = await runPromo(['jobs', 'resume', running.id, '--yes'], folder)
  child.kill('SIGKILL')
  await end

  const stopped = await jobs()
  const resumed = await runPromo(['jobs', 'resume', running.id, '--yes', '--rate', '1000/s'], folder)
  const report = await runPromo(['jobs', 'report', running.id, '--csv', '--columns', 'code,promo_state'], folder)

  expect(running.pid).toBe(child.pid)
  expect(twice.exitCode).toBe(8)
  expect(twice.stderr).toContain(`held by process ${child.pid}`)
  expect(stopped).toMatchObject([{ id: running.id, state: 'stopped', why: 'its process was killed', pid: null }])
  expect(stopped[0]?.done).toBeLessThan(rows)
  expect(resumed.exitCode).toBe(0)
  expect(resumed.stderr).not.toContain('Warning')
  expect(report.stdout.match(/,ok$/gm)).toHaveLength(rows)
  expect(await jobs()).toMatchObject([{ state: 'finished', done: rows }])
})

test('a process that is killed while it reads its input leaves a draft, which is not a job and is removed', async () => {
  const dir = join(folder, 'state/jobs')
  const child = startPromo(['vouchers', 'disable', '--from', '-', '--yes', '--profile', 'sandbox'], folder)
  const killed = once(child, 'close')
  child.stdin.write(readFileSync(codes))
  await eventually(() => existsSync(dir) && readdirSync(dir).length > 0)
  child.kill('SIGKILL')
  await killed

  const left = readdirSync(dir)
  const listed = await jobs()
  const early = await runPromo(['jobs', 'prune', '--yes', '--json'], folder)
  for (const name of left) utimesSync(join(dir, name), 1, 1)
  const pruned = await runPromo(['jobs', 'prune', '--yes', '--csv', '--columns', 'kind'], folder)

  expect(left).toEqual([expect.stringMatching(/^draft-[0-9a-f]{12}\.sqlite$/)])
  expect(listed).toEqual([])
  expect(early.stdout).toBe('[]\n')
  expect(pruned.stdout).toBe('kind\ndraft\n')
  expect(readdirSync(dir)).toEqual([])
})

test.each([
  ['its tables', 12],
  ['its rows', 60],
])(
  'a disk that is full before a draft has %s ends promo with exit 10, and no draft remains',
  needing('bash'),
  async (_, limitKiB) => {
    const command = 'vouchers disable --from examples/leaked-codes.csv --yes --profile sandbox'

    const { exitCode, stderr } = await runShell(`ulimit -f ${limitKiB}; promo ${command}`, folder)

    expect(exitCode).toBe(10)
    expect(stderr).toContain(
      'promo: the rows cannot be kept in the state folder: the disk reports an error, or takes no larger',
    )
    expect(stderr).toContain('\ntry: allow larger files (ulimit -f), free some space')
    expect(readdirSync(join(folder, 'state/jobs')).filter((name) => !name.endsWith('.lock'))).toEqual([])
  },
)

/**
 * Whether promo has begun to listen for signals; what prints nothing while it starts shows it nowhere else. Node catches SIGINT from its
 * beginning, to put the terminal right, and SIGHUP only for promo, which asks for it after the others.
 */
function listensForSignals(pid: number | undefined): boolean {
  const [, caught = ''] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (BigInt(`0x${caught}`) & (1n << BigInt(constants.signals.SIGHUP - 1))) !== 0n
}

test('a job is shown while it runs, and following it does not stop it', async () => {
  const child = startPromo(
    ['vouchers', 'disable', '--from', codes, '--yes', '--rate', '10/s', '--profile', 'sandbox'],
    folder,
  )
  const end = ended(child)
  const { id } = await jobThat(({ state, done }) => state === 'running' && done > 0)
  const follower = startPromo(['jobs', 'show', id, '--follow'], folder)
  const left = ended(follower)
  const watcher = runPromo(['jobs', 'show', id, '--follow', '--json', '--query', '[state, done]'], folder)
  await jobThat(({ done }) => done > 2)
  await eventually(() => listensForSignals(follower.pid))
  follower.kill('SIGINT')

  expect((await left).exitCode).toBe(130)
  expect((await end).exitCode).toBe(0)
  expect(JSON.parse((await watcher).stdout)).toEqual(['finished', rows])
})
