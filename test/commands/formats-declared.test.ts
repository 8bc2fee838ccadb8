// Every command that is declared as one call, in every format: the shape never depends on the count.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { CommandClass } from '../../src/cli/command.ts'
import type { DeclaredKind } from '../../src/cli/declared/command.ts'
import { endpoints } from '../../src/contract/catalogue.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { emptyAnswer } from '../../src/contract/fields.ts'
import { keysFor, lines } from '../support/command-lines.ts'
import { classOf, promoIn, type Ran, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'
import { isRequestOf } from '../support/sent-requests.ts'
import { sampled } from '../support/size.ts'

const promo = promoIn(temporaryFolder())
const formats = ['table', 'json', 'jsonl', 'csv'] as const

const declared = await Promise.all(
  Object.keys(lines).map(async (id) => ({ id, Class: (await classOf(id)) as CommandClass & { kind?: DeclaredKind } })),
)
const ofKind = (kind: DeclaredKind) => declared.filter(({ Class }) => Class.kind === kind).map(({ id }) => id)

type JsonSchema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  required?: string[]
  anyOf?: JsonSchema[]
  additionalProperties?: unknown
  items?: JsonSchema
} & {
  properties?: Record<string, JsonSchema>
}

/** The least answer that a schema allows; undefined for one that may be empty. */
function leastOf({ type, const: only, enum: values, required = [], properties = {}, anyOf }: JsonSchema): unknown {
  if (anyOf) return undefined
  if (Array.isArray(type)) return null
  if (only !== undefined || values) return only ?? values?.[0]
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, leastOf(properties[name] ?? {})]))
  return { string: 'x', integer: 1, number: 1, boolean: true, array: [] }[type ?? ''] ?? {}
}

/** The answer of one call that has little in it, or none; `items`: of one that makes several things at once, the answer for one. */
function answerOf(call: Endpoint) {
  const schema = z.toJSONSchema(call.response, { unrepresentable: 'any' }) as JsonSchema
  const { items } = schema
  const least = call.response === emptyAnswer ? undefined : leastOf(items ?? schema)
  const more = schema.additionalProperties === false ? {} : { id: 'x_1', name: 'Name', code: 'C', redemptions: 1 }
  return { items, body: least && { ...(least as object), ...more } }
}

async function inAllFormats(id: string, body: unknown): Promise<Record<(typeof formats)[number], Ran>> {
  const { flags, calls } = await classOf(id)
  const [call] = calls as readonly Endpoint[]
  await using server = await scriptedServer(({ method, url }) => {
    const request = { method, path: url.split('?')[0] ?? '' }
    // What a write reads for its history is there: an empty answer would be asked for again, a second later.
    const look = isRequestOf(call as Endpoint, request) ? undefined : endpoints.find((one) => isRequestOf(one, request))
    const shown = look ? answerOf(look).body : body
    return answer(shown === undefined ? 204 : 200, shown)
  })
  const env = keysFor(server.origin)
  // What --explain reads beside the object, incomplete-lists.test.ts answers.
  const words = (lines[id]?.[0]?.[0] ?? '').split(' ').filter((word) => word !== '' && word !== '--explain')
  const argv = [...id.split(':'), ...words, ...(flags.yes === undefined ? [] : ['--yes'])]
  const ran: [string, Ran][] = []
  for (const format of formats) ran.push([format, await promo([...argv, '--format', format], { env })])
  return Object.fromEntries(ran) as Record<(typeof formats)[number], Ran>
}

const linesOf = ({ stdout }: Ran) => stdout.split('\n').filter((line) => line !== '')

describe.each(ofKind('list').map((id, at) => [id, sampled([0, 1, 3], 3, at)] as const))('%s', (id, some) => {
  test.each(some)('has the same shape with %i rows', async (count) => {
    const common = { object: 'thing', related_object: 'voucher', created_at: '2026-01-01T00:00:00.000Z' }
    const data = Array.from({ length: count }, (_, at) => ({
      id: `x_${at}`,
      code: `C-${at}`,
      name: `Name ${at}`,
      ...common,
    }))

    const ran = await inAllFormats(id, { object: 'list', data_ref: 'data', data, total: count })

    expect(JSON.parse(ran.json.stdout)).toEqual(data)
    expect(linesOf(ran.jsonl).map((line) => JSON.parse(line))).toEqual(data)
    expect(linesOf(ran.csv)).toHaveLength(count + 1)
    expect(linesOf(ran.table)).toHaveLength(count === 0 ? 0 : count + 1)
    expect(ran.table.stderr).toMatch(count === 0 ? /^no .+ found$/m : /^$/)
  })
})

describe.each([...ofKind('read'), ...ofKind('write')])('%s', (id) => {
  test('has one object as its result in every format, or none and says what it did', async () => {
    const Class = await classOf(id)
    const [call] = Class.calls as readonly Endpoint[]
    const { items, body } = answerOf(call as Endpoint)
    // A token is never shown.
    const { access_token: _, ...shown } = (body ?? {}) as Record<string, unknown>

    const ran = await inAllFormats(id, items ? [body] : body)

    expect(Object.values(ran).map(({ exitCode, stderr }) => [exitCode, exitCode === 0 ? '' : stderr])).toEqual(
      Array(4).fill([0, '']),
    )
    const isEmpty = Object.keys(body ?? {}).length === 0
    expect(ran.table.stdout === '').toBe(isEmpty)
    expect(ran.table.stderr).toMatch(isEmpty ? /^(deleted|enabled|disabled|canceled) .+ "/m : /^/)
    if (body === undefined) {
      expect(Object.values(ran).map(({ stdout }) => stdout)).toEqual(['', '', '', ''])
    } else {
      expect(JSON.parse(ran.json.stdout)).toEqual(shown)
      expect(linesOf(ran.jsonl).map((line) => JSON.parse(line))).toEqual([shown])
      expect(linesOf(ran.csv)).toHaveLength(2)
    }
  })
})
