// No test passes because the machine is fast: a clock is passed in, and what has to happen first is waited for.
import { expect, test } from 'vitest'
import { sourceFiles } from './support/source-files.ts'

/** What reads a real clock, waits for a guessed time, or gives up before the test does. */
const patterns = {
  'performance.now()': /\bperformance\.now\(/,
  'a difference of Date.now()': /Date\.now\(\) *-|- *Date\.now\(\)/,
  hrtime: /\bhrtime\b/,
  'a wait of a fixed time': /\bsetTimeout\(|setTimeout as|(?<!clock\.)\bsleep\(\d/,
  'a request that has less time than a busy machine may take':
    /\btimeoutMs(?:: | = )(?:\d{1,4}|[12]?\d{1,2}_\d{3})\b(?!_)/,
  'a wait with a limit of its own': /\bexpect\.poll\(|\bvi\.waitFor\(|\bvi\.waitUntil\(/,
  'a test or a client with less time than others':
    /\b(?:timeout|headersTimeout|bodyTimeout): (?:\d{1,3}|[12]?\d{1,2}_\d{3})\b(?!_)|^ *(?:\}, |sized\(\{ quick: )[12]?\d{1,2}_000\b(?!_)/m,
}

/** Where one stands nevertheless, and why no result depends on the speed of the machine. */
const allowed: Record<string, string> = {
  'test/faults/fault-server.ts': 'plays a service that is away for a time',
  'test/faults/faulty-answer.ts': 'plays a service that answers late',
  'test/faults/crash-loop.ts': 'kills after random times, and prints how long the loop took',
  'test/faults/seeded/bulk/journal/journal.ts': 'a bug: writes too late',
  'test/faults/pairs-loop.test.ts': 'starts the second command after random times',
  'test/commands/bulk.test.ts': 'plays a service that is away for a time, or answers late',
  'test/commands/exit-codes.test.ts': 'plays a service that answers late',
  'test/commands/ledger-pull.test.ts': 'lets a lock go after a time: on a slow machine it is only held longer',
  'test/unit/api/request/transport.test.ts': 'plays a service that answers late, and moves the clock itself',
  'test/commands/shards.test.ts': 'a lower bound: a slow machine only adds to the time between two requests',
  'test/e2e/launcher-signals.test.ts': 'plays a service that answers late: a slow machine only lets fewer rows through',
  'test/e2e/named-paths.test.ts': 'changes the clock of the program that it starts',
  'test/tasks/tasks.ts': 'a clock that goes on: on a slow machine what waits has waited long enough earlier',
  'test/support/eventually.ts': 'looks again after a pause, without a limit',
  'test/unit/sandbox/http/serve.test.ts': 'a server that gives up: a slow machine only makes it later',
  'test/support/completion.ts': 'ends a shell that hangs, long after it should have answered',
}

const files = sourceFiles('test').filter(({ path }) => path !== 'test/clocks.test.ts')
const found = files.flatMap(({ path, text }) =>
  Object.entries(patterns)
    .filter(([, pattern]) => pattern.test(text))
    .map(([what]) => ({ path, what })),
)

test('no test reads a real clock or guesses how long something takes', () => {
  expect(found.filter(({ path }) => !(path in allowed)).map(({ path, what }) => `${path}: ${what}`)).toEqual([])
})

test('every exception is still one', () => {
  expect(Object.keys(allowed).filter((path) => !found.some((one) => one.path === path))).toEqual([])
})
