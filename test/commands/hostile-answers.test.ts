// A hostile service, file or proxy: no byte of theirs acts on the terminal, whichever member or header it is in.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/embedded.ts'
import { commands } from '../support/manifest.ts'
import { promoIn, type Ran, type RunOptions, temporaryFolder } from '../support/promo.ts'
import { type Action, type Asked, answer, scriptedServer } from '../support/scripted-server.ts'
import { sampled } from '../support/size.ts'
import { sourceFiles } from '../support/source-files.ts'
import { isDangerous } from '../unit/output/forbidden.ts'

const hostile =
  '\x1b[2J\x1b]0;owned\x07\x9b31m\x7f\0\b\r\u202e\u2066\u200f\u061c\u2028\u2029\ufeff\u200b\u00ad\u{e0041}\ud800\npromo: forged\ntry: forged'

let service: RunningSandbox
const promo = promoIn(temporaryFolder())

beforeAll(async () => {
  service = await startSandbox({ file: ':memory:', port: 0, demo: true })
})
afterAll(() => service.close())

function environment(origin: string): Record<string, string> {
  const { app_id, app_token, management_id, management_token, project_id } = service.credentials
  return {
    PROMO_BASE_URL: origin,
    PROMO_APP_ID: app_id,
    PROMO_APP_TOKEN: app_token,
    PROMO_MANAGEMENT_ID: management_id,
    PROMO_MANAGEMENT_TOKEN: management_token,
    PROMO_PROJECT_ID: project_id,
  }
}

/** Passes a call on to the service and returns its answer with hostile texts: all of them, or only the `at`th. */
async function corrupted({ method, url, headers, body }: Asked, at: number | 'all'): Promise<Action> {
  const kept = Object.entries(headers).filter(([name]) => /^(?:x-|content-type)/.test(name))
  const answered = await fetch(`${service.url}${url}`, {
    method,
    headers: Object.fromEntries(kept) as Record<string, string>,
    ...(body !== '' && { body }),
  })
  const text = await answered.text()
  let met = -1
  const isAsked = (name: string) => name === 'code' && url.includes('BEANS10')
  const poisoned = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') {
      met += 1
      // With another code, kind or status, the answer as a whole would be refused; those are for the single runs.
      if (
        at === 'all'
          ? /^(?:object|data_ref|type|status|effect|\w+_(?:at|date))$/.test(name) || isAsked(name)
          : met !== at
      )
        return value
      return `${value}${hostile}`
    }
    if (Array.isArray(value)) return value.map((item) => poisoned(item, name))
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).map(([own, member]) => [own, poisoned(member, own)])
    return Object.fromEntries(at === 'all' ? [...members, [`x${hostile}`, hostile]] : members)
  }
  const bytes = Buffer.from(text === '' ? '' : JSON.stringify(poisoned(JSON.parse(text))))
  // Node refuses most of these in a header it writes, so the head is written by hand; C1 is what its reader accepts.
  const head = [
    `HTTP/1.1 ${answered.status} x`,
    'content-type: application/json',
    `content-length: ${bytes.length}`,
    'x-request-id: v-1\x9b31m\x85promo: forged',
    'date: \x9b2J',
    'etag: "\x9b2J"',
    'retry-after: \x9b2J',
    'x-rate-limit-\x27: \x9b2J',
    'connection: close',
  ]
  return { do: 'garbage', text: `${head.join('\r\n')}\r\n\r\n`, rest: bytes }
}

const reads = [
  ['vouchers', 'list', '--limit', '3'],
  ['vouchers', 'get', 'BEANS10'],
  ['validate', 'redeemables', 'BEANS10', '--amount', '10000', '--explain'],
  ['validate', 'promotions', '--amount', '10000', '--explain'],
  ['qualify', 'campaigns', '--amount', '10000'],
  ['templates', 'list'],
  ['webhooks', 'list'],
  ['api', 'GET', '/v1/customers'],
]
const modes = [[], ['--json'], ['--jsonl'], ['--csv'], ['--format', 'yaml'], ['--verbose'], ['--verbose', '--json']]

/** Fails with the offending text when something would act on the terminal, or a line is not promo's own. */
function mustBeTame({ stdout, stderr }: Ran): void {
  // promo's own: bold names, and the line of progress that replaces itself.
  for (const text of [stdout.replaceAll('\x1b[1m', '').replaceAll('\x1b[22m', ''), stderr.replaceAll('\r\x1b[K', '')]) {
    expect(isDangerous(text, { lines: true }) ? JSON.stringify(text) : 'tame').toBe('tame')
    expect(text).not.toMatch(/^(?:promo|try): forged/m)
  }
}

