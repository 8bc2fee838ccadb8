// The stored profiles of this run's settings folder.
import { folders } from '../profiles/folders.ts'
import type { Store } from '../profiles/store.ts'
import type { Host } from './host.ts'

/** Opens the stored profiles; nothing is read yet. Throws `config` when no folder can be told. */
export async function storedProfiles(host: Host): Promise<{ store: Store; dir: string }> {
  const { openStore } = await import('../profiles/store.ts')
  const dir = folders(host.env, host.platform, host.home).config
  return { store: openStore(dir), dir }
}
