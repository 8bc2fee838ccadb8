import { createRequire } from 'node:module'
import { crc32, inflateSync } from 'node:zlib'
import { encode } from 'uqr'
import { afterEach, describe, expect, test } from 'vitest'
import { assetIdsOf } from '../../../../src/sandbox/answers/assets.ts'
import type { RunningSandbox } from '../../../../src/sandbox/embedded.ts'
import { startTestSandbox, testSandbox } from '../../../support/sandbox.ts'

// The bars of each character, which the library does not export.
const { BARS } = createRequire(import.meta.url)('jsbarcode/bin/barcodes/CODE128/constants.js') as { BARS: number[] }

const off = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } }

function shown(code: string) {
  const sandbox = testSandbox({ fixture: { vouchers: [{ code, ...off }] } })
  const headers = { host: '127.0.0.1:4321' }
  const { assets } = sandbox.call('GET', `/v1/vouchers/${encodeURIComponent(code)}`, { headers }).body
  const draw = async (kind: 'qr' | 'barcode', query = '') => {
    const url = new URL(assets[kind].url)
    const answer = sandbox.call('GET', url.pathname, {
      query,
      headers: { 'x-app-id': undefined, 'x-app-token': undefined },
    })
    const pieces: Array<string | Uint8Array> = []
    if (answer.status === 200) for await (const piece of answer.body) pieces.push(piece)
    const { status, headers: sent, body } = answer
    return { status, headers: sent, body, picture: Buffer.concat(pieces.map((piece) => Buffer.from(piece))) }
  }
  return { ...sandbox, assets, draw }
}

/** Reads the black rectangles of an SVG back into rows of modules. */
function modulesIn(svg: string): boolean[][] {
  const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number)
  const rows = Array.from({ length: height }, () => Array<boolean>(width).fill(false))
  const path = svg.split('<path ').at(-1) ?? ''
  for (const rectangle of path.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)h-\d+z/g)) {
    const [, x = 0, y = 0, across = 0, down = 0] = rectangle.map(Number)
    for (let dy = 0; dy < down; dy += 1) rows[y + dy]?.fill(true, x, x + across)
  }
  return rows
}

