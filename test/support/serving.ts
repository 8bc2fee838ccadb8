// `promo sandbox start` in this process, for as long as a test calls it: the real command and its service over loopback.
import type { Keys } from '../../src/sandbox/in-code-types.ts'
import type { promoIn, Ran, RunOptions } from './promo.ts'

/** What `--json` prints, and calls with the application keys. */
export interface Serving extends Keys {
  url: string
  control_token: string
  data: string
  /** Calls with the application keys, or the headers given. Returns the status and the parsed body. */
  call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any body, and asserts what it expects.
  ) => Promise<{ status: number; body: any; headers: Headers }>
  /** The same for the control server, with its token. */
  control: Serving['call']
  /** The headers of the management keys. */
  management: Record<string, string>
}

/** Serves until `act` ends; returns how the command ended. A failure of `act` fails the test. */
export async function whileServing(
  promo: ReturnType<typeof promoIn>,
  flags: readonly string[],
  act: (serving: Serving) => Promise<void>,
  options: RunOptions = {},
): Promise<Ran> {
  let acted: Promise<void> | undefined
  const ran = await promo(['sandbox', 'start', '--json', ...flags], {
    ...options,
    onStdout(line, stop) {
      acted ??= act(servingOf(JSON.parse(line))).finally(() => stop('SIGTERM'))
      acted.catch(() => {})
    },
  })
  if (acted === undefined) throw new Error(`promo sandbox start ended with ${ran.exitCode}: ${ran.stderr}`)
  await acted
  return ran
}

function servingOf(printed: Omit<Serving, 'call' | 'control' | 'management'>): Serving {
  const application = { 'x-app-id': printed.app_id, 'x-app-token': printed.app_token }
  const calling =
    (keys: Record<string, string>, prefix = ''): Serving['call'] =>
    async (method, path, body, headers = {}) => {
      const answer = await fetch(`${printed.url}${prefix}${path}`, {
        method,
        headers: { ...keys, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers }
    }
  return {
    ...printed,
    call: calling(application),
    control: calling({ authorization: `Bearer ${printed.control_token}` }, '/__promo'),
    management: { 'x-management-id': printed.management_id, 'x-management-token': printed.management_token },
  }
}
