// The least command lines of every command that calls the service, and the classes of all commands.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordedKinds } from '../../src/cli/topics/config/declared.ts'
import { openCopy } from '../../src/ledger/copy.ts'
import { nowhere, temporaryFolder } from './promo.ts'
import { type Action, type Asked, answer } from './scripted-server.ts'

/** A command line, and the answers it needs to continue; other requests find nothing. */
export type CommandLines = [
  words: string,
  goesOn?: ((asked: Asked, index: number) => Action | undefined) | undefined,
  /** The keys in the environment; both pairs unless given. */
  keys?: 'management',
]

/** The answer to a request that the line does not foresee. */
export const notFound = answer(404, { code: 404, message: 'Not found', key: 'not_found' })

/** The environment in which a command calls a server of a test, with keys that it does not check. */
export const keysFor = (origin: string, keys?: CommandLines[2]): Record<string, string> => ({
  PROMO_BASE_URL: origin,
  ...(keys !== 'management' && { PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 't' }),
  PROMO_MANAGEMENT_ID: 'm',
  PROMO_MANAGEMENT_TOKEN: 't',
  PROMO_PROJECT_ID: 'proj_1',
})

/** A file of a test run with this content. */
function fileOf(content: string): string {
  const path = join(temporaryFolder(), 'rows.csv')
  writeFileSync(path, content)
  return path
}

const lineOf = (words: string, ...rest: string[]): CommandLines[] => [words, ...rest].map((one) => [one])
/** A profile of management keys alone is examined by another call. */
const withEitherPair: CommandLines[] = [[''], ['', undefined, 'management']]
const unlessItReads =
  (body: object): NonNullable<CommandLines[1]> =>
  ({ method }) =>
    method === 'GET' ? undefined : answer(200, body)
const whenItReads =
  (body: object): NonNullable<CommandLines[1]> =>
  ({ method }) =>
    method === 'GET' ? answer(200, body) : undefined

const emptyList = whenItReads({ object: 'list', data_ref: 'data', data: [], total: 0 })
/** A list without rows; what its flags name does not exist. */
const emptyAt =
  (path: string): NonNullable<CommandLines[1]> =>
  ({ url }) =>
    url.split('?')[0] === path ? answer(200, { object: 'list', data_ref: 'data', data: [], total: 0 }) : undefined
/** A text that may be anything of a customer, so that everything is looked for. */
const somebody = 'r_ann@shop.example'
const anybody = `--customer ${somebody}`
/** A campaign of cards, and a card without one. */
const projectWithCards: NonNullable<CommandLines[1]> = (asked, index) => {
  const [, name] = /^\/v1\/(campaigns|vouchers)\?/.exec(asked.url) ?? []
  if (name === undefined) return emptyList(asked, index)
  const one = { id: `${name}_1`, campaign_type: 'LOYALTY_PROGRAM', code: 'C', type: 'GIFT_VOUCHER', campaign_id: null }
  return answer(200, { object: 'list', data_ref: name, [name]: [one], total: 1 })
}
/** Chooses vouchers by filters that read something else first. */
const byFilters = (more = ''): CommandLines[] => [
  [`${anybody} ${more}`.trim()],
  ...['--category N', '--campaign N'].map(
    (filter): CommandLines => [`${filter} ${more}`.trim(), emptyAt('/v1/vouchers')],
  ),
]

/** Refuses what is created, because it exists; `body` is what a read finds. */
const ifTaken =
  (body: object): NonNullable<CommandLines[1]> =>
  ({ method }) =>
    method === 'GET'
      ? answer(200, body)
      : method === 'POST'
        ? answer(409, { code: 409, key: 'duplicate_found' })
        : undefined

/** Loses the answer to a creation, whose name is taken from then on; a read finds `body`. */
const lostThenTaken =
  (body: object): NonNullable<CommandLines[1]> =>
  (asked, index) =>
    index === 0 ? { do: 'reset' } : ifTaken(body)(asked, index)

const listOf = (...data: object[]) => ({ object: 'list', data_ref: 'data', data, total: data.length })

