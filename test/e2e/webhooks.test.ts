import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { ended, runPromo, startPromo } from '../support/child.ts'
import { temporaryFolder } from '../support/promo.ts'

const running: ChildProcessWithoutNullStreams[] = []

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

function started(argv: string[], folder: string, env: Record<string, string> = {}) {
  const child = startPromo(argv, folder, env)
  running.push(child)
  return child
}

async function firstLine(stream: NodeJS.ReadableStream, fitting: RegExp): Promise<string> {
  for await (const line of createInterface({ input: stream })) if (fitting.test(line)) return line
  throw new Error(`no line like ${fitting}`)
}

test('disabling a voucher delivers an event to a listener, whose record can be verified', async () => {
  const folder = temporaryFolder()
  const sandbox = started(['sandbox', 'start', '--json', '--data', ':memory:'], folder)
  const keys = JSON.parse(await firstLine(sandbox.stdout, /^\{/))
  const env = {
    PROMO_BASE_URL: keys.url,
    PROMO_PROJECT_ID: keys.project_id,
    PROMO_APP_ID: keys.app_id,
    PROMO_APP_TOKEN: keys.app_token,
    PROMO_MANAGEMENT_ID: keys.management_id,
    PROMO_MANAGEMENT_TOKEN: keys.management_token,
    PROMO_WEBHOOK_SECRET: keys.webhook_secret,
  }
  const record = join(folder, 'deliveries')
  const listener = started(['webhooks', 'listen', '--jsonl', '--record', record], folder, env)
  const [, url = ''] = /(http:\S+);/.exec(await firstLine(listener.stderr, /listening/)) ?? []
  const created = await runPromo(['webhooks', 'create', '--url', url, '--event', 'voucher.disabled'], folder, env)

  const disabled = await runPromo(['vouchers', 'disable', 'WELCOME-001'], folder, env)
  const received = JSON.parse(await firstLine(listener.stdout, /^\{/))
  const [file = ''] = readdirSync(record).filter((name) => name.endsWith('.body'))
  const saved = [join(record, file), '--headers', join(record, file.replace(/body$/, 'headers'))]
  const verified = await runPromo(['webhooks', 'verify', ...saved, '--json'], folder, env)
  const stopped = ended(listener)
  listener.kill('SIGINT')

  expect([created.exitCode, disabled.exitCode]).toEqual([0, 0])
  expect(received).toMatchObject({ result: 'accepted', type: 'voucher.disabled', answered: 200 })
  expect(verified.exitCode).toBe(0)
  expect(JSON.parse(verified.stdout)).toMatchObject({ valid: true, id: received.id })
  expect((await stopped).exitCode).toBe(130)
})
