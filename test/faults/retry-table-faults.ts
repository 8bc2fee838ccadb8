// What can go wrong with one request, and how it must end: each fault names its table in retry-table-ends.ts.
import type { Action } from '../support/scripted-server.ts'
import {
  busy,
  busyForDays,
  busyForTwoSeconds,
  type Expected,
  elsewhere,
  fine,
  hopeless,
  keyRefused,
  lost,
  notFound,
  notSent,
  refused,
  throttled,
  throttledForDays,
  throttledForTwoSeconds,
  untrusted,
} from './retry-table-ends.ts'
import type { Class, Operation } from './retry-table-operations.ts'

/** What the client meets: an answer, or a failed connection. */
export type Fault = {
  name: string
  expected: Expected | ((operation: Operation) => Expected)
  /** Met by one operation of each class, because it takes fifty times as long as another. */
  isLarge?: true
} & (
  | { answer: Action | ((operation: Operation) => Action) }
  | { lookup: 'no-listener' | 'ENOTFOUND' | 'EAI_AGAIN' }
  | { handshake: 'fails' }
)

const tooMany = { code: 429, message: 'Too many requests hit the API too quickly.' }
const date = 'Fri, 02 Jan 2026 00:00:01 GMT'
const page = '<!DOCTYPE html><html><body>Sign in to the network</body></html>'

/** Thirty-three mebibytes of spaces, one more than the limit of an answer. */
const bomb = process.getBuiltinModule('node:zlib').gzipSync(Buffer.alloc(33 * 1024 * 1024, ' '))

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Action => ({
  do: 'answer',
  status,
  body,
  headers,
})
const text = (status: number, given: string, headers: Record<string, string> = {}): Action => ({
  do: 'text',
  status,
  text: given,
  headers,
})
const raw = (given: string): Action => ({ do: 'garbage', text: given })
const refusal = (code: number, key: string, more: object = {}) => json(code, { code, key, message: 'No', ...more })

/** A deletion promises 204, and nothing else confirms it. */
const unlessEmpty = ({ answer }: Operation) => (answer === undefined ? fine : lost)
const isEmpty = ({ answer = {}, class: repeat }: Operation) =>
  repeat !== 'read' && Object.keys(answer as object).length === 0
/** Where a read promises no member, any object will do. */
const lostWrite = ({ answer = {}, class: repeat }: Operation) =>
  repeat === 'read' && Object.keys(answer as object).length === 0 ? fine : lost
/** Some lists may omit everything. */
const statusOfItsOwn = ({ endpoint, class: repeat }: Operation) =>
  repeat === 'read' && endpoint.response.safeParse({ status: 'ok' }).success ? fine : lost
const codeOf = (answer: unknown) => (answer as { code?: string } | undefined)?.code

const met = (name: string, answer: Action | ((operation: Operation) => Action), expected: Fault['expected']): Fault => {
  return { name, answer, expected }
}

