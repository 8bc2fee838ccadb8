import { expect, test } from 'vitest'
import { ended, reportOf, upload } from '../../../../support/rows.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const ada = { id: 'cust_ada', source_id: 'ada', name: 'Ada', metadata: { a: 1 } }

test('customers are changed in bulk and created where they do not exist, and only creations are announced', async () => {
  const sandbox = testSandbox({ fixture: { customers: [ada] } })
  const { post, ask, events } = sandbox

  const answer = post('/v1/customers/bulk/async', [
    { source_id: 'ada', email: 'ada@example.com' },
    { source_id: 'bob', name: 'Bob' },
    { name: 'Nobody' },
  ])
  const action = await ended(sandbox, answer)

  expect(answer.status).toBe(202)
  expect(action).toMatchObject({ type: 'CUSTOMERS.BULK_UPDATE', result: { done_count: 2, failed_count: 1 } })
  expect(await reportOf(sandbox, action)).toBe(
    "source_id,row,found,updated,reason\nada,1,true,true,\nbob,2,false,true,\n,3,false,false,Payload must have required property 'source_id'\n",
  )
  ask('GET /v1/customers/ada', { name: 'Ada', email: 'ada@example.com' })
  expect(events()).toEqual([['customer.created', ask('GET /v1/customers/bob').id]])
})

test('many customers get the same metadata', async () => {
  const sandbox = testSandbox({ fixture: { customers: [ada] } })

  const answer = sandbox.post('/v1/customers/metadata/async', { source_ids: ['ada', 'bob'], metadata: { vip: true } })
  const action = await ended(sandbox, answer)

  expect(action).toMatchObject({ type: 'CUSTOMERS.METADATA_UPDATE', result: { done_count: 2, failed_count: 0 } })
  const both = ['ada', 'bob'].map((id) => sandbox.ask(`GET /v1/customers/${id}`).metadata)
  expect(both).toEqual([{ a: 1, vip: true }, { vip: true }])
})

test('customers are imported from a file, known by their id or source id', async () => {
  const sandbox = testSandbox({ fixture: { customers: [ada] } })
  const { call, get } = sandbox
  const file = [
    'Id,Name,Email,Phone,Birthdate,Source_id,Address_line_1,Address_Postal_Code,Address_City,Description,club',
    'cust_ada,Ada L.,,,,,,,,,gold',
    ',Bob,bob@example.com,+48 1,2000-02-29,bob,"Long Street 1, flat 2",00-001,Warsaw,"two\nlines",',
    'cust_none,Nobody,,,,,,,,,',
    ',Eve,,,1990-02-30,eve,,,,,',
  ].join('\n')

  const answer = call('POST', '/v1/customers/importCSV', upload(file))
  const action = await ended(sandbox, answer)

  expect(answer.status).toBe(202)
  expect(action).toMatchObject({ type: 'CUSTOMERS.IMPORT_CSV', result: { done_count: 2, failed_count: 2 } })
  expect(action.result.failed).toEqual([
    { source_id: null, row: 4, reason: 'Cannot find customer with id cust_none' },
    { source_id: 'eve', row: 5, reason: 'Property .birthdate cannot be recognized as a ISO-8601 compliant date' },
  ])
  expect(get('/v1/customers/ada').body).toMatchObject({ name: 'Ada L.', metadata: { a: 1, club: 'gold' } })
  expect(get('/v1/customers/bob').body).toMatchObject({
    name: 'Bob',
    email: 'bob@example.com',
    phone: '+48 1',
    birthdate: '2000-02-29',
    address: { line_1: 'Long Street 1, flat 2', postal_code: '00-001', city: 'Warsaw' },
    description: 'two\nlines',
  })
})
