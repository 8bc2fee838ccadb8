import { expect, test } from 'vitest'
import { blockText } from '../../../../src/output/form/block.ts'

test('an object of very many members is begun, and says how many more it has', async () => {
  const object = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`m${at}`, at]))
  const look = { header: true, color: false, timeZone: 'UTC', isTerminal: false } as Parameters<typeof blockText>[3]

  const lines: string[] = []
  for await (const line of blockText(object, { columns: [] }, undefined, look)) lines.push(line)

  expect(lines).toHaveLength(1_001)
  expect(lines.at(-1)).toBe('… (199,000 more members; --json has them all)\n')
})

test('a terminal breaks a text between words, keeps a code whole, and counts a list it has no room for', async () => {
  const look = { header: true, color: false, timeZone: 'UTC', isTerminal: true, width: 40 } as Parameters<
    typeof blockText
  >[3]
  const code = 'X'.repeat(50)
  const object = { code, note: 'a text of several words that is longer', rules: [{ id: 'a'.repeat(20) }, { id: 'b' }] }

  const lines: string[] = []
  for await (const line of blockText(object, { columns: [{ name: 'code' }] }, undefined, look)) lines.push(line)

  expect(lines.join('')).toBe(
    [
      `code   ${code}`,
      'note   a text of several words that is',
      '       longer',
      'rules  2 items; --json has them all',
      '',
    ].join('\n'),
  )
})
