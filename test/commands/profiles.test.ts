import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testHome } from '../support/promo.ts'
import { startTestSandbox } from '../support/sandbox.ts'

const home = testHome()
const { promo } = home
/** Adds a profile whose token is read from stdin. */
async function add(name: string, ...flags: string[]) {
  return await promo(['profiles', 'add', name, '--app-id', 'app-1', '--insecure-storage', ...flags], {
    stdin: 'app-token-1\n',
  })
}

function allKeys(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(home.folder, 'config/credentials.json'), 'utf8')).secrets
}

function storedKeys(name: string): unknown {
  return Object.entries(allKeys()).find(([key]) => key.startsWith(`${name}@`))?.[1]
}

test('keys of the environment beside a profile are said, and so is what is set and not used, once', async () => {
  await add('stage', '--project-id', 'proj_stage', '--base-url', 'http://127.0.0.1:9')
  const env = { PROMO_APP_ID: 'id', PROMO_APP_TOKEN: 'token' }

  const write = await promo('vouchers disable A --yes --retries 0', { env })
  const project = await promo('webhooks list', { env })
  const sandbox = await promo('vouchers disable MORNING --yes --profile sandbox', {
    env: { ...env, PROMO_BASE_URL: 'http://127.0.0.1:9', PROMO_ACTOR: 'ann' },
  })

  expect(write.stderr).toContain('profile stage (from profiles use), keys of PROMO_APP_ID, http://127.0.0.1:9\n')
  expect([project.exitCode, project.stderr]).toEqual([
    4,
    'promo: this call needs a project, and the keys are those of PROMO_APP_ID: the project of profile "stage" may be another\n' +
      'try: add --project ID, or set PROMO_PROJECT_ID\n',
  ])
  expect([sandbox.exitCode, sandbox.stderr.match(/^.*not used.*$/gm)]).toEqual([
    0,
    ['PROMO_BASE_URL, PROMO_APP_ID, PROMO_APP_TOKEN are set and not used: profile "sandbox" is the built-in service'],
  ])
})

test('a message names ten of a thousand profiles, and of the projects that keys open', async () => {
  await add('p0')
  const path = join(home.folder, 'config/config.json')
  const settings = JSON.parse(readFileSync(path, 'utf8'))
  for (let at = 1; at < 1000; at++) settings.profiles[`p${at}`] = settings.profiles.p0
  writeFileSync(path, JSON.stringify(settings))
  const sandbox = await startTestSandbox()
  const { management_id, management_token } = sandbox.credentials
  const headers = { 'X-Management-Id': management_id, 'X-Management-Token': management_token }
  for (let at = 0; at < 15; at++) {
    const body = JSON.stringify({ name: `P${at}`, type: 'SANDBOX' })
    const create = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body }
    expect((await fetch(`${sandbox.url}/management/v1/projects`, create)).ok).toBe(true)
  }

  const unknown = await promo('vouchers list --profile nothing')
  const many = await promo(`profiles add many --base-url ${sandbox.url} --insecure-storage`, {
    stdin: `management_id=${management_id}\nmanagement_token=${management_token}\n`,
  })
  await sandbox.close()

  expect(unknown.stderr).toMatch(/^promo: there is no profile "nothing"; there are: (?:p\d+, ){9}p\d+ and 991 more\n/)
  expect(many.stderr).toMatch(/the keys open 16 projects: (?:\w+, ){9}\w+ and 6 more/)
})

