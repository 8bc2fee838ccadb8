// The steps of CONTRIBUTING "Add an endpoint", in a copy of the checkout: how many files a reading call with a command takes.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

const copy = temporaryFolder()
afterAll(() => rmSync(copy, { recursive: true }))

/** What is written by hand: in a file, before a text of it; a new file has none. */
const edits: [file: string, before: string, text: string][] = [
  [
    'src/contract/vouchers.ts',
    'export const getVoucher = ',
    `export const getEcho = endpoint('vouchers.echo', 'Get the echo of a voucher', {
  call: 'GET /v1/vouchers/{code}/echo',
  response: voucher.pick({ id: true, code: true }).extend({ object: voucher.shape.object }),
  source: 'docs/service/vouchers.md#get',
})

`,
  ],
  [
    'src/commands/vouchers/echo.ts',
    '',
    `import { readCommand } from '../../cli/declared/read.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { getEcho } from '../../contract/vouchers.ts'
import { echoColumns } from '../../output/columns/vouchers.ts'

export default readCommand('Show the echo of a voucher', {
  examples: ['promo vouchers echo WELCOME-001 --profile sandbox', 'promo vouchers echo MORNING --json --profile sandbox'],
  calls: [getEcho],
  columns: echoColumns,
  args: { code: argument('a voucher code or a voucher id') },
  request: ({ args }) => ({ path: { code: args.code } }),
})
`,
  ],
  [
    'src/output/columns/vouchers.ts',
    'import ',
    "import { getEcho } from '../../contract/vouchers.ts'\nexport const echoColumns = columnsOf(getEcho.response, { first: 'code* id*' })\n",
  ],
  [
    'src/sandbox/routes/vouchers.ts',
    'routeFor(contract.getVoucher,',
    "routeFor(contract.getEcho, ({ id, code }) => ({ id, code, object: 'voucher' })),\n    ",
  ],
  ['test/support/command-lines.ts', "'vouchers:enable': ", "'vouchers:echo': lineOf('C'),\n  "],
]

test('a new call that reads, with a command, takes at most six files by hand', () => {
  for (const name of ['bin', 'docs', 'examples', 'src', 'test', '.oclif.manifest.json', 'CHANGELOG.md', 'README.md'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts', 'CONTRIBUTING.md'])
    cpSync(join(root, name), join(copy, name))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const [file, before, text] of edits) {
    const path = join(copy, file)
    const old = before === '' ? '' : readFileSync(path, 'utf8')
    expect(old).toContain(before)
    writeFileSync(
      path,
      old.replace(before, (found) => text + found),
    )
  }

  const run = (...argv: string[]) => execFileSync(process.execPath, argv, { cwd: copy, encoding: 'utf8' })
  run('bin/build.ts')
  const vitest = (...files: string[]) => run('node_modules/vitest/vitest.mjs', 'run', '--project', 'tests', ...files)
  const walks = ['declared-calls', 'discovery'].map((name) => `test/commands/${name}.test.ts`)
  const passed = vitest(
    ...walks,
    'test/unit/contract',
    'test/unit/sandbox/http/openapi.test.ts',
    'test/unit/output/columns',
  )

  expect(passed).toContain('passed')
  expect(run('bin/run.js', 'vouchers', 'echo', 'MORNING', '--profile', 'sandbox')).toContain('MORNING')
  expect(edits.length).toBeLessThanOrEqual(6)
})
