// The secret that deliveries are signed with: from stdin, the environment or the profile, and never from a flag.

import { PromoError, usageError } from '../../../errors.ts'
import { readEnvironment } from '../../../profiles/environment.ts'
import { faultOf, withoutFinalNewline } from '../../../profiles/secret-value.ts'
import { bringing, readsSettings } from '../../exits.ts'
import { switchFlag, textFlag } from '../../flags/kinds.ts'
import { askHidden } from '../../prompt/prompts.ts'
import { secretText } from '../../request/input-text.ts'
import type { Home } from '../../run/host.ts'
import { sandboxFile } from '../../session/connect.ts'
import type { Run } from '../../session/run.ts'
import { withSandbox } from '../../session/sandbox.ts'

/** Where the secret comes from. */
export const secretFlags = {
  profile: bringing(readsSettings, textFlag('the profile whose webhook secret is used', 'NAME', { char: 'p' })),
  'secret-stdin': switchFlag("read the webhook secret from stdin, instead of the profile's"),
}

/** The flags that are read here. */
type SecretFlags = { 'secret-stdin'?: boolean }
type SecretRun = Pick<Run, 'host' | 'canAsk' | 'profile'>

/**
 * Returns the webhook secret, asked for on a terminal when there is none. Nothing is sent to the service.
 *
 * Throws `usage` for a malformed secret on stdin, without showing it, and `config` (exit 4) when there is none.
 */
export async function webhookSecret(flags: SecretFlags, run: SecretRun): Promise<string> {
  const { host } = run
  if (flags['secret-stdin']) return usable(await fromStdin(run))
  const { webhook_secret } = await readEnvironment(host.env, host.stop)
  if (webhook_secret !== undefined) return webhook_secret.value
  const profile = await run.profile()
  const { webhook_secret: stored } = profile.isSandbox ? await ofSandbox(host) : await profile.credentials()
  if (stored !== undefined) return stored
  if (run.canAsk()) return usable(await askHidden('the webhook secret:', host))
  throw new PromoError('config', `profile "${profile.name}" has no webhook secret`, {
    hint: 'set PROMO_WEBHOOK_SECRET, or pipe it in with --secret-stdin',
  })
}

async function fromStdin({ host, canAsk }: SecretRun): Promise<string> {
  if (!host.stdin.isTTY) return withoutFinalNewline(await secretText(host))
  if (canAsk()) return await askHidden('the webhook secret:', host)
  throw usageError('stdin is a terminal', 'pipe the secret in, or set PROMO_WEBHOOK_SECRET')
}

function usable(secret: string): string {
  const fault = faultOf(secret)
  if (fault !== undefined) throw usageError(`the webhook secret ${fault}`)
  return secret
}

// Only the sandbox reads its data file, so it is started and stopped again.
async function ofSandbox(host: Home): Promise<{ webhook_secret: string }> {
  const { credentials, close } = await withSandbox(({ startSandbox }) =>
    startSandbox({ file: sandboxFile(host), port: 0, demo: true }),
  )
  await close()
  return credentials
}
