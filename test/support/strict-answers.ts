// Checks every answer of the embedded service against its own OpenAPI document, strictly: a member that the document does not
// name is a problem, wherever in the test run it is answered.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { delivery, eventData } from '../../src/contract/answers/event-data.ts'
import { namedForms } from '../../src/contract/answers/form.ts'
import { type Json, openApiOf } from '../../src/sandbox/http/openapi.ts'
import { routesOf } from '../../src/sandbox/http/route.ts'
import { resources } from '../../src/sandbox/resources.ts'
import { isRequestOf } from './sent-requests.ts'

/** An answer as a client sees it; `body` is undefined for none, and for one that is not JSON. */
export interface SeenAnswer {
  method: string
  /** Encoded, without the query. */
  path: string
  status: number
  body: unknown
}

/** What was answered against the document since the last call of `answerProblems`. */
const problems = new Set<string>()

/** Returns what was answered against the document since it was last asked for, and forgets it. */
export function answerProblems(): string[] {
  const found = [...problems]
  problems.clear()
  return found
}

/** Notes what is wrong with an answer of the embedded service. */
export function noteAnswer(answer: SeenAnswer): void {
  for (const problem of problemsOf(answer)) problems.add(problem)
}

/** Lists what an answer has against the document: undeclared statuses and members, missing members, wrong types. */
export function problemsOf({ method, path, status, body }: SeenAnswer): string[] {
  const call = callOf(method, path)
  if (call === undefined) return status < 400 ? [] : refusalComplaints('refused', body)
  const { id, statuses } = call
  const isDeclared = statuses.has(String(status))
  if (isDeclared && statuses.get(String(status)) === null) return []
  if (status >= 400) return refusalComplaints(`${id} ${status}`, body)
  if (!isDeclared) return [`${id} answers ${status}, which is not declared`]
  return complaints(`${id} ${status}`, `${id} ${status}`, body)
}

function refusalComplaints(subject: string, body: unknown): string[] {
  const isFramework = typeof body === 'object' && body !== null && 'statusCode' in body
  return complaints(isFramework ? 'FrameworkRefusal' : 'Refusal', subject, body)
}

function complaints(form: string, subject: string, body: unknown): string[] {
  const check = checkOf(form)
  if (body === undefined || check(body)) return []
  return worst(check.errors ?? []).map((error) => `${subject}: ${worded(error)}`)
}

/** Of the alternatives of a union only what the closest one misses: unknown members before wrong types. */
function worst(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties')
  return (unknown.length > 0 ? unknown : errors).slice(0, 8)
}

function worded({ instancePath, keyword, message, params }: ErrorObject): string {
  const place = instancePath.replaceAll(/\/\d+/g, '[]').replaceAll('/', '.')
  if (keyword === 'additionalProperties') return `unknown member ${place}.${params.additionalProperty}`
  return `${place === '' ? 'the body' : place} ${message}`
}

interface Call {
  id: string
  method: string
  path: string
  /** By status, the schema of the answer; null for one without a JSON body. */
  statuses: Map<string, Json | null>
}

const document = openApiOf(routesOf(resources)) as {
  paths: Record<string, Record<string, Json>>
  components: { schemas: Record<string, Json> }
}

const calls: Call[] = Object.entries(document.paths)
  .flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({
        id: String(operation.operationId),
        method: method.toUpperCase(),
        path,
        statuses: statusesOf(operation),
      })),
  )
  // As in the router: of two paths that match, the one with fixed text further left wins.
  .toSorted((a, b) => (a.path.replaceAll('{', '~') < b.path.replaceAll('{', '~') ? -1 : 1))

function statusesOf(operation: Json): Call['statuses'] {
  const responses = Object.entries(operation.responses as Record<string, { content?: Record<string, Json> }>)
  return new Map(
    responses
      .filter(([status]) => /^\d+$/.test(status))
      .map(([status, { content }]) => [status, (content?.['application/json']?.schema as Json | undefined) ?? null]),
  )
}

const found = new Map<string, Call | undefined>()

function callOf(method: string, path: string): Call | undefined {
  const key = `${method} ${path}`
  if (!found.has(key))
    found.set(
      key,
      calls.find((call) => isRequestOf(call, { method, path })),
    )
  return found.get(key)
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, code: { optimize: false } })

const checks = new Map<string, ValidateFunction>()

/** Returns the check of a form, compiled once: the name of a component, or the id of a call and a status. */
function checkOf(form: string): ValidateFunction {
  const compiled = checks.get(form) ?? ajv.compile(schemaOf(form))
  checks.set(form, compiled)
  return compiled
}

