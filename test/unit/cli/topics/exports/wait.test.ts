import { PassThrough, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../../../../src/api/client.ts'
import { statusLine } from '../../../../../src/cli/result/status-line.ts'
import type { Host } from '../../../../../src/cli/run/host.ts'
import { finishedExport } from '../../../../../src/cli/topics/exports/wait.ts'

/** A service whose export is in each of the states once, a clock that only sleeping moves, and what was said. */
function waiting(states: string[], random: number, flags = {}) {
  const slept: number[] = []
  const said: string[] = []
  let now = 0
  const client = {
    call: async () => ({ id: 'exp_1', object: 'export', status: states.length > 1 ? states.shift() : states[0] }),
  } as unknown as Pick<Client, 'call'>
  const host: Host = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new Writable({
      write(chunk, _encoding, done) {
        said.push(String(chunk))
        done()
      },
    }),
    env: {},
    platform: 'linux',
    home: '',
    stop: new AbortController().signal,
    now: () => now,
  }
  const clock = {
    random: () => random,
    async sleep(ms: number) {
      slept.push(ms)
      now += ms
    },
  }
  return { client, run: { host, show: { statusLine: async () => statusLine(host, flags) } }, clock, slept, said }
}

describe('waiting for an export', () => {
  test('asks ever more rarely, from half a second to every ten', async () => {
    const states = [...Array.from({ length: 7 }, () => 'IN_PROGRESS'), 'DONE']
    const { client, run, clock, slept } = waiting(states, 1)

    expect((await finishedExport(client, 'exp_1', undefined, run, clock)).status).toBe('DONE')
    expect(slept).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000])
  })

  test('takes up to half off each wait by chance', async () => {
    const { client, run, clock, slept } = waiting(['SCHEDULED', 'SCHEDULED', 'DONE'], 0)

    await finishedExport(client, 'exp_1', undefined, run, clock)

    expect(slept).toEqual([250, 500])
  })

  test.each(['DONE', 'ERROR'])('that is %s already does not wait', async (status) => {
    const { client, run, clock, slept } = waiting([status], 1)

    expect((await finishedExport(client, 'exp_1', undefined, run, clock)).status).toBe(status)
    expect(slept).toEqual([])
  })

  test('ends with exit 5 and the way to go on when the time is over, not later', async () => {
    const { client, run, clock, slept } = waiting(['IN_PROGRESS'], 1)

    const failure = await finishedExport(client, 'exp_1', 2000, run, clock).catch((error) => error)

    expect(failure).toMatchObject({ exitCode: 5, message: 'export "exp_1" is still IN_PROGRESS after 2s' })
    expect(failure.facts).toMatchObject({ hint: 'promo exports download --wait exp_1', retryable: true })
    expect(slept).toEqual([500, 1000, 500])
  })

  test('says where it is every ten seconds, and nothing with --quiet', async () => {
    const states = () => [...Array.from({ length: 6 }, () => 'IN_PROGRESS'), 'DONE']
    const loud = waiting(states(), 1)
    const quiet = waiting(states(), 1, { quiet: true })

    await finishedExport(loud.client, 'exp_1', undefined, loud.run, loud.clock)
    await finishedExport(quiet.client, 'exp_1', undefined, quiet.run, quiet.clock)

    expect(loud.said).toEqual(['export exp_1: IN_PROGRESS, 16s\n'])
    expect(quiet.said).toEqual([])
  })
})
