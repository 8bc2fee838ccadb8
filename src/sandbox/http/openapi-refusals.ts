// How the OpenAPI document describes a refusal: the two error bodies of the service.
// Source: docs/service/errors.md#main-body; docs/service/errors.md#framework-body.

const text = { type: 'string' }

/** Schemas of the two bodies. */
export const refusalSchemas = {
  Refusal: {
    type: 'object',
    description: 'What the service proper says when it refuses a call',
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
    description: 'What is said when a call fails before the service proper looks at it',
    properties: { statusCode: { type: 'integer' }, error: text, message: text },
    required: ['statusCode', 'error', 'message'],
  },
}

/** Answers that every call may have. Every answer names its request in a header. */
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
