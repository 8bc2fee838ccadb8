// Where rows are sent and as which requests: a resumed job must agree with both.
import { checkRequest, type LooseRequest } from '../../api/request/request.ts'
import { jsonChecksum } from '../../bulk/input/input-checksum.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ClientSession } from '../session/connect.ts'
import { type BulkDefinition, rowsPerRequest } from './definition.ts'
import type { ReachedProject } from './same-project.ts'
import type { Destination, Work } from './work.ts'

/** Rows whose requests tell whether a resumed job would still send the same. */
const sampledRows = 20

/** Returns where the rows are sent and as which requests; `planFacts` are what else affects the answers. */
export function destinationOf<E extends Endpoint>(
  session: ClientSession,
  work: Pick<Work, 'sample'>,
  bulk: BulkDefinition<E>,
  planFacts?: unknown,
): Omit<Destination, 'consent'> {
  const { endpoint, callOf = () => endpoint, request, act } = bulk
  const sent = work.sample(sampledRows).map((row) => {
    const call = callOf(row)
    const { target, body } = checkRequest(call, request(row) as LooseRequest)
    return [call.method, target, typeof body === 'string' ? body : null]
  })
  const planSha256 = jsonChecksum(sent)
  return {
    ...reachedProject(session),
    planSha256: planFacts === undefined ? planSha256 : jsonChecksum([planSha256, planFacts]),
    repeat: endpoint.repeat,
    grouped: rowsPerRequest(bulk) > 1,
    // An act makes calls of its own, each of its class.
    ahead: typeof act !== 'function' && mayRunAhead(endpoint),
  }
}

/**
 * Returns whether a row that was never sent may count as begun. Not where a refusal would then be taken as proof that it
 * was applied (a taken key, nothing left to delete), nor where it could never be sent again.
 */
function mayRunAhead({ repeat, method }: Endpoint): boolean {
  return (repeat === 'idempotent' && method !== 'DELETE') || repeat === 'read'
}

/** Returns where a session leads. */
export function reachedProject({ projects, profile }: ClientSession): ReachedProject {
  const { isSandbox, origin, projectId } = profile
  return { projects, origin: isSandbox ? 'sandbox' : origin, ...(projectId !== undefined && { projectId }) }
}
