// What a rule of `promo check` is, and what it finds. Source: docs/checks.md.
import type { Shop, ShopObject } from './shop.ts'

/** How bad a finding is, worst first. */
export const severities = ['error', 'warning', 'info'] as const

export type Severity = (typeof severities)[number]

/** What a rule says of one object. */
export interface Found {
  object: ShopObject
  /** The member that it is about, for the line of a file. */
  member?: string
  /** One sentence with the object's own numbers: what will happen, and to which orders. */
  message: string
  /** A command to type, or an edit of the file. */
  fix?: string
  /** Where this one is less bad than the rule says. */
  severity?: Severity
}

/** A rule: its section in docs/checks.md has its id. */
export interface Rule {
  id: string
  severity: Severity
  /** The mistake, in a few words. */
  title: string
  /** What a folder of files does not have, where the rule needs it. */
  needs?: string
  find: (shop: Shop) => Iterable<Found>
}
