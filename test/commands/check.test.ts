// Mistakes in a project that cost money: each rule with what it finds, what it nearly finds, and its section in the documents.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { severities } from '../../src/check/rule.ts'
import { rules } from '../../src/check/rules.ts'
import { type Files, folderWith } from '../support/check-folders.ts'
import { type TestProject, type TestProjects, testProjects } from '../support/projects.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

interface Fixture {
  wrong: Files
  says: string
  fix?: string
  near: Files[]
  /** Another form of the mistake. */
  also?: { files: Files; says: string }
}

interface Row {
  severity: string
  rule: string
  object: string
  file: string | null
  line: number | null
  message: string
  fix: string | null
}

const fixtures = parse(readFileSync(join(root, 'test/fixtures/check/rules.yaml'), 'utf8')) as Record<string, Fixture>
const document = readFileSync(join(root, 'docs/checks.md'), 'utf8')
const promo = promoIn(temporaryFolder())
/** No test depends on the day on which it runs. */
const now = () => Date.parse('2026-11-28T12:00:00.000Z')

async function checked(folder: string, ...more: string[]): Promise<{ exitCode: number; rows: Row[]; stderr: string }> {
  const { exitCode, stdout, stderr } = await promo(['check', folder, '--json', ...more], { now })
  return { exitCode, rows: JSON.parse(stdout) as Row[], stderr }
}

/** Rules that need the project have no folder in which they find something. */
const offline = rules.filter(({ needs }) => needs === undefined)

describe('every rule', () => {
  test('has an id of its own, which says what is wrong', () => {
    const ids = rules.map(({ id }) => id)

    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/)
  })

  test.each(rules.map(({ id, severity, title }) => [id, severity, title]))(
    '%s has a section in docs/checks.md, with its severity and title',
    (id, severity, title) => {
      expect(document.includes(`\n### ${id}\n\n*${severity}*: ${title}.`)).toBe(true)
    },
  )

  test.each(offline.map(({ id }) => id))('%s finds its mistake, and not its near misses', async (id) => {
    const { wrong, says, fix, near, also } = fixtures[id] as Fixture
    const declared = rules.find((rule) => rule.id === id)
    // A finding that an ignore is about needs its rule.
    const only = id.startsWith('ignore-') ? [] : ['--only', id]
    const folder = folderWith(wrong)

    const { exitCode, rows } = await checked(folder, ...only, '--fail-on', 'info')

    expect(
      rows
        .filter(({ rule }) => rule === id)
        .map(({ message }) => message)
        .join('\n'),
    ).toContain(says)
    expect(exitCode).toBe(12)
    for (const { rule, severity, file, line, message, fix: typed } of rows.filter((row) => row.rule === id)) {
      expect([severity, message.endsWith('.')]).toEqual([declared?.severity, true])
      expect(readFileSync(String(file), 'utf8').split('\n').length).toBeGreaterThanOrEqual(Number(line))
      expect(typed, rule).not.toBeNull()
    }
    if (fix !== undefined) expect(rows.map((row) => row.fix)).toContain(fix)
    if (also !== undefined) {
      const { rows: others } = await checked(folderWith({ ...wrong, ...also.files }), ...only)
      expect(others.map(({ message }) => message).join('\n')).toContain(also.says)
    }
    expect(near.length).toBeGreaterThan(0)
    for (const files of near) {
      const { rows: none } = await checked(folderWith({ ...wrong, ...files }), ...only)
      expect(none.filter(({ rule }) => rule === id)).toEqual([])
    }
  })
})

interface Incident {
  source: string
  date: string
  what: string
  found: string
  says: string
  floor?: number
  files: Files
  repaired: Files
}

const incidents = Object.entries(
  parse(readFileSync(join(root, 'test/fixtures/check/incidents.yaml'), 'utf8')) as Record<string, Incident>,
)

