// The calls that every resource has about one object and its collection, and what the query strings of listings have in common. Apart
// from endpoint.ts, which every start of a command loads. Source: docs/service/lists.md#page-numbers.
import { z } from 'zod'
import { type Credential, type Effect, type Endpoint, endpoint, type PageNumbers, type Repeat } from './endpoint.ts'
import { dateTime, emptyAnswer, listAnswer, pageSize } from './fields.ts'

/** The path of a collection, derived from that of an object in it: `/v1/segments` of `/v1/segments/{segmentId}`. */
type CollectionOf<Path extends string> = Path extends `${infer Start}/{${infer Name}}${infer Rest}`
  ? Rest extends ''
    ? Start
    : `${Start}/{${Name}}${CollectionOf<Rest>}`
  : Path

/** What a call may say beside its path and its words. */
type Said<Query extends z.ZodType, Answer extends z.ZodType> = Partial<
  Pick<Endpoint<string, Query, z.ZodType, Answer>, 'query' | 'response' | 'paging' | 'hasFixedQuery' | 'source'>
>

/** A listing, which has its own answer. */
type Listed<Query extends z.ZodType, List extends z.ZodType> = Said<Query, List> & { response: List }

/**
 * Makes the declarations of the calls about one object and its collection, which are the same for every resource but for their
 * names.
 *
 * `id` is that of the resource, `path` that of one object, and `response` what every call answers but a listing and a deletion,
 * unless it says otherwise. `source` is the section that describes the calls, or a page of which each call names its own section.
 */
export function callsAbout<const Path extends string, Answer extends z.ZodType>(
  id: string,
  path: Path,
  about: { response: Answer; source: string; credential?: Credential },
) {
  const collection = path.slice(0, path.lastIndexOf('/')) as CollectionOf<Path>
  const withSource = (section?: string) => {
    const source = section === undefined ? about.source : `${about.source}#${section}`
    return { ...about, source }
  }
  /** A call that does something with one object: `verb` in the id, and in the path unless it says `at`. */
  const act = <
    const Verb extends string,
    Body extends z.ZodType = z.ZodNever,
    Query extends z.ZodType = z.ZodNever,
    Done extends z.ZodType = Answer,
    const At extends string = Verb,
  >(
    verb: Verb,
    summary: string,
    section: string | undefined,
    { at, ...more }: Said<Query, Done> & { at?: At; body?: Body } & Pick<Endpoint, 'repeat' | 'confirm'> & Effect,
  ) => {
    const call = `POST ${path}/${at ?? verb}` as `POST ${Path}/${At}`
    const response = (more.response ?? about.response) as Done
    return endpoint(`${id}.${verb}`, summary, { ...withSource(section), ...more, call, response })
  }
  return {
    list: <List extends z.ZodType, Query extends z.ZodType = z.ZodNever>(
      listed: Listed<Query, List>,
      summary: string,
      section?: string,
    ) => endpoint(`${id}.list`, summary, { ...withSource(section), ...listed, call: `GET ${collection}` }),
    /** Lists what belongs to one object, `part` in the path. */
    listOf: <const Part extends string, List extends z.ZodType, Query extends z.ZodType = z.ZodNever>(
      part: Part,
      listed: Listed<Query, List>,
      summary: string,
      section?: string,
    ) =>
      endpoint(`${id}.${part}.list`, summary, {
        ...withSource(section),
        ...listed,
        call: `GET ${path}/${part}` as const,
      }),
    get: <Query extends z.ZodType = z.ZodNever>(summary: string, section?: string, more?: Said<Query, Answer>) =>
      endpoint(`${id}.get`, summary, { ...withSource(section), ...more, call: `GET ${path}` }),
    create: <Body extends z.ZodType>(
      body: Body,
      effect: { repeat: Repeat } & Effect,
      summary: string,
      section?: string,
    ) => endpoint(`${id}.create`, summary, { ...withSource(section), ...effect, call: `POST ${collection}`, body }),
    update: <Body extends z.ZodType>(
      body: Body,
      summary: string,
      section?: string,
      more?: Pick<Endpoint, 'replaces'>,
    ) => endpoint(`${id}.update`, summary, { ...withSource(section), ...more, call: `PUT ${path}`, body }),
    delete: <Query extends z.ZodType = z.ZodNever, Ended extends z.ZodType = typeof emptyAnswer>(
      summary: string,
      section?: string,
      more?: Said<Query, Ended>,
    ) => {
      const response = (more?.response ?? emptyAnswer) as Ended
      return endpoint(`${id}.delete`, summary, { ...withSource(section), ...more, call: `DELETE ${path}`, response })
    },
    act,
    enable: (summary: string, section?: string, confirm?: Endpoint['confirm']) =>
      act('enable', summary, section, { repeat: 'idempotent', ...(confirm && { confirm }) }),
    disable: (summary: string, section?: string, confirm?: Endpoint['confirm']) =>
      act('disable', summary, section, { repeat: 'idempotent', ...(confirm && { confirm }) }),
  }
}

