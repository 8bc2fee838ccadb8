import { expect, test } from 'vitest'
import { ended, reportOf, upload } from '../../../../support/rows.ts'
import { type TestSandbox, testSandbox } from '../../../../support/sandbox.ts'

test('products are changed in bulk, and created where they do not exist', async () => {
  const sandbox = testSandbox({ fixture: { products: [{ source_id: 'mug', name: 'Mug', price: 900 }] } })
  const { post, ask } = sandbox
  const cup = { name: 'Cup', metadata: { color: 'red' } }

  const answer = post('/v1/products/bulk/async', [
    { source_id: 'mug', price: 1000 },
    { source_id: 'cup', ...cup },
  ])
  const action = await ended(sandbox, answer)

  expect(answer).toMatchObject({ status: 202, body: { async_action_id: action.id } })
  expect(action).toMatchObject({
    type: 'PRODUCTS.BULK_UPDATE',
    status: 'DONE',
    operation_status: 'SUCCESS',
    progress: 100,
    result: { done_count: 2, failed_count: 0, errors: [], reports_available_till: '2026-05-13T07:08:09.123Z' },
  })
  expect(await reportOf(sandbox, action)).toBe(
    'source_id,row,found,updated,reason\nmug,1,true,true,\ncup,2,false,true,\n',
  )
  ask('GET /v1/products/mug', { name: 'Mug', price: 1000 })
  ask('GET /v1/products/cup', cup)
})

test('the older updates of products work at once, and say what became of each row', () => {
  const { ask } = testSandbox({ fixture: { products: [{ source_id: 'mug', name: 'Mug', price: 900 }] } })
  const became = (source_id: string, found: boolean) => ({ source_id, found, updated: true })

  const own = ask('POST /v1/products/bulk', [{ source_id: 'mug', price: 1000 }, { source_id: 'cup' }], 200)
  expect(own).toEqual([became('mug', true), became('cup', false)])
  const same = { source_ids: ['mug'], metadata: { color: 'red' } }
  expect(ask('POST /v1/products/metadata', same)).toEqual([became('mug', true)])
  ask('GET /v1/products/mug', { price: 1000, metadata: { color: 'red' } })
  ask('GET /v1/products', { total: 2 })
})

test.each(['/v1/products/bulk', '/v1/products/bulk/async'])('null clears what %s may clear', async (path) => {
  const mug = { source_id: 'mug', name: 'Mug', price: 900, metadata: { color: 'red', size: 'L' } }
  const { ask, settled } = testSandbox({ fixture: { products: [mug] } })

  ask(`POST ${path}`, [{ source_id: 'mug', price: null, metadata: { color: null } }])
  await settled()

  const { metadata } = ask('GET /v1/products/mug', { name: 'Mug', price: null })
  expect(metadata).toEqual({ size: 'L' })
})

test('rows that cannot be stored fail alone, each with its reason', async () => {
  const sandbox = testSandbox()
  const rows = [{ name: 'Nameless' }, { source_id: 'cup', price: 'cheap' }, 7, null, { source_id: 'mug' }]

  const action = await ended(sandbox, sandbox.post('/v1/products/bulk/async', rows))

  const result = { done_count: 1, failed_count: 4 }
  expect(action).toMatchObject({ status: 'DONE', operation_status: 'FAILED', result })
  expect(await reportOf(sandbox, action)).toBe(
    [
      'source_id,row,found,updated,reason',
      ",1,false,false,Payload must have required property 'source_id'",
      'cup,2,false,false,"Property .price must be number,null"',
      ',3,false,false,Payload must be object',
      ',4,false,false,Payload must be object',
      'mug,5,false,true,',
      '',
    ].join('\n'),
  )
  expect(sandbox.reports).toEqual([])
})

test.each([
  ['/v1/products/bulk/async', undefined],
  ['/v1/products/bulk/async', []],
  ['/v1/products/metadata/async', undefined],
  ['/v1/products/metadata/async', {}],
  ['/v1/products/metadata/async', { source_ids: null, metadata: null }],
])('%s with the body %j starts a job that has nothing to do', async (path, body) => {
  const sandbox = testSandbox()

  const answer = sandbox.post(path, body)

  expect(answer.status).toBe(202)
  expect((await ended(sandbox, answer)).result).toMatchObject({ done_count: 0, failed_count: 0 })
})

test('metadata is added to many products at once', async () => {
  const sandbox = testSandbox({ fixture: { products: [{ source_id: 'mug', metadata: { a: 1, b: 2 } }] } })

  const answer = sandbox.post('/v1/products/metadata/async', { source_ids: ['mug', 'cup'], metadata: { b: 3 } })
  expect(await ended(sandbox, answer)).toMatchObject({ type: 'PRODUCTS.METADATA_UPDATE', result: { done_count: 2 } })
  const metadata = ['mug', 'cup'].map((id) => sandbox.ask(`GET /v1/products/${id}`).metadata)
  expect(metadata).toEqual([{ a: 1, b: 3 }, { b: 3 }])
})

