// `--combinations`: the project as a fixture in memory, with what can be redeemed in it, and the worst baskets in words.
import type { Client, RequestOf } from '../../../api/client.ts'
import { counted } from '../../../base/grouped.ts'
import { ownValue } from '../../../base/record.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { sanitize } from '../../../base/text/sanitize.ts'
import { type Offer, offersOf } from '../../../check/discounts.ts'
import { moneyOf } from '../../../check/money.ts'
import { memberAt, nameOf, objectsOf, type Shop, type ShopObject } from '../../../check/shop.ts'
import { limitsOf } from '../../../check/stacking.ts'
import { type Basket, type Redeemable, type Sellable, shopper, worstBaskets } from '../../../check/worst.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import { EXIT, type ExitCode, usageError } from '../../../errors.ts'
import { Reference, referencesIn, resolved, setAt } from '../../../model/value.ts'
import { basketColumns } from '../../../output/columns/findings.ts'
import type { Format } from '../../../output/shape.ts'
import { messagesTo } from '../../result/messages.ts'
import { isPlainTable, type OutputFlags, shapeOf, sinkOf } from '../../result/output.ts'
import type { Host } from '../../run/host.ts'
import { withSandbox } from '../../session/sandbox.ts'
import { collections } from '../sandbox/copy.ts'
import { explanationOf } from '../validation/explanation.ts'
import { type ReportFormat, reportFormats } from './reports.ts'

type Wire = Record<string, unknown>

/** Reads the codes of a campaign; none of a folder, whose codes are made up. */
type CodesOf = (campaign: ShopObject, most: number) => Promise<Wire[]>

/** Reads some codes of a campaign of a project. */
export function codesIn(client: Client): CodesOf {
  return async ({ wire }, most) => {
    const query = { campaign_id: String(wire?.id), limit: most }
    const answer = await client.call(listVouchers, { query } as RequestOf<typeof listVouchers>)
    return (answer as { vouchers?: Wire[] }).vouchers ?? []
  }
}

const prefixes: Readonly<Record<string, string>> = {
  categories: 'cat_',
  products: 'prod_',
  'product-collections': 'pc_',
  segments: 'seg_',
  rules: 'val_',
  campaigns: 'camp_',
  'campaigns/tiers': 'promo_',
  codes: 'v_',
}

/** The kinds that an evaluation looks at. */
const evaluated = ['categories', 'products', 'product-collections', 'segments', 'rules', 'campaigns', 'campaigns/tiers']

/** A project as the evaluation needs it. */
interface Prepared {
  fixture: Wire
  redeemables: Redeemable[]
  sellables: Sellable[]
}

