// How the sandbox says no: the two error bodies of the service. Source: docs/service/errors.md#main-body.md §0.
// What rules refuse too is worded in rules/failures.ts, where it is a value; here it ends the request.

import type { RefusalBody as Failure } from '../rules/failures.ts'
import * as failures from '../rules/failures.ts'

/** The framework's error body, for what fails before the service proper looks at it. */
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

/** 400 with a key and its message, such as `refused('invalid_voucher', 'Invalid Voucher', 'why')`. */
export function refused(key: string, message: string, details?: string): Refusal {
  return new Refusal(failures.refused(key, message, details))
}

/** 400 `invalid_payload`; `details` name the property in JSON notation. */
export function invalidPayload(details: string): Refusal {
  return new Refusal(failures.invalidPayload(details))
}

/** 400 `invalid_query_params`. */
export function invalidQuery(details: string): Refusal {
  return refused('invalid_query_params', 'Invalid query params', details)
}

/** 404 `not_found` for a thing that was asked for by id or natural key. */
export function notFound(type: string, asked: string): Refusal {
  return new Refusal(failures.notFound(type, asked))
}

/** 409 `duplicate_found` for a natural key that is taken; `by` is what the key is called in the details. */
export function duplicate(type: string, value: string, by: 'id' | 'name' = 'id'): Refusal {
  return new Refusal({
    code: 409,
    key: 'duplicate_found',
    message: 'Duplicated resource found',
    details: `Duplicated ${type} exists with ${by} ${value}`,
    resource_id: value,
    resource_type: type,
  })
}

/** 403 `forbidden`. */
export function forbidden(details: string, message = 'Forbidden'): Refusal {
  return new Refusal({ code: 403, key: 'forbidden', message, details })
}

/** 402, for what is not in the plan of a project. */
export function paymentRequired(): Refusal {
  return new Refusal({
    code: 402,
    key: 'missing_required_feature',
    message: 'Payment required',
    details: 'Your current plan does not include a feature required to perform this operation.',
  })
}

/** 401, with the published body: no details and no request id. */
export function unauthorized(): Refusal {
  return new Refusal({ code: 401, message: 'Unauthorized', key: 'unauthorized' })
}

/** A refusal in the framework's shape. */
export function frameworkRefusal(statusCode: number, error: string, message: string): Refusal {
  return new Refusal({ statusCode, error, message })
}
