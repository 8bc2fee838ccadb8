// Refusals, with the two error bodies of the service. Source: docs/service/errors.md#main-body.
// What rules refuse as well is worded in rules/failures.ts, where a failure is a value; here it ends the request.

import type { RefusalBody as Failure } from '../rules/failures.ts'
import * as failures from '../rules/failures.ts'

/** The framework's error body, for requests that fail before they reach the service proper. */
export interface FrameworkFailure {
  statusCode: number
  error: string
  message: string
}

/** Ends a request with an error answer; everything it wrote is undone. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly body: Failure | FrameworkFailure
  readonly headers: Record<string, string>

  constructor(body: Failure | FrameworkFailure, headers: Record<string, string> = {}) {
    super(body.message)
    this.status = 'code' in body ? body.code : body.statusCode
    this.body = body
    this.headers = headers
  }
}

/** Makes the refusal of what rules know as a value. */
function refusalOf<Given extends unknown[]>(failure: (...given: Given) => Failure) {
  return (...given: Given) => new Refusal(failure(...given))
}

/** Returns a 400 with a key and its message, such as `refused('invalid_voucher', 'why')`. */
export const refused = refusalOf(failures.refuse)

/** The same for a key whose message depends on the request. */
export const refusedAs = refusalOf(failures.refusedAs)

/** Returns a 400 `invalid_payload`; `details` name the property in JSON notation. */
export const invalidPayload = refusalOf(failures.invalidPayload)

/** Returns a 400 `invalid_query_params`. */
export function invalidQuery(details: string): Refusal {
  return refused('invalid_query_params', details)
}

/** Returns a 404 `not_found` for an object requested by id or natural key. */
export const notFound = refusalOf(failures.notFound)

/** Returns a 409 `duplicate_found` for a natural key that is taken; `by` names the key in the details. */
export const duplicate = refusalOf(failures.duplicate)

/** Returns a 403 `forbidden`. */
export function forbidden(details: string, message = 'Forbidden'): Refusal {
  return new Refusal({ code: 403, key: 'forbidden', message, details })
}

/** Returns a 402, for features that are not in the plan of a project. */
export function paymentRequired(): Refusal {
  return new Refusal({
    code: 402,
    key: 'missing_required_feature',
    message: 'Payment required',
    details: 'Your current plan does not include a feature required to perform this operation.',
  })
}

/** Returns a 401 with the published body: no details and no request id. */
export function unauthorized(): Refusal {
  return new Refusal({ code: 401, message: 'Unauthorized', key: 'unauthorized' })
}

/** Returns a refusal with the framework's body. */
export function frameworkRefusal(statusCode: number, error: string, message: string): Refusal {
  return new Refusal({ statusCode, error, message })
}
