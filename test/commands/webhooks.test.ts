import { beforeEach, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { type Action, type Asked, answer, scriptedServer } from '../support/scripted-server.ts'

let promo: ReturnType<typeof promoIn>
const onSandbox = ['--profile', 'sandbox']

// The webhook of the demo project would be in every listing.
beforeEach(async () => {
  promo = promoIn(temporaryFolder())
  await promo('webhooks delete wh_19b8d627a800000001 --yes --profile sandbox')
})

const create = (url: string, events: string, ...more: string[]) =>
  promo(['webhooks', 'create', '--url', url, '--event', events, ...more, ...onSandbox])

async function webhooks() {
  return JSON.parse((await promo('webhooks list --json --profile sandbox')).stdout)
}

describe('webhooks create', () => {
  test('sends a pattern as the names it matches, each once, and the four irregular ones as the service spells them', async () => {
    const events = 'voucher.gift.*,voucher.gift.balance_added,campaign.vouchers.a*'

    const { exitCode, stdout, stderr } = await create('https://a.example/x', events, '--dry-run', '--json')

    expect(exitCode).toBe(0)
    const [, planned] = JSON.parse(stdout)
    expect(planned.body).toEqual({
      target_url: 'https://a.example/x',
      events: ['voucher.gift.balance_aded', 'voucher.gift.transaction.created', 'campaign.vouchers.aded'],
      active: true,
    })
    expect(planned.headers['X-Management-Token']).toBe('[redacted]')
    expect(stderr).toContain('dry run: nothing was sent')
    expect(await webhooks()).toEqual([])
  })

  test('stores the webhook and shows it as the service does', async () => {
    const { exitCode, stdout } = await create(
      'https://a.example/x',
      'voucher.gift.balance_aded',
      '--no-active',
      '--json',
    )

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'webhook',
      target_url: 'https://a.example/x',
      events: ['voucher.gift.balance_aded'],
      active: false,
    })
    expect(await webhooks()).toEqual([JSON.parse(stdout)])
  })

  test('refuses a second one for the same events and address, however they are written', async () => {
    await create('https://a.example', 'voucher.gift.balance_aded,voucher.created')

    const ran = await create('https://A.example:443/', 'voucher.created,voucher.gift.balance_added')

    expect(ran).toEnd(3, /webhook "wh_\w+" already sends these events to this address/, '--if-exists reuse')
    expect(await webhooks()).toHaveLength(1)
  })

  test('reuses the existing one, or creates a second one, on request', async () => {
    await create('https://a.example/', 'voucher.created')
    const [first] = await webhooks()

    const reused = await create('https://a.example/', 'voucher.created', '--if-exists', 'reuse', '--json')
    const doubled = await create('https://a.example/', 'voucher.created', '--if-exists', 'duplicate', '--json')

    expect(JSON.parse(reused.stdout)).toEqual(first)
    expect(reused.stderr).toContain(`webhook "${first.id}" already exists; nothing was created`)
    expect(JSON.parse(doubled.stdout).id).not.toBe(first.id)
    expect(await webhooks()).toHaveLength(2)
  })

  test('updates the one with the address on request, with the same exit code each time', async () => {
    await create('https://a.example/', 'voucher.created')
    const [first] = await webhooks()

    const updated = await create('https://a.example/', 'voucher.updated', '--if-exists', 'update', '--json')
    const again = await create('https://a.example/', 'voucher.updated', '--if-exists', 'update', '--json')

    expect([updated.exitCode, again.exitCode]).toEqual([0, 0])
    expect(JSON.parse(updated.stdout)).toMatchObject({ id: first.id, events: ['voucher.updated'] })
    expect(await webhooks()).toHaveLength(1)
  })

  test('names the way to enable an existing disabled one, and reuses it only for a disabled one', async () => {
    await create('https://a.example/', 'voucher.created', '--no-active')
    const [first] = await webhooks()

    const ran = await create('https://a.example/', 'voucher.created', '--if-exists', 'reuse')
    const off = await create('https://a.example/', 'voucher.created', '--if-exists', 'reuse', '--no-active', '--json')

    expect(ran).toEnd(3, `promo webhooks update --profile sandbox --active ${first.id}`)
    expect(JSON.parse(off.stdout)).toEqual(first)
  })

  test('is not a duplicate when one event differs', async () => {
    await create('https://a.example/', 'voucher.created')

    expect((await create('https://a.example/', 'voucher.created,voucher.updated')).exitCode).toBe(0)
    expect(await webhooks()).toHaveLength(2)
  })

  test.each<[string, string[], RegExp]>([
    [
      'an unknown event',
      ['--url', 'https://a.example', '--event', 'voucher.disbled'],
      /did you mean "voucher.disabled"/,
    ],
    [
      'a pattern that fits nothing',
      ['--url', 'https://a.example', '--event', 'vouchers.*'],
      /no event matches "vouchers\.\*"/,
    ],
    ['an event of the console', ['--url', 'https://a.example', '--event', 'customer.updated'], /in the console/],
    ['an empty name', ['--url', 'https://a.example', '--event', 'voucher.created,'], /event name is empty/],
    ['an address of another kind', ['--url', 'ftp://a.example', '--event', '*'], /must be an http or https address/],
    ['no address', ['--event', '*'], /missing --url/],
    ['no event', ['--url', 'https://a.example'], /missing --event/],
    ['a query that does not parse', ['--url', 'https://a.example', '--event', '*', '--query', '[', '--json'], /query/],
  ])('refuses %s before any request', async (_what, flags, message) => {
    expect(await promo(['webhooks', 'create', ...flags, '-v', ...onSandbox])).toSendNothing(2, message)
  })

  describe('when the answer is lost', () => {
    const management = {
      PROMO_MANAGEMENT_ID: 'm-id-123',
      PROMO_MANAGEMENT_TOKEN: 'm-token-123',
      PROMO_PROJECT_ID: 'p1',
    }
    const webhook = {
      id: 'wh_2',
      object: 'webhook',
      target_url: 'https://a.example/',
      events: ['voucher.created'],
      active: true,
    }
    const list = (...data: object[]): Action =>
      answer(200, { object: 'list', data_ref: 'data', data, total: data.length })
    const argv = ['webhooks', 'create', '--url', 'https://a.example/', '--event', 'voucher.created', '--json']

    async function against(lists: Action[], ifExists = 'fail') {
      let lookedAt = 0
      const script = ({ method }: Asked): Action =>
        method === 'POST' ? { do: 'reset' } : (lists[lookedAt++] ?? answer(500))
      await using server = await scriptedServer(script)
      const ran = await promo([...argv, '--if-exists', ifExists], {
        env: { ...management, PROMO_BASE_URL: server.origin },
      })
      return { ...ran, sent: server.asked.map(({ method }) => method) }
    }

    test('the webhook is found in the list, and not created again', async () => {
      const { exitCode, stdout, stderr, sent } = await against([
        list({ ...webhook, id: 'wh_1', target_url: 'https://b.example/' }),
        list({ ...webhook, id: 'wh_1', target_url: 'https://b.example/' }, webhook),
      ])

      expect(exitCode).toBe(0)
      expect(JSON.parse(stdout)).toEqual(webhook)
      expect(stderr).toContain('the answer was lost, but the webhook is now listed: "wh_2"')
      expect(sent).toEqual(['GET', 'POST', 'GET'])
    })

    test('an older one with the same settings is not mistaken for it', async () => {
      const older = { ...webhook, id: 'wh_1' }

      const { exitCode, stdout, sent } = await against([list(older), list(older, webhook)], 'duplicate')

      expect(exitCode).toBe(0)
      expect(JSON.parse(stdout).id).toBe('wh_2')
      expect(sent).toEqual(['GET', 'POST', 'GET'])
    })

    test('before the list is read, nothing is created', async () => {
      const { exitCode, sent } = await against([answer(404, { code: 404, key: 'not_found', message: 'No project' })])

      expect(exitCode).toBe(3)
      expect(sent).toEqual(['GET'])
    })
  })
})

