import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CommandLines, keysFor, lines, notFound } from '../support/command-lines.ts'
import { needing } from '../support/programs.ts'
import { classOf, promoIn, temporaryFolder, testHome } from '../support/promo.ts'
import { type Action, answer, scriptedServer } from '../support/scripted-server.ts'

const home = testHome()
const { promo } = home
/** The commands that take a reason, with the first of their least lines. */
const withReason: [string, CommandLines][] = []
for (const [id, [line]] of Object.entries(lines)) {
  if ('reason' in ((await classOf(id)).flags ?? {})) withReason.push([id.replaceAll(':', ' '), line as CommandLines])
}

const onSandbox = ['--profile', 'sandbox']

const historyFolder = () => join(home.folder, 'state', 'history')
const today = () => join(historyFolder(), `${new Date().toISOString().slice(0, 10)}.jsonl`)

async function changes(...argv: string[]): Promise<Record<string, unknown>[]> {
  return JSON.parse((await promo(['history', '--json', ...argv])).stdout)
}

/** Disables a voucher of a service that answers in these ways. */
async function disable(script: Action[], ...argv: string[]) {
  await using server = await scriptedServer(script)
  const env = { PROMO_BASE_URL: server.origin, PROMO_APP_ID: 'application-1', PROMO_APP_TOKEN: 'secret-token-1' }
  return await promo(['vouchers', 'disable', 'CODE-1', ...argv], { env })
}

