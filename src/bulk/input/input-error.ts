// The error of an entire input, as opposed to the problem of one row: nothing of it can be used, nothing was sent.
import { PromoError } from '../../errors.ts'

/** Returns the error for an input that cannot be used: exit 2, before any request. */
export function inputError(message: string, hint?: string, cause?: unknown, hasLines = false): PromoError {
  return new PromoError('input', message, {
    ...(hasLines && { hasLines }),
    ...(hint === undefined ? {} : { hint }),
    ...(cause === undefined ? {} : { cause }),
  })
}
