// Decides what the end of an attempt proves about the request: applied, certainly not applied, or unknown.
import type { Endpoint } from '../../contract/endpoint.ts'
import { type Failure, failureOf } from '../../contract/failure.ts'
import { emptyAnswer } from '../../contract/fields.ts'
import { type Content, contentOf, text } from '../answer.ts'
import { issueInWords } from '../request/issue-words.ts'
import type { Loss, Reply } from '../request/transport.ts'

/**
 * What is known about a request afterwards. Source: docs/reliability.md#failure-phases.
 *
 * - `not_sent`: no byte of it left, so it was not applied.
 * - `rejected`: the service refused it, so it was not applied.
 * - `ambiguous`: it may or may not have been applied.
 * - `confirmed`: the service confirmed that it was applied, in the shape the contract promises.
 */
export type Phase = 'not_sent' | 'rejected' | 'ambiguous' | 'confirmed'

/** Why an attempt ended as it did; message and next step depend on it. */
export type Cause =
  | 'confirmed'
  | 'refused'
  | 'throttled'
  | 'server_error'
  | 'redirected'
  | 'unreadable'
  | 'too_large'
  | 'timed_out'
  | 'lost'
  | 'unreachable'
  | 'unresolved'
  | 'untrusted'
  | 'proxy_refused'
  | 'stopped'

export interface Verdict {
  phase: Phase
  cause: Cause
  /** The reason in words that fit after a colon; never the text of a header or of a request body. */
  reason: string
  status?: number
  /** The service's own account of a failure. */
  failure?: Failure | undefined
  /** A refusal not in the form of the service: a page of a proxy, a portal or a firewall. */
  isForeign?: boolean
  requestId?: string | undefined
  /** The answer as it was sent, when confirmed. */
  answer?: unknown
}

/** Returns the id of the request of a verdict as the end of a sentence; empty where there is none. */
export function requestText({ requestId }: Verdict): string {
  return requestId === undefined ? '' : `, request ${requestId}`
}

/** The facts about the request that a verdict needs. */
export interface SentRequest {
  endpoint: Endpoint
  path: Readonly<Record<string, string>>
  body?: unknown
  /** Whether the answer is never shown: then numbers in it may be rounded. */
  unseen?: boolean | undefined
}

/**
 * Judges an attempt by its answer, or by the way the answer was lost.
 *
 * Returns a promise only where the answer must be decompressed: one per request is measurable in bulk.
 */
export function verdictOf(asked: SentRequest, result: Reply | Loss): Verdict | Promise<Verdict> {
  if (!('status' in result)) return verdictOfLoss(result)
  const content = contentOf(result, asked.unseen)
  if (content instanceof Promise) return content.then((read) => carefully(asked, result, read))
  return carefully(asked, result, content)
}

// A rounded number may be why an answer does not match: whatever does not confirm is read again, exactly.
function carefully(asked: SentRequest, reply: Reply, content: Content): Verdict | Promise<Verdict> {
  const verdict = verdictOfReply(asked, reply, content)
  return asked.unseen && verdict.phase !== 'confirmed' ? verdictOf({ ...asked, unseen: false }, reply) : verdict
}

/** Judges a complete answer whose body was read. */
export function verdictOfReply(asked: SentRequest, reply: Reply, content: Content): Verdict {
  const { status } = reply
  const failure = content.kind === 'json' ? failureOf(content.plain) : undefined
  const requestId = failure?.request_id ?? text(reply.headers['x-request-id'])
  const about = { status, failure, requestId }
  const isSuccess = status >= 200 && status < 300

  if (status === 429 || (failure?.code === 429 && !(isSuccess && isResource(content)))) {
    return { phase: 'rejected', cause: 'throttled', reason: 'too many requests', ...about }
  }
  if (status >= 300 && status < 400) {
    const reason = `it answered ${status}, a redirect to ${hostOf(text(reply.headers.location))}`
    return { phase: 'ambiguous', cause: 'redirected', reason, ...about }
  }
  if (status === 408 || status >= 500 || status < 200) {
    return { phase: 'ambiguous', cause: 'server_error', reason: describeAnswer(status, content, failure), ...about }
  }
  if (!isSuccess) {
    const isForeign = content.kind === 'html' || content.kind === 'unreadable'
    return {
      phase: 'rejected',
      cause: 'refused',
      reason: describeAnswer(status, content, failure),
      ...(isForeign && { isForeign }),
      ...about,
    }
  }
  if (content.kind === 'too_large') {
    return { phase: 'ambiguous', cause: 'too_large', reason: 'the answer is larger than 32 MiB', ...about }
  }
  const doubt = doubtAbout(asked, status, content, failure)
  if (doubt !== undefined) return { phase: 'ambiguous', cause: 'unreadable', reason: doubt, ...about }
  const answer = content.kind === 'json' ? content.exact : undefined
  return { phase: 'confirmed', cause: 'confirmed', reason: '', status, failure, requestId, answer }
}

/** Describes an error that the service does not explain in its own form: `it answered 502 with a web page`. */
function describeAnswer(status: number, { kind }: Content, failure: Failure | undefined): string {
  const manners = { html: 'a web page', empty: 'an empty body', too_large: 'more than 32 MiB' } as const
  const manner = kind in manners ? manners[kind as keyof typeof manners] : 'a body that does not say why'
  return failure === undefined ? `it answered ${status} with ${manner}` : `it answered ${status}`
}

