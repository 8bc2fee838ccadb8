// Codes as pictures: a QR code or a barcode (Code 128, or a QR code beyond ASCII), as SVG or PNG. The libraries are loaded on first use.

import { promisify } from 'node:util'

/** What a voucher can be shown as. */
export type AssetKind = 'qr' | 'barcode'

/** Rows of modules, true for black, quiet zone included. All rows have the same length. */
export type BarcodeModules = boolean[][]

// Quiet zones and proportions as required by the standards of both codes.
const qrQuiet = 4
const barcodeQuiet = 10

/** Rows of a barcode, all identical. */
export const barcodeHeight = 50

/** Returns whether Code 128 can hold a code: printable ASCII of any length. */
export function isLinear(code: string): boolean {
  return /^[ -~]+$/.test(code)
}

/** Computes the picture of a code. The code must be one that the kind can encode (answer.ts). */
export async function modulesOf(kind: AssetKind, code: string): Promise<BarcodeModules> {
  // A barcode that Code 128 cannot hold is the one that can.
  if (kind === 'qr' || !isLinear(code)) {
    const { encode } = await import('uqr')
    return encode(code, { ecc: 'L', boostEcc: true, border: qrQuiet }).data
  }
  const { default: drawBarcode } = await import('jsbarcode')
  const drawn: { encodings?: Array<{ data: string }> } = {}
  drawBarcode(drawn, code, { format: 'CODE128' })
  const bars = Array.from((drawn.encodings ?? []).map(({ data }) => data).join(''), (bar) => bar === '1')
  const quiet = Array<boolean>(barcodeQuiet).fill(false)
  return Array<boolean[]>(barcodeHeight).fill([...quiet, ...bars, ...quiet])
}

/** Writes modules as SVG; `scale` is the width of one in pixels. */
export function svgOf(modules: BarcodeModules, scale: number): string {
  const [width, height] = [modules[0]?.length ?? 0, modules.length]
  const path = runsOf(modules)
    .map(({ x, y, width: across, height: down }) => `M${x} ${y}h${across}v${down}h-${across}z`)
    .join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" ` +
    `viewBox="0 0 ${width} ${height}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${width}v${height}H0z"/><path d="${path}"/></svg>\n`
  )
}

/** Black rectangles that cover the modules: runs within a row; identical adjacent rows (the same array) are merged. */
function runsOf(modules: BarcodeModules): Array<{ x: number; y: number; width: number; height: number }> {
  return modules.flatMap((row, y) => {
    if (row === modules[y - 1]) return []
    const next = modules.findIndex((other, index) => index > y && other !== row)
    const height = (next === -1 ? modules.length : next) - y
    const starts = row.flatMap((black, x) => (black && !row[x - 1] ? [x] : []))
    // The quiet zone ends every run.
    return starts.map((x) => ({ x, y, width: row.indexOf(false, x) - x, height }))
  })
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Writes modules as PNG; `scale` is the width of one in pixels. */
export async function pngOf(modules: BarcodeModules, scale: number): Promise<Buffer> {
  const { crc32, deflate } = process.getBuiltinModule('node:zlib')
  const width = (modules[0]?.length ?? 0) * scale
  const lines = modules.flatMap((row) => Array<Buffer>(scale).fill(lineOf(row, scale)))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(modules.length * scale, 4)
  header[8] = 1 // bits per pixel
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const data = await promisify(deflate)(Buffer.concat(lines))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

/** One line of pixels: the number of its filter, then the bits, 1 for white. */
function lineOf(row: readonly boolean[], scale: number): Buffer {
  const line = Buffer.alloc(1 + Math.ceil((row.length * scale) / 8))
  for (let x = 0; x < row.length * scale; x += 1)
    if (!row[Math.floor(x / scale)]) line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
  return line
}
