// Describes what the sandbox serves as an OpenAPI 3.1 document, generated from the declarations that it serves.
import { z } from 'zod'
import { type Credential, type Endpoint, endpoint } from '../../contract/endpoint.ts'
import { mediaTypes } from './media-types.ts'
import { refusalResponses, refusalSchemas } from './openapi-refusals.ts'
import { ok, type Route, route } from './route.ts'

/** A JSON object of the document. */
export type Json = Record<string, unknown>

/**
 * Describes every route: parameters, bodies, answers, credentials; `x-repeat` states what one more identical call does,
 * `x-paging` how a list continues.
 *
 * The exact 2xx status of an answer is not part of the contract, so all are described under `2XX`. Request schemas name
 * what a client should send; the sandbox ignores unknown members.
 */
export function openApiOf(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {}
  for (const { endpoint, isOpen } of routes) {
    const item = paths[endpoint.path] ?? parametersOf(endpoint.path)
    paths[endpoint.path] = item
    item[endpoint.method.toLowerCase()] = operationOf(endpoint, isOpen === true)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'The promotion service, as the sandbox serves it',
      version: '1',
      description: 'Where the public documentation is silent the embedded service makes a choice of its own.',
    },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: { securitySchemes, schemas: refusalSchemas, responses: refusalResponses },
  }
}

function operationOf(endpoint: Endpoint, isOpen: boolean): Json {
  const { id, summary, query, body, response, repeat, paging } = endpoint
  return {
    operationId: id,
    tags: [id.split('.')[0]],
    summary,
    security: isOpen ? [] : securityOf[endpoint.credential],
    ...(query && { parameters: queryOf(query) }),
    ...(body && { requestBody: bodyOf(body, endpoint.encoding) }),
    responses: {
      '2XX': { description: 'Done', ...contentOf(schemaOf(response)) },
      '4XX': { $ref: '#/components/responses/Refusal' },
      '5XX': { $ref: '#/components/responses/Failure' },
    },
    'x-repeat': repeat,
    ...(paging.style !== 'none' && { 'x-paging': paging }),
  }
}

/** Describes the names in braces of a path: texts, percent-encoded, one entire segment each. */
function parametersOf(path: string): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  if (names.length === 0) return {}
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) }
}

function queryOf(query: z.ZodType): Json[] {
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    // Written with brackets, `created_at[before]`; OpenAPI defines that for the first level only, filters have three.
    ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
    schema,
  }))
}

function bodyOf(body: z.ZodType, encoding: Endpoint['encoding']): Json {
  const schema = schemaOf(body)
  return { required: 'required' in schema, content: { [mediaTypes[encoding]]: { schema } } }
}

/** Describes the content of an answer. What is not JSON, such as pictures and CSV, sends its own media type. */
function contentOf(schema: Json): Json {
  return { content: { [schema.type === 'string' ? '*/*' : 'application/json']: { schema } } }
}

/** Returns the schema of the wire form, before any transformation by the contract. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  return rest
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

const openApi = endpoint({
  id: 'sandbox.openapi',
  method: 'GET',
  path: '/openapi.json',
  response: z.looseObject({}),
  repeat: 'read',
  source: 'the sandbox alone',
  summary: 'Get the OpenAPI document of the served calls',
})

/** Returns the route that describes the others; it needs no credentials. The document is built on the first request. */
export function openApiRoute(routes: readonly Route[]): Route {
  let document: Json | undefined
  return {
    ...route(openApi, () => {
      document ??= openApiOf(routes)
      return ok(document)
    }),
    isOpen: true,
  }
}