describe('published incidents', () => {
  test('more than twenty are rebuilt, each with its source and date', () => {
    expect(incidents.length).toBeGreaterThan(20)
    for (const [, { source, date }] of incidents)
      expect([source, date]).toEqual([expect.stringMatching(/^https:/), expect.any(String)])
  })

  test.each(incidents)(
    '%s is stopped, and what is repaired is not',
    async (_, { found, says, floor, files, repaired }) => {
      const flags =
        found === 'combinations'
          ? ['--combinations', ...(floor === undefined ? [] : ['--floor', String(floor)])]
          : ['--only', found, '--fail-on', 'warning']

      const wrong = await checked(folderWith(files), ...flags)
      const right = await checked(folderWith({ ...files, ...repaired }), ...flags)

      expect(wrong.rows.map(({ message }) => message).join('\n')).toContain(says)
      expect([wrong.exitCode, right.exitCode]).toEqual([12, 0])
    },
  )
})

const cards = {
  name: 'Cards',
  campaign_type: 'GIFT_VOUCHERS',
  voucher: { type: 'GIFT_VOUCHER', gift: { amount: 1000 } },
}
const free = {
  name: 'Free',
  campaign_type: 'PROMOTION',
  tiers: [
    {
      key: 'all',
      name: 'All',
      expiration_date: '2030-01-01T00:00:00.000Z',
      action: { discount: { type: 'PERCENT', percent_off: 100 } },
    },
  ],
}

describe('a folder', () => {
  test('a finding is shown below its object, with file and line, and what to do', async () => {
    const folder = folderWith({ 'campaigns/free.yaml': free, 'campaigns/cards.yaml': cards })

    const { exitCode, stdout, stderr } = await promo(`check ${folder}`, { now })

    expect(stdout).toBe(`campaigns/cards
  info gift-card-without-end  ${folder}/campaigns/cards.yaml:1
    The gift cards of "Cards" never expire: what nobody spends is owed for ever.
    fix: activity_duration_after_publishing: P3Y, as far as the law allows

campaigns/free/tiers/all
  error everything-free  ${folder}/campaigns/free.yaml:9
    "All" takes 100 % off any order, and no maximum is set: an order of 1,000.00 costs nothing.
    fix: set action.discount.amount_limit, or correct percent_off
`)
    expect(stderr).toContain('not checked: rule-unused needs the assignments of rules to single codes')
    expect(stderr).toMatch(/1 error, 1 info in 3 objects in 3 files\n$/)
    expect(exitCode).toBe(12)
  })

  test('--fail-on says from which severity on the exit code is 12', async () => {
    const folder = folderWith({ 'campaigns/cards.yaml': cards })

    const codes = await Promise.all(severities.map(async (one) => (await checked(folder, '--fail-on', one)).exitCode))

    expect(codes).toEqual([0, 0, 12])
  })

  test('--only and --ignore choose rules, and a wrong name is refused with the right one', async () => {
    const folder = folderWith({ 'campaigns/free.yaml': free, 'campaigns/cards.yaml': cards })

    const only = await checked(folder, '--only', 'everything-free')
    const others = await checked(folder, '--ignore', 'everything-free')
    const wrong = await promo(`check ${folder} --only everthing-free`)

    expect(only.rows.map(({ rule }) => rule)).toEqual(['everything-free'])
    expect(others.rows.map(({ rule }) => rule)).toEqual(['gift-card-without-end'])
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean "everything-free"?')])
  })

  test('checks of promo.yaml change severities, and a wrong one is refused', async () => {
    const files = { 'campaigns/free.yaml': free, 'campaigns/cards.yaml': cards }
    const folder = folderWith(files, { checks: { 'everything-free': 'warning', 'gift-card-without-end': 'off' } })

    const { rows, exitCode } = await checked(folder)
    const unknown = await promo(['check', folderWith(files, { checks: { 'everything-fre': 'off' } })])
    const strange = await promo(['check', folderWith(files, { checks: { 'everything-free': 'loud' } })])

    expect([exitCode, rows.map(({ rule, severity }) => [rule, severity])]).toEqual([
      0,
      [['everything-free', 'warning']],
    ])
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('no rule is called "everything-fre"'),
    ])
    expect([strange.exitCode, strange.stderr]).toEqual([2, expect.stringContaining('promo.yaml:')])
  })

  test('a comment above a part is about that part, and one of an unknown rule is reported', async () => {
    const text = `name: Free
campaign_type: PROMOTION
tiers:
  # check: ignore everything-free because staff get it at the till
  - {key: staff, name: Staff, expiration_date: '2030-01-01T00:00:00Z', action: {discount: {type: PERCENT, percent_off: 100}}}
  - {key: all, name: All, expiration_date: '2030-01-01T00:00:00Z', action: {discount: {type: PERCENT, percent_off: 100}}}
# check: ignore everything-fre because of a slip
`

    const { rows, stderr } = await checked(folderWith({ 'campaigns/free.yaml': text }))

    expect(rows.map(({ rule, object, line }) => [rule, object, line])).toEqual([
      ['everything-free', 'campaigns/free/tiers/all', 6],
      ['ignore-of-nothing', 'campaigns/free/tiers/all', 7],
    ])
    expect(stderr).toContain('1 finding ignored by comments')
  })

  test('amounts are in the currency of the project', async () => {
    const campaign = {
      name: 'Spring',
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'AMOUNT', amount_off: 5000 },
        redemption: { quantity: 1 },
      },
    }
    const words = async (currency: string) =>
      (await checked(folderWith({ 'campaigns/a.yaml': campaign, 'settings.yaml': { currency } }))).rows[0]?.message

    expect([await words('EUR'), await words('JPY')]).toEqual([
      '"Spring" takes 50.00 EUR off any order: an order of up to 50.00 EUR costs nothing.',
      '"Spring" takes 5,000 JPY off any order: an order of up to 5,000 JPY costs nothing.',
    ])
  })

  test('free items that are not in the folder are called as the discount calls them', async () => {
    const action = {
      discount: { type: 'UNIT', unit_off: 1, unit_type: { id: 'prod_0123456789' }, effect: 'ADD_NEW_ITEMS' },
    }
    const gift = { name: 'Gift', campaign_type: 'PROMOTION', tiers: [{ key: 'a', name: 'A', action }] }

    const { rows } = await checked(folderWith({ 'campaigns/gift.yaml': gift }), '--only', 'free-items-without-limit')

    expect(rows.map(({ message }) => message)).toEqual([
      expect.stringContaining('"A" adds 1 × "prod_0123456789" for free'),
    ])
  })

  test('files that cannot be used, and a folder that is none of a project, are refused', async () => {
    const broken = await promo(['check', folderWith({ 'campaigns/free.yaml': { ...free, no_member: 1 } })])
    const none = await promo(['check', temporaryFolder()])

    expect([broken.exitCode, broken.stderr]).toEqual([2, expect.stringContaining('"no_member" is no member')])
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('is not a project as files')])
  })
})

