import { describe, expect, test } from 'vitest'
import { queryFor } from '../../../src/output/query.ts'
import { raw } from './sinks.ts'

describe('--query', () => {
  test('selects from the complete result', async () => {
    const ask = await queryFor('[?active].code')

    const answer = ask([
      { code: 'A', active: true },
      { code: 'B', active: false },
    ])

    expect(answer).toEqual(['A'])
  })

  test('passes on a number too large for JavaScript', async () => {
    const ask = await queryFor('[].points')

    const answer = ask([{ points: raw('9007199254740993') }])

    expect(JSON.stringify(answer)).toBe('[9007199254740993]')
  })

  test.each([
    ['a b', 'at position 3, near "b"'],
    ['@@', 'at position 2, near "@"'],
    ['a | | b', 'at position 5, near "| b"'],
    ['foo[', 'it ends too early, at position 5, after "foo["'],
    ['[].{c: code', 'it ends too early, at position 12, after "[].{c: code"'],
    ['', 'it is empty'],
    ['a."x', 'at position 3, near ""x"'],
    ['a # b', 'at position 3, near "# b"'],
  ])('%j is refused with the place where it goes wrong', async (expression, place) => {
    const compiling = queryFor(expression)

    await expect(compiling).rejects.toMatchObject({
      kind: 'usage',
      exitCode: 2,
      message: expect.stringContaining(place),
    })
  })

  test('a function that does not exist is refused before there is a result', async () => {
    const compiling = queryFor('[].size(@)')

    await expect(compiling).rejects.toMatchObject({
      exitCode: 2,
      message: 'the query "[].size(@)" cannot be used: there is no function "size"',
    })
  })

  test('a function that receives the wrong kind of value reports it', async () => {
    const ask = await queryFor('length(@)')

    expect(() => ask(5)).toThrow(/the query "length\(@\)" cannot be used: .*number/)
  })
})
