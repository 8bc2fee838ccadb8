import { segmentCommands } from '../../cli/resources/customers.ts'

export default segmentCommands.create
