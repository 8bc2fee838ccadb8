// A flag of a list that names an object: an empty list because of a typing mistake is not answered with "none found".
import { describe, expect, test } from 'vitest'
import { dateFlags } from '../../src/cli/flags/dates.ts'
import { listFlags, outputFlags, serviceFlags } from '../../src/cli/flags/flags.ts'
import { referenceIn } from '../../src/cli/flags/kinds.ts'
import { lines } from '../support/command-lines.ts'
import { classOf, promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())
const sandbox = ['--profile', 'sandbox']

/** Filters by a value of a row, which names no other object. */
const values: Readonly<Record<string, readonly string[]>> = {
  'async list': ['before'],
  'loyalty cards list': ['code'],
  'vouchers list': ['code'],
  'customers list': ['email', 'name', 'city'],
  'loyalty transactions list': ['type', 'min-points', 'filter', 'after'],
  'publications list': ['source-id'],
  'redemptions list': ['filter'],
  'skus list': ['page', 'start-date', 'end-date'],
  'templates list': ['name'],
}

/** What a list needs beside the flag, where it is of one thing. */
const within: Readonly<Record<string, readonly string[]>> = {
  'loyalty cards list': ['Bean Club'],
  'loyalty pending list': ['Bean Club'],
  'loyalty transactions list': ['Bean Club'],
  'referrals holders list': ['FRIEND-001'],
}

const lists = (await Promise.all(Object.keys(lines).map(async (id) => ({ id, Class: await classOf(id) })))).filter(
  ({ Class }) => (Class as { kind?: string }).kind === 'list',
)

const naming = lists.flatMap(({ id, Class }) => {
  const command = id.replaceAll(':', ' ')
  const common = { ...serviceFlags, ...outputFlags, ...listFlags, ...dateFlags((Class.calls as [never])[0]) }
  return Object.entries(Class.flags)
    .filter(([name, flag]) => !(name in common) && flag.type === 'option' && flag.options === undefined)
    .filter(([name]) => name !== 'project' && !values[command]?.includes(name))
    .map(([name]) => [command, name] as const)
})

describe.each(naming)('%s --%s', (command, flag) => {
  test('is refused for what does not exist, with a next step', async () => {
    const line = [...command.split(' '), ...(within[command] ?? []), `--${flag}`, 'no-such-thing', '--csv']

    const { exitCode, stdout, stderr } = await promo([...line, ...sandbox])

    expect([exitCode, stdout], stderr).toEqual([3, ''])
    expect(stderr).toContain('no-such-thing')
    expect(stderr).toMatch(/^try: /m)
  })
})

test('a customer of a list is named by whatever customers show takes', async () => {
  const of = ['CUSTOMER6@example.com', 'farid', 'club 006', 'shop-1006', 'northlight-2006', 'cust_19b8d627a800000006']
  const listed = async (words: string[]) => {
    const { stdout } = await promo([...words, '--json', '--query', 'length(@)', ...sandbox])
    return Number(stdout)
  }

  const found = await Promise.all(
    of.map(async (text) => [
      await listed(['redemptions', 'list', '--customer', text]),
      await listed(['vouchers', 'list', '--customer', text]),
      await listed(['orders', 'list', '--customer', text]),
    ]),
  )

  expect(found).toEqual(of.map(() => [2, 1, 2]))
})

