import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeConfigProblem, completeCodeConfig, countOfCodes, drawCodes } from '../../../../src/sandbox/rules/codes.ts'

const counting = () => {
  let n = -1
  return (below: number) => {
    n += 1
    return n % below
  }
}

test('codes are eight letters and digits by default', () => {
  expect(completeCodeConfig({})).toEqual({
    length: 8,
    charset: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
    pattern: '########',
  })
})

test('length counts the free characters, without prefix and postfix', () => {
  const { pattern, length } = completeCodeConfig({ length: 3, prefix: 'A-', postfix: '-Z' })

  expect([pattern, length]).toEqual(['A-###-Z', 3])
})

test('completing a completed form changes nothing', () => {
  const once = completeCodeConfig({ length: 3, charset: 'AB', prefix: 'A-', postfix: '-Z' })

  expect(completeCodeConfig(once)).toEqual(once)
})

test('marks are replaced, and everything else of a pattern is kept, including characters beyond ASCII', () => {
  const { codes } = drawCodes(
    { pattern: 'é/# #☕', charset: 'ab' },
    { count: 1, effort: 10, random: counting(), isTaken: () => false },
  )

  expect(codes).toEqual(['é/a b☕'])
})

test('the codes of a form are counted, repeated characters once', () => {
  expect(countOfCodes({ pattern: 'X###', charset: '0011' })).toBe(8)
  expect(countOfCodes({ pattern: 'X' })).toBe(1)
  expect(countOfCodes({ length: 1000 })).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  [{ pattern: '   ' }, 'Codes must have a visible character'],
  [{ pattern: 'a\nb' }, 'Codes must NOT have control characters'],
  [{ charset: 'a b' }, 'The charset must NOT have control characters or blanks'],
  [{ prefix: '#' }, "Prefix and postfix must NOT contain '#'"],
  [{ length: 1_000_000_000 }, 'Codes must NOT have more than 1024 characters'],
  [{ length: 1024, prefix: 'a' }, 'Codes must NOT have more than 1024 characters'],
])('a form like %o yields no codes', (config, problem) => {
  expect(codeConfigProblem(config)).toBe(problem)
})

test('every form without a problem returns distinct codes until all are drawn', () => {
  fc.assert(
    fc.property(
      fc.record({ charset: fc.constantFrom('0', '01', 'abc', '☕é'), length: fc.integer({ min: 1, max: 4 }) }),
      fc.integer({ min: 1, max: 30 }),
      (config, effort) => {
        const all = new Set<string>()
        const isTaken = (code: string) => all.has(code)
        let drawn: ReturnType<typeof drawCodes> | undefined
        for (let round = 0; round < 1000 && !drawn?.isExhausted; round += 1) {
          drawn = drawCodes(config, { count: 7, effort, random: counting(), isTaken, walk: drawn?.walk })
          for (const code of drawn.codes) {
            expect(all.has(code)).toBe(false)
            all.add(code)
          }
          // A walk begins after twenty misses in a row within one draw.
          if (effort < 21) break
        }
        if (effort >= 21) expect(all.size).toBe(countOfCodes(config))
      },
    ),
  )
})

test('a walk through all codes resumes where it stopped', () => {
  const taken = new Set(Array.from({ length: 99 }, (_, n) => String(n).padStart(2, '0')))
  const form = { pattern: '##', charset: '0123456789' }
  const parts = { count: 1, random: () => 0, isTaken: (code: string) => taken.has(code) }

  const first = drawCodes(form, { ...parts, effort: 50 })
  const second = drawCodes(form, { ...parts, effort: 500, walk: first.walk })

  expect(first).toEqual({ codes: [], walk: { indexes: [3, 0], left: 70 }, isExhausted: false })
  expect(second.codes).toEqual(['99'])
})

test('codes with the same key are not both drawn', () => {
  const { codes } = drawCodes(
    { pattern: '#', charset: 'aAbB' },
    { count: 4, effort: 1000, random: counting(), isTaken: () => false, keyOf: (code) => code.toLowerCase() },
  )

  expect(codes).toEqual(['a', 'b'])
})
