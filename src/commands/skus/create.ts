import { skuCommands } from '../../cli/resources/catalogue.ts'

export default skuCommands.create
