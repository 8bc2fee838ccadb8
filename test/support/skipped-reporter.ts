// Ends a test run with one line about the tests that were skipped because a program is missing.
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { type Program, skippedLine } from './programs.ts'

/** The reporter, for vitest.config.ts. */
export default {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests('skipped')])
    const line = skippedLine(tests.map(lackedBy).filter((programs) => programs.length > 0))
    // After the summary, which vitest's own reporter writes at the same event.
    if (line !== undefined) setImmediate(() => process.stdout.write(`${line}\n`))
  },
} satisfies Reporter

function lackedBy(task: TestCase | TestSuite | TestModule): readonly Program[] {
  const { lacks = [] } = task.meta()
  return lacks.length > 0 || task.type === 'module' ? lacks : lackedBy(task.parent)
}
