// The control server: what is not part of the service (its clock, faults, log, snapshots) is served under one prefix, with a token
// of its own, to this computer only. Source: docs/security.md (S-80).
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { readJson } from '../../base/nesting.ts'
import { ownValue } from '../../base/record.ts'
import { PromoError } from '../../errors.ts'
import type { AppRequest } from '../http/app.ts'
import { isSame } from '../http/auth.ts'
import { detailsOf } from '../http/issues.ts'
import { isLocalAddress } from '../http/loopback.ts'
import { forbidden, invalidPayload, Refusal, unauthorized } from '../http/refusal.ts'
import type { Answer } from '../http/route.ts'
import { SandboxError } from '../sandbox-error.ts'
import {
  type Control,
  type ControlBodies,
  type ControlCall,
  type ControlName,
  controlCalls,
  controlPrefix,
} from './calls.ts'

/** The control server, as the HTTP server uses it: which paths it owns, whom it refuses, and what it answers. */
export interface ControlServer {
  owns: (path: string) => boolean
  /** Returns why a request is refused before its body is read. */
  refusal: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Refusal | undefined
  answer: (request: AppRequest) => Promise<Answer>
}

/** How the calls are performed: those of `controlCalls` by name. */
export type ControlActs = { [Name in ControlName]: (body: never) => Promise<unknown> }

/** Returns the calls as a client in the same process makes them. */
export function controlOf(acts: ControlActs): Control {
  // Each name has its own body and answer: `ControlBodies` and `ControlAnswers` say which.
  return { call: (name, body) => acts[name](body as never) as never }
}

/**
 * Returns the control server. `addresses` are those of this computer on which it answers besides loopback.
 *
 * The token is compared before anything else of the request is looked at; the service's own keys do not count.
 */
export function controlServerOf(
  acts: ControlActs,
  token: string,
  addresses: readonly string[],
  report: (error: unknown) => void,
): ControlServer {
  const isOpenOn = (address: string) =>
    isLocalAddress(address) || addresses.includes('0.0.0.0') || addresses.includes('::') || addresses.includes(address)
  return {
    owns: (path) => path.startsWith(controlPrefix) || `${path}/` === controlPrefix,
    refusal: ({ headers, socket }) => {
      if (!isOpenOn((socket.localAddress ?? '').replace(/^::ffff:/, '')))
        return forbidden('The control server answers on this computer only; --control-host opens it elsewhere')
      const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
      return isSame(given, token) ? undefined : unauthorized()
    },
    answer: async ({ method, path, query, body }) => {
      try {
        const name = callNamed(method, path.slice(controlPrefix.length))
        const answer = await acts[name](inputOf(controlCalls[name], query, body) as never)
        return { status: 200, headers: {}, body: answer ?? {} }
      } catch (error) {
        return { headers: {}, ...failure(error, report) }
      }
    },
  }
}

function callNamed(method: string, path: string): ControlName {
  const calls = Object.entries(controlCalls as Record<string, ControlCall>)
  const found = calls.find(([, call]) => call.method === method && call.path === path)
  if (found) return found[0] as ControlName
  const list = calls.map(([, call]) => `${call.method} ${controlPrefix}${call.path}`).join(', ')
  throw new Refusal({ code: 404, key: 'not_found', message: 'Resource not found', details: `The calls are ${list}` })
}

function inputOf({ body, query: parameters }: ControlCall, query: string, text: string): unknown {
  const schema = body ?? parameters
  if (!schema) return undefined
  return checkWith(
    schema,
    parameters ? Object.fromEntries(new URLSearchParams(query)) : text === '' ? {} : parseBody(text),
  )
}

function checkWith(schema: z.ZodType, given: unknown): unknown {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw invalidPayload(detailsOf(schema, given, result.error.issues))
}

/** Checks what a call takes, as the control server does. Throws SandboxError `bad-control`. */
export function checkInput<Name extends ControlName>(name: Name, given: unknown): ControlBodies[Name] {
  const { body, query } = controlCalls[name] as ControlCall
  try {
    return checkWith((body ?? query) as z.ZodType, given) as ControlBodies[Name]
  } catch (error) {
    if (!(error instanceof Refusal) || !('details' in error.body)) throw error
    throw new SandboxError('bad-control', `${name}: ${error.body.details}`)
  }
}

function parseBody(text: string): unknown {
  try {
    return readJson(text)
  } catch (error) {
    throw invalidPayload(error instanceof RangeError ? 'Payload is nested too deeply' : 'Payload must be JSON')
  }
}

/** The status of each error of the sandbox itself; others are 409. */
const statusOf: Record<string, number> = { 'bad-control': 400, 'bad-fixture': 400, 'no-file': 400, 'file-access': 507 }

function failure(error: unknown, report: (error: unknown) => void): { status: number; body: unknown } {
  if (error instanceof Refusal) return { status: error.status, body: error.body }
  if (error instanceof SandboxError) {
    const { reason, message, hint } = error
    const status = ownValue(statusOf, reason) ?? 409
    return { status, body: { code: status, key: reason, message, ...(hint !== undefined && { hint }) } }
  }
  // A file that is not its owner's alone.
  if (error instanceof PromoError) {
    const { hint } = error.facts
    const body = { code: 409, key: 'not-a-sandbox', message: error.message, ...(hint !== undefined && { hint }) }
    return { status: 409, body }
  }
  report(error)
  return { status: 500, body: { code: 500, key: 'internal_error', message: 'Internal server error' } }
}
