// The body of a validation from the arguments and flags of one command line.
import type { z } from 'zod'
import type { newValidation } from '../../../contract/validations.ts'
import { usageError } from '../../../errors.ts'
import type { Reader } from '../../request/body.ts'
import { type CartFlags, cartFrom, type Draft } from '../../request/cart.ts'
import { redeemableForms, redeemableFrom } from './redeemable.ts'

/** A body as the contract defines it. */
export type NewValidation = z.input<typeof newValidation>

/** The flags that only a validation has. */
export interface ValidationFlags extends CartFlags {
  'session-type'?: string | undefined
  'session-key'?: string | undefined
  'session-ttl'?: number | undefined
  'session-ttl-unit'?: string | undefined
  'tracking-id'?: string | undefined
  expand?: string[] | undefined
}

/** Returns the body. Throws `usage` when it names nothing. */
export function someRedeemable(body: NewValidation): NewValidation {
  if (body.redeemables.length === 0) throw usageError('no redeemable given', `name one: ${redeemableForms}`)
  return body
}

/** Adds the named redeemables after those that the body has. */
export function withRedeemables(body: Draft, named: readonly string[]): NewValidation {
  const given = Array.isArray(body.redeemables) ? body.redeemables : []
  // The contract proves the type before anything is sent.
  return { ...body, redeemables: [...given, ...named.map(redeemableFrom)] } as NewValidation
}

/** Builds what the redeemables are used with: customer, order, metadata, options and session. Throws `usage`. */
export async function contextFrom(flags: ValidationFlags, schema: z.ZodType, run: Reader): Promise<Draft> {
  const draft = await cartFrom(flags, schema, run)
  const { 'session-type': type, 'session-key': key, 'session-ttl': ttl, 'session-ttl-unit': ttl_unit } = flags
  const session = omitUndefined({ type: type ?? (key === undefined ? undefined : 'LOCK'), key, ttl, ttl_unit })
  const { 'tracking-id': tracking_id, expand } = flags
  return {
    ...draft,
    ...omitUndefined({ tracking_id }),
    ...(expand && { options: { ...(draft.options as Draft), expand } }),
    ...(Object.keys(session).length > 0 && { session: { ...(draft.session as Draft), ...session } }),
  }
}

function omitUndefined(fields: Draft): Draft {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
