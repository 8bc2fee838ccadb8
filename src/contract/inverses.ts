// What undoes a call, for every call that writes: another call, or why promo leaves it to people. A call that is not here changes an
// object whose kind says it (config/undo.ts). A file of its own, because only an undo and the history read it.

/** Where a value of the row of an inverse is in a row that was applied: `key`, `row.points` (of its file, or of the flags), `answer.id`. */
export type AppliedPath = 'key' | `row.${string}` | `answer.${string}`

/** A call that undoes another. */
export interface InverseCall {
  /** The id of the call. */
  call: string
  /** Which rows have an effect: those that changed something, or all that were applied. */
  of: 'changed' | 'applied'
  /**
   * What a row of it has: the first of these that the row that was applied has, or whether it has one. The first names the row. Absent:
   * what that row has.
   */
  fields?: Readonly<Record<string, readonly AppliedPath[] | { has: AppliedPath }>>
  /** What else all rows of the two share. */
  shared?: readonly string[]
  /** How it is known as this undo: by a source id and a reason, by a reason, or by the time that the call left. */
  marked: 'source_id' | 'reason' | 'updated_at'
  /** What a row lacks that has no inverse. */
  lacks?: string
}

/** What undoes a call. */
export type Inverse = InverseCall | { byHand: string }

function switchInverse(call: string): InverseCall {
  const lacks = 'when the job changed them (updated_at), by which changes of others would be noticed'
  return { call, of: 'changed', marked: 'updated_at', lacks }
}

function balanceInverse(call: string, size: string, shared: readonly string[] = []): InverseCall {
  return { call, of: 'applied', fields: { code: ['key'], [size]: [`row.${size}`] }, shared, marked: 'source_id' }
}

const rolledBack: InverseCall = {
  call: 'redemptions.rollback',
  of: 'applied',
  // Those of a stack are rolled back together.
  fields: { id: ['answer.parent_id', 'answer.id'], stacked: { has: 'answer.parent_id' } },
  marked: 'reason',
  lacks: 'the id of the redemption',
}

const calls: ReadonlyMap<string, InverseCall> = new Map(
  Object.entries({
    'vouchers.disable': switchInverse('vouchers.enable'),
    'vouchers.enable': switchInverse('vouchers.disable'),
    'vouchers.balance': balanceInverse('vouchers.balance', 'amount'),
    'loyalty.members.balance': balanceInverse('loyalty.members.balance', 'points', ['campaign']),
    'loyalty.campaign-members.balance': balanceInverse('loyalty.campaign-members.balance', 'points', ['campaign']),
    'loyalty.members.transfer': {
      call: 'loyalty.members.transfer',
      of: 'applied',
      fields: { code: ['answer.code', 'row.to'], to: ['key'], points: ['row.points'] },
      // Without a campaign, a card says in which program the rows are.
      shared: ['campaign', 'to'],
      marked: 'source_id',
    },
    'redemptions.create': rolledBack,
    'vouchers.redeem': rolledBack,
    'promotions.tiers.redeem': rolledBack,
    'loyalty.members.redeem': rolledBack,
    'loyalty.campaign-members.redeem': rolledBack,
    'client.redemptions.create': rolledBack,
    'client.promotions.tiers.redeem': rolledBack,
    'client.vouchers.redeem': rolledBack,
  }),
)

/** The ids of calls, by why promo does not undo them. */
const byHand: Readonly<Record<string, string>> = {
  'a voucher may have been used since, and is deleted for good':
    'vouchers.create vouchers.generate campaigns.vouchers.add campaigns.vouchers.generate',
  'a deleted voucher does not come back, nor do its redemptions; a new one can get its code': 'vouchers.delete',
  'the values from before are not recorded':
    'vouchers.update customers.update orders.update rewards.assignments.update products.bulk.now products.bulk.metadata-now products.bulk.update products.bulk.metadata customers.bulk.update customers.bulk.metadata vouchers.bulk.now vouchers.bulk.metadata-now vouchers.bulk.update vouchers.bulk.metadata',
  'of what a file made, some may have been there before, or be in use':
    'products.import skus.import customers.import orders.import vouchers.import vouchers.import-csv campaigns.vouchers.import campaigns.vouchers.import-csv',
  'it makes a file and changes nothing else':
    'exports.create orders.export vouchers.transactions.export campaigns.transactions.export loyalty.transactions.export loyalty.card-transactions.export loyalty.campaign-card-transactions.export loyalty.points-expiration.export',
  'what was deleted cannot be brought back': 'exports.delete trash-bin.delete rewards.assignments.delete',
  'it may be in use since': 'orders.create loyalty.members.create rewards.assignments.create',
  'a token is valid for 15 minutes, and the history does not keep it': 'oauth.token',
  'a token that was revoked stays so': 'oauth.revoke',
  'what was released may be locked by another cart': 'vouchers.sessions.release',
  'a redemption that was rolled back stays so; another can be made': 'redemptions.rollback redemptions.rollbacks',
  'its codes may be in use, and are deleted with it': 'campaigns.create',
  'its cards may be in use, and are deleted with it': 'loyalty.programs.create',
  'the copy is in another project, in which it may have been used': 'templates.copy',
  'it made several objects, and codes that may be in use': 'templates.campaign-setup',
  'it made several objects, which may be in use': 'templates.tier-setup',
  'the service has no call that changes or removes a tier': 'loyalty.tiers.create',
  'points that are on their card may be spent':
    'loyalty.members.pending-points.activate loyalty.campaign-members.pending-points.activate',
  'the points may be on their card by now, or be gone':
    'loyalty.members.pending-points.balance loyalty.campaign-members.pending-points.balance',
  'the service keeps nothing of points that are canceled':
    'loyalty.members.pending-points.cancel loyalty.campaign-members.pending-points.cancel',
  'who was added may have redeemed the code since': 'referrals.holders.add referrals.campaign-holders.add',
  'only the ids of the holders that are gone are recorded, not their customers':
    'referrals.holders.remove referrals.campaign-holders.remove',
  'no call revokes a code that was given; it can be switched off':
    'publications.create vouchers.publish client.publications.create',
  'neither an event nor what it caused can be undone; points that it earned can be removed':
    'events.send client.events.send',
  'the answers do not tell new customers from those that were there and were updated':
    'customers.create client.customers.create',
  'a deleted customer is gone for good; a new one can get the source id':
    'customers.delete customers.permanent-deletion',
  'its address may hold a secret, which the history does not keep': 'webhooks.create webhooks.update webhooks.delete',
  'what was put into it since would be gone for good': 'projects.create',
  'everything in it is gone for good': 'projects.delete',
}

const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries(byHand).flatMap(([why, ids]) => ids.split(' ').map((id) => [id, why] as const)),
)

/** The ids of all calls that are named here. */
export const inverted: readonly string[] = [...calls.keys(), ...reasons.keys()]

/** Returns what undoes a call; undefined where the kind of its object says it, and for a call that only reads. */
export function inverseOf({ id }: { id: string }): Inverse | undefined {
  const why = reasons.get(id)
  return calls.get(id) ?? (why === undefined ? undefined : { byHand: why })
}
