import { switchFlag } from '../../../cli/flags/kinds.ts'
import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'
import { clockColumns } from '../../../output/columns/program.ts'

export default controlCommand('Let the clock of the embedded service run again', {
  description:
    "It goes on from where it stopped. With --real-time it is the computer's time again, after everything due by then is done.",
  examples: [
    'promo sandbox clock resume --data shop.db',
    'promo sandbox clock resume --real-time --allow-back --data shop.db',
  ],
  columns: clockColumns,
  flags: {
    'real-time': switchFlag("go on from the computer's time"),
    'allow-back': switchFlag('allow a time in the past; this undoes nothing', { dependsOn: ['real-time'] }),
  },
  call: 'clock.resume',
  isChange: true,
  asked: ({ flags }) => ({ real_time: flags['real-time'], allow_back: flags['allow-back'] }),
})
