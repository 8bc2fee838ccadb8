import { metadataSchemaCommands } from '../../../cli/resources/schemas.ts'

export default metadataSchemaCommands.update
