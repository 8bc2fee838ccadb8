// The history of this computer while its disk is full: a write is made all the same, says so, and damages no line.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { runPromo, runShell } from '../support/child.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'
import { type Action, type Asked, answer, scriptedServer } from '../support/scripted-server.ts'

const limitKiB = 2048
const earlier = {
  id: 'earlier',
  at: '2026-01-05T10:00:00.000Z',
  command: 'vouchers disable',
  profile: 'live',
  project: null,
  service: 'https://api.voucherify.io',
  subject: 'EARLIER',
  outcome: 'applied',
}

let folder: string
let today: string

beforeEach(() => {
  folder = temporaryFolder()
  const dir = join(folder, 'state/history')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  today = join(dir, `${new Date().toISOString().slice(0, 10)}.jsonl`)
})

/** A limit on the size of files needs no privileges; beyond it a write fails as on a full disk, and may be partial. */
function leaveRoom(bytes: number): void {
  writeFileSync(today, `${JSON.stringify(earlier).padEnd(limitKiB * 1024 - bytes - 1)}\n`, { mode: 0o600 })
}

const place = (origin: string) => ({
  PROMO_BASE_URL: origin,
  PROMO_APP_ID: 'a',
  PROMO_APP_TOKEN: 't',
})
/** Answers every call of these tests as the service does. */
function reply({ url }: Asked): Action {
  if (url === '/v1/events') return answer(200, { object: 'event', type: 'e', customer: { id: 'c' } })
  return answer(200, { id: 'v_1', object: 'voucher', code: 'A', active: url.endsWith('enable'), updated_at: null })
}

describe('a write while the history cannot be written', { ...needing('bash') }, () => {
  test.each([
    ['before the call', 100, 'vouchers disable A', 1],
    ['after the call', 450, 'vouchers disable A', 1],
    ['before a job', 100, 'events send --from events.jsonl --yes', 2],
    ['after a job', 350, 'events send --from events.jsonl --yes', 2],
  ])('%s is made once, with one warning, and later lines are complete', async (_, room, command, calls) => {
    await using server = await scriptedServer(reply)
    const rows = '{"event":"e","customer":{"source_id":"a"}}\n{"event":"e","customer":{"source_id":"b"}}\n'
    writeFileSync(join(folder, 'events.jsonl'), rows)
    leaveRoom(room)
    const script = `ulimit -f ${limitKiB}; promo ${command.replace('events.jsonl', join(folder, 'events.jsonl'))}`

    const { exitCode, stderr } = await runShell(script, folder, place(server.origin))
    const full = readFileSync(today, 'utf8')
    const next = await runPromo(['vouchers', 'enable', 'A'], folder, place(server.origin))
    const shown = await runPromo(['history', '--csv', '--columns', 'command,outcome'], folder)

    expect([exitCode, next.exitCode]).toEqual([0, 0])
    expect(server.asked).toHaveLength(calls + 1)
    expect(
      stderr.match(
        /warning: the history of this computer cannot be written in .*history \(the file would be larger than allowed\); the change/g,
      ),
    ).toHaveLength(1)
    expect(Buffer.byteLength(full)).toBe(limitKiB * 1024)
    expect(shown.stdout).toMatch(/^command,outcome\nvouchers enable,applied\n/)
    expect(shown.stdout).toContain('\nvouchers disable,applied\n')
    const lastLines = readFileSync(today, 'utf8').split('\n').slice(-3, -1)
    expect(lastLines.map((line) => JSON.parse(line).outcome)).toEqual(['began', 'applied'])
    expect(shown.stderr).toBe('warning: 1 line of the history cannot be read\n')
  })
})
