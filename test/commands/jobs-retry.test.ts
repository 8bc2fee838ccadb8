// Which rows `jobs retry` sends again.
import { describe, expect, test } from 'vitest'
import { codeOf, codes, jobDesk, sent, twoEvents, voucher } from '../support/jobs.ts'
import { killBeforeEnd, loseOutcome } from '../support/journals.ts'
import { answer } from '../support/scripted-server.ts'

const desk = jobDesk()
const { promo, input, jobs, newestJob, rowsOf, env } = desk

const refusal = (status: number, key: string) => answer(status, { code: status, key, message: key, details: 'x' })

describe('jobs retry', () => {
  test('sends only the requested rows again', async () => {
    let isWell = false
    const server = await desk.serve((asked) => {
      if (isWell || codeOf(asked) === 'C-0') return voucher(asked)
      return codeOf(asked) === 'C-1' ? refusal(400, 'no') : answer(429, {}, { 'retry-after': '400' })
    })
    const command = ['vouchers', 'disable', '--from', input('c.csv', codes(3)), '--yes', '--retries', '0']
    await promo([...command, '--concurrency', '1'], { env: env() })
    const id = await newestJob()
    isWell = true

    const none = await promo(`jobs retry ${id} --only unknown --yes`, { env: env() })
    const temporary = await promo(`jobs retry ${id} --only temporary --yes`, { env: env() })
    const between = server.asked.map(codeOf)
    const failed = await promo(`jobs retry ${id} --only failed --only temporary --yes`, {
      env: env(),
    })

    expect(none.stderr).toContain(`nothing to do: job ${id} has no such rows`)
    expect(temporary.exitCode).toBe(3)
    expect(between).toEqual(['C-0', 'C-1', 'C-2', 'C-2'])
    expect(failed.exitCode).toBe(0)
    expect(server.asked.map(codeOf).slice(4)).toEqual(['C-1'])
    expect((await rowsOf(id)).map(({ promo_state, promo_attempts }) => [promo_state, promo_attempts])).toEqual([
      ['ok', 1],
      ['ok', 2],
      ['ok', 2],
    ])
  })

  test('of an unknown event warns that it may count twice, and sends it only after confirmation', async () => {
    const server = await desk.serve([{ do: 'reset' }, sent])
    const command = ['events', 'send', '--from', input('e.jsonl', twoEvents), '--yes', '--concurrency', '1']
    await promo(command, { env: env() })
    const id = await newestJob()

    const unasked = await promo(`jobs retry ${id} --only unknown`, { env: env(), stdin: '' })
    const askedBefore = server.asked.length
    const meant = await promo(`jobs retry ${id} --only unknown --yes`, { env: env() })

    expect([unasked.exitCode, meant.exitCode]).toEqual([11, 0])
    expect(unasked.stderr).toContain(
      'send event "e", which may have been applied before and would then count twice in pro',
    )
    expect([askedBefore, server.asked.length]).toEqual([2, 3])
    expect((await rowsOf(id)).map(({ promo_state }) => promo_state)).toEqual(['ok', 'ok'])
  })

  test('counts events in flight in a killed run as unknown', async () => {
    const server = await desk.serve([sent])
    await promo(`events send --from ${input('e.jsonl', twoEvents)} --yes`, { env: env() })
    const [job] = await jobs()
    loseOutcome(job?.path ?? '', 2)
    killBeforeEnd(job?.path ?? '')

    const listed = await jobs()
    const rows = await rowsOf(job?.id ?? '', '--only', 'unknown')
    const retried = await promo(`jobs retry ${job?.id} --only unknown --yes`, { env: env() })

    expect(listed).toMatchObject([{ state: 'stopped', done: 2, wrong: 1 }])
    expect(rows).toMatchObject([{ promo_line: 2, promo_error: 'unknown_outcome' }])
    expect(retried.exitCode).toBe(0)
    expect(server.asked).toHaveLength(3)
  })

  test('requires a choice of rows', async () => {
    expect(await promo('jobs retry x')).toEnd(2, 'missing --only')
  })
})
