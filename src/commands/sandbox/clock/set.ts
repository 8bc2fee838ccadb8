import { argument, switchFlag } from '../../../cli/flags/kinds.ts'
import { instantFrom } from '../../../cli/flags/time.ts'
import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'
import { clockColumns } from '../../../output/columns/program.ts'

export default controlCommand('Stop the time of the embedded service at an instant', {
  description:
    'Everything that is due by then is done first, in its order, as with `sandbox clock advance`. The time stands still until it is advanced or resumed.',
  examples: [
    'promo sandbox clock set 2099-12-24T18:00:00Z --data shop.db',
    'promo sandbox clock set 2026-01-01 --allow-back --data shop.db',
  ],
  columns: clockColumns,
  args: { time: argument('a day (in UTC) or an instant') },
  flags: { 'allow-back': switchFlag('allow a time in the past; this undoes nothing') },
  call: 'clock.set',
  isChange: true,
  asked: ({ args, flags }) => ({ time: instantFrom(args.time), allow_back: flags['allow-back'] }),
})