/** The calls that most resources have. */
export const crud = ['list', 'get', 'create', 'update', 'delete'] as const

/** Returns the calls of a resource among the exports of a module, by their verbs. Throws for one that is not declared. */
export function callsOf<Verb extends string = (typeof crud)[number]>(
  module: object,
  id: string,
  verbs: readonly Verb[] = crud as readonly string[] as readonly Verb[],
): Record<Verb, Endpoint> {
  const calls = new Map(Object.values(module).map((call: Partial<Endpoint> | undefined) => [call?.id, call]))
  const found = verbs.map((verb) => {
    const call = calls.get(`${id}.${verb}`)
    if (call === undefined) throw new Error(`no call is ${id}.${verb}`)
    return [verb, call]
  })
  return Object.fromEntries(found) as Record<Verb, Endpoint>
}

/** Conditions by field, `filters[field][conditions][$operator]` on the wire; the service knows the fields. */
export const filters = z.record(z.string(), z.unknown())

/** Number of a page, from 1. Source: docs/service/limits.md#volume-limits. */
const pageNumber = z.int().min(1).max(100)

/** A time range; both ends are optional. */
export const period = z.strictObject({ before: dateTime.optional(), after: dateTime.optional() })

/** The query parameters of a listing by page. */
export const byPage = { limit: pageSize.optional(), page: pageNumber.optional() }

/** The query parameters of a listing that continues after the id of the last item. */
export const byId = {
  limit: pageSize.optional(),
  order: bothWays('id').optional(),
  starting_after_id: z.string().min(1).optional(),
}

/** What all lists have in common; one that does not continue is complete. */
export const listing = { response: listAnswer } as const

/** How a list continues by page number, up to the last page that the service lists. */
export function pages(lastPage: number, more: Omit<PageNumbers, 'style' | 'lastPage'> = {}): PageNumbers {
  return { style: 'page', lastPage, ...more }
}

/** What lists by page have in common, of which a hundred pages can be read; some take more parameters. */
export const pageListing = {
  ...listing,
  query: z.strictObject(byPage),
  paging: pages(100),
} as const

/** What lists by page have in common that can be ordered by one of some fields. */
export function pagesBy<const Field extends string>(...fields: readonly Field[]) {
  return { ...pageListing, query: z.strictObject({ ...byPage, order: bothWays(...fields).optional() }) }
}

/** What lists have in common that continue after the id of the last item; some take more parameters. */
export const cursorListing = { ...listing, query: z.strictObject(byId), paging: { style: 'cursor' } } as const

/** The same of those that take filters. */
export const filteredListing = {
  ...cursorListing,
  query: z.strictObject({ ...byId, filters: filters.optional() }),
} as const

/** What the lists of what happened to something have in common. Source: docs/service/customers.md#activity. */
export const activityListing = {
  ...cursorListing,
  query: z.strictObject({ ...byId, order: bothWays('id', 'created_at').optional() }),
  source: 'docs/service/customers.md#activity',
} as const

/** An order by one of the fields: ascending, or descending with a leading dash. */
export function bothWays<const Field extends string>(...fields: readonly Field[]) {
  return z.enum(fields.flatMap((field): (Field | `-${Field}`)[] => [field, `-${field}`]))
}
