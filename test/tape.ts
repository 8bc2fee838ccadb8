// `npm run tape -- record FILE` writes down what the command lines of tests, tasks and documents send and print; `compare FILE`
// does it again and shows what differs. For changes that leave behaviour as it is.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Every command line of every command, the tasks, the documents, and what the commands that write do with each answer. */
const defaultFiles = [
  'tasks',
  'sessions.test.ts',
  'docs.test.ts',
  'bulk-docs.test.ts',
  'commands/api.test.ts',
  'commands/background-jobs.test.ts',
  'commands/balances.test.ts',
  'commands/bulk.test.ts',
  'commands/campaigns.test.ts',
  'commands/config.test.ts',
  'commands/customers.test.ts',
  'commands/declared-calls.test.ts',
  'commands/every-command.test.ts',
  'commands/exports.test.ts',
  'commands/history-undo.test.ts',
  'commands/inferences.test.ts',
  'commands/jobs-',
  'commands/loyalty',
  'commands/projects-create.test.ts',
  'commands/questions.test.ts',
  'commands/read-first.test.ts',
  'commands/redemptions.test.ts',
  'commands/referrals.test.ts',
  'commands/refusals.test.ts',
  'commands/templates.test.ts',
  'commands/vouchers-',
  'commands/webhooks.test.ts',
].map((name) => `test/${name}`)

const [act, file, ...only] = process.argv.slice(2)
if ((act !== 'record' && act !== 'compare') || file === undefined) {
  throw new Error('usage: npm run tape -- record|compare FILE [TEST FILE...]')
}

const once = make()
if (act === 'record') {
  // What two recordings of the same promo do not share depends on chance.
  const chance = new Set(without(once, make()))
  const recorded = once.filter((line) => !chance.has(line)).toSorted()
  writeFileSync(file, `${recorded.join('\n')}\n`)
  console.log(`${recorded.length} command lines recorded, ${once.length - recorded.length} left out`)
} else compare(readFileSync(file, 'utf8').trimEnd().split('\n'), once)

/** Runs the tests and returns a line of JSON for each command line in them. */
function make(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'promo-tape-'))
  try {
    const files = only.length > 0 ? only : defaultFiles
    const args = ['run', '--project', 'tests', '--maxWorkers', '2', '--reporter', 'dot', ...files]
    const { status } = spawnSync('vitest', args, {
      env: { ...process.env, TAPE: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) console.error('tests failed: the tape has what they ran')
    return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Prints the lines of a recording that are not made any more, and what their command lines do instead. */
function compare(before: readonly string[], after: readonly string[]): void {
  const gone = without(before, after)
  const titleOf = (line: string) => line.slice(0, line.indexOf('","exitCode"'))
  const titles = new Set(gone.map(titleOf))
  const come = without(after, before).filter((line) => titles.has(titleOf(line)))
  const all = [...gone.map((line) => ['-', line]), ...come.map((line) => ['+', line])]
  for (const [mark, line] of all.toSorted(([, a = ''], [, b = '']) => (a < b ? -1 : 1))) console.log(`${mark} ${line}`)
  console.log(`${before.length - gone.length} of ${before.length} command lines are the same`)
  process.exitCode = gone.length === 0 ? 0 : 1
}

function without(these: readonly string[], those: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of those) left.set(line, (left.get(line) ?? 0) + 1)
  return these.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}
