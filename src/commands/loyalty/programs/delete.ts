import { programCommands } from '../../../cli/resources/programs.ts'

export default programCommands.delete