describe('profiles add', () => {
  test('reads the token from stdin, stores it apart from the settings, and shows neither', async () => {
    const { exitCode, stdout, stderr } = await add('live', '--region', 'us', '--project-id', 'proj_1', '--protected')

    expect(exitCode).toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toContain('stored profile live for https://us1.api.voucherify.io')
    expect(stderr).not.toContain('app-token-1')
    expect(readFileSync(join(home.folder, 'config/config.json'), 'utf8')).not.toContain('app-token-1')
    expect(statSync(join(home.folder, 'config/credentials.json')).mode & 0o777).toBe(0o600)
  })

  test('reads the keys from the environment', async () => {
    const env = {
      PROMO_APP_ID: 'app-2',
      PROMO_APP_TOKEN: 'token-2',
      PROMO_MANAGEMENT_ID: 'm-2',
      PROMO_MANAGEMENT_TOKEN: 'mt-2',
    }

    expect(await promo('profiles add ci --insecure-storage --no-input', { env })).toEnd(0)
    const { stdout } = await promo('profiles show ci --csv')
    expect(stdout).toMatch(/^app_token,set,/m)
    expect(stdout).toMatch(/^management_token,set,/m)
    expect(stdout).toMatch(/^base_url,https:\/\/api\.voucherify\.io,/m)
  })

  test('reads several secrets from stdin as name=value lines', async () => {
    const stdin = 'app_id=a\napp_token=b\r\nwebhook_secret=c\n'

    expect(await promo('profiles add shop --insecure-storage', { stdin })).toEnd(0)
    expect((await promo('profiles show shop --csv')).stdout).toMatch(/^webhook_secret,set,/m)
  })

  test.each([
    [['profiles', 'add'], '', 'missing argument NAME'],
    [['profiles', 'add', '../x', '--insecure-storage'], 'token', 'a profile name is 1 to 64 letters'],
    [['profiles', 'add', 'sandbox', '--insecure-storage'], 'token', '"sandbox" is built in'],
    [['profiles', 'add', 'x', '--insecure-storage'], '', 'no credentials given'],
    [['profiles', 'add', 'x', '--app-id', 'x'], 'x'.repeat(70_000), 'standard input is longer than 64 KiB'],
    [['profiles', 'add', 'x', '--insecure-storage'], 'only-a-token\n', '"app_token" needs "app_id"'],
    [
      ['profiles', 'add', 'x', '--insecure-storage', '--base-url', 'http://promo.example.com'],
      'token',
      'plain http to promo.example.com',
    ],
    [
      ['profiles', 'add', 'x', '--insecure-storage', '--base-url', 'https://u:p@promo.example.com'],
      'token',
      'a user name or a password',
    ],
    [
      ['profiles', 'add', 'x', '--insecure-storage', '--app-id', 'a'],
      'two lines\nof text\n',
      'line 1 of stdin does not have the form app_token=',
    ],
  ])('%j is refused with exit 2', async (argv, stdin, message) => {
    const { exitCode, stderr } = await promo(argv, { stdin })

    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('only-a-token')
  })

  test('stores nothing without a keyring and consent, and explains how to consent', async () => {
    expect(await promo('profiles add live --app-id a', { stdin: 'token\n' })).toEnd(4, '--insecure-storage')
    expect(JSON.parse((await promo('profiles list --json')).stdout)).toHaveLength(1)
  })

  test('does not overwrite an existing profile', async () => {
    await add('live')

    expect(await add('live', '--region', 'as')).toEnd(2, 'there is already a profile "live"')
  })
})

describe('profiles update', () => {
  test('replaces the token and keeps the application id, the protection, the project and the selection', async () => {
    await add('us', '--region', 'us', '--project-id', 'proj_1', '--protected')

    const { exitCode, stderr } = await promo('profiles update us', { stdin: 'app-token-2\n' })

    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('changed profile us, and its keys in ')])
    expect(stderr).not.toContain('app-token-2')
    const [shown] = JSON.parse((await promo('profiles list --json')).stdout)
    expect(shown).toMatchObject({ name: 'us', region: 'us', project_id: 'proj_1', protected: true, current: true })
    expect(storedKeys('us')).toEqual({ app_id: 'app-1', app_token: 'app-token-2' })
  })

  test('--management-id adds that pair alone, its token from stdin or asked for', async () => {
    await add('us')
    await add('eu')

    await promo('profiles update us --management-id m', { stdin: 'management-token\n' })
    await promo('profiles update eu --management-id m', {
      terminal: { columns: 120 },
      answers: [[/^(?!.*application).*the management secret token:/s, 'management-token\r']],
    })

    const keys = { app_id: 'app-1', app_token: 'app-token-1', management_id: 'm', management_token: 'management-token' }
    expect([storedKeys('us'), storedKeys('eu')]).toEqual([keys, keys])
  })

  test('a change of settings keeps the keys, even when others are in the environment', async () => {
    await add('us', '--rate', '600/m')
    const env = { PROMO_APP_ID: 'other', PROMO_APP_TOKEN: 'other-token' }

    expect(await promo('profiles update us --protected --unset rate', { env })).toEnd(0)
    const [shown] = JSON.parse((await promo('profiles list --json')).stdout)
    expect(shown).toMatchObject({ name: 'us', protected: true })
    expect(shown).not.toHaveProperty('rate')
    expect(storedKeys('us')).toEqual({ app_id: 'app-1', app_token: 'app-token-1' })
  })

  test('the keys move with the profile to another region, and no longer exist for the old one', async () => {
    await add('us', '--region', 'eu')

    expect((await promo('profiles update us --region us')).exitCode).toBe(0)

    expect(storedKeys('us')).toEqual({ app_id: 'app-1', app_token: 'app-token-1' })
    expect(Object.keys(allKeys())).toEqual(['us@https://us1.api.voucherify.io'])
  })

  test('an address of its own needs the keys again', async () => {
    await add('us')
    const update = (...flags: string[]) =>
      promo(['profiles', 'update', 'us', '--base-url', 'https://promo.example.com', ...flags], {
        stdin: 'app_id=n\napp_token=t\n',
      })

    const refused = await update()
    const accepted = await update('--keys')

    expect([refused.exitCode, accepted.exitCode]).toEqual([2, 0])
    expect(refused.stderr).toContain('add --keys')
    expect(storedKeys('us')).toEqual({ app_id: 'n', app_token: 't' })
  })

  test.each([
    [['profiles', 'update', 'nothing', '--protected'], 4, 'there is no profile "nothing"'],
    [['profiles', 'update', 'us', '--rate', 'fast'], 2, '"rate" of a profile is not like 10/s, 600/m or 5000/h'],
    [['profiles', 'update', 'us', '--keys'], 2, 'no credentials given'],
    [['profiles', 'update', 'us', '--management-id', 'm'], 2, '"management_id" needs "management_token"'],
  ])('%j is refused and changes nothing', async (argv, code, message) => {
    await add('us')
    const before = [readFileSync(join(home.folder, 'config/config.json'), 'utf8'), JSON.stringify(allKeys())]

    const { exitCode, stderr } = await promo(argv, { stdin: '' })

    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)])
    expect([readFileSync(join(home.folder, 'config/config.json'), 'utf8'), JSON.stringify(allKeys())]).toEqual(before)
  })
})

