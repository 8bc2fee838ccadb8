// The files of a job as a kill leaves them, copied elsewhere in part, cut or changed: no event may go out twice.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { jobDesk } from '../support/jobs.ts'
import { forgetBegun, forgetProgress } from '../support/journals.ts'
import { needing } from '../support/programs.ts'
import { type Asked, answer } from '../support/scripted-server.ts'

const desk = jobDesk()
const { promo, input, env, serve } = desk

const total = 60
const events = Array.from({ length: total }, (_, at) =>
  JSON.stringify({ event: 'e', customer: { source_id: `c-${at}` } }),
).join('\n')

const customerOf = ({ body }: Asked): string => JSON.parse(body).customer.source_id
const answerTo = (asked: Asked) =>
  answer(200, { object: 'event', type: 'e', customer: { id: 'x', source_id: customerOf(asked) } })

let source: string
let copied: string
let before: string[]

const send = (journal: string, ...more: string[]) => [
  ...'events send --from'.split(' '),
  source,
  '--journal',
  journal,
  ...'--yes --concurrency 4 --jsonl'.split(' '),
  ...more,
]

/** Copies what a kill at this moment would leave. */
function copyAs(folder: string, names: readonly string[]): void {
  mkdirSync(copied, { recursive: true })
  for (const name of names) if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copied, name))
}

const main = 'job.sqlite'
const all = [main, `${main}-wal`, `${main}-shm`, `${main}-commits`]

beforeEach(() => {
  source = input('events.jsonl', events)
  copied = join(desk.folder, 'copied')
  before = []
})

/** Runs a job, takes the copy when half of its events were sent, and forgets the rest of the run. */
async function copyHalfWay(names: readonly string[]): Promise<void> {
  const folder = join(desk.folder, 'original')
  let isCopied = false
  const server = await serve((asked, index) => {
    if (index === total / 2) {
      copyAs(folder, names)
      isCopied = true
    }
    if (!isCopied) before.push(customerOf(asked))
    return answerTo(asked)
  })
  await promo(send(folder), { env: env() })
  server.asked.length = 0
}

const path = (suffix = '') => join(copied, `${main}${suffix}`)

describe('a journal that was copied during its run', () => {
  test.each([
    ['all of its files', all],
    ['its file and its log', [main, `${main}-wal`]],
    ['its file, its log and its count', [main, `${main}-wal`, `${main}-commits`]],
  ])('is resumed from %s, and no event goes out twice', async (_, names) => {
    await copyHalfWay(names)

    const { exitCode } = await promo(send(copied), { env: env() })

    const after = desk.serverAsked().map(customerOf)
    // Those in flight are unknown.
    expect(exitCode).toBe(6)
    expect(after.length).toBeGreaterThan(total / 4)
    expect(after.filter((customer) => before.includes(customer))).toEqual([])
    expect(new Set([...before, ...after]).size).toBeGreaterThanOrEqual(total - 5)
  })

  test.each<[string, readonly string[], () => void, RegExp]>([
    ['without its log', [main], () => {}, /job\.sqlite-wal, which has its latest records, is missing/],
    [
      'with an empty log',
      [main],
      () => writeFileSync(path('-wal'), '', { mode: 0o600 }),
      /job\.sqlite-wal, which has its latest records, is mi/,
    ],
    ['with a log cut in the middle', all, () => cut(0.5), /the end of job\.sqlite-wal is missing, or was changed/],
    ['with a log whose bytes changed', all, () => flip(0.5), /the end of job\.sqlite-wal is missing, or was changed/],
    ['with its progress removed', [main, `${main}-wal`], () => forgetProgress(path()), /its progress is missing/],
    ['with its progress set back', [main, `${main}-wal`], () => forgetBegun(path()), /were not begun/],
  ])('is refused %s, and nothing is sent', async (_, names, spoil, why) => {
    await copyHalfWay(names)
    spoil()

    const again = await promo(send(copied), { env: env() })
    const resumed = await promo(['jobs', 'resume', copied, '--yes'], { env: env() })
    const shown = await promo(['jobs', 'show', copied])
    const listed = await promo(['jobs', 'list', '--journal', copied, '--csv', '--columns', 'state'])

    expect([again.exitCode, resumed.exitCode, shown.exitCode]).toEqual([9, 9, 9])
    expect(again.stderr).toMatch(why)
    expect(listed.stdout).toBe('state\ndamaged\n')
    expect(desk.serverAsked()).toEqual([])
  })
})

test('a journal that is a pipe is refused, and is not waited for', needing('mkfifo'), async () => {
  mkdirSync(copied)
  execFileSync('mkfifo', [path()])
  await serve([answer(200, {})])

  const again = await promo(send(copied), { env: env() })
  const listed = await promo(['jobs', 'list', '--journal', copied, '--csv', '--columns', 'state'])

  expect(again).toEnd(4, 'is not a file')
  expect(listed.stdout).toBe('state\ndamaged\n')
  expect(desk.serverAsked()).toEqual([])
})

test('rows that wait for their turn are not in flight: after a kill at a slow pace, only few are unknown', async () => {
  const folder = join(desk.folder, 'original')
  await serve((asked, index) => {
    if (index === 2) copyAs(folder, [main, `${main}-wal`])
    return answerTo(asked)
  })
  await promo(
    [...send(folder, '--rate', '20/s').filter((word) => !['--concurrency', '4'].includes(word)), '--concurrency', '64'],
    {
      env: env(),
      onStdout: (_, stop) => existsSync(path()) && stop('SIGINT'),
    },
  )

  const { stdout } = await promo(['jobs', 'show', copied, '--json'])

  // What left within the last moments, instead of all sixty-four.
  expect(JSON.parse(stdout).counts.unknown).toBeLessThanOrEqual(5)
})

function cut(share: number): void {
  truncateSync(path('-wal'), Math.floor(readFileSync(path('-wal')).length * share))
}

function flip(share: number): void {
  const bytes = readFileSync(path('-wal'))
  const at = Math.floor(bytes.length * share)
  bytes[at] = (bytes[at] ?? 0) ^ 0x10
  writeFileSync(path('-wal'), bytes, { mode: 0o600 })
}
