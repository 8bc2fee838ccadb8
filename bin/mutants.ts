// Changes one place of the source at a time, and tells which changes no test notices: `npm run mutants -- src/api/paging.ts`.
// Options: --most N mutants of each file (20), spread over it; --tests PATH, instead of the tests of the same path and, for
// what they miss, of everything that imports the file. Tests that take more than ten minutes are named apart: the mutant loops, or
// the computer is busy. Ends with 1 when a mutant survived. Not part of CI: minutes for a file.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseAst } from 'rolldown/parseAst'
import type { Mutant } from '../test/support/mutant-plugin.ts'

const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { most: { type: 'string', default: '20' }, tests: { type: 'string', multiple: true } },
})

type Fate = 'noticed' | 'survived' | 'endless'

interface Node {
  type: string
  start: number
  end: number
  operator?: string
  left?: Node
  right?: Node
  argument?: Node
  value?: unknown
  name?: string
}

const otherOperator: Record<string, string> = {
  '>': '>=',
  '>=': '>',
  '<': '<=',
  '<=': '<',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}
const otherName: Record<string, string> = {
  ceil: 'floor',
  floor: 'ceil',
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
}

const score: Record<string, Record<Fate, number>> = {}
for (const path of positionals.flatMap(filesOf)) {
  const text = readFileSync(join(root, path), 'utf8')
  const room = path.split('/').slice(0, 3).join('/')
  score[room] ??= { noticed: 0, survived: 0, endless: 0 }
  for (const mutant of spread(mutantsOf(path, text), Number(values.most))) {
    const fate = fateOf(mutant)
    score[room][fate] += 1
    if (fate !== 'noticed') console.log(`${fate}: ${described(mutant, text)}`)
  }
}
for (const [room, { noticed, survived, endless }] of Object.entries(score)) {
  const all = noticed + survived
  const share = all === 0 ? 100 : Math.round((100 * noticed) / all)
  const undecided = endless === 0 ? '' : `; ${endless} took more than ten minutes`
  console.log(`${room}: ${noticed} of ${all} mutants noticed (${share} %)${undecided}`)
}
process.exitCode = Object.values(score).some(({ survived }) => survived > 0) ? 1 : 0

function filesOf(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path]
  return globSync('**/*.ts', { cwd: join(root, path) })
    .map((name) => join(path, name))
    .toSorted()
}

function mutantsOf(path: string, text: string): Mutant[] {
  const found: Mutant[] = []
  const visit = (node: Node) => {
    const { type, start, end, operator = '', left, right, argument, value, name = '' } = node
    // Types have no behaviour.
    if (type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(type)) return
    if ((type === 'BinaryExpression' || type === 'LogicalExpression') && left && right && operator in otherOperator) {
      const at = text.indexOf(operator, left.end)
      found.push({ path, start: at, end: at + operator.length, to: otherOperator[operator] as string })
    }
    if (type === 'UnaryExpression' && operator === '!' && argument)
      found.push({ path, start, end: argument.start, to: '' })
    if (type === 'Literal' && typeof value === 'number') found.push({ path, start, end, to: String(value + 1) })
    if (type === 'Literal' && typeof value === 'boolean') found.push({ path, start, end, to: String(!value) })
    if (type === 'Identifier' && Object.hasOwn(otherName, name) && text[start - 1] === '.')
      found.push({ path, start, end, to: otherName[name] as string })
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child)
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node)
  return found.toSorted((a, b) => a.start - b.start)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'
}

function spread(mutants: Mutant[], most: number): Mutant[] {
  if (mutants.length <= most) return mutants
  return Array.from({ length: most }, (_, at) => mutants[Math.floor((at * mutants.length) / most)] as Mutant)
}

function fateOf(mutant: Mutant): Fate {
  if (values.tests) return fateIn(mutant, ['run', ...values.tests])
  const own = mutant.path.replace(/^src/, 'test/unit').replace(/\.ts$/, '.test.ts')
  const first = existsSync(join(root, own)) ? fateIn(mutant, ['run', own]) : 'survived'
  return first === 'survived' ? fateIn(mutant, ['related', '--run', mutant.path]) : first
}

function fateIn(mutant: Mutant, argv: string[]): Fate {
  const { status, error } = spawnSync('vitest', [...argv, '--project', 'tests', '--bail', '1', '--passWithNoTests'], {
    cwd: root,
    env: { ...process.env, TEST_SIZE: 'slow', MUTANT: JSON.stringify(mutant) },
    timeout: 600_000,
    stdio: 'ignore',
  })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') return 'endless'
  // Tests that cannot be started notice nothing.
  if (error !== undefined) throw error
  return status === 0 ? 'survived' : 'noticed'
}

function described({ path, start, end, to }: Mutant, text: string): string {
  const lines = text.slice(0, start).split('\n')
  const line = text.split('\n')[lines.length - 1] ?? ''
  return `${path}:${lines.length} "${text.slice(start, end)}" → "${to}" in: ${line.trim()}`
}