describe('the customer of a cart, an event, a publication or a referral code', () => {
  const here = promoIn(temporaryFolder())
  const query = ['--yes', '--json', '--query']

  test.each([
    ['redemptions create BEANS10 --amount 4000 --customer', 'redemptions[0].customer_id'],
    ['publications create --voucher MORNING --customer', 'customer.id'],
    ['events send cupping_attended --customer', 'customer.id'],
    ['referrals holders add FRIEND-001 --holder', '[0].holder.customer_id'],
  ])('is named in `%s` by whatever customers show takes', async (line, path) => {
    const { stdout } = await here([...line.split(' '), 'CUSTOMER6@example.com', ...query, path, ...sandbox])

    expect(JSON.parse(stdout)).toBe('cust_19b8d627a800000006')
  })

  test('is named so where it is asked whether codes apply, and members may follow', async () => {
    const rule = await here(['rules', 'create', '--name', 'Once', '--per-customer', '1', ...sandbox, '--json'])
    await here(['rules', 'assign', JSON.parse(rule.stdout).id, '--voucher', 'SORRY5', '--yes', ...sandbox])
    const cart = ['SORRY5', '--amount', '4000', '--customer', 'club 006']
    await here(['redemptions', 'create', ...cart, '--customer', 'metadata.vip=true', '--yes', ...sandbox])

    const asked = await here(['validate', 'redeemables', ...cart, '--explain', ...sandbox])
    const other = await here(['validate', 'redeemables', ...cart.slice(0, 3), '--customer', 'Ada Okafor', ...sandbox])
    const shown = await here(['customers', 'get', 'shop-1006', '--json', '--query', 'metadata.vip', ...sandbox])

    expect([asked.exitCode, other.exitCode, shown.stdout]).toEqual([12, 0, 'true\n'])
  })

  test('is refused when nobody is known so, and is looked up only when something is sent', async () => {
    const line = ['redemptions', 'create', 'BEANS10', '--amount', '4000', '--customer', 'nobody@example.com']

    const dry = await here([...line, '--dry-run', ...sandbox, '--json', '--query', '[].body.customer'])
    const sent = await here([...line, '--verbose', ...sandbox])

    expect(JSON.parse(dry.stdout)).toEqual([{ id: 'id of nobody@example.com' }])
    expect(dry.stderr).toContain('--customer: its id is looked up before it is sent\n')
    expect(sent).toEnd(3, 'promo: no customer is known by "nobody@example.com"')
    expect(sent.stderr).not.toContain('POST')
  })

  test('is named so in every command', async () => {
    const byMembersAlone: string[] = []
    for (const id of Object.keys(lines)) {
      for (const [name, flag] of Object.entries((await classOf(id)).flags ?? {})) {
        const isOne = name === 'customer' || name === 'holder'
        if (isOne && !/an id, source id, e-mail(?: or|,) phone/.test(flag.description ?? ''))
          byMembersAlone.push(`${id} --${name}`)
      }
    }

    expect(byMembersAlone).toEqual([])
  })
})

test('what exists, and has no row, is an empty list', async () => {
  const { exitCode, stdout, stderr } = await promo(['redemptions', 'list', '--voucher', 'GIFT-001', ...sandbox])

  expect([exitCode, stdout, stderr]).toEqual([0, '', 'no redemptions found\n'])
})

test('a rule of a code or of a named campaign is found by that', async () => {
  const { stderr } = await promo(['rules', 'assignments', 'list', '--object', 'Bean Club', ...sandbox])

  expect(stderr).toBe('no assignments found\n')
})

test('the rules of vouchers, campaigns and tiers are listed by the names of both, within 80 columns', async () => {
  const terminal = { columns: 80 }

  const { stdout } = await promo(['rules', 'assignments', 'list', '--no-color', ...sandbox], { terminal })

  const [heading, tier = '', again, , , campaign, , voucher] = stdout.split('\n')
  expect(heading).toBe('id                       rule                        restricts')
  expect(`${tier}${again}`).toMatch(/Readers of the newsletter +promotion tier "Three euros +for readers"/)
  expect(campaign).toMatch(/Orders of 30 euros and +campaign "Spring mailing"$/)
  expect(voucher).toMatch(/Orders above 20 euros +voucher BEANS10$/)
})

