// A call outside a job that counts twice, has an id of the caller, and lost its answer: it may still arrive, so that it is not sent
// again unless somebody agrees. Source: docs/reliability.md#balance.
import type { Client, LostCall, RequestOf } from '../../api/client.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import { askYesNo } from '../prompt/prompts.ts'
import type { Asker, Keeper } from '../run/host.ts'
import { placeIn } from './history.ts'
import { changesOf } from './recorded-changes.ts'
import { whereToLook } from './where-to-look.ts'

/** ASSUMED A542: what has not arrived after a week will not. */
const arrivesWithinMs = 7 * 86_400_000

/** Finds it in the history of this computer. A history that cannot be read knows of none. */
export async function lostCallIn(
  { host, mayAsk, profile, client }: { host: Asker & Keeper; mayAsk: () => boolean; profile: Resolved; client: Client },
  endpoint: Endpoint,
  request: LooseRequest,
  source: string,
): Promise<LostCall | undefined> {
  const { project, service } = placeIn(profile)
  const [path] = client.plan(endpoint, request as RequestOf<Endpoint>).path.split('?', 1)
  const { changes } = await changesOf(host, {
    sinceMs: host.now() - arrivesWithinMs,
    most: 1,
    where: (one) =>
      one.call === endpoint.id &&
      one.source_id === source &&
      one.path === path &&
      one.project === project &&
      one.service === service &&
      one.outcome !== 'refused' &&
      one.outcome !== 'not_sent',
  }).catch(() => ({ changes: [] }))
  const [last] = changes
  if (last === undefined || last.outcome === 'applied') return undefined
  const shown = whereToLook(endpoint, request.path ?? {}, request.body)
  return {
    at: last.at,
    newest: last.newest,
    hint: `${shown === undefined ? '' : `${shown} shows what is there now; `}without --yes, you are asked whether to send it again`,
    // Not --yes: it agrees to what is asked every time, and this is asked because something went wrong.
    mayResend: async () =>
      mayAsk() &&
      (await askYesNo(
        `the answer to the same call was lost at ${last.at}; it is not found, may still arrive, and would then count twice. Send it again?`,
        host,
      )),
  }
}
