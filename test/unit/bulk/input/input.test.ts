import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import type { InputOptions } from '../../../../src/bulk/input/input.ts'
import { readRows } from '../../../../src/bulk/input/input.ts'
import { piped, readAll, refusal } from './reading.ts'

const folder = mkdtempSync(join(tmpdir(), 'promo-input-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('JSON that no name and no flag announces', () => {
  test.each([
    ['one object a line', '{"code":"A"}\n{"code":"B"}\n', ['A', 'B']],
    ['one object a line, after a blank one', '\n{ "code": "A" }\r\n', ['A']],
    ['an object with a quote and a line break in it', '{"code":"A","note":"12\\" \\n"}\n{"code":"B"}', ['A', 'B']],
    ['an array', '[{"code":"A"},{"code":"B"}]', ['A', 'B']],
    ['an array of several lines', '[\n  {"code":"A"},\n  {"code":"B"}\n]\n', ['A', 'B']],
    ['an object of several lines', '{\n  "code": "A"\n}\n', ['A']],
  ])('%s is read as what it is, from a pipe and from a file that is called CSV', async (_name, text, keys) => {
    const assumed: string[] = []
    const path = file('wrong-name.csv', text)

    const fromPipe = await readAll(piped(text, {}, 3))
    const fromFile = await readAll({ ...piped(''), from: path, assumed: (sentence) => assumed.push(sentence) })

    expect(fromPipe.rows.map(({ key }) => key)).toEqual(keys)
    expect(fromFile.rows.map(({ key }) => key)).toEqual(keys)
    expect(assumed).toEqual([`"${path}" is read as JSON, because it begins as JSON does`])
  })

  test('is found in a text file, whose lines would each be a key', async () => {
    const { rows } = await readAll({ ...piped(''), from: file('codes.txt', '{"code":"A"}\n') })

    expect(rows.map(({ key }) => key)).toEqual(['A'])
  })

  test('is refused where --input-format or --delimiter says that it is CSV', async () => {
    expect((await refusal(piped('{"code":"a"}\n', { format: 'csv' }))).text).toContain(
      'standard input is JSON, not CSV',
    )
    expect((await refusal(piped('{"code":"a"}\n', { delimiter: ';' }))).text).toContain('--delimiter is for CSV only')
  })
})

