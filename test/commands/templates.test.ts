import { beforeEach, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { type Action, type Asked, answer, scriptedServer } from '../support/scripted-server.ts'

let promo: ReturnType<typeof promoIn>
const onSandbox = ['--profile', 'sandbox']
const [spring, terrace, bigOrder] = [
  'camp_19b8d627a800000001',
  'camp_19b8d627a800000006',
  'promo_19b8d627a800000001',
] as const

beforeEach(() => {
  promo = promoIn(temporaryFolder())
})

const templates = (...argv: string[]) => promo(['templates', ...argv, ...onSandbox])

async function created(name: string, ...from: string[]) {
  const source = from.length === 0 ? ['--campaign', spring] : from
  return JSON.parse((await templates('create', name, ...source, '--json')).stdout)
}

describe('templates create', () => {
  test('creates one from a campaign and one from a tier', async () => {
    const ofCampaign = await created('One', '--campaign', spring, '--description', 'first')
    const ofTier = await created('Two', '--tier', bigOrder)

    expect(ofCampaign).toMatchObject({
      object: 'campaign_template',
      name: 'One',
      description: 'first',
      campaign_type: 'DISCOUNT_COUPONS',
    })
    expect(ofTier).toMatchObject({ name: 'Two', campaign_type: 'DISCOUNT_COUPONS' })
  })

  test('--if-exists reuses or updates the one of that name', async () => {
    const { id } = await created('One')
    const again = ['create', 'One', '--campaign', spring, '--description', 'new', '--json', '--if-exists']

    const reused = await templates(...again, 'reuse')
    const updated = await templates(...again, 'update')

    expect([reused.exitCode, updated.exitCode]).toEqual([0, 0])
    expect(JSON.parse(reused.stdout)).toMatchObject({ id, name: 'One' })
    expect(JSON.parse(reused.stdout).description).not.toBe('new')
    expect(reused.stderr).toContain('template "One" already exists; nothing was created')
    expect(JSON.parse(updated.stdout)).toMatchObject({ id, name: 'One', description: 'new' })
  })

  test('one whose answer was lost counts as created when the name is then taken', async () => {
    const listed = { id: 'camp_tpl_1', object: 'campaign_template', name: 'One' }
    const script = ({ method }: Asked, index: number): Action => {
      if (method === 'GET') return answer(200, { object: 'list', data_ref: 'data', data: [listed], total: 1 })
      return index === 0 ? { do: 'reset' } : answer(409, { code: 409, key: 'duplicate_found', message: 'Duplicate' })
    }
    await using server = await scriptedServer(script)
    const env = { PROMO_APP_ID: 'app-id-1234', PROMO_APP_TOKEN: 'app-token-1234', PROMO_BASE_URL: server.origin }

    const { exitCode, stdout, stderr } = await promo(['templates', 'create', 'One', '--campaign', spring, '--json'], {
      env,
    })

    expect([exitCode, JSON.parse(stdout)]).toEqual([0, listed])
    expect(stderr).toContain('the answer was lost, but a later one shows that the request was applied')
    expect(server.asked.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET'])
  })
})

describe('templates list and get', () => {
  test('show marked cells in CSV, and as many as are asked for, in either order', async () => {
    await created('One', '--campaign', spring, '--description', '=first')
    const one = await templates('list', '--name', 'One', '--csv', '--columns', 'name,campaign_type,description')
    for (const name of ['Two', 'Three', 'Four']) await created(name)
    const many = await templates('list', '--order', 'id', '--jsonl', '--query', 'name', '--page-size', '2')
    const limited = await templates('list', '--order', '-id', '--json', '--query', '[].name', '--limit', '2')

    expect(one.stdout).toBe("name,campaign_type,description\nOne,DISCOUNT_COUPONS,'=first\n")
    expect(many.stdout).toBe('"Five euros for newcomers"\n"One"\n"Two"\n"Three"\n"Four"\n')
    expect(JSON.parse(limited.stdout)).toEqual(['Four', 'Three'])
  })

  test('the listing is filtered by name and type, and reads another project through the management API', async () => {
    await created('One')
    await created('Two')
    const { project_id } = JSON.parse((await promo('sandbox status --json')).stdout)

    const byName = await templates('list', '--name', 'Two', '--json', '--query', '[].name')
    const byType = await templates('list', '--type', 'GIFT_VOUCHERS', '--json')
    const ofProject = await templates('list', '--project', project_id, '--json', '--query', '[].name', '-v')

    expect(JSON.parse(byName.stdout)).toEqual(['Two'])
    expect(JSON.parse(byType.stdout)).toEqual([])
    expect(JSON.parse(ofProject.stdout)).toEqual(expect.arrayContaining(['One', 'Two']))
    expect(ofProject.stderr).toContain(`/management/v1/projects/${project_id}/templates/campaigns?`)
  })

  test('one is shown as a block, and with --expand also the object it creates', async () => {
    const { id } = await created('One')

    const block = await templates('get', id)
    const expanded = await templates('get', id, '--expand', 'json_template', '--json')

    expect(block.stdout).toMatch(/^id +camp_tpl_\w+\nname +One\n/)
    expect(JSON.parse(expanded.stdout)).toMatchObject({ id, json_template: expect.any(Object) })
  })
})

describe('templates copy', () => {
  test('names the other project and shows the copy', async () => {
    const { id } = await created('One')
    const { project_id } = JSON.parse((await promo('sandbox status --json')).stdout)

    const { exitCode, stdout } = await templates('copy', id, '--to', project_id, '--name', 'Copy of one', '--json')

    expect(exitCode).toBe(0)
    const copy = JSON.parse(stdout)
    expect(copy).toMatchObject({ name: 'Copy of one', object: 'campaign_template' })
    expect(copy.id).not.toBe(id)
  })

  test('--if-exists reuse takes the one that the other project has by that name', async () => {
    const { id } = await created('One')
    const { project_id } = JSON.parse((await promo('sandbox status --json')).stdout)
    const copy = ['copy', id, '--to', project_id, '--name', 'Copy of one', '--json']
    const first = JSON.parse((await templates(...copy)).stdout)

    const refused = await templates(...copy)
    const reused = await templates(...copy, '--if-exists', 'reuse')

    expect([refused.exitCode, reused.exitCode]).toEqual([3, 0])
    expect(JSON.parse(reused.stdout)).toMatchObject({ id: first.id, name: 'Copy of one' })
    expect(reused.stderr).toContain('template "Copy of one" already exists; nothing was created')
  })
})

describe('templates update and delete', () => {
  test('change only the named fields, remove a description, and delete the template', async () => {
    const { id } = await created('One', '--campaign', spring, '--description', 'first')

    const renamed = await templates('update', id, '--name', 'Uno', '--json')
    const emptied = await templates('update', id, '--no-description', '--json')
    const deleted = await templates('delete', id, '--yes')

    expect(JSON.parse(renamed.stdout)).toMatchObject({ name: 'Uno', description: 'first' })
    expect(JSON.parse(emptied.stdout)).toMatchObject({ name: 'Uno', description: null })
    expect(deleted).toMatchObject({ exitCode: 0, stdout: '' })
    expect((await templates('get', id)).exitCode).toBe(3)
  })

  test.each<[string, string[], number]>([
    ['nothing to change', ['update', 'camp_tpl_1'], 2],
    ['a description and none', ['update', 'camp_tpl_1', '--description', 'x', '--no-description'], 2],
    ['an unconfirmed deletion', ['delete', 'camp_tpl_1', '--no-input'], 11],
  ])('sends nothing for %s', async (_what, argv, code) => {
    expect(await templates(...argv, '-v')).toSendNothing(code)
  })
})

describe('templates setup', () => {
  test('creates a campaign with the overrides: its members, the windows and the codes of the template', async () => {
    const { id } = await created('One')
    const sets = 'active=false validity_day_of_week=[1,2] join_once=false voucher.redemption.quantity=3'.split(' ')
    const argv = [
      '--name',
      'N',
      ...[...sets, 'voucher.code_config.prefix=N-'].flatMap((set) => ['--set', set]),
      '--json',
    ]

    const { exitCode, stdout } = await templates('setup-campaign', id, ...argv)

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'campaign_setup',
      campaign: {
        name: 'N',
        active: false,
        validity_day_of_week: [1, 2],
        join_once: false,
        voucher: { redemption: { quantity: 3 }, code_config: { prefix: 'N-' } },
      },
    })
  })

  test('--if-exists reuses the campaign of that name, or changes what is named', async () => {
    const { id } = await created('One')
    const setUp = ['setup-campaign', id, '--name', 'N', '--json']
    const first = JSON.parse((await templates(...setUp)).stdout)
    const again = [...setUp, '--set', 'description=new', '--if-exists']

    const reused = await templates(...again, 'reuse')
    const updated = await templates(...again, 'update')

    expect([reused.exitCode, updated.exitCode]).toEqual([0, 0])
    expect(JSON.parse(reused.stdout)).toMatchObject({
      object: 'campaign_setup',
      campaign: { id: first.campaign.id },
      created_resources: [],
    })
    expect(JSON.parse(reused.stdout).campaign.description).not.toBe('new')
    expect(reused.stderr).toContain('campaign "N" already exists; nothing was created')
    expect(JSON.parse(updated.stdout)).toMatchObject({ campaign: { id: first.campaign.id, description: 'new' } })
  })

  test.each([
    [`setup-tier camp_tpl_1 --campaign ${terrace} --set description=x`, 'must NOT be given: a promotion tier has none'],
    ['setup-campaign camp_tpl_1 --set vouchers=1', 'vouchers'],
  ])('refuses a field that is not there before any request: %s', async (line, message) => {
    expect(await templates(...line.split(' '), '--name', 'X', '-v')).toSendNothing(2, message)
  })

  test('creates a tier in a promotion campaign', async () => {
    const { id } = await created('Two', '--tier', bigOrder)

    const { exitCode, stdout } = await templates('setup-tier', id, '--campaign', terrace, '--name', 'Again', '--json')

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ object: 'promotion_tier_setup', promotion_tier: { name: 'Again' } })
  })
})
