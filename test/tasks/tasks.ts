// Tasks of people, as data: what somebody wants, what they type, and what they must be able to read. Each is done in the demo
// project, with README and help alone, on a terminal of 80 columns and on one of 120.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import Table from 'cli-table3'
import { describe, expect, test } from 'vitest'
import { EXIT } from '../../src/errors.ts'
import { ruler } from '../../src/output/form/width.ts'
import { demoFile } from '../support/demo-file.ts'
import { nextStepIn } from '../support/next-steps.ts'
import { promoIn, type Ran, type RunOptions, temporaryFolder, wordsOf } from '../support/promo.ts'
import { sampled } from '../support/size.ts'
import { escaped } from '../support/transcripts.ts'

/** A text that must be readable, wherever it is broken into lines; ` … ` stands for more of the same line. */
type Readable = string | RegExp

export interface Task {
  /** In the words of the person; the title of the test. */
  wants: string
  /** Lines that others typed before, so that there is something to do; one that is refused (exit 3) is something, too. */
  given?: readonly string[]
  /** Files in the folder where the lines are typed, by name. */
  files?: Readonly<Record<string, string>>
  /**
   * The lines, as typed in a shell: quotes, variables before a command, and `|` between two. `{r_}` is the first word that begins with `r_` and
   * was shown so far, copied from the screen; the line `{try}` is the next step that the line before it printed. `~/` is the
   * folder of the task.
   */
  types: string | readonly string[]
  /** What is typed at the questions of each line, each once its text is shown. */
  answers?: RunOptions['answers']
  /** A sandbox that serves meanwhile, with `--json`: the lines have its address and keys, as a script would set them. */
  serves?: string
  /** Ctrl-C is typed during the first line, once it has shown this. */
  stopsAt?: RegExp
  /** The exit code of the last line; 0 unless given. A line before `{try}` may end with any. */
  exits?: number
  /** What must be readable in all that was shown. */
  reads: readonly Readable[]
  /** What must not be: the answer to another question. */
  never?: readonly string[]
}

/** The time of these tasks, for the computer and for the service: some days after the last order of the demo project. */
const now = '2026-04-02T09:30:00.000Z'
const widths = [80, 120]
/** Ends that ask for nothing more: done, declined, and that the answer is no. */
const isAnswer: ReadonlySet<number> = new Set([EXIT.ok, EXIT.unconfirmed, EXIT.no])
const { widthOf } = ruler(Table)

/** Tests that each task can be done on both terminals; `npm test` takes one of them for each. */
export function everyTaskWorks(tasks: readonly Task[]): void {
  test('every task is wanted once', () => {
    expect(new Set(tasks.map(({ wants }) => wants)).size).toBe(tasks.length)
  })
  describe.each(widths)('on a terminal of %i columns', (columns) => {
    const some = sampled(tasks, widths.length, widths.indexOf(columns))
    test.each(some.map((task) => [task.wants, task] as const))('%s', async (_, task) => {
      await mustWork(task, columns)
    })
  })
}

async function mustWork(task: Task, columns: number): Promise<void> {
  await using desk = await deskOf(task, columns)
  const { type, shown } = desk
  for (const line of task.given ?? []) expect([0, 3], line).toContain((await type(line, {})).exitCode)
  const lines = [task.types].flat()
  const screens: Ran[] = []
  for (const [at, line] of lines.entries()) {
    const isLast = at === lines.length - 1
    const words = typed(line, screens)
    const screen = await type(words, {
      terminal: { columns },
      ...(task.answers && { answers: task.answers }),
      ...(task.stopsAt && at === 0 && { onStdout: stopAt(task.stopsAt) }),
    })
    screens.push(screen)
    if (lines[at + 1] !== '{try}' && !(task.stopsAt && at === 0))
      expect([line, screen.exitCode, screen.stderr]).toEqual([line, isLast ? (task.exits ?? 0) : 0, expect.any(String)])
    mustFit(words, shown(screen), columns)
    if (!isAnswer.has(screen.exitCode)) expect(screen.stderr, line).toMatch(/^try: |[:;] promo [a-z]/m)
  }
  const all = screens.map((screen) => textOf(shown(screen))).join('\n')
  for (const readable of task.reads) expect(all).toMatch(patternOf(readable))
  for (const text of task.never ?? []) expect(all).not.toMatch(patternOf(text))
}

function stopAt(shown: RegExp): NonNullable<RunOptions['onStdout']> {
  return (text, stop) => {
    if (shown.test(text)) stop('SIGINT')
  }
}

