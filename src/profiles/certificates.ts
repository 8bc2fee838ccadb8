// Whether Node checks certificates, as the environment tells it.
import { type Stats, statSync } from 'node:fs'
import { oddKindOf } from '../base/folder.ts'
import { PromoError } from '../errors.ts'
import type { Env } from './folders.ts'

/** Throws `config` when the environment switches the checks of certificates off, or lets Node wait for certificates. */
export function refuseUncheckedTls({ NODE_TLS_REJECT_UNAUTHORIZED, NODE_EXTRA_CA_CERTS }: Env): void {
  refuseEndlessFile(NODE_EXTRA_CA_CERTS)
  if (NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
  throw new PromoError('config', 'NODE_TLS_REJECT_UNAUTHORIZED=0 exposes what is sent to anyone on the network', {
    hint: 'unset NODE_TLS_REJECT_UNAUTHORIZED; for a certificate authority of your own set NODE_EXTRA_CA_CERTS',
  })
}

/** Node reads this file at the first connection, in the thread of the signals: a FIFO without a writer would stop them all. */
function refuseEndlessFile(path = ''): void {
  const stats = statsOf(path)
  // Node itself warns of one that it cannot read.
  if (stats === undefined || stats.isFile()) return
  const kind = oddKindOf(stats) ?? 'a pipe'
  throw new PromoError('config', `NODE_EXTRA_CA_CERTS names ${kind}, not a file`, {
    hint: 'set NODE_EXTRA_CA_CERTS to a file of certificates in PEM form, or unset it',
  })
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