test('products are imported from a file, with prices in major units and any other column as metadata', async () => {
  const properties = {
    weight: { type: 'number', optional: true },
    tags: { type: 'string', array: true, optional: true },
  }
  const sandbox = testSandbox({ fixture: { metadata_schemas: [{ related_object: 'product', properties }] } })
  const file = [
    'name,source_id,price,attributes,image_url,weight,tags,note',
    'Mug,mug,21,"color, size",https://shop.example/mug.png,350,"a,b",plain',
    '"Cup, ""big""",cup,14.5,,,,,',
    '',
  ].join('\r\n')

  const answer = imported(sandbox, `\uFEFF${file}`)

  expect(answer.status).toBe(200)
  expect(await ended(sandbox, answer)).toMatchObject({
    type: 'PRODUCTS.IMPORT_CSV',
    operation_status: 'SUCCESS',
    result: { message: '2 product(s) imported successfully, 0 failed.', done_count: 2, failed_count: 0, failed: [] },
  })
  expect(sandbox.get('/v1/products/mug').body).toMatchObject({
    name: 'Mug',
    price: 2100,
    attributes: ['color', 'size'],
    image_url: 'https://shop.example/mug.png',
    metadata: { weight: 350, tags: ['a', 'b'], note: 'plain' },
  })
  expect(sandbox.get('/v1/products/cup').body).toMatchObject({ name: 'Cup, "big"', price: 1450, metadata: {} })
})

test('of products that exist, a file changes only the name', async () => {
  const sandbox = testSandbox({ fixture: { products: [{ source_id: 'mug', name: 'Mug', price: 900 }] } })

  await ended(sandbox, imported(sandbox, 'name,source_id,price\nBecher,mug,1\n'))

  expect(sandbox.get('/v1/products/mug').body).toMatchObject({ name: 'Becher', price: 900 })
})

const imported = ({ call }: TestSandbox, file: string) => call('POST', '/v1/products/importCSV', upload(file))

test('bad lines of a file are reported with their number, and the others are imported', async () => {
  const sandbox = testSandbox()
  const file = 'name,source_id,price\nMug,mug,cheap\n,cup,1\nBowl,bowl\n\nPot,pot,3.999\nJar,jar,5" high\nPan,pan,7\n'

  const action = await ended(sandbox, imported(sandbox, file))

  const noAmount = expect.stringContaining('Column price must be an amount')
  expect(action).toMatchObject({ status: 'DONE', operation_status: 'FAILED' })
  expect(action.result).toEqual({
    message: '1 product(s) imported successfully, 5 failed.',
    done_count: 1,
    failed_count: 5,
    failed: [
      { source_id: 'mug', row: 2, reason: noAmount },
      { source_id: 'cup', row: 3, reason: 'Column name must not be empty' },
      { source_id: null, row: 4, reason: 'The line has 2 cells, the header 3' },
      { source_id: 'pot', row: 6, reason: noAmount },
      { source_id: 'jar', row: 7, reason: noAmount },
    ],
  })
  expect(sandbox.get('/v1/products').body.products).toMatchObject([{ source_id: 'pan', price: 700 }])
})

test.each([
  ['without the column it needs', 'source_id,price\nmug,1\n', 'must have a header with the column name'],
  ['separated by semicolons', 'name;price\nMug;1\n', 'must have a header with the column name; it has: name;price'],
  ['that is empty', '', 'must have a header with the column name'],
  ['that has a column twice', 'name,price,Price\nMug,1,2\n', 'has the column price twice'],
  ['that has a column without a name', 'name,,price\nMug,1,2\n', 'has a column without a name'],
  ['whose quoted cell never ends', 'name\n"Mug\nCup\n', 'has a quoted cell without an end'],
  ['whose lines end with CR alone', 'name,price\rMug,1\r', 'must have lines that end with LF or CRLF'],
])('a file %s is refused before anything is stored', (_, file, details) => {
  const sandbox = testSandbox()

  const body = { key: 'invalid_payload', details: expect.stringContaining(details) }
  expect(imported(sandbox, file)).toMatchObject({ status: 400, body })
  sandbox.ask('GET /v1/async-actions', { async_actions: [] })
})

test('SKUs are imported below the product that their line names', async () => {
  const sandbox = testSandbox({ fixture: { products: [{ id: 'prod_mug', source_id: 'mug' }] } })
  const { call, get } = sandbox
  const file = [
    'source_id,product_id,sku,price,attributes,season',
    `mug-l,mug,Large,13,"{'size':'L'}",spring`,
    'cup-s,cup,Small,1,,',
    'mug-s,mug,Small,1,{broken,',
  ].join('\n')

  const answer = call('POST', '/v1/skus/importCSV', upload(file))
  const action = await ended(sandbox, answer)

  expect(answer.status).toBe(200)
  expect(action).toMatchObject({ type: 'SKUS.IMPORT_CSV', result: { done_count: 1, failed_count: 2 } })
  expect(action.result.failed).toMatchObject([
    { source_id: 'cup-s', row: 3, reason: 'Cannot find product with id cup' },
    { source_id: 'mug-s', row: 4, reason: "Column attributes must be an object such as {'size':'M'}" },
  ])
  expect(get('/v1/skus/mug-l').body).toMatchObject({
    product_id: 'prod_mug',
    sku: 'Large',
    price: 1300,
    attributes: { size: 'L' },
    metadata: { season: 'spring' },
  })
})
