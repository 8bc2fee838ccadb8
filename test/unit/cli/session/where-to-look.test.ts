import { expect, test } from 'vitest'
import { whereToLook } from '../../../../src/cli/session/where-to-look.ts'
import { endpoints } from '../../../../src/contract/catalogue.ts'
import { problemOfNextStep } from '../../../support/next-steps.ts'

/** Where a lost call of each endpoint leads, with a name that needs quoting in every place of its path. */
const steps = endpoints.map((endpoint) => {
  const path = Object.fromEntries([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'A 1']))
  return { id: endpoint.id, repeat: endpoint.repeat, step: whereToLook(endpoint, path) }
})

test.each([
  ['vouchers.create', "promo vouchers get 'A 1'"],
  ['vouchers.disable', "promo vouchers get 'A 1'"],
  ['vouchers.delete', "promo vouchers get 'A 1'"],
  ['vouchers.balance', "promo vouchers transactions list 'A 1'"],
  ['campaigns.disable', "promo campaigns get 'A 1'"],
  ['campaigns.vouchers.add', "promo vouchers get 'A 1'"],
  ['customers.update', "promo customers get 'A 1'"],
  ['loyalty.members.balance', "promo loyalty transactions list --card 'A 1'"],
  ['loyalty.members.transfer', "promo loyalty transactions list --card 'A 1'"],
  ['redemptions.create', 'promo redemptions list --created-after 10m'],
  ['redemptions.rollback', "promo redemptions get 'A 1'"],
  ['redemptions.rollbacks', "promo redemptions get 'A 1'"],
  ['publications.create', 'promo publications list --created-after 10m'],
  ['validation-rules.update', "promo rules get 'A 1'"],
  // What is made within an object is not the object.
  ['validation-rules.assign', undefined],
  ['campaigns.vouchers.generate', undefined],
  ['templates.campaign-setup', undefined],
  ['loyalty.rewards.assign', undefined],
  ['vouchers.transactions.export', undefined],
  ['events.send', undefined],
  ['customers.create', 'promo customers list --updated-after 10m'],
  ['validation-rules.create', 'promo rules list'],
])('a lost %s is looked for with %s', (id, step) => {
  expect(steps.find((one) => one.id === id)?.step).toBe(step)
})

test.each([
  ['customers.create', { source_id: 'Neill 1', email: 'a@b.c' }, "promo customers get 'Neill 1'"],
  ['customers.create', { email: 'a@b.c' }, 'promo customers find a@b.c'],
  ['events.send', { customer: { source_id: 'shop/1 2' } }, 'promo api GET /v1/customers/shop%2F1%202/activity'],
  ['orders.create', { source_id: '-7' }, 'promo orders get -- -7'],
  ['campaigns.create', { name: 'Spring sale' }, "promo campaigns get 'Spring sale'"],
])('a lost %s of %j is looked for with %s', async (id, body, step) => {
  const endpoint = endpoints.find((one) => one.id === id) as (typeof endpoints)[number]

  expect(whereToLook(endpoint, {}, body)).toBe(step)
  expect(await problemOfNextStep(step, [])).toBeUndefined()
})

test('a name that no command can say leads nowhere', () => {
  const send = endpoints.find(({ id }) => id === 'events.send') as (typeof endpoints)[number]

  expect(whereToLook(send, {}, { customer: { source_id: 'a\ud800' } })).toBeUndefined()
})

test('what is created at the top of the service is looked for somewhere', () => {
  const created = endpoints.filter(
    ({ id, method, path }) => id.endsWith('.create') && method === 'POST' && /^\/v1\/[\w-]+$/.test(path),
  )
  const sample = { name: 'N', source_id: 'S' }

  expect(created.filter((endpoint) => whereToLook(endpoint, {}, sample) === undefined)).toEqual([])
  expect(created.length).toBeGreaterThan(10)
})

test('every such command exists, and no read leads to one', async () => {
  const problems: string[] = []
  for (const { id, step } of steps) {
    const problem = step === undefined ? undefined : await problemOfNextStep(step, [])
    if (problem !== undefined) problems.push(`${id}: ${problem}`)
  }

  expect(problems).toEqual([])
  expect(steps.filter(({ repeat, step }) => repeat === 'read' && step !== undefined)).toEqual([])
  expect(steps.filter(({ step }) => step !== undefined).length).toBeGreaterThan(35)
})
