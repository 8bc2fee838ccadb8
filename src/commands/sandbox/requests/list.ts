import { count, textFlag } from '../../../cli/flags/kinds.ts'
import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'
import { requestColumns } from '../../../output/columns/program.ts'

export default controlCommand('List the requests that a running sandbox received', {
  description:
    'The latest requests, oldest first, of the last 10,000 since the sandbox started. `status` is empty where the answer was lost. JSON has the bodies too if the sandbox was started with --bodies; values that are named like secrets are hidden. Calls of the control server and of /health are not listed.',
  examples: [
    'promo sandbox requests list --data shop.db',
    "promo sandbox requests list --call 'POST /v1/redemptions' --status 5xx --json --data shop.db",
  ],
  columns: requestColumns,
  flags: {
    call: textFlag('only these calls: a method and a path, with * and **', 'CALL'),
    status: textFlag('only answers with this status: 503, 5xx or lost', 'STATUS'),
    since: textFlag("only from this time of the service's clock on, like 30m", 'TIME'),
    limit: count('how many of the latest requests to list', 1, 10_000, { default: 100 }),
  },
  call: 'requests.list',
  mustServe: true,
  list: { member: 'requests', nothing: 'nothing was called' },
  asked: ({ flags: { call, status, limit, since } }) => ({
    call,
    status,
    limit,
    since,
  }),
})