describe('bytes that are not UTF-8 text', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  const wide = Buffer.from('code\nabcdef\n', 'utf16le')
  const at = (byte: string, offset: number) =>
    `not UTF-8: the byte ${byte} at byte offset ${offset} (line 2) is not allowed there`
  const unmarked = (offset: number) =>
    `UTF-16 without a byte order mark (a NUL byte at byte offset ${offset} (line 1)), not UTF-8 text`
  const utf32 = 'UTF-32, not UTF-8 text | iconv -f UTF-32 -t UTF-8 FILE > utf8.csv'
  const saveAgain = 'not UTF-8 text | open it, save it as a workbook (.xlsx), and give that file'

  test.each([
    [
      'latin-1',
      bytes('code\nGRÜN\n'),
      `${at('0xdc', 7)} | --encoding windows-1252, if a spreadsheet saved it as plain "CSV"; check its special letters with --dry-run`,
    ],
    ['latin-1 after a mark and a replacement character', bytes('\xef\xbb\xbfcode\n\xef\xbf\xbd\xe4\n'), at('0xe4', 11)],
    ['a character cut off at the end', bytes('code\na\xc3'), at('0xc3', 6)],
    ['an overlong form', bytes('code\n\xc0\xaf\n'), at('0xc0', 5)],
    [
      'UTF-16 with half of a pair',
      Buffer.from('\uFEFFcode\n\ud800x\n', 'utf16le'),
      'not UTF-16: it has half of a character | save it again, as "CSV UTF-8"',
    ],
    ['UTF-16 without a mark, little end first', wide, `${unmarked(1)} | --encoding utf-16`],
    [
      'UTF-16 without a mark, big end first',
      Buffer.from(wide).swap16(),
      `${unmarked(0)} | iconv -f UTF-16BE -t UTF-8 FILE > utf8.csv`,
    ],
    ['UTF-32, little end first', bytes('\xff\xfe\0\0c\0\0\0o\0\0\0d\0\0\0e\0\0\0'), utf32],
    ['UTF-32, big end first', bytes('\0\0\xfe\xff\0\0\0c'), utf32],
    ['gzip', gzipSync('code\na\n'), 'gzip-compressed, not UTF-8 text | gunzip -c FILE | promo … --from -'],
    [
      'zip',
      bytes('PK\x03\x04\x14\0\0\0\x08\0rows.csv'),
      'a zip archive, not UTF-8 text | unzip -p FILE | promo … --from -',
    ],
    [
      'xlsx',
      bytes('PK\x03\x04\x14\0\x06\0\x08\0..................[Content_Types].xml'),
      'an Excel workbook (xlsx), not UTF-8 text | --input-format xlsx',
    ],
    [
      'ods',
      bytes('PK\x03\x04\x14\0\0\0\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK'),
      `an OpenDocument file (ods), ${saveAgain}`,
    ],
    ['xls', Buffer.from('d0cf11e0a1b11ae1000000000000000000', 'hex'), `an old Excel workbook (xls), ${saveAgain}`],
  ])('%s is refused by name, with what to do', async (_name, content, expected) => {
    const refused = await refusal(piped(content))
    const byteByByte = await refusal(piped(content, {}, 1))

    expect(refused).toMatchObject({ kind: 'input', exitCode: 2 })
    expect(refused.text).toContain(`standard input is ${expected}`)
    expect(byteByByte.text.includes('the byte')).toBe(refused.text.includes('the byte'))
  })

  test('a NUL byte is refused, with its place', async () => {
    const { text } = await refusal(piped('code\nabc\0def\n'))

    expect(text).toBe('standard input holds a NUL byte at byte offset 8 (line 2); it is not text')
  })

  test.each<[string, Buffer, Partial<InputOptions>]>([
    ['UTF-16 with a mark, little end first', Buffer.from('\uFEFFcode\nGRÜN😀\n', 'utf16le'), {}],
    ['UTF-16 with a mark, big end first', Buffer.from('\uFEFFcode\nGRÜN😀\n', 'utf16le').swap16(), {}],
    ['UTF-16 that the user names', Buffer.from('code\nGRÜN😀\n', 'utf16le'), { encoding: 'utf-16' }],
    ['UTF-8 with a mark, whatever the user names', Buffer.from('\uFEFFcode\nGRÜN😀\n'), { encoding: 'windows-1252' }],
  ])('%s is read, however the pipe cuts it', async (_name, bytes, options) => {
    for (const size of [1, 2, 3, 5, 100]) {
      const { rows } = await readAll(piped(bytes, options, size))

      expect(rows.map(({ key }) => key)).toEqual(['GRÜN😀'])
    }
  })

  test('windows-1252 is read where the user names it', async () => {
    const { rows } = await readAll(piped(Buffer.from('code\n\x80-GR\xdcN\n', 'latin1'), { encoding: 'windows-1252' }))

    expect(rows.map(({ key }) => key)).toEqual(['€-GRÜN'])
  })

  test('the offset is the one in the file, however the pipe cuts it', async () => {
    const bytes = Buffer.concat([Buffer.from('\uFEFFcode\nü😀\n'), Buffer.from([0xff, 0x0a])])

    const texts = await Promise.all([1, 2, 3, 5, 100].map(async (size) => (await refusal(piped(bytes, {}, size))).text))

    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain('the byte 0xff at byte offset 15 (line 3)')
  })
})

