// The only place where a failure becomes a message. It prints only the fields it names: an error may carry headers,
// bodies and entire configurations, and none of that is ever printed.

import { sanitize } from '../../base/text/sanitize.ts'
import { EXIT, type ExitCode, PromoError } from '../../errors.ts'
import { tell, tellJson, tellLines } from '../../output/tell.ts'
import type { Host } from './host.ts'

/**
 * Writes the error to stderr and returns its exit code.
 *
 * People get `promo: what failed`, and `try:` with the next step; the JSON formats get one object
 * `{"error": {kind, message, exit_code, retryable, http, api, hint}}`. An unexpected error is a bug: exit 1, and
 * its stack only with --debug.
 */
export async function reportError(error: unknown, argv: string[], host: Host): Promise<ExitCode> {
  const known = await knownError(error)
  const shown = known ?? bug(error)
  const { hint } = shown.facts
  if (hint !== undefined) shown.facts.hint = host.asTyped?.(hint) ?? hint
  if (wantsJson(argv)) {
    tellJson(host.stderr, { error: errorObject(shown) })
  } else {
    for (const line of errorLines(shown)) tell(host.stderr, line)
  }
  if (known === undefined && argv.includes('--debug')) tellLines(host.stderr, stackOf(error))
  return known?.exitCode ?? EXIT.bug
}

async function knownError(error: unknown): Promise<PromoError | undefined> {
  if (error instanceof PromoError) return error
  return promptError(error) ?? (await import('../../base/files/cannot-write.ts')).refusedWrite(error)
}

// @inquirer throws these by name; importing it only to compare classes would cost every start.
function promptError(error: unknown): PromoError | undefined {
  if (!(error instanceof Error) || !/^(Exit|Abort)PromptError$/.test(error.name)) return undefined
  return new PromoError('confirmation', 'stopped at a question; nothing was sent', {}, EXIT.interrupted)
}

function bug(error: unknown): PromoError {
  const name = error instanceof Error ? error.name : typeof error
  return new PromoError('bug', `a bug in promo (${name}); nothing more is known here`, {
    hint: 'run it again with --debug and report what it prints',
  })
}

/** The stack of a bug, for --debug. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return `${typeof error}\n`
  const { name, message, stack = '' } = error
  // The frames end the stack; the message before them may come from anywhere, and stays on its own line.
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line))
  return [sanitize(`${name}: ${message}`), ...frames, ''].join('\n')
}

/** The lines to print: a line break in a name or in what the service said does not begin one. */
function errorLines({ message, facts }: PromoError): string[] {
  const { request_id = '' } = facts.api ?? {}
  const said = `promo: ${message}${message.includes(request_id) ? '' : `, request ${request_id}`}`
  const lines = facts.hasLines ? said.split('\n') : [said]
  if (facts.hint !== undefined) lines.push(`try: ${facts.hint}`)
  return lines
}

function errorObject({ kind, message, exitCode, facts }: PromoError) {
  const { retryable = false, http, api, hint } = facts
  return { kind, message, exit_code: exitCode, retryable, http, api, hint }
}

/** Says whether the words ask for a JSON format; read from the words themselves, because they may not parse. */
function wantsJson(argv: string[]): boolean {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  return words.some(
    (word, at) =>
      word === '--json' ||
      word === '--jsonl' ||
      word === '--format=json' ||
      word === '--format=jsonl' ||
      (word === '--format' && /^jsonl?$/.test(words[at + 1] ?? '')),
  )
}
