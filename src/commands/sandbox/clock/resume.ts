import { Flags } from '@oclif/core'
import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'
import { clockColumns } from '../../../output/columns/program.ts'

export default controlCommand({
  summary: 'Let the time of the embedded service go on',
  description:
    "It goes on from where it stands. With --real-time it is the computer's again, after everything that is due until then.",
  examples: [
    'promo sandbox clock resume --data shop.db',
    'promo sandbox clock resume --real-time --allow-back --data shop.db',
  ],
  columns: clockColumns,
  flags: {
    'real-time': Flags.boolean({ description: "go on from the computer's time" }),
    'allow-back': Flags.boolean({ dependsOn: ['real-time'], description: 'go back in time, which undoes nothing' }),
  },
  call: 'clock.resume',
  isChange: true,
  asked: ({ flags }) => ({ real_time: flags['real-time'], allow_back: flags['allow-back'] }),
})
