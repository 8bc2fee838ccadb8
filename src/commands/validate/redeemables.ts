import { Flags } from '@oclif/core'
import type { Client } from '../../api/client.ts'
import { checkRequest } from '../../api/request/request.ts'
import { PromoCommand } from '../../cli/command.ts'
import {
  bodyFlags,
  bulkFlags,
  callFlags,
  explainFlag,
  groupFlags,
  needingFrom,
  paceFlags,
  writeFlags,
} from '../../cli/flags/flags.ts'
import { argumentList, choiceFlag, count, names, switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { carryOut } from '../../cli/request/carry-out.ts'
import { cartFlags } from '../../cli/request/cart.ts'
import { showAnswer } from '../../cli/result/show.ts'
import type { Run } from '../../cli/session/run.ts'
import { resultsOf } from '../../cli/topics/validation/answer.ts'
import type { NewValidation } from '../../cli/topics/validation/body.ts'
import { contextFrom, someRedeemable, withRedeemables } from '../../cli/topics/validation/body.ts'
import { explanationOf } from '../../cli/topics/validation/explanation.ts'
import { inDetail } from '../../cli/topics/validation/in-detail.ts'
import { redeemableForms, redeemableFrom } from '../../cli/topics/validation/redeemable.ts'
import { whyOf } from '../../cli/topics/validation/why.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { getCustomer } from '../../contract/customers.ts'
import { listPrograms } from '../../contract/loyalty-programs.ts'
import { getPromotionTier } from '../../contract/promotions.ts'
import { listCustomerSegments } from '../../contract/segments.ts'
import { ttlUnits } from '../../contract/session.ts'
import { getValidationRule, listAssignments } from '../../contract/validation-rules.ts'
import { newValidation, repeatOf, type Validation, validateRedeemables } from '../../contract/validations.ts'
import { getVoucher } from '../../contract/vouchers.ts'
import { EXIT, usageError } from '../../errors.ts'
import { kinds } from '../../model/kinds.ts'
import { cartVerdictColumns, coverageColumns } from '../../output/columns/cart-verdicts.ts'
import { redeemableColumns } from '../../output/columns/redeemables.ts'
import { valueAt } from '../../output/path.ts'

export default class Redeemables extends PromoCommand {
  static override summary = 'Ask whether vouchers, tiers or a stack apply to a cart, and why (exit 12: not valid)'
  static override description =
    'Takes up to 30 redeemables, each once, in the order in which they apply; a stack goes alone. --session-type LOCK locks them, which is a write. --from reads JSON Lines, one request body per line. --expect compares each answer with a recorded one. A cart that is not valid is an answer; --max-errors counts only carts that the service refuses.'
  static override examples = [
    'promo validate redeemables BEANS10 --amount 5000 --explain --profile sandbox',
    'promo validate redeemables BEANS10 gift:GIFT-001=1500 --item product=prod_1,quantity=2,price=1500 --customer source_id=shop-1001 --json --profile sandbox',
    `echo '{"redeemables":[{"object":"voucher","id":"BEANS10"}],"order":{"amount":5000}}' | promo validate redeemables --from - --profile sandbox`,
  ]
  static override effect = 'write' as const
  static override calls = [
    validateRedeemables,
    getVoucher,
    getPromotionTier,
    getCampaign,
    getValidationRule,
    // For --coverage.
    ...kinds.map(({ calls }) => calls.list),
    listAssignments,
    listPrograms,
    getCustomer,
    listCustomerSegments,
  ]
  static override byHand = 'it changes nothing; what its carts locked in sessions is released by itself'
  static override instead = (job: string) => `promo jobs report ${job}`
  static override columns = [redeemableColumns, cartVerdictColumns, coverageColumns]
  static override exits = [EXIT.no]
  static override args = { redeemable: argumentList(redeemableForms) }
  static override asks = {
    redeemable: {
      unless: ['from', 'body', 'set'],
      question: 'a redeemable, like BEANS10 or tier:ID:',
      check: redeemableFrom,
    },
  }
  static override flags = {
    ...callFlags,
    ...explainFlag,
    expand: names('also include in the answer: order, redeemable, category, redemption', 'a,b'),
    ...cartFlags,
    ...groupFlags('CART', { 'tracking-id': textFlag('the source id of a customer to track') }),
    ...groupFlags('SESSION', {
      'session-type': choiceFlag('lock the redeemables that apply', ['LOCK']),
      'session-key': textFlag('the key of the session that locked the redeemables'),
      'session-ttl': count('how long the lock lasts (default 7 days)', 1, 1_000_000_000),
      'session-ttl-unit': choiceFlag('the unit of --session-ttl', ttlUnits, { dependsOn: ['session-ttl'] }),
    }),
    ...bodyFlags,
    from: bulkFlags.from,
    expect: Flags.string({
      dependsOn: ['from'],
      description: 'expected answers: JSON Lines or CSV, one per cart or by a column "line"',
      helpGroup: 'BULK',
      helpValue: 'FILE',
    }),
    ...needingFrom({
      ...groupFlags('BULK', {
        coverage: switchFlag('show which conditions of rules, and which redeemables, the carts reach'),
      }),
      ...paceFlags,
    }),
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.inputWithIds(Redeemables)
    if (flags.from !== undefined) {
      if (args.redeemable !== undefined)
        throw usageError('pass redeemables as arguments or carts with --from, not both')
      const { suiteOfCarts } = await import('../../cli/topics/validation/suite.ts')
      const { from, expect, coverage } = flags
      const suite = suiteOfCarts({ from, expect, coverage }, this.host, this.show)
      return await this.runBulk(undefined, suite)
    }
    const context = await contextFrom(flags, newValidation, this)
    const body = someRedeemable(withRedeemables(context, args.redeemable ?? []))
    const answer = await validate(body, this, () => this.connect())
    if (answer?.valid === false) this.exitCode = EXIT.no
  }
}

/**
 * Validates and shows the answer; returns it, or undefined for a dry run.
 *
 * A body with a session is announced and confirmed like any write, and one without a key is never sent twice, because
 * each request would take another lock without a known name. Throws `usage` for a body that the contract refuses, first.
 */
async function validate(
  body: NewValidation,
  run: Run,
  connect: () => Promise<Client>,
): Promise<Validation | undefined> {
  checkRequest(validateRedeemables, { body })
  if (body.session === undefined && !run.isDryRun) {
    await run.show.check(redeemableColumns)
    return await askAndShow(await connect(), body, run)
  }
  const about = { columns: redeemableColumns, endpoint: validateRedeemables }
  return await carryOut(run, about, ({ client }) => ({
    requests: [client.plan(validateRedeemables, { body })],
    question: { action: 'validate, and lock what applies', asks: false },
    send: async () => await askAndShow(client, body, run),
  }))
}

async function askAndShow(client: Client, body: NewValidation, run: Run): Promise<Validation> {
  const answer = await client.call(validateRedeemables, { body }, { repeat: repeatOf(body) })
  const rows = resultsOf(answer).map((result) => ({ ...result, why: whyOf(result, answer) }))
  const explainAnswer = () => explanationOf(answer, inDetail(client, run.host.now()))
  await showAnswer({ answer, rows, columns: redeemableColumns, explained: explainAnswer }, run)
  // To redeem under the lock, or to release it, the user needs its name.
  const key = valueAt(answer, 'session.key')
  if (typeof key === 'string') run.show.say(`locked under the session ${key}`)
  return answer
}