describe('reports', () => {
  test('SARIF follows the published schema, with the line of each finding', async () => {
    const ajv = new Ajv({ strict: false, unicodeRegExp: false })
    ajvFormats.default(ajv)
    const {
      $schema: _,
      id: __,
      ...schema
    } = JSON.parse(readFileSync(join(root, 'test/fixtures/sarif/sarif-2.1.0.schema.json'), 'utf8'))
    const validate = ajv.compile(schema)

    const { exitCode, stdout } = await promo('check examples/shop --format sarif')
    const none = await promo(['check', folderWith({}), '--format', 'sarif'])

    const log = JSON.parse(stdout)
    expect([validate(log), validate.errors]).toEqual([true, null])
    expect([validate(JSON.parse(none.stdout)), none.exitCode]).toEqual([true, 0])
    expect(validate({ ...log, version: '2' })).toBe(false)
    const [{ tool, results }] = log.runs
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(rules.map(({ id }) => id))
    const welcome = results.find(({ ruleId, message }: { ruleId: string; message: { text: string } }) =>
      [ruleId, message.text].join().includes('discount-without-minimum,"Welcome"'),
    )
    expect([exitCode, welcome.level, tool.driver.rules[welcome.ruleIndex].id]).toEqual([
      12,
      'error',
      'discount-without-minimum',
    ])
    expect(welcome.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'examples/shop/campaigns/welcome.yaml' },
      region: { startLine: 7 },
    })
  })

  test('Markdown is a table in which no name is markup', async () => {
    const { stdout } = await promo(
      ['check', folderWith({ 'campaigns/a.yaml': { ...cards, name: 'A | <b>*c*' } }), '--format', 'markdown'],
      { now },
    )
    const none = await promo(['check', folderWith({}), '--format', 'markdown'])

    expect(stdout.split('\n').slice(0, 2)).toEqual([
      '| Severity | Where | Rule | Finding |',
      '| --- | --- | --- | --- |',
    ])
    expect(stdout).toContain('"A \\| \\<b\\>\\*c\\*" never expire')
    expect(none.stdout).toBe('promo check: nothing found.\n')
  })

  test('a report has no columns, and goes to a file', async () => {
    const file = join(temporaryFolder(), 'check.sarif')

    const refused = await promo('check examples/shop --format sarif --query []')
    const written = await promo(`check examples/shop --format sarif --out ${file}`)

    expect([refused.exitCode, refused.stdout]).toEqual([2, ''])
    expect([written.exitCode, written.stdout, JSON.parse(readFileSync(file, 'utf8')).version]).toEqual([
      12,
      '',
      '2.1.0',
    ])
  })
})

