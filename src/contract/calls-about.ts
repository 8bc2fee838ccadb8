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
export function callsAbout<const Path extends string, Answer extends z.ZodType>({
  id,
  path,
  ...about
}: {
  id: string
  path: Path
  response: Answer
  source: string
  credential?: Credential
}) {
  const said = (summary: string, section?: string) => {
    const source = section === undefined ? about.source : `${about.source}#${section}`
    return { ...about, source, summary }
  }
  const switching =
    <const Verb extends string>(verb: Verb) =>
    (summary: string, section?: string) => {
      const call = `POST ${path}/${verb}` as const
      return endpoint(`${id}.${verb}`, { ...said(summary, section), call, repeat: 'idempotent' })
    }
  return {
    get: (summary: string, section?: string) =>
      endpoint(`${id}.get`, { ...said(summary, section), call: `GET ${path}` }),
    create: <Body extends z.ZodType>(body: Body, repeat: Repeat, summary: string, section?: string) => {
      const collection = path.slice(0, path.lastIndexOf('/')) as CollectionOf<Path>
      return endpoint(`${id}.create`, { ...said(summary, section), call: `POST ${collection}`, body, repeat })
    },
    update: <Body extends z.ZodType>(body: Body, summary: string, section?: string) =>
      endpoint(`${id}.update`, { ...said(summary, section), call: `PUT ${path}`, body, repeat: 'idempotent' }),
    delete: (summary: string, section?: string) => {
      const call = `DELETE ${path}` as const
      return endpoint(`${id}.delete`, { ...said(summary, section), call, response: emptyAnswer, repeat: 'idempotent' })
    },
    enable: switching('enable'),
    disable: switching('disable'),
  }
}
