// Columns of metadata follow the metadata schema of the project, on every command that takes them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openPathsOf } from '../../src/cli/request/body.ts'
import { keysFor } from '../support/command-lines.ts'
import { allCommands, promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)
const sandbox = ['--profile', 'sandbox']

const properties = {
  zip: { type: 'string', optional: true },
  cups: { type: 'number', optional: true, lt: 100 },
  fresh: { type: 'boolean', optional: true },
  day: { type: 'date', optional: true },
  tags: { type: 'string', array: true, optional: true },
}

/** What metadata a command writes, its arguments, and the columns of a row beside it. */
const commands: Record<string, [kind: string, args: string[], columns: Record<string, string>]> = {
  'campaigns vouchers add': ['voucher', ['Welcome'], { code: 'META-1' }],
  'customers create': ['customer', [], { source_id: 'meta-1' }],
  'customers update': ['customer', [], { source_id: 'shop-1001' }],
  'loyalty rewards redeem': [
    'redemption',
    ['--reward', 'Pay with points', '--points', '20', '--amount', '5000'],
    { code: 'CLUB-004' },
  ],
  'publications create': ['publication', ['--campaign', 'Welcome'], { customer: 'shop-1002' }],
  'redemptions create': ['redemption', ['--amount', '5000'], { code: 'BEANS10' }],
  'redemptions rollback': ['redemption', [], { id: '' }],
  'referrals holders add': ['customer', ['FRIEND-001'], { source_id: 'meta-2' }],
  'vouchers create': ['voucher', ['--percent-off', '10'], { code: 'META-2' }],
  'vouchers update': ['voucher', [], { code: 'MORNING' }],
}

beforeAll(async () => {
  for (const kind of ['voucher', 'customer', 'publication', 'redemption', 'order']) {
    const body = JSON.stringify({ related_object: kind, allow_defined_only: kind === 'voucher', properties })
    const made = await promo(['metadata', 'schemas', 'create', '--body', body, '--yes', ...sandbox])
    expect(made.exitCode, made.stderr).toBe(0)
  }
  const redeemed = await promo(['redemptions', 'create', 'BEANS10', '--amount', '5000', '--yes', '--json', ...sandbox])
  Object.assign(commands['redemptions rollback']?.[2] ?? {}, { id: /r_[0-9a-f]+/.exec(redeemed.stdout)?.[0] })
})

function fileOf(name: string, rows: Record<string, string>[]): string {
  const file = join(folder, `${name.replaceAll(' ', '-')}.csv`)
  const lines = rows.map((row) => Object.values(row).map((cell) => `"${cell.replaceAll('"', '""')}"`))
  writeFileSync(file, [Object.keys(rows[0] ?? {}), ...lines].map((cells) => `${cells.join(',')}\n`).join(''))
  return file
}

test('the table has every command whose rows have metadata', async () => {
  const classes = (await allCommands()).filter(
    ({ id, Class: { flags, calls } }) =>
      'from' in flags &&
      id !== 'events:send' &&
      id !== 'validate:redeemables' &&
      calls !== 'any' &&
      calls.some(({ body }) => body && openPathsOf(body)(['metadata', 'x'])),
  )

  expect(Object.keys(commands)).toEqual(expect.arrayContaining(classes.map(({ id }) => id.replaceAll(':', ' '))))
})

test.each(Object.entries(commands))('%s sends what the schema says', async (name, [kind, args, columns]) => {
  const good = {
    ...columns,
    'metadata.zip': '01234',
    'metadata.cups': '3',
    'metadata.fresh': 'TRUE',
    'metadata.day': '2026-05-01',
    'metadata.tags': '["a"]',
  }
  const numbers = { ...good, 'metadata.zip': '90210' }
  const sent = await promo([
    ...name.split(' '),
    ...args,
    '--from',
    fileOf(name, [numbers]),
    '--yes',
    '--journal',
    join(folder, name),
    '--verbose',
    ...sandbox,
  ])
  const refused = await promo([
    ...name.split(' '),
    ...args,
    '--from',
    fileOf(`${name} bad`, [good, { ...good, 'metadata.cups': '100' }]),
    '--yes',
    '--verbose',
    ...sandbox,
  ])

  expect(sent.stderr).not.toContain('Metadata validation failed')
  expect(sent.exitCode, sent.stderr).toBe(0)
  expect(refused.exitCode, refused.stderr).toBe(2)
  expect(refused.stderr).toContain(
    `line 3, column "metadata.cups": "100" must be < 100, by the metadata schema of ${kind}`,
  )
  expect(refused.stderr).not.toMatch(/^> (?:POST|PUT)/m)
})

test('a job sends what it read of a schema that is gone by then; nothing of it is a column of its report', async () => {
  const row = { 'metadata.zip': '90210' }
  const file = fileOf('kept', [
    { code: 'NOBODY', ...row },
    { code: 'WEEKEND', ...row },
  ])
  const journal = join(folder, 'kept')
  const flags = ['--from', file, '--journal', journal, '--max-errors', '0', '--concurrency', '1', '--yes', ...sandbox]
  const stopped = await promo(['vouchers', 'update', ...flags])
  const schemas = await promo(['metadata', 'schemas', '--json', ...sandbox])
  const { id } = JSON.parse(schemas.stdout).find((one: { related_object: string }) => one.related_object === 'voucher')
  await promo(['metadata', 'schemas', 'delete', id, '--yes', ...sandbox])

  await promo(['jobs', 'resume', journal, '--yes'])
  const kept = await promo(['vouchers', 'get', 'WEEKEND', '--json', ...sandbox])
  const report = await promo(['jobs', 'report', journal, '--csv'])
  const after = await promo([
    ...'vouchers update --from'.split(' '),
    fileOf('after', [{ code: 'PAUSED', ...row }]),
    '--yes',
    ...sandbox,
  ])
  const number = await promo(['vouchers', 'get', 'PAUSED', '--json', ...sandbox])

  expect(stopped.exitCode).toBe(7)
  expect(JSON.parse(kept.stdout).metadata.zip).toBe('90210')
  expect(report.stdout).toMatch(/^code,metadata\.zip,promo_line,promo_state,/)
  expect(report.stdout).not.toContain('promo_metadata')
  expect([after.exitCode, JSON.parse(number.stdout).metadata.zip]).toEqual([0, 90_210])
})

test('a dry run reads no schema and says so; where the key may not read it, cells are read as without one', async () => {
  const file = fileOf('scoped', [{ source_id: 'meta-9', 'metadata.cups': 'many' }])
  const create = ['customers', 'create', '--from', file, '--yes', '--verbose']
  const dry = await promo([...create, '--dry-run', ...sandbox])
  await using server = await scriptedServer((request) =>
    request.method === 'GET'
      ? answer(403, { code: 403, key: 'missing_required_scope', message: 'no' })
      : answer(200, { id: 'cust_1' }),
  )
  const scoped = await promo(create, { env: keysFor(server.origin) })

  expect(dry.stderr).toContain('the metadata schema of the project is read, and followed, before anything is sent\n')
  expect(dry.stderr).not.toContain('> GET')
  expect(scoped.stderr).toContain('warning: metadata is read without the schema of the project, which cannot be read: ')
  expect(scoped.stderr).toMatch(/^> POST .*\/v1\/customers$/m)
})
