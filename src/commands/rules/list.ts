import { ruleCommands } from '../../cli/resources/rules.ts'

export default ruleCommands.list
