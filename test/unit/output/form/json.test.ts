import { describe, expect, test } from 'vitest'
import { jsonArray, jsonLines } from '../../../../src/output/form/json.ts'
import { inBatches, raw, textOf } from '../sinks.ts'

describe('JSON', () => {
  test('of no object is an empty array', async () => {
    expect(await textOf(jsonArray(inBatches()))).toBe('[]\n')
  })

  test('of one object is an array of one, indented by two spaces', async () => {
    const text = await textOf(jsonArray(inBatches([{ code: 'A', gift: { amount: 1 } }])))

    expect(text).toBe('[\n  {\n    "code": "A",\n    "gift": {\n      "amount": 1\n    }\n  }\n]\n')
  })

  test('objects of several batches are one array', async () => {
    const text = await textOf(jsonArray(inBatches([{ a: 1 }, { a: 2 }], [], [{ a: 3 }])))

    expect(text).toBe('[\n  {\n    "a": 1\n  },\n  {\n    "a": 2\n  },\n  {\n    "a": 3\n  }\n]\n')
  })

  test('an empty object keeps its place', async () => {
    const text = await textOf(jsonArray(inBatches([{}, {}])))

    expect(JSON.parse(text)).toEqual([{}, {}])
  })

  test('a number too large for JavaScript is printed digit by digit', async () => {
    const text = await textOf(jsonArray(inBatches([{ points: raw('9007199254740993') }])))

    expect(text).toBe('[\n  {\n    "points": 9007199254740993\n  }\n]\n')
  })

  test('a listing that fails at once writes nothing', async () => {
    const chunks: string[] = []

    const reading = (async () => {
      for await (const chunk of jsonArray(failing())) chunks.push(chunk)
    })()

    await expect(reading).rejects.toThrow('refused')
    expect(chunks).toEqual([])
  })
})

describe('JSON Lines', () => {
  test('of no value has no line', async () => {
    expect(await textOf(jsonLines(inBatches()))).toBe('')
  })

  test('each object is one line, with its newlines and controls escaped', async () => {
    const text = await textOf(jsonLines(inBatches([{ info: 'a\nb\x9b\u2028' }], [{ n: raw('1e400') }])))

    expect(text).toBe('{"info":"a\\nb\\u009b\\u2028"}\n{"n":1e400}\n')
  })
})

async function* failing(): AsyncGenerator<object[]> {
  yield await Promise.reject(new Error('refused'))
}
