import { Args } from '@oclif/core'
import { PromoCommand } from '../cli/command.ts'
import { argument } from '../cli/flags/kinds.ts'
import { formatOf } from '../cli/result/output.ts'
import { type ApiFlags, apiFlags, callAny, methods } from '../cli/topics/api/call.ts'

export default class Api extends PromoCommand {
  static override summary = 'Call any endpoint of the service with the credentials of the profile'
  static override description =
    'Paths under /management/ use the management pair, those under /client/ the client-side pair, all others the application pair or bearer token. The answer is JSON unless a flag names another form. After a fault a GET is sent again. Other calls only with --repeat: a second call changes nothing (read, idempotent), is refused (key) or does no harm (duplicate).'
  static override examples = [
    'promo api GET /v1/vouchers --param limit=2 --json --profile sandbox',
    "promo api GET /v1/campaigns --paginate --jsonl --query 'name' --profile sandbox",
    `promo api POST /v1/vouchers/WELCOME-001/disable --repeat idempotent --include --profile sandbox`,
  ]
  static override effect = 'write' as const
  static override calls = 'any' as const
  static override args = {
    method: Args.string({ description: 'the HTTP method', ignoreStdin: true, options: [...methods], required: true }),
    path: argument('the path, percent-encoded, like /v1/vouchers/A%2FB'),
  }
  static override flags = apiFlags

  async run() {
    const { args, flags } = await this.input(Api)
    await callAny(args.method as (typeof methods)[number], args.path, asJson(flags), this)
  }
}

/** An answer of unknown form has no columns of its own, and programs read it: JSON unless a flag says otherwise. */
function asJson(flags: ApiFlags): ApiFlags {
  const isNamed = flags.format ?? flags.columns ?? (formatOf(flags) === 'table' ? undefined : true)
  return isNamed ? flags : { ...flags, format: 'json' }
}
