import { describe, expect, test } from 'vitest'
import type { Column } from '../../../../src/output/column.ts'
import { tableText } from '../../../../src/output/form/table.ts'
import { inBatches, raw, textOf } from '../sinks.ts'

const columns: Column[] = [
  { name: 'code' },
  { name: 'campaign', kind: 'text' },
  { name: 'redemption.quantity', kind: 'number', label: 'limit' },
]
const plain = { header: true, color: false, timeZone: 'UTC' }

describe('a table', () => {
  test('of no object has no line', async () => {
    expect(await textOf(tableText(inBatches(), columns, plain))).toBe('')
  })

  test('of one object has a header and a line', async () => {
    const text = await textOf(
      tableText(inBatches([{ code: 'A', campaign: 'x', redemption: { quantity: 5 } }]), columns, plain),
    )

    expect(text).toBe('code  campaign  limit\nA     x             5\n')
  })

  test('of many objects is aligned over all batches, numbers to the right', async () => {
    const rows = [{ code: 'A', redemption: { quantity: raw('9007199254740993') } }]
    const later = [{ code: 'LONGER', campaign: null, redemption: { quantity: 10 } }]

    expect(await textOf(tableText(inBatches<object>(rows, later), columns, plain))).toBe(
      'code    campaign             limit\nA                 9007199254740993\nLONGER                          10\n',
    )
  })

  test('shows a time without its seconds before it leaves anything out', async () => {
    const rows = [{ created_at: '2026-01-02T03:04:05Z', code: 'A-LONGER-CODE', state: 'on' }]
    const timed: Column[] = [{ name: 'created_at' }, { name: 'code' }, { name: 'state', kind: 'state' }]

    const texts = [41, 39, 38].map((width) => textOf(tableText(inBatches<object>(rows), timed, { ...plain, width })))

    expect((await Promise.all(texts)).map((text) => text.split('\n')[1]?.split(/ {2,}/)[0])).toEqual([
      '2026-01-02 03:04:05',
      '2026-01-02 03:04',
      '2026-01-02 03:04',
    ])
  })

  test('shows a time without its seconds before a heading takes two lines', async () => {
    const rows = [{ created_at: '2026-01-02T03:04:05Z', to_pay: 4500 }]
    const timed: Column[] = [{ name: 'created_at' }, { name: 'to_pay', kind: 'number' }]

    const texts = [27, 24, 22].map((width) => textOf(tableText(inBatches<object>(rows), timed, { ...plain, width })))

    expect((await Promise.all(texts)).map((text) => text.trimEnd().split('\n'))).toEqual([
      ['created_at (UTC)     to_pay', '2026-01-02 03:04:05    4500'],
      ['created_at (UTC)  to_pay', '2026-01-02 03:04    4500'],
      ['created_at (UTC)   to_', '                   pay', '2026-01-02 03:04  4500'],
    ])
  })

  test('leaves a column out before it breaks a name such as to_pay', async () => {
    const rows = [{ code: 'GIFT-008', customer: 'shop-1006', to_pay: 4500 }]
    const marked: Column[] = [{ name: 'code', stays: true }, { name: 'customer' }, { name: 'to_pay', kind: 'number' }]

    const text = await textOf(tableText(inBatches<object>(rows), marked, { ...plain, width: 25, mayLeaveOut: true }))

    expect(text).toBe('code      customer\nGIFT-008  shop-1006\n')
  })

  test.each([
    [28, 'code    amount  id\nA     12345678  r_19b8d627a8\nB            9  r_19b8d627a9\n'],
    [27, 'code    amount\nA     12345678\n  id  r_19b8d627a8\nB            9\n  id  r_19b8d627a9\n'],
    [12, 'code\nA\n  id  r_19b8d627a8\nB\n  id  r_19b8d627a9\n'],
  ])(
    'keeps only the columns that stay in %i columns, where some are marked so, an id on a line of its own',
    async (width, expected) => {
      const marked: Column[] = [
        { name: 'code', stays: true },
        { name: 'amount', kind: 'number' },
        { name: 'id', stays: true },
      ]
      const rows = [
        { code: 'A', amount: 12345678, id: 'r_19b8d627a8' },
        { code: 'B', amount: 9, id: 'r_19b8d627a9' },
      ]

      const text = await textOf(tableText(inBatches<object>(rows), marked, { ...plain, width, mayLeaveOut: true }))

      expect(text).toBe(expected)
    },
  )

  test('without a header has only lines', async () => {
    const text = await textOf(
      tableText(inBatches([{ code: 'A', campaign: 'x' }]), columns, { ...plain, header: false }),
    )

    expect(text).toBe('A  x\n')
  })

  test('of hundreds of rows keeps the widths of the widest', async () => {
    const rows = Array.from({ length: 250 }, (_, at) => ({ code: at === 249 ? 'WIDEST' : 'A', campaign: 'x' }))

    const text = await textOf(tableText(inBatches(rows), columns, plain))
    const lines = text.trimEnd().split('\n')

    expect(lines).toHaveLength(251)
    expect(lines[1]).toBe('A       x')
    expect(lines[250]).toBe('WIDEST  x')
  })

  test('counts a wide character as two columns', async () => {
    const text = await textOf(
      tableText(
        inBatches([
          { code: '日本', campaign: 'x' },
          { code: 'abcd', campaign: 'y' },
        ]),
        columns.slice(0, 2),
        plain,
      ),
    )

    expect(text).toBe('code  campaign\n日本  x\nabcd  y\n')
  })

  test('has the texts of a list after commas, and nothing for an empty one; a list of objects is JSON', async () => {
    const rows = [{ code: ['a', 'b'] }, { code: [] }, { code: [{ id: 'c' }] }]

    const text = await textOf(tableText(inBatches<object>(rows), columns.slice(0, 1), plain))

    expect(text).toBe('code\na, b\n\n[{"id":"c"}]\n')
  })

  test('shows times in the zone, which the header names once', async () => {
    const rows = [
      { created_at: '2026-07-01T22:30:00.123Z' },
      { created_at: '2026-01-01T00:00:00.941000Z' },
      { created_at: 'Room 12' },
    ]

    const text = await textOf(
      tableText(inBatches(rows), [{ name: 'created_at', label: 'created' }], { ...plain, timeZone: 'Europe/Warsaw' }),
    )

    expect(text).toBe('created (Europe/Warsaw)\n2026-07-02 00:30:00\n2026-01-01 01:00:00\nRoom 12\n')
  })

  test('shows a terminal sequence and a newline as visible escapes', async () => {
    const text = await textOf(
      tableText(inBatches([{ code: 'A\x1b[2J', campaign: 'one\ntwo' }]), columns.slice(0, 2), plain),
    )

    expect(text).toBe('code      campaign\nA\\x1b[2J  one\\ntwo\n')
  })

  test('on a terminal cuts texts of several words, wraps the last one, and shows codes and numbers whole', async () => {
    const named: Column[] = [{ name: 'code' }, { name: 'name', kind: 'text' }, ...columns.slice(1)]
    const row = {
      code: 'A-VERY-LONG-CODE',
      name: 'a name of rather many words',
      campaign: 'a campaign with a really long name',
      redemption: { quantity: 1234567890 },
    }

    expect(await textOf(tableText(inBatches([row]), named, { ...plain, width: 76 }))).toBe(
      [
        'code              name                    campaign                     limit',
        'A-VERY-LONG-CODE  a name of rather many…  a campaign with a       1234567890',
        '                                          really long name',
        '',
      ].join('\n'),
    )
  })

  test('on a terminal too narrow for its columns is a record of names and values for each row', async () => {
    const rows = [
      { code: 'A-VERY-LONG-CODE', campaign: 'a campaign with a long name' },
      { code: 'B', campaign: '' },
    ]

    const text = await textOf(tableText(inBatches(rows), columns.slice(0, 2), { ...plain, width: 20 }))

    expect(text).toBe('code      A-VERY-LONG-CODE\ncampaign  a campaign with a long name\n\ncode      B\n')
  })

  test('never cuts inside a character', async () => {
    const family = '👩‍👩‍👧‍👦'
    const names: Column[] = [{ name: 'name', kind: 'text' }, ...columns.slice(0, 2)]
    const row = { code: 'A', name: ` ${family.repeat(12)}`, campaign: 'x' }

    const text = await textOf(tableText(inBatches([row]), names, { ...plain, width: 38 }))

    expect(text).toMatch(/^ (?:👩‍👩‍👧‍👦)+… +A +x$/mu)
  })

  test('on a terminal leaves out empty columns, ids and words, and says once what that has values', async () => {
    const all: Column[] = [{ name: 'code' }, { name: 'holder_id' }, { name: 'gift', kind: 'number' }]
    const more: Column[] = [
      { name: 'profile', kind: 'identifier' },
      { name: 'campaign', kind: 'text' },
    ]
    const rows = ['A', 'B'].map((code) => ({
      code,
      holder_id: `cust_${code.repeat(20)}`,
      profile: 'live',
      campaign: 'x',
    }))
    const told: string[] = []
    const look = { ...plain, width: 13, mayLeaveOut: true, leftOut: (sentence: string) => told.push(sentence) }

    const text = await textOf(tableText(inBatches(rows), [...all, ...more], look))

    expect(text).toBe('code  profile\nA     live\nB     live\n')
    expect(told).toEqual(['holder_id, campaign ("x" in every row)'])
  })

  test('on a terminal leaves out an empty column before a heading takes two lines', async () => {
    const named: Column[] = [{ name: 'code' }, { name: 'percent_off', kind: 'number' }, { name: 'redeemed' }]
    const look = { ...plain, width: 20, mayLeaveOut: true, leftOut: () => {} }

    const text = await textOf(tableText(inBatches([{ code: 'CLUB', redeemed: 1 }]), named, look))

    expect(text).toBe('code  redeemed\nCLUB         1\n')
  })

  test.each([
    [
      'of its own',
      [{ source_id: 'a-1' }, { source_id: 'a-2' }],
      'source_id  name\na-1        Ann\na-2        Ben\n',
      ['id'],
    ],
    ['that one lacks', [{ source_id: 'a-1' }, {}], 'id        name\ncust_000  Ann\ncust_001  Ben\n', ['source_id']],
  ])(
    'on a terminal leaves out the id, and no source id, where each row has one %s',
    async (_, sources, table, left) => {
      const all: Column[] = [{ name: 'id' }, { name: 'source_id' }, { name: 'name', kind: 'text' }]
      const rows = sources.map((one, at) => ({ id: `cust_00${at}`, name: ['Ann', 'Ben'][at], ...one }))
      const told: string[] = []
      const look = { ...plain, width: 20, mayLeaveOut: true, leftOut: (sentence: string) => told.push(sentence) }

      expect(await textOf(tableText(inBatches(rows), all, look))).toBe(table)
      expect(told).toEqual(left)
    },
  )

  test.each([
    ['each row has another', 'Spring mailing', 'name            kind\nWelcome codes   SETUP\nSpring mailing  SETUP\n'],
    ['rows share it', 'Welcome codes', 'id      name\ncamp_0  Welcome codes\ncamp_1  Welcome codes\n'],
  ])(
    'on a terminal leaves out the id before it cuts a name, where %s, and keeps it otherwise',
    async (_, name, table) => {
      const all: Column[] = [{ name: 'id' }, { name: 'name', kind: 'text' }, { name: 'kind', kind: 'text' }]
      const rows = ['Welcome codes', name].map((one, at) => ({ id: `camp_${at}`, name: one, kind: 'SETUP' }))
      const look = { ...plain, width: 24, mayLeaveOut: true, leftOut: () => {} }

      expect(await textOf(tableText(inBatches(rows), all, look))).toBe(table)
    },
  )

  test('on a terminal wraps a long name where the id is left out, because nothing else says which row it is', async () => {
    const rows = [{ id: 'camp_1', name: 'A campaign of very many words, and more' }]
    const look = { ...plain, width: 34, mayLeaveOut: true, leftOut: () => {} }

    const text = await textOf(tableText(inBatches(rows), [{ name: 'id' }, { name: 'name', kind: 'text' }], look))

    expect(text).toBe('name\nA campaign of very many words, and\nmore\n')
  })

  test.each([
    [32, ['profile ("', ' in every row)']],
    [33, ['profile']],
  ])(
    'on a terminal says once what is the same in every row if it has %i characters, not more',
    async (length, said) => {
      const all: Column[] = [{ name: 'code' }, { name: 'profile', kind: 'text' }]
      const rows = ['A', 'B'].map((code) => ({ code, profile: 'p'.repeat(length) }))
      const told: string[] = []
      const look = { ...plain, width: 20, mayLeaveOut: true, leftOut: (sentence: string) => told.push(sentence) }

      await textOf(tableText(inBatches(rows), all, look))

      expect(
        told
          .join('')
          .split(/p{32}"|p{33}"/)
          .filter((part) => part !== ''),
      ).toEqual(said)
    },
  )

  test('is bold in its header only where colours are allowed', async () => {
    const rows = [{ code: 'A' }]

    const text = await textOf(tableText(inBatches(rows), [{ name: 'code' }], { ...plain, color: true }))

    expect(text).toBe('\x1b[1mcode\x1b[22m\nA\n')
  })

  test('aligns the numbers of an undeclared column', async () => {
    const text = await textOf(tableText(inBatches([{ total: 5 }, { total: 100 }]), [{ name: 'total' }], plain))

    expect(text).toBe('total\n    5\n  100\n')
  })
})
