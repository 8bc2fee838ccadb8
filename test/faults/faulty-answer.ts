// Applies a fault to one answer. The request is applied, or not, before this is called.
import type { ServerResponse } from 'node:http'
import type { Answer } from '../../src/sandbox/http/route.ts'
import type { FaultName } from './fault-kinds.ts'

interface Exchange {
  response: ServerResponse
  /** The correct answer as text; for a request that was not applied it reports nothing. */
  text: string
}

type Act = (exchange: Exchange) => void

const page = '<!doctype html><html><body><h1>Welcome to the guest network</h1></body></html>'
const tooMany = JSON.stringify({ code: 429, message: 'Too many requests hit the API too quickly.' })
const broken = JSON.stringify({ code: 500, key: 'internal_error', message: 'Internal server error' })
const tooLate = JSON.stringify({ statusCode: 408, error: 'Request Timeout', message: 'Request Timeout' })
const refused = JSON.stringify({ code: 400, key: 'invalid_payload', message: 'Bad Request' })
const elsewhere = {
  voucher: { id: 'v_other', object: 'voucher', code: 'OTHER', type: 'GIFT_VOUCHER', active: true, updated_at: null },
  event: { object: 'event', type: 'other', customer: { id: 'cust_other', object: 'customer', source_id: 'other' } },
}
const slowMs = 300

const acts: Record<FaultName, Act> = {
  throttle: json(429, tooMany),
  'throttle-with-time': json(429, tooMany, { 'retry-after': '1' }),
  'throttle-in-body': json(200, tooMany),
  'status-500': json(500, broken),
  'status-502': html(502),
  'status-503': html(503),
  'status-504': html(504),
  'status-408': json(408, tooLate),
  reset,
  close,
  html: html(200),
  empty,
  'bad-json': halfJson,
  other,
  'status-400': json(400, refused),
  stall: nothing,
  redirect: ({ response }) => response.writeHead(302, { location: '/v1/elsewhere', 'content-length': 0 }).end(),
  'apply-reset': reset,
  'apply-close': close,
  'apply-short': cut((text) => [`content-length: ${Buffer.byteLength(text)}`, half(text)]),
  'apply-chunk': cut((text) => ['transfer-encoding: chunked', `${sizeOf(half(text))}\r\n${half(text)}\r\n`]),
  'apply-cut': cut((text) => ['connection: close', half(text)]),
  'apply-500': json(500, broken),
  'apply-504': html(504),
  'apply-html': html(200),
  'apply-empty': empty,
  'apply-bad-json': halfJson,
  'apply-other': other,
  'apply-stall': nothing,
  'apply-slow': ({ response, text }) => setTimeout(() => json(200, text)({ response, text }), slowMs),
}

/** Answers as the service would. */
export function answerHonestly(response: ServerResponse, { status, headers, body }: Answer): void {
  json(status, JSON.stringify(body), headers)({ response, text: '' })
}

/** Answers, or does not, as the fault says; `answer` is the correct one of a request that was applied. */
export function answerFaultily(response: ServerResponse, fault: FaultName, answer: Answer | undefined): void {
  acts[fault]({ response, text: JSON.stringify(answer?.body ?? { object: 'nothing', was: 'applied' }) })
}

function json(status: number, text: string, headers: Record<string, string> = {}): Act {
  const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  // Node's own date is made ahead, and lags behind the stamps of a busy service.
  return ({ response }) =>
    response.writeHead(status, { date: new Date().toUTCString(), ...headers, ...length }).end(text)
}

function html(status: number): Act {
  return ({ response }) => response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}

function empty({ response }: Exchange): void {
  response.writeHead(200, { 'content-length': 0 }).end()
}

function other({ response, text }: Exchange): void {
  const body = response.req.url === '/v1/events' ? elsewhere.event : elsewhere.voucher
  json(200, JSON.stringify(body))({ response, text })
}

function halfJson({ response, text }: Exchange): void {
  json(200, half(text))({ response, text })
}

function reset({ response }: Exchange): void {
  response.socket?.resetAndDestroy()
}

function close({ response }: Exchange): void {
  response.socket?.end()
}

function nothing(): void {}

// Bypasses node:http, which would repair the broken answer.
function cut(partsOf: (text: string) => [framing: string, rest: string]): Act {
  return ({ response, text }) => {
    const [framing, rest] = partsOf(text)
    response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${framing}\r\n\r\n${rest}`)
  }
}

function half(text: string): string {
  return text.slice(0, text.length / 2)
}

function sizeOf(text: string): string {
  return Buffer.byteLength(text).toString(16)
}