const campaigns = {
  object: 'list',
  data_ref: 'campaigns',
  campaigns: [{ id: 'camp_1', object: 'campaign', name: 'N', campaign_type: 'PROMOTION' }],
  total: 1,
}
const exportJob = { id: 'exp_1', object: 'export', status: 'SCHEDULED', created_at: '2026-01-01T00:00:00.000Z' }
const webhook = {
  id: 'wh_1',
  object: 'webhook',
  target_url: 'https://shop.example/',
  events: ['voucher.created'],
  active: true,
}
const card = { id: 'm_1', code: 'C', type: 'LOYALTY_CARD', object: 'voucher' }
const heldCard = { ...card, campaign_id: 'camp_1', holder_id: 'cust_1', active: true, loyalty_card: { balance: 5 } }
const tierAt = (id: string, hierarchy: number) => ({
  id,
  object: 'promotion_tier',
  name: id,
  hierarchy,
  campaign: { id: 'camp_1' },
})
const noRows = { object: 'list', data_ref: 'data', data: [], has_more: false }
const offer = { id: 'rewa_1', reward_id: 'rew_1', object: 'reward_assignment' }
/** A voucher of a campaign, which has a state of its own. */
const campaignVoucher = { id: 'v_1', code: 'C', object: 'voucher', campaign_id: 'camp_1' }
const vouchersOfTwo = [campaignVoucher, { ...campaignVoucher, id: 'v_2', code: 'D', campaign_id: 'camp_2' }]
/** Two assignments of each kind, of two rules. */
const assignments = ['voucher', 'campaign', 'promotion_tier'].flatMap((type) =>
  [1, 2].map((at) => ({
    id: `asgm_${type}_${at}`,
    object: 'validation_rules_assignment',
    rule_id: `val_${at}`,
    related_object_type: type,
    related_object_id: `${type}_${at}`,
  })),
)
/** A validation that refuses a voucher and a tier, because something is off. */
const refusesAll: NonNullable<CommandLines[1]> = ({ method, url }) => {
  if (method === 'POST') {
    const refused = (object: string, id: string, key: string, details?: string) => ({
      object,
      id,
      status: 'INAPPLICABLE',
      result: { error: { code: 400, key, details } },
    })
    const redeemables = [
      refused('voucher', 'C', 'voucher_disabled'),
      refused('promotion_tier', 'promo_1', 'promotion_inactive'),
      refused('voucher', 'D', 'order_rules_violated', 'violated validation rules: val_1'),
    ]
    return answer(200, { valid: false, redeemables, stacking_rules: {} })
  }
  return url.includes('vouchers') ? answer(200, campaignVoucher) : undefined
}
/** A customer who has a referral code, and is in no segment of two. */
const customerPage: NonNullable<CommandLines[1]> = ({ url }) => {
  const list = (data: object[]) => answer(200, { object: 'list', data_ref: 'data', data, total: data.length })
  if (url.includes('redeemables')) {
    return list(
      vouchersOfTwo.map((voucher) => {
        const { id } = voucher
        return { id, redeemable_id: id, holder_role: 'REFERRER', redeemable: { voucher } }
      }),
    )
  }
  if (url.includes('segments')) return list([{ id: 'seg_1' }])
  if (url.includes('/campaigns')) return undefined
  const isOne = url.endsWith('/v1/customers/cust_1')
  return isOne ? answer(200, { id: 'cust_1', object: 'customer', created_at: '2026-01-01T00:00:00.000Z' }) : list([])
}
/** A code with one friend, whose codes are not readable. */
const holdersOfOne: NonNullable<CommandLines[1]> = ({ url }) => {
  const friend = { id: 'rh_1', object: 'redeemable_holder', customer_id: 'cust_1', holder_role: 'REFEREE' }
  const list = { object: 'list', data_ref: 'data', data: [friend], total: 1 }
  return url.includes('/holders') ? answer(200, list) : undefined
}
/** What --explain looks at, by the end of its path: objects that lead to the next look. */
const whyOf =
  (ends: Readonly<Record<string, object>>): NonNullable<CommandLines[1]> =>
  ({ url }) => {
    const path = url.split('?')[0] ?? ''
    const [, found = { ...noRows, ...campaignVoucher }] = Object.entries(ends).find(([end]) => path.endsWith(end)) ?? []
    return answer(200, found)
  }
const refusedUse = {
  id: 'rf_1',
  object: 'redemption',
  result: 'FAILURE',
  failure_code: 'order_rules_violated',
  voucher: { ...campaignVoucher, validation_rules_assignments: { data: [{ rule_id: 'val_1' }] } },
}
const paidOrder = {
  id: 'ord_1',
  object: 'order',
  source_id: null,
  status: 'PAID',
  customer_id: 'cust_1',
  referrer_id: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
}
const reward = { type: 'LOYALTY_CARD', amount: 1, related_object_parent: { id: 'camp_1' } }
const referralCampaign = { id: 'camp_1', object: 'campaign', name: 'N', referral_program: { referee_reward: reward } }

