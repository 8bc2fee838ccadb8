import { tierCommands } from '../../../cli/resources/promotions.ts'

export default tierCommands.create
