// What the contract refuses is refused with 400 and the name of the property, and nothing is stored; calls over many rows refuse
// the rows.
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { pathText, withoutUnasked } from '../../../../src/base/schema.ts'
import { isKept } from '../../../../src/base/strict-json.ts'
import { startedAction } from '../../../../src/contract/async-actions.ts'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { readLeaf } from '../../../../src/sandbox/http/check-input.ts'
import { actionOutcomes, asyncActions } from '../../../../src/sandbox/stores/async-actions.ts'
import { ended, upload } from '../../../support/rows.ts'
import type { TestSandbox } from '../../../support/sandbox.ts'
import { sampled } from '../../../support/size.ts'
import {
  bodyOf,
  type Change,
  callsWithBody,
  changesOf,
  fullShop,
  type JsonSchema,
  sample,
  schemaOf,
  senderOf,
} from '../../../support/write-calls.ts'

const isBulk = ({ response, body }: Endpoint) =>
  response === startedAction && schemaOf({ body } as Endpoint).type === 'array'
const bulk = callsWithBody.filter((endpoint) => isBulk(endpoint))
// An update of metadata in bulk works without its members (docs/service/async-actions.md#triggers).
const lenient = ['customers.bulk.metadata', 'products.bulk.metadata', 'vouchers.bulk.metadata']
const single = callsWithBody.filter((endpoint) => !isBulk(endpoint) && !lenient.includes(endpoint.id))

test.each(single.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s refuses each member of a wrong type or beyond a limit by its name, and stores nothing',
  (_, endpoint) => {
    const shop = fullShop()
    const send = senderOf(shop, endpoint)
    const before = contents(shop)

    const wrong = sampled(wrongBodies(endpoint), 3, callsWithBody.indexOf(endpoint))
    const unrefused = wrong.flatMap(({ body: sent, path, value }) => {
      const { status, body } = send(sent)
      return status === 400 && isNamed(body, path) ? [] : [[pathText(path), value, status, body?.key, body?.details]]
    })

    expect(unrefused).toEqual([])
    expect(contents(shop)).toEqual(before)
  },
)

test.each(bulk.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s reports each row with a wrong member by its name, and takes the others',
  async (_, endpoint) => {
    const shop = fullShop()
    const [good = {}] = bodyOf(endpoint) as object[]
    // A number that cannot be read exactly is refused at once, as in a single call.
    const wrong = wrongBodies(endpoint).filter(
      ({ path, value }) => path.length > 1 && !isKey(path) && (typeof value !== 'number' || isKept(value)),
    )
    // A code that comes twice is refused at once.
    const rows = wrong.map(({ body }, at) => ({
      ...(body as object[])[0],
      ...('code' in good && { code: `WRONG-${at}` }),
    }))
    expect(senderOf(shop, endpoint)([...rows, good]).status).toBeLessThan(300)

    await shop.settled()

    const outcomes = shop.store.in(actionOutcomes, shop.project.id).all()
    const reported = new Map(outcomes.flatMap((page) => page.rows).map((row) => [row.row, String(row.reason)]))
    const missed = wrong.filter(({ path }, at) => !reported.get(at + 1)?.includes(pathText(path.slice(1))))
    expect(missed.map(({ path, value }, at) => [pathText(path), value, reported.get(at + 1)])).toEqual([])
    expect(shop.store.in(asyncActions, shop.project.id).all().at(-1)?.result).toMatchObject({ done_count: 1 })
    expect(wrong.length).toBeGreaterThan(3)
    expect(shop.reports).toEqual([])
  },
)

// How a row is called: reports are made by it.
function isKey([, name, ...rest]: readonly PropertyKey[]): boolean {
  return rest.length === 0 && (name === 'code' || name === 'source_id')
}

test.each<[path: string, header: string, good: string, bad: string, reason: RegExp]>([
  ['/v1/products/importCSV', 'name,price', 'Cup,3', 'Mug,cheap', /Column price/],
  ['/v1/skus/importCSV', 'source_id,product_id,price', 'small,prod_beans,3', 'large,prod_beans,cheap', /Column price/],
  ['/v1/customers/importCSV', 'Source_id,Id', 'ines,', 'jonas,cust_none', /cust_none/],
  [
    '/v1/vouchers/importCSV',
    'Code,Voucher Type,Value,Discount Type',
    'N1,DISCOUNT_VOUCHER,5,AMOUNT',
    'N2,COUPON,5,AMOUNT',
    /COUPON|Voucher Type|type/,
  ],
  ['/v1/campaigns/camp_season/importCSV', 'Code,Redeemed Quantity', 'N1,', 'N2,often', /Redeemed Quantity/],
])(
  '%s refuses a file with another header before anything is stored, and reports only the lines that are wrong',
  async (path, header, good, bad, reason) => {
    const shop = fullShop()
    const before = contents(shop)

    const refused = shop.call('POST', path, upload('color,size\nred,1\n'))
    expect(refused).toMatchObject({ status: 400, body: { key: 'invalid_payload' } })
    expect(contents(shop)).toEqual(before)

    expect(await ended(shop, shop.call('POST', path, upload(`${header}\n${bad}\n${good}\n`)))).toMatchObject({
      operation_status: 'FAILED',
      result: { done_count: 1, failed_count: 1, failed: [{ row: 2, reason: expect.stringMatching(reason) }] },
    })
  },
)

/** Whether a refusal names the property: by its path, or under a key of its own by its name. */
function isNamed({ key, details }: { key: string; details?: string }, path: readonly PropertyKey[]): boolean {
  const name = key === 'invalid_payload' ? pathText(path) : String(path.at(-1))
  return String(details).includes(name)
}

/** Bodies of which the contract refuses exactly one member, by itself. */
function wrongBodies(endpoint: Endpoint): Change[] {
  const body = endpoint.body as z.ZodType
  return changesOf(schemaOf(endpoint), bodyOf(endpoint), valuesFor).filter((change) => {
    // Unknown members are left out, and a number or text that stands for the other is read; neither is refused.
    const read = withoutUnasked(body, change.body, { unknown: true, leaf: readLeaf })
    return isAbout(body.safeParse(read).error?.issues, change.path)
  })
}

/** Values that a member may not have: of every type, and just beyond each limit. */
function valuesFor(schema: JsonSchema): unknown[] {
  const forms = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const limits = forms.flatMap(({ minimum, maximum, maxLength, minItems, maxItems, items, type }) => [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(minItems ? [[]] : []),
    ...(maxItems === undefined
      ? []
      : [Array.from({ length: maxItems + 1 }, () => sample(items ?? {}, undefined, false))]),
    ...(type === 'integer' ? [1.5] : []),
  ])
  return [7, 'no such word', '', true, ['x'], { x: 1 }, ...limits]
}

/** Whether the contract refuses exactly this member, and by itself. */
function isAbout(issues: readonly z.core.$ZodIssue[] | undefined, path: readonly PropertyKey[]): boolean {
  return issues?.length === 1 && JSON.stringify(issues[0]?.path) === JSON.stringify(path)
}

/** Everything that is stored. */
function contents({ store }: TestSandbox): Record<string, unknown[]> {
  const tables = store.db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
  return Object.fromEntries(tables.map(({ name }) => [name, store.db.all(`SELECT * FROM "${name}"`)]))
}
