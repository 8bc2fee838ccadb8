import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { yamlSequence, yamlText } from '../../../../src/output/form/yaml.ts'
import { isDangerous } from '../forbidden.ts'
import { inBatches, raw, textOf } from '../sinks.ts'

describe('YAML', () => {
  test('of no object is an empty sequence', async () => {
    expect(await textOf(yamlSequence(inBatches()))).toBe('[]\n')
  })

  test('objects of several batches are one sequence', async () => {
    const text = await textOf(yamlSequence(inBatches([{ code: 'A', gift: { amount: 1 } }], [{}], [{ code: 'B' }])))

    expect(text).toBe('- code: A\n  gift:\n    amount: 1\n- {}\n- code: B\n')
  })

  test('texts that old parsers would misread are quoted', async () => {
    const text = await yamlText({ a: 'yes', b: '012', c: '2026-01-01', d: 'null', e: '1:30' })

    expect(text).toBe('a: "yes"\nb: "012"\nc: "2026-01-01"\nd: "null"\ne: "1:30"\n')
  })

  test('a number too large for JavaScript is printed digit by digit', async () => {
    const text = await yamlText({ points: raw('9007199254740993'), rate: raw('1e400') })

    expect(text).toBe('points: 9007199254740993\nrate: 1e400\n')
  })

  test('an object that occurs twice is written twice', async () => {
    const category = { id: 'cat_1' }

    expect(await yamlText([category, category])).toBe('- id: cat_1\n- id: cat_1\n')
  })

  test('no control or direction character is written, and every text is read back as it was', async () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom(
            '\x1b',
            '\x85',
            '\u202e',
            '\u2028',
            '\ufeff',
            '\r',
            '\n',
            '\t',
            ' ',
            'a',
            "'",
            '"',
            '#',
            ': ',
          ),
        )
        .map((parts) => parts.join('')),
    )

    await fc.assert(
      fc.asyncProperty(fc.dictionary(nasty, nasty), async (given) => {
        const text = await yamlText(given)

        expect(isDangerous(text, { lines: true })).toBe(false)
        expect(parse(text)).toEqual({ ...given })
      }),
    )
  })
})
