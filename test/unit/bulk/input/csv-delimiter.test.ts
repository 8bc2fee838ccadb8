import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readHead } from '../../../../src/bulk/input/csv-delimiter.ts'

test.each([
  ['a,b;c\n', ','],
  ['a;b|c\n', ';'],
  ['a|b\tc\n', '\t'],
  ['a;b;c,d\n', ';'],
])(
  'where no column is a key and delimiters make as many fields, the first of them counts: %j',
  async (text, delimiter) => {
    expect((await readHead(Readable.from([Buffer.from(text)]), () => false, {})).delimiter).toBe(delimiter)
  },
)
