// Modules loaded at start: no command loads a library it does not use. Counts do not depend on the machine; times do.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bin } from '../support/child.ts'
import { temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

/** Runs promo and returns the built files it loaded, by the names of the libraries and parts bundled in them. */
function loadedFiles(argv: string[]): string[] {
  const folder = temporaryFolder()
  const list = join(folder, 'loaded.txt')
  const hook = `
    import { registerHooks } from 'node:module'
    import { appendFileSync } from 'node:fs'
    registerHooks({ load(url, context, next) {
      if (url.startsWith('file:')) appendFileSync(${JSON.stringify(list)}, url + '\\n')
      return next(url, context)
    } })`
  execFileSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, bin, ...argv], {
    env: { PATH: process.env.PATH, HOME: folder, PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'b' },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const files = readFileSync(list, 'utf8').trim().split('\n')
  return files.map((url) => url.slice(url.indexOf(root) + root.length + 1))
}

/** Names of built files: the bundler calls conf, inquirer, yaml and JMESPath `dist`, and the CSV libraries `sync`. */
const heavy = ['undici', 'embedded', 'keyring', 'row-store', 'new-job', 'JsBarcode', 'dist', 'sync']

test('--version loads the launcher and nothing else', () => {
  expect(loadedFiles(['--version'])).toEqual(['bin/run.js'])
})

test.each([
  ['--help', ['--help'], 14],
  ['vouchers disable --dry-run', ['vouchers', 'disable', 'X', '--dry-run'], 25],
] as const)('%s loads no library it does not use', (_name, argv, most) => {
  const files = loadedFiles([...argv])

  expect(files.filter((file) => heavy.some((name) => file.startsWith(`dist/chunks/${name}-`)))).toEqual([])
  expect(files.length).toBeGreaterThan(3)
  expect(files.length).toBeLessThanOrEqual(most)
})

test('the expected names are those of built files, except libraries that are not bundled', () => {
  const chunks = readdirSync(join(root, 'dist/chunks'))

  const missing = heavy.filter((name) => !chunks.some((chunk) => chunk.startsWith(`${name}-`)))

  expect(missing).toEqual(['keyring'])
})
