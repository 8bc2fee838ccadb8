import { knownTierCommands } from '../../cli/resources/promotions.ts'

export default knownTierCommands.enable
