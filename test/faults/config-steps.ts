// Folders whose plans have every act on every kind, and a project that they are applied to through a door.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { doorTo, type Passage } from '../support/door.ts'
import { folderOf, type TestProject, type TestProjects } from '../support/projects.ts'
import { promoIn, type RunOptions, temporaryFolder } from '../support/promo.ts'

const discount = (percent: number) => `{discount: {type: PERCENT, percent_off: ${percent}, effect: APPLY_TO_ORDER}}`
const tiers = (percent: number, rules: string) =>
  `tiers:\n  - {key: first, name: First, action: ${discount(percent)}, validation_rules: [${rules}]}\n` +
  `  - {key: second, name: Second, action: ${discount(5)}}\n`
const terrace = 'name: Terrace\ncampaign_type: PROMOTION\n'
const club = (points: number) =>
  'name: Club\ncampaign_type: LOYALTY_PROGRAM\nvoucher: {type: LOYALTY_CARD, loyalty_card: {points: 0}}\n' +
  `earning_rules:\n  one: {event: order.paid, loyalty: {type: FIXED, points: ${points}}}\n` +
  `offers:\n  mug: {parameters: {loyalty: {points: ${points * 60}}}}\n` +
  'loyalty_tiers:\n  gold: {name: Gold, points: {from: 500, to: 999}}\n'
const spring = (amount: number, rules: string, more = '') =>
  `name: Spring\ncampaign_type: GIFT_VOUCHERS\nvoucher: {type: GIFT_VOUCHER, gift: {amount: ${amount}, effect: APPLY_TO_ORDER}}\n` +
  `category_id: seasonal\nvalidation_rules: [${rules}]\ngenerate: ${codes}\n${more}`

/** The codes that the folder generates. */
export const codes = 3

const before: Readonly<Record<string, string>> = {
  'promo.yaml':
    'format: 1\nkinds: [settings, metadata-schemas, event-schemas, categories, products, product-collections, segments, rules, rewards, campaigns, stacking-rules, webhooks]\nwhole: [products]\n',
  'settings.yaml': 'description: One\ncurrency: EUR\n',
  'metadata-schemas/voucher.yaml': 'related_object: voucher\nproperties: {source: {type: string, optional: true}}\n',
  'event-schemas/page-read.yaml': 'name: page_read\nschema: {properties: {minutes: {type: number, optional: true}}}\n',
  'categories/seasonal.yaml': 'name: Seasonal\nhierarchy: 1\n',
  'products/beans.yaml': 'source_id: beans\nname: Beans\nprice: 890\n',
  'product-collections/coffee.yaml': 'name: Coffee\ntype: STATIC\nproducts: [{id: beans, object: product}]\n',
  'segments/readers.yaml':
    "name: Readers\ntype: auto-update\nfilter: {junction: AND, 'metadata.newsletter': {conditions: {$is: [true]}}}\n",
  'rules/twin.yaml': 'name: Twin\nrules: {}\n',
  'rules/twin-2.yaml': 'name: Twin\nrules: {}\nerror: {message: Second}\n',
  'rewards/mug.yaml': 'name: Mug\ntype: MATERIAL\nparameters: {}\n',
  'campaigns/spring.yaml': spring(500, 'twin, twin-2'),
  'campaigns/terrace.yaml': `${terrace}${tiers(10, 'twin')}stacks:\n  both: {name: Both, tiers: {ids: [first, second]}}\n`,
  'campaigns/club.yaml': club(5),
  'stacking-rules.yaml': 'redeemables_limit: 10\n',
  'webhooks/hook.yaml': 'target_url: https://shop.example/hooks\nevents: [campaign.created]\n',
}

