// Explains the outcome of a failed call: one sentence, the next step, and the exit code.
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Failure } from '../../contract/failure.ts'
import { type ErrorFacts, type ErrorKind, EXIT, type ExitCode } from '../../errors.ts'
import { type Connection, proxyOf } from '../connection.ts'
import { CallError, exitCodeOfStop, reasonOfStop } from './call-error.ts'
import { keyHint } from './key-hint.ts'
import { requestText, type Verdict } from './outcome.ts'
import { isAboutRedeemables, nextStepAfter, otherWay, refusalWords } from './refusal-words.ts'
import { type EndReason, isRepeatable, phaseOverall } from './retry.ts'

/** Everything the message is made of. */
export interface FailedCall {
  connection: Connection
  endpoint: Endpoint
  path: Readonly<Record<string, string>>
  /** The path as it was sent, without its query. */
  target: string
  /** Removes secrets from what the other side sent. */
  scrub: (text: string) => string
  verdict: Verdict
  why: EndReason
  attempts: number
  /** Whether an attempt before the last one may have been applied. */
  lostBefore: boolean
  /** Since when the service has returned no useful answer (Unix ms), and why the last one was not useful. */
  outage?: { sinceMs: number; reason: string } | undefined
  waitMs?: number | undefined
  wallMs: number
}

/** Returns the error for a call that ended without its answer. Contains no header, no request body and no query. */
export function callError(told: FailedCall): CallError {
  const story = { ...told, verdict: withoutSecrets(told.verdict, told.scrub) }
  const { verdict, endpoint, attempts, lostBefore, waitMs, scrub } = story
  const { kind, exitCode, message, hint, retryable } = ending(story)
  const { status, failure } = verdict
  const method = endpoint.method
  const facts: ErrorFacts = { http: { method, path: scrub(story.target), ...(status !== undefined && { status }) } }
  if (hint !== undefined) facts.hint = scrub(hint)
  if (retryable) facts.retryable = true
  if (failure !== undefined) {
    const { message: _, ...api } = failure
    facts.api = api
  }
  // A refusal that is reported as one, although an answer was lost before it, proves that nothing was applied.
  const isRefusal = exitCode === EXIT.refused && verdict.phase === 'rejected'
  const phase = isRefusal ? 'rejected' : phaseOverall(verdict.phase, lostBefore)
  const endsRun =
    exitCode === EXIT.auth || story.why === 'later' || story.why === 'unavailable' || story.why === 'unfound'
  return new CallError(
    kind,
    exitCode,
    scrub(message),
    { phase, attempts, status, requestId: verdict.requestId, waitMs, endsRun },
    facts,
  )
}

/** Before anything is made of it: of a message that is cut, half of a secret would stay. */
function withoutSecrets(verdict: Verdict, scrub: (text: string) => string): Verdict {
  const { failure, requestId } = verdict
  const texts = Object.entries(failure ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? scrub(value) : value,
  ])
  return {
    ...verdict,
    ...(failure !== undefined && { failure: Object.fromEntries(texts) as Failure }),
    ...(requestId !== undefined && { requestId: scrub(requestId) }),
  }
}

interface Ending {
  kind: ErrorKind
  exitCode: ExitCode
  message: string
  hint?: string
  retryable?: boolean
}

function ending(story: FailedCall): Ending {
  const { verdict, why, endpoint, connection } = story
  if (verdict.cause === 'stopped') return explainStop(story)
  if (why === 'later') return later(story)
  if (why === 'unavailable') return unavailable(story)
  if (why === 'foreign') {
    return config(
      `${host(connection)} does not look like the service: none of many answers was its own (${verdict.reason})`,
    )
  }
  if (verdict.phase === 'rejected' && verdict.cause === 'refused') return explainRefusal(story)
  if (verdict.cause === 'untrusted' || verdict.cause === 'proxy_refused') {
    // No authority mends a broken handshake, a wrong name or an old date.
    const isUnknown = /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(verdict.reason)
    return config(`no safe connection to ${place(connection)}: ${verdict.reason}`, isUnknown ? ownAuthority : undefined)
  }
  if (verdict.cause === 'redirected') {
    return config(`${host(connection)} is not the service itself: ${verdict.reason}, which is never followed`)
  }
  if (why === 'unfound') {
    const region = connection.describe?.region
    if (region === undefined) return config(`${place(connection)} cannot be reached: ${verdict.reason}`)
    // Nobody typed the name of a shared cluster: it is this computer that finds no names.
    return network(`region ${region} (${place(connection)}) cannot be reached: ${verdict.reason}`, doctor(connection))
  }
  const isRead = endpoint.repeat === 'read'
  if (why === 'hopeless' && isRead) {
    return { kind: 'api', exitCode: EXIT.refused, message: `${subject(story)} cannot be read: ${verdict.reason}` }
  }
  if (why === 'unrepeatable' || why === 'hopeless') return unknown(story, `${verdict.reason}${requestText(verdict)}`)
  const failed = `${subject(story)} failed at ${place(connection)}: ${verdict.reason}${times(story)}`
  return network(`${failed}${requestText(verdict)}`, doctor(connection))

  function config(message: string, also?: string): Ending {
    const look = `check the base URL, the proxy and the network: ${doctor(connection)}`
    const hint = also === undefined ? look : `${also}; else ${look}`
    return { kind: 'config', exitCode: EXIT.auth, message, hint }
  }
}

function network(message: string, hint: string): Ending {
  return { kind: 'network', exitCode: EXIT.unavailable, message, hint, retryable: true }
}

const ownAuthority =
  'set NODE_EXTRA_CA_CERTS to the file of its certificate authority (PEM), where that is one of your own'

function doctor({ describe }: Connection): string {
  const { profile } = describe ?? {}
  return `promo doctor${profile === undefined || profile === 'environment' ? '' : ` --profile ${profile}`}`
}

