// Secrets in a separate file, for computers without a keyring: mode 0600 in a folder that only its owner can change.
import { isRecord } from '../base/record.ts'
import { PromoError } from '../errors.ts'
import { type DocumentFormat, documentPath, type Place, readDocument } from './document.ts'
import { checkSecrets, type SecretStore, type Secrets, secretKey, secretsFrom } from './secret-set.ts'

/** Opens the file of secrets in a settings folder. Its functions throw `config`, `io` and `held` as documents do. */
export function credentialsFile(place: Place): SecretStore {
  const path = documentPath(place.dir, format)
  const read = (key: string) => readDocument(place, format).get(key)
  const store: SecretStore = {
    kind: 'file',
    place: path,
    async probe() {
      const origin = 'https://probe.invalid'
      await store.set('probe', origin, { access_token: 'probe' })
      await store.remove('probe', origin)
    },
    get: async (profile, origin) => read(secretKey(profile, origin)),
    async set(profile, origin, secrets) {
      checkSecrets(secrets)
      await (await changing()).changeDocument(place, format, (all) => all.set(secretKey(profile, origin), secrets))
    },
    async remove(profile, origin) {
      const key = secretKey(profile, origin)
      // Nothing stored, nothing written: a removal must not create the file on a computer that never had it.
      if (read(key) === undefined) return false
      await (await changing()).changeDocument(place, format, (all) => all.delete(key))
      if (read(key) === undefined) return true
      throw new PromoError('io', `the secrets of profile "${profile}" are still in "${path}"`)
    },
  }
  return store
}

const format: DocumentFormat<Map<string, Secrets>> = {
  name: 'credentials',
  empty: () => new Map(),
  read({ secrets, ...rest }, damaged) {
    const [unknown] = Object.keys(rest)
    if (unknown !== undefined) throw damaged([], 'it holds something other than "secrets"')
    if (!isRecord(secrets)) throw damaged(['secrets'], '"secrets" is not an object')
    return new Map(
      Object.entries(secrets).map(([key, values]) => {
        const stored = secretsFrom(values)
        if (stored === undefined) throw damaged(['secrets', key], 'it is not a set of secrets')
        return [key, stored]
      }),
    )
  },
  write: (all) => ({ secrets: Object.fromEntries(all) }),
}

/** Most runs only read. */
async function changing() {
  return await import('./change-document.ts')
}
