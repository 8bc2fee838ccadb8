import { productCommands } from '../../cli/resources/catalogue.ts'

export default productCommands.get
