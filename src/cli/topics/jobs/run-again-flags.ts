// The flags with which a job is gone on with: how, never what.
import { confirmFlags, dryRunFlag, outputFlags, paceFlags, serviceFlags } from '../../flags/flags.ts'

const { profile: _, ...service } = serviceFlags
const { journal: __, restart: ___, ...pace } = paceFlags

/** The profile, the project and what is sent are the job's own. */
export const takeUpFlags = { ...service, ...outputFlags, ...pace, ...confirmFlags, ...dryRunFlag }
