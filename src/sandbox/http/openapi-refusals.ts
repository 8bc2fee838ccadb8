// The two error bodies of the service, as the OpenAPI document describes them.
// Source: docs/service/errors.md#main-body; docs/service/errors.md#framework-body.

const text = { type: 'string' }

/** Schemas of the two bodies. */
export const refusalSchemas = {
  Refusal: {
    type: 'object',
    description: 'The body of a refusal by the service proper',
    properties: {
      code: { type: 'integer' },
      key: text,
      message: text,
      details: text,
      request_id: text,
      resource_id: text,
      resource_type: text,
      // What a shop wrote for its customers, on a validation rule or in its table of messages.
      error: { type: 'object', properties: { message: text } },
    },
    // A 404 of a project has no key.
    required: ['code', 'message'],
  },
  FrameworkRefusal: {
    type: 'object',
    description: 'The body of a call that fails before it reaches the service proper',
    properties: { statusCode: { type: 'integer' }, error: text, message: text },
    required: ['statusCode', 'error', 'message'],
  },
}

/** Every answer carries its request id in a header. */
export const requestIdHeader = { 'X-Request-Id': { description: 'the id of the request', schema: text } }

/** Answers that every call may return. */
export const refusalResponses = {
  Refusal: response('Refused', { anyOf: [reference('Refusal'), reference('FrameworkRefusal')] }),
  Failure: response('A failure of the sandbox itself', reference('Refusal')),
}

function response(description: string, schema: object) {
  return { description, headers: requestIdHeader, content: { 'application/json': { schema } } }
}

function reference(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}
