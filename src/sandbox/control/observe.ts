// The calls about faults and about the log of requests.
import { isRecord } from '../../base/record.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { SandboxError } from '../sandbox-error.ts'
import { callTest } from './call-pattern.ts'
import type { ControlBodies, FaultRule } from './calls.ts'
import { checkedInput } from './door.ts'
import type { Faults } from './faults.ts'
import type { requestLogOf } from './request-log.ts'

/**
 * Reads faults from a file: rules, or faults as they are listed. Throws SandboxError `bad-control`, which names the first
 * that is none.
 */
export function givenFaults(given: unknown): FaultRule[] {
  if (!Array.isArray(given)) throw new SandboxError('bad-control', 'the faults must be a JSON array')
  return given.map((rule: unknown, at) => {
    const { id: _i, does: _d, when: _w, matched: _m, struck: _s, ...asked } = isRecord(rule) ? rule : { call: rule }
    try {
      return checkedInput('faults.add', asked)
    } catch (error) {
      throw error instanceof SandboxError ? new SandboxError('bad-control', `fault ${at + 1}: ${error.message}`) : error
    }
  })
}

/** Returns the calls about faults. */
export function faultCalls(faults: Faults) {
  return {
    'faults.list': async () => ({ faults: faults.list() }),
    'faults.add': async (rule: ControlBodies['faults.add']) => faults.add(rule),
    'faults.clear': async ({ id }: ControlBodies['faults.clear']) => ({ removed: faults.clear(id) }),
  }
}

/** Returns the calls about the log. */
export function requestCalls(
  log: Pick<ReturnType<typeof requestLogOf>, 'list' | 'clear'>,
  served: readonly Endpoint[],
) {
  return {
    'requests.list': async ({ call, since, ...filter }: ControlBodies['requests.list']) =>
      log.list({
        ...filter,
        ...(since !== undefined && { since: new Date(since).toISOString() }),
        ...(call !== undefined && { matches: callTest(call, served) }),
      }),
    'requests.clear': async () => log.clear(),
  }
}
