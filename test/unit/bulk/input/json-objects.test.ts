import { describe, expect, test } from 'vitest'
import { piped, readAll, refusal } from './reading.ts'

const json = (text: string) => piped(text, { format: 'json' })

describe('a JSON document', () => {
  test.each([
    ['one object over several lines', '\n{\n  "code": "A",\n  "n": {"x": "}]"}\n}\n', [[2, 'A']]],
    [
      'an array',
      '[\n  {"code":"A"},\n  {"code":"B"}\n]',
      [
        [2, 'A'],
        [3, 'B'],
      ],
    ],
    [
      'objects one after the other',
      '{"code":"A"}{"code":"B\\"{"}\n{"code":"C"}',
      [
        [1, 'A'],
        [1, 'B"{'],
        [2, 'C'],
      ],
    ],
  ])('that is %s has a row for each object, on the line where it begins', async (_, text, expected) => {
    const { rows, bad } = await readAll(json(text))

    expect(bad).toEqual([])
    expect(rows.map(({ line, key }) => [line, key])).toEqual(expected)
  })

  test.each([
    ['one array', '[{"code":"A"},{"code":"B"}]', []],
    [
      'two arrays',
      '[{"code":"A"}]\n[{"code":"B"}]\n[]',
      ['standard input has several arrays, which are read as one list'],
    ],
    [
      'arrays within one',
      '[[{"code":"A"}],[{"code":"B"}]]',
      ['standard input has several arrays, which are read as one list'],
    ],
  ])('of %s says how it is read', async (_, text, expected) => {
    const said: string[] = []

    const { rows } = await readAll(piped(text, { format: 'json', assumed: (sentence) => said.push(sentence) }))

    expect([rows.map(({ key }) => key), said]).toEqual([['A', 'B'], expected])
  })

  test.each([
    ['a broken object', '[{"code":"A",\n "x":}]', ['line 2, column 6: a value is expected here: "}"']],
    ['an object without a key', '[{"n":1},{"code":"B"}]', ['line 1, member "code": is missing; found "n"']],
    ['an object that does not end', '{"code":"A"}\n{"code":"B"', ['line 2: the object that begins here does not end']],
    ['text between objects', '{"code":"A"}\nnull', ['line 2: is neither an object nor a text: "null"']],
  ])('reports %s with its place', async (_, text, messages) => {
    const { bad } = await readAll(json(text))

    expect(bad.map(({ message }) => message)).toEqual(messages)
  })

  test('with an object longer than 1 MiB is refused as soon as it is, although it may not end', async () => {
    const { bad } = await readAll(json(`{"code":"A"}\n{"code":"B",\n${'"x":1,\n'.repeat(2 ** 18)}`))

    expect(bad.map(({ message }) => message)).toEqual(['line 2: is longer than 1 MiB'])
  })

  test('without an object is refused', async () => {
    expect(await refusal(json('[]\n'))).toMatchObject({ kind: 'input', exitCode: 2 })
  })
})