function schemaOf(form: string): Json {
  const [id, status] = form.split(' ')
  if (id === 'event') return strict(jsonSchemaOf(eventData[String(status)] as z.ZodType))
  if (id === 'delivery') return strict(jsonSchemaOf(deliveryOf(String(status))))
  if (status === undefined) return { $ref: id }
  return strict(calls.find((call) => call.id === id)?.statuses.get(status) ?? {})
}

/**
 * Returns a schema that refers to named forms by their names alone, and allows only the members it names. A form that has a
 * name is compiled once, and not again for each call and event that shows it.
 */
function strict({ $defs = {}, ...schema }: Json): Json {
  mayRefer({ ...($defs as Json) })
  const text = JSON.stringify(schema).replaceAll(/"\$ref":"#\/(?:\$defs|components\/schemas)\//g, '"$ref":"')
  return closed(JSON.parse(text)) as Json
}

function mayRefer(forms: Json): void {
  for (const [name, form] of Object.entries(forms)) {
    if (!(name in ajv.schemas)) ajv.addSchema(strict(form as Json), name)
  }
}

mayRefer(document.components.schemas)

/** Returns a schema whose objects allow only the members they name, but for those that are declared open, and for maps. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  const isForm = parts.type === 'object' && typeof parts.properties === 'object' && !('additionalProperties' in parts)
  return isForm ? { ...parts, additionalProperties: false } : parts
}

/** Notes every answer that an embedded service of this process sends, and every event, until the returned function is called. */
export function listenForAnswers(): () => void {
  subscribe('http.server.request.start', noteLater)
  subscribe('promo.sandbox.event', noteEvent)
  return () => {
    unsubscribe('http.server.request.start', noteLater)
    unsubscribe('promo.sandbox.event', noteEvent)
  }
}

function noteEvent(event: unknown): void {
  const { type, data } = event as { type: string; data: unknown }
  // As it is stored: without the members that are undefined.
  for (const problem of eventProblemsOf(type, JSON.parse(JSON.stringify(data)))) problems.add(problem)
}

/** Lists what the data of an event has against its form. */
export function eventProblemsOf(type: string, data: unknown): string[] {
  if (!Object.hasOwn(eventData, type)) return [`the event ${type} has no form`]
  return complaints(`event ${type}`, `the event ${type}`, data)
}

/** Notes what is wrong with a delivery to a webhook. */
export function noteDelivery(body: { type: string; [member: string]: unknown }): void {
  for (const problem of complaints(`delivery ${body.type}`, `the delivery of ${body.type}`, body)) problems.add(problem)
}

/** The form of a delivery; what the data of an event contains that is never announced is not known. */
function deliveryOf(type: string): z.ZodType {
  const data = Object.hasOwn(eventData, type) ? eventData[type] : undefined
  return data ? delivery.extend({ data }) : delivery
}

function jsonSchemaOf(form: z.ZodType): Json {
  return z.toJSONSchema(form, { io: 'input', unrepresentable: 'any', reused: 'inline', metadata: namedForms })
}

function noteLater(message: unknown): void {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  const writeHead = response.writeHead.bind(response) as (...parts: unknown[]) => ServerResponse
  const end = response.end.bind(response) as (...parts: unknown[]) => ServerResponse
  let headers: OutgoingHttpHeaders = {}
  response.writeHead = (...parts: unknown[]) => {
    headers = (parts.at(-1) ?? {}) as OutgoingHttpHeaders
    return writeHead(...parts)
  }
  response.end = (...parts: unknown[]) => {
    const [bytes] = parts
    // Both headers together: the scripted servers of some tests send a request id as well.
    if (headers['x-request-id'] !== undefined && headers['cache-control'] === 'no-store') {
      const isJson = String(headers['content-type']).startsWith('application/json') && bytes instanceof Uint8Array
      const [path = ''] = (request.url ?? '').split('?')
      const body = isJson ? JSON.parse(Buffer.from(bytes).toString()) : undefined
      noteAnswer({ method: request.method ?? 'GET', path, status: response.statusCode, body })
    }
    return end(...parts)
  }
}

/**
 * Notes every answer that this process reads through node:http from the embedded service at an address, which may be another
 * process, until the returned function is called.
 */
export function listenForClientAnswers(url: () => string): () => void {
  const note = (message: unknown) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage }
    if (`http://${String(request.getHeader('host'))}` !== url()) return
    const pieces: Buffer[] = []
    response.on('data', (piece: Buffer) => pieces.push(piece))
    response.on('end', () => {
      const isJson = response.headers['content-type']?.startsWith('application/json')
      const [path = ''] = request.path.split('?')
      const body = isJson ? JSON.parse(Buffer.concat(pieces).toString()) : undefined
      noteAnswer({ method: request.method, path, status: response.statusCode ?? 0, body })
    })
  }
  subscribe('http.client.response.finish', note)
  return () => unsubscribe('http.client.response.finish', note)
}
