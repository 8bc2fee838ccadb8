// A secret appears in no output, error, log or file but the one that stores it, with any combination of flags.
import { globSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runPromo, runShell } from '../support/child.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'
import { sized } from '../support/size.ts'

const token = 'cAnArY-7f3e9d51b2c84a60'
const management = 'cAnArY-0b9d2f6ae1734c58'
const forms = [token, management].flatMap((secret) => [
  secret,
  secret.toLowerCase(),
  secret.toUpperCase(),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
])

const folder = temporaryFolder()
let base = ''
let received = ''
const server = createServer((request, response) => {
  received += JSON.stringify(request.headers)
  request.resume()
  const path = request.url ?? ''
  if (path.includes('LOST')) request.socket.destroy()
  else if (path.includes('MOVED')) response.writeHead(307, { location: `http://localhost:9/${token}` }).end()
  else
    response
      .writeHead(path.includes('REFUSED') ? 401 : 500, { 'content-type': 'text/html' })
      .end(`<p>${'x'.repeat(300)}</p>`)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.close()
})

const loud = {
  DEBUG: '*',
  NODE_DEBUG: 'http,net,tls,fetch,undici',
  NODE_OPTIONS: '--report-on-fatalerror --report-uncaught-exception',
}

function leaks(text: string): string[] {
  return forms.filter((form) => text.includes(form))
}

describe('a canary secret', () => {
  test('read from stdin is only in the file that stores secrets, and is sent', async () => {
    const argv = ['profiles', 'add', 'live', '--base-url', base, '--insecure-storage']
    const added = await runPromo(
      argv,
      folder,
      loud,
      `app_id=a\napp_token=${token}\nmanagement_id=m\nmanagement_token=${management}\n`,
    )
    const outputs = [added]
    for (const code of ['REFUSED', 'LOST', 'MOVED', 'BROKEN']) {
      outputs.push(
        await runPromo(
          ['vouchers', 'disable', code, '--retries', '1', '-v', '--debug', '--profile', 'live'],
          folder,
          loud,
        ),
      )
      outputs.push(
        await runPromo(
          ['vouchers', 'get', code, '--retries', '0', '-v', '--debug', '--json', '--profile', 'live'],
          folder,
          loud,
        ),
      )
    }
    outputs.push(await runPromo(['vouchers', 'disable', 'X', '--dry-run', '--json', '--profile', 'live'], folder, loud))
    outputs.push(await runPromo(['profiles', 'show', 'live', '--json'], folder, loud))
    outputs.push(await runPromo(['doctor', '--profile', 'live', '--retries', '0'], folder, loud))

    const printed = outputs.map(({ stdout, stderr }) => stdout + stderr).join('\n')
    const files = globSync('**/*', { cwd: folder })
      .map((name) => join(folder, name))
      .filter((path) => lstatSync(path).isFile())
    const leaking = files.filter((path) => leaks(readFileSync(path, 'latin1')).length > 0)

    expect(added.exitCode).toBe(0)
    expect(received).toContain(token)
    expect(leaks(printed)).toEqual([])
    expect(leaking).toEqual([join(folder, 'config/credentials.json')])
  })

  test('read from the environment is never printed or stored', async () => {
    const home = temporaryFolder()
    const env = { ...loud, PROMO_BASE_URL: base, PROMO_APP_ID: 'a', PROMO_APP_TOKEN: token }

    const outputs = [
      await runPromo(['vouchers', 'list', '-v', '--debug', '--retries', '0'], home, env),
      await runPromo(['whoami'], home, env),
      await runPromo(['whoami'], home, { ...env, PROMO_APP_TOKEN: `${token}\nX-Injected: yes` }),
      await runPromo(['whoami'], home, { ...env, PROMO_APP_TOKEN: `Bearer ${token}` }),
    ]

    const kept = globSync('**/*', { cwd: home })
      .map((name) => join(home, name))
      .filter((path) => lstatSync(path).isFile() && leaks(readFileSync(path, 'latin1')).length > 0)
    expect(outputs.map(({ exitCode }) => exitCode)).toEqual([5, 0, 4, 4])
    expect(leaks(outputs.map(({ stdout, stderr }) => stdout + stderr).join('\n'))).toEqual([])
    expect(kept).toEqual([])
  })
})

describe('files', () => {
  test('are readable by their owner only, also under umask 000', needing('bash'), async () => {
    const home = temporaryFolder()
    const script = `umask 000
      echo token-1 | promo profiles add live --app-id a --insecure-storage
      promo vouchers get MORNING --profile sandbox --json > /dev/null`

    const { exitCode } = await runShell(script, home)

    const modes = ['config', 'config/config.json', 'config/credentials.json', 'state', 'state/sandbox.db'].map(
      (name) => [name, (statSync(join(home, name)).mode & 0o777).toString(8)],
    )
    expect(exitCode).toBe(0)
    expect(modes).toEqual([
      ['config', '700'],
      ['config/config.json', '600'],
      ['config/credentials.json', '600'],
      ['state', '700'],
      ['state/sandbox.db', '600'],
    ])
  })

  test('profiles added at once are all stored', async () => {
    const home = temporaryFolder()
    const names = Array.from({ length: sized({ quick: 5, slow: 20 }) }, (_, at) => `p${String(at).padStart(2, '0')}`)

    const ran = await Promise.all(
      names.map((name) =>
        runPromo(['profiles', 'add', name, '--app-id', name, '--insecure-storage'], home, {}, `token-of-${name}\n`),
      ),
    )

    const { stdout } = await runPromo(['profiles', 'list', '--csv', '--no-header', '--columns', 'name'], home)
    const secrets = readFileSync(join(home, 'config/credentials.json'), 'utf8')
    expect(ran.map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0))
    expect(stdout).toBe(`${[...names, 'sandbox'].join('\n')}\n`)
    expect(names.filter((name) => !secrets.includes(`token-of-${name}`))).toEqual([])
  })
})
