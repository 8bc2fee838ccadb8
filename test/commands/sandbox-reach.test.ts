// Who can reach a sandbox, by which names, and with which keys.
import { chmodSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nowhere, testHome } from '../support/promo.ts'
import { whileServing } from '../support/serving.ts'

const home = testHome()
const { promo } = home
const keys = {
  app_id: 'shop-app-id',
  app_token: 'shop-app-token',
  client_app_id: 'shop-client-id',
  client_token: 'shop-client-token',
  management_id: 'shop-management-id',
  management_token: 'shop-management-token',
  webhook_secret: 'shop-webhook-secret',
}
const put = (content: unknown, mode = 0o600) => {
  const path = join(home.folder, 'keys.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  chmodSync(path, mode)
  return path
}
const memory = ['--data', ':memory:', '--empty']

/** Returns the status for a request with this Host. */
const statusFor = (url: string, host: string, path = '/v1/vouchers') =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { host, 'x-app-id': keys.app_id, 'x-app-token': keys.app_token }
    request(`${url}${path}`, { headers }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end()
  })

describe('keys of your own', () => {
  test('are those of the project, and of the next start of its file', async () => {
    const data = join(home.folder, 'shop.db')
    const seen: unknown[] = []
    for (const flags of [['--keys-from', put({ ...keys, project_id: 'proj_shop' })], []])
      await whileServing(promo, ['--data', data, '--empty', ...flags], async (sandbox) => {
        const { app_id, app_token, webhook_secret, project_id, management } = sandbox
        const webhooks = `/management/v1/projects/${project_id}/webhooks`
        seen.push([app_id, app_token, webhook_secret, project_id])
        expect((await sandbox.call('GET', '/v1/vouchers')).status).toBe(200)
        expect((await sandbox.call('GET', webhooks, undefined, management)).status).toBe(200)
      })

    expect(seen).toEqual(Array(2).fill(['shop-app-id', 'shop-app-token', 'shop-webhook-secret', 'proj_shop']))
  })

  test('come from the environment as well, and a pair alone leaves the others as they were generated', async () => {
    const { app_id, app_token } = keys
    await whileServing(
      promo,
      memory,
      async (sandbox) => {
        expect(sandbox).toMatchObject({ app_id, app_token, client_token: expect.stringMatching(/^[0-9a-f-]{36}$/) })
      },
      { env: { PROMO_SANDBOX_KEYS: JSON.stringify({ app_id, app_token }) } },
    )
  })

  test.each([
    ['that are equal', { ...keys, app_token: keys.webhook_secret }, 'app_token and webhook_secret are equal'],
    ['of which half a pair is missing', { app_id: 'shop-app-id' }, 'app_id and app_token go together'],
    ['that are too short', { ...keys, app_token: 'short' }, 'app_token must have 8 to 128 characters'],
    ['with an unknown name', { ...keys, app_secret: 'secretsecret' }, '"app_secret" is not the name of a key'],
    ['that are none', {}, 'there is none'],
    ['that are a list', [], 'they must be one JSON object'],
    ['that are no text', { ...keys, app_token: 12345678 }, 'app_token must have 8 to 128 characters'],
    ['with a broken project', { ...keys, project_id: 'a/b' }, 'project_id must have 1 to 64'],
    ['that are no JSON', '{"app_id": ', 'keys.json, line 1'],
  ])('%s are refused with exit 2, and not shown', async (_, content, words) => {
    const { exitCode, stderr } = await promo(['sandbox', 'start', ...memory, '--keys-from', put(content)])

    expect(exitCode).toBe(2)
    expect(stderr).toContain(words)
    expect(stderr).not.toMatch(/shop-|secretsecret/)
  })

  test('in a file that others can read are refused with exit 4', async () => {
    const ran = await promo(['sandbox', 'start', ...memory, '--keys-from', put(keys, 0o644)])

    expect(ran).toEnd(4, 'other users of this computer have access')
  })

  test('of another project of the file are refused', async () => {
    const data = join(home.folder, 'shop.db')
    await whileServing(promo, ['--data', data, '--empty'], async ({ call, management }) => {
      const { body } = await call('POST', '/management/v1/projects', { name: 'Other' }, management)
      const taken = { app_id: body.server_side_key.app_id, app_token: 'shop-app-token' }

      const ran = await promo(`sandbox start --data ${data} --keys-from ${put(taken)}`)

      expect(ran).toEnd(2, 'app_id is that of another project of the data file')
    })
  })
})

