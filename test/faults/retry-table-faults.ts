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
  { name: 'the connection is reset', answer: { do: 'reset' }, expected: lost },
  { name: 'the connection is closed', answer: { do: 'close' }, expected: lost },
  {
    name: 'the body is shorter than promised',
    answer: { do: 'truncate', status: 200, text: '{"id":"x"' },
    expected: lost,
  },
  {
    name: 'the body is cut, and the end of the connection delimits it',
    answer: { do: 'cut', text: '{"id":"x"' },
    expected: lost,
  },
  { name: 'the connection ends after the head', answer: { do: 'cut', text: '' }, expected: lost },
  {
    name: 'the last chunk is missing',
    answer: raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n'),
    expected: lost,
  },
  { name: 'the answer is not HTTP', answer: raw('SSH-2.0-OpenSSH_9.9\r\n'), expected: lost },
  {
    name: 'the head is larger than 16 KiB',
    answer: raw(`HTTP/1.1 200 OK\r\nx-flood: ${'x'.repeat(20_000)}\r\n\r\n`),
    expected: lost,
  },
  {
    name: 'two lengths contradict each other',
    answer: raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    expected: lost,
  },
  { name: 'no answer comes in time', answer: { do: 'stall' }, expected: lost },
  { name: 'the body does not end in time', answer: { do: 'stall-body', text: '{"id":' }, expected: lost },

  // The service failed.
  { name: '500', answer: json(500, { code: 500, message: 'Internal server error' }), expected: lost },
  { name: '500 without a body', answer: text(500, ''), expected: lost },
  {
    name: '500 that reports a missing object',
    answer: json(500, { code: 404, key: 'not_found', message: 'No' }),
    expected: lost,
  },
  { name: '502 from a gateway', answer: text(502, page), expected: lost },
  { name: '503', answer: json(503, { code: 503, message: 'Busy' }), expected: busy },
  { name: '503 for two seconds', answer: text(503, '', { 'retry-after': '2' }), expected: busyForTwoSeconds },
  {
    name: '503 for eleven days',
    answer: text(503, '', { 'retry-after': '999999' }),
    expected: busyForDays,
  },
  { name: '504 from a gateway', answer: text(504, page), expected: lost },
  { name: '408', answer: text(408, ''), expected: lost },
  { name: '599', answer: text(599, ''), expected: lost },

  // Another address.
  { name: '301 to the same host', answer: text(301, '', { location: '/elsewhere' }), expected: elsewhere },
  {
    name: '302 to another host',
    answer: text(302, page, { location: 'https://portal.example/' }),
    expected: elsewhere,
  },
  { name: '303', answer: text(303, '', { location: '/elsewhere' }), expected: elsewhere },
  { name: '307', answer: text(307, '', { location: '//other.example/' }), expected: elsewhere },
  { name: '308 to nowhere', answer: text(308, ''), expected: elsewhere },

  // A success that proves nothing.
  { name: '200 without a body', answer: text(200, ''), expected: lost },
  { name: '200 with a status of its own', answer: json(200, { status: 'ok' }), expected: statusOfItsOwn },
  { name: '204', answer: text(204, ''), expected: unlessEmpty },
  { name: '200 with a page', answer: text(200, page, { 'content-type': 'text/html' }), expected: lost },
  { name: '200 with a text', answer: text(200, 'OK'), expected: lost },
  { name: '200 with half of the JSON', answer: text(200, '{"id":"x","object"'), expected: lost },
  { name: '200 with null', answer: text(200, 'null'), expected: lost },
  { name: '200 with a list of numbers', answer: text(200, '[1,2,3]'), expected: lost },
  {
    name: '200 with an object of another kind',
    answer: json(200, { object: 'banana', valid: 'yes', type: 5 }),
    expected: lostWrite,
  },
  {
    name: '200 with a failure inside',
    answer: json(200, { code: 404, key: 'not_found', message: 'No' }),
    expected: lost,
  },
  {
    name: '200 that is not UTF-8',
    answer: { do: 'bytes', status: 200, bytes: Buffer.from([0x22, 0xff, 0x22]) },
    expected: lost,
  },
  { name: '200 nested too deep', answer: text(200, `${'['.repeat(100)}${']'.repeat(100)}`), expected: lost },
  { name: '200 that is not gzip as declared', answer: text(200, '{}', { 'content-encoding': 'gzip' }), expected: lost },
  { name: '200 compressed in an unknown way', answer: text(200, '{}', { 'content-encoding': 'zpaq' }), expected: lost },
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
  { name: '429', answer: json(429, tooMany), expected: throttled },
  { name: '429 with a page', answer: text(429, page), expected: throttled },
  { name: '429 for two seconds', answer: json(429, tooMany, { 'retry-after': '2' }), expected: throttledForTwoSeconds },
  {
    name: '429 until two seconds later',
    answer: json(429, tooMany, { date, 'retry-after': 'Fri, 02 Jan 2026 00:00:03 GMT' }),
    expected: throttledForTwoSeconds,
  },
  {
    name: '429 with a budget that is renewed in two seconds',
    answer: json(429, tooMany, { date, 'x-rate-limit-retry': '1767312003' }),
    expected: throttledForTwoSeconds,
  },
  { name: '429 for zero seconds', answer: json(429, tooMany, { 'retry-after': '0' }), expected: throttled },
  { name: '429 for a negative time', answer: json(429, tooMany, { 'retry-after': '-5' }), expected: throttled },
  { name: '429 until soon', answer: json(429, tooMany, { 'retry-after': 'soon' }), expected: throttled },
  {
    name: '429 until 1999',
    answer: json(429, tooMany, { date, 'retry-after': 'Fri, 01 Jan 1999 00:00:00 GMT' }),
    expected: throttled,
  },
  {
    name: '429 for eleven days',
    answer: json(429, tooMany, { 'retry-after': '999999' }),
    expected: throttledForDays,
  },
  { name: '429 as a number in a success', answer: json(200, tooMany), expected: throttled },
  { name: '429 as a text in a bad request', answer: json(400, { ...tooMany, code: '429' }), expected: throttled },

  // The service refuses.
  { name: '400', answer: refusal(400, 'invalid_payload'), expected: refused },
  {
    name: '400 of the framework',
    answer: json(400, { statusCode: 400, error: 'Bad Request', message: 'Bad' }),
    expected: refused,
  },
  { name: '400 with a page', answer: text(400, page), expected: refused },
  { name: '401', answer: refusal(401, 'unauthorized'), expected: keyRefused },
  { name: '401 without a body', answer: text(401, ''), expected: keyRefused },
  { name: '402', answer: refusal(402, 'missing_required_feature'), expected: refused },
  {
    name: '403 of the wrong region',
    answer: json(403, { code: 403, key: 'forbidden', message: 'Forbidden' }),
    expected: keyRefused,
  },
  {
    name: '403 about the requested object',
    answer: refusal(403, 'forbidden', { resource_id: 'x' }),
    expected: refused,
  },
  { name: '404', answer: refusal(404, 'not_found'), expected: refused },
  { name: '405', answer: refusal(405, 'method_not_allowed'), expected: refused },
  { name: '409', answer: refusal(409, 'duplicate_found'), expected: refused },
  {
    name: '413',
    answer: json(413, { statusCode: 413, error: 'Request Entity Too Large', message: 'Big' }),
    expected: refused,
  },
  { name: '422', answer: refusal(422, 'unprocessable'), expected: refused },
]

