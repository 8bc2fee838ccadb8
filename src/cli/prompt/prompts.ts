// Questions to the user, on stderr: stdout is data. The library is loaded with the first question.
import { wrapped } from '../../base/wrapped.ts'
import { sanitize } from '../../output/form/sanitize.ts'
import { tell } from '../../output/tell.ts'
import type { Host } from '../run/host.ts'
import type { Choice } from './needs.ts'

/** Rows of a list that are shown at once. */
const rowsShown = 12

/** Says whether the user can be asked: stdin and stderr are terminals, and neither --no-input nor CI is set. */
export function canAsk(flags: { 'no-input'?: boolean }, host: Host): boolean {
  // stdin last: to look at it opens it.
  return host.stderr.isTTY === true && !flags['no-input'] && !host.env.CI && host.stdin.isTTY === true
}

/** Asks for a text that `check` accepts, trimmed; with `isOptional` it may be empty. */
export async function askText(
  question: string,
  host: Host,
  { check, isOptional = false }: { check?: (text: string) => unknown; isOptional?: boolean } = {},
): Promise<string> {
  const { input } = await import('@inquirer/prompts')
  const message = asked(question, host)
  const validate = (typed: string) => complaint(typed.trim(), isOptional, check)
  // What is pasted may hold what nobody sees.
  return (await input({ message, validate, transformer: (typed) => sanitize(typed) }, contextOf(host))).trim()
}

/** The mark before a question, and the space after it. */
const markWidth = 2
const answers = ' (y/N) '

/** Breaks a question between words, because the library and the terminal break it within them. */
function asked(question: string, { stderr: { columns = 80 } }: Host, after = 1): string {
  const lines = wrapped(sanitize(question), Math.max(columns - markWidth - after, 20))
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
export async function askHidden(question: string, host: Host): Promise<string> {
  const { password } = await import('@inquirer/prompts')
  return (await password({ message: asked(question, host), mask: '*' }, contextOf(host))).trim()
}

/** Asks a yes/no question; Enter alone means no. */
export async function askYesNo(question: string, host: Host): Promise<boolean> {
  const { confirm } = await import('@inquirer/prompts')
  return await confirm({ message: asked(question, host, answers.length), default: false }, contextOf(host))
}

/** Asks for one of a few. */
export async function askOne(question: string, choices: readonly Choice[], host: Host): Promise<string> {
  const { select } = await import('@inquirer/prompts')
  return await select(
    { message: sanitize(question), choices: choices.map(inFull), pageSize: rowsShown },
    contextOf(host),
  )
}

/** Asks for at least one of a few; space ticks. */
export async function askSome(question: string, choices: readonly Choice[], host: Host): Promise<string[]> {
  const { checkbox } = await import('@inquirer/prompts')
  return await checkbox(
    { message: sanitize(question), choices: choices.map(inFull), pageSize: rowsShown, required: true },
    contextOf(host),
  )
}

const theme = { style: { keysHelpTip: () => 'type to search • ↑↓ move • ⏎ tick or untick' } }

/** The values that end the search and that tick all it found; no choice is empty or a star. */
const [done, all] = ['', '*']

/**
 * Asks for at least one of many: what is typed narrows the list, Enter ticks or unticks, and Enter on the first line
 * ends it. The library's checkbox has no search, and its search takes one answer, so it is asked repeatedly.
 */
export async function askSomeOfMany(question: string, choices: readonly Choice[], host: Host): Promise<string[]> {
  const { search } = await import('@inquirer/prompts')
  const ticked = new Set<string>()
  const ordered = () => choices.map(({ value }) => value).filter((value) => ticked.has(value))
  for (;;) {
    let found: readonly Choice[] = []
    const source = (typed: string | undefined) => {
      found = matching(choices, typed ?? '')
      const listed = found.map((choice) => ({
        ...shown(choice),
        name: sanitize(`${ticked.has(choice.value) ? '[x]' : '[ ]'} ${choice.value}`),
      }))
      if (typed !== undefined)
        return found.length > 1 ? [...listed, { name: `all ${found.length}`, value: all }] : listed
      return ticked.size === 0 ? listed : [{ name: sanitize(`done: ${ordered().join(', ')}`), value: done }, ...listed]
    }
    const message = sanitize(question)
    // A round leaves nothing on the screen; the complete answer is written below.
    const answer = await search(
      { message, source, pageSize: rowsShown, theme },
      { ...contextOf(host), clearPromptOnDone: true },
    )
    if (answer === done) break
    if (answer === all) for (const { value } of found) ticked.add(value)
    else if (!ticked.delete(answer)) ticked.add(answer)
  }
  tell(host.stderr, `${question} ${ordered().join(', ')}`)
  return ordered()
}

// Every piece of the typed text, in any order; a star separates pieces too, because users type patterns.
function matching(choices: readonly Choice[], typed: string): readonly Choice[] {
  const pieces = typed.toLowerCase().split(/[\s*]+/)
  return choices.filter(({ value }) => pieces.every((piece) => value.toLowerCase().includes(piece)))
}

/** A choice with its description next to it: a short list can be read at once. */
function inFull({ value, about }: Choice) {
  return { value, short: sanitize(value), name: sanitize(about === undefined ? value : `${value}: ${about}`) }
}

function shown({ value, about }: Choice) {
  return { value, name: sanitize(value), ...(about !== undefined && { description: sanitize(about) }) }
}

function contextOf({ stdin, stderr, stop }: Host) {
  return { input: stdin, output: stderr, signal: stop }
}