describe('history', () => {
  test('is in the order in which it was recorded, also where the clock went back', async () => {
    mkdirSync(historyFolder(), { recursive: true, mode: 0o700 })
    const line = (id: string, time: string, outcome: string) =>
      `${JSON.stringify({ id, at: `2026-01-02T${time}.000Z`, command: 'vouchers disable', profile: 'p', project: null, service: 's', subject: null, outcome })}\n`
    const lines = [
      line('one', '10:00:00', 'began') + line('one', '10:00:00', 'applied'),
      line('two', '12:00:00', 'began') + line('three', '09:00:00', 'began'),
      line('three', '09:00:00', 'applied') + line('two', '12:00:00', 'applied'),
    ]
    writeFileSync(join(historyFolder(), '2026-01-02.jsonl'), lines.join(''), { mode: 0o600 })

    expect((await changes()).map(({ id }) => id)).toEqual(['three', 'two', 'one'])
  })

  test('of a clock that went back over midnight begins with what was recorded last', async () => {
    for (const at of ['2026-01-03T00:00:10Z', '2026-01-02T23:59:50Z'])
      await promo(['categories', 'create', '--name', at, '--hierarchy', '1', ...onSandbox], {
        now: () => Date.parse(at),
      })

    const [latest] = await changes('--limit', '1')

    expect(latest).toMatchObject({ at: '2026-01-02T23:59:50.000Z' })
  })

  test('reads no day before those of the changes that a table shows', async () => {
    mkdirSync(historyFolder(), { recursive: true, mode: 0o700 })
    const line = (at: string, id: string, more: object = {}) =>
      `${JSON.stringify({ id, at, command: 'vouchers disable', profile: 'live', project: null, service: 's', subject: id, outcome: 'applied', ...more })}\n`
    const put = (day: string, text: string) =>
      writeFileSync(join(historyFolder(), `${day}.jsonl`), text, { mode: 0o600 })
    put('2026-01-01', 'damaged\n')
    const many = Array.from({ length: 49 }, (_, n) => line(`2026-01-02T10:00:${n + 10}.000Z`, `b-${n}`))
    put('2026-01-02', [...many, line('2026-01-02T23:00:00.000Z', 'job J', { job: 'J', outcome: 'began' })].join(''))
    put('2026-01-03', line('2026-01-02T23:00:00.000Z', 'job J', { outcome: 'done' }))

    const table = await promo('history --columns subject,outcome --no-header')
    const fifty = await promo('history --limit 49 --columns subject,outcome --no-header')
    const everything = await promo('history --json')

    expect(table.stdout.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^job J +done$/),
      expect.stringMatching(/^b-48 +applied$/),
    ])
    expect(table.stderr).toContain('1 line of the history cannot be read')
    expect(fifty.stdout.split('\n')).toHaveLength(50)
    expect(fifty.stderr).toBe('')
    expect(JSON.parse(everything.stdout)[0]).toMatchObject({ id: 'job J', job: 'J', outcome: 'done' })
  })

  test('says who changed what to what, and why', async () => {
    const env = { PROMO_ACTOR: 'ann@shop.example' }
    const reason = ['--reason', 'Order 2001 was not counted']
    await promo(['loyalty', 'points', 'add', 'CLUB-002', '--points', '60', ...reason, '--yes', ...onSandbox], { env })
    const move = ['CLUB-002', '--to', 'CLUB-006', '--points', '18', '--campaign', 'Bean Club', '--reason', 'Lost card']
    await promo(['loyalty', 'points', 'transfer', ...move, '--yes', ...onSandbox], { env })
    await promo('vouchers balance remove GIFT-001 --amount 1000 --yes --profile sandbox', { env })
    await promo('vouchers disable GIFT-001 --profile sandbox', { env: { PROMO_REASON: 'ticket 4711' } })

    const all = await changes()
    const table = await promo('history --columns by,subject,change,reason --no-header')

    expect(all.map(({ by, reason, before, after }) => ({ by, reason, before, after }))).toEqual([
      { by: userInfo().username, reason: 'ticket 4711', after: { active: false } },
      { by: 'ann@shop.example', before: { balance: 5000 }, after: { balance: 4000 } },
      { by: 'ann@shop.example', reason: 'Lost card', before: { balance: 0 }, after: { balance: 18 } },
      {
        by: 'ann@shop.example',
        reason: 'Order 2001 was not counted',
        before: { balance: 118 },
        after: { balance: 178 },
      },
    ])
    expect(table.stdout).toMatch(/^ann@shop.example +CLUB-002 +118 → 178 +Order 2001 was not counted$/m)
    expect(table.stdout).toMatch(/ GIFT-001 +off +ticket 4711$/m)
  })

  test('is limited to what happened to one thing, by its name in the line, the answer or the path', async () => {
    await promo('loyalty points add CLUB-002 --points 5 --yes --profile sandbox')
    await promo('loyalty points add CLUB-003 --points 5 --yes --profile sandbox')
    await promo('vouchers disable CLUB-003 --profile sandbox')

    const { stdout } = await promo('history --subject CLUB-003 --json --query [].command')

    expect(JSON.parse(stdout)).toEqual(['vouchers disable', 'loyalty points add'])
  })

  test.each([
    ['the key of a row', 'CLUB-002', 'code\nCLUB-001\nCLUB-002\n', ['loyalty', 'points', 'add', '--points', '5'], 'ok'],
    [
      'another column',
      'shop-1004',
      'code,owner\nMORNING,shop-1003\nWEEKEND,shop-1004\nNONE-1,shop-1004\n',
      ['vouchers', 'disable'],
      'ok, failed',
    ],
    [
      'what the service made for a row',
      'cust_ofrow',
      'source_id,name\nnew-1,Ann\n',
      ['customers', 'create'],
      'ok',
      'promo customers get new-1 --columns id --csv --no-header',
    ],
  ])('looks for one thing in the rows of jobs too: %s', async (_, typed, csv, argv, outcomes, named?: string) => {
    const from = join(home.folder, 'rows.csv')
    writeFileSync(from, csv)
    await promo([...argv, '--from', from, '--yes', ...onSandbox])
    const id = named && (await promo([...named.split(' ').slice(1), ...onSandbox])).stdout.trim()
    const subject = id ?? typed

    const [change, ...others] = await changes('--subject', subject)
    const table = await promo(['history', '--subject', subject], { terminal: { columns: 120 } })
    const nothing = await changes('--subject', 'CLUB-00')

    expect([change, others, nothing]).toEqual([expect.objectContaining({ subject, job: expect.any(String) }), [], []])
    expect(table.stdout).toContain(`${subject}: ${outcomes}, of `)
  })

  test('says which jobs it could not look into for one thing', async () => {
    const from = join(home.folder, 'codes.txt')
    writeFileSync(from, 'MORNING\nWEEKEND\n')
    await promo(`vouchers disable --from ${from} --yes --profile sandbox`)
    const [{ job } = {}] = await changes()
    for (const name of readdirSync(join(home.folder, 'state', 'jobs')))
      if (name.startsWith(String(job))) rmSync(join(home.folder, 'state', 'jobs', name))

    const { stdout, stderr } = await promo('history --subject MORNING --json')

    expect([stdout, stderr]).toEqual([
      '[]\n',
      `not looked into: 1 job whose journals are not in the state folder, or damaged: ${String(job)}\n`,
    ])
  })

  test('has the time, the command, the subject, the change, the outcome and the reason on 80 columns', async () => {
    await promo('loyalty points add CLUB-002 --points 60 --reason A --yes --profile sandbox')
    await promo('categories update cat_19b8d627a800000001 --name A --hierarchy 7 --profile sandbox')

    const { stdout } = await promo('history', { terminal: { columns: 80 }, env: { NO_COLOR: '1' } })

    expect(stdout).toMatch(/^20\d\d-\d\d-\d\d.* loyalty .*CLUB-002 +118 → 178 +applied +A$/m)
    expect(stdout).toMatch(/^20\d\d.* categories +cat_19b8d627a800000001 +changed +applied$/m)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('stays a table on 80 columns when a card was replaced, with several words on two lines', async () => {
    await promo('campaigns vouchers add "Bean Club" --count 1 --yes --profile sandbox')
    await promo('loyalty cards replace CLUB-003 --yes --profile sandbox')

    const { stdout } = await promo('history', { terminal: { columns: 80 }, env: { NO_COLOR: '1' } })

    expect(stdout).toMatch(/ camp_19b8d627a800000004 +0 → 250 +applied +replaced\n.* CLUB-\w+$/m)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('names the codes of a redemption that was refused', async () => {
    await promo('redemptions create XMAS2025 BEANS10 --amount 4000 --yes --profile sandbox')

    const { stdout } = await promo('history --columns command,subject,outcome --no-header')

    expect(stdout).toBe('redemptions create  XMAS2025 BEANS10  refused\n')
  })

  test('has a line for every write, with its command, project, subject and request id, newest first', async () => {
    await promo('vouchers disable WELCOME-001 --profile sandbox')
    await promo('customers create --set name=Confidential --profile sandbox')
    await promo('webhooks create --url https://shop.example/ --event voucher.* --profile sandbox')
    await promo('api POST /v1/vouchers/WELCOME-001/enable?token=abc --profile sandbox')
    await promo('api GET /v1/vouchers --profile sandbox')

    const table = await promo('history --columns command,subject,outcome')
    const all = await changes()

    expect(table.stdout).toMatch(
      /^command +subject +outcome\napi +WELCOME-001 +applied\nwebhooks create +wh_\w+ +applied\ncustomers create +cust_\w+ +applied\nvouchers disable +WELCOME-001 +applied\n$/,
    )
    expect(all.at(-1)).toMatchObject({
      command: 'vouchers disable',
      profile: 'sandbox',
      project: expect.stringMatching(/^proj_/),
      service: 'sandbox',
      call: 'vouchers.disable',
      method: 'POST',
      path: '/v1/vouchers/WELCOME-001/disable',
      status: 200,
      request_id: expect.stringMatching(/^v-/),
    })
    const text = readFileSync(today(), 'utf8')
    for (const secret of ['Confidential', 'token=abc', 'shop.example']) expect(text).not.toContain(secret)
    expect([statSync(today()).mode & 0o777, statSync(historyFolder()).mode & 0o777]).toEqual([0o600, 0o700])
  })

  test('has one line for a job, with the counts of its last run', async () => {
    const argv = ['vouchers', 'disable', 'NOPE-1', 'NOPE-2', 'WELCOME-001', '--concurrency', '1', ...onSandbox, '--yes']
    await promo([...argv, '--max-errors', '0'])
    const [stopped] = await changes()
    await promo(argv)

    const all = await changes()

    expect(stopped).toMatchObject({ rows: 3, outcome: 'stopped', counts: { failed: 1, pending: 2 } })
    expect(all).toMatchObject([{ job: stopped?.job, rows: 3, outcome: 'done', counts: { ok: 1, failed: 2 } }])
    const { stdout } = await promo('history --columns command,subject --no-header')
    expect(stdout).toBe('vouchers disable  3 rows, 2 refused\n')
  })

  test.each(withReason)('has the --reason of %s with every change that it makes', async (command, line) => {
    const [words, goesOn] = line
    await using server = await scriptedServer((asked, index) => goesOn?.(asked, index) ?? notFound)
    const argv = [...command.split(' '), ...words.split(' '), '--reason', 'Ticket 4711', '--yes']

    await promo(argv, { env: { ...keysFor(server.origin), PROMO_REASON: 'of the shell' } })

    const reasons = (await changes()).map(({ reason }) => reason)
    expect([...new Set(reasons)]).toEqual(['Ticket 4711'])
  })

  test('has the reason of a job', async () => {
    await promo('loyalty points add CLUB-001 CLUB-002 --points 5 --reason Late --yes --profile sandbox')

    expect(await changes()).toMatchObject([{ job: expect.any(String), reason: 'Late' }])
  })

  test('names a redemption by its id, and a stacked one by what rolls all of it back', async () => {
    const till = (...codes: string[]) => ['redemptions', 'create', ...codes, '--amount', '4000', '--json', ...onSandbox]
    const one = JSON.parse((await promo(till('WELCOME-008'))).stdout)
    const two = JSON.parse((await promo(till('WELCOME-007', 'SORRY5'))).stdout)

    const { stdout } = await promo('history --columns subject --no-header')

    expect(stdout).toBe(`${two.parent_redemption.id}\n${one.redemptions[0].id}\n`)
  })

  test('leaves out what was only shown or declined', async () => {
    await promo('vouchers disable WELCOME-001 --dry-run --profile sandbox')
    await promo('vouchers delete WELCOME-001 --profile sandbox', { stdin: '' })
    await promo('validate redeemables WELCOME-001 --amount 1000 --profile sandbox')

    const { stdout, stderr } = await promo('history')

    expect([stdout, stderr]).toEqual(['', 'no changes found\n'])
  })

  test('says what was refused, what was not sent, and what may have been applied', async () => {
    const refused = answer(
      403,
      { code: 403, key: 'forbidden', message: 'No secret-token-1' },
      { 'x-request-id': 'r-1' },
    )
    await disable([refused])
    await disable([{ do: 'reset' }], '--retries', '0')

    expect(await changes()).toMatchObject([
      { outcome: 'unknown', subject: 'CODE-1' },
      { outcome: 'refused', status: 403, request_id: 'r-1', profile: 'environment', project: null },
    ])
    expect(readFileSync(today(), 'utf8')).not.toContain('secret-token-1')
  })

  test('shows a write that was killed as begun, and goes on after a line that was cut off', async () => {
    await promo('vouchers disable WELCOME-001 --profile sandbox')
    const [begun = ''] = readFileSync(today(), 'utf8').split('\n')
    writeFileSync(today(), `${begun}\n${begun.slice(0, 50)}`)
    await promo('vouchers disable WELCOME-002 --profile sandbox')

    const { stdout, stderr } = await promo('history --csv --columns subject,outcome')

    expect(stdout).toBe('subject,outcome\nWELCOME-002,applied\nWELCOME-001,began\n')
    expect(stderr).toBe('warning: 1 line of the history cannot be read\n')
  })

  test('goes on after a hole that a loss of power left, whatever its size', async () => {
    await promo('vouchers disable WELCOME-001 --profile sandbox')
    truncateSync(today(), 2 ** 30)
    await promo('vouchers disable WELCOME-002 --profile sandbox')

    const { stdout, stderr } = await promo('history --csv --columns subject,outcome')

    expect(stdout).toBe('subject,outcome\nWELCOME-002,applied\nWELCOME-001,applied\n')
    expect(stderr).toBe('warning: 1 line of the history cannot be read\n')
  })

  test('never makes a write fail: what cannot be recorded is one warning', async () => {
    mkdirSync(join(home.folder, 'state'), { recursive: true })
    writeFileSync(historyFolder(), 'in the way')

    const { exitCode, stderr } = await promo('vouchers disable WELCOME-001 --profile sandbox')
    const job = await promo('vouchers disable WELCOME-001 WELCOME-002 --yes --profile sandbox')
    const reading = await promo('history')

    expect([exitCode, job.exitCode]).toEqual([0, 0])
    expect(stderr.match(/warning: the history of this computer cannot be written/g)).toHaveLength(1)
    expect(reading).toEnd(10, 'cannot be read: its folder is a file')
  })

  test.each([
    ['a pipe', 'is not a file', () => void execFileSync('mkfifo', ['-m', '600', today()])],
    ['a link', 'is a symbolic link', () => symlinkSync(join(home.folder, 'elsewhere'), today())],
  ])(
    'is neither written to nor waited for where its file is %s',
    { ...needing('mkfifo') },
    async (_, problem, make) => {
      mkdirSync(historyFolder(), { recursive: true })
      writeFileSync(join(home.folder, 'elsewhere'), 'as it was')
      make()

      const { exitCode, stderr } = await promo('vouchers disable WELCOME-001 --profile sandbox')
      const reading = await promo('history')

      expect(exitCode).toBe(0)
      expect(stderr.match(/warning: the history of this computer cannot be written/g)).toHaveLength(1)
      expect(reading).toEnd(4, problem)
      expect(readFileSync(join(home.folder, 'elsewhere'), 'utf8')).toBe('as it was')
    },
  )

  test('keeps every line of writes that happen at the same time', async () => {
    const codes = Array.from({ length: 12 }, (_, at) => `CODE-${at}`)
    await using server = await scriptedServer(({ url }) =>
      answer(200, { id: 'v_1', code: url.split('/')[3], object: 'voucher', active: false }),
    )
    await Promise.all(codes.map((code) => promo(['vouchers', 'disable', code], { env: server.env })))

    const all = await changes()

    expect(new Set(all.map(({ subject }) => subject))).toEqual(new Set(codes))
    expect(all).toHaveLength(codes.length)
    expect(new Set(all.map(({ outcome }) => outcome))).toEqual(new Set(['applied']))
  })

  test('is read from the newest day, and no further than the latest change that an undo asks for', async () => {
    const line = {
      id: 'one',
      at: '2026-01-07T10:00:00.000Z',
      profile: 'live',
      command: 'orders create',
      outcome: 'applied',
    }
    mkdirSync(join(historyFolder(), '2026-01-05.jsonl'), { recursive: true })
    const undone = JSON.stringify({ ...line, id: 'two', at: '2026-01-07T11:00:00.000Z', command: 'history undo' })
    writeFileSync(join(historyFolder(), '2026-01-07.jsonl'), `${JSON.stringify(line)}\n${undone}\n`, { mode: 0o600 })

    const latest = await promo('history undo latest --yes')
    const named = await promo('history undo on --yes')

    expect(latest).toEnd(2, '"orders create" is not undone')
    expect(named).toEnd(4, '2026-01-05.jsonl" is not a file')
  })

  test('is limited to a time, a profile and a number', async () => {
    const line = (at: string, profile: string) =>
      `${JSON.stringify({ id: at, at, profile, command: 'vouchers disable', subject: at, outcome: 'applied' })}\n`
    mkdirSync(historyFolder(), { recursive: true })
    appendFileSync(join(historyFolder(), '2026-01-05.jsonl'), line('2026-01-05T10:00:00.000Z', 'live'), { mode: 0o600 })
    appendFileSync(join(historyFolder(), '2026-01-06.jsonl'), line('2026-01-06T10:00:00.000Z', 'test'), { mode: 0o600 })
    appendFileSync(join(historyFolder(), '2026-01-07.jsonl'), line('2026-01-07T10:00:00.000Z', 'live'), { mode: 0o600 })
    const days = async (...argv: string[]) => (await changes(...argv)).map(({ at }) => String(at).slice(8, 10))

    expect(await days()).toEqual(['07', '06', '05'])
    expect(await days('--since', '2026-01-06')).toEqual(['07', '06'])
    expect(await days('--since', '2026-01-06T11:00:00Z')).toEqual(['07'])
    expect(await days('--profile', 'live')).toEqual(['07', '05'])
    expect(await days('--limit', '1')).toEqual(['07'])
  })
})

describe('history prune', () => {
  test('removes days that ended long ago, never the current one, and asks first', async () => {
    mkdirSync(historyFolder(), { recursive: true })
    for (const day of ['2026-01-05', '2026-04-04', '2026-04-05'])
      writeFileSync(join(historyFolder(), `${day}.jsonl`), '')
    const now = () => Date.parse('2026-04-05T12:00:00Z')
    const prune = ['history', 'prune', '--csv', '--columns', 'day']

    const dry = await promo([...prune, '--dry-run', '--older-than', '1h'], { now })
    const asked = await promo([...prune, '--older-than', '1h'], { now, stdin: '' })
    const byDefault = await promo([...prune, '--yes'], { now })
    const pruned = await promo([...prune, '--older-than', '1ms', '--yes'], { now })

    expect(dry.stdout).toBe('day\n2026-01-05\n2026-04-04\n')
    expect(asked).toEnd(11, 'remove 2 days of the history for good?')
    expect(byDefault.stdout).toBe('day\n')
    expect(pruned.stdout).toBe('day\n2026-01-05\n2026-04-04\n')
    expect(readdirSync(historyFolder())).toEqual(['2026-04-05.jsonl'])
  })
})

test.each([80, 160])('a table of %i columns shows the id that history undo takes', async (columns) => {
  const here = promoIn(temporaryFolder())
  await here('segments create --name VIP --type static --yes --profile sandbox')

  const { stdout } = await here('history', { terminal: { columns }, env: { NO_COLOR: '1' } })
  const [id = ''] = stdout.match(/[a-z\d]{8}-\d+-[a-z\d]{8}/) ?? []
  const undone = await here(`history undo ${id} --yes`)

  expect([undone.exitCode, undone.stdout], undone.stderr).toEqual([0, expect.stringContaining('seg_')])
})
