// `promo api`: any call of the service, through the same client, limits, retries and redaction as every other command.
import { z } from 'zod'
import type { Client } from '../../../api/client.ts'
import type { Connection } from '../../../api/connection.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { type Endpoint, endpoint, type Paging, type Repeat } from '../../../contract/endpoint.ts'
import { shownBody } from '../../../contract/secret-names.ts'
import { usageError } from '../../../errors.ts'
import { callFlags, type globalFlags, listFlags, outputFlags, writeFlags } from '../../flags/flags.ts'
import { choiceFlag, repeatable, switchFlag, textFlag, type ValuesOf } from '../../flags/kinds.ts'
import { announceWrite } from '../../prompt/confirm.ts'
import { showPlan } from '../../request/carry-out.ts'
import { jsonOfBody } from '../../request/json-file.ts'
import { isTabular, type Showing, showingOf } from '../../result/output.ts'
import type { Run } from '../../session/run.ts'
import { afterGrace } from '../../stop.ts'
import { type Address, addressFrom, credentialAt, declaredAt, isRead } from './address.ts'

/** The methods the service knows. */
export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** The values of --repeat. */
const repeats = ['read', 'idempotent', 'key', 'duplicate', 'once'] as const satisfies readonly Repeat[]

/** The flags of the command. */
export const apiFlags = {
  ...callFlags,
  format: { ...outputFlags.format, description: 'the format of the result (default json)' },
  param: repeatable('a query parameter; repeat name[]=value for a list', 'name=value'),
  body: textFlag('the request body: JSON, a file, or stdin', 'JSON|@FILE|@-'),
  paginate: switchFlag('read the entire list and return its items'),
  limit: { ...listFlags.limit, dependsOn: ['paginate'] },
  include: switchFlag('show the status and the headers of each answer on stderr'),
  repeat: choiceFlag('what a second identical call does (see the description)', repeats),
  origin: textFlag('the origin that a client-side call names', 'https://HOST'),
  'show-secrets': switchFlag('show the secrets of the answer'),
  ...writeFlags,
}

export type ApiFlags = ValuesOf<typeof apiFlags & typeof globalFlags>

const openSet = { columns: [] }

/**
 * Sends one call, or reads one list, and shows the answer.
 *
 * Throws `usage` for an address, a parameter, a body or a shape that is not valid, before anything is sent.
 */
export async function callAny(
  method: (typeof methods)[number],
  address: string,
  given: ApiFlags,
  run: Run,
): Promise<void> {
  const { host, isDryRun } = run
  const show = showingOf(withColumnsOfAnswer(given), host)
  const to = addressFrom(address, given.param)
  const reads = isRead(method, to)
  if (given.paginate && !reads) throw usageError('--paginate reads a list, and lists are read with GET')
  if (given.paginate) mustBeOfItems(to.path, given.query)
  if (given.body !== undefined && method === 'GET')
    throw usageError('GET takes no body', 'pass parameters as --param name=value')
  if (given.origin !== undefined && URL.parse(given.origin)?.origin !== given.origin) {
    throw usageError(`"${given.origin}" is not an origin`, '--origin https://shop.example')
  }
  const body = given.body === undefined ? undefined : await jsonOfBody(given.body, host)
  await show.check(openSet)
  const called = endpointAt(method, to.path, given.repeat ?? (reads ? 'read' : 'once'))
  const session = await run.openSession({
    ...(!reads && { signal: afterGrace(host.stop) }),
    ...(given.origin !== undefined && { clientOrigin: given.origin }),
    ...(given.include && { onReply: headersTo(show) }),
    planOnly: isDryRun,
  })
  try {
    const { client, profile } = session
    const request = { query: to.query, ...(body !== undefined && { body }) }
    const plan = client.plan(called, request)
    if (!reads) announceWrite(profile, show)
    if (isDryRun) return await showPlan([plan], show)
    if (!reads) {
      const { confirm } = called
      const [asks, isFinal] = [confirm !== undefined, confirm === 'final']
      await session.agree({ action: `${method} ${to.path}`, deletes: method === 'DELETE', asks, isFinal })
    }
    if (given.paginate) return await showItems(client, called, to, given, show)
    await showAnswer(await client.call(called, request), given, show)
  } finally {
    await session.close()
  }
}