/** What a refusal proves after a lost answer: nothing about the lost one, unless only that can explain it. */
export const afterLoss: readonly {
  name: string
  answer: 'taken' | Action
  expected: Partial<Record<Class, string>>
  /** How a deletion ends, where that differs. */
  deletion?: string
}[] = [
  {
    name: 'the key is taken',
    answer: 'taken',
    expected: {
      key: 'inferred after 2 in 125 ms',
      read: 'exit 3, rejected, after 2 in 125 ms',
      idempotent: 'exit 6, ambiguous, after 2 in 125 ms',
      duplicate: 'exit 6, ambiguous, after 2 in 125 ms',
    },
  },
  {
    name: 'the request is bad',
    answer: refusal(400, 'invalid_payload'),
    expected: {
      key: 'exit 6, ambiguous, after 2 in 125 ms',
      read: 'exit 3, rejected, after 2 in 125 ms',
      idempotent: 'exit 6, ambiguous, after 2 in 125 ms',
      duplicate: 'exit 6, ambiguous, after 2 in 125 ms',
    },
  },
  {
    name: 'the credentials are refused',
    answer: refusal(401, 'unauthorized'),
    expected: {
      key: 'exit 6, ambiguous, after 2 in 125 ms',
      read: 'exit 4, ambiguous, after 2 in 125 ms',
      idempotent: 'exit 6, ambiguous, after 2 in 125 ms',
      duplicate: 'exit 6, ambiguous, after 2 in 125 ms',
    },
  },
  {
    name: 'the object does not exist',
    answer: refusal(404, 'not_found'),
    expected: {
      key: 'exit 6, ambiguous, after 2 in 125 ms',
      read: 'exit 3, rejected, after 2 in 125 ms',
      idempotent: 'exit 3, rejected, after 2 in 125 ms',
      duplicate: 'exit 6, ambiguous, after 2 in 125 ms',
    },
    deletion: 'inferred after 2 in 125 ms',
  },
  {
    name: 'a conflict of another kind',
    answer: refusal(409, 'something_else'),
    expected: {
      key: 'exit 6, ambiguous, after 2 in 125 ms',
      read: 'exit 3, rejected, after 2 in 125 ms',
      idempotent: 'exit 6, ambiguous, after 2 in 125 ms',
      duplicate: 'exit 6, ambiguous, after 2 in 125 ms',
    },
  },
]
