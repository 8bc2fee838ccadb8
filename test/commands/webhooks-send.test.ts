import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

const folder = temporaryFolder()
const env = { PROMO_WEBHOOK_SECRET: 'secretKey' }
const run = promoIn(folder)
const webhooks = (argv: string[], options = {}) => run(['webhooks', ...argv], { env, ...options })
/** An address at which nothing listens. */
const nobody = 'http://127.0.0.1:9/'

let receiver: Receiver
let status = 204

beforeEach(async () => {
  status = 204
  receiver = await startReceiver((response) => response.writeHead(status).end(), { isEdited: true })
})
afterEach(() => receiver.close())

describe('webhooks trigger', () => {
  test('sends a delivery that webhooks verify accepts, and shows the status of the answer', async () => {
    const { exitCode, stdout } = await webhooks(['trigger', 'voucher.disabled', '--url', receiver.url, '--json'])

    const [delivery] = receiver.received
    const file = join(folder, 'sample.json')
    writeFileSync(file, delivery?.raw ?? '')
    const signature = String(delivery?.headers['x-voucherify-signature'])
    const verified = await webhooks(['verify', file, '--signature', signature, '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual([
      {
        id: delivery?.body.id,
        event_id: delivery?.body.event.id,
        type: 'voucher.disabled',
        created_at: delivery?.body.created_at,
        result: 'accepted',
        status: 204,
        duration_ms: expect.any(Number),
        size_bytes: delivery?.raw.length,
        target_url: `${receiver.url}/`,
      },
    ])
    expect(JSON.parse(verified.stdout)).toMatchObject({ valid: true, type: 'voucher.disabled' })
  })

  test('sends every event that a pattern matches, in the order of the catalogue, in either spelling', async () => {
    expect((await webhooks(['trigger', 'voucher.gift.*', '--url', receiver.url])).exitCode).toBe(0)
    expect(receiver.received.map(({ body }) => body.type)).toEqual([
      'voucher.gift.balance_added',
      'voucher.gift.transaction.created',
    ])
  })

  test('says which samples are incomplete, and sends them', async () => {
    const ran = await webhooks(['trigger', 'customer.confirmed', '--url', receiver.url])

    expect(ran).toEnd(0, 'never announces customer.confirmed: its data has only objects known from customer.created')
    expect(Object.keys(receiver.received[0]?.body.data)).toEqual(['customer'])
  })

  test('ends with 12 when the receiver refuses, and does not follow a redirect', async () => {
    status = 302

    const { exitCode, stdout } = await webhooks(['trigger', 'voucher.created', '--url', receiver.url, '--csv'])

    expect(exitCode).toBe(12)
    expect(stdout.split('\n')[1]).toMatch(/^voucher\.created,refused,302,\d+,,whs_/)
  })

  test('ends with 5 when nothing answers, and says why', async () => {
    const { exitCode, stdout, stderr } = await webhooks(['trigger', 'voucher.created', '--url', nobody, '--json'])

    expect(exitCode).toBe(5)
    expect(stderr).toMatch(/no answer from \S+: is the receiver running\? .*: promo webhooks listen --port \d+\n/)
    expect(JSON.parse(stdout)).toMatchObject([{ result: 'no answer', reason: 'ECONNREFUSED' }])
  })

  test('takes the secret from stdin and shows it nowhere', async () => {
    const argv = ['trigger', 'voucher.created', '--url', receiver.url, '--secret-stdin', '--json']

    const { exitCode, stdout, stderr } = await webhooks(argv, { stdin: 'canary\n', env: {} })

    expect(exitCode).toBe(0)
    expect(stdout + stderr + receiver.received[0]?.raw).not.toContain('canary')
  })

  test('sends nothing more after Ctrl-C', async () => {
    const argv = ['trigger', '*', '--url', receiver.url, '--jsonl']

    const { exitCode } = await webhooks(argv, {
      onStdout: (_text: string, stop: (reason: 'SIGINT') => void) => stop('SIGINT'),
    })

    expect(exitCode).toBe(130)
    expect(receiver.received.length).toBeLessThan(10)
  })

  test.each<[string, string[], RegExp]>([
    ['an event nobody knows', ['voucher.creatd', '--url', nobody], /did you mean "voucher\.created"\?/],
    ['an address of another kind', ['voucher.created', '--url', 'ftp://x.example'], /not an http or https address/],
    [
      'a password in the address',
      ['voucher.created', '--url', 'http://a:canary@127.0.0.1/'],
      /must not contain a user/,
    ],
    [
      'plain http to another computer',
      ['voucher.created', '--url', 'http://x.example/'],
      /try: use https, or add --allow-http/,
    ],
    ['no address', ['voucher.created'], /missing --url/],
  ])('refuses %s before anything is sent', async (_what, argv, message) => {
    const { exitCode, stderr } = await webhooks(['trigger', ...argv])

    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('canary')
  })
})

