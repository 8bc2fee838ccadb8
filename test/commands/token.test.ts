import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nowhere, testHome } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'
import { transcripts } from '../support/transcripts.ts'

const home = testHome()
const { promo } = home
const onSandbox = ['--profile', 'sandbox']

async function newToken(scope = 'api'): Promise<string> {
  return (await promo(['token', 'create', '--scope', scope, '--raw', ...onSandbox])).stdout.trimEnd()
}

describe('token create', () => {
  transcripts(promo)(String.raw`
    # shows the scopes of the token, and not the token
    $ token create --scope 'campaigns vouchers' --scope vouchers --json --profile sandbox
    json {"expires_in": 900, "scope": "campaigns vouchers", "token_type": "Bearer"}
    - access_token
    ! the token itself is printed only with --raw
    # is one row in CSV and a block in a table
    $ token create --scope api --csv --columns scope,expires_in --profile sandbox
    = scope,expires_in
    = api,900
    $ token create --scope api --profile sandbox
    > /^scope +api\nexpires_in +900\n/
    - access_token
  `)

  test('prints the bare token, and nothing else on stdout, with --raw', async () => {
    const { exitCode, stdout, stderr } = await promo('token create --scope api --raw -v --profile sandbox')

    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^[A-Za-z0-9]{50}\n$/)])
    expect(stderr).not.toContain(stdout.trim())
  })

  test.each<[string, string[], RegExp]>([
    ['commas', ['--scope', 'campaigns,vouchers'], /not commas\ntry: --scope "campaigns vouchers"/],
    ['commas and spaces', ['--scope', 'campaigns, vouchers'], /not commas\ntry: --scope "campaigns vouchers"/],
    ['a scope that does not exist', ['--scope', 'vuchers'], /there is no scope "vuchers"\ntry: --scope vouchers/],
    ['a scope in another case', ['--scope', 'API'], /there is no scope "API"/],
    ['an empty scope', ['--scope', ' '], /--scope is empty/],
    ['no scope', [], /scope/],
    ['--raw in a form', ['--scope', 'api', '--raw', '--json'], /raw/],
  ])('refuses %s before any request', async (_what, flags, message) => {
    const { exitCode, stderr } = await promo(['token', 'create', ...flags, '-v', ...onSandbox])

    expect(exitCode).toBe(2)
    expect(`${stderr}`).toMatch(message)
    expect(stderr).not.toContain('> POST')
  })
})

describe('token introspect', () => {
  transcripts(promo)(`
    # exits 12 for a token that is not active
    $ token introspect --json --profile sandbox => 12
    < unknown-token
    json = {"active": false}
    # and a revocation hide the token, in a plan too
    $ token revoke --dry-run --json --profile sandbox
    < canary-canary
    json [{"body": {"access_token": "[redacted]"}}]
    - canary
  `)

  test('reads the token from stdin and shows its scopes without showing it', async () => {
    const token = await newToken('campaigns')

    const { exitCode, stdout, stderr } = await promo('token introspect --json -v --profile sandbox', {
      stdin: `${token}\n`,
    })

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ active: true, scope: 'campaigns', token_type: 'Bearer' })
    expect(stdout + stderr).not.toContain(token)
  })

  test('prefers the token of a file to the environment, and the environment to stdin', async () => {
    const token = await newToken()
    writeFileSync(join(home.folder, 'token'), `${token}\n`)
    const env = { PROMO_ACCESS_TOKEN: 'not-a-known-token' }

    const file = await promo(`token introspect --token-file ${join(home.folder, 'token')} --profile sandbox`, { env })
    const environment = await promo('token introspect --profile sandbox', { env, stdin: token })

    expect(file.exitCode).toBe(0)
    expect(environment.exitCode).toBe(12)
  })

  test('is signed with the key pair even if the environment also has a token', async () => {
    await using server = await scriptedServer([answer(200, { active: false })])
    const env = {
      PROMO_BASE_URL: server.origin,
      PROMO_APP_ID: 'app-id-1234',
      PROMO_APP_TOKEN: 'app-token-1234',
      PROMO_ACCESS_TOKEN: 'token-in-question',
    }

    expect(await promo('token introspect', { env })).toEnd(12)
    expect(server.asked[0]?.headers).toMatchObject({ 'x-app-id': 'app-id-1234', 'x-app-token': 'app-token-1234' })
    expect(server.asked[0]?.headers.authorization).toBeUndefined()
    expect(server.asked[0]?.body).toBe('access_token=token-in-question')
  })

  test('is signed with the stored key pair even if the environment has a token', async () => {
    await using server = await scriptedServer([answer(200, { active: false })])
    const add = [
      ...'profiles add live --base-url'.split(' '),
      server.origin,
      ...'--app-id app-id-1234 --insecure-storage'.split(' '),
    ]
    await promo(add, { stdin: 'app-token-1234' })

    const { exitCode } = await promo('token introspect --profile live', {
      env: { PROMO_ACCESS_TOKEN: 'token-in-question' },
    })

    expect(exitCode).toBe(12)
    expect(server.asked[0]?.headers).toMatchObject({ 'x-app-token': 'app-token-1234' })
  })

  test.each<[string, string[], string | undefined, RegExp]>([
    ['an empty stdin', [], '', /no token given\ntry: .*--token-file FILE/],
    ['an empty line', [], '\n', /the token is empty/],
    ['two lines', [], 'canary-one\ncanary-two\n', /the token holds a space or a line break/],
    ['the word Bearer', [], 'Bearer canary', /starts with the word Bearer/],
    [
      'a file that is missing',
      ['--token-file', `${nowhere}/canary`],
      undefined,
      /cannot be read: there is no such file/,
    ],
    [
      'a device',
      ['--token-file', '/dev/null'],
      undefined,
      /--token-file names a device, not a file\ntry: check its path/,
    ],
    ['more than a token', [], 'canary'.repeat(20_000), /standard input is longer than 64 KiB\ntry: check that/],
    ['a terminal that may not be asked', ['--no-input'], undefined, /no token given/],
  ])('refuses %s before any request, and shows nothing of it', async (_what, flags, stdin, message) => {
    const { exitCode, stderr } = await promo(
      ['token', 'introspect', ...flags, '-v', ...onSandbox],
      stdin === undefined ? {} : { stdin },
    )

    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('canary')
    expect(stderr).not.toContain('> POST')
  })
})

describe('token revoke', () => {
  test('revokes a token, and fails the second time', async () => {
    const token = await newToken()

    const first = await promo('token revoke --profile sandbox', { stdin: token })
    const second = await promo('token revoke --profile sandbox', { stdin: token })

    expect(first).toMatchObject({ exitCode: 0, stdout: '' })
    expect(first.stderr).toContain('the token is revoked')
    expect(second.exitCode).toBe(3)
    expect((await promo('token introspect --profile sandbox', { stdin: token })).exitCode).toBe(12)
  })
})
