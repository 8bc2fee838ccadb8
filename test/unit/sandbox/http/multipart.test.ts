import { expect, test } from 'vitest'
import { upload } from '../../../support/rows.ts'
import { startTestSandbox, testSandbox } from '../../../support/sandbox.ts'

const path = '/v1/products/importCSV'
const part = (headers: string, text = 'name\nMug\n') => `--x\r\n${headers}\r\n\r\n${text}\r\n`
const file = 'Content-Disposition: form-data; name="file"'
const sent = (raw: string, type = 'multipart/form-data; boundary=x') =>
  testSandbox().call('POST', path, { raw, headers: { 'content-type': type } })

test('a form that a browser or a client library makes is understood over a socket', async () => {
  const sandbox = await startTestSandbox({ demo: false })
  const form = new FormData()
  form.append('file', new Blob(['name,source_id\nMüg,mug\n'], { type: 'text/csv' }), 'a; name="other".csv')
  const headers = { 'x-app-id': sandbox.credentials.app_id, 'x-app-token': sandbox.credentials.app_token }

  const answer = await fetch(`${sandbox.url}${path}`, { method: 'POST', body: form, headers })
  const { async_action_id } = (await answer.json()) as { async_action_id: string }
  let action: { status?: string } = {}
  while (action.status !== 'DONE')
    action = (await (await fetch(`${sandbox.url}/v1/async-actions/${async_action_id}`, { headers })).json()) as object
  const product = await (await fetch(`${sandbox.url}/v1/products/mug`, { headers })).json()
  await sandbox.close()

  expect(answer.status).toBe(200)
  expect(product).toMatchObject({ name: 'Müg' })
})

test.each([
  ['a quoted boundary', `${part(file)}--x--\r\n`, 'multipart/form-data; charset=utf-8; boundary="x"'],
  ['text around the parts', `hello\r\n${part(file)}--x--\r\ngood bye`, undefined],
  ['no line break at its end', `${part(file)}--x--`, undefined],
  ['a line in the file that looks like a boundary', `${part(file, 'name\n--x\n')}--x--`, undefined],
  ['headers in another case', `${part('content-DISPOSITION: form-data; NAME=file')}--x--`, undefined],
])('a form with %s is understood', (_, raw, type) => {
  expect(sent(raw, type)).toMatchObject({ status: 200, body: { async_action_id: expect.any(String) } })
})

test.each([
  ['no boundary', `${part(file)}--x--`, 'multipart/form-data'],
  ['another boundary than it says', `${part(file)}--x--`, 'multipart/form-data; boundary=y'],
  ['no end', part(file), undefined],
  ['a part without a name', `${part('Content-Disposition: form-data')}--x--`, undefined],
  ['a part without headers', '--x\r\nname\r\n--x--', undefined],
  ['the part twice', `${part(file)}${part(file)}--x--`, undefined],
  ['a part in base64', `${part(`${file}\r\nContent-Transfer-Encoding: base64`, 'bmFtZQo=')}--x--`, undefined],
  [
    'very many parts',
    `${Array.from({ length: 60 }, (__, n) => part(`${file.replace('file', `f${n}`)}`)).join('')}--x--`,
    undefined,
  ],
])('a form with %s is refused', (_, raw, type) => {
  expect(sent(raw, type)).toMatchObject({
    status: 400,
    body: {
      key: 'invalid_payload',
      details: 'Payload must be multipart/form-data with complete parts, each with a name of its own',
    },
  })
})

test('a form without the file, and no form at all, are refused for the missing file', () => {
  const details = "Payload must have required property 'file'"

  expect(sent(`${part(file.replace('file', 'data'))}--x--`)).toMatchObject({ status: 400, body: { details } })
  expect(testSandbox().post(path)).toMatchObject({ status: 400, body: { key: 'invalid_payload', details } })
})

test('a body of another type is a 415, and one that is too large a 413', () => {
  const { call, post } = testSandbox()

  expect(post(path, { file: 'name\nMug\n' }).status).toBe(415)
  expect(call('POST', path, upload(`name\n${'M'.repeat(10_485_760)}`)).status).toBe(413)
})