describe('hostile texts in every member and header of an answer', () => {
  test.each(reads.flatMap((argv) => modes.map((mode) => [[...argv, ...mode]])))('do nothing: %j', async (argv) => {
    await using server = await scriptedServer((asked) => corrupted(asked, 'all'))

    const ran = await promo(argv, { env: environment(server.origin), terminal: { columns: 100 } })

    expect(ran.exitCode).toBe(0)
    expect(ran.stdout).toContain('owned')
    mustBeTame(ran)
  })

  test('do nothing in any single member of a voucher, shown as a table, a block or CSV', async () => {
    let at = 0
    await using server = await scriptedServer((asked) => corrupted(asked, at))

    for (at = 0; at < 25; at += 1) {
      for (const mode of sampled([[], ['--csv'], ['--csv', '--csv-raw'], ['--debug']], 2, at)) {
        mustBeTame(
          await promo(['vouchers', 'get', 'BEANS10', ...mode], {
            env: environment(server.origin),
            terminal: { columns: 100 },
          }),
        )
      }
    }
  })

  test.each(modes)('do nothing in a refusal: %j', async (...mode) => {
    const body = Object.fromEntries(
      ['message', 'key', 'details', 'request_id', 'resource_id', 'resource_type'].map((name) => [name, hostile]),
    )
    for (const status of [400, 401, 403, 404, 429, 500]) {
      await using server = await scriptedServer([{ do: 'answer', status, body: { code: status, ...body } }])

      const ran = await promo(['vouchers', 'get', 'A', '--retries', '0', ...mode], { env: environment(server.origin) })

      expect(ran.exitCode).not.toBe(0)
      mustBeTame(ran)
    }
  })

  test.each([[[]], [['--jsonl']], [['--csv']], [['--verbose']]])('do nothing in a bulk run: %j', async (mode) => {
    await using server = await scriptedServer((asked) => corrupted(asked, 'all'))

    const ran = await promoIn(temporaryFolder())(
      ['vouchers', 'enable', 'BEANS10', `B${'\u202e'}`, '--yes', '--retries', '0', ...mode],
      {
        env: environment(server.origin),
        terminal: { columns: 100 },
      },
    )

    expect(server.asked.length).toBeGreaterThan(1)
    mustBeTame(ran)
  })

  test('do nothing in the JSON of an error, whose value is unchanged', async () => {
    const details = '\x7f\x9b\u202e\u2028'
    await using server = await scriptedServer([
      { do: 'answer', status: 400, body: { code: 400, key: 'k', message: 'm', details } },
    ])

    const { stderr } = await promo('vouchers get A --json', { env: environment(server.origin) })

    expect(isDangerous(stderr, { lines: true })).toBe(false)
    expect(JSON.parse(stderr).error.api.details).toBe(details)
  })

  test('do nothing on the command line itself', async () => {
    for (const argv of [
      [hostile],
      ['vouchers', hostile],
      ['vouchers', 'get', 'A', `--${hostile}`],
      ['help', hostile],
    ]) {
      mustBeTame(await promo(argv))
    }
  })
})

