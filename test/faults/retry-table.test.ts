// The retry table: operations meet faults, each once and always, and end as the table states.
import type { LookupFunction } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { CallError } from '../../src/api/outcome/call-error.ts'
import { factsIn } from '../../src/cli/help/manifest.ts'
import { type Action, scriptedServer } from '../support/scripted-server.ts'
import { sized } from '../support/size.ts'
import { root } from '../support/source-files.ts'
import { timerByHand } from '../support/timer-by-hand.ts'
import { fakeClock } from '../unit/api/pacing/fake-clock.ts'
import type { Ends } from './retry-table-ends.ts'
import { afterLoss, type Fault, faults } from './retry-table-faults.ts'
import { type Operation, operations, taken } from './retry-table-operations.ts'

// Some of them only wait for a time-out.
vi.setConfig({ maxConcurrency: 12 })

afterEach(() => vi.restoreAllMocks())

test('every fault has a row of its own', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
  expect(faults.length).toBeGreaterThanOrEqual(70)
})

test('every call with which a command changes the service meets every fault', () => {
  const calls = Object.values(factsIn(root)).flatMap((facts) => facts.calls)
  const writes = new Set(calls.filter(({ method }) => method !== 'GET').map(({ id }) => id))

  const tested = operations.filter(({ endpoint }) => endpoint.method !== 'GET').map(({ endpoint }) => endpoint.id)
  expect(tested.toSorted()).toEqual([...writes].toSorted())
})

const overTheWire = faults.filter((fault) => !('lookup' in fault))
const named = operations.map((operation) => [operation.name, operation.class, operation] as const)
const oneOfEachClass = named.filter(([, repeat], at) => named.findIndex(([, other]) => other === repeat) === at)

/**
 * Who meets a fault: everybody where the end depends on the operation. Where it depends on the class alone, one of each class and an
 * eighteenth of the others, each fault other ones; a third in `npm run test:slow`, and all operations meet all faults in `npm run faults`.
 */
function whoMeets(fault: Fault, index: number) {
  if (fault.isLarge) return oneOfEachClass
  const share = typeof fault.expected === 'function' ? 1 : sized({ quick: 18, slow: 3, full: 1 })
  return named.filter((row, at) => at % share === index % share || oneOfEachClass.includes(row))
}

describe.each(overTheWire.map((fault, index) => [fault.name, fault, index] as const))('%s', (_, fault, index) => {
  test.concurrent.each(whoMeets(fault, index))('meets %s (%s)', async (_, _class, operation) => {
    const ends = await met(fault, operation)

    expect(ends).toEqual(endsFor(fault, operation))
  })
})

// In sequence, because they change how this process resolves hosts.
describe.each(faults.filter((fault) => 'lookup' in fault).map((fault) => [fault.name, fault] as const))(
  '%s',
  (_, fault) => {
    test.each(named)('meets %s (%s)', async (_, _class, operation) => {
      const ends = await met(fault, operation)

      expect(ends).toEqual(endsFor(fault, operation))
    })
  },
)

const repeatable = named.filter(([, repeat]) => repeat !== 'reconcile' && repeat !== 'once')

describe.each(afterLoss.map((row) => [row.name, row] as const))('after a lost answer: %s', (_, row) => {
  test.concurrent.each(repeatable)('meets %s (%s)', async (_, repeat, operation) => {
    const refusal: Action = row.answer === 'taken' ? { do: 'answer', status: 409, body: taken(operation) } : row.answer

    const { end, asked } = await run(operation, [{ do: 'reset' }, refusal])

    const isDeletion = operation.endpoint.method === 'DELETE'
    expect([end, asked]).toEqual([(isDeletion && row.deletion) || row.expected[repeat], 2])
  })
})

function endsFor({ expected }: Fault, operation: Operation): Ends {
  return (typeof expected === 'function' ? expected(operation) : expected)[operation.class]
}

/** Lets an operation meet a fault once, and always: the same for a call that does not ask a second time. */
async function met(fault: Fault, operation: Operation): Promise<string[]> {
  const once = await meet(fault, operation, 'once')
  return [once, / after 1 in /.test(once) ? once : await meet(fault, operation, 'always')]
}

/** Lets an operation meet a fault, checks how often the fault was met, and returns how the call ended. */
async function meet(fault: Fault, operation: Operation, times: 'once' | 'always'): Promise<string> {
  const well: Action = { do: 'answer', status: operation.answer === undefined ? 204 : 200, body: operation.answer }
  if ('handshake' in fault) {
    const { end, asked, connections } = await run(operation, [well], { scheme: 'https' })
    expect([asked, connections]).toEqual([0, 1])
    return end
  }
  if ('lookup' in fault) {
    const lookups = failingLookups(fault.lookup, times === 'once' ? 1 : Number.POSITIVE_INFINITY)
    const { end, asked, attempts } = await run(operation, [well], { host: 'localhost' })
    expect([lookups.failed, asked]).toEqual(times === 'once' ? [1, 1] : [attempts, 0])
    vi.restoreAllMocks()
    return end
  }
  const action = typeof fault.answer === 'function' ? fault.answer(operation) : fault.answer
  const { end, asked, attempts } = await run(operation, times === 'once' ? [action, well] : [action])
  expect(asked).toBe(attempts)
  return end
}

interface Place {
  scheme?: 'http' | 'https'
  host?: string
}

async function run(operation: Operation, script: Action[], { scheme = 'http', host = '127.0.0.1' }: Place = {}) {
  const { timer, runOut } = timerByHand()
  await using server = await scriptedServer(script, runOut)
  const clock = fakeClock()
  const startedAt = clock.now()
  const client = createClient({
    origin: `${scheme}://${host}:${new URL(server.origin).port}`,
    credentials: {
      application: { id: 'app-id-0000', token: 'app-token-1111' },
      management: { id: 'management-id', token: 'management-token' },
    },
    userAgent: 'promo/test',
    clock,
    timer,
  })
  try {
    const { outcome, attempts } = await client
      .exchange(operation.endpoint, operation.request as object)
      .catch((error: CallError) => {
        if (!(error instanceof CallError)) throw error
        return { outcome: `exit ${error.exitCode}, ${error.phase},`, attempts: error.attempts }
      })
    const end = `${outcome} after ${attempts} in ${Math.round(clock.now() - startedAt)} ms`
    return { end, attempts, asked: server.asked.length, connections: server.connections() }
  } finally {
    await client.close()
  }
}

/** Makes host lookups fail this many times, or return a local address where no process listens. */
function failingLookups(how: 'no-listener' | 'ENOTFOUND' | 'EAI_AGAIN', times: number): { failed: number } {
  const dns = process.getBuiltinModule('node:dns')
  const real = dns.lookup as unknown as LookupFunction
  const lookups = { failed: 0 }
  const lookup: LookupFunction = (host, options, callback) => {
    // The server also resolves its own address.
    if (host !== 'localhost') return real(host, options, callback)
    const isFailure = lookups.failed < times
    if (isFailure) lookups.failed += 1
    const address = isFailure ? '127.0.0.2' : '127.0.0.1'
    setImmediate(() => {
      if (isFailure && how !== 'no-listener') callback(Object.assign(new Error(how), { code: how }), '', 0)
      else callback(null, [{ address, family: 4 }])
    })
  }
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as never)
  return lookups
}
