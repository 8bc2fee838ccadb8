import { earningRuleCommands } from '../../../cli/resources/earning-rules.ts'

export default earningRuleCommands.get
