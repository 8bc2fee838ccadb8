// The flags for what people type about vouchers, and about campaigns whose vouchers are alike.
import { usageError } from '../../../errors.ts'
import { nameList } from '../../flags/values.ts'
import type { MemberFlag, MemberFlags } from '../../request/member-flags.ts'

/** The flags that say what a voucher is worth: one at a time. */
export const amounts = ['percent-off', 'amount-off', 'fixed-amount', 'unit-off', 'gift-amount', 'points'] as const

/** The flags that belong to one of them, whose refusal names the one that is missing. */
export const partsOfAmounts = ['max-amount-off', 'unit-type', 'unit-effect'] as const

/** Where the contents of a voucher are in a body, and whether its type follows from them. */
interface Place {
  /** `voucher.` in a campaign. */
  prefix?: string
  /** The type of the voucher can be said, because it is new. */
  isNew: boolean
}

/** Makes the flags for what a voucher is worth: a discount, credits or points. */
export function worthFlags({ prefix = '', isNew }: Place): MemberFlags {
  const others = (name: string) => amounts.filter((other) => other !== name)
  const typeCells = (type: string) => (isNew ? [`${prefix}type=${type}`] : [])
  const discount = (kind: string) => [...typeCells('DISCOUNT_VOUCHER'), `${prefix}discount.type=${kind}`]
  return {
    'percent-off': {
      about: 'discount: a percentage',
      path: `${prefix}discount.percent_off`,
      value: 'N',
      implies: discount('PERCENT'),
      exclusive: others('percent-off'),
    },
    'amount-off': {
      about: 'discount: an amount, in minor units (cents)',
      path: `${prefix}discount.amount_off`,
      value: 'N',
      implies: discount('AMOUNT'),
      exclusive: others('amount-off'),
    },
    'fixed-amount': {
      about: 'discount: a fixed price of the order, in minor units (cents)',
      path: `${prefix}discount.fixed_amount`,
      value: 'N',
      implies: discount('FIXED'),
      exclusive: others('fixed-amount'),
    },
    'max-amount-off': {
      about: 'discount: the most that a percentage takes off, in minor units (cents)',
      path: `${prefix}discount.amount_limit`,
      value: 'N',
      implies: discount('PERCENT'),
      exclusive: others('percent-off'),
    },
    'unit-off': {
      about: 'discount: the number of free units',
      path: `${prefix}discount.unit_off`,
      value: 'N',
      implies: discount('UNIT'),
      exclusive: others('unit-off'),
    },
    'unit-type': {
      about: 'discount: the free product, or SKU by id; prod_5h1pp1ng is shipping',
      path: `${prefix}discount.unit_type`,
      names: 'product',
      value: 'ID',
      implies: discount('UNIT'),
      exclusive: others('unit-off'),
    },
    'unit-effect': {
      about: 'add free units, or make units of the cart free',
      path: `${prefix}discount.effect`,
      takes: ['ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS', 'ADD_MANY_ITEMS'],
      implies: discount('UNIT'),
      exclusive: others('unit-off'),
    },
    'gift-amount': {
      about: 'the credit of a gift card, in minor units (cents)',
      path: `${prefix}gift.amount`,
      value: 'N',
      implies: typeCells('GIFT_VOUCHER'),
      exclusive: others('gift-amount'),
    },
    points: {
      about: 'the points of a loyalty card',
      path: `${prefix}loyalty_card.points`,
      value: 'N',
      implies: typeCells('LOYALTY_CARD'),
      exclusive: others('points'),
    },
  }
}

/** The flags for a discount of what exists, or of what has no other worth. */
export function discountFlags(prefix = ''): MemberFlags {
  const { 'gift-amount': _, points: __, ...discounts } = worthFlags({ prefix, isNew: false })
  return discounts
}

/** The flag for the fields that a project defines itself. */
export const metadataFlag: MemberFlags = { metadata: { about: 'one metadata field', takes: 'pairs' } }

