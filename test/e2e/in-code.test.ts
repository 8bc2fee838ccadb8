// promo/sandbox as a shop's test suite uses it: the examples run, and the types that are published are true.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/in-code.ts'
import { runProgram } from '../support/child.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

const examples = join(root, 'examples/testing')

test('the example for node:test passes', async () => {
  const { exitCode, stdout } = await runProgram(process.execPath, ['--test', join(examples, 'shop.node-test.mjs')])

  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/pass 2\b/)])
})

test('the example for vitest passes', async () => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')

  // Its own limits, of five and ten seconds, are those of an idle machine.
  const limits = ['--testTimeout', '300000', '--hookTimeout', '300000']

  const { exitCode, stdout } = await runProgram(process.execPath, [vitest, 'run', '--root', examples, ...limits])

  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/2 passed/)])
})

test('a Node without SQLite is named, from CommonJS too', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/promo'))
  const script =
    "require('promo/sandbox').startSandbox().then(({ url, close }) => { console.log(url); return close() }, ({ message }) => console.log(message))"
  writeFileSync(join(folder, 'shop.cjs'), script)

  const able = await runProgram(process.execPath, [join(folder, 'shop.cjs')])
  const unable = await runProgram(process.execPath, ['--no-experimental-sqlite', join(folder, 'shop.cjs')])

  expect(able.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/)
  expect(unable.stdout).toBe(
    `promo/sandbox needs Node 22.22, 24.15, or 26 and later, with its SQLite; this is ${process.version}\n`,
  )
})

test('the example for Python passes', needing('python3'), async () => {
  const env = { PROMO: `${process.execPath} ${join(root, 'bin/run.js')}` }

  const { exitCode, stderr } = await runProgram('python3', [join(examples, 'test_shop.py')], { env })

  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Ran 2 tests')])
})

test('the types take what the documents show, and refuse what does not exist', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/promo'))
  const block = /```js\n(import \{ startSandbox \}[\s\S]*?)```/.exec(
    readFileSync(join(root, 'docs/sandbox-for-tests.md'), 'utf8'),
  )?.[1]
  writeFileSync(join(folder, 'right.ts'), `const fixture = {}\n${block}\nexport { app_id, app_token, filled }\n`)
  const wrong = "import { startSandbox } from 'promo/sandbox'\nawait startSandbox({ colour: 'red' })\n"
  writeFileSync(join(folder, 'wrong.ts'), wrong)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const strict = '--noEmit --strict --module nodenext --target esnext --lib esnext --ignoreConfig --types'
  const checking = [...strict.split(' '), '']
  const check = (file: string) => runProgram(process.execPath, [tsc, ...checking, join(folder, file)])

  const [right, refused] = [await check('right.ts'), await check('wrong.ts')]

  expect([right.exitCode, right.stdout]).toEqual([0, ''])
  expect([refused.exitCode, refused.stdout]).toEqual([
    expect.any(Number),
    expect.stringContaining("'colour' does not exist"),
  ])
})

test('a sandbox goes back to a snapshot and to its beginning, and its projects see their own objects alone', async () => {
  await using sandbox = await startSandbox({ fixture: { customers: [{ source_id: 'ada' }] } })
  const customers = async ({ app_id, app_token } = sandbox.keys as { app_id: string; app_token: string }) => {
    const headers = { 'x-app-id': app_id, 'x-app-token': app_token, 'content-type': 'application/json' }
    const list = async () =>
      ((await (await fetch(`${sandbox.url}/v1/customers`, { headers })).json()) as { total: number }).total
    const add = async (source_id: string) => {
      await fetch(`${sandbox.url}/v1/customers`, { method: 'POST', headers, body: JSON.stringify({ source_id }) })
    }
    return { list, add }
  }
  const main = await customers()
  const other = await customers(await sandbox.project())

  await main.add('bob')
  const two = await sandbox.snapshot()
  await main.add('cleo')
  const three = [await main.list(), await other.list()]
  await two.load()
  const back = await main.list()
  await sandbox.reset()

  expect([three, back, await main.list()]).toEqual([[3, 0], 2, 1])
})

test('an option that does not exist, a key that is none and an unknown member are refused', async () => {
  await expect(startSandbox({ colour: 'red' } as never)).rejects.toThrow('"colour" is no option of a sandbox')
  await expect(startSandbox({ keys: { app_id: 'short', app_token: 'short' } })).rejects.toThrow('8 to 128 characters')
  await expect(startSandbox({ fixture: { vouchers: [{ code: 'F', new: 1 }] } })).rejects.toThrow('unknown member "new"')
})

test('the package names promo/sandbox and the program, and nothing else', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

  expect(Object.keys(exports)).toEqual(['./sandbox', './bin/run.js'])
})
