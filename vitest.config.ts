import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { mutantPlugin } from './test/support/mutant-plugin.ts'
import skippedReporter from './test/support/skipped-reporter.ts'
import { SlowestFirst } from './test/support/slowest-first.ts'

// What only a process shows: these start the real bin, and measure it.
const processes = ['test/e2e/*.test.ts', 'test/faults/*.test.ts']

// These start many processes each: they come last, two files at a time, so that no other test starves.
const loops = ['test/faults/*-loop.test.ts']

// What a change to a command does not break: packages, Windows, signals, several processes at once, a day of work, the
// generated client, how the launcher starts, the order of syncs, a full disk, attacks, completion in three shells, what reads the
// manual pages, assistants that write.
const slow = [
  'contract/generated-client',
  'e2e/completion',
  'e2e/desk',
  'e2e/history',
  'e2e/hostile-terminal',
  'e2e/in-code',
  'e2e/jobs',
  'e2e/launcher',
  'e2e/launcher-signals',
  'e2e/ledger-repair',
  'e2e/man',
  'e2e/mcp-attacks',
  'e2e/mcp-writes',
  'e2e/new-endpoint',
  'e2e/package',
  'e2e/parallel',
  'e2e/redemptions-race',
  'e2e/sandbox-copies',
  'e2e/sandbox-crash',
  'e2e/secrets',
  'e2e/two-hosts',
  'e2e/windows',
  'faults/fsync-order',
  'faults/retry-table',
].map((name) => `test/${name}.test.ts`)

// Nor these: which command lines are the same job, who may read what promo keeps, copies of projects, each member of a project's
// files, nights in which `config apply` is lost at each call, filters of every kind and size, damaged workbooks.
const late = [
  'commands/config-keys',
  'commands/config-members',
  'commands/config-nights',
  'commands/jobs-identity',
  'commands/private-state',
  'commands/sandbox-copy',
  'fuzz/workbook',
  'unit/profiles/keyring',
  'unit/sandbox/resources/large-filters',
].map((name) => `test/${name}.test.ts`)

// Those that do more in `npm run test:slow`.
const sized = globSync('test/**/*.test.ts').filter((path) =>
  /(?:\/support\/(?:size|fuzz)|\/tasks)\.ts'/.test(readFileSync(path, 'utf8')),
)

// Tests wait a quarter of their time: for processes, for a clock, for a pipe.
const oneMoreThanCores = availableParallelism() + 1

// No result depends on what a module keeps, so files may share them: loading them for each file was a third of the time.
const together = {
  isolate: false,
  maxWorkers: oneMoreThanCores,
  setupFiles: ['test/support/strict-answers-setup.ts', 'test/support/ends.ts'],
}

export default defineConfig({
  plugins: mutantPlugin(),
  test: {
    // The harness captures streams it passes in; vitest's own interception would swallow what a child prints.
    disableConsoleIntercept: true,
    // Other work on the machine must not fail a test; those that stand still are few.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Tests throw away most of what they make: with the usual 16 MB an eighth of their time was collecting it.
    execArgv: ['--max-semi-space-size=64'],
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
    // A transformed module is kept by its content: a mutant must neither be read from there nor kept.
    fsModuleCache: process.env.MUTANT === undefined,
    globalSetup: 'test/support/temporary.ts',
    reporters: ['default', skippedReporter],
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...processes, ...slow, ...late],
          ...together,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: processes,
          exclude: [...configDefaults.exclude, ...loops, ...slow],
          // They wait more than they work.
          maxWorkers: oneMoreThanCores + 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'walks',
          include: [...new Set([...sized, ...late])],
          exclude: processes,
          sequence: { groupOrder: 2 },
          ...together,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: [...new Set([...slow, ...sized.filter((path) => /^test.(?:e2e|faults)/.test(path))])],
          exclude: loops,
          sequence: { groupOrder: 3 },
          maxWorkers: oneMoreThanCores,
        },
      },
      {
        extends: true,
        test: {
          name: 'loops',
          include: loops,
          sequence: { groupOrder: 4 },
          maxWorkers: 2,
          // Hundreds of processes each: how long they take depends on what else the machine does.
          testTimeout: 3_600_000,
        },
      },
    ],
  },
})
