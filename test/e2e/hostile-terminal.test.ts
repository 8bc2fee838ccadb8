// Bytes of others in questions on a terminal, in deliveries to a listener, and in requests to a sandbox: none of them acts.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { signatureFor } from '../../src/cli/topics/webhooks/signature.ts'
import { runPromo, startPromo } from '../support/child.ts'
import { forgeHeader } from '../support/journals.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'
import { scriptedServer } from '../support/scripted-server.ts'
import { keys, promoOnTerminal } from '../support/terminal.ts'
import { isDangerous } from '../unit/output/forbidden.ts'

const hostile = '\x1b[2J\x1b]0;owned\x07\x9b31m\x7f\b\u202e\u2066\u200f\u061c\u2028\u2029\ufeff\npromo: forged'

/** Fails with the offending text when something would act on the terminal, or a line is not promo's own. */
function mustBeTame(shown: string): void {
  expect(isDangerous(shown, { lines: true }) ? JSON.stringify(shown) : 'tame').toBe('tame')
  expect(shown).not.toMatch(/^promo: forged/m)
}

const esc = '\u001b'
/** What questions write themselves: they move the cursor within their lines, colour, and erase what they drew. */
const own = new RegExp(`${esc}\\[(?:\\d*[A-GK]|\\??\\d*[hl]|[\\d;]*m|0?J)|\\r`, 'g')

describe('a question on a terminal shows hostile bytes as text', () => {
  /** Ctrl-C at the question: what is on the screen by then is what counts. */
  async function mustAskTamely(argv: string[], folder: string, question: RegExp): Promise<void> {
    await using terminal = promoOnTerminal(argv, folder)
    await terminal.sees(question)
    terminal.types(keys.ctrlC)
    await terminal.exitCode

    expect(terminal.shown()).toContain('owned')
    mustBeTame(terminal.shown().replaceAll(own, ''))
  }

  test('in what is to be confirmed', needing('script'), async () => {
    const folder = temporaryFolder()
    const list = join(folder, 'codes.csv')
    writeFileSync(list, 'code\nA\nB\n')
    const argv = ['campaigns', 'vouchers', 'import', `C${hostile.replaceAll(/\s/g, '')}`, list, '--profile', 'sandbox']

    await mustAskTamely(argv, folder, /import 2/)
  })

  test('in what is typed or pasted', needing('script'), async () => {
    await using terminal = promoOnTerminal(['profiles', 'add', 'live', '--insecure-storage'], temporaryFolder())
    await terminal.sees(/where does the project live/)
    terminal.types(keys.enter)
    await terminal.sees(/the application id/)
    terminal.types(`owned\u202e\u2066${keys.enter}`)
    await terminal.sees(/token/)
    terminal.types(keys.ctrlC)
    await terminal.exitCode

    mustBeTame(terminal.shown().replaceAll(own, ''))
  })

  test('in the headers of the jobs to choose from', needing('script'), async () => {
    const folder = temporaryFolder()
    const disable = ['vouchers', 'disable', 'MORNING', 'WEEKEND', '--yes', '--profile', 'sandbox']
    await runPromo(disable, folder)
    const listed = await runPromo(['jobs', 'list', '--json'], folder)
    const forged = { command: `vouchers:disable${hostile}`, created_at: hostile, profile: hostile, input: hostile }
    forgeHeader(JSON.parse(listed.stdout)[0].path, forged)

    await mustAskTamely(['jobs', 'show'], folder, /which job\?/)
  })
})

describe('webhooks listen shows hostile deliveries as text', () => {
  const secret = 'whsec'

  test.each([[[]], [['--jsonl']], [['--record', 'deliveries']]])('with %j', async (mode) => {
    const folder = temporaryFolder()
    await using target = await scriptedServer([{ do: 'garbage', text: 'HTTP/1.1 200 \x9b31m\r\nx-a: \x9b2J\r\n\r\n' }])
    const argv = [
      ...'webhooks listen --forward-to'.split(' '),
      target.origin,
      ...mode.map((word) => word.replace('deliveries', join(folder, 'd'))),
    ]
    const child = startPromo(argv, folder, { PROMO_WEBHOOK_SECRET: secret })
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const [, port = ''] = /:(\d+)\//.exec(String(await once(createInterface(child.stderr), 'line'))) ?? []

    const members = ['id', 'type', 'created_at', 'event'] as const
    for (const member of [...members, 'all']) {
      const named = (name: string) => (member === name || member === 'all' ? `${name}${hostile}` : name)
      const body = JSON.stringify({
        id: named('id'),
        type: named('type'),
        created_at: named('created_at'),
        event: { id: named('event') },
        [`x${hostile}`]: 1,
      })
      const signature = `x-voucherify-signature: ${signatureFor(Buffer.from(body), secret)}`
      const about = [
        'host: 127.0.0.1',
        `content-length: ${Buffer.byteLength(body)}`,
        'connection: close',
        'x-a: \x9b2J',
        'content-type: \x9bjson',
      ]
      await sendRaw(Number(port), ['POST / HTTP/1.1', signature, ...about], body)
      await sendRaw(Number(port), ['POST / HTTP/1.1', 'x-voucherify-signature: \x9b31m', ...about], body)
    }
    await sendRaw(Number(port), ['DELETE /\x9b31m HTTP/1.1', 'host: \x9b31m', 'connection: close'])
    await sendRaw(Number(port), [`\x1b[2J${'\x9b'.repeat(9)}`])
    child.kill('SIGINT')
    const [stdout, stderr] = await output

    expect(stdout.match(/owned/g)?.length).toBeGreaterThanOrEqual(3)
    mustBeTame(stdout)
    mustBeTame(stderr)
  })
})

describe('sandbox start shows hostile requests as text', () => {
  test.each([[[]], [['--json']]])('in every part of a request, and in the place of its data, with %j', async (mode) => {
    const folder = temporaryFolder()
    const data = join(folder, `owned${hostile}`)
    const child = startPromo(['sandbox', 'start', '--data', data, ...mode], folder)
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const first = String(await once(createInterface(child.stdout), 'line'))
    const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(first) ?? []
    const { app_id, app_token } = mode.length === 0 ? { app_id: 'a', app_token: 't' } : JSON.parse(first)
    const about = [
      'host: 127.0.0.1',
      `x-app-id: ${app_id}`,
      `x-app-token: ${app_token}`,
      'content-type: application/json',
    ]

    for (const line of [
      'GET /v1/vouchers/A%1b%5b2J%0apromo:%20forged',
      'POST /v1/vouchers/A%c2%9b31m',
      'GET /v1/\x9b31m',
      '\x1b[2J /v1',
    ]) {
      for (const body of [
        '{}',
        hostile,
        JSON.stringify({ code: hostile, type: hostile, metadata: { [hostile]: hostile } }),
      ]) {
        const length = `content-length: ${Buffer.byteLength(body)}`
        await sendRaw(
          Number(port),
          [`${line} HTTP/1.1`, ...about, 'x-request-id: \x9b31m', 'origin: \x9b2J', length, 'connection: close'],
          body,
        )
        await sendRaw(Number(port), [`${line} HTTP/1.1`, ...about, length, 'connection: close'], body)
      }
    }
    child.kill('SIGINT')
    const [stdout, stderr] = await output

    expect(stdout).toContain('owned')
    mustBeTame(stdout)
    mustBeTame(stderr)
  })
})

/** Sends bytes as they are, which no client of Node would send. */
async function sendRaw(port: number, head: string[], body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`${head.join('\r\n')}\r\n\r\n`, 'latin1')
  socket.end(body)
  return await text(socket).catch(() => '')
}
