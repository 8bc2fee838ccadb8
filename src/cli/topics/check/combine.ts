// `--combinations`: the worst baskets of a project in words, each with the command that reproduces it.
import type { Client, RequestOf } from '../../../api/client.ts'
import { formatCount } from '../../../base/numbers.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { sanitize } from '../../../base/text/sanitize.ts'
import { marketOf } from '../../../check/baskets.ts'
import { moneyOf } from '../../../check/money.ts'
import { nameOf, type Shop } from '../../../check/shop.ts'
import { limitsOf } from '../../../check/stacking.ts'
import { type Basket, worstBaskets } from '../../../check/worst.ts'
import { listCustomers } from '../../../contract/customers.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { listCustomerSegments } from '../../../contract/segments.ts'
import { listSkus } from '../../../contract/skus.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import { EXIT, type ExitCode, usageError } from '../../../errors.ts'
import { basketColumns } from '../../../output/columns/findings.ts'
import type { Messages } from '../../result/messages.ts'
import type { Showing } from '../../result/output.ts'
import { warnLeftOut, withSandbox } from '../../session/sandbox.ts'
import { explanationOf } from '../validation/explanation.ts'
import { inMemory, type Source } from './in-memory.ts'
import { type FindingFormat, formOf } from './show.ts'

/** Reads codes and customers of a project. */
export function sourceIn(client: Client, { say }: Pick<Messages, 'say'>): Source {
  const first = async <E extends Endpoint>(endpoint: E, request: RequestOf<E>, most = Number.POSITIVE_INFINITY) => {
    const items: Record<string, unknown>[] = []
    for await (const item of client.items(endpoint, request)) if (items.push(item as never) >= most) break
    return items
  }
  return {
    announce: (requests) => say(`reading codes, SKUs and customers: at most ${formatCount(requests, 'more request')}`),
    skusOf: ({ wire }) => first(listSkus, { path: { productId: String(wire?.id) } }),
    codesOf: ({ wire }, limit) => first(listVouchers, { query: { campaign_id: String(wire?.id), limit } }, limit),
    async memberOf(segment_id) {
      const [customer] = await first(listCustomers, { query: { segment_id, limit: 1 } }, 1)
      if (customer === undefined) return undefined
      const segments = await first(listCustomerSegments, { path: { customerId: String(customer.id) } })
      return { customer, segments: segments.map(({ id }) => String(id)) }
    },
  }
}

/** A basket in words. */
interface WorstBasket {
  /** What it is about, and what happens. */
  message: string
  /** The part of the order that is taken off, in percent. */
  share: number
  amount: number
  discount: number
  redeemables: string[]
  request: Basket['request']
  /** What reproduces it. */
  command: string
  arithmetic: string
}

/** Finds the worst baskets of a project. Throws what the embedded service throws. */
async function worstOf(shop: Shop, source: Source | undefined, most: number) {
  const { fixture, redeemables, sellables, shoppers } = await inMemory(shop, source)
  return await withSandbox(async ({ evaluatorOf }) => {
    const { evaluate, answer, refused, close } = await evaluatorOf(fixture, shop.nowMs)
    try {
      const largest = limitsOf(shop).all
      const worst = worstBaskets(redeemables, marketOf(sellables, shoppers), { evaluate, most, largest })
      const baskets: WorstBasket[] = []
      for (const basket of worst) {
        const explained = answer(basket.request)
        const pieces: string[] = []
        if (explained !== undefined) for await (const piece of explanationOf(explained)) pieces.push(piece)
        baskets.push(inWords(shop, basket, pieces.join('')))
      }
      return { baskets, refused, looked: redeemables.length }
    } finally {
      close()
    }
  })
}

function inWords(shop: Shop, { redeemables, request, amount, discount }: Basket, arithmetic: string): WorstBasket {
  const money = moneyOf(shop)
  const names = [...Map.groupBy(redeemables, ({ offer }) => offer.object)].map(([object, same]) =>
    same.length === 1 ? nameOf(object) : `${same.length} codes of ${nameOf(object)}`,
  )
  const share = Number(((discount * 100) / Math.max(1, amount)).toFixed(1))
  return {
    message: `${names.join(' with ')}: ${money(discount)} off an order of ${money(amount)}, ${share} %`,
    share,
    amount,
    discount,
    redeemables: redeemables.map(({ offer }) => offer.object.address),
    request,
    command: commandFor(request),
    arithmetic,
  }
}

function commandFor({ redeemables, order, customer, metadata }: Basket['request']): string {
  const words = redeemables.map(({ object, id }) =>
    shellWord(
      object === 'voucher' ? (/^(?:voucher|tier|stack|gift|card):/.test(id) ? `voucher:${id}` : id) : `tier:${id}`,
    ),
  )
  const isPlain =
    order.metadata === undefined && metadata === undefined && Object.keys(customer?.metadata ?? {}).length === 0
  if (!isPlain) {
    const body = { order, ...(customer && { customer }), ...(metadata && { metadata }) }
    return `promo validate redeemables ${words.join(' ')} --explain --body ${shellWord(JSON.stringify(body))}`
  }
  const flags = [
    ...(order.amount === undefined ? [] : [`--amount ${order.amount}`]),
    ...(order.items ?? []).map(
      ({ product_id, sku_id, quantity, price }) =>
        `--item ${shellWord(`${product_id === undefined ? `sku=${sku_id}` : `product=${product_id}`},quantity=${quantity},price=${price}`)}`,
    ),
    ...(customer === undefined ? [] : [`--customer source_id=${customer.source_id}`]),
  ]
  return ['promo validate redeemables', ...words, '--explain', ...flags].join(' ')
}

/** Writes the worst baskets of a project; returns 12 where one of them loses more than the floor. */
export async function showBaskets(
  shop: Shop,
  source: Source | undefined,
  { format, most }: { format: FindingFormat; most: number },
  show: Showing,
): Promise<ExitCode> {
  const { report, isText } = formOf(format, show)
  if (report !== undefined) throw usageError(`--combinations has no ${report}`, '--json')
  const { baskets, refused, looked } = await worstOf(shop, source, most)
  if (isText && baskets.length > 0) await show.text(basketText(baskets))
  else await show.rows(baskets, basketColumns, { nothing: 'no discount applies to any order' })
  warnLeftOut(refused, show)
  const over = baskets.filter(({ share }) => share >= shop.floor).length
  show.say(
    `of ${formatCount(looked, 'discount')}, the worst baskets that are reached together; ${over === 0 ? 'none' : over} of them ${over === 1 ? 'loses' : 'lose'} ${shop.floor} % or more`,
  )
  if (source === undefined)
    show.say('codes and ids are examples: a project has its own, and promo check without a folder names them')
  return over > 0 ? EXIT.no : EXIT.ok
}

/** Yields worst baskets as a text. */
async function* basketText(baskets: readonly WorstBasket[]): AsyncGenerator<string> {
  for (const [at, { message, command, arithmetic }] of baskets.entries()) {
    yield `${at === 0 ? '' : '\n'}${at + 1}. ${sanitize(message)}\n`
    for (const line of arithmetic.split('\n').slice(1)) if (line.trim() !== '') yield `   ${line}\n`
    yield `   ${sanitize(command)}\n`
  }
}