/** The same objects, each with another value: updates, a rule less, campaigns that are switched off. */
const after: Readonly<Record<string, string>> = {
  'settings.yaml': 'description: Two\ncurrency: EUR\n',
  'metadata-schemas/voucher.yaml':
    'related_object: voucher\nproperties: {source: {type: string, optional: true}, weight: {type: number, optional: true}}\n',
  'event-schemas/page-read.yaml': 'name: page_read\nschema: {properties: {minutes: {type: string, optional: true}}}\n',
  'categories/seasonal.yaml': 'name: Seasonal\nhierarchy: 4\n',
  'products/beans.yaml': 'source_id: beans\nname: Beans\nprice: 950\n',
  'rules/twin.yaml': 'name: Twin\nrules: {}\nerror: {message: First}\n',
  'rewards/mug.yaml': 'name: Cup\ntype: MATERIAL\nparameters: {}\n',
  'campaigns/spring.yaml': spring(700, 'twin', 'active: false\n'),
  'campaigns/terrace.yaml': `${terrace}${tiers(20, 'twin-2')}stacks:\n  both: {name: All, tiers: {ids: [first, second]}}\n`,
  'campaigns/club.yaml': club(6),
  'stacking-rules.yaml': 'redeemables_limit: 12\n',
  'webhooks/hook.yaml': 'target_url: https://shop.example/hooks\nevents: [campaign.created]\nactive: false\n',
}

/** What a folder asks for: new objects, or changes of all of them and a deletion. */
export type Stage = 'creations' | 'changes'

/** How many writes that is. */
export const writesOf: Readonly<Record<Stage, number>> = { creations: 26, changes: 19 }

/** A project, a folder, and a door between them. */
export interface World extends AsyncDisposable {
  target: TestProject
  root: string
  /** The writes that reached the door since it was told what to do, `POST /v1/rules`. */
  writes: string[]
  /** Says what happens to each request from now on; `write` counts writes from 1. */
  on: (decide: (request: { method: string; url: string; write: number }) => Passage | Promise<Passage>) => void
  /** Applies the folder. */
  apply: (...more: string[]) => ReturnType<ReturnType<typeof promoIn>>
  /** Runs promo in this process, through the door, with a state folder of its own. */
  promo: (...argv: string[]) => ReturnType<ReturnType<typeof promoIn>>
  /** The rows of the latest job. */
  rows: () => Promise<Step[]>
  /** What differs from the folder, and how many codes there are: `0, 3` where everything is as asked. */
  state: () => Promise<[diff: number, codes: number]>
}

/** A row of the report of a job. */
export interface Step {
  step: number
  act: string
  object: string
  promo_state: string
  promo_message?: string
}

/** Makes a project and a folder that asks for something. */
export async function world(service: TestProjects, stage: Stage): Promise<World> {
  const target = await service.another()
  const state = temporaryFolder()
  const root = folderOf(before)
  const writes: string[] = []
  let decide: Parameters<World['on']>[0] = () => 'pass'
  const door = await doorTo(service.sandbox.url, (method, url) => {
    if (method !== 'GET') writes.push(`${method} ${url}`)
    return decide({ method, url, write: writes.length })
  })
  const run = promoIn(state)
  const env = { ...target.env, PROMO_BASE_URL: door.origin }
  const made: World = {
    target,
    root,
    writes,
    on(next) {
      writes.length = 0
      decide = next
    },
    apply: (...more) =>
      made.promo('config', 'apply', root, '--yes', ...(stage === 'changes' ? ['--prune', 'segments'] : []), ...more),
    promo: (...argv) => run(argv, { env }),
    rows: async () => JSON.parse((await made.promo('jobs', 'report', 'latest', '--json')).stdout),
    async state() {
      const { exitCode } = await target.promo(['config', 'diff', root])
      const { campaigns } = await target.call('GET', '/v1/campaigns?limit=100')
      const campaign = campaigns.find(({ name }: { name: string }) => name === 'Spring')
      return [exitCode, campaign?.vouchers_count ?? 0]
    },
    [Symbol.asyncDispose]: () => door[Symbol.asyncDispose](),
  }
  if (stage === 'changes') {
    const first = await made.promo('config', 'apply', root, '--yes')
    if (first.exitCode !== 0) throw new Error(first.stderr)
    for (const [file, text] of Object.entries(after)) writeFileSync(join(root, file), text)
    rmSync(join(root, 'segments/readers.yaml'))
    made.on(() => 'pass')
  }
  return made
}

/** How somebody at a terminal agrees to send again what may have been applied. */
export const sendingAgain = (env: Record<string, string>): RunOptions => ({
  env,
  terminal: { columns: 200 },
  answers: [[/may have been applied before and would then count twice/, 'y\r']],
})
