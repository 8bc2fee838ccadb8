import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'
import { clockColumns } from '../../../output/columns/program.ts'

export default controlCommand('Show the time of the embedded service', {
  description:
    'It is the time of the computer until it is set or advanced. `next_due_at` is when something happens by itself next, such as the expiry of points or one more attempt to deliver a webhook.',
  examples: ['promo sandbox clock show', 'promo sandbox clock show --json --query now'],
  columns: clockColumns,
  call: 'clock.show',
})
