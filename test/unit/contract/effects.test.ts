// What is known of a call whose answer was lost: no call that may count twice, or creates, forgets to say it.
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../../src/contract/catalogue.ts'
import type { Endpoint, Reading } from '../../../src/contract/endpoint.ts'

const unsafe = endpoints.filter(({ repeat }) => repeat !== 'read' && repeat !== 'idempotent')
const readings = endpoints.flatMap((endpoint): [string, Endpoint, Reading][] => {
  const { id, proof } = endpoint
  return proof && 'read' in proof ? [[id, endpoint, proof.read]] : []
})

test('calls that may count twice or create are as many as the document of retry classes knows', () => {
  expect(unsafe.length).toBeGreaterThan(70)
})

test.each(unsafe.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s says what proves it, or why nothing does',
  (_, { taken, proof, unproved }) => {
    expect([taken, proof, unproved].some((one) => one !== undefined)).toBe(true)
    if (unproved !== undefined) expect(proof).toBeUndefined()
  },
)

describe('what is read as a proof', () => {
  test.each(readings)('of %s only reads, and all names in its path are known', (_, endpoint, { call, path = {} }) => {
    const read = call()
    const names = [...read.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

    expect(read.repeat).toBe('read')
    expect(names.filter((name) => path[name] === undefined && !endpoint.path.includes(`{${name}}`))).toEqual([])
  })
})