/** A project with something of every kind that has a list of its own. */
const someProject: NonNullable<CommandLines[1]> = ({ url }) => {
  const campaigns = [
    { id: 'camp_1', object: 'campaign', name: 'P', campaign_type: 'PROMOTION' },
    { id: 'camp_2', object: 'campaign', name: 'L', campaign_type: 'LOYALTY_PROGRAM' },
  ]
  const path = url.replace(/\?.*/, '')
  if (path.endsWith('/projects/proj_1')) return answer(200, { id: 'proj_1', object: 'project' })
  if (path.startsWith('/v1/products/')) return undefined
  const data = path === '/v1/campaigns' ? campaigns : []
  return answer(200, { object: 'list', data_ref: 'data', data, total: data.length })
}
/** The same with a reward that refers to a product. */
const projectToCopy: NonNullable<CommandLines[1]> = (asked, index) => {
  const reward = { id: 'rew_1', object: 'reward', name: 'Mug', parameters: { product: { id: 'prod_1' } } }
  return /^\/v1\/rewards\b/.test(asked.url)
    ? answer(200, { object: 'list', data_ref: 'data', data: [reward], total: 1 })
    : someProject(asked, index)
}
/** The same with something that no file has, of kinds that data refer to. */
const projectToPrune: NonNullable<CommandLines[1]> = (asked, index) => {
  if (/\/skus\b/.test(asked.url)) return answer(200, { object: 'list', data_ref: 'skus', skus: [], total: 0 })
  const [, kind] = /^\/v1\/(validation-rules|categories|products)(?:\?|$)/.exec(asked.url) ?? []
  const extra = { id: `extra_${kind}`, object: kind, name: 'Extra', source_id: 'extra', hierarchy: 9, rules: {} }
  return kind !== undefined
    ? answer(200, {
        object: 'list',
        data_ref: kind === 'products' ? kind : 'data',
        data: [extra],
        products: [extra],
        total: 1,
      })
    : someProject(asked, index)
}
/** The same with codes for the customers of a segment, and a product. */
const projectToCombine: NonNullable<CommandLines[1]> = (asked, index) => {
  const voucher = {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'PERCENT', percent_off: 5 },
    redemption: { quantity: 1 },
  }
  const one = { name: 'customer.segment', conditions: { $is: ['seg_1'] } }
  const found: Record<string, object> = {
    campaigns: {
      id: 'camp_1',
      object: 'campaign',
      name: 'C',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'STATIC',
      vouchers_count: 5,
      voucher,
    },
    'validation-rules': { id: 'val_1', object: 'validation_rules', name: 'R', rules: { '1': one, logic: '1' } },
    'validation-rules-assignments': {
      id: 'asgm_1',
      rule_id: 'val_1',
      related_object_id: 'camp_1',
      related_object_type: 'campaign',
    },
    segments: { id: 'seg_1', object: 'segment', name: 'S', type: 'static' },
    products: { id: 'prod_1', object: 'product', source_id: 'p', price: 100 },
    customers: { id: 'cust_1', object: 'customer', source_id: 'ada' },
    skus: { id: 'sku_1', object: 'sku', product_id: 'prod_1', source_id: 's', price: 50 },
  }
  const [, kind = ''] = /([a-z-]+)(?:\?.*)?$/.exec(asked.url) ?? []
  const data = found[kind]
  if (data === undefined) return someProject(asked, index)
  return answer(200, { object: 'list', data_ref: kind, [kind]: [data], data: [data], total: 1 })
}
const holder = '--holder source_id=ada'
const newWebhook = '--url https://shop.example/ --event voucher.created'

/** The least command lines of each command that calls the service: together they make every call it declares. */
const somebodyKnown = { id: 'cust_1', object: 'customer', source_id: 'ada' }

/** A customer of whom nothing is left, and who is not found afterwards. */
function forgotten(method: string, url: string, index: number): Action | undefined {
  if (method === 'POST') return answer(200, { id: 'del_1', object: 'pernament_deletion', status: 'DONE' })
  if (!url.startsWith('/v1/customers/')) return answer(200, noRows)
  return index === 0 ? answer(200, { id: 'cust_1', object: 'customer', source_id: 'shop-1' }) : undefined
}

