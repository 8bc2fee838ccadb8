// Calls of the management API on a test sandbox.
import type { Answer } from '../../src/sandbox/http/route.ts'
import type { TestSandbox } from './sandbox.ts'

/** Headers with the management pair and without the application pair. */
export function managementHeaders(sandbox: TestSandbox): Record<string, string | undefined> {
  const { management_id, management_token } = sandbox.credentials
  return {
    'x-app-id': undefined,
    'x-app-token': undefined,
    'x-management-id': management_id,
    'x-management-token': management_token,
  }
}

/** Calls `/management/v1/projects` and the paths below it: `path` begins with a slash, or is empty. */
export function manage(
  sandbox: TestSandbox,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body, and asserts what it expects.
): Answer & { body: any } {
  return sandbox.call(method, `/management/v1/projects${path}`, { body, headers: managementHeaders(sandbox) })
}
