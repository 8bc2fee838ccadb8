import { configDefaults, defineConfig } from 'vitest/config'

// These fill every core for a minute or more: they come last, one file at a time, so that no other test starves.
const loops = ['test/faults/*-loop.test.ts']

export default defineConfig({
  test: {
    // The harness captures streams it passes in; vitest's own interception would swallow what a child prints.
    disableConsoleIntercept: true,
    testTimeout: 20_000,
    // One core for each file under test: vitest would leave one idle, which is half of a small machine.
    maxWorkers: '100%',
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
    projects: [
      {
        extends: true,
        test: { name: 'tests', include: ['test/**/*.test.ts'], exclude: [...configDefaults.exclude, ...loops] },
      },
      {
        extends: true,
        test: { name: 'loops', include: loops, sequence: { groupOrder: 1 }, fileParallelism: false },
      },
    ],
  },
})
