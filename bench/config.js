// A project as files: what it takes to read 1,000 objects, and to plan 100 changes of them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measuredCommands, repeatedly } from './figures.js'
import { clientOf, ownSandbox } from './own-sandbox.js'
import { timedChild } from './timed-child.js'

const bin = join(import.meta.dirname, '../bin/run.js')
const goals = { pull: 10, plan: 3, mb: 150 }

/** Measures pull and plan of a project of 1,000 objects in a sandbox of its own, and returns a Markdown section. */
export async function config(folder) {
  const service = await ownSandbox(folder)
  const count = await fill(service)
  const env = {
    HOME: folder,
    PROMO_BASE_URL: service.url,
    PROMO_APP_ID: service.app_id,
    PROMO_APP_TOKEN: service.app_token,
    PROMO_MANAGEMENT_ID: service.management_id,
    PROMO_MANAGEMENT_TOKEN: service.management_token,
    PROMO_PROJECT_ID: service.project_id,
  }
  const run = (...args) => timedChild([process.execPath, bin, 'config', ...args, '--quiet'], env)
  const measured = [
    {
      name: '`promo config pull`, new folder',
      goal: goals.pull,
      ...(await repeatedly((n) => run('pull', join(folder, `shop-${n}`)))),
    },
    {
      name: '`promo config pull`, again',
      goal: goals.pull,
      ...(await repeatedly(() => run('pull', join(folder, 'shop-0')))),
    },
    {
      name: '`promo config plan`, nothing to do',
      goal: goals.plan,
      ...(await repeatedly(() => run('plan', join(folder, 'shop-0')))),
    },
  ]
  change(join(folder, 'shop-0', 'rules'), 100)
  const plan = join(folder, 'plan.json')
  measured.push({
    name: '`promo config plan`, 100 changes',
    goal: goals.plan,
    ...(await repeatedly(() => run('plan', join(folder, 'shop-0'), '--out', plan))),
  })
  await service.stop()

  const { text, figures } = measuredCommands('config', measured, goals.mb)
  return {
    text: `## A project as files

A project of ${count.toLocaleString('en')} objects in the embedded service, in a process of its own; medians of three runs.

${text}
`,
    figures,
  }
}

/** Makes 1,000 objects of the kinds that a shop has many of; returns how many. */
async function fill(service) {
  const client = clientOf(service)
  const create = async (path, body) => JSON.parse(await client.text({ method: 'POST', path, body }))
  const discount = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' }
  const names = (count, of) => Array.from({ length: count }, (_, n) => `${of} ${String(n).padStart(4, '0')}`)
  let made = 0
  const each = async (list, make) => {
    for (const [n, name] of list.entries()) await make(name, n)
    made += list.length
  }
  const rules = []
  await each(names(400, 'Rule'), async (name, n) => {
    const conditions = { name: 'order.amount', conditions: { $more_than: [1_000 + n] } }
    rules.push((await create('/v1/validation-rules', { name, rules: { 1: conditions, logic: '1' } })).id)
  })
  await each(names(50, 'Category'), async (name, n) => await create('/v1/categories', { name, hierarchy: n + 1 }))
  await each(
    names(50, 'Reward'),
    async (name) => await create('/v1/rewards', { name, type: 'MATERIAL', parameters: {} }),
  )
  await each(names(250, 'Campaign'), async (name, n) => {
    const voucher = { type: 'DISCOUNT_VOUCHER', discount, code_config: { length: 8 } }
    await create('/v1/campaigns', { name, campaign_type: 'DISCOUNT_COUPONS', voucher, validation_rules: [rules[n]] })
  })
  await each(names(10, 'Promotion'), async (name) => {
    const { id } = await create('/v1/campaigns', { name, campaign_type: 'PROMOTION' })
    const tiers = names(19, 'Tier')
    await each(tiers, async (tier, n) => {
      await create(`/v1/promotions/${id}/tiers`, { name: tier, action: { discount }, validation_rules: [rules[n]] })
    })
  })
  await each(names(10, 'Program'), async (name) => {
    const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } }
    const { id } = await create('/v1/campaigns', { name, campaign_type: 'LOYALTY_PROGRAM', voucher })
    await each(names(4, 'Earning rule'), async (banner) => {
      const rule = { event: 'order.paid', loyalty: { type: 'FIXED', points: 5 }, source: { banner } }
      await create(`/v1/loyalties/${id}/earning-rules`, [rule])
    })
  })
  await client.close()
  return made
}

/** Edits some files, as people do. */
function change(dir, count) {
  for (const file of readdirSync(dir).slice(0, count)) {
    const path = join(dir, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace('name: Rule', 'name: Old rule'))
  }
}