describe('profiles rename', () => {
  test('keeps the settings, the keys and the selection', async () => {
    await add('us', '--region', 'us', '--protected')

    expect((await promo('profiles rename us live-us')).exitCode).toBe(0)

    const [shown] = JSON.parse((await promo('profiles list --json')).stdout)
    expect(shown).toMatchObject({ name: 'live-us', region: 'us', protected: true, current: true })
    expect(Object.keys(allKeys())).toEqual(['live-us@https://us1.api.voucherify.io'])
  })

  test.each([
    [['us', 'two'], 2, 'there is already a profile "two"'],
    [['us', 'sandbox'], 2, '"sandbox" is built in'],
    [['nothing', 'new'], 4, 'there is no profile "nothing"'],
  ])('%j is refused and changes nothing', async (names, code, message) => {
    await add('us')
    await add('two')
    const before = JSON.stringify(allKeys())

    const { exitCode, stderr } = await promo(['profiles', 'rename', ...names])

    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)])
    expect(JSON.stringify(allKeys())).toBe(before)
  })
})

describe('the project of a profile', () => {
  test('is asked of the service where the management keys allow it, and stored', async () => {
    const sandbox = await startTestSandbox()
    const { management_id, management_token, project_id } = sandbox.credentials

    const { exitCode, stderr } = await promo(
      ['profiles', 'add', 'local', '--base-url', sandbox.url, '--insecure-storage'],
      { stdin: `management_id=${management_id}\nmanagement_token=${management_token}\n` },
    )
    await sandbox.close()

    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`its project is ${project_id}`)])
    const [shown] = JSON.parse((await promo('profiles list --json')).stdout)
    expect(shown.project_id).toBe(project_id)
  })

  test('is not needed to verify a profile of management keys alone', async () => {
    const sandbox = await startTestSandbox()
    const { management_id, management_token } = sandbox.credentials
    const verify = async (name: string, stdin: string) => {
      await promo(['profiles', 'add', name, '--base-url', sandbox.url, '--insecure-storage'], { stdin })
      const verified = await promo(['profiles', 'verify', name])
      const examined = await promo(['doctor', '--profile', name, '--csv', '--columns', 'check,state'])
      return [verified.exitCode, verified.stderr, examined.stdout.includes('service,ok')]
    }

    const right = await verify('right', `management_id=${management_id}\nmanagement_token=${management_token}\n`)
    const wrong = await verify('wrong', `management_id=${management_id}\nmanagement_token=wrong\n`)
    await sandbox.close()

    const accepted = `the service at ${sandbox.url} accepts the management credentials of profile right`
    expect(right).toEqual([0, expect.stringContaining(accepted), true])
    expect(wrong).toEqual([4, expect.stringContaining('management key'), false])
  })

  test('stays unknown, with the way to name it, when the service does not answer', async () => {
    const ran = await promo('profiles add local --base-url http://127.0.0.1:9 --insecure-storage', {
      stdin: 'management_id=m\nmanagement_token=t\n',
    })

    expect(ran).toEnd(0, 'stored profile local', 'promo profiles update local --project-id ID')
  })
})

describe('which profile is used', () => {
  test('a flag wins over the environment, the environment over the stored choice', async () => {
    await add('one')
    await add('two')
    await add('three')
    await promo('profiles use three')
    const chosen = async (argv: string[], env?: Record<string, string>) => {
      const { stdout } = await promo(['whoami', '--csv', '--csv-raw', ...argv], env ? { env } : {})
      return stdout.split('\n')[1]
    }

    expect(await chosen(['--profile', 'one'], { PROMO_PROFILE: 'two' })).toBe('profile,one,--profile')
    expect(await chosen([], { PROMO_PROFILE: 'two' })).toBe('profile,two,PROMO_PROFILE')
    expect(await chosen([])).toBe('profile,three,profiles use')
  })

  test('stored secrets are not sent to another address', async () => {
    await add('live')

    const ran = await promo('vouchers get X -v', {
      env: { PROMO_BASE_URL: 'http://127.0.0.1:9' },
    })

    expect(ran).toSendNothing(4, 'are not sent to http://127.0.0.1:9')
  })
})

