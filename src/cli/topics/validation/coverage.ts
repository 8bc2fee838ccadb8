// What a suite of carts reaches in a project: which conditions of its validation rules were met and not met, and which redeemables were
// decided. The service decides each cart; the conditions are those of the same evaluation in this process, where both agree.
// Source: docs/checks.md#coverage.
import type { Client } from '../../../api/client.ts'
import { formatCount } from '../../../base/numbers.ts'
import { isRecord } from '../../../base/record.ts'
import { getCustomer } from '../../../contract/customers.ts'
import { listCustomerSegments } from '../../../contract/segments.ts'
import type { Validation } from '../../../contract/validations.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { fileKinds } from '../../../model/kinds.ts'
import { cellText } from '../../../output/form/cell.ts'
import type { Messages } from '../../result/messages.ts'
import { tryRead } from '../../result/try-read.ts'
import type { Host } from '../../run/host.ts'
import type { ClientSession } from '../../session/connect.ts'
import { projectOf } from '../../session/project.ts'
import { warnLeftOut, withSandbox } from '../../session/sandbox.ts'
import { copyProject, estimate, listIn, selectionOf } from '../sandbox/copy.ts'
import { noPseudonyms } from '../sandbox/pseudonyms.ts'
import { resultsOf } from './answer.ts'
import type { NewValidation } from './body.ts'
import { comparedAnswer, mismatchesOf } from './comparison.ts'

type Wire = Record<string, unknown>

/** How many carts a condition was met and not met by, or a redeemable applied and did not apply to. */
interface Counts {
  met: number
  not_met: number
  /** Carts of which that cannot be known. */
  unknown: number
}

/** One row of the result. */
export interface Reached extends Counts {
  object: string
  /** Of a redeemable there is none. */
  condition: string | null
  result: 'both' | 'always met' | 'never met' | 'never asked' | 'unknown'
}

/** What carts reached so far. */
export interface Coverage {
  /** Counts a cart by its answer. */
  add: (answer: Validation, cart: NewValidation) => void
  /** Rules in the order of the project, then its redeemables. */
  rows: () => Reached[]
  close: () => void
}

/** Codes, and ids or source ids of customers, that carts name. */
export interface Named {
  codes: Set<string>
  customers: Set<string>
}

/** Adds what a cart names. */
export function addNamed({ codes, customers }: Named, { redeemables, customer }: NewValidation): void {
  for (const { object, id } of redeemables) if (object === 'voucher') codes.add(id)
  const name = nameOf(customer)
  if (name !== undefined) customers.add(name)
}

function nameOf(customer: unknown): string | undefined {
  const { id, source_id } = isRecord(customer) ? customer : {}
  const name = id ?? source_id
  return typeof name === 'string' ? name : undefined
}

/** What is counted, or stored elsewhere, and not read: redemptions, holders, tiers of programs, the key of another request. */
const unread = /^(?:redemption\.(?:count|api_key)|campaign\.|publication\.|customer\.loyalty\.)/

