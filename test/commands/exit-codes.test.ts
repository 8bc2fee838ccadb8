// The causes of exit codes that no single command has; those of each command are in declared-exits.test.ts.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { EXIT } from '../../src/errors.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())
const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A service that answers as the test defines; returns the environment that points promo at it. */
async function service(answer: RequestListener): Promise<Record<string, string>> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { PROMO_BASE_URL: `http://127.0.0.1:${port}`, PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 't' }
}

const refusing = (status: number, body: object) =>
  service((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })

test('3: an action forbidden to all keys is not a problem of the credentials', async () => {
  const env = await refusing(403, { code: 403, key: 'forbidden', message: 'Can not remove assignment' })

  expect((await promo('vouchers get X', { env })).exitCode).toBe(EXIT.refused)
})

test.each([
  [401, { code: 401, message: 'Unauthorized', key: 'unauthorized' }],
  [403, { code: 403, message: 'Forbidden', key: 'forbidden', details: 'Project is bound to different region' }],
])('4: the service refused the credentials with %i', async (status, body) => {
  const env = await refusing(status, body)

  const one = await promo('vouchers get X', { env })
  const many = await promo('vouchers disable X Y Z --yes --concurrency 1 --restart', { env })

  expect([one.exitCode, many.exitCode]).toEqual([EXIT.auth, EXIT.auth])
  expect(many.stderr).toContain('2 not attempted')
})

test('5: the service does not answer', async () => {
  const env = { PROMO_BASE_URL: 'http://127.0.0.1:9', PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 't' }

  const { exitCode, stderr } = await promo('vouchers get X --retries 1 --json', { env })

  expect(exitCode).toBe(EXIT.unavailable)
  expect(JSON.parse(stderr)).toMatchObject({ error: { kind: 'network', retryable: true } })
})

test('5: a listing when the service only returns errors', async () => {
  const env = await refusing(503, { code: 503, message: 'Unavailable' })

  expect((await promo('vouchers list --retries 0', { env })).exitCode).toBe(EXIT.unavailable)
})

test('6: a row whose answer is lost each time', async () => {
  const env = await service((request) => {
    request.resume()
    request.on('end', () => request.socket.destroy())
  })

  expect(await promo('vouchers disable X --retries 1', { env })).toEnd(EXIT.unknown, '1 with an unknown outcome')
})

test('6: a success status with a web page proves nothing', async () => {
  const env = await service((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome to the hotel</html>')
  })

  expect((await promo('vouchers disable X --retries 0', { env })).exitCode).toBe(EXIT.unknown)
})

test.each([
  ['SIGINT', EXIT.interrupted],
  ['SIGTERM', EXIT.terminated],
  ['SIGHUP', EXIT.hangup],
  ['EPIPE', EXIT.closedPipe],
] as const)('a run told to stop by %s exits %i', async (reason, exitCode) => {
  const ran = await promo('vouchers list --jsonl --profile sandbox', {
    onStdout: (_text, stop) => stop(reason),
  })

  expect(ran.exitCode).toBe(exitCode)
})

test('Ctrl-C during a job lets rows in flight finish and counts the rest', async () => {
  let seen = 0
  let stopNow = () => {}
  const env = await service((request, response) => {
    request.resume()
    seen += 1
    if (seen === 3) stopNow()
    const code = decodeURIComponent(request.url?.split('/')[3] ?? '')
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: 'v_1', code, object: 'voucher', active: false }))
    }, 20)
  })
  const codes = Array.from({ length: 50 }, (_, at) => `C-${at}`)

  const ran = await promo(['vouchers', 'disable', ...codes, '--yes', '--jsonl', '--concurrency', '2'], {
    env,
    onStart: (stop) => {
      stopNow = () => stop('SIGINT')
    },
  })

  const summary = JSON.parse(ran.stdout.trimEnd().split('\n').at(-1) ?? '')
  expect(ran.exitCode).toBe(EXIT.interrupted)
  expect(summary).toMatchObject({ t: 'summary', total: 50, ok: seen, pending: 50 - seen, stopped_by: 'signal' })
  expect(seen).toBeLessThanOrEqual(4)
})

test('a refused write tells programs the same error as a refused read', async () => {
  const read = await promo('vouchers get NONE --json --profile sandbox')
  const write = await promo('vouchers disable NONE --json --quiet --profile sandbox')

  const [ofRead, ofWrite] = [read, write].map(({ stderr }) => JSON.parse(stderr).error)
  expect(ofWrite).toMatchObject({ kind: 'api', exit_code: 3, retryable: false, api: { key: 'not_found' } })
  expect(Object.keys(ofWrite).toSorted()).toEqual(Object.keys(ofRead).toSorted())
  expect(JSON.parse(write.stdout)).toMatchObject([{ code: 'NONE', state: 'failed' }])
})

test.each([
  [[], 'promo: stopped by SIGTERM\n'],
  [['--json'], '{"error":{"kind":"stopped","message":"stopped by SIGTERM","exit_code":143,"retryable":false}}\n'],
])('a run that is stopped says so in the form of every error (%j)', async (flags, said) => {
  const argv = ['vouchers', 'list', '--profile', 'sandbox', ...flags]

  const { exitCode, stderr } = await promo(argv, { onStart: (stop) => stop('SIGTERM') })

  expect([exitCode, stderr]).toEqual([143, said])
})

test('a bug in the middle of a job is reported as one, with its stack under --debug', async () => {
  const now = () => {
    if (new Error().stack?.includes(' settleRow ')) throw new TypeError('the clock broke')
    return Date.now()
  }
  const run = (...flags: string[]) =>
    promo(['vouchers', 'disable', 'A', 'B', '--yes', '--profile', 'sandbox', ...flags], { now })

  const plain = await run()
  const debug = await run('--debug', '--restart')

  expect(plain).toEnd(1, 'promo: a bug in promo (TypeError) cut the run short\ntry: run it again with --debug')
  expect(plain.stderr).not.toContain('the clock broke')
  expect(debug.stderr).toMatch(/^TypeError: the clock broke\n {4}at /m)
})
