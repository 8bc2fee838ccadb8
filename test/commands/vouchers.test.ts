import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { startTestSandbox } from '../support/sandbox.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'
import { transcripts } from '../support/transcripts.ts'

const promo = promoIn(temporaryFolder())

beforeAll(async () => {
  await promo('profiles use sandbox')
})

describe('vouchers get', () => {
  transcripts(promo)(String.raw`
    # shows one voucher as a block of names and values
    $ vouchers get WELCOME-001
    > /^code +WELCOME-001$/m
    > /^active +true$/m
    # returns the service's own object in JSON, with every field
    $ vouchers get WELCOME-001 --json
    json {"code": "WELCOME-001", "object": "voucher", "is_referral_code": false}
    > "validation_rules_assignments":
    # an unknown code exits 3 and names the code and the request
    $ vouchers get NO-SUCH-CODE => 3
    =
    ! /404 not_found.*NO-SUCH-CODE.*request v-/s
    ! /^try: check that it is in project proj_\w+ of profile "sandbox"$/m
    # an unknown code is one JSON object on stderr where JSON was requested
    $ vouchers get NO-SUCH-CODE --json => 3
    problem {"kind": "api", "exit_code": 3, "retryable": false, "api": {"key": "not_found", "resource_type": "voucher"}}
  `)
})

describe('vouchers list', () => {
  transcripts(promo)(`
    # a table shows one page and reports that there is more
    $ vouchers list
    rows 51
    ! there are more: add --all, or --limit N
    # a table with all rows does not mention more
    $ vouchers list --code WELCOME-001
    rows 2
    !=
    # --limit crosses pages and requests no more than it needs
    $ vouchers list --limit 150 --jsonl --verbose
    rows 150
    sends 2
    # JSON, JSON Lines and CSV contain every row, of however many pages
    $ vouchers list --campaign 'Spring mailing' --json --query length(@)
    = 1000
    $ vouchers list --campaign 'Spring mailing' --jsonl
    rows 1000
    $ vouchers list --campaign 'Spring mailing' --csv
    rows 1001
    # --query applies once to the complete result
    $ vouchers list --json --query length(@) --code WELCOME-001
    = 1
  `)

  test('more vouchers than the pages of the service reach come completely, each once, and the requests are counted first', async () => {
    const codes = Array.from({ length: 230 }, (_, index) => `MANY-${String(index).padStart(3, '0')}`)
    const many = promoIn(temporaryFolder())
    const file = join(temporaryFolder(), 'codes.csv')
    writeFileSync(file, `code\n${codes.join('\n')}\n`)
    await many(`vouchers create --from ${file} --type GIFT_VOUCHER --set gift.amount=1 --profile sandbox --yes`)

    const list = ['vouchers', 'list', '--jsonl', '--created-after', '1d', '--page-size', '2', '--profile', 'sandbox']
    const newest = await many(list)
    const oldest = await many([...list, '--order', 'created_at'])

    const rowsOf = ({ stdout }: { stdout: string }) =>
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { code: string; created_at: string })
    const times = rowsOf(oldest).map(({ created_at }) => created_at)
    expect(newest.exitCode).toBe(0)
    expect(newest.stderr).toBe('reading the list takes about 230 requests\n')
    expect(
      rowsOf(newest)
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(codes)
    expect(
      rowsOf(oldest)
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(codes)
    expect(times).toEqual(times.toSorted())
  })

  test('an order by which the list cannot be continued is refused before the first row, with two ways that work', async () => {
    const argv = ['vouchers', 'list', '--jsonl', '--order', 'code', '--page-size', '2']

    const ran = await promo(argv)
    const part = await promo([...argv, '--limit', '150'])

    expect([ran.exitCode, ran.stdout]).toEqual([3, ''])
    expect(ran.stderr).toContain(
      'leave out --order, or: promo exports create vouchers --order code --wait --out vouchers.csv',
    )
    expect([part.exitCode, part.stdout.trimEnd().split('\n').length]).toEqual([0, 150])
  })

  test.each(['code', '-created_at'])(
    'in the order %s every voucher that stays comes once, while others are deleted between two pages',
    async (order) => {
      const codes = Array.from({ length: 40 }, (_, at) => `C-${String(at).padStart(2, '0')}`)
      const gift = { type: 'GIFT_VOUCHER', gift: { amount: 1, balance: 1 } }
      const vouchers = codes.map((code, at) => ({ code, created_at: new Date(at * 1_000).toISOString(), ...gift }))
      const { url, credentials, close } = await startTestSandbox({ demo: false, fixture: { vouchers } })
      const headers = { 'x-app-id': credentials.app_id, 'x-app-token': credentials.app_token }
      const leaving = order === 'code' ? codes.slice(0, 8) : codes.slice(-8)
      const stays = codes.filter((code) => !leaving.includes(code))
      await using server = await scriptedServer(async (asked, index) => {
        const gone = index === 0 ? [] : leaving.splice(0, 3)
        for (const code of gone) await fetch(`${url}/v1/vouchers/${code}`, { method: 'DELETE', headers })
        const answered = await fetch(`${url}${asked.url}`, { headers })
        return answer(answered.status, await answered.json())
      })
      const env = {
        PROMO_BASE_URL: server.origin,
        PROMO_APP_ID: credentials.app_id,
        PROMO_APP_TOKEN: credentials.app_token,
      }

      const argv = ['vouchers', 'list', '--order', order, '--page-size', '5', '--jsonl', '--query', 'code']
      const { exitCode, stdout, stderr } = await promoIn(temporaryFolder())(argv, { env })
      await close()

      const listed = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as string)
      expect(exitCode, stderr).toBe(0)
      expect(listed.filter((code) => stays.includes(code)).toSorted()).toEqual(stays)
      expect(new Set(listed).size).toBe(listed.length)
    },
  )

  test('--created-after includes its time and --created-before does not', async () => {
    const { stdout } = await promo('vouchers get WELCOME-001 --json')
    const { created_at } = JSON.parse(stdout)
    const countOf = async (...dates: string[]) =>
      JSON.parse((await promo(['vouchers', 'list', '--json', '--code', 'WELCOME-001', ...dates])).stdout).length

    expect(await countOf('--created-after', created_at)).toBe(1)
    expect(await countOf('--created-before', created_at)).toBe(0)
  })

  test('a reader that stops reading stops the paging, with exit 141', async () => {
    const ran = await promo('vouchers list --csv --verbose', { onStdout: (_text, stop) => stop('EPIPE') })

    expect(ran.exitCode).toBe(141)
    expect(ran.stderr.match(/^> GET/gm)?.length).toBeLessThan(4)
    expect(ran.stderr).not.toContain('promo:')
  })
})

test('vouchers get fits a terminal of 24 lines, without what only programs read', async () => {
  const get = ['vouchers', 'get', 'CLUB-001', '--no-color', '--profile', 'sandbox']
  const shown = (await promo(get, { terminal: { columns: 80 } })).stdout.trimEnd().split('\n')
  const piped = (await promo(get)).stdout.trimEnd().split('\n')
  const left = piped.length - (shown.length - 1)

  expect(shown.length).toBeLessThan(23)
  expect(shown.at(-1)).toBe(`… (${left} more members, links and empty lists among them; --json has them all)`)
  expect(piped.filter((line) => !shown.includes(line)).length).toBeGreaterThan(8)
  expect(shown.join('\n')).toMatch(/^holder_id +cust_/m)
  expect(shown.join('\n')).not.toMatch(/assets|object|\/v1\//)
})