describe('what the service knows by id alone', () => {
  const kinds = ['campaign', 'program', 'category', 'reward', 'rule', 'rules', 'segment', 'tier', 'unit-type']
  const here = promoIn(temporaryFolder())
  const json = async (words: string[]) => {
    const yes = words.includes('get') ? [] : ['--yes']
    const { exitCode, stdout, stderr } = await here([...words, ...yes, '--json', ...sandbox])
    expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }

  test('is named by its name in every command that names one', async () => {
    const missing: string[] = []
    for (const id of Object.keys(lines)) {
      for (const [name, flag] of Object.entries((await classOf(id)).flags ?? {})) {
        if (!kinds.includes(name) || flag.type === 'boolean') continue
        if (!(referenceIn in flag) && !/\bname\b/.test(flag.description ?? '')) missing.push(`${id} --${name}`)
      }
    }

    expect(missing).toEqual([])
  })

  test('is named by its name in every flag that takes an id, unless its own name says that', async () => {
    const nameless = /source.id|code or id|project|redemptions/
    const byIdAlone: string[] = []
    for (const id of Object.keys(lines)) {
      for (const [name, flag] of Object.entries((await classOf(id)).flags ?? {})) {
        const { description = '' } = flag
        if (!/\b(?:by|the|an) ids?\b/.test(description) || nameless.test(description) || name.endsWith('-id')) continue
        if (!(referenceIn in flag) && !/\bname\b/.test(description)) byIdAlone.push(`${id} --${name}: ${description}`)
      }
    }

    expect(byIdAlone).toEqual([])
  })

  test('is named by its name in every argument but those of what has no name', async () => {
    const byIdAlone: string[] = []
    for (const id of Object.keys(lines)) {
      for (const arg of Object.values((await classOf(id)).args ?? {})) {
        const [, noun] = /^the id of (?:an?|the|some) ([^;]+)/.exec(arg.description ?? '') ?? []
        if (noun !== undefined && !(referenceIn in arg)) byIdAlone.push(noun)
      }
    }

    expect([...new Set(byIdAlone)].sort()).toEqual([
      'assignment',
      'background job',
      'export',
      'object',
      'pending points',
      'project',
      'redemption',
      'webhook',
    ])
  })

  test('is found by its name in an argument', async () => {
    const bean = 'Bean Club'
    const id = async (...words: string[]) => (await json(words)).id as string
    const segment = await id('segments', 'create', '--name', 'VIP', '--type', 'static')
    const template = await id('templates', 'create', 'Next', '--campaign', 'Spring mailing')
    const rule = await id('rules', 'create', '--name', 'From here', '--per-customer', '2')

    const found = [
      await id('rewards', 'get', 'Pay with points'),
      await id('categories', 'get', 'Seasonal'),
      await id('products', 'collections', 'get', 'Coffee'),
      await id('promotions', 'get', 'Three euros for readers'),
      await id('promotions', 'disable', 'Three euros for readers'),
      await id('promotions', 'stacks', 'get', 'Terrace season', 'Terrace and newsletter'),
      await id('segments', 'get', 'VIP'),
      await id('templates', 'get', 'Next'),
      await id('rules', 'get', 'From here'),
      await id('rules', 'update', 'From here', '--error', 'Twice'),
      await id('loyalty', 'tiers', 'get', bean, 'Regular'),
      await id('products', 'get', 'House Blend'),
    ]
    const copy = ['templates', 'copy', 'Next', '--to', 'proj_none', '--name', 'Next', ...sandbox]
    const copied = await here(copy)
    const assigned = await json(['rules', 'assign', 'From here', '--campaign', 'Welcome'])
    const moved = await json(['promotions', 'tiers', 'move', 'Three euros for readers', '--first'])
    await id('rewards', 'create', '--name', 'Tin', '--type', 'MATERIAL')
    const offered = await json(['loyalty', 'rewards', 'offer', bean, 'Tin', '--points', '5'])

    expect(found).toEqual([
      'rew_19b8d627a800000001',
      'cat_19b8d627a800000001',
      'pc_19b8d627a800000001',
      'promo_19b8d627a800000002',
      'promo_19b8d627a800000002',
      'stack_19b8d627a800000001',
      segment,
      template,
      rule,
      rule,
      'ltr_19b8d627a800000002',
      'prod_19b8d627a800000001',
    ])
    // The template was found; what is not there is the project.
    expect(copied.stderr).toContain('proj_none')
    expect(assigned.rule_id).toBe(rule)
    expect(moved[0].name).toBe('Three euros for readers')
    expect(offered.parameters.loyalty.points).toBe(5)
  })

  test('is found by its name', async () => {
    const assigned = await json(['rules', 'assign', 'val_19b8d627a800000001', '--campaign', 'Gift cards'])
    const tier = await json(['rules', 'assign', 'val_19b8d627a800000001', '--tier', 'Three euros for readers'])
    const template = await json(['templates', 'create', 'Again', '--campaign', 'Spring mailing'])
    const setUp = await json(['templates', 'setup-tier', template.id, '--campaign', 'Terrace season', '--name', 'T'])
    const category = ['--category', 'Seasonal', '--percent-off', '5']
    const filed = await json(['promotions', 'tiers', 'create', 'Terrace season', '--name', 'U', ...category])
    const free = [
      ...'--unit-off 1 --unit-type'.split(' '),
      'House Blend',
      '--rules',
      'Orders above 20 euros,val_19b8d627a800000002',
    ]
    await json(['vouchers', 'create', 'FREE-1', ...free])
    await json(['vouchers', 'create', 'FREE-2', '--unit-off', '1', '--unit-type', 'hand-grinder'])
    const created = async (code: string) =>
      JSON.parse((await here(['vouchers', 'get', code, '--json', ...sandbox])).stdout)
    const [voucher, bySource] = [await created('FREE-1'), await created('FREE-2')]
    const pay = ['--reward', 'Pay with points', '--points', '20', '--amount', '5000']
    const spent = await json(['loyalty', 'rewards', 'redeem', 'CLUB-001', ...pay])
    await json([
      ...'segments create --body'.split(' '),
      '{"name":"Ann","type":"static","customers":["cust_19b8d627a800000001"]}',
    ])
    const segment = await here(['customers', 'list', '--segment', 'Ann', '--csv', '--columns', 'source_id', ...sandbox])

    expect(assigned.related_object_id).toBe('camp_19b8d627a800000003')
    expect(tier.related_object_id).toBe('promo_19b8d627a800000002')
    expect(setUp.promotion_tier.campaign.id).toBe('camp_19b8d627a800000006')
    expect(filed.category_id).toBe('cat_19b8d627a800000001')
    expect(voucher.discount.unit_type).toBe('prod_19b8d627a800000001')
    expect(voucher.validation_rules_assignments.total).toBe(2)
    expect(bySource.discount.unit_type).toBe('prod_19b8d627a800000003')
    expect(spent.reward.id).toBe('rew_19b8d627a800000001')
    expect(segment.stdout).toBe('source_id\nshop-1001\n')
  })

  test('is a metadata schema by what it is about', async () => {
    const { id } = await json(['metadata', 'schemas', 'create', '--object', 'order'])

    expect(JSON.parse((await here(['metadata', 'schemas', 'get', 'order', '--json', ...sandbox])).stdout).id).toBe(id)
  })

  test('is an offer by its reward, an earning rule of any program, and a customer by the source id', async () => {
    const offered = await json(['rules', 'assign', 'Orders above 20 euros', '--offer', 'Pay with points'])
    const earned = await json(['rules', 'assign', 'Orders above 20 euros', '--earning-rule', 'A point for every euro'])
    const priced = await json(['loyalty', 'rewards', 'reprice', 'Bean Club', 'Enamel mug', '--points', '350'])
    const said = ['events', 'send', 'cupping_attended', '--customer', 'source_id=shop-1002', '--referral', 'FRIEND-001']
    const sent = await here([...said, '--referrer', 'shop-1001', '--verbose', '--yes', ...sandbox])

    expect(offered.related_object_id).toBe('rewa_19b8d627a800000001')
    expect(earned.related_object_id).toBe('ern_19b8d627a800000001')
    expect([priced.id, priced.parameters.loyalty.points]).toEqual(['rewa_19b8d627a800000002', 350])
    expect(sent).toEnd(0, '/v1/customers/shop-1001\n')
    expect(await here([...said, '--referrer', 'shop-9', '--yes', ...sandbox])).toEnd(3, 'shop-9')
  })

  test('has its neighbours by their names, and its question says the name that was typed', async () => {
    const [first, second] = ['Ten percent from 40 euros', 'Three euros for readers']
    const move = ['promotions', 'tiers', 'move', first, '--after', second, '--csv', '--columns', 'name', '--no-header']
    const moved = await here([...move, '--yes', ...sandbox])
    const asked = await here(['rules', 'delete', 'Readers of the newsletter', ...sandbox])

    expect(moved.stdout).toContain(`${second}\n${first}\n`)
    expect(asked).toEnd(11, 'delete validation rule "Readers of the newsletter"')
  })

  test('is none where an emptied flag is sent as null, and refused where there must be one', async () => {
    const plan = async (...words: string[]) => await here([...words, '--dry-run', ...sandbox])

    const tier = await plan('promotions', 'tiers', 'update', 'promo_19b8d627a800000001', '--category', '')
    const program = await plan('loyalty', 'programs', 'update', 'Bean Club', '--category', '')
    const rule = await plan('loyalty', 'earning-rules', 'update', 'Bean Club', 'ern_1', '--validation-rule', '')
    const reward = await plan('rewards', 'update', 'rew_1', '--campaign', '')
    await json(['promotions', 'tiers', 'update', 'promo_19b8d627a800000002', '--category', 'Seasonal'])
    const emptied = await json(['promotions', 'tiers', 'update', 'promo_19b8d627a800000002', '--category', ''])

    expect([tier.stdout, program.stdout, rule.stdout].map((table) => table.match(/\{.*\}/)?.[0])).toEqual([
      '{"category_id":null}',
      '{"category_id":null}',
      '{"validation_rule_id":null}',
    ])
    expect(reward).toEnd(2, '--campaign is empty')
    expect(emptied.category_id).toBe(null)
  })

  test('is not guessed: nothing has the name, or several have', async () => {
    await json(['rewards', 'create', '--name', 'Enamel mug', '--type', 'MATERIAL'])
    const redeem = (name: string, ...more: string[]) =>
      here(['loyalty', 'rewards', 'redeem', 'CLUB-001', '--reward', name, ...more, ...sandbox])

    const several = await redeem('Enamel mug', '--yes')
    const none = await redeem('Enamel mugs', '--yes')
    const planned = await redeem('Enamel mug', '--dry-run')
    const argument = await here(['rewards', 'get', 'Enamel mug', ...sandbox])
    const within = await here(['loyalty', 'tiers', 'get', 'Bean Club', 'Regulars', ...sandbox])
    const plannedArgument = await here(['rewards', 'delete', 'Enamel mug', '--dry-run', ...sandbox])

    expect([several.exitCode, none.exitCode, planned.exitCode]).toEqual([3, 3, 0])
    expect(several.stderr).toMatch(/several have the name "Enamel mug": rew_\w+, rew_\w+\ntry: --reward rew_/)
    expect(none.stderr).toContain('there is no reward "Enamel mugs"; did you mean "Enamel mug"?')
    expect(planned.stderr).toContain('--reward: its id is looked up before it is sent')
    expect(argument.stderr).toMatch(/several have the name "Enamel mug": .*\ntry: name it by its id: rew_/)
    expect(within.stderr).toBe(
      'promo: there is no loyalty tier "Regulars"; did you mean "Regular"?\ntry: promo loyalty tiers list --profile sandbox \'Bean Club\'\n',
    )
    expect(plannedArgument.stderr).toContain('REWARD: its id is looked up before it is sent')
    const campaign = await here(['templates', 'create', 'T', '--campaign', 'Welcom', '--yes', ...sandbox])
    expect(campaign).toEnd(3, 'there is no campaign "Welcom"; did you mean "Welcome"?')
  })
})
