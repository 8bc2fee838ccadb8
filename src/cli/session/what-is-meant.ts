// What a code is that a command does not find: a voucher of another kind, and which command knows it, or a misread code.
import type { Client } from '../../api/client.ts'
import { CallError } from '../../api/outcome/call-error.ts'
import { asPrinted, missingVoucher } from '../../api/outcome/refusal-words.ts'
import { ownValue } from '../../base/record.ts'
import { argumentWords } from '../../base/shell-word.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { getVoucher } from '../../contract/vouchers.ts'

const kinds: Readonly<Record<string, string>> = { GIFT_VOUCHER: 'gift card', DISCOUNT_VOUCHER: 'discount voucher' }

/**
 * Makes what the code is the next step of the error, where a read tells it; otherwise the error stays as it is. Codes that may be
 * meant cost one more read, which only a person at a terminal is worth: a script that asks for many codes is not slowed down.
 */
export async function nameWhatIsMeant(
  error: unknown,
  { id }: Endpoint,
  path: Readonly<Record<string, string>>,
  client: Client,
  isForPerson: boolean,
): Promise<void> {
  if (!(error instanceof CallError)) return
  const { memberId } = path
  const voucher = id.startsWith('loyalty.') && memberId !== undefined ? await read(client, memberId) : undefined
  const kind = ownValue(kinds, String(voucher?.type))
  if (kind !== undefined) error.facts.hint = `it is a ${kind}: ${commandFor(id, kind, argumentWords(memberId ?? ''))}`
  const missing = missingVoucher(path, error.facts.api?.details)
  if (voucher !== undefined || missing === undefined || !isForPerson) return
  const code = await existingNear(client, missing)
  if (code === undefined) return
  const look = `promo vouchers get ${argumentWords(code)}`
  error.facts.hint = `${look} shows one that exists; ${JSON.stringify(missing)} does not`
}

async function read(client: Client, code: string): Promise<{ code?: unknown; type?: unknown } | undefined> {
  return await client.call(getVoucher, { path: { code } }).catch(() => undefined)
}

/** A number of points says nothing about an amount, so a change of the balance is left to the reader. */
function commandFor(id: string, kind: string, code: string): string {
  if (kind !== 'gift card') return `promo vouchers get ${code}`
  if (id.endsWith('.balance')) return 'promo vouchers balance add --help'
  const [, verb] = /transactions\.(list|export)$/.exec(id) ?? []
  return verb === undefined ? `promo vouchers get ${code}` : `promo vouchers transactions ${verb} ${code}`
}

const mostTried = 8

const lookalikes: Readonly<Record<string, string>> = { O: '0', 0: 'O', I: '1', L: '1', 1: 'I' }

/** Returns the codes that may be meant, the likeliest first. */
function nearCodes(typed: string): string[] {
  const plain = asPrinted(typed)?.code ?? typed
  const upper = plain.toUpperCase()
  const cased = [plain, upper, plain.toLowerCase(), plain.charAt(0).toUpperCase() + plain.slice(1).toLowerCase()]
  const digits = upper.replaceAll(/O+(?=\d)|(?<=\d)O+/g, (letters) => '0'.repeat(letters.length))
  const letters = Array.from(upper, (sign, at) =>
    Object.hasOwn(lookalikes, sign) ? `${upper.slice(0, at)}${lookalikes[sign]}${upper.slice(at + 1)}` : upper,
  )
  const isCode = /^[\w-]+$/.test(plain)
  const all = new Set([...cased, ...(isCode ? [digits, ...letters.toReversed()] : [])])
  all.delete(typed)
  return [...all].slice(0, mostTried)
}

/** Returns the first of these codes that exists; undefined where none does, or the key may not read vouchers. */
export async function existingNear(client: Client, typed: string): Promise<string | undefined> {
  const codes = nearCodes(typed)
  // Its form takes longer to build than most commands run.
  const { listVouchers } = await import('../../contract/voucher-lists.ts')
  const query = { filters: { code: { conditions: { $in: codes } } } }
  const existing = new Set<unknown>()
  try {
    for await (const { code } of client.items(listVouchers, { query }, { limit: 100 })) existing.add(code)
  } catch {
    return undefined
  }
  return codes.find((code) => existing.has(code))
}
