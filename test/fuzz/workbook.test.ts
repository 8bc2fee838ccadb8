// Hostile workbooks: whatever is inside, reading ends in bounded time with rows, bad rows or a refusal in words.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PromoError } from '../../src/errors.ts'
import { holdsInTime } from '../support/fuzz.ts'
import { sized } from '../support/size.ts'
import { cell, row, workbook } from '../support/workbook.ts'
import { piped, readAll } from '../unit/bulk/input/reading.ts'

async function mustEnd(bytes: Buffer): Promise<void> {
  try {
    const { rows, bad } = await readAll(piped(bytes, { format: 'xlsx' }, 1000))
    for (const { key } of rows) expect(typeof key).toBe('string')
    for (const { message } of bad) expect(message).toMatch(/^row \d+ of sheet "/)
  } catch (error) {
    if (!(error instanceof PromoError) || error.exitCode !== 2) throw error
  }
}

const good = workbook({
  sheets: { Codes: row('code', 'n') + row('A-1', cell('5')) + row(cell('0', 's'), cell('46387.5', 'n', 1)) },
  formats: ['yyyy-mm-dd hh:mm'],
  texts: ['<si><t>B-2</t></si>'],
})

test('bytes that changed on the way', async () => {
  const change = fc.record({ at: fc.nat(good.length - 1), byte: fc.nat(255) })
  await holdsInTime(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), fc.nat(good.length), async (changes, end) => {
      const bytes = Buffer.from(good)
      for (const { at, byte } of changes) bytes[at] = byte
      await mustEnd(bytes)
      await mustEnd(bytes.subarray(0, end))
    }),
    300,
  )
})

const piece = fc.constantFrom(
  '<row>',
  '<row r="3">',
  '<row r="-1">',
  '</row>',
  '<c>',
  '<c r="B2" t="s">',
  '<c r="ZZZ1">',
  '<c t="e">',
  '<c t="b">',
  '<c t="d" s="9">',
  '<c t="nope">',
  '</c>',
  '<v>',
  '</v>',
  '<v/>',
  '<f>',
  '<is><t>',
  '</t></is>',
  '<rPh>',
  '&amp;',
  '&#xffffff;',
  '&#0;',
  '&x;',
  '<![CDATA[',
  ']]>',
  '<!--',
  '<?a?>',
  '1e400',
  '-1',
  'code',
  '_x0000_',
  '\ud800',
  '<x:row xmlns:x="y">',
  '<a b="c" b=d>',
)

test('XML of every kind, as the rows and as the rest', async () => {
  const xml = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
  await holdsInTime(
    fc.asyncProperty(
      xml,
      fc.constantFrom('sheet', 'xl/workbook.xml', 'xl/styles.xml', 'xl/_rels/workbook.xml.rels'),
      async (text, where) => {
        await mustEnd(
          where === 'sheet'
            ? workbook({ sheets: { Codes: row('code') + text }, texts: ['<si><t>B</t></si>'] })
            : workbook({ sheets: { Codes: row('code') }, files: { [where]: text } }),
        )
      },
    ),
    300,
  )
})

// A text that is read again with each piece, or kept as a whole, would take minutes of these.
const many = (text: string) => text.repeat(Math.ceil(sized({ quick: 10e6, slow: 30e6 }) / text.length))
test.each([
  ['empty rows', many('<row/>')],
  ['empty cells', `<row>${many('<c/>')}</row>`],
  ['nested elements', many('<a>')],
  ['one text', `<row><c t="str"><v>${many('x')}</v></c></row>`],
  ['one tag', `<row ${many('a="b" ')}/>`],
  ['one comment', `<!--${many('x')}-->`],
  ['one text in pieces', `<row><c t="str"><v>${many('<![CDATA[xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx]]>')}</v></c></row>`],
])('a large sheet of %s is read at once', async (_, xml) => {
  await mustEnd(workbook({ sheets: { Codes: row('code') + xml } }))
})
