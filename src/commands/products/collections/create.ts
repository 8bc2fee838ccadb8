import { collectionCommands } from '../../../cli/resources/catalogue.ts'

export default collectionCommands.create
