import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The harness captures streams it passes in; vitest's own interception would swallow what a child prints.
    disableConsoleIntercept: true,
    testTimeout: 20_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
  },
})
