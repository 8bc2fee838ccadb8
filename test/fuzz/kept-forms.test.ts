// What promo keeps as JSON, with any member replaced: a line of the history, and a plan that was sealed again. What is malformed is
// named as such, and the rest is still read; nothing is a bug in promo.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type Plan, sealPlan } from '../../src/config/plan-file.ts'
import { holdsInTime } from '../support/fuzz.ts'
import { promoIn, type Ran, temporaryFolder } from '../support/promo.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)
const root = join(folder, 'shop')
const planFile = join(folder, 'plan.json')
let lines: string[]
let plan: Plan

beforeAll(async () => {
  const sandbox = ['--profile', 'sandbox']
  await promo(['loyalty', 'points', 'add', 'CLUB-001', '--points', '5', '--yes', ...sandbox])
  await promo(['categories', 'create', '--name', 'One', '--hierarchy', '1', ...sandbox])
  await promo(['vouchers', 'disable', 'MORNING', 'WEEKEND', '--yes', ...sandbox])
  const { stdout } = await promo(['history', '--jsonl'])
  lines = stdout.trim().split('\n')
  mkdirSync(root)
  await promo(['config', 'pull', root, ...sandbox])
  const club = join(root, 'campaigns/bean-club.yaml')
  writeFileSync(club, readFileSync(club, 'utf8').replace('points: 300', 'points: 250'))
  writeFileSync(join(root, 'rules/new.yaml'), 'name: New\nrules: {}\n')
  await promo(['config', 'plan', root, '--out', planFile, ...sandbox])
  plan = JSON.parse(readFileSync(planFile, 'utf8'))
})

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    [],
    {},
    -1,
    1e308,
    '%zz',
    '9999-99-99',
    'constructor',
    '__proto__',
    '../../x',
  ),
  fc.constantFrom<unknown>({ $ref: 'constructor' }, { $ref: 1 }, { $id: [] }, { $env: 'PATH' }, [[]], {
    a: { b: [null] },
  }),
  fc.jsonValue(),
)

/** Replaces, removes or adds a member somewhere in a value. */
function changedAt(value: unknown, path: readonly number[], how: 'replace' | 'remove' | 'add', by: unknown): unknown {
  if (typeof value !== 'object' || value === null) return by
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  const names = Object.keys(copy)
  const [first = 0, ...rest] = path
  const name = names[first % Math.max(names.length, 1)]
  const added = String(Array.isArray(value) ? names.length : 'constructor')
  if (how === 'add' && rest.length === 0) copy[added] = by
  else if (name === undefined) return by
  else if (rest.length > 0) copy[name] = changedAt(copy[name], rest, how, by)
  else if (how === 'replace') copy[name] = by
  else if (Array.isArray(copy)) copy.splice(Number(name), 1)
  else delete copy[name]
  return copy
}

const change = fc.record({
  path: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
  how: fc.constantFrom('replace' as const, 'remove' as const, 'add' as const),
  by: odd,
})

function mustBeNoBug({ exitCode, stderr }: Ran): void {
  expect(stderr).not.toContain('a bug in promo')
  expect(exitCode).not.toBe(1)
}

test('any line of the history is read or counted as damaged, and the others are still listed', async () => {
  const place = temporaryFolder()
  const dir = join(place, 'state', 'history')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const own = promoIn(place)
  await holdsInTime(
    fc.asyncProperty(fc.nat(), change, async (at, { path, how, by }) => {
      const [line = ''] = lines.slice(at % lines.length)
      const odd = changedAt(JSON.parse(line), path, how, by)
      writeFileSync(join(dir, '2026-01-01.jsonl'), `${line}\n${JSON.stringify(odd)}\n${line}\n`, { mode: 0o600 })
      const { id } = JSON.parse(line)

      const runs = [
        await own(['history']),
        await own(['history', '--subject', 'CLUB-001', '--csv']),
        await own(['history', 'undo', id, '--dry-run', '--profile', 'sandbox']),
        await own(['history', 'undo', 'latest', '--dry-run', '--profile', 'sandbox']),
      ]
      for (const run of runs) mustBeNoBug(run)
      expect((await own(['history', '--jsonl'])).stdout).toContain(`"id":"${id}"`)
    }),
    60,
  )
})

test('any plan that was sealed again is applied or refused', async () => {
  await holdsInTime(
    fc.asyncProperty(change, async ({ path, how, by }) => {
      const { checksum: _, ...rest } = changedAt(plan, path, how, by) as Plan
      writeFileSync(planFile, JSON.stringify(sealPlan(rest)))

      mustBeNoBug(await promo(['config', 'apply', planFile, '--dry-run', '--profile', 'sandbox']))
      mustBeNoBug(await promo(['config', 'apply', planFile, '--yes', '--profile', 'sandbox']))
    }),
    60,
  )
})
