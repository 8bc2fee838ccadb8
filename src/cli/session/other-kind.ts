// What a code is that a loyalty command does not find: a voucher of another kind, and which command knows it.
import type { Client } from '../../api/client.ts'
import { CallError } from '../../api/outcome/call-error.ts'
import { ownValue } from '../../base/record.ts'
import { argumentWords } from '../../base/shell-word.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { getVoucher } from '../../contract/vouchers.ts'

const kinds: Readonly<Record<string, string>> = { GIFT_VOUCHER: 'gift card', DISCOUNT_VOUCHER: 'discount voucher' }

/** Makes what the code is the next step of the error, where one read tells it; otherwise the error stays as it is. */
export async function nameOtherKind(error: unknown, { id }: Endpoint, code: string, client: Client): Promise<void> {
  if (!(error instanceof CallError) || !id.startsWith('loyalty.')) return
  const voucher = await client.call(getVoucher, { path: { code } }).catch(() => undefined)
  const kind = ownValue(kinds, String(voucher?.type))
  if (kind === undefined) return
  error.facts.hint = `it is a ${kind}: ${commandFor(id, kind, argumentWords(code))}`
}

/** A number of points says nothing about an amount, so a change of the balance is left to the reader. */
function commandFor(id: string, kind: string, code: string): string {
  if (kind !== 'gift card') return `promo vouchers get ${code}`
  if (id.endsWith('.balance')) return 'promo vouchers balance add --help'
  const [, verb] = /transactions\.(list|export)$/.exec(id) ?? []
  return verb === undefined ? `promo vouchers get ${code}` : `promo vouchers transactions ${verb} ${code}`
}
