// Which command shows whether a write whose answer was lost was applied: by the object that its path names.
import { CallError } from '../../api/outcome/call-error.ts'
import { isRepeatable } from '../../api/outcome/retry.ts'
import { ownValue } from '../../base/record.ts'
import { argumentWords } from '../../base/shell-word.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { EXIT } from '../../errors.ts'

/** What lists the newest of that which a call creates without a name. */
const listings: Readonly<Record<string, string>> = {
  'publications.create': 'promo publications list --created-after 10m',
  'redemptions.create': 'promo redemptions list --created-after 10m',
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
export function sayWhereToLook(error: unknown, endpoint: Endpoint, path: Readonly<Record<string, string>>): void {
  const look = whereToLook(endpoint, path)
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
): string | undefined {
  if (repeat === 'read') return undefined
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
