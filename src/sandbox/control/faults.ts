// Faults on request: statuses, broken connections, answers that never come, slowness, limits. Each rule says for which calls, how
// often, and whether the service does its work first. Source: docs/sandbox-for-tests.md#faults.
import { durationsFrom } from '../../base/duration.ts'
import { formatCount } from '../../base/numbers.ts'
import { rateFrom } from '../../base/rate.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { AppRequest } from '../http/app.ts'
import { LostAnswer } from '../http/lost-answer.ts'
import { type RateLimiter, type RequestHandler, rateLimiterOf, tooManyRequests } from '../http/rate-limits.ts'
import type { Answer } from '../http/route.ts'
import { randomFrom } from '../id.ts'
import { nextSteps, SandboxError } from '../sandbox-error.ts'
import { type CallTest, callTest } from './call-pattern.ts'
import type { Fault, FaultRule } from './calls.ts'

/** Rules beyond it are a mistake: every request is compared with all of them. */
const mostRules = 1_000

interface Rule {
  shown: Fault
  matches: CallTest
  random: () => number
  take: RateLimiter | undefined
  latencyMs: readonly [number, number] | undefined
}

/** The rules of a running sandbox. */
export type Faults = ReturnType<typeof faultsOf>

/** Returns the rules of a running sandbox, none at first. */
export function faultsOf(served: readonly Endpoint[], computerMs: () => number) {
  let rules: Rule[] = []
  let made = 0
  const struck = new WeakMap<AppRequest, string>()
  const ruleFor = (request: AppRequest): Rule | undefined =>
    rules.find((rule) => rule.matches(request.method, request.path) && strikes(rule))

  return {
    add: (given: FaultRule) => {
      if (rules.length >= mostRules)
        throw new SandboxError('bad-control', `there are ${mostRules} faults already`, {
          hint: nextSteps.clearFaults,
        })
      made += 1
      const rule = ruleOf(given, made, served, computerMs)
      rules.push(rule)
      return { ...rule.shown }
    },
    list: () => rules.map(({ shown }) => ({ ...shown })),
    /** Removes one rule, or all of them; returns how many. Throws SandboxError `bad-control` for an unknown id. */
    clear: (id?: string) => {
      const left = id === undefined ? [] : rules.filter(({ shown }) => shown.id !== id)
      const removed = rules.length - left.length
      if (id !== undefined && removed === 0)
        throw new SandboxError('bad-control', `there is no fault "${id}"`, { hint: nextSteps.listFaults })
      rules = left
      return removed
    },
    /** Wraps a request handler: the first rule that matches a request and strikes decides. */
    around:
      (answer: RequestHandler): RequestHandler =>
      async (request) => {
        const rule = rules.length === 0 ? undefined : ruleFor(request)
        if (!rule) return await answer(request)
        struck.set(request, rule.shown.id)
        return await struckAnswer(rule, () => answer(request))
      },
    /** Returns the id of the rule that struck a request. */
    struck: (request: AppRequest) => struck.get(request),
  }
}

function ruleOf(given: FaultRule, number: number, served: readonly Endpoint[], computerMs: () => number): Rule {
  const { call, status, reset, hang, latency, rate_limit, probability, times, after_commit = false } = given
  const effects = { status, reset, hang, latency, rate_limit }
  const chosen = Object.entries(effects).filter(([, value]) => value !== undefined && value !== false)
  if (chosen.length !== 1)
    throw new SandboxError(
      'bad-control',
      `a fault has one of ${Object.keys(effects).join(', ')}; this one has ${chosen.length || 'none'}`,
    )
  const [[effect, value] = ['', '']] = chosen
  if (after_commit && (effect === 'latency' || effect === 'rate_limit'))
    throw new SandboxError('bad-control', `after_commit goes with status, reset and hang, not with ${effect}`)
  if (probability !== undefined && times !== undefined)
    throw new SandboxError('bad-control', 'a fault strikes by its probability or a number of times, not both')
  const seed = given.seed ?? Math.floor(Math.random() * 2 ** 32)
  const rate = rate_limit === undefined ? undefined : rateFrom(rate_limit)
  const does = effect === 'reset' || effect === 'hang' ? effect : `${effect.replace('_', '-')} ${value}`
  return {
    matches: callTest(call, served),
    random: randomFrom(seed),
    take: rate && rateLimiterOf({ calls: Math.ceil(rate.requests), periodMs: rate.perMs }, computerMs),
    latencyMs: latency === undefined ? undefined : durationsFrom(latency),
    shown: {
      ...given,
      id: `fault_${number}`,
      does: after_commit ? `${does}, after the commit` : does,
      when: probability ?? (times === undefined ? 'always' : formatCount(times, 'time')),
      matched: 0,
      struck: 0,
      seed,
      after_commit,
    },
  }
}

/** Counts a request that matches a rule, and decides whether the rule strikes it. */
function strikes({ shown, random, take }: Rule): boolean {
  shown.matched += 1
  if (shown.times !== undefined && shown.struck >= shown.times) return false
  if (shown.probability !== undefined && random() * 100 >= Number.parseFloat(shown.probability)) return false
  if (take?.('').isAllowed) return false
  shown.struck += 1
  return true
}

async function struckAnswer({ shown, latencyMs, random }: Rule, answer: () => Promise<Answer>): Promise<Answer> {
  const { status, reset, hang, rate_limit, after_commit } = shown
  if (latencyMs) {
    const [least, most] = latencyMs
    await new Promise((resolve) => setTimeout(resolve, least + random() * (most - least)))
    return await answer()
  }
  const kept = after_commit ? await answer() : undefined
  const requestId = kept?.headers['x-request-id']
  if (reset) throw new LostAnswer('reset', requestId)
  if (hang) throw new LostAnswer('hang', requestId)
  return answerOfFault(rate_limit === undefined ? (status as number) : 429, requestId)
}

function answerOfFault(status: number, requestId: string | undefined): Answer {
  const headers: Record<string, string> = requestId === undefined ? {} : { 'x-request-id': requestId }
  if (status !== 429) {
    const error = process.getBuiltinModule('node:http').STATUS_CODES[status] ?? 'Unknown'
    return { status, headers, body: { statusCode: status, error, message: 'A fault that was asked for' } }
  }
  return { status, headers: { ...headers, 'retry-after': '1' }, body: tooManyRequests }
}
