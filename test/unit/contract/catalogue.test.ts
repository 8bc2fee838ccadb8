import { expect, test } from 'vitest'
import { endpoints, isEndpoint } from '../../../src/contract/catalogue.ts'

const files = import.meta.glob<Record<string, unknown>>('/src/contract/*.ts', { eager: true })

test('every endpoint that any contract file declares is in the catalogue', () => {
  const missing = Object.entries(files).flatMap(([file, exported]) =>
    Object.values(exported)
      .filter(isEndpoint)
      .filter((endpoint) => !endpoints.includes(endpoint))
      .map((endpoint) => `${file}: ${endpoint.id}`),
  )

  expect(endpoints.length).toBeGreaterThan(130)
  expect(missing).toEqual([])
})

test('no two endpoints have the same id, nor the same method and path', () => {
  expect(twice(endpoints.map(({ id }) => id))).toEqual([])
  expect(twice(endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`))).toEqual([])
})

test('a GET only reads and has no body, a DELETE may be repeated', () => {
  for (const { id, method, body, repeat } of endpoints) {
    if (method === 'GET') expect([id, repeat, body]).toEqual([id, 'read', undefined])
    if (method === 'DELETE') expect([id, repeat, body]).toEqual([id, 'idempotent', undefined])
  }
})

test('management calls carry the management pair, and client calls the client pair', () => {
  for (const { id, path, credential } of endpoints) {
    expect([id, credential === 'management']).toEqual([id, path.startsWith('/management/v1/')])
    expect([id, credential === 'client']).toEqual([id, path.startsWith('/client/v1/')])
  }
})

test('a paged call accepts the parameters for a page', () => {
  for (const { id, paging, query } of endpoints) {
    const position = { cursor: { starting_after_id: 'x' }, page: { page: 1 }, none: {} }[paging.style]
    if (paging.style === 'none') continue
    expect([id, query?.safeParse({ limit: 100, ...position }).success]).toEqual([id, true])
    if (paging.style === 'page') {
      expect([id, query?.safeParse({ page: paging.lastPage }).success]).toEqual([id, true])
      expect([id, query?.safeParse({ page: paging.lastPage + 1 }).success]).toEqual([id, false])
    }
  }
})

test('every request is strict: an unknown name in a query or a body is refused', () => {
  for (const { id, query, body } of endpoints) {
    expect([id, namesRefused(query)]).toEqual([id, query === undefined ? [] : ['no_such_name']])
    if (body !== undefined && body.safeParse([]).error?.issues[0]?.code !== 'too_small') {
      expect([id, namesRefused(body)]).toEqual([id, ['no_such_name']])
    }
  }
})

test('every endpoint has a source and a sentence without a full stop', () => {
  for (const { source, summary } of endpoints) {
    expect(source).toMatch(/^docs\/service\/[a-z-]+\.md#[a-z-]+$/)
    expect(summary).toMatch(/^[A-Z].*[^.]$/)
  }
})

function namesRefused(schema: (typeof endpoints)[number]['body']): string[] {
  const issues = schema?.safeParse({ no_such_name: 1 }).error?.issues ?? []
  return issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))
}

function twice(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}
