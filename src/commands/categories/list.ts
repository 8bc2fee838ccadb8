import { categoryCommands } from '../../cli/resources/catalogue.ts'

export default categoryCommands.list
