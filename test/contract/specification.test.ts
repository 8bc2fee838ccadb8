// Is the contract the specification? Everything here comes from fixtures transcribed by hand from its text.
import { describe, expect, test } from 'vitest'
import { checkRequest } from '../../src/api/request/request.ts'
import { endpoints } from '../../src/contract/catalogue.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { memberOf, membersOf, typesOf, valuesOf } from './json-schema.ts'
import { boundsOf, fixtures, placesOf, type SpecFixture, valueAt, withValue } from './spec-fixture.ts'

const jsonType: Record<string, string> = { 'date-time': 'string' }

test('each of the sixteen endpoints has one fixture with an example, and no fixture is left over', () => {
  expect(fixtures.map(({ endpoint }) => endpoint)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
  expect(fixtures.filter(({ examples }) => examples.length === 0)).toEqual([])
})

test('every call that the fixtures transcribe is declared, once', () => {
  const declared = endpoints.map(({ method, path }) => `${method} ${path}`)
  const transcribed = fixtures.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`))

  expect(transcribed.filter((call) => declared.filter((one) => one === call).length !== 1)).toEqual([])
})

describe.each(fixtures.map((fixture) => [`${fixture.endpoint}. ${fixture.title}`, fixture] as const))(
  '%s',
  (_, spec) => {
    const declarations = declarationsOf(spec)
    const [declared] = declarations as [Endpoint, ...Endpoint[]]
    const places = placesOf(spec)
    const isWider = (place: string) => spec.wider?.[place] !== undefined

    test('carries the credentials and the encoding of the specification', () => {
      const pair = declared.credential === 'management' ? 'X-Management' : 'X-App'

      expect([`${pair}-Id`, `${pair}-Token`]).toEqual(spec.headers)
      expect(declared.body === undefined ? null : declared.encoding).toBe(spec.encoding)
      expect(declared.path.startsWith('/management/')).toBe(declared.credential === 'management')
    })

    test('accepts every parameter that is listed, of its type, and no other', () => {
      for (const { part, steps, field } of places) {
        const where = [part, ...steps].join('.').replaceAll('.[]', '[]')
        const member = memberOf(declared[part] ?? never(where), steps)
        expect([where, typesOf(member)]).toEqual([where, expect.arrayContaining([jsonType[field.type] ?? field.type])])
        expect([where, typesOf(member).includes('null') || !field.nullable]).toEqual([where, true])
      }
      for (const part of ['query', 'body'] as const) {
        const schema = declared[part]
        const unnamed = (schema ? membersOf(schema).all : []).filter((name) => !Object.hasOwn(spec[part] ?? {}, name))
        expect(unnamed.filter((name) => !isWider(`${part}.${name}`))).toEqual([])
      }
      for (const { path } of declarations) {
        expect(Object.keys(spec.path)).toEqual(expect.arrayContaining(namesIn(path)))
      }
    })

    test('requires what is required, and nothing else', () => {
      for (const part of ['query', 'body'] as const) {
        const schema = declared[part]
        const required = Object.entries(spec[part] ?? {}).filter(([, field]) => field.required)
        const names = required.map(([name]) => name).filter((name) => !isWider(`${part}.${name}`))
        expect((schema ? membersOf(schema).required : []).toSorted()).toEqual(names.toSorted())
      }
    })

    test('accepts exactly the values that are listed', () => {
      for (const { part, steps, field } of places) {
        if (field.enum === undefined) continue
        const where = [part, ...steps].join('.').replaceAll('.[]', '[]')
        const values = valuesOf(memberOf(declared[part] ?? never(where), steps))
        expect([where, field.enum.filter((value) => !values.includes(value))]).toEqual([where, []])
        if (!isWider(where)) expect([where, new Set(values)]).toEqual([where, new Set<unknown>(field.enum)])
      }
    })

    test('accepts each word of a list in a text', () => {
      for (const { part, steps, field } of places.filter((place) => place.field.words)) {
        for (const word of field.words ?? []) {
          const request = withValue(spec.examples[0]?.request[part], steps, word)
          expect([word, declared[part]?.safeParse(request).success]).toEqual([word, true])
        }
      }
    })

    test('declares each limit, accepts a value at it and refuses the next', () => {
      for (const { part, steps, field } of places) {
        const where = [part, ...steps].join('.')
        const schema = declared[part] ?? never(where)
        const example = spec.examples[0]?.request[part]
        for (const { name, at, beyond } of boundsOf(field, valueAt(example, steps))) {
          const limits = memberOf(schema, steps).map((one) => one[name as 'minimum'])
          expect([where, name, limits]).toEqual([where, name, [field[name as 'minimum']]])
          expect([where, name, schema.safeParse(withValue(example, steps, at)).success]).toEqual([where, name, true])
          expect([where, name, schema.safeParse(withValue(example, steps, beyond)).success]).toEqual([
            where,
            name,
            false,
          ])
        }
      }
    })

    test('refuses a request without one of the required fields', () => {
      for (const { part, steps, field } of places.filter((place) => place.field.required)) {
        const example = spec.examples[0]?.request[part]
        const where = [part, ...steps].join('.')
        if (isWider(where) || valueAt(example, steps) === undefined || field.required !== true) continue
        const incomplete = withValue(example, steps, undefined)
        expect([where, declared[part]?.safeParse(incomplete).success]).toEqual([where, false])
      }
    })

    test.each(spec.examples.map((example) => [example.title, example] as const))('sends: %s', (_title, example) => {
      const { wire } = example
      const endpoint = declarations.find(
        ({ path }) => namesIn(path).length === Object.keys(example.request.path).length,
      )

      const sent = checkRequest(endpoint ?? never(example.title), example.request)

      const [path, search = ''] = sent.target.split('?')
      expect([endpoint?.method, path]).toEqual([wire.method, wire.path])
      expect(Object.fromEntries(new URLSearchParams(search))).toEqual(wire.query)
      expect(sent.contentType).toBe(wire.headers['Content-Type'])
      expect(wire.body === null || typeof wire.body === 'string' ? sent.body : JSON.parse(String(sent.body))).toEqual(
        wire.body,
      )
    })

    test.each(spec.examples.map((example) => [example.title, example] as const))(
      'reads the answer to: %s',
      (_title, { answer }) => {
        expect(declared.response.parse(answer)).toEqual(answer)
        expect(declared.response.parse({ ...(answer as object), brand_new: [1] })).toMatchObject({ brand_new: [1] })
        expect(declared.response.safeParse('<html>').success).toBe(false)
      },
    )

    test('refuses what the specification rules out, before anything is sent', () => {
      for (const { title, request } of spec.refused) {
        const part = request.body === undefined ? 'query' : 'body'
        expect([title, declared[part]?.safeParse(request[part]).success]).toEqual([title, false])
      }
    })

    test('takes no answer that contradicts the request for a proof', () => {
      for (const { title, answer } of spec.no_proof ?? []) {
        expect([title, declared.response.safeParse(answer).success]).toEqual([title, false])
      }
    })
  },
)

function declarationsOf(spec: SpecFixture): Endpoint[] {
  return endpoints.filter(({ method, path }) => method === spec.method && spec.paths.includes(path))
}

function namesIn(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}

function never(what: string): never {
  throw new Error(`nothing is declared for ${what}`)
}
