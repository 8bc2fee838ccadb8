// Which command shows whether a write whose answer was lost was applied: by the object that its path names.
import { CallError } from '../../api/outcome/call-error.ts'
import { isRepeatable } from '../../api/outcome/retry.ts'
import { ownValue } from '../../base/record.ts'
import { argumentWords } from '../../base/shell-word.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { EXIT } from '../../errors.ts'
import { valueAt } from '../../output/path.ts'

/** What lists the newest of that which a call creates, where no name of it was given. */
const listings: Readonly<Record<string, string>> = {
  'categories.create': 'promo categories list',
  'customers.create': 'promo customers list --updated-after 10m',
  'exports.create': 'promo exports list',
  'orders.create': 'promo orders list --updated-after 10m',
  'product-collections.create': 'promo products collections list',
  'products.create': 'promo products list',
  'publications.create': 'promo publications list --created-after 10m',
  'redemptions.create': 'promo redemptions list --created-after 10m',
  'rewards.create': 'promo rewards list',
  'segments.create': 'promo segments list',
  'validation-rules.create': 'promo rules list',
  'vouchers.generate': 'promo vouchers list --created-after 10m',
  'webhooks.create': 'promo webhooks list',
}

/** What shows that which a call creates, or whom it is about, by a name in its body: that of the member, for `%`. */
const bodyReaders: Readonly<Record<string, readonly (readonly [member: string, command: string])[]>> = {
  'campaigns.create': [['name', 'campaigns get %']],
  'customers.create': [
    ['source_id', 'customers get %'],
    ['email', 'customers find %'],
  ],
  'events.send': [
    ['customer.source_id', 'api GET /v1/customers/%/activity'],
    ['customer.id', 'api GET /v1/customers/%/activity'],
  ],
  'loyalty.programs.create': [['name', 'loyalty programs get %']],
  'orders.create': [['source_id', 'orders get %']],
  'products.create': [['source_id', 'products get %']],
}

/** What shows the object of a member of the path. */
const readers: Readonly<Record<string, string>> = {
  campaignId: 'campaigns get',
  campaignTemplateId: 'templates get',
  categoryId: 'categories get',
  code: 'vouchers get',
  customerId: 'customers get',
  orderId: 'orders get',
  parentRedemptionId: 'redemptions get',
  productId: 'products get',
  redemptionId: 'redemptions get',
  rewardId: 'rewards get',
  segmentId: 'segments get',
  validationRuleId: 'rules get',
  webhookId: 'webhooks get',
}

/** Changes of a balance: what is there now does not say what it was before, and a list of changes does. */
const changes: Readonly<Record<string, string>> = {
  'loyalty.campaign-members.balance': 'loyalty transactions list --card',
  'loyalty.campaign-members.redeem': 'loyalty transactions list --card',
  'loyalty.members.balance': 'loyalty transactions list --card',
  'loyalty.members.redeem': 'loyalty transactions list --card',
  'loyalty.members.transfer': 'loyalty transactions list --card',
  'vouchers.balance': 'vouchers transactions list',
}

/** Makes the command the next step of the error, where one shows what was written. */
export function sayWhereToLook(
  error: unknown,
  endpoint: Endpoint,
  path: Readonly<Record<string, string>>,
  body: unknown,
): void {
  const look = whereToLook(endpoint, path, body)
  if (!(error instanceof CallError) || look === undefined) return
  const { hint } = error.facts
  const again = isRepeatable(endpoint.repeat) ? 'sending it again is safe' : 'sent again, it may be applied twice'
  const then = error.exitCode === EXIT.unknown || hint === undefined ? again : `if that fails, too: ${hint}`
  error.facts.hint = `${look} shows what is there now; ${then}`
}

/** Returns the command; undefined for a read, and where none shows it. */
export function whereToLook(
  { id, repeat, path: template }: Pick<Endpoint, 'id' | 'repeat' | 'path'>,
  path: Readonly<Record<string, string>>,
  body?: unknown,
): string | undefined {
  if (repeat === 'read') return undefined
  for (const [member, command] of ownValue(bodyReaders, id) ?? []) {
    const said = valueAt(body, member)
    const isInPath = command.includes('/')
    // Half of a surrogate pair, which JSON can say, has no place in a command.
    if (typeof said === 'string' && said !== '' && said.isWellFormed())
      return `promo ${command.replace('%', () => (isInPath ? encodeURIComponent(said) : argumentWords(said)))}`
  }
  const listing = ownValue(listings, id)
  if (listing !== undefined) return listing
  // What the path names last is what is written: `/v1/campaigns/{campaignId}/disable`, not what is made within it.
  const [, last = '', action = ''] = /\{(\w+)\}(?:\/([\w-]+))?$/.exec(template) ?? []
  const command = ownValue(changes, id) ?? (isWithin.test(action) ? undefined : ownValue(readers, last))
  const name = path[last]
  return command === undefined || name === undefined ? undefined : `promo ${command} ${argumentWords(name)}`
}

/** What a call makes within the object that its path names. */
const isWithin = /^(?!rollbacks$)(?:[\w-]+s|export|import\w*|[\w-]+-setup|copy)$/
