import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readStrictJson } from '../../../../src/base/strict-json.ts'
import { piped, readAll, refusal } from './reading.ts'

const jsonl = (text: string) => piped(text, { format: 'jsonl' })

describe('JSON lines', () => {
  test('objects and bare keys are rows on their lines', async () => {
    const { rows, bad } = await readAll(jsonl('\uFEFF{"code":"A","n":{"x":[1,null]}}\r\n\n"B"\n  {"code":"C"}  '))

    expect(bad).toEqual([])
    expect(JSON.stringify(rows)).toBe(
      '[{"line":1,"key":"A","fields":{"code":"A","n":{"x":[1,null]}}},' +
        '{"line":3,"key":"B","fields":{"code":"B"}},{"line":4,"key":"C","fields":{"code":"C"}}]',
    )
  })

  test.each([
    ['no JSON', 'code=A', 'line 1, column 1: a value is expected here: "code=A"'],
    ['a missing value', '{"code":}', 'line 1, column 9: a value is expected here: "}"'],
    ['a comma too many', '{"code":"A",}', 'line 1, column 13: a member name in double quotes is expected here: "}"'],
    ['a comment', '{"code":"A"} // x', 'line 1, column 14: unexpected text after the value: "// x"'],
    ['an array', '["A"]', 'line 1: is neither an object nor a text: "["A"]"'],
    ['null', 'null', 'line 1: is neither an object nor a text: "null"'],
    ['a key that is a number', '{"code":7}', 'line 1, member "code": is not a text in quotes'],
    ['no key', '{"Cod":"A"}', 'line 1, member "code": is missing; found "Cod"'],
    ['a member named twice', '{"code":"A","a":1,"a":2}', 'line 1, column 19: the member "a" is given twice: ""a":2}"'],
    [
      'half a surrogate pair in a key',
      '"a\\ud800"',
      'line 1: contains half of a surrogate pair, which no request can carry: "a\\ud800"',
    ],
    ['a NUL in a key', '{"code":"a\\u0000"}', 'line 1, member "code": contains a tab, a line break or a NUL: "a\\x00"'],
    [
      'a lone carriage return',
      '"A"\r"B"',
      'line 1: a carriage return (CR) without a line feed; lines end with LF or CRLF',
    ],
  ])('%s is reported with its place, and the next line is read', async (_name, line, message) => {
    const { rows, bad } = await readAll(jsonl(`${line}\n"next"\n`))

    expect(bad.map((row) => row.message)).toEqual([message])
    expect(rows.map(({ key }) => key)).toEqual(['next'])
  })

  test('a column of a report is kept where it is the key', async () => {
    const input = piped('{"promo_result_id":"A","promo_state":"failed"}\n', {
      format: 'jsonl',
      column: 'promo_result_id',
    })

    const { rows } = await readAll(input)

    expect(rows).toMatchObject([{ key: 'A', fields: { promo_result_id: 'A' } }])
    expect(rows[0]?.fields).not.toHaveProperty('promo_state')
  })

  test('only blank lines are refused', async () => {
    expect(await refusal(jsonl(' \n\n'))).toMatchObject({ kind: 'input', text: 'standard input has only blank lines' })
  })
})

describe('one JSON value, read strictly', () => {
  test('every value that JSON can write is read as it was, without prototypes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1), (value, indent) => {
        fc.pre(!/\d{16}|e\+/.test(JSON.stringify(value)))

        const reading = readStrictJson(JSON.stringify(value, null, indent))

        // -0 is written as 0.
        expect(reading).toEqual({ value: JSON.parse(JSON.stringify(value)) })
      }),
    )
  })

  test('whatever JSON.parse refuses is refused', () => {
    const nearlyJson = fc.string({
      unit: fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        'a',
        '1',
        '0',
        '-',
        '.',
        'e',
        ' ',
        'true',
        'null',
        '\t',
      ),
    })
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const accepted = 'value' in readStrictJson(text)

        if (accepted) expect(() => JSON.parse(text)).not.toThrow()
      }),
      { numRuns: 2000 },
    )
  })

  test('a member that names a prototype is a member', () => {
    const reading = readStrictJson('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')

    expect(JSON.stringify(reading)).toBe(
      '{"value":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    )
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test.each([
    ['9007199254740993', 'this number is too large to be kept exactly', 0],
    ['[1, 1e400]', 'this number is too large to be kept exactly', 4],
    ['1e20', 'this number is too large to be kept exactly', 0],
    ['NaN', 'a value is expected here', 0],
    ['01', 'unexpected text after the value', 1],
    ['-', 'this is not a number', 0],
    ['"a', 'this text has no closing quote', 0],
    ['"a\\"', 'this text has no closing quote', 0],
    ['"a\tb"', 'this text holds a raw control character or an unknown escape', 0],
    ['{"a" 1}', 'a colon is expected here', 5],
    ['[1 2]', 'a comma or a closing bracket is expected here', 3],
    ['{"a":1', 'a comma or a closing brace is expected here', 6],
    ['', 'the text ends where a value is expected', 0],
    [`${'['.repeat(65)}`, 'nested deeper than 64 levels', 64],
  ])('%j is refused at its place', (text, problem, at) => {
    expect(readStrictJson(text)).toEqual({ problem, at })
  })

  test('64 levels are read, and five million cost no stack', () => {
    expect(readStrictJson(`${'['.repeat(64)}${']'.repeat(64)}`)).toHaveProperty('value')
    expect(readStrictJson('['.repeat(5_000_000))).toHaveProperty('problem')
  })
})
