// The order of the test files. A new checkout knows no durations, and vitest would begin with the largest files: a slow one
// that is small came last, and one core had nothing to do for most of a minute.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from './source-files.ts'

/** The files that take longest, in each project the slowest first. */
const slowest = [
  'test/commands/formats.test.ts',
  'test/sessions.test.ts',
  'test/docs.test.ts',
  'test/commands/config.test.ts',
  'test/commands/columns.test.ts',
  'test/tasks/operators.test.ts',
  'test/tasks/support.test.ts',
  'test/commands/vouchers.test.ts',
  'test/commands/hostile-answers.test.ts',
  'test/commands/next-steps.test.ts',
  'test/commands/vouchers-disable.test.ts',
  'test/commands/jobs-resume.test.ts',
  'test/commands/jobs-undo-proof.test.ts',
  'test/commands/private-state.test.ts',
  'test/commands/config-keys.test.ts',
  'test/commands/sandbox-copy.test.ts',
  'test/commands/every-command.test.ts',
  'test/commands/formats-declared.test.ts',
  'test/commands/jobs-identity.test.ts',
  'test/commands/bad-input.test.ts',
  'test/commands/hostile-questions.test.ts',
  'test/commands/config-nights.test.ts',
  'test/commands/questions.test.ts',
  'test/commands/chosen-rows.test.ts',
  'test/commands/named-paths.test.ts',
  'test/commands/declared-calls.test.ts',
  'test/commands/config-members.test.ts',
  'test/commands/bulk.test.ts',
  'test/unit/api/incomplete-lists.test.ts',
  'test/unit/sandbox/resources/large-filters.test.ts',
  'test/bulk-docs.test.ts',
  'test/commands/discovery.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/launcher.test.ts',
  'test/e2e/mcp-attacks.test.ts',
  'test/faults/retry-table.test.ts',
  'test/e2e/windows.test.ts',
  'test/e2e/launcher-signals.test.ts',
  'test/e2e/desk.test.ts',
  'test/e2e/bulk-commands.test.ts',
  'test/faults/fsync-order.test.ts',
  'test/e2e/parallel.test.ts',
  'test/e2e/completion.test.ts',
  'test/e2e/jobs.test.ts',
  'test/faults/crash-loop.test.ts',
  'test/faults/seeded-bugs-loop.test.ts',
  'test/faults/config-loop.test.ts',
  'test/faults/outage-loop.test.ts',
  'test/faults/pairs-loop.test.ts',
].map((path) => join(root, path))

const missing = slowest.filter((path) => !existsSync(path))
if (missing.length > 0)
  throw new Error(`test/support/slowest-first.ts names files that do not exist: ${missing.join(', ')}`)

/** Begins each project with its slowest files. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = Map.groupBy(sorted, ({ project }) => project.name)
    return [...projects.values()].flatMap((own) => own.toSorted((one, other) => placeOf(one) - placeOf(other)))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const at = slowest.indexOf(moduleId)
  return at === -1 ? slowest.length : at
}
