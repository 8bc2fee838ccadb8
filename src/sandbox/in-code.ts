// promo/sandbox: the service for the tests of a shop, started in their process. Source: docs/sandbox-for-tests.md#from-code.
import type { ControlBodies } from './control/calls.ts'
import type { Project, Sandbox, StartSandbox } from './in-code-types.ts'

/**
 * Starts the service in this process, on a free port of 127.0.0.1. Throws TypeError for an option that does not exist, SandboxError for one
 * that is wrong, and Error on a Node that is too old.
 */
export const startSandbox: StartSandbox = async (options = {}) => {
  const { file = ':memory:', port = 0, demo = false, keys, time, ...more } = options
  const known = ['fixture', 'allowUnknown', 'timeScale', 'bodies']
  const unknown = Object.keys(more).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`"${unknown}" is no option of a sandbox`)
  // The command line looks for another Node where its own is too old; this one is the caller's.
  if (!process.getBuiltinModule('node:module').isBuiltin('node:sqlite'))
    throw new Error(
      `promo/sandbox needs Node 22.22, 24.15, or 26 and later, with its SQLite; this is ${process.version}`,
    )
  // Loaded here: an entry of the bundle that names modules of every command would cut them into more files.
  const { givenKeys, startSandbox: start } = await import('./embedded.ts')
  const given = {
    ...(keys !== undefined && { keys: givenKeys(keys) }),
    ...(time !== undefined && { time: { at: time } }),
  }
  const { url, credentials, control, close } = await start({ ...more, ...given, file, port, demo })
  const { call } = control
  let snapshots = 0
  const sandbox: Sandbox = {
    url,
    keys: credentials,
    project: async (name = 'Test') => await newProject(url, credentials, name),
    clock: {
      show: () => call('clock.show', undefined),
      set: (at, { allowBack } = {}) => call('clock.set', { time: at, allow_back: allowBack }),
      advance: (by) => call('clock.advance', { by }),
      resume: ({ realTime, allowBack } = {}) => call('clock.resume', { real_time: realTime, allow_back: allowBack }),
    },
    faults: {
      add: (rule) => call('faults.add', rule as ControlBodies['faults.add']),
      list: async () => (await call('faults.list', undefined)).faults,
      clear: async (id) => void (await call('faults.clear', { id })),
    },
    requests: {
      list: async (filter = {}) => (await call('requests.list', filter)).requests,
      clear: async () => void (await call('requests.clear', undefined)),
    },
    async snapshot(name) {
      snapshots += 1
      const saved = await call('snapshot.save', { name: name ?? `snapshot-${snapshots}` })
      return { name: saved.name, load: async () => void (await call('snapshot.load', { name: saved.name })) }
    },
    reset: async () => void (await call('reset', undefined)),
    close,
    [Symbol.asyncDispose]: close,
  }
  return sandbox
}

type Management = Pick<Sandbox['keys'], 'management_id' | 'management_token'>

async function newProject(
  url: string,
  { management_id, management_token }: Management,
  name: string,
): Promise<Project> {
  const answer = await fetch(`${url}/management/v1/projects`, {
    method: 'POST',
    headers: {
      'x-management-id': management_id,
      'x-management-token': management_token,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name }),
  })
  if (!answer.ok) throw new Error(`the project was not made: ${answer.status} ${await answer.text()}`)
  const { id, server_side_key, client_side_key } = (await answer.json()) as {
    id: string
    server_side_key: { app_id: string; app_token: string }
    client_side_key: { app_id: string; app_token: string }
  }
  const { app_id: client_app_id, app_token: client_token } = client_side_key
  return { id, ...server_side_key, client_app_id, client_token }
}
