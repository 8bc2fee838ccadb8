import { switchCommand } from '../../cli/topics/vouchers/switch.ts'

export default switchCommand('disable')