/** A folder with settings, the demo project and the files of a task. `shown` is what a screen had, without its path. */
async function deskOf({ files = {}, serves, stopsAt }: Task, columns: number) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'state'), { mode: 0o700 })
  writeFileSync(join(folder, 'state', 'sandbox.db'), await demoFile(now), { mode: 0o600 })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, { mode: 0o600 })
  const run = promoIn(folder)
  let lines = 0
  let served: Awaited<ReturnType<typeof serving>> | undefined
  const placed = (word: string) =>
    word
      .replace(/^~(?=\/)/, folder)
      .replace(/(?<!\/)[\w.-]+$/, (name) => (Object.hasOwn(files, name) ? join(folder, name) : name))
  const type = async (line: string, options: RunOptions): Promise<Ran> => {
    const [last = noCommand, ...before] = commandsIn(line).toReversed()
    // Each line is typed a second after the one before it. What waits needs a clock that goes on.
    const at = Date.parse(now) + 1000 * lines++
    const begun = performance.now()
    const isWaiting = serves !== undefined || stopsAt !== undefined
    const shared = { now: () => at + (isWaiting ? Math.floor(performance.now() - begun) : 0) }
    const where = served?.env ?? { PROMO_PROFILE: 'sandbox' }
    const envOf = ({ env }: TypedCommand) => ({ ...where, PROMO_ACTOR: 'lena', NO_COLOR: '1', ...env })
    let piped: { stdin?: string } = {}
    for (const command of before.toReversed()) {
      const { stdout } = await run(command.words.map(placed), { ...shared, env: envOf(command), ...piped })
      piped = { stdin: stdout }
    }
    return await run(last.words.map(placed), { ...shared, env: envOf(last), ...piped, ...options })
  }
  served = serves === undefined ? undefined : await serving(run, (commandsIn(serves)[0]?.words ?? []).map(placed))
  const short = (text: string) => stripVTControlCharacters(text).replaceAll(`${folder}/`, '')
  const shown = ({ stdout, stderr, exitCode }: Ran) => ({ exitCode, stdout: short(stdout), stderr: short(stderr) })
  return { type, shown, columns, [Symbol.asyncDispose]: async () => await served?.end() }
}

/** Starts `promo sandbox start --json`, and returns what it printed as the environment of other commands. */
async function serving(run: ReturnType<typeof promoIn>, words: string[]) {
  const { promise: printed, resolve } = Promise.withResolvers<string>()
  let stop: (() => void) | undefined
  let text = ''
  const ended = run(words, {
    onStart: (end) => (stop = () => end('SIGINT')),
    onStdout(piece) {
      text += piece
      if (text.trimEnd().endsWith('}')) resolve(text)
    },
  })
  const json = await Promise.race([printed, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))])
  const { url, app_id, app_token, management_id, management_token, project_id } = JSON.parse(json)
  const env = {
    PROMO_BASE_URL: url,
    PROMO_APP_ID: app_id,
    PROMO_APP_TOKEN: app_token,
    PROMO_MANAGEMENT_ID: management_id,
    PROMO_MANAGEMENT_TOKEN: management_token,
    PROMO_PROJECT_ID: project_id,
  }
  const end = async () => {
    stop?.()
    await ended
  }
  return { env, end }
}

/** A line with what is copied from earlier screens. */
function typed(line: string, screens: readonly Ran[]): string {
  if (line === '{try}') {
    const step = nextStepIn(screens.at(-1)?.stderr ?? '')
    if (step === undefined) throw new Error(`no next step to paste in: ${screens.at(-1)?.stderr}`)
    return step
  }
  const seen = screens.map(textOf).join('\n')
  return line.replaceAll(/\{([\w-]+)\}/g, (_, beginning) => {
    const [word] = new RegExp(`(?<![\\w-])${beginning}[\\w-]*`).exec(seen) ?? []
    if (word === undefined) throw new Error(`nothing that begins with "${beginning}" to copy from:\n${seen}`)
    return word
  })
}

/** A command as it was typed: its variables, and its words without `promo`. */
interface TypedCommand {
  env: Record<string, string>
  words: string[]
}

const noCommand: TypedCommand = { env: {}, words: [] }

function commandsIn(line: string): TypedCommand[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  const commands: string[][] = [[]]
  for (const word of words) {
    if (word === '|') commands.push([])
    else commands.at(-1)?.push(...wordsOf(word))
  }
  return commands.map((all) => {
    const at = all.indexOf('promo')
    const variables = all.slice(0, at).map((word) => word.split('=', 2))
    if (at < 0) throw new Error(`no command of promo: ${line}`)
    return { env: Object.fromEntries(variables), words: all.slice(at + 1) }
  })
}

function textOf({ stdout, stderr }: Ran): string {
  return `${stdout}\n${stderr}`
}

/** What a reader looks for: blanks and breaks are the same, ` … ` stays on the line. */
function patternOf(readable: Readable): RegExp {
  if (typeof readable !== 'string') return readable
  const pieces = readable.split(' … ').map((piece) => piece.split(/\s+/).map(escaped).join('\\s+'))
  return new RegExp(pieces.join('[^\\n]*'))
}

/**
 * A result fits, its headings are whole, and nothing in it is a word of the program. Messages are one line each, whatever the
 * terminal: what is copied from them stays whole (docs/command-line.md#tables).
 */
function mustFit(line: string, { stdout, stderr }: Ran, columns: number): void {
  const isForPrograms = /--(?:json|jsonl|csv|excel|format|out)\b/.test(line)
  expect(`${isForPrograms ? '' : stdout}\n${stderr}`, line).not.toMatch(/\bundefined\b|\bnull\b|\[object/)
  if (isForPrograms) return
  const lines = stdout.split('\n')
  // A code or an address that is alone on its line is copied, and stays whole.
  const wide = lines.filter((text) => widthOf(text) > columns && text.trim().includes(' '))
  expect(wide, line).toEqual([])
  const broken = lines.filter((text) => /(?:^| {2})[a-z]+(?:[_.][a-z]+)*[_…](?: {2}|$)/.test(text))
  expect(broken, `headings of ${line}`).toEqual([])
}