function explainRefusal(story: FailedCall): Ending {
  const { verdict, endpoint, lostBefore, connection } = story
  const { status, failure } = verdict
  const said = `(${failure === undefined ? verdict.reason : facts(story)})${requestText(verdict)}`
  // A refusal proves nothing about the attempt whose answer was lost, unless the resource turned out not to exist.
  const provesNothing =
    lostBefore && endpoint.repeat !== 'read' && !(endpoint.repeat === 'idempotent' && status === 404)
  if (provesNothing) return unknown(story, `an earlier answer was lost, and then the service refused ${said}`)
  const message = `the service refused ${subject(story)} ${said}`
  const foreign = `that is not how the service answers: check that ${host(connection)} is the service, and what is in between`
  if (verdict.isForeign) {
    const [kind, exitCode] = isAboutKey(status, failure)
      ? (['config', EXIT.auth] as const)
      : (['api', EXIT.refused] as const)
    return { kind, exitCode, message, hint: foreign }
  }
  if (!isAboutKey(status, failure)) {
    const known = nextStepAfter(endpoint, failure, story.path) ?? (status === 404 ? whereItWasAsked(story) : undefined)
    const hint = known ?? (failure === undefined ? foreign : undefined)
    return { kind: 'api', exitCode: EXIT.refused, message, ...(hint !== undefined && { hint }) }
  }
  return { kind: 'auth', exitCode: EXIT.auth, message, hint: keyHint(connection, endpoint, status, failure) }
}

/** What is missing may be known by something else, or be in another project. */
function whereItWasAsked({ path, verdict, connection: { describe } }: FailedCall): string | undefined {
  const other = otherWay(path, verdict.failure)
  // A project is in no other.
  if (verdict.failure?.details?.startsWith('Cannot find project ')) return other
  const project = path.projectId ?? describe?.project
  const profile = describe?.profile === undefined ? undefined : `profile "${describe.profile}"`
  const place = [project && `project ${project}`, profile]
    .filter((part) => part !== undefined && part !== '')
    .join(' of ')
  const hints = [other, place === '' ? undefined : `check that it is in ${place}`]
  return hints.filter((hint) => hint !== undefined).join('; ') || undefined
}

function unknown(story: FailedCall, reason: string): Ending {
  const { endpoint } = story
  return {
    kind: 'unknown_outcome',
    exitCode: EXIT.unknown,
    message: `it is unknown whether ${subject(story)} was applied: ${reason}`,
    hint: isRepeatable(endpoint.repeat)
      ? 'check what is there now; sending it again is safe'
      : 'check what is there before you send it again: it may be applied twice',
  }
}

function later(story: FailedCall): Ending {
  const at = new Date(story.wallMs + (story.waitMs ?? 0)).toISOString()
  const message = `the service asks for no requests before ${at}${facts(story, ' (', ')')}`
  return network(message, `run the same command again after ${at}`)
}

function unavailable(story: FailedCall): Ending {
  const sinceMs = story.outage?.sinceMs ?? story.wallMs
  const seconds = Math.round((story.wallMs - sinceMs) / 1000)
  const lasted = seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  const since = `${new Date(sinceMs).toISOString()} (${lasted})`
  const message = `${host(story.connection)} has returned no useful answer since ${since}: ${story.outage?.reason ?? 'it is unavailable'}`
  return network(message, 'run the same command again when the service is back')
}

function explainStop(story: FailedCall): Ending {
  const exitCode = exitCodeOfStop(reasonOfStop(story.connection))
  const isLost = phaseOverall(story.verdict.phase, story.lostBefore) === 'ambiguous'
  const message = isLost
    ? `stopped before ${subject(story)} was answered: it may have been applied`
    : `stopped before ${subject(story)} was sent`
  return { kind: 'stopped', exitCode, message }
}

/** Returns which call it was and its subject: `vouchers.disable "SUMMER 10"`. */
function subject({ endpoint, path }: Pick<FailedCall, 'endpoint' | 'path'>): string {
  const names = Object.values(path).map((value) => JSON.stringify(value))
  return [endpoint.id, ...names].join(' ')
}

function facts({ verdict, target }: FailedCall, before = '', after = ''): string {
  const { status, failure } = verdict
  if (failure === undefined) return status === undefined ? '' : `${before}${status}${after}`
  const words = isAboutRedeemables(target) ? refusalWords(failure.key) : undefined
  const why = [words ?? failure.message, failure.custom_message].filter((part) => part !== undefined)
  const said = [why.join(': '), failure.details].filter((part) => part !== undefined).join('; ')
  const text = `${[status, failure.key].filter((part) => part !== undefined).join(' ')}: ${said}`
  return `${before}${text.length > 500 ? `${text.slice(0, 500)}…` : text}${after}`
}

function times({ attempts }: FailedCall): string {
  return attempts > 1 ? `, ${attempts} times` : ''
}

function host({ origin }: Connection): string {
  return new URL(origin).host
}

/** The host, and what stands before it; of the address of a proxy only the host, because it may hold a password. */
function place(connection: Connection): string {
  const proxy = proxyOf(connection)
  return `${host(connection)}${proxy === undefined ? '' : ` through the proxy ${URL.parse(proxy)?.host ?? ''}`}`
}

// ASSUMED A43: a "forbidden" that names a resource, or whose message is more than "Forbidden", is about what was asked
// and not about who asks: "Can not remove assignment" comes to a key that may do everything.
function isAboutKey(status: number | undefined, failure: Failure | undefined): boolean {
  if (status === 401) return true
  if (status !== 403 || failure?.resource_id !== undefined) return false
  return failure?.key !== 'forbidden' || /^forbidden$/i.test(failure.message)
}
