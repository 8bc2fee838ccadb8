// Describes what the sandbox serves as an OpenAPI 3.1 document, generated from the declarations that it serves.
import { z } from 'zod'
import { memoizeFor } from '../../base/memoized.ts'
import { ownValue } from '../../base/record.ts'
import { answersOf } from '../../contract/answers/answers.ts'
import { delivery, eventData } from '../../contract/answers/event-data.ts'
import { namedForms } from '../../contract/answers/form.ts'
import { endpoints } from '../../contract/catalogue.ts'
import type { Credential, Endpoint } from '../../contract/endpoint.ts'
import { webhookEvents } from '../../contract/webhook-events.ts'
import { mediaTypes } from './bodies.ts'
import type { Route } from './route.ts'

/** A JSON object of the document. */
export type Json = Record<string, unknown>

/**
 * Describes every route: parameters, bodies, answers, credentials; `x-repeat` states what one more identical call does,
 * `x-paging` how a list continues.
 *
 * Request schemas name what a client should send; the sandbox ignores unknown members. Answer schemas name every member
 * that the sandbox sends.
 */
export const openApiOf = memoizeFor((routes: readonly Route[]): Json => {
  const paths: Record<string, Json> = {}
  const schemas: Json = { ...refusalSchemas }
  const schemaOf = schemasInto(schemas)
  for (const { endpoint: served, isOpen } of routes) {
    // Some routes read a body themselves, because it is refused under keys of its own; the contract says what to send.
    const endpoint = endpoints.find(({ id }) => id === served.id) ?? served
    const item = paths[endpoint.path] ?? parametersOf(endpoint.path)
    paths[endpoint.path] = item
    item[endpoint.method.toLowerCase()] = operationOf(endpoint, isOpen === true, schemaOf)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'The promotion service, as the sandbox serves it',
      version: '1',
      description: 'Where the public documentation is silent the embedded service makes a choice of its own.',
    },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    webhooks: Object.fromEntries(webhookEvents.flatMap(({ shown_as }) => deliveryOf(shown_as, schemaOf))),
    components: { securitySchemes, schemas, responses: refusalResponses },
  }
})

type SchemaOf = (schema: z.ZodType) => Json

/** Returns a converter of zod schemas. It adds those with a name of their own to `schemas` and refers to them. */
function schemasInto(schemas: Json): SchemaOf {
  return (schema) => {
    const options = { io: 'input', unrepresentable: 'any', reused: 'inline', metadata: namedForms } as const
    const { $schema, $defs, ...converted } = z.toJSONSchema(schema, options)
    Object.assign(schemas, referringToComponents($defs ?? {}))
    return referringToComponents(converted)
  }
}

function referringToComponents(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'))
}

function operationOf(endpoint: Endpoint, isOpen: boolean, schemaOf: SchemaOf): Json {
  const { id, summary, query, body, repeat, paging } = endpoint
  return {
    operationId: id,
    tags: [id.split('.')[0]],
    summary,
    security: isOpen ? [] : securityOf[endpoint.credential],
    ...(query && { parameters: queryOf(query, schemaOf) }),
    ...(body && { requestBody: bodyOf(body, endpoint.encoding, schemaOf) }),
    responses: {
      ...responsesOf(endpoint, schemaOf),
      '4XX': { $ref: '#/components/responses/Refusal' },
      '5XX': { $ref: '#/components/responses/Failure' },
    },
    'x-repeat': repeat,
    ...(paging.style !== 'none' && { 'x-paging': paging }),
  }
}

/** Describes what webhooks get of an event; nothing where the embedded service never announces it. */
function deliveryOf(type: string, schemaOf: SchemaOf): [string, Json][] {
  const data = ownValue(eventData, type)
  if (!data) return []
  const schema = schemaOf(delivery.extend({ type: z.literal(type), data }))
  const content = { [mediaTypes.json]: { schema } }
  return [
    [type, { post: { requestBody: { required: true, content }, responses: { '2XX': { description: 'Received' } } } }],
  ]
}

/** Describes the names in braces of a path: texts, percent-encoded, one entire segment each. */
function parametersOf(path: string): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  if (names.length === 0) return {}
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) }
}

function queryOf(query: z.ZodType, schemaOf: SchemaOf): Json[] {
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    // A list is written with empty brackets, `ids[]=a&ids[]=b`.
    name: schema.type === 'array' ? `${name}[]` : name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    // Written with brackets, `created_at[before]`; OpenAPI defines that for the first level only, filters have three.
    ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
    schema,
  }))
}

function bodyOf(body: z.ZodType, encoding: Endpoint['encoding'], schemaOf: SchemaOf): Json {
  // A body with required members has to be sent.
  return { required: !body.safeParse({}).success, content: { [mediaTypes[encoding]]: { schema: schemaOf(body) } } }
}

/** Describes the answers by status; refusals are the same for all calls, but for those that have no body. */
function responsesOf(endpoint: Endpoint, schemaOf: SchemaOf): Json {
  return Object.fromEntries(
    Object.entries(answersOf(endpoint)).map(([status, form]) => [
      status,
      {
        description: ownValue(descriptions, status) ?? 'Done',
        headers: requestIdHeader,
        ...(form && contentOf(schemaOf(form))),
      },
    ]),
  )
}

const descriptions: Readonly<Record<string, string>> = {
  202: 'Accepted: the work continues in the background',
  204: 'Done; the answer has no body',
  404: 'Refused; the answer has no body',
}

/** Describes the content of an answer. What is not JSON, such as pictures and CSV, sends its own media type. */
function contentOf(schema: Json): Json {
  return { content: { [schema.type === 'string' ? '*/*' : 'application/json']: { schema } } }
}

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })

const securitySchemes = {
  appId: header('X-App-Id', 'the id of the application pair'),
  appToken: header('X-App-Token', 'its secret token'),
  bearer: { type: 'http', scheme: 'bearer', description: 'a token issued with the application pair' },
  managementId: header('X-Management-Id', 'the id of the management pair'),
  managementToken: header('X-Management-Token', 'its secret token'),
  clientId: header('X-Client-Application-Id', 'the id of the client-side pair'),
  clientToken: header('X-Client-Token', 'its token, visible to every visitor of a page'),
}

const pair = { appId: [], appToken: [] }

const securityOf: Record<Credential, Json[]> = {
  application: [pair, { bearer: [] }],
  'application-pair': [pair],
  management: [{ managementId: [], managementToken: [] }],
  client: [{ clientId: [], clientToken: [] }, { bearer: [] }],
}

const text = { type: 'string' }

/** Schemas of the two bodies. */
const refusalSchemas = {
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
const requestIdHeader = { 'X-Request-Id': { description: 'the id of the request', schema: text } }

/** Answers that every call may return. */
const refusalResponses = {
  Refusal: response('Refused', { anyOf: [reference('Refusal'), reference('FrameworkRefusal')] }),
  Failure: response('A failure of the sandbox itself', reference('Refusal')),
}

function response(description: string, schema: object) {
  return { description, headers: requestIdHeader, content: { 'application/json': { schema } } }
}

function reference(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}
