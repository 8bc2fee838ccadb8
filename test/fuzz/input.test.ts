// Hostile inputs: whatever the bytes are, each reader ends, in linear time, with rows, bad rows or a refusal in words.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PromoError } from '../../src/errors.ts'
import { holdsInTime } from '../support/fuzz.ts'
import { sourceFiles } from '../support/source-files.ts'
import { piped, readAll } from '../unit/bulk/input/reading.ts'

const piece = fc.constantFrom(
  'code',
  ',',
  ';',
  '\t',
  '"',
  '""',
  '\n',
  '\r',
  '\r\n',
  '\ufeff',
  '\0',
  'A-1',
  '{',
  '}',
  '[',
  ']',
  ':',
  '"code":"A"',
  '\\u0000',
  '\ud800',
  '=1+1',
  ' ',
  'é',
  '🦊',
  '-0',
  '1e999',
)
const text = fc.oneof(
  fc.array(piece, { maxLength: 60 }).map((pieces) => Buffer.from(pieces.join(''))),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
)

test.each(['csv', 'jsonl', 'lines'] as const)(
  '%s: the same bytes are the same rows, however they are cut',
  async (kind) => {
    await holdsInTime(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (bytes, pieceBytes) => {
        const whole = await outcomeOf(piped(bytes, { format: kind }))
        const cut = await outcomeOf(piped(bytes, { format: kind }, pieceBytes))

        // A text that is refused as a whole may name another of its faults first, by what has arrived.
        if (isRefused(whole)) expect(isRefused(cut)).toBe(true)
        else expect(cut).toEqual(whole)
      }),
      150,
    )
  },
)

type Outcome = Awaited<ReturnType<typeof outcomeOf>>

/** Whether nothing of the input is used: an exception, or a fault after which nothing is read, before the first row. */
function isRefused(outcome: Outcome): boolean {
  return typeof outcome === 'string' || (outcome.rows.length === 0 && outcome.bad.some((row) => row.final === true))
}

async function outcomeOf(options: Parameters<typeof readAll>[0]) {
  try {
    return await readAll(options)
  } catch (error) {
    if (!(error instanceof PromoError) || error.exitCode !== 2) throw error
    // What a NUL byte probably means is judged by the piece it is in.
    return /a NUL byte/.test(error.message) ? 'a NUL byte' : error.message
  }
}

// Ten times the text takes a hundred times as long when the time is quadratic; nobody would wait for a million of these.
test.each([
  ['csv', `code\n${'"'.repeat(1_000_000)}`],
  ['csv', `code\n${' '.repeat(1_000_000)}x`],
  ['csv', `${'"a",'.repeat(200_000)}code\n`],
  ['jsonl', `${' '.repeat(1_000_000)}x\n`],
  ['jsonl', `{"code":"${'\\\\'.repeat(400_000)}"}\n`],
  ['jsonl', `{"code":${'1'.repeat(1_000_000)}}\n`],
  ['lines', `${'\u00a0'.repeat(500_000)}x\n`],
  ['lines', `${'x '.repeat(500_000)}\n`],
] as const)('%s: a million characters that match almost everywhere are read at once', async (kind, long) => {
  const ended = await outcomeOf(piped(long, { format: kind }))

  expect(ended).toBeDefined()
})

test('no regular expression over external text in src/bulk/input repeats a repetition', () => {
  const patterns = sourceFiles('src')
    .filter(({ path }) => path.startsWith('src/bulk/input/'))
    .flatMap(({ path, text: source }) =>
      [...source.matchAll(/[=(,:]\s*\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+)\/[a-z]*/g)].map(
        ([, found = '']) => `${path}: ${found}`,
      ),
    )
  const nested = patterns.filter((pattern) => /\([^()]*[*+}][^()]*\)[*+{]/.test(pattern.replaceAll(/\[[^\]]*\]/g, 'x')))

  expect(patterns.length).toBeGreaterThan(5)
  expect(nested).toEqual([])
})
