// What stands for a schema in the bundle (bin/late-zod.js) accepts what the schema accepts.
import { expect, test } from 'vitest'
import * as zod from 'zod'
import { lateZod } from '../bin/late-zod.js'

type Z = typeof zod.z

const forms: Record<string, (z: Z) => zod.ZodType> = {
  text: (z) => z.string(),
  'text of a length': (z) => z.string().min(2),
  'text or nothing': (z) => z.string().nullish(),
  'text or null': (z) => z.string().nullable(),
  'whole number': (z) => z.int(),
  'one of two': (z) => z.literal(['a', 'b']),
  nothing: (z) => z.undefined(),
  list: (z) => z.array(z.looseObject({ id: z.string() })),
  'object that is extended': (z) =>
    z.looseObject({ id: z.string(), is: z.boolean().optional() }).extend({ is: z.literal(true) }),
  'object with a rule': (z) => z.looseObject({ id: z.string() }).refine(({ id }) => id !== 'a'),
  'strict object': (z) => z.strictObject({ id: z.string().default('a') }),
  'member of another': (z) =>
    z
      .looseObject({ id: z.looseObject({ id: z.int() }).optional() })
      .shape.id.unwrap()
      .partial(),
  'either of two': (z) => z.union([z.string(), z.looseObject({ id: z.array(z.int()) })]),
}

const scalars = [undefined, null, '', 'a', 'ab', 0, 1.5, Number.NaN, 2 ** 60, true, false, 1n]
const objects = [...scalars, [1], { id: 1 }].flatMap((id) => [{ id }, { id, is: true, more: 1 }, { id, is: null }])
const values: unknown[] = [
  ...scalars,
  {},
  [],
  new Date(0),
  () => 1,
  ...objects,
  ...objects.map((one) => [one, { id: 'a' }]),
]

test.each(Object.entries(forms))('%s', (_, form) => {
  const late = form(lateZod((name) => Reflect.get(zod, name)) as unknown as Z)
  const real = form(zod.z)

  for (const value of values) {
    const [ours, its] = [late, real].map((one) => one.safeParse(value))
    expect([ours?.data, ours?.error?.issues]).toEqual([its?.data, its?.error?.issues])
  }
})

test('what usually fits is accepted without zod', () => {
  const z = lateZod(() => expect.fail('zod is loaded')) as unknown as Z
  const voucher = z.looseObject({ code: z.string(), type: z.string().nullish(), active: z.boolean().nullish() })

  const disabled = voucher.extend({ active: z.literal(false) })

  expect(disabled.safeParse({ code: 'A', active: false, more: [] }).success).toBe(true)
})
