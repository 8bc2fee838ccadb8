// How redeemables are written on the command line: a bare code is a voucher, a prefix says what else it is.
import type { z } from 'zod'
import type { redeemable } from '../../../contract/validations.ts'
import { usageError } from '../../../errors.ts'

type Redeemable = z.input<typeof redeemable>

/** The forms, as described in help. */
export const redeemableForms =
  'CODE, tier:ID, stack:ID, gift:CODE[=CREDITS], card:CODE=REWARD_ID[:POINTS]; voucher:CODE for a code that begins like one of these'

/**
 * Reads one redeemable.
 *
 * Credits are in the smallest currency unit; without them, or without points, the service uses as many as are needed.
 * Throws `usage` for an empty id, and for credits or points that are not a whole number.
 */
export function redeemableFrom(text: string): Redeemable {
  const [, kind = 'voucher', id = ''] = /^(?:(voucher|tier|stack|gift|card):)?(.*)$/s.exec(text) ?? []
  if (id === '') throw usageError(`"${text}" names no redeemable`, redeemableForms)
  if (kind === 'tier') return { object: 'promotion_tier', id }
  if (kind === 'stack') return { object: 'promotion_stack', id }
  if (kind === 'gift') return giftFrom(id, text)
  if (kind === 'card') return cardFrom(id, text)
  return { object: 'voucher', id }
}

// Split at the last equals sign: a code may contain one; a number and the id of a reward do not.
function giftFrom(rest: string, text: string): Redeemable {
  const equals = rest.lastIndexOf('=')
  if (equals === -1) return { object: 'voucher', id: rest }
  return { object: 'voucher', id: rest.slice(0, equals), gift: { credits: countOf(rest.slice(equals + 1), text) } }
}

function cardFrom(rest: string, text: string): Redeemable {
  const equals = rest.lastIndexOf('=')
  if (equals === -1) return { object: 'voucher', id: rest }
  const [reward = '', points] = rest.slice(equals + 1).split(':')
  if (reward === '') throw usageError(`"${text}" names no reward`, 'card:CLUB-001=rew_1')
  return {
    object: 'voucher',
    id: rest.slice(0, equals),
    reward: { id: reward, ...(points !== undefined && { points: countOf(points, text) }) },
  }
}

function countOf(text: string, whole: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw usageError(`"${whole}" ends in "${text}", which is not a whole number`, redeemableForms)
}