describe('webhooks resend', () => {
  test('takes all files of a folder, and sends the headers of a body with it alone', async () => {
    const record = join(folder, 'all')
    mkdirSync(record)
    writeFileSync(join(record, '1.body'), '{"type":"voucher.disabled"}')
    writeFileSync(join(record, '1.headers'), 'X-Voucherify-Signature: 00\n')
    const files = ['1.body', '1.headers'].map((name) => join(record, name))

    const all = await webhooks(['resend', ...files, '--url', 'http://127.0.0.1:1', '--json'])
    const none = await webhooks(['resend', files[1] as string, '--url', 'http://127.0.0.1:1/?a=1&b=2'])

    expect(JSON.parse(all.stdout)).toMatchObject([{ type: 'voucher.disabled', file: files[0] }])
    expect(none).toEnd(
      2,
      'only files of headers are named\n',
      "try: promo webhooks resend deliveries/* --url 'http://127.0.0.1:1/?a=1&b=2'\n",
    )
  })

  test('sends what webhooks listen recorded, byte for byte and with its signature', async () => {
    const record = join(folder, 'deliveries')
    let url = ''
    const heard = await recordOne(record, (address) => (url = address))

    const [body = ''] = readdirSync(record).filter((name) => name.endsWith('.body'))
    const { exitCode, stdout } = await webhooks(['resend', join(record, body), '--url', receiver.url, '--json'])

    expect(heard).toBe(130)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1/)
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ type: 'voucher.enabled', file: join(record, body), status: 204 }])
    expect(receiver.received[0]?.raw).toBe(readFileSync(join(record, body), 'utf8'))
    expect(readFileSync(join(record, body.replace(/body$/, 'headers')), 'utf8')).toContain(
      `x-voucherify-signature: ${String(receiver.received[0]?.headers['x-voucherify-signature'])}`,
    )
  })

  test('signs an edited body with the secret', async () => {
    const file = join(folder, 'edited.body')
    writeFileSync(file, '{"a":1}')

    expect((await webhooks(['resend', file, '--sign', '--url', receiver.url])).exitCode).toBe(0)
    expect(receiver.received[0]?.headers['x-voucherify-signature']).toBe(
      'a17d2ac229d1ebbb5f10e839c7985c4818e5986eab297f7e5979196d4d7d3ed2',
    )
  })

  test('sends several in the order of the command line; the worst answer is the exit code', async () => {
    const edited = join(folder, 'second.body')
    writeFileSync(edited, '{"type":"b"}')
    status = 500

    const argv = ['resend', 'examples/delivery.json', edited, '--sign', '--url', receiver.url, '--jsonl']
    const { exitCode, stdout } = await webhooks(argv)

    expect(exitCode).toBe(12)
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.map(({ type, result, status: code }) => [type, result, code])).toEqual([
      ['voucher.disabled', 'refused', 500],
      ['b', 'refused', 500],
    ])
  })

  test.each<[string, string, RegExp]>([
    ['a file that is not there', 'no.body', /no\.body": there is no such file/],
    ['a delivery without its headers', 'alone.body', /alone\.headers": there is no such file/],
    ['headers without a signature', 'bare.body', /bare\.headers has no x-voucherify-signature line\ntry: add --sign/],
  ])('refuses %s before anything is sent', async (_what, name, message) => {
    for (const made of ['alone.body', 'bare.body']) writeFileSync(join(folder, made), '{}')
    writeFileSync(join(folder, 'bare.headers'), 'content-type: application/json\n')

    expect(await webhooks(['resend', join(folder, name), '--url', receiver.url])).toEnd(2, message)
    expect(receiver.received).toEqual([])
  })
})

/** Lets `webhooks listen` record one delivery, and returns its exit code. */
async function recordOne(record: string, at: (url: string) => void): Promise<number> {
  const { exitCode } = await webhooks(['listen', '--record', record, '--jsonl'], {
    onStderr(text: string, stop: (reason: 'SIGINT') => void) {
      const [url] = /http:\/\/127\.0\.0\.1:\d+\//.exec(text) ?? []
      if (url === undefined) return
      at(url)
      void webhooks(['trigger', 'voucher.enabled', '--url', url]).then(() => stop('SIGINT'))
    },
  })
  return exitCode
}
