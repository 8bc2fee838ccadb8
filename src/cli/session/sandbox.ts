// The one door to the embedded service: loaded when it is needed, and its errors become those of promo.
import { EXIT, PromoError } from '../../errors.ts'
import type { usesSandboxFile } from '../exits.ts'

type Door = typeof import('../../sandbox/embedded.ts')

/** What each error of the sandbox means to the shell. */
const exitCodeByReason: Record<string, (typeof usesSandboxFile.exits)[number]> = {
  'no-file': EXIT.usage,
  'bad-fixture': EXIT.usage,
  'port-taken': EXIT.usage,
  'not-a-sandbox': EXIT.auth,
  'newer-schema': EXIT.auth,
  'file-access': EXIT.io,
  held: EXIT.held,
}

/**
 * Does something with the embedded service.
 *
 * Throws `config`, `usage`, `io` or `held` for its errors; their words come from the sandbox itself.
 */
export async function withSandbox<Result>(act: (door: Door) => Promise<Result>): Promise<Result> {
  const door = await import('../../sandbox/embedded.ts')
  try {
    return await act(door)
  } catch (error) {
    throw translated(error)
  }
}

function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'SandboxError') return error
  const { reason, hint } = error as Error & { reason: string; hint?: string }
  const exitCode = exitCodeByReason[reason] ?? EXIT.io
  const kind =
    exitCode === EXIT.usage ? 'usage' : exitCode === EXIT.held ? 'held' : exitCode === EXIT.io ? 'io' : 'config'
  return new PromoError(kind, exitCode, error.message, { cause: error, ...(hint !== undefined && { hint }) })
}
