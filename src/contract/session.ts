// Locks that tie parallel validations and redemptions together. Source: docs/service/validations.md#sessions.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAnswer } from './fields.ts'

/** The units of a lock's lifetime. */
export const ttlUnits = ['DAYS', 'HOURS', 'MINUTES', 'SECONDS', 'MILLISECONDS', 'MICROSECONDS', 'NANOSECONDS'] as const

/** A lock to open or to renew. With only its `type` it gets a key and lasts for 7 days. */
export const session = z.strictObject({
  type: z.literal('LOCK').optional(),
  key: z.string().min(1).optional(),
  ttl: z.number().positive().optional(),
  ttl_unit: z.enum(ttlUnits).optional(),
})

/** Releases a lock on a voucher before it expires. */
export const releaseSession = endpoint('vouchers.sessions.release', 'Release a validation session of a voucher', {
  call: 'DELETE /v1/vouchers/{code}/sessions/{sessionKey}',
  response: emptyAnswer,
  source: 'docs/service/validations.md#release-a-session',
})