export const faults: readonly Fault[] = [
  // Nothing was sent.
  { name: 'no process listens', lookup: 'no-listener', expected: notSent },
  { name: 'the resolver is busy', lookup: 'EAI_AGAIN', expected: notSent },
  {
    name: 'the host name is not found',
    lookup: 'ENOTFOUND',
    expected: notFound,
  },
  { name: 'the handshake fails', handshake: 'fails', expected: untrusted },

  // No answer, or part of one.
  met('the connection is reset', { do: 'reset' }, lost),
  met('the connection is closed', { do: 'close' }, lost),
  met('the body is shorter than promised', { do: 'truncate', status: 200, text: '{"id":"x"' }, lost),
  met('the body is cut, and the end of the connection delimits it', { do: 'cut', text: '{"id":"x"' }, lost),
  met('the connection ends after the head', { do: 'cut', text: '' }, lost),
  met('the last chunk is missing', raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n'), lost),
  met('the answer is not HTTP', raw('SSH-2.0-OpenSSH_9.9\r\n'), lost),
  met('the head is larger than 16 KiB', raw(`HTTP/1.1 200 OK\r\nx-flood: ${'x'.repeat(20_000)}\r\n\r\n`), lost),
  met(
    'two lengths contradict each other',
    raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    lost,
  ),
  met('no answer comes in time', { do: 'stall' }, lost),
  met('the body does not end in time', { do: 'stall-body', text: '{"id":' }, lost),

  // The service failed.
  met('500', json(500, { code: 500, message: 'Internal server error' }), lost),
  met('500 without a body', text(500, ''), lost),
  met('500 that reports a missing object', json(500, { code: 404, key: 'not_found', message: 'No' }), lost),
  met('502 from a gateway', text(502, page), lost),
  met('503', json(503, { code: 503, message: 'Busy' }), busy),
  met('503 for two seconds', text(503, '', { 'retry-after': '2' }), busyForTwoSeconds),
  met('503 for eleven days', text(503, '', { 'retry-after': '999999' }), busyForDays),
  met('504 from a gateway', text(504, page), lost),
  met('408', text(408, ''), lost),
  met('599', text(599, ''), lost),

  // Another address.
  met('301 to the same host', text(301, '', { location: '/elsewhere' }), elsewhere),
  met('302 to another host', text(302, page, { location: 'https://portal.example/' }), elsewhere),
  met('303', text(303, '', { location: '/elsewhere' }), elsewhere),
  met('307', text(307, '', { location: '//other.example/' }), elsewhere),
  met('308 to nowhere', text(308, ''), elsewhere),

  // A success that proves nothing.
  met('200 without a body', text(200, ''), lost),
  met('200 with a status of its own', json(200, { status: 'ok' }), statusOfItsOwn),
  met('204', text(204, ''), unlessEmpty),
  met('200 with a page', text(200, page, { 'content-type': 'text/html' }), lost),
  met('200 with a text', text(200, 'OK'), lost),
  met('200 with half of the JSON', text(200, '{"id":"x","object"'), lost),
  met('200 with null', text(200, 'null'), lost),
  met('200 with a list of numbers', text(200, '[1,2,3]'), lost),
  met('200 with an object of another kind', json(200, { object: 'banana', valid: 'yes', type: 5 }), lostWrite),
  met('200 with a failure inside', json(200, { code: 404, key: 'not_found', message: 'No' }), lost),
  met('200 that is not UTF-8', { do: 'bytes', status: 200, bytes: Buffer.from([0x22, 0xff, 0x22]) }, lost),
  met('200 nested too deep', text(200, `${'['.repeat(100)}${']'.repeat(100)}`), lost),
  met('200 that is not gzip as declared', text(200, '{}', { 'content-encoding': 'gzip' }), lost),
  met('200 compressed in an unknown way', text(200, '{}', { 'content-encoding': 'zpaq' }), lost),
  {
    name: '200 that is a gzip bomb',
    answer: { do: 'bytes', status: 200, bytes: bomb, headers: { 'content-encoding': 'gzip' } },
    expected: hopeless,
    isLarge: true,
  },
  {
    name: '200 about another code',
    answer: ({ answer }) => json(200, Array.isArray(answer) ? answer : { ...(answer as object), code: 'ANOTHER' }),
    // Only a voucher that is read or changed by its code contains the requested code; an empty answer contains none.
    expected: (operation) =>
      isEmpty(operation) || (operation.request.path.code !== undefined && codeOf(operation.answer) !== undefined)
        ? lost
        : fine,
  },

  // Too many requests.
  met('429', json(429, tooMany), throttled),
  met('429 with a page', text(429, page), throttled),
  met('429 for two seconds', json(429, tooMany, { 'retry-after': '2' }), throttledForTwoSeconds),
  met(
    '429 until two seconds later',
    json(429, tooMany, { date, 'retry-after': 'Fri, 02 Jan 2026 00:00:03 GMT' }),
    throttledForTwoSeconds,
  ),
  met(
    '429 with a budget that is renewed in two seconds',
    json(429, tooMany, { date, 'x-rate-limit-retry': '1767312003' }),
    throttledForTwoSeconds,
  ),
  met('429 for zero seconds', json(429, tooMany, { 'retry-after': '0' }), throttled),
  met('429 for a negative time', json(429, tooMany, { 'retry-after': '-5' }), throttled),
  met('429 until soon', json(429, tooMany, { 'retry-after': 'soon' }), throttled),
  met('429 until 1999', json(429, tooMany, { date, 'retry-after': 'Fri, 01 Jan 1999 00:00:00 GMT' }), throttled),
  met('429 for eleven days', json(429, tooMany, { 'retry-after': '999999' }), throttledForDays),
  met('429 as a number in a success', json(200, tooMany), throttled),
  met('429 as a text in a bad request', json(400, { ...tooMany, code: '429' }), throttled),

  // The service refuses.
  met('400', refusal(400, 'invalid_payload'), refused),
  met('400 of the framework', json(400, { statusCode: 400, error: 'Bad Request', message: 'Bad' }), refused),
  met('400 with a page', text(400, page), refused),
  met('401', refusal(401, 'unauthorized'), keyRefused),
  met('401 without a body', text(401, ''), keyRefused),
  met('402', refusal(402, 'missing_required_feature'), refused),
  met('403 of the wrong region', json(403, { code: 403, key: 'forbidden', message: 'Forbidden' }), keyRefused),
  met('403 about the requested object', refusal(403, 'forbidden', { resource_id: 'x' }), refused),
  met('404', refusal(404, 'not_found'), refused),
  met('405', refusal(405, 'method_not_allowed'), refused),
  met('409', refusal(409, 'duplicate_found'), refused),
  met('413', json(413, { statusCode: 413, error: 'Request Entity Too Large', message: 'Big' }), refused),
  met('422', refusal(422, 'unprocessable'), refused),
]

const unknown = 'exit 6, ambiguous, after 2 in 125 ms'
const nothing = { key: unknown, read: 'exit 3, rejected, after 2 in 125 ms', idempotent: unknown, duplicate: unknown }

/** What a refusal proves after a lost answer: nothing about the lost one, unless only that can explain it. */
export const afterLoss: readonly {
  name: string
  answer: 'taken' | Action
  expected: Partial<Record<Class, string>>
  /** How a deletion ends, where that differs. */
  deletion?: string
}[] = [
  { name: 'the key is taken', answer: 'taken', expected: { ...nothing, key: 'inferred after 2 in 125 ms' } },
  { name: 'the request is bad', answer: refusal(400, 'invalid_payload'), expected: nothing },
  {
    name: 'the credentials are refused',
    answer: refusal(401, 'unauthorized'),
    expected: { ...nothing, read: 'exit 4, ambiguous, after 2 in 125 ms' },
  },
  {
    name: 'the object does not exist',
    answer: refusal(404, 'not_found'),
    expected: { ...nothing, idempotent: 'exit 3, rejected, after 2 in 125 ms' },
    deletion: 'inferred after 2 in 125 ms',
  },
  { name: 'a conflict of another kind', answer: refusal(409, 'something_else'), expected: nothing },
]
