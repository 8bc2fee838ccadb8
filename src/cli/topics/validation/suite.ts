// Many carts at once: each line of a file is a request body, each answer is compared with what was expected.

import { formatCount } from '../../../base/numbers.ts'
import { inputChecksum } from '../../../bulk/input/input-checksum.ts'
import { jsonDocuments } from '../../../bulk/input/json-lines.ts'
import { placeOf, type Row } from '../../../bulk/input/row.ts'
import type { Repeat } from '../../../contract/endpoint.ts'
import { repeatOf, validateRedeemables } from '../../../contract/validations.ts'
import { cartVerdictColumns, coverageColumns } from '../../../output/columns/cart-verdicts.ts'
import type { BulkDefinition, InputRows, KnownFromRows } from '../../bulk/definition.ts'
import { fromSource } from '../../bulk/input-rows.ts'
import type { Messages } from '../../result/messages.ts'
import type { Host, Input } from '../../run/host.ts'
import type { NewValidation } from './body.ts'
import { addLoss, cartProblem, cartRecord, type Losses, moneyOf, suiteLine } from './cart-record.ts'
import type { Coverage, Named } from './coverage.ts'
import { type Expectations, expectationsFrom } from './expectations.ts'

type Validate = typeof validateRedeemables

/** The files of the carts and of what is expected of them. */
export interface SuiteFlags {
  from: string
  expect?: string | undefined
  /** Whether what the carts reach is shown in place of their answers. */
  coverage?: boolean | undefined
}

/**
 * Defines the validation of every cart of a JSON Lines file. A cart has no key but its line, and its session decides
 * what one more identical call does.
 *
 * A cart that is not as expected, or not valid where nothing is expected, ends well with a note: exit 12. Carts with a
 * session take locks, so they are announced and confirmed like writes; one whose session has no key is never sent twice.
 */
export function suiteOfCarts(
  { from, expect, coverage: isCovered = false }: SuiteFlags,
  host: Input & Pick<Host, 'now'>,
  messages: Messages,
): BulkDefinition<Validate> {
  // Of the carts that this run validated.
  const losses: Losses = { carts: 0, discount: 0, worst: [] }
  const named: Named = { codes: new Set(), customers: new Set() }
  let coverage: Coverage | undefined
  let expected: Expectations | undefined
  return {
    words: { noun: 'cart', verb: 'validate', done: 'validated', unchanged: '', key: 'line', member: 'validation' },
    endpoint: validateRedeemables,
    // The contract proves that the row's fields are a body before the row is stored.
    request: (row) => ({ body: bodyOf(row) }),
    callOf: (row) => ({ ...validateRedeemables, repeat: repeatOf(bodyOf(row)) }),
    write: (_client, row) => ({
      noteOn(answer) {
        addLoss(losses, answer, row)
        coverage?.add(answer, bodyOf(row))
        return cartProblem(answer, row, expected)
      },
    }),
    input: { read: () => cartsFrom(from, host), told: () => undefined },
    onDuplicate: 'keep',
    action: (rows) => {
      const locking = [...rows].filter((row) => bodyOf(row).session !== undefined)
      return `lock what applies in ${formatCount(locking.length, 'cart')}`
    },
    forms: () => ({
      columns: isCovered ? coverageColumns : cartVerdictColumns,
      record: (outcome, format) => (isCovered ? undefined : cartRecord(outcome, expected, format)),
      line: (summary) => suiteLine(summary, { isCompared: expect !== undefined, losses, reached: coverage?.rows() }),
      facts: () => ({ discount: moneyOf(losses) }),
      rows() {
        coverage?.close()
        return coverage?.rows() ?? []
      },
    }),
    async forRows(rows): Promise<KnownFromRows<Validate>> {
      const { addNamed } = isCovered ? await import('./coverage.ts') : {}
      const { lines, repeat } = surveyOf(rows, (cart) => addNamed?.(named, cart))
      expected = expect === undefined ? undefined : await expectationsFrom(expect, lines, host)
      return {
        endpoint: { ...validateRedeemables, repeat },
        planFacts: [...(expected ?? [])],
        async examine(session) {
          if (isCovered)
            coverage = await (await import('./coverage.ts')).openCoverage(named, session, { host, messages })
        },
      }
    },
  }
}

function bodyOf({ fields }: Row): NewValidation {
  return fields as NewValidation
}

function cartsFrom(from: string, host: Input & Pick<Host, 'now'>): InputRows {
  const sum = inputChecksum()
  const source = { from, stdin: host.stdin, signal: host.stop, onPiece: sum.add }
  const again = fromSource(source, sum.sha256)
  return { rows: jsonDocuments(source), name: from, placeOf, layout: () => ({}), ...again }
}

/** The lines of all carts, and the class of the least repeatable of them; `onCart` is told each. */
function surveyOf(rows: Iterable<Row>, onCart: (cart: NewValidation) => void): { lines: number[]; repeat: Repeat } {
  const lines: number[] = []
  const repeats = new Set<Repeat>()
  for (const row of rows) {
    lines.push(row.line)
    onCart(bodyOf(row))
    repeats.add(repeatOf(bodyOf(row)))
  }
  const [worst = 'read'] = (['once', 'idempotent', 'read'] as const).filter((repeat) => repeats.has(repeat))
  return { lines, repeat: worst }
}