describe('webhooks update', () => {
  test('keeps fields that are not named: a disabled webhook stays disabled', async () => {
    await create('https://a.example/', 'voucher.gift.balance_aded,voucher.created', '--no-active')
    const [before] = await webhooks()

    const { exitCode } = await promo(`webhooks update ${before.id} --url https://c.example/ --profile sandbox`)

    const [after] = await webhooks()
    expect(exitCode).toBe(0)
    expect(after).toEqual({ ...before, target_url: 'https://c.example/' })
  })

  test('keeps events that promo does not know', async () => {
    const events = ['voucher.created', 'voucher.enchanted']
    const stored = { id: 'wh_1', object: 'webhook', target_url: 'https://a.example/', events, active: true }
    await using server = await scriptedServer([answer(200, stored), answer(200, { ...stored, active: false })])

    const { exitCode } = await promo('webhooks update wh_1 --no-active', {
      env: {
        PROMO_BASE_URL: server.origin,
        PROMO_MANAGEMENT_ID: 'm',
        PROMO_MANAGEMENT_TOKEN: 't',
        PROMO_PROJECT_ID: 'proj_1',
      },
    })

    expect(exitCode).toBe(0)
    expect(server.asked.map(({ method }) => method)).toEqual(['GET', 'PUT'])
    expect(JSON.parse(server.asked[1]?.body ?? '')).toEqual({ target_url: 'https://a.example/', events, active: false })
  })

  test('replaces all events with the named ones', async () => {
    await create('https://a.example/', 'voucher.created,voucher.updated')
    const [before] = await webhooks()

    const { stdout } = await promo(`webhooks update ${before.id} --event publication.* --json --profile sandbox`)

    expect(JSON.parse(stdout).events).toEqual(['publication.succeeded'])
  })

  test.each<[string, string[], RegExp]>([
    ['no change', [], /missing --url, --event or --active/],
    ['an address of another kind', ['--url', 'mailto:a@b.example'], /must be an http or https address/],
    ['an unknown event', ['--event', 'nothing'], /there is no event "nothing"/],
  ])('refuses %s before any request', async (_what, flags, message) => {
    expect(await promo(['webhooks', 'update', 'wh_1', ...flags, '-v', ...onSandbox])).toSendNothing(2, message)
  })
})

