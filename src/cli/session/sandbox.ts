// The only access to the embedded service: loaded when it is needed; its errors become promo's own.
import { ownValue } from '../../base/record.ts'
import { EXIT, PromoError } from '../../errors.ts'
import type { controlsSandbox } from '../exits.ts'
import type { Messages } from '../result/messages.ts'

type EmbeddedService = typeof import('../../sandbox/embedded.ts')

/** The calls of the control server. */
export type SandboxControl = ReturnType<EmbeddedService['remoteControl']>

/** The exit code of each error of the sandbox. */
const exitCodeByReason: Record<string, (typeof controlsSandbox.exits)[number]> = {
  'no-file': EXIT.usage,
  'bad-fixture': EXIT.usage,
  'bad-option': EXIT.usage,
  'port-taken': EXIT.usage,
  'not-a-sandbox': EXIT.auth,
  incomplete: EXIT.auth,
  'newer-schema': EXIT.auth,
  'file-access': EXIT.io,
  held: EXIT.held,
  'bad-control': EXIT.usage,
  'control-refused': EXIT.auth,
  'not-served': EXIT.unavailable,
}

/**
 * Loads the embedded service and runs `act` with it.
 *
 * Throws `config`, `usage`, `io` or `held` for its errors; their messages come from the sandbox itself.
 */
export async function withSandbox<Result>(act: (embedded: EmbeddedService) => Promise<Result>): Promise<Result> {
  const embedded = await import('../../sandbox/embedded.ts')
  try {
    return await act(embedded)
  } catch (error) {
    throw translateError(error)
  }
}

const kindOf = {
  [EXIT.usage]: 'usage',
  [EXIT.auth]: 'config',
  [EXIT.unavailable]: 'network',
  [EXIT.held]: 'held',
  [EXIT.io]: 'io',
} as const

function translateError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'SandboxError') return error
  const { reason, hint } = error as Error & { reason: string; hint?: string }
  const exitCode = ownValue(exitCodeByReason, reason) ?? EXIT.io
  return new PromoError(kindOf[exitCode], error.message, {
    cause: error,
    ...(hint !== undefined && { hint }),
  })
}

/** Says which objects of a project are no part of its evaluation. */
export function warnLeftOut(
  refused: readonly { collection: string; reason: string }[],
  { warn }: Pick<Messages, 'warn'>,
): void {
  for (const { collection, reason } of refused)
    warn(`left out, because the embedded service does not take it: ${collection}: ${reason}`)
}
