// What file systems of other platforms refuse: whole commands, with the name of the platform and the refusal played.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { onPlatform, type Refusal } from '../support/platform.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

const codes = ['EBUSY', 'EPERM', 'EACCES'] as const
const codesFile = join(temporaryFolder(), 'codes.csv')
writeFileSync(codesFile, 'code\nMORNING\nWEEKEND\n')
const job = ['vouchers', 'disable', '--from', codesFile, '--profile', 'sandbox', '--yes', '--quiet']

describe.each(codes)('a file that another program has open, which Windows refuses by %s,', (code) => {
  const open = (call: Refusal['call'], path: RegExp) => [{ call, path, code }]
  const inTwoMonths = { now: () => Date.now() + 60 * 86_400_000 }

  test('is kept by jobs prune, with a warning; elsewhere it would be an error', async () => {
    const folder = temporaryFolder()
    const promo = promoIn(folder)
    await promo(job)
    const journals = () => readdirSync(join(folder, 'state/jobs')).filter((name) => /^\d+-.*\.sqlite$/.test(name))
    const [journal = ''] = journals()

    const pruned = await onPlatform('win32', open('rm', /\.sqlite$/), () => promo('jobs prune --yes', inTwoMonths))
    const kept = journals()
    const elsewhere = await onPlatform('linux', open('rm', /\.sqlite$/), () => promo('jobs prune --yes', inTwoMonths))

    expect(pruned).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(`${journal}" is in use again and was kept`),
    })
    expect(kept).toEqual([journal])
    expect(elsewhere).toMatchObject({ exitCode: 10, stderr: expect.stringContaining('the journal cannot be removed') })
  })

  test('keeps jobs prune from nothing when it is the index of jobs', async () => {
    const folder = temporaryFolder()
    const promo = promoIn(folder)
    await promo(job)
    const [listed] = JSON.parse((await promo('jobs list --json')).stdout)

    const pruned = await onPlatform('win32', open('rmSync', /index\.sqlite$/), () =>
      promo('jobs prune --yes --csv --no-header --columns id', inTwoMonths),
    )

    expect(pruned).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`${listed.id}\n`) })
    expect((await promo('jobs list --json')).stdout).toBe('[]\n')
  })

  test('is no lock that is left, when a profile was written', async () => {
    const folder = temporaryFolder()
    const promo = promoIn(folder)
    const add = ['profiles', 'add', 'staging', '--insecure-storage', '--app-id', 'app-1', '--quiet']

    const added = await onPlatform('win32', open('rmSync', /settings\.lock$/), () => promo(add, { stdin: 'token-1' }))

    expect(added).toMatchObject({ exitCode: 0 })
    expect((await promo('profiles list --json --query [].name')).stdout).toContain('staging')
  })

  test('is not reset, and said to be in use', async () => {
    const folder = temporaryFolder()
    const promo = promoIn(folder)
    await promo('sandbox seed --quiet')

    const reset = await onPlatform('win32', open('rmSync', /sandbox\.db$/), () => promo('sandbox reset --yes'))

    expect(reset).toEnd(8, `sandbox.db" is in use by another process\ntry: stop that sandbox first\n`)
    expect(readdirSync(join(folder, 'state'))).toContain('sandbox.db')
  })

  test('is neither moved nor removed in a project of files', async () => {
    const folder = join(temporaryFolder(), 'shop')
    cpSync(join(root, 'examples/shop'), folder, { recursive: true })
    const promo = promoIn(temporaryFolder())
    const spare = join(folder, 'rewards/spare.yaml')
    const pull = ['config', 'pull', folder, '--profile', 'sandbox', '--yes', '--force', '--quiet']
    await promo(pull)
    cpSync(join(folder, 'rewards', readdirSync(join(folder, 'rewards'))[0] ?? ''), spare)

    const moved = await onPlatform('win32', open('renameSync', /parts\.yaml$/), () =>
      promo(`config mv rewards spare parts --dir ${folder}`),
    )
    const pulled = await onPlatform('win32', open('rmSync', /spare\.yaml$/), () => promo(pull))

    const refused = (what: string) =>
      `cannot ${what}: another program has it open\ntry: close it there, and run the command again\n`
    expect(moved).toMatchObject({
      exitCode: 10,
      stderr: expect.stringContaining(refused(`move "${spare}" to "${join(folder, 'rewards/parts.yaml')}"`)),
    })
    expect(pulled).toMatchObject({ exitCode: 10, stderr: expect.stringContaining(refused(`remove "${spare}"`)) })
  })

  test('is not replaced by --out, which says what to do', async () => {
    const folder = temporaryFolder()
    const promo = promoIn(folder)
    const target = join(folder, 'vouchers.csv')
    writeFileSync(target, 'open in a spreadsheet')
    const list = ['vouchers', 'list', '--limit', '1', '--profile', 'sandbox', '--csv', '--out', target]

    expect(await onPlatform('win32', open('rename', /vouchers\.csv$/), () => promo(list))).toEnd(
      10,
      `cannot write "${target}": another program has it open\ntry: close it there, and run the command again\n`,
    )
    expect(readFileSync(target, 'utf8')).toBe('open in a spreadsheet')
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

test('a folder that cannot be synced, which Windows refuses, keeps no job from its end; elsewhere it does', async () => {
  const refusal = [{ call: 'open', path: /\/state\/jobs$/, code: 'EPERM' }] as const

  const onWindows = await onPlatform('win32', refusal, () => promoIn(temporaryFolder())(job))
  const onLinux = await onPlatform('linux', refusal, () => promoIn(temporaryFolder())(job))

  expect(onWindows.exitCode).toBe(0)
  expect(onLinux).toMatchObject({ exitCode: 10, stderr: expect.stringContaining('permission denied') })
})