/** Returns why a success status is no proof, in words; undefined when it is one. */
function doubtAbout(
  { endpoint, path, body }: SentRequest,
  status: number,
  content: Content,
  failure: Failure | undefined,
): string | undefined {
  if (content.kind === 'html') return 'the answer is a web page, not JSON'
  if (content.kind === 'unreadable') return 'the answer cannot be read as JSON'
  if (failure !== undefined && failure.code >= 400 && !isResource(content)) {
    return `a success status came with a failure inside (${failure.code})`
  }
  // A proxy that swallows the answer, or makes up one of its own, says 200.
  if (endpoint.response === emptyAnswer && status !== 204) return `it answered ${status}, not 204`
  const answer = content.kind === 'json' ? content.plain : undefined
  const checked = endpoint.response.safeParse(answer)
  if (!checked.success) {
    if (content.kind === 'empty') return 'the answer is empty'
    const [issue] = checked.error.issues
    return `the answer is not the promised one${issue === undefined ? '' : `: ${issueInWords(issue, answer)}`}`
  }
  if (!echoes(endpoint, path.code, answer)) return 'the answer is about another code'
  return doubtAboutContent((body ?? {}) as SentContent, (answer ?? {}) as AnsweredContent)
}

/** Who a customer is, to the project and to the service. */
interface Identity {
  id?: unknown
  source_id?: unknown
}

interface SentContent {
  event?: unknown
  customer?: Identity
  holders?: Identity[]
}

interface AnsweredContent {
  object?: unknown
  type?: unknown
  customer?: Identity
  holders?: { customer_id?: unknown; source_id?: unknown }[]
}

/** Returns why an answer is not about the event, or the holders, that were sent. */
function doubtAboutContent(sent: SentContent, answered: AnsweredContent): string | undefined {
  if (answered.object === 'event' && sent.event !== undefined) {
    if (answered.type !== sent.event) return 'the answer is about another event'
    if (isAnother(sent.customer, answered.customer)) return 'the answer is about another customer'
  }
  const { holders } = answered
  if (!Array.isArray(sent.holders) || !Array.isArray(holders) || holders.length === 0) return undefined
  const customers = holders.map(({ customer_id, source_id }) => ({ id: customer_id, source_id }))
  const isForeign = customers.some((one) => sent.holders?.every((holder) => isAnother(holder, one)))
  return isForeign ? 'the answer is about another customer' : undefined
}

/** Whether two customers have no identity in common, but could: nothing is known where the answer omits it. */
function isAnother(sent: Identity | undefined, answered: Identity | undefined): boolean {
  const shared = (['id', 'source_id'] as const).filter(
    (name) => typeof sent?.[name] === 'string' && typeof answered?.[name] === 'string',
  )
  return shared.length > 0 && shared.every((name) => sent?.[name] !== answered?.[name])
}

/**
 * Returns whether an answer is about the requested code.
 *
 * A created voucher repeats its code byte for byte. Later calls may use its id, or another case in a project whose codes
 * ignore case. ASSUMED A42: nothing else may differ.
 */
function echoes(endpoint: Endpoint, asked: string | undefined, answer: unknown): boolean {
  const { object, id, code } = (answer ?? {}) as { object?: unknown; id?: unknown; code?: unknown }
  if (asked === undefined || object !== 'voucher' || typeof code !== 'string') return true
  if (code === asked) return true
  return endpoint.repeat !== 'key' && (id === asked || code.toLowerCase() === asked.toLowerCase())
}

// A voucher may have the code "429": only an answer that is not an object of the service is read as a failure.
function isResource(content: Content): boolean {
  return content.kind === 'json' && typeof (content.plain as { object?: unknown } | null)?.object === 'string'
}

function hostOf(location: string | undefined): string {
  if (location === undefined) return 'nowhere'
  const url = URL.parse(location, 'same-host://the.same.host')
  return url === null ? 'an unreadable address' : url.host === 'the.same.host' ? 'the same host' : url.host
}

const timeouts = ['DEADLINE', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']

/** Judges an attempt that got no complete answer. */
export function verdictOfLoss({ code, sent }: Loss): Verdict {
  const phase: Phase = sent ? 'ambiguous' : 'not_sent'
  if (code === 'STOPPED') return { phase, cause: 'stopped', reason: 'it was stopped' }
  if (sent) {
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
      return { phase, cause: 'too_large', reason: 'the answer is larger than 32 MiB' }
    }
    if (timeouts.includes(code)) return { phase, cause: 'timed_out', reason: 'no complete answer in time' }
    if (/^HPE_|HEADERS_OVERFLOW|LENGTH_MISMATCH/.test(code)) {
      return { phase, cause: 'unreadable', reason: `the answer breaks the rules of HTTP (${code})` }
    }
    return { phase, cause: 'lost', reason: `the connection was lost before the answer was complete (${code})` }
  }
  if (code === 'ENOTFOUND') return { phase, cause: 'unresolved', reason: 'the host name cannot be found' }
  if (code === 'PROXY_CREDENTIALS') {
    return { phase, cause: 'proxy_refused', reason: 'the proxy in HTTPS_PROXY asks for credentials (407)' }
  }
  if (isDistrust(code)) {
    const what = /EPROTO|SSL/.test(code) ? 'the TLS handshake failed' : 'its certificate is not trusted'
    return { phase, cause: 'untrusted', reason: `${what} (${code})` }
  }
  const reason = code === 'ECONNREFUSED' ? 'the connection was refused' : `no connection could be made (${code})`
  return { phase, cause: timeouts.includes(code) ? 'timed_out' : 'unreachable', reason }
}

function isDistrust(code: string): boolean {
  return (
    /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_PURPOSE|UND_ERR_PRX_TLS)/.test(code) ||
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'EPROTO', 'INVALID_CA'].includes(code)
  )
}