describe('--combinations', () => {
  const percent = (name: string, percent_off: number) => ({
    name,
    campaign_type: 'DISCOUNT_COUPONS',
    category_id: 'season',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off }, redemption: { quantity: 1 } },
  })
  const fifty = {
    name: 'Fifty',
    campaign_type: 'PROMOTION',
    tiers: [
      {
        key: 'fifty',
        name: 'Fifty',
        action: { discount: { type: 'AMOUNT', amount_off: 5000 } },
        validation_rules: ['from-150'],
      },
    ],
  }
  const files = {
    'categories/season.yaml': { name: 'Season', hierarchy: 1 },
    'rules/from-150.yaml': {
      name: 'From 150',
      rules: { '1': { name: 'order.amount', conditions: { $more_than_or_equal: [15_000] } }, logic: '1' },
    },
    'campaigns/fifty.yaml': fifty,
    'campaigns/twenty.yaml': percent('Twenty', 20),
  }

  test('the worst basket is at the boundary of the rules, with its arithmetic and the command', async () => {
    const { exitCode, stdout, stderr } = await promo(['check', folderWith(files), '--combinations'], { now })

    // A fifth first, and fifty off what is then the least order.
    expect(stdout).toContain('1. "Twenty" with "Fifty": 87.50 off an order of 187.50, 46.7 %')
    expect(stdout).toMatch(/initial amount +18750\n.*voucher TWENTY-1 +-3750 +15000\n.*tier promo_\w+ +-5000 +10000\n/)
    expect(stdout).toMatch(/promo validate redeemables TWENTY-1 tier:promo_\w+ --explain --amount 18750/)
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('none of them lose 50 % or more')])
  })

  test('a limit of the stacking rules is kept, and the floor decides the exit code', async () => {
    const alone = folderWith({ ...files, 'stacking-rules.yaml': { applicable_redeemables_limit: 1 } })

    const rows = JSON.parse((await promo(['check', alone, '--combinations', '--json'], { now })).stdout)
    const over = await promo(['check', alone, '--combinations', '--floor', '30'], { now })
    const one = await promo(['check', '--combinations', '1', alone, '--json'], { now })

    expect(rows.map(({ redeemables }: { redeemables: string[] }) => redeemables)).toEqual([
      ['campaigns/fifty/tiers/fifty'],
      ['campaigns/twenty'],
    ])
    expect([over.exitCode, JSON.parse(one.stdout)]).toEqual([12, rows.slice(0, 1)])
  })

  test('a discount on products is tried on the products, and free items count', async () => {
    const mug = {
      'products/mug.yaml': { source_id: 'mug', name: 'Mug', price: 900 },
      'campaigns/mug.yaml': {
        name: 'A mug',
        campaign_type: 'PROMOTION',
        tiers: [
          {
            key: 'mug',
            name: 'Mug',
            action: { discount: { type: 'UNIT', unit_off: 1, unit_type: 'mug', effect: 'ADD_MISSING_ITEMS' } },
          },
        ],
      },
    }

    const [worst] = JSON.parse((await promo(['check', folderWith(mug), '--combinations', '--json'], { now })).stdout)

    expect([worst.amount, worst.discount, worst.request.order.items?.[0]?.quantity]).toEqual([900, 900, 1])
  })

  test('a project without discounts has no worst basket', async () => {
    const { exitCode, stdout, stderr } = await promo(['check', folderWith({}), '--combinations'], { now })

    expect([exitCode, stdout, stderr]).toEqual([0, '', expect.stringContaining('no discount applies to any order')])
  })
})

