import { rewardCommands } from '../../cli/resources/rewards.ts'

export default rewardCommands.create
