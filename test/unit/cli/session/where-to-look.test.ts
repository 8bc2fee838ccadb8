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
])('a lost %s is looked for with %s', (id, step) => {
  expect(steps.find((one) => one.id === id)?.step).toBe(step)
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