/** Reads the project, and the codes and customers that carts name. Throws `CallError`. */
export async function openCoverage(
  { codes, customers }: Named,
  { client, profile }: Pick<ClientSession, 'client' | 'profile'>,
  { host, messages }: { host: Pick<Host, 'now'>; messages: Messages },
): Promise<Coverage> {
  const selection = selectionOf(fileKinds)
  const requests = (await estimate(client, selection)).reduce((sum, one) => sum + one.requests, 0)
  messages.say(
    `reading the project, and the codes and customers of the carts: about ${formatCount(requests + codes.size + 2 * customers.size, 'request')}, and none changes anything`,
  )
  const { fixture, addresses } = await copyProject(client, projectOf(undefined, profile), selection, noPseudonyms)
  const vouchers = await readEach(codes, (code) => client.call(getVoucher, { path: { code } }))
  const people = await readEach(customers, (customerId) => client.call(getCustomer, { path: { customerId } }))
  const rules = listIn(fixture.validation_rules)
  const stored = {
    ...fixture,
    segments: await segmentsOf(client, listIn(fixture.segments), people),
    customers: [...people.values()],
    vouchers: [...vouchers.values()].map((one) => ({ ...one, holder_id: null })),
    validation_rules_assignments: withoutRepeats([
      ...listIn(fixture.validation_rules_assignments),
      ...[...vouchers.values()].flatMap((one) => listIn(one.validation_rules_assignments)),
    ]),
  }
  let judged = new Map<string, Set<boolean>>()
  const {
    answer: evaluated,
    refused,
    close,
  } = await withSandbox(({ evaluatorOf }) =>
    evaluatorOf(stored, host.now(), (rule, number, holds) => {
      const key = `${rule} ${number}`
      judged.set(key, (judged.get(key) ?? new Set()).add(holds))
    }),
  )
  warnLeftOut(refused, messages)
  const leftOut = new Set(refused.map(({ wire }) => wire.id))
  const seen = new Map<string, Counts>()
  const countsOf = (key: string) => {
    const counts = seen.get(key) ?? { met: 0, not_met: 0, unknown: 0 }
    seen.set(key, counts)
    return counts
  }
  const conditions = rules.flatMap((rule) =>
    Object.entries(isRecord(rule.rules) ? rule.rules : {}).flatMap(([number, one]) =>
      isRecord(one) ? [{ rule, number, one, key: `${String(rule.id)} ${number}` }] : [],
    ),
  )
  const offers = [...listIn(fixture.campaigns), ...listIn(fixture.promotion_tiers)].filter(
    (one) =>
      one.campaign_type !== 'PROMOTION' &&
      one.active !== false &&
      !(Date.parse(String(one.expiration_date)) < host.now()),
  )
  const addressOf = (id: unknown) => addresses.get(String(id)) ?? String(id)
  const offerOf = (object: string, id: string) => {
    const voucher = vouchers.get(id)
    if (object !== 'voucher') return addressOf(id)
    return voucher?.campaign_id == null ? `codes/${id}` : addressOf(voucher.campaign_id)
  }
  return {
    close,
    add(answer, cart) {
      judged = new Map()
      const own = evaluated(cart as Parameters<typeof evaluated>[0])
      const isSame =
        own !== undefined && mismatchesOf(comparedAnswer(answer, cart), comparedAnswer(own, cart)).length === 0
      const isStored = people.has(nameOf(cart.customer) ?? '')
      for (const { key, one } of conditions) {
        const outcomes = judged.get(key)
        if (outcomes === undefined) continue
        const name = String(one.name)
        const counts = countsOf(key)
        if (!isSame || unread.test(name) || (name === 'customer.segment' && !isStored)) counts.unknown += 1
        else {
          if (outcomes.has(true)) counts.met += 1
          if (outcomes.has(false)) counts.not_met += 1
        }
      }
      for (const { object, id, status } of resultsOf(answer)) {
        const counts = countsOf(offerOf(object, id))
        if (status === 'APPLICABLE') counts.met += 1
        if (status === 'INAPPLICABLE') counts.not_met += 1
      }
    },
    rows() {
      const row = (object: string, condition: string | null, key: string, isLeftOut: boolean): Reached => {
        const counts = countsOf(key)
        return { object, condition, ...counts, result: isLeftOut ? 'unknown' : resultOf(counts) }
      }
      const named = [...seen.keys()].filter((key) => key.startsWith('codes/'))
      return [
        ...conditions.map(({ rule, number, one, key }) =>
          row(addressOf(rule.id), `${number}: ${inWords(one)}`, key, leftOut.has(rule.id)),
        ),
        ...[...offers.map(({ id }) => addressOf(id)), ...named].map((object) => row(object, null, object, false)),
      ]
    },
  }
}

function resultOf({ met, not_met, unknown }: Counts): Reached['result'] {
  if (met > 0 && not_met > 0) return 'both'
  if (unknown > 0) return 'unknown'
  return met > 0 ? 'always met' : not_met > 0 ? 'never met' : 'never asked'
}

function inWords({ name, property, conditions }: Wire): string {
  const about = typeof property === 'string' && property !== '' ? `${String(name)} ${property}` : String(name)
  const asked = Object.entries(isRecord(conditions) ? conditions : {})
  return [about, ...asked.map(([operator, values]) => `${operator} ${[values].flat().map(cellText).join(', ')}`)].join(
    ' ',
  )
}

async function readEach(names: Iterable<string>, read: (name: string) => Promise<unknown>): Promise<Map<string, Wire>> {
  const found = new Map<string, Wire>()
  for (const name of names) {
    const wire = await tryRead(
      () => read(name),
      () => {},
    )
    if (isRecord(wire)) found.set(name, wire)
  }
  return found
}

/** The segments with the customers that the service has in them. */
async function segmentsOf(client: Client, segments: readonly Wire[], people: ReadonlyMap<string, Wire>) {
  const members = new Map<unknown, unknown[]>()
  if (segments.length > 0)
    for (const { id: customerId } of people.values())
      for await (const { id } of client.items(listCustomerSegments, { path: { customerId: String(customerId) } }))
        members.set(id, [...(members.get(id) ?? []), customerId])
  return segments.map((one) => ({ ...one, type: 'static', filter: undefined, customers: members.get(one.id) ?? [] }))
}

function withoutRepeats(wires: readonly Wire[]): Wire[] {
  return [...new Map(wires.map((one) => [one.id, one])).values()]
}
