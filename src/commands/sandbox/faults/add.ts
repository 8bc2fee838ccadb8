import { Flags } from '@oclif/core'
import { count, switchFlag, textFlag } from '../../../cli/flags/kinds.ts'
import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'
import { faultColumns } from '../../../output/columns/program.ts'

export default controlCommand('Make calls of a running sandbox fail', {
  description:
    "--status, --reset, --hang, --latency or --rate-limit says what happens. A call is `POST /v1/redemptions`; `*` is one step of the path or any method, `**` all that follow. Of several faults the first that matches decides. With --after-commit the work is done and only the answer is lost. Faults hit the server's address, until they are cleared or it stops; --profile sandbox is not affected.",
  examples: [
    "promo sandbox faults add --call 'POST /v1/redemptions' --reset --after-commit --probability 20% --seed 7 --data shop.db",
    "promo sandbox faults add --call '* /v1/**' --latency 200ms..2s --data shop.db",
    "promo sandbox faults add --call 'GET /v1/vouchers/*' --status 503 --times 3 --data shop.db",
  ],
  columns: faultColumns,
  flags: {
    call: Flags.string({
      description: 'only these calls: a method and a path, with * and **',
      helpValue: 'CALL',
      required: true,
    }),
    status: count('answer with this status', 400, 599),
    reset: switchFlag('break the connection instead of answering'),
    hang: switchFlag('never answer'),
    latency: textFlag('delay the answer by this long, or a random time between two', '200ms..2s'),
    'rate-limit': textFlag('answer 429 beyond this limit of calls', 'N/s|N/m|N/h'),
    'after-commit': switchFlag('do the work first, with --status, --reset or --hang'),
    probability: textFlag('strike only this share of the requests', '20%', { exclusive: ['times'] }),
    times: count('strike only the next N requests', 1, 1_000_000_000),
    seed: count('the seed of the random choice (default: a random one)', 0, 2 ** 32 - 1),
  },
  call: 'faults.add',
  isChange: true,
  mustServe: true,
  asked: ({ flags: { 'rate-limit': rate_limit, 'after-commit': after_commit, ...flags } }) => {
    const { call, status, reset, hang, latency, probability, times, seed } = flags
    return { call, status, reset, hang, latency, probability, times, seed, rate_limit, after_commit }
  },
})
