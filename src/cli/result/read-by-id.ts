// What a table names of other objects: each is read once, and several of a kind by one list.
import type { Client } from '../../api/client.ts'
import { memoize } from '../../base/memoized.ts'
import type { AnswerOf, Endpoint } from '../../contract/endpoint.ts'
import { type Refusal, tryRead } from './try-read.ts'

/** Requests at the same time; a refused key is then noticed after the first of them. */
const atOnce = 8

/** Rows of one page of a list. */
const mostListed = 100

interface Reading<E extends Endpoint> {
  get: E
  /** Where several of them are looked for first, among its newest; absent: each is read by itself. */
  list?: Endpoint
  /** Whether the list can be asked for these ids alone. */
  takesIds?: boolean
  /** Told of each that is gone, and once that the key may not read them. */
  refused?: (refusal: Refusal, id: string) => void
}

/**
 * Returns the function that reads an object by its id, each id once. What is asked for at the same time costs one page of the list,
 * and a call for each that is not in it. What is gone, or may not be read, is undefined.
 */
export function readById<E extends Endpoint>(
  client: Client,
  { get, list, takesIds = false, refused = () => {} }: Reading<E>,
): (id: string) => Promise<AnswerOf<E> | undefined> {
  const [, parameter = ''] = /\{(\w+)\}/.exec(get.path) ?? []
  const found = new Map<string, AnswerOf<E>>()
  let waiting: string[] = []
  let reading: Promise<void> | undefined
  let isListed = list === undefined
  let isRefused = false

  async function readWaiting(): Promise<void> {
    const ids = waiting
    waiting = []
    reading = undefined
    if (ids.length > 1 && !isListed && !isRefused) await readListed(ids)
    const left = ids.filter((id) => !found.has(id))
    while (left.length > 0 && !isRefused) await Promise.all(left.splice(0, atOnce).map(readOne))
  }

  async function readListed(ids: readonly string[]): Promise<void> {
    isListed = !takesIds
    const request = takesIds ? { query: { ids } } : {}
    try {
      const rows = client.items(list as Endpoint, request as never, { limit: mostListed })
      for await (const row of rows) found.set(String(row.id), row as AnswerOf<E>)
    } catch {
      // Each is read by itself, and says what is wrong.
    }
  }

  async function readOne(id: string): Promise<void> {
    const one = await tryRead(
      () => client.call(get, { path: { [parameter]: id } } as never, { mayBeRefused: true }),
      (refusal) => {
        if (isRefused) return
        isRefused = refusal.status !== undefined && refusal.status !== 404
        refused(refusal, id)
      },
    )
    if (one !== undefined) found.set(id, one)
  }

  return memoize(async (id) => {
    waiting.push(id)
    reading ??= Promise.resolve().then(readWaiting)
    await reading
    return found.get(id)
  })
}