describe('protected profiles', () => {
  test('a write needs --yes and --confirm with the name where no question is possible', async () => {
    await add('live', '--protected', '--base-url', 'http://127.0.0.1:9')
    const disable = (...flags: string[]) =>
      promo(['vouchers', 'disable', 'X', '--retries', '0', ...flags], { stdin: '' })

    const bare = await disable()
    const yes = await disable('--yes')
    const wrong = await disable('--yes', '--confirm', 'staging')
    const right = await disable('--yes', '--confirm', 'live')

    expect([bare.exitCode, yes.exitCode, wrong.exitCode]).toEqual([11, 11, 2])
    expect(bare.stderr).toMatch(/disable voucher "\S+" in profile "live"\?/)
    expect(yes.stderr).toContain('try: add --yes --confirm live')
    expect(right.exitCode).toBe(5)
  })
})

describe('confirmations', () => {
  const enter = '\r'
  const terminal = { columns: 120 }
  // No question waits for what it could say about its rows.
  const atOnce = async () => {}

  test('of a protected profile say what is done, how often, in which project, and whether it is final', async () => {
    await add('live', '--protected', '--base-url', 'http://127.0.0.1:9', '--project-id', 'proj_1')

    const ran = await promo('vouchers delete A B C', {
      terminal,
      sleep: atOnce,
      answers: [[/go ahead:/, `no${enter}`]],
    })

    expect(ran).toEnd(
      11,
      'delete 3 vouchers in project proj_1 of profile "live"? This cannot be undone.',
      'the name does not match; nothing was sent',
    )
  })

  test('of several rows name the profile, and say nothing about undoing what can be undone', async () => {
    const { exitCode, stderr } = await promo('vouchers disable A B --profile sandbox', {
      terminal,
      sleep: atOnce,
      answers: [[/\(y\/N\)/, enter]],
    })

    expect(exitCode).toBe(11)
    expect(stderr).toMatch(/disable 2 vouchers in project \S+ of profile "sandbox"\?/)
    expect(stderr).not.toContain('cannot be undone')
  })

  test('login on an existing profile offers to replace its keys, and keeps the rest', async () => {
    await add('live', '--region', 'us', '--protected')

    const { exitCode, stderr } = await promo('login live', {
      terminal,
      answers: [
        [/already a profile "live"; replace its keys.*\(y\/N\)/s, `y${enter}`],
        [/application id.*Enter keeps app-1:/s, enter],
        [/secret token/, `app-token-9${enter}`],
      ],
    })

    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('replaced the keys of profile live')])
    expect(storedKeys('live')).toEqual({ app_id: 'app-1', app_token: 'app-token-9' })
    const [shown] = JSON.parse((await promo('profiles list --json')).stdout)
    expect(shown).toMatchObject({ region: 'us', protected: true })
  })
})

describe('removing and damage', () => {
  test('remove also deletes the secrets', async () => {
    await add('live')

    expect(await promo('profiles remove live --yes')).toEnd(0)
    expect(readFileSync(join(home.folder, 'config/credentials.json'), 'utf8')).not.toContain('app-token-1')
    expect(JSON.parse((await promo('profiles list --json')).stdout).map(({ name }: { name: string }) => name)).toEqual([
      'sandbox',
    ])
  })

  test('a damaged settings file is named with its line, exits 4 and is not changed', async () => {
    await add('live')
    const path = join(home.folder, 'config/config.json')
    const damaged = readFileSync(path, 'utf8').slice(0, -10)
    writeFileSync(path, damaged)

    expect(await add('other')).toEnd(4, path, /line \d+/)
    expect(readFileSync(path, 'utf8')).toBe(damaged)
  })
})

describe('doctor', () => {
  test('finds no problem with the sandbox, and explains what to do without a profile, with exit 4', async () => {
    const sandbox = await promo('doctor --profile sandbox --json --query [].check')
    const nothing = await promo('doctor --json')

    expect([sandbox.exitCode, JSON.parse(sandbox.stdout)]).toEqual([
      0,
      ['program', 'platform', 'settings', 'state folder', 'keyring', 'environment', 'service'],
    ])
    expect([nothing.exitCode, JSON.parse(nothing.stdout).at(-1)]).toEqual([
      4,
      expect.objectContaining({ check: 'service', state: 'fail', todo: expect.stringContaining('--profile sandbox') }),
    ])
  })
})
