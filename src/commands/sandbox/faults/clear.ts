import { optionalArgument } from '../../../cli/flags/kinds.ts'
import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'

export default controlCommand('Remove the faults of a running sandbox, or one of them', {
  examples: ['promo sandbox faults clear --data shop.db', 'promo sandbox faults clear fault_1 --data shop.db'],
  args: { id: optionalArgument('the id of a fault (default: all)') },
  call: 'faults.clear',
  isChange: true,
  mustServe: true,
  asked: ({ args }) => ({ id: args.id }),
  said: ({ removed }) => (removed === 1 ? 'removed 1 fault' : `removed ${String(removed)} faults`),
})
