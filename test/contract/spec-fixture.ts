// The specification's sixteen endpoints as transcribed by hand in test/fixtures/spec, and values to test their limits.

/** What the specification says of one field; a limit that is absent is not stated. */
export interface Field {
  type: string
  required?: boolean
  nullable?: boolean
  enum?: string[]
  /** A text of space-separated values of this list. */
  words?: string[]
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  /** The member that must be unique among the items of an array. */
  distinct?: string
  fields?: Record<string, Field>
  items?: Field
  notes?: string
}

export interface Example {
  title: string
  request: { path: Record<string, string>; query?: Record<string, unknown>; body?: Record<string, unknown> }
  wire: {
    method: string
    path: string
    query: Record<string, string>
    headers: Record<string, string>
    body: unknown
  }
  answer: unknown
}

export interface SpecFixture {
  endpoint: number
  title: string
  method: string
  paths: string[]
  encoding: 'json' | 'form' | null
  /** Names of the headers with credentials. */
  headers: string[]
  path: Record<string, Field>
  query: Record<string, Field>
  body: Record<string, Field> | null
  response: Record<string, Field>
  /** Where the contract accepts more than the specification lists, and why; by path of the field. */
  wider?: Record<string, string>
  effects: string[]
  errors: string[]
  examples: Example[]
  refused: { title: string; request: { query?: unknown; body?: unknown } }[]
  no_proof?: { title: string; answer: unknown }[]
}

const files = import.meta.glob<SpecFixture>('/test/fixtures/spec/*.json', { eager: true, import: 'default' })

/** All fixtures, by number of their endpoint. */
export const fixtures: readonly SpecFixture[] = Object.values(files).toSorted((a, b) => a.endpoint - b.endpoint)

/** A field with the steps that lead to it; `[]` is a step into the items of an array. */
export interface Place {
  part: 'query' | 'body'
  steps: string[]
  field: Field
}

/** Every field a fixture names, the outer ones first. */
export function placesOf(fixture: SpecFixture): Place[] {
  return (['query', 'body'] as const).flatMap((part) =>
    Object.entries(fixture[part] ?? {}).flatMap(([name, field]) => within(part, [name], field)),
  )
}

function within(part: Place['part'], steps: string[], field: Field): Place[] {
  const members = Object.entries(field.fields ?? {}).flatMap(([name, member]) => within(part, [...steps, name], member))
  return [{ part, steps, field }, ...members, ...(field.items ? within(part, [...steps, '[]'], field.items) : [])]
}

/** The values at both ends of every limit of a field, and those just beyond. */
export function boundsOf(field: Field, present: unknown): { name: string; at: unknown; beyond: unknown }[] {
  const { minimum, maximum, minItems, maxItems, minLength, maxLength } = field
  const many = (count: number) => items(count, field, present)
  return [
    ...(minimum === undefined ? [] : [{ name: 'minimum', at: minimum, beyond: minimum - 1 }]),
    ...(maximum === undefined ? [] : [{ name: 'maximum', at: maximum, beyond: maximum + 1 }]),
    ...(minItems === undefined ? [] : [{ name: 'minItems', at: many(minItems), beyond: many(minItems - 1) }]),
    ...(maxItems === undefined ? [] : [{ name: 'maxItems', at: many(maxItems), beyond: many(maxItems + 1) }]),
    ...(minLength === undefined ? [] : [{ name: 'minLength', at: 'é'.repeat(minLength), beyond: '' }]),
    ...(maxLength === undefined
      ? []
      : [{ name: 'maxLength', at: '😀'.repeat(maxLength), beyond: 'x'.repeat(maxLength + 1) }]),
  ]
}

function items(count: number, { distinct }: Field, present: unknown): unknown[] {
  const [first] = present as Record<string, unknown>[]
  return Array.from({ length: count }, (_, n) => ({ ...first, ...(distinct && { [distinct]: `item ${n}` }) }))
}

/** The value at a path of a request, in the first item of each array; undefined when there is none. */
export function valueAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return step === undefined ? value : undefined
  const inner = step === '[]' ? (value as unknown[])[0] : (value as Record<string, unknown>)[step]
  return valueAt(inner, rest)
}

/** A copy of a request with another value at a path, or without it when `next` is undefined. */
export function withValue(value: unknown, [step, ...rest]: readonly string[], next: unknown): unknown {
  if (step === undefined) return next
  if (step === '[]') return [withValue((value as unknown[])[0], rest, next)]
  const { [step]: inner, ...others } = value as Record<string, unknown>
  const changed = withValue(inner, rest, next)
  return changed === undefined ? others : { ...others, [step]: changed }
}
