// Why a redeemable cannot be used, in plain words: the same for a validation and for a refused redemption.
import { unseen } from '../../base/path-key.ts'
import { ownValue } from '../../base/record.ts'
import { argumentWords, shellWord } from '../../base/shell-word.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Failure } from '../../contract/failure.ts'

/** The calls that use or try redeemables: for others the same keys mean other things, as for a rollback or a reward. */
const redeemablePath =
  /^\/(client\/)?v1\/(redemptions|redeem|validations|validate|promotions\/validation|vouchers\/[^/]+\/(redemption|validate)|promotions\/tiers\/[^/]+\/redemption)$/

/** Says whether a refusal of the call is about a redeemable, so that `refusalWords` has its words. */
export function isAboutRedeemables(path: string): boolean {
  return redeemablePath.test(path)
}

/** Returns the words for a key of the service; undefined for a key that has none. */
export function refusalWords(key: string | undefined): string | undefined {
  return key !== undefined && Object.hasOwn(words, key) ? words[key] : undefined
}

const allUnseen = new RegExp(`${unseen.source}|\\p{Cc}`, 'gu')

/**
 * Returns a code as it is printed, in upper case and without what nobody sees or types, and why it may be another than was typed;
 * undefined for what is no code, or is so already.
 */
export function asPrinted(typed: string): { code: string; why: string } | undefined {
  const code = typed.replaceAll(allUnseen, '').trim()
  if (code !== typed && code !== '') return { code, why: 'what was given has a character in it that is not seen' }
  const isTyped = /^[\w. -]*$/.test(code) && /[a-z ]/.test(code) && !/^(v_|-)/.test(code)
  if (!isTyped) return undefined
  return { code: code.toUpperCase().replaceAll(/ +/g, '-'), why: 'most projects distinguish upper and lower case' }
}

/** Returns the code that a call did not find: a refused redemption names itself as the resource. */
export function missingVoucher(
  path: Readonly<Record<string, string>>,
  details: string | undefined,
): string | undefined {
  const [, refused] = /^Cannot find voucher with id (.+)$/.exec(details ?? '') ?? []
  return path.code ?? path.memberId ?? refused
}

/** Returns how what was not found may be found in another way; undefined where nothing else is known of it. */
export function otherWay(path: Readonly<Record<string, string>>, failure: Failure | undefined): string | undefined {
  const { customerId, redemptionId } = path
  if (customerId !== undefined && !customerId.startsWith('cust_'))
    return `promo customers show ${argumentWords(customerId)} shows the customer who is known by it`
  if (redemptionId !== undefined && !/^rr?f?_/.test(redemptionId))
    return `promo redemptions list --order-id ${shellWord(redemptionId)} shows those of an order, --voucher those of a code`
  const [, kind = ''] = /^Cannot find (\w+) with id /.exec(failure?.details ?? '') ?? []
  const list = ownValue(lists, kind)
  if (list !== undefined) return `${list} shows which there are`
  const [within, owner = ''] = ownValue(listsWithin, kind) ?? []
  if (within !== undefined) return `${within} ${argumentWords(path[owner] ?? 'ID')} shows which there are`
  const code = missingVoucher(path, failure?.details)
  if (code?.includes('@'))
    return `promo customers show ${argumentWords(code)} shows the codes and cards of that customer`
  const printed = code === undefined ? undefined : asPrinted(code)
  if (printed === undefined) return undefined
  return `promo vouchers get ${argumentWords(printed.code)} shows whether that is meant: ${printed.why}`
}

/** Returns what helps after a refusal whose own words do not say it; undefined for most. */
export function nextStepAfter(
  { id }: Pick<Endpoint, 'id'>,
  failure: Failure | undefined,
  path: Readonly<Record<string, string>>,
): string | undefined {
  const [, field = '', fields] =
    /\.filters\.(\S+) is not a field that .* can be filtered by: (.*)$/.exec(failure?.details ?? '') ?? []
  if (fields !== undefined) return `--filter ${nearestField(field, fields.split(', '))}=VALUE`
  if (id.startsWith('redemptions.rollback') && / older than /.test(failure?.details ?? ''))
    return 'promo vouchers balance add CODE --amount N gives the credit back, promo loyalty points add CODE --points N points'
  if (id.startsWith('redemptions.rollback') && failure?.key === 'already_rolled_back')
    return `promo redemptions get ${argumentWords(path.redemptionId ?? path.parentRedemptionId ?? 'ID')} shows its rollback`
  if (id.startsWith('redemptions.rollback')) return wholeOrPart(failure?.details ?? '')
  if (failure?.key === 'missing_reward') return 'promo loyalty rewards redeem CODE gives a reward for points of a card'
  const topic = ownValue(balances, failure?.key ?? '')
  if (topic !== undefined && /\.(?:balance|transfer|redeem)$|^redemptions\.create$/.test(id)) {
    // What is transferred or redeemed is named by the body, and in the details.
    const card = /\.(?:balance|redeem)$/.test(id) ? (path.memberId ?? path.code) : failure?.details
    return `promo ${topic} get ${argumentWords(card ?? 'CODE')} shows how much there is`
  }
  if (id === 'redemptions.create' && failure?.key === 'quantity_exceeded' && failure.details !== undefined)
    return `promo redemptions list --voucher ${argumentWords(failure.details)} shows how it was used`
  const [, rule] = /violated validation rules: (val_\w+)$/.exec(failure?.details ?? '') ?? []
  if (rule !== undefined && id === 'redemptions.create')
    return `promo rules get ${argumentWords(rule)} shows what it asks for`
  const [, asked] = /^Cannot find campaign with id (.+)$/.exec(failure?.details ?? '') ?? []
  if (asked !== undefined && id === 'loyalty.transactions.list')
    return `promo loyalty transactions list --card ${argumentWords(asked)}, if it is a card`
  if (
    failure?.key !== undefined &&
    sayingWhy.has(failure.key) &&
    failure.details !== undefined &&
    /^(?:publications|redemptions|vouchers)\./.test(id)
  )
    return `promo vouchers get ${argumentWords(failure.details)} shows what it is: off, its campaign paused, not valid yet or ended`
  if (id !== 'publications.create') return undefined
  if (failure?.key === 'no_voucher_suitable_for_publication')
    return 'promo campaigns vouchers add CAMPAIGN adds codes, where all are published or switched off'
  if (failure?.key !== 'voucher_already_published') return undefined
  return `promo vouchers get ${argumentWords(failure.details ?? 'CODE')} shows who has it; --no-join-once gives another code to a customer who has one of the campaign`
}

