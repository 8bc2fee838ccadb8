import { expect, test } from 'vitest'
import { z } from 'zod'
import { issueInWords } from '../../../../src/api/request/issue-words.ts'

const schema = z.strictObject({
  name: z.string().min(1).max(3).optional(),
  note: z.string().min(2).optional(),
  count: z.int().min(0).max(6).optional(),
  share: z.number().gt(0).lt(1).optional(),
  on: z.boolean().optional(),
  kind: z.enum(['A', 'B']).optional(),
  list: z
    .array(z.strictObject({ id: z.string() }))
    .min(1)
    .optional(),
  day: z.string().regex(/^\d$/, { error: 'must be a digit' }).optional(),
  word: z.string().regex(/^\w$/).optional(),
  either: z
    .union([z.strictObject({ id: z.string() }), z.strictObject({ source: z.strictObject({ id: z.int() }) })])
    .optional(),
  form: z
    .discriminatedUnion('type', [z.strictObject({ type: z.literal('X') }), z.strictObject({ type: z.literal('Y') })])
    .optional(),
})

test.each<[unknown, string]>([
  [5, 'must be an object'],
  [{ name: 5 }, 'name must be a text'],
  [{ name: '' }, 'name is empty'],
  [{ name: 'long' }, 'name must have at most 3 characters'],
  [{ note: 'a' }, 'note must have at least 2 characters'],
  [{ count: 1.5 }, 'count must be a whole number'],
  [{ count: -1 }, 'count must be at least 0'],
  [{ count: 7 }, 'count must be at most 6'],
  [{ share: 0 }, 'share must be more than 0'],
  [{ share: 1 }, 'share must be less than 1'],
  [{ on: 'yes' }, 'on must be true or false'],
  [{ kind: 'a' }, 'kind must be one of A, B'],
  [{ list: {} }, 'list must be a list'],
  [{ list: [] }, 'list must have at least 1 items'],
  [{ list: [{}] }, 'list[0].id is missing'],
  [{ list: [{ id: 5 }] }, 'list[0].id must be a text'],
  [{ day: 'x' }, 'day must be a digit'],
  [{ word: '-' }, 'word is malformed'],
  [{ colour: 1, shade: 2 }, 'has no field "colour", "shade"'],
  [{ list: [{ id: 'a', x: 1 }] }, 'list[0] has no field "x"'],
  [{ either: { source: { id: 'a' } } }, 'either.source.id must be a number'],
  [{ form: { type: 'Z' } }, 'form.type must be one of X, Y'],
])('%j is described as: %s', (value, words) => {
  const issues = schema.safeParse(value).error?.issues ?? []

  expect(issues.map((issue) => issueInWords(issue, value))).toEqual([words])
})

test.each([
  ['a slip of the fingers', { shere: 1 }, 'has no field "shere"; did you mean "share"?'],
  ['a field of a list', { list: [{ id: 'a', idd: 1 }] }, 'list[0] has no field "idd"; did you mean "id"?'],
  [
    'a field of one form of several',
    { form: { type: 'X', lable: 1 } },
    'form has no field "lable"; did you mean "label"?',
  ],
  ['a word like no other', { xylophone: 1 }, 'has no field "xylophone"'],
])('for %s, the field that was meant is named', (_, value, words) => {
  const known = schema.extend({
    form: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('X'), label: z.string().optional() }),
        z.strictObject({ type: z.literal('Y'), size: z.int().optional() }),
      ])
      .nullish(),
  })
  const issues = known.safeParse(value).error?.issues ?? []

  expect(issues.map((issue) => issueInWords(issue, value, known))[0]).toContain(words)
})

test('the beginning of a field that is longer by a word means that field', () => {
  const dated = z.strictObject({ expiration_date: z.string().optional(), expired: z.boolean().optional() })
  const issues = dated.safeParse({ expiration: 1 }).error?.issues ?? []

  expect(issues.map((issue) => issueInWords(issue, {}, dated))).toEqual([
    'has no field "expiration"; did you mean "expiration_date"?',
  ])
})
