// One validation: a read, or with a session a write that locks what applies.
import type { Client } from '../../../api/client.ts'
import { checkedRequest } from '../../../api/request/request.ts'
import { repeatOf, type Validation, validateRedeemables } from '../../../contract/validations.ts'
import { checkShape } from '../../../output/check.ts'
import { redeemableColumns } from '../../../output/columns/redeemables.ts'
import { valueAt } from '../../../output/path.ts'
import { carryOut, type WriteFlags } from '../../request/carry-out.ts'
import { messagesTo } from '../../result/messages.ts'
import { shapeOf } from '../../result/output.ts'
import { type ShowFlags, showAnswer } from '../../result/show.ts'
import type { Host, ProgramConfig } from '../../run/host.ts'
import { resultsOf } from './answer.ts'
import type { NewValidation } from './body.ts'
import { explanationOf } from './explanation.ts'
import { inDetail } from './in-detail.ts'
import { whyOf } from './why.ts'

/**
 * Validates and shows the answer; returns it, or undefined for a dry run.
 *
 * A body with a session is announced and confirmed like any write, and one without a key is never sent twice, because
 * each request would take another lock without a known name. Throws `usage` for a body that the contract refuses, first.
 */
export async function validate(
  body: NewValidation,
  flags: WriteFlags & ShowFlags,
  command: { host: Host; config: ProgramConfig; connect: () => Promise<Client> },
): Promise<Validation | undefined> {
  const { host } = command
  checkedRequest(validateRedeemables, { body })
  if (body.session === undefined && !flags['dry-run']) {
    await checkShape(shapeOf(flags, host), redeemableColumns)
    return await asked(await command.connect(), body, flags, host)
  }
  const about = { columns: redeemableColumns, endpoint: validateRedeemables }
  return await carryOut(flags, command, about, ({ client }) => ({
    requests: [client.plan(validateRedeemables, { body })],
    question: { action: 'validate, and lock what applies', asks: false },
    send: async () => await asked(client, body, flags, host),
  }))
}

async function asked(client: Client, body: NewValidation, flags: ShowFlags, host: Host): Promise<Validation> {
  const answer = await client.call(validateRedeemables, { body }, { repeat: repeatOf(body) })
  const rows = resultsOf(answer).map((result) => ({ ...result, why: whyOf(result, answer) }))
  const explained = () => explanationOf(answer, inDetail(client, host.now()))
  await showAnswer({ answer, rows, columns: redeemableColumns, explained }, flags, host)
  // To redeem under the lock, or to release it, the user needs its name.
  const key = valueAt(answer, 'session.key')
  if (typeof key === 'string') messagesTo(host, flags).say(`locked under the session ${key}`)
  return answer
}
