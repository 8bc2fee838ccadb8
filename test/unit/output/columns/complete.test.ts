// Every scalar and list of an answer is a column of the command that shows it, and a heading never hides a member.
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { CommandClass } from '../../../../src/cli/command.ts'
import type { DeclaredKind } from '../../../../src/cli/declared/command.ts'
import { answersOf } from '../../../../src/contract/answers/answers.ts'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { emptyAnswer } from '../../../../src/contract/fields.ts'
import type { Column } from '../../../../src/output/column.ts'
import { fieldsOf } from '../../../../src/output/columns-of.ts'
import { allCommands } from '../../../support/promo.ts'

const classes = await allCommands()

/** Commands that read one call and show something else, with the reason. */
const composed: Readonly<Record<string, string>> = {
  'exports:download': 'writes the file itself',
  'profiles:add': 'lists the projects to check that the credentials work',
}

/** Secrets of an answer, which no command shows. */
const secrets = /^(?:access_token|webhook_token|(?:server|client)_side_key\..*|result\.url)$/

const showing = classes.flatMap(({ id, Class }) => {
  const { calls, columns, kind } = Class as CommandClass & { kind?: DeclaredKind }
  const [call, more] = calls === 'any' ? [] : calls
  const isOneCall = (more === undefined && call?.method === 'GET') || kind === 'write'
  return call === undefined || !isOneCall || id in composed
    ? []
    : [{ id, call, columns: [columns].flat().flatMap((set) => set.columns) }]
})

test('there are commands that show the answer to one call', () => {
  expect(showing.length).toBeGreaterThan(20)
})

test.each(showing)('$id has a column for every member of its answer', ({ call, columns }) => {
  const names = columns.map(({ name }) => name)

  const missing = fieldsOf(rowOf(call)).filter(({ path }) => !names.includes(path) && !secrets.test(path))

  expect(missing.map(({ path }) => path)).toEqual([])
})

test.each(showing.filter(({ call }) => call.response === emptyAnswer))(
  '$id, whose answer is empty, promises no column',
  ({ columns }) => {
    expect(columns).toEqual([])
  },
)

test.each(classes)('$id: a heading is no other member of the answer', ({ Class: { columns } }) => {
  const hiding = [columns].flat().flatMap(({ columns: all }) => {
    const tops = new Set(all.map(({ name }) => name.split('.', 1)[0]))
    return all.filter((column) => isHiding(column, tops)).map(({ name, label }) => `${label} for ${name}`)
  })

  expect(hiding).toEqual([])
})

/** A heading may repeat the first or last part of its own path. */
function isHiding({ name, label }: Column, tops: ReadonlySet<string | undefined>): boolean {
  const parts = name.split('.')
  return label !== undefined && tops.has(label) && label !== parts[0] && label !== parts.at(-1)
}

/** The form of a row of a list, or of the object that is answered. */
function rowOf(call: Endpoint): z.ZodType {
  const [form] = Object.values(answersOf(call))
  if (form === null || form === undefined) return z.object({})
  if (form instanceof z.ZodArray) return form.element as z.ZodType
  const ref = form instanceof z.ZodObject ? form.shape.data_ref : undefined
  if (!(form instanceof z.ZodObject && ref instanceof z.ZodLiteral)) return form
  return (form.shape[String(ref.value)] as z.ZodArray<z.ZodType>).element
}

test('a heading names the same of a customer in every table: the source id', () => {
  const named = classes.flatMap(({ Class: { columns } }) =>
    [columns].flat().flatMap(({ columns: all }) => all.filter(({ label }) => label === 'customer')),
  )

  expect(new Set(named.map(({ name }) => name))).toEqual(new Set(['customer.source_id']))
})
