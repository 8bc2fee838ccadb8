import { stackCommands } from '../../../cli/resources/promotions.ts'

export default stackCommands.update
