// The pictures of codes. The specification has no such endpoint: clients take their addresses from vouchers.
// Source: docs/service/vouchers.md#assets.
import { z } from 'zod'
import { endpoint } from '../../contract/endpoint.ts'
import { assetIdsOf } from '../answers/assets.ts'
import { type AssetKind, barcodeHeight, modulesOf, pngOf, svgOf } from '../answers/barcode.ts'
import { invalidQuery, notFound } from '../http/refusal.ts'
import { Answer, type Context, type Resource, type Route, route } from '../http/route.ts'
import { installation, projects } from '../stores/projects.ts'
import { type StoredVoucher, vouchers } from '../stores/vouchers.ts'

// ASSUMED A185: `size` is the width of one module in pixels, 4 unless given; the format is SVG unless PNG is asked for.
const pictureQuery = z.strictObject({
  size: z.int().min(1).max(100).optional(),
  format: z.enum(['svg', 'png']).optional(),
})

const qr = endpoint('assets.qr', 'Get the QR code of a voucher', {
  call: 'GET /v1/assets/qr/{assetId}',
  query: pictureQuery,
  response: z.string(),
  source: 'docs/service/vouchers.md#assets',
})

const barcode = endpoint('assets.barcode', 'Get the barcode of a voucher', {
  call: 'GET /v1/assets/barcode/{assetId}',
  query: pictureQuery,
  response: z.string(),
  source: 'docs/service/vouchers.md#assets',
})

const routes = [
  route(qr, ({ path, query }, context) => picture('qr', path.assetId, query, context)),
  route(barcode, ({ path, query }, context) => picture('barcode', path.assetId, query, context)),
]

/** QR codes and barcodes. The id in the address is the secret, so no credentials are required. */
export const assetResource: Resource = { routes: routes.map((one): Route => ({ ...one, isOpen: true })) }

function picture(kind: AssetKind, id: string, query: z.output<typeof pictureQuery>, context: Context) {
  const { size = 4, format = 'svg' } = query
  const { code } = shownBy(kind, id, context)
  if (format === 'png' && kind === 'barcode' && pixelsOf(code, size) > pixelsLimit)
    throw invalidQuery('Property .size is too large for a PNG of this code')
  const type = format === 'svg' ? 'image/svg+xml; charset=utf-8' : 'image/png'
  const draw = async function* () {
    const modules = await modulesOf(kind, code)
    yield format === 'svg' ? svgOf(modules, size) : await pngOf(modules, size)
  }
  return new Answer(200, draw(), { 'content-type': type })
}

// One bit each: 50 MB. The largest QR code is below the limit at every size.
const pixelsLimit = 400_000_000

/** Upper bound: eleven modules per character, plus start, checksum, stop and quiet zones. */
function pixelsOf(code: string, size: number): number {
  return (11 * code.length + 55) * barcodeHeight * size * size
}

function shownBy(kind: AssetKind, id: string, context: Context): StoredVoucher {
  for (const project of context.store.in(projects, installation).all()) {
    const voucherId = assetIdsOf(project).read(kind, id)
    const voucher = voucherId === undefined ? undefined : context.store.in(vouchers, project.id).get(voucherId)
    if (voucher) return voucher
  }
  throw notFound('asset', id)
}
