// Names that every JavaScript object inherits are unknown names like any other: in paths, queries, filters and bodies.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFolder } from '../../src/config/folder.ts'
import { resources } from '../../src/sandbox/resources.ts'
import { temporaryFolder } from '../support/promo.ts'
import { testSandbox } from '../support/sandbox.ts'
import { sampled } from '../support/size.ts'

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']
const endpoints = resources.flatMap(({ routes = [] }) => routes.map(({ endpoint }) => endpoint))

type Place = (name: string) => { query?: string; raw?: string; segment?: string }

/** Calls every endpoint with each of some names in one place, and returns the calls that the service could not answer. */
function failuresOf(place: Place, some: readonly string[]): string[] {
  const { call, credentials, project, reports } = testSandbox({ demo: true })
  const headers = {
    'x-management-id': credentials.management_id,
    'x-management-token': credentials.management_token,
    'x-client-application-id': credentials.client_app_id,
    'x-client-token': credentials.client_token,
    origin: 'http://localhost',
  }
  return some.flatMap((name) => {
    const { segment = 'BEANS10', ...given } = place(name)
    return endpoints.flatMap(({ method, path, encoding }) => {
      const filled = path.replace('{projectId}', project.id).replaceAll(/\{\w+\}/g, encodeURIComponent(segment))
      const type = encoding === 'form' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
      const { status, body } = call(method, filled, { ...given, headers: { ...headers, ...type } })
      const failed = reports.splice(0).length > 0 || status >= 500
      return failed
        ? [`${method} ${filled} ${given.query ?? given.raw ?? ''}: ${String(JSON.stringify(body)).slice(0, 200)}`]
        : []
    })
  })
}

const quoted = (name: string) => JSON.stringify(name)

const places: [place: string, Place][] = [
  ['an id or a code in a path', (name: string) => ({ segment: name, raw: '{}' })],
  ['the name of a parameter', (name: string) => ({ query: `${name}=1` })],
  ['a part of the name of a parameter', (name: string) => ({ query: `${name}[${name}]=1&limit[${name}]=1` })],
  ['a field of a filter', (name: string) => ({ query: `filters[${name}][conditions][$is][0]=1` })],
  ['an operator of a filter', (name: string) => ({ query: `filters[code][conditions][${name}][0]=1` })],
  ['a metadata filter', (name: string) => ({ query: `filters[metadata.${name}][conditions][$is][0]=1` })],
  [
    'an order or an expansion',
    (name: string) => ({ query: `order=${name}&expand[]=${name}&options=${name}&fields=${name}` }),
  ],
  ['a member of a body', (name: string) => ({ raw: `{${quoted(name)}: 1}` })],
  [
    'a metadata key',
    (name: string) => ({
      raw: `{"code": "C", "type": "GIFT_VOUCHER", "gift": {"amount": 1}, "name": "n", "source_id": "s", "metadata": {${quoted(name)}: "x"}}`,
    }),
  ],
  [
    'a value of a body',
    (name: string) => ({
      raw: `{"code": ${quoted(name)}, "type": ${quoted(name)}, "name": ${quoted(name)}, "event": ${quoted(name)}, "source_id": ${quoted(name)}, "metadata": {"k": ${quoted(name)}}, "redeemables": [{"object": "voucher", "id": ${quoted(name)}}], "customer": {"source_id": ${quoted(name)}}, "order": {"amount": 1, "items": [{"product_id": ${quoted(name)}, "quantity": 1}]}}`,
    }),
  ],
]

test.each(places.map((row, at) => [...row, sampled(names, 3, at)] as const))('%s', (_, place, some) => {
  expect(failuresOf(place, some)).toEqual([])
})

test('an unknown parameter is ignored and an unknown field of a filter refused, whatever its name', () => {
  const { call } = testSandbox({ demo: true })
  const codes = (query: string) => call('GET', '/v1/vouchers', { query })

  for (const name of names) {
    expect(codes(`${name}=1&limit=1`)).toMatchObject({ status: 200, body: { vouchers: [{ object: 'voucher' }] } })
    expect(codes(`filters[${name}][conditions][$is][0]=1`)).toMatchObject({
      status: 400,
      body: { key: 'invalid_query_params' },
    })
  }
})

test('metadata is kept under every name except __proto__, which is refused', () => {
  const { call } = testSandbox()

  for (const name of names) {
    const raw = `{"type": "GIFT_VOUCHER", "gift": {"amount": 1}, "metadata": {${quoted(name)}: "x"}}`
    const { status, body } = call('POST', `/v1/vouchers/C-${name}`, { raw })

    if (name === '__proto__') expect({ status, key: body.key }).toEqual({ status: 400, key: 'invalid_payload' })
    else expect(Object.entries(body.metadata)).toEqual([[name, 'x']])
  }
})

test.each(names)('files of a project have %s as a name, a placeholder and an environment', async (name) => {
  const root = temporaryFolder()
  const files = {
    'promo.yaml': `format: 1\nkinds: [rules]\nunknown: {rules: [${name}]}\nenvironments: {${name}: {project: proj_1}}\n`,
    'rules/a.yaml': `name: "\${${name}}"\nrules: {}\n${name}: "\${${name}}"\n`,
    'rules/constructor.yaml': 'name: B\nrules: {}\n',
    'values/live.yaml': `${name}x: 1\n`,
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }

  const { problems, objects } = await readFolder(root, { profile: 'live', env: {} })

  expect(problems.map(({ message }) => message)).toContain(
    `\${${name}} has no value in values/NAME.yaml or the environment`,
  )
  expect(objects.get('rules/constructor')?.name).toBe('B')
})