/** What is asked for by id, as the service calls it, and the command that lists it. */
const lists: Readonly<Record<string, string>> = {
  async_action: 'promo async list',
  campaign: 'promo campaigns list',
  campaign_template: 'promo templates list',
  category: 'promo categories list',
  custom_event_schema: 'promo events schemas list',
  customer: 'promo customers list',
  export: 'promo exports list',
  metadata_schema: 'promo metadata schemas',
  order: 'promo orders list',
  product: 'promo products list',
  products_collection: 'promo products collections list',
  project: 'promo projects list',
  promotion_stack: 'promo promotions stacks',
  promotion_tier: 'promo promotions list',
  redemption: 'promo redemptions list',
  reward: 'promo rewards list',
  segment: 'promo segments list',
  validation_rules: 'promo rules list',
  validation_rules_assignment: 'promo rules assignments list',
  webhook: 'promo webhooks list',
}

/** The same of what is within another object, with the parameter of the path that names that. */
const listsWithin: Readonly<Record<string, readonly [string, string]>> = {
  earning_rule: ['promo loyalty earning-rules list', 'campaignId'],
  loyalty_tier: ['promo loyalty tiers list', 'campaignId'],
  pending_points: ['promo loyalty pending list --card', 'memberId'],
  reward_assignment: ['promo loyalty rewards list', 'campaignId'],
  sku: ['promo skus list', 'productId'],
}

/** Refusals for want of credits or points, and the topic that shows them. */
const balances: Readonly<Record<string, string>> = {
  gift_amount_exceeded: 'vouchers',
  loyalty_card_points_exceeded: 'loyalty cards',
}

/** Refusals of a voucher of which its state says more. */
const sayingWhy: ReadonlySet<string> = new Set([
  'voucher_cannot_be_published',
  'voucher_disabled',
  'voucher_expired',
  'voucher_not_active',
  'voucher_not_active_now',
])

/** What was redeemed together is given back together, by the id that all of it is part of. */
function wholeOrPart(details: string): string | undefined {
  const [, alone] = /^(\S+) is not the parent of /.exec(details) ?? []
  if (alone !== undefined)
    return `promo redemptions rollback ${argumentWords(alone)}, without --stacked: it was redeemed alone`
  const [, parent = /^(\S+) is the parent of /.exec(details)?.[1]] = /^\S+ is part of (\S+) /.exec(details) ?? []
  if (parent === undefined) return undefined
  return `promo redemptions rollback --stacked ${argumentWords(parent)} gives back everything that was redeemed together`
}

/** The field of the same letters, or the first with one of its words. */
function nearestField(typed: string, fields: readonly string[]): string {
  const letters = (name: string) => name.replaceAll(/[^a-z]/gi, '').toLowerCase()
  const words = typed.toLowerCase().split(/[^a-z]+/)
  const [first = 'id'] = fields
  return (
    fields.find((name) => letters(name) === letters(typed)) ??
    fields.find((name) => name.split(/[^a-z]+/).some((word) => words.includes(word))) ??
    first
  )
}

const words: Readonly<Record<string, string>> = {
  voucher_disabled: 'it is switched off, or its campaign is',
  voucher_expired: 'it has expired',
  voucher_not_active: 'it is not valid yet',
  voucher_not_active_now: 'it does not work at this time or on this day',
  promotion_inactive: 'it is switched off, or its campaign is',
  promotion_not_active_now: 'it does not work at this time or on this day',
  quantity_exceeded: 'it was redeemed, or is locked, as often as allowed',
  referrer_not_permitted_to_redeem: 'it belongs to this customer, and customers cannot refer themselves',
  missing_customer: 'it needs the customer, and none was sent',
  missing_order: 'it needs an order, and none was sent',
  missing_order_items: 'it needs the lines of the order, and none were sent',
  missing_amount: 'it needs an amount to take something off, and none was sent',
  missing_order_items_amount: 'no line it applies to has an amount',
  missing_reward: 'a loyalty card is redeemed for a reward, and none was named: card:CODE=REWARD_ID',
  invalid_customer: 'this customer does not hold the card',
  customer_rules_violated: 'the customer does not meet its rules',
  order_rules_violated: 'the order does not meet its rules',
  redemption_rules_violated: 'its budget, its limits or the metadata do not allow it',
  gift_amount_exceeded: 'more credit was asked for than the card holds',
  loyalty_card_points_exceeded: 'more points were asked for than the card holds',
  invalid_amount: 'the amount of the order is not a positive whole number, or the points are not what the reward costs',
}