/** The flags for when something can be used, and what is noted about it. */
export const validityFlags: MemberFlags = {
  starts: { about: 'when it begins; a day counts from its beginning', path: 'start_date', value: 'TIME' },
  expires: { about: 'when it ends; a day counts to its end', path: 'expiration_date', value: 'TIME' },
  weekdays: {
    about: 'usable on these days of the week',
    path: 'validity_day_of_week',
    value: 'mon,tue,…',
    as: weekdays,
  },
  hours: {
    about: 'usable in these hours of the project, with blanks between several',
    path: 'validity_hours',
    value: '[mon,tue=]09:00-17:30',
    as: hours,
  },
  window: {
    about: 'usable in parts of the time from --starts on: 2h/1d is 2 hours a day',
    path: 'validity_timeframe',
    value: '2h/1d',
    as: window,
  },
  ...metadataFlag,
}

/** The flag for the rules that must be met, also how often one customer may redeem. */
export const rulesFlag = {
  rules: {
    about: 'the validation rules that must be met, by id or name',
    path: 'validation_rules',
    takes: 'many',
    names: 'rule',
  },
} as const satisfies MemberFlags

// In the service's order: Sunday is 0.
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

function weekdays(text: string): number[] {
  return nameList(text).map((name) => {
    const day = days.indexOf(name.toLowerCase())
    if (day >= 0) return day
    throw usageError(`--weekdays "${name}" is not one of ${days.join(', ')}`, '--weekdays mon,tue,wed')
  })
}

/** Reads `09:00-17:30 sat,sun=10:00-14:00`; hours without days are those of every day. */
function hours(text: string): object {
  const daily = text
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [, named, start_time, expiration_time] = /^(?:([^=]+)=)?(\d\d:\d\d)-(\d\d:\d\d)$/.exec(word) ?? []
      if (start_time === undefined)
        throw usageError(`--hours "${word}" is not like 09:00-17:30`, '--hours "mon,tue=09:00-17:30 sat=10:00-14:00"')
      const on = named === undefined ? days.map((_, day) => day) : weekdays(named)
      if (expiration_time !== undefined && expiration_time <= start_time)
        throw overMidnight(word, start_time, expiration_time, named && on)
      // The service has no 24:00: an empty end is that of the day.
      return { start_time, expiration_time: expiration_time === '24:00' ? '' : expiration_time, days_of_week: on }
    })
  return { daily }
}

/** A window ends on the day on which it begins: what goes on after midnight is one of the next day. */
function overMidnight(word: string, from: string, to: string, on: readonly number[] | undefined | ''): Error {
  const dayCells = (shift: number) => (on ? `${on.map((day) => days[(day + shift) % days.length]).join(',')}=` : '')
  const after = to === '00:00' ? '' : ` ${dayCells(1)}00:00-${to}`
  return usageError(
    `--hours "${word}" ends before it begins; a window ends on its day`,
    `--hours "${dayCells(0)}${from}-24:00${after}"`,
  )
}

/** Reads `2h/1d`, also as the ISO 8601 durations that are sent. */
function window(text: string): object {
  const [duration, interval, more] = text.split('/').map(isoDuration)
  if (duration !== undefined && interval !== undefined && more === undefined) return { duration, interval }
  throw usageError(`--window "${text}" is not like 2h/1d: a duration, and how often`, '--window 2h/1d')
}

function isoDuration(text: string): string | undefined {
  if (/^P[\dTYMWDHS.]+$/.test(text)) return text
  const [, number, unit = ''] = /^(\d+)([mhdw])$/.exec(text) ?? []
  return number && `${'mh'.includes(unit) ? 'PT' : 'P'}${number}${unit.toUpperCase()}`
}

/** The flag for a note that customers do not see. */
export const noteFlag: MemberFlag = { about: 'a note', path: 'additional_info' }

/** The flag for how often a code can be redeemed. */
export function usesFlag(prefix = ''): MemberFlags {
  return { uses: { about: 'how often a code can be redeemed', path: `${prefix}redemption.quantity`, value: 'N' } }
}

/** The flags for the codes of a new campaign. */
export const codeFlags: MemberFlags = {
  count: { about: 'how many codes to generate', path: 'vouchers_count', value: 'N' },
  pattern: {
    about: 'generated codes: the pattern, like SPRING-####',
    path: 'voucher.code_config.pattern',
    value: 'PATTERN',
  },
  length: { about: 'generated codes: the length', path: 'voucher.code_config.length', value: 'N' },
  charset: { about: 'generated codes: the characters', path: 'voucher.code_config.charset', value: 'ABC…' },
  prefix: { about: 'generated codes: the prefix', path: 'voucher.code_config.prefix' },
}
