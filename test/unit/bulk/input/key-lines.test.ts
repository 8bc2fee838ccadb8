import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { piped, readAll, refusal } from './reading.ts'

test('with --as-written every line is a key exactly as it is, quotes and commas included', async () => {
  const { rows } = await readAll(
    piped('\uFEFFA,1\r\n"B"\n\n#C\n-d', { format: 'lines', column: 'id', asWritten: true }),
  )

  expect(rows.map(({ line, key, fields }) => [line, key, fields.id])).toEqual([
    [1, 'A,1', 'A,1'],
    [2, '"B"', '"B"'],
    [4, '#C', '#C'],
    [5, '-d', '-d'],
  ])
})

test('a line that is no key is reported and the next one is read', async () => {
  const text = ` A\n \n..\nB\rC\nD\n`

  const whole = await readAll(piped(text, { format: 'lines' }))
  expect(await readAll(piped(text, { format: 'lines' }, 1000))).toEqual(whole)
  expect(whole.rows.map(({ line, key }) => [line, key])).toEqual([[5, 'D']])
  expect(whole.bad.map(({ message }) => message)).toEqual([
    'line 1: has white space around it; remove it from the input: " A"',
    'line 2: is only white space: " "',
    'line 3: is a path step, which would change the address of the call: ".."',
    'line 4: a carriage return (CR) without a line feed; lines end with LF or CRLF',
  ])
})

test.each(['lines', 'jsonl'] as const)(
  'a line of %s that is too long ends the reading at once, even one without an end',
  async (format) => {
    let pieces = 0
    async function* endless() {
      yield Buffer.from('"A"\n')
      for (; ; pieces += 1) yield Buffer.alloc(65_536, 'x')
    }

    const { bad } = await readAll(piped('', { format, asWritten: true, stdin: Readable.from(endless()) }))

    expect(bad.map(({ message }) => message)).toEqual(['line 2: is longer than 1 MiB'])
    expect(pieces).toBeLessThan(20)
  },
)

test('only blank lines are refused', async () => {
  const refused = await refusal(piped('\n\r\n', { format: 'lines' }))

  expect(refused).toEqual({ kind: 'input', exitCode: 2, text: 'standard input has only blank lines' })
})
