// The embedded service as an HTTP client uses it: started by the command, called with the printed keys.
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import '../support/ends.ts'
import { ended, runPromo, runShell, startPromo } from '../support/child.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'

const folder = temporaryFolder()
let child: ChildProcessWithoutNullStreams
let keys: Record<string, string> = {}

beforeAll(async () => {
  child = startPromo(['sandbox', 'start', '--json'], folder)
  for await (const line of createInterface({ input: child.stdout })) {
    keys = JSON.parse(line)
    break
  }
})

afterAll(async () => {
  child.kill('SIGTERM')
  await ended(child)
})

/** Calls with curl and returns the status and the parsed body. */
async function curl(args: string, withKeys = true) {
  const auth = withKeys ? `-H 'X-App-Id: ${keys.app_id}' -H 'X-App-Token: ${keys.app_token}'` : ''
  const { stdout } = await runShell(
    `curl -sS -g ${auth} -w '\\n%{http_code}' ${args.replaceAll('URL', keys.url ?? '')}`,
    folder,
  )
  const at = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(at + 1)), body: JSON.parse(stdout.slice(0, at) || 'null') }
}

const json = "-H 'Content-Type: application/json'"

describe('sandbox start --json', () => {
  test('prints the address and every key in one line', () => {
    expect(Object.keys(keys).toSorted()).toEqual([
      'app_id',
      'app_token',
      'client_app_id',
      'client_token',
      'control_token',
      'data',
      'management_id',
      'management_token',
      'project_id',
      'url',
      'webhook_secret',
    ])
  })

  test('create, get, list, disable and enable answer as the service does', needing('bash', 'curl'), async () => {
    const body = `'{"type":"DISCOUNT_VOUCHER","discount":{"type":"PERCENT","percent_off":10}}'`

    const created = await curl(`-X POST ${json} -d ${body} URL/v1/vouchers/NEW%2F1`)
    const got = await curl('URL/v1/vouchers/NEW%2F1')
    const disabled = await curl('-X POST URL/v1/vouchers/NEW%2F1/disable')
    const off = await curl("'URL/v1/vouchers?filters[active][conditions][$disabled]=true&limit=1&order=-created_at'")
    const enabled = await curl('-X POST URL/v1/vouchers/NEW%2F1/enable')

    expect([created, got, disabled, off, enabled].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(created.body).toMatchObject({ code: 'NEW/1', object: 'voucher', active: true, updated_at: null })
    expect(got.body).toEqual(created.body)
    expect(disabled.body).toMatchObject({ active: false, updated_at: expect.stringMatching(/Z$/) })
    expect(off.body).toMatchObject({ object: 'list', data_ref: 'vouchers', vouchers: [{ code: 'NEW/1' }] })
    expect(enabled.body.active).toBe(true)
  })

  test(
    'an unknown code, a taken code and wrong keys answer in the published shape',
    needing('bash', 'curl'),
    async () => {
      const missing = await curl('URL/v1/vouchers/NONE')
      const taken = await curl(
        `-X POST ${json} -d '{"type":"GIFT_VOUCHER","gift":{"amount":100}}' URL/v1/vouchers/MORNING`,
      )
      const anonymous = await curl('URL/v1/vouchers', false)
      const wrong = await curl("-H 'X-App-Id: a' -H 'X-App-Token: b' URL/v1/vouchers", false)
      const broken = await curl(`-X POST ${json} -d '{' URL/v1/vouchers/X`)

      expect(missing).toMatchObject({
        status: 404,
        body: {
          code: 404,
          key: 'not_found',
          details: 'Cannot find voucher with id NONE',
          resource_type: 'voucher',
          request_id: expect.stringMatching(/^v-/),
        },
      })
      expect(taken).toMatchObject({
        status: 409,
        body: { key: 'duplicate_found', resource_id: 'MORNING', resource_type: 'voucher' },
      })
      expect(anonymous).toMatchObject({
        status: 401,
        body: { code: 401, key: 'unauthorized', message: 'Unauthorized' },
      })
      expect(wrong.status).toBe(401)
      expect(broken).toMatchObject({ status: 400, body: { statusCode: 400, error: 'Bad Request' } })
    },
  )

  test('a web page cannot reach it', needing('bash', 'curl'), async () => {
    const origin = await curl("-H 'Origin: https://evil.example' URL/v1/vouchers")
    const rebound = await curl("-H 'Host: evil.example' URL/v1/vouchers")

    expect([origin.status, rebound.status]).toEqual([403, 421])
  })

  test('the profile "sandbox" works on the same data at the same time', needing('bash', 'curl'), async () => {
    await runPromo(['vouchers', 'disable', 'WEEKEND', '--profile', 'sandbox'], folder)

    const { body } = await curl('URL/v1/vouchers/WEEKEND')

    expect(body.active).toBe(false)
  })

  test('it cannot be reset while it is served', async () => {
    expect(await runPromo(['sandbox', 'reset', '--yes'], folder)).toEnd(8, `process ${child.pid}`)
  })
})
