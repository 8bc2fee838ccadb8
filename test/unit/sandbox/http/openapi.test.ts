import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeredCalls, answersOf } from '../../../../src/contract/answers/answers.ts'
import { eventData } from '../../../../src/contract/answers/event-data.ts'
import { deleteCustomerPermanently } from '../../../../src/contract/customers.ts'
import { webhookEvents } from '../../../../src/contract/webhook-events.ts'
import type { RunningSandbox } from '../../../../src/sandbox/embedded.ts'
import { resources } from '../../../../src/sandbox/resources.ts'
import { fixtures } from '../../../contract/spec-fixture.ts'
import { promoIn, temporaryFolder } from '../../../support/promo.ts'
import { startTestSandbox } from '../../../support/sandbox.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads any document and asserts what it expects.
type Read = any

let sandbox: RunningSandbox
let document: Read
const served = resources.flatMap(({ routes }) => routes ?? [])

beforeAll(async () => {
  sandbox = await startTestSandbox({ demo: false })
  document = await (await fetch(`${sandbox.url}/openapi.json`)).json()
})

afterAll(() => sandbox.close())

test('the document of a running sandbox can be read without credentials', async () => {
  const answer = await fetch(`${sandbox.url}/openapi.json`)

  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await answer.json()).toMatchObject({ openapi: '3.1.0', info: { title: expect.any(String), version: '1' } })
})