describe('where rows come from', () => {
  test('a file is read, and named in its errors', async () => {
    const path = file('codes.csv', 'code\nA\nB\n')

    const { rows } = await readAll(piped('', { from: path }))
    const refused = await refusal(piped('', { from: path, column: 'id' }))

    expect(rows.map(({ key }) => key)).toEqual(['A', 'B'])
    expect(refused.text).toContain(`"${path}" has no column "id"`)
  })

  test('a hint for a file can be pasted', async () => {
    const path = file('codes.gz.csv', gzipSync('code\nA\n'))

    expect((await refusal(piped('', { from: path }))).text).toContain(`gunzip -c "${path}" | promo … --from -`)
  })

  test('a terminal is refused at once', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true })

    expect(await refusal(piped('', { stdin }))).toEqual({
      kind: 'input',
      exitCode: 2,
      text: 'standard input is a terminal, there is nothing to read | pipe the rows in, or use --from FILE',
    })
  })

  test.each([
    [
      'a missing file',
      join(folder, 'invoices-2019.csv'),
      `cannot read "${folder}/invoices-2019.csv": there is no such file | check the path: it is looked for in ${folder}`,
    ],
    [
      'a misspelt file',
      join(folder, 'cdoes-of-may.csv'),
      `cannot read "${folder}/cdoes-of-may.csv": there is no such file | did you mean "${folder}/codes-of-may.csv"?`,
    ],
    [
      'a file in a missing folder',
      '/nowhere/codes.csv',
      'cannot read "/nowhere/codes.csv": there is no such file | check the path: there is no folder "/nowhere" either',
    ],
    ['a folder', folder, `"${folder}" is a folder, not a file`],
    ['a device', '/dev/zero', '"/dev/zero" is a device, not a file'],
    [
      'a path that moves the cursor',
      '/nowhere/\u001b[2J',
      'cannot read "/nowhere/\\x1b[2J": there is no such file | check the path: there is no folder "/nowhere" either',
    ],
  ])('%s is refused', async (_name, from, text) => {
    writeFileSync(join(folder, 'codes-of-may.csv'), 'code\n')

    expect(await refusal(piped('', { from }))).toEqual({ kind: 'input', exitCode: 2, text })
  })

  test('a FIFO is read like a pipe', async () => {
    const path = join(folder, 'fifo')
    execFileSync('mkfifo', [path])

    const reading = readAll(piped('', { from: path }))
    execFile('sh', ['-c', `printf 'code\\nA\\n' > "$1"`, 'sh', path])

    expect((await reading).rows.map(({ key }) => key)).toEqual(['A'])
  })

  test.each([
    ['grows', (path: string) => appendFileSync(path, 'B,x\n')],
    [
      'is replaced under the same name',
      (path: string) => {
        writeFileSync(`${path}.new`, 'code,note\nA,long enough\n')
        renameSync(`${path}.new`, path)
      },
    ],
    ['is removed', (path: string) => rmSync(path)],
  ])('a file that %s while it is read is refused', async (_name, change) => {
    const path = file('moving.csv', 'code,note\nA,long enough\n')
    const rows = readRows(piped('', { from: path }))
    await rows.next()

    change(path)
    // To the end: what was added may be read as one more row before the end of the file tells on it.
    const rest = (async () => {
      for await (const row of rows) expect(row).toMatchObject({ key: 'B' })
    })()

    await expect(rest).rejects.toMatchObject({
      kind: 'input',
      exitCode: 2,
      message: `"${path}" changed while it was read`,
    })
  })

  test('a reader that stops early leaves nothing open and nothing thrown', async () => {
    const path = file('long.csv', `code\n${'A\n'.repeat(200_000)}`)

    for await (const row of readRows(piped('', { from: path }))) {
      expect(row).toMatchObject({ line: 2, key: 'A' })
      break
    }
  })

  test('giving up ends the wait for a silent pipe', async () => {
    const giveUp = new AbortController()
    const stdin = new PassThrough()
    const rows = readRows(piped('', { stdin, signal: giveUp.signal }))
    stdin.write('code,note\nA,long enough\n')
    await rows.next()

    const waiting = rows.next()
    giveUp.abort(new Error('interrupted'))

    await expect(waiting).rejects.toThrow('interrupted')
  })

  test('a pipe that breaks is an input/output error', async () => {
    const stdin = new PassThrough()
    const reading = refusal(piped('', { stdin }))

    stdin.destroy(Object.assign(new Error('read EIO'), { code: 'EIO' }))

    expect(await reading).toEqual({
      kind: 'io',
      exitCode: 10,
      text: 'reading standard input failed: the disk reports an error',
    })
  })
})

describe('which format is read', () => {
  test.each([
    ['codes.csv', 'code\nA\n'],
    ['codes.dat', 'code\nA\n'],
    ['codes.jsonl', '{"code":"A"}\n'],
    ['codes.NDJSON', '"A"\n'],
    ['codes.txt', 'A\n'],
  ])('the extension of %s decides', async (name, text) => {
    const { rows } = await readAll(piped('', { from: file(name, text) }))

    expect(rows.map(({ key, fields }) => [key, fields.code])).toEqual([['A', 'A']])
  })

  test('the format that is asked for wins over the extension', async () => {
    const { rows } = await readAll(piped('', { from: file('list.csv', 'A\nB\n'), format: 'lines' }))

    expect(rows.map(({ key }) => key)).toEqual(['A', 'B'])
  })

  test.each([
    [
      'a column for lines',
      { format: 'lines', columnGiven: true },
      '--column names a column of CSV or a member of JSON; lines have neither | leave out --column',
    ],
    ['a delimiter for JSON', { format: 'jsonl', delimiter: ';' }, '--delimiter is for CSV only | --input-format csv'],
    [
      'a delimiter of two characters',
      { delimiter: '::' },
      '--delimiter takes one character, for example --delimiter ";"',
    ],
    ['a quote as the delimiter', { delimiter: '"' }, '--delimiter takes one character, for example --delimiter ";"'],
  ] as const)('%s is a usage error', async (_name, options, text) => {
    expect(await refusal(piped('code\nA\n', options))).toEqual({ kind: 'usage', exitCode: 2, text })
  })

  test('a bad delimiter is refused without waiting for a pipe', async () => {
    const pipe = join(folder, 'waiting.txt')
    execFileSync('mkfifo', [pipe])

    const { text } = await refusal(piped('', { from: pipe, delimiter: '::' }))

    expect(text).toMatch(/^--delimiter takes one character/)
  })

  const openFiles = '/proc/self/fd'
  test.runIf(existsSync(openFiles)).each([{ columnGiven: true }, { delimiter: ';' }])(
    'a text file refused with %o is closed again',
    async (options) => {
      const from = file('refused.txt', `${'A\n'.repeat(100_000)}`)

      const { kind } = await refusal(piped('', { from, ...options }))

      const places = readdirSync(openFiles).map((fd) => {
        const place = join(openFiles, fd)
        return existsSync(place) ? readlinkSync(place) : ''
      })
      expect(kind).toBe('usage')
      expect(places).not.toContain(realpathSync(from))
    },
  )
})
