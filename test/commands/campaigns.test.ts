import { expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())

test('campaigns create --if-exists lets a script be run twice', async () => {
  const create = (...more: string[]) =>
    promo(['campaigns', 'create', '--body', body, '--json', '--profile', 'sandbox', ...more])
  const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5 } }
  const body = JSON.stringify({ name: 'Twice', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher })

  const first = await create()
  const taken = await create()
  const reused = await create('--if-exists', 'reuse')
  const updated = await create('--if-exists', 'update', '--set', 'description=again')

  expect([first, taken, reused, updated].map(({ exitCode }) => exitCode)).toEqual([0, 3, 0, 0])
  expect(JSON.parse(reused.stdout).id).toBe(JSON.parse(first.stdout).id)
  expect(reused.stderr).toContain('campaign "Twice" already exists; nothing was created')
  expect(JSON.parse(updated.stdout)).toMatchObject({ id: JSON.parse(first.stdout).id, description: 'again' })
})

test('campaigns create --if-exists update never takes a campaign of another kind for the one asked for', async () => {
  const create = (...words: string[]) => promo(['campaigns', 'create', '--profile', 'sandbox', '--json', ...words])
  const discount = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5 } }
  const coupons = { name: 'Kind', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher: discount }
  await create('--body', JSON.stringify(coupons))

  const update = ['--if-exists', 'update', '--set', 'metadata.season=spring']
  const other = await create('--set', 'name=Kind', '--set', 'campaign_type=PROMOTION', ...update)
  const same = await create('--body', JSON.stringify(coupons), ...update)

  expect(other.exitCode).toBe(3)
  expect(other.stderr).toContain(
    'the name is taken by a campaign with campaign_type DISCOUNT_COUPONS, which no update changes',
  )
  expect(JSON.parse(same.stdout)).toMatchObject({ campaign_type: 'DISCOUNT_COUPONS', metadata: { season: 'spring' } })
})

test('campaigns summary shows people its counters alone, and programs the campaign too', async () => {
  const summary = ['campaigns', 'summary', 'Welcome', '--profile', 'sandbox']

  const { stdout } = await promo(summary)
  const json = await promo([...summary, '--json'])

  expect(stdout).toMatch(/^campaign\.name +Welcome\nredemptions +\d+$/m)
  expect(stdout).not.toContain('code_config')
  expect(JSON.parse(json.stdout).campaign.voucher.code_config.pattern).toBe('WELCOME-######')
})
