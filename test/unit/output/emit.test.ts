import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ColumnSet } from '../../../src/output/column.ts'
import { emit, emitOne } from '../../../src/output/emit.ts'
import { type Format, formats } from '../../../src/output/shape.ts'
import { captured, raw, shape, slow } from './sinks.ts'

const set: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier' },
    { name: 'code', kind: 'identifier', inTable: true },
    { name: 'gift.balance', kind: 'number', inTable: true },
    { name: 'created_at', kind: 'time' },
  ],
}
/** A workbook is no text: xlsx.test.ts. */
type TextFormat = Exclude<Format, 'xlsx'>
const textFormats = formats.filter((format) => format !== 'xlsx')

const a = {
  id: 'v_1',
  code: 'A',
  gift: { balance: 5 },
  created_at: '2026-01-02T03:04:05.678Z',
  metadata: { shop: '=x' },
}
const b = { id: 'v_2', code: '=B', gift: null }

describe('a listing', () => {
  const nothing: Record<TextFormat, string> = {
    table: '',
    json: '[]\n',
    jsonl: '',
    csv: 'id,code,gift.balance,created_at\n',
    yaml: '[]\n',
    text: '',
  }
  const one: Record<TextFormat, string> = {
    table: 'code  gift.balance\n=B\n',
    json: '[\n  {\n    "id": "v_2",\n    "code": "=B",\n    "gift": null\n  }\n]\n',
    jsonl: '{"id":"v_2","code":"=B","gift":null}\n',
    csv: 'id,code,gift.balance,created_at\nv_2,=B,,\n',
    yaml: '- id: v_2\n  code: =B\n  gift: null\n',
    text: 'v_2\t=B\t\n',
  }
  const many: Record<TextFormat, string> = {
    table: 'code  gift.balance\nA                5\n=B\n',
    json: '[\n  {\n    "id": "v_1",\n    "code": "A",\n    "gift": {\n      "balance": 5\n    },\n    "created_at": "2026-01-02T03:04:05.678Z",\n    "metadata": {\n      "shop": "=x"\n    }\n  },\n  {\n    "id": "v_2",\n    "code": "=B",\n    "gift": null\n  }\n]\n',
    jsonl:
      '{"id":"v_1","code":"A","gift":{"balance":5},"created_at":"2026-01-02T03:04:05.678Z","metadata":{"shop":"=x"}}\n{"id":"v_2","code":"=B","gift":null}\n',
    csv: 'id,code,gift.balance,created_at\nv_1,A,5,2026-01-02T03:04:05.678Z\nv_2,=B,,\n',
    yaml: '- id: v_1\n  code: A\n  gift:\n    balance: 5\n  created_at: "2026-01-02T03:04:05.678Z"\n  metadata:\n    shop: =x\n- id: v_2\n  code: =B\n  gift: null\n',
    text: 'v_1\tA\t{"balance":5}\t2026-01-02T03:04:05.678Z\t{"shop":"=x"}\nv_2\t=B\t\n',
  }

  test.each(textFormats)('of nothing as %s', async (format) => {
    const sink = captured()

    const { count } = await emit([], set, shape(format), sink, { nothing: 'no vouchers found' })

    expect(count).toBe(0)
    expect(sink.out()).toBe(nothing[format])
    expect(sink.err()).toBe(format === 'table' ? 'no vouchers found\n' : '')
  })

  test('of nothing is silent when its message is empty', async () => {
    const sink = captured()

    await emit([], set, shape('table'), sink, { nothing: '' })

    expect(sink.err()).toBe('')
  })

  test.each(textFormats)('of one object as %s', async (format) => {
    const sink = captured()

    const { count } = await emit([b], set, shape(format), sink)

    expect(count).toBe(1)
    expect(sink.out()).toBe(one[format])
    expect(sink.err()).toBe('')
  })

  test.each(textFormats)('of many objects as %s', async (format) => {
    const sink = captured()

    const { count } = await emit([a, b], set, shape(format), sink)

    expect(count).toBe(2)
    expect(sink.out()).toBe(many[format])
  })

  test.each(textFormats.filter((format) => format !== 'table'))('as %s is the same on a terminal', async (format) => {
    const sink = captured({ columns: 20, color: true })

    await emit([a, b], set, shape(format), sink)

    expect(sink.out()).toBe(many[format])
  })

  test('says that there is more, after the rows', async () => {
    const sink = captured()

    await emit([a], set, shape('table'), sink, { more: () => 'more exist: --all' })

    expect(sink.err()).toBe('more exist: --all\n')
  })

  test.each([
    ['that there is more', [a]],
    ['that nothing was found', []],
  ])('does not say %s with --quiet', async (_, rows) => {
    const sink = Object.assign(captured(), { quiet: true })

    await emit(rows, set, shape('table'), sink, { more: () => 'more exist: --all' })

    expect(sink.err()).toBe('')
  })

  test('with columns has those, in that order, from anywhere in the object', async () => {
    const sink = captured()

    await emit([a, b], set, shape('csv', { columns: ['metadata.shop', 'code'] }), sink)

    expect(sink.out()).toBe("metadata.shop,code\n'=x,A\n,=B\n")
    expect(sink.err()).toBe('')
  })

  test('shows a column that no row has as empty, and reports it even with --quiet', async () => {
    const sink = Object.assign(captured(), { quiet: true })

    await emit([a], set, shape('table', { columns: ['code', 'metadata.shoe'] }), sink)

    expect(sink.out()).toBe('code  metadata.shoe\nA\n')
    expect(sink.err()).toBe('no row has a column "metadata.shoe"\n')
  })

  test.each<[string, string, string]>([
    ['table', '[].{c: code}', 'c\nA\n=B\n'],
    ['csv', '[].code', "value\nA\n'=B\n"],
    ['text', '[].code', 'A\n=B\n'],
    ['text', '[0].code', 'A\n'],
    ['text', '[].[id, gift.balance]', 'v_1\t5\nv_2\t\n'],
    ['text', '[9].code', ''],
    ['csv', 'length(@)', 'value\n2\n'],
    ['table', 'length(@)', '2\n'],
    ['table', '[1]', 'id    v_2\ncode  =B\ngift\n'],
    ['json', '[].code', '[\n  "A",\n  "=B"\n]\n'],
    ['json', 'nope', 'null\n'],
    ['yaml', '[].code', '- A\n- =B\n'],
    ['jsonl', 'code', '"A"\n"=B"\n'],
  ])('as %s shows what the query %s answers', async (format, query, expected) => {
    const sink = captured()

    await emit([a, b], set, shape(format as Format, { query }), sink)

    expect(sink.out()).toBe(expected)
  })

  test.each([
    [
      'columns of JSON',
      shape('json', { columns: ['code', 'gift.balance'] }),
      `--query '[].{code: code, "gift.balance": gift.balance}'`,
    ],
    [
      'columns of JSON Lines',
      shape('jsonl', { columns: ['metadata.my-key'] }),
      `--query '{"metadata.my-key": metadata."my-key"}'`,
    ],
    ['an empty name of a column', shape('csv', { columns: ['code', ''] }), '--columns code,active'],
    ['a query that does not parse', shape('json', { query: '[' }), 'promo help formats'],
    ['an unknown zone', shape('table', { timeZone: 'Mars/Olympus', columns: ['created_at'] }), '--tz Europe/Warsaw'],
  ])('refuses %s before it asks for a row', async (_, wrong, hint) => {
    let isAsked = false
    function* rows() {
      isAsked = true
      yield a
    }

    const emitting = emit(rows(), set, wrong, captured())

    await expect(emitting).rejects.toMatchObject({ kind: 'usage', exitCode: 2, facts: { hint } })
    expect(isAsked).toBe(false)
  })

  test('of a closed set refuses a column that does not exist', async () => {
    const closed = { ...set, closed: true }

    const emitting = emit([a], closed, shape('csv', { columns: ['coed'] }), captured())

    await expect(emitting).rejects.toMatchObject({
      exitCode: 2,
      message: 'there is no column "coed"; did you mean "code"?',
    })
  })

  test('passes on the failure of its rows unchanged', async () => {
    const failure = new Error('page 2 is gone')
    async function* rows() {
      yield a
      throw failure
    }
    const sink = captured()

    const emitting = emit(rows(), set, shape('csv'), sink)

    await expect(emitting).rejects.toBe(failure)
    expect(sink.out()).toBe('id,code,gift.balance,created_at\nv_1,A,5,2026-01-02T03:04:05.678Z\n')
  })

  test('refused at its first row writes nothing', async () => {
    const sink = captured()
    async function* rows(): AsyncGenerator<object> {
      yield await Promise.reject(new Error('refused'))
    }

    await expect(emit(rows(), set, shape('csv'), sink)).rejects.toThrow('refused')
    expect(sink.out()).toBe('')
  })
})

