// What it takes to check the files of 1,000 objects, and to search the worst baskets of 40 discounts over 200 products.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { measuredCommands, repeatedly } from './figures.js'
import { timedChild } from './timed-child.js'

const bin = join(import.meta.dirname, '../bin/run.js')
const goals = { rules: 1, combinations: 20, mb: 200 }

/** Measures `promo check` on folders, and returns a Markdown section. */
export async function check(folder) {
  const many = join(folder, 'many')
  write(many, { ...campaigns(500), ...minimums(500) })
  const combined = join(folder, 'combined')
  write(combined, { ...campaigns(40), ...minimums(40), ...products(200) })
  const run = (...args) => timedChild([process.execPath, bin, 'check', ...args, '--quiet'], { HOME: folder })
  const measured = [
    { name: '`promo check`, 1,000 objects', goal: goals.rules, ...(await repeatedly(() => run(many))) },
    {
      name: '`promo check --combinations`, 40 discounts, 200 products',
      goal: goals.combinations,
      ...(await repeatedly(() => run(combined, '--combinations', '--floor', '100'))),
    },
  ]
  const { text, figures } = measuredCommands('check', measured, goals.mb)
  return {
    text: `## Checks\n\nThe files of 1,000 objects, and the search of 40 discounts over 200 products; medians of 3.\n\n${text}\n`,
    figures,
  }
}

function write(root, files) {
  const kinds = '[rules, campaigns, products, product-collections, stacking-rules]'
  const all = { 'promo.yaml': `format: 1\nkinds: ${kinds}\nwhole: [products]\n`, ...files }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}

function numbered(count, fileOf) {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => fileOf(n)))
}

function minimums(count) {
  return numbered(count, (n) => [
    `rules/from-${n}.yaml`,
    `name: From ${n}\nrules:\n  '1': {name: order.amount, conditions: {$more_than: [${5000 + 100 * n}]}}\n  logic: '1'\n`,
  ])
}

function campaigns(count) {
  return numbered(count, (n) => {
    const discount =
      n % 2 === 0 ? `{type: PERCENT, percent_off: ${1 + (n % 9)}}` : `{type: AMOUNT, amount_off: ${100 + n}}`
    const voucher = `voucher: {type: DISCOUNT_VOUCHER, discount: ${discount}, redemption: {quantity: 1}, code_config: {prefix: C${n}-}}`
    return [
      `campaigns/campaign-${n}.yaml`,
      `name: Campaign ${n}\ncampaign_type: DISCOUNT_COUPONS\nvalidation_rules: [from-${n}]\n${voucher}\n`,
    ]
  })
}

function products(count) {
  return numbered(count, (n) => [`products/product-${n}.yaml`, `source_id: product-${n}\nprice: ${900 + 10 * n}\n`])
}
