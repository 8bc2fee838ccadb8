// Modules loaded at start: no command loads a library it does not use. Counts do not depend on the machine; times do.
import { spawnSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandboxOpenApi } from '../../src/sandbox/embedded.ts'
import { bin, runPromo } from '../support/child.ts'
import { temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

// Nothing listens there: the call fails, after everything for it is loaded.
const profile = { PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'b', PROMO_BASE_URL: 'http://127.0.0.1:9' }

/** Runs promo and returns the built files it loaded, by the names of the libraries and parts bundled in them. */
function loadedFiles(argv: string[], folder = temporaryFolder()): string[] {
  const list = join(folder, 'loaded.txt')
  const hook = `
    import { registerHooks } from 'node:module'
    import { appendFileSync } from 'node:fs'
    registerHooks({ load(url, context, next) {
      if (url.startsWith('file:')) appendFileSync(${JSON.stringify(list)}, url + '\\n')
      return next(url, context)
    } })`
  spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, bin, ...argv], {
    env: { PATH: process.env.PATH, HOME: folder, ...profile },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const files = readFileSync(list, 'utf8').trim().split('\n')
  rmSync(list)
  return files.map((url) => url.slice(url.indexOf(root) + root.length + 1))
}

/** Names of built files: the bundler calls conf, inquirer, yaml and JMESPath `dist`, and the CSV libraries `sync`. */
const heavy = ['_entry-undici', 'embedded', 'keyring', 'row-store', 'new-job', 'JsBarcode', 'dist', 'sync', 'serve']

test('--version loads the launcher and nothing else', () => {
  expect(loadedFiles(['--version'])).toEqual(['bin/run.js'])
})

// A number that is too small is the sign of something new at every start: find out what, before it is raised. The last one
// is in kB, rounded up.
test.each([
  ['--help', ['--help'], 5, 29],
  ['the help of a command', ['vouchers', 'disable', '--help'], 5, 29],
  ['help about a topic', ['help', 'jobs'], 8, 88],
  ['the completion of a word', ['complete', '--', 'vouchers', 'di'], 8, 90],
  ['a usage error', ['vouchers', 'disable', '--nope'], 12, 182],
  ['a dry run', ['vouchers', 'disable', 'X', '--dry-run'], 16, 384],
  ['a call', ['vouchers', 'disable', 'X', '--yes'], 17, 649],
] as const)('%s loads few files, and no library it does not use', (name, argv, most, kilobytes) => {
  const files = loadedFiles([...argv])
  const unused = heavy.filter((library) => name !== 'a call' || library !== '_entry-undici')

  expect(files.filter((file) => unused.some((library) => file.startsWith(`dist/chunks/${library}-`)))).toEqual([])
  expect(files.length).toBeGreaterThan(3)
  expect(files.length).toBeLessThanOrEqual(most)
  const bytes = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
  expect(bytes / 1000).toBeLessThan(kilobytes)
})

test('what the bundle makes of schemas when they are looked at are those of the source', async () => {
  const { stdout } = await runPromo(['sandbox', 'openapi'], temporaryFolder())

  expect(JSON.parse(stdout)).toEqual(await sandboxOpenApi())
})

test('the demo project is loaded for a new data file alone, as data', () => {
  const folder = temporaryFolder()
  const argv = ['vouchers', 'get', 'SORRY5', '--profile', 'sandbox']
  const [first, second] = [loadedFiles(argv, folder), loadedFiles(argv, folder)]
  const isDemo = (file: string) => file.startsWith('dist/chunks/stored-')

  expect(first.filter(isDemo)).toHaveLength(1)
  expect(readFileSync(join(root, first.find(isDemo) as string), 'utf8')).not.toContain('import')
  expect(second).toContainEqual(expect.stringMatching(/chunks\/embedded-/))
  expect(second.filter(isDemo)).toEqual([])
})

test('a command that reads nothing does not open stdin, nor load OpenSSL for what only a job keeps', () => {
  const opened = (argv: string[]) => {
    const hook = `
      for (const [thing, name] of [[process, 'stdin'], [process, 'getBuiltinModule']]) {
        const real = Object.getOwnPropertyDescriptor(thing, name)
        const seen = (value) => { process.on('exit', () => process.stderr.write('OPENED ' + value + '\\n')) }
        Object.defineProperty(thing, name, name === 'stdin'
          ? { configurable: true, get() { seen('stdin'); return real.get.call(process) } }
          : { configurable: true, value: (id) => { if (id === 'node:crypto') seen(id); return real.value(id) } })
      }`
    const imported = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`]
    const { stderr } = spawnSync(process.execPath, [...imported, bin, ...argv], {
      env: { PATH: process.env.PATH, HOME: temporaryFolder(), ...profile, PROMO_PROJECT_ID: 'proj_1' },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
    return stderr.match(/(?<=OPENED )\S+/g)
  }

  expect(opened(['vouchers', 'disable', 'X', '--yes', '--retries', '0'])).toBeNull()
  expect(opened(['vouchers', 'disable', '--from', '-', '--dry-run'])).toContain('stdin')
})

test('what the bundle leaves out of its libraries is not missed by a call through a proxy', async () => {
  const heads: string[] = []
  const proxy = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      heads.push(data.toString('latin1'))
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const places = { PROMO_BASE_URL: 'https://service.test', HTTPS_PROXY: `http://127.0.0.1:${port}` }

  const ran = await runPromo(['vouchers', 'get', 'A'], temporaryFolder(), { ...profile, ...places })
  proxy.close()

  expect(ran).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('proxy') })
  expect(heads).toEqual([expect.stringMatching(/^CONNECT service\.test:443 HTTP\/1\.1\r\n/)])
})

test('no start imports a module of Node, which would load everything behind its members', () => {
  const built = globSync('dist/{main.js,chunks/*.js,commands/**/*.js}', { cwd: root })

  expect(built.length).toBeGreaterThan(100)
  expect(built.filter((file) => /(?:from|import)\s*["'`]node:/.test(readFileSync(join(root, file), 'utf8')))).toEqual(
    [],
  )
})

test('the expected names are those of built files, except libraries that are not bundled', () => {
  const chunks = readdirSync(join(root, 'dist/chunks'))

  expect(heavy.filter((name) => !chunks.some((chunk) => chunk.startsWith(`${name}-`)))).toEqual(['keyring'])
})