async function prepared(shop: Shop, codesOf: CodesOf | undefined): Promise<Prepared> {
  const ids = new Map<string, string>()
  for (const object of shop.objects.values()) {
    const made = `${ownValue(prefixes, object.kind.name) ?? 'id_'}${ids.size.toString(16).padStart(18, '0')}`
    ids.set(object.address, typeof object.wire?.id === 'string' ? object.wire.id : made)
  }
  const idOf = (address: string) => ids.get(address) ?? address
  const fixture: Record<string, Wire[]> & { settings?: Wire; stacking_rules?: Wire } = {}
  const into = (collection: string, wire: Wire) => {
    fixture[collection] ??= []
    fixture[collection].push(wire)
  }
  const assignments: Wire[] = []
  const assign = (object: ShopObject, id: string, type: string) => {
    for (const { address } of referencesIn(object.members.get('validation_rules')))
      assignments.push({
        id: `asgm_${assignments.length}`,
        rule_id: idOf(address),
        related_object_id: id,
        related_object_type: type,
      })
  }
  const wireOf = (object: ShopObject): Wire => {
    const wire: Wire = { id: idOf(object.address) }
    for (const [path, value] of object.members)
      if (path !== 'validation_rules' && value !== undefined) setAt(wire, path, resolved(value, idOf))
    return wire
  }
  const settings = objectsOf(shop, 'settings')[0]
  const stacking = objectsOf(shop, 'stacking-rules')[0]
  const { timezone } = settings === undefined ? {} : wireOf(settings)
  const rest: Wire = {
    ...(timezone !== undefined && { settings: { timezone } }),
    ...(stacking && { stacking_rules: wireOf(stacking) }),
  }
  for (const kind of evaluated)
    for (const object of objectsOf(shop, kind)) {
      const wire = wireOf(object)
      const collection = ownValue(collections, kind) ?? kind
      if (kind === 'campaigns') assign(object, String(wire.id), 'campaign')
      if (kind === 'campaigns/tiers') {
        assign(object, String(wire.id), 'promotion_tier')
        into(collection, { ...wire, campaign_id: idOf(object.parent ?? ''), hierarchy: (object.position ?? 0) + 1 })
      } else if (kind === 'segments')
        into(collection, { id: wire.id, name: wire.name, type: 'static', customers: ['cust_check'] })
      else if (kind === 'campaigns') into(collection, { creation_status: 'DONE', ...wire, referral_program: undefined })
      else into(collection, wire)
    }
  into('customers', { id: 'cust_check', source_id: shopper })
  into('customers', { id: 'cust_friend', source_id: `${shopper}-friend` })
  const redeemables: Redeemable[] = []
  const { all } = limitsOf(shop)
  for (const offer of offersOf(shop)) {
    const { object } = offer
    if (!offer.isCode) {
      redeemables.push({ offer, object: 'promotion_tier', id: idOf(object.address) })
      continue
    }
    for (const voucher of await vouchersOf(offer, Math.min(all, 3), codesOf)) {
      const id = `v_${redeemables.length.toString(16).padStart(18, '0')}`
      const isReferral = memberAt(offer.campaign, 'campaign_type') === 'REFERRAL_PROGRAM'
      into('vouchers', {
        id,
        ...voucher,
        ...(isReferral && { is_referral_code: true, holder_id: 'cust_friend' }),
        publish: { count: 1 },
      })
      if (object.kind.name === 'codes') assign(object, id, 'voucher')
      redeemables.push({ offer, object: 'voucher', id: String(voucher.code) })
    }
  }
  return {
    fixture: { ...rest, ...fixture, validation_rules_assignments: assignments },
    redeemables,
    sellables: sellablesOf(shop, idOf),
  }

  async function vouchersOf(
    { object, discount, quantity }: Offer,
    copies: number,
    codes: CodesOf | undefined,
  ): Promise<Wire[]> {
    const form = {
      type: 'DISCOUNT_VOUCHER',
      discount: resolved(discount, idOf),
      redemption: { quantity: quantity ?? null, redeemed_quantity: 0 },
    }
    const dates = Object.fromEntries(
      ['start_date', 'expiration_date'].map((name) => [name, memberAt(object, name) ?? null]),
    )
    if (object.kind.name === 'codes') return [{ ...form, ...dates, code: object.name, ...withCategory(object) }]
    const campaign_id = idOf(object.address)
    const pattern = memberAt(object, 'voucher.code_config.pattern')
    const isFixed = typeof pattern === 'string' && !pattern.includes('#')
    const known = codes === undefined ? [] : (await codes(object, copies + 5)).filter(isUsable).slice(0, copies)
    if (codes !== undefined) return known.map(({ code }) => ({ ...form, code, campaign_id }))
    return Array.from({ length: isFixed ? 1 : copies }, (_, index) => ({
      ...form,
      code: isFixed ? pattern : `${object.address.replace('campaigns/', '').toUpperCase()}-${index + 1}`,
      campaign_id,
    }))
  }

  function withCategory(object: ShopObject): Wire {
    const category = object.members.get('category_id')
    return category instanceof Reference ? { category_id: idOf(category.address) } : {}
  }
}