describe('webhooks get and delete', () => {
  test('show and delete one by its id', async () => {
    await create('https://a.example/', 'voucher.created')
    const [webhook] = await webhooks()

    const got = await promo(`webhooks get ${webhook.id} --json --profile sandbox`)
    const deleted = await promo(`webhooks delete ${webhook.id} --yes --profile sandbox`)

    expect(JSON.parse(got.stdout)).toEqual(webhook)
    expect(deleted).toMatchObject({ exitCode: 0, stdout: '' })
    expect(deleted.stderr).toContain(`deleted webhook "${webhook.id}"`)
    expect(await webhooks()).toEqual([])
  })

  test('a profile without a project has a hint how to name one', async () => {
    const env = { PROMO_MANAGEMENT_ID: 'm', PROMO_MANAGEMENT_TOKEN: 'm', PROMO_BASE_URL: 'http://127.0.0.1:9' }

    expect(await promo('webhooks list', { env })).toEnd(4, 'add --project ID, or set PROMO_PROJECT_ID')
  })
})

describe('webhooks events', () => {
  test('lists all sixty, with both spellings, without a profile', async () => {
    const { exitCode, stdout } = await promo('webhooks events --csv')

    expect(exitCode).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(61)
    expect(lines[0]).toBe('name,shown_as,family')
    expect(lines).toContain('campaign.vouchers.aded,campaign.vouchers.added,Campaign vouchers')
  })

  test('is a line for each event within 80 columns', async () => {
    const { stdout } = await promo('webhooks events --no-color', { terminal: { columns: 80 } })

    expect(stdout.split('\n').filter((line) => line !== '')).toHaveLength(61)
    expect(stdout).toMatch(/^redemption\.succeeded +Redemption and publication$/m)
  })
})
