import { expect, test } from 'vitest'
import { testSandbox } from '../../../../support/sandbox.ts'

const fiveOff = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } }

function withVoucher(code = 'A', body: Record<string, unknown> = fiveOff) {
  const sandbox = testSandbox()
  const created = sandbox.post(`/v1/vouchers/${encodeURIComponent(code)}`, body).body
  sandbox.clock.now = '2026-05-07T00:00:00.000Z'
  return { ...sandbox, created }
}

test.each(['disable', 'enable'])('the bulk call of the oldest clients makes no voucher called "%s"', (name) => {
  const { post, get, events } = withVoucher()

  const { status } = post(`/v1/vouchers/${name}`, { ...fiveOff, vouchers: ['A'] })

  expect([status, get(`/v1/vouchers/${name}`).status]).toEqual([404, 404])
  expect(events()).toHaveLength(1)
})

test('disabling a voucher sets active to false and the time of the update, once', () => {
  const { ask, created, clock, events } = withVoucher()
  const disabled = { ...created, active: false, updated_at: '2026-05-07T00:00:00.000Z' }

  expect(ask('POST /v1/vouchers/A/disable')).toEqual(disabled)
  clock.now = '2026-05-08T00:00:00.000Z'
  expect(ask('POST /v1/vouchers/A/disable')).toEqual(disabled)
  expect(events()).toEqual(['created', 'disabled'].map((act) => [`voucher.${act}`, created.id]))
})

test('enabling a voucher sets active to true again, once', () => {
  const { ask, created, events } = withVoucher('A', { ...fiveOff, active: false })
  const enabled = { ...created, active: true, updated_at: '2026-05-07T00:00:00.000Z' }

  expect(created).toMatchObject({ active: false, updated_at: null })
  expect([ask('POST /v1/vouchers/A/enable'), ask('POST /v1/vouchers/A/enable')]).toEqual([enabled, enabled])
  expect(events().map(([type]) => type)).toEqual(['voucher.created', 'voucher.enabled'])
})

test('a voucher is found by its id as well as by its code, also where another has that as its code', () => {
  const { ask, created } = withVoucher()
  ask(`POST /v1/vouchers/${created.id}`, fiveOff)

  expect(ask(`GET /v1/vouchers/${created.id}`)).toEqual(created)
  ask(`POST /v1/vouchers/${created.id}/disable`, undefined, { code: 'A', active: false })
})

test('codes that differ in case are different codes', () => {
  expect(withVoucher('abc').get('/v1/vouchers/ABC').status).toBe(404)
})

test('an update changes the named members, adds to the metadata, and ignores the rest', () => {
  const { ask, created, events } = withVoucher('A', { ...fiveOff, metadata: { a: 1, b: 2 }, additional_info: 'old' })
  const named = { discount: { type: 'AMOUNT', amount_off: 700 }, category: 'Late' }
  const others = { expiration_date: '2027-01-01', metadata: { b: null, c: 3 }, code: 'B', type: 'GIFT_VOUCHER' }

  expect(ask('PUT /v1/vouchers/A', { ...named, ...others })).toEqual({
    ...created,
    ...named,
    expiration_date: '2027-01-01T00:00:00.000Z',
    metadata: { a: 1, c: 3 },
    updated_at: '2026-05-07T00:00:00.000Z',
  })
  expect(events().at(-1)).toEqual(['voucher.updated', created.id])
})

test('an update that changes nothing keeps updated_at and records nothing', () => {
  const { put, created, events } = withVoucher('A', { ...fiveOff, metadata: { a: 1 } })

  expect(put('/v1/vouchers/A', { active: true, metadata: { a: 1 } }).body).toEqual(created)
  expect(events()).toEqual([['voucher.created', created.id]])
})

test('an update that would leave a time frame without start is refused', () => {
  const validity_timeframe = { duration: 'P1D', interval: 'P7D' }
  const { ask } = withVoucher('A', { ...fiveOff, start_date: '2026-01-01', validity_timeframe })

  const details = "Property .validity_timeframe requires property 'start_date'"
  ask('PUT /v1/vouchers/A', { start_date: null }, { key: 'invalid_payload', details })
})

test('deleting answers 204 without a body, and lists the voucher in the bin', () => {
  const { del, ask, created, events } = withVoucher()

  expect(del('/v1/vouchers/A')).toMatchObject({ status: 204, body: undefined })
  ask('GET /v1/vouchers', { total: 0 })
  expect(events().at(-1)).toEqual(['voucher.deleted', created.id])
  const entry = { resource_id: created.id, resource_name: 'A', resource_type: 'voucher' }
  ask('GET /v1/trash-bin', { data: [entry] })
})

test('deleting with force frees the code', () => {
  const { ask } = withVoucher()

  ask('DELETE /v1/vouchers/A?force=true', 204)
  ask('POST /v1/vouchers/A', fiveOff, 200)
})

test.each([
  ['with force', '?force=true'],
  ['into the bin, and from there', ''],
])('a card that is deleted %s leaves nothing that only it had', (_, query) => {
  const card = { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } }
  const { ask } = testSandbox({
    fixture: {
      campaigns: [{ id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', voucher: card }],
      vouchers: [{ code: 'CARD', campaign_id: 'camp_club', ...card }],
    },
  })
  ask('POST /v1/publications', { voucher: 'CARD', customer: { source_id: 'nia' } })
  ask('POST /v1/loyalties/members/CARD/balance', { points: 50, expiration_date: '2026-12-31' })
  expect(ask('GET /v1/loyalties/camp_club/transactions').data).toHaveLength(1)

  ask(`DELETE /v1/vouchers/CARD${query}`)
  for (const { id } of ask('GET /v1/trash-bin').data) ask(`DELETE /v1/trash-bin/${id}`)

  ask('GET /v1/loyalties/camp_club/transactions', { data: [] })
  ask('POST /v1/campaigns/camp_club/vouchers/CARD', {}, 200)
})

test('force must be true or false', () => {
  const error = { key: 'invalid_query_params', details: 'Property .force must be boolean' }
  withVoucher().ask('DELETE /v1/vouchers/A?force=yes', error)
})
