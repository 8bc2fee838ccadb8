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
    },
    required: ['code', 'key', 'message'],
  },
  FrameworkRefusal: {
    type: 'object',
    description: 'The body of a call that fails before it reaches the service proper',
    properties: { statusCode: { type: 'integer' }, error: text, message: text },
    required: ['statusCode', 'error', 'message'],
  },
}

/** Answers that every call may return. Every answer carries its request id in a header. */
export const refusalResponses = {
  Refusal: response('Refused', { anyOf: [reference('Refusal'), reference('FrameworkRefusal')] }),
  Failure: response('A failure of the sandbox itself', reference('Refusal')),
}

function response(description: string, schema: object) {
  const headers = { 'X-Request-Id': { description: 'the id of the request', schema: text } }
  return { description, headers, content: { 'application/json': { schema } } }
}

function reference(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}
