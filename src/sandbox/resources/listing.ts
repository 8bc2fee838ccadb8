// The answers of lists. Source: docs/service/lists.md.
import { type Context, ok } from '../http/route.ts'
import type { Collection, Stored } from '../storage/collection.ts'
import type { Condition } from '../storage/conditions.ts'

/** Which page of a list is requested: of ten, the first, newest first unless it says otherwise. */
interface PageQuery {
  order?: string | undefined
  limit?: number | undefined
  page?: number | undefined
}

/** Answers a page of a collection; `show` converts all objects of the page at once, and `ref` names them. */
export function pageAnswer<Doc extends Stored>(
  declared: Collection<Doc>,
  { order = '-created_at', limit = 10, page = 1 }: PageQuery,
  context: Pick<Context, 'in'>,
  {
    where = [],
    ref = 'data',
    show = (docs) => docs,
  }: { where?: readonly Condition[]; ref?: string; show?: (docs: Doc[]) => readonly unknown[] } = {},
) {
  const { items, total } = context.in(declared).page(where, order, limit, page)
  return ok({ object: 'list', data_ref: ref, [ref]: show(items), total })
}

/** A list that is always shown in full. */
export function wholeList(data: readonly unknown[], ref = 'data') {
  return { object: 'list', data_ref: ref, [ref]: data, total: data.length }
}
