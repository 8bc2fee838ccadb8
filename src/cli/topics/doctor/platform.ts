// What promo runs on, and what is unusual there. Source: docs/platforms.md.

/** What is known of a computer and its Node. */
export interface PlatformFacts {
  platform: string
  arch: string
  /** As the system calls its release. */
  release: string
  /** The model of the processor. */
  processor: string
  /** The version of glibc; undefined where Node uses another C library. */
  glibc: string | undefined
}

/** Returns those of this computer. */
export async function platformFacts(): Promise<PlatformFacts> {
  const { cpus, release } = await import('node:os')
  const { platform, arch, report } = process
  // Names of other computers are of no use here, and take seconds to look up.
  Object.assign(report, { excludeNetwork: true })
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } }
  return { platform, arch, release: release(), processor: cpus()[0]?.model ?? '', glibc: header.glibcVersionRuntime }
}

/** Returns a platform in words, with what is unusual about it, and what to do about that. */
export function platformInWords(facts: PlatformFacts): { found: string; todo: string } {
  const { platform, arch, release, processor, glibc } = facts
  const name = `${platform} ${release} on ${arch}`
  if (platform === 'darwin' && arch === 'x64' && processor.startsWith('Apple')) {
    return {
      found: `${name}, translated for an Apple processor`,
      todo: 'install promo and Node for arm64: they are faster',
    }
  }
  if (platform === 'linux' && /microsoft/i.test(release)) {
    return {
      found: `${name}, in Windows (WSL)`,
      todo: 'keep PROMO_STATE_DIR off /mnt: a file of Windows has no owner and locks slowly',
    }
  }
  if (platform === 'linux' && glibc === undefined) {
    return { found: `${name}, with a C library other than glibc`, todo: '' }
  }
  if (platform === 'win32') return { found: `${name}; who else may read its folders is not checked`, todo: '' }
  return { found: name, todo: '' }
}
