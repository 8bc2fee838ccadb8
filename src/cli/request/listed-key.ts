// Rows of a list that promo wrote about something else: which voucher a redemption was of, whose an order is. A column of the
// same name is not enough: the source id of an order is no customer's.
import type { ColumnRules } from '../../bulk/input/columns.ts'
import type { Fields } from '../../bulk/input/row.ts'

/** What the rows of a command name, and how. */
export interface ListedKey {
  noun: string
  /** The column of the key, and the one that takes an id instead. */
  column: string
  idColumn?: string | undefined
  /** The call takes an id in place of the key. */
  takesIds: boolean
  /** Whether it is said that only the key of such a list is read. */
  saysKeyOnly?: true | undefined
  /** Receives how a list is read, in words. */
  say: (sentence: string) => void
}

/** Where an object names another: by its key, and by its id. */
interface Place {
  by?: string
  id?: string
}

const ofVoucher = { by: 'voucher.code' }
const ofCustomer = { by: 'customer.source_id', id: 'customer_id' }

/** Where objects of a list name what the rows of a command are about; those of the first kind are it themselves. */
const places = {
  voucher: {
    voucher: { by: 'code' },
    redemption: ofVoucher,
    redemption_rollback: ofVoucher,
    publication: ofVoucher,
  },
  customer: {
    customer: { by: 'source_id', id: 'id' },
    redemption: ofCustomer,
    redemption_rollback: ofCustomer,
    publication: ofCustomer,
    order: ofCustomer,
    redeemable_holder: { id: 'customer_id' },
    voucher: { id: 'holder_id' },
  },
  redemption: { redemption: { by: 'id' } },
  holder: { redeemable_holder: { by: 'id' } },
} as const satisfies Record<string, Record<string, Place>>

/** Every kind of object that a list of the service has, as its `object` says; another text there is a user's own. */
export const listedKinds: readonly string[] = [
  'async_action',
  'campaign',
  'campaign_template',
  'category',
  'custom-event-schema',
  'customer',
  'earning_rule',
  'event',
  'export',
  'location',
  'loyalty_points_bucket',
  'loyalty_reward',
  'loyalty_tier',
  'loyalty_tier_reward',
  'metadata_schema',
  'order',
  'product',
  'products_collection',
  'project',
  'promotion_stack',
  'promotion_tier',
  'publication',
  'redeemable_holder',
  'redemption',
  'redemption_rollback',
  'reward',
  'reward_assignment',
  'segment',
  'sku',
  'stacking_rules',
  'validation_rules',
  'validation_rules_assignment',
  'voucher',
  'webhook',
]

/**
 * Returns the function that reads a row of such a list: as its key alone, with the columns that `names` maps; in words where
 * it names none; undefined where the row is read as any other.
 */
export function readerOfLists(key: ListedKey, names: ReadonlyMap<string, string>): ColumnRules['ofList'] {
  const subject = subjectOf(key)
  if (subject === undefined) return undefined
  const found: Readonly<Record<string, Place>> = places[subject]
  const said = new Set<string>()
  return (valueAt) => {
    const kind = valueAt('object')
    if (typeof kind !== 'string' || !listedKinds.includes(kind)) return undefined
    const { by, id } = (Object.hasOwn(found, kind) ? found[kind] : undefined) ?? {}
    const isItself = found[kind] === Object.values(found)[0]
    const hasKey = by !== undefined && isText(valueAt(by))
    const say = (path: string, sentence: string) => {
      if (!said.has(path)) key.say(sentence)
      said.add(path)
    }
    if (isItself && (by === key.column || key.idColumn !== undefined) && (hasKey || !key.takesIds)) {
      if (key.saysKeyOnly)
        say(key.column, `of the list, only "${key.column}" is read: the command line says what changes`)
      return undefined
    }
    const idColumn = key.idColumn ?? (key.takesIds ? key.column : undefined)
    const path = hasKey ? by : id
    const column = hasKey ? key.column : idColumn
    if (path === undefined || column === undefined || !isText(valueAt(path))) {
      return `is ${withArticle(kind)} that names no ${subject}${column === undefined && id !== undefined ? ' by source id' : ''}`
    }
    say(path, `of the list, "${path}" names the ${subject}; nothing else of it is read`)
    const mapped = [...names].flatMap(([title, field]) => {
      const value = valueAt(title)
      return value === undefined ? [] : [[field, value] as const]
    })
    return Object.assign(Object.create(null), Object.fromEntries(mapped), { [column]: valueAt(path) }) as Fields
  }
}

function subjectOf({ noun, column }: ListedKey): keyof typeof places | undefined {
  if (column === 'code') return 'voucher'
  if (/^(?:customer\.)?source_id$/.test(column)) return 'customer'
  return column === 'id' && (noun === 'redemption' || noun === 'holder') ? noun : undefined
}

function withArticle(kind: string): string {
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind.replaceAll('_', ' ')}`
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
