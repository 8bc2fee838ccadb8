// Questions to the user, on stderr: stdout is data. The library is loaded with the first question.
import type { Key } from 'node:readline'
import { sanitize } from '../../base/text/sanitize.ts'
import { wrapText } from '../../base/text/wrapped.ts'
import { shownOn, tell } from '../../output/tell.ts'
import type { Asker, Host } from '../run/host.ts'
import type { Choice } from './needs.ts'

/** Rows of a list that are shown at once. */
const rowsShown = 12

/** Says whether the user can be asked: stdin and stderr are terminals, and neither --no-input nor CI is set. */
export function canAsk(flags: { 'no-input'?: boolean }, host: Asker): boolean {
  // stdin last: to look at it opens it.
  return host.stderr.isTTY === true && !flags['no-input'] && !host.env.CI && host.stdin.isTTY === true
}

/** Asks for a text that `check` accepts, trimmed; with `isOptional` it may be empty. */
export async function askText(
  question: string,
  host: Asker,
  { check, isOptional = false }: { check?: (text: string) => unknown; isOptional?: boolean } = {},
): Promise<string> {
  const { input } = await import('@inquirer/prompts')
  const message = wrapQuestion(question, host)
  const validate = (typed: string) => complaint(typed.trim(), isOptional, check)
  // What is pasted may hold what nobody sees.
  const config = { message, validate, transformer: (typed: string) => sanitize(typed) }
  return (await askWith((context) => input(config, context), host)).trim()
}

/** The mark before a question, and the space after it. */
const markWidth = 2
const answers = ' (y/N) '

/** Breaks a question between words, because the library and the terminal break it within them. */
function wrapQuestion(question: string, { stderr }: Asker, after = 1): string {
  const { columns = 80 } = stderr
  const lines = wrapText(shownOn(stderr, question), Math.max(columns - markWidth - after, 20))
  return lines.join(`\n${' '.repeat(markWidth)}`)
}

async function complaint(text: string, isOptional: boolean, check?: (text: string) => unknown): Promise<true | string> {
  if (text === '') return isOptional || 'a value is required'
  try {
    await check?.(text)
    return true
  } catch (error) {
    return sanitize((error as Error).message)
  }
}

/** Asks for a secret, shown only as stars. */
export async function askHidden(question: string, host: Asker): Promise<string> {
  const { password } = await import('@inquirer/prompts')
  const config = { message: wrapQuestion(question, host), mask: '*' }
  return (await askWith((context) => password(config, context), host)).trim()
}

/** Asks a yes/no question; Enter alone means no. */
export async function askYesNo(question: string, host: Asker): Promise<boolean> {
  const { confirm } = await import('@inquirer/prompts')
  const config = { message: wrapQuestion(question, host, answers.length), default: false }
  return await askWith((context) => confirm(config, context), host)
}

/** Asks for one of a few. */
export async function askOne(question: string, choices: readonly Choice[], host: Asker): Promise<string> {
  const { select } = await import('@inquirer/prompts')
  const config = { message: shownOn(host.stderr, question), choices: choices.map(inFull(host)), pageSize: rowsShown }
  return await askWith((context) => select(config, context), host)
}

/** Asks for at least one of a few; space ticks. */
export async function askSome(question: string, choices: readonly Choice[], host: Asker): Promise<string[]> {
  const { checkbox } = await import('@inquirer/prompts')
  const config = {
    message: shownOn(host.stderr, question),
    choices: choices.map(inFull(host)),
    pageSize: rowsShown,
    required: true,
  }
  return await askWith((context) => checkbox(config, context), host)
}

const theme = { style: { keysHelpTip: () => 'type to search • ↑↓ move • ⏎ tick or untick' } }

/** The values that end the search and that tick all it found; no choice is empty or a star. */
const [done, all] = ['', '*']

/**
 * Asks for at least one of many: what is typed narrows the list, Enter ticks or unticks, and Enter on the first line
 * ends it. The library's checkbox has no search, and its search takes one answer, so it is asked repeatedly.
 */
export async function askSomeOfMany(question: string, choices: readonly Choice[], host: Asker): Promise<string[]> {
  const { search } = await import('@inquirer/prompts')
  const ticked = new Set<string>()
  const orderTicked = () => choices.map(({ value }) => value).filter((value) => ticked.has(value))
  for (;;) {
    let found: readonly Choice[] = []
    const line = (text: string) => shownOn(host.stderr, text)
    const source = (typed: string | undefined) => {
      found = matching(choices, typed ?? '')
      const listed = found.map((choice) => ({
        ...choiceOn(host)(choice),
        name: line(`${ticked.has(choice.value) ? '[x]' : '[ ]'} ${choice.value}`),
      }))
      if (typed !== undefined)
        return found.length > 1 ? [...listed, { name: `all ${found.length}`, value: all }] : listed
      return ticked.size === 0 ? listed : [{ name: line(`done: ${orderTicked().join(', ')}`), value: done }, ...listed]
    }
    const message = line(question)
    // A round leaves nothing on the screen; the complete answer is written below.
    const config = { message, source, pageSize: rowsShown, theme }
    const answer = await askWith((context) => search(config, { ...context, clearPromptOnDone: true }), host)
    if (answer === done) break
    if (answer === all) for (const { value } of found) ticked.add(value)
    else if (!ticked.delete(answer)) ticked.add(answer)
  }
  tell(host.stderr, `${question} ${orderTicked().join(', ')}`)
  return orderTicked()
}

// Every piece of the typed text, in any order; a star separates pieces too, because users type patterns.
function matching(choices: readonly Choice[], typed: string): readonly Choice[] {
  const pieces = typed.toLowerCase().split(/[\s*]+/)
  return choices.filter(({ value }) => pieces.every((piece) => value.toLowerCase().includes(piece)))
}

/** A choice with its description next to it: a short list can be read at once. */
function inFull({ stderr }: Asker) {
  return ({ value, about }: Choice) => ({
    value,
    short: shownOn(stderr, value),
    name: shownOn(stderr, about === undefined ? value : `${value}: ${about}`),
  })
}

function choiceOn({ stderr }: Asker) {
  return ({ value, about }: Choice) => ({
    value,
    name: shownOn(stderr, value),
    ...(about !== undefined && { description: shownOn(stderr, about) }),
  })
}

/** Asks. The library ends a question at Ctrl-C, and leaves it open for ever at Ctrl-D. */
async function askWith<T>(
  ask: (context: { input: Host['stdin']; output: Host['stderr']; signal: AbortSignal }) => Promise<T>,
  { stdin, stderr, stop }: Asker,
): Promise<T> {
  const over = new AbortController()
  const press = (_text: unknown, { ctrl, name }: Key) => {
    // Only Ctrl-D on an empty line pauses stdin; in a text it removes a character.
    if (ctrl && name === 'd') setImmediate(() => stdin.isPaused() && over.abort())
  }
  stdin.on('keypress', press)
  try {
    return await ask({ input: stdin, output: stderr, signal: AbortSignal.any([stop, over.signal]) })
  } finally {
    stdin.off('keypress', press)
  }
}
