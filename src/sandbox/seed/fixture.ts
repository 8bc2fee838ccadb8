// Fills a project from one JSON object whose members are arrays of wire objects. Source: docs/sandbox.md#fixtures.
import { isRecord } from '../../base/record.ts'
import { isSqliteError } from '../../base/sqlite.ts'
import { stackingRules } from '../../contract/stacking-rules.ts'
import { mustBeStorable } from '../http/check-input.ts'
import { requestOf } from '../http/fixture-object.ts'
import { invalidPayload, Refusal } from '../http/refusal.ts'
import { collectionsOf, type FixtureContext, type Resource } from '../http/route.ts'
import type { IdSource } from '../id.ts'
import { moveMidnight } from '../resources/loyalty/midnight.ts'
import { withSettings } from '../resources/projects/settings.ts'
import { stackingRulesFrom } from '../routes/projects.ts'
import { SandboxError } from '../sandbox-error.ts'
import type { Declaration, Stored } from '../storage/collection.ts'
import type { Store } from '../storage/store.ts'
import { installation, type Project, projects } from '../stores/projects.ts'

/** Arrays of wire objects by collection name, and the two objects `stacking_rules` and `settings`. */
export type Fixture = Readonly<Record<string, unknown>>

export interface FixtureOptions {
  resources: readonly Resource[]
  project: Project
  /** ISO 8601 UTC with milliseconds; replaces a missing `created_at`. */
  now: string
  id: IdSource
  /** Is told of each object that the service refuses, which is left out then; without it the first one ends everything. */
  onRefused?: ((refused: RefusedObject) => void) | undefined
}

/** An object of a fixture that the service refuses. */
export interface RefusedObject {
  collection: string
  wire: Readonly<Record<string, unknown>>
  reason: string
}

/**
 * Loads a fixture into a project, in one transaction: all of it or nothing. Ids and counters are kept as given, missing
 * ids are created; no events are recorded. Returns how many objects were added to each collection.
 *
 * With `onRefused` an object that is refused for what comes later is tried again after it.
 * Throws SandboxError `bad-fixture`, which names the member and position of the problem.
 */
export function loadFixture(store: Store, fixture: unknown, options: FixtureOptions): Record<string, number> {
  if (!isRecord(fixture)) throw badFixture('the fixture must be one JSON object')
  const declared = collectionsOf(options.resources)
  const loadable = declared.filter((collection) => collection !== projects)
  mustBeKnown(fixture, loadable)

  const loaders = Object.assign(
    {},
    ...options.resources.map((resource) => resource.load ?? {}),
  ) as Resource['load'] & {}
  const counts: Record<string, number> = {}
  store.transaction(() => {
    // Before anything that has a day: the time zone is a setting.
    const project = setUp(store, fixture, options)
    const loading: FixtureContext = {
      ...options,
      project,
      in: (collection) => store.in(collection, project.id),
      at: (kind, payload, instant) =>
        store.jobs.add({ project_id: project.id, kind, payload, request_id: '-', channel: 'API' }, Date.parse(instant)),
    }
    moveMidnight(options.project, project, loading)
    let refused: Refused[] = []
    const add = (one: Waiting) => {
      const { collection, wire, place } = one
      const load = loaders[collection.name] ?? ((given) => asGiven(given, collection, loading))
      const { onRefused } = options
      if (onRefused === undefined) insert(wire, place, collection, load, loading)
      else {
        const reason = refusalOf(() => store.savepoint(() => insert(wire, place, collection, load, loading)))
        if (reason !== undefined) {
          refused.push({ ...one, reason })
          return
        }
      }
      counts[collection.name] = (counts[collection.name] ?? 0) + 1
    }
    for (const collection of loadable) {
      const objects = fixture[collection.name]
      if (objects === undefined) continue
      if (!Array.isArray(objects)) throw badFixture(`"${collection.name}" must be an array`)
      counts[collection.name] = 0
      for (const [index, wire] of objects.entries()) add({ collection, wire, place: `${collection.name}[${index}]` })
    }
    for (let before = Number.POSITIVE_INFINITY; refused.length > 0 && refused.length < before; ) {
      before = refused.length
      const again = refused
      refused = []
      for (const one of again) add(one)
    }
    for (const { collection, wire, place, reason } of refused)
      options.onRefused?.({
        collection: collection.name,
        wire: isRecord(wire) ? wire : {},
        reason: reason.replace(`${place}: `, ''),
      })
  })
  return counts
}

interface Waiting {
  collection: Declaration
  wire: unknown
  place: string
}

interface Refused extends Waiting {
  reason: string
}

/** Returns why something is no object of a fixture; undefined where it is one. */
function refusalOf(act: () => void): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof SandboxError && error.reason === 'bad-fixture') return error.message
    // What comes from elsewhere may have a text where an object belongs.
    if (error instanceof TypeError || error instanceof RangeError)
      return 'it is not in the form that the service documents'
    throw error
  }
}

const objectMembers = ['stacking_rules', 'settings'] as const

function mustBeKnown(fixture: Fixture, loadable: readonly Declaration[]): void {
  const known = [...loadable.map((collection) => collection.name), ...objectMembers]
  const unknown = Object.keys(fixture).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw badFixture(`"${unknown}" is not a member of a fixture; the members are ${known.sort().join(', ')}`)
}

function insert(
  wire: unknown,
  place: string,
  collection: Declaration,
  load: (wire: Record<string, unknown>, loading: FixtureContext) => Stored,
  loading: FixtureContext,
): void {
  if (!isRecord(wire)) throw badFixture(`${place} must be an object`)
  try {
    mustBeStorable(wire, invalidPayload)
    loading.in(collection).insert(load(wire, loading))
  } catch (error) {
    if (error instanceof Refusal) throw badFixture(`${place}: ${reasonOf(error)}`)
    if (isSqliteError(error, 'constraint')) throw badFixture(`${place}: its id or ${collection.key ?? 'key'} is taken`)
    throw error
  }
}

function asGiven(wire: Record<string, unknown>, collection: Declaration, loading: FixtureContext): Stored {
  return { id: loading.id(collection.prefix), created_at: loading.now, updated_at: null, ...wire }
}

function setUp(store: Store, fixture: Fixture, { project, id, now, onRefused }: FixtureOptions): Project {
  let next = project
  for (const name of objectMembers) {
    const value = fixture[name]
    if (value === undefined) continue
    if (!isRecord(value)) throw badFixture(`"${name}" must be an object`)
    // One setting that is refused must not cost the time zone.
    const parts =
      name === 'settings' && onRefused ? Object.entries(value).map(([one, set]) => ({ [one]: set })) : [value]
    for (const part of parts) {
      try {
        if (name === 'settings') next = withSettings(next, part)
        else
          next = { ...next, stacking_rules: stackingRulesFrom({ ...part, ...requestOf(stackingRules, part) }, id, now) }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (onRefused === undefined) throw badFixture(`${name}: ${reasonOf(error)}`)
        const wire = parts.length > 1 ? { name: Object.keys(part)[0] } : part
        onRefused({ collection: name, wire, reason: reasonOf(error) })
      }
    }
  }
  store.in(projects, installation).update(next)
  return next
}

function reasonOf(refusal: Refusal): string {
  return ('details' in refusal.body && refusal.body.details) || refusal.message
}

function badFixture(message: string): SandboxError {
  return new SandboxError('bad-fixture', message, { hint: 'promo sandbox seed --help' })
}