/** A code that was not used, and is on. */
function isUsable({ active, redemption, discount }: Wire): boolean {
  const { quantity, redeemed_quantity: used } = (redemption ?? {}) as {
    quantity?: number | null
    redeemed_quantity?: number
  }
  return active !== false && discount != null && (quantity == null || (used ?? 0) < quantity)
}

function sellablesOf(shop: Shop, idOf: (address: string) => string): Sellable[] {
  const groups = objectsOf(shop, 'product-collections').map((collection) => ({
    names: [collection.address, idOf(collection.address)],
    members: referencesIn(collection.members.get('products')).map(({ address }) => address),
    isAll: memberAt(collection, 'type') === 'AUTO_UPDATE',
  }))
  return objectsOf(shop, 'products').flatMap((product): Sellable[] => {
    const names = [
      product.address,
      idOf(product.address),
      ...groups
        .filter(({ members, isAll }) => isAll || members.includes(product.address))
        .flatMap((group) => group.names),
    ]
    const price = memberAt(product, 'price')
    const own: Sellable[] =
      typeof price === 'number' && price > 0 ? [{ line: { product_id: idOf(product.address) }, price, names }] : []
    return own
  })
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
async function worstOf(
  shop: Shop,
  codesOf: CodesOf | undefined,
): Promise<{ baskets: WorstBasket[]; refused: string[]; looked: number }> {
  const { fixture, redeemables, sellables } = await prepared(shop, codesOf)
  return await withSandbox(async ({ evaluatorOf }) => {
    const evaluator = await evaluatorOf(fixture, shop.nowMs)
    try {
      const evaluate = (request: Basket['request']) => evaluator.evaluate(request)
      const { all } = limitsOf(shop)
      const worst = worstBaskets(redeemables, sellables, { evaluate, most: mostShown, largest: all })
      const baskets = []
      for (const basket of worst) {
        const answer = evaluator.answer(basket.request)
        const pieces: string[] = []
        if (answer !== undefined) for await (const piece of explanationOf(answer)) pieces.push(piece)
        baskets.push(inWords(shop, basket, pieces.join('')))
      }
      return { baskets, refused: evaluator.refused, looked: redeemables.length }
    } finally {
      evaluator.close()
    }
  })
}

const mostShown = 10

function inWords(shop: Shop, { redeemables, request, amount, discount }: Basket, arithmetic: string): WorstBasket {
  const money = moneyOf(shop)
  const names = redeemables.map(
    ({ offer, object, id }) =>
      `${nameOf(offer.object)}${object === 'voucher' && offer.object.kind.name !== 'codes' ? ` (${id})` : ''}`,
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
  codesOf: CodesOf | undefined,
  { format, ...flags }: Omit<OutputFlags, 'format'> & { format?: Format | ReportFormat | undefined },
  host: Host,
): Promise<ExitCode> {
  const report = reportFormats.find((one) => one === format)
  if (report !== undefined) throw usageError(`--combinations has no ${report}`, '--json')
  const shaped: OutputFlags = { ...flags, ...(format !== undefined && { format: format as Format }) }
  const { baskets, refused, looked } = await worstOf(shop, codesOf)
  const { emit, emitText } = await import('../../../output/emit.ts')
  const shape = shapeOf(shaped, host)
  const sink = sinkOf(shaped, host)
  if (format === undefined && isPlainTable(shaped) && flags.columns === undefined && baskets.length > 0)
    await emitText(basketText(baskets), shape, sink)
  else await emit(baskets, basketColumns, shape, sink, { nothing: 'no discount applies to any order' })
  const messages = messagesTo(host, flags)
  for (const line of refused) messages.warn(`left out, because the embedded service does not take it: ${line}`)
  const over = baskets.filter(({ share }) => share >= shop.floor).length
  messages.say(
    `of ${counted(looked, 'discount')}, the worst baskets that are reached together; ${over === 0 ? 'none' : over} of them ${over === 1 ? 'loses' : 'lose'} ${shop.floor} % or more`,
  )
  if (codesOf === undefined && !shop.isOnline)
    messages.say('codes and ids are examples: a project has its own, and promo check without a folder names them')
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