test('the document is valid by the official schema of OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))

  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

test('every schema in the document is valid by the official schema of JSON Schema 2020-12', () => {
  const places = operations().flatMap(({ operation }) => [
    ...(operation.parameters ?? []).map(({ schema }: Read) => schema),
    ...contents(operation).map(({ schema }) => schema),
  ])
  const schemas = [...places, ...Object.values(document.components.schemas)]
  const check = new Ajv2020({ strict: false })

  expect(schemas.filter((schema) => !check.validateSchema(schema))).toEqual([])
  expect(schemas.length).toBeGreaterThan(300)
})

test('every call says with which status it succeeds, and the form of each answer that has a body', () => {
  for (const { operation } of operations()) {
    const { '4XX': refused, '5XX': failed, ...answers } = operation.responses
    expect([operation.operationId, Object.keys(answers)]).toEqual([
      operation.operationId,
      expect.arrayContaining([expect.stringMatching(/^20[024]$/)]),
    ])
    expect(operation.responses).toMatchObject({
      '4XX': { $ref: '#/components/responses/Refusal' },
      '5XX': { $ref: '#/components/responses/Failure' },
    })
    for (const [status, { content }] of Object.entries<Read>(answers)) {
      const isEmpty = status === '204' || status === '404'
      expect([operation.operationId, status, content === undefined]).toEqual([operation.operationId, status, isEmpty])
    }
  }
})

test('the forms of answers belong to declared calls', () => {
  const ids = operations().map(({ operation }) => operation.operationId)

  expect(answeredCalls.filter((id) => !ids.includes(id))).toEqual([])
})

test('a call without a form in src/contract/answers answers what its response names, and nothing else', () => {
  const { 200: form } = answersOf(deleteCustomerPermanently)
  const answer = form?.toJSONSchema() as Read

  expect(answer).toMatchObject({ additionalProperties: false, properties: { object: { const: 'pernament_deletion' } } })
  expect(answer.properties.data_json).toMatchObject({ additionalProperties: false })
})

test('the document describes what a webhook gets of every event that is announced', () => {
  const described = Object.entries<Read>(document.webhooks)
  const check = new Ajv2020({ strict: false })

  expect(described.map(([name]) => name)).toEqual(
    webhookEvents.map(({ shown_as }) => shown_as).filter((name) => Object.hasOwn(eventData, name)),
  )
  for (const [name, { post }] of described) {
    const { schema } = post.requestBody.content['application/json']
    expect(schema.properties.type).toMatchObject({ const: name })
    expect(schema.required).toContain('data')
    expect(check.validateSchema(schema)).toBe(true)
  }
})

test('the form bodies of tokens require what the service requires', () => {
  const form = (path: string) =>
    document.paths[path].post.requestBody.content['application/x-www-form-urlencoded'].schema.required

  expect(form('/v1/oauth/token')).toEqual(['grant_type', 'scope'])
  expect(form('/v1/oauth/introspect')).toEqual(['access_token'])
  expect(form('/v1/oauth/token/revoke')).toEqual(['access_token'])
})

test('a body with a required member is required', () => {
  const required = (method: string, path: string) => document.paths[path][method].requestBody.required

  expect(required('post', '/v1/validations')).toBe(true)
  expect(required('post', '/v1/redemptions/{redemptionId}/rollback')).toBe(false)
})

test('every served call is listed once, and no other', () => {
  const described = operations().map(({ method, path }) => `${method.toUpperCase()} ${path}`)

  expect(described.toSorted()).toEqual(served.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`).toSorted())
  expect(described.length).toBeGreaterThan(100)
})

test('every call has a unique id, a summary and its class of repetition', () => {
  const ids = operations().map(({ operation }) => operation.operationId)

  expect(new Set(ids).size).toBe(ids.length)
  for (const { operation } of operations()) {
    expect(operation).toMatchObject({ summary: expect.any(String) })
    expect(['read', 'key', 'idempotent', 'reconcile', 'duplicate', 'once']).toContain(operation['x-repeat'])
  }
})

test('the names in braces of a path are its path parameters', () => {
  for (const [path, item] of Object.entries<Read>(document.paths)) {
    const names = (path.match(/\w+(?=\})/g) ?? []).map((name) => ({ name, in: 'path', required: true }))
    expect(item.parameters ?? []).toMatchObject(names)
  }
})

test('no two paths differ in the names of their parameters alone', () => {
  const templates = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))

  expect(new Set(templates).size).toBe(templates.length)
})

test('every reference resolves', () => {
  const references = JSON.stringify(document).match(/"\$ref":"[^"]*"/g) ?? []
  const targets = new Set(references.map((reference) => reference.slice(8, -1)))

  const missing = [...targets].filter((target) => at(target) === undefined)

  expect(targets.size).toBeGreaterThan(2)
  expect(missing).toEqual([])
})

test('every security scheme that a call names is described', () => {
  const named = operations().flatMap(({ operation }) => operation.security.flatMap(Object.keys))

  expect(new Set(named)).toEqual(new Set(Object.keys(document.components.securitySchemes)))
})

test('only calls with a secret in their address need no credentials', () => {
  const open = operations().filter(({ operation }) => operation.security.length === 0)

  expect(open.map(({ path }) => path).toSorted()).toEqual(
    served
      .filter(({ isOpen }) => isOpen)
      .map(({ endpoint }) => endpoint.path)
      .toSorted(),
  )
})

describe('the calls of the specification', () => {
  test.each(fixtures.map((fixture) => [`${fixture.endpoint}. ${fixture.title}`, fixture] as const))(
    '%s has a schema that its examples match',
    (_, { method, paths, examples }) => {
      for (const path of paths) {
        const operation = document.paths[path][method.toLowerCase()]
        const schema = Object.values<Read>(operation.requestBody?.content ?? {})[0]?.schema
        const query = (operation.parameters ?? []).map(({ name }: Read) => name)
        for (const { request, answer } of examples) {
          if (schema) expect(problemsOf('whole', schema, request.body)).toEqual([])
          expect(query).toEqual(expect.arrayContaining(Object.keys(request.query ?? {})))
          // The specification shows only parts of some answers.
          expect(problemsOf('partial', answerOf(operation), answer)).toEqual([])
        }
      }
    },
  )
})

test('promo sandbox openapi writes the same document to a file', async () => {
  const folder = temporaryFolder()
  const promo = promoIn(folder)

  const { exitCode, stdout } = await promo(['sandbox', 'openapi', '--out', join(folder, 'openapi.json')])

  expect([exitCode, stdout]).toEqual([0, ''])
  expect(JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'))).toEqual(document)
})

test('promo sandbox openapi prints the result of a query', async () => {
  const { stdout } = await promoIn(temporaryFolder())(['sandbox', 'openapi', '--query', 'openapi'])

  expect(JSON.parse(stdout)).toBe('3.1.0')
})

function operations(): Array<{ path: string; method: string; operation: Read }> {
  return Object.entries<Read>(document.paths).flatMap(([path, { parameters, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

function answerOf(operation: Read): Read {
  return operation.responses['200'].content['application/json'].schema
}

/** The bodies of an operation: of its request and of its answers. */
function contents({ requestBody, responses }: Read): Read[] {
  return [requestBody, ...Object.values<Read>(responses)].flatMap((part) => Object.values<Read>(part?.content ?? {}))
}

/** Reads the schemas of the document, which are compiled once. A `partial` value may lack what is required. */
function problemsOf(form: 'whole' | 'partial', schema: Read, value: unknown): Read[] {
  const isPartial = form === 'partial'
  const own = (part: object) =>
    JSON.parse(JSON.stringify(part).replaceAll('"$ref":"#/', `"$ref":"${form}#/`), (name, member) =>
      isPartial && name === 'required' && Array.isArray(member) ? [] : member,
    )
  if (ajv.getSchema(form) === undefined) ajv.addSchema({ $id: form, components: own(document.components) })
  const check = ajv.compile(own(schema))
  return check(value) ? [] : (check.errors ?? [])
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })

function at(reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/')
  return steps.reduce<Read>((place, step) => place?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}
