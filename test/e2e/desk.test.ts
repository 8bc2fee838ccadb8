// A night of an operator and an afternoon of a support desk, as chains of what README and --help show: against a service of
// its own, in one folder, each step with what the step before it printed; what is killed, and what goes on after it, is a process.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ended, runPromo, startPromo } from '../support/child.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { scriptedServer } from '../support/scripted-server.ts'
import { type StartedSandbox, startedSandbox } from '../support/started-sandbox.ts'

/** With those of the demo project more than the service lists page by page. */
const many = 11_000

let folder: string
let sandbox: StartedSandbox

/** The words of a command line; texts may be quoted, and @ begins a file of the folder. */
const words = (line: string) =>
  (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", '').replace(/^@/, `${folder}/`))
const run = (line: string, stdin = '') => promoIn(folder)(words(line), { stdin })
const linesOf = (name: string) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')

beforeAll(async () => {
  sandbox = await startedSandbox()
})

beforeEach(async () => {
  folder = temporaryFolder()
  const { app_id, app_token } = sandbox.credentials
  await run(`profiles add live --base-url ${sandbox.url} --app-id ${app_id} --insecure-storage`, app_token)
})

afterAll(async () => await sandbox.close())

test('an operator imports a list, replaces the key of a killed job, finishes it, and exports everything', async () => {
  const codes = Array.from({ length: many }, (_, at) => `NIGHT-${at}`)
  const rows = codes.map((code) => `${code},DISCOUNT_VOUCHER,AMOUNT,500`)
  writeFileSync(join(folder, 'new.csv'), `Code,Voucher Type,Discount Type,Value\n${rows.join('\n')}\n`)
  writeFileSync(join(folder, 'leaked.csv'), `code\n${codes.slice(0, 2000).join('\n')}\n`)
  expect((await run('vouchers import @new.csv --wait --yes')).exitCode).toBe(0)

  const { stdout: token } = await run('token create --scope vouchers --raw')
  await run('profiles update live --keys', `access_token=${token}`)
  const killed = startPromo(words('vouchers disable --from @leaked.csv --rate 400/s --jsonl --yes'), folder)
  await once(killed.stdout, 'data')
  killed.kill('SIGKILL')
  await ended(killed)
  const resumed = startPromo(words('jobs resume --jsonl --yes'), folder)
  const refusal = ended(resumed)
  // Past what the killed process had begun, which a refusal would leave unknown.
  for (let rows = 0; rows < 200; ) rows += String((await once(resumed.stdout, 'data'))[0]).split('\n').length - 1
  await run('token revoke --token-file -', token)
  const refused = await refusal

  expect(refused.exitCode).toBe(4)
  const next = /promo (profiles update live --keys)"/.exec(refused.stderr)?.[1] ?? 'no next step'
  expect((await run(next, sandbox.credentials.app_token)).exitCode).toBe(0)
  const finished = await run('jobs resume --yes')
  expect(finished.exitCode).toBe(0)
  expect(finished.stderr).toContain('disabled 2,000 vouchers')

  const listed = await run('vouchers list --csv --columns code,active --out @all.csv')
  expect(listed.stderr).toMatch(/^reading the list takes about \d+ requests$/m)
  const all = linesOf('all.csv').slice(1)
  expect(new Set(all).size).toBe(all.length)
  expect(all.filter((line) => /^NIGHT-\d+,/.test(line))).toHaveLength(many)
  expect(all.filter((line) => /^NIGHT-\d+,false$/.test(line))).toHaveLength(2000)
  await run('exports create vouchers --wait --yes --out @exported.csv')
  expect(linesOf('exported.csv')).toHaveLength(all.length + 1)
})

test('an operator disables a list of Excel and hands back a report that Excel opens', async () => {
  const list = 'Voucher Code;Kunde\r\nWELCOME-001 ;"Müller; Söhne"\r\nwelcome-002;Zoë\r\n'
  writeFileSync(join(folder, 'liste.csv'), Buffer.from(list, 'latin1'))

  const encoded = await run('vouchers disable --from @liste.csv --yes')
  const flags = /^try: (--encoding windows-1252)/m.exec(encoded.stderr)?.[1] ?? 'no next step'
  const trimmed = await run(`vouchers disable --from @liste.csv --yes ${flags}`)
  const trim = /^try: (--trim) /m.exec(trimmed.stderr)?.[1] ?? 'no next step'
  const disabled = await run(`vouchers disable --from @liste.csv --yes ${flags} ${trim}`)
  const [, job = ''] = /promo jobs report (\S+)/.exec(disabled.stderr) ?? []
  await run(`jobs report ${job} --excel --columns code,Kunde,promo_state --out @report.csv`)

  expect([encoded.exitCode, trimmed.exitCode, disabled.exitCode]).toEqual([2, 2, 3])
  expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe(
    '\ufeffVoucher Code;Kunde;promo_state\r\nWELCOME-001;"Müller; Söhne";ok\r\nwelcome-002;Zoë;failed\r\n',
  )
})

test('support finds a customer, sees why points are missing, corrects the balance and rolls a redemption back', async () => {
  const till = await run('redemptions create GIFT-003 --amount 4000 --customer source_id=shop-1002 --json')
  const found = await run('customers find customer2@example.com --query [].source_id --format text')
  const customer = found.stdout.trim()
  const page = await run(`customers show ${customer}`)
  const [, card = ''] = /^ {2}(CLUB-\d+) +LOYALTY_CARD/m.exec(page.stdout) ?? []
  const before = await run(`loyalty transactions list --card ${card} --columns details.balance.points,type,reason`)
  const added = await run(`loyalty points add ${card} --points 50 --reason 'Order 2001 was not counted' --yes`)
  const after = await run(`loyalty cards get ${card} --columns loyalty_card.balance --no-header`)
  const [, redemption = ''] = / GIFT-003 +2500 credits .*?(r_\w+)$/m.exec(page.stdout) ?? []
  const rolledBack = await run(`redemptions rollback ${redemption} --reason 'wrong customer' --yes`)
  const { stdout: history } = await run('history --limit 3 --columns command,subject,outcome --no-header')

  expect([till, found, page, before, added, after, rolledBack].map(({ exitCode }) => exitCode)).toEqual(
    Array(7).fill(0),
  )
  expect(customer).toBe('shop-1002')
  expect(before.stdout).toMatch(/POINTS_ACCRUAL/)
  expect(after.stdout).toBe('183\n')
  expect(history).toMatch(
    new RegExp(
      `^redemptions rollback +${redemption} +applied\nloyalty points add +${card} +applied\nredemptions create +${redemption} +applied\n$`,
    ),
  )
})

test.each(
  ['/v1/publications', '/transfers', '/disable'].flatMap((call) => [
    { call, arrives: false },
    { call, arrives: true },
  ]),
)('a replacement killed while $call is sent (arrived: $arrives) is completed once', async ({ call, arrives }) => {
  const lost = `LOST${call.replaceAll('/', '-')}-${arrives}`
  const { app_id, app_token } = sandbox.credentials
  const keys = { PROMO_APP_ID: app_id, PROMO_APP_TOKEN: app_token }
  const head = { 'x-app-id': app_id, 'x-app-token': app_token, 'content-type': 'application/json' }
  await run(`campaigns vouchers add 'Bean Club' ${lost} SPARE-${lost} --yes`)
  await run(`publications create --voucher ${lost} --customer source_id=${lost} --no-join-once --yes`)
  await run(`loyalty points add ${lost} --points 82 --yes`)
  const argv = words(`loyalty cards replace ${lost} --yes --json`)
  let kill = () => {}
  const proxy = await scriptedServer(async ({ method, url, body }) => {
    const isLast = method === 'POST' && url.split('?')[0]?.endsWith(call) === true
    const sent =
      !isLast || arrives
        ? await fetch(`${sandbox.url}${url}`, { method, headers: head, ...(body !== '' && { body }) })
        : undefined
    if (!isLast) return { do: 'answer', status: sent?.status ?? 500, body: await sent?.json() }
    kill()
    return { do: 'stall' }
  })
  const child = startPromo(argv, folder, { ...keys, PROMO_BASE_URL: proxy.origin })
  kill = () => child.kill('SIGKILL')

  const killed = await ended(child)
  await proxy[Symbol.asyncDispose]()
  const completed = await runPromo(argv, folder, { ...keys, PROMO_BASE_URL: sandbox.url })
  const publications = await run(`publications list --source-id replacement-of-${lost} --csv --columns voucher.code`)
  const cards = await run(
    `loyalty cards list 'Bean Club' --customer ${lost} --csv --columns active,loyalty_card.balance --order created_at`,
  )

  expect([killed.signal, completed.exitCode]).toEqual(['SIGKILL', 0])
  expect(publications.stdout.trimEnd().split('\n')).toHaveLength(2)
  expect(cards.stdout.trimEnd().split('\n').slice(1).toSorted()).toEqual(['false,0', 'true,82'])
})
