import { eventSchemaCommands } from '../../../cli/resources/schemas.ts'

export default eventSchemaCommands.list