describe('a slow reader', () => {
  test.each<Format>(['json', 'jsonl', 'csv', 'yaml'])(
    'of %s slows the source down, and misses nothing',
    async (format) => {
      const { stream, text } = slow()
      let pulled = 0
      let furthest = 0
      function* rows() {
        for (let at = 0; at < 5_000; at++) {
          pulled += 1
          yield { id: `v_${at}`, code: `C${at}` }
        }
      }
      const write = stream._write.bind(stream)
      stream._write = (chunk, encoding, done) => {
        const last = [...String(chunk).matchAll(/\bC(\d+)/g)].at(-1)?.[1]
        if (last !== undefined) furthest = Math.max(furthest, pulled - Number(last))
        write(chunk, encoding, done)
      }

      const { count } = await emit(rows(), set, shape(format), { ...captured(), stdout: stream })

      expect(count).toBe(5_000)
      expect(text().match(/\bC\d+/g)).toEqual(Array.from({ length: 5_000 }, (_, at) => `C${at}`))
      expect(furthest).toBeLessThanOrEqual(102)
    },
  )

  test('that closes the pipe stops the source', async () => {
    const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(closed) })
    let pulled = 0
    function* rows() {
      for (;;) {
        pulled += 1
        yield a
      }
    }

    const emitting = emit(rows(), set, shape('jsonl'), { ...captured(), stdout })

    await expect(emitting).rejects.toBe(closed)
    expect(pulled).toBeLessThanOrEqual(101)
  })

  test('that never reads is ended by an abort', async () => {
    const stop = new AbortController()
    const stdout = new Writable({ write: () => stop.abort('SIGINT') })

    const emitting = emit([a], set, shape('json'), { ...captured(), stdout, signal: stop.signal })

    await expect(emitting).rejects.toBe('SIGINT')
  })
})

