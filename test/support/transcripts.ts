// Transcripts: command lines as they are typed, and what each shows. One test for each `#`:
//
//     # what is proven
//     $ vouchers get NO-SUCH-CODE => 3   the words after `promo`, quoted as in a shell; the exit code, unless it is 0
//     < {"event": "e"}                   lines of stdin
//     wide 80                            on a terminal with so many columns
//     ? delete the code => y{enter}      what is typed, on a terminal, once that is shown
//     = code,active                      a line of stdout, which has these and no other; one empty one is nothing
//     != no vouchers found               likewise of stderr
//     > total … 1000                     is in stdout
//     ! request v-                       is in stderr
//     - assets                           is in neither
//     json {"valid": true}               the JSON on stdout; of objects, the members that are given
//     json = {"valid": true}             all of them
//     problem {"kind": "api"}            the error on stderr, where JSON is asked for
//     body {"name": "A"}                 the body of the first request that --dry-run --json shows
//     rows 51                            lines of stdout
//     sends 2                            requests, with --verbose
//
// ` … ` stands for more of the same line, blanks for as many as there are, and a text between slashes is a pattern.
import { expect, test } from 'vitest'
import type { Answer, promo, Ran, RunOptions } from './promo.ts'
import { keys } from './terminal.ts'

interface Step {
  line: string
  options: { stdin?: string; terminal?: { columns: number }; answers?: Answer[] }
  exits: number
  /** The lines of a whole stream. */
  stdout?: string[]
  stderr?: string[]
  expected: [what: string, text: string][]
}

/** Tests that each line of a transcript ends and shows what it says. */
export function transcripts(run: typeof promo, options: RunOptions = {}) {
  return (text: string): void => {
    const [, ...titled] = text.split(/^\s*# /m)
    test.each(titled.map((one) => [one.split('\n')[0] ?? '', stepsIn(one)] as const))('%s', async (_, steps) => {
      for (const step of steps) mustShow(await run(step.line, { ...options, ...step.options }), step)
    })
  }
}

function stepsIn(transcript: string): Step[] {
  const steps: Step[] = []
  for (const line of transcript.split('\n').slice(1)) {
    const [, what = '', text = ''] = /^\s*(\S*) ?(.*)$/.exec(line) ?? []
    const step = steps.at(-1)
    if (what === '$') {
      const [typed = '', exits = '0'] = text.split(' => ')
      steps.push({ line: typed, options: {}, exits: Number(exits), expected: [] })
    } else if (what === '') continue
    else if (step === undefined) throw new Error(`no line before: ${line}`)
    else if (what === '<') step.options.stdin = `${step.options.stdin ?? ''}${text}\n`
    else if (what === 'wide') step.options.terminal = { columns: Number(text) }
    else if (what === '?') {
      const [shown = '', typed = ''] = text.split(' => ')
      step.options.terminal ??= { columns: 100 }
      step.options.answers = [...(step.options.answers ?? []), [patternOf(shown), withKeys(typed)]]
    } else if (what === '=') step.stdout = [...(step.stdout ?? []), text]
    else if (what === '!=') step.stderr = [...(step.stderr ?? []), text]
    else step.expected.push([what, text])
  }
  return steps
}

function mustShow(ran: Ran, { line, exits, expected, ...whole }: Step): void {
  const { stdout, stderr } = ran
  expect(ran, line).toEnd(exits, ...textsOf('!', expected))
  for (const stream of ['stdout', 'stderr'] as const) {
    const [first, ...more] = whole[stream] ?? []
    if (first !== undefined) expect(ran[stream], line).toBe([first, ...more, ''].join('\n').replace(/^\n$/, ''))
  }
  for (const part of textsOf('>', expected)) expect(stdout, line).toMatch(part)
  for (const part of textsOf('-', expected)) expect(`${stdout}\n${stderr}`, line).not.toMatch(part)
  for (const [what, text] of expected) {
    if (what === 'json' && text.startsWith('= ')) expect(JSON.parse(stdout), line).toEqual(JSON.parse(text.slice(2)))
    else if (what === 'json') expect({ json: JSON.parse(stdout) }, line).toMatchObject({ json: JSON.parse(text) })
    else if (what === 'problem') expect(JSON.parse(stderr), line).toMatchObject({ error: JSON.parse(text) })
    else if (what === 'body') expect(JSON.parse(stdout)[0].body, line).toEqual(JSON.parse(text))
    else if (what === 'rows') expect(stdout.trimEnd().split('\n'), line).toHaveLength(Number(text))
    else if (what === 'sends') expect(stderr.match(/^> [A-Z]+ /gm) ?? [], line).toHaveLength(Number(text))
    else if (!['!', '>', '-'].includes(what)) throw new Error(`not understood: ${what} ${text}`)
  }
}

function withKeys(typed: string): string {
  return typed.replaceAll(/\{(\w+)\}/g, (_, name) => keys[name as keyof typeof keys])
}

function textsOf(kind: string, expected: Step['expected']): RegExp[] {
  return expected.flatMap(([what, text]) => (what === kind ? [patternOf(text)] : []))
}

function patternOf(text: string): RegExp {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/.exec(text) ?? []
  if (source !== undefined) return new RegExp(source, flags)
  const pieces = text.split(' … ').map((piece) => piece.split(/ +/).map(escaped).join(' +'))
  return new RegExp(pieces.join('.*'))
}

export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
