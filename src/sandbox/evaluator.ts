// Evaluates many requests on one project in memory, by the rules of the service, without requests.
import type { AnswerOf } from '../contract/endpoint.ts'
import type { validateRedeemables as validation } from '../contract/validations.ts'
import { openDataFile } from './data-file.ts'
import { secureRandom, timeOrderedIds } from './id.ts'
import { snapshotOf } from './resources/evaluation/snapshot.ts'
import { resources } from './resources.ts'
import { orderAnswer } from './rules/pricing/order-answer.ts'
import type { Snapshot } from './rules/snapshot.ts'
import { evaluateRedeemables, type ValidationRequest, validateRedeemables } from './rules/stacking/validation.ts'
import { loadFixture, type RefusedObject } from './seed/fixture.ts'
import { mainProject } from './stores/projects.ts'

/** What discounts take off an order. */
export interface Evaluated {
  /** With the units that they add. */
  amount: number
  discount: number
}

/** A project that is evaluated. */
export interface Evaluator {
  /** Returns what is taken off; undefined where the request is not valid, or takes nothing. */
  evaluate: (request: ValidationRequest) => Evaluated | undefined
  /** Returns the answer of the service. */
  answer: (request: ValidationRequest) => AnswerOf<typeof validation> | undefined
  /** Objects that the service does not take, and why. */
  refused: RefusedObject[]
  close: () => void
}

/** Opens a project in memory. Its clock stands still; `onCondition` is told what each condition of a rule comes to. */
export async function evaluatorOf(
  fixture: unknown,
  nowMs: number,
  onCondition?: Snapshot['onCondition'],
): Promise<Evaluator> {
  const now = new Date(nowMs).toISOString()
  const id = timeOrderedIds(() => nowMs, secureRandom)
  const { store } = await openDataFile({ file: ':memory:', demo: false, beginsAtMs: nowMs }, () => nowMs, id)
  const refused: RefusedObject[] = []
  loadFixture(store, fixture, {
    resources,
    project: mainProject(store) ?? fail(),
    now,
    id,
    onRefused: (one) => refused.push(one),
  })
  const project = mainProject(store) ?? fail()
  const stored = snapshotOf({ project, store, now, in: (declared) => store.in(declared, project.id) })
  const snapshot = { ...withMemory(stored), ...(onCondition && { onCondition }) }
  return {
    refused,
    close: () => store.close(),
    evaluate(request) {
      const result = evaluateRedeemables(snapshot, request, now)
      if ('refusal' in result || !result.valid || result.order === undefined) return undefined
      // What is skipped is no part of what applies together.
      if (result.entries.some(({ status }) => status !== 'APPLICABLE')) return undefined
      const { amount = 0, total_applied_discount_amount: discount = 0 } = orderAnswer(result.order) as {
        amount?: number
        total_applied_discount_amount?: number
      }
      return discount > 0 ? { amount, discount } : undefined
    },
    answer(request) {
      const call = { id: 'valid_check', request_id: '-', now, session_key: '' }
      const result = validateRedeemables(snapshot, request, call)
      return 'refusal' in result ? undefined : (result.body as AnswerOf<typeof validation>)
    },
  }
}

/** Nothing changes, so what was read once is known. */
function withMemory(snapshot: Snapshot): Snapshot {
  const memoizeBy = <Args extends unknown[], Result>(
    read: (...args: Args) => Result,
    keyOf: (...args: Args) => string,
  ) => {
    const known = new Map<string, Result>()
    return (...args: Args): Result => {
      const key = keyOf(...args)
      if (!known.has(key)) known.set(key, read(...args))
      return known.get(key) as Result
    }
  }
  return {
    ...snapshot,
    product: memoizeBy(snapshot.product, (one) => one),
    sku: memoizeBy(snapshot.sku, (one) => one),
    customer: memoizeBy(snapshot.customer, (by) => JSON.stringify(by)),
    redemptions: memoizeBy(snapshot.redemptions, (query) => JSON.stringify(query)),
    isInCollection: memoizeBy(
      snapshot.isInCollection,
      (collection, { product_id, sku_id }) => `${collection} ${product_id} ${sku_id}`,
    ),
  }
}

function fail(): never {
  throw new Error('a data file has no project')
}
