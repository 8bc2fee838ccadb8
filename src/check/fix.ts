// What repairs a finding: a command for a project, an edit for a file.
import { ownValue } from '../base/record.ts'
import { shellWord } from '../base/shell-word.ts'
import { sanitize } from '../base/text/sanitize.ts'
import type { Shop, ShopObject } from './shop.ts'

/** How commands change objects, switch them, and name them for an assignment. */
const commands: Readonly<Record<string, { update: string; topic: string; assigned: string }>> = {
  campaigns: { update: 'promo campaigns update', topic: 'campaigns', assigned: '--campaign' },
  'campaigns/tiers': { update: 'promo promotions tiers update', topic: 'promotions', assigned: '--tier' },
  codes: { update: 'promo vouchers update', topic: 'vouchers', assigned: '--voucher' },
}

/** Returns what a command calls an object: a tier by its id, because its name may be that of another. */
export function wordFor({ kind, name, address, wire }: ShopObject): string {
  // A name with characters that are not shown cannot be pasted.
  const isPlain = name !== undefined && sanitize(name) === name && kind.name !== 'campaigns/tiers'
  return shellWord(isPlain ? name : typeof wire?.id === 'string' ? wire.id : address)
}

/** Returns the command with some flags for an object of the project, or the edit of its file. */
export function fixOf(shop: Shop, object: ShopObject, flags: string, edit: string): string {
  const known = ownValue(commands, object.kind.name)
  return shop.isOnline && known !== undefined ? `${known.update} ${wordFor(object)} ${flags}` : edit
}

/** Returns the command that switches an object of the project, or the edit of its file. */
export function switchFix({ isOnline }: Shop, { kind, name, wire }: ShopObject, isOn: boolean): string {
  const { topic } = ownValue(commands, kind.name) ?? {}
  if (!isOnline || topic === undefined) return `active: ${isOn}`
  return `promo ${topic} ${isOn ? 'enable' : 'disable'} ${shellWord(String(topic === 'promotions' ? wire?.id : name))}`
}

/** Returns how a rule is assigned: one that there is, or a new one. */
export function ruleFix(
  shop: Shop,
  object: ShopObject,
  { known, flags, edit }: { known?: ShopObject | undefined; flags: string; edit: string },
): string {
  if (!shop.isOnline)
    return `add to validation_rules: ${known === undefined ? edit : known.address.replace('rules/', '')}`
  const name = shellWord(known?.name ?? `For ${object.name ?? object.address}`)
  const created = known === undefined ? `promo rules create --name ${name} ${flags}; ` : ''
  return `${created}promo rules assign ${name} ${ownValue(commands, object.kind.name)?.assigned} ${wordFor(object)}`
}
