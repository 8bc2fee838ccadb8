// The secret that deliveries are signed with: from stdin, the environment or the profile, and never from a flag.

import { PromoError, usageError } from '../../../errors.ts'
import { readEnvironment } from '../../../profiles/environment.ts'
import { faultOf, withoutFinalNewline } from '../../../profiles/secret-value.ts'
import { bringing, readsSettings } from '../../exits.ts'
import type { globalFlags } from '../../flags/flags.ts'
import type { ValuesOf } from '../../flags/kinds.ts'
import { switchFlag, textFlag } from '../../flags/kinds.ts'
import { askHidden, canAsk } from '../../prompt/prompts.ts'
import { secretText } from '../../request/input-text.ts'
import type { Host } from '../../run/host.ts'
import { resolveProfile, sandboxFile } from '../../session/connect.ts'
import { withSandbox } from '../../session/sandbox.ts'

/** Where the secret comes from. */
export const secretFlags = {
  profile: bringing(readsSettings, textFlag('the profile whose webhook secret is used', 'NAME', { char: 'p' })),
  'secret-stdin': switchFlag("read the webhook secret from stdin, instead of the profile's"),
}

/** The flags that are read here. */
type SecretFlags = ValuesOf<typeof secretFlags & typeof globalFlags>

/**
 * Returns the webhook secret, asked for on a terminal when there is none. Nothing is sent to the service.
 *
 * Throws `usage` for a malformed secret on stdin, without showing it, and `config` (exit 4) when there is none.
 */
export async function webhookSecret(flags: SecretFlags, host: Host): Promise<string> {
  if (flags['secret-stdin']) return usable(await fromStdin(flags, host))
  const { webhook_secret } = await readEnvironment(host.env, host.stop)
  if (webhook_secret !== undefined) return webhook_secret.value
  const profile = await resolveProfile(flags, host)
  const { webhook_secret: stored } = profile.isSandbox ? await ofSandbox(host) : await profile.credentials()
  if (stored !== undefined) return stored
  if (canAsk(flags, host)) return usable(await askHidden('the webhook secret:', host))
  throw new PromoError('config', `profile "${profile.name}" has no webhook secret`, {
    hint: 'set PROMO_WEBHOOK_SECRET, or pipe it in with --secret-stdin',
  })
}

async function fromStdin(flags: SecretFlags, host: Host): Promise<string> {
  if (!host.stdin.isTTY) return withoutFinalNewline(await secretText(host))
  if (canAsk(flags, host)) return await askHidden('the webhook secret:', host)
  throw usageError('stdin is a terminal', 'pipe the secret in, or set PROMO_WEBHOOK_SECRET')
}

function usable(secret: string): string {
  const fault = faultOf(secret)
  if (fault !== undefined) throw usageError(`the webhook secret ${fault}`)
  return secret
}

// Only the sandbox reads its data file, so it is started and stopped again.
async function ofSandbox(host: Host): Promise<{ webhook_secret: string }> {
  const { credentials, close } = await withSandbox(({ startSandbox }) =>
    startSandbox({ file: sandboxFile(host), port: 0, demo: true }),
  )
  await close()
  return credentials
}