describe('an address that others can reach', () => {
  const everywhere = ['--host', '0.0.0.0']

  test('needs keys of your own, or --allow-demo-keys', async () => {
    const refused = await promo(['sandbox', 'start', ...memory, ...everywhere])
    const allowed = await whileServing(promo, [...memory, ...everywhere, '--allow-demo-keys'], async () => {})

    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toBe(
      'promo: on 0.0.0.0 others can reach the sandbox, so it needs keys of your own\n' +
        'try: add --keys-from FILE, or --allow-demo-keys to use generated ones\n',
    )
    expect(allowed.stderr).toBe(
      'everyone who can reach an address of this computer can call this sandbox with its keys\n',
    )
  })

  test('answers to the names that are allowed, and to no other', async () => {
    const flags = [
      ...memory,
      ...everywhere,
      '--keys-from',
      put(keys),
      ...'--allow-host promo --allow-host ci:8099'.split(' '),
    ]
    await whileServing(promo, flags, async ({ url }) => {
      const { port } = new URL(url)
      const hosts = [
        `promo:${port}`,
        'PROMO',
        'ci:8099',
        `ci:${port}`,
        'evil.example',
        `evil.example:${port}`,
        `127.0.0.1:${port}`,
      ]

      expect(await Promise.all(hosts.map((host) => statusFor(url, host)))).toEqual([200, 200, 200, 421, 421, 421, 200])
    })
  })

  test('comes from the environment too, with its port', async () => {
    const env = { PROMO_SANDBOX_HOST: '0.0.0.0', PROMO_SANDBOX_PORT: '0', PROMO_SANDBOX_KEYS: JSON.stringify(keys) }
    const { stderr } = await whileServing(promo, memory, async () => {}, { env })

    expect(stderr).toContain('everyone who can reach an address')
  })

  test.each([
    [['--host', 'promo'], '"promo" is not an address of this computer'],
    [['--host', '256.0.0.1'], '"256.0.0.1" is not an address'],
    [['--allow-host', 'a b'], '"a b" is not the name of a host'],
    [['--allow-host', 'http://promo'], '"http://promo" is not the name of a host'],
    [['--allow-host', 'promo:99999'], '"promo:99999" is not the name of a host'],
    [['--allow-host', '*'], '"*" is not the name of a host'],
    [['--control-host', 'promo'], '"promo" is not an address of this computer'],
    [['--keys-from', `${nowhere}.json`], 'there is no such file'],
  ])('%j is refused with exit 2', async (flags, words) => {
    expect(await promo(['sandbox', 'start', ...memory, ...flags])).toEnd(2, words)
  })
})

describe('GET /health', () => {
  test('needs no key and no name, and no page may ask', async () => {
    await whileServing(promo, memory, async ({ url, call }) => {
      const answer = await fetch(`${url}/health`)
      const page = await call('GET', '/health', undefined, { origin: 'https://shop.example' })

      expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }])
      expect(await statusFor(url, '10.0.0.7:8080', '/health')).toBe(200)
      expect(page.status).toBe(403)
    })
  })

  test('answers 503 while calls are not answered', async () => {
    const data = join(home.folder, 'shop.db')
    await whileServing(promo, ['--data', data], async ({ url }) => {
      const { rmSync } = await import('node:fs')
      rmSync(data)

      const answer = await fetch(`${url}/health`)

      expect([answer.status, await answer.json()]).toEqual([503, { status: 'failing' }])
    })
  })
})