describe('a project', () => {
  let service: TestProjects
  let shop: TestProject

  beforeAll(async () => {
    service = await testProjects()
    shop = await service.another()
  })

  afterAll(() => service.close())

  const found = async (project: TestProject, ...more: string[]) => {
    const { exitCode, stdout, stderr } = await project.promo(['check', '--json', ...more], { now })
    return { exitCode, stderr, rows: JSON.parse(stdout) as Row[] }
  }

  test('single codes are checked, and each fix is a command', async () => {
    const { exitCode, rows, stderr } = await found(service.first)

    const ofCode = rows.filter(({ object }) => object === 'codes/FIRSTDAYS')
    // What begins in 2099 is not to end before.
    expect(
      rows.find(({ object, rule }) => object === 'codes/OPENING2099' && rule === 'campaign-without-end')?.fix,
    ).toMatch(/--expires 2099-/)
    expect(exitCode).toBe(12)
    expect(ofCode.map(({ rule, fix }) => [rule, fix])).toEqual([
      ['discount-without-minimum', "promo rules assign 'Orders above 20 euros' --voucher FIRSTDAYS"],
      [
        'code-without-limit',
        "promo rules create --name 'For FIRSTDAYS' --per-customer 1; promo rules assign 'For FIRSTDAYS' --voucher FIRSTDAYS",
      ],
      ['campaign-without-end', 'promo vouchers update FIRSTDAYS --expires 2027-02-26'],
    ])
    expect(stderr).toMatch(/reading project \S+ of profile \S+: about \d+ requests, and none changes anything/)
  })

  test('a command that repairs a finding repairs it when it is pasted', async () => {
    const repaired: string[] = []
    for (const id of offline.map((rule) => rule.id)) {
      const project = await service.another()
      const { exitCode } = await project.promo(
        ['config', 'apply', folderWith((fixtures[id] as Fixture).wrong), '--yes'],
        { now },
      )
      if (exitCode !== 0) continue
      const { rows } = await found(project, '--only', id)
      const lines = rows.flatMap(({ fix }) => (fix?.startsWith('promo ') ? fix.split('; ') : []))
      for (const line of lines) {
        const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
        const { exitCode: ended, stderr } = await project.promo([...words.slice(1), '--yes'], { now })
        expect([line, ended, stderr]).toEqual([line, 0, expect.anything()])
      }
      if (lines.length === 0) continue
      repaired.push(id)
      expect([id, (await found(project, '--only', id)).rows]).toEqual([id, []])
    }

    expect(repaired).toEqual([
      'discount-without-minimum',
      'percentage-without-maximum',
      'everything-free',
      'price-for-any-order',
      'free-items-without-limit',
      'code-without-limit',
      'tier-never-applies',
      'campaign-without-end',
      'over-but-on',
      'started-but-off',
      'gift-card-without-end',
    ])
  })

  test('the demo shop has the findings that docs/checks.md lists, and no other', async () => {
    const { rows } = await found(service.first)

    const counts = [...Map.groupBy(rows, ({ rule }) => rule)].map(([rule, same]) => `| \`${rule}\` | ${same.length} |`)
    const files = await checked('examples/shop')
    expect(files.rows.map(({ rule, object }) => `${rule} ${object}`)).toEqual([
      'gift-card-without-end campaigns/gift-cards',
      'discounts-over-floor campaigns/spring-mailing',
      'campaign-without-end campaigns/terrace-season',
      'discount-without-minimum campaigns/terrace-season/tiers/three-euros-for-readers',
      'discount-without-minimum campaigns/welcome',
    ])
    expect(counts.toSorted()).toEqual(document.match(/^\| `[a-z-]+` \| \d+ \|/gm)?.toSorted())
  })

  test('a rule that is assigned to nothing, and a condition about what was deleted, need the project', async () => {
    const segment = await shop.call('POST', '/v1/segments', {
      name: 'Regulars',
      type: 'auto-update',
      filter: { source_id: { conditions: { $is: ['ada'] } } },
    })
    const rule = (name: string) =>
      shop.call('POST', '/v1/validation-rules', {
        name,
        rules: { '1': { name: 'customer.segment', conditions: { $is: [segment.id] } }, logic: '1' },
      })
    await rule('Unused')
    const used = await rule('Used')
    await shop.call('POST', '/v1/vouchers/ONCE', {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 5 },
      redemption: { quantity: 1 },
      validation_rules: [used.id],
    })
    const before = await found(shop)
    await shop.call('DELETE', `/v1/segments/${segment.id}`)
    const after = await found(shop)

    expect(before.rows.map(({ rule, object }) => [rule, object])).toEqual([['rule-unused', 'rules/unused']])
    expect(after.rows.filter(({ rule }) => rule === 'reference-to-nothing').map(({ object }) => object)).toEqual([
      'rules/unused',
      'rules/used',
    ])
    expect(after.rows[0]?.message).toContain(
      `"Unused" asks for the segment ${segment.id}, and the project has none of this id`,
    )
  })

  test('codes and uses that are soon gone are counted in the project, by their pace', async () => {
    const project = await service.another()
    const voucher = {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 5 },
      redemption: { quantity: 1 },
    }
    for (const [name, published] of [
      ['Pool', 9],
      ['Deep', 1],
    ] as const) {
      const { id } = await project.call('POST', '/v1/campaigns?await=1', {
        name,
        campaign_type: 'DISCOUNT_COUPONS',
        type: 'STATIC',
        start_date: '2026-11-26T12:00:00.000Z',
        vouchers_count: 10,
        voucher,
      })
      for (let at = 0; at < published; at += 1)
        await project.call('POST', '/v1/publications', {
          campaign: { name: id, count: 1 },
          customer: { source_id: `${name}-${at}` },
        })
    }

    const { rows } = await found(project, '--only', 'codes-running-out')

    expect(rows.map(({ message, fix }) => [message, fix])).toEqual([
      [
        'Of 10 codes of "Pool" 9 are gone, 4.5 a day since 2026-11-26: the last one is gone today.',
        'promo campaigns vouchers add Pool --count 10',
      ],
    ])
  })

  test('what the keys cannot read is said, and a check changes nothing', async () => {
    const { stdout, stderr, exitCode } = await shop.promo('check --json', {
      now,
      env: { PROMO_MANAGEMENT_ID: undefined, PROMO_MANAGEMENT_TOKEN: undefined },
    })

    expect([exitCode, JSON.parse(stdout)]).toEqual([expect.any(Number), expect.any(Array)])
    expect(stderr).toContain('not checked: settings cannot be read: the profile has no management keys')
  })

  test('a plan names what it would add, and an apply asks once more for an error', async () => {
    const project = await service.another()
    const folder = folderWith({ 'campaigns/cards.yaml': cards })
    await project.promo(`config apply ${folder} --yes`, { now })
    writeFileSync(join(folder, 'campaigns/free.yaml'), stringify(free))
    const file = join(temporaryFolder(), 'plan.json')

    const plan = await project.promo(`config plan ${folder} --out ${file}`, { now })
    const review = await project.promo(`config plan ${folder} --format markdown`, { now })
    const refused = await project.promo(`config plan ${folder} --format markdown --query []`, { now })
    const unasked = await project.promo(`config apply ${file}`, { now })
    const applied = await project.promo(`config apply ${file} --yes`, { now })
    const again = await project.promo(`config plan ${folder}`, { now })

    expect(plan.stderr).toMatch(/^error everything-free \S+free\.yaml:\d+: "All" takes 100 % off any order/m)
    expect(review.stdout).toMatch(
      /^Plan: 2 create, 1 enable\n\n\| Step \| Act \|[\s\S]*\| 1 \| create \| campaigns\/free \|[\s\S]*\| error \| \S+free\.yaml:\d+ \| everything-free \|/,
    )
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('markdown has none')])
    // What the project has already is not the plan's.
    expect(plan.stderr).not.toContain('gift-card-without-end')
    expect([unasked.exitCode, unasked.stderr]).toEqual([
      11,
      expect.stringContaining('apply a plan with 1 error that promo check finds'),
    ])
    expect([applied.exitCode, again.stderr.includes('everything-free')]).toEqual([0, false])
  })
})
