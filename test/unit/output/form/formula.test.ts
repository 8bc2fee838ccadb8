import { expect, test } from 'vitest'
import { neutralised } from '../../../../src/output/form/formula.ts'
import { raw } from '../sinks.ts'

test.each([
  '=1+1',
  '+48123',
  '-5',
  '@SUM(A1)',
  '\tx',
  '\nx',
  '  =1',
  '\u00a0=1',
  '\u3000＝1',
  '＋1',
  '－1',
  '＠x',
  ' \t =cmd|x',
])('the free text %j gets an apostrophe', (text) => {
  const cell = neutralised(text, text, { name: 'additional_info' })

  expect(cell).toBe(`'${text}`)
})

test.each(['', 'x', ' x', '5', 'a=b', '{"a":1}', '2026-01-02T00:00:00.000Z', 'x@y.example'])(
  'the free text %j stays as it is',
  (text) => {
    const cell = neutralised(text, text, { name: 'additional_info' })

    expect(cell).toBe(text)
  },
)

test.each(['code', 'id', 'voucher.code', 'voucher.id', 'campaign_id', 'holder.source_id'])(
  'the identifier column %s is never changed',
  (name) => {
    const cell = neutralised('=1+1', '=1+1', { name })

    expect(cell).toBe('=1+1')
  },
)

test.each(['metadata.code', 'metadata.ref_id', 'zip_codes', 'paid', 'promo-code'])(
  'the column %s is no identifier',
  (name) => {
    const cell = neutralised('=1+1', '=1+1', { name })

    expect(cell).toBe("'=1+1")
  },
)

test('numbers and flags are never changed', () => {
  const cells = [
    neutralised('-5', -5, { name: 'note' }),
    neutralised('-9007199254740993', raw('-9007199254740993'), { name: 'note' }),
    neutralised('true', true, { name: 'note' }),
  ]

  expect(cells).toEqual(['-5', '-9007199254740993', 'true'])
})

test('a text in a column of numbers is exempt only when it reads as a number', () => {
  const cells = ['-5', '-5.25', '-5+cmd', '=5'].map((text) =>
    neutralised(text, text, { name: 'points', kind: 'number' }),
  )

  expect(cells).toEqual(['-5', '-5.25', "'-5+cmd", "'=5"])
})