/** A query about the answer of one page finds nothing in the list of all items. Throws `usage`. */
function mustBeOfItems(path: string, query: string | undefined): void {
  const list = path.slice(path.lastIndexOf('/') + 1).replaceAll('-', '_')
  if (!query?.startsWith(`${list}[`) && !query?.startsWith('data[')) return
  const rest = query.slice(query.indexOf('['))
  const name = query.slice(0, -rest.length)
  throw usageError(
    `with --paginate the result is the list itself, which has no "${name}"`,
    `--query ${shellWord(rest)}`,
  )
}

function headersTo({ warn }: Showing): NonNullable<Connection['onReply']> {
  // Explicitly requested, so --quiet does not silence it.
  return ({ status, headers }) => {
    for (const line of [`HTTP ${status}`, ...headers]) warn(line)
  }
}

/** A declaration for this one call. Where the contract says nothing, the safest value is used. */
function endpointAt(method: Endpoint['method'], path: string, repeat: Repeat) {
  const declared = declaredAt(method, path)
  const call = `${method} ${path}` as const
  return endpoint(call, declared?.summary ?? 'A call that is not declared', {
    call,
    credential: credentialAt(path, declared),
    encoding: declared?.encoding ?? 'json',
    query: z.record(z.string(), z.unknown()),
    ...(method !== 'GET' && { body: z.unknown() }),
    response: z.unknown(),
    ...(declared && { paging: declared.paging }),
    ...(declared?.confirm && { confirm: declared.confirm }),
    repeat,
    source: declared?.source ?? 'the command line',
  })
}

async function showItems(
  client: Client,
  called: ReturnType<typeof endpointAt>,
  { path, query }: Address,
  flags: ApiFlags,
  show: Showing,
): Promise<void> {
  const paging = declaredAt('GET', path)?.paging ?? pagingOf(await client.call(called, { query }))
  const items = client.items(
    { ...called, paging: sliceable(paging, query) },
    { query },
    flags.limit === undefined ? {} : { limit: flags.limit },
  )
  await show.rows(shownItems(items, flags), openSet)
}

/** Filters and bounds that were typed as they are sent cannot be combined with bounds of promo's own. */
function sliceable(paging: Paging, query: Address['query']): Paging {
  if (paging.style !== 'page' || !Object.keys(query).some((name) => name.includes('['))) return paging
  const { dates: _, ...numbered } = paging
  return numbered
}

/**
 * Determines from an answer how its list continues, where the contract does not say it.
 * Source: docs/service/lists.md#envelope.
 */
function pagingOf(answer: unknown): Paging {
  const { has_more, total } = (answer ?? {}) as { has_more?: unknown; total?: unknown }
  if (has_more !== undefined) return { style: 'cursor' }
  return total === undefined ? { style: 'none' } : { style: 'page', lastPage: 100 }
}

async function* shownItems(items: AsyncIterable<object>, flags: ApiFlags): AsyncGenerator<object> {
  for await (const item of items) yield (flags['show-secrets'] ? item : shownBody(item)) as object
}

async function showAnswer(answer: unknown, flags: ApiFlags, { say, afterWrite }: Showing): Promise<void> {
  const shown = flags['show-secrets'] ? answer : shownBody(answer)
  if (shown === undefined) return say('done; the answer is empty')
  if (Array.isArray(shown)) return await afterWrite.rows(shown as object[], openSet)
  await afterWrite.one(typeof shown === 'object' && shown !== null ? shown : { value: shown }, openSet)
}

// The columns of an answer are not known in advance; a query takes them from the answer itself.
function withColumnsOfAnswer(flags: ApiFlags): ApiFlags {
  return isTabular(flags) ? { ...flags, query: '@' } : flags
}