/** Reads a PNG of one bit per pixel back into rows of pixels, true for black. */
function pixelsIn(png: Buffer): boolean[][] {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const at = png.indexOf('IDAT')
  const end = at + 4 + png.readUInt32BE(at - 4)
  expect(png.readUInt32BE(29)).toBe(crc32(png.subarray(12, 29)))
  expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at, end)))
  expect(png.subarray(end + 4).toString('hex')).toBe('0000000049454e44ae426082')
  const lines = inflateSync(png.subarray(at + 4, end))
  const lineBytes = 1 + Math.ceil(width / 8)
  expect(lines.length).toBe(height * lineBytes)
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x) => (((lines[y * lineBytes + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 0),
  )
}

/** Reads a Code 128 barcode as a scanner would: quiet zone, start, characters of sets A, B and C, checksum, stop. */
function scanned(row: readonly boolean[]): string {
  const bits = row.map((black) => (black ? '1' : '0')).join('')
  const [, bars = ''] = /^0{10}(1.*1)0{10}$/.exec(bits) ?? []
  const values = Array.from({ length: (bars.length - 13) / 11 }, (_, index) =>
    BARS.findIndex((pattern) => String(pattern) === bars.slice(index * 11, index * 11 + 11)),
  )
  expect(bars.slice(-13)).toBe('1100011101011')
  const [start = 0, ...rest] = values
  const checksum = rest.pop()
  expect(checksum).toBe(rest.reduce((sum, value, index) => sum + value * (index + 1), start) % 103)
  let set = 'ABC'[start - 103]
  let text = ''
  for (const value of rest) {
    const next = { A: { 99: 'C', 100: 'B' }, B: { 99: 'C', 101: 'A' }, C: { 100: 'B', 101: 'A' } }[
      set ?? 'B'
    ] as Record<number, string>
    if (next[value]) set = next[value]
    else text += set === 'C' ? String(value).padStart(2, '0') : String.fromCharCode(value + 32)
  }
  return text
}

describe('what a voucher shows', () => {
  test('both pictures have an id and an absolute address that starts with the host of the request', () => {
    const { assets } = shown('BEANS10')

    expect(assets).toEqual({
      qr: { id: expect.stringMatching(/^[\w-]{40,}$/), url: `http://127.0.0.1:4321/v1/assets/qr/${assets.qr.id}` },
      barcode: {
        id: expect.stringMatching(/^[\w-]{40,}$/),
        url: `http://127.0.0.1:4321/v1/assets/barcode/${assets.barcode.id}`,
      },
    })
    expect(assets.qr.id).not.toBe(assets.barcode.id)
  })

  test('the ids are stable, in listings too', () => {
    const { call, assets } = shown('A')
    const headers = { host: '127.0.0.1:4321' }

    expect(call('POST', '/v1/vouchers/A/disable', { headers }).body.assets).toEqual(assets)
    expect(call('GET', '/v1/vouchers', { headers }).body.vouchers[0].assets).toEqual(assets)
  })

  test('the barcode of a code beyond ASCII is one that can hold it, a QR code', async () => {
    const { assets, draw } = shown('CAFÉ☕')
    const [barcode, qr] = [await draw('barcode'), await draw('qr')]

    expect(Object.keys(assets)).toEqual(['qr', 'barcode'])
    expect(barcode.picture.toString()).toBe(qr.picture.toString())
    expect(assets.barcode.id).not.toBe(assets.qr.id)
    expect((await draw('barcode', 'format=png&size=100')).status).toBe(200)
  })

  test('the longest code that fits a QR code has one, and a longer one has none', async () => {
    expect(modulesIn((await shown(`${'☕'.repeat(984)}x`).draw('qr')).picture.toString())).toHaveLength(185)
    expect(Object.keys(shown(`${'☕'.repeat(984)}xx`).assets)).toEqual([])
  })
})

describe('the ids', () => {
  const [one, other] = ['proj_1', 'proj_2'].map((id) => assetIdsOf({ id, webhook_secret: 'secret' }))

  test('an id finds its voucher, only as the kind and in the project it was created for', () => {
    const id = one?.make('v_1').qr ?? ''

    expect(one?.read('qr', id)).toBe('v_1')
    expect(one?.read('barcode', id)).toBeUndefined()
    expect(other?.read('qr', id)).toBeUndefined()
    expect(assetIdsOf({ id: 'proj_1', webhook_secret: 'other' }).read('qr', id)).toBeUndefined()
  })

  test('neither altering nor cutting an id finds another voucher', () => {
    const id = one?.make('v_1').qr ?? ''
    const bytes = Buffer.from(id, 'base64url')

    for (let place = 0; place < bytes.length; place += 1) {
      const altered = Buffer.from(bytes)
      altered.writeUInt8(bytes.readUInt8(place) ^ 1, place)
      expect(one?.read('qr', altered.toString('base64url'))).toBeUndefined()
      expect(one?.read('qr', bytes.subarray(0, place).toString('base64url'))).toBeUndefined()
    }
  })
})

describe('the pictures', () => {
  test.each(['A', 'BEANS10', '0123456789', 'LATTE ART/2026', 'CAFÉ☕', 'x'.repeat(300)])(
    'the QR code of %s is that code, with a quiet zone of four modules',
    async (code) => {
      const { status, headers, picture } = await shown(code).draw('qr')

      expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
      expect(modulesIn(picture.toString())).toEqual(encode(code, { ecc: 'L', boostEcc: true, border: 4 }).data)
    },
  )

  test.each(['A', 'BEANS10', '0123456789', '12345', 'LATTE ART/2026', 'abc-123456-XYZ', '~`{|}"<&>\' #'])(
    'a scanner reads the barcode of %s as that code',
    async (code) => {
      const { status, picture } = await shown(code).draw('barcode')
      const rows = modulesIn(picture.toString())

      expect(status).toBe(200)
      expect(rows).toHaveLength(50)
      expect(new Set(rows.map((row) => scanned(row)))).toEqual(new Set([code]))
    },
  )

  test('size is the width of a module in pixels', async () => {
    const { draw } = shown('A')
    const sizeOf = async (query: string) => {
      const { picture } = await draw('qr', query)
      return /width="(\d+)" height="(\d+)" viewBox="0 0 29 29"/.exec(picture.toString())?.slice(1)
    }

    expect(await sizeOf('')).toEqual(['116', '116'])
    expect(await sizeOf('size=1')).toEqual(['29', '29'])
    expect(await sizeOf('size=100&format=svg')).toEqual(['2900', '2900'])
  })

  test.each(['qr', 'barcode'] as const)('the PNG of a %s has the pixels of the SVG', async (kind) => {
    const { draw } = shown('LATTE ART/2026')
    const modules = modulesIn((await draw(kind)).picture.toString())

    const { headers, picture } = await draw(kind, 'format=png&size=3')

    const pixels = pixelsIn(picture)
    expect(headers['content-type']).toBe('image/png')
    expect(pixels).toEqual(modules.flatMap((row) => Array(3).fill(row.flatMap((black) => [black, black, black]))))
  })

  test.each([
    ['size=0', 'Property .size must be >= 1'],
    ['size=101', 'Property .size must be <= 100'],
    ['size=abc', 'Property .size must be number'],
    ['format=gif', 'Property .format must be equal to one of the allowed values: svg, png'],
  ])('the query %s is refused', async (query, details) => {
    expect((await shown('A').draw('qr', query)).body).toMatchObject({ code: 400, key: 'invalid_query_params', details })
  })

  test('a PNG of more than 400 million pixels is refused, the SVG is not', async () => {
    const { draw } = shown('x'.repeat(300))

    expect((await draw('barcode', 'size=49&format=png')).body).toMatchObject({
      code: 400,
      details: 'Property .size is too large for a PNG of this code',
    })
    expect((await draw('barcode', 'size=48&format=png')).status).toBe(200)
    expect((await draw('barcode', 'size=100')).status).toBe(200)
  })

  test('a picture of a deleted or unknown voucher is a 404', async () => {
    const { del, get, draw } = shown('A')
    del('/v1/vouchers/A')

    const deleted = await draw('qr')
    const unknown = get('/v1/assets/qr/x')

    expect(deleted.status).toBe(404)
    expect(unknown.body).toMatchObject({ code: 404, key: 'not_found', resource_id: 'x', resource_type: 'asset' })
  })
})

describe('over a socket', () => {
  let running: RunningSandbox | undefined

  afterEach(() => running?.close())

  test('the address in a voucher works without credentials, and only under the sandbox’s own name', async () => {
    running = await startTestSandbox()
    const { app_id, app_token } = running.credentials
    const voucher = await fetch(`${running.url}/v1/vouchers/BEANS10`, {
      headers: { 'X-App-Id': app_id, 'X-App-Token': app_token },
    })
    const { assets } = (await voucher.json()) as { assets: { qr: { url: string } } }

    const picture = await fetch(assets.qr.url)
    const foreign = await statusUnderHost(assets.qr.url, 'shop.example')

    expect(assets.qr.url.startsWith(`${running.url}/v1/assets/qr/`)).toBe(true)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(await picture.text()).toMatch(/^<svg .*<\/svg>\n$/s)
    expect(foreign).toBe(421)
  })
})

// fetch does not let a caller choose the Host header.
function statusUnderHost(url: string, host: string): Promise<number | undefined> {
  const { get } = process.getBuiltinModule('node:http')
  return new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}
