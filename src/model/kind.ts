// What the declaration of a kind of object says. Everything promo does with a project as files is made from these facts.
import type { Endpoint } from '../contract/endpoint.ts'

/**
 * How a member of an existing object is changed.
 *
 * - `put`: sent complete in the update call when it differs.
 * - `fixed`: only when the object is created.
 * - `switch`: by calls of its own, enable and disable.
 * - `rules`: by assigning and unassigning validation rules.
 * - `metadata`: its changed keys are sent, and null for those removed.
 * - `definitions`: sent complete, with removed definitions marked `deleted`.
 * - `position`: the place of the object among its siblings.
 */
export type Change = 'put' | 'fixed' | 'switch' | 'rules' | 'metadata' | 'definitions' | 'position'

/** How a value is compared, beyond its JSON. */
export type Form = 'set' | 'instant' | 'events' | 'rules' | 'targets' | 'codes' | 'definitions'

/** A writable member, under its path on the wire. */
export interface Member {
  change: Change
  /** The value that an absent member means, in every project. */
  standard?: unknown
  /** The service fills it in: a file without it says nothing about it. */
  isFilled?: true
  /** It is sent when the object is created, even with its standard value. */
  isNeeded?: true
  form?: Form
  /** Its path in the body of a creation, where that is another. */
  createdAs?: string
}

/** A kind of object, as the service keeps it and as files show it. */
export interface Kind {
  /** The folder of its files, and for a part of another object the member of that file: `campaigns/tiers`. */
  name: string
  /** One of them, in words. */
  noun: string
  calls: { list: Endpoint } & Partial<Record<'get' | 'create' | 'update' | 'delete' | 'enable' | 'disable', Endpoint>>
  members: Readonly<Record<string, Member>>
  /** What answers have beyond the members, and only the service writes. */
  computed: readonly string[]
  /** The path of the member by which an object without a recorded id is recognized. */
  named: string
  /** The member that replaces it where it is absent. */
  orNamed?: string
  /** The service refuses a second object of that name. */
  isUnique?: true
  /** What the trash bin calls it, where one that was deleted keeps its name taken. */
  binned?: 'campaign' | 'product'
  /** What a deletion takes with it, and no creation brings back, in words. */
  takes?: string
  /** Codes and cards are in it, so promo never deletes one in place of which a new one is made. */
  holdsCodes?: true
  /** There is one of it in a project. */
  isSingle?: true
  /** An update sends every member: what it leaves out is reset. */
  isReplaced?: true
  /** The creation takes and returns an array. */
  isArray?: true
  /** Only objects that others refer to are read, unless `--only` names the kind. */
  isCatalogue?: true
  /** Of a part of another object: in which kind, whether its order counts, and which parents have any. */
  within?: { parent: string; as: 'list' | 'map'; isIn: (parent: Record<string, unknown>) => boolean; field?: string }
  /** The key is that of the object this member refers to, and the file does not repeat it where it has that object. */
  keyedBy?: string
  /** What validation rules call it when they are assigned to it. */
  ruled?: 'campaign' | 'promotion_tier' | 'reward_assignment'
  /**
   * Paths that hold ids, with the kinds they may be of, or none where files never have the object; `*` is any index or name, `{}` at the end
   * the names themselves.
   */
  references: Readonly<Record<string, readonly string[]>>
  /** Members in which an id may be anywhere. */
  free?: readonly string[]
  /** Says why an object cannot be written down completely. */
  lost?: (wire: Record<string, unknown>) => string | undefined
}
