// Black and white pictures as PNG. Source: the PNG specification, third edition: one bit per pixel, greyscale, no filter.
import { promisify } from 'node:util'
import type { BarcodeModules } from './barcode.ts'

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
