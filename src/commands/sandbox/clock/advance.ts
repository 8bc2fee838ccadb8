import { argument } from '../../../cli/flags/kinds.ts'
import { durationMs } from '../../../cli/flags/values.ts'
import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'
import { clockColumns } from '../../../output/columns/program.ts'

export default controlCommand('Move the time of the embedded service ahead, and do what is due in between', {
  description:
    'The clock stops at each instant at which something is due, until that is done, in order. Points expire, webhooks are delivered, background jobs end. Codes expire, validity begins and tokens run out as time passes them. The command ends when all of that is done.',
  examples: [
    'promo sandbox clock advance 30d --data shop.db',
    'promo sandbox clock advance 36h --json --query now --data shop.db',
  ],
  columns: clockColumns,
  args: { duration: argument('how far: 90s, 30m, 36h or 30d') },
  call: 'clock.advance',
  isChange: true,
  asked({ args: { duration } }) {
    durationMs(duration)
    return { by: duration }
  },
})
