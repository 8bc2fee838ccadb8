// The calls that every resource has about one object. Apart from endpoint.ts, which every start of a command loads.
import type { z } from 'zod'
import { type Credential, endpoint, type Repeat } from './endpoint.ts'
import { emptyAnswer } from './fields.ts'

/** The path of a collection, derived from that of an object in it: `/v1/segments` of `/v1/segments/{segmentId}`. */
type CollectionOf<Path extends string> = Path extends `${infer Start}/{${infer Name}}${infer Rest}`
  ? Rest extends ''
    ? Start
    : `${Start}/{${Name}}${CollectionOf<Rest>}`
  : Path

/**
 * Makes the declarations of the calls about one object, which are the same for every resource but for their names.
 *
 * `id` is that of the resource, `path` that of one object, and `response` what every call but a deletion answers. `source` is the
 * section that describes the calls, or a page of which each call names its own section.
 */
export function callsAbout<const Path extends string, Answer extends z.ZodType>(about: {
  id: string
  path: Path
  response: Answer
  source: string
  credential?: Credential
}) {
  const called = (verb: string, summary: string, section?: string) => {
    const source = section === undefined ? about.source : `${about.source}#${section}`
    return { ...about, id: `${about.id}.${verb}`, source, summary }
  }
  const switching =
    <const Verb extends string>(verb: Verb) =>
    (summary: string, section?: string) =>
      endpoint({
        ...called(verb, summary, section),
        method: 'POST',
        path: `${about.path}/${verb}` as const,
        repeat: 'idempotent',
      })
  return {
    get: (summary: string, section?: string) =>
      endpoint({ ...called('get', summary, section), method: 'GET', repeat: 'read' }),
    create: <Body extends z.ZodType>(body: Body, repeat: Repeat, summary: string, section?: string) => {
      const path = about.path.slice(0, about.path.lastIndexOf('/')) as CollectionOf<Path>
      return endpoint({ ...called('create', summary, section), method: 'POST', path, body, repeat })
    },
    update: <Body extends z.ZodType>(body: Body, summary: string, section?: string) =>
      endpoint({ ...called('update', summary, section), method: 'PUT', body, repeat: 'idempotent' }),
    delete: (summary: string, section?: string) =>
      endpoint({
        ...called('delete', summary, section),
        method: 'DELETE',
        response: emptyAnswer,
        repeat: 'idempotent',
      }),
    enable: switching('enable'),
    disable: switching('disable'),
  }
}
