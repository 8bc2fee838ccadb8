// CSV has a column for every scalar that the service sends, also for those that are new to the contract.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { order } from '../../../../src/contract/answers/orders.ts'
import { asyncAction } from '../../../../src/contract/answers/projects.ts'
import { voucher } from '../../../../src/contract/answers/vouchers.ts'
import { orderColumns } from '../../../../src/output/columns/resources/catalogue.ts'
import { asyncActionColumns } from '../../../../src/output/columns/resources/project.ts'
import { voucherColumns } from '../../../../src/output/columns/vouchers.ts'

type Schema = { $ref?: string; type?: string | string[]; anyOf?: Schema[]; oneOf?: Schema[] } & {
  properties?: Record<string, Schema>
}

/** Columns that are one cell of JSON, with everything below them. */
const oneCell = ['customer', 'referrer', 'discount.product', 'discount.sku', 'result.report', 'result.results_file']

test.each([
  ['voucher', voucher, voucherColumns],
  ['order', order, orderColumns],
  ['background job', asyncAction, asyncActionColumns],
])('%s: every scalar has a column', (_, form, { columns }) => {
  const names = columns.map(({ name }) => name)
  const scalars = scalarsOf(z.toJSONSchema(form, { unrepresentable: 'any', reused: 'inline' }) as Schema)

  // What kind of thing a part is, and how its list goes on, says nothing about the row.
  const varying = scalars.filter((path) => !/\.(object|data_ref|has_more|more_starting_after)$/.test(path))
  const isInside = (path: string) => oneCell.some((name) => path.startsWith(`${name}.`))
  expect(varying.length).toBeGreaterThan(5)
  expect(varying.filter((path) => !isInside(path) && !names.includes(path))).toEqual([])
})

function scalarsOf(schema: Schema, path: readonly string[] = []): string[] {
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (alternatives.length > 0) return [...new Set(alternatives.flatMap((one) => scalarsOf(one, path)))]
  const types = [schema.type ?? []].flat()
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, inner]) => scalarsOf(inner, [...path, name]))
  }
  return types.some((type) => ['string', 'number', 'integer', 'boolean'].includes(type)) ? [path.join('.')] : []
}
