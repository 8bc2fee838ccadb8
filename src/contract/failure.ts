// The two shapes in which the service reports a failure.
// Source: docs/service/errors.md#main-body; docs/service/errors.md#framework-body.

/** The contents of a failure in either shape; a member is absent when the service omitted it. */
export interface Failure {
  code: number
  message: string
  key?: string
  details?: string
  request_id?: string
  resource_id?: string
  resource_type?: string
  /** What the shop configured for this refusal, such as the message of a validation rule: `error.message` on the wire. */
  custom_message?: string
}

/**
 * Reads a failure from an answer's parsed body, in the main shape (`code`, `key`, `message`, …) or the framework's
 * (`statusCode`, `error`, `message`).
 *
 * Returns undefined when the body is neither: an HTML page, an empty body, another program's JSON.
 */
export function failureOf(body: unknown): Failure | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const fields = body as Record<string, unknown>
  const code = Number(fields.code ?? fields.statusCode)
  const message = text(fields.message) ?? text(fields.error)
  if (!Number.isInteger(code) || message === undefined) return undefined
  const failure: Failure = { code, message }
  for (const name of ['key', 'details', 'request_id', 'resource_id', 'resource_type'] as const) {
    const value = text(fields[name])
    if (value !== undefined) failure[name] = value
  }
  const custom = text((fields.error as { message?: unknown } | null | undefined)?.message)
  if (custom !== undefined) failure.custom_message = custom
  return failure
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
