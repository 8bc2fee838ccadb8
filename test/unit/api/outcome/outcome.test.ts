import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { callError } from '../../../../src/api/outcome/explain.ts'
import { verdictOf, verdictOfLoss } from '../../../../src/api/outcome/outcome.ts'
import { disableVoucher } from '../../../../src/contract/vouchers.ts'

test.each([
  ['ECONNREFUSED', 'unreachable'],
  ['ECONNRESET', 'unreachable'],
  ['EAI_AGAIN', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['UND_ERR_ABORTED', 'unreachable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'unreachable'],
  ['ENOTFOUND', 'unresolved'],
  ['DEADLINE', 'timed_out'],
  ['CERT_HAS_EXPIRED', 'untrusted'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'untrusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'untrusted'],
  ['EPROTO', 'untrusted'],
  ['PROXY_CREDENTIALS', 'proxy_refused'],
  ['STOPPED', 'stopped'],
])('%s before a byte left proves that nothing was applied (%s)', (code, cause) => {
  expect(verdictOfLoss({ code, sent: false })).toMatchObject({ phase: 'not_sent', cause })
})

test.each([
  ['ECONNRESET', 'lost'],
  ['EPIPE', 'lost'],
  ['UND_ERR_SOCKET', 'lost'],
  ['TERMINATED', 'lost'],
  ['ENOTFOUND', 'lost'],
  ['DEADLINE', 'timed_out'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timed_out'],
  ['UND_ERR_BODY_TIMEOUT', 'timed_out'],
  ['HPE_INVALID_CONSTANT', 'unreadable'],
  ['UND_ERR_HEADERS_OVERFLOW', 'unreadable'],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'too_large'],
  ['STOPPED', 'stopped'],
  ['SOMETHING_NEW', 'lost'],
])('%s after a byte left proves nothing (%s)', (code, cause) => {
  expect(verdictOfLoss({ code, sent: true })).toMatchObject({ phase: 'ambiguous', cause })
})

test.each(['identity', 'gzip'])(
  'an answer that is never shown (%s) confirms where a shown one would, also with numbers too large to keep',
  async (encoding) => {
    const endpoint = { ...disableVoucher, response: z.looseObject({ points: z.int() }) }
    const bytes = Buffer.from('{"points":9007199254740993}')
    const reply = {
      status: 200,
      headers: { 'content-encoding': encoding },
      body: encoding === 'gzip' ? gzipSync(bytes) : bytes,
    }

    expect(await verdictOf({ endpoint, path: {}, unseen: true }, reply)).toMatchObject({ phase: 'confirmed' })
    expect(await verdictOf({ endpoint, path: {} }, reply)).toMatchObject({ phase: 'confirmed' })
  },
)

test('a host name that never resolved is a typing error, and one that did is an outage', () => {
  const verdict = verdictOfLoss({ code: 'ENOTFOUND', sent: false })

  expect(errorFor({ verdict, why: 'unfound' })).toMatchObject({
    kind: 'config',
    exitCode: 4,
    phase: 'not_sent',
    message: 'api.example cannot be reached: the host name cannot be found',
  })
  expect(errorFor({ verdict, why: 'exhausted' })).toMatchObject({ kind: 'network', exitCode: 5, phase: 'not_sent' })
})

test('a lost answer is described by what it leaves open and what to do about it', () => {
  const verdict = verdictOfLoss({ code: 'ECONNRESET', sent: true })

  expect(errorFor({ verdict, why: 'unrepeatable', repeat: 'once' })).toMatchObject({
    kind: 'unknown_outcome',
    exitCode: 6,
    message:
      'it is unknown whether vouchers.disable "A B" was applied: the connection was lost before the answer was complete (ECONNRESET)',
    facts: { hint: 'check what is there before you send it again: it may be applied twice' },
  })
})

test('a long text of the service is cut', () => {
  const failure = { code: 400, message: 'x'.repeat(2000) }
  const verdict = { phase: 'rejected', cause: 'refused', reason: '', status: 400, failure } as const

  expect(errorFor({ verdict, why: 'final' }).message.length).toBeLessThan(600)
})

test.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', true],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', true],
  ['CERT_HAS_EXPIRED', false],
  ['EPROTO', false],
])('only a certificate of an unknown authority leads to NODE_EXTRA_CA_CERTS: %s', (code, expected) => {
  const { facts } = errorFor({ verdict: verdictOfLoss({ code, sent: false }), why: 'final' })

  expect(facts?.hint?.startsWith('set NODE_EXTRA_CA_CERTS to the file')).toBe(expected)
  expect(facts?.hint).toContain('promo doctor')
})

function errorFor(given: Partial<Parameters<typeof callError>[0]> & { repeat?: 'once' }) {
  const { repeat = 'idempotent', ...story } = given
  return callError({
    connection: { origin: 'https://api.example', credentials: {}, userAgent: 'promo/test' },
    endpoint: { ...disableVoucher, repeat },
    path: { code: 'A B' },
    target: '/v1/vouchers/A%20B/disable',
    scrub: (text) => text,
    verdict: verdictOfLoss({ code: 'ECONNRESET', sent: true }),
    why: 'exhausted',
    attempts: 3,
    lostBefore: false,
    wallMs: 0,
    ...story,
  })
}

test.each([
  ['about them', ['cust_2', 'cust_1'], 'confirmed'],
  ['about another', ['cust_1', 'cust_3'], 'ambiguous'],
])('an answer about added holders that is %s tells what happened to them', async (_, customers, phase) => {
  const endpoint = { ...disableVoucher, response: z.looseObject({}) }
  const holders = customers.map((customer_id) => ({ id: 'rh_1', customer_id }))
  const reply = { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ holders })) }
  const body = { holders: [{ id: 'cust_1', source_id: 'a' }, { id: 'cust_2' }] }

  expect(await verdictOf({ endpoint, path: {}, body }, reply)).toMatchObject({ phase })
})