describe('a single object', () => {
  const expected: Record<TextFormat, string> = {
    table:
      'id             v_1\ncode           A\ngift.balance   5\ncreated_at     2026-01-02 03:04:05 UTC\nmetadata.shop  =x\n',
    json: '{\n  "id": "v_1",\n  "code": "A",\n  "gift": {\n    "balance": 5\n  },\n  "created_at": "2026-01-02T03:04:05.678Z",\n  "metadata": {\n    "shop": "=x"\n  }\n}\n',
    jsonl:
      '{"id":"v_1","code":"A","gift":{"balance":5},"created_at":"2026-01-02T03:04:05.678Z","metadata":{"shop":"=x"}}\n',
    csv: 'id,code,gift.balance,created_at\nv_1,A,5,2026-01-02T03:04:05.678Z\n',
    yaml: 'id: v_1\ncode: A\ngift:\n  balance: 5\ncreated_at: "2026-01-02T03:04:05.678Z"\nmetadata:\n  shop: =x\n',
    text: 'v_1\tA\t{"balance":5}\t2026-01-02T03:04:05.678Z\t{"shop":"=x"}\n',
  }

  test.each(textFormats)('as %s', async (format) => {
    const sink = captured()

    await emitOne(a, set, shape(format), sink)

    expect(sink.out()).toBe(expected[format])
  })

  test('as a table leaves out what has no value', async () => {
    const sink = captured()

    await emitOne({ ...b, metadata: {} }, set, shape('table'), sink)

    expect(sink.out()).toBe('id    v_2\ncode  =B\n')
  })

  test('as a table without a header is its values', async () => {
    const sink = captured()

    await emitOne(a, set, shape('table', { header: false, columns: ['code', 'gift.balance'] }), sink)

    expect(sink.out()).toBe('A\n5\n')
  })

  test('as a table shows a hostile name and value as visible escapes', async () => {
    const sink = captured()

    await emitOne({ code: 'A\u202e', metadata: { 'x\x1b[31m': 'y\nz' } }, set, shape('table'), sink)

    expect(sink.out()).toBe('code                A\\u202e\nmetadata.x\\x1b[31m  y\\nz\n')
  })

  test('with a number too large for JavaScript prints it digit by digit', async () => {
    const sink = captured()

    await emitOne({ code: 'A', gift: { balance: raw('9007199254740993') } }, set, shape('table'), sink)

    expect(sink.out()).toBe('code          A\ngift.balance  9007199254740993\n')
  })

  test('is reduced by a query', async () => {
    const sink = captured()

    await emitOne(a, set, shape('json', { query: 'gift.balance' }), sink)

    expect(sink.out()).toBe('5\n')
  })
})

describe('--out', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'promo-emit-'))
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
  })

  test('writes to the file what a pipe would receive, and nothing to stdout', async () => {
    const out = join(folder, 'codes.txt')
    const sink = captured({ columns: 12, color: true })

    await emit(
      [{ code: 'A', name: 'a long text that a terminal would cut' }],
      { columns: [{ name: 'code' }, { name: 'name' }] },
      shape('table', { out }),
      sink,
    )

    expect(sink.out()).toBe('')
    expect(await readFile(out, 'utf8')).toBe('code  name\nA     a long text that a terminal would cut\n')
  })

  test('of a listing that fails leaves no file', async () => {
    async function* rows() {
      yield a
      throw new Error('page 2 is gone')
    }

    const emitting = emit(rows(), set, shape('csv', { out: join(folder, 'codes.csv') }), captured())

    await expect(emitting).rejects.toThrow('page 2 is gone')
    expect(await readdir(folder)).toEqual([])
  })

  test('of a listing that is aborted leaves no file', async () => {
    const stop = new AbortController()
    async function* rows() {
      yield a
      stop.abort('SIGINT')
      yield b
    }

    const emitting = emit(
      rows(),
      set,
      shape('json', { out: join(folder, 'x.json') }),
      captured({ signal: stop.signal }),
    )

    await expect(emitting).rejects.toBe('SIGINT')
    expect(await readdir(folder)).toEqual([])
  })

  test('that is a folder is refused before a row is requested', async () => {
    const emitting = emit([a], set, shape('csv', { out: folder }), captured())

    await expect(emitting).rejects.toMatchObject({ kind: 'usage', exitCode: 2 })
  })

  test('named - is stdout', async () => {
    const sink = captured()

    await emit([b], set, shape('jsonl', { out: '-' }), sink)

    expect(sink.out()).toBe('{"id":"v_2","code":"=B","gift":null}\n')
  })
})