export const lines: Record<string, CommandLines[]> = {
  'async:get': lineOf('aa_1'),
  'async:list': lineOf(''),
  'async:wait': lineOf('aa_1'),
  'campaigns:create': [
    ['--set name=N --set campaign_type=PROMOTION'],
    [
      '--set name=N --set campaign_type=PROMOTION --if-exists update',
      ifTaken({ id: 'camp_1', object: 'campaign', name: 'N', campaign_type: 'PROMOTION' }),
    ],
    ['--set name=N --set campaign_type=PROMOTION', lostThenTaken(campaigns)],
  ],
  'campaigns:delete': [['camp_1'], ['camp_1 --wait', unlessItReads({ async_action_id: 'aa_1' })]],
  'campaigns:disable': lineOf('camp_1'),
  'campaigns:enable': lineOf('camp_1'),
  'campaigns:get': lineOf('camp_1'),
  'campaigns:list': lineOf(''),
  'campaigns:summary': lineOf('camp_1'),
  'campaigns:vouchers:add': [
    [
      'camp_1 C --retries 1',
      ({ method }, index) =>
        method === 'GET'
          ? undefined
          : index === 0
            ? { do: 'reset' }
            : answer(409, { code: 409, key: 'duplicate_found' }),
    ],
    ['camp_1 --count 2 --wait', unlessItReads({ async_action_id: 'aa_1' })],
  ],
  'campaigns:vouchers:import': [['camp_1 examples/new-codes.csv --wait', unlessItReads({ async_action_id: 'aa_1' })]],
  'campaigns:update': lineOf('camp_1 --set description=D'),
  check: [
    ['', someProject],
    ['--combinations', projectToCombine],
  ],
  'config:diff': [
    ['examples/shop', someProject],
    ['test/fixtures/catalogue', someProject],
  ],
  'config:link': recordedKinds.map(({ name, within }) => [
    `${name} ${within === undefined ? 'k' : 'c/k'} id_1 --dir test/fixtures/linked`,
    someProject,
  ]),
  'config:plan': [
    ['examples/shop', someProject],
    ['test/fixtures/catalogue', someProject],
    ['examples/shop --prune rules,categories', projectToPrune],
    ['test/fixtures/catalogue --prune products', projectToPrune],
  ],
  'config:pull': [
    ['examples/shop --force --dry-run', someProject],
    ['test/fixtures/catalogue --force --dry-run', someProject],
  ],
  'customers:create': lineOf('shop-1', '--set name=Ann'),
  'customers:delete': [...lineOf('shop-1', somebody), ['--segment seg_1', emptyAt('/v1/customers')]],
  'customers:find': lineOf('Ann'),
  'customers:forget': [['shop-1', ({ method, url }, index) => forgotten(method, url, index)], [somebody]],
  'customers:activity': lineOf('shop-1', somebody),
  'customers:get': lineOf('shop-1', somebody),
  'customers:list': [[''], ['--segment seg_1', emptyAt('/v1/customers')]],
  'customers:show': [['cust_1', customerPage], ['r_1']],
  'customers:update': [
    ...lineOf('shop-1 --set name=Ann', `${somebody} --set name=Ann`),
    ['--segment seg_1 --set name=Ann', emptyAt('/v1/customers')],
  ],
  doctor: withEitherPair,
  'events:send': lineOf('joined --customer source_id=ada'),
  'exports:create': [['vouchers --wait', unlessItReads(exportJob)]],
  'events:tail': [
    [
      '--webhook http://127.0.0.1/ --port 0 --for 1ms --secret-stdin',
      ({ method, url }) => (method === 'POST' ? answer(200, webhook) : emptyList({ method, url } as Asked, 0)),
    ],
    ...['--since 1h --once', '--type *.created --since 1h --once'].map((line): CommandLines => [line, emptyList]),
  ],
  'exports:download': lineOf('exp_1'),
  'exports:get': lineOf('exp_1'),
  'exports:list': lineOf(''),
  'loyalty:cards:get': [
    ['C', ({ url }) => (url.includes('members') ? answer(200, { ...card, holder_id: 'cust_1' }) : undefined)],
    ['C --campaign camp_1'],
  ],
  'loyalty:cards:list': lineOf('camp_1', `camp_1 ${anybody}`),
  'loyalty:cards:replace': [
    [
      'C',
      ({ method, url }) =>
        method === 'GET'
          ? answer(200, url.endsWith('/C') ? heldCard : noRows)
          : answer(200, {
              id: 'p_1',
              object: url.includes('/publ') ? 'publication' : 'voucher',
              code: 'D',
              voucher: { code: 'D' },
            }),
    ],
  ],
  'loyalty:cards:tiers': lineOf('C'),
  // Points that have an id of their own are looked for when the answer was lost.
  'loyalty:points:add': [
    ['C --points 5 --source-id s', whenItReads(noRows)],
    ['C --points 5 --campaign camp_1'],
    [`${anybody} --points 5 --campaign camp_1`],
    ['--unused --points 5 --campaign camp_1'],
  ],
  'loyalty:pending:activate': lineOf('C lopp_1'),
  'loyalty:pending:adjust': lineOf('C lopp_1 --points 5'),
  'loyalty:pending:cancel': lineOf('C lopp_1'),
  'loyalty:pending:list': lineOf('camp_1', '--card C', 'camp_1 --card C'),
  'loyalty:points:expiring': [
    ['C', ({ url }) => (url.endsWith('/C') ? answer(200, { ...card, campaign_id: 'camp_1' }) : undefined)],
    ['--campaign camp_1'],
  ],
  'loyalty:points:remove': [
    ['C --points 5 --source-id s', whenItReads(noRows)],
    ['C --points 5 --campaign camp_1'],
    [`${anybody} --points 5 --campaign camp_1`],
    ['--unused --points 5 --campaign camp_1'],
  ],
  'loyalty:points:transfer': [['C --to D --points 5 --campaign camp_1', whenItReads(noRows)]],
  'loyalty:programs:list': lineOf(''),
  'loyalty:rewards:list': [
    [''],
    ['camp_1', ({ url }) => (url.includes('/camp_1/rewards') ? answer(200, { ...noRows, data: [offer] }) : undefined)],
  ],
  'loyalty:rewards:redeem': lineOf('C --reward rew_1', 'C --reward rew_1 --campaign camp_1'),
  'loyalty:tiers:create': lineOf('camp_1 --name N --min 5'),
  'loyalty:tiers:earning-rules': lineOf('camp_1 ltr_1'),
  'loyalty:tiers:get': lineOf('camp_1 ltr_1'),
  'loyalty:tiers:list': lineOf('camp_1'),
  'loyalty:tiers:offers': lineOf('camp_1 ltr_1'),
  'loyalty:transactions:export': [['C --wait', unlessItReads(exportJob)], ['C --campaign camp_1']],
  'loyalty:transactions:list': lineOf('camp_1', '--card C', 'camp_1 --card C'),
  'loyalty:transactions:verify': lineOf('camp_1', '--card C', 'camp_1 --card C'),
  'metadata:schemas': lineOf(''),
  'orders:get': [
    [
      'ord_1 --explain',
      whyOf({ ord_1: paidOrder, redeemables: listOf({ id: 'm_1', redeemable: { voucher: heldCard } }) }),
    ],
  ],
  'orders:list': lineOf('', anybody),
  'products:get': lineOf('prod_1'),
  'products:import': [
    [`${fileOf('name,source_id\nDecaf,decaf\n')} --wait`, unlessItReads({ async_action_id: 'aa_1' })],
  ],
  'products:list': lineOf(''),
  'profiles:add': lineOf('shop --insecure-storage --no-input'),
  'profiles:verify': withEitherPair,
  'projects:create': lineOf('N'),
  'projects:list': lineOf(''),
  'promotions:disable': lineOf('promo_1'),
  'promotions:enable': lineOf('promo_1'),
  'promotions:get': lineOf('promo_1'),
  'promotions:list': lineOf('', '--campaign N'),
  'promotions:stacks': lineOf('', '--campaign N'),
  // A publication that has an id of its own is looked for when the answer was lost.
  'publications:create': [
    ['--campaign camp_1 --customer source_id=ada --source-id s', emptyList],
    ['--campaign camp_1 --segment seg_1', emptyAt('/v1/customers')],
    // Several may get the same code.
    [`--voucher C --from ${fileOf('source_id\na\nb\n')}`],
    [
      `--campaign camp_1 --from ${fileOf('source_id\na\nb\n')}`,
      ({ url }) =>
        url.includes('/campaigns/')
          ? answer(200, { id: 'camp_1', object: 'campaign', type: 'STANDALONE', campaign_type: 'DISCOUNT_COUPONS' })
          : undefined,
    ],
  ],
  'publications:list': [[''], [anybody], ['--campaign N', emptyAt('/v1/publications')]],
  'qualify:campaigns': lineOf('--amount 1'),
  'redemptions:create': lineOf('C --amount 5'),
  'redemptions:get': [['r_1 --explain', whyOf({ r_1: refusedUse, val_1: { id: 'val_1', name: 'R' } })]],
  'redemptions:list': [[''], [anybody], ['--campaign N', emptyAt('/v1/redemptions')]],
  // A refusal after a lost answer: the redemption itself shows which of the two came first.
  'redemptions:rollback': [
    ['r_1 --retries 1', (_, index) => (index === 0 ? { do: 'reset' } : undefined)],
    ['r_1 --stacked'],
    [`--from ${fileOf(`id,customer\nr_1,${somebody}\n`)}`],
    ['--campaign N', emptyAt('/v1/redemptions')],
  ],
  // As above: the holders of the code show it.
  'referrals:holders:add': ['R', 'camp_1 R'].map((code) => [
    `${code} ${holder} --retries 1`,
    (asked, index) => (index === 0 ? { do: 'reset' } : asked.method === 'GET' ? holdersOfOne(asked, index) : undefined),
  ]),
  'referrals:holders:list': [
    ['R', holdersOfOne],
    ['camp_1 R'],
    [`R ${anybody}`],
    [
      'R --explain',
      whyOf({
        holders: listOf({
          id: 'rh_1',
          object: 'redeemable_holder',
          customer_id: 'cust_1',
          holder_role: 'REFEREE',
          redeemable_id: 'v_1',
          campaign_id: 'camp_1',
        }),
        camp_1: referralCampaign,
        activity: noRows,
        cust_1: { id: 'cust_1', object: 'customer', created_at: '2026-01-01T00:00:00.000Z' },
        redemptions: listOf({ id: 'r_1', object: 'redemption', result: 'SUCCESS' }),
      }),
    ],
  ],
  'referrals:holders:remove': lineOf(
    'R rh_1',
    'R rh_1 --campaign camp_1',
    `R ${anybody}`,
    'R --role REFEREE',
    'R --role REFEREE --campaign camp_1',
  ),
  'referrals:tree': [['R', holdersOfOne], ['r_1'], ['a@shop.example']],
  'rules:get': lineOf('val_1'),
  'rules:list': lineOf(''),
  // A copy is a new file, and test files share this module.
  get 'ledger:pull'(): CommandLines[] {
    return [[`--data ${temporaryFolder()}/copy.db`, projectWithCards]]
  },
  get 'ledger:forget'(): CommandLines[] {
    const file = `${temporaryFolder()}/copy.db`
    openCopy(file, { writes: true }).close()
    return [[`cust_1 --data ${file}`]]
  },
  get 'sandbox:copy'(): CommandLines[] {
    return [
      [`--data ${nowhere}/copy.db --only codes,customers,orders --dry-run`, projectToCopy],
      [`--data ${temporaryFolder()}/copy.db --only codes,customers,orders`, projectToCopy],
      [`--data ${temporaryFolder()}/copy.db --only products`, projectToCopy],
    ]
  },
  'segments:list': lineOf(''),
  'skus:import': [[`${fileOf('source_id,product_id\nS,P\n')} --wait`, unlessItReads({ async_action_id: 'aa_1' })]],
  'skus:list': lineOf('prod_1'),
  'templates:copy': [
    ['camp_tpl_1 --to proj_2 --name N'],
    [
      'camp_tpl_1 --to proj_2 --name N --if-exists reuse',
      ifTaken({
        object: 'list',
        data_ref: 'data',
        data: [{ id: 'camp_tpl_1', object: 'campaign_template', name: 'N' }],
      }),
    ],
  ],
  'templates:create': [
    ['N --campaign camp_1'],
    [
      'N --campaign camp_1 --if-exists update',
      ifTaken({
        object: 'list',
        data_ref: 'data',
        data: [{ id: 'camp_tpl_1', object: 'campaign_template', name: 'N' }],
      }),
    ],
  ],
  'templates:delete': lineOf('camp_tpl_1'),
  'templates:get': lineOf('camp_tpl_1'),
  'templates:list': lineOf('', '--project proj_1'),
  'templates:setup-campaign': [
    ['camp_tpl_1 --name N'],
    ['camp_tpl_1 --name N --if-exists update', ifTaken({ id: 'camp_1', object: 'campaign', name: 'N' })],
    ['camp_tpl_1 --name N', lostThenTaken(campaigns)],
  ],
  'templates:setup-tier': lineOf('camp_tpl_1 --campaign camp_1 --name N'),
  'templates:update': lineOf('camp_tpl_1 --name N'),
  'token:create': lineOf('--scope api'),
  'token:introspect': lineOf(''),
  'token:revoke': lineOf(''),
  'validate:promotions': lineOf('--amount 1'),
  get 'validate:redeemables'(): CommandLines[] {
    const cart = '{"redeemables":[{"object":"voucher","id":"C"}],"customer":{"source_id":"ada"},"order":{"amount":5}}'
    const coverage = `--from ${fileOf(cart)} --coverage`
    const reading: CommandLines[1] = (asked, index) => {
      if (asked.url === '/v1/vouchers/C') return undefined
      return asked.url === '/v1/customers/ada' ? answer(200, somebodyKnown) : projectToCombine(asked, index)
    }
    return [
      ['C tier:promo_1 --explain', refusesAll],
      [coverage, someProject],
      [coverage, reading],
    ]
  },
  'vouchers:balance:add': [['C --amount 5 --source-id s', whenItReads(noRows)], ...byFilters('--amount 5')],
  'vouchers:balance:remove': [['C --amount 5 --source-id s', whenItReads(noRows)], ...byFilters('--amount 5')],
  // The code is taken after an answer was lost: perhaps by the create itself.
  'vouchers:create': [
    [
      'C --type LOYALTY_CARD --set loyalty_card.points=1 --set metadata.a=b --if-exists update',
      ifTaken({ id: 'v_1', object: 'voucher', code: 'C', type: 'LOYALTY_CARD', loyalty_card: { points: 1 } }),
    ],
    [
      'C --type LOYALTY_CARD --set loyalty_card.points=1 --retries 1',
      ({ method }, index) =>
        method === 'GET'
          ? undefined
          : index === 0
            ? { do: 'reset' }
            : answer(409, { code: 409, key: 'duplicate_found' }),
    ],
  ],
  'vouchers:delete': [...lineOf('C'), ...byFilters()],
  'vouchers:disable': [...lineOf('C', 'C --prove-change'), ...byFilters()],
  'vouchers:enable': [...lineOf('C', 'C --prove-change'), ...byFilters()],
  'vouchers:get': [['C --explain', whyOf({})]],
  'vouchers:import': [['examples/new-codes.csv --wait', unlessItReads({ async_action_id: 'aa_1' })]],
  'vouchers:list': [
    [
      '',
      ({ url }) =>
        url.startsWith('/v1/vouchers')
          ? answer(200, { object: 'list', data_ref: 'vouchers', vouchers: vouchersOfTwo, total: 2 })
          : undefined,
    ],
    [anybody],
    ['--category N', emptyAt('/v1/vouchers')],
  ],
  'vouchers:transactions:export': [['C --wait', unlessItReads(exportJob)]],
  'vouchers:transactions:list': lineOf('C'),
  'vouchers:update': [...lineOf('C --set active=true'), ...byFilters('--set active=true')],
  'webhooks:create': [
    [newWebhook, emptyList],
    [
      `${newWebhook} --no-active --if-exists update`,
      whenItReads({ object: 'list', data_ref: 'data', data: [{ ...webhook, events: ['voucher.updated'] }], total: 1 }),
    ],
  ],
  'webhooks:delete': lineOf('wh_1'),
  'webhooks:get': lineOf('wh_1'),
  'webhooks:list': lineOf(''),
  'webhooks:update': [['wh_1 --active', whenItReads(webhook)]],
  'loyalty:rewards:offer': lineOf('camp_1 rew_1 --points 5'),
  'loyalty:rewards:reprice': lineOf('camp_1 rewa_1 --points 5'),
  'loyalty:rewards:withdraw': lineOf('camp_1 rewa_1'),
  'projects:delete': lineOf('proj_1'),
  'projects:get': lineOf(''),
  'projects:stacking:get': [['', emptyList]],
  'projects:stacking:set': [
    ['--limit 5', emptyList],
    ['--limit 5', whenItReads(listOf({ id: 'stk_1', object: 'stacking_rules' }))],
  ],
  'projects:update': lineOf('--name N'),
  'rules:assign': [
    ['val_1 --campaign camp_1'],
    [
      'val_1 --campaign camp_1',
      ({ method }, index) =>
        method === 'GET'
          ? answer(
              200,
              listOf({ id: 'asgm_1', related_object_id: 'camp_1', related_object_type: 'campaign', rule_id: 'val_1' }),
            )
          : index === 0
            ? { do: 'reset' }
            : answer(409, { code: 409, key: 'duplicate_found' }),
    ],
  ],
  'rules:assignments:list': [
    [''],
    ['', ({ url }) => (url.includes('-assignments') ? answer(200, listOf(...assignments)) : undefined)],
    [
      '--object N',
      ({ url }) =>
        url.includes('/campaigns/N') ? answer(200, { id: 'camp_1', object: 'campaign', name: 'N' }) : undefined,
    ],
    ['--rule val_1', emptyAt('/v1/validation-rules-assignments')],
    ['--object promo_1', emptyAt('/v1/validation-rules-assignments')],
  ],
  'rules:unassign': lineOf('val_1 asgm_1'),
  // The commands of resources: one declaration each.
  'categories:create': [
    ['--name N --hierarchy 1'],
    ['--name N --hierarchy 1 --if-exists update', ifTaken(listOf({ id: 'cat_1', object: 'category', name: 'N' }))],
  ],
  'categories:delete': lineOf('cat_1'),
  'categories:get': lineOf('cat_1'),
  'categories:list': lineOf(''),
  'categories:update': lineOf('cat_1 --name N --hierarchy 1'),
  'events:schemas:create': [
    ['--name N'],
    ['--name N --if-exists update', ifTaken(listOf({ id: 'ms_1', object: 'custom-event-schema', name: 'N' }))],
  ],
  'events:schemas:delete': lineOf('ms_1'),
  'events:schemas:get': lineOf('ms_1'),
  'events:schemas:list': lineOf(''),
  'events:schemas:update': lineOf('ms_1 --set schema.properties.a={"type":"string"}'),
  'loyalty:earning-rules:create': lineOf('camp_1 --event order.paid --points 5'),
  'loyalty:earning-rules:delete': lineOf('camp_1 ern_1'),
  'loyalty:earning-rules:disable': lineOf('camp_1 ern_1'),
  'loyalty:earning-rules:enable': lineOf('camp_1 ern_1'),
  'loyalty:earning-rules:get': lineOf('camp_1 ern_1'),
  'loyalty:earning-rules:list': lineOf('camp_1'),
  'loyalty:earning-rules:update': lineOf('camp_1 ern_1 --points 5'),
  'loyalty:programs:create': [
    ['--name N --points 1 --set voucher.type=LOYALTY_CARD'],
    [
      '--name N --points 1 --set voucher.type=LOYALTY_CARD --if-exists update',
      ifTaken(listOf({ id: 'camp_1', object: 'campaign', name: 'N' })),
    ],
  ],
  'loyalty:programs:delete': [['camp_1'], ['camp_1 --wait', unlessItReads({ async_action_id: 'aa_1' })]],
  'loyalty:programs:get': lineOf('camp_1'),
  'loyalty:programs:update': lineOf('camp_1 --description D'),
  'metadata:schemas:create': [
    ['--object voucher'],
    ['--object voucher --if-exists update', ifTaken(listOf({ id: 'ms_1', related_object: 'voucher' }))],
  ],
  'metadata:schemas:delete': lineOf('ms_1'),
  'metadata:schemas:get': lineOf('ms_1'),
  'metadata:schemas:update': lineOf('ms_1 --defined-only'),
  'products:collections:create': lineOf('--name N --type AUTO_UPDATE'),
  'products:collections:delete': lineOf('pc_1'),
  'products:collections:get': lineOf('pc_1'),
  'products:collections:list': lineOf(''),
  'products:collections:update': lineOf('pc_1 --name N'),
  'products:create': lineOf('--name N --source-id S'),
  'products:delete': lineOf('prod_1'),
  'products:update': lineOf('prod_1 --name N'),
  'promotions:stacks:create': lineOf('camp_1 --name N --tiers promo_1'),
  'promotions:stacks:delete': lineOf('camp_1 stack_1'),
  'promotions:stacks:get': lineOf('camp_1 stack_1'),
  'promotions:stacks:update': lineOf('camp_1 stack_1 --name N'),
  'promotions:tiers:create': lineOf('camp_1 --name N --percent-off 5'),
  'promotions:tiers:delete': lineOf('promo_1'),
  'promotions:tiers:move': [
    [
      'promo_1 --first',
      ({ method, url }) =>
        method !== 'GET'
          ? undefined
          : answer(
              200,
              url.endsWith('/tiers')
                ? { ...listOf(tierAt('promo_2', 1), tierAt('promo_1', 2)), data_ref: 'tiers' }
                : tierAt('promo_1', 2),
            ),
    ],
  ],
  'promotions:tiers:update': lineOf('promo_1 --name N'),
  'rewards:create': lineOf('--name N --type MATERIAL'),
  'rewards:delete': lineOf('rew_1'),
  'rewards:list': lineOf(''),
  'rewards:get': lineOf('rew_1'),
  'rewards:update': lineOf('rew_1 --name N'),
  'rules:create': lineOf('--name N'),
  'rules:delete': lineOf('val_1'),
  'rules:update': lineOf('val_1 --name N'),
  'segments:create': lineOf('--name N'),
  'segments:delete': lineOf('seg_1'),
  'segments:get': lineOf('seg_1'),
  'skus:create': lineOf('prod_1 --name N --source-id S'),
  'skus:delete': lineOf('prod_1 sku_1'),
  'skus:update': lineOf('prod_1 sku_1 --name N'),
}