describe('a project of hostile texts, which repeat the keys of the caller', () => {
  const keys = { PROMO_APP_TOKEN: 'cAnArY-7f3e9d51b2c84a60', PROMO_MANAGEMENT_TOKEN: 'mAnAgE-0b9d2f6ae1734c58' }
  const forms = Object.values(keys).flatMap((key) => [key, encodeURIComponent(key), key.toUpperCase()])
  const said = forms.join('/')
  /** Ids stay short enough for an address, and without what it refuses. */
  const added = (name: string) => (/(?:^|_)(?:id|code)$/.test(name) ? `\u202e${said}` : `${hostile}${said}`)
  const withoutAdded = (text: string) =>
    ['id', '']
      .flatMap((name) => [added(name), encodeURIComponent(added(name).toWellFormed())])
      .reduce((left, each) => left.replaceAll(each, '').replaceAll(JSON.stringify(each).slice(1, -1), ''), text)

  const wordsOf = (line: string) =>
    (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) => word.replaceAll(/["']/g, ''))
  /** What help shows, as far as it is one command of a project that ends by itself, with the files it writes in a place of their own. */
  const examples = Object.values(commands).flatMap(({ id, flags, examples }) => {
    if (/^(?:sandbox|mcp|profiles|events:tail|webhooks:listen)/.test(id)) return []
    const more = ['yes' in flags ? '--yes' : '', 'retries' in flags ? '--retries=0' : ''].filter(Boolean)
    const texts = (examples as (string | { command: string })[]).map((each) =>
      typeof each === 'string' ? each : each.command,
    )
    return texts
      .map((text) => /promo (.+) --profile sandbox(.*)$/.exec(text)?.slice(1).join('') ?? '')
      .filter((line) => line !== '' && !/[|;<>]/.test(line.replaceAll(/'[^']*'|"[^"]*"/g, '')))
      .map((line) => {
        const words = wordsOf(line)
        const writes = id === 'config:pull' || words.includes('--out')
        const placed = words.map((word) =>
          writes && /^(?:shop|club|[\w-]+\.\w+)$/.test(word) ? join(temporaryFolder(), word) : word,
        )
        return [line, [...placed, ...more]] as const
      })
  })

  test('there are such examples', () => {
    expect(examples.length).toBeGreaterThan(250)
  })

  /** Runs a command line in it, whose answers say their hostile texts after their own. */
  async function ranIn(words: readonly string[], options: RunOptions): Promise<Ran> {
    await using server = await scriptedServer(async ({ method, url, headers, body }) => {
      const { app_id, app_token, management_id, management_token } = service.credentials
      const own = {
        'x-app-id': app_id,
        'x-app-token': app_token,
        'x-management-id': management_id,
        'x-management-token': management_token,
      }
      const kept = Object.entries(headers).filter(([name]) => /^(?:x-|content-type)/.test(name))
      const answered = await fetch(`${service.url}${withoutAdded(url)}`, {
        method,
        headers: Object.fromEntries(
          kept.map(([name, value]) => [name, Object.hasOwn(own, name) ? own[name as keyof typeof own] : value]),
        ) as Record<string, string>,
        ...(body !== '' && { body: withoutAdded(body) }),
      })
      const text = await answered.text()
      const type = answered.headers.get('content-type') ?? 'application/json'
      if (!type.includes('json') || text === '') return { do: 'text', status: answered.status, text }
      const poisoned = (value: unknown, name = ''): unknown => {
        if (Array.isArray(value)) return value.map((item) => poisoned(item, name))
        if (typeof value === 'object' && value !== null)
          return Object.fromEntries(Object.entries(value).map(([own, member]) => [own, poisoned(member, own)]))
        // What was asked for is found, and what decides the form of an answer stays.
        const isKept = typeof value !== 'string' || words.includes(value) || /^\d{4}-\d\d-\d\d/.test(value)
        return isKept || /^(?:object|data_ref|\w*type|status|effect|operation|date|interval|\w*url)$/.test(name)
          ? value
          : `${value}${added(name)}`
      }
      return answer(answered.status, poisoned(JSON.parse(text)))
    })

    return await promo([...words], {
      env: { ...environment(server.origin), ...keys },
      terminal: { columns: 100 },
      ...options,
    })
  }

  /** A result is data; what promo says of it is not. */
  function mustHideKeys(messages: string): void {
    const said = messages.replaceAll(/\n */g, '')
    expect(forms.filter((form) => said.includes(form))).toEqual([])
  }

  test.each(sampled(examples, 3))('does nothing in: %s', async (_, words) => {
    const ran = await ranIn(words, { stdin: '' })

    expect([ran.exitCode, ran.stderr]).not.toEqual([1, ran.stderr])
    mustBeTame(ran)
    mustHideKeys(ran.stderr)
  })

  test('says no key in a question', async () => {
    const words = ['redemptions', 'rollback', 'r_19b8d627a800000001', '--retries=0']

    const { stderr } = await ranIn(words, { answers: [[/\(y\/N\)/, 'n\r']] })

    expect(stderr).toMatch(/roll back .*\[redacted\]/s)
    mustHideKeys(stderr)
  })
})

test('every message goes through the one writer that sanitises', () => {
  const writers = sourceFiles('src').filter(({ text }) => /\bstd(?:out|err)\.write\(/.test(text))

  // help.ts and pager.ts write the package's own texts, keyring.ts and query.ts for another process.
  expect(writers.map(({ path }) => path)).toEqual([
    'src/cli/help/help.ts',
    'src/cli/help/pager.ts',
    'src/ledger/query.ts',
    'src/profiles/keyring.ts',
  ])
})
